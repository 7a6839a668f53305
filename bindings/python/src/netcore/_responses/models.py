"""From JSON to values of a user's types: dataclasses, TypedDicts, collections, and models of pydantic and msgspec."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import functools
import sys
import typing
from datetime import date, datetime
from typing import Any, Callable, Dict, List, Literal, Mapping, Tuple, Union

Rename = Callable[[str], str]
"""What a member is called in JSON, by the name of a field."""


class Mismatch(Exception):
    """A value is not of its type."""

    def __init__(self, reason: str, path: Tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.path = path

    @property
    def pointer(self) -> str:
        """Where, as a JSON pointer (RFC 6901)."""
        return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in self.path)


def camel(name: str) -> str:
    """user_name: userName"""
    first, *others = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def pascal(name: str) -> str:
    """user_name: UserName"""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def kebab(name: str) -> str:
    """user_name: user-name"""
    return name.replace("_", "-")


def unchanged(name: str) -> str:
    return name


STRATEGIES: Dict[str, Rename] = {"camel": camel, "pascal": pascal, "kebab": kebab}


def convert(value: Any, kind: Any, rename: Rename) -> Any:
    """A value of JSON as one of a type.

    :raises Mismatch: it is not of that type.
    :raises TypeError: a type that no value of JSON becomes.
    """
    if kind is Any or kind is object:
        return value
    plain = _PLAIN.get(kind)
    if plain is not None:
        return plain(value)
    origin = typing.get_origin(kind)
    if origin is not None:
        return _generic(value, kind, origin, typing.get_args(kind) or (Any, Any), rename)
    if isinstance(kind, type):
        return _instance(value, kind, rename)
    raise TypeError(f"decode: {kind!r} is no type that JSON becomes")


def _name(value: Any) -> str:
    """What a value is in JSON."""
    if value is None:
        return "null"
    return {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object"}.get(type(value), "array")


def _wrong(expected: str, value: Any) -> Mismatch:
    return Mismatch(f"{expected} expected, {_name(value)} found")


# Values without parts


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _bool(value: Any) -> Any:
    if not isinstance(value, bool):
        raise _wrong("boolean", value)
    return value


def _int(value: Any) -> Any:
    if not _is_number(value) or value != value // 1:
        raise _wrong("integer", value)
    return int(value)


def _float(value: Any) -> Any:
    if not _is_number(value):
        raise _wrong("number", value)
    return float(value)


def _str(value: Any) -> Any:
    if not isinstance(value, str):
        raise _wrong("string", value)
    return value


def _none(value: Any) -> Any:
    if value is not None:
        raise _wrong("null", value)


def _datetime(value: Any) -> Any:
    text = _str(value)
    try:
        return datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith(("Z", "z")) else text)
    except ValueError as error:
        raise Mismatch(f"a time of ISO 8601 expected: {error}") from error


def _date(value: Any) -> Any:
    try:
        return date.fromisoformat(_str(value))
    except ValueError as error:
        raise Mismatch(f"a date of ISO 8601 expected: {error}") from error


_PLAIN: Dict[Any, Callable[[Any], Any]] = {
    bool: _bool,
    int: _int,
    float: _float,
    str: _str,
    None: _none,
    type(None): _none,
    datetime: _datetime,
    date: _date,
}


# Collections


def _generic(value: Any, kind: Any, origin: Any, parts: Tuple[Any, ...], rename: Rename) -> Any:
    if origin is Union or (sys.version_info >= (3, 10) and origin is _union_type()):
        return _any_of(value, parts, rename)
    if origin is Literal:
        if not any(value == part and type(value) is type(part) for part in parts):
            raise Mismatch(f"one of {', '.join(map(repr, parts))} expected")
        return value
    if origin in (list, set, frozenset, collections.abc.Sequence, collections.abc.Iterable):
        elements = _elements(value, lambda index: parts[0], rename)
        return elements if origin not in (set, frozenset) else origin(elements)
    if origin is tuple:
        if len(parts) == 2 and parts[1] is ...:
            return tuple(_elements(value, lambda index: parts[0], rename))
        if isinstance(value, list) and len(value) != len(parts):
            raise Mismatch(f"{len(parts)} elements expected, {len(value)} found")
        return tuple(_elements(value, lambda index: parts[index], rename))
    if origin in (dict, collections.abc.Mapping):
        members = _object(value)
        return {name: _at(name, one, parts[1], rename) for name, one in members.items()}
    if origin is typing.Annotated:
        return convert(value, parts[0], rename)
    raise TypeError(f"decode: {kind!r} is no type that JSON becomes")


def _union_type() -> Any:
    import types

    return getattr(types, "UnionType", None)


def _any_of(value: Any, kinds: Tuple[Any, ...], rename: Rename) -> Any:
    """As the first of some types that it is of; null only as null."""
    if value is None and type(None) in kinds:
        return None
    first = None
    for kind in kinds:
        if kind is type(None):
            continue
        try:
            return convert(value, kind, rename)
        except Mismatch as error:
            first = first or error
    raise first or _wrong("null", value)


def _elements(value: Any, kind_at: Callable[[int], Any], rename: Rename) -> List[Any]:
    if not isinstance(value, list):
        raise _wrong("array", value)
    return [_at(str(index), one, kind_at(index), rename) for index, one in enumerate(value)]


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _wrong("object", value)
    return value


def _at(step: str, value: Any, kind: Any, rename: Rename) -> Any:
    """Converts a part of a value."""
    try:
        return convert(value, kind, rename)
    except Mismatch as error:
        raise Mismatch(str(error), (step, *error.path)) from error.__cause__


# Models


def _instance(value: Any, kind: Any, rename: Rename) -> Any:
    if dataclasses.is_dataclass(kind) and not hasattr(kind, "__pydantic_fields__"):
        return _dataclass(value, kind, rename)
    if hasattr(kind, "__total__") and hasattr(kind, "__required_keys__"):
        return _typed_dict(value, kind, rename)
    if issubclass(kind, enum.Enum):
        try:
            return kind(value)
        except ValueError as error:
            raise Mismatch(str(error)) from error
    if hasattr(kind, "model_validate"):
        return _of_library(kind.model_validate, value)
    if hasattr(kind, "__struct_fields__"):
        import msgspec  # type: ignore[import-not-found, unused-ignore]

        return _of_library(functools.partial(msgspec.convert, type=kind), value)
    if kind in (list, dict, tuple, set):
        return _elements(value, lambda index: Any, rename) if kind is list else kind(_container(value, kind))
    raise TypeError(f"decode: {kind!r} is no type that JSON becomes")


def _container(value: Any, kind: Any) -> Any:
    if kind is not dict and not isinstance(value, list):
        raise _wrong("array", value)
    return _object(value) if kind is dict else value


def _of_library(make: Callable[[Any], Any], value: Any) -> Any:
    """What pydantic or msgspec makes of a value; their errors are ValueErrors."""
    try:
        return make(value)
    except ValueError as error:
        raise Mismatch(str(error)) from error


@functools.lru_cache(maxsize=1000)
def _hints(kind: Any) -> Mapping[str, Any]:
    return typing.get_type_hints(kind)


def _dataclass(value: Any, kind: Any, rename: Rename) -> Any:
    members, hints, given = _object(value), _hints(kind), {}
    for field in dataclasses.fields(kind):
        name = field.metadata.get("json") or rename(field.name)
        if not field.init:
            continue
        if name in members:
            given[field.name] = _at(name, members[name], hints[field.name], rename)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise Mismatch("missing", (name,))
    try:
        return kind(**given)
    except ValueError as error:  # what __post_init__ does not like
        raise Mismatch(str(error)) from error


def _typed_dict(value: Any, kind: Any, rename: Rename) -> Any:
    members, result = _object(value), {}
    for key, hint in _hints(kind).items():
        name = rename(key)
        if name in members:
            result[key] = _at(name, members[name], hint, rename)
        elif key in kind.__required_keys__:
            raise Mismatch("missing", (name,))
    return result
