"""Files that name modules of a registry: restored, locked, and used without the network."""

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .conftest import TEMPLATE, answer, using


def lock():
    return json.loads(Path("ulna.lock").read_text())["modules"]


def other(fake):
    """What the tag means from now on."""
    return fake.add("v1", {**TEMPLATE, "outputs": {"size": {"type": "int", "value": 7}}})


def test_a_build_fetches_what_is_missing_and_says_nothing_of_it(ulna, fake):
    fake.add()
    using(f"br:{fake.host}/demo:v1")
    built = ulna("build", "app.bicep", "--stdout")
    assert built.code == 0 and built.err == ""
    assert json.loads(built.out)["resources"][0]["properties"]["template"] == TEMPLATE
    assert not Path("ulna.lock").exists()


def test_the_next_build_needs_no_network(ulna, fake):
    fake.add()
    using(f"br:{fake.host}/demo:v1")
    ulna("build", "app.bicep", "--stdout")
    fake.seen.clear()
    assert ulna("build", "app.bicep", "--stdout").code == 0
    assert ulna("lint", "app.bicep").code == 0
    assert ulna("restore", "app.bicep").code == 0
    assert fake.seen == []


@pytest.mark.parametrize("verb", ["build", "lint", "plan", "deploy"])
def test_nothing_is_fetched_if_not_wanted(ulna, fake, verb):
    fake.add()
    using(f"br:{fake.host}/demo:v1")
    refused = ulna(verb, "app.bicep", "--no-restore")
    assert refused.code == 1 and "BCP190" in refused.err
    assert "has not been restored" in refused.err and "ulna restore" in refused.err
    assert fake.seen == []


def test_nothing_is_fetched_that_no_file_names(ulna, fake):
    Path("app.bicep").write_text("param a string = 'br:r.example/a:v1'\noutput b string = a\n")
    Path("bicepconfig.json").write_text(json.dumps({"moduleAliases": {"br": {"x": {"registry": fake.host}}}}))
    assert ulna("build", "app.bicep", "--stdout").code == 0
    assert fake.seen == []


def test_why_it_could_not_be_fetched_is_said_where_it_is_named(ulna, fake):
    using(f"br:{fake.host}/demo:v9")
    refused = ulna("build", "app.bicep", "--stdout")
    assert refused.code == 1 and refused.out == ""
    assert refused.err.startswith(
        f"app.bicep:1:10: error BCP192: 'br:{fake.host}/demo:v9' could not be restored: '{fake.host}' does not have it"
    )


def test_restore_writes_what_tags_mean(ulna, fake):
    digest = fake.add()
    using(f"br:{fake.host}/demo:v1")
    told = ulna("restore", "app.bicep")
    assert told.out == f"fetched  br:{fake.host}/demo:v1  {digest}\n" and told.code == 0
    assert lock() == {f"br:{fake.host}/demo:v1": digest}
    assert ulna("restore", "app.bicep").out.startswith("there ")


def test_what_is_named_by_its_digest_needs_no_lock(ulna, fake):
    digest = fake.add()
    using(f"br:{fake.host}/demo@{digest}")
    assert ulna("restore", "app.bicep").code == 0
    assert not Path("ulna.lock").exists()


def test_the_lock_is_sorted_and_grows(ulna, fake):
    for name in ("b", "a", "c"):
        fake.add(path=name)
        using(f"br:{fake.host}/{name}:v1", f"{name}.bicep")
    assert ulna("restore", "b.bicep", "c.bicep").code == 0
    first = Path("ulna.lock").read_text()
    assert ulna("restore", "--pattern", "*.bicep").code == 0
    assert list(lock()) == [f"br:{fake.host}/{name}:v1" for name in "abc"]
    assert first.endswith("}\n") and Path("ulna.lock").read_text().endswith("}\n")


def test_each_folder_has_its_own_lock(ulna, fake):
    fake.add()
    using(f"br:{fake.host}/demo:v1", "one/app.bicep")
    using(f"br:{fake.host}/demo:v1", "two/deep/app.bicep")
    assert ulna("restore", "--pattern", "**/*.bicep").code == 0
    assert Path("one/ulna.lock").read_text() == Path("two/deep/ulna.lock").read_text()


