"""Modules of a Git repository, at one commit."""

import json
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from engine.sources import git as engine_git


class Repository:
    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.git("init", "--quiet", "-b", "main")

    @property
    def url(self):
        return f"file://{self.folder}"

    def git(self, *words):
        identity = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "protocol.file.allow=always")
        done = subprocess.run(["git", *identity, *words], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(self, **files):
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_bicep", ".bicep").replace("_txt", ".txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "c")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repository")


WEB = "module p '../part.bicep' = {\n  name: 'p'\n}\noutput size int = p.outputs.size\n"
PART = "output size int = 4\n"


def using(reference):
    Path("app.bicep").write_text(f"module m '{reference}' = {{\n  name: 'm'\n}}\noutput size int = m.outputs.size\n")


def test_a_folder_of_a_commit_is_used_with_the_files_beside_it(ulna, repository):
    commit = repository.commit(mods__web__main_bicep=WEB, mods__part_bicep=PART)
    using(f"git:{repository.url}//mods/web@{commit}")
    assert ulna("build", "app.bicep", "--stdout", "--no-restore").code == 1
    restored = ulna("restore", "app.bicep")
    assert restored.code == 0, restored.err
    assert restored.out.startswith("fetched  git:")
    assert not Path("ulna.lock").exists()
    deployed = ulna("deploy", "app.bicep", "--no-restore")
    assert deployed.code == 0 and "size: 4" in deployed.out


def test_what_is_imported_from_a_commit_says_so_and_not_where_the_cache_is(ulna, repository):
    commit = repository.commit(main_bicep="@export()\ntype size = int\n@export()\nvar two = 2\n")
    reference = f"git:{repository.url}//@{commit}"
    Path("app.bicep").write_text(
        f"import {{ size, two }} from '{reference}'\nparam a size = 1\noutput b int = a + two\n"
    )
    built = ulna("build", "app.bicep", "--stdout")
    assert built.code == 0, built.err
    note = json.loads(built.out)["definitions"]["size"]["metadata"]["__bicep_imported_from!"]
    assert note["sourceTemplate"].startswith(f"git:{repository.url}//") and commit in note["sourceTemplate"]


def test_a_commit_that_no_branch_ends_with_is_found(ulna, repository):
    commit = repository.commit(main_bicep=PART)
    repository.commit(main_bicep="output size int = 5\n")
    using(f"git:{repository.url}//@{commit}")
    built = ulna("build", "app.bicep", "--stdout")
    assert built.code == 0, built.err
    nested = json.loads(built.out)["resources"][0]["properties"]["template"]
    assert nested["outputs"]["size"]["value"] == 4


def test_what_is_there_needs_no_repository(ulna, repository):
    commit = repository.commit(main_bicep=PART)
    using(f"git:{repository.url}//@{commit}")
    assert ulna("restore", "app.bicep").code == 0
    repository.folder.rename(f"{repository.folder}.away")
    assert ulna("build", "app.bicep", "--stdout").code == 0


def test_force_replaces_what_was_damaged(ulna, repository, tmp_path):
    commit = repository.commit(main_bicep=PART)
    using(f"git:{repository.url}//@{commit}")
    assert ulna("restore", "app.bicep").code == 0
    (cached,) = (tmp_path / "cache/git").rglob("main.bicep")
    cached.write_text("nonsense")
    assert ulna("build", "app.bicep", "--stdout").code == 1
    assert ulna("restore", "app.bicep", "--force").code == 0
    assert ulna("build", "app.bicep", "--stdout").code == 0
    assert len(list((tmp_path / "cache/git").glob("*/*"))) == 1


def test_a_commit_that_does_not_exist_is_said(ulna, repository):
    repository.commit(main_bicep=PART)
    using(f"git:{repository.url}//@{'0' * 40}")
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and "BCP192" in refused.err


def test_a_repository_that_does_not_exist_is_said(ulna, tmp_path):
    using(f"git:file://{tmp_path}/none//@{'0' * 40}")
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and "'git' says:" in refused.err


def test_a_file_that_is_not_in_the_commit_is_said_once(ulna, repository):
    commit = repository.commit(main_bicep=PART)
    using(f"git:{repository.url}//other@{commit}")
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and "BCP091" in refused.err and "does not exist" in refused.err


