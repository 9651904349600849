"""What the Docker configuration says."""

import base64
import json
from pathlib import Path

import pytest

from engine.sources.credentials import Trouble, credentials_of


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
    return found.reason if isinstance(found, Trouble) else found and (found.username, found.password, found.token)


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
    "document", ["{}", '{"auths": 1}', '{"auths": {"r.example": 1}}', '{"auths": {"r.example": {}}}']
)
def test_a_configuration_without_the_host_knows_nothing(docker, document):
    docker(document)
    assert told() is None


@pytest.mark.parametrize(
    ("document", "trouble"),
    [
        ("", "is not valid JSON"),
        ("{", "is not valid JSON"),
        ("[" * 99999, "is not valid JSON"),
        ("[]", "is no JSON object"),
        ('{"auths": {"r.example": {"auth": "%%"}}}', "is no name and password in base64"),
        ('{"auths": {"r.example": {"auth": "YWJj"}}}', "is no name and password in base64"),
    ],
)
def test_a_configuration_that_makes_no_sense_is_said(docker, document, trouble):
    docker(document)
    assert told().endswith(trouble)


def test_a_configuration_that_cannot_be_read_is_said(docker, tmp_path):
    (tmp_path / "docker" / "config.json").mkdir()
    assert told() == f"the Docker configuration '{tmp_path}/docker/config.json' cannot be read: is a directory"


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


NO_NAME = "what the Docker configuration names as its helper is no name of a program"
NOT_THERE = " that the Docker configuration names is not installed"


@pytest.mark.parametrize(("body", "trouble"), [("exit 1", None), ("echo '{}'", None), ("echo nonsense", "makes sense")])
def test_a_helper_that_fails_is_told_from_one_that_knows_nothing(docker, helper, body, trouble):
    helper("bad", body)
    docker({"credsStore": "bad"})
    assert told() is None if trouble is None else told().endswith(trouble)


@pytest.mark.parametrize("name", ["x/y", "../evil", "a b", "", "-x", "nowhere"])
def test_a_helper_is_a_name_and_no_path(docker, name):
    docker({"credsStore": name})
    for place in ("docker-credential-x/y", "docker-credential-../evil"):
        path = Path(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\ntouch ran\n")
        path.chmod(0o755)
    assert told() in (None, NO_NAME, "the program 'docker-credential-nowhere'" + NOT_THERE)
    assert not Path("ran").exists()
