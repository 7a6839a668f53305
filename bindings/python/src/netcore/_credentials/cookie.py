"""Cookies one by one, as users see them and as C does.

Their bytes are text in UTF-8; what is not becomes lone surrogates ("surrogateescape"), so that nothing is lost.
"""

from __future__ import annotations

from ctypes import c_uint64
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Mapping, Optional

from .._c import ffi
from .._errors.raising import call_error, reject
from .._inputs import encode


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
    """Whether it is sent only over https."""
    http_only: bool = False
    """A mark of the server's, which has no meaning here and is kept."""
    host_only: bool = True
    """Whether it is sent only to the host `domain`, not to those below it."""

    def for_c(self) -> ffi.Cookie:
        """The netcore_cookie. Not for users."""
        expires = self.expires
        if expires is not None:
            if isinstance(expires, bool) or not isinstance(expires, int):
                raise TypeError(f"expires: an integer or None expected, not {type(expires).__name__}")
            if not 0 <= expires < 1 << 63:
                reject(f"expires: {expires} is not between 0 and 2**63 - 1")
        return ffi.Cookie(
            is_secure=encode.flag(self.secure, "secure"),
            is_http_only=encode.flag(self.http_only, "http_only"),
            is_host_only=encode.flag(self.host_only, "host_only"),
            expires=-1 if expires is None else expires,
            name=cookie_bytes(self.name, "name"),
            value=cookie_bytes(self.value, "value"),
            domain=encode.c_text(self.domain, "domain"),
            path=encode.c_text(self.path, "path"),
        )


def list_cookies(client: c_uint64, into: List[Cookie]) -> int:
    """Adds the cookies of a netcore_client that have not ended to a list, and returns the status."""

    def take(pointer: Any, user_data: Optional[int]) -> int:
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
        return 1

    status: int = ffi.client_list_cookies(client, ffi.CookieFn(take), None)
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
        reject(f"{what}: contains the control character NUL")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        reject(f"{what}: contains a lone surrogate, which UTF-8 cannot express")


def set_cookies(request: c_uint64, cookies: Mapping[str, str]) -> None:
    """Sets cookies of a netcore_request's own.

    :raises InvalidRequest: a name or value that is not allowed.
    :raises TypeError: a value of a wrong type.
    """
    if not isinstance(cookies, Mapping):
        raise TypeError(f"cookies: a mapping expected, not {type(cookies).__name__}")
    for name, value in cookies.items():
        texts = encode.c_text(name, "cookies: a name"), encode.c_text(value, f"cookies: the value of {name!r}")
        status = ffi.request_set_cookie(request, *texts)
        if status:
            raise call_error(status, argument=f"cookies: {name!r}")


def received_cookies(fields: Iterable[str]) -> Dict[str, str]:
    """Name and value of each Set-Cookie field, which is text in latin-1."""
    found = {}
    for text in fields:
        name, equals, value = text.partition(";")[0].partition("=")
        if equals and name.strip():
            found[name.strip()] = value.strip()
    return {cookie_text(name.encode("latin-1")): cookie_text(value.encode("latin-1")) for name, value in found.items()}
