// All that is known of the run: a snapshot at a sequence number, and every event behind it, as it comes.
import { framed } from "./dom.js";
import { get } from "./http.js";
import { GROUPS, toneOf } from "./words.js";

const NONE = [];
const RECENT = 300;
const WAITS = [300, 700, 1500, 3000, 5000];
const HIDDEN = 15000;

class Store {
  about = {};
  seq = 0;
  resources = new Map();
  operations = new Map();
  recent = [];
  link = "opening";
  structure = 0;
  #listeners = new Set();
  #dirty = { addresses: new Set(), operations: new Set(), structure: false };
  #children = null;
  #source = null;
  #tries = 0;
  #timer = 0;

  /** Have `listener({addresses, operations, structure})` called after changes, once a frame at most; the answer ends it. */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Take the snapshot and follow the feed, for as long as the page is looked at. */
  async open() {
    document.addEventListener("visibilitychange", () => this.#seen());
    await this.#begin();
  }

  /** The parts of a resource, by address. */
  childrenOf(address) {
    if (this.#children === null) this.#index();
    return (this.#children.get(address) ?? NONE).map((a) => this.resources.get(a));
  }

  /** What a resource is made of: a job that somebody launched for it is none of its parts. */
  partsOf(row) {
    return this.childrenOf(row.address).filter((p) => p.declared || !row.declared);
  }

  /** Who owns a resource, in words; for one with parts, who owns those. */
  operatorOf(row) {
    if (row.operator !== "composite") return row.operator ?? "none";
    return [...new Set(this.partsOf(row).map((p) => this.operatorOf(p)))].sort().join(", ");
  }

  /** Whether a resource has parts. */
  hasParts(address) {
    if (this.#children === null) this.#index();
    return this.#children.has(address);
  }

  #index() {
    this.#children = new Map();
    for (const row of this.resources.values()) {
      const owner = row.owner !== null && this.resources.has(row.owner) ? row.owner : "";
      if (!this.#children.has(owner)) this.#children.set(owner, []);
      this.#children.get(owner).push(row.address);
    }
  }

  /** What is nobody's part. */
  get roots() { return this.childrenOf(""); }

  /** How many there are of each tone, counting what is nobody's part. */
  counts(rows = this.roots) {
    const found = Object.fromEntries(GROUPS.map((g) => [g.id, 0]));
    for (const row of rows) found[toneOf(row)] += 1;
    return found;
  }

  // -------------------------------------------------------------- the connection

  async #begin() {
    try {
      this.#snapshot(await get("/api/state"));
    } catch (error) {
      this.#lost(error.status === 401 ? "denied" : "lost");
      return;
    }
    this.#follow();
  }

  #snapshot(state) {
    const { resources, operations, seq, ...about } = state;
    this.about = about;
    this.seq = seq;
    this.resources = new Map(resources.map((r) => [r.address, r]));
    this.operations = new Map(operations.map((o) => [o.id, o]));
    this.#restructured();
    for (const address of this.resources.keys()) this.#dirty.addresses.add(address);
    this.#tell();
  }

  #follow() {
    if (document.hidden && this.#source !== null) return;
    this.#close();
    const source = this.#source = new EventSource(`/api/events?after=${this.seq}`);
    let opened = false;
    source.onopen = () => { opened = true; this.#tries = 0; this.#set("live"); };
    source.onmessage = (message) => this.#take(JSON.parse(message.data));
    source.onerror = () => {
      this.#close();
      if (opened) { this.#set("lost"); this.#again(() => this.#follow()); }
      else this.#again(() => this.#begin());
    };
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #again(call) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(call, WAITS[Math.min(this.#tries++, WAITS.length - 1)]);
  }

  #lost(link) {
    this.#set(link);
    this.#again(() => this.#begin());
  }

  #set(link) {
    if (this.link === link) return;
    this.link = link;
    this.#tell();
  }

  /** A page that nobody looks at holds no connection: browsers have six to a host, for all their tabs. */
  #seen() {
    clearTimeout(this.#timer);
    if (document.hidden) this.#timer = setTimeout(() => this.#close(), HIDDEN);
    else if (this.#source === null) this.#follow();
  }

  // -------------------------------------------------------------- what comes

  #take(event) {
    if (event.seq <= this.seq) return;
    this.seq = event.seq;
    this.recent.push(event);
    if (this.recent.length > RECENT) this.recent.splice(0, this.recent.length - RECENT);
    if ("operation" in event) this.#put(this.operations, event.key, event.operation, this.#dirty.operations);
    else if ("resource" in event) this.#row(event.key, event.resource);
    for (const row of event.owners ?? NONE) this.#row(row.address, row);
    this.#tell();
  }

  #put(map, key, value, dirty) {
    if (value === null) map.delete(key);
    else map.set(key, value);
    dirty.add(key);
  }

  #row(address, row) {
    const before = this.resources.get(address);
    if (row === null && before === undefined) return;
    this.#put(this.resources, address, row, this.#dirty.addresses);
    if (before?.owner !== row?.owner || before?.name !== row?.name) this.#restructured();
  }

  #restructured() {
    this.#children = null;
    this.structure += 1;
    this.#dirty.structure = true;
  }

  #tell = framed(() => {
    const change = this.#dirty;
    this.#dirty = { addresses: new Set(), operations: new Set(), structure: false };
    for (const listener of [...this.#listeners]) listener(change);
  });
}

export const store = new Store();
