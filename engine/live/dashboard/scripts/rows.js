// A table of thousands of rows that draws those in sight: rows have one height, and keep their elements while they are seen.
import { framed, h } from "./dom.js";

const SPARE = 12;

export class Rows {
  /** `make(item)` gives a row's element, `update(element, item)` brings it up to date; `columns` is their number. */
  constructor(scroller, body, columns, make, update) {
    this.scroller = scroller;
    this.body = body;
    this.make = make;
    this.update = update;
    this.items = [];
    this.shown = new Map();
    this.above = h("tr.gap", { "aria-hidden": "true" }, h("td", { colSpan: columns }));
    this.below = h("tr.gap", { "aria-hidden": "true" }, h("td", { colSpan: columns }));
    body.append(this.above, this.below);
    this.height = 0;
    const draw = framed(() => this.draw());
    scroller.addEventListener("scroll", draw, { passive: true });
    this.observer = new ResizeObserver(() => { this.measure(); draw(); });
    this.measure();
    this.observer.observe(scroller);
  }

  /** Other items; each has a `key`. */
  set(items) {
    this.items = items;
    this.draw();
  }

  /** How high a row is, in pixels, as the style says for this width. */
  measure() {
    this.height = parseFloat(getComputedStyle(this.scroller).getPropertyValue("--row")) || 34;
  }

  /** Bring an item into sight. */
  reveal(index) {
    const { height, scroller } = this;
    const head = this.body.offsetTop;
    const top = index * height;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + height + head > scroller.scrollTop + scroller.clientHeight) {
      scroller.scrollTop = top + height + head - scroller.clientHeight + 4;
    }
    this.draw();
  }

  draw() {
    const { height, scroller, items, shown, body } = this;
    const first = Math.max(0, Math.floor(scroller.scrollTop / height) - SPARE);
    const last = Math.min(items.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / height) + SPARE);
    const wanted = new Set();
    for (let i = first; i < last; i += 1) wanted.add(items[i].key);
    for (const [key, element] of shown) {
      if (!wanted.has(key)) { element.remove(); shown.delete(key); }
    }
    size(this.above, first * height);
    size(this.below, (items.length - last) * height);
    let place = this.above.nextSibling;
    for (let i = first; i < last; i += 1) {
      const item = items[i];
      let element = shown.get(item.key);
      if (element === undefined) shown.set(item.key, element = this.make(item));
      this.update(element, item);
      if (element.place_ !== i) element.setAttribute("aria-rowindex", (element.place_ = i) + 2);
      if (element === place) place = place.nextSibling;
      else body.insertBefore(element, place);
    }
  }

  close() { this.observer.disconnect(); }
}

function size(row, height) {
  row.hidden = height <= 0;
  row.firstChild.style.height = `${height}px`;
}
