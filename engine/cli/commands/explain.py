"""What a code such as BCP057, ULN605 or no-unused-params means, and what to do about it."""

from __future__ import annotations

from argparse import Namespace

from engine.cli import options as shared
from engine.cli.console import Console
from engine.cli.parser import Parser
from engine.diagnostics.diagnostic import UlnaError

EXAMPLES = """\
  ulna explain BCP057
  ulna explain no-unused-params
"""


def arguments(parser: Parser) -> None:
    """The code."""
    parser.add_argument("code", metavar="CODE", help="a code as diagnostics show it, or a rule of the linter")
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Look it up: a code of the language or of Ulna, else a rule."""
    from engine.diagnostics.codes import explain

    page = explain(options.code) or _rule(options.code.lower())
    if page is None:
        raise _unknown(options.code)
    if console.json:
        console.document({"code": options.code, "explanation": page})
    else:
        console.write(page)
    return 0


def _rule(name: str) -> str | None:
    """The page of a rule: its docstring, and how it counts by default."""
    from inspect import cleandoc

    from engine.config.config import Config
    from engine.lint.run import all_rules
    from engine.lint.settings import severity

    rule = all_rules().get(name)
    if rule is None:
        return None
    level = severity(rule, Config()) or "off"
    return f"{name} ({rule.category}, {level} by default): {cleandoc(rule.page)}\n"


def _unknown(code: str) -> UlnaError:
    from engine.diagnostics.codes import registered
    from engine.diagnostics.suggest import did_you_mean
    from engine.lint.run import all_rules

    help = did_you_mean(code, [*registered(), *all_rules()]) or "Codes look like BCP057, ULN605 or no-unused-params."
    return UlnaError.of("ULN707", f"There is no code '{code}'", help, exit_code=2)
