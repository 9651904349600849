"""The spans of a deployment, sent with OpenTelemetry's own library: a root for the whole, below it one for each pass that did something.

What stays has a root for whatever is wanted of it, at its start and later: they are sent at once, not when it ends, and are as long as
it took to want it.

Nothing waits for whoever collects them: they are sent by a thread of the library, and what is left at the end has `PATIENCE`
seconds. What cannot be sent is dropped, and said once.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from importlib.metadata import version
from types import TracebackType
from urllib.parse import urlsplit

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, Status, StatusCode, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from engine.apply.tracing import Passed
from engine.diagnostics.diagnostic import UlnaError
from engine.pipeline.request import Outcome
from engine.pipeline.tracing import ENDPOINTS, Untraced

PATIENCE = 2.0
"""Seconds at the end for what was not sent yet."""

QUEUE = 20_000
"""Spans that may wait to be sent, where OTEL_BSP_MAX_QUEUE_SIZE does not say."""


class Spans(Untraced):
    """See the module; may be told from any thread."""

    def __init__(self, verb: str, environment: str, deployment: str, note: Callable[[str], None]) -> None:
        self._note = note
        self._trouble = _Trouble()
        self._trouble.listen()
        size = None if os.environ.get("OTEL_BSP_MAX_QUEUE_SIZE") else QUEUE
        self._provider = TracerProvider(resource=_resource(), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(), max_queue_size=size))
        self._tracer = self._provider.get_tracer("ulna", version("ulna"))
        self._common = {"ulna.deployment": deployment, "ulna.environment": environment}
        self._root = self._begun(verb, deployment)
        self._below = set_span_in_context(self._root)
        self.passed = self._passed

    def _begun(self, verb: str, what: str) -> Span:
        return self._tracer.start_span(f"{verb} {what}", _parent(), attributes={**self._common, "ulna.verb": verb})

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The deployment is over: what was not sent yet is."""
        if kind is not None and self._root.is_recording():
            codes = [d.code for d in error.diagnostics] if isinstance(error, UlnaError) else []
            self._root.set_status(Status(StatusCode.ERROR, ", ".join(codes) or kind.__name__))
        self.taken()
        lost = self._trouble.now.is_set()
        self._trouble.now.clear()  # it may be well again
        sending = threading.Thread(target=self._provider.shutdown, name="traces", daemon=True)
        sending.start()
        end = time.monotonic() + PATIENCE
        while sending.is_alive() and not self._trouble.now.is_set() and time.monotonic() < end:
            sending.join(0.02)
        if lost or sending.is_alive() or self._trouble.now.is_set():
            self._note(f"warning: not all traces could be sent to {_host()}")
        self._trouble.ignore()

    def wanted(self, verb: str, what: str = "") -> None:
        """See `Untraced`."""
        self.taken()
        self._root = self._begun(verb, what or self._common["ulna.deployment"])
        self._below = set_span_in_context(self._root)
        self.taken()

    def taken(self) -> None:
        """See `Untraced`."""
        if self._root.is_recording():
            self._root.end()

    def came_to(self, outcome: Outcome) -> None:
        """See `Untraced`."""
        counts = {"changed": len(outcome.changed), "unchanged": outcome.unchanged}
        counts |= {"failed": len(outcome.failed), "skipped": len(outcome.skipped)}
        for word, count in counts.items():
            self._root.set_attribute(f"ulna.{word}", count)
        if not outcome.ok:
            failed = ", ".join(f.address for f in outcome.failed)
            text = "interrupted" if outcome.interrupted else f"failed: {failed}"
            self._root.set_status(Status(StatusCode.ERROR, text))

    def _passed(self, told: Passed) -> None:
        if not told.news:
            return
        entry = told.entry
        about = {
            "ulna.resource.address": entry.address,
            "ulna.resource.type": entry.resource.type,
            "ulna.resource.operator": entry.operator,
            "ulna.resource.incarnation": entry.incarnation,
            "ulna.resource.exit_code": entry.exit_code,
            "ulna.action": told.action,
            "ulna.outcome": told.outcome,
            "ulna.attempts": told.attempt,
        }
        known = self._common | {k: v for k, v in about.items() if v is not None}
        span = self._tracer.start_span(
            f"{told.action} {entry.address}", self._below, attributes=known, start_time=_nanoseconds(told.began)
        )
        for call, at in told.calls:
            span.add_event(call, timestamp=_nanoseconds(at))
        if told.problem:
            span.set_status(Status(StatusCode.ERROR, told.problem))
        if told.problem and told.error:
            raised = {"exception.type": told.error, "exception.message": told.problem}
            span.add_event("exception", raised, _nanoseconds(told.ended))
        span.end(_nanoseconds(told.ended))


class _Trouble(logging.Handler):
    """Hears what the library logs of sending that fails, and keeps it from the terminal: whole errors, with addresses in them.

    The library tries again for long, which nobody waits for.
    """

    _LOGGER = logging.getLogger("opentelemetry")

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.now = threading.Event()

    def listen(self) -> None:
        """Begin; the terminal hears nothing of it from now on."""
        self._LOGGER.propagate = False
        self._LOGGER.addHandler(self)

    def ignore(self) -> None:
        """End; what is still said is for nobody."""
        self._LOGGER.addHandler(logging.NullHandler())
        self._LOGGER.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler`."""
        if record.name.startswith("opentelemetry.exporter"):
            self.now.set()


def _resource() -> Resource:
    """What the variables say that this is; where they say no name, `ulna`."""
    named = os.environ.get("OTEL_SERVICE_NAME") or "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return Resource.create({"service.version": version("ulna"), **({} if named else {"service.name": "ulna"})})


def _parent() -> Context:
    """The span of whoever started this, if there is one."""
    carrier = {k: v for k in ("traceparent", "tracestate") if (v := os.environ.get(k.upper()))}
    return TraceContextTextMapPropagator().extract(carrier)


def _host() -> str:
    """Where they are sent, without what may be secret in the address."""
    where = urlsplit(next(v for n in ENDPOINTS if (v := os.environ.get(n, "").strip())))
    return f"{where.hostname or '?'}{f':{where.port}' if where.port else ''}"


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
