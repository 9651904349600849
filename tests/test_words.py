"""A set of words behaves as an `enum.StrEnum` does, as far as anybody asks."""

import copy
import json
import pickle
from enum import StrEnum

import pytest

from engine.words import Words


class Ours(Words):
    """For the tests."""

    RED = "red"
    """A comment."""
    BLUE = "dark blue"

    @property
    def short(self) -> str:
        return self.value[0]


class Theirs(StrEnum):
    RED = "red"
    BLUE = "dark blue"


@pytest.mark.parametrize(
    "ask",
    [
        lambda k: [str(w) for w in k],
        lambda k: [w.name for w in k],
        lambda k: [w.value for w in k],
        lambda k: f"{k.RED} {k.BLUE:>12} {k.RED!r}".replace(k.__name__, ""),
        lambda k: [w.value for w in (k("red"), k["BLUE"])],
        lambda k: list(k.__members__),
        lambda k: (len(k), k.RED in k, k.RED == "red", k.RED is k("red"), isinstance(k.RED, str)),
        lambda k: json.dumps({"a": k.RED, k.BLUE: 1}),
        lambda k: {k.RED: 1}[k.RED],
        lambda k: sorted(k),
    ],
)
def test_the_same_answers(ask):
    assert ask(Ours) == ask(Theirs)


@pytest.mark.parametrize("text", ["green", "RED", "", 3, None, []])
def test_no_other_words(text):
    with pytest.raises(ValueError, match="is not a valid Ours"):
        Ours(text)


@pytest.mark.parametrize("of", [copy.copy, copy.deepcopy, lambda w: pickle.loads(pickle.dumps(w))])
def test_a_copy_is_the_word_itself(of):
    assert of(Ours.BLUE) is Ours.BLUE


def test_methods_and_matching():
    assert Ours.BLUE.short == "d"
    match Ours("red"):
        case Ours.BLUE:
            raise AssertionError
        case Ours.RED:
            pass
