"""The pages of `tests/spec/expand`: a template in YAML with what it is given, then the graph it becomes, or what is wrong.

`ULNA_ACCEPT=1` writes what comes out into the page; review the difference.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.contract.value import encode

PAGES = Path(__file__).parents[1] / "spec" / "expand"
CASE = re.compile(r"```yaml\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def cases() -> list[Any]:
    found = []
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for match in CASE.finditer(text):
            heading = re.findall(r"^#+ (.*)$", text[: match.start()], re.MULTILINE)[-1]
            found.append(pytest.param(page, match[1], match[2], id=f"{page.stem}: {heading}"))
    return found


def show(desired: Any, diagnostics: Any) -> str:
    """One line for a resource's address and waits, one for its id, one for its body; then outputs and what is pending."""
    lines = []
    for resource in desired.resources:
        waits = f" ← {', '.join(resource.depends_on)}" if resource.waits else ""
        marks = " (existing)" if resource.existing else ""
        marks += f" (pinned to {resource.pin})" if resource.pin else ""
        lines.append(f"{resource.address}{marks}{waits}")
        lines.append(f"  {resource.type}@{resource.api_version} {encode(resource.id)}")
        lines.append(f"  {json.dumps(encode(resource.properties))}")
    for name, value in desired.outputs.items():
        lines.append(f"output {name} = {json.dumps(encode(value))}")
    for pending in desired.pending:
        lines.append(f"pending {pending.unit} {pending.address} needs {', '.join(sorted(pending.needs))}")
    for problem in diagnostics:
        lines.append(f"{problem.severity} {problem.code}: {problem.message}")
        if problem.help:
            lines.append(f"  help: {problem.help}")
    return re.sub(r'"\$secret": \["([^"]*)", "[0-9a-f]{64}"\]', r'"$secret": ["\1", "…"]', "\n".join(lines) + "\n")


@pytest.mark.parametrize(("page", "given", "expected"), cases())
def test_a_page_says_what_a_template_becomes(page: Path, given: str, expected: str, expander: Any) -> None:
    case = yaml.safe_load(given)
    document = {k: v for k, v in case.items() if k not in ("arguments", "known")}
    shown = show(*expander(document, case.get("arguments"), case.get("known")))
    if os.environ.get("ULNA_ACCEPT"):
        text = page.read_text(encoding="utf-8")
        page.write_text(
            text.replace(
                f"```yaml\n{given}```\n\n```text\n{expected}```", f"```yaml\n{given}```\n\n```text\n{shown}```"
            )
        )
    else:
        assert shown == expected
