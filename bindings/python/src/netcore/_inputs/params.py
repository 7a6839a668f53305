"""Parameters by type, on their way to a request or to a client."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

from .._c import ffi
from .._errors.raising import call_error, reject
from . import encode


class Adders(NamedTuple):
    """The functions of C that add a parameter to a request, or to the defaults of a client."""

    text: Callable[..., int]
    integer: Callable[..., int]
    real: Callable[..., int]
    flag: Callable[..., int]
    null: Callable[..., int]
    json: Callable[..., int]
    list: Callable[..., int]


TO_REQUEST = Adders(
    ffi.request_add_param,
    ffi.request_add_param_int,
    ffi.request_add_param_double,
    ffi.request_add_param_bool,
    ffi.request_add_param_null,
    ffi.request_add_param_json,
    ffi.request_add_param_list,
)
TO_CLIENT = Adders(
    ffi.client_add_param,
    ffi.client_add_param_int,
    ffi.client_add_param_double,
    ffi.client_add_param_bool,
    ffi.client_add_param_null,
    ffi.client_add_param_json,
    ffi.client_add_param_list,
)

_KINDS = "str, int, float, bool, None, list or tuple"


def add(to: Adders, handle: Any, name: str, value: Any, is_nested: bool) -> None:
    """Adds one parameter.

    :param handle: of the request or client.
    :param is_nested: whether values may be dicts, and lists may have any elements: where they become JSON.
    :raises InvalidRequest: a value that is not allowed.
    :raises TypeError: a value of a wrong type.
    """
    status = _add(to, handle, encode.c_text(name, "params"), value, is_nested)
    if status:
        raise call_error(status, argument=f"params: {name!r}")


def _add(to: Adders, handle: Any, name: bytes, value: Any, is_nested: bool) -> int:
    if value is None:
        return to.null(handle, name)
    if isinstance(value, str):
        return to.text(handle, name, encode.c_text(value, "params"))
    if isinstance(value, bool):
        return to.flag(handle, name, value)
    if isinstance(value, int):
        return _add_integer(to, handle, name, value, is_nested)
    if isinstance(value, float):
        return to.real(handle, name, value)
    if isinstance(value, (list, tuple)):
        if not is_nested:
            for one in value:
                encode.text_of(one, "params")
        return to.list(handle, name, encode.json_text(value, "params"))
    if isinstance(value, dict) and is_nested:
        return to.json(handle, name, encode.json_text(value, "params"))
    raise TypeError(f"params: {_KINDS}{' or dict' if is_nested else ''} expected, not {type(value).__name__}")


def _add_integer(to: Adders, handle: Any, name: bytes, value: int, is_nested: bool) -> int:
    if -(1 << 63) <= value < 1 << 63:
        return to.integer(handle, name, value)
    if is_nested:
        reject(f"params: {value} is not between -2**63 and 2**63 - 1")
    return to.json(handle, name, str(value).encode())  # text of a query has any number of digits
