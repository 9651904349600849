"""Run another number of replicas of a container than its file says, for as long as the run lasts."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna scale api 3
"""


def arguments(parser: Parser) -> None:
    """Whom, and how many."""
    shared.resource(parser)
    parser.add_argument("replicas", metavar="N", type=int, help="how many")
    shared.state(parser)
    shared.operation(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the run, and tell."""
    from engine.cli.asking import act

    return act("scale", options, console, replicas=options.replicas)
