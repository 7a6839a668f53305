"""Functions of the user's that say who sends requests: sources of tokens, and answers to challenges.

C calls them one at a time on a thread of the client's, another one than that of filters.
"""

from __future__ import annotations

import ctypes
import re
import threading
from collections import deque
from ctypes import c_uint64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Deque, Optional

from .._c import ffi
from .._c.lent import find
from .._c.texts import NONE
from .._errors.raising import check, reject
from .._functions.values import check_function
from .._inputs import encode
from .auth import AuthInput, as_auth

if TYPE_CHECKING:
    from .._functions.hooks import Hooks

TokenFunction = Callable[[Optional[str]], Optional[str]]

FAILURES_KEPT = 16
"""How many of what a source raised one after the other are kept, for tasks that ended by it and are taken later."""

_TOKEN = re.compile(r"[\x21-\x7e]+")
_SCHEME_OF = {number: scheme for scheme, number in ffi.AUTH_SCHEMES.items()}


@dataclass(frozen=True)
class Challenge:
    """A 401 that waits for credentials (RFC 9110 section 11.6.1)."""

    url: str
    """Of the answer, without user name and password."""

    realm: str
    """What the credentials are for, in the server's words; "" where it names none."""

    scheme: Optional[str]
    """The strongest that the server offers and netcore speaks: ``"negotiate"``, ``"digest"``, ``"bearer"`` or
    ``"basic"``; None for none of them."""

    failures: int
    """How often this was asked for the request before: 0, 1 or 2."""


ChallengeFunction = Callable[[Challenge], Optional[AuthInput]]


class TokenSource:
    """A function that gives tokens for an origin."""

    def __init__(self, function: TokenFunction) -> None:
        self._function = function
        self._raised: Deque[int] = deque()
        """The numbers of what the function raised since it last returned."""

    def write(self, hooks: Hooks, refused: Optional[str], room: int, capacity: int) -> int:
        """Writes a token to C's room, and returns its length, or what says that there is none. Never raises."""
        try:
            if not hooks.enter():
                return NONE
            token = self._function(refused)
            self._forget(0, hooks)
            if token is None:
                return NONE
            text = _token_text(token, capacity)
            ctypes.memmove(room, text, len(text) + 1)  # bytes of Python end with a NUL byte
            return len(text)
        except BaseException as error:
            number = hooks.causes.keep(error, "the source of tokens", is_shared=True)
            self._raised.append(number)
            return number
        finally:
            self._forget(FAILURES_KEPT, hooks)
            hooks.leave()

    def _forget(self, kept: int, hooks: Hooks) -> None:
        """Keeps only the last that were raised."""
        while len(self._raised) > kept:
            hooks.causes.forget(self._raised.popleft())


def _token_text(token: Any, capacity: int) -> bytes:
    if not isinstance(token, str):
        raise TypeError(f"token: str or None expected, not {type(token).__name__}")
    if not _TOKEN.fullmatch(token) or len(token) >= capacity:
        reject(f"token: it is empty, has {capacity} characters or more, or one that is not visible ASCII")
    return token.encode("ascii")


class Answerer:
    """A function that answers challenges."""

    def __init__(self, function: ChallengeFunction) -> None:
        self._function = function

    def answer(self, hooks: Hooks, challenge: Challenge, request: c_uint64) -> int:
        """Sets credentials on a netcore_request, and returns a status. Never raises."""
        try:
            if not hooks.enter():
                return ffi.ERR_CANCELED
            auth = self._function(challenge)
            if auth is not None:
                check(as_auth(auth).set_on(request))
            return ffi.OK
        except BaseException as error:
            return hooks.causes.keep(error, "the answer to a challenge")
        finally:
            hooks.leave()


class Credentials:
    """The functions of one client, which owns this. Any thread may use it."""

    def __init__(self, hooks: Hooks) -> None:
        self._hooks = hooks
        self._lock = threading.Lock()

    def set_token_source(self, url: str, function: Optional[TokenFunction]) -> None:
        """Sets where tokens for an origin come from."""
        text = encode.c_text(url, "origin", ffi.ERR_INVALID_URL)
        set_source = ffi.client_set_token_source
        if function is None:
            self._tell(lambda client: set_source(client, text, ffi.TokenFn(), None, ffi.ReleaseFn()))
            return
        check_function(function, "function")
        self._lend(
            TokenSource(function),
            lambda client, number, release: set_source(client, text, _call_source, number, release),
        )

    def set_answerer(self, function: Optional[ChallengeFunction]) -> None:
        """Sets who answers challenges."""
        set_function = ffi.client_set_challenge_function
        if function is None:
            self._tell(lambda client: set_function(client, ffi.ChallengeFn(), None, ffi.ReleaseFn()))
            return
        check_function(function, "function")
        self._lend(
            Answerer(function),
            lambda client, number, release: set_function(client, _call_answerer, number, release),
        )

    def _lend(self, thing: Any, give: Callable[[c_uint64, int, Any], int]) -> None:
        self._tell(lambda client: self._hooks.lend(thing, lambda number, release: give(client, number, release)))

    def _tell(self, call: Callable[[c_uint64], int]) -> None:
        with self._lock:
            self._hooks.tell(call)


def _token(refused: Optional[bytes], room: int, capacity: int, number: int) -> int:
    """A netcore_token_fn."""
    found = find(number)
    if found is None or found[1] is None:
        return NONE
    hooks, source = found
    length: int = source.write(hooks, None if refused is None else refused.decode(), room, capacity)
    return length


def _challenge(challenge: Any, request: int, number: int) -> int:
    """A netcore_challenge_fn."""
    found = find(number)
    if found is None or found[1] is None:
        return ffi.ERR_CANCELED
    hooks, answerer = found
    told = challenge.contents
    url, realm = told.url.decode("utf-8", "replace"), told.realm.decode("utf-8", "replace")
    given = Challenge(url, realm, _SCHEME_OF.get(told.auth), told.failures)
    answer: int = answerer.answer(hooks, given, c_uint64(request))
    return answer


_call_source = ffi.for_ever(ffi.TokenFn(_token))
_call_answerer = ffi.for_ever(ffi.ChallengeFn(_challenge))
