"""What a resource writes, oldest line first.

NAME is a resource's own name or its address. Of a resource that is made of several, each line says which wrote it, and
--tail counts for each. When a line was written is known to containers of an engine, of a cluster and of ECS, and of any
other to the run that saw it.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace
    from collections.abc import Iterator

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna logs web
  ulna logs web -f                                      follow it, until Ctrl-C
  ulna logs app/web/web-1 -e staging
  ulna logs web --tail 20 -f                            the last 20 lines, and what comes then
  ulna logs web --since 10m
"""

_COLOURS = ("36", "33", "35", "32", "34", "31")


def arguments(parser: Parser) -> None:
    """Whose, and how long."""
    parser.add_argument("name", metavar="NAME", help="the resource")
    parser.add_argument("-f", "--follow", action="store_true", help="wait for more, until it is gone")
    parser.add_argument("--tail", type=shared.whole(0), metavar="N", help="only the last N lines of each that writes")
    parser.add_argument(
        "--since",
        type=shared.duration,
        metavar="DURATION",
        help="only what was written so long ago at most: 90s, 5m, 2h, 1d",
    )
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Print the lines."""
    from engine.cli.guard import INTERRUPTED

    seen: dict[str, str] = {}
    try:
        for source, line in _lines(options):
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


def _lines(options: Namespace) -> Iterator[tuple[str, str]]:
    """The lines, from who wrote them; where those do not know when, from the run that saw them."""
    from time import time

    from engine.diagnostics.diagnostic import UlnaError
    from engine.pipeline.looking import logs
    from engine.pipeline.request import Where

    since = time() - options.since if options.since is not None else None
    where = Where(None, options.environment, options.state)
    try:
        yield from logs(where, options.name, options.follow, options.tail, since)
    except UlnaError as error:
        if since is None or error.diagnostics[0].code != "ULN519":
            raise
        from engine.cli.asking import lives

        client = lives(options)
        if client is None:
            raise
        follow = 1 if options.follow else 0
        asked = {"name": options.name, "since": since, "tail": options.tail, "follow": follow}
        yield from ((line["name"], line["text"]) for line in client.stream("/api/logs", **asked))
