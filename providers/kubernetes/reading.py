"""Lines of the pods of an object, one pod after the other, or as they come."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from math import ceil
from typing import Any

from engine.contract.errors import OperatorError
from providers.kubernetes.blotting import blotter
from providers.kubernetes.client import Client
from providers.kubernetes.trouble import PODS, pods_of


def lines(client: Client, live: Mapping[str, Any], follow: bool, since: float = 0.0) -> Iterator[str]:
    """What the containers of an object wrote; followed, new pods are taken up, until the object has none for a while."""
    return _followed(client, live, since) if follow else _so_far(client, live, since)


def _from(since: float) -> dict[str, int]:
    """What the API is asked for lines from a moment (Unix seconds) on: whole seconds back, 1 at least."""
    return {"sinceSeconds": max(1, ceil(time.time() - since))} if since else {}


def _pods(client: Client, live: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if live.get("kind") == "Pod":
        found = client.get(PODS, live["metadata"]["namespace"], live["metadata"]["name"])
        return [] if found is None else [found]
    return list(reversed(pods_of(client, live)))


def _streams(pods: list[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """(pod, container, what stands before its lines)."""
    for pod in pods:
        spec = pod.get("spec") or {}
        names = [c["name"] for c in (*(spec.get("initContainers") or ()), *(spec.get("containers") or ()))]
        for name in names:
            parts = [pod["metadata"]["name"]] if len(pods) > 1 else []
            parts += [name] if len(names) > 1 else []
            yield pod["metadata"]["name"], name, f"{' '.join(parts)}: " if parts else ""


def _so_far(client: Client, live: Mapping[str, Any], since: float) -> Iterator[str]:
    namespace, pods = live["metadata"]["namespace"], _pods(client, live)
    blot = blotter(client, pods)
    for pod, container, prefix in _streams(pods):
        try:
            for line in client.log(namespace, pod, container, **_from(since)):
                yield prefix + blot(line)
        except OperatorError:
            continue  # it has not started yet


def _followed(client: Client, live: Mapping[str, Any], since: float) -> Iterator[str]:
    namespace = live["metadata"]["namespace"]
    heard: queue.Queue[str] = queue.Queue(1000)
    following: dict[tuple[str, str], threading.Thread] = {}

    def follow(pod: str, container: str, prefix: str, blot: Callable[[str], str]) -> None:
        try:
            for line in client.log(namespace, pod, container, follow=True, **_from(since)):
                heard.put(prefix + blot(line))
        except OperatorError:
            following.pop((pod, container), None)  # it has not started yet, or the connection was lost: again

    looked, alone_since = 0.0, time.monotonic()
    while True:
        if time.monotonic() - looked > 2:
            looked = time.monotonic()
            pods = _pods(client, live)
            if pods:
                alone_since = looked
            elif looked - alone_since > 5:
                return
            for pod, container, prefix in _streams(pods):
                if (pod, container) not in following:
                    blot = blotter(client, pods)
                    thread = threading.Thread(target=follow, args=(pod, container, prefix, blot), daemon=True)
                    following[pod, container] = thread
                    thread.start()
        try:
            yield heard.get(timeout=0.25)
        except queue.Empty:
            continue
