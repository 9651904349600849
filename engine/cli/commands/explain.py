"""What a code such as BCP057, ULN605 or no-unused-params means, and what to do about it, with a bad and a good example.

Without a code, the rules of the linter are listed.
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
  ulna explain BCP057
  ulna explain no-unused-params
  ulna explain                                          all rules, with their levels
"""


def arguments(parser: Parser) -> None:
    """The code."""
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="a code as diagnostics show it, or a rule of the linter"
    )
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Look it up: a code of the language or of Ulna, else a rule."""
    from engine.cli.reference.page import page_of

    if options.code is None:
        _list(console)
        return 0
    page = page_of(options.code)
    if page is None:
        raise _unknown(options.code)
    if console.json:
        console.document(page.document())
    else:
        console.write(page.plain())
    return 0


def _list(console: Console) -> None:
    """Every rule, its level by default, and what it finds."""
    from engine.config.config import Config
    from engine.lint.run import all_rules
    from engine.lint.settings import severity

    rows = [
        (name, str(severity(rule, Config()) or "off"), rule.page.split("\n")[0])
        for name, rule in sorted(all_rules().items())
    ]
    if console.json:
        console.document({"rules": [{"name": n, "level": level, "finds": finds} for n, level, finds in rows]})
    else:
        console.table(("RULE", "LEVEL", "FINDS"), rows)


def _unknown(code: str) -> UlnaError:
    import re

    from engine.diagnostics.codes import registered
    from engine.diagnostics.suggest import did_you_mean
    from engine.lint.run import all_rules

    padded = re.sub(r"\d+$", lambda number: number[0].zfill(3), code)
    help = did_you_mean(padded, [*registered(), *all_rules()]) or "Codes look like BCP057, ULN605 or no-unused-params."
    return UlnaError.of("ULN707", f"There is no code '{code}'", help, exit_code=2)
