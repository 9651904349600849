"""Between a client and the real API server: answers in its place, or passes the request on and loses the answer, as it is told."""

from __future__ import annotations

import base64
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import urllib3
import yaml


class Fault:
    """What happens to the next `times` requests that match: a status with a body, or `lose` (done, and not answered)."""

    def __init__(
        self,
        method: str,
        path: str,
        status: int = 0,
        body: Any = None,
        lose: bool = False,
        times: int = 1,
        **headers: str,
    ) -> None:
        self.method = method
        self.path = re.compile(path)
        self.status = status
        self.body = body
        self.lose = lose
        self.times = times
        self.headers = {k.replace("_", "-"): v for k, v in headers.items()}


class FaultyProxy:
    """A server on loopback in front of the cluster of a kubeconfig; `seen` are the requests, `faults` what to do to which."""

    def __init__(self, kubeconfig: str) -> None:
        read = yaml.safe_load(Path(kubeconfig).read_text())
        self.server = read["clusters"][0]["cluster"]["server"]
        self.token = read["users"][0]["user"]["token"]
        authority = base64.b64decode(read["clusters"][0]["cluster"]["certificate-authority-data"]).decode()
        self.pool = urllib3.PoolManager(ca_cert_data=authority, retries=False)
        self.faults: list[Fault] = []
        self.seen: list[tuple[str, str]] = []
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}"

    def kubeconfig(self, folder: Any, **user: Any) -> str:
        """A kubeconfig that leads here."""
        file = folder / "faulty.kubeconfig"
        file.write_text(
            json.dumps(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "clusters": [{"name": "c", "cluster": {"server": self.url}}],
                    "users": [{"name": "u", "user": user or {"token": "x"}}],
                    "contexts": [{"name": "faulty", "context": {"cluster": "c", "user": "u"}}],
                    "current-context": "faulty",
                }
            )
        )
        return str(file)

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()
        self.pool.clear()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                self._serve()

            do_PATCH = do_POST = do_DELETE = do_PUT = do_GET

            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                proxy.seen.append((self.command, self.path))
                fault = next(
                    (f for f in proxy.faults if f.times and f.method == self.command and f.path.search(self.path)), None
                )
                if fault is not None:
                    fault.times -= 1
                if fault is not None and not fault.lose:
                    text = json.dumps(fault.body or {"kind": "Status", "message": "told to fail", "code": fault.status})
                    return self._answer(fault.status, fault.headers, text.encode())
                kept = {k: v for k, v in self.headers.items() if k.lower() in ("content-type", "accept")}
                kept["Authorization"] = f"Bearer {proxy.token}"
                answer = proxy.pool.request(self.command, proxy.server + self.path, body=body, headers=kept)
                if fault is not None:
                    self.close_connection = True
                    return None
                return self._answer(answer.status, {}, answer.data)

            def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
                self.send_response(status)
                for key, value in {
                    **headers,
                    "Content-Type": "application/json",
                    "Content-Length": str(len(body)),
                }.items():
                    self.send_header(key, value)
                self.end_headers()
                self.wfile.write(body)

        return Handler
