"""The status page: asks every service, and lists the answers."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        lines = [os.environ["TITLE"]]
        for url in os.environ["URLS"].split():
            with urlopen(url, timeout=5) as answer:
                lines.append(f"{url} {answer.read().decode().strip()}")
        body = "\n".join([*lines, ""]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Page).serve_forever()
