"""Find mistakes and bad habits in a file, by the rules and levels of the nearest bicepconfig.json.

Exits with 1 if there is an error; warnings alone are fine.
"""

from __future__ import annotations

from argparse import Namespace

from engine.cli import options as shared
from engine.cli.console import Console
from engine.cli.parser import Parser
from engine.diagnostics.diagnostic import UlnaError

EXAMPLES = """\
  ulna lint app.bicep
  ulna lint app.bicep --format sarif > lint.sarif
  ulna lint app.bicep --format github                   annotations in a pull request
"""


def arguments(parser: Parser) -> None:
    """A file, and the form of the findings."""
    parser.add_argument("file", metavar="FILE", help="a .bicep or .bicepparam file")
    shared.common(parser, ("text", "json", "sarif", "github"))


def run(options: Namespace, console: Console) -> int:
    """Lint and tell."""
    raise UlnaError.of("ULN707", "Rules are not there yet")
