"""Stop a resource of a run; without a name, end the run itself.

What runs is stopped, users first. A resource that was stopped stays so until it is started, also in later runs and
deploys; what stopped because its run ended is started by the next one.
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

_POLL = 0.05


def arguments(parser: Parser) -> None:
    """Whom, if not all."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="the resource (default: the whole run)")
    parser.add_argument("--keep", action="store_true", help="without a NAME: leave everything running")
    shared.state(parser)
    shared.operation(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask the run, and tell."""
    from time import monotonic, sleep

    from engine.cli.asking import act, running
    from engine.state.owner import start_time

    if options.name is not None:
        return act("stop", options, console)
    client = running(options)
    name, pid = client.address.deployment, client.address.pid
    began = start_time(pid)
    client.post("/api/stop", {"keep": options.keep})
    end = monotonic() + (0 if options.no_wait else options.timeout)
    while began is not None and start_time(pid) == began and monotonic() < end:
        sleep(_POLL)  # what it stops may take a while, and it holds the environment until then
    if began is None or start_time(pid) != began:
        console.say(f"'{name}' has ended.")
        return 0
    console.say(f"'{name}' is ending.")
    return 0 if options.no_wait else 1
