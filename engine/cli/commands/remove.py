"""Remove resources from a run, with all that was made of them."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna remove redis
"""


def arguments(parser: Parser) -> None:
    """Which."""
    parser.add_argument("names", metavar="NAME", nargs="+", help="a resource")
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the run, and tell."""
    from engine.cli.asking import running, tell_batch

    return tell_batch(running(options).post("/api/edit", {"remove": options.names}), console)
