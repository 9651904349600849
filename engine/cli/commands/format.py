"""Write files in the one form there is, in place unless told otherwise.

How wide a line may be, what a level of indentation is and how lines end is said under 'formatting' in the nearest
bicepconfig.json, or by options. Comments are kept, and so is what cannot be read because of a mistake in it.
"""

from __future__ import annotations

from argparse import Namespace

from engine.cli import options as shared
from engine.cli.console import Console
from engine.cli.parser import Parser

EXAMPLES = """\
  ulna format app.bicep                                 rewrites the file
  ulna format --check *.bicep                           for CI: exits with 1 if a file would change
"""


def arguments(parser: Parser) -> None:
    """Files, and where their text goes."""
    parser.add_argument("files", metavar="FILE", nargs="*", help="a .bicep or .bicepparam file")
    parser.add_argument("--stdout", action="store_true", help="print the text")
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Format and write."""
    from engine.config.find import find_config
    from engine.diagnostics.source import Source
    from engine.format.format import format
    from engine.format.options import from_settings
    from engine.sources.local import LocalSources
    from engine.sources.text import read_text

    sources = LocalSources()
    for file in options.files:
        path = sources.absolute(file)
        config = find_config(path, sources)
        console.write(format(Source(file, read_text(sources, path)), from_settings(config.get("formatting"))))
    return 0
