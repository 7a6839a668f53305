"""Caches: stored answers in two levels, memory and disk."""

from __future__ import annotations

import threading
import weakref
from ctypes import byref, c_char_p, c_uint64, sizeof, string_at
from dataclasses import fields
from datetime import datetime, timedelta, timezone
from types import TracebackType
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Tuple, Type, Union

from .._c import ffi
from .._errors.errors import Error, StateError
from .._errors.raising import call_error, reject, report
from .._inputs import encode
from .._inputs.clock import Clock, handle_of
from .._inputs.kinds import PathInput, TextsInput
from .._inputs.limits import TimeToLiveInput, limit_value, time_to_live
from .functions import EventFunction, Functions, TextFunction
from .types import CacheEntry, CacheStatistics

RulesInput = Union[Mapping[str, TimeToLiveInput], Iterable[Tuple[str, TimeToLiveInput]]]
"""Times to live by URL pattern: a mapping or pairs."""

_LIMITS = {"memory_bytes": 1, "memory_count": 2, "disk_bytes": 3, "disk_count": 4}
_FILTERS = {"url": 1, "prefix": 2, "tag": 3, "scope": 4}
_STATISTICS = [field.name for field in fields(CacheStatistics)]
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

_caches: "weakref.WeakSet[Cache]" = weakref.WeakSet()


