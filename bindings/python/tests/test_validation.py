"""What an answer must be like to be a success."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest

import netcore
from test_cases import read

CASES = [line for line in read("validation.tsv")]


def given(text: str) -> Any:
    return None if text == "-" else text


def options_of(statuses: str, types: str, shape: str) -> dict[str, Any]:
    found = {"accept_statuses": given(statuses), "accept_content_types": given(types), "json_shape": given(shape)}
    if found["accept_content_types"] is not None:
        found["accept_content_types"] = types.split(",")
    return found


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_table_of_cases(case: list[str]) -> None:
    _, statuses, types, shape, code, kind, body, outcome, pointer = case
    answer = netcore.Response(
        int(code), headers={} if kind == "-" else {"Content-Type": kind}, content=given(body) or ""
    )

    def serve(request: netcore.Request) -> netcore.Response:
        return answer

    with netcore.Client(transport=serve) as client:
        try:
            response = client.get("http://app.test/", **options_of(statuses, types, shape))
            assert outcome == "NETCORE_OK"
        except netcore.ResponseRejected as error:
            assert error.name == outcome
            if isinstance(error, netcore.JSONRejected):
                assert error.pointer == ("" if pointer == "/" else pointer)
            assert error.response is not None
            response = error.response
    assert (response.status_code, response.text) == (int(code), given(body) or "")


DIGESTS = [line for line in read("digests.tsv")]


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("case", DIGESTS, ids=[case[0] for case in DIGESTS])
def test_the_table_of_digests(case: list[str], is_streamed: bool) -> None:
    _, sha256, code, fields, body, outcome, digest = case
    headers = dict(field.split(": ") for field in fields.split("|")) if fields != "-" else {}
    answer = netcore.Response(int(code), headers=headers, content=given(body) or "")
    checked = True if sha256 == "server" else given(sha256)
    with netcore.Client(transport=lambda request: answer) as client:
        try:
            if is_streamed:
                with client.stream("GET", "http://app.test/", body_sha256=checked) as streamed:
                    streamed.read()
                    told = streamed.body_sha256
            else:
                told = client.get("http://app.test/", body_sha256=checked).body_sha256
            assert outcome == "NETCORE_OK"
            assert told == given(digest)
        except netcore.IntegrityError as error:
            assert outcome == error.name
            if not is_streamed:
                assert error.response is not None and error.response.text == (given(body) or "")
                assert error.response.body_sha256 == given(digest)


def test_a_download_takes_the_digest_of_its_client(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"hello").hexdigest()
    with netcore.Client(transport=answering(body="hello"), body_sha256=True) as client:
        assert client.download("http://app.test/", tmp_path / "file").sha256 == digest
        assert client.get("http://app.test/").body_sha256 == digest
        assert client.get("http://app.test/", body_sha256=None).body_sha256 is None


class Gone(Exception):
    pass


def answering(status: int = 200, body: str = "{}") -> netcore.MockTransport:
    return netcore.MockTransport(
        lambda request: netcore.Response(status, content=body, headers={"Cache-Control": "max-age=60"})
    )


def reject(response: netcore.Response) -> None:
    raise Gone(response.text)


def refuse(response: netcore.Response) -> None:
    raise netcore.Refused(2007, "sold out")


def test_what_a_function_raises_is_the_cause() -> None:
    with netcore.Client(transport=answering(), validate=reject) as client:
        with pytest.raises(netcore.ResponseRejected, match=r"Gone: \{\}") as info:
            client.get("http://app.test/")
        assert isinstance(info.value.__cause__, Gone) and info.value.response is not None
        assert client.get("http://app.test/", validate=None).status_code == 200


def test_a_function_gives_a_status_and_a_message() -> None:
    with netcore.Client(transport=answering()) as client:
        with pytest.raises(netcore.ResponseRejected, match="sold out") as info:
            client.get("http://app.test/", validate=refuse)
        assert (info.value.status, info.value.native_code) == (2007, 0)


def test_a_function_may_return_false() -> None:
    with netcore.Client(transport=answering()) as client:
        with pytest.raises(netcore.ResponseRejected):
            client.get("http://app.test/", validate=lambda response: response.status_code == 201)
        assert client.get("http://app.test/", validate=lambda response: True).status_code == 200


def test_a_task_and_asyncio_have_the_answer_too() -> None:
    with netcore.Client(transport=answering(404, "gone"), accept_statuses=True) as client:
        task = client.dispatch("GET", "http://app.test/")
        with pytest.raises(netcore.StatusRejected) as info:
            task.result()
        assert info.value.response is not None and info.value.response.text == "gone"

    async def run() -> str:
        async with netcore.AsyncClient(transport=answering(404, "gone"), accept_statuses=range(200, 300)) as client:
            try:
                await client.get("http://app.test/")
            except netcore.StatusRejected as error:
                assert error.response is not None
                return error.response.text
        return ""

    assert asyncio.run(run()) == "gone"


def test_nulls_are_dropped_from_what_is_delivered_only() -> None:
    with netcore.Cache() as cache:
        with netcore.Client(transport=answering(body='{"a": null, "b": [null]}'), cache=cache) as client:
            assert client.get("http://app.test/", drop_nulls=True).json() == {"b": [None]}
            found = client.get("http://app.test/")
            assert found.from_cache and found.json() == {"a": None, "b": [None]}
            found = client.get("http://app.test/", drop_nulls=True)
            assert found.from_cache and found.text == '{"b":[null]}'


WRONG: list[Any] = [
    ({"accept_statuses": "2yy"}, netcore.InvalidRequest),
    ({"accept_statuses": []}, netcore.InvalidRequest),
    ({"accept_statuses": range(300, 200)}, netcore.InvalidRequest),
    ({"accept_statuses": 2.5}, TypeError),
    ({"accept_statuses": [None]}, TypeError),
    ({"accept_content_types": "text"}, netcore.InvalidRequest),
    ({"accept_content_types": 5}, TypeError),
    ({"json_shape": {"a": "text"}}, netcore.InvalidRequest),
    ({"json_shape": "{"}, netcore.InvalidRequest),
    ({"body_sha256": "12"}, netcore.InvalidRequest),
    ({"body_sha256": ""}, netcore.InvalidRequest),
    ({"body_sha256": 5}, TypeError),
    ({"json_shape": 5}, TypeError),
    ({"validate": 5}, TypeError),
    ({"drop_nulls": 1}, TypeError),
]


@pytest.mark.parametrize("options, error", WRONG)
def test_options_that_cannot_be(options: Any, error: Any) -> None:
    with netcore.Client() as client:
        with pytest.raises(error, match=next(iter(options))):
            client.get("http://app.test/", **options)
