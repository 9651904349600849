"""What is said about the configuration of the rules itself: which one it is, for those who ask, and rules that it misspells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from engine.check.model import Model
from engine.config.config import Config
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source, Span
from engine.diagnostics.suggest import did_you_mean
from engine.sources.jsonc import Malformed, Places
from engine.sources.port import Unreadable
from engine.sources.text import read_text

CODE = "linter-configuration"
ELSEWHERE = frozenset(
    {
        "no-conflicting-version-constraints",
        "no-incompatible-entrypoint-version",
        "no-loose-entrypoint-version",
        "stacks-extensibility-compat",
        "use-recent-api-versions",
        "use-recent-module-versions",
        "use-secure-value-for-secure-inputs",
        "BCP318",
    }
)
"""Names that other tools know: a configuration for them is right, whether there is a rule here or not."""


def configured(model: Model, config: Config, rules: Iterable[str]) -> Iterator[Diagnostic]:
    """What is said before the rules are asked."""
    if config.get("analyzers", "core", "verbose") is True:
        used = f"the configuration '{config.shown}'" if config.path else "the defaults: no bicepconfig.json is above it"
        place = Label(model.source, Span(0, 0))
        yield Diagnostic(CODE, Severity.INFO, f"Rules and levels are those of {used}", place)
    named = config.get("analyzers", "core", "rules")
    if config.path is None or not isinstance(named, Mapping):
        return
    known = {*rules, *ELSEWHERE}
    for name in named:
        if name not in known:
            message = f"There is no rule '{name}', so its settings have no effect"
            help = did_you_mean(name, known) or "Rules are listed by 'ulna explain'."
            yield Diagnostic("ULN020", Severity.WARNING, message, _place(model, config, name), help=help)


def _place(model: Model, config: Config, name: str) -> Label | None:
    """Where a rule is named, in the nearest file or not known: it may stand in one that this extends."""
    if model.sources is None or config.path is None:
        return None
    with suppress(Unreadable, Malformed):
        places = Places(Source(config.shown, read_text(model.sources, config.path)))
        return places.get("/analyzers/core/rules/" + name.replace("~", "~0").replace("/", "~1"))
    return None
