"""Write files in the one form there is, in place unless told otherwise.

How wide a line may be, what a level of indentation is and how lines end is said under 'formatting' in the nearest
bicepconfig.json, or by options. Comments are kept, and so is what cannot be read because of a mistake in it.
With --check nothing is written: the files that would change are listed, and the exit code is 1 if there are any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cli import options as shared
from engine.cli.console import Console
from engine.diagnostics.diagnostic import Diagnostic, UlnaError

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

    from engine.cli.parser import Parser
    from engine.diagnostics.source import Source
    from engine.format.options import Options

EXAMPLES = """\
  ulna format app.bicep                                 rewrites the file
  ulna format infra                                     and all below a folder
  ulna format --pattern '**/*.bicep'                    and all that fit
  ulna format app.bicep --stdout
  ulna format --check *.bicep                           for CI: exits with 1 if a file would change
  ulna format --diff app.bicep                          what would change
"""


def arguments(parser: Parser) -> None:
    """Files, where their text goes, and its form."""
    parser.add_argument("files", metavar="FILE", nargs="*", help="a .bicep or .bicepparam file, or a folder of them")
    parser.add_argument("--pattern", metavar="GLOB", help="all files that match, instead of FILE")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--stdout", action="store_true", help="print the text")
    where.add_argument("--outfile", type=shared.path, metavar="FILE", help="write the text to this file")
    where.add_argument("--outdir", type=shared.path, metavar="FOLDER", help="write the text into this folder")
    where.add_argument("--check", action="store_true", help="list the files that would change, and change none")
    where.add_argument("--diff", action="store_true", help="show what would change, and change nothing")
    form = parser.add_argument_group("form")
    form.add_argument("--newline-kind", type=str.lower, choices=("auto", "lf", "crlf", "cr"), help="how lines end")
    form.add_argument("--indent-kind", type=str.lower, choices=("space", "tab"), help="what lines are indented with")
    form.add_argument("--indent-size", type=shared.whole(0), metavar="N", help="the spaces of one level")
    form.add_argument("--width", type=shared.whole(0), metavar="N", help="how long a line may be")
    form.add_argument(
        "--insert-final-newline", nargs="?", const="true", type=str.lower, choices=("true", "false"),
        help="whether a file ends with a line end",
    )  # fmt: skip
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Format each file, and write, print or compare."""
    files = _files(options)
    changed = failed = False
    for file in files:
        try:
            source, form = _read(file, options, console)
        except UlnaError as error:
            console.diagnostics(error.diagnostics)
            failed = True
            continue
        from engine.format.format import format

        text = format(source, form)
        changed |= text != source.text
        _tell(options, console, source, text)
    if options.check and not changed and not failed:
        console.say(f"{len(files)} file{'s' * (len(files) != 1)} as they should be")
    return 1 if failed or (changed and (options.check or options.diff)) else 0


def _files(options: Namespace) -> list[str]:
    """The files that are meant."""
    if options.pattern is not None:
        if options.files:
            raise UlnaError.of("ULN701", "FILE and --pattern exclude each other", "Leave one of them out.", exit_code=2)
        from glob import glob

        files = sorted(f for f in glob(options.pattern, recursive=True) if f.endswith((".bicep", ".bicepparam")))  # noqa: PTH207
        if not files:
            raise UlnaError.of("ULN706", f"No .bicep or .bicepparam file matches '{options.pattern}'", exit_code=2)
    else:
        from engine.cli.selection import selected

        files = selected(options.files) if options.files else []
    if not files:
        raise UlnaError.of("ULN701", "FILE is missing", "Name a .bicep or .bicepparam file.", exit_code=2)
    if options.outfile is not None and len(files) > 1:
        help = "Use --outdir for several files."
        raise UlnaError.of("ULN701", "--outfile takes the text of one file only", help, exit_code=2)
    targets: dict[Path, str] = {}
    for file in files if options.outdir is not None else ():
        if (other := targets.setdefault(_target(options, file), file)) != file:
            message = f"'{other}' and '{file}' would both be written to '{_target(options, file)}'"
            raise UlnaError.of("ULN701", message, "Name the folder that both are in.", exit_code=2)
    return files


def _read(file: str, options: Namespace, console: Console) -> tuple[Source, Options]:
    """The text of a file, and the form it shall have."""
    from engine.config.find import find_config
    from engine.diagnostics.source import Source
    from engine.format.options import from_settings
    from engine.sources.local import LocalSources
    from engine.sources.port import Unreadable, as_written
    from engine.sources.text import read_text

    sources = LocalSources()
    path = sources.absolute(file)
    try:
        text = read_text(sources, path)
    except Unreadable as problem:
        raise UlnaError.of("ULN711", f"'{file}': {problem.reason}") from None
    config = find_config(path, sources, lambda each: as_written(each, path.rpartition("/")[0], file))
    console.diagnostics(_with_warnings(config.diagnostics))
    settings = dict(config.get("formatting", default={}) or {})
    settings |= {
        "newlineKind": options.newline_kind or settings.get("newlineKind"),
        "indentKind": options.indent_kind or settings.get("indentKind"),
        "indentSize": settings.get("indentSize") if options.indent_size is None else options.indent_size,
        "width": settings.get("width") if options.width is None else options.width,
    }
    if options.insert_final_newline is not None:
        settings["insertFinalNewline"] = options.insert_final_newline == "true"
    return Source(file, text), from_settings(settings)


def _with_warnings(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    from engine.diagnostics.diagnostic import Severity

    return tuple(d.replace(severity=Severity.WARNING) for d in diagnostics)


def _tell(options: Namespace, console: Console, source: Source, text: str) -> None:
    """Put the text of one file where it belongs, or say what would change."""
    if options.stdout:
        console.write(text)
    elif options.check:
        if text != source.text:
            console.line(source.name)
    elif options.diff:
        from engine.cli.difference import unified

        console.write(unified(source.name, source.text, text))
    elif options.outfile or options.outdir or text != source.text:
        from engine.cli.files import write_text

        path = _target(options, source.name)
        write_text(path, text)
        console.say(f"wrote {path}")


def _target(options: Namespace, file: str) -> Path:
    """Where a file's text goes: with --outdir, as deep as it lies below the folder or pattern that was given."""
    from os.path import normpath
    from pathlib import Path

    if options.outdir is None:
        return options.outfile or Path(file)
    if options.pattern is not None:
        from engine.cli.selection import below

        return Path(options.outdir, below(options.pattern, file))
    path = Path(normpath(file))
    named = next(word for word in map(normpath, options.files) if path.is_relative_to(word))
    return Path(options.outdir, path.relative_to(named) if path != Path(named) else path.name)
