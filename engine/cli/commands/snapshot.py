"""Predict, without a place to deploy to, the resources that a .bicepparam file and its template come to.

The prediction is written beside the file, as main.snapshot.json for main.bicepparam: keep it in version control. With
--mode validate it is made again and compared with what was written; the exit code is 1 if anything differs. Nothing is
deployed or asked for. What only a deployment knows stays as an expression in brackets, and so does the place as far as
no option tells it. Secrets are never written.
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
  ulna snapshot main.bicepparam                         writes main.snapshot.json
  ulna snapshot main.bicepparam --mode validate         what is different now?
  ulna snapshot main.bicepparam --subscription-id 00000000-0000-0000-0000-000000000000 --resource-group my-group
"""


def arguments(parser: Parser) -> None:
    """A file, what to do, and what is known of the place."""
    parser.add_argument("file", metavar="FILE", help="a .bicepparam file")
    parser.add_argument(
        "--mode",
        type=str.lower,
        choices=("overwrite", "validate"),
        default="overwrite",
        help="write the snapshot, or compare with it (default: overwrite)",
    )
    group = parser.add_argument_group("the place")
    for flag, value, help in (
        ("--tenant-id", "ID", "the tenant"),
        ("--subscription-id", "ID", "the subscription"),
        ("--resource-group", "NAME", "the resource group"),
        ("--management-group-id", "NAME", "the management group"),
        ("--location", "NAME", "the location of the resource group or deployment"),
        ("--deployment-name", "NAME", "the name of the deployment"),
    ):
        group.add_argument(flag, metavar=value, default="", help=help)
    shared.restoring(parser)
    shared.diagnostics(parser)
    shared.common(parser, ())


def run(options: Namespace, console: Console) -> int:
    """Predict, then write or compare."""
    from pathlib import Path

    from engine.build.render import render_json
    from engine.cli.files import read_json, write_text
    from engine.pipeline.snapshotting import Place, difference, output_lines, take
    from engine.plan.whatif import whatif
    from engine.sources.local import LocalSources

    if not options.file.endswith(".bicepparam"):
        message = f"'{options.file}' is no .bicepparam file"
        raise UlnaError.of("ULN706", message, "A snapshot is made of a file of parameters.", exit_code=2)
    beside = Path(options.file).with_suffix(".snapshot.json")
    if options.mode == "validate" and not beside.exists():
        help = "Make it first: the same call without --mode validate writes it."
        raise UlnaError.of("ULN711", f"'{beside}' is not there to compare with", help)
    before = read_json(beside) if options.mode == "validate" else None
    place = Place(
        options.tenant_id,
        options.subscription_id,
        options.resource_group,
        options.management_group_id,
        options.location,
        options.deployment_name,
    )
    document, diagnostics = take(options.file, LocalSources(), place, options.restore)
    console.diagnostics(diagnostics)
    for told in document["diagnostics"]:
        console.say(f"not predicted: {told.strip()}")
    if options.mode == "overwrite":
        write_text(beside, render_json(document) + "\n")
        console.say(f"wrote {beside}")
        return 0
    plan, outputs = difference(before, document, str(beside))
    if plan.changes or outputs:
        console.say(f"{beside} is not what the file comes to now")
    if plan.changes:
        import sys

        console.write(whatif(plan, console.colour(sys.stdout)))
    for line in output_lines(outputs):
        console.line(line)
    if plan.changes or outputs:
        return 1
    console.say(f"{beside} is as it was")
    return 0
