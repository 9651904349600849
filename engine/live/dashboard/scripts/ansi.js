// A line of a log: escape codes become colours, addresses become links, what is searched for is marked.
import { h } from "./dom.js";

const CODE = /\x1b\[([\d;]*)m|\x1b(?:\[[\d;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])/g;
const LINK = /\bhttps?:\/\/[^\s"'<>)\]]+/g;

/** The text alone. */
export const bare = (text) => text.replace(CODE, "");

/** Pieces [text, classes]. */
export function pieces(text) {
  const found = [];
  let at = 0;
  let classes = new Set();
  const put = (end) => { if (end > at) found.push([text.slice(at, end), [...classes].join(" ")]); };
  for (const code of text.matchAll(CODE)) {
    put(code.index);
    at = code.index + code[0].length;
    if (code[1] !== undefined) classes = next(classes, code[1]);
  }
  put(text.length);
  return found;
}

const STYLES = { 1: "a-bold", 2: "a-dim", 3: "a-italic", 4: "a-underline" };

function next(before, codes) {
  const classes = new Set(before);
  const numbers = codes.split(";").map(Number);
  while (numbers.length) {
    const n = numbers.shift();
    if (n === 0) classes.clear();
    else if (n in STYLES) classes.add(STYLES[n]);
    else if (n === 22) { classes.delete("a-bold"); classes.delete("a-dim"); }
    else if (n === 23) classes.delete("a-italic");
    else if (n === 24) classes.delete("a-underline");
    else if (n === 38 || n === 48) numbers.splice(0, numbers[0] === 2 ? 4 : 2);
    else if ((n >= 30 && n <= 39) || (n >= 90 && n <= 97)) {
      for (const c of classes) if (/^a-\d/.test(c)) classes.delete(c);
      if (n !== 39) classes.add(`a-${n}`);
    }
  }
  return classes;
}

/** The text of a line as elements; `words` are what is searched for, in lower case. */
export function drawn(text, words = []) {
  return pieces(text).map(([part, classes]) => {
    const inner = links(part, words);
    return classes ? h("span", { class: classes }, inner) : inner;
  });
}

function links(text, words) {
  const out = [];
  let at = 0;
  for (const found of text.matchAll(LINK)) {
    out.push(...marked(text.slice(at, found.index), words));
    out.push(h("a", { href: found[0], target: "_blank", rel: "noopener noreferrer" }, marked(found[0], words)));
    at = found.index + found[0].length;
  }
  out.push(...marked(text.slice(at), words));
  return out;
}

function marked(text, words) {
  if (!words.length || !text) return text ? [text] : [];
  const low = text.toLowerCase();
  const out = [];
  let at = 0;
  while (at < text.length) {
    let best = -1;
    let word = "";
    for (const w of words) {
      const i = low.indexOf(w, at);
      if (i >= 0 && (best < 0 || i < best)) { best = i; word = w; }
    }
    if (best < 0) break;
    if (best > at) out.push(text.slice(at, best));
    out.push(h("mark", {}, text.slice(best, best + word.length)));
    at = best + word.length;
  }
  if (at < text.length) out.push(text.slice(at));
  return out;
}
