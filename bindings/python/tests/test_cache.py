"""Caches: what is stored, when it is served, how it is looked after."""

from __future__ import annotations

import asyncio
import itertools
import pickle
import threading
import time
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple, Union
from urllib.parse import urlsplit

import pytest

import netcore
import programs
from netcore import Cache, CacheMode, CacheResult
from peers import Peers, received, until

_numbers = itertools.count(1)


def fresh() -> str:
    """The path of an answer that is fresh for a minute, of its own URL."""
    return f"/headers?Cache-Control=max-age%3D60&X-Number={next(_numbers)}"


def uncacheable() -> str:
    return f"/headers?Cache-Control=no-store&X-Number={next(_numbers)}"


@pytest.fixture
def cache() -> Iterator[Cache]:
    with Cache() as cache:
        yield cache


@pytest.fixture
def client(peers: Peers, cache: Cache) -> Iterator[netcore.Client]:
    """A client of the scripted origin, with a cache."""
    with netcore.Client(base_url=peers.origin, cache=cache) as client:
        yield client


# What is served


def test_a_fresh_answer_is_served_again(client: netcore.Client) -> None:
    path = fresh()
    first, second = client.get(path), client.get(path)
    assert (first.cache_result, first.from_cache, first.attempts) == (CacheResult.NOT_CACHED, False, 1)
    assert (second.cache_result, second.from_cache, second.attempts) == (CacheResult.HIT, True, 0)
    assert second.content == first.content and second.url == first.url
    assert "age" in second.headers and not second.is_provisional


def test_a_304_confirms_what_is_stored(peers: Peers, cache: Cache) -> None:
    with netcore.Client(base_url=peers.nginx, cache=cache) as client:
        first = client.get("/small.txt")
        second = client.get("/small.txt", headers={"Cache-Control": "no-cache"})
    assert second.cache_result is CacheResult.REVALIDATED and second.from_cache
    assert (second.status_code, second.content) == (200, first.content)


def test_without_a_cache_options_have_no_effect(peers: Peers) -> None:
    path = fresh()
    with netcore.Client(base_url=peers.origin) as client:
        for _ in range(2):
            response = client.get(path, cache_ttl=60, cache_scope="a")
            assert response.cache_result is CacheResult.NONE and not response.from_cache
        with pytest.raises(netcore.StateError, match="no cache"):
            client.get_cached("GET", path)


@pytest.mark.parametrize("ttl", [60, 59.5, timedelta(minutes=1)])
def test_a_time_to_live_stores_any_method_by_its_body(client: netcore.Client, ttl: Union[float, timedelta]) -> None:
    path = uncacheable()
    results = [client.post(path, json={"a": a}, cache_ttl=ttl).cache_result for a in (1, 1, 2)]
    assert results == [CacheResult.NOT_CACHED, CacheResult.HIT, CacheResult.NOT_CACHED]


def test_fields_belong_to_the_key_when_named(client: netcore.Client) -> None:
    path = uncacheable()

    def get(language: str, color: str) -> CacheResult:
        fields = {"Accept-Language": language, "X-Color": color}
        return client.get(path, headers=fields, cache_ttl=60, cache_key_fields=["accept-language"]).cache_result

    results = [get("de", "red"), get("de", "blue"), get("fr", "red")]
    assert results == [CacheResult.NOT_CACHED, CacheResult.HIT, CacheResult.NOT_CACHED]


def test_scope_and_versions_tell_why_not(peers: Peers, tmp_path: Path) -> None:
    path = fresh()
    with Cache(tmp_path / "c", application_version="1") as cache:
        with netcore.Client(base_url=peers.origin, cache=cache) as client:
            client.get(path, cache_scope="a")
            assert client.get(path, cache_scope="b").cache_result is CacheResult.SCOPE
            assert client.get(path, cache_scope="a", cache_version=2).cache_result is CacheResult.VERSION
            assert client.get(path, cache_scope="a", cache_version=2).cache_result is CacheResult.HIT
    with Cache(tmp_path / "c", application_version="2") as cache:
        with netcore.Client(base_url=peers.origin, cache=cache) as client:
            response = client.get(path, cache_scope="a", cache_version=2)
            assert response.cache_result is CacheResult.APPLICATION_VERSION


def test_credentials_are_a_scope(client: netcore.Client) -> None:
    path = fresh()
    client.get(path, headers={"Authorization": "one"})
    assert client.get(path, headers={"Authorization": "one"}).from_cache
    assert client.get(path, headers={"Authorization": "two"}).cache_result is CacheResult.SCOPE


