"""The environments there are, with their kind and how much is deployed to each."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna env list
  ulna env list --format names                          for scripts: one name a line
"""


def arguments(parser: Parser) -> None:
    """What to do with them."""
    parser.add_argument("action", choices=("list",), nargs="?", default="list", metavar="list", help="show them")
    shared.state(parser, environment=False)
    shared.common(parser, ("text", "json", "names"))


def run(options: Namespace, console: Console) -> int:
    """List them."""
    from engine.pipeline.preparing import open_store
    from engine.pipeline.target import environments

    store = open_store(options.state)
    found = environments(store)
    rows = []
    for name, environment in sorted(found.items()):
        state = store.state(name)
        rows.append((name, environment.kind, len(state.deployments), len(state.entries)))
    match options.format:
        case "json":
            keys = ("name", "kind", "deployments", "resources")
            console.document({"environments": [dict(zip(keys, row, strict=True)) for row in rows]})
        case "names":
            console.write("".join(f"{row[0]}\n" for row in rows))
        case _ if not rows:
            console.line("There is no environment yet; the first deploy makes one called 'default', of kind process.")
        case _:
            console.table(("ENVIRONMENT", "KIND", "DEPLOYMENTS", "RESOURCES"), [tuple(map(str, r)) for r in rows])
    return 0
