from __future__ import annotations

import json
import stat
from argparse import ArgumentTypeError

import pytest

from engine.cli import options as shared
from engine.cli.commands import apply, deploy, destroy
from engine.cli.files import read_json, write_private, write_text
from engine.cli.parser import Parser
from engine.diagnostics.diagnostic import UlnaError
from engine.plan.plan import OnUnmanage


def parse(command, *words):
    parser = Parser("test", "", "")
    command.arguments(parser)
    return parser.parse(list(words))


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("5m", 300), ("2h", 7200), ("1d", 86400), ("1h30m", 5400), ("0s", 0)]
)
def test_a_length_of_time(text, seconds):
    assert shared.duration(text) == seconds


@pytest.mark.parametrize("text", ["", "m", "5x", "-5m", "5 m", "1.5h", "m5", "5mm", "9999999999999s", "٣m"])
def test_what_is_no_length_of_time(text):
    with pytest.raises(ArgumentTypeError, match="is no length of time: write 90s, 5m, 2h or 1h30m"):
        shared.duration(text)


def test_a_call_becomes_a_request():
    words = [
        "app.bicep",
        "-e",
        "local",
        "-a",
        "shop",
        "-p",
        "a=1",
        "-p",
        "@p.json",
        "--name",
        "x",
        "--state",
        "s",
        "--on-unmanage",
        "detach",
        "--wait",
        "3",
    ]
    request = shared.request(parse(deploy, *words))
    assert (request.path, request.environment, request.application) == ("app.bicep", "local", "shop")
    assert request.parameters == ("a=1", "@p.json")
    assert (request.name, str(request.state), request.on_unmanage, request.wait) == ("x", "s", OnUnmanage.DETACH, 3.0)


def test_a_parameter_file_that_uses_a_template_may_stand_for_it():
    request = shared.request(parse(deploy, "-p", "a=1", "-p", "@dev.bicepparam"))
    assert (request.path, request.parameters) == ("dev.bicepparam", ("a=1",))


def test_the_words_for_what_left_the_file_are_the_plans():
    assert tuple(map(str, OnUnmanage)) == shared.UNMANAGED


def test_options_may_stand_before_the_file():
    assert parse(destroy, "-y", "app.bicep").file == "app.bicep"
    assert parse(apply, "-p", "a=b", "plan.json").plan == "plan.json"


@pytest.mark.parametrize("word", ["default", "Default", "text"])
def test_bicep_spells_text_default(word):
    from engine.cli.commands import build

    assert parse(build, "a.bicep", "--diagnostics-format", word).diagnostics_format == "text"


def test_a_private_file_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "plan.json"
    write_private(path, {"a": "ü"})
    write_private(path, {"a": "ö"})
    assert json.loads(path.read_text("utf-8")) == {"a": "ö"} == read_json(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["plan.json"]


@pytest.mark.parametrize("write", [lambda p: write_private(p, {}), lambda p: write_text(p, "")])
def test_what_cannot_be_written_is_said(tmp_path, write):
    (tmp_path / "file").touch()
    with pytest.raises(UlnaError, match="cannot be written"):
        write(tmp_path / "file" / "below.json")


@pytest.mark.parametrize(
    ("content", "message"), [(None, "No such file"), ("{", "is not JSON"), ("[" * 100_000, "is not JSON")]
)
def test_what_cannot_be_read_is_said(tmp_path, content, message):
    path = tmp_path / "plan.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UlnaError, match=message):
        read_json(path)
