"""What travels from a client to a worker: all that the compiler reads, and nothing that leads out of it."""

import io
import json
import os
import tarfile

import pytest

from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.compiling import compile
from engine.pipeline.request import Request
from engine.server.bundle import bundle
from engine.server.job import Job, is_inside, pack, read
from engine.server.sealing import Seal
from engine.server.unpacking import BundleSources, request_of, unpack
from engine.sources.port import Unreadable


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    for name, text in {
        "infra/main.bicep": "param who string\nmodule m '../shared/m.bicep' = { name: 'm', params: { t: loadTextContent('t.txt') } }\noutput o string = who",
        "infra/t.txt": "text",
        "shared/m.bicep": "param t string\noutput t string = t",
        "infra/main.bicepparam": "using 'main.bicep'\nparam who = readEnvironmentVariable('WHO')",
        "infra/bicepconfig.json": "{}",
        "values.json": '{"who": "file"}',
        "who.txt": "me\n",
        "unread.txt": "no",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return root


def moved(packed, tmp_path):
    """The request at the worker, whose variables are its own."""
    job, files = read(packed)
    folder = tmp_path / "worker" / job.name
    unpack(files, folder)
    return request_of(job, folder, "dev", tmp_path)


def test_all_that_is_read_goes_along_and_nothing_else(project):
    job, packed = bundle(Request("infra/main.bicep", parameters=("who=@who.txt",)))
    assert job.file == "infra/main.bicep"
    assert job.parameters == ("who=@who.txt",)
    files = read(packed)[1]
    assert sorted(files) == ["infra/bicepconfig.json", "infra/main.bicep", "infra/t.txt", "shared/m.bicep", "who.txt"]


def test_it_compiles_to_the_same_at_the_worker(project, tmp_path, monkeypatch):
    here = bundle(Request("infra/main.bicep", parameters=("@values.json",)))[1]
    request = moved(here, tmp_path)
    compiled = compile(request.path, request.sources)
    assert compiled.template.name == "main"
    assert request.parameters == (f"@{tmp_path}/worker/main/values.json",)
    monkeypatch.setenv("WHO", "client")
    there = bundle(Request("infra/main.bicepparam"))[1]
    monkeypatch.setenv("WHO", "worker")
    request = moved(there, tmp_path)
    assert compile(request.path, request.sources).arguments == {"who": "client"}


def test_what_does_not_compile_is_not_sent(project):
    (project / "infra/main.bicep").write_text("output o string = nothing")
    with pytest.raises(UlnaError):
        bundle(Request("infra/main.bicep"))


def test_a_worker_shows_nothing_of_its_disk_and_its_variables(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hidden")
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden")
    folder = tmp_path / "worker" / "main"
    unpack({"main.bicep": b"output o string = loadTextContent('../../secret.txt')"}, folder)
    (folder / "link.txt").symlink_to(secret)
    sources = BundleSources(folder, {"MINE": "1"})
    assert sources.environment("AWS_SECRET_ACCESS_KEY") is None
    assert sources.environment("MINE") == "1"
    assert not sources.exists(str(secret))
    for path in (str(secret), str(folder / "link.txt"), f"{folder}/../../secret.txt"):
        with pytest.raises(Unreadable, match="outside of what was submitted"):
            sources.read(path)
    with pytest.raises(Unreadable):
        sources.entries(str(tmp_path))
    with pytest.raises(UlnaError, match="outside of what was submitted"):
        compile(str(folder / "main.bicep"), sources)


def test_no_setting_of_a_bundle_moves_the_cache_of_a_worker(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sources = BundleSources(tmp_path, {"ULNA_CACHE": "/etc", "HOME": "/etc"})
    assert sources.environment("ULNA_CACHE") == str(tmp_path / "cache" / "ulna")
    assert sources.environment("HOME") == os.environ.get("HOME")


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "a//x", "", ".", "a\\..\\x"])
def test_paths_that_lead_out_are_refused(path):
    assert not is_inside(path)
    with pytest.raises(UlnaError, match="no bundle"):
        read(pack(Job("main.bicep", "main"), {"main.bicep": b"", path: b"x"}))


def link(tar):
    member = tarfile.TarInfo("files/main.bicep")
    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
    tar.addfile(member)


def bomb(tar):
    member = tarfile.TarInfo("files/main.bicep")
    member.size = 200 * 1024 * 1024
    tar.addfile(member, io.BytesIO(bytes(member.size)))


@pytest.mark.parametrize("spoil", [link, bomb])
def test_what_is_no_regular_file_or_too_large_is_refused(spoil):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as tar:
        spoil(tar)
    with pytest.raises(UlnaError) as error:
        read(packed.getvalue())
    assert error.value.diagnostics[0].code == "ULN573"


@pytest.mark.parametrize("content", [b"", b"nonsense", pack(Job("absent.bicep", "main"), {"main.bicep": b""})])
def test_nonsense_is_refused(content):
    with pytest.raises(UlnaError, match="no bundle"):
        read(content)


def test_a_job_with_other_fields_is_refused():
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        text = json.dumps({"file": "a", "name": "a", "parameters": [], "surprise": 1}).encode()
        member = tarfile.TarInfo("job.json")
        member.size = len(text)
        tar.addfile(member, io.BytesIO(text))
    with pytest.raises(UlnaError, match="no bundle"):
        read(packed.getvalue())


def test_what_is_sealed_needs_the_key_of_the_state():
    seal = Seal(b"k" * 32)
    sealed = seal.close(b"secret")
    assert b"secret" not in sealed
    assert seal.open(sealed) == b"secret"
    with pytest.raises(UlnaError, match="key of this state"):
        Seal(b"x" * 32).open(sealed)
    with pytest.raises(UlnaError):
        seal.open(sealed[:-4] + b"AAAA")


def test_a_deployment_is_unpacked_where_it_was_before(tmp_path):
    unpack({"a.bicep": b"1", "gone.txt": b""}, tmp_path / "dev" / "app")
    unpack({"a.bicep": b"2"}, tmp_path / "dev" / "app")
    assert [p.name for p in (tmp_path / "dev").rglob("*")] == ["app", "a.bicep"]
    assert (tmp_path / "dev/app/a.bicep").read_bytes() == b"2"
