"""Taking a lease: try, tell whom one waits for, try again. The trying itself is the log's."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.diagnostics.diagnostic import UlnaError
from engine.state.owner import Owner

PATIENCE = 600.0
"""Seconds that one waits for another Ulna which will end, where nobody says how long."""

_POLL = 0.2


def take(
    environment: str, attempt: Callable[[], Owner | None], wait: float | None, on_wait: Callable[[str], None] | None
) -> None:
    """Call `attempt` until it gives no other holder, for `wait` seconds at most; `on_wait` is told once whom it waits for.

    Where `wait` is None, one that stays until somebody ends it is not waited for at all.
    """
    begun = time.monotonic()
    while (holder := attempt()) is not None:
        patience = wait if wait is not None else 0.0 if holder.stays else PATIENCE
        if time.monotonic() - begun >= patience:
            raise _in_use(environment, holder)
        if on_wait is not None:
            on_wait(f"Waiting for another Ulna ({holder}) to finish with the environment '{environment}'")
            on_wait = None
        time.sleep(_POLL)


def _in_use(environment: str, holder: Owner) -> UlnaError:
    if holder.stays:
        message = f"The environment '{environment}' is in use by a run ({holder}), which stays until somebody ends it"
        help = "End it with 'ulna stop' (--keep leaves running what it started), or give it time with --wait."
    else:
        message = f"The environment '{environment}' is in use by another Ulna ({holder})"
        help = "Wait until it has finished, or give it more time with --wait."
    return UlnaError.of("ULN410", message, help)
