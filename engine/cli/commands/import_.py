"""Take over what exists already: it becomes the resource at an address of a file.

Nothing of it is changed but the mark of its owner. 'ulna plan' then shows how it differs from the file, and the next
deploy makes it so.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna import app/data app-data --file app.bicep
  ulna import app/data/volume pgdata --file app.bicep   a volume of a Docker engine
  ulna import app/web/web-0 4711 --file app.bicep       a running process
  ulna import infra/logs /subscriptions/…/storageAccounts/shoplogs
  ulna plan app.bicep                                   and see what it would change
"""


def arguments(parser: Parser) -> None:
    """An address, what it is to own, and the file that declares it."""
    parser.add_argument("address", metavar="ADDRESS", help="the resource, as 'ulna graph FILE' lists them")
    parser.add_argument(
        "id", metavar="ID", help="what the platform calls it: a name or an id, see the page of its kind"
    )
    parser.add_argument("--file", metavar="FILE", help="the file that declares it (default: that of its deployment)")
    shared.parameters(parser)
    parser.add_argument("-a", "--application", metavar="NAME", help="fills in the parameter 'application'")
    shared.state(parser)
    shared.restoring(parser)
    shared.waiting(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Take over and tell."""
    from engine.pipeline.importing import adopt, file_of
    from engine.pipeline.request import Request

    file = options.file or file_of(options.address, options.environment, options.state)
    request = Request(
        file,
        options.environment,
        options.application,
        tuple(options.parameters),
        options.address.partition("/")[0],
        options.state,
        wait=options.wait,
        restore=options.restore,
    )
    imported = adopt(request, options.address, options.id)
    console.diagnostics(imported.diagnostics)
    if console.json:
        keys = ("environment", "address", "type", "id")
        console.document({key: getattr(imported, key) for key in keys})
    else:
        console.line(f"'{imported.address}' now owns {imported.type} '{imported.id}'.")
        console.say("'ulna plan' shows how it differs from the file.")
    return 0
