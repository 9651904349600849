"""A small editor: starts `ulna lsp`, opens files, asks, and remembers what it was told."""

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path

CURSOR = "¦"
"""Marks the cursor in the texts of tests."""


class Editor:
    def __init__(self, folder: Path, encodings: list[str] | None = None, capable: bool = True) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "engine.cli.main", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        self.number = 0
        self.versions: dict[str, int] = {}
        self.findings: dict[str, list[dict]] = {}
        self.messages: queue.Queue[dict | None] = queue.Queue()
        self.errors: list[str] = []
        self.shown: list[str] = []
        self.registered: list[dict] = []
        self.threads = [threading.Thread(target=f, daemon=True) for f in (self._read, self._read_errors)]
        for thread in self.threads:
            thread.start()
        capabilities = {"general": {"positionEncodings": encodings}} if encodings else {}
        if capable:
            capabilities["textDocument"] = {"completion": {"completionItem": {"snippetSupport": True}}}
            capabilities["workspace"] = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
        params = {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities}
        self.capabilities = self.ask("initialize", params)["capabilities"]
        self.tell("initialized", {})

    # ------------------------------------------------------------ messages

    def _read(self) -> None:
        out = self.process.stdout
        while line := out.readline():
            length = 0
            while line.strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
                line = out.readline()
            self.messages.put(json.loads(out.read(length)))
        self.messages.put(None)

    def _read_errors(self) -> None:
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def _send(self, message: dict) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method: str, params: dict) -> None:
        self._send({"method": method, "params": params})

    def answer(self, method: str, params: dict) -> dict:
        """The whole answer, with its error if there is one."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == self.number and "method" not in message:
                return message

    def ask(self, method: str, params: dict):
        answer = self.answer(method, params)
        assert "error" not in answer, (answer, self.errors)
        return answer["result"]

    def _next(self, timeout: float = 60) -> dict:
        message = self.messages.get(timeout=timeout)
        assert message is not None, ("the server has ended", self.errors)
        if message.get("method") == "textDocument/publishDiagnostics":
            self.findings[message["params"]["uri"]] = message["params"]["diagnostics"]
            message["told"] = True
        elif message.get("method") == "client/registerCapability":
            self.registered += message["params"]["registrations"]
            self._send({"id": message["id"], "result": None})
        elif message.get("method") == "window/showMessage":
            self.shown.append(message["params"]["message"])
        return message

    def told(self, name: str) -> list[dict]:
        """The next findings of a file, without asking for any."""
        while True:
            message = self._next()
            if message.get("told") and message["params"]["uri"] == self.uri(name):
                return message["params"]["diagnostics"]

    def close(self) -> int:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.stdin.close()
        return self.ended()

    def ended(self) -> int:
        """Waits for the end of the server: its exit code."""
        code = self.process.wait(10)
        for thread in self.threads:
            thread.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    # ------------------------------------------------------------ files

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def save(self, name: str, text: str) -> None:
        """Writes a file on disk, without opening it."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def open(self, name: str, marked: str) -> dict:
        """Opens a file; the request parameters for its cursor."""
        text = marked.replace(CURSOR, "", 1)
        if name in self.versions:
            self.shut(name)
        self.versions[name] = 1
        document = {"uri": self.uri(name), "languageId": "bicep", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        before = marked.split(CURSOR)[0]
        return self.at(name, before.count("\n"), units(before.rpartition("\n")[2]))

    def at(self, name: str, line: int, column: int) -> dict:
        return {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": column}}

    def change(self, name: str, *changes: dict) -> None:
        self.versions[name] += 1
        document = {"uri": self.uri(name), "version": self.versions[name]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def shut(self, name: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})
        self.versions.pop(name, None)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def replace(start: tuple[int, int], end: tuple[int, int], text: str) -> dict:
    return {"range": {"start": position(*start), "end": position(*end)}, "text": text}


def position(line: int, column: int) -> dict:
    return {"line": line, "character": column}


def apply(text: str, edits: list[dict]) -> str:
    """The text with the edits of an answer made."""
    lines = text.split("\n")

    def offset(place: dict) -> int:
        line = lines[place["line"]]
        units_before = line.encode("utf-16-le")[: place["character"] * 2].decode("utf-16-le")
        return sum(len(one) + 1 for one in lines[: place["line"]]) + len(units_before)

    for edit in sorted(
        edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True
    ):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
        lines = text.split("\n")
    return text
