"""What each code means: the text behind `ulna explain CODE`. Codes never change their meaning.

Rules of the linter explain themselves, by their docstrings.
"""

from __future__ import annotations


def explain(code: str) -> str | None:
    """The page of a code: a title, and what to do, or why Ulna never reports it; None for a code that does not exist."""
    from engine.diagnostics.codes_language import LANGUAGE
    from engine.diagnostics.codes_ulna import ULNA
    from engine.diagnostics.codes_unsaid import reasons

    wanted = code.upper()
    for table in (LANGUAGE, ULNA):
        for line in table.strip().splitlines():
            known, _, rest = line.partition(" ")
            if known.upper() == wanted:
                title, _, advice = rest.strip().partition(" | ")
                return f"{known}: {title}\n\n{advice}\n" if advice else f"{known}: {title}\n"
    reason = reasons().get(wanted)
    return f"{wanted}: A code of Bicep that Ulna never reports\n\n{reason}\n" if reason else None


def registered() -> frozenset[str]:
    """Every code that has a page."""
    from engine.diagnostics.codes_language import LANGUAGE
    from engine.diagnostics.codes_ulna import ULNA

    return frozenset(line.partition(" ")[0] for table in (LANGUAGE, ULNA) for line in table.strip().splitlines())
