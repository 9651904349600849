import http.server
import os
import signal
import socket
from pathlib import Path


class Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        seed = Path(os.environ.get("VOLUME_DATA", "/data"), "seed").read_text().strip()
        me = f"{socket.gethostname()}/{os.getpid()}"
        body = f"{os.environ['NAME']} {self.path} {len(os.environ['PASSWORD'])} {seed} {me}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
http.server.ThreadingHTTPServer(("", int(os.environ.get("PORT", "8000"))), Shop).serve_forever()