def test_a_key_stands_for_method_url_and_body(client: netcore.Client) -> None:
    key = f"key {next(_numbers)}"
    first = client.get(fresh(), cache_key=key)
    assert client.get(fresh(), cache_key=key).headers["x-number"] == first.headers["x-number"]


def test_rules_give_times_to_live_by_url(peers: Peers) -> None:
    rules: Dict[str, Union[float, timedelta]] = {"*X-Number=*": timedelta(minutes=1), "*": 0}
    for form in (rules, list(rules.items())):
        with Cache(rules=form, ttl_only=True) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
            path = uncacheable()
            assert not client.get(path).from_cache and client.get(path).from_cache
    with Cache(ttl_only=True) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        assert not client.get(path).from_cache and not client.get(path).from_cache


# Modes


def test_modes_that_read_nothing(client: netcore.Client) -> None:
    path = fresh()
    client.get(path)
    for mode in (CacheMode.RELOAD, CacheMode.IGNORE, CacheMode.NETWORK_ELSE_CACHE, CacheMode.CACHE_THEN_NETWORK):
        response = client.get(path, cache_mode=mode)
        assert (response.cache_result, response.attempts) == (CacheResult.REQUESTED, 1), mode
    assert client.get(path).from_cache
    client.get(path, cache_mode=CacheMode.NEVER)
    assert client.get(path).cache_result is CacheResult.NOT_CACHED


def test_modes_that_prefer_what_is_stored(client: netcore.Client) -> None:
    path = fresh()
    missing = client.get(path, cache_mode=CacheMode.CACHE_ONLY)
    assert (missing.status_code, missing.cache_result) == (504, CacheResult.UNSATISFIABLE)
    assert client.get(path, cache_mode=CacheMode.CACHE_ELSE_NETWORK).attempts == 1
    for mode in (CacheMode.CACHE_ONLY, CacheMode.CACHE_ELSE_NETWORK):
        assert client.get(path, cache_mode=mode).cache_result is CacheResult.HIT


def test_what_is_stored_stands_in_for_an_origin_out_of_reach(client: netcore.Client, peers: Peers) -> None:
    client.get(fresh(), cache_key="key")
    mode = CacheMode.NETWORK_ELSE_CACHE
    assert client.get(peers.refused, cache_key="key", cache_mode=mode).from_cache
    with pytest.raises(netcore.ConnectError):
        client.get(peers.refused, cache_key="other", cache_mode=mode)


Heard = List[Tuple[str, bool, int]]


def listeners() -> Tuple[Heard, Callable[[Any, netcore.Response], None], Callable[[Any], None]]:
    """What is heard of a task: (callback, whether provisional, attempts), and the callbacks that write it down."""
    heard: Heard = []

    def on_early(task: Any, response: netcore.Response) -> None:
        assert task.id and not task.done() and response.request == task.request
        heard.append(("early", response.is_provisional, response.attempts))

    def on_done(task: Any) -> None:
        heard.append(("done", task.result().is_provisional, task.result().attempts))

    return heard, on_early, on_done


FIRST_THE_CACHE = [("early", True, 0), ("done", False, 1)]


def test_first_what_is_stored_then_the_network(client: netcore.Client) -> None:
    path = fresh()
    for expected in (FIRST_THE_CACHE[1:], FIRST_THE_CACHE):
        heard, on_early, on_done = listeners()
        mode = CacheMode.CACHE_THEN_NETWORK
        task = client.dispatch("GET", path, cache_mode=mode, on_early=on_early, on_done=on_done)
        assert task.result().attempts == 1 and heard == expected
    # No function listens.
    assert client.dispatch("GET", path, cache_mode=CacheMode.CACHE_THEN_NETWORK).result().attempts == 1


def test_first_what_is_stored_then_the_network_in_a_group(client: netcore.Client) -> None:
    path = fresh()
    client.get(path)
    heard, on_early, on_done = listeners()
    group = client.group()
    group.add("GET", path, cache_mode=CacheMode.CACHE_THEN_NETWORK, on_early=on_early, on_done=on_done)
    group.add("GET", path, cache_mode=CacheMode.CACHE_THEN_NETWORK)
    group.dispatch()
    assert [task.result().attempts for task in group.wait()] == [1, 1] and heard == FIRST_THE_CACHE
    assert group.progress.succeeded == 2


