// Which nodes and edges a graph of resources has, and where they stand when there are too many for dagre. No elements here.

/** {nodes, edges} of the resources: parts stand for themselves if `parts`, else for what they are parts of. */
export function drawing(store, parts) {
  const shown = new Map();
  const visible = (row) => !/\/(commands|gates)$/i.test(row.type) && (parts || row.owner === null || !store.resources.has(row.owner));
  for (const row of store.resources.values()) if (visible(row)) shown.set(row.address, row);
  const stands = (address) => {
    let row = store.resources.get(address);
    while (row && !shown.has(row.address)) row = row.owner === null ? undefined : store.resources.get(row.owner);
    return row?.address;
  };
  const needs = new Map([...shown.keys()].map((a) => [a, new Set()]));
  for (const row of store.resources.values()) {
    const from = stands(row.address);
    for (const { address } of row.waits) {
      const to = stands(address);
      if (from && to && from !== to) needs.get(from).add(to);
    }
  }
  const edges = [];
  for (const [from, all] of needs) {
    for (const to of reduced(needs, from, all)) {
      const part = shown.get(to).owner === from;
      edges.push({ id: `${from}→${to}`, source: from, target: to, part });
    }
  }
  return { nodes: [...shown.values()], edges };
}

const FAR = 4000;

/** Those of its needs that none of its other needs needs already: what is left says the same with fewer lines. */
function reduced(needs, from, all) {
  if (all.size < 2 || needs.size > FAR) return all;
  const kept = new Set(all);
  const seen = new Set([from]);
  const todo = [...all];
  while (todo.length && kept.size > 1) {
    const at = todo.pop();
    if (seen.has(at)) continue;
    seen.add(at);
    for (const next of needs.get(at)) {
      if (next !== at) kept.delete(next);
      todo.push(next);
    }
  }
  return kept.size ? kept : all;
}

/** Places {id: {x, y}} in columns by how deep things need each other; for thousands of nodes. */
export function columns({ nodes, edges }, width = 210, height = 64) {
  const needs = new Map(nodes.map((n) => [n.address, []]));
  for (const { source, target } of edges) needs.get(source).push(target);
  const depth = new Map();
  const visiting = new Set();
  const deep = (id) => {
    if (depth.has(id) || visiting.has(id)) return depth.get(id) ?? 0;
    visiting.add(id);
    const found = needs.get(id).reduce((most, next) => Math.max(most, deep(next) + 1), 0);
    depth.set(id, found);
    return found;
  };
  const layers = [];
  for (const { address } of nodes) (layers[deep(address)] ??= []).push(address);
  const places = {};
  let x = 0;
  for (const layer of layers.reverse()) {
    if (!layer) continue;
    const tall = Math.max(8, Math.ceil(Math.sqrt(nodes.length)));
    layer.forEach((id, i) => { places[id] = { x: x + Math.floor(i / tall) * width, y: (i % tall) * height }; });
    x += (Math.ceil(layer.length / tall) + 0.6) * width;
  }
  return places;
}
