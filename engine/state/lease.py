"""Taking a lease: try, tell whom one waits for, try again. The trying itself is the log's."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.diagnostics.diagnostic import UlnaError
from engine.state.owner import Owner

_POLL = 0.2


def take(
    environment: str, attempt: Callable[[], Owner | None], wait: float, on_wait: Callable[[str], None] | None
) -> None:
    """Call `attempt` until it gives no other holder, for `wait` seconds at most; `on_wait` is told once whom it waits for."""
    patience = time.monotonic() + wait
    while (holder := attempt()) is not None:
        if time.monotonic() >= patience:
            raise UlnaError.of(
                "ULN410",
                f"The environment '{environment}' is in use by another Ulna ({holder})",
                "Wait until it has finished, or give it more time with --wait; 'ulna stop' ends a run.",
            )
        if on_wait is not None:
            on_wait(f"Waiting for another Ulna ({holder}) to finish with the environment '{environment}'")
            on_wait = None
        time.sleep(_POLL)
