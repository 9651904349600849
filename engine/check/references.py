"""The paths a file names: which are well-formed, and where they lead."""

from __future__ import annotations

from engine.check.report import Report
from engine.parse import tree

Referring = tree.Module | tree.Test | tree.Import | tree.Using | tree.Extends

FORBIDDEN = '"*:<>?|'
REGISTRY = ("br:", "br/", "ts:", "ts/", "git:")


MISSING: dict[type, str] = {tree.Test: "BCP358", tree.Using: "BCP256", tree.Extends: "BCP404"}
"""What is said where there is no path, by the statement; of all others `BCP090`."""


def local_path(place: tree.Node, report: Report, missing: str = "BCP090") -> str | None:
    """The relative path that a string literal gives; None if it is none, which is then reported."""
    if not isinstance(place, tree.Text):
        report.error(missing, place, "The path of a file is missing here")
        return None
    text = place.literal
    if text is None:
        report.error("BCP092", place, "The path of a file must be a plain string, without '${…}'")
        return None
    if problem := _scheme_problem(text) or path_problem(text):
        report.error(problem[0], place, problem[1], problem[2])
        return None
    return text


def _scheme_problem(text: str) -> tuple[str, str, str] | None:
    """The same for a reference to another place than the folder of the file, in a form that nobody knows."""
    scheme, colon, _ = text.partition(":")
    if not colon:
        return None
    help = "Write a path, or a reference that begins with br:, ts: or git:."
    return "BCP189", f"'{scheme}:' is no kind of reference", help


def misplaced(statement: Referring, path: str) -> tuple[str, str, str] | None:
    """Code, message and help for a path to a file of a kind that the statement has no use for; None for a good one."""
    if not path.endswith(".bicepparam"):
        if isinstance(statement, tree.Extends):
            return "BCP404", "A parameters file extends another one, and this is none", "Name a .bicepparam file."
        if isinstance(statement, tree.Test) and path.endswith((".json", ".jsonc", ".arm")):
            return (
                "BCP345",
                "A test is of a Bicep file, and this is a template",
                "Name the file that it was built from.",
            )
        return None
    match statement:
        case tree.Module():
            return (
                "BCP277",
                "A module is a Bicep file or a template, and this is a parameters file",
                "Name another file.",
            )
        case tree.Using():
            return "BCP276", "A parameters file uses a template, and this is a parameters file", "Write extends for it."
        case tree.Test():
            return "BCP345", "A test is of a Bicep file, and this is a parameters file", "Name the template itself."
        case _:
            return None


def path_problem(text: str) -> tuple[str, str, str] | None:
    """Code, message and help for a malformed path; None for a good one."""
    if not text:
        return "BCP050", "The path is empty", ""
    if text.startswith("/"):
        return "BCP051", f"'{text}' is an absolute path", "Write it relative to this file."
    if "\\" in text:
        return "BCP098", f"'{text}' has a backslash", "Separate folders by '/'."
    if any(ord(c) < 32 or ord(c) == 127 for c in text):
        return "BCP111", "The path has a character that is a control code", "Write a path of letters, digits and signs."
    if any(c in FORBIDDEN for c in text):
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
