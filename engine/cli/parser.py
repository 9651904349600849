"""The parser of one verb: argparse, with errors and help in Ulna's manner."""

from __future__ import annotations

import argparse
import sys

from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.suggest import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import NoReturn

    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """Raises an `UlnaError` for a wrong call; its help begins with what the verb does and ends with examples."""

    def __init__(self, verb: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"ulna {verb}",
            description=description,
            epilog=f"examples:\n{examples.rstrip()}",
            formatter_class=_Layout,
            allow_abbrev=False,
            add_help=False,
        )
        self.verb = verb
        self._positionals.title = "arguments"
        self.add_argument("-h", "--help", action="help", help="show this help")

    def format_help(self) -> str:
        """With a usage line that names what must be there; the options are listed below it anyway."""
        places = [str(a.metavar or a.dest) for a in self._actions if not a.option_strings]
        required = [a.required for a in self._actions if not a.option_strings]
        words = (p if r else f"[{p}]" for p, r in zip(places, required, strict=True))
        self.usage = " ".join([f"ulna {self.verb} [OPTION]...", *words])
        return super().format_help()

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """To stdout; argparse's own would swallow that nobody reads it."""
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """A call that cannot be understood."""
        raise UlnaError.of("ULN701", _sentence(message), f"See 'ulna {self.verb} --help'.", exit_code=2)

    def parse(self, words: list[str]) -> argparse.Namespace:
        """The options in these words."""
        options, unknown = self.parse_known_args(words)
        if unknown:
            word = unknown[0]
            if word.startswith("-"):
                flags = [f for f in self._option_string_actions if f.startswith("--")]
                near = did_you_mean(word.partition("=")[0], flags)
                message = f"'ulna {self.verb}' has no option '{word.partition('=')[0]}'"
            else:
                near, message = "", f"'ulna {self.verb}' does not know what to do with '{word}'"
                file = next((w for w in words if w.endswith((".bicep", ".bicepparam"))), None)
                if file and "--file" in self._option_string_actions:
                    near = f"The file is given with '--file {file}'."
            raise UlnaError.of("ULN702", message, near or f"See 'ulna {self.verb} --help'.", exit_code=2)
        return options


class _Layout(argparse.RawDescriptionHelpFormatter):
    """Wide enough for one line an option; the value's name once for all spellings of an option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=118)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


def _sentence(message: str) -> str:
    """What argparse says, as Ulna would."""
    if message.startswith("argument "):
        option, _, problem = message.removeprefix("argument ").partition(": ")
        if problem == "expected one argument":
            return f"{option} needs a value"
        return f"{option}: {problem}"
    if message.startswith("the following arguments are required: "):
        return f"{message.rpartition(': ')[2]} is missing"
    return message
