"""Why an object's pods do not get ready, in the cluster's own words: images, crashes with their last lines, scheduling, probes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from engine.contract.errors import OperatorError
from engine.record import Record
from providers.kubernetes.blotting import blotter
from providers.kubernetes.client import Client, Kind

PODS = Kind("v1", "Pod", "/api/v1", "pods", True)
EVENTS = Kind("v1", "Event", "/api/v1", "events", True)

PATIENCE = 20.0
"""Seconds that what may mend itself (a registry, a config that comes later) is given before it is final."""
BUSY = 45.0
"""Seconds that a registry is given that does not answer, or has too much to do."""
CRASHES = 3
"""So many restarts of a container that ends again and again are a crash loop that will not mend itself."""

_WRONG = frozenset(["InvalidImageName", "ErrImageNeverPull"])
_STUCK = frozenset(["CreateContainerConfigError", "CreateContainerError", "RunContainerError", "StartError"])
_PULL = frozenset(["ErrImagePull", "ImagePullBackOff"])
_PASSING = (
    "timeout",
    "timed out",
    "connection refused",
    "too many requests",
    "toomanyrequests",
    "429",
    "503",
    "reset by",
)


class Trouble(Record):
    """A reason, whether it is final, and how the container ended if it did."""

    reason: str
    final: bool = False
    exit_code: int | None = None


Troubles = Callable[[Mapping[str, Any]], Trouble | None]
"""What keeps the pods of an object, a pod itself, or a claim from being ready."""


def troubles_in(client: Client) -> Troubles:
    """The troubles of a cluster."""

    def find(live: Mapping[str, Any]) -> Trouble | None:
        try:
            match live.get("kind"):
                case "PersistentVolumeClaim":
                    return _of_events(client, live)
                case "Pod":
                    return of_pod(live, client)
                case _:
                    return worst(pods_of(client, live), client)
        except OperatorError:
            return None  # who may not look at pods gets no reasons

    return find


def pods_of(client: Client, live: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The pods that an object's selector finds, the newest first."""
    selector = ((live.get("spec") or {}).get("selector") or {}).get("matchLabels") or {}
    if not selector:
        return []
    labels = ",".join(f"{k}={v}" for k, v in selector.items())
    found = client.list(PODS, live["metadata"]["namespace"], labels=labels)
    return sorted(found, key=lambda p: str(p["metadata"].get("creationTimestamp")), reverse=True)


def worst(pods: list[Mapping[str, Any]], client: Client) -> Trouble | None:
    """The trouble of the newest pod that has any, a final one first; pods that are going or were replaced do not count."""
    revision = next((p["metadata"].get("labels", {}).get("pod-template-hash") for p in pods), None)
    current = (
        p
        for p in pods
        if not p["metadata"].get("deletionTimestamp")
        and p["metadata"].get("labels", {}).get("pod-template-hash") == revision
    )
    found = [t for p in current if (t := of_pod(p, client)) is not None]
    return next((t for t in found if t.final), found[0] if found else None)


def of_pod(pod: Mapping[str, Any], client: Client) -> Trouble | None:
    """What keeps a pod from being ready; None for one that is, or is simply young."""
    status = pod.get("status") or {}
    if status.get("phase") == "Pending" and (why := _unscheduled(status)):
        return Trouble(f"no node takes it: {why}")
    if status.get("reason") in ("Evicted", "NodeLost", "NodeAffinity", "OutOfcpu", "OutOfmemory"):
        return Trouble(f"it was {status['reason'].lower()}: {status.get('message', '')}")
    for each in _containers(status):
        trouble = _of_container(pod, each, client)
        if trouble is not None:
            return trouble
    if status.get("phase") == "Pending":
        return _of_events(client, pod)
    return None


def _unscheduled(status: Mapping[str, Any]) -> str:
    for condition in status.get("conditions") or ():
        if condition.get("type") == "PodScheduled" and condition.get("status") == "False":
            return str(condition.get("message") or condition.get("reason"))
    return ""


