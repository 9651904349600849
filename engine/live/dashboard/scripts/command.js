// Asking for something: dialogs with what a command wants to know, and what became of the asking.
import { h, fill } from "./dom.js";
import { diagnostics, post } from "./http.js";
import { toast } from "./notices.js";
import { store } from "./store.js";
import { logOf } from "./words.js";

/** Give a command; tells that it has begun, or why not. Gives the operation, null if it was refused. */
export async function ask(body, title) {
  try {
    return begun(await post("/api/command", body));
  } catch (error) {
    toast("bad", [`${title}: ${error.message}`, error.diagnostics?.[0]?.help ? ` ${error.diagnostics[0].help}` : ""]);
    return null;
  }
}

function begun(operation) {
  const known = store.operations.get(operation.id)?.progress ?? operation.progress;
  if (known === "running") {
    toast("busy", `${operation.title} has begun`,
      [["Show", "#/operations"], ...operation.launched.map((a) => ["Log", logOf(a)])]);
  }
  return operation;
}

/** Give a command that a template declares: asks for its inputs, and whether it is meant. */
export function askDeclared(target, command) {
  const body = (inputs) => ({ name: target, command: command.name, inputs });
  if (!command.inputs.length && !command.confirmation) return ask(body({}), command.title);
  const questions = command.inputs.map(question);
  return dialog(command.title, [
    command.description && h("p.muted", {}, command.description),
    questions.map((q) => q.element),
    command.confirmation && h("p.callout.wait", {}, command.confirmation),
  ], "Run", async () => {
    const given = questions.map((q) => [q.name, q.value()]).filter(([, v]) => v !== undefined);
    begun(await post("/api/command", body(Object.fromEntries(given))));
  });
}

/** Restart, alone or with what depends on it. */
export function askRestart(row, users) {
  if (!users) return ask({ name: row.address, verb: "restart" }, "Restart");
  const also = h("input", { type: "checkbox" });
  return dialog(`Restart ${row.name}`, [
    h("label.check", {}, also, `Also what depends on it (${users})`),
  ], "Restart", async () => {
    begun(await post("/api/command", { name: row.address, verb: "restart", withDependants: also.checked }));
  });
}

/** Another number of replicas. */
export function askScale(row, now) {
  const number = h("input.field", { id: "replicas", type: "number", min: 0, max: 1000, step: 1, value: now, required: true });
  return dialog(`Scale ${row.name}`, [
    h("div.question", {},
      h("label", { htmlFor: "replicas" }, "Replicas"), number,
      h("p.hint", {}, "For as long as this run lasts, or until the file says another number.")),
  ], "Scale", async () => {
    begun(await post("/api/command", { name: row.address, verb: "scale", replicas: Number(number.value) }));
  });
}

/** Ask whether something is meant, then do it; what `act` throws is shown in the dialog. */
export function dialog(title, content, word, act, danger = false) {
  const problems = h("div", {});
  const go = h("button.button", { type: "submit", class: danger ? "danger" : "primary" }, word);
  const form = h("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      go.disabled = true;
      try {
        await act();
        box.close();
      } catch (error) {
        fill(problems, diagnostics(error));
        go.disabled = false;
      }
    },
  },
  h("h1", { id: "dialog-title" }, title), content, problems,
  h("div.actions", {}, h("button.button", { type: "button", onclick: () => box.close() }, "Cancel"), go));
  const box = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => box.remove() }, form);
  document.body.append(box);
  box.showModal();
  (form.querySelector("input, select") ?? go).focus();
  return box;
}

// ---------------------------------------------------------------- inputs

/** An input of a command: its element, and `value()`, undefined for one that was left out. */
function question(input) {
  const id = `input-${input.name}`;
  const hints = [input.description, bounds(input)].filter(Boolean);
  const about = hints.length ? `${id}-hint` : null;
  const hint = about && h("p.hint", { id: about }, hints.join(" "));
  const shared = { id, "aria-describedby": about };
  if (input.type === "bool") {
    const box = h("input", { ...shared, type: "checkbox", checked: input.default === true || input.default === "true" });
    return { name: input.name, value: () => box.checked, element: h("div.question", {}, h("label.check", {}, box, input.title), hint) };
  }
  const field = input.allowed.length ? choice(input, shared) : entry(input, shared);
  const value = () => (field.value === "" && !input.required ? undefined : field.value);
  return { name: input.name, value, element: h("div.question", {}, h("label", { htmlFor: id }, input.title, input.required && h("span.muted", {}, " (needed)")), field, hint) };
}

function choice(input, shared) {
  const field = h("select.field", { ...shared, required: input.required },
    input.required && h("option", { value: "" }, "Choose"),
    input.allowed.map((a) => h("option", { value: String(a) }, String(a))));
  field.value = input.default === null ? (input.required ? "" : String(input.allowed[0])) : String(input.default);
  return field;
}

function entry(input, shared) {
  const numeric = input.type === "int" || input.type === "number";
  return h("input.field", {
    ...shared,
    type: input.secure ? "password" : numeric ? "number" : "text",
    autocomplete: input.secure ? "new-password" : "off",
    spellcheck: false,
    required: input.required,
    value: input.default === null ? "" : String(input.default),
    min: numeric ? input.minimum : null,
    max: numeric ? input.maximum : null,
    step: input.type === "int" ? 1 : numeric ? "any" : null,
    pattern: !numeric && input.pattern ? input.pattern : null,
    title: !numeric && input.pattern ? `Matches ${input.pattern}` : null,
  });
}

function bounds({ minimum: low, maximum: high, pattern }) {
  if (low !== null && high !== null) return `From ${low} to ${high}.`;
  if (low !== null) return `${low} at least.`;
  if (high !== null) return `${high} at most.`;
  return pattern ? `Matches ${pattern}` : "";
}
