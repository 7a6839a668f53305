"""Traces and metrics by OpenTelemetry, as its SDK gets them."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List, Tuple

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

import netcore
from netcore import Response, otel
from peers import Peers


class Bench:
    """An SDK that keeps what it is given."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.reader = InMemoryMetricReader()
        self.meters = MeterProvider([self.reader])
        self.tracer = self.tracers.get_tracer("test")

    def instrument(self, client: Any) -> otel.Instrumentation:
        return otel.instrument(client, tracer_provider=self.tracers, meter_provider=self.meters)

    @property
    def hops(self) -> List[ReadableSpan]:
        found = [span for span in self.exporter.get_finished_spans() if span.kind == SpanKind.CLIENT]
        return sorted(found, key=lambda span: span.start_time or 0)

    @property
    def points(self) -> List[Any]:
        data = self.reader.get_metrics_data()
        assert data is not None
        (metric,) = data.resource_metrics[0].scope_metrics[0].metrics
        assert (metric.name, metric.unit) == ("http.client.request.duration", "s")
        return list(metric.data.data_points)


def attributes(span: ReadableSpan) -> Dict[str, Any]:
    return dict(span.attributes or {})


def traceparent(span: ReadableSpan) -> str:
    context = span.get_span_context()
    assert context is not None
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


class Server:
    """Answers one after the other, and keeps what it was asked with."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)
        self.seen: List[str] = []

    def __call__(self, request: netcore.Request) -> Response:
        self.seen.append(request.headers.get("traceparent", ""))
        status = self.answers.pop(0)
        if status == 0:
            raise netcore.ConnectError("no connection")
        return Response(status, headers={"Location": "/next"} if status == 302 else None)


def test_each_try_is_a_span_that_the_server_is_told_of() -> None:
    bench, server = Bench(), Server(503, 302, 200)
    retry = netcore.Retry(throttled_delay=0.01)
    with netcore.Client(retries=retry, transport=server) as client, bench.instrument(client):
        with bench.tracer.start_as_current_span("work") as work:
            client.get("http://ann:s3cret@app.invalid:8080/a?b=1")
    first, second, third = hops = bench.hops
    assert server.seen == [traceparent(span) for span in hops]
    assert {span.parent.span_id if span.parent else 0 for span in hops} == {work.get_span_context().span_id}
    assert {span.name for span in hops} == {"GET"}
    assert attributes(first) == {
        "http.request.method": "GET",
        "server.address": "app.invalid",
        "server.port": 8080,
        "url.full": "http://app.invalid:8080/a?b=1",
        "http.response.status_code": 503,
        "error.type": "503",
        "network.protocol.version": "1.1",
    }
    assert attributes(second)["http.request.resend_count"] == 1
    assert attributes(third)["http.request.resend_count"] == 2
    assert attributes(third)["url.full"] == "http://app.invalid:8080/next"
    assert [span.status.status_code for span in hops] == [StatusCode.ERROR, StatusCode.UNSET, StatusCode.UNSET]


def test_a_span_says_where_its_connection_went(peers: Peers) -> None:
    bench = Bench()
    with netcore.Client() as client, bench.instrument(client):
        client.get(f"{peers.origin}/status/200")
    (span,) = bench.hops
    found = attributes(span)
    assert (found["network.peer.address"], found["network.protocol.version"]) == ("127.0.0.1", "1.1")
    assert found["network.peer.port"] == found["server.port"]
    (point,) = bench.points
    assert point.attributes["network.protocol.version"] == "1.1" and "network.peer.address" not in point.attributes


class Posts(netcore.API):
    base_url = "http://app.invalid/v1"

    @netcore.endpoint("GET", "/posts/{id}")
    def post(self, id: int) -> Response:
        raise AssertionError


def test_the_template_of_a_path_is_in_span_and_metric_and_a_call_has_its_parent() -> None:
    bench, server = Bench(), Server(200, 302, 200)
    with netcore.Client(transport=server) as client, bench.instrument(client):
        posts = Posts(client)
        posts.post(1)
        with bench.tracer.start_as_current_span("work") as work:
            posts.post(7)
    first, second, redirected = bench.hops
    assert [span.name for span in bench.hops] == ["GET /posts/{id}", "GET /posts/{id}", "GET"]
    assert attributes(second)["url.template"] == "/posts/{id}"
    assert "url.template" not in attributes(redirected)
    assert first.parent is None and second.parent is not None
    assert second.parent.span_id == work.get_span_context().span_id
    assert {point.attributes.get("url.template") for point in bench.points} == {"/posts/{id}", None}


def test_durations_are_measured_by_outcome() -> None:
    bench, server = Bench(), Server(200, 200, 404, 0)
    with netcore.Client(transport=server) as client, bench.instrument(client):
        for _ in range(3):
            client.get("http://app.invalid/")
        with pytest.raises(netcore.ConnectError):
            client.get("http://app.invalid/")
    found: Dict[Tuple[Any, Any], int] = {}
    for point in bench.points:
        assert (point.attributes["server.address"], point.attributes["server.port"]) == ("app.invalid", 80)
        assert "url.full" not in point.attributes and point.explicit_bounds == otel.BOUNDARIES
        key = point.attributes.get("http.response.status_code"), point.attributes.get("error.type")
        found[key] = point.count
    assert found == {(200, None): 2, (404, "404"): 1, (None, "netcore.ConnectError"): 1}


def test_without_a_current_span_each_try_begins_a_trace() -> None:
    bench, server = Bench(), Server(200)
    with netcore.Client(transport=server) as client, bench.instrument(client):
        client.request("PURGE", "http://app.invalid/")
    (span,) = bench.hops
    assert span.parent is None and server.seen == [traceparent(span)]
    assert span.name == "HTTP" and attributes(span)["http.request.method"] == "_OTHER"
    assert attributes(span)["http.request.method_original"] == "PURGE"


def test_coroutines_have_their_own_parents(peers: Peers) -> None:
    bench = Bench()

    async def work(client: netcore.AsyncClient, name: str) -> Tuple[str, int]:
        with bench.tracer.start_as_current_span(name) as span:
            response = await client.get(f"{peers.origin}/echo")
        return {name.lower(): value for name, value in response.json()["headers"]}[
            "traceparent"
        ], span.get_span_context().trace_id

    async def run() -> List[Tuple[str, int]]:
        async with netcore.AsyncClient() as client:
            with bench.instrument(client):
                return await asyncio.gather(*(work(client, str(number)) for number in range(5)))

    for told, trace_id in asyncio.run(run()):
        assert told.split("-")[1] == f"{trace_id:032x}"
    assert len(bench.hops) == 5


def test_after_it_was_closed_nothing_is_traced() -> None:
    bench, server = Bench(), Server(200, 200)
    with netcore.Client(transport=server) as client:
        tracing = bench.instrument(client)
        client.get("http://app.invalid/")
        tracing.close()
        tracing.close()
        client.get("http://app.invalid/")
    assert len(bench.hops) == 1 and server.seen[1] == ""
