"""An application on the stand-in for Azure, whose container groups are real containers: deployed, changed, replaced, scaled, destroyed."""

from __future__ import annotations

import os
import shlex
import shutil
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.arm.openapi import FILES
from tests.fakes.arm.pods import Pods
from tests.fakes.arm.server import Arm

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
TOOL = ROOT.parent / "shared" / "tools" / "docker-up"
ULNA = Path(sys.executable).parent / "ulna"
PASSWORD = "sesame-open-sesame"


@pytest.fixture(scope="module")
def engine() -> str:
    if not TOOL.exists() or not FILES.is_dir():
        pytest.skip("shared/tools or shared/data is not there")
    run = subprocess.run([TOOL, "--images"], capture_output=True, text=True, timeout=1800, check=False)
    if run.returncode == 69:
        pytest.skip(run.stderr.splitlines()[-1])
    assert run.returncode == 0, run.stderr
    return shlex.split(run.stdout)[1].partition("=")[2]


class Site:
    """A stand-in with a resource group, and a folder with the application and a state of its own."""

    def __init__(self, folder: Path, arm: Arm, pods: Pods) -> None:
        self.folder, self.arm, self.pods = folder, arm, pods
        shutil.copytree(ROOT / "tests" / "e2e" / "azure", folder, dirs_exist_ok=True)

    def run(self, *arguments: str, ok: tuple[int, ...] = (0,)) -> str:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ULNA_", "DOCKER_"))}
        command = [str(ULNA), *arguments]
        environment = {**kept, "NO_COLOR": "1"}
        run = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        said = run.stdout + run.stderr
        assert run.returncode in ok, said
        assert PASSWORD not in said
        assert "Traceback" not in said
        return said

    def app(self, verb: str = "deploy", *more: str, ok: tuple[int, ...] = (0,)) -> str:
        return self.run(verb, "app.bicep", "-e", "dev", "-p", f"password={PASSWORD}", *more, ok=ok)

    def get(self, path: str, scheme: str = "http", patience: float = 120) -> str:
        """What the gateway answers; an address may be one of a moment ago, as long as a name's time to live."""
        (id,) = {k for k, _ in self.pods.gateways.servers}
        port = self.pods.gateways.port(id, 443 if scheme == "https" else 80)
        context = ssl._create_unverified_context() if scheme == "https" else None
        deadline = time.monotonic() + patience
        while True:
            try:
                with urllib.request.urlopen(
                    f"{scheme}://127.0.0.1:{port}{path}", timeout=10, context=context
                ) as answer:
                    return answer.read().decode()
            except OSError as error:
                assert time.monotonic() < deadline, f"{path}: {error}"
                time.sleep(0.5)

    def kinds(self) -> list[str]:
        """The types of what there is."""
        from tests.fakes.arm.filling import type_of

        return sorted(type_of(i).partition("/")[2] for i in self.arm.world.all())


