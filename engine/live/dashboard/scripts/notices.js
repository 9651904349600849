// What is told in passing: toasts, and words for those who do not see the page.
import { fill, h } from "./dom.js";
import { mark } from "./words.js";

const SECONDS = 8;

/** A notice with links [text, href] that goes by itself; bad ones stay longer. */
export function toast(tone, text, links = []) {
  const box = document.getElementById("toasts");
  const close = () => notice.remove();
  const notice = h("div.toast", { class: tone },
    mark(tone),
    h("div", {}, text,
      links.length > 0 && h("p.links", {}, links.map(([word, href]) => h("a", { href, onclick: close }, word)))),
    h("button.icon-button", { type: "button", "aria-label": "Close this notice", onclick: close }, "×"));
  box.append(notice);
  while (box.children.length > 4) box.firstElementChild.remove();
  setTimeout(close, (tone === "bad" ? 3 : 1) * SECONDS * 1000);
  return notice;
}

let said = "";

/** Said to a screen reader, politely, and not twice in a row. */
export function say(text) {
  if (text === said) return;
  said = text;
  fill(document.getElementById("said"), text);
}
