"""The scope a file is deployed at."""

from __future__ import annotations

from engine.check.model import Model
from engine.check.report import Report
from engine.parse import tree

SCOPES = ("resourceGroup", "subscription", "managementGroup", "tenant")


def read_target_scope(model: Model, report: Report) -> None:
    """Sets `target_scope` by the one statement that says it."""
    statements = [s for s in model.file.statements if isinstance(s, tree.TargetScope)]
    if len(statements) > 1:
        for statement in statements:
            report.error("BCP112", statement.keyword, "The target scope is set more than once", "Keep one of them.")
    allowed = (*SCOPES, "local") if model.config.feature("localDeploy") else SCOPES
    for statement in statements:
        value = statement.value
        if isinstance(value, tree.Broken):
            continue
        literal = value.literal if isinstance(value, tree.Text) else None
        if literal is None:
            report.error("BCP033", value, "The target scope must be a plain string")
        elif literal in allowed:
            model.target_scope = literal
        else:
            help = "It is one of " + ", ".join(f"'{s}'" for s in allowed) + "."
            report.error("BCP033", value, f"There is no target scope '{literal}'", help)
