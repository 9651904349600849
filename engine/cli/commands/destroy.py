"""Delete everything that a deployment owns, users before what they use.

It asks first, unless --yes is given. What other deployments own is not touched.
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
  ulna destroy app.bicep
  ulna destroy app.bicep -e staging --yes
  ulna destroy shop                                     by the name it was deployed under
"""


def arguments(parser: Parser) -> None:
    """A deployment, and where it is."""
    parser.add_argument("file", metavar="FILE", help="the file that was deployed, or the name of the deployment")
    parser.add_argument("--name", metavar="NAME", help="the deployment's name, where it is not that of the file")
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
    shared.state(parser)
    shared.waiting(parser)
    shared.deadline(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Ask, destroy, tell."""
    from engine.cli.running import carry_out
    from engine.pipeline.destroying import destroy, doomed
    from engine.pipeline.request import Where

    where = Where(options.name or options.file, options.environment, options.state, options.wait)
    if not options.yes:
        found = doomed(where)
        if not _agreed(console, found.environment, found.deployment, [e.address for e in found.entries]):
            console.say("Nothing was deleted.")
            return 1
    return carry_out(lambda watch, control: destroy(where, watch, control), console, options.timeout, "Destruction of")


def _agreed(console: Console, environment: str, deployment: str, addresses: list[str]) -> bool:
    import sys

    if console.json or not sys.stdin.isatty():
        raise UlnaError.of(
            "ULN704", "Nobody is there to be asked", "Pass --yes to destroy without asking.", exit_code=2
        )
    for address in addresses:
        console.err.write(f"  - {address}\n")
    console.err.write(f"Delete these {len(addresses)} of '{deployment}' in environment '{environment}'? [y/N] ")
    console.err.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
