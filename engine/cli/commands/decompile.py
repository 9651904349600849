"""Turn an ARM template into Bicep, as a start: read what comes out, and give better names.

Nested templates become module files beside it. Files that are there already are kept, unless --force is given.
What is wrong with the result is said; it is written all the same, and an error in it makes the exit code 1.
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
  ulna decompile azuredeploy.json                       writes azuredeploy.bicep and its modules
  ulna decompile azuredeploy.json --stdout
  ulna decompile azuredeploy.json --outdir infra --force
"""


def arguments(parser: Parser) -> None:
    """A template, and where the Bicep goes."""
    parser.add_argument("file", metavar="FILE", help="an ARM template (.json, .jsonc, .arm)")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--stdout", action="store_true", help="print the Bicep, the modules after it")
    group.add_argument("--outfile", type=shared.path, metavar="FILE", help="write it to this file")
    group.add_argument("--outdir", type=shared.path, metavar="FOLDER", help="write it into this folder")
    parser.add_argument("--force", action="store_true", help="overwrite files that are there already")
    shared.diagnostics(parser)
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Decompile and write."""
    from pathlib import Path

    from engine.cli.files import write_text
    from engine.config.find import find_config
    from engine.decompile.decompile import decompile
    from engine.diagnostics.diagnostic import has_errors
    from engine.diagnostics.source import Source
    from engine.format.options import from_settings
    from engine.pipeline.mending import Draft, findings
    from engine.sources.local import LocalSources
    from engine.sources.port import Unreadable
    from engine.sources.text import read_text

    if options.file.endswith((".bicep", ".bicepparam")):
        help = "Use 'ulna build' for it." if options.file.endswith(".bicep") else "Use 'ulna build-params' for it."
        raise UlnaError.of("ULN706", f"'{options.file}' is no ARM template", help, exit_code=2)
    sources = LocalSources()
    path = sources.absolute(options.file)
    try:
        source = Source(options.file, read_text(sources, path))
    except Unreadable as problem:
        raise UlnaError.of("ULN711", f"'{options.file}': {problem.reason}") from None
    beside = Path(options.file).with_suffix(".bicep")
    target = options.outfile or (options.outdir / beside.name if options.outdir else beside)
    config = find_config(path, sources)
    files, diagnostics = decompile(source, target.name, from_settings(config.get("formatting", default={}) or {}))
    console.diagnostics(diagnostics)
    if not files:
        return 1
    written = {target.with_name(name): text for name, text in files.items()}
    if options.stdout:
        console.write("".join(files.values()))
    else:
        there = [str(p) for p in written if p.exists()]
        if there and not options.force:
            raise UlnaError.of("ULN715", f"'{there[0]}' is there already", "Give --force to overwrite it.")
        for file, text in written.items():
            write_text(file, text)
            console.say(f"wrote {file}")
    found = findings(str(target), Draft(sources, {sources.absolute(str(file)): text for file, text in written.items()}))
    console.diagnostics(found)
    return 1 if has_errors(found) else 0
