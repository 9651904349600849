"""Rule use-recent-module-versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.check.model import Model
from engine.diagnostics.diagnostic import Safety
from engine.diagnostics.source import Span
from engine.lint.edits import replace
from engine.lint.rule import Finding, rule
from engine.parse import tree
from engine.sources.port import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

_PUBLIC = "mcr.microsoft.com"


@rule("use-recent-module-versions", level="off")
def use_recent_module_versions(model: Model) -> Iterator[Finding]:
    """A module of the public registry that is not in its newest version.

    Which versions there are is read from a file, for nothing is fetched to find it out: the index that the registry
    publishes, an array of `{"moduleName": "avm/res/…", "tags": ["0.1.0", …]}`. It is given by `ULNA_MODULE_VERSIONS`, or
    `ulna.moduleVersions` in bicepconfig.json; without it nothing is said.

    Example:
        >>> bicepconfig.json
        { "ulna": { "moduleVersions": "modules.json" }, "moduleAliasesMock": { "br": { "public": { "mapToFilePath": "." } } } }
        <<<
        >>> modules.json
        [{ "moduleName": "part", "tags": ["1.0.0", "1.1.0"] }]
        <<<
        >>> part.bicep
        output a int = 1
        <<<
        module part 'br/public:part:1.0.0' = {
          name: 'part'
        }
        ---
        module part 'br/public:part:1.1.0' = {
          name: 'part'
        }
    """
    path = (model.sources.environment("ULNA_MODULE_VERSIONS") if model.sources else None) or model.config.get(
        "ulna", "moduleVersions"
    )
    if not isinstance(path, str) or not path or model.sources is None:
        return
    named = [(place, found) for place in _places(model) if (found := _public(model, place)) is not None]
    known = _versions(model, path) if named else {}
    for place, (name, tag) in named:
        newest = max((v for v in known.get(name, ()) if _key(v)), key=_key, default=None)
        if newest is None or not _key(tag) or _key(tag) >= _key(newest):
            continue
        at = model.source.text.rfind(tag, place.start, place.end)
        spot = Span(at, at + len(tag)) if at >= 0 else Span(place.start, place.end)
        fix = replace(spot, newest, f"Use version {newest}", Safety.UNSAFE)
        yield spot, f"Module '{name}' is in version {tag}, and {newest} is its newest", fix


def _places(model: Model) -> Iterator[tree.Text]:
    for statement in model.file.statements:
        if isinstance(statement, tree.Module | tree.Import | tree.Using):
            path = statement.path
            if isinstance(path, tree.Text) and path.literal:
                yield path


def _public(model: Model, place: tree.Text) -> tuple[str, str] | None:
    """The name and tag of a module of the public registry; None for any other."""
    text = place.literal or ""
    if text.startswith("br/public:"):
        name, _, tag = text.removeprefix("br/public:").rpartition(":")
    elif text.startswith(f"br:{_PUBLIC}/bicep/"):
        name, _, tag = text.removeprefix(f"br:{_PUBLIC}/bicep/").rpartition(":")
    else:
        return None
    return (name, tag) if name and tag and "@" not in name else None


def _versions(model: Model, path: str) -> Mapping[str, list[str]]:
    """The versions by name; none where the file cannot be read, or is something else."""
    import json

    assert model.sources is not None
    try:
        document: Any = json.loads(model.sources.read(model.sources.absolute(path)))
    except (Unreadable, ValueError, RecursionError):
        return {}
    entries = document if isinstance(document, list) else []
    return {
        str(e.get("moduleName")): [t for t in e["tags"] if isinstance(t, str)]
        for e in entries
        if isinstance(e, Mapping) and isinstance(e.get("tags"), list)
    }


def _key(version: str) -> tuple[int, ...]:
    """A stable version as numbers; empty for anything else."""
    parts = version.split(".")
    return tuple(map(int, parts)) if len(parts) == 3 and all(p.isdecimal() and p.isascii() for p in parts) else ()
