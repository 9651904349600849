"""The client against a registry that misbehaves."""

import base64
import json
import time
from pathlib import Path

import pytest

from engine.sources import transport
from engine.sources.cache import Store, cached_main, digest_of
from engine.sources.credentials import Credentials
from engine.sources.fetch import fetch
from engine.sources.local import LocalSources
from engine.sources.oci import Client
from engine.sources.reference import Image
from engine.sources.transport import RegistryError, Transport

from .conftest import TEMPLATE, answer


@pytest.fixture
def store(tmp_path):
    return Store(str(tmp_path / "cache"))


def get(fake, store, tag="v1", digest="", locked=None, **limits):
    return fetch(Image(fake.host, "demo", "" if digest else tag, digest), store, locked, Transport(**limits))


def reason(fake, store, **options):
    with pytest.raises(RegistryError) as problem:
        get(fake, store, **options)
    assert "Bearer" not in problem.value.reason and "secret" not in problem.value.reason
    return problem.value.reason


def times(fault, count):
    """A fault for the first requests only."""
    left = [count]

    def limited(request):
        left[0] -= 1
        return left[0] >= 0 and fault(request)

    return limited


def of_blobs(fault):
    return lambda request: "/blobs/" in request.path and fault(request)


def test_a_module_is_fetched_by_its_tag_and_by_its_digest(fake, store):
    digest = fake.add()
    assert get(fake, store) == digest
    assert get(fake, store, digest=digest) == digest
    path = cached_main(store.root, Image(fake.host, "demo", "v1"), LocalSources())
    assert path is not None
    assert json.loads(Path(path).read_bytes()) == TEMPLATE


def test_a_blob_that_is_there_is_not_fetched_again(fake, store):
    fake.add()
    fake.add("v2")
    get(fake, store)
    get(fake, store, tag="v2")
    assert sum("/blobs/" in path for _, path, _ in fake.seen) == 1


def test_a_module_that_is_not_there_is_said_to_be_missing(fake, store):
    assert reason(fake, store) == f"'{fake.host}' does not have it"
    assert len(fake.seen) == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_registry_is_asked_again(fake, store, status):
    digest = fake.add()
    fake.faults.append(times(lambda r: answer(r, status, b"busy", Retry_After="7"), 3))
    assert get(fake, store) == digest
    assert len(fake.seen) == 5


def test_a_registry_that_stays_busy_is_given_up(fake, store):
    fake.faults.append(lambda r: answer(r, 429))
    assert "too many requests" in reason(fake, store)
    assert len(fake.seen) == 4


def test_a_registry_that_stays_broken_is_given_up_with_its_own_code(fake, store):
    fake.faults.append(lambda r: answer(r, 500, b'{"errors":[{"code":"UNKNOWN","message":"secret"}]}'))
    assert reason(fake, store) == f"'{fake.host}' answers 500 (UNKNOWN)"


def test_an_answer_that_is_cut_off_is_asked_for_again(fake, store):
    digest = fake.add()

    def cut(request):
        answer(request, 200, b"{", Content_Length="400")
        request.close_connection = True
        return True

    fake.faults.append(times(of_blobs(cut), 1))
    assert get(fake, store) == digest
    fake.faults[:] = [cut]
    assert reason(fake, store) == "the answer ended after 1 of 400 bytes"


def test_a_connection_that_breaks_is_tried_again(fake, store):
    digest = fake.add()

    def hang_up(request):
        request.close_connection = True
        return True

    fake.faults.append(times(hang_up, 2))
    assert get(fake, store) == digest


def test_a_blob_of_another_digest_is_refused_and_not_kept(fake, store):
    fake.add()
    fake.faults.append(of_blobs(lambda r: answer(r, 200, b"x" * len(json.dumps(TEMPLATE)))))
    assert "with the digest sha256:" in reason(fake, store)
    assert cached_main(store.root, Image(fake.host, "demo", "v1"), LocalSources()) is None


def test_a_manifest_of_another_digest_is_refused(fake, store):
    digest = fake.add()
    other = fake.add("v2", {**TEMPLATE, "outputs": {}})
    fake.manifests[f"demo/{digest}"] = fake.manifests[f"demo/{other}"]
    assert f"sent a manifest with the digest {other} for {digest}" in reason(fake, store, digest=digest)


def test_a_manifest_that_is_not_what_its_header_says_is_refused(fake, store):
    fake.add()
    content = fake.manifests["demo/v1"]
    wrong = "sha256:" + "0" * 64
    fake.faults.append(lambda r: answer(r, 200, content, Docker_Content_Digest=wrong))
    assert wrong in reason(fake, store)


