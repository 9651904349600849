"""The web front: passes on what the backend says. The connection tells it where that is."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen


class Web(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/healthz":
            body = b"ok\n"
        else:
            with urlopen(os.environ["CONNECTION_BACKEND_URL"], timeout=5) as answer:
                body = b"web heard: " + answer.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ADDRESS = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8080"))
ThreadingHTTPServer(ADDRESS, Web).serve_forever()
