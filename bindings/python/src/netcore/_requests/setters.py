"""Options that are more than one value for one function of C."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

from .._c import ffi
from .._errors.raising import call_error, check, reject
from .._inputs import encode
from .._inputs.limits import LIBRARY_TIMEOUT, as_timeout, milliseconds
from .._responses.progress import DEFAULT_SECONDS, Watch
from . import conversions
from .body import MOST_BYTES

if TYPE_CHECKING:
    from .factory import Prepared

DEFAULT_WINDOW = 30.0
_WINDOW = "min_receive_rate_window"
_TIMEOUTS = (
    ("connect", ffi.request_set_connect_timeout_ms),
    ("first_byte", ffi.request_set_first_byte_timeout_ms),
    ("idle", ffi.request_set_idle_timeout_ms),
    ("total", ffi.request_set_total_timeout_ms),
)


def set_timeout(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    timeout = as_timeout(value)
    has_default = "timeout" in prepared.defaults
    if timeout == LIBRARY_TIMEOUT and not has_default:
        return
    for name, setter in _TIMEOUTS:
        seconds = getattr(timeout, name)
        if has_default or seconds != getattr(LIBRARY_TIMEOUT, name):
            check(setter(prepared.handle, milliseconds(seconds)))


def set_min_receive_rate(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    window = options.get(_WINDOW, prepared.defaults.get(_WINDOW, DEFAULT_WINDOW))
    rate = 0 if value is None else conversions.rate(value, "min_receive_rate", conversions.LARGEST_MINIMUM_RATE)
    window_ms = conversions.seconds(window, "min_receive_rate_window")
    check(ffi.request_set_min_receive_rate(prepared.handle, rate, window_ms))


def set_min_receive_rate_window(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """C takes it with the rate, which may be the client's."""
    rate = prepared.defaults.get("min_receive_rate")
    if rate is not None and "min_receive_rate" not in options:
        set_min_receive_rate(prepared, rate, options)


def set_progress(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    prepared.watch = Watch(value, options.get("progress_interval", DEFAULT_SECONDS))
    check(ffi.request_set_progress_interval_ms(prepared.handle, prepared.watch.interval_ms))


def set_gzip(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Sets from which size on the body is packed."""
    if not isinstance(value, int):
        raise TypeError(f"gzip: bool or a number of bytes expected, not {type(value).__name__}")
    if value is False:
        return
    minimum = 0 if value is True else value
    if not 0 <= minimum <= MOST_BYTES:
        reject(f"gzip: {minimum} is not between 0 and 2**62")
    check(ffi.request_set_body_gzip(prepared.handle, minimum))


def set_tag(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    if isinstance(value, str):
        check(ffi.request_set_tag(prepared.handle, encode.c_text(value, "tag")))
        return
    for text in encode.texts(value, "tag"):
        check(ffi.request_add_tag(prepared.handle, text))


def set_invalidates(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    for text in encode.texts(value, "invalidates"):
        check(ffi.request_add_invalidated_tag(prepared.handle, text))


def set_user_info(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    prepared.request.user_info = value


def set_path_values(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    if not isinstance(value, Mapping):
        raise TypeError(f"path_values: a mapping expected, not {type(value).__name__}")
    for name, one in value.items():
        if isinstance(one, bool) or not isinstance(one, (str, int)):
            raise TypeError(f"path_values: str or int expected for {name!r}, not {type(one).__name__}")
        texts = encode.c_text(name, "path_values"), encode.c_text(str(one), "path_values")
        status = ffi.request_set_path_value(prepared.handle, *texts)
        if status:
            raise call_error(status, prepared.request, argument=f"path_values: {name!r}")


def set_cache_key_fields(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    if isinstance(value, (str, bytes)):
        raise TypeError(f"cache_key_fields: names in a list or tuple expected, not {type(value).__name__}")
    for name in value:
        text = encode.c_text(name, "cache_key_fields", ffi.ERR_INVALID_HEADER)
        if ffi.request_add_cache_key_field(prepared.handle, text):
            reject(f"cache_key_fields: {name!r} is not a name of a field", ffi.ERR_INVALID_HEADER)
