"""What a code such as BCP057, ULN605 or no-unused-params means, and what to do about it."""

from __future__ import annotations

from argparse import Namespace

from engine.cli import options as shared
from engine.cli.console import Console
from engine.cli.parser import Parser
from engine.diagnostics.diagnostic import UlnaError

EXAMPLES = """\
  ulna explain BCP057
  ulna explain no-unused-params
"""


def arguments(parser: Parser) -> None:
    """The code."""
    parser.add_argument("code", metavar="CODE", help="a code as diagnostics show it")
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Look it up."""
    raise UlnaError.of("ULN707", f"There is no code '{options.code}'", exit_code=2)
