"""Checks `extension` statements: what they name must be configured, or come with Ulna."""

from __future__ import annotations

from engine.check.model import Model
from engine.check.report import Report
from engine.check.spelling import suggestion
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.infer import Infer

BUILT_IN = ("aws", "az", "kubernetes", "radius", "ulna")


def check_extensions(model: Model, report: Report) -> None:
    """Every `extension` statement of the file."""
    seen: set[str] = set()
    for statement in model.file.statements:
        if not isinstance(statement, tree.Extension):
            continue
        spec = statement.spec
        if isinstance(spec, tree.Name):
            _named(model, spec, report)
        elif isinstance(spec, tree.Text) and statement.alias is None:
            report.error(
                "BCP423", spec, "An extension that is given by a path needs a name", "Write as someName after it."
            )
        name = statement.alias.text if statement.alias else spec.text if isinstance(spec, tree.Name) else ""
        if name in seen and name:
            report.error("BCP028", statement.alias or spec, f"Extension '{name}' is declared more than once")
        seen.add(name)


def check_configuration(infer: Infer, statement: tree.Extension) -> None:
    """What an extension is configured with, where it is known what it can be configured with."""
    spec = statement.spec
    if id(statement) in infer.model.extension_types or (isinstance(spec, tree.Name) and spec.text == "kubernetes"):
        from engine.check.extension_data import compare_configuration

        compare_configuration(infer, statement)


def _named(model: Model, spec: tree.Name, report: Report) -> None:
    configured = model.config.get("extensions", default={})
    if not spec.text or spec.text in configured or spec.text in BUILT_IN:
        return
    known = sorted({*BUILT_IN, *configured})
    near = suggestion(spec.text, known)
    help = (
        f"Did you mean '{near}'?"
        if near
        else f"Known are {', '.join(known)}; others go to 'extensions' of bicepconfig.json."
    )
    report.error("BCP204", spec, f"There is no extension '{spec.text}'", help)
