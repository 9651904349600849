"""Extensions: which one a resource's type belongs to, and the section that declares them."""

from __future__ import annotations

from engine.build.emit.declared import key_text
from engine.build.emit.unit import Unit
from engine.parse import tree
from engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


class Extension(Record):
    """One `extension` statement: the alias it is known by, the name and version that a template states."""

    alias: str
    name: str
    version: str
    statement: tree.Extension
    types: tuple[str, ...]


_KNOWN = {
    "az": ("AzureResourceManager", "0.2.896", ()),
    "kubernetes": ("Kubernetes", "1.0.0", ()),
    "radius": ("Radius", "1.0.0", ("Applications.", "Radius.", "Ulna.")),
    "aws": ("AWS", "1.0.0", ("AWS.",)),
    "microsoftgraph": ("MicrosoftGraph", "1.0.0", ("Microsoft.Graph/",)),
}
"""What is known without a registry: name, version, and how the names of its types start."""


def extensions(unit: Unit) -> list[Extension]:
    """The extensions that a file declares, in order."""
    return [_extension(unit, s) for s in unit.model.file.statements if isinstance(s, tree.Extension)]


def _extension(unit: Unit, statement: tree.Extension) -> Extension:
    spec = statement.spec
    if (data := unit.model.extension_types.get(id(statement))) is not None:
        called = spec.text if isinstance(spec, tree.Name) else ""
        alias = statement.alias.text if statement.alias is not None else called
        return Extension(alias, data.name or alias, data.version or "1.0.0", statement, ())
    written = (
        spec.text if isinstance(spec, tree.Name) else (spec.literal if isinstance(spec, tree.Text) else None) or ""
    )
    reference = (
        written if isinstance(spec, tree.Text) else str(unit.model.config.get("extensions", written, default=""))
    )
    short, version = (written, "") if not reference or reference.startswith("builtin:") else _parts(reference)
    known = _KNOWN.get(short.lower()) or _KNOWN.get(written.lower())
    if known is None and short.lower().startswith("microsoftgraph"):
        known = _KNOWN["microsoftgraph"]
    name, fallback, types = known or (short, "1.0.0", ())
    alias = statement.alias.text if statement.alias is not None else written
    if known is None and not types:
        types = (f"{short}/", f"{short}.")
    return Extension(alias, name, version or fallback, statement, types)


def _parts(reference: str) -> tuple[str, str]:
    """Name and version in a registry reference: `br:host/path/name/v1:1.2.3`; of a file, its stem."""
    path, _, version = reference.rpartition(":")
    if not version or "/" in version:
        return reference.rpartition("/")[2].partition(".")[0], ""
    parts = [part for part in path.split("/") if part]
    if len(parts) > 1 and (parts[-1] == "beta" or (parts[-1][:1] == "v" and parts[-1][1:2].isdigit())):
        parts.pop()
    return parts[-1] if parts else reference, version


def assign(unit: Unit, declared: list[Extension]) -> None:
    """Tell each resource which extension its type belongs to; Azure's own need none."""
    azure = next((e.alias for e in declared if e.name == "AzureResourceManager"), None)
    unit.azure = azure if unit.extension_key == "extension" else None
    for each in unit.declared.values():
        if not each.module:
            outermost = each
            while outermost.enclosing is not None:
                outermost = outermost.enclosing
            known = unit.model.extension_of(outermost.symbol)
            if known is not None and id(known.declaration) in unit.model.extension_types:
                each.extension = known.name
            else:
                each.extension = _owner(outermost.type, outermost.version, declared, azure)
                if each.extension is None and known is not None and "." not in outermost.type.partition("/")[0]:
                    each.extension = known.name
    for each in unit.declared.values():
        if not each.module:
            each.type = each.type.partition(":")[2] or each.type


def _owner(type: str, version: str, declared: list[Extension], azure: str | None) -> str | None:
    prefix, colon, _ = type.partition(":")
    if colon:
        return next((e.alias for e in declared if e.alias == prefix and e.alias != azure), None)
    named = [e for e in declared if e.types and type.startswith(e.types)]
    if len(named) > 1 and version:  # one service, an extension for each version
        named.sort(key=lambda e: version.replace(".", "_").lower() not in e.alias.lower())
    if named:
        return named[0].alias
    if "." not in type.partition("/")[0]:  # core/Service, apps/Deployment
        return next((e.alias for e in declared if e.name == "Kubernetes"), None)
    return None


def extension_section(unit: Unit, declared: list[Extension]) -> dict[str, Any]:
    """The `imports` of a template, or its `extensions` where modules configure them."""
    configurable = unit.extension_key == "extension"
    found: dict[str, Any] = {}
    for each in declared:
        if not configurable and each.name == "AzureResourceManager":
            continue
        entry: dict[str, Any] = {"name" if configurable else "provider": each.name, "version": each.version}
        config = each.statement.config
        if isinstance(config, tree.Object) and config.members:
            pairs = {key_text(p.key) or "": p.value for p in config.members if isinstance(p, tree.Property)}
            entry["config"] = {
                name: {"defaultValue": unit.value(value)} if configurable else unit.value(value)
                for name, value in pairs.items()
            }
        found[each.alias] = entry
    return found
