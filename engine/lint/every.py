"""Every rule: importing this imports the files of the folder `rules`, each of which registers itself."""

from __future__ import annotations

import os

_FOLDER = os.path.join(os.path.dirname(__file__), "rules")  # noqa: PTH118, PTH120  pathlib costs start-up time

for _name in sorted(os.listdir(_FOLDER)):  # noqa: PTH208
    if _name.endswith(".py") and not _name.startswith("_"):
        __import__(f"engine.lint.rules.{_name[:-3]}")
