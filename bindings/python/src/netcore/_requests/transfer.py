"""How a request is transferred, on its way to C: priority, bandwidth, and what it demands of the network."""

from __future__ import annotations

from ctypes import c_uint64
from typing import TYPE_CHECKING, Any, Optional

from .._c import ffi
from .._errors.errors import check, reject
from .._inputs import encode
from .._inputs.limits import milliseconds
from .._responses.progress import DEFAULT_SECONDS, ProgressFunction, Watch
from .caching import set_cache_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .factory import Prepared
    from .options import CacheRequestOptions


DEFAULT_WINDOW = 30.0
LARGEST_MIN_RATE = 1 << 40


def set_transfer_options(
    prepared: Prepared,
    *,
    priority: str = "default",
    max_receive_rate: Optional[int] = None,
    max_send_rate: Optional[int] = None,
    min_receive_rate: Optional[int] = None,
    min_receive_rate_window: float = DEFAULT_WINDOW,
    on_progress: Optional[ProgressFunction] = None,
    progress_interval: float = DEFAULT_SECONDS,
    user_info: Any = None,
    allowed_interface: Optional[str] = None,
    allow_metered: bool = True,
    sent_once: bool = False,
    **cache: Unpack[CacheRequestOptions],
) -> None:
    """Sets the options of a request, those for the cache too.

    :raises InvalidRequest: a value that is not allowed.
    :raises TypeError: a value of a wrong type, or an unknown option.
    """
    handle = prepared.handle
    check(ffi.request_set_priority(handle, encode.choice(priority, ffi.PRIORITIES, "priority")))
    if max_receive_rate is not None:
        check(ffi.request_set_max_receive_rate(handle, _rate(max_receive_rate, "max_receive_rate")))
    if max_send_rate is not None:
        check(ffi.request_set_max_send_rate(handle, _rate(max_send_rate, "max_send_rate")))
    if min_receive_rate is not None:
        _set_min_receive_rate(handle, min_receive_rate, min_receive_rate_window)
    if on_progress is not None:
        prepared.watch = Watch(on_progress, progress_interval)
        check(ffi.request_set_progress_interval_ms(handle, prepared.watch.interval_ms))
    if user_info is not None:
        prepared.request.user_info = user_info
    if allowed_interface is not None:
        check(ffi.request_set_allowed_interface(handle, _interface(allowed_interface, "allowed_interface")))
    check(ffi.request_set_allow_metered(handle, encode.flag(allow_metered, "allow_metered")))
    if sent_once is not False:
        check(ffi.request_set_sent_once(handle, encode.flag(sent_once, "sent_once")))
    if cache:
        set_cache_options(handle, **cache)


def set_network(client: c_uint64, interface: Optional[str], is_metered: bool) -> int:
    """Tells a netcore_client of the network at hand, and returns the status."""
    name = None if interface is None else _interface(interface, "interface")
    network = ffi.Network(is_metered=encode.flag(is_metered, "is_metered"), interface=name)
    status: int = ffi.client_set_network(client, network)
    return status


def _interface(name: str, what: str) -> bytes:
    if name == "":
        reject(f"{what}: it is empty; None means any")
    return encode.c_text(name, what)


def _set_min_receive_rate(handle: c_uint64, rate: int, window: float) -> None:
    if window is None:
        raise TypeError("min_receive_rate_window: seconds as a number expected, not NoneType")
    window_ms = milliseconds(window, "min_receive_rate_window")
    if _rate(rate, "min_receive_rate") > LARGEST_MIN_RATE:
        reject(f"min_receive_rate: {rate} is not between 1 and 2**40 bytes per second; None means any")
    check(ffi.request_set_min_receive_rate(handle, rate, window_ms))


def _rate(rate: int, what: str) -> int:
    if isinstance(rate, bool) or not isinstance(rate, int):
        raise TypeError(f"{what}: an integer or None expected, not {type(rate).__name__}")
    if not 0 < rate < 1 << 63:
        reject(f"{what}: {rate} is not between 1 and 2**63 - 1 bytes per second; None means any")
    return rate
