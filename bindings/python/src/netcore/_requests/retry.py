"""Policies of retries, and the functions of the user's that decide about them.

C calls these on a thread of the client's. What C holds lives as long as the process, and finds the function by a number
in user_data, until C says that it will call it no more.
"""

from __future__ import annotations

import itertools
from ctypes import byref, c_char_p, c_int32, c_uint64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Collection, Dict, Mapping, Optional, Tuple, Union

from .._c import ffi
from .._errors.errors import Error
from .._errors.raising import call_error, check, refused_argument, reject, report, task_error
from .._functions.values import check_function
from .._inputs import encode
from .._inputs.limits import milliseconds
from .._responses.request import Request
from .._responses.response import Response, take_response

if TYPE_CHECKING:
    from .factory import Prepared

NONE = (1 << 32) - 1
"""For a figure of a budget: none."""

DEFAULT_STATUSES = (408, 413, 425, 429, 500, 502, 503, 504)
DEFAULT_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY")
DEFAULT_ERRORS = tuple(ffi.RETRY_ERRORS)


@dataclass(frozen=True)
class RetryOutcome:
    """What came of an attempt, for `Retry.decide`. Times are in seconds."""

    attempt: int
    """The attempt that it was, from 1 on."""

    response: Response
    """The answer, or what is known of it; its `request` is not."""

    error: Optional[Error]
    """None with an answer, whatever its status code."""

    retry_after: Optional[float]
    """What the answer asks to wait; None if it does not."""

    delay: Optional[float]
    """After which the policy would try again; None if it would not."""


DecideFunction = Callable[[RetryOutcome], Union[bool, float, None]]


@dataclass(frozen=True)
class RetryBudget:
    """How many retries an origin gets: tokens, of which each retry takes one. So one that fails for everybody is asked
    little more than without retries."""

    tokens: int = 10
    """At most, and at first: 1 to 1,000,000."""

    per_success: float = 0.2
    """Tokens for each request that succeeded: 0 to 1."""

    per_second: int = 1
    """Tokens for each second: 0 to 1,000."""


@dataclass(frozen=True)
class Retry:
    """When a request is sent again because of its answer or error, and after how long. Times are in seconds.

    ``Client(retries=Retry(attempts=5))``, or for one request ``client.get(url, retries=Retry(statuses=[503]))``. A
    number n in its place stands for ``Retry(attempts=n + 1)``, as in httpx and urllib3, and True for ``Retry()``.

    What came of each try is in ``response.tries`` and ``error.tries``. Answers that are tried again are neither
    returned nor stored in a cache.
    """

    attempts: int = 3
    """Attempts in all, the first included: 1 to 100. urllib3's `total` counts one less."""

    base_delay: float = 0.1
    """The longest wait before the second attempt, doubled for each one after it: each wait is random between 0 and
    that. At most `max_delay`."""

    throttled_delay: float = 1.0
    """In place of `base_delay` after a 429 or 503."""

    max_delay: float = 20.0
    """No wait is longer, unless Retry-After asks for it: at most an hour."""

    max_retry_after: float = 60.0
    """The longest Retry-After that is waited for, at most a day. An answer with a longer one is returned at once; what
    it asks for is in ``response.tries[-1].retry_after``."""

    attempt_timeout: Optional[float] = None
    """The longest that one attempt may take; it then ends with `AttemptTimeout`, after which another may follow. At
    most the total timeout of the request. None for none."""

    statuses: Collection[int] = DEFAULT_STATUSES
    """Status codes that are tried again, each 400 to 599. 425 is tried again once, 413 only with a Retry-After."""

    methods: Collection[str] = DEFAULT_METHODS
    """Methods, in upper case, that are tried again; others only with an Idempotency-Key or ``idempotent=True``."""

    errors: Collection[str] = DEFAULT_ERRORS
    """Classes of errors that are tried again: ``"resolve"``, ``"connect"``, ``"reset"``, ``"truncated"``,
    ``"timeout"``."""

    budget: Optional[RetryBudget] = RetryBudget()
    """The budget of each origin; None for none."""

    idempotency_keys: bool = False
    """True: requests that are not idempotent get an Idempotency-Key field with a random UUID, made once for each
    request, and are tried again. Only for servers that know the field."""

    decide: Optional[DecideFunction] = None
    """Called with a `RetryOutcome` after each attempt that another may follow, in a thread of the client's, one call at
    a time; it must not wait for a request that it decides about. It returns None: as the other figures say; True:
    another attempt; a number: another one after so many seconds; False: this is the last. Retry-After, the budget and
    the total timeout hold. What it raises is shown by ``sys.excepthook``, and the attempt is then the last."""

    def __post_init__(self) -> None:
        for name in ("statuses", "methods", "errors"):
            object.__setattr__(self, name, _collection(getattr(self, name), name))
        if self.decide is not None:
            check_function(self.decide, "decide")
        _c_options(self)


RetriesInput = Union[bool, int, Retry, None]


def as_retry(value: RetriesInput) -> Optional[Retry]:
    """A policy from any of the forms that users give; None for no retries."""
    if value is None or isinstance(value, Retry):
        return value
    if isinstance(value, bool):
        return Retry() if value else None
    if not isinstance(value, int):
        raise TypeError(f"retries: bool, int, netcore.Retry or None expected, not {type(value).__name__}")
    if value < 0:
        reject(f"retries: {value} is below 0")
    return Retry(attempts=value + 1) if value else None


