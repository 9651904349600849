"""Files of one commit of a Git repository, through the program `git`: no shell, no hooks, no links out of the folder."""

from __future__ import annotations

import os
from collections.abc import Sequence

from engine.sources.cache import Store, folder_of
from engine.sources.reference import Commit
from engine.sources.transport import RegistryError, Silent

TYPE_CHECKING = False
if TYPE_CHECKING:  # not loaded where nothing is fetched
    from subprocess import Popen

TIMEOUT = 300.0
"""How many seconds one call of `git` may take."""

SILENCE = 60.0
"""How many seconds the other side may say nothing while something is fetched from it."""

LIMIT = 200 * 1024 * 1024
"""No repository's files are larger, together."""

COMPLETE = ".complete"

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.symlinks=false",  # a link becomes a file that names its target
    "core.fsmonitor=false",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "protocol.file.allow=always",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "transfer.fsckObjects=true",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "gc.auto=0",
    "core.autocrlf=false",
    "http.followRedirects=initial",
)


def fetch_commit(commit: Commit, store: Store, fresh: bool = False) -> None:
    """Puts the files of a commit into the cache, or `RegistryError`; `fresh` replaces those that are there."""
    folder = folder_of(store.root, commit)
    if os.path.exists(f"{folder}/{COMPLETE}") and not fresh:  # noqa: PTH110
        return
    from shutil import rmtree

    parent = store.folder(folder.rpartition("/")[0])
    draft = f"{parent}/.{os.getpid()}.{os.urandom(6).hex()}"
    repository, files = f"{draft}/repository", f"{draft}/files"
    try:
        store.folder(files)
        _git(("init", "--quiet", "--bare", repository))
        _fetch(repository, commit)
        _git(
            ("--git-dir", repository, "--work-tree", files, "checkout", "--quiet", "--force", commit.commit, "--", ".")
        )
        _measure(files)
        store.write(f"{files}/{COMPLETE}", b"")
        if fresh and os.path.isdir(folder):  # noqa: PTH112
            os.rename(folder, f"{draft}/before")  # noqa: PTH104
        try:
            os.rename(files, folder)  # noqa: PTH104
        except OSError:
            if not os.path.exists(f"{folder}/{COMPLETE}"):  # noqa: PTH110  else another process was quicker
                raise
    finally:
        rmtree(draft, ignore_errors=True)


def _fetch(repository: str, commit: Commit) -> None:
    """The commit alone where the server gives single commits, else all branches and tags."""
    place = ("--git-dir", repository, "fetch", "--progress", "--no-tags")  # while it goes on, something is said
    try:
        _git((*place, "--depth", "1", "--", commit.url, commit.commit), SILENCE)
    except TimeoutError:
        raise Silent(_open(commit.url)) from None
    except RegistryError as alone:
        try:
            _git((*place, "--", commit.url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"), SILENCE)
        except TimeoutError:
            raise Silent(_open(commit.url)) from None
        except RegistryError:
            raise alone from None
    try:
        _git(("--git-dir", repository, "cat-file", "-e", f"{commit.commit}^{{commit}}"))
    except RegistryError:
        raise RegistryError(f"'{commit.url}' has no commit {commit.commit}") from None


def _git(words: Sequence[str], silence: float = TIMEOUT) -> None:
    """Runs `git`: `RegistryError` where it fails, `TimeoutError` where it says nothing for so many seconds."""
    import subprocess

    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in ("GIT_SSH_COMMAND", "GIT_SSH")
    }
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "/bin/false", "LC_ALL": "C", "GIT_LFS_SKIP_SMUDGE": "1"}
    environment.setdefault("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
    try:
        process = subprocess.Popen(
            ["git", *settings, *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise RegistryError("the program 'git' is not installed") from None
    try:
        text = _heard(process, silence)
    except BaseException:
        _end(process)
        raise
    if process.wait():
        raise RegistryError(f"'git' says: {_said(text)}")


def _heard(process: Popen[bytes], silence: float) -> str:
    """The end of what a program writes of its troubles until it closes that."""
    import selectors
    from time import monotonic

    assert process.stderr is not None
    last, heard = monotonic() + TIMEOUT, b""
    with process.stderr, selectors.DefaultSelector() as ready:
        ready.register(process.stderr, selectors.EVENT_READ)
        while True:
            left = last - monotonic()
            if left <= 0:
                raise RegistryError(f"'git' took longer than {TIMEOUT:.0f} seconds")
            if not ready.select(min(left, silence)):
                if silence < left:
                    raise TimeoutError
                continue
            some = os.read(process.stderr.fileno(), 65536)
            if not some:
                return heard.decode(errors="replace")
            heard = (heard + some)[-65536:]


def _end(process: Popen[bytes]) -> None:
    """Ends a program with all that it has started: what talks to the other side is one of those."""
    from contextlib import suppress
    from signal import SIGKILL

    with suppress(ProcessLookupError):
        os.killpg(process.pid, SIGKILL)
    process.wait()


def _said(text: str) -> str:
    """The line that says what was wrong, without what looks like a password in a URL."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines or ["nothing"]
    return _open(telling[0].partition(": ")[2] or telling[0])[:300]


def _open(url: str) -> str:
    """A URL without what looks like a name and password."""
    import re

    return re.sub(r"//[^/@\s]+@", "//", url)


def _measure(folder: str) -> None:
    """Refuses what is too large, or would not be found again as a plain file."""
    size = 0
    for place, folders, names in os.walk(folder):
        if any(os.path.islink(f"{place}/{name}") for name in (*folders, *names)):  # noqa: PTH114
            raise RegistryError("the repository has links, which are not followed")
        size += sum(os.path.getsize(f"{place}/{name}") for name in names)  # noqa: PTH202
    if size > LIMIT:
        raise RegistryError(f"the repository is too large: {size / 1024 / 1024:.0f} MB")
