"""Modules that are published, to a real registry and to one that misbehaves."""

import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from engine.pipeline.archive import archive_of
from engine.sources.cache import digest_of
from engine.sources.oci import Client

from .conftest import answer, using

SAMPLES = Path(__file__).parents[2] / "samples"
SOURCE = "metadata description = 'Says how large it is'\nparam size int = 1\noutput size int = size\n"


@pytest.fixture
def path():
    """A path in the real registry that no other test has, nor had."""
    return f"tests/{os.urandom(10).hex()}"


def test_published_restored_built_and_deployed(ulna, registry, path, monkeypatch, tmp_path):
    Path("values.bicep").write_text((SAMPLES / "values" / "main.bicep").read_text())
    published = ulna("publish", "values.bicep", "--target", f"br:{registry}/{path}:v1")
    assert published.code == 0, published.err
    assert published.out.startswith(f"published br:{registry}/{path}:v1  sha256:")
    digest = published.out.split()[-1]

    Path("app.bicep").write_text(
        f"module v 'br:{registry}/{path}:v1' = {{\n  name: 'v'\n  params: {{\n    size: 2\n  }}\n}}\n"
        "output last string = v.outputs.last\n"
    )
    using(f"br:{registry}/{path}@{digest}", "pinned.bicep")
    restored = ulna("restore", "app.bicep", "pinned.bicep")
    assert restored.code == 0 and restored.out.count("fetched") == 2
    own = json.loads(ulna("build", "values.bicep", "--stdout").out)
    built = json.loads(ulna("build", "app.bicep", "--stdout", "--no-restore").out)
    assert [r["properties"]["template"] for r in built["resources"]] == [own]
    assert ulna("lint", "app.bicep").code == 0
    deployed = ulna("deploy", "app.bicep")
    assert deployed.code == 0, deployed.err
    assert "3 created" in deployed.out and "last: item 1 of 2" in deployed.out
    assert ulna("plan", "app.bicep", "--exit-code", "--no-restore").code == 0
    assert ulna("destroy", "app.bicep", "--yes").code == 0

    Path("values.bicep").write_text(Path("values.bicep").read_text().replace("= 3", "= 4"))
    assert "ULN033" in ulna("publish", "values.bicep", "--target", f"br:{registry}/{path}:v1").err
    moved = ulna("publish", "values.bicep", "--target", f"br:{registry}/{path}:v1", "--force")
    assert moved.code == 0 and moved.out.split()[-1] != digest
    monkeypatch.setenv("ULNA_CACHE", str(tmp_path / "fresh"))
    refused = ulna("restore", "app.bicep")
    assert f"it is {moved.out.split()[-1]} now, and {digest} in ulna.lock" in refused.err


def test_what_is_published_looks_as_the_reference_tool_wants_it(ulna, registry, path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    Path("web.bicep").write_text(SOURCE)
    target = f"br:{registry}/{path}:V1"
    published = ulna("publish", "web.bicep", "--target", target, "--with-source", "--documentation-uri", "https://d")
    assert published.code == 0, published.err
    content, digest = Client(registry).manifest(path, "V1")
    assert published.out.split()[-1] == digest
    manifest = json.loads(content)
    template = ulna("build", "web.bicep", "--stdout").out.rstrip("\n").encode()
    assert manifest["artifactType"] == "application/vnd.ms.bicep.module.artifact"
    assert manifest["config"] == {
        "mediaType": "application/vnd.ms.bicep.module.config.v1+json",
        "digest": digest_of(b"{}"),
        "size": 2,
    }
    assert manifest["layers"][0] == {
        "mediaType": "application/vnd.ms.bicep.module.layer.v1+json",
        "digest": digest_of(template),
        "size": len(template),
        "annotations": {"org.opencontainers.image.title": "Compiled ARM template"},
    }
    assert manifest["layers"][1]["mediaType"] == "application/vnd.ms.bicep.module.source.v1.tar+gzip"
    assert manifest["annotations"] == {
        "org.opencontainers.image.description": "Says how large it is",
        "org.opencontainers.image.documentation": "https://d",
        "org.opencontainers.image.created": "1970-01-01T00:00:00Z",
    }
    Path("app.bicep").write_text(f"module m '{target}' = {{\n  name: 'm'\n}}\n")
    assert ulna("restore", "app.bicep").code == 0
    (archive,) = Path(ulna_cache()).rglob("V1$1/source.tgz")
    with tarfile.open(archive) as files:
        assert files.getnames() == ["__metadata.json", "files/web.bicep"]


def ulna_cache():
    return os.environ["ULNA_CACHE"]


def test_a_template_is_published_as_it_is(ulna, registry, path):
    Path("web.bicep").write_text(SOURCE)
    ulna("build", "web.bicep")
    assert ulna("publish", "web.json", "--target", f"br:{registry}/{path}:v1").code == 0
    layer = json.loads(Client(registry).manifest(path, "v1")[0])["layers"][0]
    assert layer["digest"] == digest_of(Path("web.json").read_bytes())


def test_an_alias_names_the_target(ulna, registry, path):
    Path("web.bicep").write_text(SOURCE)
    Path("bicepconfig.json").write_text(
        json.dumps({"moduleAliases": {"br": {"team": {"registry": registry, "modulePath": path}}}})
    )
    told = json.loads(ulna("publish", "web.bicep", "--target", "br/team:web:v1", "-o", "json").out)
    assert told["reference"] == f"br:{registry}/{path}/web:v1"
    Path("app.bicep").write_text("module m 'br/team:web:v1' = {\n  name: 'm'\n}\n")
    assert ulna("build", "app.bicep", "--stdout").code == 0


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("web:v1", "ULN032"),
        ("ts/x:web:v1", "ULN032"),
        ("br:r.example/web", "BCP196"),
        ("br:r.example/web@sha256:" + "0" * 64, "ULN032"),
        ("br/none:web:v1", "BCP213"),
        ("br/near:web:v1", "ULN032"),
    ],
)
def test_a_target_that_is_none_is_refused(ulna, target, code):
    Path("web.bicep").write_text(SOURCE)
    Path("bicepconfig.json").write_text('{"moduleAliasesMock": {"br": {"near": {"mapToFilePath": "."}}}}')
    refused = ulna("publish", "web.bicep", "--target", target)
    assert refused.code == 2 and code in refused.err


