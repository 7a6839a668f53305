"""Cookies one by one, as users see them and as C does.

Their bytes are text in UTF-8; what is not becomes lone surrogates ("surrogateescape"), so that nothing is lost.
"""

from __future__ import annotations

import re
from ctypes import c_uint64
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Mapping, Optional
from urllib.parse import SplitResult

from . import _encode, _ffi
from ._errors import reject
from ._urls import parts_of_request

_NAME = re.compile(rb"[^\x00-\x20;=\x7f]([^\x00-\x1f;=\x7f]*[^\x00-\x20;=\x7f])?")
_VALUE = re.compile(rb"([^\x00-\x20;\x7f]([^\x00-\x1f;\x7f]*[^\x00-\x20;\x7f])?)?")
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Cookie:
    """A cookie. Its value is not shown by ``repr()``."""

    name: str
    value: str = field(repr=False)
    domain: str
    """The host, or the domain, without a dot before it."""
    path: str = "/"
    expires: Optional[int] = None
    """When it ends, in seconds since 1970-01-01 UTC; None for a session cookie, which lasts as long as the client, or
    as its `cookie_file`."""
    secure: bool = False
    """Whether it goes to https alone."""
    http_only: bool = False
    """A mark of the server's, which has no meaning here and is kept."""
    host_only: bool = True
    """Whether it goes to the host `domain` alone, not to those below it."""

    def for_c(self) -> _ffi.Cookie:
        """The netcore_cookie. Not for users."""
        expires = self.expires
        if expires is not None:
            if isinstance(expires, bool) or not isinstance(expires, int):
                raise TypeError(f"expires: an integer or None expected, not {type(expires).__name__}")
            if not 0 <= expires < 1 << 63:
                reject(f"expires: {expires} is not between 0 and 2**63 - 1")
        return _ffi.Cookie(
            _ffi.SIZE_OF_COOKIE,
            _encode.flag(self.secure, "secure"),
            _encode.flag(self.http_only, "http_only"),
            _encode.flag(self.host_only, "host_only"),
            -1 if expires is None else expires,
            cookie_bytes(self.name, "name"),
            cookie_bytes(self.value, "value"),
            _encode.c_text(self.domain, "domain"),
            _encode.c_text(self.path, "path"),
        )


def list_cookies(client: c_uint64, into: List[Cookie]) -> int:
    """Adds the cookies of a netcore_client that have not ended to a list, and returns the status."""

    def take(pointer: Any, user_data: Optional[int]) -> None:
        told = pointer.contents
        into.append(
            Cookie(
                cookie_text(told.name),
                cookie_text(told.value),
                cookie_text(told.domain),
                cookie_text(told.path),
                None if told.expires < 0 else told.expires,
                bool(told.is_secure),
                bool(told.is_http_only),
                bool(told.is_host_only),
            )
        )

    status: int = _ffi.client_list_cookies(client, _ffi.COOKIE_FUNCTION(take), None)
    return status


def cookie_text(data: bytes) -> str:
    """Bytes of a cookie as text."""
    return data.decode("utf-8", "surrogateescape")


def cookie_bytes(text: str, what: str) -> bytes:
    """The reverse.

    :raises TypeError: not a str.
    :raises InvalidRequest: a NUL, or a lone surrogate that stands for no byte.
    """
    if not isinstance(text, str):
        raise TypeError(f"{what}: str expected, not {type(text).__name__}")
    if "\0" in text:
        reject(f"{what}: contains a NUL character")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        reject(f"{what}: contains a lone surrogate, which UTF-8 cannot express")


# A request with cookies of its own


def own_cookies(cookies: Mapping[str, str]) -> Dict[str, bytes]:
    """Cookies of a request, by name, each as it stands in its Cookie field.

    :raises InvalidRequest: a name or value that is not allowed.
    :raises TypeError: a value of a wrong type.
    """
    if not isinstance(cookies, Mapping):
        raise TypeError(f"cookies: a mapping expected, not {type(cookies).__name__}")
    found = {}
    for name, value in cookies.items():
        name_bytes = cookie_bytes(name, "cookies: a name")
        value_bytes = cookie_bytes(value, f"cookies: the value of {name!r}")
        if not _NAME.fullmatch(name_bytes) or not _VALUE.fullmatch(value_bytes):
            reject(f"cookies: {name!r} or its value is not allowed: ; = in a name, control characters, spaces around")
        found[name] = name_bytes + b"=" + value_bytes
    return found


def fitting(cookies: Iterable[Cookie], request: c_uint64) -> List[Cookie]:
    """Those that go to the URL of a netcore_request (RFC 6265 section 5.4); none where that is relative."""
    parts = parts_of_request(request)
    found = [cookie for cookie in cookies if _goes_to(cookie, parts)]
    return sorted(found, key=lambda cookie: -len(cookie.path))


def _goes_to(cookie: Cookie, parts: SplitResult) -> bool:
    host, path = (parts.hostname or "").rstrip("."), parts.path or "/"
    is_in_domain = host == cookie.domain or not cookie.host_only and host.endswith("." + cookie.domain)
    folder = cookie.path if cookie.path.endswith("/") else cookie.path + "/"
    is_in_path = path == cookie.path or path.startswith(folder)
    is_safe = not cookie.secure or parts.scheme == "https" or host in _THIS_MACHINE
    return is_in_domain and is_in_path and is_safe


def cookie_field(request: c_uint64, client: c_uint64, own: Mapping[str, bytes], uses_jar: bool) -> bytes:
    """The Cookie field of a netcore_request: cookies of the client's, then its own, which win where names are equal."""
    jar: List[Cookie] = []
    if uses_jar:
        list_cookies(client, jar)  # none where there are none
    others = [cookie for cookie in fitting(jar, request) if cookie.name not in own] if jar else []
    texts = [cookie_bytes(cookie.name, "name") + b"=" + cookie_bytes(cookie.value, "value") for cookie in others]
    return b"; ".join([*texts, *own.values()])


def received_cookies(fields: Iterable[str]) -> Dict[str, str]:
    """Name and value of each Set-Cookie field, which is text in latin-1."""
    found = {}
    for text in fields:
        name, equals, value = text.partition(";")[0].partition("=")
        if equals and name.strip():
            found[name.strip()] = value.strip()
    return {cookie_text(name.encode("latin-1")): cookie_text(value.encode("latin-1")) for name, value in found.items()}
