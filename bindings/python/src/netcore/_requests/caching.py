"""What a request asks of the cache, on its way to C."""

from __future__ import annotations

from ctypes import c_uint64
from typing import Optional, Sequence

from .._c import ffi
from .._cache.types import CacheMode
from .._errors.errors import check, reject
from .._inputs import encode
from .._inputs.limits import TimeToLiveInput, time_to_live


def set_cache_options(
    handle: c_uint64,
    *,
    cache_mode: CacheMode = CacheMode.STANDARD,
    cache_ttl: Optional[TimeToLiveInput] = None,
    cache_errors: bool = False,
    cache_scope: Optional[str] = None,
    cache_version: int = 0,
    cache_key: Optional[str] = None,
    cache_key_fields: Sequence[str] = (),
) -> None:
    """Sets the options of a netcore_request.

    :raises InvalidRequest: a value that is not allowed.
    :raises TypeError: a value of a wrong type, or an unknown option.
    """
    if cache_mode is not CacheMode.STANDARD:
        if not isinstance(cache_mode, CacheMode):
            raise TypeError(f"cache_mode: netcore.CacheMode expected, not {type(cache_mode).__name__}")
        check(ffi.request_set_cache_mode(handle, cache_mode))
    if cache_ttl is not None:
        check(ffi.request_set_cache_ttl_ms(handle, time_to_live(cache_ttl, "cache_ttl")))
    if cache_errors is not False:
        check(ffi.request_set_cache_errors(handle, encode.flag(cache_errors, "cache_errors")))
    if cache_scope is not None:
        check(ffi.request_set_cache_scope(handle, encode.c_text(cache_scope, "cache_scope")))
    if cache_version != 0:
        check(ffi.request_set_cache_version(handle, _version(cache_version)))
    if cache_key is not None:
        check(ffi.request_set_cache_key(handle, encode.c_text(cache_key, "cache_key")))
    if isinstance(cache_key_fields, (str, bytes)):
        raise TypeError(f"cache_key_fields: names in a list or tuple expected, not {type(cache_key_fields).__name__}")
    for name in cache_key_fields:
        text = encode.c_text(name, "cache_key_fields", ffi.ERR_INVALID_HEADER)
        if ffi.request_add_cache_key_field(handle, text):
            reject(f"cache_key_fields: {name!r} is no name of a field", ffi.ERR_INVALID_HEADER)


def _version(version: int) -> int:
    if isinstance(version, bool) or not isinstance(version, int):
        raise TypeError(f"cache_version: an integer expected, not {type(version).__name__}")
    if not 0 <= version < 1 << 32:
        reject(f"cache_version: {version} is not between 0 and 2**32 - 1")
    return version
