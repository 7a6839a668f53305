"""netcore under httpx2: as `netcore.httpx`, for programs and SDKs that use httpx2.

>>> import httpx2, netcore.httpx2
>>> client = httpx2.Client(transport=netcore.httpx2.HTTPTransport())
"""

from __future__ import annotations

import httpx2

from ._httpx import AsyncBody, AsyncTransport, Body, Transport


class _Body(Body, httpx2.SyncByteStream):
    pass


class _AsyncBody(AsyncBody, httpx2.AsyncByteStream):
    pass


class HTTPTransport(Transport, httpx2.BaseTransport):
    """For ``httpx2.Client(transport=HTTPTransport())``: as `netcore.httpx.HTTPTransport`."""

    _package = httpx2
    _body = _Body


class AsyncHTTPTransport(AsyncTransport, httpx2.AsyncBaseTransport):
    """For ``httpx2.AsyncClient(transport=AsyncHTTPTransport())``: as `netcore.httpx.HTTPTransport`, for asyncio."""

    _package = httpx2
    _body = _AsyncBody
