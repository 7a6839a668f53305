"""Functions of the user's that have a say in each request just before it is sent: filters, and values of that time.

C calls them one at a time on a thread of the client's: those of values, then one for all filters. What C holds lives as
long as the process; it finds the user's functions by a number in user_data.
"""

from __future__ import annotations

import itertools
import threading
import time
import weakref
from ctypes import c_uint64
from threading import get_ident
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Set, Tuple

from .._c import ffi
from .._errors.causes import Causes
from .._inputs import encode
from .._inputs.common import HeaderValue
from .filter_request import FilterRequest
from .values import Value, call_value, check_function, failed

if TYPE_CHECKING:
    from .._clients.core import Core

FilterFunction = Callable[[FilterRequest], object]

_next_number = itertools.count(1).__next__


class Hooks:
    """The functions of one client, which owns this, and what they raised."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.causes = Causes(core.keep_failure)
        self._filters: Tuple[FilterFunction, ...] = ()
        self._values: Dict[Tuple[bool, str], Value] = {}
        self._is_in_use = False
        self._is_closed = False
        self._running: Set[int] = set()
        """The threads in which functions run."""
        self._change = threading.Condition(threading.RLock())
        self._number = _next_number()
        _hooks[self._number] = self

    # What there is

    def add_filter(self, function: FilterFunction) -> None:
        """Adds a filter behind the others.

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
        """Sets a common field, or with None removes it."""
        self._core.usable_requests().set_header(name, value, lambda: self._set_value(True, name, value))

    def set_param(self, name: str, value: Any) -> None:
        """Sets a common parameter, or with None removes it."""
        self._core.usable_requests().set_param(name, value, lambda: self._set_value(False, name, value))

    def _set_value(self, is_field: bool, name: str, value: Any) -> None:
        """Tells C of a function, or that there is none any more: it knows nothing of other values."""
        key = (is_field, name.lower() if is_field else name)
        if not callable(value) and key not in self._values:
            return
        text = encode.c_text(name, "name", ffi.ERR_INVALID_HEADER if is_field else ffi.ERR_INVALID_ARGUMENT)
        set_function = ffi.client_set_header_function if is_field else ffi.client_set_param_function
        with self._change:
            if callable(value):
                check_function(value, "value")
                new = Value(self, value, is_field, name)
                self._check(set_function(self._core.handle, text, call_value, new.number, ffi.NO_RELEASE))
                self._values[key] = new
            else:
                self._check(set_function(self._core.handle, text, ffi.ValueFn(), None, ffi.NO_RELEASE))
                del self._values[key]
            self._update()

    def _update(self) -> None:
        """Tells C to call for filters, or no longer."""
        wanted = bool(self._filters or self._values)
        if wanted and not self._is_in_use:
            self.tell(lambda client: ffi.client_add_filter(client, _call_filters, self._number, ffi.NO_RELEASE))
        elif self._is_in_use and not wanted:
            self._check(ffi.client_remove_filters(self._core.handle))
        self._is_in_use = wanted

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


_hooks: "weakref.WeakValueDictionary[int, Hooks]" = weakref.WeakValueDictionary()


def _filter(handle: int, number: int) -> int:
    """A netcore_filter_fn."""
    hooks = _hooks.get(number)
    if hooks is None:
        failed.pop(get_ident(), None)
        return ffi.ERR_CANCELED
    return hooks.run(handle)


_call_filters = ffi.for_ever(ffi.FilterFn(_filter))