def _containers(status: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from status.get("initContainerStatuses") or ()
    yield from status.get("containerStatuses") or ()


def _of_container(pod: Mapping[str, Any], each: Mapping[str, Any], client: Client) -> Trouble | None:
    state = each.get("state") or {}
    waiting, ended = state.get("waiting") or {}, state.get("terminated") or {}
    reason, said = str(waiting.get("reason") or ""), " ".join(str(waiting.get("message") or "").split())
    name = each.get("name")
    if reason in _WRONG:
        return Trouble(f"the image '{each.get('image')}' cannot be used: {said or reason}", True)
    if reason in _PULL:
        why = _last_failure(client, pod, "failed to pull") or said or reason
        passing = any(w in why.lower() for w in _PASSING)
        return Trouble(
            f"the image '{each.get('image')}' cannot be pulled ({reason}): {why}", _old(pod, BUSY if passing else 5)
        )
    if reason in _STUCK:
        return Trouble(f"the container '{name}' cannot be started ({reason}): {said}", _old(pod, PATIENCE))
    last = ended or (each.get("lastState") or {}).get("terminated") or {}
    if reason == "CrashLoopBackOff" or (last.get("exitCode") and not each.get("ready")):
        return _crashed(pod, each, last, client, bool(ended))
    if state.get("running") and not each.get("ready"):
        why = _last_failure(client, pod, "probe failed")
        return Trouble(f"the container '{name}' is not ready: {why}") if why else None
    return None


def _crashed(
    pod: Mapping[str, Any], each: Mapping[str, Any], last: Mapping[str, Any], client: Client, now: bool
) -> Trouble:
    code, restarts = last.get("exitCode"), each.get("restartCount", 0)
    how = f"the container '{each.get('name')}' ended with exit code {code}"
    if last.get("reason") == "OOMKilled":
        how = f"the container '{each.get('name')}' was killed for using more memory than it may"
    again = f", and ends again and again ({restarts} restarts)" if restarts > 1 else ""
    words = last_words(client, pod, str(each.get("name")), previous=not now)
    return Trouble(f"{how}{again}{f': {words}' if words else ''}", restarts >= CRASHES, code)


def last_words(client: Client, pod: Mapping[str, Any], container: str, previous: bool, lines: int = 3) -> str:
    """The end of a container's log."""
    meta = pod["metadata"]
    try:
        said = list(client.log(meta["namespace"], meta["name"], container, tailLines=lines, previous=previous))
    except OperatorError:
        return ""
    return blotter(client, [pod])(" | ".join(" ".join(line.split()) for line in said if line.strip()))[-500:]


def _of_events(client: Client, live: Mapping[str, Any]) -> Trouble | None:
    why = _last_failure(client, live, "")
    return Trouble(why) if why else None


def _last_failure(client: Client, live: Mapping[str, Any], about: str) -> str:
    """The newest event of an object that is about something; warnings for pods, any for claims."""
    meta = live["metadata"]
    try:
        found = client.list(EVENTS, meta["namespace"], fields=f"involvedObject.uid={meta['uid']}")
    except OperatorError:
        return ""
    claims = live.get("kind") == "PersistentVolumeClaim"
    said = [
        (
            str(e.get("lastTimestamp") or e.get("eventTime") or ""),
            str(e.get("reason")),
            " ".join(str(e.get("message")).split()),
        )
        for e in found
        if claims or e.get("type") == "Warning"
    ]
    about_it = [(at, reason, text) for at, reason, text in said if about in text.lower()]
    if not about_it:
        return ""
    _, reason, text = max(about_it)
    return f"{text} ({reason})" if claims else text[:500]


def _old(pod: Mapping[str, Any], seconds: float) -> bool:
    """Whether a pod was made more than so many seconds ago."""
    made = pod["metadata"].get("creationTimestamp")
    if not made:
        return False
    born = datetime.fromisoformat(str(made).replace("Z", "+00:00"))
    return (datetime.now(UTC) - born).total_seconds() > seconds
