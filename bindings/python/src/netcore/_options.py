"""What can be set: timeouts, limits, and the options of a request."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, List, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union

from . import _ffi
from ._cache_types import CacheMode
from ._errors import reject
from ._inputs import CertInput, ContentInput, FilesInput, FormInput, HeadersInput, ParamsInput, PathInput, TextsInput

if TYPE_CHECKING:
    from ._cache import Cache

UNLIMITED = _ffi.NO_TIMEOUT
"""For a member of `Limits`: no limit."""

MOST_SECONDS = 2_147_483.647

TimeToLiveInput = Union[float, timedelta]
"""How long an answer is fresh: seconds or a timedelta."""

MOST_SECONDS_TO_LIVE = 1e12


@dataclass(frozen=True)
class Timeout:
    """Four timeouts, in seconds; None means none. Time spent in the queue counts to none of them.

    - connect: to resolve, connect and finish TLS. Default 10.
    - first_byte: from the last byte of the request to the first byte of the answer. Default 60.
    - idle: while sending or receiving, the longest time in which not one byte moves. Default 60.
    - total: from the start of the transfer to its end, redirects included. Default None.

    Where a timeout is taken, a bare number stands for ``Timeout(connect=n, first_byte=n, idle=n)``: as in httpx it
    bounds each step and not the whole. None stands for no timeout at all.

    :raises InvalidRequest: a timeout that is not above 0 (use None for none), or beyond 2,147,483 seconds.
    """

    connect: Optional[float] = 10.0
    first_byte: Optional[float] = 60.0
    idle: Optional[float] = 60.0
    total: Optional[float] = None

    def __post_init__(self) -> None:
        for name in ("connect", "first_byte", "idle", "total"):
            milliseconds(getattr(self, name), name)


TimeoutInput = Union[Timeout, float, None]


def milliseconds(seconds: Optional[float], name: str = "timeout") -> int:
    """Seconds as whole milliseconds, rounded up; None is 0, which means none."""
    if seconds is None:
        return 0
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name}: seconds as a number or None expected, not {type(seconds).__name__}")
    if not 0 < seconds <= MOST_SECONDS:
        reject(f"{name}: {seconds!r} is not above 0 and at most {MOST_SECONDS} seconds; None means no timeout")
    return math.ceil(seconds * 1000)


LIBRARY_TIMEOUT = Timeout()
"""What holds when nothing is set."""


def as_timeout(value: TimeoutInput) -> Timeout:
    """A `Timeout` from any of the forms that users give."""
    if isinstance(value, Timeout):
        return value
    return Timeout(connect=value, first_byte=value, idle=value)


@dataclass(frozen=True)
class Limits:
    """Limits of a client; None leaves netcore's default, `UNLIMITED` removes the limit. Beyond one: `LimitError`."""

    header_bytes: Optional[int] = None
    """All header sections of one response, trailers and 1xx answers included. Default 256 KiB."""

    body_bytes: Optional[int] = None
    """The body as transferred. Default 1 GiB."""

    decoded_bytes: Optional[int] = None
    """The body after decoding. Default 1 GiB."""

    decode_ratio: Optional[int] = None
    """Decoded bytes for each transferred byte, once more than 1 MiB came out. Default 250."""

    transfers: Optional[int] = None
    """Transfers at once; further tasks wait in the queue. At least 1. Default 256."""

    transfers_per_host: Optional[int] = None
    """Transfers at once to one scheme, host and port. At least 1. Default 64."""

    queue_length: Optional[int] = None
    """Tasks dispatched but not yet transferring; beyond it a dispatch raises `LimitError` at once. Default 65,536."""

    def _pairs(self) -> List[Tuple[int, int]]:
        """(number of the limit, value) for those that are set."""
        values = [
            (_ffi.LIMIT_HEADER_BYTES, self.header_bytes, "header_bytes"),
            (_ffi.LIMIT_BODY_BYTES, self.body_bytes, "body_bytes"),
            (_ffi.LIMIT_DECODED_BYTES, self.decoded_bytes, "decoded_bytes"),
            (_ffi.LIMIT_DECODE_RATIO, self.decode_ratio, "decode_ratio"),
            (_ffi.LIMIT_TRANSFERS, self.transfers, "transfers"),
            (_ffi.LIMIT_TRANSFERS_PER_HOST, self.transfers_per_host, "transfers_per_host"),
            (_ffi.LIMIT_QUEUE_LENGTH, self.queue_length, "queue_length"),
        ]
        return [(number, limit_value(value, name)) for number, value, name in values if value is not None]


