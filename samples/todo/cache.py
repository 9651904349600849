"""Redis on a machine without containers: `redis-server` where it is installed, else what of it this sample needs."""

import json
import os
import shutil
import socketserver
import subprocess
import sys
from pathlib import Path
from threading import Lock

PORT = int(os.environ.get("PORT", "6379"))
PASSWORD = os.environ["REDIS_PASSWORD"]
FOLDER = Path(os.environ["VOLUME_DATA"])


def real(program):
    """The real one; its settings come by a pipe, so that the password is in no command line."""
    settings = f"bind {os.environ.get('HOST', '127.0.0.1')}\nport {PORT}\nrequirepass {PASSWORD}\ndir {FOLDER}\nappendonly yes\n"
    server = subprocess.Popen([program, "-"], stdin=subprocess.PIPE, text=True)
    server.stdin.write(settings)
    server.stdin.close()
    return server.wait()


class Lists:
    """Lists by key, in a file."""

    def __init__(self):
        self.file, self.lock = FOLDER / "lists.json", Lock()
        self.lists = json.loads(self.file.read_text()) if self.file.exists() else {}

    def run(self, command, *words):
        with self.lock:
            match command.upper(), words:
                case "PING", ():
                    return "PONG"
                case "LRANGE", (key, _, _):
                    return list(self.lists.get(key, ()))
                case "RPUSH", (key, *texts):
                    self.lists.setdefault(key, []).extend(texts)
                    return self.kept(len(self.lists[key]))
                case "LREM", (key, _, text):
                    found = text in self.lists.get(key, ())
                    if found:
                        self.lists[key].remove(text)
                    return self.kept(int(found))
        return ValueError(f"ERR unknown command '{command}'")

    def kept(self, answer):
        draft = self.file.with_suffix(".draft")
        draft.write_text(json.dumps(self.lists))
        draft.replace(self.file)
        return answer


class Connection(socketserver.StreamRequestHandler):
    def handle(self):
        known = False
        while head := self.rfile.readline():
            words = [self.rfile.read(int(self.rfile.readline()[1:]) + 2)[:-2].decode() for _ in range(int(head[1:]))]
            if words[0].upper() == "AUTH":
                known = words[-1] == PASSWORD
                answer = "OK" if known else ValueError("WRONGPASS")
            else:
                answer = LISTS.run(*words) if known else ValueError("NOAUTH Authentication required.")
            self.wfile.write(encoded(answer))


def encoded(answer):
    match answer:
        case ValueError():
            return f"-{answer}\r\n".encode()
        case int():
            return f":{answer}\r\n".encode()
        case list():
            return b"*%d\r\n" % len(answer) + b"".join(b"$%d\r\n%s\r\n" % (len(t.encode()), t.encode()) for t in answer)
        case _:
            return f"+{answer}\r\n".encode()


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


if (installed := shutil.which("redis-server")) is not None:
    sys.exit(real(installed))
LISTS = Lists()
Server((os.environ.get("HOST", "127.0.0.1"), PORT), Connection).serve_forever()
