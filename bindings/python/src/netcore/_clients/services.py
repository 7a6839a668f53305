"""The servers that a client knows by name, and which of them is selected."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Callable, List, Optional, Tuple

from .._c import ffi
from .._errors.errors import StateError, reject
from .._inputs import encode

if TYPE_CHECKING:
    from .core import Core

SelectionListener = Callable[[str, str], object]


class Names:
    """Names in the order of their coming, one of which is selected."""

    def __init__(self, what: str, tell: Callable[[Any, bytes], int]) -> None:
        self.what = what
        self.tell = tell
        """Tells C of another selection."""
        self.selected: Optional[str] = None
        self._all: List[str] = []

    def add(self, name: str) -> None:
        """Adds a name, unless it is there. The first one is selected."""
        if name not in self._all:
            self._all.append(name)
        if self.selected is None:
            self.selected = name

    def next(self) -> str:
        """The name that came after the selected one; after the last the first.

        :raises StateError: there is none.
        """
        if self.selected is None:
            raise StateError("the client has no service", status=ffi.ERR_INVALID_STATE)
        return self._all[(self._all.index(self.selected) + 1) % len(self._all)]


class Services:
    """Names of services and environments; their URLs are C's. Any thread may use it."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._listener: Optional[SelectionListener] = None
        self.services = Names("service", ffi.client_select_service)
        self.environments = Names("environment", ffi.client_select_environment)

    def add(self, name: str, base_url: str, environment: str, cdn_url: Optional[str]) -> None:
        """Names a server. As `BaseClient.add_service`."""
        core = self._core
        service = encode.c_text(name, "name")
        if not service:
            reject("name: it is empty")
        texts = (
            encode.c_text(environment, "environment"),
            encode.c_text(base_url, "base_url", ffi.ERR_INVALID_URL),
            None if cdn_url is None else encode.c_text(cdn_url, "cdn_url", ffi.ERR_INVALID_URL),
        )
        with core.lock:
            self._check(ffi.client_add_service(core.handle, service, *texts))
            self.services.add(name)
            self.environments.add(environment)

    def select(self, names: Names, name: str) -> None:
        """Selects a name."""
        encode.c_text(name, names.what)
        self._switch(names, lambda: name)
        self._warn_of_base_url(names)

    def select_next(self, names: Names) -> str:
        """Selects the next name, and returns it."""
        name = self._switch(names, names.next)
        self._warn_of_base_url(names)
        return name

    def _warn_of_base_url(self, names: Names) -> None:
        """Says that a service was selected in vain."""
        base_url = self._core.requests.common.base_url
        if base_url and names is self.services:
            message = f"relative URLs go to the client's base_url, {base_url!r}, not to the service that was selected"
            warnings.warn(message, stacklevel=4)

    def _switch(self, names: Names, choose: Callable[[], str]) -> str:
        """Selects what is chosen under the lock, then tells the listener, if that is another one."""
        core = self._core
        with core.lock:
            before = self._selection()
            name = choose()
            self._check(names.tell(core.handle, name.encode()))
            names.selected = name
            after = self._selection()
            listener = self._listener
        if listener is not None and after != before:
            listener(*after)
        return name

    def set_listener(self, listener: Optional[SelectionListener]) -> None:
        """Sets who hears of a switch."""
        if listener is not None and not callable(listener):
            raise TypeError(f"listener: a function or None expected, not {type(listener).__name__}")
        self._listener = listener

    def _selection(self) -> Tuple[str, str]:
        return self.services.selected or "", self.environments.selected or ""

    def _check(self, status: int) -> None:
        if status:
            raise self._core.call_error(status)
