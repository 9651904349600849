"""The backend: answers with a greeting."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Backend(BaseHTTPRequestHandler):
    def do_GET(self):
        body = f"{os.environ['GREETING']} from the backend\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ADDRESS = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8081"))
ThreadingHTTPServer(ADDRESS, Backend).serve_forever()
