"""Removing things of an engine that may be in use for a moment yet, or be going already."""

from __future__ import annotations

import time
from collections.abc import Callable

BUSY = (403, 409, 500)
"""The engine's words for: endpoints are left, it is in use or being removed, it could not be killed just now."""


def gone(remove: Callable[[], object], patience: float = 180) -> None:
    """Call it until the thing is gone: returns once it is not there; what is still refused after so many seconds is raised."""
    from docker.errors import APIError, NotFound

    deadline = time.monotonic() + patience
    while True:
        try:
            remove()
        except NotFound:
            return
        except APIError as error:
            if error.status_code not in BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return
