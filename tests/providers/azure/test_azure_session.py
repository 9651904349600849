"""One session for all threads of a client: whoever comes first does not leave it half-made to the others."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from requests import Session


def test_many_that_ask_at_once_find_the_session_complete(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mount = Session.mount

    def slow(session: Session, prefix: str, adapter: Any) -> None:
        kept, session.adapters = session.adapters, {}
        time.sleep(0.05)
        session.adapters = kept
        mount(session, prefix, adapter)

    monkeypatch.setattr(Session, "mount", slow)
    client = lab.operator.client
    with ThreadPoolExecutor(8) as many:
        assert all(many.map(lambda _: client.get(lab.group, "2025-04-01"), range(8)))
