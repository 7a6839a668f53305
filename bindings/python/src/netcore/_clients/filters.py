"""Functions of the user's that run for each request of a client, or its answer."""

from __future__ import annotations

from typing import Optional

from .._c import ffi
from .._c.lent import find
from .._functions.hooks import FilterFunction, Hooks
from .._functions.hop_values import HopFunction, set_hop_value
from .._functions.values import check_function
from .._requests.response_filter import ResponseFilter
from .._responses.filter_response import FilterResponse


class Filters:
    """What a client has of them."""

    _hooks: Hooks

    def add_filter(self, function: FilterFunction) -> None:
        """Adds a function that reads and changes each request just before it is sent, after those already there.

        ``client.add_filter(lambda request: request.headers.update({"X-Signature": sign(request.content)}))``

        :param function: called with a `FilterRequest`. It may raise `Refused`, with a number of its own: the task ends
            with that error. When it raises anything else, the task ends with a `Refused` whose ``__cause__`` that is;
            if the task had ended before, `close` raises it.

        Filters run one at a time in a thread of netcore's, not in the caller's nor in the event loop, before the cache
        is asked. Their time counts toward the total timeout; when that or a cancel ends a task whose filter still runs,
        the filter runs on by itself. `close` waits for those that run. A filter may use any client, but may wait for a
        request of this one only if that has ``bare=True``: such requests pass no filters.

        :raises TypeError: not a function, or an async one.
        """
        self._hooks.add_filter(function)

    def remove_filters(self) -> None:
        """Removes all filters. Functions of `set_header` and `set_param` stay."""
        self._hooks.remove_filters()

    def add_response_filter(self, function: ResponseFilter, *, network: bool = False) -> None:
        """Adds a function that reads and changes the answers to requests made from then on, after those already there;
        those of a request (`network_filter`, `delivery_filter`) run after it.

        :param function: called with a `FilterResponse`. What it raises ends the task, as in `add_filter`.
        :param network: True: it runs for a whole answer that came from the network, before it is judged
            (`accept_statuses` and the like) and before the cache stores it: what it makes of the answer is stored. It
            does not see redirects that are followed, a 304 that confirms what is stored, and parts (206), which are
            then not stored. False: it runs for each answer that the request accepts, from the network or the cache,
            before its task ends; what it makes of the answer is not stored.

        It does not run for requests with ``bare=True``, streamed responses, downloads, event sources, `on_early`, and
        `cached`. It runs where filters of requests do (`add_filter`), one at a time, and the same holds for it.

        :raises TypeError: not a function, or an async one.
        """
        check_function(function, "function")
        kind = ffi.RESPONSE_FILTER_KIND_NETWORK if network else ffi.RESPONSE_FILTER_KIND_DELIVERY
        self._hooks.tell(
            lambda client: self._hooks.lend(
                function,
                lambda number, release: ffi.client_add_response_filter(client, kind, _call, number, release),
            )
        )

    def remove_response_filters(self) -> None:
        """Removes all filters of answers of the client."""
        self._hooks.tell(ffi.client_remove_response_filters)

    def set_hop_header(self, name: str, function: Optional[HopFunction]) -> None:
        """Sets a function that gives the value of one header field for each hop, in place of what the request has: a
        span of a trace, or the number of the try. `netcore.otel` uses it.

        :param function: called with a `Hop` directly before each hop is sent, redirects and retries too, also for
            requests with ``bare=True``; returns the value, or None for no field. It runs as filters do, see
            `add_filter`, and what it raises ends the request in the same way. Replaces the one set before, whatever
            its name; None for none.
        :raises InvalidRequest: a name that is not allowed.
        :raises TypeError: not a function, or an async one.
        """
        set_hop_value(self._hooks, name, function)


# What C calls


def _filter(handle: int, number: int) -> int:
    """A netcore_response_filter_fn."""
    found = find(number)
    if found is None or found[1] is None:
        return ffi.ERR_CANCELED
    hooks: Hooks = found[0]
    response = FilterResponse(handle)
    try:
        if not hooks.enter():
            return ffi.ERR_CANCELED
        found[1](response)
        return ffi.OK
    except BaseException as error:
        return hooks.causes.keep(error, "a filter")
    finally:
        response.close()
        hooks.leave()


_call = ffi.for_ever(ffi.ResponseFilterFn(_filter))
