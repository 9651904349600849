"""Takes over a process that somebody started by hand: it is noted with the time of its start, as a pid alone may be another's.

Nobody can become the parent of a process that runs: it has no supervisor until the next deployment ends it and starts it anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.contract.errors import Terminal
from engine.contract.value import Properties, Unknown, Value, encode, has_secret, is_known, leaves
from providers.process.client import Client, mark_of
from providers.process.shelf import birth

BLOTTED = "***"
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
        shelf.make()
        shelf.write("status.json", {**status, "exit_code": None, "restarts": 0, "adopted": True})
        shelf.write("wish.json", {"token": token, "wish": encode({"properties": live})})
    except OSError as error:
        reason = f"'{shelf.path}' cannot be written: {error.strerror}"
        raise Terminal(reason, "Free space, or let Ulna write to its state folder.") from error


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
