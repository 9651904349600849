"""Runs what changes things: with progress, Ctrl-C in two steps, and the outcome at the end."""

from __future__ import annotations

from collections.abc import Callable

from engine.cli.console import Console
from engine.cli.interrupts import Interrupts
from engine.cli.outcome import tell
from engine.cli.progress import MOVING, progress
from engine.pipeline.request import Control, Outcome, Watch


def carry_out(
    call: Callable[[Watch, Control], Outcome], console: Console, timeout: float, what: str = "Deployment"
) -> int:
    """The exit code of a run; whatever it tells is shown while it runs."""
    with progress(console) as shown:
        control = Control(shown.note, timeout)

        def stop() -> None:
            running = sum(row.state in MOVING for row in list(shown.rows.values()))
            calls = "what runs" if not running else f"{running} running call{'s' * (running > 1)}"
            shown.note(f"finishing {calls}; press Ctrl-C again to stop at once")
            control.stop()

        with Interrupts(stop):
            outcome = call(shown, control)
    return tell(outcome, console, what)
