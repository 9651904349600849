"""One container group: its containers on an engine, their probes, and what Azure would say of them."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fakes.arm.pods import Pods

Json = Any


def moment(at: datetime) -> str:
    """A time as Azure writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Pod:
    """See the module. It is started by a thread of its own; `settled` is set once it has been."""

    def __init__(self, pods: Pods, id: str, wish: Json, network: str, resolver: str) -> None:
        self.pods, self.api, self.id, self.wish = pods, pods.api, id, wish
        self.name = f"{id.rpartition('/')[2]}-{hashlib.sha256(id.lower().encode()).hexdigest()[:6]}"
        self.settled = threading.Event()
        self.ended = threading.Event()
        self.containers: dict[str, str] = {}
        self.events: dict[str, list[Json]] = {}
        self.healthy: dict[str, bool] = {}
        self.error = ""
        self._secrets: dict[str, str] = {}
        dns = wish.get("dnsConfig") or {}
        made = self.api.create_container(
            "localhost/busybox:1",
            ["sleep", "1000000"],
            name=f"{pods.mark}-{self.name}",
            labels=pods.labels(id),
            host_config=self.api.create_host_config(
                network_mode=network,
                dns=[resolver],
                dns_search=dns.get("searchDomains", "").split() or None,
                init=True,
            ),
        )["Id"]
        self.pause: str = made
        self.api.start(made)
        seen = self.api.inspect_container(made)
        self.address: str = next(iter(seen["NetworkSettings"]["Networks"].values()))["IPAddress"]
        self._begin()

    @property
    def serving(self) -> bool:
        """Whether traffic may go to it: no readiness probe fails."""
        return self.settled.is_set() and all(self.healthy.values())

    # ------------------------------------------------------------ life

    def _begin(self) -> None:
        self.settled.clear()
        self._thread = threading.Thread(target=self._start, daemon=True)
        self._thread.start()

    def _start(self) -> None:
        try:
            for container in self.wish.get("initContainers", []):
                made = self._make(container, "no")
                self.api.start(made)
                if self.api.wait(made)["StatusCode"] != 0:
                    self.error = f"the init container '{container['name']}' failed"
                    return
            policy = {"OnFailure": "on-failure", "Never": "no"}.get(self.wish.get("restartPolicy", "Always"), "always")
            for container in self.wish["containers"]:
                made = self._make(container, policy)
                self.api.start(made)
                self._say(container["name"], "Started", "Started container")
                for kind in ("readinessProbe", "livenessProbe"):
                    if probe := container["properties"].get(kind):
                        threading.Thread(target=self._probe, args=(container["name"], kind, probe), daemon=True).start()
        except Exception as error:
            self.error = str(error)
        finally:
            self.settled.set()

    def _make(self, container: Json, policy: str) -> str:
        properties = container["properties"]
        command = properties.get("command")
        env = {}
        for variable in properties.get("environmentVariables", []):
            if reference := variable.get("secureValueReference"):
                uri = next(r["secretReferenceUri"] for r in self.wish["secretReferences"] if r["name"] == reference)
                env[variable["name"]] = self.pods.world.secrets[uri]
            else:
                env[variable["name"]] = variable.get("secureValue", variable.get("value", ""))
        binds = {
            self._volume(m["name"]): {"bind": m["mountPath"], "mode": "ro" if m.get("readOnly") else "rw"}
            for m in properties.get("volumeMounts", [])
        }
        made: str = self.api.create_container(
            properties["image"],
            command[1:] if command else None,
            entrypoint=command[:1] if command else None,
            environment=env,
            name=f"{self.pods.mark}-{self.name}-{container['name']}",
            labels=self.pods.labels(self.id),
            host_config=self.api.create_host_config(
                network_mode=f"container:{self.pause}", restart_policy={"Name": policy}, binds=binds, init=True
            ),
        )["Id"]
        self.containers[container["name"]] = made
        return made

    def _volume(self, name: str) -> str:
        volume = next(v for v in self.wish["volumes"] if v["name"] == name)
        labels = self.pods.labels(self.id)
        if share := volume.get("azureFile"):
            native = f"{self.pods.mark}-{share['storageAccountName']}-{share['shareName']}"
            labels["arm.stand-in.account"] = share["storageAccountName"].lower()
        else:
            native = f"{self.pods.mark}-{self.name}-{name}"
            labels["arm.stand-in.pod"] = self.name
        self.api.create_volume(native, labels=labels)
        return native

    def change(self, wish: Json) -> None:
        """Run its containers anew, as they are wanted now."""
        self._stop()
        self.wish = wish
        self.ended = threading.Event()
        self.events, self.healthy, self.error = {}, {}, ""
        self._begin()

    def _stop(self) -> None:
        self.ended.set()
        self._thread.join()
        for made in self.containers.values():
            self.pods.remove_container(made)
        self.containers = {}

    def end(self) -> None:
        """Remove all of it."""
        self._stop()
        self.pods.remove_container(self.pause)
        self.pods.remove_volumes("pod", self.name)

    def act(self, verb: str) -> None:
        """Start, stop or restart its containers."""
        if verb in ("stop", "restart"):
            self._stop()
        if verb in ("start", "restart"):
            self.change(self.wish)

    def logs(self, container: str, tail: int) -> str:
        """What a container wrote."""
        made = self.containers.get(container)
        return self.api.logs(made, tail=tail or "all").decode() if made else ""

    # ------------------------------------------------------------ probes

    def _probe(self, name: str, kind: str, probe: Json) -> None:
        """Check again and again; what fails is an event, and what fails too often is started again."""
        failures, ended = 0, self.ended
        word = kind.removesuffix("Probe").capitalize()
        if kind == "readinessProbe":
            self.healthy[name] = False
        time.sleep(probe.get("initialDelaySeconds", 0))
        while not ended.is_set():
            why = self._check(name, probe)
            failures = failures + 1 if why else 0
            if why:
                self._say(name, "Unhealthy", f"{word} probe failed: {why}", "Warning")
            if kind == "readinessProbe":
                self.healthy[name] = not why
            elif failures >= probe.get("failureThreshold", 3):
                self._say(name, "Killing", "Killing container: the liveness probe failed")
                with contextlib.suppress(Exception):
                    self.api.restart(self.containers[name], timeout=1)
                failures = 0
            ended.wait(probe.get("periodSeconds", 10))

    def _check(self, name: str, probe: Json) -> str:
        seconds = probe.get("timeoutSeconds", 1)
        if command := (probe.get("exec") or {}).get("command"):
            try:
                made = self.api.exec_create(self.containers[name], command)["Id"]
                said = self.api.exec_start(made)
                code = self.api.exec_inspect(made)["ExitCode"]
            except Exception as error:
                return str(error)
            return f"{said.decode(errors='replace').strip()} (exit code {code})" if code else ""
        get = probe["httpGet"]
        headers = {h["name"]: h["value"] for h in get.get("httpHeaders", [])}
        request = urllib.request.Request(f"http://{self.address}:{get['port']}{get.get('path', '/')}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=seconds):
                return ""
        except urllib.error.HTTPError as error:
            error.close()
            return f"HTTP probe failed with statuscode: {error.code}"
        except OSError as error:
            return str(error)

    # ------------------------------------------------------------ words

    def _say(self, container: str, name: str, message: str, type: str = "Normal") -> None:
        events = self.events.setdefault(container, [])
        now = moment(datetime.now(UTC))
        for event in events:
            if event["name"] == name and event["message"] == message:
                event["count"] += 1
                event["lastTimestamp"] = now
                return
        events.append(
            {"count": 1, "firstTimestamp": now, "lastTimestamp": now, "name": name, "message": message, "type": type}
        )

    def show(self, body: Json) -> None:
        """Its state, in the body of its resource."""
        properties = body["properties"]
        properties.setdefault("ipAddress", {})["ip"] = self.address
        states = []
        for container in properties["containers"]:
            view = self._view(container["name"])
            container["properties"]["instanceView"] = view
            states.append(view["currentState"]["state"])
        whole = "Running" if "Running" in states else "Pending" if "Waiting" in states else "Stopped"
        if whole == "Stopped":
            codes = [c["properties"]["instanceView"]["currentState"].get("exitCode") for c in properties["containers"]]
            whole = "Failed" if any(codes) else "Succeeded"
        properties["instanceView"] = {"events": [], "state": "Failed" if self.error else whole}
        if self.error:
            properties["instanceView"]["events"] = [
                {
                    "count": 1,
                    "name": "Failed",
                    "message": self.error,
                    "type": "Warning",
                    "lastTimestamp": moment(datetime.now(UTC)),
                }
            ]

    def _view(self, name: str) -> Json:
        view: Json = {"restartCount": 0, "currentState": {"state": "Waiting"}, "events": self.events.get(name, [])}
        made = self.containers.get(name)
        if made is None:
            return view
        try:
            seen = self.api.inspect_container(made)
        except Exception:
            return view
        view["restartCount"] = seen["RestartCount"]
        state = seen["State"]
        if state["Restarting"]:
            view["currentState"] = {
                "state": "Waiting",
                "detailStatus": "CrashLoopBackOff: Back-off restarting failed container",
            }
            view["previousState"] = {"state": "Terminated", "exitCode": state["ExitCode"], "detailStatus": "Error"}
        elif state["Running"]:
            view["currentState"] = {"state": "Running", "startTime": state["StartedAt"], "detailStatus": ""}
        elif state["Status"] == "exited":
            words = "Completed" if state["ExitCode"] == 0 else "Error"
            view["currentState"] = {
                "state": "Terminated",
                "exitCode": state["ExitCode"],
                "finishTime": state["FinishedAt"],
                "detailStatus": words,
            }
        return view
