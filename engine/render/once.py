"""Problems that every turn of a loop has, told once with the names of the turns. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from engine.contract.resource import Resource
from engine.diagnostics.diagnostic import Diagnostic, Label

MANY = 4
"""So many names are told; of more, the number."""


def once(problems: Iterable[Diagnostic], declared: Iterable[Resource]) -> tuple[Diagnostic, ...]:
    """The problems in their order; those that differ in which turn of a loop they are about, and in nothing else, are one."""
    problems = tuple(problems)
    if len(problems) < 2:
        return problems
    loops = {f"'{r.name}'": _spot(r.origin) for r in declared if r.origin is not None}
    found: dict[tuple[object, ...], tuple[Diagnostic, dict[str, None]]] = {}
    for number, problem in enumerate(problems):
        name = next((q for word in problem.message.split("'")[1::2] if (q := f"'{word}'") in loops), None)
        if name is None or problem.primary is None:
            found[number,] = (problem, {})
            continue
        texts = (problem.message.replace(name, "''"), problem.help.replace(name, "''"))
        key = (problem.code, problem.severity, _spot(problem.primary), loops[name], *texts)
        found.setdefault(key, (problem, {}))[1][name] = None
    return tuple(_told(problem, list(names)) for problem, names in found.values())


def _told(problem: Diagnostic, names: list[str]) -> Diagnostic:
    if len(names) < 2:
        return problem
    shown = names if len(names) <= MANY else [*names[: MANY - 1], f"{len(names) - MANY + 1} more"]
    turns = f"{', '.join(shown[:-1])} and {shown[-1]}"
    return problem.replace(message=problem.message.replace(names[0], turns), help=problem.help.replace(names[0], turns))


def _spot(label: Label) -> tuple[str, int, int]:
    return label.source.name, label.span.start, label.span.end
