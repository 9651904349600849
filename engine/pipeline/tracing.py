"""Whether a deployment is traced: where an endpoint of OpenTelemetry is named for that, by the standard variables.

OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT      one of them says where to, and that
OTEL_SDK_DISABLED=true, OTEL_TRACES_EXPORTER=none                    not
OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_*_HEADERS, …   what the library knows (`spans.py`)
TRACEPARENT, TRACESTATE                                              the span of a pipeline that this deployment is part of
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from engine.pipeline.request import Control, Outcome

if TYPE_CHECKING:
    from types import TracebackType

    from engine.apply.tracing import Trace

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
SPOKEN = "http/protobuf"


class Untraced:
    """A deployment that nobody traces; a context, as one that somebody does is."""

    passed: Trace | None = None
    """Told of every pass."""

    def __enter__(self) -> Untraced:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The deployment is over."""

    def wanted(self, verb: str, what: str = "") -> None:
        """Something is wanted of what stays (`what` is an address, by default all of it): what is done from now on is for that."""

    def taken(self) -> None:
        """What was wanted first is taken in, of what stays: it need not end to be seen."""

    def came_to(self, outcome: Outcome) -> None:
        """What it came to."""


def traced(verb: str, environment: str, deployment: str, control: Control) -> Untraced:
    """The trace of one deployment by a verb; what prevents it is told to the control, and prevents nothing else."""
    if not is_wanted(os.environ):
        return Untraced()
    note: Callable[[str], None] = control.on_wait or (lambda text: None)
    protocol = _first(PROTOCOLS, os.environ) or SPOKEN
    if protocol != SPOKEN:
        note(f"warning: no traces are sent: they are spoken as {SPOKEN} only, not as {protocol}")
        return Untraced()
    try:
        from engine.pipeline.spans import Spans
    except ImportError as missing:
        if (missing.name or "opentelemetry").partition(".")[0] != "opentelemetry":
            raise
        name = next(n for n in ENDPOINTS if os.environ.get(n))
        note(f"warning: {name} is set, and no traces are sent: run pip install 'ulna[otel]'")
        return Untraced()
    return Spans(verb, environment, deployment, note)


def is_wanted(variables: Mapping[str, str]) -> bool:
    """Whether these variables ask for traces."""
    off = variables.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    none = variables.get("OTEL_TRACES_EXPORTER", "").strip().lower() == "none"
    return bool(_first(ENDPOINTS, variables)) and not off and not none


def _first(names: tuple[str, ...], variables: Mapping[str, str]) -> str:
    return next((v for n in names if (v := variables.get(n, "").strip())), "")
