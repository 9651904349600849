"""Rule use-recent-api-versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.check.catalogue import ours
from engine.check.model import Model
from engine.diagnostics.diagnostic import Safety
from engine.diagnostics.source import Span
from engine.lint.asked import asking, type_in
from engine.lint.edits import replace
from engine.lint.names import constant_text, property_of, resources, same
from engine.lint.rule import Finding, rule
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # only where types are given
    from engine.check.type_names import TypeNames

CODE = "use-recent-api-versions"
AGE, GRACE = 730, 90
"""How many days old a version may be, and how long the one before the newest may still be used."""


@rule(CODE, level="off")
def use_recent_api_versions(model: Model) -> Iterator[Finding]:
    """A resource in an API version that is older than two years, or a preview of what is stable by now.

    Old versions are withdrawn, and lack what newer ones can do. Where types are given (`--types`, `ULNA_TYPES`, or
    `ulna.types` in bicepconfig.json) they say which versions there are; without them nothing is said. A version is good while
    it is not older than `maxAgeInDays`, and the newest stable one always is; so is the one before it for `gracePeriodInDays`. Likewise the
    version that `reference()`, `listKeys()` and its kin are given.

    Example:
        >>> bicepconfig.json
        { "ulna": { "types": "types.txt" } }
        <<<
        >>> types.txt
        My.Rp/things@2015-01-01
        My.Rp/things@2020-01-01
        <<<
        resource thing 'My.Rp/things@2015-01-01' existing = {
          name: 'thing'
        }
        ---
        resource thing 'My.Rp/things@2020-01-01' existing = {
          name: 'thing'
        }
    """
    types = model.type_names
    if types is None or types.empty:
        return
    from engine.sources.clock import today

    day = _day(today(model.sources)) or 0
    yield from _asked(model, types, day)
    for symbol, node in resources(model):
        name = model.resource_types.get(symbol)
        if name is None or not name.version or ours(name.type) or model.extension_of(symbol) is not None:
            continue
        text = model.source.text[node.type.start : node.type.end]
        at = text.rfind(f"@{name.version}")
        if at < 0:
            continue  # a nested one has the version of what it is nested in
        every = types.versions(name.type)
        good = _acceptable(model, every, day)
        if not good or name.version.lower() in good or name.version.lower() not in every:
            continue  # a version that there is not is told elsewhere
        place = Span(node.type.start + at + 1, node.type.start + at + 1 + len(name.version))
        fix = replace(place, good[0], f"Use version {good[0]}", Safety.UNSAFE)
        yield place, f"Version {name.version} of '{name.type}' is {_why(name.version, day)}; use {_listed(good)}", fix


def _asked(model: Model, types: TypeNames, day: int) -> Iterator[Finding]:
    """What is asked of resources by `reference()` and its kin, in a version that is not good, or that there is not."""
    for node in asking(model):
        version = constant_text(model, node.arguments[1]) if len(node.arguments) > 1 else None
        type = _type(model, types, node.arguments[0]) if version is not None and _day(version) is not None else None
        if version is None or type is None or ours(type):
            continue
        every = types.versions(type)
        good = _acceptable(model, every, day)
        if not every:
            yield node, f"There is no type '{type}' in the list of types"
        elif version.lower() not in every:
            yield node, f"There is no version {version} of '{type}'; use {_listed(good)}"
        elif good and version.lower() not in good:
            yield node, f"Version {version} of '{type}' is {_why(version, day)}; use {_listed(good)}"


def _type(model: Model, types: TypeNames, node: tree.Node) -> str | None:
    """The type of what is asked: as it is written, or that of a resource of the file, by a property or its name."""
    found = type_in(model, node)
    if found is not None:
        type = "/".join((found[0], *found[1]))
        while not types.versions(type) and type.count("/") > found[0].count("/"):
            type = type.rpartition("/")[0]
        return type
    for symbol, resource in resources(model):
        name = property_of(resource.value, "name")
        by_name = name is not None and same(name.value, node)
        if by_name or (isinstance(node, tree.Member) and model.symbol(node.base) is symbol):
            known = model.resource_types.get(symbol)
            return known.type if known is not None and model.extension_of(symbol) is None else None
    return None


def _acceptable(model: Model, versions: Sequence[str], day: int) -> list[str]:
    """The versions of a type that are good on a day, the best first; none where the versions are no dates."""
    age, grace = _days(model, "maxAgeInDays", AGE), _days(model, "gracePeriodInDays", GRACE)
    dated = sorted(((d, v) for v in versions if (d := _day(v)) is not None and d <= day), reverse=True)
    stable = [(d, v) for d, v in dated if len(v) == 10]
    newest = stable[0][0] if stable else None
    good = [v for d, v in stable if day - d <= age] or [v for _, v in stable[:1]]
    if len(good) == 1 and len(stable) > 1 and newest is not None and day - newest <= grace:
        good.append(stable[1][1])
    previews = [(d, v) for d, v in dated if len(v) > 10 and (newest is None or d > newest)]
    recent = [v for d, v in previews if day - d <= age]
    return good + (recent or ([v for d, v in previews if d == previews[0][0]] if newest is None else []))


def _why(version: str, day: int) -> str:
    born = _day(version)
    if len(version) > 10:
        return "a preview, and there is a version as new that is stable, or it is too old"
    return (
        f"{(day - born) // 365} years old" if born is not None and day - born > 730 else f"{day - (born or 0)} days old"
    )


def _listed(good: Sequence[str]) -> str:
    return " or ".join(good[:4])


def _days(model: Model, key: str, default: int) -> int:
    found = model.config.get("analyzers", "core", "rules", CODE, key)
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else default


def _day(version: str) -> int | None:
    """The number of a day since some long past one; None for what begins with no date."""
    parts = version[:10].split("-")
    if len(parts) != 3 or not all(p.isdecimal() and p.isascii() for p in parts) or version[10:11] not in ("", "-"):
        return None
    year, month, day = map(int, parts)
    if not (0 < month <= 12 and 0 < day <= 31):
        return None
    year -= month <= 2
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day
