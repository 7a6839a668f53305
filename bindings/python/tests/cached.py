"""Paths of answers that a cache stores, and of such that it does not; keys."""

from __future__ import annotations

import itertools

_numbers = itertools.count(1)


def fresh() -> str:
    """The path of an answer that is fresh for a minute, of its own URL."""
    return f"/headers?Cache-Control=max-age%3D60&X-Number={next(_numbers)}"


def uncacheable() -> str:
    return f"/headers?Cache-Control=no-store&X-Number={next(_numbers)}"


def new_key() -> str:
    """A `cache_key` of its own."""
    return f"key {next(_numbers)}"
