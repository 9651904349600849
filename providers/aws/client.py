"""All calls of the AWS SDK: what is ours is found by name and tags, what fails is mapped in `refusals.py`."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.contract.errors import Terminal, Transient, Unreachable
from engine.contract.home import Home
from providers.aws.refusals import UNREACHABLE, speaking
from providers.aws.target import Target, session_of

ADDRESS = "ulna.address"
ENVIRONMENT = "ulna.environment"
HOME = "ulna.home"
TOKEN = "ulna.token"

Seen = Mapping[str, Any]
"""What AWS says of a thing."""


class Client:
    """One account and region. Several states may use one account: each marks its things with an identity of its own."""

    def __init__(self, folder: Path, target: Target) -> None:
        self.folder = folder
        self.target = target
        self._lock = threading.RLock()
        self._session: Any = None
        self._services: dict[str, Any] = {}
        self._home = Home(folder)
        self._checked = False
        self._reached = False

    # ------------------------------------------------------------ calls

    def call(self, service: str, operation: str, /, **parameters: Any) -> dict[str, Any]:
        """One call, without retries: those are the engine's.

        A place that never answered may not be there at all; one that did will be back.
        """
        with self._speaking():
            answer: dict[str, Any] = getattr(self._service(service), operation)(**parameters)
        return answer

    def all(self, service: str, operation: str, key: str, /, **parameters: Any) -> list[Any]:
        """Every item of a list that comes in pages."""
        found: list[Any] = []
        with self._speaking():
            client = self._service(service)
            if not client.can_paginate(operation):
                return list(self.call(service, operation, **parameters).get(key) or ())
            for page in client.get_paginator(operation).paginate(**parameters):
                found.extend(page.get(key) or ())
        return found

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            with speaking(self.target):
                yield
        except Transient as error:
            if error.help == UNREACHABLE and not self._reached:
                raise Unreachable(error.reason, error.help) from error
            raise
        self._reached = True

    def shape(self, service: str, operation: str) -> Any:
        """What an operation takes, as the SDK knows it."""
        with speaking(self.target):
            client = self._service(service)
            return client.meta.service_model.operation_model(client.meta.method_to_api_mapping[operation]).input_shape

    def _service(self, name: str) -> Any:
        with self._lock:
            if name not in self._services:
                from botocore.config import Config

                if self._session is None:
                    self._session = session_of(self.target)
                settings = Config(
                    retries={"total_max_attempts": 1}, connect_timeout=10, read_timeout=60, user_agent_extra="ulna"
                )
                self._services[name] = self._session.client(name, config=settings)
            return self._services[name]

    # ------------------------------------------------------------ identity

    def ready(self) -> None:
        """Before the first change: the credentials must be for the account that the environment names."""
        if self._checked:
            return
        found = str(self.call("sts", "get_caller_identity")["Account"])
        if self.target.account and found != self.target.account:
            reason = (
                f"the environment '{self.target.environment}' is in the account {self.target.account}, "
                f"and the credentials are for {found}"
            )
            help = "Use a profile of that account ('compute.profile', AWS_PROFILE), or a role in it ('compute.role')."
            raise Terminal(reason, help)
        self._checked = True

    @property
    def home(self) -> str:
        """The identity, made when something is first created; "" before."""
        return self._home.id

    def make_home(self) -> str:
        """The identity, made if there is none yet: only where the account is the right one."""
        self.ready()
        return self._home.make()

    def name(self, token: str, limit: int = 255, separator: str = "-") -> str:
        """The name of what a token stands for: the end of its address, to be read, and a digest, to be unique."""
        address = token.rpartition("#")[0]
        words = re.sub(r"[^A-Za-z0-9]+", separator, "/".join(address.split("/")[-2:])).strip(separator)
        own = self.target.environment
        start = words if not own or words.startswith(f"{own}{separator}") else f"{own}{separator}{words}"
        digest = self.digest(token)[:10]
        start = re.sub(r"[^A-Za-z0-9]+", separator, start)[: limit - 11].strip(separator)
        return f"{start}{separator}{digest}" if start[:1].isalpha() else f"u{separator}{digest}"

    def digest(self, *words: str) -> str:
        """64 hexadecimal digits that only this state makes of these words: also a token for calls that take one."""
        return hashlib.sha256(
            "\0".join([self.make_home() if not self.home else self.home, *words]).encode()
        ).hexdigest()

    def marks(self, token: str) -> dict[str, str]:
        """What marks a thing as ours, in characters that every service takes."""
        return {
            ENVIRONMENT: self.target.environment,
            ADDRESS: plain(token.rpartition("#")[0]),
            HOME: self.make_home(),
            TOKEN: plain(token),
        }

    def ours(self, tags: Mapping[str, str] | None, token: str) -> bool:
        """Whether these tags are those of a token of this state."""
        return bool(tags) and tags.get(TOKEN) == plain(token) and tags.get(HOME) == self.home  # type: ignore[union-attr]


def plain(text: str) -> str:
    """A text as a tag may hold it; a long one ends in its digest."""
    clean = re.sub(r"[^\w +\-=.:/@#]", "_", text).replace("#", "@")
    return clean if len(clean) <= 250 else clean[:200] + hashlib.sha256(text.encode()).hexdigest()[:32]


def tag_list(tags: Mapping[str, str], key: str = "Key", value: str = "Value") -> list[dict[str, str]]:
    """Tags as most services take them."""
    return [{key: k, value: v} for k, v in tags.items()]


def tag_map(tags: Iterable[Mapping[str, str]] | None) -> dict[str, str]:
    """Tags as a mapping, however a service writes them."""
    return {t.get("Key", t.get("key", "")): t.get("Value", t.get("value", "")) for t in tags or ()}
