"""Delete everything that a deployment owns, users before what they use.

It asks first, unless --yes is given. What other deployments own is not touched. With --on-unmanage detach everything
lives on as it is, and is nobody's: another state may import it.
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
  ulna destroy shop --on-unmanage detach                forget it, and leave it alive
"""


def arguments(parser: Parser) -> None:
    """A deployment, and where it is."""
    parser.add_argument("file", metavar="FILE", help="the file that was deployed, or the name of the deployment")
    parser.add_argument("--name", metavar="NAME", help="the deployment's name, where it is not that of the file")
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
    shared.unmanage(parser, "everything is deleted")
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
    detach = options.on_unmanage == "detach"
    if not options.yes:
        found = doomed(where)
        if not _agreed(console, found.environment, found.deployment, [e.address for e in found.entries], detach):
            console.say("Nothing was forgotten." if detach else "Nothing was deleted.")
            return 1
    what = "Detachment of" if detach else "Destruction of"
    return carry_out(lambda watch, control: destroy(where, watch, control, detach), console, options.timeout, what)


def _agreed(console: Console, environment: str, deployment: str, addresses: list[str], detach: bool) -> bool:
    import sys

    if console.json or not sys.stdin.isatty():
        raise UlnaError.of(
            "ULN704", "Nobody is there to be asked", "Pass --yes to destroy without asking.", exit_code=2
        )
    for address in addresses:
        console.err.write(f"  {'^' if detach else '-'} {address}\n")
    console.err.write(
        f"{'Forget' if detach else 'Delete'} these {len(addresses)} of '{deployment}' in environment '{environment}'? [y/N] "
    )
    console.err.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
