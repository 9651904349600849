"""Which variables of whoever deploys a process gets: those that make a program run here, and no secrets of theirs.

A process gets its own secrets by its `env`; what a shell holds for other tools (PGPASSWORD, AWS_SECRET_ACCESS_KEY, tokens of
registries and pipelines) is none of its business, and would be read by all that it starts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

_OURS = ("CONNECTION_", "ULNA_")
_SECRET = re.compile(
    r"PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|_PWD$|_PASS$|_HEADERS$|(^|_)AUTH$|(API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|_)_?KEY$",
    re.IGNORECASE,
)
_WITH_PASSWORD = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/\s:@]*:[^/\s@]+@")


def inherited(variables: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Without connections and our own, without what is named like a secret, and without addresses that hold a password."""
    return {
        name: value
        for name, value in variables.items()
        if not (name.startswith(_OURS) or _SECRET.search(name) or _WITH_PASSWORD.match(value))
    }
