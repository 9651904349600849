"""Deploy, and stay: supervise what runs, show its logs, and follow the file as it changes.

It begins at once, whatever waits for what. When a file changes, what that changes is shown and done in one step; a
file that is wrong changes nothing. Ctrl-C once stops what runs, users first (--keep leaves it running); twice exits at
once, and the next run or deploy takes over what is left.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna run app.bicep
  ulna run app.bicep -e local -p replicas=2
  ulna run app.bicep --detach                           and then: ulna status, logs, stop, wait, command …
  ulna run app.bicep --keep                             Ctrl-C leaves the containers running
  ulna run app.bicep --no-watch --format json           one JSON object a line, for programs
"""


def arguments(parser: Parser) -> None:
    """A file, where it goes, and how it is followed."""
    shared.target(parser)
    shared.unmanage(parser)
    shared.restoring(parser)
    shared.waiting(parser)
    parser.add_argument("--no-watch", dest="watch", action="store_false", help="do not follow changes of the files")
    parser.add_argument("--no-logs", dest="logs", action="store_false", help="do not show what the resources write")
    parser.add_argument("--no-dashboard", dest="dashboard", action="store_false", help="serve no dashboard")
    parser.add_argument(
        "--port", type=shared.port, default=0, metavar="PORT", help="the dashboard's port (default: a free one)"
    )
    shared.listening(parser)
    parser.add_argument("--detach", action="store_true", help="stay in the background; 'ulna stop' ends it")
    parser.add_argument("--keep", action="store_true", help="leave everything running at the end")
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Run until somebody ends it."""
    if options.detach:
        from engine.cli.detaching import detach

        return detach(shared.request(options), console)
    from engine.cli.staying import stay

    port = options.port if options.dashboard else None
    return stay(
        shared.request(options),
        console,
        watch=options.watch,
        logs=options.logs,
        keep=options.keep,
        port=port,
        listen=options.listen,
    )
