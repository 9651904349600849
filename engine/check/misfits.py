"""What is said where a value does not fit: of another type, with a property too many, or one too few."""

from __future__ import annotations

from collections.abc import Mapping

from engine.check.mends import complete
from engine.check.spelling import suggestion, write
from engine.check.types import ObjectType, PropertyType, StringLiteral, Type, members_of, show, without_null
from engine.diagnostics.diagnostic import Severity
from engine.diagnostics.suggest import did_you_mean
from engine.parse import tree
from engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer


class Place(Record):
    """Where the value stands: as the property `name`, as an `item`, or alone; `owner` is where a missing property is reported.

    What does not fit is a warning where it is `lenient`, and in a `resource` whose type is known by data, which can be
    wrong: there only what the data themselves forbid is an error, and what every resource has.
    """

    owner: tree.Node | None = None
    what: str = "object"
    name: str | None = None
    item: bool = False
    lenient: bool = False
    resource: bool = False


ALONE = Place()


def mismatch(infer: Infer, node: tree.Node, value: Type, target: Type, place: Place) -> None:
    """Reports that a value is of the wrong type."""
    severity = Severity.WARNING if place.lenient else Severity.ERROR
    target = without_null(target) if place.resource else target
    wanted = f"{'one of ' if len(members_of(target)) > 1 else ''}{show(target)}"
    if place.name is not None:
        near = _near(value, target)
        help = f"Did you mean {near}?" if near else ""
        message = f"Property '{place.name}' takes {wanted}, and this is {show(value)}"
        infer.report.add("BCP088" if near else "BCP036", severity, node, message, help)
    elif place.item:
        infer.report.add("BCP034", severity, node, f"The items here are {wanted}, and this is {show(value)}")
    else:
        infer.report.add(
            "BCP033", severity, node, f"{wanted[0].upper() + wanted[1:]} is wanted here, and this is {show(value)}"
        )


def _near(value: Type, target: Type) -> str | None:
    if not isinstance(value, StringLiteral):
        return None
    return suggestion(show(value), [show(m) for m in members_of(target) if isinstance(m, StringLiteral)])


def incomplete(
    infer: Infer,
    target: ObjectType,
    place: Place,
    known: Mapping[str, PropertyType],
    owner: tree.Node,
    lenient: bool,
    skip: frozenset[str] = frozenset(),
    body: tree.Object | None = None,
) -> None:
    """Reports what is required and not there; it could be written in `body`."""
    missing = sorted(
        n for n, p in target.properties.items() if p.required and not p.readonly and n not in known and n not in skip
    )
    if missing:
        doubtful = lenient or (place.resource and not any(target.properties[n].system for n in missing))
        severity = Severity.WARNING if doubtful else Severity.ERROR
        names = ", ".join(f"'{n}'" for n in missing)
        noun = "properties" if len(missing) > 1 else "property"
        wanted = [(n, target.properties[n].type) for n in missing]
        fix = complete(infer.report.source.text, body, wanted) if body is not None else None
        infer.report.add("BCP035", severity, owner, f"The {place.what} lacks the required {noun} {names}", fix=fix)


def interpolated(infer: Infer, key: tree.Node, target: ObjectType, lenient: bool) -> None:
    """A name with holes, where all names are known."""
    message = f"The names of the properties of {show(target)} are known, so none can be put together"
    infer.report.add("BCP040", Severity.WARNING if lenient else Severity.ERROR, key, message, "Write the name out.")


def _free(target: ObjectType, known: Mapping[str, PropertyType]) -> list[str]:
    """The properties that can still be given."""
    return [n for n, p in target.properties.items() if not p.readonly and not p.fallback and n not in known]


def excess(
    infer: Infer, key: tree.Node, name: str, target: ObjectType, known: Mapping[str, PropertyType], lenient: bool
) -> None:
    """A property that the type does not have."""
    free = _free(target, known)
    near = suggestion(name, free)
    severity = Severity.WARNING if lenient else Severity.ERROR
    if near:
        message = f"There is no property '{name}' in {show(target)}"
        infer.report.add("BCP089", severity, key, message, f"Did you mean '{near}'?", fix=write(key, near))
    else:
        listed = ", ".join(f"'{n}'" for n in sorted(free)[:12])
        known_names = f"It can have {listed}{', …' if len(free) > 12 else ''}." if free else ""
        help = did_you_mean(name, free) or known_names
        infer.report.add("BCP037", severity, key, f"There is no property '{name}' in {show(target)}", help)
