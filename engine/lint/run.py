"""The entry: all rules that are on, over one model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.check.model import Model
from engine.check.suppress import Suppressions
from engine.config.config import Config
from engine.diagnostics.diagnostic import Diagnostic, Label
from engine.diagnostics.source import Span
from engine.lint.rule import RULES, Rule
from engine.lint.settings import enabled, severity, strict


def lint(model: Model, config: Config | None = None) -> tuple[Diagnostic, ...]:
    """What the rules find in one file, from top to bottom; `#disable-…` lines are heeded.

    The levels are those of `config`, or else of the model's own configuration.
    """
    return tuple(sorted((d for found in by_rule(model, config) for d in found), key=lambda d: d.sort_key))


def by_rule(model: Model, config: Config | None = None) -> Iterator[Iterable[Diagnostic]]:
    """The same in no order: what is wrong with the settings, then what each rule finds."""
    config = config or model.config
    if not enabled(config):
        return
    all_rules()
    if config.path is not None or config.get("analyzers", "core", "verbose"):
        from engine.lint.configured import configured

        yield configured(model, config, RULES)
    suppressed = Suppressions(model.file)
    only_bicep = strict(model, config)
    for rule in RULES.values():
        level = severity(rule, config, only_bicep)
        if level is None:
            continue
        found: dict[tuple[int, int, str], Diagnostic] = {}
        for place, message, *rest in rule.check(model):
            label = Label(model.source, Span(place.start, place.end))
            tags = (rule.tag,) if rule.tag else ()
            repair, help = (*rest, None, None)[:2]
            diagnostic = Diagnostic(rule.code, level, message, label, fix=repair, help=help or "", tags=tags)
            if not suppressed.covers(diagnostic):
                found.setdefault((place.start, place.end, message), diagnostic)
        yield found.values()


def all_rules() -> dict[str, Rule]:
    """Every rule by name; their modules are the files of the folder `rules`."""
    import engine.lint.every  # noqa: F401  when the first file is linted, not when someone asks for a level

    return RULES


def lint_all(model: Model) -> tuple[Diagnostic, ...]:
    """What the rules find in a file and the files it uses, each by its own configuration."""
    return tuple(d for each in model.everything() for d in lint(each))