def test_first_what_is_stored_then_the_network_by_asyncio(peers: Peers, cache: Cache) -> None:
    async def run() -> None:
        async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
            path = fresh()
            await client.get(path)
            heard, on_early, on_done = listeners()
            mode = CacheMode.CACHE_THEN_NETWORK
            task = client.dispatch("GET", path, cache_mode=mode, on_early=on_early, on_done=on_done)
            assert (await task).attempts == 1 and heard == FIRST_THE_CACHE
            assert (await client.get(path, cache_mode=mode)).attempts == 1
            group = client.group()
            group.add("GET", path, cache_mode=mode, on_early=on_early, on_done=on_done)
            group.dispatch()
            await group.wait()
            assert heard == FIRST_THE_CACHE * 2

    asyncio.run(run())


def test_a_stored_redirect_is_followed(client: netcore.Client) -> None:
    path = "/redirect-chain/1"
    assert [client.get(path, cache_ttl=60).status_code for _ in range(2)] == [200, 200]
    statuses: List[int] = []
    task = client.dispatch(
        "GET",
        path,
        cache_ttl=60,
        cache_mode=CacheMode.CACHE_THEN_NETWORK,
        on_early=lambda _, response: statuses.append(response.status_code),
    )
    assert task.result().attempts == 1 and statuses == [200]


def is_running(task: netcore.Task) -> bool:
    return task.state is netcore.TaskState.RUNNING


def test_a_stored_redirect_to_what_is_not_stored(client: netcore.Client, stalled: str) -> None:
    path = "/status/302?Cache-Control=max-age%3D60&Location="
    for _ in range(2):
        response = client.get(f"{path}/headers%3FCache-Control%3Dno-store")
        assert (response.status_code, response.redirects, response.attempts) == (200, 1, 1)
    for _ in range(2):
        task = client.dispatch("GET", path + stalled)
        until(partial(is_running, task))
        time.sleep(0.05)
        task.cancel()
        with pytest.raises(netcore.Canceled) as caught:
            task.result(timeout=10)
        assert caught.value.attempts <= 1


# Responses that come early


def test_interim_answers(client: netcore.Client) -> None:
    statuses: List[int] = []

    def on_early(_: netcore.Task, response: netcore.Response) -> None:
        statuses.append(response.status_code)
        assert response.headers["link"] == "a" and not response.is_provisional

    path = "/status/103?Link=a"
    assert client.dispatch("GET", path, on_early=on_early, interim=True).result().status_code == 200
    assert statuses == [103]
    assert client.dispatch("GET", path, on_early=on_early).result().status_code == 200
    assert client.get(path, interim=True).status_code == 200
    assert statuses == [103]


def test_interim_answers_by_asyncio(peers: Peers) -> None:
    async def run() -> None:
        statuses: List[int] = []
        async with netcore.AsyncClient(base_url=peers.origin) as client:
            task = client.dispatch(
                "GET", "/status/103", interim=True, on_early=lambda _, response: statuses.append(response.status_code)
            )
            assert (await task).status_code == 200 and statuses == [103]
            assert (await client.get("/status/103", interim=True)).status_code == 200

    asyncio.run(run())


def test_an_exception_of_on_early_ends_the_task_and_is_raised(peers: Peers) -> None:
    ended: List[netcore.Task] = []
    with netcore.Client(base_url=peers.origin) as client:
        task = client.dispatch("GET", "/status/103", interim=True, on_early=lambda *_: 1 / 0, on_done=ended.append)
        with pytest.raises(ZeroDivisionError):
            task.result(timeout=10)
        assert ended == [task]


def test_a_task_canceled_by_on_early(client: netcore.Client, stalled: str) -> None:
    client.get(fresh(), cache_key="key")
    mode = CacheMode.CACHE_THEN_NETWORK
    task = client.dispatch("GET", stalled, cache_key="key", cache_mode=mode, on_early=lambda task, _: task.cancel())
    with pytest.raises(netcore.Canceled):
        task.result(timeout=10)


# Looking without sending


def test_what_is_stored_can_be_had_without_sending(client: netcore.Client, peers: Peers) -> None:
    path = fresh()
    assert client.get_cached("GET", path) is None
    assert client.cache_lookup("GET", path) == (None, CacheResult.NOT_CACHED)
    client.get(path)
    found = client.get_cached("GET", path)
    assert found is not None and found.cache_result is CacheResult.HIT and found.request.url == peers.origin + path
    response, result = client.cache_lookup("GET", path, cache_scope="other")
    assert (response, result) == (None, CacheResult.SCOPE)


