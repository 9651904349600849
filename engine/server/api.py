"""The server's routes, behind the same guard as a run's: the token, the names of this machine, no other site.

GET  /api/deployments?environment=E           the last ones
POST /api/deployments                         a bundle (`job.py`): queued
GET  /api/deployments/ID                      one, with its summary once it has ended
GET  /api/deployments/ID/events?after=N       what it tells, one JSON object a line, until it ends
POST /api/deployments/ID/cancel · …/retry
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.render.json import as_object
from engine.live.api import Guard
from engine.server.job import LARGEST
from engine.server.queue import Queue

PAUSE = 0.4
"""Seconds between two looks for what is new."""

BEAT = 15.0
"""Seconds after which a quiet stream says that it lives."""


class Api:
    """The routes; `names` are host names, besides those of this machine, under which it is reached."""

    def __init__(self, queue: Queue, token: str, names: tuple[str, ...] = ()) -> None:
        self._queue = queue
        routes = [
            Route("/api/deployments", self.list),
            Route("/api/deployments", self.submit, methods=["POST"]),
            Route("/api/deployments/{id}", self.show),
            Route("/api/deployments/{id}/events", self.events),
            Route("/api/deployments/{id}/cancel", self._act(queue.cancel), methods=["POST"]),
            Route("/api/deployments/{id}/retry", self._act(queue.retry), methods=["POST"]),
        ]
        app = Starlette(routes=routes, exception_handlers={UlnaError: _refused})
        self.app: ASGIApp = _Guard(app, token, names)

    async def list(self, request: Request) -> Response:
        """The last ones."""
        found = await run_in_threadpool(self._queue.last, request.query_params.get("environment"))
        return JSONResponse({"deployments": found})

    async def show(self, request: Request) -> Response:
        """One."""
        return JSONResponse(await run_in_threadpool(self._queue.show, request.path_params["id"]))

    async def submit(self, request: Request) -> Response:
        """Queue a bundle; one that is too large is not even read to its end."""
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST:
                break
        return JSONResponse(await run_in_threadpool(self._queue.submit, body))

    async def events(self, request: Request) -> Response:
        """What it tells, until it ends."""
        id, start = request.path_params["id"], request.query_params.get("after", "0")
        if not start.isdecimal():
            raise UlnaError.of("ULN560", f"'{start}' is no number of a line", exit_code=2)
        await run_in_threadpool(self._queue.show, id)

        async def lines() -> AsyncIterator[str]:
            at, quiet = int(start), 0.0
            while True:
                found, ended = await run_in_threadpool(self._queue.lines, id, at)
                if found:
                    at, quiet = found[-1]["number"], 0.0
                    yield "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found)
                elif ended or await request.is_disconnected():
                    return
                else:
                    await asyncio.sleep(PAUSE)
                    quiet += PAUSE
                if quiet >= BEAT:
                    quiet = 0.0
                    yield "\n"

        return StreamingResponse(lines(), media_type="application/x-ndjson")

    def _act(self, call: Callable[[str], dict[str, Any]]) -> Any:
        async def act(request: Request) -> Response:
            return JSONResponse(await run_in_threadpool(call, request.path_params["id"]))

        return act


class _Guard(Guard):
    def __init__(self, app: ASGIApp, token: str, names: tuple[str, ...]) -> None:
        super().__init__(app, token)
        self._names = names

    def _named(self, request: Request) -> tuple[str, ...]:
        return (*super()._named(request), *self._names)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, UlnaError)
    found = [as_object(d) for d in error.diagnostics]
    return JSONResponse({"diagnostics": found, "exitCode": error.exit_code}, status_code=400)
