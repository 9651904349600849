// The keyboard: what works on every page, what a page adds, and the dialog that says so.
import { h } from "./dom.js";
import { go } from "./router.js";

const GOES = { r: "resources", g: "graph", l: "logs", p: "plan", o: "operations" };
const EVERYWHERE = [
  ["/", "Search or filter"],
  ["g then r g l p o", "Resources, graph, logs, plan, operations"],
  ["t", "Light, dark, or as the system"],
  ["Esc", "Close, clear the search, or go back"],
  ["?", "This"],
];

let page = {};
let awaiting = false;

/** What the page that is shown adds: {key: [description, call]}. */
export function pageKeys(keys) { page = keys; }

/** Begin to listen; `toggleTheme` is what "t" does. */
export function listenToKeys(toggleTheme) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const typing = event.target.matches?.("input:not([type=checkbox]), textarea, select");
    if (document.querySelector("dialog[open]")) return;
    if (typing) {
      if (event.key === "Escape") leaveField(event.target);
      return;
    }
    if (awaiting) {
      awaiting = false;
      if (GOES[event.key]) { event.preventDefault(); go(`#/${GOES[event.key]}`); return; }
    }
    const act = page[event.key]?.[1] ?? {
      "/": () => document.querySelector("[data-search]")?.focus(),
      g: () => { awaiting = true; setTimeout(() => { awaiting = false; }, 1200); },
      t: toggleTheme,
      "?": showHelp,
    }[event.key];
    if (act && act(event) !== false) event.preventDefault();
  });
}

function leaveField(field) {
  if (field.value && field.matches("[data-search]")) {
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  } else field.blur();
}

const NAMES = { " ": "Space", ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→" };

/** The dialog that lists the keys. */
export function showHelp() {
  const own = new Map();
  for (const [key, [text]] of Object.entries(page)) {
    if (text) own.set(text, [...(own.get(text) ?? []), NAMES[key] ?? key]);
  }
  const rows = [...[...own].map(([text, keys]) => [keys.join(" or "), text]), ...EVERYWHERE];
  const dialog = h("dialog", { "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    h("div.content", {},
      h("h1", { id: "keys-title" }, "Keyboard"),
      h("dl.keys", {}, rows.map(([key, text]) => [
        h("dt", {}, key.split(" ").map((k) => /^(then|or)$/.test(k) ? ` ${k} ` : [h("kbd", {}, k), " "])),
        h("dd", {}, text)])),
      h("div.actions", {}, h("button.button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close"))));
  document.body.append(dialog);
  dialog.showModal();
}
