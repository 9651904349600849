"""Asks the api by its short name and by that of the connection."""

import http.server
import os
import pathlib
import urllib.request


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        scheme, host, port = (os.environ[f"CONNECTION_API_{k}"] for k in ("SCHEME", "HOSTNAME", "PORT"))
        answers = [str(pathlib.Path.cwd())]
        for url in ("http://api:8000/short", f"{scheme}://{host}:{port}/full"):
            with urllib.request.urlopen(url, timeout=5) as answer:
                answers.append(answer.read().decode())
        body = "; ".join(answers).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


http.server.ThreadingHTTPServer(("", 8080), Handler).serve_forever()
