"""Send a file, with all that it reads, to a server that deploys it.

The file is compiled here, so that what is wrong with it is told here. Sent are the files that it leads to (modules,
loaded files, parameter files, bicepconfig.json), the values of -p, and the environment variables that it reads; modules
of registries are fetched by the worker. Paths of programs and volumes are those of the worker.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna submit app.bicep -e staging --follow
  ulna submit prod.bicepparam -e prod -p token=@token.txt --server https://ulna.example.com
  ULNA_SERVER=http://build:7480 ULNA_TOKEN=… ulna submit app.bicep --follow --format json
"""


def arguments(parser: Parser) -> None:
    """A file, where it goes, and which server brings it there."""
    shared.file(parser)
    shared.parameters(parser)
    parser.add_argument("-a", "--application", metavar="NAME", help="fills in the parameter 'application'")
    parser.add_argument("--name", metavar="NAME", help="the deployment's name (default: that of the file)")
    parser.add_argument("-f", "--follow", action="store_true", help="show what happens, until it ends")
    shared.unmanage(parser)
    shared.restoring(parser)
    shared.deadline(parser)
    server(parser)
    shared.state(parser)
    shared.common(parser)


def server(parser: Parser) -> None:
    """Which server."""
    parser.add_argument(
        "--server",
        metavar="URL",
        help="the server (default: $ULNA_SERVER, or the one of this state); token: $ULNA_TOKEN",
    )


def run(options: Namespace, console: Console) -> int:
    """Submit, and follow if wanted."""
    from engine.cli.following import follow, found
    from engine.server.bundle import bundle

    request = shared.request(options)
    client = found(options)
    _, packed = bundle(request, options.timeout)
    queued = client.submit(packed)
    if options.follow:
        console.say(f"submitted as {queued['id']}")
        return follow(client, queued["id"], console)
    if console.json:
        console.document(queued)
    else:
        console.line(
            f"'{queued['deployment']}' is queued for the environment '{queued['environment']}' as {queued['id']}."
        )
        console.say(f"'ulna deployments follow {queued['id']}' shows what happens.")
    return 0
