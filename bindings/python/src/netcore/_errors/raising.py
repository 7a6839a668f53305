"""From a status to its exception: which class it has, what a failed call or task says of it, and how it is raised."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Dict, List, NoReturn, Optional, Tuple, Type

from .._c import ffi
from .._c.buffers import INFO_TEXTS, TRY_COUNT, borrow_out, copy, return_out
from .codes import is_of_application
from .errors import (
    APIError,
    AttemptTimeout,
    BodyError,
    BodyRewindError,
    BreakerOpen,
    Canceled,
    CertificateError,
    ConnectError,
    ConnectionLost,
    ConnectTimeout,
    ContentTypeRejected,
    DownloadBusy,
    DownloadExists,
    Dropped,
    DuplicateRequest,
    Error,
    FirstByteTimeout,
    HTTPStatusError,
    IdleTimeout,
    IntegrityError,
    InterfaceNotAllowed,
    InternalError,
    InvalidParam,
    InvalidRequest,
    InvalidURL,
    JSONRejected,
    LimitError,
    MeteredNotAllowed,
    MinimumRateError,
    NetworkNotAllowed,
    NetworkUnreachable,
    NoData,
    NoMoreData,
    NoStub,
    NotAdmitted,
    PageLoop,
    Phase,
    ProtocolError,
    ProxyError,
    RateLimited,
    Refused,
    ResolveError,
    ResponseRejected,
    Skipped,
    StateError,
    StatusRejected,
    StorageError,
    TimeoutException,
    TLSError,
    TooSoon,
    TotalTimeout,
    TruncatedError,
)
from .tries import CopiedTries, Try

if TYPE_CHECKING:
    from .._responses.request import Request

_BY_STATUS: Dict[int, Type[Error]] = {
    ffi.ERR_INVALID_URL: InvalidURL,
    ffi.ERR_INVALID_SCHEME: InvalidURL,
    ffi.ERR_INVALID_PARAM: InvalidParam,
    ffi.ERR_SKIPPED: Skipped,
    ffi.ERR_TIMEOUT_CONNECT: ConnectTimeout,
    ffi.ERR_TIMEOUT_FIRST_BYTE: FirstByteTimeout,
    ffi.ERR_TIMEOUT_IDLE: IdleTimeout,
    ffi.ERR_TIMEOUT_TOTAL: TotalTimeout,
    ffi.ERR_TIMEOUT_ATTEMPT: AttemptTimeout,
    ffi.ERR_TIMEOUT_RATE: MinimumRateError,
    ffi.ERR_CONNECT_PROXY: ProxyError,
    ffi.ERR_CONNECTION_LOST: ConnectionLost,
    ffi.ERR_TLS_CERTIFICATE: CertificateError,
    ffi.ERR_TRUNCATED: TruncatedError,
    ffi.ERR_HTTP_STATUS: HTTPStatusError,
    ffi.ERR_INTEGRITY: IntegrityError,
    ffi.ERR_FILE_BUSY: DownloadBusy,
    ffi.ERR_FILE_EXISTS: DownloadExists,
    ffi.ERR_BODY_REWIND: BodyRewindError,
    ffi.ERR_NO_STUB: NoStub,
    ffi.ERR_NETWORK_METERED: MeteredNotAllowed,
    ffi.ERR_NETWORK_INTERFACE: InterfaceNotAllowed,
    ffi.ERR_NETWORK_UNREACHABLE: NetworkUnreachable,
    ffi.ERR_BREAKER_OPEN: BreakerOpen,
    ffi.ERR_DUPLICATE: DuplicateRequest,
    ffi.ERR_TOO_SOON: TooSoon,
    ffi.ERR_RATE_LIMITED: RateLimited,
    ffi.ERR_DROPPED: Dropped,
    ffi.ERR_REJECTED_STATUS: StatusRejected,
    ffi.ERR_REJECTED_CONTENT_TYPE: ContentTypeRejected,
    ffi.ERR_REJECTED_JSON: JSONRejected,
    ffi.ERR_REJECTED: ResponseRejected,
    ffi.ERR_REJECTED_CODE: APIError,
    ffi.ERR_NO_DATA: NoData,
    ffi.ERR_NO_MORE_DATA: NoMoreData,
    ffi.ERR_PAGE_LOOP: PageLoop,
}

_BY_GROUP: List[Type[Error]] = [
    Error,
    InvalidRequest,
    StateError,
    Canceled,
    TimeoutException,
    ResolveError,
    ConnectError,
    TLSError,
    ProtocolError,
    LimitError,
    StorageError,
    InternalError,
    BodyError,
    Refused,
    NetworkNotAllowed,
    NotAdmitted,
]

_CANCEL_CAUSES: Dict[int, str] = {
    ffi.CANCEL_CAUSE_CLIENT: "client",
    ffi.CANCEL_CAUSE_REPLACED: "replaced",
    ffi.CANCEL_CAUSE_SCOPE: "scope",
}


def error_class(status: int) -> Type[Error]:
    """The class for a status; `Error` itself for one that a later library made up."""
    found = _BY_STATUS.get(status)
    if found is not None:
        return found
    if is_of_application(status):
        return Refused
    group = status // 100
    return _BY_GROUP[group] if 0 < group < len(_BY_GROUP) else Error


def usual_status(error: Error) -> int:
    """The status of an exception that a user made, perhaps without one: the first of its class, or of one below it; 0
    for none."""
    if error.status:
        return error.status
    known = sorted(value for name, value in vars(ffi).items() if name.startswith("ERR_"))
    found = [status for status in known if issubclass(error_class(status), type(error))]
    return next((status for status in found if error_class(status) is type(error)), found[0] if found else 0)


def status_error(status: int) -> Error:
    """The exception for a status of which nothing more is known."""
    message: str = ffi.status_message(status).decode("utf-8", "replace")
    return error_class(status)(message, status=status)


def call_error(status: int, request: Optional[Request] = None, *, argument: str = "") -> Error:
    """Makes the exception for a C call that has just failed on this thread.

    :param argument: what the argument is called in Python, where C has another name for it.
    """
    info = ffi.Error()
    if ffi.last_error(info) or info.status != status:
        message = ffi.status_message(status).decode("utf-8", "replace")
        return error_class(status)(message=message, status=status, request=request)
    message, named = _text(info.message), _text(info.argument)
    if argument and named:
        message = argument + message[len(named) :]
    return _error_of(info, message, request)


def _error_of(info: ffi.Error, message: str, request: Optional[Request]) -> Error:
    """The exception of a netcore_error; a file that cannot be read has an OSError as its cause."""
    error = error_class(info.status)(
        message=message,
        status=info.status,
        phase=_phase(info.phase),
        native_code=info.native_code,
        attempts=info.attempts,
        is_retryable=bool(info.is_retryable),
        request=request,
    )
    if info.retry_after_ms:
        error.retry_after = info.retry_after_ms / 1000
    error.sent = bool(info.sent)
    error._application_code = info.application_code
    error._user_message = _text(info.user_message)
    if isinstance(error, InvalidParam):
        error.parameter = _text(info.argument)
    if isinstance(error, JSONRejected):
        error.pointer = _text(info.argument)
    if isinstance(error, Canceled):
        error.cause = _CANCEL_CAUSES.get(info.cancel_cause, "application")
    if info.status == ffi.ERR_BODY and info.native_code > 0:
        error.__cause__ = OSError(info.native_code, os.strerror(info.native_code))
    return error


def refused_argument() -> str:
    """Which argument the C call was refused for that has just failed on this thread; "" where it was none."""
    info = ffi.Error()
    return "" if ffi.last_error(info) else _text(info.argument)


def _text(borrowed: ffi.Bytes) -> str:
    return copy(borrowed.data or 0, borrowed.size_bytes).decode("utf-8", "replace")


def check(status: int) -> None:
    """Raises the exception for a C call that has just failed on this thread."""
    if status:
        raise call_error(status)


def reject(message: str, status: int = ffi.ERR_INVALID_ARGUMENT) -> NoReturn:
    """Raises `InvalidRequest`, or the class of another status, for an argument that this package itself refuses."""
    raise error_class(status)(message, status=status)


def task_error(response: int, status: int, request: Optional[Request]) -> Error:
    """Makes the exception for a task that ended with `status`. `response`, a handle or 0, stays the caller's."""
    info = ffi.Error()
    if not response or ffi.response_get_error(response, info):
        message = ffi.status_message(status).decode("utf-8", "replace")
        return error_class(status)(message=message, status=status, request=request)
    error = _error_of(info, _text(info.message), request)
    error.tries = _tries_of(response)
    return error


def _tries_of(response: int) -> Tuple[Try, ...]:
    out = borrow_out()
    out.handle_words[0] = response
    ffi.fast_get_info(out.handle, out.info_address)
    copied = CopiedTries(out, INFO_TEXTS.unpack(out.info_bytes)[TRY_COUNT])
    return_out(out)
    return copied.make(error_class)


def report(error: BaseException) -> None:
    """Shows an exception that cannot be raised anywhere: by sys.excepthook, which prints its traceback."""
    sys.excepthook(type(error), error, error.__traceback__)


def _phase(value: int) -> Phase:
    try:
        return Phase(value)
    except ValueError:  # one that a later library made up
        return Phase.NONE