@pytest.mark.parametrize("has_disk", [False, True])
def test_what_is_stored_can_be_had_without_sending_by_asyncio(peers: Peers, tmp_path: Path, has_disk: bool) -> None:
    async def run(cache: Cache) -> None:
        async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
            path = fresh()
            assert (await client.cache_lookup("GET", path)).result is CacheResult.NOT_CACHED
            await client.get(path)
            found = await client.get_cached("GET", path)
            assert found is not None and found.from_cache

    with Cache(tmp_path / "c" if has_disk else None) as cache:
        asyncio.run(run(cache))


# Looking after it


def test_clearing(peers: Peers, cache: Cache) -> None:
    with netcore.Client(cache=cache) as client:
        urls = [peers.origin + fresh() for _ in range(4)]
        filters = [{"url": urls[0] + "#fragment"}, {"prefix": urls[1]}, {"tag": "t"}, {"scope": "s"}]
        options: List[netcore.RequestOptions] = [{}, {}, {"tag": "t"}, {"cache_scope": "s"}]

        def stored() -> List[bool]:
            pairs = zip(urls, options)
            return [client.get_cached("GET", url, **option) is not None for url, option in pairs]

        for number, chosen in enumerate(filters):
            for url, option in zip(urls, options):
                client.get(url, **option)
            assert stored() == [True] * 4
            cache.clear(**chosen)
            assert stored() == [other != number for other in range(4)]
        cache.clear()
        assert stored() == [False] * 4


def test_statistics_and_entries(client: netcore.Client, cache: Cache, peers: Peers) -> None:
    path = fresh()
    response = client.get(path, tag="t", cache_scope="s")
    client.get(path, tag="t", cache_scope="s")
    statistics = cache.statistics
    assert (statistics.hits, statistics.misses, statistics.stored, statistics.memory_count) == (1, 1, 1, 1)
    assert statistics.saved_bytes == len(response.content)
    (entry,) = cache.entries()
    assert (entry.url, entry.tag, entry.scope) == (peers.origin + path, "t", "s")
    assert entry.body_size == len(response.content) and entry.size >= entry.body_size
    assert abs(datetime.now(timezone.utc) - entry.stored_at) < timedelta(seconds=30)
    assert timedelta(seconds=50) < entry.fresh_until - entry.stored_at <= timedelta(seconds=60)


def test_entries_that_are_fresh_for_ever(client: netcore.Client, cache: Cache) -> None:
    client.get("/headers?Cache-Control=max-age%3D99999999999999999999")
    (entry,) = cache.entries()
    assert entry.fresh_until > entry.stored_at + timedelta(days=10_000)


def test_entries_on_disk(peers: Peers, tmp_path: Path) -> None:
    with Cache(tmp_path / "c") as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        paths = [fresh() for _ in range(250)]
        for path in paths:
            client.get(path)
        cache.flush()
        assert sorted(entry.url for entry in cache.entries()) == sorted(peers.origin + path for path in paths)
        assert cache.statistics.disk_count == 250


def test_limits_evict(client: netcore.Client, cache: Cache) -> None:
    for _ in range(10):
        client.get(fresh())
    cache.set_limits(memory_count=3)
    assert cache.statistics.memory_count <= 3 and cache.statistics.memory_evictions >= 7


def test_a_limit_of_0_holds_nothing(peers: Peers) -> None:
    with Cache(memory_bytes=0) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        assert not client.get(path).from_cache and not client.get(path).from_cache


def test_what_is_on_disk_outlives_cache_and_process(peers: Peers, tmp_path: Path) -> None:
    program = """
        import netcore, sys
        cache = netcore.Cache(sys.argv[1])
        print(netcore.Client(cache=cache).get(sys.argv[2]).cache_result.name)
    """
    url = peers.origin + fresh()
    seen = []
    for _ in range(2):
        done = programs.run(program, str(tmp_path / "c"), url)  # nothing is closed
        assert done.returncode == 0 and not done.stderr, done.stderr
        seen.append(done.stdout.strip())
    with Cache(tmp_path / "c", synchronous=True) as cache, netcore.Client(cache=cache) as client:
        seen.append(client.get(url).cache_result.name)
        assert cache.statistics.disk_hits == 1
    assert seen == ["NOT_CACHED", "HIT", "HIT"]


