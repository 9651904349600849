"""Ports of this machine, and the proxy in front of replicas."""

import shutil
import socket
import threading
import time
import urllib.request
from collections import Counter

import pytest

from engine.contract.conformance import TestCall
from engine.contract.operator import Applied, Health, Replace, Same, Update
from engine.contract.resource import Resource
from providers.process.balancers import BalancerOperator
from providers.process.port import is_free
from providers.process.ports import PortOperator

CALL = TestCall()


def port(prefer: int | None = None, protocol: str = "TCP") -> Resource:
    body = {"protocol": protocol} | ({} if prefer is None else {"prefer": prefer})
    return Resource("app/web/port", "Ulna.Process/ports", "1", "port", "/port", {"properties": body})


def test_the_preferred_port_is_taken_where_it_is_free(tmp_path, free_port):
    assert PortOperator(tmp_path).create(port(free_port), "t#1", CALL).outputs == {"port": free_port}


def test_a_port_that_is_in_use_is_passed_over_for_one_close_by(tmp_path, free_port):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", free_port))
        taken.listen()
        assert not is_free(free_port)
        found = PortOperator(tmp_path).create(port(free_port), "t#1", CALL).outputs["port"]
        assert free_port < found <= free_port + 50
    operator = PortOperator(tmp_path)
    assert operator.create(port(free_port), "t#1", CALL).outputs["port"] == found, "it stays what it was"
    assert operator.diff(port(free_port), Applied(port(free_port).properties), None) == Same()


def test_a_port_that_ordinary_users_may_not_have_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr("providers.process.ports.is_free", lambda p, _: p >= 1024)
    assert PortOperator(tmp_path).create(port(80), "t#1", CALL).outputs["port"] == 8080


def test_many_at_once_get_ports_of_their_own_and_give_them_back(tmp_path, free_port):
    found: list[int] = []

    def reserve(number: int) -> None:
        found.append(PortOperator(tmp_path / "p").create(port(free_port), f"t#{number}", CALL).outputs["port"])

    threads = [threading.Thread(target=reserve, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 20
    for number in range(20):
        PortOperator(tmp_path / "p").delete(port(), f"t#{number}", CALL)
    assert not list((tmp_path / "p").iterdir())


def test_a_port_that_another_project_holds_is_left_alone_even_while_nothing_listens(tmp_path, free_port):
    mine, other = PortOperator(tmp_path / "mine"), PortOperator(tmp_path / "other")
    assert other.create(port(free_port), "t#1", CALL).outputs["port"] == free_port
    assert is_free(free_port)
    assert mine.create(port(free_port), "t#1", CALL).outputs["port"] > free_port
    mine.delete(port(), "t#1", CALL)
    other.delete(port(), "t#1", CALL)
    assert mine.create(port(free_port), "t#2", CALL).outputs["port"] == free_port, "given back, it can be had"


def test_a_claim_of_a_project_that_is_gone_counts_for_nothing(tmp_path, free_port):
    import shutil

    PortOperator(tmp_path / "other").create(port(free_port), "t#1", CALL)
    shutil.rmtree(tmp_path / "other")
    assert PortOperator(tmp_path / "mine").create(port(free_port), "t#1", CALL).outputs["port"] == free_port


def test_without_a_cache_folder_there_is_nobody_to_tell(tmp_path, free_port):
    (tmp_path / "file").write_text("")
    operator = PortOperator(tmp_path / "mine", tmp_path / "file" / "ports")
    assert operator.create(port(free_port), "t#1", CALL).outputs["port"] == free_port
    operator.delete(port(), "t#1", CALL)


def test_udp_ports_are_looked_for_among_udp_ports(tmp_path, free_port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", free_port))
        assert is_free(free_port, "TCP") and not is_free(free_port, "UDP")
        assert PortOperator(tmp_path).create(port(free_port, "UDP"), "t#1", CALL).outputs["port"] != free_port


def test_no_port_left_is_tried_again_later(tmp_path, monkeypatch):
    from engine.contract.errors import Transient

    monkeypatch.setattr("providers.process.ports.is_free", lambda *_: False)
    with pytest.raises(Transient, match="no port of this machine is free"):
        PortOperator(tmp_path).create(port(), "t#1", CALL)


def balancer(listens: int, targets: list[int]) -> Resource:
    body = {"ports": {"http": listens}, "listens": listens, "targets": targets}
    return Resource("app/web/balancer", "Ulna.Process/balancers", "1", "balancer", "/balancer", {"properties": body})


def ask(number: int) -> str:
    with urllib.request.urlopen(f"http://localhost:{number}/", timeout=5) as answer:
        return str(answer.read().decode())


def test_connections_go_round_the_replicas_and_pass_over_one_that_is_gone(lab, server, tmp_path):
    ports = PortOperator(tmp_path / "ports")
    service, *targets = (ports.create(port(), f"p#{n}", CALL).outputs["port"] for n in range(4))
    for n, target in enumerate(targets[:2]):
        lab.start(lab.python(server, env={"PORT": str(target), "NAME": f"r{n}"}, listens=target), f"r{n}#1")
    operator = BalancerOperator(tmp_path / "running")
    resource = balancer(service, targets[:2])
    made = operator.create(resource, "b#1", CALL)
    try:
        deadline = time.monotonic() + 120
        while operator.observe(resource, "b#1", CALL).health is not Health.READY:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        for n in range(2):
            lab.until(lab.python(server), lambda s: s.health is Health.READY, f"r{n}#1")
        assert Counter(ask(service) for _ in range(8)) == {"r0": 4, "r1": 4}

        lab.operator.delete(resource, "r1#1", CALL)
        assert {ask(service) for _ in range(4)} == {"r0"}

        lab.start(lab.python(server, env={"PORT": str(targets[2]), "NAME": "r2"}, listens=targets[2]), "r2#1")
        lab.until(lab.python(server), lambda s: s.health is Health.READY, "r2#1")
        wider = balancer(service, targets)
        assert operator.diff(wider, Applied(resource.properties), made) == Update(("properties.targets",))
        assert operator.update(wider, "b#1", made, CALL).id == made.id
        assert Counter(ask(service) for _ in range(9)).keys() == {"r0", "r2"}
        assert isinstance(operator.diff(balancer(1, targets), Applied(wider.properties), made), Replace)
    finally:
        operator.delete(resource, "b#1", CALL)
    assert is_free(service)


def test_a_copy_of_a_project_gets_ports_of_its_own(tmp_path, free_port):
    first = PortOperator(tmp_path / "a" / "ports").create(port(free_port), "t#1", CALL).outputs["port"]
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    copy = PortOperator(tmp_path / "b" / "ports")
    assert copy.observe(port(free_port), "t#1", CALL) is None
    second = copy.create(port(free_port), "t#2", CALL).outputs["port"]
    assert second != first and [f.name for f in copy.folder.iterdir()] == [str(second)]
    (tmp_path / "a").rename(tmp_path / "c")
    moved = PortOperator(tmp_path / "c" / "ports")
    assert moved.observe(port(free_port), "t#1", CALL) is not None, "what was moved keeps its ports"
