"""The faces' way to a running deployment: HTTP, JSON, and server-sent events.

It is served on a Unix socket for `ulna status`, `stop` and the others, which the file system guards, and on a port of the
loopback for the dashboard, which needs the token: `Authorization: Bearer`, or the cookie that opening `/?token=…` sets. What
changes something needs the header `X-Ulna` as well, which no page of another site can send.

    GET  /api/state                       the resources, operations and declared commands, as of `seq`
    GET  /api/events?after=N              what came after N, and on: one JSON object an event, with deletes
    GET  /api/logs?after=N&name=NAME      lines, and on; `follow=0` ends with the last one. `since` (Unix seconds) leaves out
                                          what was written before, `tail` all but so many last ones of each
    GET  /api/resource?name=NAME          all about one
    GET  /api/plan · /api/operation?id=ID&wait=S · /api/why?name=NAME
    POST /api/command                     {"name", "verb" | "command", "inputs", "withDependants", "replicas"}
    POST /api/edit                        {"add": "FILE" | "remove": [NAME] | "change": {"name", "set": {PATH: VALUE}}}
    POST /api/reload · /api/stop          {"keep"}
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from hmac import compare_digest
from math import isfinite, nan
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.diagnostics.diagnostic import UlnaError
from engine.diagnostics.render.json import as_object
from engine.live.address import LOOPBACKS, host_of, in_brackets
from engine.live.session import Session

GATHER = 0.02
"""Seconds in which what comes together is told together."""

LOOK = 0.5
"""Seconds after which a reader that was told of nothing looks by itself, and whether anybody still listens."""

BEAT = 15.0
"""Seconds after which a quiet stream says that it lives."""

COOKIE = "ulna-"
"""The name of the cookie, with the port behind it: browsers send those of one port to all ports of a host."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Api:
    """The routes; `token` is None where the file system guards the way. `pages` are routes of the dashboard."""

    def __init__(self, session: Session, token: str | None, pages: tuple[BaseRoute, ...] = ()) -> None:
        self.session = session
        routes: list[BaseRoute] = [
            Route("/api/state", self.state),
            Route("/api/events", self.events),
            Route("/api/logs", self.logs),
            Route("/api/resource", self.resource),
            Route("/api/why", self.why),
            Route("/api/plan", self.plan),
            Route("/api/operation", self.operation),
            Route("/api/command", self.command, methods=["POST"]),
            Route("/api/edit", self.edit, methods=["POST"]),
            Route("/api/reload", self.reload, methods=["POST"]),
            Route("/api/stop", self.stop, methods=["POST"]),
            *pages,
        ]
        app = Starlette(routes=routes, exception_handlers={UlnaError: _refused})
        self.app: ASGIApp = app if token is None else Guard(app, token)

    # ---------------------------------------------------------------- questions

    async def state(self, request: Request) -> Response:
        """All there is."""
        return JSONResponse(await run_in_threadpool(self.session.state))

    async def resource(self, request: Request) -> Response:
        """One resource."""
        return JSONResponse(await run_in_threadpool(self.session.resource, _asked(request, "name")))

    async def why(self, request: Request) -> Response:
        """Why it waits."""
        return JSONResponse({"why": await run_in_threadpool(self.session.why, _asked(request, "name"))})

    async def plan(self, request: Request) -> Response:
        """What a deploy of the file as it is would do now."""
        return JSONResponse(await run_in_threadpool(self.session.plan))

    async def operation(self, request: Request) -> Response:
        """An operation, once it has ended or some seconds have passed."""
        seconds = min(60.0, _number(request.query_params.get("wait")))
        found = await run_in_threadpool(self.session.operation, _asked(request, "id"), seconds)
        return JSONResponse(found)

    async def events(self, request: Request) -> Response:
        """The feed."""
        after = int(_number(request.query_params.get("after", request.headers.get("last-event-id"))))
        return _stream(request, self.session.events, self.session.watch, after, "seq")

    async def logs(self, request: Request) -> Response:
        """Lines."""
        name = request.query_params.get("name")
        address = await run_in_threadpool(self.session.address, name) if name else None
        after = int(_number(request.query_params.get("after")))
        follow = request.query_params.get("follow", "1") != "0"
        since, tail = _number(request.query_params.get("since")), request.query_params.get("tail")

        def lines(number: int) -> list[dict[str, object]]:
            return self.session.lines(number, address, since)

        return _stream(
            request,
            lines if tail is None else _last(lines, after, int(_number(tail))),
            self.session.watch_lines,
            after,
            "number",
            follow,
        )

    # ---------------------------------------------------------------- changes

    async def command(self, request: Request) -> Response:
        """A command."""
        return JSONResponse(await run_in_threadpool(self.session.command, await _body(request)))

    async def edit(self, request: Request) -> Response:
        """An edit of the model."""
        return JSONResponse(await run_in_threadpool(self.session.edit, await _body(request)))

    async def reload(self, request: Request) -> Response:
        """Take the file as it is now."""
        return JSONResponse(await run_in_threadpool(self.session.reload))

    async def stop(self, request: Request) -> Response:
        """End the run; it says so before it does."""
        self.session.stop(bool((await _body(request)).get("keep")))
        return JSONResponse({"stopping": True})


