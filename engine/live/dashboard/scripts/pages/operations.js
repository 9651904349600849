// What people asked for: running and past, with what it brought.
import { fill, h } from "../dom.js";
import { store } from "../store.js";
import { drawn } from "../ansi.js";
import { hrefOf, json, logOf, mark, moment, shortAddress, span, toneOfWord } from "../words.js";

/** The page. */
export function show(main) {
  const list = h("div.sheet", {});
  const note = h("p.muted", {});
  const elements = new Map();
  main.append(h("div.scroll", {}, h("div.sheet.heading", {}, h("div.toolbar", {}, h("h1", {}, "Operations"), note)), list));

  function draw() {
    const found = [...store.operations.values()].sort((a, b) => b.began - a.began);
    const running = found.filter((o) => o.progress === "running").length;
    note.textContent = running ? `${running} running` : "";
    for (const [id, { element }] of elements) {
      if (!store.operations.has(id)) { element.remove(); elements.delete(id); }
    }
    if (!found.length) {
      fill(list, h("div.empty", {}, h("strong", {}, "Nothing was asked for yet"),
        h("p", {}, "Start, stop, restart, scale, and the commands that the file declares are on the page of each resource; what becomes of them is kept here.")));
      return;
    }
    list.querySelector(".empty")?.remove();
    found.forEach((operation, place) => {
      const sign = JSON.stringify(operation);
      let known = elements.get(operation.id);
      if (known?.sign !== sign) {
        const element = drawnOperation(operation, known?.element.open ?? false);
        known?.element.replaceWith(element);
        elements.set(operation.id, known = { sign, element });
      }
      if (list.children[place] !== known.element) list.insertBefore(known.element, list.children[place] ?? null);
    });
    tick();
  }

  function tick() {
    for (const [id, { element }] of elements) {
      const o = store.operations.get(id);
      const seconds = (o.ended || Date.now() / 1000) - o.began;
      const text = o.began ? span(Math.max(0, o.ended ? seconds : Math.floor(seconds))) : "";
      const age = element.querySelector("[data-length]");
      if (age.textContent !== text) age.textContent = text;
    }
  }

  draw();
  const timer = setInterval(tick, 1000);
  return { title: "Operations", update: ({ operations, structure }) => { if (operations.size || structure) draw(); }, leave: () => clearInterval(timer), keys: {} };
}

const WORDS = { running: "running", succeeded: "done", failed: "failed" };

function drawnOperation(o, open) {
  const tone = toneOfWord(o.progress);
  const row = store.resources.get(o.target);
  return h("details.panel.operation", { class: tone, open, "data-operation": o.id },
    h("summary", {},
      mark(tone, true), h("span.title", {}, o.title || o.command),
      h("span.target", {}, row?.name ?? shortAddress(o.target)),
      h("span.visually-hidden", {}, WORDS[o.progress]),
      h("span.aside", {}, h("span", { "data-length": "" }), o.began ? [" · ", moment(o.began)] : ""),
      o.message && h("span.message", {}, o.message)),
    h("p.also", {}, h("a", { href: hrefOf(o.target) }, `page of ${row?.name ?? shortAddress(o.target)}`),
      o.launched.map((a) => h("a", { href: logOf(a) }, `log of ${shortAddress(a).split("/").pop()}`)),
      h("span.muted", {}, o.id)),
    inputs(o), result(o));
}

function inputs(o) {
  const given = Object.entries(o.inputs);
  return given.length > 0 && h("table.pairs", {}, h("tbody", {}, given.map(([n, v]) => h("tr", {}, h("th", { scope: "row" }, n), h("td.mono", {}, v === "•••" ? h("span.masked", {}, v) : String(v))))));
}

function result(o) {
  if (o.progress === "running") return h("div.body.muted", {}, "It is done once what is seen says so.");
  const { exitCode, output, ...others } = o.result;
  if (output !== undefined && typeof output === "string") {
    return [h("div.body.muted", {}, exitCode !== undefined ? `Exit code ${exitCode}` : ""), written(output),
      Object.keys(others).length > 0 && json(others)];
  }
  const jobs = Object.entries(o.result).filter(([, v]) => Array.isArray(v?.log));
  if (jobs.length) {
    return jobs.map(([name, job]) => [h("div.body.muted", {}, `${name} ended with exit code ${job.exitCode}; the end of its log:`), written(job.log.join("\n"))]);
  }
  return Object.keys(o.result).length ? json(o.result) : h("div.body.muted", {}, `It is ${WORDS[o.progress]}, and brought nothing to show.`);
}

function written(text) {
  return text.trim() ? h("pre.code.output", { tabIndex: 0 }, drawn(text.replace(/\n$/, ""))) : h("div.body.muted", {}, "It wrote nothing.");
}
