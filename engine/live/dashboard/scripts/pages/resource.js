// One resource: what it is meant to be, what it is, why it is not there yet, and what can be done with it.
import { ask, askDeclared, askRestart, askScale, dialog } from "../command.js";
import { fill, framed, h, quiet } from "../dom.js";
import { drawn } from "../ansi.js";
import { diagnostics, get, post } from "../http.js";
import { icon } from "../icons.js";
import { go } from "../router.js";
import { store } from "../store.js";
import { clock, excerpt, hrefOf, json, logOf, mark, moment, outward, plain, shortAddress, shortType, since, state, stateWord, toneOf } from "../words.js";

/** The page. */
export function show(main, { rest: address }) {
  const root = h("div.resource", {}, h("p.loading", {}, mark("busy"), "Asking"));
  main.append(h("div.scroll", {}, root));
  const acts = h("div.acts", { role: "group", "aria-label": "Commands" });
  const age = h("b", {});
  const opened = new Map();
  const log = tail(address);
  let detail = null;
  let left = false;
  let busy = false;
  let again = false;

  async function load() {
    if (busy) { again = true; return; }
    busy = true;
    try {
      detail = await get("/api/resource", { name: address });
      if (!left) draw();
    } catch (error) {
      if (!left) missing(error);
    } finally {
      busy = false;
      if (again && !left) { again = false; load(); }
    }
  }
  const soon = quiet(load, 120);

  function missing(error) {
    if (error.status === 0 && detail) return;
    const gone = detail !== null || error.diagnostics?.[0]?.code === "ULN515";
    fill(root, gone
      ? h("div.empty", {}, h("strong", {}, `${detail?.name ?? shortAddress(address)} is gone`),
        h("p", {}, "It was removed, with all that was made of it."),
        h("a.button", { href: "#/resources" }, "All resources"))
      : diagnostics(error));
  }

  function draw() {
    const d = detail;
    const now = Date.now() / 1000;
    age.textContent = since(d.since, now);
    actions(d);
    keep(root);
    fill(root,
      crumbs(d),
      h("div.head", {}, h("h1", {}, d.name), h("span.badge", { class: toneOf(d) }, state(d)), acts),
      facts(d, age),
      d.why.length > 0 && h("section.callout", { class: toneOf(d) === "ok" ? "wait" : toneOf(d) },
        h("h2", {}, "Why it is not ready"), h("ul", {}, d.why.map((w) => h("li", {}, linked(w))))),
      h("div.columns", {},
        h("div.column", {}, offers(d), endpoints(d), parts(d), log.element, environment(d), properties(d)),
        h("div.column", {}, conditions(d), relations(d), history(d))));
    log.settle();
    for (const details of root.querySelectorAll("details[data-name]")) {
      if (opened.has(details.dataset.name)) details.open = opened.get(details.dataset.name);
    }
  }

  function keep(element) {
    for (const details of element.querySelectorAll("details[data-name]")) opened.set(details.dataset.name, details.open);
  }

  // ---------------------------------------------------------------- what can be done
  function actions(d) {
    const word = stateWord(d);
    const sign = JSON.stringify([word, d.users.length, d.verbs]);
    if (acts.sign === sign) return;
    acts.sign = sign;
    const act = (word, call, kind = "") => h("button.button", { type: "button", class: kind, onclick: call }, word);
    const verb = (name, title) => ask({ name: d.address, verb: name }, title);
    const can = (name, ...of) => d.verbs.includes(name) && act(...of);
    fill(acts,
      h("a.button", { href: logOf(d.address) }, "Logs"),
      can("start", "Start", () => verb("start", "Start"), "primary"),
      can("stop", "Stop", () => verb("stop", "Stop")),
      can("restart", "Restart", restart),
      can("force", "Force start", force),
      can("scale", "Scale", scale),
      can("remove", "Remove", remove, "danger"));
  }
  const restart = () => askRestart(detail, detail.users.filter((u) => u !== detail.owner).length);
  const scale = () => askScale(detail, replicas(detail));
  const force = () => dialog(`Start ${detail.name} although it waits`,
    [h("p", {}, "Its gates are passed over once: it is started with what there is."), h("ul.muted", {}, detail.why.map((w) => h("li", {}, w)))],
    "Force start", () => post("/api/command", { name: address, verb: "force" }));
  const remove = () => dialog(`Remove ${detail.name}`,
    [h("p", {}, "It was added while this ran, and goes with all that was made of it.")],
    "Remove", async () => { await post("/api/edit", { remove: [address] }); }, true);

  load();
  const timer = setInterval(() => { if (detail) age.textContent = since(detail.since, Date.now() / 1000); }, 1000);
  return {
    title: shortAddress(address),
    update: ({ addresses, operations }) => {
      const near = detail ? [address, ...detail.children, ...detail.dependencies] : [address];
      if (near.some((a) => addresses.has(a)) || [...operations].some((id) => store.operations.get(id)?.target === address)) soon();
    },
    leave: () => { left = true; soon.cancel(); log.close(); clearInterval(timer); },
    keys: {
      l: ["Its log", () => go(logOf(address))],
      s: ["Start or stop", () => acts.querySelectorAll("button")[0]?.click()],
      x: ["Restart", () => detail?.verbs.includes("restart") && restart()],
      Escape: ["To what it is a part of", () => go(detail?.owner ? hrefOf(detail.owner) : "#/resources")],
    },
  };
}

