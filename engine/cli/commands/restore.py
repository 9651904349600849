"""Fetch the modules that files name in registries and Git, and note in ulna.lock what their tags mean.

Other verbs fetch what is missing by themselves. Restore is for what comes before: to fetch on a machine that has the
network, to pin what tags mean for everybody who shares the files, and with --update to take what they mean today.
Where ulna.lock has a digest for a tag, another one is refused.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console
from engine.diagnostics.diagnostic import has_errors

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna restore app.bicep
  ulna restore --pattern 'apps/**/*.bicep'
  ulna restore app.bicep --update                       tags that have moved are taken anew
"""


def arguments(parser: Parser) -> None:
    """Files, and whether to believe what is there."""
    parser.add_argument("files", metavar="FILE", nargs="*", help="a .bicep or .bicepparam file, or a folder of them")
    parser.add_argument("--pattern", metavar="GLOB", help="all files that fit: 'apps/**/*.bicep'")
    parser.add_argument("--force", action="store_true", help="fetch again what is in the cache")
    parser.add_argument("--update", action="store_true", help="write into ulna.lock what the tags mean now")
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Restore and tell."""
    from engine.cli.selection import selected
    from engine.pipeline.restoring import restore

    files = selected(options.files, options.pattern)
    restored, diagnostics = restore(files, options.force, options.update)
    console.diagnostics(diagnostics)
    if console.json:
        from engine.diagnostics.render.json import as_object

        rows = [{"reference": r.reference, "digest": r.digest, "fetched": r.fetched} for r in restored]
        console.document({"modules": rows, "diagnostics": list(map(as_object, diagnostics))})
    else:
        for each in restored:
            word = "fetched" if each.fetched else "there"
            console.line(f"{word:<8} {each.reference}" + (f"  {each.digest}" if each.digest else ""))
    return 1 if has_errors(diagnostics) else 0
