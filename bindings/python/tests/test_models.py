"""Models: what the JSON of a body is decoded to."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import Any, Dict, List, Literal, Optional, Set, Tuple, TypedDict, Union, cast

import pytest

import netcore


class Color(enum.Enum):
    RED = "red"


@dataclass
class Owner:
    user_name: str
    age: Optional[int] = None


@dataclass
class Item:
    id: int
    owner: Owner
    tags: List[str] = field(default_factory=list)
    price: float = field(default=0.0, metadata={"json": "PRICE"})


class Row(TypedDict):
    row_id: int


class Page(Row, total=False):
    items: List[Item]


def answer(body: str) -> netcore.Response:
    return netcore.Response(content=body)


GOOD: List[Any] = [
    ("7", int, 7),
    ("7.0", int, 7),
    ("7", float, 7.0),
    ("null", Optional[int], None),
    ('"a"', Union[int, str], "a"),
    ("[1, null]", List[Optional[int]], [1, None]),
    ('["a", 1]', Tuple[str, int], ("a", 1)),
    ("[1, 2]", Tuple[int, ...], (1, 2)),
    ("[1, 1]", Set[int], {1}),
    ('{"a": [true]}', Dict[str, List[bool]], {"a": [True]}),
    ('{"a": 1}', Dict, {"a": 1}),
    ('{"a": 1}', dict, {"a": 1}),
    ('[1, "a"]', list, [1, "a"]),
    ('"red"', Color, Color.RED),
    ('"b"', Literal["a", "b"], "b"),
    ('"2026-11-23T04:05:06Z"', datetime, datetime(2026, 11, 23, 4, 5, 6, tzinfo=timezone.utc)),
    ('"2026-11-23"', date, date(2026, 11, 23)),
    ('{"user_name": "Ada", "more": 1}', Owner, Owner("Ada")),
    ('{"id": 1, "owner": {"user_name": "Ada"}, "PRICE": 2}', Item, Item(1, Owner("Ada"), [], 2.0)),
    ('{"row_id": 1}', Page, {"row_id": 1}),
    ('{"a": 1}', Any, {"a": 1}),
]


@pytest.mark.parametrize("body, kind, expected", GOOD)
def test_what_bodies_become(body: str, kind: Any, expected: Any) -> None:
    found = answer(body).decode(kind)
    assert found == expected and type(found) is type(expected)


WRONG: List[Any] = [
    ("true", int, "", "integer expected, boolean found"),
    ("7.5", int, "", "integer expected, number found"),
    ('"7"', float, "", "number expected, string found"),
    ("null", int, "", "integer expected, null found"),
    ("{}", List[int], "", "array expected, object found"),
    ('[1, "a"]', List[int], "/1", "integer expected, string found"),
    ("[1]", Tuple[int, int], "", "2 elements expected, 1 found"),
    ('{"a/b": "c"}', Dict[str, int], "/a~1b", "integer expected"),
    ('"blue"', Color, "", "blue"),
    ('"c"', Literal["a", "b"], "", "one of 'a', 'b' expected"),
    ('"soon"', datetime, "", "ISO 8601"),
    ("[]", Owner, "", "object expected, array found"),
    ("{}", Owner, "/user_name", "missing"),
    ('{"id": 1, "owner": {"user_name": "Ada", "age": "x"}}', Item, "/owner/age", "integer expected, string found"),
    ('{"row_id": 1, "items": [{}]}', Page, "/items/0/id", "missing"),
    ("", Owner, "", "it is empty"),
    ("<html>", Owner, "", "not JSON"),
]


@pytest.mark.parametrize("body, kind, pointer, message", WRONG)
def test_what_does_not_fit_is_an_error(body: str, kind: Any, pointer: str, message: str) -> None:
    response = answer(body)
    with pytest.raises(netcore.ModelError) as info:
        response.decode(kind)
    assert info.value.pointer == pointer and message in str(info.value)
    assert info.value.response is response and isinstance(info.value, (ValueError, netcore.JSONRejected))


def test_names_of_fields_follow_a_strategy() -> None:
    assert answer('{"userName": "Ada"}').decode(Owner, rename="camel") == Owner("Ada")
    assert answer('{"UserName": "Ada"}').decode(Owner, rename="pascal") == Owner("Ada")
    assert answer('{"user-name": "Ada"}').decode(Owner, rename="kebab") == Owner("Ada")
    assert answer('{"USER_NAME": "Ada"}').decode(Owner, rename=str.upper) == Owner("Ada")
    assert answer('{"rowId": 1}').decode(Page, rename="camel") == {"row_id": 1}
    with pytest.raises(netcore.ModelError) as info:
        answer('{"user_name": "Ada"}').decode(Owner, rename="camel")
    assert info.value.pointer == "/userName"
    with pytest.raises(netcore.InvalidRequest, match="rename"):
        answer("{}").decode(Owner, rename="snake")


def test_what_is_no_type_of_json() -> None:
    for kind in (bytes, object(), "Owner"):
        with pytest.raises(TypeError):
            answer("{}").decode(kind)


def test_an_answer_is_decoded_once() -> None:
    response = answer('{"user_name": "Ada"}')
    assert response.decode(Owner) is response.decode(Owner)
    assert response.decode(Dict[str, str]) == {"user_name": "Ada"}
    assert response.decode(Owner) is response.decode(Owner)
    transport = netcore.MockTransport(
        lambda request: netcore.Response(content='{"user_name": "Ada"}', headers={"Cache-Control": "max-age=60"})
    )
    with netcore.Cache() as cache, netcore.Client(transport=transport, cache=cache) as client:
        first = client.get("http://app.test/").decode(Owner)
        second = client.get("http://app.test/")
        assert second.from_cache and second.decode(Owner) is first and second.cached_value is first


def test_models_of_pydantic() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Model", id=(int, ...))
    listed: Any = cast(Any, List)[model]
    assert answer('[{"id": 1}]').decode(listed)[0].id == 1
    with pytest.raises(netcore.ModelError) as info:
        answer('[{"id": 1}, {"id": "x"}]').decode(listed)
    assert info.value.pointer == "/1" and isinstance(info.value.__cause__, pydantic.ValidationError)


def test_models_of_msgspec() -> None:
    msgspec = pytest.importorskip("msgspec")
    model = msgspec.defstruct("Model", [("id", int)])
    listed: Any = cast(Any, List)[model]
    assert answer('[{"id": 1}]').decode(listed)[0].id == 1
    with pytest.raises(netcore.ModelError) as info:
        answer('{"id": "x"}').decode(model)
    assert info.value.pointer == "" and isinstance(info.value.__cause__, msgspec.ValidationError)