def test_what_is_too_large_is_refused_before_it_is_read(fake, store):
    fake.add()
    manifest = json.loads(fake.manifests["demo/v1"])
    manifest["layers"][0]["size"] = 10**9
    fake.manifests["demo/v1"] = json.dumps(manifest).encode()
    assert "too large" in reason(fake, store)
    assert len(fake.seen) == 1
    fake.faults.append(lambda r: answer(r, 200, b"", Content_Length=str(10**9)))
    assert "the answer is too large: 953.7 MB" in reason(fake, store)


def test_an_answer_without_an_end_is_refused(fake, store):
    def endless(request):
        request.send_response(200)
        request.send_header("Connection", "close")
        request.end_headers()
        request.close_connection = True
        try:
            while True:
                request.wfile.write(b"x" * 65536)
        except OSError:
            return True

    fake.faults.append(endless)
    assert "more than 4.0 MB" in reason(fake, store)


def test_a_slow_registry_is_given_up(fake, store, monkeypatch):
    def slow(request):
        time.sleep(0.5)
        request.close_connection = True
        return True

    fake.faults.append(slow)
    assert reason(fake, store, idle=0.1, tries=2) == f"'{fake.host}' does not answer in time"
    asked = len(fake.seen)
    assert reason(fake, store) == f"'{fake.host}' does not answer in time"
    assert len(fake.seen) == asked, "who said nothing is left alone for a while"
    fake.faults.clear()
    monkeypatch.setattr(transport, "QUIET", 0.0)
    transport._quiet.clear()
    fake.add()
    get(fake, store)


def test_silence_is_waited_for_once_more_and_no_longer(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(transport.time, "monotonic", lambda: now[0])

    def silent(self, method, url, *rest):
        now[0] += self.idle
        raise transport.Silent("r.example")

    monkeypatch.setattr(Transport, "_once", silent)
    monkeypatch.setattr(transport, "_quiet", {})
    with pytest.raises(RegistryError, match="in time"):
        Client("r.example").manifest("demo", "v1")
    assert now[0] <= 15


def test_one_byte_at_a_time_is_too_slow(fake, store):
    def drip(request):
        request.send_response(200)
        request.send_header("Content-Length", "1000")
        request.end_headers()
        try:
            for _ in range(100):
                request.wfile.write(b"x")
                request.wfile.flush()
                time.sleep(0.02)
        except OSError:
            pass
        request.close_connection = True
        return True

    fake.faults.append(drip)
    assert "in time" in reason(fake, store, idle=1.0, total=0.2, tries=1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"layers": []}, "0 templates"),
        ({"layers": None}, "no layers"),
        ({"layers": [1, {"mediaType": 3}, {"mediaType": "x", "digest": "sha256:../../x", "size": 1}]}, "0 templates"),
        ({"artifactType": "application/vnd.ms.bicep.provider.artifact"}, "no Bicep module"),
        ({"config": {"mediaType": "application/vnd.oci.image.config.v1+json"}}, "no Bicep module"),
    ],
)
def test_what_is_no_module_is_refused(fake, store, change, said):
    fake.add()
    fake.manifests["demo/v1"] = json.dumps({**json.loads(fake.manifests["demo/v1"]), **change}).encode()
    assert said in reason(fake, store)


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b"[" * 100_000])
def test_what_is_no_manifest_is_refused(fake, store, content):
    fake.manifests["demo/v1"] = content
    assert "its manifest" in reason(fake, store)


def test_nobody_at_home_is_said_at_once():
    with pytest.raises(RegistryError, match=r"nobody listens at '127\.0\.0\.1:9'"):
        Client("127.0.0.1:9", Transport()).manifest("demo", "v1")


def test_a_host_that_does_not_exist_is_said(store):
    with pytest.raises(RegistryError, match=r"there is no host 'registry\.invalid'|cannot be reached"):
        Client("registry.invalid", Transport(tries=1)).manifest("demo", "v1")


def test_other_hosts_are_spoken_to_with_tls_only(monkeypatch):
    asked = []
    monkeypatch.setattr(Transport, "_once", lambda self, method, url, *rest: asked.append(url) or 1 / 0)
    for host in ("r.example", "localhost.r.example", "127.0.0.1.r.example", "10.0.0.1:80"):
        with pytest.raises(ZeroDivisionError):
            Client(host).manifest("demo", "v1")
    assert all(url.startswith("https://") for url in asked)


# Who we are


def challenge(fake, scheme):
    """A registry that lets in only those with the right header."""
    wanted = {"Basic": "Basic " + base64.b64encode(b"me:secret").decode(), "Bearer": "Bearer good"}[scheme]
    realm = f'Bearer realm="http://{fake.host}/token",service="s",scope="repository:demo:pull"'

    def guard(request):
        if request.path.startswith("/token"):
            said = request.headers.get("Authorization")
            if said not in (None, "Basic " + base64.b64encode(b"me:secret").decode()):
                return answer(request, 401)
            return answer(request, 200, json.dumps({"token": "good"}).encode())
        if request.headers.get("Authorization") == wanted:
            return False
        return answer(request, 401, b"", WWW_Authenticate='Basic realm="r"' if scheme == "Basic" else realm)

    fake.faults.append(guard)


