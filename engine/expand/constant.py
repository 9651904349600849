"""An expression that needs nothing from around it: its value, for what is evaluated while a parameter file is compiled."""

from __future__ import annotations

from engine.build.emit.constants import Unevaluable
from engine.contract.value import Value
from engine.expand.desired import Scope
from engine.expand.evaluate import Evaluator
from engine.expand.frame import Frame
from engine.expand.functions.signature import EvaluationError
from engine.expand.scopes import level_of
from engine.expand.vault import MemoryVault
from engine.expand.world import World
from engine.parse.arm import ExpressionError, parse_expression
from engine.template.template import Template


def constant(text: str) -> Value:
    """The value of an expression's text, without its brackets; raises `Unevaluable`."""
    template, scope = Template("", {"resources": []}), Scope("")
    frame = Frame(
        World(template, scope, MemoryVault(b""), {}), template.document, "", "", level_of(template.document, scope), {}
    )
    try:
        return Evaluator(frame, {}).evaluate(parse_expression(text))
    except (EvaluationError, ExpressionError) as problem:
        raise Unevaluable(problem.message) from None
