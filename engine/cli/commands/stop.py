"""Stop a resource of a run; without a name, end the run itself.

What runs is stopped, users first. A resource that was stopped stays so until it is started, or until the next run.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna stop api
  ulna stop                                             end the run, as Ctrl-C does
  ulna stop --keep                                      end it and leave everything running
"""


def arguments(parser: Parser) -> None:
    """Whom, if not all."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="the resource (default: the whole run)")
    parser.add_argument("--keep", action="store_true", help="without a NAME: leave everything running")
    shared.state(parser)
    shared.operation(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the run, and tell."""
    from engine.cli.asking import act, running

    if options.name is not None:
        return act("stop", options, console)
    client = running(options)
    client.post("/api/stop", {"keep": options.keep})
    if not options.no_wait:
        for _ in client.stream("/api/events"):  # it ends with the run
            pass
    console.say(f"'{client.address.deployment}' has ended.")
    return 0
