"""Make it so: create, update and delete until everything is as the file says, then exit.

What is as wanted is left alone; what left the file is deleted. A failure stops only what depends on it, and the next
deploy goes on from there. Ctrl-C once lets running calls finish; twice exits at once, and the next deploy still
recovers.
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace

    from engine.cli.parser import Parser

EXAMPLES = """\
  ulna deploy app.bicep
  ulna deploy app.bicep -e staging -p replicas=3 -p token=@token.txt -p @params.json
  ulna deploy prod.bicepparam -e prod
  ulna deploy azuredeploy.json --name shop
  ulna deploy app.bicep --format json | tail -1 | jq .endpoints
"""


def arguments(parser: Parser) -> None:
    """A file, and where it goes."""
    shared.target(parser)
    shared.unmanage(parser)
    shared.restoring(parser)
    shared.waiting(parser)
    shared.deadline(parser)
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Deploy and tell."""
    from engine.cli.running import carry_out
    from engine.pipeline.deploying import deploy

    request = shared.request(options)
    return carry_out(lambda watch, control: deploy(request, watch, control), console, options.timeout)
