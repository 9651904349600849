"""Rule use-safe-access."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.types import ObjectType, is_nullable
from engine.diagnostics.diagnostic import Safety
from engine.lint.edits import replace, text_of
from engine.lint.names import is_identifier, same
from engine.lint.rule import Finding, rule
from engine.parse import tree


@rule("use-safe-access")
def use_safe_access(model: Model) -> Iterator[Finding]:
    """`contains(o, 'p') ? o.p : d`, where `o.?p ?? d` would do.

    The name is written once and looked up once. Where the property is there and null, the second gives `d`; its fix is
    therefore not a safe one. Likewise `o.p`, where the type says that `p` may not be there.

    Example:
        param box object
        output o string = contains(box, 'size') ? box.size : 'small'
        ---
        param box object
        output o string = box.?size ?? 'small'
    """
    for node in model.nodes(tree.Ternary):
        call, then = node.condition, node.then
        function = model.builtin(call)
        if (
            function is None
            or function.name != "contains"
            or not isinstance(call, tree.Call)
            or len(call.arguments) != 2
        ):
            continue
        whole, key = call.arguments
        text = key.literal if isinstance(key, tree.Text) else None
        if not isinstance(then, tree.Member | tree.Index) or not same(then.base, whole):
            continue
        if not (then.name.text == text if isinstance(then, tree.Member) else same(then.index, key)):
            continue
        rest = f".?{text}" if is_identifier(text) else f"[?{text_of(model, key)}]"
        access = f"{text_of(model, then.base)}{rest}"
        otherwise = text_of(model, node.otherwise)
        better = f"{access} ?? {f'({otherwise})' if isinstance(node.otherwise, tree.Ternary) else otherwise}"
        yield node, f"This is {better}", replace(node, better, f"Write {better}", Safety.UNSAFE)
    yield from _plain(model)


def _plain(model: Model) -> Iterator[Finding]:
    """Properties that may be missing, read as if they were there."""
    sure = {id(n.base) for n in model.nodes(tree.NonNull)}
    accesses: list[tree.Member | tree.Index] = [*model.nodes(tree.Member), *model.nodes(tree.Index)]
    for node in accesses:
        if node.safe or id(node) in sure or not isinstance(model.type_of(node.base), ObjectType):
            continue
        if not is_nullable(model.type_of(node)):
            continue
        base = text_of(model, node.base)
        rest = f".?{node.name.text}" if isinstance(node, tree.Member) else f"[?{text_of(model, node.index)}]"
        fix = replace(node, f"{base}{rest}", f"Write {base}{rest}", Safety.UNSAFE)
        yield node, f"What may not be there is read by {base}{rest}", fix
