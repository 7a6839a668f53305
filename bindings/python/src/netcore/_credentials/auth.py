"""Credentials: who sends a request."""

from __future__ import annotations

from ctypes import byref, c_uint64
from dataclasses import dataclass, field
from typing import Any, ClassVar, Optional, Tuple, Union

from .._c import ffi
from .._errors.raising import check
from .._inputs import encode


@dataclass(frozen=True)
class Auth:
    """Credentials of a request. They go only to the origin of its URL: a redirect to another one drops them.

    The base of `BasicAuth`, `DigestAuth`, `BearerAuth` and `NegotiateAuth`. Not shown by ``repr()`` are passwords and
    tokens.
    """

    scheme: ClassVar[str] = ""
    """``"basic"``, ``"digest"``, ``"bearer"`` or ``"negotiate"``."""

    def __post_init__(self) -> None:
        request = c_uint64()
        check(ffi.request_create(b"GET", b"http://localhost/", byref(request)))
        try:
            check(self.set_on(request))  # C knows what they may be
        finally:
            ffi.request_destroy(request)

    def set_on(self, request: c_uint64) -> int:
        """Sets the credentials of a netcore_request, and returns the status. Not for users."""
        return int(ffi.request_set_auth(request, ffi.AUTH_SCHEMES.get(self.scheme, -1), *self._texts()))

    def _texts(self) -> Tuple[Optional[bytes], Optional[bytes]]:
        """User and password for C."""
        return None, None


@dataclass(frozen=True)
class _UserAuth(Auth):
    username: str
    password: str = field(repr=False)

    def _texts(self) -> Tuple[bytes, bytes]:
        return encode.c_text(self.username, "username"), encode.c_text(self.password, "password")


@dataclass(frozen=True)
class BasicAuth(_UserAuth):
    """User name and password as they are (RFC 7617), in UTF-8: ``BasicAuth("ann", "secret")``.

    :raises InvalidRequest: a colon in the user name, or a control character in either.
    """

    scheme: ClassVar[str] = "basic"


@dataclass(frozen=True)
class DigestAuth(_UserAuth):
    """User name and password that the server asks for first, and does not see (RFC 7616).

    The request is sent again after the 401; its body must be one that can be (`BodyRewindError`).

    :raises InvalidRequest: a control character in either.
    """

    scheme: ClassVar[str] = "digest"


@dataclass(frozen=True)
class BearerAuth(Auth):
    """A token (RFC 6750). For tokens that end and are renewed see `Client.set_token_source`.

    :raises InvalidRequest: the token is empty, or has a space, a control character or one beyond ASCII.
    """

    token: str = field(repr=False)
    scheme: ClassVar[str] = "bearer"

    def _texts(self) -> Tuple[None, bytes]:
        return None, encode.c_text(self.token, "token")


@dataclass(frozen=True)
class NegotiateAuth(Auth):
    """The Kerberos ticket of the process's user (RFC 4559). Each request has a connection of its own."""

    scheme: ClassVar[str] = "negotiate"


AuthInput = Union[Auth, Tuple[str, str]]
"""Credentials; a pair of user name and password is a `BasicAuth`."""


def as_auth(value: Any, what: str = "auth") -> Auth:
    """Credentials in any of the forms that users give.

    :raises TypeError: none of them.
    """
    if isinstance(value, tuple) and len(value) == 2:
        return BasicAuth(*value)
    if not isinstance(value, Auth) or type(value) is Auth:
        raise TypeError(f"{what}: an auth value or (user name, password) expected, not {type(value).__name__}")
    return value
