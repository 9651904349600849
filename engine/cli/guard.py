"""Between a verb and the shell: no traceback gets through, whatever happens."""

from __future__ import annotations

import errno
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from collections.abc import Callable

    from engine.diagnostics.diagnostic import UlnaError

INTERRUPTED = 130


def guarded(call: Callable[[], int], arguments: list[str]) -> int:
    """The exit code of a call; problems become diagnostics on stderr."""
    _open_what_is_closed()
    try:
        code = _code_of(call)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return _pipe_closed()
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted\n")
        return INTERRUPTED
    except Exception as error:
        try:
            return _told(error, arguments)
        except BrokenPipeError:
            return _pipe_closed()
        except Exception as second:  # even telling it failed
            sys.stderr.write(f"error: {error}\nwhile telling it: {type(second).__name__}: {second}\n")
            return 1


def _open_what_is_closed() -> None:
    """Streams that the shell closed (`>&-`) are read by nobody, and can be written to like any other."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  open until the end


def _code_of(call: Callable[[], int]) -> int:
    try:
        return call()
    except SystemExit as stop:  # argparse's --help
        return stop.code if isinstance(stop.code, int) else 0


def _told(error: Exception, arguments: list[str]) -> int:
    """Says what went wrong, and gives the exit code."""
    from engine.cli.console import Console
    from engine.contract.errors import OperatorError
    from engine.diagnostics.diagnostic import UlnaError

    console = Console.of_words(arguments)
    match error:
        case UlnaError():
            console.diagnostics(error.diagnostics)
            return error.exit_code
        case OperatorError():
            told = UlnaError.of("ULN710", error.reason, error.help)
        case FileNotFoundError() if _is_nowhere():
            told = UlnaError.of("ULN711", "The current folder is not there any more", "Go to one that is, with 'cd'.")
        case OSError() if error.errno == errno.ENOSPC and error.filename is None:
            _say_no_more()
            told = UlnaError.of("ULN711", "The output cannot be written: the disk is full", "Free some space.")
        case OSError() if error.filename is not None:
            told = UlnaError.of("ULN711", f"'{error.filename}': {error.strerror}")
        case RecursionError():
            told = UlnaError.of("ULN712", "The file is nested too deeply for this Python", "Nest less.")
        case MemoryError():
            told = UlnaError.of("ULN713", "There is not enough memory")
        case _:
            told = _bug(error)
    console.diagnostics(told.diagnostics)
    return 1


def _bug(error: Exception) -> UlnaError:
    """What is said of an error that nobody foresaw: a short number to find it by, and how to see the rest."""
    import traceback
    from zlib import crc32

    from engine.diagnostics.diagnostic import UlnaError

    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].name}" if frames else "?"
    number = f"{crc32(f'{type(error).__name__} {place}'.encode()):08x}"
    if os.environ.get("ULNA_DEBUG"):
        traceback.print_exception(error)
    return UlnaError.of(
        "ULN799",
        f"This is a bug in Ulna ({type(error).__name__} in {place}, {number})",
        "Set ULNA_DEBUG=1 and run it again to see where; please report it with what it prints."
        if not os.environ.get("ULNA_DEBUG")
        else "Please report it with what is printed above.",
    )


def _is_nowhere() -> bool:
    try:
        os.getcwd()  # noqa: PTH109  pathlib is not needed for anything else
    except FileNotFoundError:
        return True
    return False


def _pipe_closed() -> int:
    """Whoever read our output has gone."""
    _say_no_more()
    return 1


def _say_no_more() -> None:
    """Nothing more goes to stdout, not even from the interpreter as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