def logged_in(fake, **known):
    return Client(fake.host, Transport(), lambda host: Credentials(**known) if known else None)


def test_anybody_gets_a_token(fake):
    fake.add()
    challenge(fake, "Bearer")
    client = logged_in(fake)
    client.manifest("demo", "v1")
    client.manifest("demo", "v1")
    assert [path.partition("?")[0] for _, path, _ in fake.seen] == [
        "/v2/demo/manifests/v1",
        "/token",
        "/v2/demo/manifests/v1",
        "/v2/demo/manifests/v1",
    ]
    assert "scope=repository%3Ademo%3Apull" in fake.seen[1][1] and "service=s" in fake.seen[1][1]


def test_credentials_go_to_whom_gives_the_token_and_not_to_the_registry(fake):
    fake.add()
    challenge(fake, "Bearer")
    logged_in(fake, username="me", password="secret").manifest("demo", "v1")
    assert [h.get("authorization", "").partition(" ")[0] for _, _, h in fake.seen] == ["", "Basic", "Bearer"]


def test_an_identity_token_is_exchanged(fake):
    fake.add()
    challenge(fake, "Bearer")
    logged_in(fake, token="long").manifest("demo", "v1")
    assert fake.seen[1][0] == "POST"


def test_a_name_and_password_open_the_door(fake):
    fake.add()
    challenge(fake, "Basic")
    logged_in(fake, username="me", password="secret").manifest("demo", "v1")


@pytest.mark.parametrize("scheme", ["Basic", "Bearer"])
def test_a_wrong_password_is_said_once(fake, scheme):
    fake.add()
    challenge(fake, scheme)
    with pytest.raises(RegistryError, match="does not accept the credentials") as problem:
        logged_in(fake, username="me", password="wrong-secret").manifest("demo", "v1")
    assert "wrong-secret" not in str(problem.value)
    assert len(fake.seen) <= 3


def test_missing_credentials_are_asked_for(fake):
    challenge(fake, "Basic")
    with pytest.raises(RegistryError, match=f"'docker login {fake.host}' adds them"):
        logged_in(fake).manifest("demo", "v1")


def test_what_is_wrong_with_the_configuration_is_said(fake, tmp_path, monkeypatch):
    challenge(fake, "Basic")
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(RegistryError) as problem:
        Client(fake.host, Transport()).manifest("demo", "v1")
    assert problem.value.reason == (
        f"'{fake.host}' wants credentials, and the Docker configuration '{tmp_path}/config.json' is not valid JSON"
    )


def test_a_token_is_not_fetched_without_tls_from_another_machine(fake):
    fake.faults.append(lambda r: answer(r, 401, b"", WWW_Authenticate='Bearer realm="http://r.example/token"'))
    with pytest.raises(RegistryError, match="not encrypted"):
        logged_in(fake, username="me", password="secret").manifest("demo", "v1")


def test_who_we_are_is_not_told_to_where_a_registry_sends_us(fake):
    from .conftest import Fake

    other = Fake()
    try:
        digest = fake.add()
        other.blobs = fake.blobs
        challenge(fake, "Basic")
        fake.faults.append(
            of_blobs(
                lambda r: answer(r, 307, b"", Location=f"http://{other.host}/v2/x/blobs/{r.path.rpartition('/')[2]}")
            )
        )
        client = logged_in(fake, username="me", password="secret")
        content, found = client.manifest("demo", "v1")
        layer = json.loads(content)["layers"][0]
        assert found == digest
        client.blob("demo", layer["digest"], layer["size"], 10**6)
        assert "authorization" in fake.seen[-1][2]
        assert len(other.seen) == 1 and "authorization" not in other.seen[0][2]
    finally:
        other.server.shutdown()
        other.server.server_close()


@pytest.mark.parametrize("place", ["http://r.example/x", "file:///etc/passwd", "ftp://r.example/x"])
def test_a_registry_cannot_send_us_anywhere(fake, store, place):
    fake.faults.append(lambda r: answer(r, 302, b"", Location=place))
    assert "sends to" in reason(fake, store)


def test_being_sent_in_a_circle_ends(fake, store):
    fake.faults.append(lambda r: answer(r, 302, b"", Location=r.path))
    assert "302" in reason(fake, store)


def test_credentials_are_never_shown():
    known = Credentials("me", "secret", "secret")
    assert "secret" not in f"{known} {known!r}"


def test_digests_are_those_of_sha256():
    assert digest_of(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
