"""What stands before an AWS emulator: it fails on demand, and makes up for what the emulator lacks of ECS.

ministack starts containers without their `entryPoint`, so it is put before the `command`; it mounts no file system of EFS, so a folder
of this machine is given in its place; and it has no DNS for Cloud Map, so `Names` writes the names of services into the hosts files
of the containers that run.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


class Fault:
    """Happens to the next `times` calls of an operation: `status`, `code` and `after` make an answer, `lost` drops the true one."""

    def __init__(
        self, operation: str, *, status: int = 0, code: str = "", message: str = "because", after: float | None = None,
        lost: bool = False, times: int = 1,
    ) -> None:  # fmt: skip
        self.operation = operation
        self.status, self.code, self.message, self.after = status, code, message, after
        self.lost, self.times = lost, times


class Proxy:
    """A server on loopback; `address` is what AWS_ENDPOINT_URL is set to. `calls` are the operations asked for, in order."""

    def __init__(self, target: str, files: str = "") -> None:
        self.target = urlsplit(target)
        self.files = files
        self.faults: list[Fault] = []
        self.calls: list[str] = []
        self.down = False
        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def fail(self, operation: str, **how: Any) -> None:
        """The next calls of an operation fail."""
        self.faults.append(Fault(operation, **how))

    def _fault(self, operation: str) -> Fault | None:
        with self.lock:
            for fault in self.faults:
                if fault.operation in (operation, "*") and fault.times > 0:
                    fault.times -= 1
                    return fault
        return None

    def _handler(proxy) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                operation = _operation(self, text)
                proxy.calls.append(operation)
                fault = proxy._fault(operation)
                if proxy.down:
                    self._drop()
                    return
                if fault is not None and not fault.lost:
                    self._say(fault)
                    return
                if operation == "RegisterTaskDefinition":
                    text = _made_up_for(text, proxy.files)
                status, headers, answer = proxy._forward(self, text)
                if fault is not None:
                    self._drop()
                    return
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in ("transfer-encoding", "content-length", "connection", "date", "server"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = handle_any

            def _drop(self) -> None:
                self.close_connection = True
                self.connection.close()

            def _say(self, fault: Fault) -> None:
                kind = self.headers.get("Content-Type", "")
                if "json" in kind:
                    answer = json.dumps({"__type": fault.code, "message": fault.message})
                elif "form" in kind:
                    error = f"<Error><Code>{fault.code}</Code><Message>{fault.message}</Message></Error>"
                    ec2 = f"<Response><Errors>{error}</Errors><RequestID>1</RequestID></Response>"
                    answer = (
                        ec2
                        if "/ec2/" in self.headers.get("Authorization", "")
                        else f"<ErrorResponse>{error}</ErrorResponse>"
                    )
                else:
                    answer = json.dumps({"ErrorCode": fault.code, "Message": fault.message})
                self.send_response(fault.status)
                self.send_header("Content-Type", kind or "application/json")
                if fault.code and "json" in kind:
                    self.send_header("x-amzn-errortype", fault.code)
                if fault.after is not None:
                    self.send_header("Retry-After", f"{fault.after:g}")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer.encode())

            def log_message(self, *words: Any) -> None:
                pass

        return Handler

    def _forward(self, asked: BaseHTTPRequestHandler, text: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection(str(self.target.hostname), self.target.port, timeout=120)
        headers = {
            k: v for k, v in asked.headers.items() if k.lower() not in ("content-length", "connection", "expect")
        }
        try:
            connection.request(asked.command, asked.path, text or None, headers)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()


def _operation(asked: BaseHTTPRequestHandler, text: bytes) -> str:
    """The name of an operation, however a protocol says it."""
    if target := asked.headers.get("X-Amz-Target"):
        return target.rpartition(".")[2]
    if "form" in asked.headers.get("Content-Type", ""):
        return parse_qs(text.decode(errors="replace")).get("Action", [""])[0]
    return f"{asked.command} {urlsplit(asked.path).path}"


def _made_up_for(text: bytes, files: str) -> bytes:
    """A task definition whose containers have everything in `command`, and whose file systems are folders."""
    body = json.loads(text)
    for container in body.get("containerDefinitions") or ():
        words = [*(container.get("entryPoint") or ()), *(container.get("command") or ())]
        if words:
            container["command"] = words
    for volume in body.get("volumes") or ():
        if files and (system := volume.get("efsVolumeConfiguration")):
            volume["host"] = {"sourcePath": f"{files}/{system['fileSystemId']}"}
    return json.dumps(body).encode()


class Names:
    """The names of Cloud Map, in the hosts file of every container that the emulator runs: looked at again and again."""

    def __init__(self, client: Callable[[str], Any], docker: Any) -> None:
        self.client, self.docker = client, docker
        self.stopped = threading.Event()
        self.written: dict[str, str] = {}
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.stopped.set()
        self.thread.join(30)

    def _run(self) -> None:
        while not self.stopped.wait(0.5):
            with suppress(Exception):
                self._write(self._names())

    def _names(self) -> dict[str, str]:
        """The address of a task for each name."""
        ecs, names, found = self.client("ecs"), self.client("servicediscovery"), {}
        zones = {n["Id"]: n["Name"] for n in names.list_namespaces()["Namespaces"]}
        for cluster in ecs.list_clusters()["clusterArns"]:
            arns = ecs.list_services(cluster=cluster)["serviceArns"]
            for service in ecs.describe_services(cluster=cluster, services=arns)["services"] if arns else ():
                for registry in service.get("serviceRegistries") or ():
                    with suppress(Exception):  # UpdateService of the emulator leaves a name that is gone
                        about = names.get_service(Id=registry["registryArn"].rpartition("/")[2])["Service"]
                        if address := self._address(ecs, cluster, service["serviceName"]):
                            found[f"{about['Name']}.{zones[about['NamespaceId']]}"] = address
        return found

    def _address(self, ecs: Any, cluster: str, service: str) -> str | None:
        tasks = ecs.list_tasks(cluster=cluster, serviceName=service, desiredStatus="RUNNING")["taskArns"]
        for task in ecs.describe_tasks(cluster=cluster, tasks=tasks)["tasks"] if tasks else ():
            for attachment in task.get("attachments") or ():
                for detail in attachment["details"]:
                    if detail["name"] == "privateIPv4Address":
                        return str(detail["value"])
        return None

    def _write(self, names: dict[str, str]) -> None:
        lines = "".join(f"{address} {name}\n" for name, address in sorted(names.items()))
        for container in self.docker.containers(filters={"label": "com.amazonaws.ecs.task-arn"}):
            if self.written.get(container["Id"]) == lines:
                continue
            script = f"grep -v ' # ecs$' /etc/hosts > /tmp/.hosts; printf '%s' '{lines.replace(chr(10), ' # ecs' + chr(10))}' >> /tmp/.hosts; cat /tmp/.hosts > /etc/hosts"
            made = self.docker.exec_create(container["Id"], ["sh", "-c", script], user="0")
            self.docker.exec_start(made["Id"])
            self.written[container["Id"]] = lines


def wait(seconds: float, done: Callable[[], bool]) -> bool:
    """Whether it came true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if done():
            return True
        time.sleep(0.2)
    return False
