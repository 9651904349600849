"""What is done about changes from outside: the tag `ulna.drift` of a resource, else the policy of its environment. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from engine.contract.operator import Environment
from engine.contract.resource import Drift, Resource
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.suggest import did_you_mean

ANNOTATION = "ulna.drift"


def drifting(resource: Resource, environment: Environment | None) -> Resource | Diagnostic:
    """The resource with its policy, which holds for what is made of it as well; or what is wrong with its tag."""
    tags = resource.properties.get("tags")
    wanted = tags.get(ANNOTATION) if isinstance(tags, Mapping) else None
    if wanted is None and environment is not None:
        policy = environment.properties.get("policy")
        wanted = policy.get("drift") if isinstance(policy, Mapping) else None
    try:
        drift = Drift(wanted) if isinstance(wanted, str) else Drift.HEAL
    except ValueError:
        message = f"'{resource.name}': the tag {ANNOTATION} cannot be '{wanted}'"
        help = did_you_mean(str(wanted), list(Drift)) or f"It is one of: {', '.join(Drift)}."
        return Diagnostic("ULN336", Severity.ERROR, message, resource.origin, help=help)
    return resource if drift is resource.drift else resource.replace(drift=drift)
