"""Options that several verbs share, so that they mean and read the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.diagnostics.diagnostic import UlnaError

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    import argparse
    from pathlib import Path

    from engine.cli.parser import Parser
    from engine.pipeline.request import Request
    from engine.sources.local import LocalSources

UNMANAGED = ("delete", "detach")
"""The words of `OnUnmanage`, which costs a dozen modules to import."""


def path(text: str) -> Path:
    """An option that is a path; only those who give one load pathlib."""
    from pathlib import Path

    return Path(text)


def port(text: str) -> int:
    """An option that is a port, 0 for any that is free."""
    number = int(text)
    if not 0 <= number <= 65535:
        raise ValueError
    return number


def whole(least: int) -> Callable[[str], int]:
    """An option that is a whole number, at least as large as this one."""

    def read(text: str) -> int:
        from argparse import ArgumentTypeError

        if text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least:
            return int(text)
        raise ArgumentTypeError(f"'{text}' is no whole number of at least {least}")

    return read


def duration(text: str) -> float:
    """An option that is a length of time, in seconds: 90, 90s, 5m, 2h, 1d, 1h30m."""
    from argparse import ArgumentTypeError

    from engine.contract.patterns import pattern

    whole = f"{text}s" if text[-1:] in "0123456789" else text
    parts = pattern("([0-9]{1,9})([smhd])").findall(whole)
    if "".join(number + unit for number, unit in parts) != whole:
        raise ArgumentTypeError(f"'{text}' is no length of time: write 90s, 5m, 2h or 1h30m")
    return float(sum(int(number) * _LENGTHS[unit] for number, unit in parts))


_LENGTHS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def place(text: str) -> Path | str:
    """An option that names a state: a folder, or the address of a database."""
    from engine.state.address import given

    return given(text)


def common(parser: Parser, formats: Iterable[str] = ("text", "json"), flags: Iterable[str] = ("-o",)) -> None:
    """What every verb has: the form of its output (`flags` are more spellings of it), colours, and how much it tells."""
    group = parser.add_argument_group("output")
    words = tuple(formats)
    if words:
        group.add_argument(
            *flags,
            "--format",
            type=lambda word: {"default": "text"}.get(word.lower(), word.lower()),
            choices=words,
            default=words[0],
            dest="format",
            help=f"its form (default: {words[0]})",
        )
    group.add_argument("--no-color", action="store_true", help="no colours (NO_COLOR=1 does the same)")
    group.add_argument("-v", "--verbose", action="count", default=0, help="tell more")


def state(parser: Parser, environment: bool = True) -> None:
    """Where the state is kept, and which environment of it is meant."""
    group = parser.add_argument_group("where")
    if environment:
        group.add_argument("-e", "--environment", metavar="NAME", help="the environment (default: the only one)")
    group.add_argument(
        "--state",
        type=place,
        metavar="FOLDER",
        help="the state, a folder or postgresql://… (default: $ULNA_STATE, or the nearest .ulna upward)",
    )


def file(parser: Parser, kinds: str = "a .bicep or .bicepparam file, or an ARM template (.json)") -> None:
    """The file that a verb works on."""
    parser.add_argument("file", metavar="FILE", nargs="?", help=kinds)


def parameters(parser: Parser) -> None:
    """Values for the parameters of a file."""
    parser.add_argument(
        "-p",
        "--parameters",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="name=value, name=@file, @params.json or @app.bicepparam; may be repeated",
    )


def target(parser: Parser) -> None:
    """A file, its parameters, and where it goes."""
    file(parser)
    parameters(parser)
    parser.add_argument("-a", "--application", metavar="NAME", help="fills in the parameter 'application'")
    parser.add_argument("--name", metavar="NAME", help="the deployment's name (default: that of the file)")
    parser.add_argument(
        "--operator",
        action="append",
        default=[],
        metavar="NAME=OPERATOR",
        dest="operators",
        help="pins a resource to an operator, as the tag ulna.operator does; may be repeated",
    )
    state(parser)


def restoring(parser: Parser) -> None:
    """Whether what files name in registries is fetched."""
    parser.add_argument(
        "--no-restore", dest="restore", action="store_false", help="fetch no modules from registries: the cache must do"
    )


def types(parser: Parser) -> None:
    """The types that resources are compared with."""
    parser.add_argument(
        "--types",
        metavar="PATH",
        help="resource types: a folder with an index.json of bicep-types, or a list of names (default: $ULNA_TYPES)",
    )


def sources(options: argparse.Namespace) -> LocalSources:
    """The disk, as the options of `types` and of strictness have it seen."""
    from engine.sources.local import LocalSources, SetSources

    given = {
        "ULNA_TYPES": options.types,
        "ULNA_STRICT_BICEP": "true" if getattr(options, "strict_bicep", False) else None,
    }
    chosen = {name: value for name, value in given.items() if value}
    return SetSources(chosen) if chosen else LocalSources()


def resource(parser: Parser) -> None:
    """Which resource is meant."""
    parser.add_argument("name", metavar="NAME", help="the resource: its name, its address, or the end of that")


def operation(parser: Parser) -> None:
    """Whether, and how long, an operation of a run is waited for."""
    parser.add_argument("--no-wait", action="store_true", help="do not wait until it is done")
    parser.add_argument("--timeout", type=float, default=600.0, metavar="SECONDS", help="wait no longer (default: 600)")


def deadline(parser: Parser) -> None:
    """How long the whole may take."""
    parser.add_argument(
        "--timeout",
        type=float,
        default=600.0,
        metavar="SECONDS",
        help="what is not ready by then has failed; what runs goes on (default: 600)",
    )


def waiting(parser: Parser) -> None:
    """How long to wait for another Ulna that holds the environment."""
    parser.add_argument(
        "--wait",
        type=float,
        metavar="SECONDS",
        help="how long to wait while another Ulna holds the environment (default: 600, and not at all for a run)",
    )


def listening(parser: Parser, what: str = "its address") -> None:
    """Who reaches what it serves."""
    parser.add_argument(
        "--listen", default="127.0.0.1", metavar="ADDRESS", help=f"{what} (default: this machine alone)"
    )


def unmanage(parser: Parser, what: str = "what left the file is deleted") -> None:
    """What becomes of resources that left the file, or of all."""
    parser.add_argument(
        "--on-unmanage",
        choices=UNMANAGED,
        default=UNMANAGED[0],
        help=f"{what}, or lives on and is forgotten (default: delete)",
    )


def request(options: argparse.Namespace) -> Request:
    """What the options of `target` ask for."""
    from engine.pipeline.request import Request
    from engine.plan.plan import OnUnmanage

    file, parameters = options.file, list(options.parameters)
    if file is None:
        file = next((p[1:] for p in parameters if p.startswith("@") and p.endswith(".bicepparam")), None)
        if file is None:
            raise UlnaError.of("ULN701", "FILE is missing", "Name a .bicep, .bicepparam or .json file.", exit_code=2)
        parameters.remove(f"@{file}")
    return Request(
        file,
        environment=options.environment,
        application=options.application,
        parameters=tuple(parameters),
        name=options.name,
        state=options.state,
        on_unmanage=OnUnmanage(getattr(options, "on_unmanage", "delete")),
        wait=getattr(options, "wait", None),
        restore=getattr(options, "restore", True),
        operators=tuple(getattr(options, "operators", ())),
    )


DIAGNOSTICS = ("text", "json", "sarif", "github", "junit")


def diagnostics(parser: Parser) -> None:
    """How problems are written; Bicep's own spelling of the option is understood too."""
    parser.add_argument(
        "--diagnostics-format",
        type=lambda word: {"default": "text"}.get(word.lower(), word.lower()),
        choices=DIAGNOSTICS,
        metavar="FORMAT",
        default="text",
        help=f"problems as {_or(DIAGNOSTICS)} (default: text)",
    )


def _or(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
