// Which rows a table of resources has: filtered, sorted, parts below what they are parts of. No elements here.
import { GROUPS, reasonOf, stateWord, toneOf } from "./words.js";

const RANK = Object.fromEntries(GROUPS.map((g, i) => [g.id, i]));
const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

const ORDERS = {
  name: (a, b) => COLLATOR.compare(a.name, b.name),
  state: (a, b) => RANK[toneOf(a)] - RANK[toneOf(b)],
  since: (a, b) => b.since - a.since,
  type: (a, b) => COLLATOR.compare(a.type, b.type),
  operator: (a, b) => COLLATOR.compare(a.operator ?? "", b.operator ?? ""),
};

/** How rows are compared: by a column, then by name. */
export function order(column, descending) {
  const by = ORDERS[column] ?? ORDERS.state;
  const sign = descending ? -1 : 1;
  return (a, b) => sign * by(a, b) || COLLATOR.compare(a.name, b.name) || COLLATOR.compare(a.address, b.address);
}

/** Whether a row is meant by these words and choices. */
export function fits(row, { words, tone, operator }) {
  if (tone && toneOf(row) !== tone) return false;
  if (operator && row.operator !== operator) return false;
  if (!words.length) return true;
  const text = `${row.name} ${row.address} ${row.type} ${stateWord(row)} ${row.operator ?? ""} ${reasonOf(row)}`.toLowerCase();
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
