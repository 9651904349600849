"""The dashboard's pages: the files of `dashboard/`, served as they are; nothing is built, and nothing comes from elsewhere.

`dashboard/`: index.html the frame · styles/ · scripts/ ES modules, main.js first · scripts/pages/ one file a page ·
vendored/ what others wrote, with its licences.
"""

from __future__ import annotations

from pathlib import Path

from starlette.routing import BaseRoute

FOLDER = Path(__file__).parent / "dashboard"


def pages() -> tuple[BaseRoute, ...]:
    """The routes beside the API's; they come last, for they take all that is left."""
    from starlette.routing import Mount
    from starlette.staticfiles import StaticFiles

    return (Mount("/", StaticFiles(directory=FOLDER, html=True)),)
