"""Traces and metrics by OpenTelemetry, in the words of its semantic conventions for HTTP clients (1.23.0, stable).

    client = netcore.Client()
    with netcore.otel.instrument(client):
        client.get("https://example.com/")

Each hop to a server is a span of kind CLIENT, redirects and retries too, as a child of the span that was current when
the request was made; it goes along as ``traceparent``. How long each took is recorded in
``http.client.request.duration``. Where the path was made from a template, both have it as ``url.template``, and the
span's name ends with it. Needs the package ``opentelemetry-api``, and an SDK for it to go anywhere.
"""

from __future__ import annotations

import select
import threading
import time
from typing import Any, Dict, NamedTuple, Optional, Tuple, Union
from urllib.parse import urlsplit

from opentelemetry import metrics, trace
from opentelemetry.context import Context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from ._c import ffi
from ._clients.async_client import AsyncClient
from ._clients.client import Client
from ._errors.errors import Error
from ._errors.raising import check
from ._functions.hop_values import Hop
from ._inputs.encode import header_fields
from ._requests.factory import Prepared
from ._requests.options import RequestOptions
from ._responses.client_event import ClientEvent, EventKind
from ._responses.request import OwnedRequest
from ._version import __version__

SCHEMA = "https://opentelemetry.io/schemas/1.23.0"
FIELD = "traceparent"
CAPACITY = 65_536
"""Events that wait: with more hops at once, spans end late, without status."""

WAIT_MS = 100
"""How long `Instrumentation.close` may take to be noticed."""

METHODS = frozenset(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"])
BOUNDARIES = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)
"""Seconds; what the conventions advise."""

Key = Tuple[int, int, int]


class _Open(NamedTuple):
    """A hop that is under way."""

    span: trace.Span
    attributes: Dict[str, Any]
    began: int


