"""The API: prices of what a shop sells. Looking one up takes it a few milliseconds."""

import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WORK = float(os.environ.get("WORK_MS", "5")) / 1000
PRICES = {"tea": 3, "milk": 1, "honey": 7}


class Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        name = self.path.rpartition("/")[2]
        if self.path == "/healthz":
            self.answer(200, "ok")
            return
        time.sleep(WORK)
        self.answer(*((200, {"price": PRICES[name]}) if name in PRICES else (404, {"error": f"no '{name}' here"})))

    def answer(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass  # a load test would fill the log


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


Server((os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "8080"))), Api).serve_forever()