class Cache:
    """Stored answers in memory and on disk, served by the rules of RFC 9111 and by those of the application.

    Give it to clients: ``Client(cache=Cache("/var/cache/example"))``. Several clients, of both kinds, may share one;
    several processes may share a folder. Nothing on disk can make a request fail.

    - folder: of the disk level, made with mode 0700 when it is not there. A path at which there is a file, or below
      which there is one, is refused. Default: None, memory only.
    - shared: answers go to more than one user, and the rules for shared caches hold (RFC 9111 section 1.2). Default
      False: what was sent for a request with credentials is served to requests with the same credentials only.
    - ttl_only: only requests with a time to live, of their own or by a rule, use the cache.
    - rules: times to live by URL pattern, as a mapping or pairs; the first that matches counts, a request's `cache_ttl`
      wins. Patterns are of whole URLs: ``*`` and ``?`` match any characters, a backslash takes the next one as it is.
    - memory_bytes, memory_count, disk_bytes, disk_count: limits of the two levels; default 20 MiB and 200 MiB, any
      number of answers.
    - streamed_bytes: the largest body of a streamed response that is stored. A copy of it takes memory until its end,
      with a folder at most 1 MiB. Default 8 MiB.
    - synchronous: an answer is on disk before its task ends. Default False: soon after.
    - stale_when_disconnected: what is stale may be served, unless it forbids that, when the origin is out of reach.
    - application_version: what another version of the application stored is not used.
    - key: a function of the request that returns its key in place of method, URL, headers and body, or None for the
      usual one. Runs for each call, and for each redirect.
    - folder_for: a function of the request that returns the folder for its answer, or None for `folder`. At most 64.
    - on_event: is notified of events of the disk level, in a thread of the cache's. It may use netcore. What it raises,
      `close()` raises.
    - value_ttl: how long values of `put` are kept, unless it says so. Default: as long as there is room.
    - clock: a `Clock` of `netcore.testing`, in place of the machine's, for tests. The clients must have the same.

    `key` and `folder_for` run in the thread of the call, which raises what they raise, or for a redirect in a thread
    that they must not hold up; they must not use netcore.

    Any thread may use a cache. Use it as a context manager, or call `close()`.

    :raises InvalidRequest: an option that is not allowed.
    """

    def __init__(
        self,
        folder: Optional[PathInput] = None,
        *,
        shared: bool = False,
        ttl_only: bool = False,
        rules: Optional[RulesInput] = None,
        memory_bytes: Optional[int] = None,
        memory_count: Optional[int] = None,
        disk_bytes: Optional[int] = None,
        disk_count: Optional[int] = None,
        streamed_bytes: Optional[int] = None,
        synchronous: bool = False,
        stale_when_disconnected: bool = False,
        application_version: str = "",
        key: Optional[TextFunction] = None,
        folder_for: Optional[TextFunction] = None,
        on_event: Optional[EventFunction] = None,
        value_ttl: Optional[TimeToLiveInput] = None,
        clock: Optional[Clock] = None,
    ) -> None:
        self._handle = c_uint64()
        self._lock = threading.Lock()
        self._is_closed = False
        self._folder = folder
        self.has_disk = folder is not None or folder_for is not None
        self.functions = Functions(key, folder_for, on_event)
        options = ffi.CacheOptions()
        options.is_shared = encode.flag(shared, "shared")
        options.ttl_only = encode.flag(ttl_only, "ttl_only")
        options.writes_synchronously = encode.flag(synchronous, "synchronous")
        options.serves_stale_when_disconnected = encode.flag(stale_when_disconnected, "stale_when_disconnected")
        options.folder = None if folder is None else encode.c_path(folder, "folder")
        options.application_version = encode.c_text(application_version, "application_version")
        given = _given(
            memory_bytes=memory_bytes,
            memory_count=memory_count,
            disk_bytes=disk_bytes,
            disk_count=disk_count,
            streamed_bytes=streamed_bytes,
        )
        for name, value in given.items():
            setattr(options, name, value)
        rule_list = _rules(rules)
        options.rules = (ffi.CacheRule * len(rule_list))(*rule_list)
        options.rule_count = len(rule_list)
        options.rule_size = sizeof(ffi.CacheRule)
        options.value_ttl_ms = 0 if value_ttl is None else max(time_to_live(value_ttl, "value_ttl"), 1)
        options.clock = handle_of(clock)
        self.functions.fill(options)
        status = ffi.cache_create(byref(options), byref(self._handle))
        if status:
            raise call_error(status)
        _caches.add(self)
        self._set_limits({name: 0 for name, value in given.items() if value == 0})  # 0 is the default in the options

    # Values of the application's

    def put(
        self,
        key: str,
        value: Union[bytes, bytearray, memoryview, str],
        *,
        ttl: Optional[TimeToLiveInput] = None,
        tags: TextsInput = (),
    ) -> None:
        """Keeps a value of the application's under a key, in memory and on disk, within the limits of the cache. It may
        go at any time, as stored answers do; no request is served it. In `entries`, events and prefixes of `clear` its
        URL is ``"value:"`` and the key.

        :param key: not empty.
        :param value: bytes, or text, which is kept as UTF-8.
        :param ttl: seconds from now on, or a timedelta. Default: `value_ttl`.
        :param tags: a tag or several, by which `clear`, and requests that succeed (``invalidates=``), remove it.
        """
        if not isinstance(value, (bytes, bytearray, memoryview, str)):
            raise TypeError(f"value: bytes or str expected, not {type(value).__name__}")
        data = encode.utf8(value, "value") if isinstance(value, str) else bytes(value)
        names = encode.texts(tags, "tags")
        options = ffi.CacheValueOptions(
            ttl_ms=0 if ttl is None else max(time_to_live(ttl, "ttl"), 1),
            tags=(c_char_p * len(names))(*names),
            tag_count=len(names),
        )
        self._check(ffi.cache_put_value(self._handle, encode.c_text(key, "key"), data, len(data), byref(options)))

    def get(self, key: str) -> Optional[bytes]:
        """The value of a key; None if there is none, or none any more. Reads from disk what is not in memory."""
        found: List[bytes] = []

        def take(data: Any, _: Any) -> None:
            found.append(string_at(data.data, data.size_bytes))

        status = ffi.cache_get_value(self._handle, encode.c_text(key, "key"), ffi.CacheValueFn(take), None)
        if status != ffi.ERR_NOT_FOUND:
            self._check(status)
        return found[0] if found else None

    def get_text(self, key: str) -> Optional[str]:
        """The value of a key as text, from UTF-8.

        :raises UnicodeDecodeError: it is not UTF-8.
        """
        value = self.get(key)
        return None if value is None else value.decode()

    def remove(self, key: str) -> None:
        """Removes the value of a key, if there is one."""
        self._check(ffi.cache_remove_value(self._handle, encode.c_text(key, "key")))

    # Looking after it

    def clear(
        self,
        *,
        url: Optional[str] = None,
        prefix: Optional[str] = None,
        tag: Optional[str] = None,
        scope: Optional[str] = None,
    ) -> None:
        """Removes stored answers and values from both levels: all, or those that one filter names.

        :param url: those of a URL, without its fragment.
        :param prefix: those of all URLs that begin so.
        :param tag: those of all requests with this `tag`.
        :param scope: those that belong to this `cache_scope`.
        """
        filters = {"url": url, "prefix": prefix, "tag": tag, "scope": scope}
        given = [(name, value) for name, value in filters.items() if value is not None]
        if len(given) > 1:
            reject("url, prefix, tag, scope: give only one of them")
        if given:
            name, value = given[0]
            self._check(ffi.cache_clear(self._handle, _FILTERS[name], encode.c_text(value, name)), name)
        else:
            self._check(ffi.cache_clear(self._handle, 0, None))

    @property
    def statistics(self) -> CacheStatistics:
        """What the cache did since it was created, and what it holds."""
        out = ffi.CacheStatistics()
        self._check(ffi.cache_get_statistics(self._handle, byref(out)))
        return CacheStatistics(**{name: getattr(out, name) for name in _STATISTICS})

    def entries(self) -> Iterator[CacheEntry]:
        """What is stored, in no particular order: on disk, or in memory for a cache without a folder.

        All is read before the first is returned.
        """
        found: List[CacheEntry] = []
        failures: List[BaseException] = []

        def add(entry: Any, _: Any) -> int:
            try:
                found.append(_entry_of(entry.contents))
            except BaseException as error:
                failures.append(error)
            return 0 if failures else 1

        self._check(ffi.cache_list(self._handle, ffi.CacheEntryFn(add), None))
        if failures:
            raise failures[0]
        return iter(found)

    def set_limits(
        self,
        *,
        memory_bytes: Optional[int] = None,
        memory_count: Optional[int] = None,
        disk_bytes: Optional[int] = None,
        disk_count: Optional[int] = None,
    ) -> None:
        """Changes limits; what is beyond them is evicted. None leaves one as it is."""
        self._set_limits(
            _given(memory_bytes=memory_bytes, memory_count=memory_count, disk_bytes=disk_bytes, disk_count=disk_count)
        )

    def _set_limits(self, limits: Mapping[str, int]) -> None:
        for name, value in limits.items():
            self._check(ffi.cache_set_limit(self._handle, _LIMITS[name], value))

    def flush(self) -> None:
        """Waits until all that is to be written is on disk."""
        self._check(ffi.cache_flush(self._handle))

    # The end

    def close(self) -> None:
        """Releases the cache. Clients that were given it keep it until they are closed. A second call does nothing.

        :raises BaseException: what `on_event` raised, or a function for a redirect, if it was not raised yet.
        """
        self._close(raises=True)

    def _close(self, raises: bool) -> None:
        with self._lock:
            was_closed, self._is_closed = self._is_closed, True
        if not was_closed:
            ffi.cache_destroy(self._handle)
        failures = self.functions.take_failures()
        for error in failures[1 if raises else 0 :]:
            report(error)
        if raises and failures:
            raise failures[0]

    @property
    def is_closed(self) -> bool:
        """Whether the cache was closed."""
        return self._is_closed

    def handle_for_client(self) -> int:
        """The handle, for the options of a client. Not for users.

        :raises StateError: the cache is closed.
        """
        if self._is_closed:
            raise _closed()
        return self._handle.value

    def _check(self, status: int, name: str = "") -> None:
        """Raises the exception for a C call that has just failed; `name` is what C knows as `value`."""
        if not status:
            return
        if self._is_closed and status == ffi.ERR_INVALID_HANDLE:
            raise _closed()
        raise call_error(status, argument=name)

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self,
        error_type: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self._close(raises=error is None)

    def __del__(self, _destroy: Any = ffi.cache_destroy) -> None:
        if getattr(self, "_handle", None) and not self._is_closed:
            _destroy(self._handle)

    def __repr__(self) -> str:
        return f"<Cache {'in memory' if self._folder is None else repr(self._folder)}>"


