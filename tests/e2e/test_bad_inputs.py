"""Every bad input gets a clear error: a code, a place or a name, what to do; exit code 1 or 2, no traceback, nothing lost."""

import ctypes
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e
ULNA = Path(sys.executable).parent / "ulna"
VALUES = """
param size int
resource item 'Ulna.Core/values@2026-12-01' = {
  name: 'item'
  properties: {
    input: size
  }
}
output size int = item.properties.output
"""
PROCESS = """
extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'app'
  properties: { environment: environment }
}
resource main 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'main'
  properties: {
    application: app.id
    container: { image: 'busybox:1', PORTS }
    restartPolicy: 'Never'
    runtimes: { process: { RUNTIME } }
  }
}
"""


def without_override() -> None:
    """Make root obey permission bits: drop CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH from what exec may give."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (1, 2):
        libc.prctl(24, capability, 0, 0, 0)


class Shell:
    """Runs `ulna` in a folder with its state below it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def __call__(self, *arguments: str, before: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ULNA_")}
        return subprocess.run(
            [ULNA, *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            preexec_fn=before,
            check=False,
        )

    def refuses(self, *arguments: str, says: tuple[str, ...], before: Callable[[], None] | None = None) -> str:
        """The call fails and says all of these words, without a traceback."""
        result = self(*arguments, before=before)
        assert result.returncode in (1, 2), result.stdout + result.stderr
        assert "Traceback" not in result.stderr and "bug in Ulna" not in result.stderr, result.stderr
        told = result.stdout + result.stderr
        assert "error" in told or "failed" in told, told
        for word in says:
            assert word in told, told
        return told


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path)
    yield shell
    if (tmp_path / "app.bicep").exists():
        shell("destroy", "app.bicep", "--yes")


@pytest.mark.parametrize("verb", ["lint", "build", "plan", "deploy"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\x7fELF\x00\x01\x02", "binary"),
        ("param size int = 'é'".encode("latin-1"), "UTF-8"),
        (b"param size int = 1\n" * 700_000, "large"),
        ("var x = " + "[" * 10_000 + "]" * 10_000, "nest"),
        ("var x = " + "(" * 10_000 + "1" + ")" * 10_000, "nest"),
        ("var x = " + "!" * 10_000 + "true", ""),
        ("resource a 'Ulna.Core/values@2026-12-01' = {\n  name: 'a'\n  propertis: {\n", ""),
    ],
    ids=["binary", "wrong encoding", "10 MB", "10,000 brackets", "10,000 parentheses", "10,000 nots", "unfinished"],
)
def test_a_file_that_is_no_program(shell: Shell, verb: str, content: str | bytes, says: str) -> None:
    shell.write("main.bicep", content)
    shell.refuses(verb, "main.bicep", says=("main.bicep", says))


def test_an_empty_file_is_an_empty_program(shell: Shell) -> None:
    shell.write("main.bicep", "")
    for arguments in (("lint", "main.bicep"), ("build", "main.bicep", "--stdout"), ("deploy", "main.bicep")):
        assert shell(*arguments).returncode == 0


def test_a_file_that_is_not_there(shell: Shell) -> None:
    for verb in ("lint", "build", "plan", "deploy"):
        shell.refuses(verb, "absent.bicep", says=("absent.bicep", "does not exist"))


def test_a_folder_in_place_of_a_file(shell: Shell) -> None:
    (shell.folder / "folder.bicep").mkdir()
    shell.refuses("plan", "folder.bicep", says=("folder.bicep", "folder"))


def test_a_file_that_may_not_be_read(shell: Shell) -> None:
    shell.write("main.bicep", VALUES).chmod(0)
    shell.refuses("plan", "main.bicep", says=("main.bicep", "permission"), before=without_override)


def test_json_that_is_no_template(shell: Shell) -> None:
    shell.write("bad.json", '{"resources": [')
    shell.refuses("deploy", "bad.json", says=("bad.json",))
    shell.write("list.json", "[]")
    shell.refuses("deploy", "list.json", says=("list.json",))


def test_a_template_with_a_type_that_nobody_serves(shell: Shell) -> None:
    shell.write(
        "azuredeploy.json",
        '{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",'
        '"contentVersion": "1.0.0.0", "resources": [{"type": "Contoso.Storage/storageAccounts",'
        '"apiVersion": "2023-01-01", "name": "store", "location": "westeurope", "properties": {}}]}',
    )
    shell.refuses("deploy", "azuredeploy.json", says=("Contoso.Storage/storageAccounts", "provider"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), ("size", "-p")),
        (("-p", "sise=1"), ("sise", "size")),
        (("-p", "size=many"), ("size", "int")),
        (("-p", "size"), ("size", "name=value")),
        (("-p", "size=@absent.txt"), ("absent.txt",)),
        (("-p", "@absent.json"), ("absent.json",)),
        (("-p", "@broken.json"), ("broken.json",)),
        (("-p", "size=1", "-e", "nowhere"), ("nowhere",)),
        (("-p", "size=1", "--name", "a/b"), ("a/b",)),
    ],
    ids=lambda value: " ".join(value) or "no parameter",
)
def test_parameters_that_do_not_fit(shell: Shell, arguments: tuple[str, ...], says: tuple[str, ...]) -> None:
    shell.write("main.bicep", VALUES)
    shell.write("broken.json", "{")
    shell.refuses("deploy", "main.bicep", *arguments, says=says)


