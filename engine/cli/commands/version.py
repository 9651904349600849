"""The version of Ulna, and of the Python it runs on."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # it must be quick
    from argparse import Namespace

    from engine.cli.console import Console
    from engine.cli.parser import Parser

VERSION = "0.1.0"
"""A test holds it to pyproject.toml: reading a package's metadata costs more than all else here."""

EXAMPLES = """\
  ulna version
  ulna version --format json
"""


def arguments(parser: Parser) -> None:
    """Its form."""
    from engine.cli.options import common

    common(parser)


def run(options: Namespace, console: Console) -> int:
    """Print it."""
    if console.json:
        console.document({"ulna": VERSION, "python": sys.version.split()[0]})
        return 0
    return show()


def show() -> int:
    """Print it, with nothing else loaded."""
    sys.stdout.write(f"ulna {VERSION} (Python {sys.version.split()[0]})\n")
    return 0
