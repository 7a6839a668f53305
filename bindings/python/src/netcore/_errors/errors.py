"""The exceptions. All derive from `Error`, and from the builtin exception they resemble."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Optional, Tuple

from .._c import ffi
from .codes import ApplicationCode, general_code, is_of_application, user_message
from .tries import Try

if TYPE_CHECKING:
    from .._responses.request import Request
    from .._responses.response import Response


class Phase(enum.IntEnum):
    """The point that a task had reached when it failed."""

    NONE = 0
    QUEUE = 1
    CONNECT = 2
    SEND = 3
    WAIT = 4
    RECEIVE = 5
    DONE = 6


class Error(Exception):
    """Base of all that netcore raises, except TypeError for arguments of a wrong type.

    `str(error)` is a sentence for a person; it never contains credentials or query strings.
    """

    status: int = 0
    """The netcore_status, one of the NETCORE_ERR_ values; 0 for `HTTPStatusError`."""

    phase: Phase = Phase.NONE
    """How far the task had come."""

    native_code: int = 0
    """libcurl's CURLcode, for a `BodyError` an errno; 0 when there is none."""

    attempts: int = 0
    """How often the request was put on the wire, redirects not counted."""

    is_retryable: bool = False
    """Whether the same request may succeed later."""

    sent: bool = False
    """Whether any part of the request was sent, by any of its attempts. One that was not sent cannot have been carried
    out by the server."""

    request: Optional[Request] = None
    """The request that failed, where there was one."""

    tries: Tuple[Try, ...] = ()
    """What came of each try, where the request had a policy of retries."""

    retry_after: Optional[float] = None
    """Seconds after which the policy of the client that refused the request lets one like it through, at the latest;
    None where none did."""

    _application_code: int = 0
    _user_message: str = ""

    def __init__(
        self,
        message: str = "",
        *,
        status: int = 0,
        phase: Phase = Phase.NONE,
        native_code: int = 0,
        attempts: int = 0,
        is_retryable: bool = False,
        request: Optional[Request] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.phase = phase
        self.native_code = native_code
        self.attempts = attempts
        self.is_retryable = is_retryable
        self.request = request

    @property
    def name(self) -> str:
        """The status as its constant is written: ``"NETCORE_ERR_TIMEOUT_IDLE"``."""
        name: bytes = ffi.status_name(self.status)
        return name.decode("ascii")

    @property
    def application_code(self) -> int:
        """What to show and to decide by: that of the `ErrorTable` of the request, a status of the application's own, or
        a general one, an `ApplicationCode`."""
        return self._application_code or general_code(self.status, self._http_status)

    @property
    def user_message(self) -> str:
        """For people: the message of `application_code` in the `ErrorTable`, or as `set_user_message` set it."""
        code = self.application_code
        own = self.message if is_of_application(self.status) else None
        return self._user_message or user_message(code) or own or user_message(ApplicationCode.DEFAULT) or ""

    def _become(self, status: int, message: str) -> None:
        """Takes what a function of the user's raised."""
        self.status, self.message = status, message
        if is_of_application(status):
            self._application_code, self._user_message = 0, ""

    @property
    def _http_status(self) -> int:
        return self.native_code if self.status == ffi.ERR_REJECTED_STATUS else 0

    def __str__(self) -> str:
        return self.message


class InvalidRequest(Error, ValueError):
    """An argument is not allowed: method, header, option. Nothing was sent."""


class InvalidParam(InvalidRequest):
    """A parameter of an API is missing, unknown, of another type, or not allowed in its place."""

    parameter: str = ""
    """Its name."""


class InvalidURL(InvalidRequest):
    """Not an absolute http or https URL."""


class StateError(Error, RuntimeError):
    """The object is not in a state that allows the call: a closed client, a dispatched group, a forked child."""


class Canceled(Error):
    """The task was canceled, by the caller or because its client was closed."""

    cause: str = "application"
    """Why: ``"application"`` for a cancel of the caller's, ``"client"`` for the end of its client, ``"replaced"`` where
    an equal request took its place (``duplicates="cancel_old"``), ``"scope"`` where its `TaskScope` was canceled or
    closed."""


class Skipped(Error):
    """The task is a member of a group and was not started, since a member that it waited for failed."""


class TimeoutException(Error, TimeoutError):
    """A timeout of the request. (`Timeout` is the class that sets them.)"""


class ConnectTimeout(TimeoutException):
    """Resolving, connecting and TLS took too long."""


class ReadTimeout(TimeoutException):
    """The server was silent for too long."""


class FirstByteTimeout(ReadTimeout):
    """Nothing came back for a request that was sent."""


class IdleTimeout(ReadTimeout):
    """The transfer stood still, in either direction."""


class AttemptTimeout(TimeoutException):
    """One attempt took longer than `Retry.attempt_timeout`."""


class TotalTimeout(TimeoutException):
    """The whole request took too long."""


class MinimumRateError(TimeoutException):
    """The body came more slowly than `min_receive_rate` allows."""


class ResolveError(Error, ConnectionError):
    """A host name, or the proxy's, has no address."""


class ConnectError(Error, ConnectionError):
    """The connection was refused, is not possible, or was lost before the answer began."""


class ProxyError(ConnectError):
    """The proxy refused, or its handshake failed."""


class ConnectionLost(ConnectError):
    """The connection was reset or closed while sending or before the answer began."""


class TLSError(Error, ConnectionError):
    """The handshake failed, or a CA file, certificate or key cannot be used."""


class CertificateError(TLSError):
    """The server's certificate is not trusted, expired, or for another name."""


class ProtocolError(Error):
    """The server broke HTTP, sent a body that does not decode, or a redirect that cannot be followed."""


class TruncatedError(ProtocolError):
    """The body ended before its end."""


class IntegrityError(ProtocolError):
    """A body has another digest than `body_sha256` or the server said, or a downloaded file another length or digest;
    nothing of such a file is kept."""

    response: Optional[Response] = None
    """The answer to a request that is not streamed, with its body."""


class LimitError(Error):
    """A limit was passed: see `Limits` and `max_redirects`."""


class StorageError(Error, OSError):
    """A file could not be read or written."""


class DownloadBusy(StorageError):
    """Another download, perhaps of another process, writes to the same file."""


class DownloadExists(StorageError, FileExistsError):
    """There is a file of that name, and `overwrite` is not set."""


class InternalError(Error):
    """A fault of netcore or of a library under it, or memory, descriptors or threads ran out."""


class BodyError(Error):
    """The request's body cannot be read, or is longer or shorter than was said.

    `__cause__` is what reading raised; where a file cannot be read, an `OSError` such as `FileNotFoundError`.
    """


class BodyRewindError(BodyError):
    """The body would have to be read again from its beginning, and cannot be."""


class Refused(Error):
    """A filter, a source of tokens or who answers challenges refused; `__cause__` is what they raised, perhaps this.

    :param status: a number of the application's own, from 2000 to 2999. Default: 1300, "refused".
    :param message: a sentence for a person, which the error has that the task ends with.
    :raises InvalidRequest: another status.
    """

    response: Optional[Response] = None
    """The answer that a filter of answers refused; None where there was none yet."""

    def __init__(self, status: int = ffi.ERR_REFUSED, message: str = "the request was refused", **details: Any) -> None:
        if isinstance(status, bool) or not isinstance(status, int) or not isinstance(message, str):
            raise TypeError("Refused: a status as an integer, and a message as str expected")
        if status != ffi.ERR_REFUSED and not is_of_application(status):
            range_text = f"{ffi.STATUS_APPLICATION_FIRST} and {ffi.STATUS_APPLICATION_LAST}"
            message = f"status: {status} is not between {range_text}"
            raise InvalidRequest(message, status=ffi.ERR_INVALID_ARGUMENT)
        super().__init__(message, status=status, **details)
        self.args = (status, message)


class NoStub(Error, AssertionError):
    """No stub answers the request, or a stub was not requested (`netcore.testing.Stubs`)."""


class NetworkNotAllowed(Error):
    """The network at hand (`Client.set_network`) is not one that the request allows. Nothing was sent."""


class MeteredNotAllowed(NetworkNotAllowed):
    """It is metered."""


class InterfaceNotAllowed(NetworkNotAllowed):
    """It is that of another interface."""


class NetworkUnreachable(Error, ConnectionError):
    """The network was unreachable (`Client.reachability`) for as long as the request waits for it. Nothing was sent."""


class BreakerOpen(Error, ConnectionError):
    """The server fails, and is spared (`Client(breaker=…)`). `retry_after` says for how long. Nothing was sent."""


class NotAdmitted(Error):
    """A policy of the client's or of the request's refused the request. Nothing was sent."""


class DuplicateRequest(NotAdmitted):
    """An equal request is in flight (``duplicates="drop_new"``)."""


class Dropped(NotAdmitted):
    """The queue was full, and the task was one with the lowest priority in it (`Limits.queue_overflow`)."""


class RateLimited(NotAdmitted):
    """More requests than a rate of the client allows (`set_rate`). `retry_after` says how long the wait would be."""


class TooSoon(NotAdmitted):
    """An equal request was sent less than its minimum interval ago (`min_interval`). `retry_after` says how long to
    wait."""


class NoData(Error):
    """A list has no items."""


class NoMoreData(Error):
    """A list has no page after the last one, or a limit of `Paging` is reached."""


class PageLoop(Error):
    """The server leads back to a page that was loaded before."""


class HTTPStatusError(Error):
    """Raised by `Response.raise_for_status` for 4xx and 5xx answers, and for an answer without a file or events
    where these were asked for."""

    response: Response
    """The answer."""

    @property
    def _http_status(self) -> int:
        return self.response.status_code


class ResponseRejected(Error):
    """The answer is not one that the request accepts: what `validate` raised is the `__cause__`, and with
    ``raise Refused(2001, "…")`` there the error has that status and message."""

    response: Optional[Response] = None
    """The answer."""


class StatusRejected(ResponseRejected):
    """Its status code is not one of `accept_statuses`; `native_code` has it."""


class ContentTypeRejected(ResponseRejected):
    """Its media type is not one of `accept_content_types`."""


class JSONRejected(ResponseRejected):
    """Its body is not JSON that looks like `json_shape`."""

    pointer: str = ""
    """The first place that does not match, as a JSON pointer (RFC 6901): ``"/tags/0"``; empty for the whole body."""


class APIError(ResponseRejected):
    """The answer says in its body or by its status code that something failed (`ErrorTable`); `application_code` and
    `user_message` say what, and `native_code` has the status code."""


class ModelError(JSONRejected, ValueError):
    """The body is not what `Response.decode` was asked for, or there is none. What pydantic, msgspec or the JSON parser
    raised is the `__cause__`."""
