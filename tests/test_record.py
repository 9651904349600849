"""A record behaves as a frozen dataclass does, whatever its size."""

import copy
import pickle
from typing import ClassVar

import pytest

from engine.record import Record


class Point(Record):
    """For the tests."""

    origin: ClassVar[str] = "a class variable is no field"
    x: int
    y: int = 2


class Named(Point):
    """Adds a field to those of its base."""

    name: str = "p"


def test_fields_come_by_place_by_name_and_by_default() -> None:
    assert [(p.x, p.y) for p in (Point(1), Point(1, 3), Point(x=1, y=4), Point(1, y=5))] == [
        (1, 2),
        (1, 3),
        (1, 4),
        (1, 5),
    ]
    assert repr(Named(1, name="q")) == "Named(x=1, y=2, name='q')"


@pytest.mark.parametrize(
    ("args", "kwargs"), [((), {}), ((1, 2, 3), {}), ((1,), {"z": 1}), ((1,), {"x": 1}), ((), {"y": 1})]
)
def test_a_wrong_call_is_a_type_error(args: tuple[int, ...], kwargs: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Point(*args, **kwargs)


def test_equal_by_content_and_kind() -> None:
    assert Point(1) == Point(1, 2) != Point(2)
    assert Point(1) != Named(1)
    assert len({Point(1), Point(1, 2), Point(2)}) == 2


def test_it_matches_by_place_and_copies_by_value() -> None:
    match Named(1, 5):
        case Named(x, y, name):
            assert (x, y, name) == (1, 5, "p")
    assert Named(1).replace(name="q") == Named(1, 2, "q")
    for twin in (copy.copy(Named(1)), copy.deepcopy(Named(1)), pickle.loads(pickle.dumps(Named(1)))):
        assert twin == Named(1)


def test_it_has_no_room_for_more() -> None:
    with pytest.raises(AttributeError):
        Point(1).z = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("count", [0, 1, 7, 8, 31])
def test_any_number_of_fields(count: int) -> None:
    names = [f"f{n}" for n in range(count)]
    space = {"__annotations__": dict.fromkeys(names, "int"), "__module__": __name__}
    kind = type(Record)("Many", (Record,), space | {n: 0 for n in names[1:]})
    many = kind(*range(count))
    assert [getattr(many, n) for n in names] == list(range(count))
    assert kind(*range(min(count, 1))) == kind(*[0] * count)
    with pytest.raises(TypeError, match=r"Many\.__init__\(\)"):
        kind(*range(count), 1)
