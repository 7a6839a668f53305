"""The cookies of a client, which C keeps (RFC 6265)."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_size_t, c_uint32
from typing import TYPE_CHECKING, Iterable, Iterator, List, Mapping, Optional, Union

from .._c import ffi
from .._errors.raising import reject
from .._inputs import encode
from .._inputs.urls import parts_of
from .cookie import Cookie, cookie_bytes, cookie_text, list_cookies

if TYPE_CHECKING:
    from .._clients.core import Core

CookiesInput = Union[Mapping[str, str], Iterable[Cookie]]
"""Cookies of the host of the client's `base_url` by name, or `Cookie` values."""


class Cookies:
    """The cookies of a client: those that its answers set, and those that are set here. Any thread may use it.

    By name as a mapping is: ``cookies["a"]``, ``cookies["a"] = "1"``, ``del cookies["a"]``, ``"a" in cookies``; as an
    iterable it gives `Cookie` values, in the order in which they were made, without those that have ended.

    Each call raises a `StateError` when the client is closed, or was made with ``cookies=False``.
    """

    def __init__(self, core: Core) -> None:
        self._core = core

    def get(
        self, name: str, default: Optional[str] = None, *, domain: Optional[str] = None, path: Optional[str] = None
    ) -> Optional[str]:
        """The value of the cookie of that name, and of that domain and path where they are given.

        :raises InvalidRequest: there are several.
        """
        where = None if domain is None else domain.lstrip(".").lower()
        found = [
            cookie
            for cookie in self
            if cookie.name == name and where in (None, cookie.domain) and path in (None, cookie.path)
        ]
        if len(found) > 1:
            reject(f"cookies: there are several of the name {name!r}; say of which domain and path")
        return found[0].value if found else default

    def set(self, name: str, value: str, *, domain: Optional[str] = None, path: str = "/") -> None:
        """Adds a cookie of one host, in place of one with its name, domain and path. It lasts as long as the client.

        :param domain: a host name. Default: that of the client's `base_url`.
        :raises InvalidRequest: what no server could set, or no domain.
        """
        if domain is None:
            base_url = self._core.requests.base_url
            if not base_url:
                reject("cookies: a domain is needed, as the client has no base_url")
            domain = parts_of(encode.c_text(base_url, "base_url")).hostname or ""
        self.add(Cookie(name, value, domain, path))

    def add(self, cookie: Cookie) -> None:
        """Adds a cookie of any kind, in place of one with its name, domain and path.

        :raises InvalidRequest: what no server could set.
        """
        if not isinstance(cookie, Cookie):
            raise TypeError(f"cookie: netcore.Cookie expected, not {type(cookie).__name__}")
        self._check(ffi.client_set_cookie(self._core.handle, byref(cookie.for_c())))

    def update(self, cookies: CookiesInput) -> None:
        """Adds cookies: by name, for the host of `base_url`, or `Cookie` values."""
        if isinstance(cookies, Mapping):
            for name, value in cookies.items():
                self.set(name, value)
        else:
            for cookie in cookies:
                self.add(cookie)

    def delete(self, name: str, *, domain: Optional[str] = None, path: Optional[str] = None) -> int:
        """Removes the cookies of that name, and of that domain and path where they are given. Returns their number."""
        return self._clear(domain, path, name)

    def clear(self, *, domain: Optional[str] = None, path: Optional[str] = None) -> int:
        """Removes all cookies, or those of a domain and a path. Returns their number."""
        return self._clear(domain, path, None)

    def clear_session(self) -> int:
        """Removes the cookies that have no end of their own, as when a session is over. Returns their number."""
        count = c_uint32()
        self._check(ffi.client_clear_session_cookies(self._core.handle, byref(count)))
        return count.value

    def export_text(self) -> str:
        """All cookies in the format of curl's cookie files."""
        size, capacity = c_size_t(), 0
        while True:
            room = ctypes.create_string_buffer(capacity)
            self._check(ffi.client_export_cookies(self._core.handle, room, capacity, byref(size)))
            if size.value < capacity:
                return cookie_text(room.raw[: size.value])
            capacity = size.value + 1

    def import_text(self, text: Union[str, bytes]) -> int:
        """Adds the cookies of a text in that format; lines that hold none are skipped.

        :return: how many lines held one.
        """
        data = text if isinstance(text, bytes) else cookie_bytes(text, "text")
        count = c_uint32()
        self._check(ffi.client_import_cookies(self._core.handle, data, len(data), byref(count)))
        return count.value

    def __getitem__(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: str) -> None:
        self.set(name, value)

    def __delitem__(self, name: str) -> None:
        if not self.delete(name):
            raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(name in (cookie.name, cookie) for cookie in self)

    def __iter__(self) -> Iterator[Cookie]:
        found: List[Cookie] = []
        self._check(list_cookies(self._core.handle, found))
        return iter(found)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _clear(self, *what: Optional[str]) -> int:
        """Removes the cookies of a domain, a path and a name."""
        count = c_uint32()
        texts = (None if text is None else encode.c_text(text, "cookies") for text in what)
        self._check(ffi.client_clear_cookies(self._core.handle, *texts, byref(count)))
        return count.value

    def _check(self, status: int) -> None:
        if status:
            raise self._core.call_error(status)

    def __repr__(self) -> str:
        return f"<Cookies of {self._core.requests.base_url or 'a client'}>"
