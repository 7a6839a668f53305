"""What a request asks of its building in C: where its URL leads, values in the URL, typed parameters."""

from __future__ import annotations

from ctypes import c_uint64
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Tuple, Union

from . import _encode, _ffi
from ._body import set_source
from ._errors import check, reject

if TYPE_CHECKING:
    from ._request import Prepared

_METHODS_WITH_QUERY = frozenset({"GET", "HEAD", "DELETE"})
"""Of which C puts parameters into the query always."""


def set_building_options(
    handle: c_uint64,
    *,
    use_cdn: bool,
    use_https: bool,
    custom: bool,
    path_values: Optional[Mapping[str, Union[str, int]]],
) -> None:
    """Sets the options of a netcore_request.

    :raises InvalidRequest: a value that is not allowed.
    :raises TypeError: a value of a wrong type.
    """
    check(_ffi.request_set_use_cdn(handle, _encode.flag(use_cdn, "use_cdn")))
    check(_ffi.request_set_use_https(handle, _encode.flag(use_https, "use_https")))
    check(_ffi.request_set_custom(handle, _encode.flag(custom, "custom")))
    if path_values is None:
        return
    if not isinstance(path_values, Mapping):
        raise TypeError(f"path_values: a mapping expected, not {type(path_values).__name__}")
    for name, value in path_values.items():
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise TypeError(f"path_values: str or int expected for {name!r}, not {type(value).__name__}")
        texts = _encode.c_text(name, "path_values"), _encode.c_text(str(value), "path_values")
        if _ffi.request_set_path_value(handle, *texts):
            reject(f"path_values: {_ffi.last_message()}")


def set_params(handle: c_uint64, params: Sequence[Tuple[str, Any]], serializer: str) -> None:
    """Adds typed parameters to a netcore_request.

    :raises InvalidRequest: a value that is not allowed.
    :raises TypeError: a value of a wrong type.
    """
    check(_ffi.request_set_serializer(handle, _encode.choice(serializer, _ffi.SERIALIZERS, "serializer")))
    for name, value in params:
        text = _encode.c_text(name, "params")
        values = value if serializer == "form" and isinstance(value, (list, tuple)) else (value,)
        for one in values:
            if _add_param(handle, text, one):
                reject(f"params: {name!r}: {_ffi.last_message()}")


def set_query(prepared: Prepared, pairs: Sequence[_encode.Pair], has_body: bool) -> None:
    """Adds parameters to the query, and sees to it that those that functions give go there too."""
    for name, value in pairs:
        check(_ffi.request_add_param(prepared.handle, _encode.c_text(name, "params"), _encode.c_text(value, "params")))
    if not has_body and prepared.request.method not in _METHODS_WITH_QUERY:
        set_source(prepared, (), 0)  # without a body they would be the body


def _add_param(handle: c_uint64, name: bytes, value: Any) -> int:
    """Adds one parameter by its type, and returns the status."""
    status: int
    if value is None:
        status = _ffi.request_add_param_null(handle, name)
    elif isinstance(value, str):
        status = _ffi.request_add_param(handle, name, _encode.c_text(value, "params"))
    elif isinstance(value, bool):
        status = _ffi.request_add_param_bool(handle, name, value)
    elif isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 63:
            reject(f"params: {value} is not between -2**63 and 2**63 - 1")
        status = _ffi.request_add_param_int(handle, name, value)
    elif isinstance(value, float):
        status = _ffi.request_add_param_double(handle, name, value)
    elif isinstance(value, (dict, list, tuple)):
        status = _ffi.request_add_param_json(handle, name, _encode.json_text(value, "params"))
    else:
        kind = type(value).__name__
        raise TypeError(f"params: str, int, float, bool, None, list, tuple or dict expected, not {kind}")
    return status