def limit_value(value: int, name: str) -> int:
    """Checks that a limit is an integer that fits 64 bits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: an integer expected, not {type(value).__name__}")
    if not 0 <= value <= UNLIMITED:
        reject(f"{name}: {value} is not between 0 and 2**64 - 1")
    return value


def time_to_live(value: TimeToLiveInput, name: str) -> int:
    """A time to live as whole milliseconds, rounded up."""
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name}: seconds as a number or a timedelta expected, not {type(value).__name__}")
    if not 0 <= seconds <= MOST_SECONDS_TO_LIVE:
        reject(f"{name}: {value!r} is not between 0 and {MOST_SECONDS_TO_LIVE:.0f} seconds")
    return math.ceil(seconds * 1000)


class ConnectionOptions(TypedDict, total=False):
    """Those of `ClientOptions` that the C client is made with."""

    max_redirects: int
    verify: Union[bool, PathInput]
    cert: Optional[CertInput]
    pinned_keys: Optional[Mapping[str, TextsInput]]
    proxy: Optional[str]
    no_proxy: Optional[str]
    trust_env: bool
    http2: bool
    tls_min_version: Optional[str]
    limits: Optional[Limits]
    uds: Optional[PathInput]
    local_address: Optional[str]
    address_family: Optional[Literal["ipv4", "ipv6"]]
    resolve: Optional[Mapping[str, TextsInput]]
    user_agent: Optional[str]
    accept_encoding: Optional[str]
    hsts_file: Optional[PathInput]
    alt_svc_file: Optional[PathInput]


class ClientOptions(ConnectionOptions, total=False):
    """Keyword arguments of `Client` and `AsyncClient`; see `Client`."""

    base_url: str
    headers: Optional[HeadersInput]
    params: Optional[ParamsInput]
    timeout: TimeoutInput
    follow_redirects: bool
    allow_insecure_redirects: bool
    cache: Optional[Cache]


class CacheRequestOptions(TypedDict, total=False):
    """Those of `RequestOptions` that speak to the cache of the client. Without a cache they have no effect."""

    cache_mode: CacheMode
    cache_ttl: Optional[TimeToLiveInput]
    cache_scope: Optional[str]
    cache_version: int
    cache_key: Optional[str]
    cache_key_fields: Sequence[str]


class BuildingOptions(TypedDict, total=False):
    """Those of `RequestOptions` that say where the URL leads and how parameters are written."""

    base_url: Optional[str]
    service: Optional[str]
    use_cdn: bool
    use_https: bool
    path_values: Optional[Mapping[str, Union[str, int]]]
    serializer: Optional[Literal["form", "json"]]
    custom: bool


class RequestOptions(BuildingOptions, CacheRequestOptions, total=False):
    """Keyword arguments of every call that makes a request.

    - params: the query, appended to that of the URL. Lists and tuples repeat their name, None is an empty value,
      True and False are ``true`` and ``false``. With a `serializer` they may be the body, see there.
    - base_url: what a relative URL is appended to, in place of the client's.
    - service: the service that a relative URL is joined to. Default: the client's `base_url`, and without one the
      service that is selected when the request is sent (`add_service`).
    - use_cdn: True for the service's URL for a CDN, where it has one. Default False.
    - use_https: True makes a URL of http one of https; its port 80 becomes 443, any other stays. Default False.
    - path_values: texts or integers for names in braces of the URL: ``get("items/{id}", path_values={"id": 7})``. Each
      goes in as one segment, percent-encoded, and may not be empty, "." or "..". Each name needs a value, each value a
      name.
    - serializer: ``"form"`` or ``"json"``: params, those of the client too, then go to the query for GET, HEAD and
      DELETE and where the request has a body; else they are its body, a form or a JSON object, with its Content-Type.
      Values may be nested: with "json" dicts, lists and tuples are JSON, in the body and in a query; with "form" dicts
      are, and lists and tuples repeat their name. In JSON no name may repeat. Default None: always the query.
    - custom: True sends the request as it is, without the client's headers, params and `base_url`; its URL must be
      absolute. Default False.
    - headers: fields that replace the client's of the same name. See `HeadersInput`.
    - content: the body; no Content-Type is added. Bytes, or text (sent in UTF-8); a `pathlib.Path`, whose file is read
      while it is sent; a file that is open in binary mode, from where it stands; or an iterable of bytes, such as a
      generator, for `AsyncClient` also an asynchronous one, which the event loop runs. Files and iterables are read
      while they are sent, in a thread of netcore's, which they may block; leave them alone until the task has ended.
      Files are not closed. A body that is to be sent again, for a redirect or on another connection, is read from its
      beginning again; `BodyRewindError` where that cannot be, such as for a generator. What reading raises ends the
      task with a `BodyError`, whose ``__cause__`` it is. A generator that is not read to its end is closed in any
      thread; it must not use netcore or block then.
    - content_length: the number of bytes in `content`, for iterables and open files. Default: as a file says, and else
      not known: such a body goes out in chunks. A body of another length is a `BodyError`.
    - data: a mapping or pairs, sent as a form (``application/x-www-form-urlencoded``), or with `files` as fields before
      them. Bytes, text, a Path or a file are taken as `content`.
    - json: any value, sent as ``application/json``. One of content, data and json may be given.
    - files: parts of a body of ``multipart/form-data``, by field name: ``{"photo": Path("a.png")}``, or pairs. Each is
      as `content`, or a tuple: file name (None for none), content, and, if wanted, content type and a mapping of header
      fields. The default of the file name is the file's own, or "upload"; the type follows from the name.
    - gzip: True packs the body, a number does so from that many bytes on: ``Content-Encoding: gzip``. What is in memory
      is sent as it is if packing makes it no smaller. Default False.
    - timeout: seconds, None for none, or a `Timeout`. Default: the client's.
    - follow_redirects: whether 301, 302, 303, 307 and 308 are followed. Default: the client's.
    - decode_content: False leaves a gzip, deflate, br or zstd body as transferred. Default True.
    - tag: a name for `cancel_tag()`, and for `Cache.clear`.
    - interim: True has interim answers (1xx) given to `on_early` of `dispatch`.
    - cache_mode: how the request uses the cache of the client, a `CacheMode`.
    - cache_ttl: seconds, or a timedelta, for which the answer is fresh, whatever its fields say. Answers of any method
      are then stored, under a key of method, URL, body and `cache_key_fields`. Default: as the fields say, or a rule of
      the cache.
    - cache_scope: to whom the answer belongs, such as a user's id: what belongs to one is never served to another.
    - cache_version: a number: what was stored with another one is not used. Default 0.
    - cache_key: the key in place of method, URL and body.
    - cache_key_fields: names of request fields that belong to the key, with a time to live.
    """

    params: Optional[ParamsInput]
    headers: Optional[HeadersInput]
    content: Optional[ContentInput]
    content_length: Optional[int]
    data: Optional[FormInput]
    json: Any
    files: Optional[FilesInput]
    gzip: Union[bool, int]
    timeout: TimeoutInput
    follow_redirects: bool
    decode_content: bool
    tag: Optional[str]
    interim: bool
