"""Stubs: answers of the application's own in place of the network, for its tests."""

from __future__ import annotations

import json as json_module
import weakref
from ctypes import byref, c_char_p, c_uint32, c_uint64, c_void_p, cast
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple, Type, Union
from urllib.parse import quote

from .._c import ffi
from .._c.lent import Owner, find
from .._errors.errors import Error
from .._errors.raising import check, usual_status
from .._inputs import encode
from .._inputs.kinds import HeadersInput, ParamsInput
from .._responses.request import Request
from .._responses.response import Response
from .transport import request_of

DelayInput = Union[float, Tuple[float, float], "LogNormal"]
Function = Callable[[Request], Union["Answer", Response]]


class LogNormal(NamedTuple):
    """Delays as those of real servers are: half are below the median, and some far above."""

    median: float
    """In seconds."""
    sigma: float = 0.5
    """The deviation of the logarithm, at most 5."""


class Fault(NamedTuple):
    """What goes wrong with an answer."""

    kind: int
    after: int = 0

    @classmethod
    def reset(cls) -> Fault:
        """The connection is reset before an answer: `ConnectionLost`."""
        return cls(ffi.STUB_FAULT_RESET)

    @classmethod
    def empty(cls) -> Fault:
        """The connection is closed before an answer: `ConnectionLost`."""
        return cls(ffi.STUB_FAULT_EMPTY)

    @classmethod
    def silence(cls) -> Fault:
        """Nothing comes: the first-byte timeout of the request ends it."""
        return cls(ffi.STUB_FAULT_SILENCE)

    @classmethod
    def cut(cls, after: int) -> Fault:
        """The connection ends after so many bytes of the body: `TruncatedError`."""
        return cls(ffi.STUB_FAULT_CUT, after)

    @classmethod
    def stall(cls, after: int) -> Fault:
        """Nothing more comes after so many bytes of the body: the idle timeout of the request ends it."""
        return cls(ffi.STUB_FAULT_STALL, after)

    @classmethod
    def malformed_chunk(cls, after: int) -> Fault:
        """A chunk after so many bytes of the body is damaged: `ProtocolError`."""
        return cls(ffi.STUB_FAULT_MALFORMED_CHUNK, after)


class Answer:
    """What a stub answers.

    :param content, json: the body, as the application gets it; what Content-Encoding says does not matter.
    :param delay: seconds before the answer begins; two numbers for a delay between them; `LogNormal`. By the clock of
        the client.
    :param piece_size: the body comes in pieces of so many bytes. Default: in one.
    :param piece_delay: seconds before each piece except the first.
    :param fault: what goes wrong.
    :param error: an exception of netcore's, or its class, that the request ends with.
    """

    __slots__ = ("_kept", "_struct")

    def __init__(
        self,
        status_code: int = 200,
        *,
        headers: Optional[HeadersInput] = None,
        content: Union[bytes, str, None] = None,
        json: Any = None,
        delay: DelayInput = 0.0,
        piece_size: int = 0,
        piece_delay: float = 0.0,
        fault: Optional[Fault] = None,
        error: Union[Error, Type[Error], None] = None,
    ) -> None:
        response = Response(status_code, headers=headers, content=content, json=json)
        lines = b"".join(name + b": " + value + b"\n" for name, value in response.headers.raw)
        body = response.content
        struct = ffi.StubAnswer(http_status=status_code, headers=lines, body_size_bytes=len(body))
        struct.body = _address(body)
        struct.delay_ms, struct.delay_max_ms, struct.delay_sigma = _delay(delay)
        struct.piece_size_bytes = encode.count(piece_size, "piece_size", 0)
        struct.piece_delay_ms = _milliseconds(piece_delay, "piece_delay")
        if fault is not None:
            struct.fault, struct.fault_after_bytes = fault.kind, encode.count(fault.after, "fault", 0)
        if error is not None:
            given = error() if isinstance(error, type) else error
            struct.fault, struct.error = ffi.STUB_FAULT_ERROR, usual_status(given)
            struct.error_message = given.message.encode("utf-8", "replace").replace(b"\0", b" ") or None
        self._struct = struct
        self._kept = (lines, body)

    @classmethod
    def _of(cls, given: Any) -> Answer:
        if isinstance(given, Response):
            return cls(given.status_code, headers=given.headers.multi_items(), content=given.content)
        if not isinstance(given, Answer):
            raise TypeError(f"stub: Answer or Response expected, not {type(given).__name__}")
        return given


