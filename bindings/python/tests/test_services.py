"""Servers by name: services, environments, and switching between them."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Callable, Iterator, List, Tuple, Type

import pytest

import netcore
from peers import Peers


@pytest.fixture
def services(peers: Peers) -> Iterator[netcore.Client]:
    """A client of services a and b; a is in the environments test and release, b in test."""
    with netcore.Client() as client:
        add_services(client, peers)
        yield client


def add_services(client: Any, peers: Peers) -> None:
    base = f"{peers.origin}/echo"
    client.add_service("a", f"{base}/a-test/", environment="test", cdn_url=f"{base}/a-cdn/")
    client.add_service("a", f"{base}/a-release/")
    client.add_service("b", f"{base}/b-test/", environment="test")


def target(client: netcore.Client, url: str = "x", **options: Any) -> str:
    found: str = client.get(url, **options).json()["target"]
    return found


def test_the_url_of_a_request_is_the_one_that_was_given(services: netcore.Client) -> None:
    response = services.get("../y")
    assert response.url.endswith("/echo/y") and response.request.url == "../y"


def test_the_first_service_and_environment_are_selected(peers: Peers) -> None:
    with netcore.Client() as client:
        assert (client.service, client.environment) == (None, None)
        add_services(client, peers)
        assert (client.service, client.environment) == ("a", "test")
        assert target(client) == "/echo/a-test/x"


def test_switching_holds_for_requests_from_then_on(services: netcore.Client) -> None:
    services.environment = "release"
    assert (services.service, services.environment, target(services)) == ("a", "release", "/echo/a-release/x")
    services.environment = "test"
    services.service = "b"
    assert (services.service, services.environment, target(services)) == ("b", "test", "/echo/b-test/x")


def test_the_next_service_and_environment_in_order(services: netcore.Client) -> None:
    assert [services.select_next_service() for _ in range(3)] == ["b", "a", "b"]
    assert target(services) == "/echo/b-test/x"
    services.service = "a"
    assert [services.select_next_environment() for _ in range(3)] == ["release", "test", "release"]
    assert target(services) == "/echo/a-release/x"


def test_a_base_url_comes_before_the_selected_service(peers: Peers, services: netcore.Client) -> None:
    assert target(services, base_url=f"{peers.origin}/echo/own") == "/echo/own/x"
    with netcore.Client(base_url=f"{peers.origin}/echo/base") as client:
        add_services(client, peers)
        assert target(client, "/x") == "/echo/base/x"
        assert target(client, service="b") == "/echo/b-test/x"
        assert target(client, base_url=f"{peers.origin}/echo/own") == "/echo/own/x"


def test_a_service_that_a_base_url_hides_is_selected_with_a_warning(peers: Peers) -> None:
    with netcore.Client(base_url=f"{peers.origin}/echo/base") as client:
        add_services(client, peers)
        with pytest.warns(UserWarning, match="base_url"):
            client.service = "b"
        with pytest.warns(UserWarning, match="base_url"):
            client.select_next_service()
        client.environment = "release"
        assert target(client) == "/echo/base/x"


def test_params_and_services(services: netcore.Client) -> None:
    assert target(services, "x?b=1", params={"a": "1 2"}) == "/echo/a-test/x?b=1&a=1+2"


def test_groups(services: netcore.Client) -> None:
    group = services.group()
    for name in ("a", "b"):
        group.add("GET", "x", service=name)
    group.dispatch()
    assert [task.result().json()["target"] for task in group.wait()] == ["/echo/a-test/x", "/echo/b-test/x"]


def test_what_is_stored_belongs_to_the_url_of_the_service(peers: Peers) -> None:
    with netcore.Cache() as cache, netcore.Client(cache=cache) as client:
        add_services(client, peers)
        first = client.get("x", cache_ttl=60)
        assert client.get("x", cache_ttl=60).from_cache
        client.service = "b"
        assert not client.get("x", cache_ttl=60).from_cache
        stored = client.get_cached("GET", "x", service="a", cache_ttl=60)
        assert stored is not None and stored.content == first.content


def test_asyncio(peers: Peers) -> None:
    async def switch() -> List[str]:
        async with netcore.AsyncClient() as client:
            add_services(client, peers)
            heard: List[Tuple[str, str]] = []
            client.on_selection_change(lambda *names: heard.append(names))
            first = await client.get("x")
            client.select_next_service()
            second = await client.dispatch("GET", "x")
            client.service, client.environment = "a", "release"
            third = await client.get("x")
            assert heard == [("b", "test"), ("a", "test"), ("a", "release")]
            return [response.json()["target"] for response in (first, second, third)]

    assert asyncio.run(switch()) == ["/echo/a-test/x", "/echo/b-test/x", "/echo/a-release/x"]


# The listener


def test_a_listener_hears_of_switches_alone(services: netcore.Client) -> None:
    heard: List[Tuple[str, str]] = []
    services.on_selection_change(lambda service, environment: heard.append((service, environment)))
    services.service = "a"
    services.service = "b"
    services.select_next_service()
    services.select_next_environment()
    services.on_selection_change(None)
    services.service = "b"
    assert heard == [("b", "test"), ("a", "test"), ("a", "release")]


def test_a_listener_may_use_the_client(services: netcore.Client) -> None:
    def back(service: str, environment: str) -> None:
        assert target(services) == f"/echo/{service}-{environment}/x"
        services.service = "a"

    services.on_selection_change(back)
    services.service = "b"
    assert services.service == "a"


def test_what_a_listener_raises_is_raised_where_it_was_switched(services: netcore.Client) -> None:
    def fail(service: str, environment: str) -> None:
        raise KeyError(service)

    services.on_selection_change(fail)
    with pytest.raises(KeyError, match="b"):
        services.service = "b"
    assert target(services) == "/echo/b-test/x"


# Threads


def test_switches_of_several_threads_all_count(services: netcore.Client) -> None:
    heard: List[Tuple[str, str]] = []
    services.on_selection_change(lambda *names: heard.append(names))

    def switch() -> None:
        for _ in range(101):
            services.select_next_service()

    threads = [threading.Thread(target=switch) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(heard) == 505 and services.service == "b"
    assert target(services) == "/echo/b-test/x"


def test_requests_while_another_thread_switches(services: netcore.Client) -> None:
    is_over = threading.Event()

    def switch() -> None:
        while not is_over.is_set():
            services.select_next_service()

    thread = threading.Thread(target=switch)
    thread.start()
    seen = {target(services) for _ in range(200)}
    is_over.set()
    thread.join()
    assert seen <= {"/echo/a-test/x", "/echo/b-test/x"}


# What is wrong


def set_service(name: Any) -> Callable[[netcore.Client], Any]:
    return lambda client: setattr(client, "service", name)


def set_environment(name: Any) -> Callable[[netcore.Client], Any]:
    return lambda client: setattr(client, "environment", name)


def add(*arguments: Any, **options: Any) -> Callable[[netcore.Client], Any]:
    return lambda client: client.add_service(*arguments, **options)


WRONG: List[Tuple[Callable[[netcore.Client], Any], Type[BaseException], str]] = [
    (set_service("c"), netcore.InvalidRequest, "service"),
    (set_service(""), netcore.InvalidRequest, "service"),
    (set_service("a\0"), netcore.InvalidRequest, "service"),
    (set_service(None), TypeError, "service"),
    (set_environment("c"), netcore.InvalidRequest, "environment"),
    (set_environment(5), TypeError, "environment"),
    (add("", "http://h/"), netcore.InvalidRequest, "name"),
    (add("n\ud800", "http://h/"), netcore.InvalidRequest, "name"),
    (add(5, "http://h/"), TypeError, "name"),
    (add("n", "/relative"), netcore.InvalidURL, "base_url"),
    (add("n", "ftp://h/"), netcore.InvalidURL, "base_url"),
    (add("n", ""), netcore.InvalidURL, "base_url"),
    (add("n", None), TypeError, "base_url"),
    (add("n", "http://h/", cdn_url="h"), netcore.InvalidURL, "cdn_url"),
    (add("n", "http://h/", cdn_url=5), TypeError, "cdn_url"),
    (add("n", "http://h/", environment=""), netcore.InvalidRequest, "environment"),
    (add("n", "http://h/", environment=5), TypeError, "environment"),
    (lambda client: client.on_selection_change(5), TypeError, "listener"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("use, error, name", WRONG)
def test_what_is_wrong_changes_nothing(
    services: netcore.Client, use: Callable[[netcore.Client], Any], error: Type[BaseException], name: str
) -> None:
    with pytest.raises(error, match=f"^{name}: "):
        use(services)
    assert (services.service, services.environment, target(services)) == ("a", "test", "/echo/a-test/x")
    assert [services.select_next_service() for _ in range(2)] == ["b", "a"]


def test_a_client_without_services() -> None:
    with netcore.Client() as client:
        for select in (client.select_next_service, client.select_next_environment):
            with pytest.raises(netcore.StateError, match="no service"):
                select()
        with pytest.raises(netcore.InvalidURL, match="no service"):
            client.get("x")


@pytest.mark.parametrize("send", ["get", "dispatch"])
def test_services_that_a_request_cannot_reach(services: netcore.Client, send: str) -> None:
    def call(**options: Any) -> Any:
        return services.get("x", **options) if send == "get" else services.dispatch("GET", "x", **options)

    with pytest.raises(netcore.InvalidRequest, match="service"):
        call(service="c")
    services.environment = "release"
    with pytest.raises(netcore.InvalidRequest, match="service"):
        call(service="b")


def test_the_url_of_a_service_can_be_read(peers: Peers, services: netcore.Client) -> None:
    base = f"{peers.origin}/echo"
    assert services.service_url().rstrip("/") == f"{base}/a-test"
    assert services.service_url(use_cdn=True).rstrip("/") == f"{base}/a-cdn"
    assert services.service_url("a", environment="release").rstrip("/") == f"{base}/a-release"
    services.service = "b"
    assert services.service_url().rstrip("/") == f"{base}/b-test"
    for name, environment in (("c", None), ("b", "release")):
        with pytest.raises(netcore.InvalidRequest):
            services.service_url(name, environment=environment)


def test_a_name_longer_than_usual_is_read_whole(peers: Peers) -> None:
    with netcore.Client() as client:
        client.add_service("n" * 1000, peers.origin)
        assert client.service == "n" * 1000
