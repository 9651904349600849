"""The socket: requests in, answers out; each is held against the API files, and what is not as they say is kept.

with Arm() as arm:
    arm.url                  http://127.0.0.1:PORT
    arm.world.faults.add(…)  what should go wrong
    arm.violations           what of the requests was not as Azure's files say
    arm.own_faults           what of the stand-in's own answers was not
"""

from __future__ import annotations

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.fakes.arm import openapi
from tests.fakes.arm.filling import number, type_of
from tests.fakes.arm.pods import NoPods, Pods
from tests.fakes.arm.unpublished import UNPUBLISHED, unpublished_faults
from tests.fakes.arm.world import Long, Refused, World

Json = Any
ROLES = {
    "Reader": "acdd72a7-3385-48ef-bd42-f606fba81ae7",
    "AcrPull": "7f951dda-4ed3-4680-a7ca-43fe172d538d",
    "Key Vault Secrets User": "4633458b-17de-408a-b874-0445c86b69e6",
}


class Answer:
    """What goes back: a status, a body, headers."""

    def __init__(self, status: int, body: Json = None, **headers: str) -> None:
        self.status, self.body = status, body
        self.headers = {k.replace("_", "-"): v for k, v in headers.items()}


class Arm:
    """The stand-in, running while it is entered. `retry_after` is what it asks for, in seconds; None: 20 ms."""

    def __init__(
        self,
        pods: Pods | NoPods | None = None,
        looks: int = 1,
        retry_after: int | None = None,
        port: int = 0,
    ) -> None:
        self.world = World(pods, looks)
        self.retry_after = retry_after
        self.page = 100
        self.violations: list[str] = []
        self.own_faults: list[str] = []
        self.unpublished: set[str] = set()
        self.requests: list[tuple[str, str]] = []
        self.tokens: set[str] = set()
        handler = type("Handler", (_Handler,), {"arm": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.server.daemon_threads = True
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.world.url = self.url

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> Arm:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()
        self.world.pods.close()

    def group(self, name: str, location: str = "westeurope", subscription: str = "") -> str:
        """A resource group that was there before; its id."""
        id = f"/subscriptions/{subscription or SUBSCRIPTION}/resourceGroups/{name}"
        self.world.put(id, "2025-04-01", {"location": location}, False)
        return id

    # ------------------------------------------------------------ one request

    def answer(self, method: str, path: str, query: dict[str, str], headers: Any, body: Json) -> Answer:
        """What a request gets, once it is known to be allowed."""
        token = headers.get("Authorization") or ""
        if not token.startswith("Bearer "):
            return _error(401, "AuthenticationFailed", "Authentication failed. The 'Authorization' header is missing.")
        self.tokens.add(token)
        if self.world.faults.expired:
            return _error(401, "ExpiredAuthenticationToken", "The access token expiry UTC time is earlier than now.")
        if found := re.search(r"/(operationStatuses|operationResults)/([-\w]+)$", path):
            return self._operation(found[1], found[2])
        if path.startswith("/vault/"):
            return self._vault(method, path)
        version = query.get("api-version", "")
        if not version:
            return _error(
                400, "MissingApiVersionParameter", "The api-version query parameter (?api-version=) is required."
            )
        skipped = int(query.pop("$skiptoken", 0))
        operation, versions = openapi.find(method, path, version)
        kind = type_of(path)
        if operation is None and versions:
            self.violations.append(f"{method} {path}: api-version {version} is not in the files, which have {versions}")
            return _error(400, "NoRegisteredProviderFound", f"No registered resource provider for {kind} {version}.")
        if operation is not None:
            faults = list(operation.faults(query, body))
        elif any(re.search(p, kind) for p in UNPUBLISHED) or path.lower().endswith("/resources"):
            self.unpublished.add(kind)
            faults = list(unpublished_faults(method, kind, body))
        else:
            faults = ["no such operation in the files"]
        if faults:
            self.violations += [f"{method} {path}: {f}" for f in faults]
            return _error(400, "InvalidRequestContent", f"The request content was invalid: {'; '.join(faults)}")
        try:
            answer = self._act(method, path, query, body, operation)
            if method == "GET":
                self._page(path, version, skipped, answer)
        except Refused as refused:
            return Answer(refused.status, refused.body)
        if operation is not None:
            if answer.body is not None and "schema" in operation.responses.get(str(answer.status), {}):
                schema = operation.responses[str(answer.status)]["schema"]
                answer.body = openapi.without_secrets(operation.file, schema, answer.body)
            found_faults = operation.answer_faults(answer.status, answer.body)
            self.own_faults += [f"{operation.id}: {f}" for f in found_faults]
        return answer

    def _page(self, path: str, version: str, skipped: int, answer: Answer) -> None:
        """Of a list no more than fits on a page, and where the next one is."""
        items = answer.body.get("value") if isinstance(answer.body, dict) else None
        if isinstance(items, list) and len(items) > self.page:
            end = skipped + self.page
            answer.body = {"value": items[skipped:end]}
            if end < len(items):
                answer.body["nextLink"] = f"{self.url}{path}?api-version={version}&$skiptoken={end}"

    def _act(
        self, method: str, path: str, query: dict[str, str], body: Json, operation: openapi.Operation | None
    ) -> Answer:
        world = self.world
        long = operation.long if operation is not None else type_of(path) == "microsoft.storage/storageaccounts"
        last = path.rpartition("/")[2].lower()
        match method:
            case "PUT":
                status, made, begun = world.put(path, query["api-version"], body, long)
                if operation is not None and str(status) not in operation.responses:
                    status = 200 if status == 201 else 201
                return self._began(status, made, begun, operation)
            case "DELETE":
                status, begun = world.delete(path, long or type_of(path).endswith("resourcegroups"))
                if operation is not None and str(status) not in operation.responses:
                    status = 200 if status == 204 else 204
                return self._began(status, None, begun, operation)
            case "PATCH" if path.endswith("/providers/Microsoft.Resources/tags/default"):
                owner = path.removesuffix("/providers/Microsoft.Resources/tags/default")
                if (found := world.stored.get(owner.lower())) is None:
                    return _error(404, "ResourceNotFound", f"The resource '{owner}' was not found.")
                tags, given = found.body.get("tags", {}), body["properties"]["tags"]
                delete = body["operation"] == "Delete"
                found.body["tags"] = {k: v for k, v in tags.items() if k not in given} if delete else tags | given
                return Answer(200, {"id": path, "properties": {"tags": found.body["tags"]}})
            case "HEAD":
                return Answer(204 if world.get(path) is not None else 404)
            case "POST" if last == "listkeys":
                if world.get(path.rpartition("/")[0]) is None:
                    return _error(404, "ResourceNotFound", f"The resource '{path}' was not found.")
                return Answer(200, {"keys": [{"keyName": "key1", "value": number(path), "permissions": "FULL"}]})
            case "POST" if last == "listaccountsas":
                asked = f"{path} {query['api-version']} {(body or {}).get('signedServices')}"
                return Answer(200, {"accountSasToken": number(asked)})
            case "POST":
                owner = path.rpartition("/")[0]
                if world.get(owner) is None:
                    return _error(404, "ResourceNotFound", f"The resource '{owner}' was not found.")
                world.pods.act(owner, last)
                return Answer(204)
            case "GET" if last == "logs":
                group, _, tail = path.partition("/containers/")
                if world.get(group) is None:
                    return _error(404, "ResourceNotFound", f"The resource '{group}' was not found.")
                return Answer(200, {"content": world.pods.logs(group, tail.split("/")[0], int(query.get("tail", 0)))})
            case _:
                return self._read(path, query)

    def _read(self, path: str, query: dict[str, str]) -> Answer:
        if "/roledefinitions" in path.lower():
            name = re.search(r"'(.*)'", query.get("$filter", ""))
            found = [n for n in ROLES if name is None or n.lower() == name[1].lower()]
            scope = path.rpartition("/providers/")[0]
            base = f"{scope}/providers/Microsoft.Authorization/roleDefinitions/"
            return Answer(200, {"value": [{"id": base + ROLES[n], "properties": {"roleName": n}} for n in found]})
        if path.lower().endswith("/resources"):
            below = path.lower().removesuffix("/resources") + "/providers/"
            all_ = [self.world.get(i) for i in self.world.all() if i.lower().startswith(below)]
            return Answer(200, {"value": [{k: b[k] for k in ("id", "name", "type")} for b in all_ if b]})
        tail = path.rpartition("/providers/")[2] if "/providers/" in path else path.strip("/")
        if (tail.count("/") % 2 == 1) if "/providers/" in path else tail.count("/") % 2 == 0:
            return Answer(200, {"value": self.world.list(path)})
        found_body = self.world.get(path)
        if found_body is None:
            code = "ResourceGroupNotFound" if "/providers/" not in path else "ResourceNotFound"
            return _error(404, code, f"The resource '{path}' was not found.")
        return Answer(200, found_body)

    def _vault(self, method: str, path: str) -> Answer:
        """The vault itself: secrets are removed there, and purged after that."""
        _, _, vault, collection, name = path.split("/")
        tail = f"/vaults/{vault}/secrets/{name}".lower()
        world = self.world
        if method == "DELETE" and collection == "secrets":
            found = next((k for k in world.stored if k.endswith(tail)), None)
            if found is None:
                return _error(404, "SecretNotFound", f"A secret with (name/id) {name} was not found in this key vault.")
            del world.stored[found]
            world.deleted.add(found)
            return Answer(200, {})
        if method == "DELETE" and collection == "deletedsecrets":
            world.deleted = {k for k in world.deleted if not k.endswith(tail)}
            return Answer(204)
        return _error(405, "MethodNotAllowed", method)

    # ------------------------------------------------------------ what takes time

    def _wait(self) -> dict[str, str]:
        return {"Retry-After": str(self.retry_after)} if self.retry_after is not None else {"x-ms-retry-after-ms": "20"}

    def _began(self, status: int, body: Json, begun: Long | None, operation: openapi.Operation | None) -> Answer:
        answer = Answer(status, body)
        if begun is None:
            return answer
        base = f"{self.url}/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Stand/locations/x"
        by_location = (
            f"{base}/operationResults/{begun.id}?api-version=2020-01-01",
            f"{base}/operationStatuses/{begun.id}?api-version=2020-01-01",
        )
        answer.headers |= self._wait()
        name = operation.id if operation is not None else ""
        if operation is None or name.startswith(("ContainerGroups", "ResourceGroups")) or begun.kind == "delete":
            answer.headers["Location"] = by_location[0]
            if operation is None:
                answer.status, answer.body = 202, None
        elif not name.startswith("Vaults"):
            answer.headers["Azure-AsyncOperation"] = by_location[1]
        return answer

    def _operation(self, how: str, number: str) -> Answer:
        found = self.world.look(number)
        if found is None:
            return _error(404, "NotFound", f"The operation '{number}' was not found.")
        if how == "operationStatuses":
            shown: dict[str, Json] = {"name": number, "status": found.status}
            if found.error is not None:
                shown["error"] = found.error
            answer = Answer(200, shown)
            answer.headers |= self._wait()
            return answer
        if found.status == "InProgress":
            answer = Answer(202)
            answer.headers |= self._wait()
            answer.headers["Location"] = (
                f"{self.url}/subscriptions/{SUBSCRIPTION}/x/operationResults/{number}?api-version=2020-01-01"
            )
            return answer
        if found.error is not None:
            return Answer(409, {"error": found.error})
        body = self.world.get(found.target) if found.kind == "put" else None
        return Answer(200 if body is not None else 204, body)


SUBSCRIPTION = "00000000-0000-0000-0000-000000000001"


def _error(status: int, code: str, message: str) -> Answer:
    return Answer(status, {"error": {"code": code, "message": message}})


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    arm: Arm
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def _handle(self) -> None:
        parts = urlsplit(self.path)
        path, query = unquote(parts.path).rstrip("/"), dict(parse_qsl(parts.query))
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        arm, method = self.arm, self.command
        arm.requests.append((method, path))
        fault = arm.world.faults.take(method, path)
        if fault is not None and fault.drop == "before":
            self.close_connection = True
            return
        if fault is not None and fault.status:
            answer = _error(fault.status, fault.code or "InternalServerError", fault.message)
            answer.headers |= fault.headers
        else:
            body = json.loads(raw) if raw else None
            try:
                answer = arm.answer(method, path, query, self.headers, body)
            except Exception as error:
                arm.own_faults.append(f"{method} {path}: {type(error).__name__}: {error}")
                answer = _error(500, "StandIn", f"{type(error).__name__}: {error}")
        if fault is not None and fault.drop == "after":
            self.close_connection = True
            return
        self._send(answer)

    def _send(self, answer: Answer) -> None:
        content = b"" if answer.body is None else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if content:
            self.send_header("Content-Type", "application/json")
        if answer.status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = do_PATCH = _handle


def serve() -> None:
    """Run until it is interrupted, and say where."""
    with Arm(Pods.of_docker()) as arm:
        print(arm.url, flush=True)
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    serve()
