"""Carry out what a server has queued.

A worker needs the state of the server and nothing else of it: the same --state. It carries out four deployments at a
time, with its own credentials for the clouds. Ctrl-C (or SIGTERM) lets running calls finish; another worker then goes
on with what is left, as it does with what a worker left that was killed. It reads PGPASSWORD or ~/.pgpass; prefer the
file: processes that a deployment starts on this machine inherit the variables.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.commands.server import opened
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna worker                                           for the server whose state is the nearest .ulna
  ulna worker --state postgresql://ulna@db/ulna
"""


def arguments(parser: Parser) -> None:
    """Which state."""
    shared.state(parser, environment=False)
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Work until Ctrl-C."""
    store = opened(options)
    from engine.server.worker import Worker

    Worker(store, console.say).serve()
