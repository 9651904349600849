"""Reads the log of a process across its files, and follows it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import BinaryIO

from providers.process.shelf import Shelf

PAUSE = 0.1


def lines(shelf: Shelf, follow: bool) -> Iterator[str]:
    """Lines, oldest first, without their ends; `follow` waits for more until the process and its supervisor are gone."""
    rest = b""
    for data in _chunks(shelf, follow):
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace").removesuffix("\r")
    if rest:
        yield rest.decode(errors="replace")


def _chunks(shelf: Shelf, follow: bool) -> Iterator[bytes]:
    """What is in the files, from the oldest on."""
    file = _open(shelf, _oldest(shelf))
    while file is not None:
        with file:
            gone = follow and shelf.supervisor() is None  # asked first: whatever it said stands there by now
            while data := file.read(1 << 16):
                yield data
            place = _place(shelf, file)
            while place == 0 and follow and not gone:
                time.sleep(PAUSE)
                gone = shelf.supervisor() is None
                while data := file.read(1 << 16):
                    yield data
                place = _place(shelf, file)
            while data := file.read(1 << 16):  # what came before it was put aside
                yield data
        if place == 0:
            return
        newer = _oldest(shelf) if place is None else place - 1
        file = _open(shelf, newer)
        while file is None and follow and shelf.supervisor() is not None:  # in the middle of being put aside
            time.sleep(PAUSE / 10)
            file = _open(shelf, newer)


def _name(shelf: Shelf, number: int) -> str:
    return shelf.file(f"log.{number}" if number else "log")


def _oldest(shelf: Shelf) -> int:
    number = 0
    while os.path.exists(_name(shelf, number + 1)):  # noqa: PTH110
        number += 1
    return number


def _open(shelf: Shelf, number: int) -> BinaryIO | None:
    try:
        return open(_name(shelf, number), "rb")  # noqa: PTH123
    except FileNotFoundError:
        return None


def _place(shelf: Shelf, file: BinaryIO) -> int | None:
    """Which of the files this is by now; None if it was thrown away, 0 also if the whole log was."""
    here = os.fstat(file.fileno())
    for number in range(_oldest(shelf) + 1):
        try:
            there = os.stat(_name(shelf, number))  # noqa: PTH116
        except FileNotFoundError:
            continue
        if (there.st_ino, there.st_dev) == (here.st_ino, here.st_dev):
            return number
    return None if os.path.exists(_name(shelf, 0)) else 0  # noqa: PTH110
