"""From what users give to what goes over the C ABI: URLs, queries, headers, bodies. Pure functions."""

from __future__ import annotations

import json as _json
import os
import re
from typing import Any, Iterable, List, Mapping, Optional, Tuple
from urllib.parse import urlencode

from .._c import ffi
from .._errors.raising import reject
from .kinds import HeadersInput, ParamsInput, PathInput, TextsInput

HeaderField = Tuple[bytes, bytes]
Item = Tuple[str, Any]
Pair = Tuple[str, str]

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://")
_KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})


def c_text(text: str, what: str, status: int = ffi.ERR_INVALID_ARGUMENT) -> bytes:
    """UTF-8 for a C string.

    :raises TypeError: not a str.
    :raises InvalidRequest: a NUL, which would end the C string early, or a lone surrogate.
    """
    if not isinstance(text, str):
        raise TypeError(f"{what}: str expected, not {type(text).__name__}")
    if "\0" in text:
        reject(f"{what}: contains the control character NUL", status)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        reject(f"{what}: contains a lone surrogate, which UTF-8 cannot express", status)


def c_path(path: PathInput, what: str) -> bytes:
    """A file name for a C string."""
    try:
        name = os.fsencode(path)
    except TypeError:
        raise TypeError(f"{what}: a path expected, not {type(path).__name__}") from None
    if b"\0" in name:
        reject(f"{what}: contains the control character NUL")
    return name


def choice(value: Any, choices: Mapping[str, int], what: str) -> int:
    """The number of one of a few words.

    :raises InvalidRequest: it is none of them.
    """
    number = choices.get(value) if isinstance(value, str) else None
    if number is None:
        reject(f"{what}: {' or '.join(repr(word) for word in choices)} expected, not {value!r}")
    return number


def flag(value: bool, what: str) -> int:
    """1 for True, 0 for False.

    :raises TypeError: neither.
    """
    if not isinstance(value, bool):
        raise TypeError(f"{what}: bool expected, not {type(value).__name__}")
    return int(value)


def texts(value: TextsInput, what: str) -> List[bytes]:
    """One text, or several in a list or tuple, for C strings."""
    if isinstance(value, str):
        return [c_text(value, what)]
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{what}: str, or a list or tuple of it expected, not {type(value).__name__}")
    return [c_text(text, what) for text in value]


def method_name(method: str) -> str:
    """The method in the case it is sent: the usual ones in capitals, any other as given."""
    if not isinstance(method, str):
        raise TypeError(f"method: str expected, not {type(method).__name__}")
    upper = method.upper()
    return upper if upper in _KNOWN_METHODS else method


def base_url(url: str) -> str:
    """Checks a base URL; "" is none.

    :raises InvalidURL: it is not absolute, or has a query or a fragment.
    """
    c_text(url, "base_url", ffi.ERR_INVALID_URL)
    if not url:
        return ""
    if not is_absolute(url):
        reject("base_url: not an absolute URL", ffi.ERR_INVALID_URL)
    if "?" in url or "#" in url:
        reject("base_url: must not have a query or a fragment", ffi.ERR_INVALID_URL)
    return url


def is_absolute(url: str) -> bool:
    """Whether a URL has a scheme and a host."""
    return url.startswith(("http://", "https://")) or _ABSOLUTE.match(url) is not None


def add_query(url: str, query: str) -> str:
    """Appends a query to a URL, after the one it may have and before its fragment."""
    if not query:
        return url
    rest, hash_sign, fragment = url.partition("#")
    if "?" not in rest:
        separator = "?"
    else:
        separator = "" if rest.endswith(("?", "&")) else "&"
    return f"{rest}{separator}{query}{hash_sign}{fragment}"


def query_string(params: Optional[ParamsInput]) -> str:
    """A query as a text, as httpx and requests write it."""
    return params if isinstance(params, str) else _urlencode(texts_of(items_of(params, "params"), "params"), "params")


def items_of(values: Any, what: str) -> List[Item]:
    """(name, value) of a mapping or of pairs; none of None."""
    if values is None:
        return []
    if isinstance(values, Mapping):
        return [(str(name), value) for name, value in values.items()]
    pairs = list(values) if isinstance(values, Iterable) else [values]
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise TypeError(f"{what}: a mapping or (name, value) pairs expected")
    return [(str(name), value) for name, value in pairs]


def texts_of(items: List[Item], what: str) -> List[Pair]:
    """The same as texts; lists repeat their name."""
    result: List[Pair] = []
    for name, value in items:
        if isinstance(value, (list, tuple)):
            result.extend((name, text_of(one, what)) for one in value)
        else:
            result.append((name, text_of(value, what)))
    return result


