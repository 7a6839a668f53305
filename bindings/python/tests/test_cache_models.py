"""What answers in a cache were decoded to."""

from __future__ import annotations

import pickle
import threading
from typing import Callable, Iterator

import pytest

import netcore
from cached import fresh, uncacheable
from netcore import Cache
from peers import until


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
def test_an_answer_is_decoded_once(caching_client: netcore.Client, cache: Cache) -> None:
    path = fresh()
    first = caching_client.get(path).decoded(Model)
    assert caching_client.get(path).decoded(Model) is first and caching_client.get(path).cached_value is first
    assert first.text == caching_client.get(path).text
    assert caching_client.get(fresh()).cached_value is None
    cache.clear()
    assert caching_client.get(path).decoded(Model) is not first
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
    caching_client: netcore.Client, cache: Cache, end: Callable[[netcore.Client, Cache], object]
) -> None:
    path = fresh()
    caching_client.get(path).decoded(Model)
    response = caching_client.get(path)
    end(caching_client, cache)
    assert Model.alive == 1 and response.cached_value is not None  # the response keeps it
    del response
    until(lambda: Model.alive == 0)


@pytest.mark.usefixtures("no_models")
def test_a_value_takes_the_place_of_the_one_before(caching_client: netcore.Client, cache: Cache) -> None:
    path = fresh()
    response = caching_client.get(path)
    for _ in range(1000):
        assert response.set_cached_value(Model(response), size=100)
    assert Model.alive == 1
    assert response.set_cached_value(None)
    assert Model.alive == 0
    assert caching_client.get(path).decoded(lambda _: 5) is None


@pytest.mark.usefixtures("no_models")
def test_many_answers_many_values(caching_client: netcore.Client, cache: Cache) -> None:
    cache.set_limits(memory_count=10)

    def work() -> None:
        for _ in range(50):
            caching_client.get(fresh()).decoded(Model)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: Model.alive <= 10)
    cache.clear()
    until(lambda: Model.alive == 0)


def test_the_size_of_a_value_counts(caching_client: netcore.Client, cache: Cache) -> None:
    before = caching_client.get(fresh()), cache.statistics.memory_bytes
    before[0].set_cached_value("x", size=1_000_000)
    assert cache.statistics.memory_bytes == before[1] + 1_000_000


def test_a_response_that_is_not_stored_keeps_its_value(caching_client: netcore.Client) -> None:
    response = caching_client.get(uncacheable())
    assert not response.set_cached_value(5) and response.cached_value is None
    lock = response.decoded(lambda _: threading.Lock())
    assert response.decoded(lambda _: threading.Lock()) is lock
    assert pickle.loads(pickle.dumps(response)).decoded(lambda _: 5) == 5


def test_a_response_of_the_cache_travels_without_its_answer(caching_client: netcore.Client) -> None:
    path = fresh()
    caching_client.get(path).decoded(lambda _: "value")
    copied = pickle.loads(pickle.dumps(caching_client.get(path)))
    assert copied.from_cache and copied.headers["x-number"] and copied.cached_value is None
