"""Checks a `.bicepparam` file against the file it is `using`."""

from __future__ import annotations

from engine.check.declared import params_of
from engine.check.expect import expect
from engine.check.infer import Infer
from engine.check.model import Model
from engine.check.symbols import Kind
from engine.check.types import ANY, ObjectType, PropertyType
from engine.diagnostics.source import Span
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
    """The parameters a file assigns, and those of the files that it extends itself."""
    values: dict[str, PropertyType] = {}
    seen: list[object] = []
    while isinstance(target, Model) and target not in seen:
        seen.append(target)
        for symbol in target.symbols.values():
            if symbol.kind is Kind.PARAM:
                values.setdefault(symbol.name, PropertyType(ANY, True))
        below = (target.modules.get(id(s)) for s in target.file.statements if isinstance(s, tree.Extends))
        target = next(below, None)
    return ObjectType(values, name="base")


def _unknowable(infer: Infer) -> None:
    """What a parameter is given can be used again in the file, but for what is known only when the deployment runs."""
    for symbol, uses in infer.model.uses.items():
        given = symbol.declaration
        if not isinstance(given, tree.Param) or symbol.home is not None or given.value is None:
            continue
        if isinstance(given.value, tree.Null):
            code, why = "BCP369", "has its default, which the template decides"
        elif _is_secret(infer, given.value):
            code, why = "BCP368", "is a secret of a vault"
        else:
            continue
        for node in uses:
            infer.report.error(code, node, f"Parameter '{symbol.name}' {why}: its value is not known here")


def _is_secret(infer: Infer, node: tree.Node) -> bool:
    """Whether a value is taken from a vault when the deployment runs."""
    if isinstance(node, tree.Ternary):
        return _is_secret(infer, node.then) or _is_secret(infer, node.otherwise)
    function = infer.model.builtin(node)
    return function is not None and function.name == "getSecret"


def _reserved(infer: Infer) -> None:
    """`base` is what the extended file assigns, whatever else would have that name."""
    for statement in infer.model.file.statements:
        items = statement.items if isinstance(statement, tree.Import) else ()
        names = [getattr(statement, "name", None), getattr(statement, "wildcard", None)]
        names += [item.alias or item.name for item in items]
        for name in names:
            if isinstance(name, tree.Identifier) and name.text == "base":
                place = statement if not items else name
                infer.report.error("BCP438", place, "'base' has a meaning of its own here", "Choose another name.")


def _way_to_deploy(infer: Infer, using: list[tree.Using]) -> None:
    """How a file is to be deployed is said in its parameter file where that experiment is on, and only there."""
    on = infer.model.config.feature("deployCommands")
    for each in using:
        if each.config is not None and not on:
            after = each.path.end if each.path is not None else each.start
            start = infer.report.source.text.find("with", after, each.config.start)
            help = "Set experimentalFeaturesEnabled.deployCommands in bicepconfig.json."
            place = Span(start, each.config.end)
            infer.report.error("BCP435", place, "This is an experiment that is not switched on", help)
        elif each.config is None and on:
            message = "With the experiment 'deployCommands', a parameter file says how its template is deployed"
            infer.report.error("BCP443", each, message, "Write with { mode: 'deployment', scope: '…' } after the path.")


def check_parameters_file(infer: Infer) -> None:
    """Unknown, missing and wrongly typed parameters, and a missing `using`."""
    model, report = infer.model, infer.report
    statements = model.file.statements
    _unknowable(infer)
    _reserved(infer)
    if any(isinstance(s, tree.Import) for s in statements):
        from engine.check.pure import check_imports

        check_imports(infer)
    using = [s for s in statements if isinstance(s, tree.Using)]
    extends = [s for s in statements if isinstance(s, tree.Extends)]
    if len(extends) > 1:
        for each in extends:
            report.error("BCP405", each.keyword, "There is more than one 'extends' statement", "Keep one of them.")
    if not using:
        if not any(isinstance(s, tree.BrokenStatement) for s in statements) or not statements:
            report.error(
                "BCP261",
                tree.Node(0, 0),
                "A parameters file needs a 'using' statement",
                "Begin it with using './main.bicep'.",
            )
        return
    for extra in using if len(using) > 1 else ():
        report.error("BCP262", extra.keyword, "There is more than one 'using' statement", "Keep one of them.")
    _way_to_deploy(infer, using)
    target = model.modules.get(id(using[0]))
    if target is None:
        return
    if isinstance(target, Model) and target.config.feature("moduleExtensionConfigs"):
        from engine.check.extension_data import compare_assignments

        compare_assignments(infer, using[0], target)
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
