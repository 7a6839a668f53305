"""The modules of scripts/generating, for the tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/generating"))
import headers
import outputs
import snapshot


def describe() -> str:
    """The ABI of the headers, in the form of abi.txt."""
    return snapshot.text(headers.read())


__all__ = ["describe", "headers", "outputs"]
