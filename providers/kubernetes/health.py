"""How an object is, by its kind: rollouts, jobs, claims, addresses; and, for all kinds, the conditions it reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.contract.operator import Health
from engine.record import Record
from providers.kubernetes.trouble import Trouble, Troubles

Live = Mapping[str, Any]

OFTEN, SELDOM = 0.5, 5.0
"""Seconds until the next look at what is on its way, and at what may end by itself."""


class Verdict(Record):
    """What `Observed` says of an object's health."""

    health: Health = Health.READY
    message: str = ""
    exit_code: int | None = None
    look_again: float | None = None


def look(type: str, live: Live, troubles: Troubles) -> Verdict:
    """The verdict on an object as it was read just now."""
    if live["metadata"].get("deletionTimestamp"):
        held = ", ".join(live["metadata"].get("finalizers") or ())
        return Verdict(Health.NOT_READY, f"it is being deleted{f', and held by {held}' if held else ''}", None, 1.0)
    rule = _RULES.get(type)
    return rule(live, troubles) if rule is not None else _by_conditions(live)


# ---------------------------------------------------------------- what runs


def _deployment(live: Live, troubles: Troubles) -> Verdict:
    status = live.get("status") or {}
    wanted = (live.get("spec") or {}).get("replicas", 1)
    updated, available = status.get("updatedReplicas", 0), status.get("availableReplicas", 0)
    if _unseen(live):
        return _coming("the cluster has not begun the rollout yet")
    conditions = _conditions(live)
    if _is(conditions, "ReplicaFailure", "True") and available < wanted:
        return _refused(conditions["ReplicaFailure"])
    if updated >= wanted and available >= wanted and status.get("replicas", 0) <= updated:
        return Verdict()
    old = max(0, status.get("replicas", 0) - updated)
    done = f"{max(0, min(updated, available - old))} of {wanted} replicas are available"
    late = conditions.get("Progressing", {}).get("reason") == "ProgressDeadlineExceeded"
    return _rolling(live, done, late, troubles)


def _stateful_set(live: Live, troubles: Troubles) -> Verdict:
    status, spec = live.get("status") or {}, live.get("spec") or {}
    wanted = spec.get("replicas", 1)
    ready, updated = status.get("readyReplicas", 0), status.get("updatedReplicas", wanted)
    if _unseen(live):
        return _coming("the cluster has not begun the rollout yet")
    if ready >= wanted and (updated >= wanted or status.get("currentRevision") == status.get("updateRevision")):
        return Verdict()
    return _rolling(live, f"{ready} of {wanted} replicas are ready", False, troubles)


def _daemon_set(live: Live, troubles: Troubles) -> Verdict:
    status = live.get("status") or {}
    wanted = status.get("desiredNumberScheduled", 0)
    if _unseen(live):
        return _coming("the cluster has not begun the rollout yet")
    if min(status.get("numberAvailable", 0), status.get("updatedNumberScheduled", 0)) >= wanted:
        return Verdict()
    return _rolling(live, f"{status.get('numberAvailable', 0)} of {wanted} pods are available", False, troubles)


def _rolling(live: Live, done: str, late: bool, troubles: Troubles) -> Verdict:
    """A rollout under way: with the reason of the first pod that cannot go on, which may be final."""
    trouble = troubles(live) or Trouble("")
    message = f"{done}: {trouble.reason}" if trouble.reason else done
    if trouble.final or late:
        after = ", and the rollout's deadline has passed" if late and not trouble.final else ""
        return Verdict(Health.FAILED, message + after, look_again=SELDOM)
    return Verdict(Health.NOT_READY, message, look_again=OFTEN)


def _refused(condition: Mapping[str, Any]) -> Verdict:
    """The pods are not even made: a quota, an admission rule, a missing service account."""
    why = " ".join(str(condition.get("message") or condition.get("reason")).split())
    return Verdict(Health.FAILED, f"its pods cannot be created: {why}", look_again=SELDOM)


def _pod(live: Live, troubles: Troubles) -> Verdict:
    status = live.get("status") or {}
    codes = [
        (c.get("state") or {}).get("terminated", {}).get("exitCode") for c in status.get("containerStatuses") or ()
    ]
    match status.get("phase"):
        case "Succeeded":
            return Verdict(exit_code=0)
        case "Failed":
            code = next((c for c in codes if c), 1)
            trouble = troubles(live)
            return Verdict(Health.FAILED, trouble.reason if trouble else f"it ended with exit code {code}", code)
        case _ if _is(_conditions(live), "Ready", "True"):
            ends = (live.get("spec") or {}).get("restartPolicy") != "Always"
            return Verdict(look_again=1.0 if ends else None)
        case _:
            return _rolling(live, "it is not ready", False, troubles)


