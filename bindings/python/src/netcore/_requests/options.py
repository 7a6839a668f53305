"""The options of a request."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, TypedDict, Union

from .._cache.types import CacheMode
from .._credentials.auth import AuthInput
from .._inputs.kinds import ContentInput, FilesInput, FormInput, HeadersInput, ParamsInput
from .._inputs.limits import TimeoutInput, TimeToLiveInput
from .._responses.progress import ProgressFunction


class CacheRequestOptions(TypedDict, total=False):
    """Those of `RequestOptions` that speak to the cache of the client. Without a cache they have no effect."""

    cache_mode: CacheMode
    cache_ttl: Optional[TimeToLiveInput]
    cache_errors: bool
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


class TransferOptions(CacheRequestOptions, total=False):
    """Those of `RequestOptions` that say how the request is transferred."""

    priority: Literal["low", "default", "high"]
    max_receive_rate: Optional[int]
    max_send_rate: Optional[int]
    min_receive_rate: Optional[int]
    min_receive_rate_window: float
    on_progress: Optional[ProgressFunction]
    progress_interval: float
    user_info: Any
    allowed_interface: Optional[str]
    allow_metered: bool
    sent_once: bool


class RequestOptions(BuildingOptions, TransferOptions, total=False):
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
    - custom: True sends the request as it is, without the client's headers, params, `base_url`, auth and cookies; its
      URL must be absolute. Default False.
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
    - auth: who sends the request: ``("user", "password")`` or `BasicAuth`, `DigestAuth`, `BearerAuth`, `NegotiateAuth`.
      They go to the origin of the URL alone, not to where a redirect leads, and win over user name and password in the
      URL; an Authorization field wins over them. Default: the client's; None for none.
    - cookies: cookies by name, sent beside those of the client's, and in place of one of the same name. They are not
      kept, and go to the origin of the URL alone. A Cookie field goes in place of all cookies.
    - use_cookies: False sends none of the client's cookies, and keeps none of the answer. Default True.
    - tag: a name for `cancel_tag()`, and for `Cache.clear`.
    - interim: True has interim answers (1xx) given to `on_early` of `dispatch`.
    - priority: ``"low"``, ``"default"`` or ``"high"``: which of the requests that wait for a slot goes first; by HTTP/2
      also how much of the connection it asks for.
    - max_receive_rate, max_send_rate: bytes of a body per second at most, on average. Default None: any.
    - min_receive_rate: bytes of the body per second that must come at least, on average over each
      `min_receive_rate_window`: a slower transfer ends with `MinimumRateError`, also one that the idle timeout does not
      see since a byte comes now and then. Windows follow one another from the first byte of the body on; time in which
      nothing is read because of `max_receive_rate` does not count. Default None: any.
    - min_receive_rate_window: seconds. Default 30.
    - on_progress: called with a `Progress` while bytes of a body go or come, before the end; one that takes less time
      than the interval may have none. By `dispatch` and groups it runs where `on_done` does, for awaited requests in
      the event loop, and for calls that block in the thread that waits. What it raises cancels the transfer and is
      raised where the response is waited for.
    - progress_interval: seconds between two of these calls at least. Default 0.1.
    - user_info: any object, for you to find again: ``response.request.user_info``, also of tasks and errors.
    - allowed_interface: the network interface that the request may use, such as ``"wlan0"``: its connections come from
      it, and where `Client.set_network` told of another it ends with `InterfaceNotAllowed`. Default None: any.
    - allow_metered: False ends it with `MeteredNotAllowed` where the network is said to be metered. Default True.
    - sent_once: True: the request is never sent again if its connection is lost; it ends with `ConnectionLost`.
      Default False: an idempotent request is sent again, any other only if the server cannot have carried it out.
    - cache_mode: how the request uses the cache of the client, a `CacheMode`.
    - cache_ttl: seconds, or a timedelta, for which the answer is fresh, whatever its fields say. Answers of any method
      are then stored, under a key of method, URL, body and `cache_key_fields`. Default: as the fields say, or a rule of
      the cache.
    - cache_errors: True: a time to live keeps errors too (400 and above, except 412 and 416). Default False.
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
    auth: Optional[AuthInput]
    cookies: Optional[Mapping[str, str]]
    use_cookies: bool
