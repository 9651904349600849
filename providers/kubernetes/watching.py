"""The cluster tells what changed: a watch for each kind and namespace that has something of ours.

A watch goes on from the version where it broke. Where the cluster has forgotten that version, everything is listed again, and what
is not as it was last seen has changed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

from engine.contract.errors import OperatorError
from providers.kubernetes.client import Changes, Client, Kind, Object
from providers.kubernetes.marks import HOME, Marks
from providers.kubernetes.refusals import Absent, Forbidden

Place = tuple[Kind, str]
"""A kind, and a namespace ("" for kinds that are in none)."""

LASTS = 240
"""Seconds after which a watch is begun anew, so that one whose connection died in silence does not stay deaf."""
PAUSES = (1.0, 30.0)
"""Seconds between two attempts, the first and the longest."""
EXPIRED = 410


class Expired(Exception):
    """The cluster has forgotten the version from which a watch was to go on."""


def watch(
    client: Client, places: Callable[[], Iterable[Place]], wake: Callable[[str], None], stopping: Callable[[], bool]
) -> None:
    """Wake with the token of whatever changes in these places, which may become more, until `stopping`."""
    followers: dict[Place, Follower] = {}
    while not stopping():
        for place in list(places()) if client.home else ():
            if place not in followers:
                follower = followers[place] = Follower(client, place, wake, stopping)
                follower.start()
        time.sleep(0.5)
    for follower in followers.values():
        follower.end()


class Follower:
    """What is known of one place: by uid the token and the version of each object."""

    def __init__(self, client: Client, place: Place, wake: Callable[[str], None], stopping: Callable[[], bool]) -> None:
        self.client = client
        self.kind, self.namespace = place
        self.wake = wake
        self.stopping = stopping
        self.seen: dict[str, tuple[str, str]] | None = None
        self.version = ""
        self.changes: Changes | None = None
        self.thread = threading.Thread(target=self.run, name=f"watch {self.kind.plural}", daemon=True)

    def start(self) -> None:
        """Follow in a thread of its own."""
        self.thread.start()

    def end(self) -> None:
        """Once it is to stop: wait for no further event."""
        if self.changes is not None:
            self.changes.end()
        self.thread.join(5)

    def run(self) -> None:
        """Follow until `stopping`, or until it turns out that nobody may."""
        pause = PAUSES[0]
        while not self.stopping():
            try:
                if not self.version:
                    self.look()
                self.follow()
                pause = PAUSES[0]
            except Expired:
                self.version = ""
            except (Forbidden, Absent):
                return  # what may not be watched is looked at by period
            except OperatorError:
                pause = min(PAUSES[1], pause * 2)
            time.sleep(pause)

    def look(self) -> None:
        """List everything; what is not as it was last seen has changed."""
        listed = self.client.listed(self.kind, self.namespace, labels=self._label)
        now = {str(o["metadata"]["uid"]): _known(o) for o in listed.get("items") or ()}
        if self.seen is not None:
            changed = self.seen.items() ^ now.items()
            for token in {token for _, (token, _) in changed}:
                self.wake(token)
        self.seen, self.version = now, str(listed["metadata"]["resourceVersion"])

    def follow(self) -> None:
        """Hear what changes from the version on, until the cluster ends the watch; raises `Expired`."""
        assert self.seen is not None
        self.changes = self.client.changes(self.kind, self.namespace, self.version, LASTS, labels=self._label)
        for event in self.changes:
            if self.stopping():
                return
            live = event["object"]
            if event["type"] == "ERROR":
                if live.get("code") == EXPIRED:
                    raise Expired
                return
            self.version = str(live["metadata"]["resourceVersion"])
            if event["type"] == "BOOKMARK":
                continue
            uid, known = str(live["metadata"]["uid"]), _known(live)
            if event["type"] == "DELETED":
                self.seen.pop(uid, None)
            else:
                self.seen[uid] = known
            if known[0]:
                self.wake(known[0])

    @property
    def _label(self) -> str:
        return f"{HOME}={self.client.home}"


def _known(live: Object) -> tuple[str, str]:
    return Marks.of(live).token, str(live["metadata"]["resourceVersion"])