def text_of(value: Any, what: str) -> str:
    """A value as text in a query or a form."""
    if value is None:
        return ""
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    raise TypeError(f"{what}: str, int, float, bool or None expected, not {type(value).__name__}")


def header_fields(headers: Optional[HeadersInput]) -> List[HeaderField]:
    """Fields as bytes, without those whose value is None."""
    return [] if not headers else [(name, value) for name, value in header_items(headers) if value is not None]


def header_items(headers: HeadersInput) -> List[Tuple[bytes, Optional[bytes]]]:
    """Fields as bytes for C strings; a value None stays None.

    :raises InvalidRequest: NUL anywhere, a name that is not ASCII, or text that is not latin-1.
    """
    items: Iterable[Any] = headers.items() if isinstance(headers, Mapping) else headers
    multi_items = getattr(headers, "multi_items", None)
    if multi_items is not None:
        items = multi_items()
    elif not isinstance(items, Iterable):
        raise TypeError(f"headers: a mapping or (name, value) pairs expected, not {type(headers).__name__}")
    result: List[Tuple[bytes, Optional[bytes]]] = []
    for item in items:
        if not isinstance(item, tuple) or len(item) != 2:
            raise TypeError("headers: a mapping or (name, value) pairs expected")
        name = _header_bytes(item[0], "name")
        result.append((name, None if item[1] is None else _header_bytes(item[1], f"value of {item[0]!r}")))
    return result


def _header_bytes(text: Any, what: str) -> bytes:
    if isinstance(text, str):
        try:
            data = text.encode("latin-1")
        except UnicodeEncodeError:
            reject(f"headers: the {what} has characters beyond latin-1; give it as bytes", ffi.ERR_INVALID_HEADER)
    elif isinstance(text, bytes):
        data = text
    else:
        raise TypeError(f"headers: the {what} must be str or bytes, not {type(text).__name__}")
    if b"\0" in data:
        reject(f"headers: the {what} contains a NUL byte", ffi.ERR_INVALID_HEADER)
    return data


def body(content: Any, data: Any, json: Any) -> Tuple[Any, Optional[bytes]]:
    """The body and the Content-Type that goes with it, each None when there is none.

    What is not in memory is returned as it was given.

    :raises InvalidRequest: more than one of the three was given, or JSON cannot express the value.
    """
    if (content is not None) + (data is not None) + (json is not None) > 1:
        reject("content, data, json: give only one of them")
    if json is not None:
        return json_text(json, "json"), b"application/json"
    if data is not None and (isinstance(data, (dict, list)) or not _is_content(data)):
        form = _urlencode(texts_of(items_of(data, "data"), "data"), "data")
        return form.encode("ascii"), b"application/x-www-form-urlencoded"
    value = content if content is not None else data
    if isinstance(value, str):
        return utf8(value, "content"), None
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value), None
    return value, None


def _is_content(data: Any) -> bool:
    """Whether `data` is a body as it is, not a form."""
    return isinstance(data, (str, bytes, bytearray, memoryview, os.PathLike)) or hasattr(data, "read")


def json_text(value: Any, what: str) -> bytes:
    """A value as JSON in UTF-8."""
    try:
        text = _json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError as error:
        reject(f"{what}: {error}")
    except TypeError as error:
        raise TypeError(f"{what}: {error}") from None
    return utf8(text, what)


def utf8(text: str, what: str) -> bytes:
    """Text as bytes.

    :raises InvalidRequest: a lone surrogate.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        reject(f"{what}: contains a lone surrogate, which UTF-8 cannot express")


def _urlencode(pairs: List[Pair], what: str) -> str:
    try:
        return urlencode(pairs)
    except UnicodeEncodeError:
        reject(f"{what}: contains a lone surrogate, which UTF-8 cannot express")


def count(value: int, name: str, least: int) -> int:
    """A number of things, checked."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: an integer expected, not {type(value).__name__}")
    if not least <= value < 1 << 31:
        reject(f"{name}: {value} is not between {least} and 2**31 - 1")
    return value


def percent(share: float, name: str, least: float, most: float) -> int:
    """A share as whole percent, checked."""
    if isinstance(share, bool) or not isinstance(share, (int, float)):
        raise TypeError(f"{name}: a number expected, not {type(share).__name__}")
    if not least <= share <= most:
        reject(f"{name}: {share!r} is not between {least} and {most}")
    return round(share * 100)
