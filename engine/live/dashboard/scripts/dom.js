// Elements made of words: h("a.link", {href}, "text", child, …). No markup is ever parsed from data.

/** An element; `what` is a tag with classes; listeners are `on…`, what is null or false is left out. */
export function h(what, attributes, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className += ` ${value}`;
    else if (name in element && !/^(list|form|role)$/.test(name) && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(element, child);
    else if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** Put other children in an element's place for the old ones. */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A small drawing of fixed paths; a class may follow a path after "|". */
export function drawing(size, ...paths) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("aria-hidden", "true");
  for (const given of paths) {
    const [d, kind] = given.split("|");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    if (kind) path.setAttribute("class", kind);
    svg.append(path);
  }
  return svg;
}

/** Call at most once a frame, however often it is asked for; `now` calls at once, for who is in a frame already. */
export function framed(call) {
  let asked = 0;
  const later = () => { asked ||= requestAnimationFrame(later.now); };
  later.now = () => {
    if (asked) cancelAnimationFrame(asked);
    asked = 0;
    call();
  };
  return later;
}

/** Call once it has been quiet for so long. */
export function quiet(call, milliseconds) {
  let timer = 0;
  const later = () => { clearTimeout(timer); timer = setTimeout(call, milliseconds); };
  later.cancel = () => clearTimeout(timer);
  return later;
}