def test_the_lock_of_the_root_file_holds_for_all_its_modules(ulna, fake):
    digest = fake.add()
    using(f"br:{fake.host}/demo:v1", "parts/part.bicep")
    Path("app.bicep").write_text("module p 'parts/part.bicep' = {\n  name: 'p'\n}\n")
    assert ulna("restore", "app.bicep").code == 0
    assert lock() == {f"br:{fake.host}/demo:v1": digest}
    assert not Path("parts/ulna.lock").exists()


def test_a_locked_tag_means_what_it_meant_even_after_it_moved(ulna, fake):
    fake.add()
    using(f"br:{fake.host}/demo:v1")
    ulna("restore", "app.bicep")
    other(fake)
    using(f"br:{fake.host}/demo:v1", "elsewhere/app.bicep")
    assert ulna("restore", "--force", "elsewhere/app.bicep").code == 0
    built = json.loads(ulna("build", "app.bicep", "--stdout").out)
    assert built["resources"][0]["properties"]["template"] == TEMPLATE


@pytest.mark.parametrize("words", [("restore", "app.bicep"), ("build", "app.bicep", "--stdout"), ("lint", "app.bicep")])
def test_a_tag_that_moved_is_refused_naming_both_digests(ulna, fake, monkeypatch, tmp_path, words):
    before = fake.add()
    using(f"br:{fake.host}/demo:v1")
    ulna("restore", "app.bicep")
    after = other(fake)
    monkeypatch.setenv("ULNA_CACHE", str(tmp_path / "empty"))
    refused = ulna(*words)
    assert refused.code == 1 and "BCP192" in refused.err
    assert f"it is {after} now, and {before} in ulna.lock" in refused.err and "--update" in refused.err
    assert lock() == {f"br:{fake.host}/demo:v1": before}


def test_force_looks_at_the_tag_again_and_keeps_to_the_lock(ulna, fake):
    fake.add()
    using(f"br:{fake.host}/demo:v1")
    ulna("restore", "app.bicep")
    fake.seen.clear()
    assert ulna("restore", "--force", "app.bicep").code == 0
    assert [path for _, path, _ in fake.seen] == ["/v2/demo/manifests/v1"]
    other(fake)
    assert "its tag has moved" in ulna("restore", "--force", "app.bicep").err


def test_update_takes_what_the_tag_means_now(ulna, fake):
    fake.add()
    using(f"br:{fake.host}/demo:v1")
    ulna("restore", "app.bicep")
    after = other(fake)
    updated = ulna("restore", "--update", "app.bicep")
    assert updated.code == 0, updated.err
    assert lock() == {f"br:{fake.host}/demo:v1": after}
    built = json.loads(ulna("build", "app.bicep", "--stdout").out)
    assert built["resources"][0]["properties"]["template"]["outputs"]["size"]["value"] == 7


def test_an_update_that_fails_leaves_the_lock_as_it_is(ulna, fake):
    fake.add()
    using(f"br:{fake.host}/demo:v1")
    ulna("restore", "app.bicep")
    before = Path("ulna.lock").read_text()
    fake.faults.append(lambda r: answer(r, 403))
    assert ulna("restore", "--update", "app.bicep").code == 1
    assert Path("ulna.lock").read_text() == before


@pytest.mark.parametrize(
    "text", ["", "[]", '{"version": 1}', '{"version": 9, "modules": {}}', '{"version": 1, "modules": {"a": "b"}}']
)
def test_a_lock_that_makes_no_sense_is_refused(ulna, fake, text):
    using(f"br:{fake.host}/demo:v1")
    Path("ulna.lock").write_text(text)
    for verb in ("lint", "build", "restore"):
        refused = ulna(verb, "app.bicep")
        assert refused.code == 1 and "ULN031" in refused.err
    assert fake.seen == []