def spoiled(folder: Path) -> Path:
    """A folder whose database is none."""
    Cache(folder).close()
    (database,) = folder.glob("*.db")
    database.write_bytes(b"no database" * 1000)
    return folder


def test_events(peers: Peers, tmp_path: Path) -> None:
    events: List[netcore.CacheEvent] = []
    with Cache(spoiled(tmp_path / "c"), on_event=events.append) as cache:
        with netcore.Client(base_url=peers.origin, cache=cache) as client:
            path = fresh()
            assert not client.get(path).from_cache and client.get(path).from_cache
    assert [event.kind for event in events] == [netcore.CacheEventKind.SET_ASIDE]
    assert Path(events[0].path).exists() and events[0].reason


@pytest.mark.parametrize("ending", ["", "/below"])
def test_a_file_as_the_folder_is_refused_by_its_name(tmp_path: Path, ending: str) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    with pytest.raises(netcore.InvalidRequest, match=f"folder: {file} is not a folder"):
        Cache(f"{file}{ending}")


def test_an_exception_of_on_event_is_raised_by_close(tmp_path: Path) -> None:
    cache = Cache(spoiled(tmp_path / "c"), on_event=lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        cache.close()
    cache.close()


# Functions of the request


def test_a_function_makes_the_key(peers: Peers) -> None:
    seen: List[netcore.CacheRequest] = []

    def key(request: netcore.CacheRequest) -> str:
        seen.append(request)
        return "long " * 1000 + request.headers.get("x-key", "none")

    url = peers.origin + fresh()
    with Cache(key=key) as cache, netcore.Client(cache=cache) as client:
        client.post(url + "#f", content=b"body", headers={"X-Key": "1"}, cache_ttl=60)
        assert client.get(peers.origin + fresh(), headers={"X-Key": "1"}, cache_ttl=60).from_cache
        assert not client.get(url, headers={"X-Key": "2"}, cache_ttl=60).from_cache
    assert (seen[0].method, seen[0].url, seen[0].content) == ("POST", url, b"body")
    assert len(seen) == 3


def test_a_key_of_none_is_the_usual_one(peers: Peers) -> None:
    with Cache(key=lambda _: None) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        assert not client.get(path).from_cache and client.get(path).from_cache and not client.get(fresh()).from_cache


def test_a_function_that_raises_ends_its_call_alone(peers: Peers) -> None:
    wrong: List[Any] = [KeyError("mine")]

    def key(request: netcore.CacheRequest) -> Any:
        if isinstance(wrong[0], BaseException):
            raise wrong[0]
        return wrong[0]

    async def by_asyncio(cache: Cache) -> None:
        async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
            with pytest.raises(KeyError):
                await client.get(fresh())
            with pytest.raises(KeyError):
                await client.get_cached("GET", fresh())

    with Cache(key=key) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        ended: List[netcore.Task] = []
        group = client.group()
        calls: List[Callable[[], Any]] = [
            lambda: client.get(fresh()),
            lambda: client.get(peers.refused),
            lambda: client.get_cached("GET", fresh()),
            lambda: client.dispatch("GET", fresh(), on_done=ended.append),
            lambda: group.add("GET", fresh(), on_done=ended.append),
        ]
        for call in calls:
            with pytest.raises(KeyError):
                call()
        asyncio.run(by_asyncio(cache))
        wrong[0] = 5
        with pytest.raises(TypeError, match="key: "):
            client.get(fresh())
        wrong[0] = "a\0b"
        with pytest.raises(netcore.InvalidRequest, match="key: "):
            client.get(fresh())
        wrong[0] = f"key {next(_numbers)}"
        assert client.get(fresh()).attempts == 1
        group.dispatch()
        group.wait()
        assert ended == []


def test_a_function_that_raises_for_a_redirect_is_heard_of_by_close(peers: Peers) -> None:
    def key(request: netcore.CacheRequest) -> None:
        if "redirect" not in request.url:
            raise KeyError("mine")

    cache = Cache(key=key)
    with netcore.Client(base_url=peers.origin, cache=cache) as client:
        assert client.get("/redirect/302?to=/echo").status_code == 200
    with pytest.raises(KeyError):
        cache.close()


def test_a_function_chooses_the_folder(peers: Peers, tmp_path: Path) -> None:
    def folder_for(request: netcore.CacheRequest) -> str:
        return str(tmp_path / request.headers["x-user"])

    with Cache(folder_for=folder_for) as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        for user in ("ann", "bob", "ann"):
            response = client.get(path, headers={"X-User": user})
        assert response.from_cache
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["ann", "bob"]
    with Cache(tmp_path / "bob") as cache:
        assert len(list(cache.entries())) == 1


# Decoded values


class Model:
    """What programs decode from a body."""

    alive = 0

    def __init__(self, response: netcore.Response) -> None:
        self.text = response.text
        Model.alive += 1

    def __del__(self) -> None:
        Model.alive -= 1


@pytest.fixture
def no_models() -> Iterator[None]:
    assert Model.alive == 0
    yield
    assert Model.alive == 0


@pytest.mark.usefixtures("no_models")
def test_an_answer_is_decoded_once(client: netcore.Client, cache: Cache) -> None:
    path = fresh()
    first = client.get(path).decoded(Model)
    assert client.get(path).decoded(Model) is first and client.get(path).cached_value is first
    assert first.text == client.get(path).text
    assert client.get(fresh()).cached_value is None
    cache.clear()
    assert client.get(path).decoded(Model) is not first
    cache.clear()


@pytest.mark.usefixtures("no_models")
@pytest.mark.parametrize(
    "end",
    [
        lambda client, cache: cache.clear(),
        lambda client, cache: cache.set_limits(memory_bytes=0),
        lambda client, cache: (client.close(), cache.close()),
        lambda client, cache: (cache.close(), client.close()),
    ],
)
def test_a_value_is_released_with_its_answer(
    client: netcore.Client, cache: Cache, end: Callable[[netcore.Client, Cache], object]
) -> None:
    path = fresh()
    client.get(path).decoded(Model)
    response = client.get(path)
    end(client, cache)
    assert Model.alive == 1 and response.cached_value is not None  # the response keeps it
    del response
    until(lambda: Model.alive == 0)


@pytest.mark.usefixtures("no_models")
def test_a_value_takes_the_place_of_the_one_before(client: netcore.Client, cache: Cache) -> None:
    path = fresh()
    response = client.get(path)
    for _ in range(1000):
        assert response.set_cached_value(Model(response), size=100)
    assert Model.alive == 1
    assert response.set_cached_value(None)
    assert Model.alive == 0
    assert client.get(path).decoded(lambda _: 5) is None


@pytest.mark.usefixtures("no_models")
def test_many_answers_many_values(client: netcore.Client, cache: Cache) -> None:
    cache.set_limits(memory_count=10)

    def work() -> None:
        for _ in range(50):
            client.get(fresh()).decoded(Model)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: Model.alive <= 10)
    cache.clear()
    until(lambda: Model.alive == 0)


