"""Plain calls, read without argparse: loading it costs as much as linting a hundred lines.

`Plain` takes the arguments of a verb as argparse does, and understands the usual way to call it: options in full, a value
after its option or after `=`, the places in one row. Whatever else there is in a call (help, a mistake, `-vv`) is not for
it: `read` then gives None, and argparse has the word.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from argparse import Namespace
    from collections.abc import Callable, Sequence
    from typing import Any

FLAGS = {"store_true": False, "store_false": True, "count": 0}
"""Options without a value, and what they are when they are not given."""


class Unusual(Exception):
    """Something that only argparse knows."""


class Options:
    """What a call says, an attribute for each option and place, as `argparse.Namespace`."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


class Argument:
    """One option or place."""

    __slots__ = ("action", "choices", "default", "dest", "nargs", "required", "sole", "type")

    def __init__(self, names: Sequence[str], sole: object, how: dict[str, Any]) -> None:
        long = next((n for n in names if n.startswith("--")), names[0])
        self.dest: str = how.pop("dest", None) or (long.lstrip("-").replace("-", "_") if long[0] == "-" else long)
        self.action: str = how.pop("action", "store")
        self.default: Any = how.pop("default", FLAGS.get(self.action))
        self.type: Callable[[str], Any] | None = how.pop("type", None)
        self.choices: Sequence[Any] | None = how.pop("choices", None)
        self.nargs: str | None = how.pop("nargs", None)
        self.required: bool = how.pop("required", False)
        self.sole = sole
        """The group of which only one may be given."""

    def value(self, word: str) -> Any:
        """What a word stands for."""
        try:
            value = word if self.type is None else self.type(word)
        except Exception:
            raise Unusual from None
        if self.choices is not None and value not in self.choices:
            raise Unusual
        return value

    def absent(self) -> Any:
        """What it is when it is not given."""
        if self.type is not None and isinstance(self.default, str):
            return self.value(self.default)
        return self.default


class Plain:
    """The arguments of one verb."""

    def __init__(self, sole: object = None, beside: Plain | None = None) -> None:
        self.sole = sole
        self.places: list[Argument] = beside.places if beside else []
        self.options: dict[str, Argument] = beside.options if beside else {}

    def add_argument(self, *names: str, **how: Any) -> None:
        """One more option or place."""
        argument = Argument(names, self.sole, how)
        if names[0][0] == "-":
            self.options.update(dict.fromkeys(names, argument))
        else:
            self.places.append(argument)

    def add_argument_group(self, title: str | None = None, description: str | None = None) -> Plain:
        """Groups are for the help only."""
        return self

    def add_mutually_exclusive_group(self, required: bool = False) -> Plain:
        """Options of which one may be given."""
        if required:
            raise Unusual
        return Plain(object(), self)

    def __getattr__(self, name: str) -> Any:
        raise Unusual

    def parse(self, words: Sequence[str]) -> dict[str, Any]:
        """The values of a call; raises `Unusual`."""
        given: dict[Argument, Any] = {}
        row: list[str] = []
        ended, queue = False, list(reversed(words))
        while queue:
            word = queue.pop()
            if word[:1] != "-" or word == "-":
                if ended:
                    raise Unusual  # places on both sides of an option
                row.append(word)
                continue
            ended = bool(row)
            name, equal, value = word.partition("=")
            option = self.options.get(name)
            if option is None or option.nargs is not None:
                raise Unusual
            if option.action in FLAGS:
                if equal:
                    raise Unusual
                given[option] = given.get(option, 0) + 1 if option.action == "count" else option.action == "store_true"
                continue
            if equal and value == "--":
                raise Unusual
            if not equal:
                if not queue or queue[-1][:1] == "-":
                    raise Unusual
                value = queue.pop()
            if option.action == "append":
                given[option] = [*given.get(option, option.default or ()), option.value(value)]
            elif option.action == "store":
                given[option] = option.value(value)
            else:
                raise Unusual
        groups = [a.sole for a in given if a.sole is not None]
        if len(groups) != len(set(groups)):
            raise Unusual
        given |= self._placed(row)
        return {a.dest: given[a] if a in given else _absent(a) for a in (*self.places, *self.options.values())}

    def _placed(self, row: list[str]) -> dict[Argument, Any]:
        """The words that stand for places, from the left."""
        placed: dict[Argument, Any] = {}
        some = False
        for place in self.places:
            if place.action != "store" or place.nargs not in (None, "?", "*", "+"):
                raise Unusual
            if place.nargs in (None, "+") and (some or not row):
                raise Unusual
            some = some or place.nargs is not None
            if place.nargs in ("*", "+"):
                if not row and place.default is None:
                    placed[place] = []
                elif row:
                    placed[place] = [place.value(word) for word in row]
                row = []
            elif row:
                placed[place] = place.value(row[0])
                row = row[1:]
        if row:
            raise Unusual
        return placed


def _absent(argument: Argument) -> Any:
    if argument.required:
        raise Unusual
    return argument.absent()


def read(arguments: Callable[[Any], None], words: Sequence[str]) -> Namespace | None:
    """The options of a plain call of a verb; None if it is not plain."""
    plain = Plain()
    try:
        arguments(plain)
        options: Any = Options(plain.parse(words))
    except Unusual:
        return None
    known: Namespace = options
    return known
