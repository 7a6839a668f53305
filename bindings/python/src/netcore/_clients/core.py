"""What both clients share: one C client, and whatever waits for its completions."""

from __future__ import annotations

import itertools
from ctypes import byref, c_int32, c_uint32, c_uint64
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Type, Union

from .._c import ffi
from .._c.buffers import COMPLETION, CompletionArray, Out, argument_of, borrow_out, pointer_argument, return_out
from .._c.threads import new_lock
from .._cache.cache import Cache
from .._cache.types import CacheLookup, CacheResult
from .._credentials.auth import AuthInput
from .._errors.causes import explain_rejection
from .._errors.errors import Canceled, Error, IntegrityError, Refused, ResponseRejected, StateError
from .._errors.failures import Failures
from .._errors.raising import call_error, check, reject
from .._inputs import encode
from .._inputs import params as parameters
from .._inputs.kinds import HeadersInput, ParamsInput
from .._requests.breaker import BreakerInput, set_breaker
from .._requests.common_options import COMMON
from .._requests.factory import Prepared, RequestFactory
from .._requests.failover import FailoverInput, set_failover
from .._requests.hedge import HedgeInput, set_client_hedging
from .._requests.option import check_names
from .._requests.options import RequestOptions
from .._requests.retry import RetriesInput, set_client_retries
from .._responses.event_source import SourceOptions
from .._responses.request import Request
from .._responses.response import take_response
from .._responses.stream_base import Streamed
from .cassettes import Cassette
from .config import create_client
from .live_cores import live_cores
from .options import CLIENT_OPTIONS
from .pending import Pending
from .stubs import Stubs
from .transport import Handler, MockTransport, Transport

if TYPE_CHECKING:
    from .._cache.functions import Functions
    from .._tasks.application_task import ApplicationTask

LARGEST_WINDOW = 1 << 30