def test_the_size_of_a_value_counts(client: netcore.Client, cache: Cache) -> None:
    before = client.get(fresh()), cache.statistics.memory_bytes
    before[0].set_cached_value("x", size=1_000_000)
    assert cache.statistics.memory_bytes == before[1] + 1_000_000


def test_a_response_that_is_not_stored_keeps_its_value(client: netcore.Client) -> None:
    response = client.get(uncacheable())
    assert not response.set_cached_value(5) and response.cached_value is None
    lock = response.decoded(lambda _: threading.Lock())
    assert response.decoded(lambda _: threading.Lock()) is lock
    assert pickle.loads(pickle.dumps(response)).decoded(lambda _: 5) == 5


def test_a_response_of_the_cache_travels_without_its_answer(client: netcore.Client) -> None:
    path = fresh()
    client.get(path).decoded(lambda _: "value")
    copied = pickle.loads(pickle.dumps(client.get(path)))
    assert copied.from_cache and copied.headers["x-number"] and copied.cached_value is None


# Together


def test_two_clients_share_a_cache(peers: Peers, cache: Cache) -> None:
    async def run(path: str) -> None:
        async with netcore.AsyncClient(base_url=peers.origin, cache=cache) as client:
            assert (await client.get(path)).from_cache

    with netcore.Client(base_url=peers.origin, cache=cache) as client:
        path = fresh()
        client.get(path)
        asyncio.run(run(path))


def test_identical_misses_send_one_request(peers: Peers, client: netcore.Client) -> None:
    path = "/delay/203"
    before = received(peers.origin, path)
    tasks = [client.dispatch("GET", path, cache_ttl=60) for _ in range(10)]
    assert {task.result().status_code for task in tasks} == {200}
    assert received(peers.origin, path) == before + 1


