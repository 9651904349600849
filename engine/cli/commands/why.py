"""Say why a resource is not what it is meant to be: for what it waits, or why it failed.

The answer comes from the functions that decide it, asked anew. Works without a run too.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna why web
  ulna why app/web/web-0 -e staging
"""


def arguments(parser: Parser) -> None:
    """Whom."""
    shared.resource(parser)
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Tell the reasons; 0 where there are none."""
    from engine.cli.asking import lives
    from engine.pipeline.looking import why
    from engine.pipeline.request import Where

    client = lives(options)
    where = Where(None, options.environment, options.state)
    reasons = client.get("/api/why", name=options.name)["why"] if client is not None else list(why(where, options.name))
    if console.json:
        console.document({"name": options.name, "why": reasons})
    elif not reasons:
        console.line(f"'{options.name}' is as it is meant to be.")
    for reason in reasons if not console.json else ():
        console.line(reason)
    return 1 if reasons else 0
