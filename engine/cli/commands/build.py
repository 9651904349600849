"""Compile Bicep to an ARM template, beside the file unless told otherwise.

What is wrong goes to stderr, with what the linter finds; a file with errors gives no template.
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
  ulna build app.bicep                                  writes app.json
  ulna build app.bicep --stdout | jq .resources
  ulna build app.bicep --outdir out
"""


def arguments(parser: Parser) -> None:
    """A file, and where the template goes."""
    parser.add_argument("file", metavar="FILE", help="a .bicep file")
    output(parser, "template")
    shared.restoring(parser)
    shared.types(parser)
    shared.diagnostics(parser)
    shared.common(parser, ())


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

    if not options.file.endswith(".bicep"):
        verb = "build-params" if options.file.endswith(".bicepparam") else "deploy"
        message = f"'{options.file}' is no .bicep file"
        known = options.file.endswith((".bicepparam", ".json"))
        raise UlnaError.of("ULN706", message, f"Use 'ulna {verb}' for it." if known else "", exit_code=2)
    warn_of_experiments([options.file], console)
    model = checked(options.file, shared.sources(options), options.restore)
    diagnostics = all_diagnostics(model)
    if not has_errors(diagnostics):
        template, more = build(model)
        diagnostics += (*more, *lint_all(model))
    console.diagnostics(diagnostics)
    if has_errors(diagnostics):
        return 1
    write(options, console, render(template) + "\n", ".json")
    return 0


def write(options: Namespace, console: Console, text: str, suffix: str) -> None:
    """Put a text where the options of `output` say."""
    if options.stdout:
        console.write(text)
        return
    from pathlib import Path

    from engine.cli.files import write_text

    beside = Path(options.file).with_suffix(suffix)
    path = options.outfile or (options.outdir / beside.name if options.outdir else beside)
    write_text(path, text)
    console.say(f"wrote {path}")
