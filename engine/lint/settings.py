"""Which rules are on, and at which level."""

from __future__ import annotations

from engine.check.model import Model
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
    Category.PLATFORM: "warning",
    Category.COMPATIBILITY: "off",
}

STRICT = "ULNA_STRICT_BICEP"
"""The variable that asks for Bicep as it is, whatever the configuration says."""


def enabled(config: Config) -> bool:
    """Whether there is any linting at all."""
    return config.get("analyzers", "core", "enabled", default=True) is not False


def strict(model: Model, config: Config) -> bool:
    """Whether a file shall be Bicep as it is: by `ulna.strictBicep`, or a variable."""
    if config.get("ulna", "strictBicep") is True:
        return True
    asked = model.sources.environment(STRICT) if model.sources is not None else None
    return (asked or "").lower() in ("1", "true")


def severity(rule: Rule, config: Config, strict: bool = False) -> Severity | None:
    """The level of a rule's findings; None if it is off.

    Where Bicep is meant strictly our own rules are off, but for those that tell what is not Bicep.
    """
    compatible = rule.category is Category.COMPATIBILITY
    if rule.ours and strict is not compatible:
        return None
    level = config.get("analyzers", "core", "rules", rule.code, "level")
    if not isinstance(level, str):
        level = "warning" if compatible else rule.level or DEFAULTS[rule.category]
    level = level.lower()
    return Severity(level) if level in ("error", "warning", "info") else None
