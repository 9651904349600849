"""Binds decorators: their names live in a space of their own, beside that of the functions."""

from __future__ import annotations

from engine.check.functions import lookup
from engine.check.functions.decorators import DECORATORS
from engine.check.symbols import Kind
from engine.parse import tree

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from engine.check.bind import Binder
    from engine.check.regions import Scope


def bind_decorator(binder: Binder, node: tree.Decorator, expression: tree.Node, scope: Scope) -> None:
    """`@name(…)` or `@sys.name(…)`"""
    match expression:
        case tree.Call(name=name, arguments=arguments):
            binder.push(arguments, scope)
            _decorator_name(binder, node, expression, name)
        case tree.MethodCall(base=tree.Name() as base, name=name, arguments=arguments):
            binder.push(arguments, scope)
            binder.qualifier(base, scope, False)
            symbol = binder.model.bindings.get(id(base))
            if symbol is not None and symbol.kind is Kind.NAMESPACE and symbol.name == "sys":
                _decorator_name(binder, node, expression, name)
            elif symbol is not None and name.text:
                binder.report.error("BCP107", name, f"'{symbol.name}' has no decorator '{name.text}'")
        case tree.Name(text=text) if text in DECORATORS:
            binder.report.error(
                "BCP063", expression, f"'{text}' is a decorator, and must be called", f"Write @{text}(…)."
            )
        case tree.Name(text=text) if binder.find(text, scope) is not None or text in binder.namespaces:
            if (symbol := binder.find(text, scope)) is not None:
                binder.use(expression, symbol)
            binder.report.error("BCP141", expression, "This is no decorator", "Write @name(…).")
        case _:
            binder.push((expression,), scope)


def _decorator_name(binder: Binder, node: tree.Decorator, call: tree.Node, name: tree.Identifier) -> None:
    function = DECORATORS.get(name.text)
    if function is not None:
        binder.model.builtins[id(call)] = function
        binder.model.decorators[id(node)] = name.text
    elif any(lookup.find(n, name.text, params_file=binder.params_file) for n in binder.open_namespaces()):
        binder.report.error("BCP152", name, f"Function '{name.text}' is no decorator")
    elif name.text:
        binder.unknown(name, name.text, DECORATORS)
