"""The last commands that were given to a run, and what became of them."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna operations
  ulna operations --format json | jq '.operations[-1].result'
"""


def arguments(parser: Parser) -> None:
    """Nothing but where."""
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """List them."""
    from engine.live.rows import operation
    from engine.pipeline.preparing import open_store
    from engine.pipeline.target import choose
    from engine.plan.text import excerpt

    store = open_store(options.state)
    target = choose(store, options.environment, None)
    found = [operation(o) for o in store.state(target.partition).operations.values()]
    if console.json:
        console.document({"operations": found})
        return 0
    rows = [(o["id"], o["command"], o["target"], o["progress"], excerpt(o["message"])) for o in found]
    if rows:
        console.table(("ID", "COMMAND", "OF", "PROGRESS", "MESSAGE"), rows)
    else:
        console.line("No command was given yet.")
    return 0
