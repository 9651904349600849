"""What is said of one code or rule: what it means, what to do, and a bad and a good example."""

from __future__ import annotations

from textwrap import indent
from typing import Any

from engine.diagnostics.diagnostic import Safety
from engine.diagnostics.examples.read import Example, example, program, shown
from engine.record import Record


class Page(Record):
    """One page: `head` is its first line, `text` what follows, both in plain words."""

    code: str
    head: str
    text: str
    example: Example | None = None

    def plain(self) -> str:
        """It as a terminal shows it."""
        return f"{self.head}\n" + (f"\n{self.text}\n" if self.text else "") + self._examples(fenced=False)

    def markdown(self) -> str:
        """It as a section of a page."""
        return f"## {self.head}\n" + (f"\n{self.text}\n" if self.text else "") + self._examples(fenced=True)

    def document(self) -> dict[str, Any]:
        """It for programs."""
        document: dict[str, Any] = {"code": self.code, "explanation": f"{self.head}\n\n{self.text}\n"}
        if self.example is not None:
            document["example"] = {
                "kind": _LANGUAGES[self.example.kind],
                "files": dict(self.example.files),
                "bad": program(self.example.bad),
                "good": program(self.example.good),
            }
        return document

    def _examples(self, fenced: bool) -> str:
        if self.example is None:
            return ""
        parts = [(f"With `{name}`:", _language_of(name), content) for name, content in self.example.files]
        parts += [("Bad:", _LANGUAGES[self.example.kind], self.example.bad)]
        parts += [("Good:", _LANGUAGES[self.example.kind], self.example.good)]
        if fenced:
            return "".join(f"\n{title}\n\n```{language}\n{shown(text)}```\n" for title, language, text in parts)
        return "".join(f"\n{title.replace('`', '')}\n\n{indent(shown(text), '    ')}" for title, _, text in parts)


_LANGUAGES = {"bicep": "bicep", "bicepparam": "bicepparam", "json": "json", "sh": "sh", "run": "sh"}


def _language_of(name: str) -> str:
    return name.rpartition(".")[2].replace("txt", "text")


def page_of(code: str) -> Page | None:
    """The page of a code of the language or of Ulna, or of a rule; None for what is neither."""
    return _code(code) or _rule(code.lower())


def _code(code: str) -> Page | None:
    from engine.diagnostics.codes import explain

    found = explain(code)
    if found is None:
        return None
    head, _, text = found.partition("\n")
    return Page(head.partition(":")[0], head, text.strip(), example(code))


def _rule(name: str) -> Page | None:
    from engine.config.config import Config
    from engine.lint.run import all_rules
    from engine.lint.settings import severity

    rule = all_rules().get(name)
    if rule is None:
        return None
    level = severity(rule, Config()) or "off"
    title, _, text = rule.page.partition("\n")
    fix = {
        None: "",
        Safety.SUGGESTED: "Editors offer a fix.",
        Safety.SAFE: "`ulna lint --fix` mends it.",
        Safety.UNSAFE: "`ulna lint --unsafe-fixes` mends it.",
    }
    said = "\n\n".join(part for part in (text.strip(), fix[fix_of(name)]) if part)
    return Page(name, f"{name} ({rule.category}, {level} by default): {title}", said, rule.example)


def fix_of(rule: str) -> Safety | None:
    """How safe the fix is that a rule offers for its own example; None if it offers none."""
    from engine.check.check import check
    from engine.config.config import Config
    from engine.lint.run import all_rules, lint
    from engine.sources.memory import MemorySources

    found = all_rules()[rule].example
    if found is None or found.kind not in ("bicep", "bicepparam"):
        return None
    name = f"app.{found.kind}" if found.kind == "bicepparam" else "main.bicep"
    files = {k: v for k, v in found.files if k != "bicepconfig.json"}
    model = check(name, MemorySources({name: program(found.bad), **files}))
    config = Config({"analyzers": {"core": {"rules": {rule: {"level": "warning"}}}}})
    return next((d.fix.safety for d in lint(model, config) if d.code == rule and d.fix is not None), None)
