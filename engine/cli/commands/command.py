"""Give a resource of a run a command that its template declares (Ulna.Core/commands).

Without a command, list those that it has. It is done when what it launched has ended, or what it asked has answered.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna command api                                      what it can be told
  ulna command api load-test -p vus=50 -p duration=30s
  ulna command api load-test -p vus=50 --no-wait        and later: ulna operations
"""


def arguments(parser: Parser) -> None:
    """Whom, what, and with which inputs."""
    shared.resource(parser)
    parser.add_argument("command", metavar="COMMAND", nargs="?", help="the command")
    parser.add_argument(
        "-p", "--input", action="append", default=[], metavar="NAME=VALUE", help="an input; NAME=@FILE reads a file"
    )
    shared.state(parser)
    shared.operation(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the run, and tell."""
    from engine.cli.asking import inputs, running, tell

    client = running(options)
    if options.command is None:
        detail = client.get("/api/resource", name=options.name)
        if console.json:
            console.document({"commands": detail["commands"]})
            return 0
        rows = [
            (c["name"], ", ".join(i["name"] for i in c["inputs"]), c["description"] or c["title"])
            for c in detail["commands"]
        ]
        if rows:
            console.table(("COMMAND", "INPUTS", "WHAT IT DOES"), rows)
        else:
            console.line(f"'{detail['address']}' has no commands.")
        return 0
    body = {"name": options.name, "command": options.command, "inputs": inputs(options.input)}
    return tell(client, client.post("/api/command", body), options, console)
