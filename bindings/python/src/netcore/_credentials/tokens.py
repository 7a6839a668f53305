"""Functions of the user's that say who sends requests: sources of tokens, and answers to challenges.

C calls them one at a time on a thread of the client's, another one than that of filters. What C holds lives as long as
the process; it finds the user's functions by a number in user_data.
"""

from __future__ import annotations

import ctypes
import itertools
import re
import threading
import weakref
from ctypes import c_uint64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from .._c import ffi
from .._c.texts import NONE
from .._errors.errors import check, reject
from .._functions.values import check_function
from .._inputs import encode
from .._inputs.urls import origin_of, parts_of
from .auth import AuthInput, as_auth

if TYPE_CHECKING:
    from .._functions.hooks import Hooks

TokenFunction = Callable[[Optional[str]], Optional[str]]

_TOKEN = re.compile(r"[\x21-\x7e]+")
_SCHEME_OF = {number: scheme for scheme, number in ffi.AUTH_SCHEMES.items()}

_next_number = itertools.count(1).__next__


@dataclass(frozen=True)
class Challenge:
    """A 401 that somebody has to answer (RFC 9110 section 11.6.1)."""

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

    def __init__(self, hooks: Hooks, function: TokenFunction) -> None:
        self._hooks = weakref.ref(hooks)
        self._function = function
        self._raised = 0
        """The number of what the function raised last."""
        self.number = _next_number()
        _functions[self.number] = self

    def write(self, refused: Optional[str], room: int, capacity: int) -> int:
        """Writes a token to C's room, and returns its length, or what says that there is none. Never raises."""
        hooks = self._hooks()
        if hooks is None:
            return NONE
        old = self._raised
        try:
            if not hooks.enter():
                return NONE
            token = self._function(refused)
            if token is None:
                return NONE
            text = _token_text(token, capacity)
            ctypes.memmove(room, text, len(text) + 1)  # bytes of Python end with a NUL byte
            return len(text)
        except BaseException as error:
            self._raised = hooks.causes.keep(error, "the source of tokens", is_shared=True)
            return self._raised
        finally:
            hooks.causes.forget(old)
            hooks.leave()


def _token_text(token: Any, capacity: int) -> bytes:
    if not isinstance(token, str):
        raise TypeError(f"token: str or None expected, not {type(token).__name__}")
    if not _TOKEN.fullmatch(token) or len(token) >= capacity:
        reject(f"token: it is empty, has {capacity} characters or more, or one that is not visible ASCII")
    return token.encode("ascii")


class Answerer:
    """A function that answers challenges."""

    def __init__(self, hooks: Hooks, function: ChallengeFunction) -> None:
        self._hooks = weakref.ref(hooks)
        self._function = function
        self.number = _next_number()
        _functions[self.number] = self

    def answer(self, challenge: Challenge, request: c_uint64) -> int:
        """Sets credentials on a netcore_request, and returns a status. Never raises."""
        hooks = self._hooks()
        if hooks is None:
            return ffi.ERR_CANCELED
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
        self._sources: Dict[str, TokenSource] = {}
        self._answerer: Optional[Answerer] = None
        self._lock = threading.Lock()

    def set_token_source(self, url: str, function: Optional[TokenFunction]) -> None:
        """Sets where tokens for an origin come from."""
        text = encode.c_text(url, "origin", ffi.ERR_INVALID_URL)
        origin = origin_of(parts_of(text))
        source = None
        if function is not None:
            check_function(function, "function")
            source = TokenSource(self._hooks, function)
        with self._lock:
            if source is None:
                self._hooks.tell(
                    lambda client: ffi.client_set_token_source(client, text, ffi.TokenFn(), None, ffi.NO_RELEASE)
                )
                self._sources.pop(origin, None)
            else:
                number = source.number
                self._hooks.tell(
                    lambda client: ffi.client_set_token_source(client, text, _call_source, number, ffi.NO_RELEASE)
                )
                self._sources[origin] = source

    def set_answerer(self, function: Optional[ChallengeFunction]) -> None:
        """Sets who answers challenges."""
        answerer, call, number = None, ffi.ChallengeFn(), None
        if function is not None:
            check_function(function, "function")
            answerer = Answerer(self._hooks, function)
            call, number = _call_answerer, answerer.number
        with self._lock:
            self._hooks.tell(lambda client: ffi.client_set_challenge_function(client, call, number, ffi.NO_RELEASE))
            self._answerer = answerer


_functions: "weakref.WeakValueDictionary[int, Any]" = weakref.WeakValueDictionary()


def _token(refused: Optional[bytes], room: int, capacity: int, number: int) -> int:
    """A netcore_token_fn."""
    source = _functions.get(number)
    if source is None:
        return NONE
    length: int = source.write(None if refused is None else refused.decode(), room, capacity)
    return length


def _challenge(challenge: Any, request: int, number: int) -> int:
    """A netcore_challenge_fn."""
    answerer = _functions.get(number)
    if answerer is None:
        return ffi.ERR_CANCELED
    told = challenge.contents
    url, realm = told.url.decode("utf-8", "replace"), told.realm.decode("utf-8", "replace")
    answer: int = answerer.answer(Challenge(url, realm, _SCHEME_OF.get(told.auth), told.failures), c_uint64(request))
    return answer


_call_source = ffi.for_ever(ffi.TokenFn(_token))
_call_answerer = ffi.for_ever(ffi.ChallengeFn(_challenge))
