"""A function of the user's that gives a header field of each hop its value."""

from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional

from .._c import ffi, texts
from .._c.lent import find
from .._inputs import encode
from .hooks import Hooks
from .values import check_function, field_text


class Hop(NamedTuple):
    """A hop that is about to be sent: the first of a request, one after a redirect, a retry."""

    number: int
    """Of the request, as `ClientEvent.number`."""

    attempt: int
    """From 1 on."""

    hop: int
    """In the attempt, from 1 on: redirects are further hops."""

    method: str

    url: str
    """Without user name and password."""

    value: Optional[str]
    """What the field has now; None if the hop has no such field."""

    url_template: Optional[str] = None
    """What the path of the URL was made from, such as ``"/users/{id}"`` (`API`, ``path_values=``); None for a hop
    without one, and after a redirect."""


HopFunction = Callable[[Hop], Optional[str]]


class HopValue:
    """The function of a client."""

    def __init__(self, name: str, function: HopFunction) -> None:
        self._name = name
        self._function = function

    def write(self, hooks: Hooks, hop: Hop, room: int, capacity: int) -> int:
        """Writes the value to C's room, and returns its length, or what says that there is none. Never raises."""
        raised: List[int] = []

        def ask() -> Optional[bytes]:
            try:
                value = self._function(hop) if hooks.enter() else None
                return None if value is None else field_text(value, self._name)
            except BaseException as error:
                raised.append(hooks.causes.keep(error, "the function of a hop"))
                return None
            finally:
                hooks.leave()

        length = texts.write(room, capacity, ask)
        return raised[0] if raised else length


def set_hop_value(hooks: Hooks, name: str, function: Optional[HopFunction]) -> None:
    """As `BaseClient.set_hop_header`."""
    text = encode.c_text(name, "name", ffi.ERR_INVALID_HEADER)
    give = ffi.client_set_hop_function
    if function is None:
        hooks.tell(lambda client: give(client, text, ffi.HopValueFn(), None, ffi.ReleaseFn()))
        return
    check_function(function, "function")
    value = HopValue(name, function)
    hooks.tell(lambda client: hooks.lend(value, lambda number, release: give(client, text, _call, number, release)))


def _write(info: Any, room: int, capacity: int, number: int) -> int:
    """A netcore_hop_value_fn."""
    found = find(number)
    if found is None or found[1] is None:
        return texts.NONE
    hooks, value = found
    told = info.contents
    now: Optional[bytes] = told.value
    template: Optional[bytes] = told.url_template
    hop = Hop(
        told.number,
        told.attempt,
        told.hop,
        told.method.decode("ascii", "replace"),
        told.url.decode("utf-8", "replace"),
        None if now is None else now.decode("latin-1"),
        None if template is None else template.decode("utf-8", "replace"),
    )
    length: int = value.write(hooks, hop, room, capacity)
    return length


_call = ffi.for_ever(ffi.HopValueFn(_write))
