"""Functions of the user's that run for each request just before it is sent: filters, and values of that time.

C calls them one at a time on a thread of the client's: those of values, then one for all filters.
"""

from __future__ import annotations

import threading
import time
import weakref
from ctypes import byref, c_uint64
from threading import get_ident
from typing import TYPE_CHECKING, Any, Callable, Optional, Set, Tuple

from .._c import ffi
from .._c.lent import Owner, find
from .._errors.causes import Causes
from .._errors.raising import reject
from .._inputs import encode, params
from .._inputs.kinds import HeaderValue
from .filter_request import FilterRequest
from .values import Value, call_value, check_function, failed

if TYPE_CHECKING:
    from .._clients.core import Core

FilterFunction = Callable[[FilterRequest], object]


class Hooks(Owner):
    """The functions of one client, which owns this, and what they raised."""

    def __init__(self, core: Core) -> None:
        super().__init__()
        self._core = core
        self.causes = Causes(core.keep_failure)
        self._filters: Tuple[FilterFunction, ...] = ()
        self._values: Set[Tuple[bool, str]] = set()
        """Which fields and parameters functions give."""
        self._is_in_use = False
        self._is_closed = False
        self._running: Set[int] = set()
        """The threads in which functions run."""
        self._change = threading.Condition(threading.RLock())

    # What there is

    def add_filter(self, function: FilterFunction) -> None:
        """Adds a filter after the others.

        :raises TypeError: not a function, or an async one.
        """
        check_function(function, "function")
        self._core.usable_requests()
        with self._change:
            self._filters = (*self._filters, function)
            self._update()

    def remove_filters(self) -> None:
        """Removes all filters."""
        self._core.usable_requests()
        with self._change:
            self._filters = ()
            self._update()

    def set_header(self, name: str, value: HeaderValue) -> None:
        """Sets a field of all requests, or with None removes it."""
        with self._core.usable_requests().changing_parts():
            if callable(value):
                encode.header_items([(name, None)])
                self._set_value(True, name, value)
            else:
                ((name_bytes, value_bytes),) = encode.header_items([(name, value)])
                with self._change:
                    self._check(ffi.client_set_header(self._core.handle, name_bytes, value_bytes))
                    self._forget_value(True, name)

    def set_param(self, name: str, value: Any) -> None:
        """Sets a parameter of all requests, or with None removes it."""
        requests = self._core.usable_requests()
        if requests.query:
            reject("params: those of the client are a string, in which names are not known")
        text = encode.c_text(name, "name")
        with requests.changing_parts():
            if callable(value):
                self._set_value(False, name, value)
            else:
                with self._change:
                    if value is not None:
                        self._check_param(name, value)
                    self._check(ffi.client_set_param(self._core.handle, text, None))
                    if value is not None:
                        params.add(params.TO_CLIENT, self._core.handle, name, value, False)
                    self._forget_value(False, name)

    def _check_param(self, name: str, value: Any) -> None:
        """Has C check a parameter, before the one that it replaces is removed."""
        handle = c_uint64()
        self._check(ffi.request_create(b"GET", b"http://localhost/", byref(handle)))
        try:
            params.add(params.TO_REQUEST, handle, name, value, False)
        finally:
            ffi.request_destroy(handle)

    def _set_value(self, is_field: bool, name: str, function: Any) -> None:
        """Has a function give a field or a parameter."""
        check_function(function, "value")
        text = encode.c_text(name, "name", ffi.ERR_INVALID_HEADER if is_field else ffi.ERR_INVALID_ARGUMENT)
        setter = ffi.client_set_header_function if is_field else ffi.client_set_param_function
        value = Value(function, is_field, name)
        with self._change:
            self._give(value, lambda number, release: setter(self._core.handle, text, call_value, number, release))
            self._values.add(_key(is_field, name))
            self._update()

    def _forget_value(self, is_field: bool, name: str) -> None:
        """Another value is in the place of a function's."""
        self._values.discard(_key(is_field, name))
        self._update()

    def _update(self) -> None:
        """Tells C to call for filters, or no longer."""
        wanted = bool(self._filters or self._values)
        if wanted and not self._is_in_use:
            self._give(
                None, lambda number, release: ffi.client_add_filter(self._core.handle, _call_filters, number, release)
            )
        elif self._is_in_use and not wanted:
            self._check(ffi.client_remove_filters(self._core.handle))
        self._is_in_use = wanted

    def _give(self, thing: Any, give: Callable[[int, Any], int]) -> None:
        self.tell(lambda client: self.lend(thing, give))

    def tell(self, call: Callable[[c_uint64], int]) -> None:
        """Tells C of a function, or that it is there no longer.

        :param call: calls C with the client, and returns the status.
        """
        self._core.usable_requests()
        self._core.hooks = weakref.ref(self)
        self._check(call(self._core.handle))

    def _check(self, status: int) -> None:
        if status:
            raise self._core.call_error(status)

    # What C calls

    def enter(self) -> bool:
        """A function is about to run on this thread. False when it is not to: the client is closed."""
        with self._change:
            self._running.add(get_ident())
            return not self._is_closed

    def leave(self) -> None:
        """It has returned."""
        with self._change:
            self._running.discard(get_ident())
            self._change.notify_all()

    def run(self, handle: int) -> int:
        """Runs the filters on a netcore_request, and returns a status. Never raises."""
        request = FilterRequest(handle)
        try:
            if not self.enter():
                return ffi.ERR_CANCELED
            if get_ident() in failed:
                raise failed.pop(get_ident())
            for function in self._filters:
                function(request)
            return ffi.OK
        except BaseException as error:
            return self.causes.keep(error, "a filter")
        finally:
            request.close()
            self.leave()

    # The end

    def close(self) -> None:
        """The client is closed: no function is to start any more."""
        with self._change:
            self._is_closed = True

    def runs_here(self) -> bool:
        """Whether this is a thread in which a function runs."""
        return get_ident() in self._running

    def rest(self, deadline: Optional[float] = None) -> bool:
        """Waits until no function runs, or until a time. Returns whether none runs."""
        with self._change:
            if deadline is None:
                return self._change.wait_for(lambda: not self._running)
            return self._change.wait_for(lambda: not self._running, max(0.0, deadline - time.monotonic()))


def _key(is_field: bool, name: str) -> Tuple[bool, str]:
    return is_field, name.lower() if is_field else name


def _filter(handle: int, number: int) -> int:
    """A netcore_filter_fn."""
    found = find(number)
    if found is None:
        failed.pop(get_ident(), None)
        return ffi.ERR_CANCELED
    hooks: Hooks = found[0]
    return hooks.run(handle)


_call_filters = ffi.for_ever(ffi.FilterFn(_filter))
