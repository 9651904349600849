"""The dashboard's pages: files of this package, served as they are."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import BaseRoute


def pages() -> tuple[BaseRoute, ...]:
    """The routes beside the API's."""
    from starlette.routing import Route

    async def index(request: object) -> Response:
        return Response("<!doctype html><title>Ulna</title><p>The dashboard.", media_type="text/html")

    return (Route("/", index),)
