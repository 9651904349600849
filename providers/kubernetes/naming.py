"""Names and labels that a cluster would refuse, by the rules of Kubernetes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from engine.contract.app import Workload
from engine.diagnostics.diagnostic import Diagnostic, Severity
from engine.diagnostics.place import place

LONGEST = 63
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?")
_PREFIX = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*")


def refused(workload: Workload, namespace: str) -> Iterator[Diagnostic]:
    """Labels and annotations that are none, and a namespace that is too long."""
    resource = workload.resource
    help = "Write 63 letters, digits, '-', '_' and '.' at most, with a letter or digit at both ends; before a key, DOMAIN/ may stand."
    for kind, given in (("label", workload.labels), ("annotation", workload.annotations)):
        for what in _wrong(kind, given):
            message = f"'{resource.name}': {what}, which Kubernetes refuses"
            yield Diagnostic("ULN318", Severity.ERROR, message, place(resource.origin, ("extensions",)), help=help)
    if len(namespace) > LONGEST:
        message = f"The namespace of '{resource.name}' is '{namespace}', which has {len(namespace)} characters, and may have {LONGEST}"
        short = "Give the application a shorter name, or the environment a shorter compute.namespace."
        yield Diagnostic("ULN318", Severity.ERROR, message, resource.origin, help=short)


def _wrong(kind: str, given: Mapping[str, object]) -> Iterator[str]:
    for key, value in given.items():
        prefix, slash, name = key.rpartition("/")
        if not _is_name(name) or (slash and not (len(prefix) <= 253 and _PREFIX.fullmatch(prefix))):
            yield f"the key '{key}' of {'a label' if kind == 'label' else 'an annotation'} is no name"
        elif kind == "label" and isinstance(value, str) and value and not _is_name(value):
            yield f"the label '{key}' has the value '{value}'"


def _is_name(text: str) -> bool:
    return len(text) <= LONGEST and _NAME.fullmatch(text) is not None
