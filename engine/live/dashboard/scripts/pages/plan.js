// What a deploy of the file, as it is now, would change.
import { dialog } from "../command.js";
import { fill, h } from "../dom.js";
import { diagnostics, get, post } from "../http.js";
import { toast } from "../notices.js";
import { store } from "../store.js";
import { hrefOf, mark, plain, shortAddress, shortType } from "../words.js";

const VERBS = {
  Create: ["ok", "+", "create"], Modify: ["wait", "~", "update"], Replace: ["bad", "±", "replace"], Delete: ["bad", "−", "delete"],
  Deploy: ["busy", "?", "deploy"], NoChange: ["off", "=", "no change"], Ignore: ["off", "·", "ignore"],
};
const QUIET = new Set(["NoChange", "Ignore"]);
const ORDER = ["Delete", "Replace", "Modify", "Create", "Deploy"];

/** The page. */
export function show(main) {
  const again = h("button.button", { type: "button", onclick: look }, "Look again");
  const deploy = h("button.button.primary", { type: "button", hidden: true, onclick: take }, "Deploy this");
  const note = h("p.muted", {});
  const out = h("div.sheet", {});
  let changes = 0;
  let asking = null;
  main.append(h("div.scroll", {}, h("div.sheet.heading", {},
    h("div.toolbar", {}, h("h1", {}, "Plan"), note, h("span.grow", {}), again, deploy)), out));

  async function look() {
    asking?.abort();
    const mine = asking = new AbortController();
    again.disabled = true;
    deploy.hidden = true;
    note.textContent = "";
    fill(out, h("p.loading", { role: "status" }, mark("busy"), "Comparing the file with what runs"));
    try {
      const plan = await get("/api/plan", {}, mine.signal);
      draw(plan);
    } catch (error) {
      if (error.name === "AbortError") return;
      note.textContent = "The file cannot be planned";
      fill(out, diagnostics(error));
    }
    again.disabled = false;
  }

  function draw(plan) {
    const moving = plan.changes.filter((c) => !QUIET.has(c.changeType));
    const still = plan.changes.filter((c) => QUIET.has(c.changeType));
    moving.sort((a, b) => ORDER.indexOf(a.changeType) - ORDER.indexOf(b.changeType));
    changes = moving.length;
    deploy.hidden = !changes || store.about.readOnly === true;
    note.textContent = `of ${store.about.file ?? "the file"}, as it is now`;
    fill(out,
      changes > 0 && tallies(moving),
      changes === 0 && h("div.empty", {}, mark("ok", true), h("strong", {}, "Nothing would change"), h("p", {}, "What runs is what the file says.")),
      moving.map(change),
      plan.potentialChanges.length > 0 && h("section.panel", {}, h("h2", {}, "Decided on the way"),
        h("ul.unchanged", {}, plan.potentialChanges.map((u) => h("li", {}, h("span", {}, shortAddress(u.address)),
          h("span.muted", {}, `once ${u.needs.map(shortAddress).join(", ")} is there`))))),
      still.length > 0 && h("details.panel", { open: false }, h("summary", {}, "Unchanged", h("span.aside", {}, String(still.length))),
        h("ul.unchanged", {}, still.map((c) => h("li", {}, named(c), h("span.muted", {}, c.reason || VERBS[c.changeType]?.[2] || c.changeType))))));
  }

  function take() {
    dialog("Deploy this", [h("p", {}, `The file is taken as it is now: ${changes} ${changes === 1 ? "change" : "changes"}, in one step.`)], "Deploy", async () => {
      const done = await post("/api/reload");
      const count = done.add.length + done.change.length + done.remove.length;
      toast(count ? "busy" : "ok", count ? `The model has changed: ${count} resources` : "The model is as the file says already", [["Watch", "#/resources"]]);
      look();
    });
  }

  look();
  return {
    title: "Plan",
    leave: () => asking?.abort(),
    keys: { n: ["Look again", look], y: ["Deploy this", () => { if (!deploy.hidden) take(); }] },
  };
}

function tallies(changes) {
  const count = (type) => changes.filter((c) => c.changeType === type).length;
  return h("p.tallies", {}, ORDER.filter(count).map((type) => {
    const [tone, sign, word] = VERBS[type];
    return h("span.badge", { class: tone }, `${sign} ${count(type)} to ${word}`);
  }));
}

function named(change) {
  const name = shortAddress(change.address);
  return store.resources.has(change.address) ? h("a.name", { href: hrefOf(change.address) }, name) : h("span.name", {}, name);
}

function change(c) {
  const [tone, sign, word] = VERBS[c.changeType] ?? ["busy", "?", c.changeType];
  const rows = c.delta.flatMap((d) => flat(d, ""));
  return h("details.panel.change", { class: tone, open: rows.length > 0 && rows.length <= 12 },
    h("summary", {}, h("span.verb", {}, `${sign} ${word}`), h("span.name", {}, shortAddress(c.address)), h("span.muted", {}, shortType(c.type)), h("span.aside", {}, c.reason ?? "")),
    rows.length > 0
      ? h("table.delta", {}, h("tbody", {}, rows.map(row)))
      : h("div.body.muted", {}, c.changeType === "Create" ? "It is made anew." : c.changeType === "Delete" ? "It is taken away." : "No property differs."),
    forced(c, rows),
    store.resources.has(c.address) && h("p.also", {}, h("a", { href: hrefOf(c.address) }, `page of ${store.resources.get(c.address).name}`)));
}

/** What forces it to be replaced, where no line tells that already. */
function forced(c, rows) {
  if (!c.forcedBy?.length || rows.some((r) => r.forcesReplacement)) return null;
  return h("div.body.muted", {}, `Forced by ${c.forcedBy.join(", ")}`);
}

function flat(delta, before) {
  const path = before ? (/^\[|^\d+$/.test(delta.path) ? `${before}[${delta.path.replace(/[[\]]/g, "")}]` : `${before}.${delta.path}`) : delta.path;
  if (delta.children?.length) return delta.children.flatMap((d) => flat(d, path));
  return [{ ...delta, path }];
}

const SIGNS = { Create: ["ok", "+"], Delete: ["bad", "−"], Modify: ["wait", "~"], Array: ["wait", "~"], NoEffect: ["off", "="] };

function values(d) {
  const [before, after] = [plain(d.before), plain(d.after)];
  if (before === "(secret)" && after === before) return h("span.muted", {}, "another secret");
  return [
    "before" in d && h("span.old", {}, before), "before" in d && "after" in d && h("span.arrow", {}, "→"),
    "after" in d && h("span.new", {}, after)];
}

function row(d) {
  const [tone, sign] = SIGNS[d.propertyChangeType] ?? ["wait", "~"];
  return h("tr", { class: tone }, h("td", { "aria-label": d.propertyChangeType }, sign),
    h("td", {}, d.path.replace(/^properties\./, ""), d.forcesReplacement && [" ", h("span.tag", {}, "replaces")]),
    h("td", {}, values(d)));
}
