"""netcore: an HTTP client core over libcurl, in the words of httpx and requests.

    >>> import netcore
    >>> netcore.get("https://example.com").status_code
    200

`get`, `post` and friends use one shared client. `Client` has settings of its own, `dispatch` with ids and callbacks,
and groups; `AsyncClient` is the same for asyncio. Times are in seconds. Every exception is an `Error`.
"""

from __future__ import annotations

from ._apis.api import API, endpoint
from ._apis.parameters import Body, Field, Header, Query
from ._c import ffi
from ._cache.cache import Cache
from ._cache.types import (
    CacheEntry,
    CacheEvent,
    CacheEventKind,
    CacheLookup,
    CacheMode,
    CacheRequest,
    CacheResult,
    CacheStatistics,
)
from ._clients.api import delete, event_source, get, head, options, patch, post, put, request, stream
from ._clients.async_client import AsyncClient
from ._clients.client import Client
from ._clients.client_statistics import BudgetInfo, ClientStatistics
from ._clients.observing import Events
from ._clients.pages import AsyncPages, Pages
from ._clients.paging import Page, Paging
from ._clients.transport import MockTransport
from ._credentials.auth import Auth, BasicAuth, BearerAuth, DigestAuth, NegotiateAuth
from ._credentials.cookie import Cookie
from ._credentials.cookies import Cookies
from ._credentials.tokens import Challenge
from ._errors.codes import ApplicationCode, user_message
from ._errors.errors import (
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
    ModelError,
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
    ReadTimeout,
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
from ._errors.tries import Try
from ._functions.filter_request import FilterHeaders, FilterRequest
from ._functions.hop_values import Hop
from ._functions.log import set_log
from ._inputs.headers import Headers
from ._inputs.limits import UNLIMITED, Limits, Timeout
from ._requests.breaker import Breaker, BreakerInfo
from ._requests.error_table import ErrorRow, ErrorTable, set_user_message
from ._requests.failover import Failover, HealthProbe
from ._requests.hedge import Hedge
from ._requests.interval import MinInterval
from ._requests.options import RequestOptions
from ._requests.rate import Rate
from ._requests.retry import Retry, RetryBudget, RetryOutcome
from ._requests.task_scope import TaskScope
from ._responses.async_streamed import AsyncStreamedResponse
from ._responses.client_event import ClientEvent, EventKind, WaitKind
from ._responses.download import Download, DownloadPart, DownloadProgress, download_parts, remove_download_part
from ._responses.event_source import AsyncEventSource, EventSource
from ._responses.events import ServerSentEvent
from ._responses.filter_response import FilterResponse
from ._responses.progress import Progress
from ._responses.request import Request
from ._responses.response import Response
from ._responses.statistics import Timings
from ._responses.streamed import StreamedResponse
from ._tasks.application_task import ApplicationTask
from ._tasks.async_task import AsyncGroup, AsyncTask
from ._tasks.group import Group
from ._tasks.group_options import GroupProgress, GroupRule
from ._tasks.task import Task, TaskState
from ._version import __version__


def version_details() -> str:
    """The libraries at work, for bug reports: ``"netcore/0.1.0 libcurl/7.88.1 OpenSSL/3.0.15 …"``."""
    details: bytes = ffi.version_details()
    return details.decode("utf-8", "replace")


__all__ = [
    "API",
    "UNLIMITED",
    "APIError",
    "ApplicationCode",
    "AsyncClient",
    "AsyncEventSource",
    "AsyncGroup",
    "AsyncStreamedResponse",
    "AsyncTask",
    "AttemptTimeout",
    "AsyncPages",
    "Auth",
    "BasicAuth",
    "BearerAuth",
    "Body",
    "BodyError",
    "BodyRewindError",
    "Breaker",
    "BreakerInfo",
    "BreakerOpen",
    "BudgetInfo",
    "Cache",
    "CacheEntry",
    "CacheEvent",
    "CacheEventKind",
    "CacheLookup",
    "CacheMode",
    "CacheRequest",
    "CacheResult",
    "CacheStatistics",
    "Canceled",
    "CertificateError",
    "Challenge",
    "Client",
    "ClientEvent",
    "ClientStatistics",
    "ConnectError",
    "ConnectTimeout",
    "ConnectionLost",
    "ContentTypeRejected",
    "Cookie",
    "Cookies",
    "DigestAuth",
    "Download",
    "DownloadBusy",
    "DownloadExists",
    "DownloadPart",
    "DownloadProgress",
    "Dropped",
    "DuplicateRequest",
    "Error",
    "ErrorRow",
    "ErrorTable",
    "EventKind",
    "EventSource",
    "Events",
    "FilterHeaders",
    "FilterRequest",
    "FilterResponse",
    "Failover",
    "Field",
    "FirstByteTimeout",
    "Group",
    "GroupProgress",
    "GroupRule",
    "HTTPStatusError",
    "Header",
    "Headers",
    "Hedge",
    "Hop",
    "ApplicationTask",
    "HealthProbe",
    "IdleTimeout",
    "IntegrityError",
    "InterfaceNotAllowed",
    "InternalError",
    "InvalidParam",
    "InvalidRequest",
    "InvalidURL",
    "JSONRejected",
    "LimitError",
    "Limits",
    "MeteredNotAllowed",
    "MinInterval",
    "MinimumRateError",
    "MockTransport",
    "ModelError",
    "NegotiateAuth",
    "NetworkNotAllowed",
    "NetworkUnreachable",
    "NoData",
    "NoMoreData",
    "NoStub",
    "NotAdmitted",
    "Page",
    "PageLoop",
    "Pages",
    "Paging",
    "Phase",
    "Progress",
    "ProtocolError",
    "ProxyError",
    "Query",
    "Rate",
    "RateLimited",
    "ReadTimeout",
    "Refused",
    "Request",
    "RequestOptions",
    "ResolveError",
    "Response",
    "ResponseRejected",
    "Retry",
    "RetryBudget",
    "RetryOutcome",
    "StateError",
    "StatusRejected",
    "StorageError",
    "ServerSentEvent",
    "Skipped",
    "StreamedResponse",
    "TLSError",
    "Task",
    "TaskScope",
    "TaskState",
    "Timeout",
    "TimeoutException",
    "Timings",
    "TooSoon",
    "TotalTimeout",
    "TruncatedError",
    "Try",
    "WaitKind",
    "__version__",
    "delete",
    "download_parts",
    "endpoint",
    "event_source",
    "get",
    "head",
    "options",
    "patch",
    "post",
    "put",
    "remove_download_part",
    "request",
    "set_log",
    "set_user_message",
    "stream",
    "user_message",
    "version_details",
]
