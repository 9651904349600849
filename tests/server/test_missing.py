"""Libraries that are not installed are named, with what installs them."""

import sys

import pytest

from engine.cli.main import main


@pytest.mark.parametrize("verb", ["server", "worker"])
@pytest.mark.parametrize("library", ["dbos", "cryptography"])
def test_a_server_needs_its_extra(verb, library, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, library, None)
    assert main([verb]) == 1
    told = capsys.readouterr().err
    assert "ULN718" in told and library in told and "pip install 'ulna[server]'" in told


def test_a_state_in_a_database_needs_its_extra(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    for name in [n for n in sys.modules if n.startswith("engine.state.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert main(["env", "--state", "postgresql://me@127.0.0.1:1/db"]) == 1
    assert "pip install 'ulna[postgres]'" in capsys.readouterr().err


def test_a_password_in_the_call_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["env", "--state", "postgresql://me:hidden@127.0.0.1:1/db"]) == 2
    told = capsys.readouterr().err
    assert "ULN409" in told and "hidden" not in told


def test_nothing_of_it_is_loaded_by_other_verbs():
    import subprocess

    code = (
        "import sys; from engine.cli.main import main; main(['deploy', 'absent.bicep']);"
        "print(sorted({m.partition('.')[0] for m in sys.modules} & {'dbos', 'psycopg', 'sqlalchemy', 'cryptography'}),"
        "[m for m in sys.modules if m.startswith('engine.server')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[] []\n", done.stderr