def _last(read: Callable[[int], list[dict[str, Any]]], after: int, tail: int) -> Callable[[int], list[dict[str, Any]]]:
    """Reads the last lines of each that writes, and all that come then."""
    there = read(after)
    kept, left = set[int](), dict[str, int]()
    for line in reversed(there):
        left[line["address"]] = left.get(line["address"], tail) - 1
        if left[line["address"]] >= 0:
            kept.add(line["number"])
    newest = there[-1]["number"] if there else after
    return lambda number: [x for x in read(number) if x["number"] > newest or x["number"] in kept]


def _asked(request: Request, name: str) -> str:
    found = request.query_params.get(name)
    if found is None:
        raise UlnaError.of("ULN560", f"The request does not say '{name}'", exit_code=2)
    return found


def _number(given: str | None) -> float:
    try:
        found = float(given or 0)
    except ValueError:
        found = nan
    if not isfinite(found):
        raise UlnaError.of("ULN560", f"'{given}' is no number", exit_code=2)
    return found


async def _body(request: Request) -> dict[str, Any]:
    try:
        given = await request.body()
        body = json.loads(given) if given else {}
        json.dumps(body, allow_nan=False)  # neither NaN nor infinity: no reader of the state could read them
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise UlnaError.of("ULN560", "The body of the request is no JSON object", exit_code=2)
    return body


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, UlnaError)
    found = [as_object(d) for d in error.diagnostics]
    return JSONResponse({"diagnostics": found, "exitCode": error.exit_code}, status_code=400)


# ---------------------------------------------------------------- streams


def _stream(
    request: Request,
    read: Callable[[int], list[dict[str, Any]]],
    watch: Callable[[Callable[[], None]], Callable[[], None]],
    after: int,
    key: str,
    follow: bool = True,
) -> Response:
    """Server-sent events for a browser, a JSON object a line for anybody else.

    Whoever writes only wakes the reader, which takes what there is by then: a slow one is never waited for.
    """
    browser = "text/event-stream" in request.headers.get("accept", "")

    def told(item: dict[str, Any]) -> str:
        text = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
        return f"id: {item[key]}\ndata: {text}\n\n" if browser else f"{text}\n"

    async def lines() -> AsyncIterator[str]:
        loop, woken = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            if not woken.is_set():
                with suppress(RuntimeError):  # the server has ended
                    loop.call_soon_threadsafe(woken.set)

        unwatch = watch(wake)
        try:
            at, beat = after, loop.time()
            while True:
                woken.clear()
                found = read(at)
                if found:
                    at, beat = found[-1][key], loop.time()
                    yield "".join(map(told, found))
                elif loop.time() - beat >= BEAT:
                    beat = loop.time()
                    yield ": alive\n\n" if browser else "\n"
                if not follow or await request.is_disconnected():
                    return
                with suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), LOOK)
                    await asyncio.sleep(GATHER)
        finally:
            unwatch()

    return StreamingResponse(lines(), media_type="text/event-stream" if browser else "application/x-ndjson")


# ---------------------------------------------------------------- who may


class Guard:
    """Lets in who has the token, on the loopback's own names, and from no other site."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See the class."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        answer = self._answer(request)
        if answer is not None:
            await answer(scope, receive, send)
            return

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(k.lower().encode(), v.encode()) for k, v in _HEADERS.items()]
            await send(message)

        await self.app(scope, receive, with_headers)

    def _answer(self, request: Request) -> Response | None:
        host = host_of(request.headers.get("host", "").lower())
        if host not in (*map(in_brackets, LOOPBACKS), *self._named(request)):
            return Response("Unknown host", 421, _HEADERS)
        given = request.query_params.get("token")
        if given is not None and compare_digest(given.encode(), self.token.encode()) and request.method == "GET":
            answer = RedirectResponse(request.url.path, 303, _HEADERS)
            answer.set_cookie(self._cookie(request), self.token, httponly=True, samesite="strict")
            return answer
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        known = bearer or request.cookies.get(self._cookie(request), "")
        if not compare_digest(known.encode(), self.token.encode()):
            text = "This needs the token that 'ulna run' printed: open the address as it was printed there."
            return Response(text, 401, _HEADERS)
        if request.method != "GET" and not bearer and "x-ulna" not in request.headers:
            return Response("The header X-Ulna is missing", 403, _HEADERS)
        return None

    def _cookie(self, request: Request) -> str:
        return f"{COOKIE}{request.url.port or 80}"

    def _named(self, request: Request) -> tuple[str, ...]:
        """The name that it was told to listen on, where that is not the loopback."""
        server = request.scope.get("server")
        return (in_brackets(server[0]),) if server else ()
