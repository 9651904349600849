"""Find mistakes and bad habits in files, by the rules and levels of the nearest bicepconfig.json, and mend them.

With --fix what can be mended without changing what a file means is mended, in the files that are named or found; with
--unsafe-fixes also what may change it, such as removing a parameter. Comments and layout stay. A fix after which more
would be wrong is not carried out, and that is said. With -e, also what the environment's platform cannot do is found.

Exits with 1 if an error is left; warnings alone are fine, and what was fixed does not count. With --diff nothing is
written, and it exits with 1 as well if a file would change. A wrong call exits with 2.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.cli import options as shared
from engine.cli.console import Console, as_text
from engine.diagnostics.diagnostic import Diagnostic, UlnaError, has_errors
from engine.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from argparse import Namespace
    from typing import Protocol, TypeVar

    from engine.check.model import Model
    from engine.cli.parser import Parser

    T = TypeVar("T", covariant=True)

    class _Work(Protocol[T]):
        def __call__(self, path: str, options: Namespace) -> T: ...


EXAMPLES = """\
  ulna lint app.bicep
  ulna lint infra                                       all files below a folder, several at a time
  ulna lint --pattern 'apps/**/*.bicep'                 all that fit
  ulna lint infra --fix                                 mend what is safe to mend
  ulna lint infra --fix --unsafe-fixes --diff           show what would be mended, and write nothing
  ulna lint app.bicep --strict-bicep                    only what Bicep knows, and what it does not know is told
  ulna lint app.bicep -e prod                           and what 'prod' cannot do, without asking it
  ulna lint app.bicep -e env.bicep                      the same of an environment that is not deployed yet
  ulna lint app.bicep --format sarif > lint.sarif
  ulna lint app.bicep --format github                   annotations in a pull request
