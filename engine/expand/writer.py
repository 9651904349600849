"""Values back to the text of ARM expressions: what a template would say in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.build.emit.text import call, escape, index, literal, member, quote, wrap
from engine.contract.listing import is_call, parts
from engine.contract.resource import Resource
from engine.contract.value import Deferred, Leaf, Output, Secret, Unknown, Value, is_known
from engine.expand.desired import Pending
from engine.expand.functions.reading import INDEX
from engine.expand.placeholders import RUNTIME, Placeholders, is_open

_VAULT_SECRET = "microsoft.keyvault/vaults/secrets"


class Writer:
    """Knows by address the resources that outputs are of, those modules whose content is open, and what placeholders
    stand for."""

    __slots__ = ("_modules", "_placeholders", "_resources")

    def __init__(
        self, placeholders: Placeholders, resources: Mapping[str, Resource], open: Iterable[Pending] = ()
    ) -> None:
        self._placeholders = placeholders
        self._resources = resources
        self._modules = {module.address: module for module in open if module.id}

    def json(self, value: Value) -> Value:
        """A value as a template would hold it: open parts are `[…]`, and texts that look so are escaped."""
        match value:
            case dict():
                return {self.json(key): self.json(item) for key, item in value.items()}
            case list() | tuple():
                return [self.json(item) for item in value]
            case str() if not is_open(value):
                return escape(value)
            case str() | Secret() | Output() | Deferred():
                return wrap(self.expression_text(value))
            case Unknown():
                return None
            case _:
                return value

    def whole(self, value: Value) -> Value:
        """A value as an output of a template tells it: one expression if anything in it is open."""
        shown = self.json(value)
        return wrap(self.expression_text(value)) if isinstance(value, dict | list) and _is_open(value) else shown

    def id(self, resource: Resource) -> str:
        """The id of a resource; a call that gives it where it is not known yet."""
        return str(wrap(self._id_text(resource)) if is_open(resource.id) else self.json(resource.id))

    def expression_text(self, value: Value) -> str:
        """The text of an expression, without brackets, that gives the value."""
        match value:
            case str():
                return self._text(value) if is_open(value) else quote(value)
            case dict():
                pairs = [self.expression_text(part) for pair in value.items() for part in pair]
                return call("createObject", *pairs)
            case list() | tuple():
                return call("createArray", *map(self.expression_text, value))
            case Secret(name, _):
                return call("parameters", quote(name))
            case Output(address, path):
                return self._output(address, path)
            case Deferred(function, arguments):
                return self._call(function, arguments)
            case Unknown():
                return literal(None)
            case _:
                return literal(value)

    def _text(self, text: str) -> str:
        """A text with placeholders, as a `format()` of them."""
        if (whole := self._placeholders.whole(text)) is not None:
            return self.expression_text(whole)
        if (id := self._id_in(text)) is not None:
            return id
        pattern, values = self._placeholders.pattern(text)
        holes = [self.expression_text(value) for value in values]
        if not holes:
            return quote(text)
        return holes[0] if pattern == "{0}" else call("format", quote(pattern), *holes)

    def _call(self, function: str, arguments: tuple[Value, ...]) -> str:
        match function, arguments:
            case "[secret]", (value, name):
                return call("parameters", quote(name)) if self._is_given(value) else self.expression_text(value)
            case _, (base, key) if function == INDEX:
                return self._step(self.expression_text(base), key)
            case "lambda", (*names, body):
                shown = [quote(_own(name)) for name in names]
                return call("lambda", *shown, self.expression_text(body))
            case "lambdaVariables", (name,):
                return call("lambdaVariables", quote(_own(name)))
            case "format", (str(pattern), str(scope), *names) if type := _type_in(pattern):
                return self._id_call(scope, type, [self.expression_text(n) for n in names])
            case _:
                return call(function, *map(self.expression_text, arguments))

    def _is_given(self, value: Value) -> bool:
        """Whether a secret is given as such: a value known here, or the secret of a key vault."""
        if isinstance(value, Output) and value.address in self._resources:
            return self._resources[value.address].type.lower() == _VAULT_SECRET
        return not is_open(value) and is_known(value)

    def _step(self, base: str, key: Value) -> str:
        return (
            member(base, key) if isinstance(key, str) and not is_open(key) else index(base, self.expression_text(key))
        )

    def _output(self, address: str, path: tuple[str | int, ...]) -> str:
        if address.startswith(RUNTIME):
            text, rest = address[len(RUNTIME) :], path
        else:
            text, rest = self._reference(address, path)
        for key in rest:
            text = self._step(text, key)
        return text

    def _reference(self, address: str, path: tuple[str | int, ...]) -> tuple[str, tuple[str | int, ...]]:
        """The call that reads a resource, and the path that is left to go from what it gives."""
        resource, module = self._resources.get(address), self._modules.get(address)
        if resource and of_extension(resource):
            return call("reference", quote(address.rpartition("/")[2])), path  # it has no id, only its symbol
        id = self._id_text(resource) if resource else self.expression_text(module.id if module else address)
        known = resource or module
        version = [quote(known.api_version)] if known and known.api_version else []
        match path:
            case ("properties", *rest):
                return call("reference", id, *version), tuple(rest)
            case (first, *rest) if is_call(first):
                name, asked = parts(str(first))
                return call(name, id, *(map(self.expression_text, asked) if asked else version)), tuple(rest)
            case _:
                return call("reference", id, *(version or [quote("")]), quote("full")), path

    def _id_text(self, resource: Resource) -> str:
        """The id of a resource in an expression: a call where it is not known yet."""
        if not is_open(resource.id):
            return quote(resource.id)
        return self._id_call(resource.scope, resource.type, self._names(resource.name, resource.type.count("/")))

    def _names(self, name: str, number: int) -> list[str]:
        """The so many names that a name with all segments is made of."""
        names = name.split("/")
        if len(names) == number:
            return [self.expression_text(n) for n in names]
        whole = self.expression_text(name)
        return [index(call("split", whole, quote("/")), str(place)) for place in range(number)]

    def _id_in(self, text: str) -> str | None:
        """The call that gives an id with open parts; None for a text that is no id of a resource."""
        scope, _, rest = text.rpartition("/providers/")
        namespace, *pairs = rest.split("/")
        types, names = pairs[0::2], pairs[1::2]
        if not text.startswith("/") or not names or len(types) != len(names) or any(map(is_open, types)):
            return None
        return self._id_call(scope, "/".join((namespace, *types)), [self.expression_text(n) for n in names])

    def _id_call(self, scope: str, type: str, names: list[str]) -> str:
        """The call that gives the id of a resource below a scope."""
        match scope.split("/"):
            case ["", "subscriptions", subscription, "resourceGroups", group]:
                place = self.expression_text(subscription), self.expression_text(group)
                return call("resourceId", *place, quote(type), *names)
            case ["", "subscriptions", subscription]:
                return call("subscriptionResourceId", self.expression_text(subscription), quote(type), *names)
            case [""]:
                return call("tenantResourceId", quote(type), *names)
            case _:
                return call("extensionResourceId", self.expression_text(scope), quote(type), *names)


def of_extension(resource: Resource) -> bool:
    """Whether it is one of an extension, whose plane has no resource groups."""
    return resource.scope.startswith("/planes/") and "/resourceGroups/" not in resource.scope


def _is_open(value: Value) -> bool:
    """Whether anything in a value is told by a deployment only."""
    if isinstance(value, dict):
        return any(_is_open(part) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple):
        return any(map(_is_open, value))
    return is_open(value) or isinstance(value, Leaf)


_ID = re.compile(r"\{0\}/providers/([^{}/]+)((?:/[^{}/]+/\{\d+\})+)")


def _type_in(pattern: str) -> str:
    """The type of the resource of which a pattern for `format()` makes the id; empty where it makes none."""
    if pattern == "{0}/resourceGroups/{1}":
        return "Microsoft.Resources/resourceGroups"
    match = _ID.fullmatch(pattern)
    return "/".join([match[1], *match[2].split("/")[1::2]]) if match else ""


def _own(name: str) -> str:
    """A lambda's variable as it was written."""
    return name.partition("#")[0]
