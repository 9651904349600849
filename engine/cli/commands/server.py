"""Take deployments of many environments, and queue them for workers.

Everything is beside the state: a file for one machine, or a PostgreSQL database for many. One environment never has two
writers: its deployments are carried out one after the other, whichever worker takes them, and a worker that dies is
replaced by one that goes on from the log. What is submitted is kept encrypted with the key of the state.

The server listens on this machine alone unless told otherwise, and lets in who has the token. It makes one and keeps it
in 'server.json' beside the state, where 'ulna submit' on this machine finds it; or takes the one in ULNA_TOKEN.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna server                                           one worker, state in .ulna; and then: ulna submit app.bicep
  ulna server --workers 4 --port 7480
  ULNA_STATE=postgresql://ulna@db/ulna ulna server --workers 0    and on other machines: ulna worker
"""


def arguments(parser: Parser) -> None:
    """Where it listens, and how many workers it keeps."""
    parser.add_argument("--port", type=shared.port, default=0, metavar="PORT", help="its port (default: a free one)")
    shared.listening(parser)
    parser.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a name that others reach it by; may be repeated"
    )
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="workers to keep on this machine (default: 1)"
    )
    shared.state(parser, environment=False)
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Serve until Ctrl-C."""
    store = opened(options)
    from engine.server.serving import Settings, serve

    settings = Settings(options.port, options.listen, tuple(options.name), max(0, options.workers))
    words = ("--state", str(options.state)) if options.state is not None else ()
    return serve(store, settings, console.say, words)


def opened(options: Namespace):  # type: ignore[no-untyped-def]
    """The state, once it is known that the libraries are there."""
    from engine.pipeline.preparing import open_store

    try:
        import cryptography
        import dbos
    except ModuleNotFoundError as missing:
        message = f"Servers and workers need a library that is not installed: {missing.name}"
        raise UlnaError.of("ULN718", message, "Run: pip install 'ulna[server]'") from None
    del cryptography, dbos
    return open_store(options.state)
