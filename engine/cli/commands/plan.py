"""Show what a deploy would change, resource by resource and property by property, and change nothing.

Symbols and colours are those of Azure's what-if. A value that only the deployment finds out is shown as "known after
deploy"; a resource that may change because of one is listed as Deploy (!).
"""

from __future__ import annotations

from engine.cli import options as shared
from engine.cli.console import Console

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace
    from collections.abc import Iterable

    from engine.cli.parser import Parser
    from engine.diagnostics.diagnostic import Diagnostic

EXAMPLES = """\
  ulna plan app.bicep
  ulna plan app.bicep -e staging -p replicas=3 -p @params.json
  ulna plan app.bicep --exit-code                       0: nothing to do, 2: changes; for CI
  ulna plan app.bicep --out plan.json                   keep it, and later: ulna apply plan.json
  ulna plan app.bicep --format json | jq .summary
"""

SET_BY_ENVIRONMENT = "ULN332"
"""What those who own the environment set over the file is shown to everybody who plans."""

NOTES = 8
"""So many other pieces of information are told, each on a line; -v has all of them with their places."""


def arguments(parser: Parser) -> None:
    """A file, where it goes, and what becomes of the plan."""
    shared.target(parser)
    shared.unmanage(parser)
    shared.restoring(parser)
    parser.add_argument("--out", type=shared.path, metavar="PLAN", help="write the plan to a file, for 'ulna apply'")
    parser.add_argument("--exit-code", action="store_true", help="exit with 2 if there are changes")
    shared.common(parser)


def run(options: Namespace, console: Console) -> int:
    """Plan and show."""
    from engine.pipeline.planning import plan

    planned = plan(shared.request(options), to_save=options.out is not None)
    console.diagnostics(planned.diagnostics)
    if options.out is not None:
        from engine.cli.files import write_private
        from engine.plan.stored import to_json

        write_private(options.out, to_json(planned.plan))
    if console.json:
        from engine.diagnostics.render.json import as_object
        from engine.plan.report import report

        console.document(report(planned.plan, map(as_object, planned.diagnostics)))
    else:
        from engine.plan.whatif import whatif

        console.write(whatif(planned.plan, console.colour(console.out)))
        if not console.verbose:
            _tell(planned.diagnostics, console)
        if options.out is not None:
            console.say(f"The plan is in '{options.out}'; 'ulna apply {options.out}' carries it out.")
    return 2 if options.exit_code and planned.plan.acts else 0


def _tell(diagnostics: Iterable[Diagnostic], console: Console) -> None:
    """What is information alone, such as the blocks for other compute kinds that are passed over."""
    told = [d for d in diagnostics if d.severity == "info"]
    if set_there := [d for d in told if d.code == SET_BY_ENVIRONMENT]:
        console.write("\n".join(["\nSet by the environment:", *(f"  * {d.message}" for d in set_there), ""]))
    notes = [d for d in told if d.code != SET_BY_ENVIRONMENT]
    if notes:
        lines = [f"  * {' / '.join(d.message.splitlines())}" for d in notes[:NOTES]]
        more = [f"  … and {len(notes) - NOTES} more: -v shows all of them"] if len(notes) > NOTES else []
        console.write("\n".join(["\nNotes:", *(console.paint(line, "2") for line in (*lines, *more)), ""]))
