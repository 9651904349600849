"""Turn a JSON parameter file into a .bicepparam file, beside it unless told otherwise."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna decompile-params main.parameters.json                          writes main.parameters.bicepparam
  ulna decompile-params main.parameters.json --bicep-file main.bicep
"""


def arguments(parser: Parser) -> None:
    """A file, the template it is for, and where the text goes."""
    parser.add_argument("file", metavar="FILE", help="a JSON parameter file")
    parser.add_argument("--bicep-file", type=shared.path, metavar="FILE", help="the template that it is for")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--stdout", action="store_true", help="print the text")
    group.add_argument("--outfile", type=shared.path, metavar="FILE", help="write it to this file")
    group.add_argument("--outdir", type=shared.path, metavar="FOLDER", help="write it into this folder")
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there already")
    shared.diagnostics(parser)
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Decompile and write."""
    import os
    from pathlib import Path

    from engine.cli.files import write_text
    from engine.config.find import find_config
    from engine.decompile.assignments import decompile_parameters
    from engine.diagnostics.source import Source
    from engine.format.options import from_settings
    from engine.sources.local import LocalSources
    from engine.sources.port import Unreadable
    from engine.sources.text import read_text

    if options.file.endswith((".bicep", ".bicepparam")):
        raise UlnaError.of("ULN706", f"'{options.file}' is no JSON parameter file", exit_code=2)
    sources = LocalSources()
    path = sources.absolute(options.file)
    try:
        source = Source(options.file, read_text(sources, path))
    except Unreadable as problem:
        raise UlnaError.of("ULN711", f"'{options.file}': {problem.reason}") from None
    beside = Path(options.file).with_suffix(".bicepparam")
    target = options.outfile or (options.outdir / beside.name if options.outdir else beside)
    using = None
    if options.bicep_file is not None:
        using = Path(os.path.relpath(options.bicep_file, target.parent)).as_posix()
        using = using if using.startswith(".") else f"./{using}"
    config = find_config(path, sources)
    text, diagnostics = decompile_parameters(source, using, from_settings(config.get("formatting", default={}) or {}))
    console.diagnostics(diagnostics)
    if text is None:
        return 1
    if options.stdout:
        console.write(text)
        return 0
    if target.exists() and not options.force:
        raise UlnaError.of("ULN715", f"'{target}' is there already", "Give --force to overwrite it.")
    write_text(target, text)
    console.say(f"wrote {target}")
    return 0
