"""Reading pages of `tests/spec/decompile`: a template, and the files it becomes, or what is said instead.

A fence `json` is a template; missing braces and the schema are put around it. The fences `bicep` after it are its files, the
first without a name; a fence `text` holds the place of a refusal and words of its message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PAGES = Path(__file__).parents[1] / "spec" / "decompile"
FENCE = re.compile(r"^```(json|bicep|text)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


class Case(NamedTuple):
    """A template, the files expected of it by name, and the refusal expected instead ("" for none)."""

    heading: str
    template: str
    files: dict[str, str]
    refusal: str


def cases() -> Iterator[Case]:
    """All cases of all pages."""
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        found = list(FENCE.finditer(text))
        for place, match in enumerate(found):
            if match[1] != "json":
                continue
            files: dict[str, str] = {}
            refusal = ""
            for following in found[place + 1 :]:
                if following[1] == "json":
                    break
                if following[1] == "text":
                    refusal = following[3].strip()
                else:
                    files[following[2] or "main.bicep"] = following[3]
            heading = re.findall(r"^#+ (.*)$", text[: match.start()], re.MULTILINE)[-1]
            template = match[3] if match[3].lstrip().startswith("{") else f"{{\n{match[3]}}}\n"
            yield Case(f"{page.stem}: {heading}", template, files, refusal)
