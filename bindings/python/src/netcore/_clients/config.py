"""Makes C clients from the options of `Client` and `AsyncClient`."""

from __future__ import annotations

from ctypes import byref, c_uint64
from typing import Any, Mapping

from .._c import ffi
from .._errors.raising import call_error, check, refused_argument
from .option import Setup
from .options import CLIENT_TABLE


def create_client(cache: int, given: Mapping[str, Any], completions: int) -> c_uint64:
    """Creates a netcore_client, and returns its handle.

    :param cache: a netcore_cache, or 0.
    :param given: the options of the client, of which those are read that C is made with.
    :param completions: a netcore_completion_mode in which completions are taken.
    """
    setup = Setup(completions)
    setup.struct.cache = cache
    for option in CLIENT_TABLE.values():
        option.set(setup, given)
    handle = c_uint64()
    status = ffi.client_create(setup.struct, byref(handle))
    if status:
        name = refused_argument()
        raise call_error(status, argument=setup.names.get(name, name))
    for number, value, name in setup.limits:
        status = ffi.client_set_limit(handle, number, value)
        if status:
            error = call_error(status, argument=name)
            ffi.client_destroy(handle)
            raise error
    if setup.queue_overflow:
        check(ffi.client_set_queue_overflow(handle, setup.queue_overflow))
    return handle
