"""Application Gateways that pass requests on: listeners, path maps, rewrites and TLS as their resources say."""

from __future__ import annotations

import base64
import contextlib
import http.client
import re
import ssl
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fakes.arm.pods import Pods
    from tests.fakes.arm.world import World

Json = Any


class Gateways:
    """The sockets of all gateways, by id and port; a port is one of this machine's own."""

    def __init__(self, pods: Pods) -> None:
        self.pods = pods
        self.servers: dict[tuple[str, int], ThreadingHTTPServer] = {}

    def port(self, id: str, port: int) -> int:
        """The local port behind a port of a gateway."""
        return int(self.servers[(id.lower(), port)].server_address[1])

    def serve(self, world: World, id: str) -> None:
        """Open a socket for each port that it listens on."""
        stored = world.stored.get(id.lower())
        if stored is None:
            return
        properties = stored.body["properties"]
        for listener in properties.get("httpListeners", []):
            port = _part(properties, listener["properties"]["frontendPort"])["port"]
            if (id.lower(), port) in self.servers:
                continue
            handler = type("Proxy", (_Proxy,), {"world": world, "id": id, "port": port, "pods": self.pods})
            server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
            server.daemon_threads = True
            if listener["properties"]["protocol"] == "Https":
                context = _context(_part(properties, listener["properties"]["sslCertificate"]))
                server.socket = context.wrap_socket(server.socket, server_side=True)
            self.servers[(id.lower(), port)] = server
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()

    def forget(self, id: str) -> None:
        """Close the sockets of one."""
        for key in [k for k in self.servers if k[0] == id.lower()]:
            server = self.servers.pop(key)
            server.shutdown()
            server.server_close()

    def close(self) -> None:
        """Close all of them."""
        for id, _ in list(self.servers):
            self.forget(id)


def _context(certificate: Json) -> ssl.SSLContext:
    """TLS with a certificate as the gateway was given it: PKCS #12, in base64."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, pkcs12

    data = base64.b64decode(certificate["data"])
    password = certificate.get("password", "").encode() or None
    key, leaf, chain = pkcs12.load_key_and_certificates(data, password)
    assert key is not None and leaf is not None
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    pem += b"".join(c.public_bytes(Encoding.PEM) for c in (leaf, *chain))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "pem")
        file.write_bytes(pem)
        context.load_cert_chain(file)
    return context


def _part(properties: Json, reference: Json) -> Json:
    """A part of a gateway by its id."""
    *_, collection, name = reference["id"].split("/")
    items = next(v for k, v in properties.items() if k.lower() == collection.lower())
    return next(i for i in items if i["name"] == name).get("properties", {})


class _Proxy(BaseHTTPRequestHandler):
    world: World
    pods: Pods
    id: str
    port: int
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def _handle(self) -> None:
        properties = self.world.stored[self.id.lower()].body["properties"]
        rule = self._rule(properties)
        if rule is None:
            self._send(404, [], b"no listener for this host")
            return
        path, query = self.path.partition("?")[0], self.path.partition("?")[1:]
        if rule["ruleType"] == "PathBasedRouting":
            rule = _by_path(_part(properties, rule["urlPathMap"]), path)
        if "rewriteRuleSet" in rule:
            path = _rewritten(_part(properties, rule["rewriteRuleSet"]), path)
        if "redirectConfiguration" in rule:
            host = (self.headers.get("Host") or "").partition(":")[0]
            self._send(301, [("Location", f"https://{host}{self.path}")], b"")
            return
        settings = _part(properties, rule["backendHttpSettings"])
        address = _part(properties, rule["backendAddressPool"])["backendAddresses"][0]
        host = address.get("fqdn") or address.get("ipAddress")
        subnet = properties["gatewayIPConfigurations"][0]["properties"]["subnet"]["id"]
        found = (
            self.pods.resolve(subnet.partition("/subnets/")[0].lower(), host.lower()) if "fqdn" in address else [host]
        )
        if not found:
            self._send(502, [], f"{host} cannot be resolved".encode())
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        backend = http.client.HTTPConnection(found[0], settings["port"], timeout=settings.get("requestTimeout", 20))
        try:
            headers = {k: v for k, v in self.headers.items() if k.lower() not in ("connection", "content-length")}
            backend.request(self.command, path + "".join(query), body or None, headers)
            answer = backend.getresponse()
            content = answer.read()
        except TimeoutError:
            self._send(504, [], b"the backend took too long")
            return
        except OSError as error:
            self._send(502, [], str(error).encode())
            return
        finally:
            backend.close()
        kept = [
            (k, v)
            for k, v in answer.getheaders()
            if k.lower() not in ("connection", "transfer-encoding", "content-length")
        ]
        self._send(answer.status, kept, content)

    def _rule(self, properties: Json) -> Json:
        """The rule of the listener for this port and host."""
        host = (self.headers.get("Host") or "").partition(":")[0].lower()
        fits = []
        for listener in properties["httpListeners"]:
            said = listener["properties"]
            if (
                _part(properties, said["frontendPort"])["port"] == self.port
                and said.get("hostName", host).lower() == host
            ):
                fits.append(listener["id"])
        for rule in properties["requestRoutingRules"]:
            if rule["properties"]["httpListener"]["id"] in fits:
                return rule["properties"]
        return None

    def _send(self, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
        with contextlib.suppress(OSError):
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_PATCH = _handle


def _by_path(map: Json, path: str) -> Json:
    for rule in map.get("pathRules", []):
        for pattern in rule["properties"]["paths"]:
            if path == pattern or (pattern.endswith("*") and path.startswith(pattern[:-1])):
                return rule["properties"]
    return {
        k.removeprefix("default")[:1].lower() + k.removeprefix("default")[1:]: v
        for k, v in map.items()
        if k.startswith("default")
    }


def _rewritten(rules: Json, path: str) -> str:
    for rule in rules["rewriteRules"]:
        match = re.search(rule["conditions"][0]["pattern"], path)
        if match is not None:
            wanted = rule["actionSet"]["urlConfiguration"]["modifiedPath"]
            for number, group in enumerate(match.groups(), 1):
                wanted = wanted.replace(f"{{var_uri_path_{number}}}", group or "")
            return wanted
    return path
