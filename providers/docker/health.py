"""How a container is: from its state, its health check, its last words, and a check made at once while it starts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine.contract.blotting import blotted
from engine.contract.errors import OperatorError
from engine.contract.operator import Health
from engine.contract.value import Properties
from engine.record import Record
from providers.docker import shape
from providers.docker.client import Client, Seen
from providers.docker.probing import passes

YOUNG = 15.0
"""For so many seconds after its start, a container is looked at often."""
NO_TOOL, NO_SHELL = 125, (126, 127)
"""How a check ends that the image has nothing for."""


class Verdict(Record):
    """What `Observed` says of a container's health."""

    health: Health
    message: str = ""
    exit_code: int | None = None
    look_again: float | None = None


class Doctor:
    """Looks at containers of one engine."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def look(self, found: Seen, wish: Properties, now: datetime) -> Verdict:
        """The verdict on a container as it was inspected just now."""
        state = found["State"]
        again = 0.25 if shape.age(found, now) < YOUNG else 1.0
        match state.get("Status"):
            case "created":
                return Verdict(Health.STARTING, "it was created, and not started yet", look_again=1.0)
            case "paused":
                return Verdict(Health.NOT_READY, "it is paused", look_again=1.0)
            case "removing" | "dead":
                return Verdict(Health.FAILED, f"it is {'being removed' if state['Status'] == 'removing' else 'dead'}")
            case "exited":
                return self._exited(found, wish)
            case _:
                return self._up(found, wish, now, again)

    def _up(self, found: Seen, wish: Properties, now: datetime, again: float) -> Verdict:
        if shape.crashes(found, now):
            return Verdict(Health.FAILED, self._ended(found, "ends again and again"), look_again=1.0)
        if found["State"].get("Restarting"):
            return Verdict(Health.STARTING, self._ended(found, "is started again"), look_again=again)
        verdict = self._running(found, wish, now)
        if verdict.health is Health.READY:
            policy = (found["HostConfig"].get("RestartPolicy") or {}).get("Name")
            ends = policy in ("no", "on-failure", "")
            return verdict.replace(look_again=again if ends and not wish.get("readiness") else 1.0 if ends else None)
        return verdict.replace(look_again=again)

    def _exited(self, found: Seen, wish: Properties) -> Verdict:
        code = int(found["State"].get("ExitCode") or 0)
        if not shape.ended(found, wish):
            return Verdict(Health.FAILED, f"it was stopped outside of Ulna (exit code {code})")
        if code == 0:
            return Verdict(Health.READY, exit_code=0)
        return Verdict(Health.FAILED, self._ended(found, ""), code)

    def _ended(self, found: Seen, then: str) -> str:
        """How it ended, and its last words."""
        state = found["State"]
        how = f"it ended with exit code {state.get('ExitCode')}"
        if state.get("OOMKilled"):
            how = "it was killed for using more memory than it may"
        if state.get("Error"):
            how += f" ({' '.join(state['Error'].split())})"
        if then:
            how += f", and {then} ({found.get('RestartCount', 0)} times so far)"
        words = self.last_words(found)
        return f"{how}: {words}" if words else how

    def last_words(self, found: Seen, lines: int = 3) -> str:
        """The end of its log, without secrets."""
        try:
            text = b"".join(self.client.logs(found["Id"], tail=lines)).decode(errors="replace")
        except OperatorError:
            return ""
        words = " | ".join(" ".join(line.split()) for line in text.splitlines() if line.strip())
        return blotted(words, shape.secrets_of(found))[-500:]

    # ------------------------------------------------------------ readiness

    def _running(self, found: Seen, wish: Properties, now: datetime) -> Verdict:
        probe = wish.get("readiness")
        check = found["State"].get("Health") or {}
        status = check.get("Status")
        if status in (None, "none") or (probe is None and wish.get("liveness")):
            return self._alive(status, check, found)
        if status == "healthy":
            return Verdict(Health.READY)
        said = _said(check)
        if probe is not None and probe["kind"] in ("http", "tcp") and _cannot_ask(check):
            return self._from_here(probe, found)
        if status == "starting":
            return self._at_once(probe, found, now, said)
        return Verdict(Health.NOT_READY, self._blotted(found, f"its readiness probe fails: {said}"))

    def _alive(self, status: str | None, check: Mapping[str, Any], found: Seen) -> Verdict:
        """Without a readiness probe it is ready as soon as it runs; a liveness probe may know better."""
        if status == "unhealthy":
            return Verdict(Health.NOT_READY, self._blotted(found, f"its liveness probe fails: {_said(check)}"))
        return Verdict(Health.READY)

    def _at_once(self, probe: Mapping[str, Any] | None, found: Seen, now: datetime, said: str) -> Verdict:
        """The engine makes its first check only after a whole period; nobody wants to wait for that."""
        delay = float((probe or {}).get("delay") or 0)
        command = _command(found)
        if command is None or shape.age(found, now) < delay:
            return Verdict(Health.STARTING, "its first check is not due yet")
        code = self.client.run(found["Id"], command, 2 + max(1.0, float((probe or {}).get("timeout") or 5)))
        if code == 0:
            return Verdict(Health.READY)
        if probe is not None and probe["kind"] in ("http", "tcp") and code in (NO_TOOL, *NO_SHELL):
            return self._from_here(probe, found)
        why = said or ("the check takes too long" if code is None else f"the check ends with exit code {code}")
        return Verdict(Health.STARTING, self._blotted(found, f"its readiness probe fails: {why}"))

    def _from_here(self, probe: Mapping[str, Any], found: Seen) -> Verdict:
        """The image can't make the check, so it is made from here."""
        passed, why = passes(probe, found)
        if passed:
            return Verdict(Health.READY)
        return Verdict(Health.STARTING, f"its readiness probe, made from outside, fails: {why}")

    def _blotted(self, found: Seen, text: str) -> str:
        return blotted(text, shape.secrets_of(found))[:500]


def _said(check: Mapping[str, Any]) -> str:
    """What the last health check printed."""
    log = check.get("Log") or ()
    if not log:
        return ""
    last = log[-1]
    words = " ".join((last.get("Output") or "").split())
    return words or f"the check ends with exit code {last.get('ExitCode')}"


def _cannot_ask(check: Mapping[str, Any]) -> bool:
    """Whether the last check says that the image has nothing to ask with."""
    log = check.get("Log") or ()
    if not log:
        return False
    code = log[-1].get("ExitCode")
    return code == NO_TOOL or code in NO_SHELL or (code == -1 and "exec failed" in (log[-1].get("Output") or ""))


def _command(found: Seen) -> list[str] | None:
    """The health check as a command."""
    test = (found["Config"].get("Healthcheck") or {}).get("Test") or ()
    match list(test):
        case ["CMD", *words]:
            return words
        case ["CMD-SHELL", line]:
            return ["/bin/sh", "-c", line]
        case _:
            return None