class Core(Failures):
    """A C client, its request factory, and what is pending by the number given to C as user_data."""

    _completions_mode = ffi.COMPLETION_MODE_QUEUE

    def __init__(
        self,
        *,
        base_url: str = "",
        headers: Optional[HeadersInput] = None,
        params: Optional[ParamsInput] = None,
        allow_insecure_redirects: bool = False,
        cache: Optional[Cache] = None,
        auth: Optional[AuthInput] = None,
        transport: Union[MockTransport, Stubs, Cassette, Handler, None] = None,
        retries: RetriesInput = None,
        hedge: HedgeInput = None,
        breaker: BreakerInput = None,
        failover: FailoverInput = None,
        **others: Any,
    ) -> None:
        check_names(others, CLIENT_OPTIONS)
        if cache is not None and not isinstance(cache, Cache):
            raise TypeError(f"cache: netcore.Cache expected, not {type(cache).__name__}")
        super().__init__()
        self.handle = c_uint64()
        self.is_closed = False
        self.is_forked = False
        defaults = {name: others.pop(name) for name in COMMON if name in others}
        query = params if isinstance(params, str) else ""
        encode.utf8(query, "params")
        self.requests = RequestFactory(base_url, query, defaults)
        fields = encode.header_fields(headers)
        self.cache = cache
        self.functions: Optional[Functions] = None
        """Of the cache, when they are asked for each call."""
        if cache is not None and cache.functions.depend_on_calls:
            self.functions = cache.functions
            self.requests.keeps_none = True
        self.next_key = itertools.count(1).__next__
        self.pending: Dict[int, Pending] = {}
        self.hosts: Dict[int, ApplicationTask] = {}
        self.lock = new_lock()
        self.handle = create_client(0 if cache is None else cache.handle_for_client(), others, self._completions_mode)
        self.handle_argument = argument_of(self.handle.value)
        live_cores.add(self)
        try:
            self.requests.set_defaults(self.handle, allow_insecure_redirects, auth)
            set_client_retries(self.handle, retries)
            set_client_hedging(self.handle, hedge)
            set_breaker(self.handle, breaker)
            set_failover(self.handle, failover)
            self._set_defaults(fields, [] if query else encode.items_of(params, "params"))
        except BaseException:
            self.destroy()
            raise
        if isinstance(transport, (Stubs, Cassette)):
            transport.set_on(self.handle)
        elif transport is not None:
            self.transport = Transport(self, transport)
            check(self.transport.set_on(self.handle))

    def _set_defaults(self, fields: List[encode.HeaderField], items: List[encode.Item]) -> None:
        """Sets what the client adds to all requests."""
        for name, value in items:
            parameters.add(parameters.TO_CLIENT, self.handle, name, value, False)
        if fields or items:
            self.add_headers(fields)

    def add_headers(self, fields: List[encode.HeaderField]) -> None:
        """Adds fields to those of all requests."""
        with self.requests.changing_parts():
            for field in fields:
                status = ffi.client_add_header(self.handle, *field)
                if status:
                    raise self.call_error(status, argument="headers")

    # Dispatching

    def receive(self) -> None:
        """Makes sure that completions are taken, before the first one can come.

        :raises StateError: the client is in use in another event loop.
        """
        raise NotImplementedError

    def dispatch(self, prepared: Prepared, pending: Pending) -> int:
        """Dispatches a request whose end goes to `pending`, and returns the task. Registered before it can end."""
        key = self.next_key()
        self.pending[key] = pending
        out = borrow_out()
        status = ffi.fast_dispatch(
            self.handle_argument, prepared.argument, None, pointer_argument(key), out.handle_address
        )
        task = out.handle_words[0]
        return_out(out)
        if status:
            self.pending.pop(key, None)
            raise self.call_error(status, prepared.request)
        if self.functions is not None:
            self.raise_function_failure(self.functions, task, key)
        return task

    def dispatch_streamed(self, prepared: Prepared, pending: Pending, window: int) -> int:
        """Dispatches a request whose head, as an event, and whose end go to `pending`, and returns the task."""
        key = self.next_key()
        self.pending[key] = pending
        task = c_uint64()
        status = ffi.dispatch_streamed(self.handle, prepared.handle, window, None, key, byref(task))
        if status:
            self.pending.pop(key, None)
            raise self.call_error(status, prepared.request)
        if self.functions is not None:
            self.raise_function_failure(self.functions, task.value, key)
        return task.value

    def create(self, prepared: Prepared, pending: Pending) -> int:
        """Makes a task without dispatching it, and returns it."""
        key = self.next_key()
        self.pending[key] = pending
        task = c_uint64()
        status = ffi.task_create(self.handle, prepared.handle, None, key, byref(task))
        if status:
            self.pending.pop(key, None)
            raise self.call_error(status, prepared.request)
        if self.functions is not None:
            self.raise_function_failure(self.functions, task.value, key)
        return task.value

    def raise_function_failure(self, functions: Functions, task: int, key: int) -> None:
        """Raises what a function of the cache raised in the call that made a task, which is then canceled."""
        try:
            functions.raise_failure()
        except BaseException:
            self.pending.pop(key, None)
            ffi.task_cancel(task)
            raise

    def lookup(self, prepared: Prepared) -> CacheLookup:
        """What the cache holds for a request. Blocks while it reads from disk."""
        response = c_uint64()
        result = c_int32()
        self.check_wait(prepared)
        status = ffi.client_get_cached(self.handle, prepared.handle, byref(response), byref(result))
        if self.functions is not None:
            self.functions.raise_failure()
        if status == ffi.ERR_NOT_FOUND:
            return CacheLookup(None, CacheResult.of(result.value))
        if status:
            raise self.refusal(self.call_error(status, prepared.request))
        return CacheLookup(take_response(response.value, prepared.request), CacheResult.of(result.value))

    def streamed(self, method: str, url: str, options: RequestOptions, window: int) -> Prepared:
        """The request for a streamed response.

        :raises InvalidRequest: an argument that is not allowed.
        :raises TypeError: one of a wrong type.
        """
        if isinstance(window, bool) or not isinstance(window, int):
            raise TypeError(f"window: an integer expected, not {type(window).__name__}")
        if not 0 < window <= LARGEST_WINDOW:
            reject(f"window: {window} is not between 1 and 2**30")
        prepared = self.requests.get(method, url, options)
        if prepared.watch is not None:
            reject("on_progress: a streamed response has num_bytes_downloaded instead")
        return prepared

    def streamed_response(
        self, kind: Type[Streamed], out: Out, prepared: Prepared, wait: Callable[[], Any]
    ) -> Streamed:
        """Makes the response of a client of the netcore_response that `out` has, and gives `out` back.

        :param wait: how that client waits for more of the body.
        """
        response = kind._opened(out, prepared.request, prepared.explain_by(self.task_error), wait)
        return_out(out)
        return response

    def source(
        self, method: str, url: str, options: RequestOptions, how: SourceOptions
    ) -> Tuple[int, Callable[[int], Error]]:
        """Makes a netcore_event_source, and returns it with what makes the exception of a call that failed.

        :raises InvalidRequest: an argument that is not allowed.
        """
        prepared = self.requests.get(method, url, options)
        if prepared.watch is not None:
            reject("on_progress: a source of events has none")
        source = c_uint64()
        status = ffi.event_source_create(self.handle, prepared.handle, byref(how.struct), byref(source))
        if status:
            raise self.call_error(status, prepared.request)
        return source.value, partial(self.call_error, request=prepared.request)

    def usable_requests(self) -> RequestFactory:
        """The request factory.

        :raises StateError: the client is closed.
        """
        if self.is_closed:
            raise self.call_error(ffi.ERR_SHUT_DOWN)
        return self.requests

    def task_error(self, response: int, status: int, request: Request, raised: Optional[List[BaseException]]) -> Error:
        """The exception for a task that ended with `status`; if an answer was rejected or refused, it has the answer.

        :param response: a handle or 0, which stays the caller's.
        """
        error = super().task_error(response, status, request, raised)
        if isinstance(error, (IntegrityError, Refused, ResponseRejected)) and response:
            if isinstance(error, ResponseRejected):
                explain_rejection(error)
            ffi.response_retain(response)
            answer = take_response(response, request)
            # A request that was refused before it was sent has no answer.
            error.response = answer if answer.status_code else None
        return error

    def call_error(self, status: int, request: Optional[Request] = None, *, argument: str = "") -> Error:
        """The exception for a C call that has just failed on this thread; knows of a closed client.

        :param argument: as of `call_error`.
        """
        if self.is_closed and status in (ffi.ERR_INVALID_HANDLE, ffi.ERR_SHUT_DOWN):
            return StateError("the client is closed", status=ffi.ERR_SHUT_DOWN, request=request)
        return call_error(status, request, argument=argument)

    def check_wait(self, prepared: Prepared) -> None:
        """Refuses to wait in a filter for a request that has to pass filters.

        :raises StateError: it would never end.
        """
        if not prepared.is_bare and self.is_filter_thread():
            message = "waiting in a filter or the like for a request that passes it would never end; use bare=True"
            raise StateError(message, status=ffi.ERR_INVALID_STATE)

    def is_filter_thread(self) -> bool:
        """Whether this is a thread in which a filter of the client's runs."""
        hooks = self.hooks()
        return hooks is not None and hooks.runs_here()

    def deliver(self, completions: CompletionArray) -> None:
        """Hands completions to those that wait for them. Never raises."""
        taken = completions.bytes[: completions.count_words[0] * COMPLETION.size]
        pop = self.pending.pop
        for kind, status, task, group, response, key in COMPLETION.iter_unpack(taken):
            if kind > ffi.COMPLETION_KIND_GROUP:
                self._deliver_early(kind, task, response, key)
                continue
            pending = pop(key, None)
            if pending is not None:
                pending.finish(task or group, status, response)
            elif response:  # nothing waits for it any more
                ffi.response_release(response)

    def _deliver_early(self, kind: int, task: int, response: int, key: int) -> None:
        """Hands over what comes before the end of a task, which goes on. Calls are not notified of it."""
        hear = getattr(self.pending.get(key), "hear", None)
        if hear is not None:
            hear(task, kind, response)
        elif response:
            ffi.response_release(response)

    # Canceling

    def cancel_own(self, task: int) -> bool:
        """Cancels a task by its id; False when it has ended, or is another client's."""
        if isinstance(task, bool) or not isinstance(task, int):
            raise TypeError(f"id: int expected, not {type(task).__name__}")
        return any(getattr(own, "id", 0) == task for own in list(self.pending.values())) and self.cancel(task)

    def cancel(self, task: int) -> bool:
        """Cancels a task of this client; False when it has ended."""
        host = self.hosts.get(task)
        status = ffi.task_cancel(task) if 0 <= task < 1 << 64 else ffi.ERR_INVALID_HANDLE
        if status == ffi.ERR_INVALID_HANDLE:
            return False
        check(status)
        if host is not None:
            host._tell_canceled()
        return True

    def cancel_all(self) -> int:
        """Cancels every task that has not ended, and returns their number."""
        count = c_uint32()
        status = ffi.client_cancel_all(self.handle, byref(count))
        if status:
            raise self.call_error(status)
        self._tell_hosts()
        return count.value

    def cancel_tag(self, tag: str) -> int:
        """Cancels the tasks with a tag, and returns their number."""
        count = c_uint32()
        status = ffi.client_cancel_tag(self.handle, encode.c_text(tag, "tag"), byref(count))
        if status:
            raise self.call_error(status)
        return count.value

    def _tell_hosts(self) -> None:
        for host in list(self.hosts.values()):
            host._tell_canceled()

    # The end

    def shut_down(self) -> None:
        """Stops the client: everything in flight ends as canceled. Does not wait. The first call counts."""
        self.is_closed = True
        self.requests.close()
        if self.is_forked:
            return
        hooks = self.hooks()
        if hooks is not None:
            hooks.close()
        ffi.client_shutdown(self.handle)
        hosts = list(self.hosts.values())
        self._tell_hosts()
        for host in hosts:
            ffi.task_complete(host.id, ffi.ERR_CANCELED)  # the work itself may end when it likes

    def destroy(self) -> None:
        """Frees the C client; what was not delivered is dropped."""
        if not self.is_forked:
            ffi.client_destroy(self.handle)

    def abandon_pending(self, error: Optional[Error] = None) -> None:
        """Ends whatever no completion will come for, without callbacks, so that no thread waits for ever."""
        why = error if error is not None else Canceled("the client was closed", status=ffi.ERR_CANCELED)
        while self.pending:
            _, pending = self.pending.popitem()
            pending.abandon(why)
        self.hosts.clear()

    def close_at_exit(self, deadline: float) -> None:
        """Ends the client, shut down before, while the interpreter is whole; waits until `deadline` at most."""
        hooks = self.hooks()
        if hooks is None or hooks.rest(deadline):
            self.end_at_exit(deadline)
        self.report_failures()

    def end_at_exit(self, deadline: float) -> None:
        """The same, when no filter runs."""
        self.destroy()

    def after_fork(self) -> None:
        """In the child: C answers NETCORE_ERR_FORKED to all, and no thread is left to deliver anything."""
        self.is_forked = True
        self.lock = new_lock()
        self.requests.after_fork()
        Failures.__init__(self)
        self.abandon_pending(StateError("made before fork(), in the parent process", status=ffi.ERR_FORKED))
