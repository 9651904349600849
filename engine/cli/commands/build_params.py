"""Compile a .bicepparam file to a JSON parameter file, beside it unless told otherwise.

What is wrong goes to stderr, with what the linter finds in it and in the template that it uses.
"""

from __future__ import annotations

from os.path import realpath

from engine.cli import options as shared
from engine.cli.commands.build import chosen, inputs, output, write_all
from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.commands.build import Compiled
    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna build-params dev.bicepparam                      writes dev.json
  ulna build-params dev.bicepparam --stdout
  ulna build-params --pattern 'env/*.bicepparam' --outdir out
  ulna build-params dev.bicepparam --bicep-file main.bicep   fails if it is for another template
"""


def arguments(parser: Parser) -> None:
    """A file, and where the parameters go."""
    inputs(parser, ".bicepparam")
    output(parser, "parameters")
    parser.add_argument(
        "--bicep-file", metavar="FILE", help="the template that the file has to be for; if it is not, it fails"
    )
    shared.restoring(parser)
    shared.types(parser)
    shared.diagnostics(parser)
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Compile and write."""
    from engine.build.render import render, render_json
    from engine.lint.run import lint_all
    from engine.pipeline.compiling import compile_parameters

    files = chosen(options, ".bicepparam")
    for file in files:
        if not file.endswith(".bicepparam"):
            message = f"'{file}' is no .bicepparam file"
            raise UlnaError.of("ULN706", message, "Use 'ulna build' for a .bicep file.", exit_code=2)
    sources = shared.sources(options)

    def compiled(file: str) -> Compiled:
        made = compile_parameters(file, sources, restore=options.restore)
        used = made.used.file if made.used else "nothing"
        if options.bicep_file is not None and realpath(options.bicep_file) != realpath(used):
            message = f"'{file}' is not for '{options.bicep_file}' but for '{used}'"
            raise UlnaError.of("ULN701", message, "Correct its 'using', or the option.")
        text = render_json(made.document)
        if options.stdout:
            template = render(made.used.template) if made.used else None
            text = render_json({"parametersJson": text, "templateJson": template, "templateSpecId": None})
        return text, (*made.diagnostics, *lint_all(made.model))

    return write_all(files, compiled, options, console)
