"""The options that a request and a client take: a part of the table in `options`."""

# Annotations are read at run time here, so that they are no strings.

from typing import Annotated, Literal, Optional, TypedDict, Union

from .._c import ffi
from .._cache.types import CacheMode
from .._inputs import encode
from .._inputs.kinds import TextsInput
from .._inputs.limits import TimeoutInput, TimeToLiveInput, milliseconds
from . import conversions, setters
from .error_table import ErrorTable, set_errors
from .interval import MinIntervalInput, set_min_interval
from .option import Option
from .validation import (
    ShapeInput,
    StatusesInput,
    ValidateFunction,
    digest_text,
    set_validate,
    shape_text,
    statuses_text,
    types_text,
)


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
    param_nesting: Annotated[
        Literal["repeat", "brackets"],
        Option(
            """how nested params are written in a query, a form and multipart. ``"brackets"``:
            ``a[b]=1&l[]=1&l[]=2``, as jQuery's ``param`` does and Rails, PHP and qs read it; dicts are then allowed
            without a `serializer`, too, and what is empty is left out. Default "repeat": a list repeats its name, a
            dict is JSON.""",
            ffi.request_set_param_nesting,
            conversions.choice_of(ffi.PARAM_NESTINGS),
        ),
    ]
    timeout: Annotated[
        TimeoutInput,
        Option(
            "seconds, a pair (connect, read), None for none, or a `Timeout`. Default: the client's.",
            apply=setters.set_timeout,
            passes_none=True,
            client_text="""seconds, a pair (connect, read), a `Timeout`, or None for none. Default:
            ``Timeout(connect=10, first_byte=60, idle=60, total=None)``.""",
        ),
    ]
    follow_redirects: Annotated[
        bool,
        Option(
            "whether 301, 302, 303, 307 and 308 are followed. Default: the client's.",
            ffi.request_set_follow_redirects,
            encode.flag,
            default=True,
            client_text="""whether 301, 302, 303, 307 and 308 are followed. Default True. From https to http only with
            ``allow_insecure_redirects=True``.""",
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
    duplicates: Annotated[
        Literal["allow", "join", "drop_new", "cancel_old"],
        Option(
            """what becomes of the request while an equal one of the same client is in flight. ``"join"``: it is not
            sent, and gets the answer or error of the other; each keeps its own cancel, and the transfer ends with the
            last one. ``"drop_new"``: it ends with `DuplicateRequest`. ``"cancel_old"``: the other one is canceled.
            Equal are method, URL, headers, cookies, auth, body and what else changes the answer; only requests with
            one of these three are compared. Streamed responses and downloads are not joined, and bodies that are read
            while they are sent are equal to no other. As a client's default ``"join"`` holds only for GET, HEAD,
            OPTIONS, TRACE and QUERY. Default ``"allow"``.""",
            ffi.request_set_duplicates,
            conversions.choice_of(ffi.DUPLICATES),
            default="allow",
        ),
    ]
    rate_key: Annotated[
        Optional[str],
        Option(
            """a name for ``set_rate(…, key=…)``: requests with one share a rate, such as those with one API key.
            Default None.""",
            ffi.request_set_rate_key,
            conversions.text,
        ),
    ]
    min_interval: Annotated[
        MinIntervalInput,
        Option(
            """the shortest time between equal requests of the client, with the same method, URL, params and body:
            seconds, True for 2, a `MinInterval`, None for none. One that comes too soon ends with `TooSoon`, or waits.
            Default None.""",
            apply=set_min_interval,
            passes_none=True,
        ),
    ]
    min_receive_rate: Annotated[
        Optional[int],
        Option(
            """bytes of the body per second that must come at least, on average over each `min_receive_rate_window`: a
            slower transfer ends with `MinimumRateError`, also one that the idle timeout does not see since a byte
            comes now and then. Windows follow one another from the first byte of the body on; time in which
            nothing is read because of `max_receive_rate` does not count. Default None: any, as 0.""",
            apply=setters.set_min_receive_rate,
        ),
    ]
    min_receive_rate_window: Annotated[
        float,
        Option(
            "seconds. Default 30.",
            apply=setters.set_min_receive_rate_window,
        ),
    ]
    expect_continue: Annotated[
        Optional[float],
        Option(
            """seconds to wait for the server's leave before a body is sent ("Expect: 100-continue"). A final answer
            that comes first is the answer, and nothing of the body is sent; after a 417 the request is sent again
            without the field. Default None: no leave is asked for.""",
            ffi.request_set_expect_continue,
            milliseconds,
            passes_none=True,
        ),
    ]
    wait_for_network: Annotated[
        Optional[float],
        Option(
            """seconds, at most a day, that the request waits for the network each time that it is about to be sent
            while the client's `reachability` is ``"unreachable"``; it then ends with `NetworkUnreachable`. A wait
            before the first attempt counts to no timeout. Default None: it does not wait, and is sent.""",
            ffi.request_set_wait_for_network_ms,
            conversions.wait_for_network,
            default=None,
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
            conversions.cache_ttl,
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
    accept_statuses: Annotated[
        StatusesInput,
        Option(
            """status codes that are a success; any other one ends the request with `StatusRejected`, whose `response`
            is the answer. Codes, ranges, texts such as ``"2xx"`` and ``"410-412"``, several in a list; True for 2xx,
            None for all. An answer is judged before it is stored in a cache, and so is one that a cache serves;
            retries and redirects see its status as it came. A streamed response is judged by status and media type
            only, a download by its own rules. Default None.""",
            ffi.request_set_accepted_statuses,
            statuses_text,
        ),
    ]
    accept_content_types: Annotated[
        Optional[TextsInput],
        Option(
            """media types that are a success, such as ``"application/json"``, ``"text/*"`` or ``"application/*+json"``;
            any other one, and none, is a `ContentTypeRejected`, except of a 204 or 205. Default None: any.""",
            ffi.request_set_accepted_content_types,
            types_text,
        ),
    ]
    body_sha256: Annotated[
        Union[str, bool, None],
        Option(
            """a digest of 64 hexadecimal digits that the body must have, or True for any: computes the SHA-256 digest
            of the body as it is delivered, `Response.body_sha256`. What the server says (``Content-Digest``,
            ``Repr-Digest``, RFC 9530) is checked as well, unless the body came with a content coding. Another one is
            an `IntegrityError`, after the last byte of a streamed response. Default None: not computed.""",
            ffi.request_set_body_sha256,
            digest_text,
        ),
    ]
    json_shape: Annotated[
        ShapeInput,
        Option(
            """what the JSON of the body must look like: ``{"id": "integer", "tags": ["string"], "next": "string?"}``.
            Texts name types: string, number, integer, boolean, object, array, null, any; several with "|" in between,
            and "?" at the end if the value may be null or missing, as after the name of a member. Objects may have
            further members. Any other body is a `JSONRejected`, whose `pointer` is the first place that does not
            match. Default None: any.""",
            ffi.request_set_json_shape,
            shape_text,
        ),
    ]
    validate: Annotated[
        Optional[ValidateFunction],
        Option(
            """a function that is given each answer which passes the other rules, and raises, or returns False, to
            reject it: a `ResponseRejected`. It runs in a thread of netcore's, one at a time, and must not wait for a
            request that has such a function itself. Default None.""",
            apply=set_validate,
            passes_none=True,
        ),
    ]
    errors: Annotated[
        Optional[ErrorTable],
        Option(
            """an `ErrorTable`: which answers are errors of the application's, with their codes and messages for people.
            Default None.""",
            apply=set_errors,
            passes_none=True,
        ),
    ]
    drop_nulls: Annotated[
        bool,
        Option(
            """True takes the members of JSON objects that are null out of the body, at any depth; a cache stores it as
            it came. Default False.""",
            ffi.request_set_drop_nulls,
            encode.flag,
            default=False,
        ),
    ]


COMMON = frozenset(CommonOptions.__annotations__)
"""Their names."""
