"""What the verbs share that speak to a run: finding it, telling an operation, and reading inputs."""

from __future__ import annotations

from typing import Any

from engine.cli.console import Console
from engine.diagnostics.diagnostic import UlnaError
from engine.live.client import Client, found
from engine.pipeline.preparing import open_store
from engine.pipeline.target import GLOBAL, choose

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded for plain calls
    from argparse import Namespace


def running(options: Namespace) -> Client:
    """The run of the environment that is meant; refuses where none lives."""
    client = lives(options)
    if client is None:
        help = "Begin one with 'ulna run FILE --detach'; 'ulna status' shows what runs without one."
        raise UlnaError.of("ULN563", "Nobody runs this environment now", help)
    return client


def lives(options: Namespace) -> Client | None:
    """The run of the environment that is meant, or of the only one that anybody runs; None where none lives."""
    store = open_store(options.state)
    if options.environment is None:
        held = [c for name in (*store.environments(), GLOBAL) if (c := found(store.folder / name)) is not None]
        if len(held) == 1:
            return held[0]
    target = choose(store, options.environment, None)
    return found(store.folder / target.partition)


def act(verb: str, options: Namespace, console: Console, **more: Any) -> int:
    """Ask for what every resource can be asked for, and tell what came of it."""
    client = running(options)
    return tell(client, client.post("/api/command", {"name": options.name, "verb": verb, **more}), options, console)


def tell(client: Client, operation: dict[str, Any], options: Namespace, console: Console) -> int:
    """Wait for an operation unless told not to, and say what came of it; 1 where it failed."""
    if not options.no_wait:
        operation = follow(client, operation, options.timeout)
    if console.json:
        console.document(operation)
    else:
        words = f"{operation['id']}: {operation['title'].lower()} of '{operation['target']}' {_PROGRESS[operation['progress']]}"
        console.line(f"{words}{', ' + operation['message'] if operation['message'] else ''}")
        _result(operation["result"], console)
    return 1 if operation["progress"] == "failed" else 0


def follow(client: Client, operation: dict[str, Any], seconds: float) -> dict[str, Any]:
    """The operation once it has ended, or as it is when time is up."""
    from time import monotonic

    end = monotonic() + seconds
    while operation["progress"] == "running" and (left := end - monotonic()) > 0:
        operation = client.get("/api/operation", id=operation["id"], wait=min(20.0, left))
    return operation


_PROGRESS = {"running": "goes on", "succeeded": "is done", "failed": "failed"}


def _result(result: dict[str, Any], console: Console) -> None:
    """What it brought: the output of a program, the body of an answer, the end of a job's log."""
    for key in ("output", "body"):
        if result.get(key):
            console.write(str(result[key]).rstrip("\n") + "\n")
    for name, job in result.items():
        if isinstance(job, dict):
            for line in job.get("log", ()):
                console.line(f"{name} | {line}")


def inputs(words: list[str]) -> dict[str, str]:
    """The inputs in `-p NAME=VALUE`; `NAME=@FILE` is the content of a file."""
    from engine.sources.local import LocalSources
    from engine.sources.port import Unreadable
    from engine.sources.text import read_text

    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise UlnaError.of("ULN503", f"'{word}' is no NAME=VALUE", "Write -p name=value.", exit_code=2)
        if value.startswith("@"):
            sources = LocalSources()
            try:
                value = read_text(sources, sources.absolute(value[1:])).removesuffix("\n")
            except Unreadable as problem:
                raise UlnaError.of("ULN504", f"'{value[1:]}' cannot be read: {problem.reason}") from None
        given[name] = value
    return given


def values(words: list[str]) -> dict[str, Any]:
    """The properties in `PATH=VALUE`; a value that is JSON is what it says, any other a text."""
    import json

    given: dict[str, Any] = {}
    for word in words:
        path, equals, text = word.partition("=")
        if not equals or not path:
            raise UlnaError.of("ULN503", f"'{word}' is no PATH=VALUE", "Write container.image=shop:2.", exit_code=2)
        try:
            given[path] = json.loads(text)
        except ValueError:
            given[path] = text
    return given


def tell_batch(batch: dict[str, list[str]], console: Console) -> int:
    """What an edit asked for."""
    if console.json:
        console.document(batch)
        return 0
    for mark, key in (("+", "add"), ("~", "change"), ("-", "remove")):
        for address in batch[key]:
            console.line(f"{mark} {address}")
    if not any(batch.values()):
        console.line("Nothing changes.")
    return 0
