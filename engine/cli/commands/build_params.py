"""Compile a .bicepparam file to a JSON parameter file, beside it unless told otherwise."""

from __future__ import annotations

from argparse import Namespace

from engine.cli import options as shared
from engine.cli.commands.build import output, write
from engine.cli.console import Console
from engine.cli.parser import Parser
from engine.diagnostics.diagnostic import UlnaError

EXAMPLES = """\
  ulna build-params dev.bicepparam                      writes dev.json
  ulna build-params dev.bicepparam --stdout
"""

_SCHEMA = "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#"


def arguments(parser: Parser) -> None:
    """A file, and where the parameters go."""
    parser.add_argument("file", metavar="FILE", help="a .bicepparam file")
    output(parser, "parameters")
    shared.diagnostics(parser)
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Compile and write."""
    from engine.build.render import render, render_json
    from engine.pipeline.compiling import compile
    from engine.sources.local import LocalSources

    if not options.file.endswith(".bicepparam"):
        message = f"'{options.file}' is no .bicepparam file"
        raise UlnaError.of("ULN706", message, "Use 'ulna build' for a .bicep file.", exit_code=2)
    compiled = compile(options.file, LocalSources())
    console.diagnostics(compiled.diagnostics)
    parameters = {name: {"value": value} for name, value in compiled.arguments.items()}
    text = render_json({"$schema": _SCHEMA, "contentVersion": "1.0.0.0", "parameters": parameters}) + "\n"
    if options.stdout:
        both = {"parametersJson": text, "templateJson": render(compiled.template), "templateSpecId": None}
        console.write(render_json(both) + "\n")
    else:
        write(options, console, text, ".json")
    return 0
