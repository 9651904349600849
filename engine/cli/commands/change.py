"""Set properties of a resource of a run, until its file changes them or the run ends."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna change api container.env.LEVEL.value=debug
  ulna change api 'container.args=["-v"]'                values may be JSON
"""


def arguments(parser: Parser) -> None:
    """Which, and what."""
    shared.resource(parser)
    parser.add_argument("values", metavar="PATH=VALUE", nargs="+", help="a dotted path, and a text or JSON")
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the run, and tell."""
    from engine.cli.asking import running, tell_batch, values

    change = {"name": options.name, "set": values(options.values)}
    return tell_batch(running(options).post("/api/edit", {"change": change}), console)
