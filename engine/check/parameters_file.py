"""Checks a `.bicepparam` file against the file it is `using`."""

from __future__ import annotations

from engine.check.declared import params_of
from engine.check.expect import expect
from engine.check.infer import Infer
from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.check.types import ANY, ObjectType, PropertyType
from engine.diagnostics.suggest import did_you_mean
from engine.parse import tree
from engine.template.template import Template


def declare_base(infer: Infer) -> None:
    """Makes `base` stand for the values of the file that this one extends."""
    for statement in infer.model.file.statements:
        if isinstance(statement, tree.Extends):
            symbol = infer.model.symbols.get("base")
            target = infer.model.modules.get(id(statement))
            if symbol is not None and symbol.kind is Kind.BASE and target is not None:
                infer.model.symbol_types[symbol] = base_type(target)


def base_type(target: object) -> ObjectType:
    """The parameters a file assigns."""
    values: dict[str, PropertyType] = {}
    for symbol in getattr(target, "symbols", {}).values():
        if isinstance(symbol, Symbol) and symbol.kind is Kind.PARAM:
            values[symbol.name] = PropertyType(ANY, True)
    return ObjectType(values, name="base")


def check_parameters_file(infer: Infer) -> None:
    """Unknown, missing and wrongly typed parameters, and a missing `using`."""
    model, report = infer.model, infer.report
    statements = model.file.statements
    using = [s for s in statements if isinstance(s, tree.Using)]
    extends = [s for s in statements if isinstance(s, tree.Extends)]
    if not using:
        if not any(isinstance(s, tree.BrokenStatement) for s in statements) or not statements:
            report.error(
                "BCP261",
                tree.Node(0, 0),
                "A parameters file needs a 'using' statement",
                "Begin it with using './main.bicep'.",
            )
        return
    for extra in using[1:]:
        report.error("BCP262", extra.keyword, "There is more than one 'using' statement", "Keep one of them.")
    target = model.modules.get(id(using[0]))
    if target is None:
        return
    declared = params_of(target)
    given: set[str] = set()
    for statement in statements:
        if not isinstance(statement, tree.Param) or not statement.name.text:
            continue
        name = statement.name.text
        given.add(name)
        wanted = declared.get(name)
        if wanted is None:
            message = f"The file in use has no parameter '{name}'"
            report.error("BCP259", statement, message, did_you_mean(name, declared))
        elif statement.value is not None:
            expect(infer, statement.value, wanted.type)
    inherited = any(model.modules.get(id(e)) for e in extends)
    filled = FILLED if _takes_the_app_model(target) else frozenset()
    missing = sorted(n for n, p in declared.items() if p.required and n not in given and n not in filled)
    if missing and not inherited and using[0].path is not None:
        names = ", ".join(f"'{n}'" for n in missing)
        report.error("BCP258", using[0].path, f"No value for {names}", "Assign them by param name = value.")


FILLED = frozenset({"environment", "application"})
"""Parameters that a deployment fills in where a template of the app model declares them."""


def _takes_the_app_model(target: Model | Template) -> bool:
    """Whether a template has the extension that the app model's types come from."""
    if isinstance(target, Template):
        return "radius" in target.document.get("imports", ())
    return any(s.kind is Kind.EXTENSION and s.name == "radius" for s in target.symbols.values())
