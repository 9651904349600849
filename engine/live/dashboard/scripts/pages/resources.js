// All resources: a table that is filtered, sorted, and opened where something has parts.
import { fill, framed, h } from "../dom.js";
import { go, remember } from "../router.js";
import { Rows } from "../rows.js";
import { store } from "../store.js";
import { lines, order } from "../tree.js";
import { GROUPS, excerpt, hrefOf, mark, outward, shortAddress, shortType, since, state, stateWord, toneOf } from "../words.js";

const COLUMNS = [
  ["name", "Name"],
  ["state", "State"],
  ["", "Parts"],
  ["since", "Since"],
  ["type", "Type"],
  ["operator", "Operator"],
  ["", "Endpoints"],
];
const opened = new Set();

/** The page. */
export function show(main, { query }) {
  const look = {
    text: query.get("q") ?? "",
    tone: query.get("state") ?? "",
    operator: query.get("operator") ?? "",
    sort: query.get("sort") ?? "state",
    down: query.get("down") === "1",
  };
  let items = [];
  let chosen = null;

  // ---------------------------------------------------------------- elements
  const search = h("input.field.search", {
    type: "search", placeholder: "Search", value: look.text, "aria-label": "Search resources", "data-search": "",
    spellcheck: false, autocomplete: "off", oninput: () => { look.text = search.value; changed(); },
  });
  const chips = h("div.chips", { role: "group", "aria-label": "State" });
  const operators = h("select.field", {
    "aria-label": "Operator", onchange: () => { look.operator = operators.value; changed(); },
  });
  const expand = h("button.button", { type: "button", onclick: toggleAll });
  const head = h("tr", {});
  const body = h("tbody", {});
  const table = h("table.resources", { role: "treegrid", "aria-label": "Resources" },
    h("thead", {}, head), body);
  const empty = h("div.empty", { hidden: true });
  const scroller = h("div.scroll", { onkeydown: moved }, table, empty);
  main.append(h("div.page", {},
    h("h1.visually-hidden", {}, "Resources"),
    h("div.toolbar.resources-bar", {}, search, chips, h("span.grow", {}), operators, expand),
    scroller));
  const rows = new Rows(scroller, body, COLUMNS.length, make, update);

  // ---------------------------------------------------------------- what is drawn
  function heads() {
    fill(head, COLUMNS.map(([id, title]) => {
      const sorted = id === look.sort ? (look.down ? "descending" : "ascending") : null;
      return h("th", { scope: "col", "aria-sort": sorted },
        id ? h("button", { type: "button", onclick: () => sortBy(id) }, title,
          h("span.arrow", { "aria-hidden": "true" }, sorted ? (look.down ? "↓" : "↑") : "")) : title);
    }));
  }

  function make(item) {
    const cells = COLUMNS.map(([, title]) => h("td", { role: "gridcell", "data-title": title }));
    const row = h("tr", {
      role: "row", tabIndex: -1, "data-address": item.key,
      onclick: (event) => { if (!event.target.closest("a, button")) go(hrefOf(item.key)); },
      onfocus: () => { chosen = item.key; },
    }, cells);
    row.cells_ = cells;
    return row;
  }

  function update(element, { row, depth, parts, open, faint }) {
    const at = Math.floor(Date.now() / 1000);
    const told = since(row.since, at);
    const counted = parts.length ? store.partsOf(row) : parts;
    const tally = counted.map((p) => toneOf(p)).join("");
    const owner = store.operatorOf(row);
    const reason = shortReason(row);
    const sign = `${stateWord(row)}|${reason}|${row.name}|${owner}|${row.hops}|${JSON.stringify(row.endpoints)}|${depth}|${open}|${faint}|${tally}`;
    element.tabIndex = element.dataset.address === (chosen ?? items[0]?.key) ? 0 : -1;
    const [name, condition, health, age, type, operator, reached] = element.cells_;
    if (age.textContent !== told) age.textContent = told;
    if (element.sign === sign) return;
    element.sign = sign;
    element.className = `depth-${Math.min(depth, 4)}${faint ? " faint" : ""} ${toneOf(row)}`;
    element.setAttribute("aria-level", depth + 1);
    if (parts.length) element.setAttribute("aria-expanded", open);
    else element.removeAttribute("aria-expanded");
    fill(name,
      parts.length
        ? h("button.twist", { type: "button", tabIndex: -1, "aria-label": `${open ? "Hide" : "Show"} the parts of ${row.name}`, onclick: () => toggle(row.address) })
        : h("span.twist", {}),
      h("a", { href: hrefOf(row.address), tabIndex: -1, title: row.address }, row.name));
    fill(condition, state(row), reason && h("span.reason", { title: row.reason }, reason));
    fill(health, tallied(counted));
    fill(type, h("span", { title: row.type }, shortType(row.type)));
    fill(operator, row.hops.length ? h("span", { title: `Handed on: ${[...row.hops, owner].join(" → ")}` }, [...row.hops, owner].join(" → ")) : owner);
    fill(reached, Object.entries(row.endpoints).map(([, url]) => outward(url)));
  }

  const draw = framed(() => {
    const filter = { words: look.text.toLowerCase().split(/\s+/).filter(Boolean), tone: look.tone, operator: look.operator };
    items = lines(store, filter, order(store, look.sort, look.down), opened);
    if (chosen === null || !items.some((i) => i.key === chosen)) chosen = items[0]?.key ?? null;
    table.setAttribute("aria-rowcount", items.length + 1);
    table.hidden = items.length === 0;
    rows.set(items);
    counted();
    nothing();
  });

  function counted() {
    const counts = store.counts();
    const all = store.roots.length;
    const sign = JSON.stringify([counts, all, look.tone]);
    if (chips.sign !== sign) {
      chips.sign = sign;
      const chip = (id, title, count) => h("button.chip", {
        class: id || "all", type: "button", "aria-pressed": String(look.tone === id),
        onclick: () => { look.tone = look.tone === id ? "" : id; changed(); },
      }, id && mark(id), title, " ", h("b", {}, String(count)));
      fill(chips, chip("", "All", all),
        GROUPS.filter((g) => counts[g.id] || look.tone === g.id).map((g) => chip(g.id, g.title, counts[g.id])));
    }
    const names = [...new Set(Array.from(store.resources.values(), (r) => r.operator))].filter((n) => n && n !== "composite").sort();
    if (operators.sign !== names.join()) {
      operators.sign = names.join();
      fill(operators, h("option", { value: "" }, "Every operator"), names.map((n) => h("option", { value: n }, n)));
      operators.value = look.operator;
    }
    expand.hidden = store.roots.length === store.resources.size;
    expand.textContent = opened.size ? "Hide parts" : "Show parts";
  }

  function nothing() {
    empty.hidden = items.length > 0;
    if (items.length) return;
    const searched = look.text || look.tone || look.operator;
    fill(empty,
      h("strong", {}, searched ? "Nothing fits" : store.link === "opening" ? "Connecting" : "Nothing is here yet"),
      h("p", {}, searched ? `${store.resources.size} resources are here, and none is what you search for.`
        : "Resources appear as soon as the file declares them: save it, and look here again."),
      searched && h("button.button", { type: "button", onclick: clear }, "Show all"));
  }

  // ---------------------------------------------------------------- what people do
  function changed() {
    remember({ q: look.text, state: look.tone, operator: look.operator, sort: look.sort === "state" ? "" : look.sort, down: look.down ? "1" : "" });
    scroller.scrollTop = 0;
    draw();
  }
  function clear() {
    look.text = search.value = "";
    look.tone = look.operator = operators.value = "";
    changed();
    search.focus();
  }
  function sortBy(id) {
    look.down = look.sort === id && !look.down;
    look.sort = id;
    heads();
    changed();
  }
  function toggle(address, open = !opened.has(address)) {
    if (open) opened.add(address);
    else opened.delete(address);
    draw();
  }
  function toggleAll() {
    if (opened.size) opened.clear();
    else for (const row of store.resources.values()) if (store.hasParts(row.address)) opened.add(row.address);
    draw();
  }
  function step(by) {
    if (!items.length) return;
    const inside = scroller.contains(document.activeElement);
    const now = items.findIndex((i) => i.key === chosen);
    const index = inside ? Math.min(items.length - 1, Math.max(0, now + by)) : Math.max(0, now);
    chosen = items[index].key;
    rows.reveal(index);
    rows.shown.get(chosen)?.focus({ preventScroll: true });
  }
  function moved(event) {
    if (event.target.tagName !== "TR") return;
    const item = items.find((i) => i.key === chosen);
    if (!item) return;
    const act = {
      ArrowDown: () => step(1), ArrowUp: () => step(-1), j: () => step(1), k: () => step(-1),
      PageDown: () => step(15), PageUp: () => step(-15), Home: () => step(-1e9), End: () => step(1e9),
      Enter: () => go(hrefOf(item.key)),
      ArrowRight: () => item.parts.length && toggle(item.key, true),
      ArrowLeft: () => (opened.has(item.key) ? toggle(item.key, false) : owner(item)),
      l: () => go(`#/logs?name=${encodeURIComponent(item.key)}`),
    }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }
  function owner(item) {
    const index = items.findIndex((i) => i.key === item.row.owner);
    if (index >= 0) step(index - items.indexOf(item));
  }

  heads();
  draw();
  const timer = setInterval(() => rows.draw(), 1000);
  return {
    title: "Resources",
    update: draw.now,
    leave: () => { clearInterval(timer); rows.close(); },
    keys: {
      j: ["Next or previous resource", () => step(1)],
      k: ["Next or previous resource", () => step(-1)],
      ArrowDown: ["", () => step(1)],
      ArrowUp: ["", () => step(-1)],
      Enter: ["Open it", () => false],
      ArrowRight: ["Show or hide its parts", () => false],
      ArrowLeft: ["Show or hide its parts", () => false],
      e: ["Show or hide all parts", toggleAll],
      Escape: ["", () => { if (look.text || look.tone || look.operator) clear(); }],
    },
  };
}

/** How many parts are as they should be. */
function tallied(parts) {
  if (!parts.length) return null;
  const good = parts.filter((p) => toneOf(p) === "ok").length;
  const worst = GROUPS.find((g) => parts.some((p) => toneOf(p) === g.id))?.id ?? "ok";
  return h("span.tally", { class: worst, title: `${good} of ${parts.length} parts are ready` }, `${good}/${parts.length}`);
}

/** A reason without the long addresses in it. */
function shortReason(row) {
  return excerpt(row.reason.replace(/^waits: /, "").replace(/'([^']+)'/g, (_, a) => (store.resources.has(a) ? shortAddress(a) : `'${a}'`)));
}
