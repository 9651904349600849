"""The script for fish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.cli.completion.words import Choice, Shape


def script(shapes: Iterable[Shape]) -> str:
    """One `complete` line a verb and option."""
    return "\n".join(_lines(list(shapes))) + "\n"


def _lines(shapes: list[Shape]) -> Iterator[str]:
    yield "# completion of ulna for fish: ulna completion fish > ~/.config/fish/completions/ulna.fish"
    yield "complete -c ulna -f"
    for shape in shapes:
        yield f"complete -c ulna -n __fish_use_subcommand -a {shape.verb} -d {_quoted(shape.summary)}"
    for shape in shapes:
        seen = f"-n '__fish_seen_subcommand_from {shape.verb}'"
        for option in shape.options:
            flags = " ".join(f"-l {f[2:]}" if f.startswith("--") else f"-s {f[1:]}" for f in option.flags)
            yield f"complete -c ulna {seen} {flags}{_value(option)} -d {_quoted(option.help)}"
        for positional in shape.positionals[:1]:
            match positional.value:
                case "file":
                    yield f"complete -c ulna {seen} -a '(__fish_complete_suffix .bicep; __fish_complete_suffix .json)'"
                case "words":
                    yield f"complete -c ulna {seen} -a {_quoted(' '.join(positional.words))}"
                case _:
                    pass


def _value(option: Choice) -> str:
    match option.value:
        case "":
            return ""
        case "words":
            return f" -x -a {_quoted(' '.join(option.words))}"
        case "environment":
            return " -x -a '(ulna env list --format names 2>/dev/null)'"
        case "folder":
            return " -x -a '(__fish_complete_directories)'"
        case "file":
            return " -r -F"
        case _:
            return " -x"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
