"""The servers that a client knows by name, and which of them is selected. C keeps both."""

from __future__ import annotations

import warnings
from threading import get_ident
from typing import TYPE_CHECKING, Callable, Dict, Optional, Set

from .._c import ffi, texts
from .._c.lent import Owner, find
from .._errors.raising import reject
from .._inputs import encode

if TYPE_CHECKING:
    from .core import Core

SelectionListener = Callable[[str, str], object]


class Services(Owner):
    """Services and environments of a client. Any thread may use it."""

    def __init__(self, core: Core) -> None:
        super().__init__()
        self._core = core
        self._raised: Dict[int, BaseException] = {}
        """By thread: what the listener raised, for the call that selects."""
        self._switching: Set[int] = set()
        """The threads that are in such a call."""

    def add(self, name: str, base_url: str, environment: str, cdn_url: Optional[str], weight: Optional[int]) -> None:
        """Names a server. As `BaseClient.add_service`."""
        service = encode.c_text(name, "name")
        if not service:
            reject("name: it is empty")
        rest = (
            encode.c_text(environment, "environment"),
            encode.c_text(base_url, "base_url", ffi.ERR_INVALID_URL),
            None if cdn_url is None else encode.c_text(cdn_url, "cdn_url", ffi.ERR_INVALID_URL),
        )
        number = None if weight is None else encode.count(weight, "weight", 0)
        self._check(ffi.client_add_service(self._core.handle, service, *rest))
        if number is not None:
            self._check(ffi.client_set_service_weight(self._core.handle, service, number))

    @property
    def service(self) -> Optional[str]:
        """The one that is selected."""
        return self._selected(ffi.client_get_selected_service)

    @property
    def environment(self) -> Optional[str]:
        """The one that is selected."""
        return self._selected(ffi.client_get_selected_environment)

    def _selected(self, get: Callable[..., int]) -> Optional[str]:
        status, name = texts.read(lambda *room: get(self._core.handle, *room))
        if status == ffi.ERR_NOT_FOUND:
            return None
        self._check(status)
        return name

    def url(self, service: Optional[str], environment: Optional[str], use_cdn: bool) -> str:
        """A base URL. As `BaseClient.service_url`."""
        names = [
            None if name is None else encode.c_text(name, what)
            for name, what in ((service, "service"), (environment, "environment"))
        ]
        cdn = encode.flag(use_cdn, "use_cdn")
        status, url = texts.read(lambda *room: ffi.client_get_base_url(self._core.handle, *names, cdn, *room))
        self._check(status)
        return url

    def select_service(self, name: str) -> None:
        """Selects a service."""
        self._switch(ffi.client_select_service, encode.c_text(name, "service"))
        self._warn_of_base_url()

    def select_environment(self, name: str) -> None:
        """Selects an environment."""
        self._switch(ffi.client_select_environment, encode.c_text(name, "environment"))

    def select_next_service(self) -> str:
        """Selects the next service, and returns the one that is selected then."""
        self._switch(ffi.client_select_next_service)
        self._warn_of_base_url()
        return self.service or ""

    def select_next_environment(self) -> str:
        """The same for environments."""
        self._switch(ffi.client_select_next_environment)
        return self.environment or ""

    def _warn_of_base_url(self) -> None:
        """Says that a service was selected in vain."""
        base_url = self._core.requests.base_url
        if base_url:
            message = f"relative URLs go to the client's base_url, {base_url!r}, not to the service that was selected"
            warnings.warn(message, stacklevel=4)

    def _switch(self, select: Callable[..., int], *names: bytes) -> None:
        """Has C select; it calls the listener meanwhile, on this thread."""
        thread = get_ident()
        self._switching.add(thread)
        try:
            self._check(select(self._core.handle, *names))
        finally:
            self._switching.discard(thread)
        error = self._raised.pop(thread, None)
        if error is not None:
            raise error

    def set_listener(self, listener: Optional[SelectionListener]) -> None:
        """Sets the function that is called at a switch."""
        if listener is not None and not callable(listener):
            raise TypeError(f"listener: a function or None expected, not {type(listener).__name__}")
        handle = self._core.handle
        if listener is None:
            none = ffi.SelectionFn(), None, ffi.ReleaseFn()
            self._check(ffi.client_set_selection_listener(handle, *none))
            return
        self._check(
            self.lend(
                listener,
                lambda number, release: ffi.client_set_selection_listener(handle, _call_listener, number, release),
            )
        )

    def tell(self, listener: SelectionListener, service: str, environment: str) -> None:
        """Calls the listener. Never raises."""
        try:
            listener(service, environment)
        except BaseException as error:
            if get_ident() in self._switching:
                self._raised[get_ident()] = error
            else:  # by failover
                self._core.keep_failure(error)

    def _check(self, status: int) -> None:
        if status:
            raise self._core.call_error(status)


def _selection(service: bytes, environment: bytes, number: int) -> None:
    """A netcore_selection_fn."""
    found = find(number)
    if found is not None and found[1] is not None:
        owner, listener = found
        owner.tell(listener, service.decode("utf-8", "replace"), environment.decode("utf-8", "replace"))


_call_listener = ffi.for_ever(ffi.SelectionFn(_selection))
