"""Compile Bicep to an ARM template, beside the file unless told otherwise.

What is wrong goes to stderr, with what the linter finds; a file with errors gives no template. With --pattern all files
that fit are compiled; below --outdir they keep the folders that the pattern leaves open.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace
    from collections.abc import Callable

    from engine.cli.parser import Parser
    from engine.diagnostics.diagnostic import Diagnostic

    Compiled = tuple[str, tuple[Diagnostic, ...]]
    """What a file compiles to, nothing if there are errors; and what is wrong with it."""

EXAMPLES = """\
  ulna build app.bicep                                  writes app.json
  ulna build app.bicep --stdout | jq .resources
  ulna build app.bicep --outdir out
  ulna build --pattern 'apps/**/main.bicep'             all that fit
"""


def arguments(parser: Parser) -> None:
    """A file, and where the template goes."""
    inputs(parser, ".bicep")
    output(parser, "template")
    shared.restoring(parser)
    shared.types(parser)
    shared.diagnostics(parser)
    shared.common(parser, ())


def inputs(parser: Parser, ending: str) -> None:
    """What is compiled: one file, or all that fit a pattern."""
    parser.add_argument("file", metavar="FILE", nargs="?", help=f"a {ending} file")
    parser.add_argument("--pattern", metavar="GLOB", help=f"all {ending} files that fit, instead of FILE")


def output(parser: Parser, what: str) -> None:
    """Where what was compiled goes."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--stdout", action="store_true", help=f"print the {what}")
    group.add_argument("--outfile", type=shared.path, metavar="FILE", help=f"write the {what} to this file")
    group.add_argument("--outdir", type=shared.path, metavar="FOLDER", help=f"write the {what} into this folder")


def run(options: Namespace, console: Console) -> int:
    """Compile and write."""
    from engine.build.build import build
    from engine.build.render import render
    from engine.cli.experimental import warn_of_experiments
    from engine.diagnostics.diagnostic import has_errors
    from engine.lint.run import lint_all
    from engine.pipeline.compiling import all_diagnostics
    from engine.pipeline.restoring import checked

    files = chosen(options, ".bicep")
    for file in files:
        if not file.endswith(".bicep"):
            verb = "build-params" if file.endswith(".bicepparam") else "deploy"
            known = file.endswith((".bicepparam", ".json"))
            help = f"Use 'ulna {verb}' for it." if known else ""
            raise UlnaError.of("ULN706", f"'{file}' is no .bicep file", help, exit_code=2)
    warn_of_experiments(files, console)
    sources = shared.sources(options)

    def compiled(file: str) -> Compiled:
        model = checked(file, sources, options.restore)
        diagnostics = all_diagnostics(model)
        if has_errors(diagnostics):
            return "", diagnostics
        template, more = build(model)
        return render(template), (*diagnostics, *more, *lint_all(model))

    return write_all(files, compiled, options, console)


def chosen(options: Namespace, ending: str) -> list[str]:
    """The files to compile, as `inputs` has them."""
    if options.pattern is None:
        if options.file is None:
            raise UlnaError.of("ULN701", "FILE is missing", f"Name a {ending} file, or give a --pattern.", exit_code=2)
        return [options.file]
    for name, given in (("FILE", options.file), ("--stdout", options.stdout), ("--outfile", options.outfile)):
        if given:
            help = "Leave one of them out." if name == "FILE" else "Use --outdir for several files."
            raise UlnaError.of("ULN701", f"{name} and --pattern exclude each other", help, exit_code=2)
    from engine.cli.selection import fitting

    return fitting(options.pattern, (ending,))


def write_all(files: list[str], compiled: Callable[[str], Compiled], options: Namespace, console: Console) -> int:
    """Compile each file and write what comes of it; what is wrong is told together, and what is right is written."""
    from engine.diagnostics.diagnostic import has_errors

    found: dict[tuple[object, ...], Diagnostic] = {}
    made: list[tuple[str, str]] = []
    failed = False
    for file in files:
        try:
            text, diagnostics = compiled(file)
        except UlnaError as error:
            text, diagnostics = "", error.diagnostics
        found |= {d.identity: d for d in diagnostics}
        if has_errors(diagnostics):
            failed = True
        else:
            made.append((file, text))
    console.diagnostics(found.values())
    for file, text in made:
        write(file, options, console, text)
    return 1 if failed else 0


def write(file: str, options: Namespace, console: Console, text: str) -> None:
    """Put what came of a file where the options of `output` say."""
    if options.stdout:
        console.write(text + "\n")
        return
    from pathlib import Path

    from engine.cli.files import write_text

    path = options.outfile or Path(file).with_suffix(".json")
    if options.outdir is not None:
        from engine.cli.selection import below

        path = options.outdir / (below(options.pattern, path.as_posix()) if options.pattern else path.name)
    if path.exists() and path.samefile(file):
        raise UlnaError.of(
            "ULN715", f"'{path}' is what is read: it is not overwritten", "Name another file.", exit_code=2
        )
    write_text(path, text)
    console.say(f"wrote {path}")