def test_what_does_not_compile_is_not_published(ulna, fake):
    Path("web.bicep").write_text("output a int = 'x'\n")
    refused = ulna("publish", "web.bicep", "--target", f"br:{fake.host}/web:v1")
    assert refused.code == 1 and "BCP" in refused.err and fake.seen == []
    Path("p.bicepparam").write_text("using none\n")
    assert "ULN706" in ulna("publish", "p.bicepparam", "--target", f"br:{fake.host}/web:v1").err


def test_who_may_not_publish_is_told(ulna, fake):
    Path("web.bicep").write_text(SOURCE)
    fake.faults.append(lambda r: r.command != "GET" and answer(r, 403))
    refused = ulna("publish", "web.bicep", "--target", f"br:{fake.host}/web:v1")
    assert refused.code == 1 and "ULN034" in refused.err and "does not allow it" in refused.err


@pytest.mark.parametrize("place", ["", "http://r.example/upload", "ftp://x"])
def test_an_upload_goes_nowhere_else_without_tls(ulna, fake, place):
    Path("web.bicep").write_text(SOURCE)
    fake.faults.append(lambda r: r.command == "POST" and answer(r, 202, b"", Location=place))
    assert "names no place" in ulna("publish", "web.bicep", "--target", f"br:{fake.host}/web:v1").err


def test_the_archive_has_all_files_and_none_of_their_folders(ulna, fake, tmp_path):
    from engine.pipeline.restoring import checked
    from engine.sources.local import LocalSources

    fake.add()
    Path("mods").mkdir()
    Path("app").mkdir()
    Path("mods/part.bicep").write_text("output a int = 1\n")
    Path("mods/plain.json").write_text(
        '{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "resources": []}'
    )
    Path("app/main.bicep").write_text(
        "module a '../mods/part.bicep' = {\n  name: 'a'\n}\nmodule b '../mods/plain.json' = {\n  name: 'b'\n}\n"
        f"module c 'br:{fake.host}/demo:v1' = {{\n  name: 'c'\n}}\n"
    )
    sources = LocalSources()
    path = sources.absolute("app/main.bicep")
    packed = archive_of(path, b"", checked(path, sources), sources)
    assert packed == archive_of(path, b"", checked(path, sources), sources)
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        metadata = json.load(files.extractfile("__metadata.json"))
        names = files.getnames()
    assert names == ["__metadata.json", "files/app/main.bicep", "files/mods/part.bicep", "files/mods/plain.json"]
    assert metadata["entryPoint"] == "app/main.bicep"
    assert [f["kind"] for f in metadata["sourceFiles"]] == ["bicep", "bicep", "armTemplate"]
    assert str(tmp_path) not in json.dumps(metadata)


def test_a_published_module_may_use_others(ulna, registry, path):
    Path("inner.bicep").write_text(SOURCE)
    assert ulna("publish", "inner.bicep", "--target", f"br:{registry}/{path}/inner:v1").code == 0
    using(f"br:{registry}/{path}/inner:v1", "outer.bicep")
    assert ulna("publish", "outer.bicep", "--target", f"br:{registry}/{path}/outer:v1").code == 0
    using(f"br:{registry}/{path}/outer:v1")
    deployed = ulna("deploy", "app.bicep")
    assert deployed.code == 0 and "size: 1" in deployed.out
