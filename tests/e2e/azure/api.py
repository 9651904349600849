"""Says what it was given: variables, files of its volumes, the path it was asked for."""

import http.server
import os
import pathlib
import socket


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        seed = pathlib.Path("/data/seed").read_text().strip()
        clock = pathlib.Path("/scratch/now").exists()
        said = [
            os.environ["GREETING"],
            socket.gethostname(),
            self.path,
            str(len(os.environ["PASSWORD"])),
            seed,
            f"clock={clock}",
        ]
        body = " ".join(said).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        print("asked", self.path, flush=True)


http.server.ThreadingHTTPServer(("", 8000), Handler).serve_forever()
