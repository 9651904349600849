"""Compile a .bicepparam file to a JSON parameter file, beside it unless told otherwise."""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.commands.build import output, write
from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna build-params dev.bicepparam                      writes dev.json
  ulna build-params dev.bicepparam --stdout
"""


def arguments(parser: Parser) -> None:
    """A file, and where the parameters go."""
    parser.add_argument("file", metavar="FILE", help="a .bicepparam file")
    output(parser, "parameters")
    shared.restoring(parser)
    shared.types(parser)
    shared.diagnostics(parser)
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Compile and write."""
    from engine.build.render import render, render_json
    from engine.pipeline.compiling import compile_parameters

    if not options.file.endswith(".bicepparam"):
        message = f"'{options.file}' is no .bicepparam file"
        raise UlnaError.of("ULN706", message, "Use 'ulna build' for a .bicep file.", exit_code=2)
    made = compile_parameters(options.file, shared.sources(options), restore=options.restore)
    console.diagnostics(made.diagnostics)
    text = render_json(made.document) + "\n"
    if options.stdout:
        template = render(made.used.template) if made.used else None
        console.write(render_json({"parametersJson": text, "templateJson": template, "templateSpecId": None}) + "\n")
    else:
        write(options, console, text, ".json")
    return 0
