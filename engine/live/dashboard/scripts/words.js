// How states, times and values are told: the one place for words, tones and marks.
import { drawing, h } from "./dom.js";

const TONES = {
  ready: "ok", succeeded: "ok",
  creating: "busy", updating: "busy", starting: "busy", running: "busy", deleting: "busy", stopping: "busy",
  waiting: "wait", pending: "wait",
  failed: "bad", unhealthy: "bad", gone: "bad",
  stopped: "off", detached: "off",
};

/** Groups of states, in the order in which people look for them. */
export const GROUPS = [
  { id: "bad", title: "Failed" },
  { id: "wait", title: "Waiting" },
  { id: "busy", title: "Working" },
  { id: "ok", title: "Ready" },
  { id: "off", title: "Stopped" },
];

/** The tone of a resource: ok, busy, wait, bad or off. */
export function toneOf({ state, exitCode }) {
  if (state === "exited") return exitCode ? "bad" : "ok";
  return TONES[state] ?? "busy";
}

/** The tone of a word. */
export const toneOfWord = (word) => TONES[word] ?? "off";

const MARKS = {
  ok: ["M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9|full"],
  done: ["M2.5 7.5l3 3l6-7"],
  busy: ["M7 1.8a5.2 5.2 0 1 1-5.2 5.2|spin"],
  wait: ["M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9", "M7 4.8v2.4l1.5 1"],
  bad: ["M3 3l8 8", "M11 3l-8 8"],
  off: ["M3.5 3.5h7v7h-7z|full"],
};

/** A mark that tells the tone by its shape too. */
export function mark(tone, done = false) {
  return h("span.mark", { class: tone }, drawing(14, ...MARKS[done && tone === "ok" ? "done" : tone]));
}

/** A state with its mark. */
export function state(row) {
  const tone = toneOf(row);
  return h("span.state", { class: tone }, mark(tone, row.state === "exited"), stateWord(row));
}

/** A state in words. */
export function stateWord({ state, exitCode }) {
  if (state === "exited") return exitCode ? `exited ${exitCode}` : "exited";
  return state;
}

const EXCERPT = 120;

/** The beginning of a text on one line, each of its lines once: its own page has the whole. */
export function excerpt(text) {
  const line = [...new Set(text.split("\n").map((l) => l.trim()).filter(Boolean))].join(" / ");
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT - 1).trimEnd()}…` : line;
}

/** The signs for tones where there is only text. */
export const SIGNS = { ok: "●", busy: "◐", wait: "○", bad: "✕", off: "■" };

/** How long ago, in one unit. */
export function age(since, now = Date.now() / 1000) {
  if (!since) return "";
  return span(Math.max(0, now - since));
}

/** A length of time in one or two units. */
export function span(seconds) {
  if (seconds < 10) return `${Math.floor(seconds * 10) / 10}`.replace(/\.0$/, "") + " s";
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

/** The same in whole seconds, for what is looked at all the time. */
export function since(at, now) {
  const seconds = Math.max(0, Math.floor(now - at));
  return at ? span(seconds) : "";
}

const TWO = (n) => String(n).padStart(2, "0");

/** The time of day. */
export function clock(time, fine = false) {
  const d = new Date(time * 1000);
  const text = `${TWO(d.getHours())}:${TWO(d.getMinutes())}:${TWO(d.getSeconds())}`;
  return fine ? `${text}.${String(d.getMilliseconds()).padStart(3, "0")}` : text;
}

/** A time of day, with the day where that is not today. */
export function moment(time) {
  const d = new Date(time * 1000);
  const day = d.toDateString() === new Date().toDateString() ? "" : `${d.toLocaleDateString()} `;
  return h("time", { title: d.toLocaleString(), dateTime: d.toISOString() }, day + clock(time));
}

/** The last part of a type. */
export const shortType = (type) => type.replace(/^.*\//, "").replace(/(?<=ss|x|ch)es$|(?<!s)s$/, "");

/** A resource's address without the deployment in front of it. */
export const shortAddress = (address) => address.replace(/^[^/]*\//, "");

/** A way to a resource's page. */
export const hrefOf = (address) => `#/resource/${address.split("/").map(encodeURIComponent).join("/")}`;

/** A way to a resource's log. */
export const logOf = (address) => `#/logs?name=${encodeURIComponent(address)}`;

/** A link that leaves the dashboard, where the address is one that may be followed. */
export function outward(url, text = url.replace(/^https?:\/\//, "").replace(/\/$/, "")) {
  if (!/^https?:\/\//i.test(url)) return h("span", {}, url);
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text);
}

/** JSON, drawn for reading. */
export function json(value) {
  const text = JSON.stringify(value, null, 2) ?? "";
  const out = h("pre.code", { tabIndex: 0 });
  const pattern = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null|-?\d[\d.eE+-]*)\b/g;
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    out.append(text.slice(at, found.index));
    const kind = found[2] ? "key" : found[1] ? "text" : "lit";
    out.append(h(`span.${kind}`, {}, found[1] ?? found[0]), found[2] ?? "");
    at = found.index + found[0].length;
  }
  out.append(text.slice(at));
  return out;
}

/** A value in one line. */
export function plain(value) {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
