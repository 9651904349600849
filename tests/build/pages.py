"""Reading pages of `tests/spec/build`, and printing JSON so that a person likes to read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

PAGES = Path(__file__).parents[1] / "spec" / "build"
LINES = r"((?:(?!```).*\n)*)```"
CASE = re.compile(
    rf"((?:```(?:bicep|bicepparam|text)(?: .+)?\n{LINES}\n\n|```json .+\n{LINES}\n\n)+)(```json\n{LINES})"
)
FILE = re.compile(rf"```\w+(?: (.+))?\n{LINES}")
WIDTH = 110


class Case(NamedTuple):
    """Files by name, the first under its kind's usual name, and what they become."""

    page: Path
    heading: str
    files: dict[str, str]
    block: str
    expected: str


def cases() -> Iterator[Case]:
    """All cases of all pages."""
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for match in CASE.finditer(text):
            heading = re.findall(r"^#+ (.*)$", text[: match.start()], re.MULTILINE)[-1]
            first = "main.bicepparam" if match[1].startswith("```bicepparam") else "main.bicep"
            files = {m[1] or first: m[2] for m in FILE.finditer(match[1])}
            yield Case(page, heading, files, match[4], match[5])


def accept(case: Case, shown: str) -> None:
    """Write what came out into the page."""
    text = case.page.read_text(encoding="utf-8")
    at = text.index(case.block, text.index(f"# {case.heading}\n"))
    new = f"```json\n{shown}```"
    case.page.write_text(text[:at] + new + text[at + len(case.block) :], encoding="utf-8")


def bare(value: Any) -> Any:
    """A template without what is the same in all of them, nested ones too."""
    if isinstance(value, dict):
        if "$schema" in value:
            value = {k: v for k, v in value.items() if k not in ("$schema", "contentVersion")}
            if "metadata" in value:
                rest = {k: v for k, v in value["metadata"].items() if k != "_generator"}
                value = {k: rest if k == "metadata" else v for k, v in value.items() if k != "metadata" or rest}
        return {k: bare(v) for k, v in value.items() if v != {"scope": "inner"} and (k, v) != ("mode", "Incremental")}
    return [bare(v) for v in value] if isinstance(value, list) else value


def pretty(value: Any, indent: str = "") -> str:
    """JSON, on one line where it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not value or not isinstance(value, dict | list):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(k, ensure_ascii=False)}: {pretty(v, inner)}" for k, v in value.items()]
        return "{\n" + ",\n".join(inner + p for p in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + pretty(v, inner) for v in value) + f"\n{indent}]"