def test_a_program_without_references_is_not_bothered_by_a_lock(ulna):
    Path("app.bicep").write_text("output a int = 1\n")
    Path("ulna.lock").write_text("nonsense")
    assert ulna("build", "app.bicep", "--stdout").code == 0


def test_what_came_is_kept_where_another_did_not(ulna, fake):
    fake.add()
    Path("app.bicep").write_text(
        f"module a 'br:{fake.host}/demo:v1' = {{\n  name: 'a'\n}}\nmodule b 'br:{fake.host}/demo:v9' = {{\n  name: 'b'\n}}\n"
    )
    refused = ulna("restore", "app.bicep")
    assert refused.code == 1 and refused.out.startswith(f"fetched  br:{fake.host}/demo:v1")
    assert refused.err.count("BCP192") == 1


def test_the_same_artifact_is_fetched_once_however_often_it_is_named(ulna, fake):
    fake.add()
    body = "".join(f"module m{n} 'br:{fake.host}/demo:v1' = {{\n  name: 'm{n}'\n}}\n" for n in range(9))
    Path("app.bicep").write_text(body)
    assert ulna("restore", "app.bicep").code == 0
    assert len(fake.seen) == 2


def test_many_are_fetched_at_a_time(ulna, fake):
    barrier = threading.Barrier(4, timeout=120)

    def together(request):
        if "/manifests/" in request.path:
            barrier.wait()
        return False

    for name in "abcd":
        fake.add(path=name)
    fake.faults.append(together)
    body = "".join(f"module {n} 'br:{fake.host}/{n}:v1' = {{\n  name: '{n}'\n}}\n" for n in "abcd")
    Path("app.bicep").write_text(body)
    assert ulna("restore", "app.bicep").code == 0


def test_a_module_of_a_registry_is_checked_like_any_other(ulna, fake):
    fake.add()
    using(f"br:{fake.host}/demo:v1").write_text(
        f"module m 'br:{fake.host}/demo:v1' = {{\n  name: 'm'\n  params: {{\n    size: 'x'\n    other: 1\n  }}\n}}\n"
    )
    found = ulna("lint", "app.bicep")
    assert found.code == 1 and "BCP036" in found.err and "BCP037" in found.err


def test_a_template_with_errors_is_said_at_the_reference(ulna, fake):
    fake.add(template={"resources": []})
    using(f"br:{fake.host}/demo:v1")
    found = ulna("build", "app.bicep", "--stdout")
    assert found.code == 1 and "BCP188" in found.err and f"br:{fake.host}/demo:v1:1:1" in found.err


def test_types_and_functions_can_be_imported_from_a_registry(ulna, fake):
    exported = {"type": "string", "metadata": {"__bicep_export!": True}}
    fake.add(template={**TEMPLATE, "languageVersion": "2.0", "definitions": {"name": exported}, "resources": {}})
    Path("bicepconfig.json").write_text(json.dumps({"moduleAliases": {"br": {"near": {"registry": fake.host}}}}))
    for reference in (f"br:{fake.host}/demo:v1", "br/near:demo:v1"):
        Path("app.bicep").write_text(f"import {{ name }} from '{reference}'\nparam a name\noutput b string = a\n")
        built = ulna("build", "app.bicep", "--stdout")
        assert built.code == 0, built.err
        note = json.loads(built.out)["definitions"]["name"]["metadata"]["__bicep_imported_from!"]
        assert note == {"sourceTemplate": f"br:{fake.host}/demo:v1"}, "what an alias stands for is told"


def test_a_parameter_file_may_use_a_registry(ulna, fake):
    fake.add()
    Path("dev.bicepparam").write_text(f"using 'br:{fake.host}/demo:v1'\nparam size = 3\n")
    built = ulna("build-params", "dev.bicepparam", "--stdout")
    assert built.code == 0, built.err
    deployed = ulna("deploy", "dev.bicepparam")
    assert deployed.code == 0 and "size: 3" in deployed.out


