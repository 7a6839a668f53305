"""What is written from the headers (scripts/generate) is committed as it would be written now."""

from __future__ import annotations

import generating


def test_what_is_committed_is_what_the_headers_write() -> None:
    assert generating.outputs.differences() == "", (
        "run scripts/generate; a change of abi.txt needs a line in CHANGELOG.md"
    )
