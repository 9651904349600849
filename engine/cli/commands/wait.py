"""Wait until a resource of a run is ready, or everything is."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna wait api
  ulna wait --timeout 60                                until everything is ready
  ulna wait job --for completed
"""


def arguments(parser: Parser) -> None:
    """For what, and how long."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="the resource (default: all of them)")
    parser.add_argument(
        "--for",
        dest="condition",
        choices=("ready", "completed", "stopped", "gone"),
        default="ready",
        help="(default: ready)",
    )
    shared.state(parser)
    shared.deadline(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Wait; 1 where it does not come true."""
    from engine.cli.asking import running
    from engine.cli.waiting import wait

    return wait(running(options), options.name, options.condition, options.timeout, console)
