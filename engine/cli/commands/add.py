"""Add what a file declares to a run, beside what its own file declares.

It stays when the run's file changes, and goes when it is removed.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna add redis.bicep
"""


def arguments(parser: Parser) -> None:
    """A file."""
    parser.add_argument("file", metavar="FILE", help="a .bicep file, or an ARM template (.json)")
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the run, and tell."""
    from engine.cli.asking import running, tell_batch

    return tell_batch(running(options).post("/api/edit", {"add": options.file}), console)
