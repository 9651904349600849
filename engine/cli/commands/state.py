"""What the state knows of each resource, without asking its operator: 'list' all, or 'show' one in full.

Secrets are references there, and stay so here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.cli import options as shared
from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError

if TYPE_CHECKING:
    from argparse import Namespace

    from engine.cli.parser import Parser
    from engine.state.entry import Entry

EXAMPLES = """\
  ulna state list
  ulna state list -e global                             environments themselves live there
  ulna state show app/web
"""


def arguments(parser: Parser) -> None:
    """What to do, and with which."""
    parser.add_argument("action", choices=("list", "show"), metavar="ACTION", help="list or show")
    parser.add_argument("name", nargs="?", metavar="ADDRESS", help="the resource to show")
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """List or show."""
    from engine.pipeline.looking import deployed
    from engine.pipeline.request import Where
    from engine.pipeline.target import GLOBAL

    environment, entries = deployed(Where(None, options.environment, options.state))
    if options.environment is None and not _answers(entries, options.name):
        elsewhere, others = deployed(Where(None, GLOBAL, options.state))
        if _answers(others, options.name):
            environment, entries = elsewhere, others
    if options.action == "show":
        return _show(options.name, {e.address: e for e in entries}, environment, console)
    if console.json:
        keys = ("address", "type", "phase", "operator", "generation", "incarnation")
        rows = [(e.address, e.resource.type, str(e.phase), e.operator, e.generation, e.incarnation) for e in entries]
        console.document({"environment": environment, "resources": [dict(zip(keys, r, strict=True)) for r in rows]})
        return 0
    table = [(e.address, e.resource.type, str(e.phase), e.operator or "", e.token or "") for e in entries]
    if table:
        console.table(("ADDRESS", "TYPE", "PHASE", "OPERATOR", "TOKEN"), table)
    else:
        console.line(f"Environment '{environment}' holds nothing.")
    return 0


def _answers(entries: tuple[Entry, ...], name: str | None) -> bool:
    """Whether what is asked for may be among these."""
    return bool(entries) if name is None else any(e.address == name for e in entries)


def _show(name: str | None, entries: dict[str, Any], environment: str, console: Console) -> int:
    from engine.diagnostics.suggest import did_you_mean

    if name is None:
        raise UlnaError.of("ULN701", "ADDRESS is missing", "'ulna state list' shows them.", exit_code=2)
    if name not in entries:
        help = did_you_mean(name, entries) or "'ulna state list' shows what there is."
        raise UlnaError.of("ULN705", f"There is no '{name}' in environment '{environment}'", help)
    console.document(_plain(entries[name]))
    return 0


def _plain(value: Any) -> Any:
    """A record as JSON that may be seen."""
    from engine.contract.value import Leaf
    from engine.plan.report import shown
    from engine.record import Record

    if isinstance(value, Leaf):
        return shown(value)
    if isinstance(value, Record):
        return {f: _plain(getattr(value, f)) for f in value.__fields__}
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value
