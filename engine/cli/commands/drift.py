"""Look for what is not as it was deployed: changed or removed by somebody else. Nothing is done about it.

The next deploy, or a run, puts it right, unless the tag `ulna.drift` of a resource or the policy of its environment
says `report` or `ignore`.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna drift
  ulna drift app -e staging                             one deployment
  ulna drift --format json | jq '.drifted[].address'
  ulna drift; test $? -eq 2 && echo 'somebody was here'  0: none, 2: some, 1: it could not be told
"""


def arguments(parser: Parser) -> None:
    """Which, and where."""
    parser.add_argument("name", nargs="?", metavar="DEPLOYMENT", help="one deployment only, by its name or its file")
    shared.state(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Look, tell, and give the exit code."""
    from engine.pipeline.drifting import drift
    from engine.pipeline.request import Where

    found = drift(Where(options.name, options.environment, options.state))
    console.diagnostics(found.diagnostics)
    if console.json:
        keys = ("address", "type", "what", "policy", "changes")
        drifted = [{key: getattr(d, key) for key in keys} | {"changes": list(d.changes)} for d in found.drifted]
        console.document({"environment": found.environment, "looked": found.looked, "drifted": drifted})
    else:
        for one in found.drifted:
            left = "" if one.policy == "heal" else f" ({one.policy})"
            console.line(f"{'-' if one.what == 'gone' else '~'} {one.address}  {one.type}: {one.what}{left}")
            for line in one.changes:
                console.line(f"    {line}")
        console.line(summed(len(found.drifted), found.looked))
    return 2 if found.drifted else 1 if found.diagnostics else 0


def summed(drifted: int, looked: int) -> str:
    """How many of those that were looked at are not as they were deployed."""
    if not looked:
        return "There is nothing to look at."
    be = "is not as it was" if drifted == 1 else "are not as they were"
    if drifted:
        return f"{drifted} of {looked} resource{'' if looked == 1 else 's'} {be} deployed."
    return "1 resource is as it was deployed." if looked == 1 else f"All {looked} resources are as they were deployed."