def set_retries(prepared: Prepared, value: RetriesInput, options: Mapping[str, Any]) -> None:
    """Sets the retries of a request."""
    retry = as_retry(value)
    if retry is None:
        check(ffi.request_set_retries(prepared.handle, ffi.RETRIES_OFF, None))
    else:
        _give(retry, lambda given: ffi.request_set_retries(prepared.handle, ffi.RETRIES_OWN, given))


def set_client_retries(client: c_uint64, value: RetriesInput) -> None:
    """Sets the retries of all requests of a netcore_client that do not say otherwise."""
    retry = as_retry(value)
    if retry is not None:
        _give(retry, lambda given: ffi.client_set_retries(client, given))


def _give(retry: Retry, call: Callable[[Any], int]) -> None:
    """Hands a policy to C.

    :raises InvalidRequest: a figure that is out of range, or contradicts another.
    """
    options = _c_options(retry)
    if retry.decide is None:
        status = call(byref(options))
    else:
        number = _next_number()
        _functions[number] = retry.decide
        options.decide, options.user_data, options.release = _call_decide, number, _call_release
        status = call(byref(options))
        if status:
            del _functions[number]
    if status:
        name = refused_argument()
        raise call_error(status, argument=_NAMES.get(name, name))


_NAMES = {
    "base_delay_ms": "base_delay",
    "throttled_delay_ms": "throttled_delay",
    "max_delay_ms": "max_delay",
    "max_retry_after_ms": "max_retry_after",
    "attempt_timeout_ms": "attempt_timeout",
    "budget_tokens": "budget.tokens",
    "budget_success_percent": "budget.per_success",
    "budget_per_second": "budget.per_second",
}


def _c_options(retry: Retry) -> ffi.RetryOptions:
    """The policy as C takes it, without its function; types and what does not fit a number of C are checked here."""
    options = ffi.RetryOptions(
        attempts=encode.count(retry.attempts, "attempts", 1),
        base_delay_ms=milliseconds(retry.base_delay, "base_delay"),
        throttled_delay_ms=milliseconds(retry.throttled_delay, "throttled_delay"),
        max_delay_ms=milliseconds(retry.max_delay, "max_delay"),
        max_retry_after_ms=milliseconds(retry.max_retry_after, "max_retry_after"),
        attempt_timeout_ms=milliseconds(retry.attempt_timeout, "attempt_timeout"),
        idempotency_keys=encode.flag(retry.idempotency_keys, "idempotency_keys"),
    )
    statuses = [encode.count(status, "statuses", 1) for status in retry.statuses]
    options.statuses = (c_int32 * len(statuses))(*statuses)
    options.status_count = len(statuses)
    methods = [encode.c_text(method, "methods") for method in retry.methods]
    options.methods = (c_char_p * len(methods))(*methods)
    options.method_count = len(methods)
    for name in retry.errors:
        options.errors |= encode.choice(name, ffi.RETRY_ERRORS, "errors")
    options.errors = options.errors or ffi.RETRY_ERRORS_NONE
    _set_budget(options, retry.budget)
    return options


def _set_budget(options: ffi.RetryOptions, budget: Optional[RetryBudget]) -> None:
    if budget is None:
        options.budget_tokens = NONE
        return
    if not isinstance(budget, RetryBudget):
        raise TypeError(f"budget: netcore.RetryBudget or None expected, not {type(budget).__name__}")
    options.budget_tokens = encode.count(budget.tokens, "budget.tokens", 1)
    options.budget_success_percent = encode.percent(budget.per_success, "budget.per_success", 0, 1) or NONE
    options.budget_per_second = encode.count(budget.per_second, "budget.per_second", 0) or NONE


def _collection(values: Collection[Any], name: str) -> Tuple[Any, ...]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Collection):
        raise TypeError(f"{name}: a list, tuple or set expected, not {type(values).__name__}")
    if not values and name != "errors":
        reject(f"{name}: at least one is needed")
    return tuple(values)


# What C calls

_next_number = itertools.count(1).__next__
_functions: Dict[int, DecideFunction] = {}
"""Those that C may call; it says when it is done with one."""


def _outcome_of(given: ffi.RetryOutcome) -> RetryOutcome:
    check(ffi.response_retain(given.response))
    error = task_error(given.response, given.status, None) if given.status else None
    return RetryOutcome(
        attempt=given.attempt,
        response=take_response(given.response, Request("", "")),
        error=error,
        retry_after=None if given.retry_after_ms < 0 else given.retry_after_ms / 1000,
        delay=None if given.delay_ms < 0 else given.delay_ms / 1000,
    )


def _decide(given: Any, delay_ms: Any, number: int) -> int:
    """A netcore_retry_fn."""
    try:
        verdict = _functions[number](_outcome_of(given.contents))
        if verdict is None:
            return ffi.RETRY_VERDICT_POLICY
        if isinstance(verdict, bool):
            return ffi.RETRY_VERDICT_RETRY if verdict else ffi.RETRY_VERDICT_STOP
        delay_ms[0] = milliseconds(verdict, "decide") if verdict else 0
        return ffi.RETRY_VERDICT_RETRY
    except BaseException as error:
        report(error)
        return ffi.RETRY_VERDICT_STOP


def _release(number: int) -> None:
    _functions.pop(number, None)


_call_decide = ffi.for_ever(ffi.RetryFn(_decide))
_call_release = ffi.for_ever(ffi.ReleaseFn(_release))
