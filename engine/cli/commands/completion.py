"""Print a script that completes verbs, options and values in your shell.

It is made from the same descriptions that the verbs parse with, so it knows every option they know.
"""

from __future__ import annotations

from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  source <(ulna completion bash)                        in ~/.bashrc
  ulna completion zsh > "${fpath[1]}/_ulna"             then start a new shell
  ulna completion fish > ~/.config/fish/completions/ulna.fish
"""


def arguments(parser: Parser) -> None:
    """The shell."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def run(options: Namespace, console: Console) -> int:
    """Print the script."""
    from engine.cli.completion import bash, fish, zsh
    from engine.cli.completion.words import shapes

    match options.shell:
        case "bash":
            console.write(bash.script(shapes()))
        case "zsh":
            console.write(zsh.script(shapes()))
        case _:
            console.write(fish.script(shapes()))
    return 0
