"""netcore under httpx: transports for programs that use httpx, such as the SDKs of web services.

    >>> import httpx, netcore.httpx
    >>> client = httpx.Client(transport=netcore.httpx.HTTPTransport())

httpx goes on doing what it does with its own transports: redirects, cookies, auth, decoding. netcore sends each request
as httpx gives it, and hands the body over as it comes. Where only httpx2 is installed, these are its transports;
`netcore.httpx2` has them in any case.
"""

from __future__ import annotations

try:
    import httpx
except ModuleNotFoundError:
    import httpx2 as httpx  # type: ignore[no-redef]

from ._httpx import AsyncBody, AsyncTransport, Body, Transport


class _Body(Body, httpx.SyncByteStream):
    pass


class _AsyncBody(AsyncBody, httpx.AsyncByteStream):
    pass


class HTTPTransport(Transport, httpx.BaseTransport):
    """For ``httpx.Client(transport=HTTPTransport())``. Any thread may use it.

    Options are those of `netcore.Client`, such as `verify`, `cert`, `http2`, `proxy`, `uds`, `limits`, `cache` and
    `retries`, except what httpx does itself: base_url, headers, params, auth, timeout, follow_redirects and
    decode_content. Other defaults than there: no proxy, whatever the environment says; no cookies; no limit on bodies.

    - Timeouts come from httpx: `connect`; `read` until the first byte, and between two; `write` between two bytes of a
      request's body that are sent, where it is longer than `read`; `pool` while a request waits for its slot within
      `limits`.
    - Extensions of responses: ``http_version``, ``reason_phrase`` (the usual words, not the server's own), and
      ``trailers``, a list of pairs of bytes, which is filled at the end of the body.
    - Bodies are streamed in both directions, in bounded memory. A `cache` stores them when they were read to their
      end. A generator as a request's body runs in a thread of netcore's.
    - Exceptions are those of httpx, with netcore's as their ``__cause__``. What a generator raises is raised.

    :raises InvalidRequest: an option that is not allowed.
    """

    _package = httpx
    _body = _Body


class AsyncHTTPTransport(AsyncTransport, httpx.AsyncBaseTransport):
    """For ``httpx.AsyncClient(transport=AsyncHTTPTransport())``: as `HTTPTransport`, for asyncio."""

    _package = httpx
    _body = _AsyncBody
