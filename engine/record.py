"""Frozen data, cheap to define: what `@dataclass(frozen=True, slots=True)` means, without its start-up cost.

A frozen, slotted dataclass costs close to a millisecond to *define* (CPython 3.11), and a compiler has a
hundred of them. A `Record` subclass costs some twenty microseconds: an `__init__` is compiled once for each number of
fields, and given the names. Type checkers know it through `dataclass_transform`, which also forbids assignment.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from collections.abc import Callable
    from types import CodeType, FunctionType
    from typing import Any, ClassVar, Self, dataclass_transform

    _COMMON: tuple[FunctionType, ...]
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        """For type checkers only."""
        return lambda kind: kind

    FunctionType = type(dataclass_transform)

    # ruff: noqa: E702
    # fmt: off
    def _0(self): pass
    def _1(self, a): self.a = a
    def _2(self, a, b): self.a = a; self.b = b
    def _3(self, a, b, c): self.a = a; self.b = b; self.c = c
    def _4(self, a, b, c, d): self.a = a; self.b = b; self.c = c; self.d = d
    def _5(self, a, b, c, d, e): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e
    def _6(self, a, b, c, d, e, f): self.a = a; self.b = b; self.c = c; self.d = d; self.e = e; self.f = f
    # fmt: on
    _COMMON = (_0, _1, _2, _3, _4, _5, _6)


_TEMPLATES: dict[int, CodeType] = {n: f.__code__ for n, f in enumerate(_COMMON)}
"""An `__init__` for each number of fields; the common ones need no compiler."""


def _init(name: str, fields: tuple[str, ...], defaults: dict[str, Any]) -> FunctionType:
    """`def __init__(self, a, b=default): self.a = a; self.b = b`"""
    template = _TEMPLATES.get(len(fields)) or _template(len(fields))
    code = template.replace(co_varnames=("self", *fields), co_names=fields, co_qualname=f"{name}.__init__")
    given = tuple([defaults[f] for f in fields if f in defaults]) if defaults else None
    return FunctionType(code, {}, "__init__", given)


def _template(count: int) -> CodeType:
    """The code of an `__init__` of so many fields."""
    names = [f"_{n}" for n in range(count)]
    scope: dict[str, FunctionType] = {}
    exec(f"def __init__({', '.join(['self', *names])}): {'; '.join(f'self.{n} = {n}' for n in names)}", scope)
    code = _TEMPLATES[count] = scope["__init__"].__code__
    return code


@dataclass_transform(frozen_default=True)
class _RecordType(type):
    """Turns annotations into slots, and leaves the methods to `Record`."""

    def __new__(meta, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _RecordType:
        own = [n for n, kind in space.get("__annotations__", {}).items() if not _is_class_var(kind)]
        fields: tuple[str, ...] = ()
        defaults: dict[str, Any] = {}
        for base in bases:
            fields += tuple([f for f in getattr(base, "__fields__", ()) if f not in fields])
            defaults |= getattr(base, "__defaults__", {})
        new = tuple([n for n in own if n not in fields])
        space.setdefault("__slots__", new)
        space["__fields__"] = space["__match_args__"] = fields = fields + new
        space["__defaults__"] = defaults = defaults | {n: space.pop(n) for n in own if n in space}
        space["__init__"] = _init(name, fields, defaults)
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
