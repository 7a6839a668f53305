"""Errors for people: application codes, error tables, and the catalogue."""

from __future__ import annotations

from typing import Any, Iterator, List, Optional

import pytest

import netcore
from test_cases import read

CASES = read("errors.tsv")
CODES = read("codes.tsv")


def given(text: str) -> Optional[str]:
    return None if text == "-" else text


def rows_of(text: str) -> List[netcore.ErrorRow]:
    rows = [row.split(" ", 3) for row in text.split(" ;; ")] if text != "-" else []
    return [
        netcore.ErrorRow(int(code), given(value), int(status), given(message)) for code, value, status, message in rows
    ]


def answering(status: int, body: str = "") -> netcore.Client:
    return netcore.Client(transport=lambda request: netcore.Response(status, content=body))


@pytest.fixture
def listed() -> Iterator[None]:
    netcore.set_user_message(1999, "From the catalogue.")
    yield
    netcore.set_user_message(1999, None)


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_table_of_cases(case: List[str]) -> None:
    _, accepted, code, message, success, rows, status, body, outcome, application_code, text = case
    table = netcore.ErrorTable(
        rows_of(rows),
        code=given(code),
        message=given(message),
        success=[] if success == "-" else success.split(","),
    )
    with answering(int(status), given(body) or "") as client:
        try:
            client.get("http://app.test/", errors=table, accept_statuses=given(accepted))
            assert (outcome, application_code) == ("OK", "0")
        except netcore.ResponseRejected as error:
            assert error.name == f"NETCORE_ERR_{outcome}"
            assert error.application_code == int(application_code)
            assert error.user_message == text
            assert error.response is not None and error.response.text == (given(body) or "")
            assert isinstance(error, netcore.APIError) == (outcome == "REJECTED_CODE")


@pytest.mark.parametrize("case", CODES, ids=[" ".join(case[:2]) for case in CODES])
def test_the_general_codes(case: List[str]) -> None:
    status, http_status, name, number = case
    error = netcore.Error(status=getattr(netcore._c.ffi, f"ERR_{status}"), native_code=int(http_status))
    if status == "HTTP_STATUS":
        error = netcore.HTTPStatusError(status=error.status)
        error.response = netcore.Response(int(http_status))
    assert error.application_code == int(number) == netcore.ApplicationCode[name]
    assert error.user_message == netcore.user_message(int(number))


def test_messages_are_replaced_and_come_back() -> None:
    default = netcore.user_message(netcore.ApplicationCode.CANNOT_CONNECT)
    netcore.set_user_message(netcore.ApplicationCode.CANNOT_CONNECT, "Kein Server ({code}).")
    try:
        with netcore.Client() as client, pytest.raises(netcore.ConnectError) as raised:
            client.get("http://127.0.0.1:1/")
        assert raised.value.application_code == netcore.ApplicationCode.CANNOT_CONNECT
        assert raised.value.user_message == "Kein Server (3)."
    finally:
        netcore.set_user_message(netcore.ApplicationCode.CANNOT_CONNECT, None)
    assert netcore.user_message(netcore.ApplicationCode.CANNOT_CONNECT) == default
    assert netcore.user_message(1997) is None


def test_errors_that_python_raises_have_codes_too() -> None:
    with answering(404, "x") as client:
        response = client.get("http://app.test/")
        with pytest.raises(netcore.HTTPStatusError) as status:
            response.raise_for_status()
        with pytest.raises(netcore.ModelError) as model:
            response.decode(int)
        with pytest.raises(netcore.InvalidURL) as url:
            client.get("ftp://x")
    codes = [raised.value.application_code for raised in (status, model, url)]
    assert codes == [
        netcore.ApplicationCode.NOT_FOUND,
        netcore.ApplicationCode.INVALID_ANSWER,
        netcore.ApplicationCode.INVALID_REQUEST,
    ]
    assert status.value.user_message == "This was not found."


def refuse(request: netcore.FilterRequest) -> None:
    raise netcore.Refused(2345, "Log in first.")


def test_a_status_of_the_application_is_its_own_code() -> None:
    with answering(200) as client, pytest.raises(netcore.Refused) as raised:
        client.get("http://app.test/", filter=refuse)
    assert raised.value.status == raised.value.application_code == 2345
    assert raised.value.user_message == "Log in first."


def test_a_table_of_the_client_is_for_all_its_requests() -> None:
    table = netcore.ErrorTable([netcore.ErrorRow(1404, status=404, message="Gone.")])
    transport = netcore.MockTransport(lambda request: netcore.Response(404))
    with netcore.Client(transport=transport, errors=table) as client:
        with pytest.raises(netcore.APIError, match="says that something failed") as raised:
            client.get("http://app.test/")
        assert (raised.value.application_code, raised.value.user_message) == (1404, "Gone.")
        assert client.get("http://app.test/", errors=None).status_code == 404


@pytest.mark.parametrize(
    ("rows", "fields", "message"),
    [
        ([(999, None, 404)], {}, "code"),
        ([(1001,)], {}, "value"),
        ([(1001, "7")], {}, "value"),
        ([(1001, None, 99)], {}, "http_status"),
        ([(1001, "7"), (1002, "7")], {"code": "/c"}, "code"),
        ([(1001, "7", 0, "A"), (1001, "8", 0, "B")], {"code": "/c"}, "message"),
        ([], {"code": "c"}, "code"),
        ([], {"success": [0]}, "success"),
    ],
)
def test_what_is_refused(rows: Any, fields: Any, message: str) -> None:
    with pytest.raises(netcore.InvalidRequest, match=f"^{message}: "):
        netcore.ErrorTable(rows, **fields)
