"""The paths a file names: which are well-formed, and where they lead."""

from __future__ import annotations

from engine.check.report import Report
from engine.parse import tree

Referring = tree.Module | tree.Test | tree.Import | tree.Using | tree.Extends

FORBIDDEN = '"*:<>?|'
REGISTRY = ("br:", "br/", "ts:", "ts/", "git:")


def local_path(place: tree.Node, report: Report, missing: str = "BCP090") -> str | None:
    """The relative path that a string literal gives; None if it is none, which is then reported."""
    if not isinstance(place, tree.Text):
        report.error(missing, place, "The path of a file is missing here")
        return None
    text = place.literal
    if text is None:
        report.error("BCP092", place, "The path of a file must be a plain string, without '${…}'")
        return None
    if problem := path_problem(text):
        report.error(problem[0], place, problem[1], problem[2])
        return None
    return text


def path_problem(text: str) -> tuple[str, str, str] | None:
    """Code, message and help for a malformed path; None for a good one."""
    if not text:
        return "BCP050", "The path is empty", ""
    if text.startswith("/"):
        return "BCP051", f"'{text}' is an absolute path", "Write it relative to this file."
    if "\\" in text:
        return "BCP098", f"'{text}' has a backslash", "Separate folders by '/'."
    if any(c in FORBIDDEN or ord(c) < 32 for c in text):
        return (
            "BCP085",
            f"'{text}' has a character that paths may not have",
            "None of " + " ".join(FORBIDDEN) + " is allowed.",
        )
    if text[-1] in " .":
        return "BCP086", f"'{text}' ends with a character that paths may not end with", ""
    return None


def is_registry(place: tree.Node) -> bool:
    """Whether a path names something in a registry rather than a file."""
    return isinstance(place, tree.Text) and (place.literal or "").startswith(REGISTRY)
