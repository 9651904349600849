"""Write a parameter file for a template: a JSON one, or a .bicepparam one that uses it.

It has the parameters that a caller must give, with values that fit their types, to be replaced; or all
of them, with their defaults where those are written out. What a file of that name says already is kept.
"""

from __future__ import annotations

from pathlib import Path

from engine.cli import options as shared
from engine.cli.commands.build import output
from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna generate-params main.bicep                                  writes main.parameters.json
  ulna generate-params main.bicep --output-format bicepparam       writes main.bicepparam
  ulna generate-params main.bicep --include-params all --stdout
"""


def _word(text: str) -> str:
    """`required-only` is the same word."""
    return text.lower().replace("-", "")


def arguments(parser: Parser) -> None:
    """A template, the form, and where it goes."""
    parser.add_argument("file", metavar="FILE", help="a .bicep file")
    parser.add_argument(
        "--output-format",
        type=str.lower,
        choices=("json", "bicepparam"),
        help="default: bicepparam where --outfile ends so, else json",
    )
    parser.add_argument(
        "--include-params",
        type=_word,
        choices=("requiredonly", "all"),
        default="requiredonly",
        help="those without a default, or all (default: requiredonly)",
    )
    output(parser, "parameters")
    shared.restoring(parser)
    shared.types(parser)
    shared.diagnostics(parser)
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Generate and write."""
    from engine.build.render import render_json
    from engine.cli.files import write_text
    from engine.pipeline.generating import as_bicep, as_json, declaring

    if not options.file.endswith(".bicep"):
        raise UlnaError.of("ULN706", f"'{options.file}' is no .bicep file", "Name a template.", exit_code=2)
    model, diagnostics = declaring(options.file, shared.sources(options), options.restore)
    console.diagnostics(diagnostics)
    form = options.output_format or ("bicepparam" if str(options.outfile).endswith(".bicepparam") else "json")
    everything, bicep = options.include_params == "all", form == "bicepparam"
    beside = Path(options.file).with_suffix(".bicepparam" if bicep else ".parameters.json")
    target = options.outfile or (options.outdir / beside.name if options.outdir else beside)
    existing = "" if options.stdout else _existing(target)
    made = as_bicep(model, everything, existing) if bicep else as_json(model, everything, _parsed(existing))
    text = made if isinstance(made, str) else render_json(made) + "\n"
    if options.stdout:
        console.write(text)
    else:
        write_text(target, text)
        console.say(f"wrote {target}")
    return 0


def _existing(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise UlnaError.of("ULN714", f"'{path}' is there already, and no text", "Name another file.") from None


def _parsed(text: str) -> object:
    from json import loads

    try:
        return loads(text) if text else None
    except (ValueError, RecursionError):
        return None
