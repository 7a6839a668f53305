"""What an application shows to people and decides by, in place of the many errors."""

from __future__ import annotations

import enum
from ctypes import byref, c_int32, c_size_t, create_string_buffer
from typing import Optional

from .._c import ffi


class ApplicationCode(enum.IntEnum):
    """General codes: what `Error.application_code` is, unless an `ErrorTable` or a status of the application's own says
    otherwise. Later versions may have more."""

    DEFAULT = ffi.APPLICATION_CODE_DEFAULT
    """None of the others."""
    TIMEOUT = ffi.APPLICATION_CODE_TIMEOUT
    """The server took too long; also the status codes 408 and 504."""
    CANNOT_CONNECT = ffi.APPLICATION_CODE_CANNOT_CONNECT
    """The server cannot be reached, or the connection was lost."""
    NO_NETWORK = ffi.APPLICATION_CODE_NO_NETWORK
    CANCELED = ffi.APPLICATION_CODE_CANCELED
    NO_DATA = ffi.APPLICATION_CODE_NO_DATA
    NO_MORE_DATA = ffi.APPLICATION_CODE_NO_MORE_DATA
    NOT_ALLOWED = ffi.APPLICATION_CODE_NOT_ALLOWED
    """The server says so (401, 403), a function refused the request, or it does not allow the network at hand."""
    NOT_FOUND = ffi.APPLICATION_CODE_NOT_FOUND
    """The status codes 404 and 410."""
    SERVER_ERROR = ffi.APPLICATION_CODE_SERVER_ERROR
    """Other status codes from 500 on, and a server that is spared."""
    INVALID_ANSWER = ffi.APPLICATION_CODE_INVALID_ANSWER
    """An answer that cannot be used: broken, cut off, too large, or of another type or shape."""
    INSECURE = ffi.APPLICATION_CODE_INSECURE
    """TLS failed, or a redirect to an insecure place was refused."""
    TOO_MANY_REQUESTS = ffi.APPLICATION_CODE_TOO_MANY_REQUESTS
    """The status code 429, a rate, an equal request, or a full queue."""
    REJECTED = ffi.APPLICATION_CODE_REJECTED
    """Another status code, a body that says so, or a function of the application."""
    INVALID_REQUEST = ffi.APPLICATION_CODE_INVALID_REQUEST
    """A call with wrong arguments, or at a wrong time: a fault of the program."""
    STORAGE = ffi.APPLICATION_CODE_STORAGE
    """A file or its disk."""


def is_of_application(status: int) -> bool:
    """Whether a status is one of the application's own."""
    return ffi.STATUS_APPLICATION_FIRST <= status <= ffi.STATUS_APPLICATION_LAST


def general_code(status: int, http_status: int) -> int:
    """The general code of an error.

    :param status: 0 for one that C does not know.
    :param http_status: that of the answer; 0 if there is none.
    """
    code = c_int32()
    known = status or (ffi.ERR_REJECTED_STATUS if http_status else ffi.ERR_INTERNAL)
    found = ffi.get_application_code(known, http_status, byref(code))
    return int(ApplicationCode.DEFAULT) if found else code.value


def user_message(code: int) -> Optional[str]:
    """The message for people of an application code, with its placeholders; None for one without."""
    size = c_size_t()
    if ffi.get_user_message(code, None, 0, byref(size)):
        return None
    room = create_string_buffer(size.value + 1)
    if ffi.get_user_message(code, room, len(room), byref(size)):
        return None
    return room.value.decode("utf-8", "replace")
