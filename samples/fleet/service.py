"""One service: answers its sentence, to those who show the token as well as to those who do not."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        known = self.headers.get("Authorization") == f"Bearer {os.environ['TOKEN']}"
        body = f"{os.environ['ANSWER']}{', friend' if known else ''}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Service).serve_forever()
