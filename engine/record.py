"""Frozen data, cheap to define: what `@dataclass(frozen=True, slots=True)` means, without its start-up cost.

A frozen, slotted dataclass costs close to a millisecond to *define* (CPython 3.11), and a compiler has a
hundred of them. A `Record` subclass costs some ten microseconds: its `__init__` is compiled only once many
instances are made. Type checkers know it through `dataclass_transform`, which also forbids assignment.
"""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        """For type checkers only."""
        return lambda kind: kind


HOT = 64
"""Instances after which it pays to compile a class's `__init__`; most classes never have as many."""


def _first_init(self: Record, *args: Any, **kwargs: Any) -> None:
    """Set the fields one by one; once the class proves to be much used, compile its real `__init__` and use that."""
    cls = type(self)
    cls.__made__ += 1
    if cls.__made__ > HOT:
        init = _compile_init(cls)
        setattr(cls, "__init__", init)  # noqa: B010  mypy refuses the plain assignment
        init(self, *args, **kwargs)
        return
    fields, defaults = cls.__fields__, cls.__defaults__
    if len(args) > len(fields):
        raise TypeError(f"{cls.__qualname__} has {len(fields)} fields, not {len(args)}")
    for field, value in zip(fields, args, strict=False):
        setattr(self, field, value)
    for field in fields[len(args) :]:
        if field in kwargs:
            setattr(self, field, kwargs.pop(field))
        elif field in defaults:
            setattr(self, field, defaults[field])
        else:
            raise TypeError(f"{cls.__qualname__} needs the field '{field}'")
    if kwargs:
        raise TypeError(f"{cls.__qualname__} takes no '{next(iter(kwargs))}', or has it already")


def _compile_init(cls: type[Record]) -> Callable[..., None]:
    """`def __init__(self, a, b=default): self.a = a; self.b = b`, as a function."""
    scope = {f"_{f}": v for f, v in cls.__defaults__.items()}
    parameters = ", ".join(f"{f}=_{f}" if f in cls.__defaults__ else f for f in cls.__fields__)
    body = "; ".join(f"self.{f} = {f}" for f in cls.__fields__) or "pass"
    exec(f"def __init__(self, {parameters}):\n    {body}", scope)  # the names are our own identifiers
    init: Callable[..., None] = scope["__init__"]
    return init


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
        space["__made__"] = 0
        space["__init__"] = _first_init  # in every class of its own, so that none inherits a compiled one
        return super().__new__(meta, name, bases, space)


def _is_class_var(kind: object) -> bool:
    return "ClassVar" in (kind if isinstance(kind, str) else repr(kind))


class Record(metaclass=_RecordType):
    """A value with named fields: equal by content, hashable when its fields are, never changed."""

    __fields__: ClassVar[tuple[str, ...]]
    __defaults__: ClassVar[dict[str, Any]]
    __made__: ClassVar[int]

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
