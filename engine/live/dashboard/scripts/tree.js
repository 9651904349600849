// Which rows a table of resources has: filtered, sorted, parts below what they are parts of. No elements here.
import { GROUPS, stateWord, toneOf } from "./words.js";

const RANK = Object.fromEntries(GROUPS.map((g, i) => [g.id, i]));
const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

const ORDERS = {
  name: () => 0,
  state: (a, b) => RANK[toneOf(a)] - RANK[toneOf(b)],
  since: (a, b) => b.since - a.since,
  type: (a, b) => COLLATOR.compare(a.type, b.type),
  operator: (a, b) => COLLATOR.compare(a.operator ?? "", b.operator ?? ""),
};

let named = { structure: -1, places: new Map() };

/** The place of every resource by its name, which is dear to compare and seldom changes. */
function places(store) {
  if (named.structure !== store.structure) {
    const rows = [...store.resources.values()];
    rows.sort((a, b) => COLLATOR.compare(a.name, b.name) || COLLATOR.compare(a.address, b.address));
    named = { structure: store.structure, places: new Map(rows.map((r, i) => [r.address, i])) };
  }
  return named.places;
}

/** How rows are compared: by a column, then by name. */
export function order(store, column, descending) {
  const by = ORDERS[column] ?? ORDERS.state;
  const sign = descending ? -1 : 1;
  const last = column === "name" ? sign : 1;
  const place = places(store);
  return (a, b) => sign * by(a, b) || last * (place.get(a.address) - place.get(b.address));
}

/** Whether a row is meant by these words and choices. */
export function fits(row, { words, tone, operator }) {
  if (tone && toneOf(row) !== tone) return false;
  if (operator && row.operator !== operator) return false;
  if (!words.length) return true;
  const text = `${row.name} ${row.address} ${row.type} ${stateWord(row)} ${row.operator ?? ""} ${row.reason}`.toLowerCase();
  return words.every((w) => text.includes(w));
}

/**
 * The lines of the table: {key, row, depth, parts, open, faint}.
 *
 * What fits is shown with all that it is a part of; where something is searched for, parts that fit are shown without being asked.
 */
export function lines(store, filter, compare, opened) {
  const searching = filter.words.length > 0 || filter.tone !== "" || filter.operator !== "";
  const found = [];
  const visit = (row, depth) => {
    const parts = store.childrenOf(row.address);
    const mine = fits(row, filter);
    const at = found.length;
    const line = { key: row.address, row, depth, parts, open: false, faint: searching && !mine };
    found.push(line);
    let below = 0;
    if (parts.length && (searching || opened.has(row.address))) {
      for (const part of [...parts].sort(compare)) below += visit(part, depth + 1);
    }
    if (searching && !opened.has(row.address) && mine && found.length > at + 1) found.length = at + 1;
    line.open = found.length > at + 1;
    if (searching && !mine && below === 0) { found.length = at; return 0; }
    return 1;
  };
  for (const row of [...store.roots].sort(compare)) visit(row, 0);
  return found;
}