def close_all() -> None:
    """The interpreter is about to exit: ends the caches, whose clients have ended, while it is whole."""
    for cache in list(_caches):
        cache._close(raises=False)


def _closed() -> Error:
    return StateError("the cache is closed", status=ffi.ERR_INVALID_STATE)


def _given(**limits: Optional[int]) -> Mapping[str, int]:
    return {name: limit_value(value, name) for name, value in limits.items() if value is not None}


def _rules(rules: Optional[RulesInput]) -> List[ffi.CacheRule]:
    items: Any = () if rules is None else rules.items() if isinstance(rules, Mapping) else rules
    if not isinstance(items, Iterable):
        raise TypeError(f"rules: a mapping or pairs expected, not {type(rules).__name__}")
    result: List[ffi.CacheRule] = []
    for item in items:
        if not isinstance(item, tuple) or len(item) != 2:
            raise TypeError("rules: a mapping or (pattern, time to live) pairs expected")
        pattern, seconds = item
        result.append(ffi.CacheRule(encode.c_text(pattern, "rules"), time_to_live(seconds, "rules")))
    return result


def _entry_of(entry: ffi.CacheEntry) -> CacheEntry:
    return CacheEntry(
        url=entry.url.decode("utf-8", "replace"),
        tag=entry.tag.decode("utf-8", "replace"),
        scope=entry.scope.decode("utf-8", "replace"),
        size=entry.size_bytes,
        body_size=entry.body_bytes,
        stored_at=_time(entry.stored_at_ms),
        fresh_until=_time(entry.fresh_until_ms),
        hits=entry.hits,
    )


def _time(milliseconds: int) -> datetime:
    try:
        return _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:  # "for ever"
        return (datetime.max if milliseconds > 0 else datetime.min).replace(tzinfo=timezone.utc)
