"""Expressions of a parameter file: all of them are evaluated while building, but for what comes from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.build.emit.armimports import foreign_items
from engine.build.emit.text import NULL, call, literal, quote
from engine.build.emit.unit import Locals, Session, Unit
from engine.check.model import Model
from engine.check.symbols import Kind, Symbol
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

Evaluate = Callable[[str], "Any"]
"""Gives the value of an expression's text, without brackets, or raises `Unevaluable`."""

_LONGEST = 1_000_000
"""Characters that the text of a value may have."""

_OPEN = ("externalInputs(", "lambdaVariables(")
"""What keeps a text from being evaluated where it stands."""

_KINDS = {"readCliArg": "sys.cliArg", "readEnvVar": "sys.envVar"}
EXTERNAL = frozenset({"externalInput", *_KINDS})


class Unevaluable(Exception):
    """An expression that has no value; the message is a sentence."""


class Unset(Unevaluable):
    """An environment variable that is needed and not there; `node` asks for it."""

    def __init__(self, name: str, node: tree.Node) -> None:
        super().__init__(f"The environment variable '{name}' is not set")
        self.node = node


class Inputs:
    """What is known only to whoever deploys: `externalInputDefinitions`, one for each kind and configuration."""

    __slots__ = ("_names", "definitions")

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self.definitions: dict[str, dict[str, Any]] = {}

    def name(self, kind: str, config: str | None, value: Any) -> str:
        """The name of an input; `config` is the text of its configuration, `value` what that gives."""
        key = f"{kind}\n{config}"
        if key not in self._names:
            clean = "".join(c if c.isascii() and c.isalnum() else "_" for c in kind)
            name = self._names[key] = f"{clean}_{len(self._names)}"
            self.definitions[name] = {"kind": kind} if config is None else {"kind": kind, "config": value}
        return self._names[key]


class Constants(Unit):
    """A parameter file being evaluated: a use of a variable or parameter is the text of its value."""

    def __init__(self, model: Model, session: Session, evaluate: Evaluate, base: Constants | None = None) -> None:
        super().__init__(model, session)
        self.evaluate = evaluate
        self.inputs: Inputs = base.inputs if base is not None else Inputs()
        self.base = base
        self.known: dict[Symbol, str] = {}
        self.running: set[Symbol] = set()
        self.parameters = {s.name.text: s for s in model.file.statements if isinstance(s, tree.Param)}

    def settled(self, text: str) -> str:
        """The text of what an expression gives, if that can be told already."""
        return text if any(word in text for word in _OPEN) else literal(self.evaluate(text))

    def variable(self, symbol: Symbol) -> str:
        """The value of a variable."""
        unit: Constants = self
        while symbol.original is not None:
            unit, symbol = unit._at(symbol.home), symbol.original
        text = self.known.get(symbol)
        if text is None:
            if isinstance(symbol.declaration, tree.Var):
                text = unit._once(symbol, symbol.declaration.value)
            elif (item := foreign_items(unit.model, symbol)) is not None:
                text = item.text(self.settled)
            else:
                text = NULL
            if len(text) > _LONGEST:
                raise Unevaluable(f"the value of '{symbol.name}' grows to more than {_LONGEST:,} characters")
            self.known[symbol] = text
        return text

    def parameter(self, symbol: Symbol) -> str:
        """The value that the file gives to a parameter."""
        if symbol.kind is Kind.BASE:
            return self.below()
        if symbol not in self.known and isinstance(symbol.declaration, tree.Param) and symbol.declaration.value:
            self.known[symbol] = self._once(symbol, symbol.declaration.value)
        return self.known.get(symbol, NULL)

    def below(self) -> str:
        """`base`: all values of the file that this one extends."""
        pairs = self.base.all_parameters() if self.base is not None else ()
        return call(
            "createObject", *(t for name, unit, s in pairs for t in (quote(name), unit.settled(unit.assigned(s))))
        )

    def all_parameters(self) -> Iterator[tuple[str, Constants, tree.Param]]:
        """What is assigned, in order: here, then in the files that this one extends."""
        for name, statement in self.parameters.items():
            yield name, self, statement
        if self.base is not None:
            yield from (each for each in self.base.all_parameters() if each[0] not in self.parameters)

    def assigned(self, statement: tree.Param) -> str:
        """The text of a parameter's value."""
        return self.text(statement.value) if statement.value is not None else NULL

    def call(self, symbol: Symbol, arguments: list[str]) -> str:
        """A call of a function of the program: its body, with the arguments in it."""
        unit: Constants = self
        while symbol.original is not None:
            unit, symbol = unit._at(symbol.home), symbol.original
        declaration = symbol.declaration
        if not isinstance(declaration, tree.Func) or symbol in self.running:
            return NULL
        names = unit.model.locals.get(id(declaration), ())
        given = dict(zip(names, map(self.settled, arguments), strict=False))
        self.running.add(symbol)
        try:
            return self.settled(unit.text(declaration.body, given))
        finally:
            self.running.discard(symbol)

    def special(self, function: str, node: tree.Call | tree.MethodCall, locals: Locals) -> str | None:
        """Inputs from outside, and the environment."""
        if function in EXTERNAL:
            arguments = [self.settled(t) for t in self.texts(node.arguments, locals)]
            kind = _KINDS.get(function)
            if kind is None:
                kind = str(self.evaluate(arguments.pop(0))) if arguments else ""
            config = arguments[0] if arguments else None
            value = self.evaluate(config) if config is not None else None
            return call("externalInputs", quote(self.inputs.name(kind, config, value)))
        if function == "readEnvironmentVariable" and node.arguments:
            name, *rest = self.texts(node.arguments, locals)
            wanted = str(self.evaluate(name))
            value = self.model.sources.environment(wanted) if self.model.sources else None
            if value is None and not rest:
                raise Unset(wanted, node.arguments[0])
            return rest[0] if value is None else quote(value)
        return None

    def _at(self, home: Model | None) -> Constants:
        seen = self.seen_from(home) if home is not None else self
        assert isinstance(seen, Constants)
        return seen

    def _once(self, symbol: Symbol, value: tree.Expression) -> str:
        if symbol in self.running:
            return NULL  # a ring, which `check` refused
        self.running.add(symbol)
        try:
            return self.settled(self.text(value))
        finally:
            self.running.discard(symbol)
