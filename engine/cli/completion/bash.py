"""The script for bash."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cli.completion.words import Choice, Shape

_ENVIRONMENTS = "$(ulna env list --format names 2>/dev/null)"


def script(shapes: Iterable[Shape]) -> str:
    """A function `_ulna`, and the line that ties it to the command."""
    known = list(shapes)
    verbs = " ".join([*(s.verb for s in known), "help"])
    blocks = "".join(_verb(shape) for shape in known)
    return f"""\
# completion of ulna for bash: source <(ulna completion bash)
_ulna_files() {{
    local kind
    COMPREPLY=($(compgen -d -- "$current"))
    for kind in bicep bicepparam json; do COMPREPLY+=($(compgen -f -X "!*.$kind" -- "$current")); done
}}
_ulna() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" verb="${{COMP_WORDS[1]}}"
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W "{verbs} --help --version" -- "$current"))
        return
    fi
    case "$verb" in
{blocks}    help) COMPREPLY=($(compgen -W "{verbs}" -- "$current")) ;;
    esac
}}
complete -o bashdefault -o filenames -F _ulna ulna
"""


def _verb(shape: Shape) -> str:
    flags = " ".join(f for option in shape.options for f in option.flags)
    values = "".join(_value(option) for option in shape.options if option.value)
    rest = "\n".join(f"            {line}" for line in _positionals(shape))
    return f"""\
    {shape.verb})
        case "$previous" in
{values}        *)
            if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "{flags}" -- "$current")); return; fi
{rest}
            ;;
        esac
        ;;
"""


def _value(option: Choice) -> str:
    return f"        {'|'.join(option.flags)}) {_reply(option)} ;;\n"


def _positionals(shape: Shape) -> list[str]:
    replies = [_reply(p) for p in shape.positionals if p.value in ("file", "words", "folder")]
    return replies[:1] or [":"]


def _reply(choice: Choice) -> str:
    match choice.value:
        case "words":
            return f'COMPREPLY=($(compgen -W "{" ".join(choice.words)}" -- "$current"))'
        case "environment":
            return f'COMPREPLY=($(compgen -W "{_ENVIRONMENTS}" -- "$current"))'
        case "folder":
            return 'COMPREPLY=($(compgen -d -- "$current"))'
        case "file":
            return "_ulna_files"
        case _:
            return ":"
