"""The web front: a page with the list and a form. The connection `api` tells it where the API is."""

import html
import json
import os
import signal
import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote
from urllib.request import Request, urlopen

PAGE = """<!doctype html><title>{title}</title><h1>{title}</h1><ul>{items}</ul>
<form method="post"><input name="add" autofocus><button>Add</button></form><p><small>{host}</small></p>
"""
ITEM = '<li><form method="post">{0} <button name="done" value="{0}">done</button></form></li>'


def api(method, path="", data=None):
    request = Request(os.environ["CONNECTION_API_URL"] + "/" + path, data=data, method=method)
    with urlopen(request, timeout=5) as answer:
        return json.load(answer)


class Web(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/healthz":
            self.answer(200, "ok\n")
            return
        items = "".join(ITEM.format(html.escape(item, quote=True)) for item in api("GET"))
        title = html.escape(os.environ.get("TITLE", "To do"))
        self.answer(200, PAGE.format(title=title, items=items, host=f"{socket.gethostname()}-{os.getpid()}"))

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())
        for text in form.get("add", ()):
            api("POST", data=text.encode())
        for text in form.get("done", ()):
            api("DELETE", quote(text, safe=""))
        self.answer(303, "", Location="/")

    def answer(self, status, text, **headers):
        data = text.encode()
        self.send_response(status)
        headers |= {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(data))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the first process of a container is not ended by it otherwise
ADDRESS = os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "8080"))
ThreadingHTTPServer(ADDRESS, Web).serve_forever()
