"""Find mistakes and bad habits in files, by the rules and levels of the nearest bicepconfig.json.

With -e, also what the environment's platform cannot do is found, before anything runs there. Exits with 1 if there is
an error; warnings alone are fine.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.cli import options as shared
from engine.cli.console import Console, as_text
from engine.cli.parser import Parser
from engine.diagnostics.diagnostic import Diagnostic, UlnaError, has_errors

if TYPE_CHECKING:
    from engine.check.model import Model

EXAMPLES = """\
  ulna lint app.bicep
  ulna lint *.bicep
  ulna lint --pattern 'apps/**/*.bicep'                 all that fit, several at a time
  ulna lint app.bicep -e prod                           and what 'prod' cannot do
  ulna lint app.bicep --format sarif > lint.sarif
  ulna lint app.bicep --format github                   annotations in a pull request
"""


def arguments(parser: Parser) -> None:
    """Files, and the form of the findings."""
    parser.add_argument("files", metavar="FILE", nargs="*", help="a .bicep or .bicepparam file")
    parser.add_argument("--pattern", metavar="GLOB", help="all files that fit: 'apps/**/*.bicep'")
    parser.add_argument("--jobs", type=int, metavar="N", help="how many files at a time (default: one a core)")
    shared.parameters(parser)
    shared.state(parser)
    shared.restoring(parser)
    shared.types(parser)
    shared.common(parser, shared.DIAGNOSTICS, ("-o", "--diagnostics-format"))


def run(options: Namespace, console: Console) -> int:
    """Lint and tell: text for people goes to stderr as all diagnostics do, what programs read to stdout."""
    found = _all(_files(options), options)
    unique = sorted(dict.fromkeys(found), key=lambda d: d.sort_key)
    if console.format == "text":
        console.diagnostics(unique)
    else:
        console.write(as_text(unique, console.format))
    return 1 if has_errors(unique) else 0


_FEW = 16
"""So many files are linted sooner by one process than others are started."""


def _files(options: Namespace) -> list[str]:
    """The files that are named, or fit the pattern."""
    files: list[str] = list(options.files)
    if options.pattern is not None:
        from glob import glob
        from pathlib import Path

        fitting = glob(options.pattern, recursive=True)  # noqa: PTH207  absolute ones too
        found = sorted(path for path in fitting if Path(path).is_file())
        if not found:
            help = "Quote it, so that the shell leaves it."
            raise UlnaError.of("ULN701", f"No file fits '{options.pattern}'", help, exit_code=2)
        files += found
    if not files:
        raise UlnaError.of("ULN701", "FILE is missing", "Name files, or give a --pattern.", exit_code=2)
    return files


def _all(files: list[str], options: Namespace) -> list[Diagnostic]:
    """What is wrong in all files; many are shared among several processes."""
    import os

    jobs = min(options.jobs or os.cpu_count() or 1, len(files) // _FEW + 1)
    if jobs <= 1 or options.environment is not None:
        return [d for file in files for d in _file(file, options)]
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial

    with ProcessPoolExecutor(jobs) as pool:
        each = pool.map(partial(_file, options=options), files, chunksize=max(1, len(files) // (4 * jobs)))
        return [d for found in each for d in found]


def _file(path: str, options: Namespace) -> tuple[Diagnostic, ...]:
    """What is wrong with one file and those it uses."""
    from engine.lint.run import lint_all
    from engine.pipeline.restoring import checked

    try:
        model = checked(path, shared.sources(options), options.restore)
        found = (*_checked(model), *_limits(model), *lint_all(model))
        if options.environment is not None and not has_errors(found):
            from engine.pipeline.looking import graph
            from engine.pipeline.request import Request

            request = Request(path, options.environment, None, tuple(options.parameters), None, options.state)
            found += graph(request)[1]
    except UlnaError as error:
        return error.diagnostics
    return found


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