"""


def arguments(parser: Parser) -> None:
    """Files, what is done about findings, and their form."""
    parser.add_argument("files", metavar="FILE", nargs="*", help="a .bicep or .bicepparam file, or a folder of them")
    parser.add_argument("--pattern", metavar="GLOB", help="all files that fit: 'apps/**/*.bicep'")
    parser.add_argument(
        "--jobs", type=shared.whole(1), metavar="N", help="how many files at a time (default: one a core)"
    )
    parser.add_argument(
        "--strict-bicep", action="store_true", help="no rules of Ulna's own, and what only Ulna understands is told"
    )
    mending = parser.add_argument_group("fixes")
    mending.add_argument("--fix", action="store_true", help="carry out the fixes that keep a file's meaning")
    mending.add_argument("--unsafe-fixes", action="store_true", help="carry out the others too")
    mending.add_argument("--diff", action="store_true", help="show what the fixes would change, and write nothing")
    shared.parameters(parser)
    shared.state(parser)
    shared.restoring(parser)
    shared.types(parser)
    shared.common(parser, shared.DIAGNOSTICS, ("-o", "--diagnostics-format"))


def run(options: Namespace, console: Console) -> int:
    """Mend, lint and tell: text for people goes to stderr as all diagnostics do, what programs read to stdout."""
    from engine.cli.experimental import warn_of_experiments
    from engine.cli.selection import selected

    files = selected(options.files, options.pattern)
    warn_of_experiments(files, console)
    found: list[Diagnostic] = []
    changed = False
    if options.fix or options.unsafe_fixes or options.diff:
        results = list(_each(_mend, files, options))
        found += [d for result in results for d in result.problems]
        changed = any(result.diff for result in results)
        _tell(results, options, console)
    if not options.diff:
        found += [d for each in _each(_file, files, options) for d in each]
    unique = sorted({d.identity: d for d in reversed(found)}.values(), key=lambda d: d.sort_key)
    if console.format == "text":
        console.diagnostics(unique)
    elif not options.diff:
        console.write(as_text(unique, console.format))
    return 1 if has_errors(unique) or (options.diff and changed) else 0


_FEW = 16
"""So many files are linted sooner by one process than others are started."""


def _each(work: _Work[T], files: list[str], options: Namespace) -> Iterator[T]:
    """What comes of each file, in order; many are shared among several processes."""
    import os

    jobs = min(options.jobs or os.cpu_count() or 1, len(files) // _FEW + 1)
    if jobs <= 1 or options.environment is not None:
        yield from (work(file, options) for file in files)
        return
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial

    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(work, options=options), files, chunksize=max(1, len(files) // (4 * jobs)))


# ---------------------------------------------------------------- mending


class Mended(Record):
    """What became of one file: how many findings were fixed, the difference to what it was, and what went wrong."""

    path: str
    count: int = 0
    diff: str = ""
    problems: tuple[Diagnostic, ...] = ()


def _mend(path: str, options: Namespace) -> Mended:
    """Carry out the fixes of one file, or say what they would change."""
    from engine.cli.difference import unified
    from engine.pipeline.mending import mended, write_back

    try:
        fixed = mended(path, shared.sources(options), options.unsafe_fixes, options.restore)
        if fixed.changed and not options.diff:
            write_back(path, fixed)
    except UlnaError as error:
        # That a file cannot be read is said again when it is linted, and once is enough.
        return Mended(path, problems=error.diagnostics if options.diff or _writing(error) else ())
    diff = unified(path, fixed.before, fixed.after) if fixed.changed else ""
    problems = fixed.refused + (fixed.left if options.diff else ())
    return Mended(path, len(fixed.applied), diff, problems)


def _writing(error: UlnaError) -> bool:
    return any(d.code == "ULN715" for d in error.diagnostics)


def _tell(results: list[Mended], options: Namespace, console: Console) -> None:
    """Say what was mended, or show what would be."""
    if options.diff:
        for result in results:
            console.write(result.diff)
        return
    count = sum(result.count for result in results if result.diff)
    files = sum(bool(result.diff) for result in results)
    if count and console.format == "text":
        console.say(f"fixed {count} finding{'s' * (count != 1)} in {files} file{'s' * (files != 1)}")


# ---------------------------------------------------------------- finding


def _file(path: str, options: Namespace) -> tuple[Diagnostic, ...]:
    """What is wrong with one file and those it uses."""
    from engine.lint.run import lint_all
    from engine.pipeline.restoring import checked

    try:
        model = checked(path, shared.sources(options), options.restore)
        found = (*_checked(model), *_limits(model), *lint_all(model))
        if options.environment is not None and not has_errors(found):
            from engine.pipeline.foreseeing import findings
            from engine.pipeline.request import Request

            request = Request(path, options.environment, None, tuple(options.parameters), None, options.state)
            found = _once(found, findings(request.replace(restore=options.restore)))
    except UlnaError as error:
        return error.diagnostics
    return found


_SAME = {"ulna-unknown-runtime": "ULN316"}
"""What a rule finds in a file alone, by the code that a platform has for it."""


def _once(found: tuple[Diagnostic, ...], of_platform: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """All findings, each mistake once: what the platform refuses is no warning too, at the value of the same property."""
    told = {(d.code, d.primary.source.name, d.primary.span.end) for d in of_platform if d.primary is not None}

    def again(finding: Diagnostic) -> bool:
        if finding.primary is None or finding.severity == "error":
            return False
        text, start = finding.primary.source.text, finding.primary.span.start
        key = len(text[:start].rstrip().removesuffix(":").rstrip())
        code, name = _SAME.get(finding.code, finding.code), finding.primary.source.name
        return any((code, name, end) in told for end in (key, finding.primary.span.end))

    return (*(d for d in found if not again(d)), *of_platform)


def _checked(model: Model) -> Iterator[Diagnostic]:
    """What checking found in a file and in those it leads to."""
    for each in model.everything():
        yield from each.diagnostics


def _limits(model: Model) -> Iterator[Diagnostic]:
    """What only building a file would find, or evaluating a parameter file."""
    from engine.build.limits import limits

    for each in model.everything():
        if not each.path.endswith(".bicepparam"):
            yield from limits(each)
            continue
        from engine.build.parameters import failing_parameters
        from engine.expand.constant import constant

        yield from failing_parameters(each, constant)