function replicas(d) {
  const given = (d.properties.properties ?? d.properties).extensions;
  const scaling = Array.isArray(given) ? given.find((e) => e.kind === "manualScaling") : null;
  return scaling?.replicas ?? 1;
}

// ---------------------------------------------------------------- parts of the page

function crumbs(d) {
  const links = [];
  for (let at = store.resources.get(d.owner); at; at = store.resources.get(at.owner)) {
    links.unshift(h("a", { href: hrefOf(at.address) }, at.name), h("span", {}, "/"));
  }
  return h("nav.crumbs", { "aria-label": "Parents" }, h("a", { href: "#/resources" }, "Resources"), h("span", {}, "/"), links, h("span", {}, d.name));
}

function facts(d, age) {
  const fact = (word, value) => value !== "" && value !== null && value !== undefined && h("span", {}, `${word} `, value instanceof Node ? value : h("b", {}, String(value)));
  return h("p.facts", {},
    fact("Type", d.apiVersion ? `${d.type}@${d.apiVersion}` : d.type),
    fact("Health", d.health),
    fact("Operator", [...d.hops, store.operatorOf(d)].filter(Boolean).join(" → ")),
    fact("Since", age),
    d.incarnation > 1 && fact("Life", `${d.incarnation}.`),
    fact("Is", d.externalId),
    !d.declared && fact("Added", "while this ran"));
}

function linked(text) {
  return text.split(/('[^']+')/).map((part) => {
    const address = part.slice(1, -1);
    return store.resources.has(address) ? h("a", { href: hrefOf(address) }, shortAddress(address)) : part;
  });
}

function panel(title, aside, ...content) {
  return h("section.panel", {}, h("h2", {}, title, aside && h("span.aside", {}, aside)), content);
}

function folded(name, title, aside, content, open = false) {
  return h("details.panel", { "data-name": name, open }, h("summary", {}, title, aside && h("span.aside", {}, aside)), content);
}

function offers(d) {
  if (!d.commands.length || store.about.readOnly) return null;
  return panel("Commands", null, h("div.offers", {}, d.commands.map((c) => h("div.offer", {},
    icon(c.icon),
    h("div", {}, h("strong", {}, c.title), c.description && h("p", {}, c.description)),
    h("button.button", { type: "button", "data-command": c.name, onclick: () => askDeclared(d.address, c) },
      c.inputs.length || c.confirmation ? "Run…" : "Run")))));
}

function endpoints(d) {
  const found = Object.entries(d.endpoints);
  if (!found.length) return null;
  return panel("Endpoints", null, h("table.pairs", {}, h("tbody", {}, found.map(([n, u]) => h("tr", {}, h("th", { scope: "row" }, n), h("td", {}, outward(u, u)))))));
}

function environment(d) {
  const names = Object.keys(d.environment).sort();
  if (!names.length) return null;
  return folded("environment", "Environment", String(names.length), h("div.body.flush", {},
    h("table.pairs.mono", {}, h("tbody", {}, names.map((n) => h("tr", {}, h("th", { scope: "row" }, n), h("td", {}, shown(d.environment[n]))))))), names.length <= 12);
}

function shown(value) {
  const text = plain(value);
  if (text === "•••") return h("span.masked", { title: "A secret: its value is shown nowhere" }, text, h("span.visually-hidden", {}, "a secret"));
  return /^https?:\/\/\S+$/.test(text) ? outward(text, text) : text;
}

function properties(d) {
  const inner = (v) => (v && Object.keys(v).length === 1 && v.properties ? v.properties : v);
  const [wish, applied, outputs] = [d.properties, d.applied, { properties: d.outputs }].map(inner);
  const empty = (v) => !v || Object.keys(v).length === 0;
  const same = JSON.stringify(wish) === JSON.stringify(applied);
  return [
    !empty(wish) && folded("wish", "Properties", same ? "as applied" : empty(applied) ? "not applied yet" : null, json(wish)),
    !same && !empty(applied) && folded("applied", "As applied", null, json(applied)),
    !empty(outputs) && JSON.stringify(outputs) !== JSON.stringify(applied) && folded("outputs", "Outputs", null, json(outputs)),
  ];
}

