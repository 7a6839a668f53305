"""The text of an answer by its charset: the table of cases that all doors share."""

from __future__ import annotations

import pytest

import netcore
from test_cases import read

CASES = read("text.tsv")


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_table_of_cases(case: list[str]) -> None:
    _, content_type, body, text = case

    def serve(request: netcore.Request) -> netcore.Response:
        return netcore.Response(headers={"Content-Type": content_type}, content=bytes.fromhex(body))

    with netcore.Client(transport=serve) as client:
        assert client.get("http://app.test/").text == text
