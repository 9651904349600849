"""What a file or an ARM template offers to those who import it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.template.template import Template

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any


def exported(target: Model | Template) -> dict[str, Kind]:
    """The names that can be imported, with the kind of each."""
    if isinstance(target, Model):
        return {s.name: s.kind for s in target.symbols.values() if is_exported(target, s)}
    return _of_template(target.document)


def is_exported(model: Model, symbol: Symbol) -> bool:
    """Whether a symbol of a file carries `@export()`."""
    declaration = symbol.declaration
    if symbol.kind not in (Kind.VAR, Kind.FUNC, Kind.TYPE) or symbol.home is not None:
        return False
    return any(model.decorators.get(id(d)) == "export" for d in getattr(declaration, "decorators", ()))


def _of_template(document: Mapping[str, Any]) -> dict[str, Kind]:
    return dict(_exports(document))


def _exports(document: Mapping[str, Any]) -> list[tuple[str, Kind]]:
    found: list[tuple[str, Kind]] = []
    for name, definition in _mapping(document.get("definitions")).items():
        if _has_mark(definition):
            found.append((name, Kind.TYPE))
    for namespace in document.get("functions") or ():
        if _mapping(namespace).get("namespace") == "__bicep":
            for name, function in _mapping(_mapping(namespace).get("members")).items():
                if _has_mark(function):
                    found.append((name, Kind.FUNC))
    for variable in _mapping(document.get("metadata")).get("__bicep_exported_variables!") or ():
        if isinstance(variable_name := _mapping(variable).get("name"), str):
            found.append((variable_name, Kind.VAR))
    return found


def ambiguous(target: Model | Template) -> list[str]:
    """The names that an ARM template exports for more than one thing; in a file each name is declared once."""
    found = _exports(target.document) if isinstance(target, Template) else []
    names = [name for name, _ in found]
    return sorted({name for name in names if names.count(name) > 1})


def _has_mark(item: object) -> bool:
    return _mapping(_mapping(item).get("metadata")).get("__bicep_export!") is True


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def names(model: Model, wildcard: Symbol) -> Iterable[str]:
    """The names that a wildcard import offers."""
    target = model.modules.get(id(wildcard.declaration))
    return exported(target) if target is not None else ()


def through(model: Model, wildcard: Symbol, name: str) -> Symbol | None:
    """The symbol that `wildcard.name` stands for, made once; None if nothing of that name is exported."""
    found = model.imported.get((wildcard, name))
    if found is None:
        target = model.modules.get(id(wildcard.declaration))
        found = imported_symbol(target, name, name, wildcard) if target is not None else None
        if found is not None:
            model.imported[wildcard, name] = found
    return found


def imported_symbol(target: Model | Template, name: str, local: str, declared_by: Symbol | Any) -> Symbol | None:
    """The symbol of something imported, under its local name; None if it is not exported."""
    declaration = declared_by.declaration if isinstance(declared_by, Symbol) else declared_by
    if isinstance(target, Model):
        original = target.symbols.get(name)
        if original is None or not is_exported(target, original):
            return None
        return Symbol(local, original.kind, declaration, home=target, original=original)
    kind = exported(target).get(name)
    return Symbol(local, kind, declaration) if kind is not None else None
