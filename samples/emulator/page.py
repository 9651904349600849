"""The page: counts its visitors in a cache, which it asks in the cache's own few words."""

import os
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def ask(*commands):
    with socket.create_connection((os.environ["REDIS_HOST"], int(os.environ["REDIS_PORT"])), timeout=5) as link:
        lines = link.makefile("rwb")
        answer = ""
        for words in (("AUTH", os.environ["REDIS_KEY"]), *commands):
            lines.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words))
            lines.flush()
            answer = lines.readline().decode().strip()
            if answer.startswith("-"):
                raise OSError(answer)
        return answer[1:]


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        text = "ok\n" if self.path == "/healthz" else f"visit {ask(('INCR', 'visits'))}\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


ADDRESS = os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "8080"))
ThreadingHTTPServer(ADDRESS, Page).serve_forever()
