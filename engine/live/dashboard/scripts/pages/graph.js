// Who needs whom, coloured by state, as it is now.
import { fill, framed, h, drawing as svg } from "../dom.js";
import { columns, drawing } from "../layers.js";
import { go, remember } from "../router.js";
import { store } from "../store.js";
import { GROUPS, SIGNS, hrefOf, mark, shortType, stateWord, toneOf } from "../words.js";

const MANY = 300;
let cytoscape = null;

async function load() {
  if (cytoscape) return cytoscape;
  const [core, dagre] = await Promise.all([import("../../vendored/cytoscape.js"), import("../../vendored/cytoscape-dagre.js")]);
  core.default.use(dagre.default);
  return (cytoscape = core.default);
}

/** The page. */
export function show(main, { query }) {
  const look = { text: query.get("q") ?? "", parts: query.get("parts") === "1" };
  let graph = null;
  let structure = "";
  let left = false;

  const search = h("input.field.search", {
    type: "search", placeholder: "Find", value: look.text, "aria-label": "Find in the graph", "data-search": "",
    spellcheck: false, autocomplete: "off", oninput: () => { look.text = search.value; say(); lit(); },
    onkeydown: (event) => { if (event.key === "Enter") center(); },
  });
  const parts = h("input", { type: "checkbox", checked: look.parts, onchange: () => { look.parts = parts.checked; say(); draw(); } });
  const canvas = h("div.canvas", { role: "img", "aria-label": "The graph of the resources; a list of them follows" });
  const list = h("ul.list", { "aria-label": "Resources of the graph" });
  const legend = h("div.legend", { "aria-hidden": "true" });
  const zoom = (label, path, call) => h("button.icon-button", { type: "button", "aria-label": label, title: label, onclick: call }, svg(20, path));
  const empty = h("div.empty", { hidden: true }, h("strong", {}, "Nothing is here yet"), h("p", {}, "Resources appear as soon as the file declares them."));
  main.append(h("div.page", {},
    h("h1.visually-hidden", {}, "Graph"),
    h("div.toolbar", {}, search, h("label.check", {}, parts, "Parts"), h("span.grow", {}), h("p.muted", {}, "Arrows point at what is needed")),
    h("div.graph", {}, canvas, empty, legend, list,
      h("div.zoom", {},
        zoom("Closer", "M10 4v12M4 10h12", () => scale(1.3)), zoom("Farther", "M4 10h12", () => scale(1 / 1.3)),
        zoom("All of it", "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4", fit)))));

  load().then((library) => {
    if (left) return;
    graph = library({
      container: canvas, style: style(), minZoom: 0.05, maxZoom: 2.5, boxSelectionEnabled: false, autoungrabify: true,
      hideEdgesOnViewport: false, textureOnViewport: store.resources.size > MANY,
    });
    graph.on("tap", "node", ({ target }) => go(hrefOf(target.id())));
    graph.on("mouseover", "node", ({ target }) => { canvas.style.cursor = "pointer"; near(target); });
    graph.on("mouseout", "node", () => { canvas.style.cursor = ""; lit(); });
    draw();
  });

  const draw = framed(() => {
    if (graph === null || left) return;
    const wanted = drawing(store, look.parts);
    empty.hidden = wanted.nodes.length > 0;
    const sign = JSON.stringify([wanted.nodes.map((n) => n.address).sort(), wanted.edges.map((e) => e.id).sort()]);
    graph.batch(() => {
      if (sign !== structure) rebuild(wanted);
      for (const row of wanted.nodes) paint(row);
    });
    if (sign !== structure) { structure = sign; arrange(wanted); listed(wanted); }
    told(wanted);
    lit();
  });

  function rebuild({ nodes, edges }) {
    const kept = new Set([...nodes.map((n) => n.address), ...edges.map((e) => e.id)]);
    graph.elements().filter((e) => !kept.has(e.id())).remove();
    const fresh = nodes.filter((n) => graph.getElementById(n.address).empty());
    graph.add(fresh.map((n) => ({ group: "nodes", data: { id: n.address } })));
    graph.add(edges.filter((e) => graph.getElementById(e.id).empty()).map((e) => ({ group: "edges", data: e, classes: e.part ? "part" : "" })));
  }

  function paint(row) {
    const node = graph.getElementById(row.address);
    const tone = toneOf(row);
    const label = `${row.name}\n${SIGNS[tone]} ${stateWord(row)} · ${shortType(row.type)}`;
    if (node.data("label") === label && node.data("tone") === tone) return;
    node.data({ label, tone, width: Math.max(110, 22 + 6.6 * Math.max(...label.split("\n").map((l) => l.length))) });
  }

  function arrange(wanted) {
    const tall = canvas.clientWidth < 700;
    const options = wanted.nodes.length > MANY
      ? { name: "preset", positions: columns(wanted) }
      : { name: "dagre", rankDir: tall ? "TB" : "LR", nodeSep: tall ? 18 : 22, rankSep: tall ? 46 : 64, ranker: "network-simplex" };
    graph.layout({ ...options, animate: false, fit: false }).run();
    fit();
  }

  function fit() {
    if (!graph) return;
    graph.resize();
    graph.fit(undefined, 28);
    if (graph.zoom() > 1) { graph.zoom(1); graph.center(); }
  }
  function scale(by) {
    graph?.zoom({ level: graph.zoom() * by, renderedPosition: { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 } });
  }

  // ---------------------------------------------------------------- what is lit
  function near(node) {
    graph.batch(() => {
      const around = node.closedNeighborhood();
      graph.elements().removeClass("lit").addClass("dim");
      around.removeClass("dim");
      around.edges().addClass("lit");
    });
  }
  function lit() {
    if (!graph) return;
    const words = look.text.toLowerCase().split(/\s+/).filter(Boolean);
    graph.batch(() => {
      graph.elements().removeClass("dim lit");
      if (words.length) graph.elements().not(hits(words)).addClass("dim");
    });
  }
  const hits = (words) => graph.nodes().filter((n) => words.every((w) => `${n.id()} ${n.data("label")}`.toLowerCase().includes(w)));
  function center() {
    const found = graph ? hits(look.text.toLowerCase().split(/\s+/).filter(Boolean)) : null;
    if (found?.length === 1) go(hrefOf(found[0].id()));
    else if (found?.length) graph.animate({ fit: { eles: found, padding: 80 }, duration: 200 });
  }
  const say = () => remember({ q: look.text, parts: look.parts ? "1" : "" });

  function listed({ nodes, edges }) {
    const needs = new Map();
    for (const { source, target } of edges) needs.set(source, [...(needs.get(source) ?? []), target]);
    const name = (a) => store.resources.get(a)?.name ?? a;
    fill(list, nodes.slice(0, 500).map((n) => h("li", {}, h("a.visually-hidden", {
      href: hrefOf(n.address),
      onfocus: () => near(graph.getElementById(n.address)), onblur: lit,
    }, needs.has(n.address) ? `${n.name}, needs ${needs.get(n.address).map(name).join(", ")}` : n.name))));
  }

  function told({ nodes }) {
    const counts = store.counts(nodes);
    const sign = JSON.stringify(counts);
    if (legend.sign === sign) return;
    legend.sign = sign;
    fill(legend, GROUPS.filter((g) => counts[g.id]).map((g) => h("span", {}, mark(g.id), ` ${g.title} ${counts[g.id]}`)));
  }

  const resized = new ResizeObserver(framed(() => graph?.resize()));
  resized.observe(canvas);
  return {
    title: "Graph",
    update: draw.now,
    recolour: () => graph?.style(style()),
    leave: () => { left = true; resized.disconnect(); graph?.destroy(); },
    keys: {
      "+": ["Closer or farther", () => scale(1.3)], "-": ["Closer or farther", () => scale(1 / 1.3)],
      0: ["All of it", fit], e: ["Show or hide parts", () => parts.click()],
      Enter: ["", () => false],
    },
  };
}