class Instrumentation:
    """What `instrument` has set up. For any thread."""

    def __init__(
        self,
        client: Union[Client, AsyncClient],
        tracer_provider: Optional[trace.TracerProvider],
        meter_provider: Optional[metrics.MeterProvider],
    ) -> None:
        self._client = client
        self._tracer = trace.get_tracer("netcore", __version__, tracer_provider, SCHEMA)
        meter = metrics.get_meter("netcore", __version__, meter_provider, SCHEMA)
        self._durations = meter.create_histogram(
            "http.client.request.duration",
            unit="s",
            description="Duration of HTTP client requests.",
            explicit_bucket_boundaries_advisory=BOUNDARIES,
        )
        self._propagator = TraceContextTextMapPropagator()
        self._lock = threading.Lock()
        self._open: Dict[Key, _Open] = {}
        self._sent: Dict[int, int] = {}
        """How many hops a request has had."""
        self._is_closing = False
        self._events = client.events(capacity=CAPACITY)
        self._prepare = client._core.requests.get
        self._follow = client._core.requests.follow
        client._core.requests.get = self._prepare_traced  # type: ignore[method-assign]
        client._core.requests.follow = self._follow_traced  # type: ignore[method-assign]
        client.set_hop_header(FIELD, self._begin)
        self._reader = threading.Thread(target=self._read, name="netcore-otel", daemon=True)
        self._reader.start()

    # In the thread that makes a request

    def _prepare_traced(self, method: str, url: str, options: RequestOptions) -> Any:
        """Notes the current span in the request, for its hops to be children of."""
        carrier: Dict[str, str] = {}
        self._propagator.inject(carrier)
        if FIELD in carrier:
            fields = header_fields(options.get("headers"))
            if not any(name.lower() == FIELD.encode() for name, _ in fields):
                own: RequestOptions = {**options, "headers": [*fields, (FIELD, carrier[FIELD])]}
                return self._prepare(method, url, own)
        return self._prepare(method, url, options)

    def _follow_traced(self, template: Prepared, handle: OwnedRequest) -> Prepared:
        """The same for a request that was made from another one: of an API, or for a page."""
        carrier: Dict[str, str] = {}
        self._propagator.inject(carrier)
        if FIELD in carrier and not any(name.lower() == FIELD.encode() for name, _ in handle.fields):
            check(ffi.request_set_header(handle, FIELD.encode(), carrier[FIELD].encode()))
        return self._follow(template, handle)

    # In the thread of filters

    def _begin(self, hop: Hop) -> Optional[str]:
        """Starts the span of a hop, and returns what says so to the server."""
        parent = Context()
        if hop.value is not None:
            parent = self._propagator.extract({FIELD: hop.value}, Context())
        with self._lock:
            resends = self._sent.get(hop.number, 0)
            self._sent[hop.number] = resends + 1
        attributes = _attributes(hop)
        details: Dict[str, Any] = {"url.full": hop.url}
        if hop.method not in METHODS:
            details["http.request.method_original"] = hop.method
        if resends:
            details["http.request.resend_count"] = resends
        name = hop.method if hop.method in METHODS else "HTTP"
        if hop.url_template is not None:
            name = f"{name} {hop.url_template}"
        span = self._tracer.start_span(name, parent, trace.SpanKind.CLIENT, {**attributes, **details})
        with self._lock:
            self._open[hop.number, hop.attempt, hop.hop] = _Open(span, attributes, time.monotonic_ns())
        carrier: Dict[str, str] = {}
        self._propagator.inject(carrier, trace.set_span_in_context(span, parent))
        return carrier.get(FIELD, hop.value)

    # In a thread of its own

    def _read(self) -> None:
        poll = select.poll()
        poll.register(self._events, select.POLLIN)
        is_last = False
        while not is_last:
            poll.poll(WAIT_MS)
            is_last = self._is_closing
            while (events := self._events._take()) != []:
                if events is None:  # the client is closed
                    return
                for event in events:
                    self._see(event)

    def _see(self, event: ClientEvent) -> None:
        if event.kind == EventKind.HOP_ENDED:
            self._end((event.number, event.attempt, event.hop), event)
        elif event.kind == EventKind.DONE:
            self._forget(event)

    def _forget(self, event: ClientEvent) -> None:
        """The request has ended, and with it hops that never got as far as the transport."""
        with self._lock:
            self._sent.pop(event.number, None)
            left = [key for key in self._open if key[0] == event.number]
        for key in left:
            self._end(key, event)

    def _end(self, key: Key, event: ClientEvent) -> None:
        with self._lock:
            found = self._open.pop(key, None)
        if found is None:
            return
        outcome: Dict[str, Any] = {}
        if event.status:
            outcome["http.response.status_code"] = event.status
        if event.http_version:
            outcome["network.protocol.version"] = event.http_version.partition("/")[2]
        error = _error_type(event)
        if error:
            outcome["error.type"] = error
            found.span.set_status(trace.StatusCode.ERROR)
        found.span.set_attributes({**outcome, **_peer(event)})
        found.span.end(time.time_ns() - max(time.monotonic_ns() - event.time, 0))
        seconds = max(event.time - found.began, 0) / 1e9
        self._durations.record(
            seconds, {**found.attributes, **outcome}, context=trace.set_span_in_context(found.span, Context())
        )

    def close(self) -> None:
        """Ends it: requests that are made from now on have no spans. Spans of hops under way end without a status.
        After `Client.close`, all spans have ended. A second call does nothing."""
        client = self._client
        if not client.is_closed:
            client._core.requests.get = self._prepare  # type: ignore[method-assign]
            client._core.requests.follow = self._follow  # type: ignore[method-assign]
            client.set_hop_header(FIELD, None)
        self._is_closing = True
        self._reader.join()
        self._events.close()
        with self._lock:
            left, self._open = self._open, {}
        for found in left.values():
            found.span.end()

    def __enter__(self) -> Instrumentation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def instrument(
    client: Union[Client, AsyncClient],
    *,
    tracer_provider: Optional[trace.TracerProvider] = None,
    meter_provider: Optional[metrics.MeterProvider] = None,
) -> Instrumentation:
    """Traces and measures the requests of a client from now on; once for a client.

    :param tracer_provider: default: the process's.
    :param meter_provider: default: the process's.
    """
    return Instrumentation(client, tracer_provider, meter_provider)


def _attributes(hop: Hop) -> Dict[str, Any]:
    """Those that span and metric share."""
    parts = urlsplit(hop.url)
    found: Dict[str, Any] = {
        "http.request.method": hop.method if hop.method in METHODS else "_OTHER",
        "server.address": parts.hostname or "",
        "server.port": parts.port or (443 if parts.scheme == "https" else 80),
    }
    if hop.url_template is not None:
        found["url.template"] = hop.url_template
    return found


def _peer(event: ClientEvent) -> Dict[str, Any]:
    """Those of the span only: a metric would have too many series."""
    if event.peer_address is None:
        return {}
    return {"network.peer.address": event.peer_address, "network.peer.port": event.peer_port}


def _error_type(event: ClientEvent) -> str:
    """What failed; "" for nothing."""
    kind = event.error_type
    if kind is not None:
        return f"{Error.__module__.partition('.')[0]}.{kind.__name__}"
    return str(event.status) if event.status >= 400 else ""
