"""Resources and how they are connected: of a file, or of what is deployed where no file is named.

A file needs no environment to be drawn; nothing is asked of any platform.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cli import options as shared
from engine.cli.console import Console

if TYPE_CHECKING:
    from argparse import Namespace

    from engine.cli.drawing.nodes import Picture
    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna graph app.bicep
  ulna graph                                            what is deployed
  ulna graph app.bicep --format mermaid
  ulna graph app.bicep --format dot | dot -Tsvg > app.svg
"""


def arguments(parser: Parser) -> None:
    """A file, or where to look."""
    shared.target(parser)
    shared.common(parser, ("text", "json", "dot", "mermaid"))


def run(options: Namespace, console: Console) -> int:
    """Draw."""
    drawn = _of_file(options, console) if options.file or options.parameters else _of_state(options)
    match options.format:
        case "json":
            from engine.cli.drawing.document import document

            console.document(document(drawn))
        case "dot":
            from engine.cli.drawing.dot import dot

            console.write(dot(drawn))
        case "mermaid":
            from engine.cli.drawing.mermaid import mermaid

            console.write(mermaid(drawn))
        case _:
            from engine.cli.drawing.text import text

            console.write(text(drawn))
    return 0


def _of_file(options: Namespace, console: Console) -> Picture:
    from engine.cli.drawing.nodes import picture
    from engine.contract.resource import deployment_of
    from engine.pipeline.looking import graph

    native, diagnostics = graph(shared.request(options))
    console.diagnostics(diagnostics)
    named = options.name or next((deployment_of(r.address) for r in native.resources), options.file or "")
    return picture(named, native.resources)


def _of_state(options: Namespace) -> Picture:
    from engine.cli.drawing.nodes import picture
    from engine.cli.progress import state_of
    from engine.pipeline.looking import deployed
    from engine.pipeline.request import Where

    environment, entries = deployed(Where(options.name, options.environment, options.state))
    title = options.name or environment
    return picture(title, [e.resource for e in entries], {e.address: state_of(e) for e in entries})
