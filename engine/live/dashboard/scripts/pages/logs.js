// What everything writes, or one resource with its parts: as it comes, filtered, paused, kept.
import { bare, drawn } from "../ansi.js";
import { fill, framed, h, quiet } from "../dom.js";
import { remember } from "../router.js";
import { store } from "../store.js";
import { clock, hrefOf, shortAddress, stateWord } from "../words.js";

const KEPT = 5000;
const HUES = 8;
const choices = { times: true, wrap: true };
const hues = new Map();

/** The page. */
export function show(main, { query }) {
  const look = { name: query.get("name") ?? "", text: query.get("q") ?? "" };
  let kept = [];
  let waiting = [];
  let paused = false;
  let following = true;
  let last = 0;
  let source = null;
  let retry = 0;
  let cleared = 0;
  let before = 0;

  // ---------------------------------------------------------------- elements
  const select = h("select.field", { "aria-label": "Resource", onchange: () => choose(select.value) });
  const search = h("input.field.search", {
    type: "search", placeholder: "Filter", value: look.text, "aria-label": "Filter lines", "data-search": "",
    spellcheck: false, autocomplete: "off", oninput: () => { look.text = search.value; filtered(); },
  });
  const pause = h("button.button", { type: "button", "aria-pressed": "false", onclick: togglePause }, "Pause");
  const times = h("input", { type: "checkbox", checked: choices.times, onchange: () => { choices.times = times.checked; looks(); } });
  const wrap = h("input", { type: "checkbox", checked: choices.wrap, onchange: () => { choices.wrap = wrap.checked; looks(); } });
  const jump = h("button.button.jump", { type: "button", hidden: true, onclick: follow }, "Follow the newest");
  const about = h("a.button", { hidden: true }, "Resource");
  const lines = h("div.lines", { role: "log", "aria-live": "off", "aria-label": "Log", tabIndex: 0, onscroll: scrolled });
  const empty = h("div.empty", {});
  main.append(h("div.page", {},
    h("h1.visually-hidden", {}, "Logs"),
    h("div.toolbar.logs-bar", {}, select, search, about, h("span.grow", {}),
      h("label.check", {}, times, "Times"), h("label.check", {}, wrap, "Wrap"),
      pause, h("button.button", { type: "button", onclick: clear }, "Clear"),
      h("button.button", { type: "button", onclick: save }, "Save")),
    h("div.logs", {}, empty, lines, jump)));

  // ---------------------------------------------------------------- what comes
  function open() {
    close();
    const words = new URLSearchParams({ after: String(last), ...(look.name ? { name: look.name } : {}) });
    source = new EventSource(`/api/logs?${words}`);
    source.onmessage = (message) => {
      const line = JSON.parse(message.data);
      if (line.number <= last) return;
      last = line.number;
      waiting.push(line);
      if (waiting.length > KEPT) waiting.splice(0, waiting.length - KEPT);
      take();
    };
    source.onerror = () => { close(); retry = setTimeout(open, 1500); };
  }

  function close() {
    clearTimeout(retry);
    source?.close();
    source = null;
  }

  const take = framed(() => {
    if (paused) {
      pause.textContent = `Go on (${waiting.length} new)`;
      return;
    }
    const fresh = waiting;
    waiting = [];
    kept.push(...fresh);
    if (kept.length > KEPT) kept = kept.slice(-KEPT);
    append(fresh.filter(fits));
  });

  const words = () => look.text.toLowerCase().split(/\s+/).filter(Boolean);
  function fits(line) {
    const wanted = words();
    if (!wanted.length) return true;
    const text = `${line.name} ${bare(line.text)}`.toLowerCase();
    return wanted.every((w) => text.includes(w));
  }

  // ---------------------------------------------------------------- what is drawn
  function append(fresh) {
    const wanted = words();
    lines.append(...fresh.map((line) => drawnLine(line, wanted)));
    const more = lines.childElementCount - KEPT;
    if (more > 0) {
      const range = document.createRange();
      range.setStart(lines, 0);
      range.setEnd(lines, more);
      range.deleteContents();
    }
    nothing();
    if (following && fresh.length) { before = 0; settle(); }
  }

  function drawnLine(line, wanted) {
    if (!hues.has(line.address)) hues.set(line.address, hues.size % HUES);
    return h("div.line", { class: `hue-${hues.get(line.address)}` },
      h("time", { title: new Date(line.time * 1000).toLocaleString() }, clock(line.time, true)),
      h("a.source", { href: `#/logs?name=${encodeURIComponent(line.address)}`, title: line.address }, line.name),
      h("span.text", {}, drawn(line.text, wanted)));
  }

  function nothing() {
    const any = lines.childElementCount > 0;
    empty.hidden = any;
    lines.hidden = !any;
    if (any) return;
    const row = store.resources.get(look.name);
    fill(empty,
      h("strong", {}, look.text && kept.length ? "No line fits" : "No lines yet"),
      h("p", {}, look.text && kept.length ? `${kept.length} lines are here, and none has “${look.text}” in it.`
        : row ? `${row.name} has written nothing since this run began. It is ${stateWord(row)}.`
          : "What resources write appears here as they write it."));
  }

  const redraw = () => { lines.replaceChildren(); append(kept.filter(fits)); follow(); };
  const filtered = quiet(() => { remember({ name: look.name, q: look.text }); redraw(); }, 80);

  function looks() {
    lines.classList.toggle("untimed", !choices.times);
    lines.classList.toggle("long", !choices.wrap);
    lines.classList.toggle("single", look.name !== "" && store.childrenOf(look.name).length === 0);
  }

  function listed() {
    const names = [...store.resources.values()].filter((r) => !/\/(commands|gates)$/i.test(r.type)).map((r) => r.address).sort();
    if (look.name && !names.includes(look.name)) names.unshift(look.name);
    const sign = names.join();
    if (select.sign === sign) return;
    select.sign = sign;
    fill(select, h("option", { value: "" }, "All resources"), names.map((a) => h("option", { value: a }, shortAddress(a))));
    select.value = look.name;
  }

  // ---------------------------------------------------------------- what people do
  function choose(name) {
    look.name = name;
    select.value = name;
    remember({ name, q: look.text });
    begin();
  }
  function begin() {
    kept = [];
    waiting = [];
    last = cleared;
    lines.replaceChildren();
    about.hidden = !look.name;
    about.href = hrefOf(look.name);
    listed();
    looks();
    nothing();
    open();
  }
  function togglePause() {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Go on" : "Pause";
    if (!paused) take();
  }
  function clear() {
    kept = [];
    waiting = [];
    cleared = last;
    redraw();
  }
  function save() {
    const text = kept.filter(fits).map((l) => `${new Date(l.time * 1000).toISOString()} ${l.name} ${bare(l.text)}\n`).join("");
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    h("a", { href, download: `${shortAddress(look.name || store.about.deployment || "ulna").replaceAll("/", "-")}.log` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }
  /** Scrolling up ends the following, and arriving at the end begins it; lines that turn out taller do neither. */
  function scrolled() {
    const at = lines.scrollTop;
    if (lines.scrollHeight - at - lines.clientHeight < 30) following = true;
    else if (at < before - 2) following = false;
    before = at;
    jump.hidden = following;
    if (following) settle();
  }
  const settle = framed(() => {
    if (following) before = lines.scrollTop = lines.scrollHeight;
  });
  function follow() {
    following = true;
    jump.hidden = true;
    settle();
  }
  const seen = () => { if (document.hidden) retry = setTimeout(close, 15000); else if (source === null) open(); else clearTimeout(retry); };
  document.addEventListener("visibilitychange", seen);

  begin();
  return {
    title: look.name ? `Log of ${shortAddress(look.name)}` : "Logs",
    update: ({ structure }) => { if (structure) listed(); if (!lines.childElementCount) nothing(); },
    leave: () => { close(); filtered.cancel(); document.removeEventListener("visibilitychange", seen); },
    keys: {
      " ": ["Pause or go on", togglePause],
      f: ["Follow the newest line", follow],
      c: ["Clear", clear],
      w: ["Wrap long lines", () => wrap.click()],
      d: ["Show times", () => times.click()],
      a: ["All resources", () => choose("")],
    },
  };
}