def deployed(shell: Shell) -> Path:
    shell.write("main.bicep", VALUES)
    assert shell("deploy", "main.bicep", "-p", "size=1").returncode == 0
    return shell.folder / ".ulna" / "state.db"


def test_a_state_of_a_newer_version(shell: Shell) -> None:
    state = deployed(shell)
    db = sqlite3.connect(state, isolation_level=None)
    db.execute("PRAGMA user_version = 999")
    db.close()
    before = state.read_bytes()
    shell.refuses("deploy", "main.bicep", "-p", "size=2", says=("newer",))
    assert state.read_bytes() == before


def test_a_state_that_was_cut_off(shell: Shell) -> None:
    state = deployed(shell)
    content = state.read_bytes()
    state.write_bytes(content[: len(content) // 2])
    shell.refuses("deploy", "main.bicep", "-p", "size=2", says=("state.db",))
    state.write_bytes(content)
    assert shell("deploy", "main.bicep", "-p", "size=2").returncode == 0


def test_a_state_that_is_something_else(shell: Shell) -> None:
    (shell.folder / ".ulna").mkdir()
    (shell.folder / ".ulna" / "state.db").write_text("hello")
    shell.write("main.bicep", VALUES)
    shell.refuses("plan", "main.bicep", "-p", "size=1", says=("state.db",))


def test_a_state_that_is_locked(shell: Shell) -> None:
    state = deployed(shell)
    db = sqlite3.connect(state, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    try:
        shell.refuses("deploy", "main.bicep", "-p", "size=2", says=("state.db",))
    finally:
        db.execute("ROLLBACK")
        db.close()
    assert shell("deploy", "main.bicep", "-p", "size=2").returncode == 0


def test_a_folder_that_may_not_be_written(shell: Shell) -> None:
    shell.write("main.bicep", VALUES)
    shell.folder.chmod(0o500)
    try:
        shell.refuses("deploy", "main.bicep", "-p", "size=1", says=("permission",), before=without_override)
        assert shell("plan", "main.bicep", "-p", "size=1", before=without_override).returncode == 0
    finally:
        shell.folder.chmod(0o700)


def test_a_full_disk_loses_nothing(shell: Shell, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", str(disk)], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"mount: a small file system can't be made here ({mounted.stderr.strip()})")
    try:
        many = Shell(disk)
        many.write("small.bicep", VALUES)
        assert many("deploy", "small.bicep", "-p", "size=1").returncode == 0
        shell.write(
            "main.bicep",
            "\n".join(
                VALUES.replace("item", f"item{n}")
                .replace("output size", f"output size{n}")
                .replace("param size int", "" if n else "param size int")
                for n in range(60)
            ),
        )
        many.refuses("deploy", str(shell.folder / "main.bicep"), "-p", "size=1", says=("disk",))
        assert "small/item" in many("state", "list", "-e", "global").stdout
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def process(shell: Shell, runtime: str, ports: str = "") -> None:
    shell.write("app.bicep", PROCESS.replace("RUNTIME", runtime).replace(", PORTS", f", {ports}" if ports else ""))


def test_a_command_that_does_not_exist(shell: Shell) -> None:
    process(shell, "command: 'no-such-program-anywhere'")
    shell.refuses("deploy", "app.bicep", says=("no-such-program-anywhere",))
    process(shell, "command: 'sleep', args: ['1000']")
    assert shell("deploy", "app.bicep").returncode == 0


def test_what_fails_in_a_module_is_told_at_its_line(shell: Shell) -> None:
    process(shell, "command: 'no-such-program-anywhere'")
    (shell.folder / "app.bicep").rename(shell.folder / "part.bicep")
    shell.write(
        "app.bicep", "param environment string\nmodule part 'part.bicep' = { params: { environment: environment } }\n"
    )
    shell.refuses("deploy", "app.bicep", says=("at part.bicep:8:10, in module 'part' (app.bicep:2:8)",))
    told = shell.refuses("deploy", "app.bicep", "--format", "json", says=('"stack"',))
    (failed,) = json.loads(told.splitlines()[-1])["failed"]
    assert (failed["file"], failed["start"]["line"], failed["stack"][0]["file"]) == ("part.bicep", 8, "app.bicep")


def test_a_process_that_dies_at_once(shell: Shell) -> None:
    process(shell, "command: 'sh', args: ['-c', 'echo out of luck; exit 7']")
    shell.refuses("deploy", "app.bicep", says=("7", "out of luck"))


def test_a_port_in_use_is_not_taken(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process(
            shell,
            f"command: '{sys.executable}', args: ['-m', 'http.server', '$(PORT)', '--bind', '127.0.0.1']",
            f"ports: {{ http: {{ containerPort: {port} }} }}",
        )
        result = shell("deploy", "app.bicep")
        assert result.returncode == 0, result.stderr
        assert f":{port}" not in result.stdout.split("endpoints")[-1]


def test_a_process_that_finds_its_port_in_use_says_so(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        program = f"import socket; socket.create_server((\\'127.0.0.1\\', {port}))"
        process(shell, f"command: '{sys.executable}', args: ['-ISc', '{program}']")
        shell("deploy", "app.bicep")  # it may die a moment after the deploy saw it alive
        for _ in range(100):
            if "in use" in shell("logs", "main").stdout and "exit code 1" in shell("status").stdout:
                break
            time.sleep(0.1)
        else:
            raise AssertionError(shell("status").stdout + shell("logs", "main").stdout)
        assert shell("plan", "app.bicep", "--exit-code").returncode == 2


def test_a_container_without_a_process_block_is_refused_before_anything_starts(shell: Shell) -> None:
    shell.write("app.bicep", PROCESS.replace("runtimes: { process: { RUNTIME } }", "").replace(", PORTS", ""))
    shell.refuses("deploy", "app.bicep", says=("main", "runtimes.process"))
    assert "app/" not in shell("state", "list").stdout


@pytest.mark.parametrize(
    "arguments", [("deplyo",), ("plan", "--no-such-option"), ("explain", "BCP99999"), ("apply", "absent.json")]
)
def test_calls_that_make_no_sense(shell: Shell, arguments: tuple[str, ...]) -> None:
    shell.refuses(*arguments, says=())


def test_a_process_that_never_gets_ready_fails_when_time_is_up(shell: Shell) -> None:
    process(
        shell,
        "command: 'sleep', args: ['1000']",
        "readinessProbe: { kind: 'exec', command: 'false', periodSeconds: 1 }",
    )
    said = shell.refuses("deploy", "app.bicep", "--timeout", "3", says=("main-0", "not finished in time"))
    assert "ready" in said
    assert shell("plan", "app.bicep", "--exit-code").returncode in (0, 2)
