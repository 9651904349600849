"""Restart a resource of a run, and wait until it is ready again."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna restart api
  ulna restart api -e staging
  ulna restart api --with-dependants
"""


def arguments(parser: Parser) -> None:
    """Whom."""
    shared.resource(parser)
    parser.add_argument("--with-dependants", action="store_true", help="and what runs and waits for it")
    shared.state(parser)
    shared.operation(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the run, and tell."""
    from engine.cli.asking import act

    return act("restart", options, console, withDependants=options.with_dependants)
