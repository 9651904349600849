"""`ulna`: finds the verb, builds the parser of that verb alone, runs it, and turns whatever goes wrong into words."""

from __future__ import annotations

import atexit
import gc
import os
import sys

from engine.cli.guard import guarded
from engine.cli.imports import quick
from engine.cli.verbs import ALIASES, VERBS, Verb, find, overview

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds, and `--help` and `version` need nothing of it
    from collections.abc import Sequence
    from types import ModuleType
    from typing import NoReturn


def program() -> NoReturn:
    """The installed command: `main`, and out without taking the interpreter apart, which costs as much as a small file."""
    finder = quick(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1] in VERBS else None
    code = main()
    if finder is not None:
        finder.done()
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process at once, unless something of it still runs."""
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        sys.exit(code)
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # nobody reads it any more, and the code says how it went
        os._exit(code or 1)
    os._exit(code)


def main(words: Sequence[str] | None = None) -> int:
    """Runs one call and gives its exit code: 0 well, 1 failed, 2 wrong call, 130 interrupted."""
    gc.set_threshold(100_000, 50, 100)  # a compiler makes many objects that live as long as it does
    arguments = list(sys.argv[1:] if words is None else words)
    first = arguments[0] if arguments else "--help"
    if first in ("-h", "--help") or arguments == ["help"]:
        return guarded(lambda: _print(overview()), arguments)
    if first == "help":
        arguments = [arguments[1], "--help"]
    elif first in ("--version", "-V"):
        arguments = ["version", *arguments[1:]]
    return guarded(lambda: _run(arguments), arguments)


def _run(arguments: list[str]) -> int:
    verb = find(arguments[0])
    if verb is None:
        _unknown(arguments[0])
    command = load(verb)
    code: int
    if verb.name == "version" and len(arguments) == 1:
        code = command.show()  # the quickest of all
        return code
    from engine.cli.console import Console
    from engine.cli.plain import read
    from engine.diagnostics.diagnostic import UlnaError

    options = read(command.arguments, arguments[1:])
    if options is None:
        from engine.cli.parser import Parser

        parser = Parser(arguments[0], command.__doc__ or "", command.EXAMPLES)
        command.arguments(parser)
        options = parser.parse(arguments[1:])
    console = Console.of(options)
    try:
        code = command.run(options, console)
    except UlnaError as error:
        console.diagnostics(error.diagnostics)
        code = error.exit_code
    return code


def load(verb: Verb) -> ModuleType:
    """The module that runs a verb: its docstring describes it, `EXAMPLES`, `arguments(parser)` and `run(options, console)`."""
    module: ModuleType = __import__(f"engine.cli.commands.{verb.module}", fromlist=["run"])
    return module


def _unknown(word: str) -> NoReturn:
    from engine.diagnostics.diagnostic import UlnaError
    from engine.diagnostics.suggest import did_you_mean

    if word.startswith("-"):
        help = f"Options follow the verb: ulna VERB {word}; 'ulna --help' lists the verbs."
        raise UlnaError.of("ULN703", f"'{word}' is no verb", help, exit_code=2)
    help = did_you_mean(word, [*VERBS, *ALIASES]) or "'ulna --help' lists the verbs."
    raise UlnaError.of("ULN703", f"Ulna has no verb '{word}'", help, exit_code=2)


def _print(text: str) -> int:
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    program()
