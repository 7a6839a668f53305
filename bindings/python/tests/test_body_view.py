"""The body of a response without a copy."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any, List

import pytest

import netcore
from netcore._responses.held import LEAST_HELD, HeldBody
from peers import Peers, until

SIZES = [0, 1, LEAST_HELD - 1, LEAST_HELD, 1_000_000]


@pytest.mark.parametrize("size", SIZES)
def test_a_view_has_the_bytes_of_the_body(client: netcore.Client, size: int) -> None:
    response = client.get(f"/bytes/{size}")
    view = response.body_view()
    assert (view.readonly, view.format, view.nbytes) == (True, "B", size)
    assert view == response.content == response.body_view() and len(response.content) == size
    assert response.text == response.content.decode("utf-8", "replace")


def test_a_view_outlives_its_response_and_client(peers: Peers) -> None:
    views: List[memoryview] = []
    expected: List[bytes] = []
    for _ in range(3):
        with netcore.Client(base_url=peers.origin) as client:
            response = client.get("/bytes/300000")
            views.append(response.body_view()[100:])
            expected.append(response.content[100:])
            del response
    gc.collect()
    assert [bytes(view) for view in views] == expected


def test_a_body_goes_with_its_last_view(client: netcore.Client) -> None:
    response = client.get("/bytes/300000")
    held: Any = response._body
    assert isinstance(held, HeldBody)
    ended: List[int] = []
    weakref.finalize(held._answer, ended.append, 1)
    view = response.body_view()
    assert len(response.content) == 300_000  # a copy, which the response has from now on
    del response, held
    gc.collect()
    assert not ended
    del view
    until(lambda: ended == [1])


def test_copies_of_a_response_have_the_body(client: netcore.Client) -> None:
    for read_before in (False, True):
        response = client.get("/bytes/300000")
        expected = bytes(response.body_view())
        assert not read_before or response.content
        for copied in (copy.copy(response), copy.deepcopy(response), pickle.loads(pickle.dumps(response))):
            assert copied.content == copied.body_view() == expected


def test_a_view_of_a_stored_answer(peers: Peers) -> None:
    with netcore.Cache() as cache, netcore.Client(base_url=peers.origin, cache=cache) as client:
        first = client.get("/bytes/300000", cache_ttl=60)
        second = client.get("/bytes/300000", cache_ttl=60)
        view = second.body_view()
        assert second.from_cache and view == first.content
        cache.clear()
        assert view == first.content
    assert view == first.content