def _job(live: Live, troubles: Troubles) -> Verdict:
    status, spec = live.get("status") or {}, live.get("spec") or {}
    conditions = _conditions(live)
    if _is(conditions, "Complete", "True"):
        return Verdict(exit_code=0)
    if _is(conditions, "Failed", "True"):
        why = str(conditions["Failed"].get("message") or "it failed")
        trouble = troubles(live)
        if trouble is None:
            return Verdict(Health.FAILED, why, 1)
        return Verdict(Health.FAILED, f"{why}: {trouble.reason}", trouble.exit_code or 1)
    if spec.get("suspend"):
        return Verdict(Health.NOT_READY, "it is suspended", look_again=SELDOM)
    if spec.get("completions") == 0:
        return Verdict(exit_code=0)
    found = troubles(live)
    if found is not None and found.reason and not status.get("succeeded"):
        health = Health.FAILED if found.final else Health.NOT_READY
        return Verdict(health, found.reason, look_again=OFTEN)
    return (
        Verdict(look_again=OFTEN) if status.get("active") or status.get("succeeded") else _coming("it has no pod yet")
    )


# ---------------------------------------------------------------- what others use


def _claim(live: Live, troubles: Troubles) -> Verdict:
    """A claim that waits for its first user is as ready as it can be."""
    status = live.get("status") or {}
    match status.get("phase"):
        case "Bound":
            return Verdict()
        case "Lost":
            return Verdict(Health.FAILED, "the volume that it was bound to is gone", look_again=SELDOM)
        case _:
            trouble = troubles(live)
            if trouble is not None and "WaitForFirstConsumer" in trouble.reason:
                return Verdict()
            return _coming(f"no volume is bound to it yet{f': {trouble.reason}' if trouble else ''}")


def _service(live: Live, troubles: Troubles) -> Verdict:
    if (live.get("spec") or {}).get("type") != "LoadBalancer" or address_of(live):
        return Verdict()
    return Verdict(Health.NOT_READY, "the cluster has given it no address yet", look_again=1.0)


def _ingress(live: Live, troubles: Troubles) -> Verdict:
    """Where no host is named, its address is all that people have."""
    rules = (live.get("spec") or {}).get("rules") or ()
    if address_of(live) or (rules and all(r.get("host") for r in rules)):
        return Verdict()
    return Verdict(Health.NOT_READY, "no Ingress controller has given it an address yet", look_again=1.0)


def _gateway(live: Live, troubles: Troubles) -> Verdict:
    conditions = _conditions(live)
    for type in ("Accepted", "Programmed"):
        if _is(conditions, type, "False"):
            return Verdict(Health.NOT_READY, _said(conditions[type]), look_again=1.0)
    if "Programmed" not in conditions:
        return Verdict(Health.NOT_READY, "no controller of gateways has taken it up yet", look_again=1.0)
    return Verdict()


def _namespace(live: Live, troubles: Troubles) -> Verdict:
    return Verdict() if (live.get("status") or {}).get("phase") == "Active" else _coming("it is not active")


def _established(live: Live, troubles: Troubles) -> Verdict:
    conditions = _conditions(live)
    if _is(conditions, "Established", "True"):
        return Verdict()
    refused = conditions.get("NamesAccepted", {})
    return _coming(_said(refused) if refused.get("status") == "False" else "it is not served yet")


def _by_conditions(live: Live) -> Verdict:
    """Whatever reports `Ready` or `Available` means it; what reports nothing is ready as it stands."""
    conditions = _conditions(live)
    for type in ("Ready", "Available"):
        if _is(conditions, type, "False") or _is(conditions, type, "Unknown"):
            return Verdict(Health.NOT_READY, _said(conditions[type]), look_again=1.0)
    return Verdict()


_RULES: Mapping[str, Callable[[Live, Troubles], Verdict]] = {
    "apps/Deployment": _deployment,
    "apps/StatefulSet": _stateful_set,
    "apps/DaemonSet": _daemon_set,
    "core/Pod": _pod,
    "batch/Job": _job,
    "core/PersistentVolumeClaim": _claim,
    "core/Service": _service,
    "networking.k8s.io/Ingress": _ingress,
    "core/Namespace": _namespace,
    "gateway.networking.k8s.io/Gateway": _gateway,
    "apiextensions.k8s.io/CustomResourceDefinition": _established,
    "autoscaling/HorizontalPodAutoscaler": lambda live, troubles: Verdict(),
}


def _unseen(live: Live) -> bool:
    return bool((live.get("status") or {}).get("observedGeneration", 0) < live["metadata"].get("generation", 0))


def _coming(message: str) -> Verdict:
    return Verdict(Health.STARTING, message, look_again=OFTEN)


def _conditions(live: Live) -> dict[str, Mapping[str, Any]]:
    found = (live.get("status") or {}).get("conditions") or ()
    return {str(c.get("type")): c for c in found if isinstance(c, Mapping)}


def _is(conditions: Mapping[str, Mapping[str, Any]], type: str, status: str) -> bool:
    return conditions.get(type, {}).get("status") == status


def _said(condition: Mapping[str, Any]) -> str:
    words = " ".join(str(condition.get("message") or condition.get("reason") or "").split())
    return words or f"its condition {condition.get('type')} is {condition.get('status')}"


def address_of(live: Live) -> str | None:
    """Where a service, an ingress or a gateway is reached from outside, once it is; an address of its own for other services."""
    status = live.get("status") or {}
    found = (status.get("loadBalancer") or {}).get("ingress") or ()
    given = [a.get("hostname") or a.get("ip") for a in found]
    given += [a.get("value") for a in status.get("addresses") or () if isinstance(a, Mapping) and a.get("value")]
    return next((str(a) for a in given if a), None)
