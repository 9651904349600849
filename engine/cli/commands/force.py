"""Start a resource of a run whatever it waits for, for this once."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna force api
  ulna force api -e staging
"""


def arguments(parser: Parser) -> None:
    """Whom."""
    shared.resource(parser)
    shared.state(parser)
    shared.operation(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the run, and tell."""
    from engine.cli.asking import act

    return act("force", options, console)