const CONDITIONS = {
  Assigned: "An operator has taken it", Created: "It is out there", Ready: "It does what it is for",
  Synced: "It is as the file says", Deleting: "It is being deleted",
};

function conditions(d) {
  const listed = d.conditions.filter((c) => c.name !== "Deleting" || c.holds);
  const tone = (c) => (c.name === "Deleting" ? "busy" : c.holds ? "ok" : "wait");
  return panel("Conditions", null, h("div.body", {}, h("ul.conditions", {}, listed.map((c) => h("li", { title: CONDITIONS[c.name] ?? "" },
    mark(tone(c), true), h("span", {}, c.name), h("span.visually-hidden", {}, c.holds ? "holds" : "does not hold"))))));
}

function related(title, addresses, word = () => "") {
  const others = addresses.filter((a) => store.resources.has(a));
  return others.length > 0 && folded(title, title, String(others.length), h("div.body.flush.scroll-box", {}, h("ul.relations", {}, others.map((a) => {
    const row = store.resources.get(a);
    return h("li", {}, mark(toneOf(row), row.state === "exited"), h("a", { href: hrefOf(a), title: a }, row.name), h("span.muted", {}, word(a, row) || stateWord(row)));
  }))), others.length <= 12);
}

function parts(d) {
  const word = (a, row) => [shortType(row.type), stateWord(row)].join(", ");
  const made = new Set(store.partsOf(d).map((p) => p.address));
  return [related("Parts", d.children.filter((a) => made.has(a)), word), related("Launched", d.children.filter((a) => !made.has(a)), word)];
}

function relations(d) {
  const waits = new Map(d.waits.map((w) => [w.address, w.condition]));
  const children = new Set(d.children);
  const needs = [...new Set([...d.dependencies, ...waits.keys()])].filter((a) => !children.has(a));
  const users = new Set(d.users.filter((u) => u !== d.owner && !/\/(commands|gates)$/i.test(store.resources.get(u)?.type ?? "")));
  return [
    related("Needs", needs, (a, row) => (toneOf(row) !== "ok" && waits.has(a) ? `${stateWord(row)}, must be ${waits.get(a)}` : "")),
    related("Used by", [...users].filter((u) => !users.has(store.resources.get(u)?.owner))),
  ];
}

const TAIL = 40;

/** The end of its log, as it is written; nothing is shown of what writes nothing. */
function tail(address) {
  const box = h("div.tail", { tabIndex: 0, role: "log", "aria-live": "off", "aria-label": "The end of its log" });
  const element = h("section.panel", { hidden: true }, h("h2", {}, "Log", h("a.aside", { href: logOf(address) }, "All of it")), box);
  let lines = [];
  let bottom = true;
  const settle = () => { if (bottom) box.scrollTop = box.scrollHeight; };
  const draw = framed(() => {
    bottom = box.scrollHeight - box.scrollTop - box.clientHeight < 30;
    element.hidden = lines.length === 0;
    fill(box, lines.map((l) => h("div.line", {}, h("time", {}, clock(l.time)), h("span.text", {}, drawn(l.text)))));
    settle();
  });
  const source = new EventSource(`/api/logs?after=0&name=${encodeURIComponent(address)}`);
  source.onmessage = (message) => {
    lines.push(JSON.parse(message.data));
    if (lines.length > TAIL) lines = lines.slice(-TAIL);
    draw();
  };
  source.onerror = () => source.close();
  return { element, settle, close: () => source.close() };
}

const KINDS = {
  added: "Added", spec: "Changed in the file", desired: "Wanted otherwise", retry: "Tried again", deleting: "Is to be deleted",
  assigned: "Assigned", unassigned: "Released", handoff: "Handed on", intent: "Asked for", status: "Seen", gone: "Gone",
};

const FIELDS = { outputs: "what it reports", observed_generation: "up to date", applied: "applied" };

function history(d) {
  const events = [...d.events].reverse();
  const what = (e) => {
    const { phase, reason, operator, exit_code: code, incarnation, ready_incarnation: ready } = e.data;
    return [
      phase && phase.toLowerCase(), ready && (Number(ready) < 0 ? "not ready" : "ready"),
      operator && operator !== "None" && `by ${operator}`, incarnation && `life ${incarnation}`,
      code && code !== "None" && `exit code ${code}`, reason && excerpt(reason),
    ].filter(Boolean).join(", ") || e.fields.map((f) => FIELDS[f] ?? "").filter(Boolean).join(", ");
  };
  return folded("history", "Events", String(events.length), h("div.body.flush.scroll-box", { tabIndex: 0 }, h("ol.history", {}, events.map((e) => h("li", {},
    moment(e.time), h("span.what", {}, h("span.kind", {}, KINDS[e.kind] ?? e.kind), " ", h("span.muted", {}, linked(what(e)))))))), true);
}
