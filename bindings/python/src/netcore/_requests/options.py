"""The options of a request: one table, from which signatures, checks and documentation follow.

A plain option is one entry: its name, its type, its documentation, the function of C that sets it, and what makes that
function's argument of its value. `scripts/generate` declares the function.
"""

# Annotations are read at run time here, so that they are no strings.

from typing import Annotated, Any, Literal, Mapping, Optional, Sequence, TypedDict, Union

from .._c import ffi
from .._cache.types import CacheMode
from .._credentials.auth import AuthInput
from .._inputs import encode
from .._inputs.kinds import ContentInput, FilesInput, FormInput, HeadersInput, ParamsInput
from .._inputs.limits import TimeoutInput, TimeToLiveInput, time_to_live
from .._responses.progress import ProgressFunction
from . import conversions, setters
from .option import Option, table_of


class CommonOptions(TypedDict, total=False):
    """Those of `RequestOptions` that a client takes as well, for all its requests that do not say otherwise."""

    serializer: Annotated[
        Optional[Literal["form", "json"]],
        Option(
            """``"form"`` or ``"json"``: params, those of the client too, then go to the query for GET, HEAD and
            DELETE and where the request has a body; else they are its body, a form or a JSON object, with its
            Content-Type. Values may be nested: with "json" dicts, lists and tuples are JSON, in the body and in a
            query; with "form" dicts are, and lists and tuples repeat their name. In JSON no name may repeat.
            Default None: always the query.""",
        ),
    ]
    timeout: Annotated[
        TimeoutInput,
        Option(
            "seconds, None for none, or a `Timeout`. Default: the client's.",
            apply=setters.set_timeout,
            passes_none=True,
        ),
    ]
    follow_redirects: Annotated[
        bool,
        Option(
            "whether 301, 302, 303, 307 and 308 are followed. Default: the client's.",
            ffi.request_set_follow_redirects,
            encode.flag,
            default=True,
        ),
    ]
    decode_content: Annotated[
        bool,
        Option(
            "False leaves a gzip, deflate, br or zstd body as transferred. Default True.",
            ffi.request_set_decode_content,
            encode.flag,
            default=True,
        ),
    ]
    min_receive_rate: Annotated[
        Optional[int],
        Option(
            """bytes of the body per second that must come at least, on average over each `min_receive_rate_window`: a
            slower transfer ends with `MinimumRateError`, also one that the idle timeout does not see since a byte
            comes now and then. Windows follow one another from the first byte of the body on; time in which
            nothing is read because of `max_receive_rate` does not count. Default None: any.""",
            apply=setters.set_min_receive_rate,
        ),
    ]
    min_receive_rate_window: Annotated[
        float,
        Option(
            "seconds. Default 30.",
        ),
    ]
    sent_once: Annotated[
        bool,
        Option(
            """True: the request is never sent again if its connection is lost; it ends with `ConnectionLost`. Default
            False: an idempotent request is sent again, any other only if the server cannot have carried it out.""",
            ffi.request_set_sent_once,
            encode.flag,
            default=False,
        ),
    ]
    allow_unclean_end: Annotated[
        bool,
        Option(
            """True: a body whose end is not confirmed is taken: a gzip or deflate body without its checksum, and over
            TLS one that has neither length nor chunks and ends without close_notify. It is not stored in a cache.
            For old servers: a body that was cut can pass for a whole one. Default False: `TruncatedError`.""",
            ffi.request_set_allow_unclean_end,
            encode.flag,
            default=False,
        ),
    ]
    cache_mode: Annotated[
        CacheMode,
        Option(
            "how the request uses the cache of the client, a `CacheMode`.",
            ffi.request_set_cache_mode,
            conversions.cache_mode,
        ),
    ]
    cache_ttl: Annotated[
        Optional[TimeToLiveInput],
        Option(
            """seconds, or a timedelta, for which the answer is fresh, whatever its fields say. Answers of any method
            are then stored, under a key of method, URL, body and `cache_key_fields`. Default: as the fields say,
            or a rule of the cache.""",
            ffi.request_set_cache_ttl_ms,
            time_to_live,
        ),
    ]
    cache_errors: Annotated[
        bool,
        Option(
            "True: a time to live keeps errors too (400 and above, except 412 and 416). Default False.",
            ffi.request_set_cache_errors,
            encode.flag,
            default=False,
        ),
    ]


