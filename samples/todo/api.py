"""The API: the list as JSON, kept in Redis. The connection `cache` tells it where that is."""

import json
import os
import signal
import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

KEY = "todo"


def redis(*words):
    """One command of Redis's protocol, on a connection of its own; what it answers."""
    where = os.environ["CONNECTION_CACHE_HOST"], int(os.environ["CONNECTION_CACHE_PORT"])
    with socket.create_connection(where, timeout=5) as connection, connection.makefile("rwb") as stream:
        for command in (("AUTH", os.environ["CONNECTION_CACHE_PASSWORD"]), words):
            parts = [str(word).encode() for word in command]
            stream.write(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(p), p) for p in parts))
            stream.flush()
            answer = read(stream)
        return answer


def read(stream):
    kind, rest = stream.read(1), stream.readline().strip()
    if kind == b"-":
        raise OSError(rest.decode())
    if kind == b"*":
        return [read(stream) for _ in range(int(rest))]
    if kind == b"$":
        return stream.read(int(rest) + 2)[:-2].decode() if int(rest) >= 0 else None
    return int(rest) if kind == b":" else rest.decode()


class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(lambda: redis("PING") if self.path == "/healthz" else redis("LRANGE", KEY, 0, -1))

    def do_POST(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.answer(lambda: redis("RPUSH", KEY, text))

    def do_DELETE(self):
        self.answer(lambda: redis("LREM", KEY, 1, unquote(self.path.lstrip("/"))))

    def answer(self, ask):
        try:
            status, body = 200, ask()
        except OSError as error:
            status, body = 503, {"error": str(error)}
        data = json.dumps(body).encode() + b"\n"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the first process of a container is not ended by it otherwise
ADDRESS = os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "8081"))
ThreadingHTTPServer(ADDRESS, Api).serve_forever()