def test_restore_as_json(ulna, fake):
    digest = fake.add()
    using(f"br:{fake.host}/demo:v1")
    told = json.loads(ulna("restore", "app.bicep", "--format", "json").out)
    assert told["modules"] == [{"reference": f"br:{fake.host}/demo:v1", "digest": digest, "fetched": True}]


def test_restore_needs_files(ulna):
    assert ulna("restore").code == 2
    assert ulna("restore", "--pattern", "*.none").code == 2
    assert "ULN004" in ulna("restore", "none.bicep").err


def test_a_cache_that_cannot_be_written_is_said(ulna, fake, monkeypatch, tmp_path):
    fake.add()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ULNA_CACHE", str(tmp_path / "file"))
    using(f"br:{fake.host}/demo:v1")
    assert "cannot be used" in ulna("build", "app.bicep", "--stdout").err


def test_the_cache_of_the_settings_is_used(ulna, fake, monkeypatch):
    monkeypatch.delenv("ULNA_CACHE")
    fake.add()
    Path("bicepconfig.json").write_text('{"cacheRootDirectory": "modules"}')
    using(f"br:{fake.host}/demo:v1")
    assert ulna("build", "app.bicep", "--stdout").code == 0
    assert len(list(Path("modules/br").iterdir())) == 1


def test_a_saved_plan_holds_the_modules_it_was_made_with(ulna, fake):
    fake.add()
    using(f"br:{fake.host}/demo:v1")
    assert ulna("plan", "app.bicep", "--out", "plan.json").code == 0
    applied = ulna("apply", "plan.json")
    assert applied.code == 0, applied.err
    assert ulna("plan", "app.bicep", "--out", "plan.json").code == 0
    other(fake)
    assert ulna("restore", "--update", "app.bicep").code == 0
    assert "ULN606" in ulna("apply", "plan.json").err


def test_ctrl_c_does_not_wait_for_the_registry(fake):
    asked, over = threading.Event(), threading.Event()

    def silent(request):
        asked.set()
        return over.wait(600)

    fake.faults.append(silent)
    using(f"br:{fake.host}/demo:v1")
    with subprocess.Popen(
        [sys.executable, "-m", "engine.cli.main", "build", "app.bicep", "--stdout"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert asked.wait(120)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=120)  # the registry is silent until then
        finally:
            over.set()
            process.kill()
    assert process.returncode == 130 and err == b"\ninterrupted\n"


@pytest.mark.parametrize(
    ("named", "unwanted"),
    [
        (False, ["engine.check.outside", "engine.sources.reference", "hashlib", "urllib.request", "ssl"]),
        (True, ["engine.sources.oci", "urllib.request", "ssl", "threading", "subprocess", "fcntl"]),
    ],
)
def test_the_network_is_not_loaded_where_it_is_not_needed(ulna, fake, named, unwanted):
    fake.add()
    using(f"br:{fake.host}/demo:v1")
    assert ulna("restore", "app.bicep").code == 0
    if not named:
        Path("app.bicep").write_text("output a int = 1\n")
    program = (
        "import sys; from engine.cli.main import main; code = main(['build', 'app.bicep', '--outfile', 'x.json']); "
        "print(code, *(m for m in sys.argv[1:] if m in sys.modules))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program, *unwanted],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout == "0\n", done.stderr


def test_restores_at_the_same_time_do_not_harm_each_other(ulna, fake):
    from engine.pipeline.restoring import restore

    for n in range(6):
        fake.add(path=f"m{n}")
        using(f"br:{fake.host}/m{n}:v1", f"app{n}/app.bicep")
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda n: restore([f"app{n}/app.bicep", "app0/app.bicep"]), range(6)))
    assert all(not problems for _, problems in results)


def test_what_two_write_into_one_lock_is_added_up(ulna, fake):
    from engine.pipeline.restoring import restore

    for n in range(8):
        fake.add(path=f"m{n}")
        using(f"br:{fake.host}/m{n}:v1", f"app{n}.bicep")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: restore([f"app{n}.bicep"]), range(8)))
    assert len(lock()) == 8
