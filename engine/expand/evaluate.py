"""The evaluator: JSON with expressions in, values out, with deferred parts where only run time knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.contract.value import Deferred, Output, Value
from engine.expand.apply import apply, read, unseal
from engine.expand.functions.find import find
from engine.expand.functions.signature import LEAVES, OPEN, EvaluationError
from engine.expand.host import Argument, Stepwise
from engine.expand.lambdas import Lambda
from engine.expand.loops import copies_in, copy_properties
from engine.expand.once import Waiting
from engine.expand.resolve import Lookup, resolve, seal
from engine.parse.arm import Call, Expression, ExpressionError, Index, Literal, Member, parse_expression

if TYPE_CHECKING:
    from engine.expand.frame import Frame

__all__ = ["Evaluator", "Lookup", "parsed", "resolve"]

_parsed: dict[str, Expression] = {}


def parsed(text: str) -> Expression:
    """The tree of `[…]`, read once for each text."""
    tree = _parsed.get(text)
    if tree is None:
        try:
            tree = _parsed[text] = parse_expression(text[1:-1])
        except ExpressionError as problem:
            raise EvaluationError(f"This is no expression: {problem.message} at {problem.offset + 1}") from None
    return tree


class Evaluator:
    """Evaluates within one frame, for one instance of a loop; a `Host` of functions.

    `indexes` are the loop indexes in scope by lower-case name, the innermost unnamed. `touched` collects the addresses
    that were referred to. `arguments` are those of the user function whose body this is. `default_of` names the parameter
    whose default this is.
    """

    __slots__ = ("arguments", "default_of", "depth", "frame", "indexes", "locals", "touched", "vault")

    def __init__(self, frame: Frame, indexes: dict[str, Value]) -> None:
        self.frame = frame
        self.indexes = indexes
        self.vault = frame.world.vault
        self.touched: dict[str, None] = {}
        self.locals: dict[str, Value] = {}
        self.depth = 0
        self.arguments: dict[str, Value] | None = None
        self.default_of = ""

    # ------------------------------------------------------------ JSON

    def value(self, data: Any) -> Value:
        """The value of a piece of the template."""
        kind = type(data)
        if kind is str:
            return self.text(data) if data[:1] == "[" and data[-1:] == "]" else data
        if kind is dict:
            return self.object(data)
        if kind is list or kind is tuple:
            return self._list(data)
        if isinstance(data, Mapping):
            return self.object(dict(data))
        return data

    def text(self, data: str) -> Value:
        """The value of a string that may be an expression."""
        if data[:1] != "[" or data[-1:] != "]":
            return data
        if data[1:2] == "[":
            return data[1:]
        try:
            value = self.evaluate(_parsed.get(data) or parsed(data))
            if type(value) is Lambda:
                raise EvaluationError("A lambda can only be an argument of a function")
            return value
        except EvaluationError as error:
            error.expression = error.expression or data
            raise
        except RecursionError:
            raise EvaluationError("The expression nests too deeply, or a function calls itself without end") from None

    def object(self, data: dict[str, Any]) -> Value:
        """An object, its property loops unrolled."""
        loops = copies_in(data) if "copy" in data else None
        made: dict[str, Value] = copy_properties(self, loops) if loops else {}
        late: list[Value] = []
        for key, item in data.items():
            if loops and key == "copy":
                continue
            try:
                name = self.text(key) if key[:1] == "[" else key
                value = self.value(item)
            except EvaluationError as error:
                if error.pointer is None:
                    error.place.append(key)
                raise
            if type(name) is str:
                made[name] = value
            elif type(name) in LEAVES:
                late += [name, value]
            else:
                raise EvaluationError(f"The key '{key}' of an object must be a string")
        if not late:
            return made
        known = [part for pair in made.items() for part in pair]
        return self.call("createObject", *known, *late)

    def _list(self, data: list[Any]) -> list[Value]:
        made = []
        for position, item in enumerate(data):
            try:
                made.append(self.value(item))
            except EvaluationError as error:
                if error.pointer is None:
                    error.place.append(str(position))
                raise
        return made

    # ------------------------------------------------------------ expressions

    def evaluate(self, argument: Argument) -> Value:
        """The value of an expression, or of an argument that is JSON already (the body of a lambda made from a loop)."""
        value = self._chain(argument)
        return value.whole() if isinstance(value, Stepwise) else value

    def _chain(self, node: Argument) -> Value | Stepwise:
        """As `evaluate`, but a module stays a module, so that reading one output of it evaluates one output."""
        kind = type(node)
        if kind is Literal:
            return node.value
        if kind is Call:
            return self._call(node.name, node.arguments)
        if kind is Member:
            return self.read(self._chain(node.base), node.name)
        if kind is Index:
            base = self._chain(node.base)
            return self.read(base, self.evaluate(node.index))
        return self.value(node)

    def _call(self, name: str, arguments: tuple[Argument, ...]) -> Value:
        budget = self.frame.world.budget
        budget.steps -= 1
        if budget.steps < 0:
            raise budget.exhausted()
        function = find(name)
        if function is None:
            return self._user(name, arguments)
        if function.special:
            function.check_count(len(arguments))
            return function.run(arguments, self)
        return apply(function, [self.evaluate(a) for a in arguments], self.vault)

    def _user(self, name: str, arguments: tuple[Argument, ...]) -> Value:
        from engine.expand.functions.azure import list_function

        listing = list_function(name)
        if listing is not None and name.lower() not in self.frame.functions:
            return listing(arguments, self)
        return self.frame.call(name, [self.evaluate(a) for a in arguments], self)

    def call(self, name: str, *arguments: Value) -> Value:
        """A function of the library on values."""
        function = find(name)
        assert function is not None, name
        return apply(function, list(arguments), self.vault)

    def read(self, base: Value, key: Value) -> Value:
        """`base[key]`: a step into an output or a module where it is one."""
        kind = type(base)
        if kind is Output and type(key) in (str, int):
            return self.frame.world.read_output(base, key)
        if isinstance(base, Stepwise):
            return base.read(key, self)
        return read(base, key, self.vault)

    def attempt(self, argument: Argument) -> Value:
        """The value, or a deferred failure: for what may turn out not to be needed."""
        try:
            return self.evaluate(argument)
        except EvaluationError as error:
            return Deferred("fail", (error.message,))

    # ------------------------------------------------------------ secrets and shape

    def unseal(self, value: Value) -> Value:
        """What a secret holds."""
        return unseal(value, self.vault)

    def seal(self, value: Value, name: str) -> Value:
        """A secret, once the value is known."""
        return seal(value, name, self.vault)

    def shape(self, value: Value) -> Value:
        """The value, which decides the graph's shape: known, and open where it is secret; raises `Waiting`."""
        if type(value) in OPEN:
            from engine.contract.value import needs

            placeholders = self.frame.world.scope.placeholders
            if placeholders is not None:
                value = placeholders.decided(value)
                if type(value) not in OPEN:
                    return value
            raise Waiting(needs(value))
        return self.unseal(value) if type(value) in LEAVES else value

    def named(self, value: Value) -> Value:
        """The value, which names something: as `shape`, but where there are placeholders, they stand for what is open."""
        placeholders = self.frame.world.scope.placeholders
        return self.shape(value if placeholders is None else placeholders.text(value))

    def touch(self, addresses: tuple[str, ...]) -> None:
        """Note what is referred to."""
        for address in addresses:
            self.touched[address] = None