/** The colours as the style sheet has them now, as cytoscape's own. */
function style() {
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const colour = (name) => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };
  const found = {
    core: [
      { selector: "node", style: {
        shape: "round-rectangle", width: "data(width)", height: 44, "background-color": colour("surface"), "border-width": 1.5, "border-color": colour("line-strong"),
        label: "data(label)", "text-wrap": "wrap", "text-valign": "center", "text-halign": "center", "line-height": 1.25,
        color: colour("text"), "font-size": 12, "font-family": getComputedStyle(document.body).fontFamily, "min-zoomed-font-size": 6,
      } },
      { selector: "edge", style: {
        width: 1.3, "curve-style": "bezier", "line-color": colour("line-strong"), "target-arrow-color": colour("line-strong"), "target-arrow-shape": "triangle", "arrow-scale": 0.8,
      } },
      { selector: "edge.part", style: { "line-style": "dashed", "target-arrow-shape": "none" } },
      { selector: ".dim", style: { opacity: 0.25 } },
      { selector: "edge.lit", style: { width: 2.2, "line-color": colour("accent"), "target-arrow-color": colour("accent") } },
    ],
  };
  for (const { id } of GROUPS) {
    found.core.push({ selector: `node[tone="${id}"]`, style: { "border-color": colour(id), "background-color": colour(`${id}-ground`), "border-style": id === "wait" ? "dashed" : "solid", "border-width": id === "bad" ? 2.5 : 1.5 } });
  }
  probe.remove();
  return found.core;
}
