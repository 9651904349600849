"""What the Docker configuration says."""

import base64
import json
from pathlib import Path

import pytest

from engine.sources.credentials import credentials_of


@pytest.fixture
def docker(tmp_path, monkeypatch):
    folder = tmp_path / "docker"
    folder.mkdir()
    monkeypatch.setenv("DOCKER_CONFIG", str(folder))

    def write(document):
        (folder / "config.json").write_text(document if isinstance(document, str) else json.dumps(document))

    return write


@pytest.fixture
def helper(tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    def write(name, body):
        path = folder / f"docker-credential-{name}"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    return write


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def told(host="r.example"):
    found = credentials_of(host)
    return None if found is None else (found.username, found.password, found.token)


def test_nothing_is_known_without_a_configuration():
    assert told() is None


@pytest.mark.parametrize("key", ["r.example", "https://r.example", "https://r.example/v2/", "R.example"])
def test_a_login_is_found_however_its_host_is_written(docker, key):
    docker({"auths": {"other.example": {"auth": encoded("a:b")}, key: {"auth": encoded("me:pass:word")}}})
    assert told() == ("me", "pass:word", "")


def test_a_part_of_a_host_is_another_host(docker):
    docker({"auths": {"r.example.evil": {"auth": encoded("a:b")}, "r": {"auth": encoded("a:b")}}})
    assert told() is None
    docker({"auths": {"r.example:5000": {"auth": encoded("a:b")}}})
    assert told() is None and told("r.example:5000") is not None


def test_names_passwords_and_tokens_may_stand_there_plainly(docker):
    docker({"auths": {"r.example": {"username": "me", "password": "x"}}})
    assert told() == ("me", "x", "")
    docker({"auths": {"r.example": {"auth": encoded("x:y"), "identitytoken": "long"}}})
    assert told() == ("", "", "long")


@pytest.mark.parametrize(
    "document",
    [
        "",
        "[]",
        "{",
        '{"auths": 1}',
        '{"auths": {"r.example": 1}}',
        '{"auths": {"r.example": {"auth": "%%"}}}',
        "[" * 99999,
    ],
)
def test_a_configuration_that_makes_no_sense_is_none(docker, document):
    docker(document)
    assert told() is None


def test_a_helper_is_asked_for_its_host(docker, helper):
    helper("mine", 'read host; echo "{\\"Username\\": \\"me@$host\\", \\"Secret\\": \\"x\\"}"')
    docker({"credHelpers": {"r.example": "mine"}, "auths": {"r.example": {"auth": encoded("a:b")}}})
    assert told() == ("me@r.example", "x", "")
    assert told("other.example") is None


def test_the_store_is_asked_for_every_host(docker, helper):
    helper("all", 'echo \'{"Username": "<token>", "Secret": "long"}\'')
    docker({"credsStore": "all"})
    assert told() == ("", "", "long")


@pytest.mark.parametrize("body", ["exit 1", "echo nonsense", "echo '{}'", "echo '[]'"])
def test_a_helper_that_knows_nothing_leaves_it_to_the_file(docker, helper, body):
    helper("bad", body)
    docker({"credsStore": "bad", "auths": {"r.example": {"auth": encoded("me:x")}}})
    assert told() == ("me", "x", "")


@pytest.mark.parametrize("name", ["x/y", "../evil", "a b", "", "-x", "nowhere"])
def test_a_helper_is_a_name_and_no_path(docker, name):
    docker({"credsStore": name})
    for place in ("docker-credential-x/y", "docker-credential-../evil"):
        path = Path(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\ntouch ran\n")
        path.chmod(0o755)
    assert told() is None
    assert not Path("ran").exists()
