"""Waits for resources of a run: by its feed, so that nothing is missed and nothing is asked twice."""

from __future__ import annotations

import threading
from typing import Any

from engine.cli.console import Console
from engine.live.client import Client

_HOLDS = {
    "ready": lambda row: row["state"] == "ready" or (row["state"] == "exited" and row["exitCode"] == 0),
    "completed": lambda row: row["state"] == "exited" and row["exitCode"] == 0,
    "stopped": lambda row: row["state"] == "stopped",
}
_LOST = ("failed",)


def wait(client: Client, name: str | None, condition: str, seconds: float, console: Console) -> int:
    """0 once the condition holds; 1 where it cannot any more, or time is up."""
    rows: dict[str, dict[str, Any]] = {}
    ended = threading.Event()
    answer: list[tuple[int, str]] = []

    def look() -> None:
        state = client.get("/api/state")
        rows.update({r["address"]: r for r in state["resources"]})
        address = client.get("/api/resource", name=name)["address"] if name is not None else None
        if (found := _verdict(rows, address, condition)) is None:
            for event in client.stream("/api/events", after=state["seq"]):
                told = (event.get("resource"), *event.get("owners", ()))
                rows.update({r["address"]: r for r in told if r is not None})
                if "resource" in event and event["resource"] is None:
                    rows.pop(event["key"], None)
                if (found := _verdict(rows, address, condition)) is not None:
                    break
        answer.append(found or (1, "the run has ended"))
        ended.set()

    failure: list[BaseException] = []

    def guarded() -> None:
        try:
            look()
        except BaseException as error:
            failure.append(error)
            ended.set()

    threading.Thread(target=guarded, daemon=True).start()
    if not ended.wait(seconds):
        answer.append((1, f"not {condition} within {seconds:g} s"))
    if failure:
        raise failure[0]
    code, why = answer[0]
    if why:
        console.say(f"{name or 'the run'}: {why}")
    return code


def _verdict(rows: dict[str, dict[str, Any]], address: str | None, condition: str) -> tuple[int, str] | None:
    if condition == "gone":
        return (0, "") if (address not in rows if address is not None else not rows) else None
    wanted = [rows[address]] if address in rows else [] if address is not None else list(rows.values())
    if address is not None and not wanted:
        return 1, "it is gone"
    lost = next((r for r in wanted if r["state"] in _LOST), None)
    if lost is not None:
        return 1, f"'{lost['address']}' failed: {lost['reason']}"
    return (0, "") if all(map(_HOLDS[condition], wanted)) else None
