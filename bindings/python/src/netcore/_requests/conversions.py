"""From the values of options to what C takes: each checks a value, and names the option in what it raises."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .._cache.types import CacheMode
from .._errors.raising import reject
from .._inputs import encode
from .._inputs.limits import milliseconds, time_to_live
from .option import Convert

LARGEST_RATE = (1 << 63) - 1
LARGEST_MINIMUM_RATE = 1 << 40
NO_TIME_TO_LIVE = (1 << 64) - 1


def text(value: Any, name: str) -> bytes:
    return encode.c_text(value, name)


def interface(value: Any, name: str) -> bytes:
    """The name of a network interface."""
    if value == "":
        reject(f"{name}: it is empty; None means any")
    return encode.c_text(value, name)


def choice_of(words: Mapping[str, int]) -> Convert:
    """One of a few words."""
    return lambda value, name: encode.choice(value, words, name)


def rate(value: Any, name: str, largest: int = LARGEST_RATE) -> int:
    """Bytes per second; 0 means any."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: an integer or None expected, not {type(value).__name__}")
    if not 0 <= value <= largest:
        power = (largest + 1).bit_length() - 1
        bound = f"2**{power}" if largest == 1 << power else f"2**{power} - 1"
        reject(f"{name}: {value} is not between 0 and {bound} bytes per second; 0 and None mean any")
    return int(value)


def seconds(value: Any, name: str) -> int:
    """A span above 0, in milliseconds."""
    if value is None:
        raise TypeError(f"{name}: seconds as a number expected, not NoneType")
    return milliseconds(value, name)


def version(value: Any, name: str) -> int:
    """A number of 32 bits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: an integer expected, not {type(value).__name__}")
    if not 0 <= value < 1 << 32:
        reject(f"{name}: {value} is not between 0 and 2**32 - 1")
    return int(value)


def cache_ttl(value: Any, name: str) -> int:
    """None, in place of the client's, leaves freshness to the answer's fields."""
    return NO_TIME_TO_LIVE if value is None else time_to_live(value, name)


def cache_mode(value: Any, name: str) -> int:
    if not isinstance(value, CacheMode):
        raise TypeError(f"{name}: netcore.CacheMode expected, not {type(value).__name__}")
    return value


def wait_for_network(value: Optional[float], name: str) -> int:
    """Seconds as milliseconds; None is 0."""
    found = milliseconds(value, name)
    if found > 86_400_000:
        reject(f"{name}: {value!r} is more than a day")
    return found
