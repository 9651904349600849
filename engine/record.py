"""Frozen data, cheap to define: what `@dataclass(frozen=True, slots=True)` means, without its start-up cost.

A frozen, slotted dataclass costs close to a millisecond to *define* (CPython 3.11), and a compiler has a
hundred of them. A `Record` subclass costs some ten microseconds: its `__init__` is compiled when the first
instance is made. Type checkers know it through `dataclass_transform`, which also forbids assignment.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, ClassVar, Self, dataclass_transform


def _first_init(self: Record, *args: Any, **kwargs: Any) -> None:
    """Compile the class's real `__init__`, then run it: the class is used after all."""
    cls = type(self)
    init = _compile_init(cls)
    setattr(cls, "__init__", init)  # noqa: B010  mypy refuses the plain assignment
    init(self, *args, **kwargs)


def _compile_init(cls: type[Record]) -> Callable[..., None]:
    """`def __init__(self, a, b=default): self.a = a; self.b = b`, as a function.

    To compile it costs twenty times as much as to rename what a function of the same shape names, so there is such a
    function for every usual number of fields.
    """
    fields, defaults = cls.__fields__, cls.__defaults__
    trailing = all(f in defaults for f in fields[len(fields) - len(defaults) :])
    if len(fields) < len(_SHAPES) and trailing:
        shape = _SHAPES[len(fields)].__code__
        name = f"{cls.__qualname__}.__init__"
        code = shape.replace(co_varnames=("self", *fields), co_names=fields, co_name="__init__", co_qualname=name)
        return FunctionType(code, globals(), "__init__", tuple(defaults[f] for f in fields if f in defaults) or None)
    scope = {f"_{f}": v for f, v in defaults.items()}
    parameters = ", ".join(f"{f}=_{f}" if f in defaults else f for f in fields)
    body = "; ".join(f"self.{f} = {f}" for f in fields) or "pass"
    exec(f"def __init__(self, {parameters}):\n    {body}", scope)  # the names are our own identifiers
    init: Callable[..., None] = scope["__init__"]
    return init


def _init_0(o: Any) -> None: ...


def _init_1(o: Any, a: Any) -> None:
    o.a = a


def _init_2(o: Any, a: Any, b: Any) -> None:
    o.a = a
    o.b = b


def _init_3(o: Any, a: Any, b: Any, c: Any) -> None:
    o.a = a
    o.b = b
    o.c = c


def _init_4(o: Any, a: Any, b: Any, c: Any, d: Any) -> None:
    o.a = a
    o.b = b
    o.c = c
    o.d = d


def _init_5(o: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> None:
    o.a = a
    o.b = b
    o.c = c
    o.d = d
    o.e = e


def _init_6(o: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> None:
    o.a = a
    o.b = b
    o.c = c
    o.d = d
    o.e = e
    o.f = f


def _init_7(o: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any) -> None:
    o.a = a
    o.b = b
    o.c = c
    o.d = d
    o.e = e
    o.f = f
    o.g = g


def _init_8(o: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> None:
    o.a = a
    o.b = b
    o.c = c
    o.d = d
    o.e = e
    o.f = f
    o.g = g
    o.h = h


def _init_9(o: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any) -> None:
    o.a = a
    o.b = b
    o.c = c
    o.d = d
    o.e = e
    o.f = f
    o.g = g
    o.h = h
    o.i = i


def _init_10(o: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any, j: Any) -> None:
    o.a = a
    o.b = b
    o.c = c
    o.d = d
    o.e = e
    o.f = f
    o.g = g
    o.h = h
    o.i = i
    o.j = j


_SHAPES = (
    _init_0,
    _init_1,
    _init_2,
    _init_3,
    _init_4,
    _init_5,
    _init_6,
    _init_7,
    _init_8,
    _init_9,
    _init_10,
)


@dataclass_transform(frozen_default=True)
class _RecordType(type):
    """Turns annotations into slots, and leaves the methods to `Record`."""

    def __new__(meta, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _RecordType:
        own = tuple(n for n, kind in space.get("__annotations__", {}).items() if not _is_class_var(kind))
        defaults: dict[str, Any] = {}
        fields: tuple[str, ...] = ()
        for base in bases:
            fields += tuple(f for f in getattr(base, "__fields__", ()) if f not in fields)
            defaults |= getattr(base, "__defaults__", {})
        defaults |= {n: space.pop(n) for n in own if n in space}
        space.setdefault("__slots__", tuple(n for n in own if n not in fields))
        fields += tuple(n for n in own if n not in fields)
        space["__fields__"] = space["__match_args__"] = fields
        space["__defaults__"] = defaults
        space["__init__"] = _first_init  # in every class of its own, so that none inherits a compiled one
        return super().__new__(meta, name, bases, space)


def _is_class_var(kind: object) -> bool:
    return "ClassVar" in (kind if isinstance(kind, str) else repr(kind))


class Record(metaclass=_RecordType):
    """A value with named fields: equal by content, hashable when its fields are, never changed."""

    __fields__: ClassVar[tuple[str, ...]]
    __defaults__: ClassVar[dict[str, Any]]

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, f) == getattr(other, f) for f in self.__fields__)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, f) for f in self.__fields__)))

    def __repr__(self) -> str:
        fields = ", ".join(f"{f}={getattr(self, f)!r}" for f in self.__fields__)
        return f"{type(self).__qualname__}({fields})"

    def replace(self, **changes: Any) -> Self:
        """The same record with some fields changed, as `dataclasses.replace`."""
        return type(self)(**{f: getattr(self, f) for f in self.__fields__} | changes)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, f) for f in self.__fields__)