def test_a_cache_may_be_used_inside_callbacks(client: netcore.Client, cache: Cache) -> None:
    path = fresh()
    client.get(path)
    seen: List[Any] = []

    def use(*_: Any) -> None:
        seen.append((cache.statistics.hits, len(list(cache.entries())), client.get(path).decoded(lambda _: 1)))
        cache.clear(prefix="http")
        cache.flush()
        assert client.get_cached("GET", path) is None
        client.get(path)

    mode = CacheMode.CACHE_THEN_NETWORK
    client.dispatch("GET", path, cache_mode=mode, on_early=use, on_done=use).result(timeout=10)
    assert len(seen) == 2
    client.dispatch("GET", path, on_done=lambda _: cache.close()).result(timeout=10)
    assert cache.is_closed


def test_a_closed_cache(peers: Peers, cache: Cache) -> None:
    uses: List[Callable[[], object]] = [
        cache.clear,
        cache.entries,
        cache.flush,
        lambda: cache.statistics,
        lambda: cache.set_limits(memory_bytes=5),
        lambda: netcore.Client(cache=cache),
    ]
    with netcore.Client(base_url=peers.origin, cache=cache) as client:
        cache.close()
        cache.close()
        for use in uses:
            with pytest.raises(netcore.StateError, match="the cache is closed"):
                use()
        path = fresh()
        assert not client.get(path).from_cache and client.get(path).from_cache  # the client keeps it


@pytest.mark.parametrize(
    "program",
    [
        "client.get(url).set_cached_value(object())",
        "response = client.get(url); response.set_cached_value(Loud())",
        "client.get(url); client.dispatch('GET', url, cache_mode=netcore.CacheMode.CACHE_THEN_NETWORK, on_early=print)",
        "client.dispatch('GET', url, interim=True, on_early=lambda *_: time.sleep(0.01)); sys.exit(0)",
        "def use():\n"
        "    with contextlib.suppress(netcore.Error):\n"
        "        while True: client.get(url).decoded(Loud); cache.clear()\n"
        "threading.Thread(target=use, daemon=True).start()\n"
        "time.sleep(0.1)",
        "def use():\n"
        "    with contextlib.suppress(netcore.Error):\n"
        "        while True:\n"
        "            hop = url.replace('headers?', 'status/302?Location=/echo&')\n"
        "            client.get(hop, cache_ttl=9).decoded(Loud)\n"
        "            client.dispatch('GET', hop, on_early=print, on_done=lambda task: task.done())\n"
        "for _ in range(3): threading.Thread(target=use, daemon=True).start()\n"
        "time.sleep(0.1)",
        "client = netcore.AsyncClient(cache=cache)\nasync def go(): await client.get(url)\nasyncio.run(go())",
    ],
)
def test_the_interpreter_exits_with_a_cache_open(peers: Peers, tmp_path: Path, program: str) -> None:
    head = """
import asyncio, contextlib, netcore, sys, threading, time
class Loud:
    def __init__(self, *_): pass
    def __del__(self): len([self])
cache = netcore.Cache(sys.argv[2], key=lambda request: None, on_event=print)
client = netcore.Client(cache=cache)
url = sys.argv[1]
"""
    began = time.monotonic()
    done = programs.run(head + program, peers.origin + fresh(), str(tmp_path / "c"))
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - began < 10
    events: List[netcore.CacheEvent] = []
    with Cache(tmp_path / "c", on_event=events.append) as cache:
        assert {urlsplit(entry.url).netloc for entry in cache.entries()} <= {urlsplit(peers.origin).netloc}
    assert events == []


def test_a_forked_child_has_caches_of_its_own(peers: Peers) -> None:
    program = """
        import netcore, os, sys
        cache = netcore.Cache()
        client = netcore.Client(cache=cache)
        response = client.get(sys.argv[1])
        response.set_cached_value("value")
        child = os.fork()
        if child == 0:
            for use in (cache.clear, lambda: netcore.Client(cache=cache), lambda: cache.statistics):
                try:
                    use()
                except netcore.StateError as error:
                    assert error.name == "NETCORE_ERR_FORKED"
                else:
                    raise AssertionError("no StateError")
            assert response.cached_value is None and response.decoded(lambda _: 5) == 5
            with netcore.Cache() as own, netcore.Client(cache=own) as client:
                print([client.get(sys.argv[1]).from_cache for _ in range(2)])
            sys.exit(0)
        _, status = os.waitpid(child, 0)
        assert status == 0 and response.cached_value == "value" and client.get(sys.argv[1]).from_cache
    """
    done = programs.run(program, peers.origin + fresh())
    assert (done.stdout.strip(), done.returncode) == ("[False, True]", 0), done.stderr


