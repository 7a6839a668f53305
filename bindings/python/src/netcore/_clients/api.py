"""The functions of the module: one shared client, made when first needed. It keeps no cookies."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, ContextManager, Optional

from .._requests.options import RequestOptions
from .._responses.event_source import LONGEST_RETRY_SECONDS, RETRY_SECONDS, EventSource
from .._responses.events import LARGEST_EVENT
from .._responses.response import Response
from .._responses.stream_base import DEFAULT_WINDOW
from .._responses.streamed import StreamedResponse
from .client import Client

if TYPE_CHECKING:
    from typing_extensions import Unpack

_lock = threading.Lock()
_client: Optional[Client] = None


def _shared() -> Client:
    """The shared client. Made anew in a forked child, and when something closed it."""
    global _client
    client = _client
    if client is None or client.is_closed:
        with _lock:
            if _client is None or _client.is_closed:
                _client = Client(cookies=False)  # they would be shared by all that is in the process
            client = _client
    return client


def _forget_parents_client() -> None:
    global _client, _lock
    _lock = threading.Lock()
    _client = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_parents_client)


def stream(
    method: str, url: str, *, window: int = DEFAULT_WINDOW, **options: Unpack[RequestOptions]
) -> ContextManager[StreamedResponse]:
    """Sends a request with the shared client, whose response is read piece by piece. See `Client.stream`."""
    return _shared().stream(method, url, window=window, **options)


def event_source(
    method: str,
    url: str,
    *,
    retry: float = RETRY_SECONDS,
    longest_retry: float = LONGEST_RETRY_SECONDS,
    largest_event: int = LARGEST_EVENT,
    last_event_id: str = "",
    **options: Unpack[RequestOptions],
) -> EventSource:
    """The events of a server that sends them for as long as somebody listens, by the shared client. See
    `Client.event_source`."""
    return _shared().event_source(
        method,
        url,
        retry=retry,
        longest_retry=longest_retry,
        largest_event=largest_event,
        last_event_id=last_event_id,
        **options,
    )


def get(url: str, **options: Unpack[RequestOptions]) -> Response:
    """Sends a GET with the shared client. See `Client.request`."""
    return _shared().get(url, **options)


def head(url: str, **options: Unpack[RequestOptions]) -> Response:
    """Sends a HEAD with the shared client. See `Client.request`."""
    return _shared().request("HEAD", url, **options)


def options(url: str, **options: Unpack[RequestOptions]) -> Response:
    """Sends an OPTIONS with the shared client. See `Client.request`."""
    return _shared().request("OPTIONS", url, **options)


def post(url: str, **options: Unpack[RequestOptions]) -> Response:
    """Sends a POST with the shared client. See `Client.request`."""
    return _shared().request("POST", url, **options)


def put(url: str, **options: Unpack[RequestOptions]) -> Response:
    """Sends a PUT with the shared client. See `Client.request`."""
    return _shared().request("PUT", url, **options)


def patch(url: str, **options: Unpack[RequestOptions]) -> Response:
    """Sends a PATCH with the shared client. See `Client.request`."""
    return _shared().request("PATCH", url, **options)


def delete(url: str, **options: Unpack[RequestOptions]) -> Response:
    """Sends a DELETE with the shared client. See `Client.request`."""
    return _shared().request("DELETE", url, **options)


def request(method: str, url: str, **options: Unpack[RequestOptions]) -> Response:
    """Sends a request with the shared client. See `Client.request`."""
    return _shared().request(method, url, **options)
