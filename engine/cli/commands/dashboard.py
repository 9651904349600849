"""Open the dashboard of the run that lives; without one, look at what the state knows, which changes nothing.

The address is printed, and opened in a browser unless told not to. It holds a token: who has it may do what you may.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna dashboard
  ulna dashboard -e staging --no-open                   only print the address
"""


def arguments(parser: Parser) -> None:
    """Where, and whether a browser opens."""
    parser.add_argument("--no-open", dest="open", action="store_false", help="only print the address")
    parser.add_argument(
        "--port", type=shared.port, default=0, metavar="PORT", help="the port where no run lives (default: a free one)"
    )
    shared.listening(parser, "the address where no run lives")
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Print the address; without a run, serve until somebody ends it."""
    from engine.cli.asking import lives
    from engine.diagnostics.diagnostic import UlnaError

    client = lives(options)
    if client is None:
        return _stored(options, console)
    if not client.address.url:
        help = "Begin the run again without --no-dashboard; 'ulna status' shows the same as text."
        raise UlnaError.of("ULN565", "The run of this environment serves no dashboard", help)
    _tell(f"{client.address.url}?token={client.address.token}", False, options, console)
    return 0


def _stored(options: Namespace, console: Console) -> int:
    import threading

    from engine.cli.guard import INTERRUPTED
    from engine.cli.interrupts import Interrupts
    from engine.live.pages import pages
    from engine.live.server import Server
    from engine.live.stored import Stored
    from engine.pipeline.preparing import open_store
    from engine.pipeline.target import GLOBAL, choose

    store = open_store(options.state)
    target = choose(store, options.environment, None)
    if options.environment is None and not store.state(target.partition).entries:
        target = choose(store, GLOBAL, None)  # what needs no environment is all there may be
    ended = threading.Event()
    with (
        Interrupts(ended.set),
        Server(Stored(store, target), store.folder, options.port, options.listen, pages=pages(), named=False) as server,
    ):
        _tell(server.entrance, True, options, console)
        while not ended.wait(0.2):
            pass
    return INTERRUPTED


def _tell(url: str, only_looks: bool, options: Namespace, console: Console) -> None:
    if console.json:
        console.document({"url": url, "readOnly": only_looks})
    else:
        console.line(url)
        if only_looks:
            console.line("Nobody runs this environment now: this shows its state, and changes nothing. Ctrl-C ends it.")
    console.out.flush()
    if options.open:
        import webbrowser

        webbrowser.open(url)