# What is not allowed


@pytest.mark.parametrize(
    "options, error",
    [
        ({"folder": 5}, TypeError),
        ({"folder": ""}, netcore.InvalidRequest),
        ({"folder": "a\0b"}, netcore.InvalidRequest),
        ({"shared": 1}, TypeError),
        ({"ttl_only": "yes"}, TypeError),
        ({"synchronous": None}, TypeError),
        ({"stale_when_disconnected": 1}, TypeError),
        ({"rules": 5}, TypeError),
        ({"rules": ["*"]}, TypeError),
        ({"rules": {5: 1}}, TypeError),
        ({"rules": {"*": "60"}}, TypeError),
        ({"rules": {"*": -1}}, netcore.InvalidRequest),
        ({"rules": {"a\0b": 1}}, netcore.InvalidRequest),
        ({"memory_bytes": -1}, netcore.InvalidRequest),
        ({"memory_count": 1.5}, TypeError),
        ({"disk_bytes": "1"}, TypeError),
        ({"disk_count": 2**64}, netcore.InvalidRequest),
        ({"application_version": 5}, TypeError),
        ({"application_version": "a\0b"}, netcore.InvalidRequest),
        ({"key": "x"}, TypeError),
        ({"folder_for": 5}, TypeError),
        ({"on_event": []}, TypeError),
    ],
)
def test_options_of_a_cache_that_are_not_allowed(options: Any, error: Any) -> None:
    with pytest.raises(error, match=next(iter(options))):
        Cache(**options)


@pytest.mark.parametrize(
    "options, error",
    [
        ({"cache_mode": 1}, TypeError),
        ({"cache_mode": "reload"}, TypeError),
        ({"cache_ttl": "60"}, TypeError),
        ({"cache_ttl": True}, TypeError),
        ({"cache_ttl": -1}, netcore.InvalidRequest),
        ({"cache_ttl": float("nan")}, netcore.InvalidRequest),
        ({"cache_ttl": float("inf")}, netcore.InvalidRequest),
        ({"cache_ttl": timedelta(days=-1)}, netcore.InvalidRequest),
        ({"cache_scope": 5}, TypeError),
        ({"cache_scope": "a\0b"}, netcore.InvalidRequest),
        ({"cache_version": "1"}, TypeError),
        ({"cache_version": -1}, netcore.InvalidRequest),
        ({"cache_version": 2**32}, netcore.InvalidRequest),
        ({"cache_key": b"x"}, TypeError),
        ({"cache_key": "\ud800"}, netcore.InvalidRequest),
        ({"cache_key_fields": "Accept"}, TypeError),
        ({"cache_key_fields": [5]}, TypeError),
        ({"cache_key_fields": ["a b"]}, netcore.InvalidRequest),
    ],
)
def test_options_of_a_request_that_are_not_allowed(client: netcore.Client, options: Any, error: Any) -> None:
    for call in (client.request, client.dispatch, client.get_cached, client.group().add):
        with pytest.raises(error, match=next(iter(options))):
            call("GET", fresh(), **options)


def test_other_arguments_that_are_not_allowed(client: netcore.Client, cache: Cache) -> None:
    wrong: Any = 5
    response = client.get(fresh())
    calls: List[Tuple[str, type, Callable[[], object]]] = [
        ("cache", TypeError, lambda: netcore.Client(cache=wrong)),
        ("on_early", TypeError, lambda: client.dispatch("GET", "/echo", on_early=wrong)),
        ("url", TypeError, lambda: cache.clear(url=wrong)),
        ("url", netcore.InvalidRequest, lambda: cache.clear(url="/relative")),
        ("prefix", netcore.InvalidRequest, lambda: cache.clear(prefix="a\0b")),
        ("only one", netcore.InvalidRequest, lambda: cache.clear(tag="a", scope="b")),
        ("memory_bytes", netcore.InvalidRequest, lambda: cache.set_limits(memory_bytes=-1)),
        ("disk_count", TypeError, lambda: cache.set_limits(disk_count=wrong / 2)),
        ("size", TypeError, lambda: response.set_cached_value(1, size=wrong / 2)),
        ("size", netcore.InvalidRequest, lambda: response.set_cached_value(1, size=-1)),
    ]
    for name, error, call in calls:
        with pytest.raises(error, match=name):
            call()
