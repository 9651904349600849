"""What an engine reports of a container, in the words of its resource. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from engine.contract.value import Properties, Value, has_secret

SECRETS = "ulna.secrets"
"""The label with the names of variables that are secrets: their values are blotted out wherever text is shown."""

UPDATABLE: Mapping[str, str] = {
    "BlkioWeight": "blkio_weight",
    "CpuPeriod": "cpu_period",
    "CpuQuota": "cpu_quota",
    "CpuShares": "cpu_shares",
    "CpusetCpus": "cpuset_cpus",
    "CpusetMems": "cpuset_mems",
    "Memory": "mem_limit",
    "MemoryReservation": "mem_reservation",
    "MemorySwap": "memswap_limit",
    "RestartPolicy": "restart_policy",
}
"""What an engine can change of a container that runs, and what the SDK calls it."""

CRASHES = 4
"""So many restarts of a container that lived for less than `SHORT` seconds are a crash loop."""
SHORT = 10.0


GONE, STALE, JOINED = "gone", "stale", "joined"
"""How a container is on the network of another: that one is there no more, was started again since, or neither."""


def joined(inspected: Mapping[str, Any], main: Mapping[str, Any]) -> str:
    """How a container is on the network of the main one."""
    if (inspected.get("HostConfig") or {}).get("NetworkMode") != f"container:{main['Id']}":
        return GONE
    own, its = moment(inspected["State"].get("StartedAt")), moment(main["State"].get("StartedAt"))
    return STALE if own is not None and its is not None and its > own else JOINED


def live(inspected: Mapping[str, Any], wish: Properties, native: Mapping[str, str], beside: str = "") -> dict[str, Any]:
    """The properties that someone else can have changed: all others stay as they were created.

    `native` maps the names of networks in the wish to those on the engine; `beside` is how it is joined to the one that it
    runs beside.
    """
    attached = (inspected.get("NetworkSettings") or {}).get("Networks") or {}
    host = inspected["HostConfig"]
    wanted = wish["options"].get("HostConfig") or {}
    properties: dict[str, Any] = {
        "options": {"HostConfig": {k: host[k] for k in UPDATABLE if k in wanted and k in host}},
        "state": state(inspected, wish),
    }
    if beside == GONE:
        properties["beside"] = ""
    elif beside == STALE and properties["state"] == "running" and not ended(inspected, wish):
        properties["state"] = "cut off from the network"
    if isinstance(name := wish.get("network"), str):
        properties["network"] = name if native.get(name) in attached else ""
    return properties


def state(inspected: Mapping[str, Any], wish: Properties) -> str:
    """`running`, also for one that has ended as it is meant to; else what keeps it from running."""
    now = inspected["State"]
    status: str = now.get("Status") or ""
    if status in ("running", "restarting", "removing"):
        return "running"
    if status == "exited" and ended(inspected, wish):
        return "running"
    return "stopped" if status in ("exited", "dead") else status


def ended(inspected: Mapping[str, Any], wish: Properties) -> bool:
    """Whether it ended by itself and is meant to stay ended."""
    if inspected["State"].get("Status") != "exited":
        return False
    policy = (wish["options"]["HostConfig"].get("RestartPolicy") or {}).get("Name")
    return policy in ("no", "", None) or (policy == "on-failure" and not inspected["State"].get("ExitCode"))


def published(inspected: Mapping[str, Any], wish: Properties) -> dict[str, int]:
    """The ports of the engine's machine, by the names of the container's ports."""
    network = (inspected.get("HostConfig") or {}).get("NetworkMode")
    bound = (inspected.get("NetworkSettings") or {}).get("Ports") or {}
    stopped = not inspected["State"].get("Running")
    planned = ((inspected.get("HostConfig") or {}).get("PortBindings") or {}) if stopped else {}
    found: dict[str, int] = {}
    for name, key in (wish.get("listens") or {}).items():
        if network == "host":
            found[name] = int(key.partition("/")[0])
            continue
        for binding in bound.get(key) or planned.get(key) or ():
            if binding.get("HostPort"):
                found[name] = int(binding["HostPort"])
                break
    return found


def age(inspected: Mapping[str, Any], now: datetime) -> float:
    """Seconds since its last start."""
    started = moment(inspected["State"].get("StartedAt"))
    return (now - started).total_seconds() if started is not None else 0.0


def crashes(inspected: Mapping[str, Any], now: datetime) -> bool:
    """Whether it ends again and again soon after its start."""
    status = inspected["State"]
    if inspected.get("RestartCount", 0) < CRASHES:
        return False
    started, finished = moment(status.get("StartedAt")), moment(status.get("FinishedAt"))
    if started is None or finished is None:
        return False
    if status.get("Restarting"):
        return (finished - started).total_seconds() < SHORT
    return (now - started).total_seconds() < SHORT and (started - finished).total_seconds() < 90


def moment(text: str | None) -> datetime | None:
    """A time as the engine writes it, with nanoseconds; None for never."""
    found = re.match(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,6})?", text or "")
    if found is None or found[1].startswith("0001"):
        return None
    return datetime.fromisoformat(found[1] + (found[2] or ".0").ljust(7, "0")).replace(tzinfo=UTC)


def text(value: Value) -> str:
    """A value as a variable."""
    import json

    return value if isinstance(value, str) else json.dumps(value)


# ---------------------------------------------------------------- secrets


def secret_names(environment: Properties) -> list[str]:
    """The variables that hold a secret."""
    return sorted(n for n, v in environment.items() if has_secret(v))


def secrets_of(inspected: Mapping[str, Any]) -> list[str]:
    """The values of its secret variables."""
    names = set(filter(None, ((inspected["Config"].get("Labels") or {}).get(SECRETS) or "").split(",")))
    pairs = (entry.partition("=") for entry in inspected["Config"].get("Env") or ())
    return [value for name, _, value in pairs if name in names]
