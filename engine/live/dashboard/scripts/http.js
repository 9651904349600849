// Questions and wishes; what is refused comes as a `Refused` with its diagnostics.
import { h } from "./dom.js";

export class Refused extends Error {
  constructor(status, diagnostics, text) {
    super(diagnostics[0]?.message ?? text);
    this.status = status;
    this.diagnostics = diagnostics.length ? diagnostics : [{ code: "", severity: "error", message: text }];
  }
}

/** The answer to a question. */
export async function get(path, query = {}, signal = undefined) {
  const words = new URLSearchParams(query).toString();
  return answer(await send(words ? `${path}?${words}` : path, { signal }));
}

/** The answer to a wish; the header says that it comes from this page and no other. */
export async function post(path, body = {}) {
  const headers = { "Content-Type": "application/json", "X-Ulna": "1" };
  return answer(await send(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function send(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, [], "The run cannot be reached.");
  }
}

async function answer(response) {
  const text = await response.text();
  let found = null;
  try { found = JSON.parse(text); } catch { /* told as it came */ }
  if (response.ok) return found;
  throw new Refused(response.status, found?.diagnostics ?? [], text || response.statusText);
}

/** What was refused, with the reason and what to do. */
export function diagnostics(error) {
  const list = error instanceof Refused ? error.diagnostics : [{ code: "", severity: "error", message: String(error) }];
  return h("div.diagnostics", { role: "alert" }, list.map((d) => h("div.diagnostic",
    { class: d.severity === "warning" ? "wait" : "bad" },
    h("p.head", {}, d.code && h("code", {}, d.code), d.message),
    d.file && h("p.mono.muted", {}, `${d.file}:${d.start.line}:${d.start.column}`),
    d.help && h("p", {}, d.help))));
}
