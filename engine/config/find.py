"""The nearest `bicepconfig.json` upward from a file, with what it extends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from engine.config.config import Config, merge
from engine.config.keys import problems
from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.source import Source, Span
from engine.diagnostics.suggest import did_you_mean
from engine.sources.jsonc import Malformed, Places, load
from engine.sources.port import Sources, Unreadable
from engine.sources.text import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

NAME = "bicepconfig.json"
CHAIN = 64
"""No chain of `extends` is longer."""


def find_config(path: str, sources: Sources, shown: Callable[[str], str] = str) -> Config:
    """The settings for the file at `path`: the defaults, where no configuration file is above it.

    `shown` says how people would write a path.
    """
    folder = path
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        candidate = f"{folder}/{NAME}"
        if sources.exists(candidate) or sources.blocked(candidate):
            return read_config(candidate, sources, shown)
    return Config()


def read_config(path: str, sources: Sources, shown: Callable[[str], str] = str) -> Config:
    """The settings of one configuration file, merged over those it extends."""
    found: list[Diagnostic] = []
    layers: list[Mapping[str, Any]] = []
    chain: list[str] = []
    at: str | None = path
    label: Label | None = None
    while at is not None:
        if at in chain:
            found.append(_problem("BCP454", f"'{shown(at)}' extends itself, directly or through others", label))
            break
        if len(chain) == CHAIN:
            found.append(_problem("BCP455", f"More than {CHAIN} configurations extend each other", label))
            break
        chain.append(at)
        try:
            source = Source(shown(at), read_text(sources, at))
            settings = load(source)
        except Unreadable as problem:
            code = "BCP453" if label else "BCP272"
            found.append(_problem(code, f"The configuration '{shown(at)}' cannot be read: {problem.reason}", label))
            break
        except Malformed as problem:
            found.append(
                _problem(
                    "BCP271", f"The configuration is not valid JSON: {problem.message}", Label(source, problem.span)
                )
            )
            break
        if not isinstance(settings, Mapping):
            found.append(_problem("BCP271", "A configuration must be a JSON object", Label(source, Span(0, 1))))
            break
        places = Places(source)
        found += problems(settings, places)
        layers.append(
            {k: _located(v, at, sources) if k == "ulna" else v for k, v in settings.items() if k != "extends"}
        )
        base = settings.get("extends")
        label = places.get("/extends") if base is not None else None
        if isinstance(base, str) and (not base or base.startswith(("/", "\\")) or base[1:2] == ":"):
            found.append(_problem("BCP453", f"'{base}' is no relative path, so it cannot be extended", label))
            break
        at = sources.resolve(at, base.replace("\\", "/")) if isinstance(base, str) else None
    merged: Mapping[str, Any] = {}
    for layer in reversed(layers):
        merged = merge(merged, layer)
    config = Config(merged, path, tuple(found), shown(path))
    config.diagnostics += tuple(_profile(config, sources, path))
    return config


def _profile(config: Config, sources: Sources, path: str) -> Iterator[Diagnostic]:
    """That the cloud which is chosen is none of those described."""
    profiles, current = config.get("cloud", "profiles"), config.get("cloud", "currentProfile")
    if isinstance(current, str) and isinstance(profiles, Mapping) and current not in profiles:
        place = Places(Source(config.shown, read_text(sources, path))).get("/cloud/currentProfile")
        help = did_you_mean(current, profiles) or f"There are {', '.join(profiles)}."
        yield Diagnostic("ULN021", Severity.WARNING, f"There is no cloud profile '{current}'", place, help=help)


def _located(ours: Any, path: str, sources: Sources) -> Any:
    """Our own settings, with the paths in them seen from the root: files that extend this one may lie elsewhere."""
    if not isinstance(ours, Mapping):
        return ours
    paths = ("types", "typeNames", "moduleVersions")
    return {k: sources.resolve(path, v) if k in paths and isinstance(v, str) else v for k, v in ours.items()}


def _problem(code: str, message: str, place: Label | None) -> Diagnostic:
    return Diagnostic(code, Severity.ERROR, message, place)
