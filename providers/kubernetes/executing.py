"""Runs a program in a pod, to its end: over a websocket, as `kubectl exec` does."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from engine.contract.errors import Terminal
from engine.contract.operator import Execution
from providers.kubernetes.blotting import blotter
from providers.kubernetes.client import Client, Object
from providers.kubernetes.refusals import refused, speaking
from providers.kubernetes.trouble import PODS, pods_of

RUNS = frozenset(["apps/Deployment", "apps/StatefulSet", "apps/DaemonSet", "apps/ReplicaSet", "batch/Job", "core/Pod"])
"""Kinds that have pods."""

ENDED = 3
"""The channel that tells how the program ended."""


def execute(client: Client, live: Object, command: Sequence[str], timeout: float) -> Execution:
    """How the program ended in the main container of a pod of an object, one that is ready if there is any.

    Raises `Terminal` if no pod runs, if it cannot be started, or takes longer than `timeout` seconds: it then goes on there.
    """
    pods = [live] if live.get("kind") == "Pod" else pods_of(client, live)
    running = [p for p in pods if (p.get("status") or {}).get("phase") == "Running"]
    if not running:
        raise Terminal("none of its pods runs", "Wait until it is ready; 'ulna status' says what keeps it.")
    pod = max(running, key=_is_ready)
    ended, output = _run(client, pod, command, timeout)
    return Execution(_code(ended, command), blotter(client, [pod])(output))


def _is_ready(pod: Object) -> bool:
    conditions = pod["status"].get("conditions") or ()
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


def _run(client: Client, pod: Object, command: Sequence[str], timeout: float) -> tuple[Mapping[str, Any], str]:
    """What the cluster says of the end, and what the program wrote to both streams."""
    with speaking(client.target):
        from kubernetes.stream import ws_client
        from websocket import WebSocketBadStatusException, WebSocketException

        sdk: Any = ws_client  # it has no types
        meta, container = pod["metadata"], pod["spec"]["containers"][0]["name"]
        path = f"{PODS.root}/namespaces/{meta['namespace']}/pods/{meta['name']}/exec"
        api = client.connection.api
        _, url, headers, *_ = api.param_serialize("GET", path, auth_settings=["BearerToken"])
        query = [*(("command", word) for word in command), ("container", container), ("stdout", "1"), ("stderr", "1")]
        try:
            socket = sdk.WSClient(api.configuration, sdk.get_websocket_url(url, query), headers, capture_all=True)
        except WebSocketBadStatusException as error:
            raise refused(error.status_code, error.resp_body, error.resp_headers or {}, client.target) from error
        except WebSocketException as error:
            raise ConnectionError(str(error)) from error
        try:
            deadline = time.monotonic() + timeout
            while socket.is_open():
                if time.monotonic() > deadline:
                    help = "Give it more time; it goes on in the container."
                    raise Terminal(f"'{command[0]}' did not end within {timeout:g} s", help)
                socket.update(timeout=min(1.0, max(0.0, deadline - time.monotonic())))
            ended = json.loads(socket.read_channel(ENDED) or "{}")
            return ended, "".join(socket.read_all())
        finally:
            socket.sock.shutdown()  # `close` leaves it open where the cluster closed first


def _code(ended: Mapping[str, Any], command: Sequence[str]) -> int:
    """The exit code; raises `Terminal` where the program was never started."""
    if ended.get("status") == "Success":
        return 0
    for cause in (ended.get("details") or {}).get("causes") or ():
        if cause.get("reason") == "ExitCode":
            return int(cause["message"])
    said = " ".join(str(ended.get("message") or "the connection was lost").split())
    if "executable file not found" in said or "no such file or directory" in said or "permission denied" in said:
        raise Terminal(f"'{command[0]}' cannot be run in the container", "Name a program that the image has.")
    raise Terminal(f"'{command[0]}' could not be run to its end: {said}")
