"""Checks `extension` statements, and those that a configuration implies: each must be configured, or come with Ulna."""

from __future__ import annotations

from engine.check.model import Model
from engine.check.report import Report
from engine.check.spelling import suggestion
from engine.diagnostics.diagnostic import Edit, Fix, Safety
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

BUILT_IN = ("aws", "az", "kubernetes", "radius", "ulna")
_SINGLE = ("az", "kubernetes")
"""Those that a file can have once only, under whatever name."""
_GRAPH = "microsoftGraph"
_GRAPH_TYPES = "br:mcr.microsoft.com/bicep/extensions/microsoftgraph/v1.0:0.1.9-preview"


def check_extensions(model: Model, report: Report) -> None:
    """Every `extension` statement of the file."""
    seen: set[str] = set()
    found = [s for s in model.file.statements if isinstance(s, tree.Extension)]
    for statement in found:
        spec = statement.spec
        if isinstance(spec, tree.Name):
            _named(model, statement, spec, report)
        elif isinstance(spec, tree.Text) and spec.holes:
            report.error("BCP303", spec, "Where an extension is must be a plain string")
        elif isinstance(spec, tree.Text) and statement.alias is None:
            report.error(
                "BCP423", spec, "An extension that is given by a path needs a name", "Write as someName after it."
            )
        name = name_of(statement)
        if name in seen and name:
            report.error("BCP028", statement.alias or spec, f"Extension '{name}' is declared more than once")
        seen.add(name)
    declared = [s.spec for s in found if isinstance(s.spec, tree.Name)]
    for spec in declared if len(declared) > 1 else ():
        if spec.text in _SINGLE and [s.text for s in declared].count(spec.text) > 1:
            report.error("BCP207", spec, f"A file has the extension '{spec.text}' once", "Keep one of them.")
    implied = model.config.get("implicitExtensions")
    if isinstance(implied, list):
        _implied(model, [n for n in implied if isinstance(n, str)], {s.text for s in declared}, report)


def name_of(statement: tree.Extension) -> str:
    """What an extension is called in its file; empty where it has no name."""
    spec = statement.spec
    return statement.alias.text if statement.alias else spec.text if isinstance(spec, tree.Name) else ""


def check_configuration(infer: Infer, statement: tree.Extension) -> None:
    """What an extension is configured with, where it is known what it can be configured with."""
    spec = statement.spec
    if id(statement) in infer.model.extension_types or (isinstance(spec, tree.Name) and spec.text == "kubernetes"):
        from engine.check.extension_data import compare_configuration

        compare_configuration(infer, statement)


def _implied(model: Model, names: list[str], declared: set[str], report: Report) -> None:
    """The extensions that every file has by the configuration."""
    configured = model.config.get("extensions", default={})
    start, where = tree.Node(0, 0), "'implicitExtensions' of bicepconfig.json"
    for name in names:
        if name == "sys":
            report.error("BCP419", start, f"'sys' is always there, and cannot stand in {where}", "Remove it there.")
        elif name in declared:
            pass
        elif name not in configured and name not in BUILT_IN:
            help = "Add it there, or remove it."
            message = f"'{name}' stands in {where}, and 'extensions' does not say what it is"
            report.error("BCP397", start, message, help)
        elif name not in BUILT_IN and configured[name] == "builtin:":
            _not_built_in(start, name, report)


def _not_built_in(place: tree.Node, name: str, report: Report, spec: tree.Node | None = None) -> None:
    if name.lower() == _GRAPH.lower():
        edits = (Edit(spec.span, f"'{_GRAPH_TYPES}'"),) if spec is not None else ()
        fix = Fix("Take its types from their registry", edits, Safety.UNSAFE) if edits else None
        message = f"'{_GRAPH}' no longer comes with Bicep: its types are in a registry"
        report.error("BCP407", place, message, f"Write '{_GRAPH_TYPES}'.", fix=fix)
        return
    message = f"No extension '{name}' comes with Ulna, as bicepconfig.json has it"
    report.error("BCP398", place, message, "Write where its types are instead of 'builtin:'.")


def _named(model: Model, statement: tree.Extension, spec: tree.Name, report: Report) -> None:
    configured = model.config.get("extensions", default={})
    if not spec.text or spec.text in BUILT_IN:
        return
    if spec.text in configured:
        if configured[spec.text] == "builtin:":
            _not_built_in(statement, spec.text, report, spec)
        return
    if spec.text.lower() == _GRAPH.lower():
        _not_built_in(spec, spec.text, report, spec)
        return
    known = sorted({*BUILT_IN, *configured})
    near = suggestion(spec.text, known)
    help = (
        f"Did you mean '{near}'?"
        if near
        else f"Known are {', '.join(known)}; others go to 'extensions' of bicepconfig.json."
    )
    report.error("BCP204", spec, f"There is no extension '{spec.text}'", help)
