"""The files of the reference: what is in the tables and docstrings, as Markdown."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.cli.reference.page import fix_of, page_of

_GENERATED = "*Written by `python -m engine.cli.reference`; change the tables and docstrings, not this file.*\n"


def rules() -> str:
    """Every rule of the linter: a table, then a section each."""
    from engine.config.config import Config
    from engine.lint.run import all_rules
    from engine.lint.settings import severity

    rows = []
    for name, rule in sorted(all_rules().items()):
        level = severity(rule, Config()) or "off"
        rows.append(f"| [{name}](#{_anchor(_head(name))}) | {rule.category} | {level} | {fix_of(name) or ''} |")
    intro = (
        "Levels are set in `bicepconfig.json`, under `analyzers.core.rules.NAME.level`: off, info, warning or error. A line "
        "is silenced by `#disable-next-line NAME` before it.\nRules that begin with `ulna-` are Ulna's own, and off with "
        "`--strict-bicep`. A fix that is safe keeps what a file means."
    )
    table = "| rule | about | level | fix |\n|---|---|---|---|\n" + "\n".join(rows)
    sections = [page.markdown() for name in sorted(all_rules()) if (page := page_of(name)) is not None]
    return "\n".join([f"# Rules of the linter\n\n{_GENERATED}\n{intro}\n\n{table}\n", *sections])


def codes() -> str:
    """Every code of the language and of Ulna."""
    from engine.diagnostics.codes import registered
    from engine.diagnostics.codes_unsaid import reasons

    names = sorted(registered(), key=lambda code: (code[:3].lower() != "bcp", code))
    sections = [page.markdown() for code in names if (page := page_of(code)) is not None]
    intro = "Codes that begin with BCP are those of the Bicep language, those with ULN are Ulna's own. None changes its meaning."
    rows = "\n".join(f"| {code} | {reason} |" for code, reason in reasons().items())
    unsaid = f"## Codes of Bicep that Ulna never reports\n\n| code | why |\n|---|---|\n{rows}\n"
    return "\n".join([f"# Codes\n\n{_GENERATED}\n{intro}\n", *sections, unsaid])


def functions() -> str:
    """Every built-in function, by namespace."""
    from engine.check.functions.lookup import NAMESPACES
    from engine.check.functions.signature import Trait
    from engine.lsp.describe import overload_signature
    from engine.lsp.words import function_word

    notes = {
        Trait.COMPILE_TIME: "Worked out while compiling.",
        Trait.INLINE: "Worked out while the deployment runs.",
        Trait.DEFAULT_ONLY: "Only in the default of a parameter.",
        Trait.PARAMS_ONLY: "Only in a `.bicepparam` file.",
        Trait.LITERAL_PATH: "Its path is relative to the file, and a plain string.",
        Trait.DEPRECATED: "Deprecated.",
        Trait.SECURE: "What it gives is a secret.",
    }
    lines = [f"# Functions\n\n{_GENERATED}"]
    for namespace, table in NAMESPACES.items():
        lines.append(f"## Namespace {namespace}\n")
        for name in sorted(table):
            function = table.get(name)
            assert function is not None, "it is in the table"
            word = function_word(name)
            calls = "\n".join(overload_signature(name, o, word)[0] for o in function.overloads)
            said = " ".join([word.text, *(notes[t] for t in Trait if t in function.traits)]).strip()
            lines.append(f"### {name}\n\n```bicep\n{calls}\n```\n" + (f"\n{said}\n" if said else ""))
    return "\n".join(lines)


def decorators() -> str:
    """Every decorator, and what it can stand before."""
    from engine.check.functions.decorators import DECORATORS, FEATURES, TARGETS, Target
    from engine.lsp.describe import overload_signature
    from engine.lsp.words import DECORATORS as WORDS

    kinds = [k for k in vars(Target) if k.isupper() and k != "OTHER"]
    lines = [f"# Decorators\n\n{_GENERATED}"]
    for name in sorted(DECORATORS):
        decorator = DECORATORS.get(name)
        assert decorator is not None, "it is in the table"
        word = WORDS[name]
        calls = "\n".join("@" + overload_signature(name, o, word, returns=False)[0] for o in decorator.overloads)
        before = ", ".join(k.lower() for k in kinds if TARGETS[name] & getattr(Target, k))
        feature = f" An experiment: `experimentalFeaturesEnabled.{FEATURES[name]}`." if name in FEATURES else ""
        lines.append(f"## {name}\n\n```bicep\n{calls}\n```\n\n{word.text} Before: {before}.{feature}\n")
    return "\n".join(lines)


def commands() -> str:
    """Every verb, with its options."""
    from engine.cli.main import load
    from engine.cli.parser import Parser
    from engine.cli.verbs import GROUPS

    lines = [
        f"# Commands\n\n{_GENERATED}\nExit codes: 0 all went well, 1 something failed, 2 the call was wrong, 130 interrupted.\n"
    ]
    for title, verbs in GROUPS.items():
        lines.append(f"## {title}\n")
        for verb in verbs:
            command = load(verb)
            parser = Parser(verb.name, command.__doc__ or "", command.EXAMPLES)
            command.arguments(parser)
            also = f"\nAlso: {', '.join(f'`ulna {alias}`' for alias in verb.aliases)}.\n" if verb.aliases else ""
            rows = "\n".join(_option(a) for a in parser._actions if a.help != argparse.SUPPRESS)
            lines.append(
                f"### ulna {verb.name}\n\n{(command.__doc__ or '').strip()}\n{also}\n"
                f"| option | meaning |\n|---|---|\n{rows}\n\n```sh\n{_examples(command.EXAMPLES)}```\n"
            )
    return "\n".join(lines)


def settings() -> str:
    """Every key of `bicepconfig.json`, with what holds by default."""
    from engine.config.defaults import DEFAULTS
    from engine.config.keys import IDLE, SHAPE

    rows = "\n".join(f"| `{path}` | {kind} | {_default(path, DEFAULTS)} |" for path, kind in _keys(SHAPE, ""))
    intro = (
        "The nearest `bicepconfig.json` upward from a file holds for it, merged key by key over what it `extends`, and that over\n"
        "the defaults. Comments and trailing commas are fine. What is wrong with one is a finding."
    )
    idle = "\n".join(f"- `{key}`: {why}" for key, why in IDLE.items())
    table = f"| key | value | default |\n|---|---|---|\n{rows}\n"
    return f"# bicepconfig.json\n\n{_GENERATED}\n{intro}\n\n{table}\nKnown, and without meaning here:\n\n{idle}\n"


PAGES: dict[str, Callable[[], str]] = {
    "rules.md": rules,
    "codes.md": codes,
    "functions.md": functions,
    "decorators.md": decorators,
    "commands.md": commands,
    "settings.md": settings,
}
"""The files, by name."""


def _head(code: str) -> str:
    page = page_of(code)
    assert page is not None, "every rule has a page"
    return page.head


def _anchor(head: str) -> str:
    """How GitHub calls a heading."""
    kept = (c for c in head.lower() if c.isalnum() or c in " -_")
    return "".join("-" if c == " " else c for c in kept)


def _option(action: argparse.Action) -> str:
    value = action.metavar or (f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper())
    shown = "" if action.nargs == 0 else f" {value}"
    names = ", ".join(f"`{flag}{shown}`" for flag in action.option_strings) or f"`{value}`"
    help = (action.help or "").replace("|", "\\|")
    return f"| {names.replace('|', chr(92) + '|')} | {help} |"


def _examples(text: str) -> str:
    return "".join(f"{line.removeprefix('  ')}\n" for line in text.rstrip("\n").split("\n"))


_WORDS = {str: "text", int: "whole number", bool: "true or false"}


def _keys(shape: Mapping[str, Any], above: str) -> Iterator[tuple[str, str]]:
    """Every path of keys that ends in a value, and what that may be."""
    for key, inner in shape.items():
        path = f"{above}{'NAME' if key in ('*', '?') else key}"
        match inner:
            case dict():
                yield from _keys(inner, f"{path}.")
            case list():
                if isinstance(inner[0], dict):
                    yield from _keys(inner[0], f"{path}[].")
                else:
                    yield path, f"list of: {_kind(inner[0])}"
            case _:
                yield path, _kind(inner)


def _kind(shape: Any) -> str:
    if isinstance(shape, tuple):
        return ", ".join(shape)
    return "anything" if shape is None else _WORDS[shape]


def _default(path: str, defaults: Any) -> str:
    import json

    for key in path.split("."):
        if not isinstance(defaults, Mapping) or key not in defaults:
            return ""
        defaults = defaults[key]
    return f"`{json.dumps(defaults)}`"