@pytest.mark.parametrize(
    "text",
    [
        "module p '../../../../../secret.bicep' = {\n  name: 'p'\n}\n",
        "var t = loadTextContent('../../../../../secret.txt')\noutput size string = t\n",
        "import * as x from '../../../../../secret.bicep'\n",
    ],
)
def test_a_file_of_a_commit_cannot_read_outside_of_it(ulna, repository, tmp_path, text):
    (tmp_path / "secret.txt").write_text("hidden")
    (tmp_path / "secret.bicep").write_text("@export()\nvar hidden = 'hidden'\n")
    commit = repository.commit(a__main_bicep=text)
    using(f"git:{repository.url}//a@{commit}")
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and "hidden" not in refused.out + refused.err
    assert "BCP091" in refused.err and "repository" in refused.err


def test_settings_outside_of_a_commit_do_not_hold_in_it(ulna, repository, tmp_path, monkeypatch):
    monkeypatch.setenv("ULNA_CACHE", str(tmp_path / "work/cache"))
    Path("bicepconfig.json").write_text('{"nonsense": true}')
    commit = repository.commit(main_bicep=PART)
    using(f"git:{repository.url}//@{commit}")
    assert ulna("build", "app.bicep", "--stdout").err.count("ULN020") == 1


def test_links_are_not_followed(ulna, repository, tmp_path):
    (tmp_path / "secret.bicep").write_text("output size int = 9\n")
    (repository.folder / "main.bicep").symlink_to(tmp_path / "secret.bicep")
    (repository.folder / "more").symlink_to(tmp_path)
    commit = repository.commit(part_bicep=PART)
    using(f"git:{repository.url}//@{commit}")
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and refused.out == ""


def test_links_that_nobody_asks_for_do_no_harm(ulna, repository, tmp_path):
    (repository.folder / "more").symlink_to(tmp_path)
    commit = repository.commit(main_bicep=PART)
    using(f"git:{repository.url}//@{commit}")
    assert ulna("build", "app.bicep", "--stdout").code == 0
    assert not [p for p in (tmp_path / "cache").rglob("*") if p.is_symlink()]


def test_hooks_and_filters_do_not_run(ulna, repository, tmp_path, monkeypatch):
    ran = tmp_path / "ran"
    home = tmp_path / "home"
    home.mkdir()
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (hooks / name).chmod(0o755)
    (home / ".gitconfig").write_text(f'[core]\n\thooksPath = {hooks}\n[filter "lfs"]\n\tsmudge = touch {ran}\n')
    (repository.folder / ".gitattributes").write_text("*.bin filter=lfs\n")
    (repository.folder / "x.bin").write_text("x")
    monkeypatch.setenv("HOME", str(tmp_path / "nowhere"))
    commit = repository.commit(main_bicep=PART)
    monkeypatch.setenv("HOME", str(home))
    ran.unlink(missing_ok=True)
    using(f"git:{repository.url}//@{commit}")
    assert ulna("build", "app.bicep", "--stdout").code == 0
    assert not ran.exists()


def test_a_server_that_accepts_and_says_nothing_is_not_waited_for(ulna, monkeypatch):
    monkeypatch.setattr(engine_git, "SILENCE", 3.0)
    heard = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        accepting = threading.Thread(target=lambda: heard.append(server.accept()[0]), daemon=True)
        accepting.start()
        url = f"https://127.0.0.1:{server.getsockname()[1]}/r.git"
        using(f"git:{url}//main.bicep@{'a' * 40}")
        result = ulna("restore", "app.bicep")
    assert result.code == 1 and f"'{url}' does not answer in time" in result.err
    for connection in heard:
        with connection:
            connection.settimeout(30)
            while connection.recv(4096):  # what git has started is ended with it, and leaves the line
                pass


def test_without_git_it_is_said(ulna, repository, monkeypatch):
    commit = repository.commit(main_bicep=PART)
    using(f"git:{repository.url}//@{commit}")
    monkeypatch.setenv("PATH", "/nowhere")
    assert "the program 'git' is not installed" in ulna("build", "app.bicep", "--stdout").err


def test_a_repository_that_is_too_large_is_refused(ulna, repository, monkeypatch, tmp_path):
    monkeypatch.setattr(engine_git, "LIMIT", 10)
    commit = repository.commit(main_bicep=PART)
    using(f"git:{repository.url}//@{commit}")
    assert "too large" in ulna("build", "app.bicep", "--stdout").err
    assert not list((tmp_path / "cache/git").glob("*/*"))


def test_passwords_in_what_git_says_are_left_out():
    said = engine_git._said("hint: x\nfatal: unable to access 'https://me:secret@h.example/r/': no\n")
    assert said == "unable to access 'https://h.example/r/': no"
