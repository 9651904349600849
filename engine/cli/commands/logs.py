"""What a resource writes, oldest line first.

NAME is a resource's own name or its address. Of a resource that is made of several, each line says which wrote it.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna logs web
  ulna logs web -f                                      follow it, until Ctrl-C
  ulna logs app/web/web-1 -e staging
"""

_COLOURS = ("36", "33", "35", "32", "34", "31")


def arguments(parser: Parser) -> None:
    """Whose, and how long."""
    parser.add_argument("name", metavar="NAME", help="the resource")
    parser.add_argument("-f", "--follow", action="store_true", help="wait for more, until it is gone")
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Print the lines."""
    from engine.cli.guard import INTERRUPTED
    from engine.pipeline.looking import logs
    from engine.pipeline.request import Where

    where = Where(None, options.environment, options.state)
    seen: dict[str, str] = {}
    try:
        for source, line in logs(where, options.name, options.follow):
            if console.json:
                import json

                console.line(json.dumps({"source": source, "line": line}, ensure_ascii=False))
            else:
                colour = seen.setdefault(source, _COLOURS[len(seen) % len(_COLOURS)])
                console.line(f"{console.paint(source, colour)} | {line}")
            if options.follow:
                console.out.flush()
    except KeyboardInterrupt:  # how following ends
        return INTERRUPTED
    return 0