class RequestOptions(CommonOptions, total=False):
    """Keyword arguments of every call that makes a request."""

    params: Annotated[
        Optional[ParamsInput],
        Option(
            """the query, appended to that of the URL. Lists and tuples repeat their name, None is an empty value,
            True and False are ``true`` and ``false``. With a `serializer` they may be the body, see there.""",
            per_call=True,
        ),
    ]
    base_url: Annotated[
        Optional[str],
        Option(
            "what a relative URL is appended to, in place of the client's.",
        ),
    ]
    service: Annotated[
        Optional[str],
        Option(
            """the service that a relative URL is joined to. Default: the client's `base_url`, and without one the
            service that is selected when the request is sent (`add_service`).""",
        ),
    ]
    use_cdn: Annotated[
        bool,
        Option(
            "True for the service's URL for a CDN, where it has one. Default False.",
            ffi.request_set_use_cdn,
            encode.flag,
            default=False,
        ),
    ]
    use_https: Annotated[
        bool,
        Option(
            "True makes a URL of http one of https; its port 80 becomes 443, any other stays. Default False.",
            ffi.request_set_use_https,
            encode.flag,
            default=False,
        ),
    ]
    path_values: Annotated[
        Optional[Mapping[str, Union[str, int]]],
        Option(
            """texts or integers for names in braces of the URL: ``get("items/{id}", path_values={"id": 7})``. Each
            goes in as one segment, percent-encoded, and may not be empty, "." or "..". Each name needs a value,
            each value a name.""",
            apply=setters.set_path_values,
            per_call=True,
        ),
    ]
    bare: Annotated[
        bool,
        Option(
            """True sends the request as it is, without the client's headers, params, `base_url`, auth and cookies;
            its URL must be absolute. Default False.""",
            ffi.request_set_bare,
            encode.flag,
            default=False,
        ),
    ]
    headers: Annotated[
        Optional[HeadersInput],
        Option(
            "fields that replace the client's of the same name. See `HeadersInput`.",
        ),
    ]
    content: Annotated[
        Optional[ContentInput],
        Option(
            """the body; no Content-Type is added. Bytes, or text (sent in UTF-8); a `pathlib.Path`, whose file is
            read while it is sent; a file that is open in binary mode, from where it stands; or an iterable of
            bytes, such as a generator, for `AsyncClient` also an asynchronous one, which the event loop runs.
            Files and iterables are read while they are sent, in a thread of netcore's, which they may block; leave
            them alone until the task has ended. Files are not closed. A body that is to be sent again, for a
            redirect or on another connection, is read from its beginning again; `BodyRewindError` where that
            cannot be, such as for a generator. What reading raises ends the task with a `BodyError`, whose
            ``__cause__`` it is. A generator that is not read to its end is closed in any thread; it must not use
            netcore or block then.""",
            per_call=True,
        ),
    ]
    content_length: Annotated[
        Optional[int],
        Option(
            """the number of bytes in `content`, for iterables and open files. Default: as a file says, and else not
            known: such a body goes out in chunks. A body of another length is a `BodyError`.""",
            per_call=True,
        ),
    ]
    data: Annotated[
        Optional[FormInput],
        Option(
            """a mapping or pairs, sent as a form (``application/x-www-form-urlencoded``), or with `files` as fields
            before them. Bytes, text, a Path or a file are taken as `content`.""",
            per_call=True,
        ),
    ]
    json: Annotated[
        Any,
        Option(
            "any value, sent as ``application/json``. One of content, data and json may be given.",
            per_call=True,
        ),
    ]
    files: Annotated[
        Optional[FilesInput],
        Option(
            """parts of a body of ``multipart/form-data``, by field name: ``{"photo": Path("a.png")}``, or pairs. Each
            is as `content`, or a tuple: file name (None for none), content, and, if wanted, content type and a
            mapping of header fields. The default of the file name is the file's own, or "upload"; the type follows
            from the name.""",
            per_call=True,
        ),
    ]
    gzip: Annotated[
        Union[bool, int],
        Option(
            """True packs the body, a number does so from that many bytes on: ``Content-Encoding: gzip``. What is in
            memory is sent as it is if packing makes it no smaller. Default False.""",
            apply=setters.set_gzip,
        ),
    ]
    auth: Annotated[
        Optional[AuthInput],
        Option(
            """who sends the request: ``("user", "password")`` or `BasicAuth`, `DigestAuth`, `BearerAuth`,
            `NegotiateAuth`. They go to the origin of the URL alone, not to where a redirect leads, and win over
            user name and password in the URL; an Authorization field wins over them. Default: the client's; None
            for none.""",
        ),
    ]
    cookies: Annotated[
        Optional[Mapping[str, str]],
        Option(
            """cookies by name, sent beside those of the client's, and in place of one of the same name. They are not
            kept, and go to the origin of the URL alone. A Cookie field goes in place of all cookies.""",
            per_call=True,
        ),
    ]
    use_cookies: Annotated[
        bool,
        Option(
            "False sends none of the client's cookies, and keeps none of the answer. Default True.",
            ffi.request_set_use_cookies,
            encode.flag,
            default=True,
        ),
    ]
    tag: Annotated[
        Optional[str],
        Option(
            "a name for `cancel_tag()`, and for `Cache.clear`.",
            ffi.request_set_tag,
            conversions.text,
        ),
    ]
    interim: Annotated[
        bool,
        Option(
            "True has interim answers (1xx) given to `on_early` of `dispatch`.",
            ffi.request_set_interim_responses,
            encode.flag,
            default=False,
        ),
    ]
    priority: Annotated[
        Literal["low", "default", "high"],
        Option(
            """``"low"``, ``"default"`` or ``"high"``: which of the requests that wait for a slot goes first; by
            HTTP/2 also how much of the connection it asks for.""",
            ffi.request_set_priority,
            conversions.choice_of(ffi.PRIORITIES),
            default="default",
        ),
    ]
    max_receive_rate: Annotated[
        Optional[int],
        Option(
            "bytes of the body per second to receive at most, on average. Default None: any.",
            ffi.request_set_max_receive_rate,
            conversions.rate,
        ),
    ]
    max_send_rate: Annotated[
        Optional[int],
        Option(
            "bytes of the body per second to send at most, on average. Default None: any.",
            ffi.request_set_max_send_rate,
            conversions.rate,
        ),
    ]
    on_progress: Annotated[
        Optional[ProgressFunction],
        Option(
            """called with a `Progress` while bytes of a body go or come, before the end; one that takes less time
            than the interval may have none. By `dispatch` and groups it runs where `on_done` does, for awaited
            requests in the event loop, and for calls that block in the thread that waits. What it raises cancels
            the transfer and is raised where the response is waited for.""",
            apply=setters.set_progress,
            per_call=True,
        ),
    ]
    progress_interval: Annotated[
        float,
        Option(
            "seconds between two of these calls at least. Default 0.1.",
        ),
    ]
    user_info: Annotated[
        Any,
        Option(
            "any object, for you to find again: ``response.request.user_info``, also of tasks and errors.",
            apply=setters.set_user_info,
            per_call=True,
        ),
    ]
    allowed_interface: Annotated[
        Optional[str],
        Option(
            """the network interface that the request may use, such as ``"wlan0"``: its connections come from it, and
            where `Client.set_network` told of another it ends with `InterfaceNotAllowed`. Default None: any.""",
            ffi.request_set_allowed_interface,
            conversions.interface,
        ),
    ]
    allow_metered: Annotated[
        bool,
        Option(
            "False ends it with `MeteredNotAllowed` where the network is said to be metered. Default True.",
            ffi.request_set_allow_metered,
            encode.flag,
            default=True,
        ),
    ]
    cache_scope: Annotated[
        Optional[str],
        Option(
            "to whom the answer belongs, such as a user's id: what belongs to one is never served to another.",
            ffi.request_set_cache_scope,
            conversions.text,
        ),
    ]
    cache_version: Annotated[
        int,
        Option(
            "a number: what was stored with another one is not used. Default 0.",
            ffi.request_set_cache_version,
            conversions.version,
            default=0,
        ),
    ]
    cache_key: Annotated[
        Optional[str],
        Option(
            "the key in place of method, URL and body.",
            ffi.request_set_cache_key,
            conversions.text,
        ),
    ]
    cache_key_fields: Annotated[
        Sequence[str],
        Option(
            "names of request fields that belong to the key, with a time to live.",
            apply=setters.set_cache_key_fields,
        ),
    ]


TABLE = table_of({name: RequestOptions.__annotations__[name] for name in RequestOptions.__annotations__})
"""All options of a request, by name."""

COMMON = frozenset(CommonOptions.__annotations__)
"""The names of those that a client takes, too."""


def _documentation() -> str:
    lines = (f"- {name}: {option.text}" for name, option in TABLE.items())
    return "\n".join([RequestOptions.__doc__ or "", "", *lines])


RequestOptions.__doc__ = _documentation()
