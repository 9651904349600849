"""What there is to complete, read out of the parsers of all verbs."""

from __future__ import annotations

import argparse

from engine.cli.main import load
from engine.cli.parser import Parser
from engine.cli.verbs import ALIASES, VERBS
from engine.record import Record

FILES = {"FILE", "PLAN"}
FOLDERS = {"FOLDER"}


class Choice(Record):
    """An option (with `flags`) or a positional (without), and what may follow: words, a file, a folder, an environment.

    `value` is "" for a switch, else "words", "file", "folder", "environment" or "text".
    """

    flags: tuple[str, ...]
    help: str
    value: str
    words: tuple[str, ...] = ()


class Shape(Record):
    """A verb and what it takes."""

    verb: str
    summary: str
    options: tuple[Choice, ...]
    positionals: tuple[Choice, ...]


def shapes() -> tuple[Shape, ...]:
    """Every verb and alias."""
    names = [*((v, v) for v in VERBS), *ALIASES.items()]
    return tuple(_shape(word, name) for word, name in names)


def _shape(word: str, name: str) -> Shape:
    command = load(VERBS[name])
    parser = Parser(word, "", "")
    command.arguments(parser)
    choices = [_choice(a) for a in parser._actions]
    options = tuple(c for c in choices if c.flags)
    return Shape(word, VERBS[name].summary, options, tuple(c for c in choices if not c.flags))


def _choice(action: argparse.Action) -> Choice:
    words = tuple(map(str, action.choices or ()))
    named = str(action.metavar or "")
    if action.nargs == 0:
        value = ""
    elif words:
        value = "words"
    elif named in FILES:
        value = "file"
    elif named in FOLDERS:
        value = "folder"
    elif action.dest == "environment":
        value = "environment"
    else:
        value = "text"
    return Choice(tuple(action.option_strings), (action.help or "").replace("\n", " "), value, words)
