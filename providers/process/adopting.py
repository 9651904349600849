"""Takes over a process that somebody started by hand: it is noted with the time of its start, as a pid alone may be another's.

Nobody can become the parent of a process that runs: it has no supervisor until the next deployment ends it and starts it anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from engine.contract.blotting import BLOTTED
from engine.contract.cache import cache_folder
from engine.contract.errors import Terminal
from engine.contract.private import write
from engine.contract.value import Properties, Unknown, Value, encode, has_secret, is_known, leaves
from providers.process.client import Client, mark_of
from providers.process.shelf import birth

COMPARED = ("command", "workingDirectory", "env", "secrets")
"""What a process shows of itself; the rest of a wish is how Ulna looks after it."""

Open = Callable[[Value], Value]


def adopt(client: Client, wish: Properties, id: str, token: str, opened: Open, kept: Mapping[str, str | None]) -> None:
    """Note the process with this id under a token; raises `Terminal` where that cannot be.

    `opened` fills in the secrets of a value, `kept` are the values of variables that come from secret stores.
    """
    if any(isinstance(leaf, Unknown) for leaf in leaves(wish.get("ports") or {})):
        help = "Take over its ports first: ulna import ADDRESS NUMBER, with the addresses that 'ulna graph FILE' lists."
        raise Terminal("which port the process is to have is not known yet", help)
    pid = _checked(client, id, token)
    born = birth(pid)
    live = {**{k: v for k, v in wish.items() if k not in COMPARED}, **_live(pid, wish, opened, kept)}
    if born is None or birth(pid) != born:
        raise Terminal(f"process {pid} has ended", "Start it again, or let a deploy start it.")
    shelf = client.shelf(token)
    status = {"state": "running", "supervisor": 0, "pid": pid, "birth": born, "health": "ready", "message": ""}
    try:
        _claim(pid, born, token, client)
        shelf.make()
        shelf.write("status.json", {**status, "exit_code": None, "restarts": 0, "adopted": True})
        shelf.write("wish.json", {"token": token, "wish": encode({"properties": live})})
    except OSError as error:
        reason = f"'{shelf.path}' cannot be written: {error.strerror}"
        raise Terminal(reason, "Free space, or let Ulna write to its state folder.") from error


def release(client: Client, token: str) -> None:
    """Forget a process that was taken over and has not been started anew since; it runs on."""
    shelf = client.shelf(token)
    status = shelf.status()
    if status is None or not status.get("adopted"):
        return
    try:
        _claims(status["pid"], status["birth"]).unlink(missing_ok=True)
        shelf.remove()
    except OSError as error:
        raise Terminal(f"'{shelf.path}' cannot be removed: {error.strerror}") from error


def _claims(pid: int, born: str) -> Path:
    """The file, one for all states of the user, that says who took over a process."""
    return cache_folder() / "processes" / f"{pid}-{sha256(born.encode()).hexdigest()[:12]}"


def _claim(pid: int, born: str, token: str, client: Client) -> None:
    """Say whose the process is; raises `Terminal` where another state has it, and still says so."""
    file = _claims(pid, born)
    with suppress(OSError, ValueError):
        owner = json.loads(file.read_bytes())
        there = Client(Path(owner["folder"])).shelf(owner["token"]).status() or {}
        if (there.get("pid"), there.get("birth")) == (pid, born) and owner != _owner(token, client):
            whose = f"'{owner['token'].rpartition('#')[0]}' of the state in {owner['folder']}"
            help = "Let go of it there: destroy with '--on-unmanage detach'."
            raise Terminal(f"process {pid} belongs to {whose} already", help)
    for old in file.parent.iterdir() if file.parent.is_dir() else ():
        if birth(int(old.name.partition("-")[0])) is None:
            old.unlink(missing_ok=True)
    write(file, json.dumps(_owner(token, client)))


def _owner(token: str, client: Client) -> dict[str, str]:
    return {"token": token, "folder": str(client.folder)}


def _checked(client: Client, id: str, token: str) -> int:
    """The pid that is meant, if it may be taken over."""
    if not Path("/proc/self/stat").exists():
        help = "End it yourself, and let a deploy start it."
        raise Terminal("a running process can be taken over on Linux only: elsewhere nothing tells what it runs", help)
    pid = int(id) if id.isascii() and id.isdigit() else 0
    if not pid:
        raise Terminal(f"'{id}' is no process id", "Give its number: 'ps -ef' or 'pgrep NAME' shows it.")
    if birth(pid) is None:
        raise Terminal(f"there is no process {pid}", "'ps -ef' or 'pgrep NAME' shows what runs.")
    if pid in (1, os.getpid(), os.getppid()):
        raise Terminal(f"process {pid} is the one that Ulna itself depends on", "Give the number of the program.")
    if Path(f"/proc/{pid}").stat().st_uid != os.geteuid():
        raise Terminal(f"process {pid} is another user's", "Import and deploy as the user who started it.")
    if mark := mark_of(pid):
        owner, _, folder = mark.rpartition("@")
        whose = f"'{owner.rpartition('#')[0]}'" + ("" if folder == str(client.folder) else f" of the state in {folder}")
        raise Terminal(f"process {pid} belongs to {whose} already", "Destroy that one first.")
    for other, status in client.shelves():
        if other != token and (status.get("pid"), status.get("birth")) == (pid, birth(pid)):
            raise Terminal(f"process {pid} belongs to '{other.rpartition('#')[0]}' already", "Destroy that one first.")
    return pid


def _live(pid: int, wish: Properties, opened: Open, kept: Mapping[str, str | None]) -> dict[str, Any]:
    """What it runs, where, and with which of the wished variables; where that is as wished, in the words of the wish."""
    folder = Path(f"/proc/{pid}")
    try:
        words = [w.decode(errors="replace") for w in (folder / "cmdline").read_bytes().split(b"\0")[:-1]]
        where = str((folder / "cwd").readlink())
        pairs = (v.decode(errors="replace").partition("=") for v in (folder / "environ").read_bytes().split(b"\0"))
        env = {name: value for name, _, value in pairs}
    except OSError as error:
        reason = f"nothing can be read of process {pid}: {error.strerror}"
        raise Terminal(reason, "Import as the user who started it.") from error
    run, same_run = wish["command"], [_text(opened(w)) for w in wish["command"]] == words
    live: dict[str, Any] = {"command": run if same_run else [BLOTTED] if has_secret(run) else words}
    wanted = wish.get("workingDirectory")
    live["workingDirectory"] = wanted if isinstance(wanted, str) and os.path.realpath(wanted) == where else where
    if "env" in wish:
        live["env"] = {
            name: value if _text(opened(value)) == env[name] else BLOTTED if has_secret(value) else env[name]
            for name, value in wish["env"].items()
            if name in env
        }
    if kept and all(env.get(name) == value for name, value in kept.items()):
        live["secrets"] = wish["secrets"]
    return live


def _text(value: Value) -> str | None:
    """A value as an argument or variable; None for one that is not known yet."""
    from providers.process.processes import text

    return text(value) if is_known(value) else None
