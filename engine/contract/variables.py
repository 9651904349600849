"""`$(NAME)` in commands, arguments and variables, as Kubernetes has it: `$$` is a dollar sign, an unknown name stays."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.contract.value import Value, compose

_REFERENCE = re.compile(r"\$\$|\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)")


def resolve(env: Mapping[str, Value]) -> dict[str, Value]:
    """The variables with references to each other replaced; those that refer to themselves, at any remove, stay."""
    done: dict[str, Value] = {}
    open_names: set[str] = set()

    def value(name: str) -> Value:
        if name not in done:
            if name in open_names:
                return f"$({name})"
            open_names.add(name)
            done[name] = _replace(env[name], lambda n: value(n) if n in env else None)
            open_names.discard(name)
        return done[name]

    return {name: value(name) for name in env}


def expand(text: Value, env: Mapping[str, Value]) -> Value:
    """A text with references replaced by resolved variables."""
    return _replace(text, env.get)


def _replace(text: Value, lookup: object) -> Value:
    assert callable(lookup)
    if not isinstance(text, str) or "$" not in text:
        return text
    template, at = "", 0
    arguments: list[Value] = []
    for match in _REFERENCE.finditer(text):
        template += _literal(text[at : match.start()])
        at = match.end()
        found = lookup(match[1]) if match[1] else None
        if match[1] is None:
            template += "$"
        elif found is None:
            template += _literal(match[0])
        else:
            template += f"{{{len(arguments)}}}"
            arguments.append(found)
    template += _literal(text[at:])
    return arguments[0] if template == "{0}" else compose(template, *arguments)


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
