"""The options of a request: one table, from which signatures, checks and documentation follow.

A plain option is one entry: its name, its type, its documentation, the function of C that sets it, and what makes that
function's argument of its value. `scripts/generate` declares the function.
"""

# Annotations are read at run time here, so that they are no strings.

from typing import Annotated, Any, Literal, Mapping, Optional, Sequence, Union

from .._c import ffi
from .._credentials.auth import AuthInput
from .._inputs import encode
from .._inputs.kinds import ContentInput, FilesInput, FormInput, HeadersInput, ParamsInput, TextsInput
from .._responses.progress import ProgressFunction
from . import conversions, response_filter, setters
from .common_options import CommonOptions
from .hedge import HedgeInput, set_hedging
from .observer import EventInput, set_on_event
from .option import Option, table_of
from .own_filter import FilterFunction, set_filter
from .response_filter import ProvidesFunction, ResponseFilterInput
from .retry import RetriesInput, set_retries
from .task_scope import TaskScope, set_task_scope


class RequestOptions(CommonOptions, total=False):
    """Keyword arguments of every call that makes a request."""

    retries: Annotated[
        RetriesInput,
        Option(
            """how often and when the request is sent again because of its answer or error: a `Retry`, a number of
            retries, True for ``Retry()``, None or 0 for never. Default: the client's.""",
            apply=set_retries,
            passes_none=True,
        ),
    ]
    hedge: Annotated[
        HedgeInput,
        Option(
            """when a second try is sent beside the first, so that one slow answer does not hold the request up: a
            `Hedge`, True for ``Hedge()``, None or False for never. Default: the client's.""",
            apply=set_hedging,
            passes_none=True,
        ),
    ]
    idempotent: Annotated[
        bool,
        Option(
            """True: to send the request twice does no more than to send it once, although its method does not say so.
            `retries` then holds for it. A request with an Idempotency-Key field does not need it. Default False.""",
            ffi.request_set_idempotent,
            encode.flag,
            default=False,
        ),
    ]
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
            `NegotiateAuth`. They go only to the origin of the URL, not to where a redirect leads. They take
            precedence over user name and password in the URL, and an Authorization field over them. Default: the
            client's; None for none.""",
        ),
    ]
    cookies: Annotated[
        Optional[Mapping[str, str]],
        Option(
            """cookies by name, sent in addition to the client's, each in place of one of the same name. They are not
            kept, and are sent only to the origin of the URL. A Cookie field replaces all cookies.""",
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
        Optional[TextsInput],
        Option(
            "a name for `cancel_tag()` and for `Cache.clear`, or several in a list or tuple.",
            apply=setters.set_tag,
        ),
    ]
    invalidates: Annotated[
        Optional[TextsInput],
        Option(
            """a tag, or several in a list or tuple, whose stored answers the client's cache loses when the request
            succeeds: without an error, and with a status from 200 to 399. `tag` says which an answer has.""",
            apply=setters.set_invalidates,
        ),
    ]
    filter: Annotated[
        Optional[FilterFunction],
        Option(
            """a function that reads and changes the request just before it is sent, such as one that signs it: it is
            called with a `FilterRequest`, after the filters of the client and as they are (`Client.add_filter`).
            Default None.""",
            apply=set_filter,
            passes_none=True,
        ),
    ]
    network_filter: Annotated[
        Optional[ResponseFilterInput],
        Option(
            """a function, or several in a list or tuple, that reads and changes an answer from the network before it is
            judged, stored by the cache and delivered: it is called with a `FilterResponse`, after those of the client
            (`Client.add_response_filter`, which says when). Default None.""",
            apply=response_filter.set_network_filter,
        ),
    ]
    delivery_filter: Annotated[
        Optional[ResponseFilterInput],
        Option(
            """the same for each answer, from the network or the cache, before its task ends. What it changes is not
            stored. Default None.""",
            apply=response_filter.set_delivery_filter,
        ),
    ]
    provides: Annotated[
        Optional[ProvidesFunction],
        Option(
            """a function that is called with the `Response` before the cache stores it, and returns None, a tag or a
            list of tags: the answer is stored with these and those of `tag`. It runs as a `network_filter`, and sees
            what those made of the answer that are given before it. Default None.""",
            apply=response_filter.set_provides,
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
    task_scope: Annotated[
        Optional[TaskScope],
        Option(
            "what the task belongs to: it is canceled when that is closed. Default None.",
            apply=set_task_scope,
            per_call=True,
        ),
    ]
    on_event: Annotated[
        Optional[EventInput],
        Option(
            """called with each `ClientEvent` of the request's task, in order, in a thread of netcore's: when it begins,
            waits, is sent, redirected, tried again, and ends. Several may be given, in a list or tuple. What one raises
            goes to sys.excepthook.""",
            apply=set_on_event,
            per_call=True,
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
            "bytes of the body per second to receive at most, on average. Default None: any, as 0.",
            ffi.request_set_max_receive_rate,
            conversions.rate,
        ),
    ]
    max_send_rate: Annotated[
        Optional[int],
        Option(
            "bytes of the body per second to send at most, on average. Default None: any, as 0.",
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
            if `Client.set_network` named another one, it ends with `InterfaceNotAllowed`. Default None: any.""",
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


def _documentation() -> str:
    lines = (f"- {name}: {option.text}" for name, option in TABLE.items())
    return "\n".join([RequestOptions.__doc__ or "", "", *lines])


RequestOptions.__doc__ = _documentation()
