"""What two texts of one file differ in, as `diff -u` shows it."""

from __future__ import annotations

from difflib import unified_diff


def unified(name: str, before: str, after: str) -> str:
    """The difference, or an empty text where there is none."""
    marked = unified_diff(_lines(before), _lines(after), name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in marked)


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends; `splitlines` would break at more signs than the language does."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [rest for rest in text.split("\n")[-1:] if rest]