@pytest.fixture(scope="module")
def site(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    import docker

    pods = Pods(docker.APIClient(version="auto", timeout=120, base_url=engine))
    with Arm(pods) as arm:
        arm.group("shop")
        site = Site(tmp_path_factory.mktemp("azure"), arm, pods)
        site.run("deploy", "env.bicep", "-p", f"endpoint={arm.url}")
        yield site
        assert not arm.violations
        assert not arm.own_faults


def test_a_it_is_deployed_and_answers(site: Site) -> None:
    site.app()
    said = site.get("/api/things?x=1")
    assert said.startswith("hello ") and f" /things?x=1 {len(PASSWORD)} seeded clock=True" in said
    said = site.get("/")
    assert said.startswith("/tmp; ") and "/short" in said and "/full" in said
    assert "/other" in site.get("/api/other")
    assert site.kinds().count("containergroups") == 2
    state = b"".join(p.read_bytes() for p in (site.folder / ".ulna").rglob("*") if p.is_file())
    assert PASSWORD.encode() not in state


def test_b_nothing_is_left_to_do(site: Site) -> None:
    said = site.app("plan")
    assert "no change" in said and "to modify" not in said and "to create" not in said, said
    said = site.run("plan", "env.bicep", "-p", f"endpoint={site.arm.url}")
    assert "to modify" not in said and "to create" not in said, said


def test_c_logs_are_those_of_the_containers(site: Site) -> None:
    assert "asked /things" in site.run("logs", "api", "-e", "dev")


def test_d_a_changed_variable_changes_the_group_in_place(site: Site) -> None:
    said = site.app("deploy", "-p", "greeting=bonjour")
    assert "~ changed   app/api/api" in said, said
    assert site.get("/api/x").startswith("bonjour ")


def test_e_another_size_is_another_group(site: Site) -> None:
    said = site.app("plan", "-p", "greeting=bonjour", "-p", "cpu=1.5")
    assert "cannot be changed in place" in said or "replace" in said, said
    site.app("deploy", "-p", "greeting=bonjour", "-p", "cpu=1.5")
    assert site.get("/api/x").startswith("bonjour ")


def test_f_it_is_scaled_out_and_in(site: Site) -> None:
    site.app("deploy", "-p", "greeting=bonjour", "-p", "replicas=3")
    assert site.kinds().count("containergroups") == 4 and "ngroups" in site.kinds() and "loadbalancers" in site.kinds()
    deadline, names = time.monotonic() + 180, set()
    while len(names) < 3 and time.monotonic() < deadline:
        names.add(site.get("/api/x").split()[1])
    assert len(names) == 3, "every replica answers"
    heard = {
        line.partition(": ")[0] for line in site.run("logs", "api", "-e", "dev").splitlines() if "asked /x" in line
    }
    assert len(heard) == 3, "and its lines are told"
    assert "/short" in site.get("/") and "/full" in site.get("/")
    site.app("deploy", "-p", "greeting=salut", "-p", "replicas=3")
    deadline = time.monotonic() + 120
    while not site.get("/api/x").startswith("salut ") and time.monotonic() < deadline:
        time.sleep(0.3)
    assert site.get("/api/x").startswith("salut "), "a change of the profile goes through the set"
    site.app("deploy", "-p", "greeting=salut")
    assert (
        site.kinds().count("containergroups") == 2
        and "ngroups" not in site.kinds()
        and "loadbalancers" not in site.kinds()
    )
    assert site.get("/api/x").startswith("salut ")


def test_g_what_was_changed_by_hand_shows_and_is_put_right(site: Site) -> None:
    (id,) = [i for i in site.arm.world.all() if i.endswith("/A/api.shop")]
    site.arm.world.stored[id.lower()].body["properties"]["ttl"] = 300
    said = site.app("plan", "-p", "greeting=salut")
    assert "ttl" in said and "outside" in said, said
    site.app("deploy", "-p", "greeting=salut")
    assert site.arm.world.stored[id.lower()].body["properties"]["ttl"] == 10


def test_h_a_certificate_makes_it_speak_tls(site: Site) -> None:
    certificate, key = _pair(site.folder)
    site.app(
        "deploy", "-p", "greeting=salut", "-p", "tls=true", "-p", f"certificate=@{certificate}", "-p", f"key=@{key}"
    )
    assert site.get("/api/x", "https").startswith("salut ")
    site.app("deploy", "-p", "greeting=salut")


def test_i_an_image_that_is_not_there_is_said(site: Site) -> None:
    text = (site.folder / "app.bicep").read_text()
    (site.folder / "app.bicep").write_text(text.replace("localhost/python:3", "localhost/nothing:1", 1))
    said = site.app("deploy", "-p", "greeting=salut", ok=(1,))
    assert "localhost/nothing:1" in said and "is not accessible" in said and "imagePullSecret" in said, said
    (site.folder / "app.bicep").write_text(text)
    site.app("deploy", "-p", "greeting=salut")


def test_j_all_of_it_goes(site: Site) -> None:
    assert "in use" in site.run("destroy", "env.bicep", "--yes", ok=(1, 2))
    site.run("destroy", "app.bicep", "-e", "dev", "--yes")
    assert "containergroups" not in site.kinds() and "applicationgateways" not in site.kinds()
    site.run("destroy", "env.bicep", "--yes")
    assert site.arm.world.all() == []
    assert site.pods.all() == []


def _pair(folder: Path) -> tuple[str, str]:
    """A certificate of one's own, and its key."""
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "shop.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    (folder / "tls.crt").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "tls.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return "tls.crt", "tls.key"
