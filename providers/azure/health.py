"""How a thing is, by what Azure shows of it. Pure.

A container group says of its containers whether they run, and in events whether their probes fail: there is no more to know of
readiness.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from engine.contract.operator import Health
from engine.contract.value import Properties
from engine.record import Record

GROUP = "microsoft.containerinstance/containergroups"
SET = "microsoft.containerinstance/ngroups"
RUNS = frozenset([GROUP, SET])
DONE = ("Succeeded", "", "NotSpecified")
LOOK = 2.0
CRASHES = 4
"""So many restarts of a container that does not stay up are a crash loop."""


class Verdict(Record):
    """See `Observed`."""

    health: Health = Health.READY
    message: str = ""
    exit_code: int | None = None
    look_again: float | None = None


def judge(type: str, seen: Mapping[str, Any], wish: Properties, now: datetime) -> Verdict:
    """How a resource is; `wish` is the body of its properties, `now` by Azure's clock."""
    properties = seen.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    state = str(properties.get("provisioningState") or "")
    if type == GROUP:
        return _group(properties, wish, state, now)
    if state in ("Failed", "Canceled"):
        return Verdict(Health.FAILED, f"Azure says that its provisioning has {state.lower()}")
    if state not in DONE:
        return Verdict(Health.STARTING, f"Azure says: {state}", look_again=LOOK)
    return Verdict()


def _group(properties: Mapping[str, Any], wish: Properties, state: str, now: datetime) -> Verdict:
    view = properties.get("instanceView") or {}
    if state in ("Failed", "Canceled") or (view.get("state") == "Failed" and not _ran(properties)):
        return Verdict(Health.FAILED, _why(view.get("events")) or "Azure could not run the container group")
    if state not in DONE:
        return Verdict(Health.STARTING, _why(view.get("events")) or f"Azure says: {state}", look_again=LOOK)
    containers = list(_containers(properties))
    policy = wish.get("restartPolicy") or "Always"
    worst = worst_of(_container(name, c, policy, _probe(wish, name), now) for name, c in containers)
    codes = [(c.get("currentState") or {}).get("exitCode") for _, c in containers]
    if policy != "Always" and codes and codes[0] is not None and worst.health is Health.READY:
        return Verdict(Health.READY, exit_code=codes[0])
    return worst


def worst_of(verdicts: Iterable[Verdict]) -> Verdict:
    """What has failed says more than what is not ready, and the first of each says enough."""
    worst = Verdict()
    for verdict in verdicts:
        if verdict.health is Health.FAILED:
            return verdict
        if verdict.health is not Health.READY and worst.health is Health.READY:
            worst = verdict
    return worst


def _container(name: str, view: Mapping[str, Any], policy: str, probe: Properties, now: datetime) -> Verdict:
    current = view.get("currentState") or {}
    state, said = str(current.get("state") or "Waiting"), str(current.get("detailStatus") or "")
    restarts, why = int(view.get("restartCount") or 0), _why(view.get("events"))
    if state == "Terminated":
        code = current.get("exitCode")
        if policy == "Never" or (policy == "OnFailure" and code == 0):
            return Verdict(exit_code=code)
        return Verdict(Health.NOT_READY, f"'{name}' ended with exit code {code}", look_again=LOOK)
    if state != "Running":
        if restarts >= CRASHES:
            code = (view.get("previousState") or {}).get("exitCode")
            return Verdict(Health.FAILED, f"'{name}' ends again and again, with exit code {code}")
        message = f"'{name}' is {state.lower()}" + (f": {said or why}" if said or why else "")
        return Verdict(Health.STARTING, message, look_again=LOOK)
    started = moment(current.get("startTime"))
    running = (now - started).total_seconds() if started is not None else 1e9
    if restarts >= CRASHES and running < 10:
        return Verdict(Health.NOT_READY, f"'{name}' was started {restarts} times", look_again=LOOK)
    return _readiness(name, view, probe, running, now) if probe else Verdict()


def _readiness(name: str, view: Mapping[str, Any], probe: Properties, running: float, now: datetime) -> Verdict:
    """No probe has failed for as long as one takes to be made again, once there was time for the first."""
    period, timeout = float(probe.get("periodSeconds") or 10), float(probe.get("timeoutSeconds") or 1)
    first = float(probe.get("initialDelaySeconds") or 0) + timeout + 1
    if running < first:
        return Verdict(Health.STARTING, f"'{name}' is being probed", look_again=max(0.2, first - running))
    for event in view.get("events") or ():
        at = moment(event.get("lastTimestamp"))
        recent = at is not None and (now - at).total_seconds() < period + timeout + 1
        if recent and event.get("name") == "Unhealthy" and "readiness" in str(event.get("message")).lower():
            return Verdict(
                Health.NOT_READY, f"'{name}': {event.get('message')}", look_again=max(0.5, min(period, LOOK))
            )
    return Verdict()


def _containers(properties: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for container in properties.get("containers") or ():
        yield container["name"], (container.get("properties") or {}).get("instanceView") or {}


def _ran(properties: Mapping[str, Any]) -> bool:
    return any((c.get("currentState") or {}).get("state") == "Terminated" for _, c in _containers(properties))


def _probe(wish: Properties, name: str) -> Properties:
    for container in wish.get("containers") or ():
        if container.get("name") == name:
            found: Properties = container["properties"].get("readinessProbe") or {}
            return found
    return {}


def _why(events: Any) -> str:
    """The last warning among events."""
    bad = [e for e in events or () if e.get("type") == "Warning" or "ailed" in str(e.get("name"))]
    return str(max(bad, key=lambda e: str(e.get("lastTimestamp")))["message"]) if bad else ""


def moment(text: Any) -> datetime | None:
    """A time as Azure writes it, or an engine."""
    found = re.match(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,6})?", str(text or ""))
    if found is None:
        return None
    return datetime.fromisoformat(found[1] + (found[2] or ".0").ljust(7, "0")).replace(tzinfo=UTC)
