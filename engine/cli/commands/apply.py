"""Carry out a plan that 'ulna plan --out' saved.

It is refused if the state, a file or a parameter is not what the plan was made from: then plan again. Secure parameters
are not kept in a plan, so pass them again.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna plan app.bicep -e prod --out plan.json
  ulna apply plan.json
  ulna apply plan.json -p password=@password.txt
"""


def arguments(parser: Parser) -> None:
    """A plan, and what it does not hold."""
    parser.add_argument("plan", metavar="PLAN", help="a file that 'ulna plan --out' wrote")
    shared.parameters(parser)
    shared.state(parser, environment=False)
    shared.deadline(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Apply and tell."""
    from engine.cli.running import carry_out
    from engine.pipeline.deploying import apply

    given = tuple(options.parameters)
    return carry_out(
        lambda watch, control: apply(options.plan, given, options.state, watch, control), console, options.timeout
    )
