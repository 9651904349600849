"""The script for zsh."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cli.completion.words import Choice, Shape


def script(shapes: Iterable[Shape]) -> str:
    """A completion function for a folder of `fpath`."""
    known = list(shapes)
    verbs = "\n".join(f"            {_quoted(f'{s.verb}:{s.summary}')}" for s in known)
    blocks = "".join(_verb(s) for s in known)
    return f"""\
#compdef ulna
# completion of ulna for zsh: ulna completion zsh > "${{fpath[1]}}/_ulna"
_ulna_environments() {{
    local -a names
    names=(${{(f)"$(ulna env list --format names 2>/dev/null)"}})
    compadd -a names
}}
_ulna() {{
    local -a verbs
    if (( CURRENT == 2 )); then
        verbs=(
{verbs}
        )
        _describe 'verb' verbs
        return
    fi
    local verb=$words[2]
    shift words
    (( CURRENT-- ))
    case $verb in
{blocks}    esac
}}
_ulna "$@"
"""


def _verb(shape: Shape) -> str:
    specs = [spec for option in shape.options for spec in _option(option)]
    specs += [f"{n}::{_value(p)}" if p.value != "text" else f"{n}:: :" for n, p in enumerate(shape.positionals, 1)]
    lines = " \\\n".join(f"            {_quoted(spec)}" for spec in specs)
    return f"    {shape.verb})\n        _arguments \\\n{lines}\n        ;;\n"


def _option(option: Choice) -> list[str]:
    help = option.help.replace("[", "(").replace("]", ")").replace(":", " ")
    value = f":{_value(option)}" if option.value else ""
    return [f"*{flag}[{help}]{value}" for flag in option.flags]


def _value(choice: Choice) -> str:
    match choice.value:
        case "words":
            return f"value:({' '.join(choice.words)})"
        case "environment":
            return "environment:_ulna_environments"
        case "folder":
            return "folder:_files -/"
        case "file":
            return 'file:_files -g "*.(bicep|bicepparam|json)"'
        case _:
            return "value: "


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