class Stub:
    """One stub of a table. Made by `Stubs.add`."""

    def __init__(self, stubs: Stubs, index: int) -> None:
        self._stubs = stubs
        self._index = index

    def answer(self, *arguments: Any, **options: Any) -> Stub:
        """Adds an answer: an `Answer` or a `Response`, or what makes an `Answer`. Answers are given one after the
        other, the last one again and again."""
        is_ready = len(arguments) == 1 and not options and isinstance(arguments[0], (Answer, Response))
        answer = Answer._of(arguments[0]) if is_ready else Answer(*arguments, **options)
        check(ffi.stubs_add_answer(self._stubs._handle, self._index, byref(answer._struct)))
        return self

    @property
    def call_count(self) -> int:
        """How often it answered."""
        count = c_uint64()
        check(ffi.stubs_get_call_count(self._stubs._handle, self._index, byref(count)))
        return count.value

    @property
    def calls(self) -> List[Request]:
        """The requests that it answered, in order, with their `content`."""
        return [request for request, index in self._stubs._calls() if index == self._index]


class Stubs(Owner):
    """Stubs that answer the requests of clients in place of the network: ``Client(transport=stubs)``.

    They stand below everything else that a client does: the cache, retries, redirects, cookies and timeouts work as
    with the network, and each hop is a request here. A request that no stub answers raises `NoStub`, whose message
    names the nearest stub and what differs.

    ``stubs.get("/users/*", params={"page": 2}).answer(json=[])``
    """

    def __init__(self) -> None:
        super().__init__()
        self._handle = c_uint64()
        self._failures: List[BaseException] = []
        check(ffi.stubs_create(byref(self._handle)))
        _tables.add(self)

    def __del__(self) -> None:
        self._close()

    def _close(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            self._handle = c_uint64()
            ffi.stubs_destroy(handle)

    def add(
        self,
        method: Optional[str] = None,
        url: Optional[str] = None,
        *,
        params: Optional[ParamsInput] = None,
        headers: Optional[HeadersInput] = None,
        content: Union[bytes, str, None] = None,
        json: Any = None,
        times: Optional[int] = None,
        function: Optional[Function] = None,
    ) -> Stub:
        """Adds a stub. Where several match, the one that was added first answers.

        :param url: an absolute URL, or a path that begins with "/". ``*`` stands for any text without "/", ``**`` for
            any text; a query is taken as `params` are. Default: any.
        :param params: parameters that must be there, in any order and among others.
        :param headers: fields that must be there, among others; values may have wildcards.
        :param content: the whole body.
        :param json: the body as JSON; white space and the order of names do not matter.
        :param times: how often it answers; then the next stub that matches does. Default: any number of times.
        :param function: is called with the `Request`, and returns an `Answer` or a `Response`. In a thread of the
            client's, one call at a time. What it raises, the request ends with: an `Error` of netcore's as it is,
            anything else as `Refused`, and `check` raises it.
        """
        if params is not None:
            query = "&".join(f"{quote(name, '')}={quote(value, '')}" for name, value in _pairs(params))
            url = f"{url or '**'}{'&' if '?' in (url or '') else '?'}{query}"
        struct = ffi.Stub(times=0 if times is None else encode.count(times, "times", 1))
        if method is not None:
            struct.method = encode.c_text(method, "method", ffi.ERR_INVALID_METHOD)
        if url is not None:
            struct.url = encode.c_text(url, "url", ffi.ERR_INVALID_URL)
        struct.headers = b"".join(name + b": " + value + b"\n" for name, value in encode.header_fields(headers))
        body = content.encode() if isinstance(content, str) else content
        if json is not None:
            body = json_module.dumps(json).encode()
        if body is not None:
            struct.body_kind = ffi.STUB_BODY_BYTES if json is None else ffi.STUB_BODY_JSON
            struct.body, struct.body_size_bytes = _address(body), len(body)
        index = c_uint32()
        if function is None:
            check(ffi.stubs_add(self._handle, byref(struct), None, None, None, byref(index)))
        else:
            check(
                self.lend(
                    function,
                    lambda number, release: ffi.stubs_add(
                        self._handle, byref(struct), _call_stub, number, release, byref(index)
                    ),
                )
            )
        return Stub(self, index.value)

    def get(self, url: Optional[str] = None, **options: Any) -> Stub:
        """`add` for GET."""
        return self.add("GET", url, **options)

    def post(self, url: Optional[str] = None, **options: Any) -> Stub:
        """`add` for POST."""
        return self.add("POST", url, **options)

    def put(self, url: Optional[str] = None, **options: Any) -> Stub:
        """`add` for PUT."""
        return self.add("PUT", url, **options)

    def patch(self, url: Optional[str] = None, **options: Any) -> Stub:
        """`add` for PATCH."""
        return self.add("PATCH", url, **options)

    def delete(self, url: Optional[str] = None, **options: Any) -> Stub:
        """`add` for DELETE."""
        return self.add("DELETE", url, **options)

    @property
    def calls(self) -> List[Request]:
        """The requests that came, in order, with their `content`; also those that no stub answered."""
        return [request for request, _ in self._calls()]

    def check(self) -> None:
        """Checks that each request had a stub, that each stub answered a request, and that no function raised.

        :raises NoStub: names the requests or the stubs.
        """
        if self._failures:
            raise self._failures.pop(0)
        check(ffi.stubs_check(self._handle))

    def reset(self) -> None:
        """Removes all stubs, and forgets the requests that came."""
        self._failures.clear()
        check(ffi.stubs_reset(self._handle))

    def set_on(self, client: Any) -> None:
        """Gives them to a netcore_client. For netcore itself."""
        check(ffi.client_set_stubs(client, self._handle))

    def _calls(self) -> Sequence[Tuple[Request, int]]:
        result: List[Tuple[Request, int]] = []

        def note(request: int, index: int, _: Any) -> int:
            result.append((request_of(request), index))
            return 1

        check(ffi.stubs_list_calls(self._handle, cast(ffi.StubCallFn(note), c_void_p), None))
        return result

    def _answer(self, function: Function, hop: int, request: int) -> None:
        """Answers a hop by a function of the user's. Never raises."""
        try:
            answer = Answer._of(function(request_of(request)))
        except Error as error:
            answer = Answer(error=error)
        except BaseException as error:
            self._failures.append(error)
            text = f"the stub raised {type(error).__name__}: {error}"
            ffi.hop_fail(hop, ffi.ERR_REFUSED, text.encode("utf-8", "replace").replace(b"\0", b" "))
            return
        if ffi.hop_answer_as(hop, byref(answer._struct)) == ffi.ERR_INVALID_ARGUMENT:
            ffi.hop_fail(hop, ffi.ERR_REFUSED, b"the stub answered with what is no answer")


_tables: "weakref.WeakSet[Stubs]" = weakref.WeakSet()


def close_all_stubs() -> None:
    """At exit, after all clients: functions of stubs are released while the interpreter is whole."""
    for stubs in list(_tables):
        stubs._close()


def _pairs(params: ParamsInput) -> List[Tuple[str, str]]:
    if isinstance(params, str):
        raise TypeError("params: a mapping or pairs expected; a query belongs to the URL")
    return encode.texts_of(encode.items_of(params, "params"), "params")


def _milliseconds(seconds: float, what: str) -> int:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{what}: seconds expected, not {type(seconds).__name__}")
    if not 0 <= seconds <= 86400:
        raise ValueError(f"{what}: {seconds} is not between 0 and 86400 seconds")
    return round(seconds * 1000)


def _delay(delay: DelayInput) -> Tuple[int, int, float]:
    """As netcore_stub_answer has it: milliseconds, the longest, the deviation."""
    if isinstance(delay, LogNormal):
        return _milliseconds(delay.median, "delay"), 0, float(delay.sigma)
    if isinstance(delay, tuple):
        shortest, longest = delay
        return _milliseconds(shortest, "delay"), _milliseconds(longest, "delay"), 0.0
    return _milliseconds(delay, "delay"), 0, 0.0


def _address(body: bytes) -> Any:
    """The address of bytes, which must outlive it."""
    return cast(c_char_p(body), c_void_p).value


def _stub(hop: int, request: int, number: int) -> None:
    """A netcore_transport_fn."""
    found = find(number)
    if found is None:
        ffi.hop_fail(hop, ffi.ERR_CONNECT, None)
    else:
        owner, function = found
        owner._answer(function, hop, request)


_call_stub = ffi.for_ever(ffi.TransportFn(_stub))
