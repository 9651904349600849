"""What was submitted to a server: list, show, follow, cancel, retry.

'cancel' takes a deployment out of the queue; one that runs ends once its running calls have finished. 'retry' queues it
once more, with the files and parameters that were submitted; it goes on from what there is. What has ended is
remembered for 30 days.
"""

from __future__ import annotations

from typing import Any

from engine.cli import options as shared
from engine.cli.commands.submit import server
from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna deployments
  ulna deployments -e prod --format json
  ulna deployments follow 20261201-120000-123456-1a2b
  ulna deployments cancel 20261201-120000-123456-1a2b
"""

ACTIONS = ("list", "show", "follow", "cancel", "retry")


def arguments(parser: Parser) -> None:
    """What to do, and with which."""
    parser.add_argument("action", metavar="ACTION", nargs="?", choices=ACTIONS, default="list", help=", ".join(ACTIONS))
    parser.add_argument("id", metavar="ID", nargs="?", help="of a deployment, as 'submit' and 'list' tell it")
    server(parser)
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the server."""
    from engine.cli.following import follow, found, tell

    if options.action != "list" and options.id is None:
        help = "'ulna deployments' lists them."
        raise UlnaError.of("ULN701", f"'{options.action}' needs the ID of a deployment", help, exit_code=2)
    client = found(options)
    match options.action:
        case "list":
            _table(client.list(options.environment), console)
            return 0
        case "follow":
            return follow(client, options.id, console)
        case "show":
            return tell(client.show(options.id), console)
        case action:
            shown = client.act(action, options.id)
            if console.json:
                console.document(shown)
            else:
                console.line(f"{shown['id']}: {shown['state']}")
            return 0


def _table(rows: list[dict[str, Any]], console: Console) -> None:
    if console.json:
        console.document({"deployments": rows})
    elif not rows:
        console.line("Nothing was submitted yet.")
    else:
        from engine.plan.text import excerpt

        cells = [(r["id"], r["environment"], r["deployment"], r["state"], excerpt(r["message"])) for r in rows]
        console.table(("ID", "ENVIRONMENT", "DEPLOYMENT", "STATE", "MESSAGE"), cells)
