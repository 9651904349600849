// The frame around the pages: which one is shown, how the connection is, which colours.
import { drawing, fill, h } from "./dom.js";
import { listenToKeys, pageKeys, showHelp } from "./keys.js";
import { say, toast } from "./notices.js";
import { here } from "./router.js";
import { store } from "./store.js";
import { excerpt, hrefOf, logOf, stateWord, toneOf } from "./words.js";

const PAGES = {
  resources: ["Resources", () => import("./pages/resources.js")],
  graph: ["Graph", () => import("./pages/graph.js")],
  logs: ["Logs", () => import("./pages/logs.js")],
  plan: ["Plan", () => import("./pages/plan.js")],
  operations: ["Operations", () => import("./pages/operations.js")],
  resource: ["", () => import("./pages/resource.js")],
};
const by = (id) => document.getElementById(id);
const main = by("main");

// ---------------------------------------------------------------- pages

let shown = null;
let turn = 0;

async function show() {
  const place = here();
  const mine = ++turn;
  const [, load] = PAGES[place.page] ?? PAGES.resources;
  const module = await load();
  if (mine !== turn) return;
  shown?.leave?.();
  pageKeys({});
  main.replaceChildren();
  shown = module.show(main, place);
  pageKeys(shown.keys ?? {});
  document.title = `${shown.title} · ${store.about.deployment ?? "Ulna"}`;
  tabs(place.page === "resource" ? "resources" : place.page);
  main.scrollTop = 0;
  if (document.activeElement === document.body || !document.activeElement?.isConnected) main.focus({ preventScroll: true });
}

/** How many failed, and how many operations run. */
function notable() {
  return [store.counts().bad, [...store.operations.values()].filter((o) => o.progress === "running").length];
}

function noted() {
  if (String(notable()) !== tabs.told) tabs(tabs.current);
}

function tabs(current) {
  const [failed, running] = notable();
  tabs.told = String([failed, running]);
  const notes = { resources: [failed, "bad", "failed"], operations: [running, "busy", "running"] };
  fill(by("tabs"), Object.entries(PAGES).filter(([, [title]]) => title).map(([id, [title]]) => {
    const [count, tone, word] = notes[id] ?? [0];
    return h("a", { href: `#/${id}`, "aria-current": id === current ? "page" : null },
      title, count > 0 && h("span.count", { class: tone, title: `${count} ${word}` }, String(count),
        h("span.visually-hidden", {}, ` ${word}`)));
  }));
  tabs.current = current;
}

// ---------------------------------------------------------------- what is known

const LINKS = {
  opening: ["busy", "Connecting"],
  live: ["ok", "Live"],
  lost: ["bad", "Not connected"],
  denied: ["bad", "No access"],
};
const BANNERS = {
  lost: "The run has ended, or cannot be reached. What is shown is the last that was seen; this page goes on by itself once it is back.",
  denied: "This needs the address that 'ulna run' printed, with its token: open that one. 'ulna dashboard' prints it again.",
};

function about() {
  const { deployment = "", environment = "", kind = "", file = "", readOnly = false } = store.about;
  const [tone, word] = readOnly && store.link === "live" ? ["off", "Read only"] : LINKS[store.link];
  const live = by("live");
  if (live.textContent !== word) { live.className = `pill ${tone}`; live.textContent = word; }
  const banner = by("banner");
  banner.hidden = !(store.link in BANNERS);
  if (!banner.hidden && banner.textContent !== BANNERS[store.link]) banner.textContent = BANNERS[store.link];
  if (about.told === store.about) return;
  about.told = store.about;
  document.title = `${shown?.title ?? "Ulna"} · ${deployment || "Ulna"}`;
  fill(by("where"), h("strong", {}, deployment),
    h("span.more", {}, environment && [h("span.sep", {}, " in "), environment, kind && kind !== environment ? ` (${kind})` : ""]));
  by("where").title = file;
}

const seen = new Map();

/** What ended since the last look, told once; the first look tells nothing. */
function tell({ operations, addresses }) {
  for (const id of operations) {
    const operation = store.operations.get(id);
    const before = seen.get(id);
    seen.set(id, operation?.progress);
    if (!operation || before === operation.progress || operation.progress === "running") continue;
    if (before === undefined && operation.ended < Date.now() / 1000 - 5) continue;
    const good = operation.progress === "succeeded";
    toast(good ? "ok" : "bad", `${operation.title}: ${good ? "done" : operation.message || "failed"}`,
      [["Show", "#/operations"], ...operation.launched.map((a) => ["Log", logOf(a)])]);
  }
  for (const address of addresses) {
    const row = store.resources.get(address);
    const tone = row && toneOf(row);
    const before = seen.get(address);
    seen.set(address, tone);
    if (tone === "bad" && before !== undefined && before !== "bad" && row.owner === null) {
      say(`${row.name} ${stateWord(row)}: ${excerpt(row.reason)}`);
      if (here().page !== "resources") toast("bad", `${row.name} ${stateWord(row)}. ${excerpt(row.reason)}`, [["Look", hrefOf(address)]]);
    }
  }
}

store.listen((change) => {
  about();
  tell(change);
  shown?.update?.(change);
  noted();
});

// ---------------------------------------------------------------- colours

const THEMES = ["system", "light", "dark"];
const ICONS = {
  system: ["M3 4.5h14v9H3z", "M7.5 16.5h5"],
  light: ["M10 6.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7", "M10 1.8v1.6M10 16.6v1.6M1.8 10h1.6M16.6 10h1.6M4.2 4.2l1.1 1.1M14.7 14.7l1.1 1.1M4.2 15.8l1.1-1.1M14.7 5.3l1.1-1.1"],
  dark: ["M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3z"],
};

function theme(next = false) {
  const root = document.documentElement;
  let now = root.dataset.theme ?? "system";
  if (next) {
    now = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
    if (now === "system") delete root.dataset.theme;
    else root.dataset.theme = now;
    try { localStorage.setItem("ulna-theme", now); } catch { /* storage may be refused */ }
    say(`Colours: ${now}`);
    shown?.recolour?.();
  }
  const button = by("theme");
  fill(button, drawing(20, ...ICONS[now]));
  button.title = `Colours: ${now} (t)`;
  button.setAttribute("aria-label", `Colours: ${now}`);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => shown?.recolour?.());
by("theme").addEventListener("click", () => theme(true));
by("help").addEventListener("click", showHelp);
by("live").addEventListener("click", () => { if (store.link !== "live") location.reload(); });
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
addEventListener("hashchange", show);
listenToKeys(() => theme(true));
theme();
about();
tabs(here().page);
await store.open();
await show();
