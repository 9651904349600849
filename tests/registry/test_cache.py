"""Where artifacts lie, and what is believed of what lies there."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from engine.sources.cache import Store, cache_root, cached_digest, cached_main, digest_of, folder_of, masked
from engine.sources.local import LocalSources
from engine.sources.reference import Commit, Image, Spec

IMAGE = Image("localhost:5000", "a/b", "v1")


@pytest.fixture
def store(tmp_path):
    return Store(str(tmp_path / "cache"))


def put(store, image=IMAGE, content=b"{}", note=""):
    manifest = json.dumps({"note": note, "layers": [{"digest": digest_of(content)}]}).encode()
    store.put(image, manifest, {"main.json": content})
    return digest_of(manifest)


def main_of(store, image=IMAGE):
    return cached_main(store.root, image, LocalSources())


@pytest.mark.parametrize(
    ("tag", "name"),
    [("v1", "v1$"), ("V1", "V1$1"), ("vA", "vA$2"), ("AbCd", "AbCd$5"), ("a" * 64 + "B", "a" * 64 + "B$1" + "0" * 16)],
)
def test_a_tag_is_told_apart_where_capitals_do_not_count(tag, name):
    assert masked(tag) == name


def test_the_folders_are_those_of_the_reference_tool():
    digest = "sha256:" + "0" * 64
    assert folder_of("/c", IMAGE) == "/c/br/localhost$5000/a$b/v1$"
    assert folder_of("/c", Image("r.example", "a", "", digest)) == f"/c/br/r.example/a/{digest.replace(':', '#')}"
    assert folder_of("/c", Spec("ABC", "My.Group", "Spec", "V1")) == "/c/ts/abc/my.group/spec/v1"


def test_two_repositories_never_share_a_folder():
    urls = ["https://a/b", "https://a/b/", "https://a/B"]
    assert len({folder_of("/c", Commit(url, "main.bicep", "0" * 40)) for url in urls}) == 3


@pytest.mark.parametrize(
    ("variables", "setting", "root"),
    [
        ({}, None, "/home/me/.cache/ulna"),
        ({"XDG_CACHE_HOME": "/x"}, None, "/x/ulna"),
        ({"XDG_CACHE_HOME": "relative"}, None, "/home/me/.cache/ulna"),
        ({}, "~/mods", "/home/me/mods"),
        ({}, "cache", "/work/cache"),
        ({}, "/abs", "/abs"),
        ({"ULNA_CACHE": "/u"}, "/abs", "/u"),
    ],
)
def test_the_root_of_the_cache(variables, setting, root):
    settings = {} if setting is None else {"cacheRootDirectory": setting}
    assert cache_root(settings, "/work/bicepconfig.json", ({"HOME": "/home/me"} | variables).get) == root


def test_what_is_put_in_is_found_by_tag_and_by_digest(store):
    digest = put(store)
    by_digest = IMAGE.replace(tag="", digest=digest)
    assert main_of(store) == main_of(store, by_digest) == f"{folder_of(store.root, by_digest)}/main.json"
    assert cached_digest(store.root, IMAGE, LocalSources()) == digest


def test_everything_belongs_to_its_owner_alone(store):
    put(store)
    for folder, _, files in os.walk(store.root):
        assert stat.S_IMODE(Path(folder).stat().st_mode) == 0o700
        assert all(stat.S_IMODE((Path(folder) / name).stat().st_mode) == 0o600 for name in files)


def test_one_content_is_kept_once(store):
    put(store)
    put(store, Image("r.example", "other", "v9"))
    inodes = {path.stat().st_ino for path in Path(store.root).rglob("main.json")}
    assert len(inodes) == 1


def test_nothing_is_left_of_drafts(store):
    for _ in range(3):
        put(store)
    assert not [p for p in Path(store.root).rglob(".*")]


def test_a_tag_that_moved_leaves_what_it_meant(store):
    before = put(store)
    after = put(store, content=b'{"a": 1}')
    assert Path(main_of(store)).read_bytes() == b'{"a": 1}'
    assert Path(main_of(store, IMAGE.replace(tag="", digest=before))).read_bytes() == b"{}"
    assert before != after


@pytest.mark.parametrize("name", ["main.json", "manifest"])
def test_what_is_not_what_its_digest_says_is_not_there(store, name):
    digest = put(store)
    for path in Path(store.root).rglob(name):
        path.unlink()
        path.write_bytes(b'{"layers": []}')
    assert main_of(store) is None
    assert main_of(store, IMAGE.replace(tag="", digest=digest)) is None


def test_a_manifest_with_more_in_it_than_its_digest_says_is_not_there(store):
    put(store)
    for path in Path(store.root).rglob("manifest"):
        content = path.read_bytes()
        path.unlink()
        path.write_bytes(content.replace(b'"note": ""', b'"note": "more"'))
    assert main_of(store) is None


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"manifestDigest": 1}', b'{"manifestDigest": "../../x"}'])
def test_damaged_notes_are_none(store, content):
    put(store)
    path = Path(folder_of(store.root, IMAGE)) / "metadata"
    path.unlink()
    path.write_bytes(content)
    assert main_of(store) is None


def test_a_damaged_blob_is_replaced(store):
    put(store)
    (blob,) = (p for p in Path(store.root, "blobs/sha256").iterdir() if p.read_bytes() == b"{}")
    blob.write_bytes(b"no")
    assert main_of(store) is None
    put(store)
    assert main_of(store) is not None


def test_what_another_tool_put_there_by_tag_alone_is_found(store):
    digest = put(store)
    folder = Path(folder_of(store.root, IMAGE.replace(tag="", digest=digest)))
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    assert main_of(store) == f"{folder_of(store.root, IMAGE)}/main.json"


def test_many_processes_share_it(store):
    program = """
import json, sys
from engine.sources.cache import Store, cached_main, digest_of
from engine.sources.local import LocalSources
from engine.sources.reference import Image
store, image = Store(sys.argv[1]), Image("r.example", "a", "v1")
for n in range(15):
    content = b'{"n": %d}' % (n % 3)
    manifest = json.dumps({"layers": [{"digest": digest_of(content)}]}).encode()
    store.put(image, manifest, {"main.json": content})
    assert cached_main(store.root, image, LocalSources()) is not None, n
"""
    root = Path(__file__).parents[2]
    running = [
        subprocess.Popen([sys.executable, "-c", program, store.root], stderr=subprocess.PIPE, cwd=root)
        for _ in range(4)
    ]
    said = [process.communicate(timeout=300)[1].decode() for process in running]  # all of them, before one is judged
    for process, err in zip(running, said, strict=True):
        assert process.returncode == 0, err
    assert not [p for p in Path(store.root).rglob(".*")]
