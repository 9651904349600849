"""Many artifacts at a time, from where they are into the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

from engine.record import Record
from engine.sources.cache import Store
from engine.sources.fetch import fetch
from engine.sources.reference import Artifact
from engine.sources.transport import RegistryError

A = TypeVar("A")
B = TypeVar("B")

AT_ONCE = 8


class Wanted(Record):
    """An artifact, the cache it goes to, and the digest that a lock file has for its tag."""

    artifact: Artifact
    cache: str
    locked: str | None = None


def fetch_all(wanted: Iterable[Wanted], fresh: bool = False) -> tuple[dict[Wanted, str | None], dict[Wanted, str]]:
    """Fetches many at a time: the digests of those that came, and why the others did not."""

    def one(each: Wanted) -> tuple[str | None, str]:
        try:
            return fetch(each.artifact, Store(each.cache), each.locked, fresh=fresh), ""
        except RegistryError as error:
            return None, error.reason

    each = list(wanted)
    answers = _at_once(one, each)
    came = {w: digest for w, (digest, reason) in zip(each, answers, strict=True) if not reason}
    return came, {w: reason for w, (_, reason) in zip(each, answers, strict=True) if reason}


def _at_once(call: Callable[[A], B], items: Sequence[A]) -> list[B]:
    """The answers for all items, in their order, from a few threads.

    They are such that Ctrl-C need not wait for: what they leave behind is whole, whenever they end.
    """
    from queue import Empty, SimpleQueue
    from threading import Thread

    todo: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, B | None, BaseException | None]] = SimpleQueue()
    for number in range(len(items)):
        todo.put(number)

    def work() -> None:
        while not todo.empty():
            try:
                number = todo.get_nowait()
            except Empty:  # another thread was quicker
                return
            try:
                done.put((number, call(items[number]), None))
            except BaseException as error:
                done.put((number, None, error))

    for _ in range(min(AT_ONCE, len(items))):
        Thread(target=work, daemon=True).start()
    answers: dict[int, B] = {}
    for _ in items:
        number, answer, error = done.get()
        if error is not None:
            raise error
        answers[number] = cast("B", answer)
    return [answers[number] for number in range(len(items))]
