"""Which rules are on, and at which level."""

from __future__ import annotations

from engine.config.config import Config
from engine.diagnostics.diagnostic import Severity
from engine.lint.rule import Category, Rule

DEFAULTS = {
    Category.BEST_PRACTICE: "warning",
    Category.POTENTIAL_ISSUE: "warning",
    Category.SECURITY: "warning",
    Category.STYLE: "warning",
    Category.PORTABILITY: "off",
    Category.LOCATION: "off",
    Category.DEPLOYMENT_ERROR: "error",
    Category.STACKS: "info",
}


def enabled(config: Config) -> bool:
    """Whether there is any linting at all."""
    return config.get("analyzers", "core", "enabled", default=True) is not False


def severity(rule: Rule, config: Config) -> Severity | None:
    """The level of a rule's findings; None if it is off."""
    level = config.get("analyzers", "core", "rules", rule.code, "level")
    if not isinstance(level, str):
        level = rule.level or DEFAULTS[rule.category]
    level = level.lower()
    return Severity(level) if level in ("error", "warning", "info") else None
