"""The parameters of an API, by the signature of a method."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import inspect
import sys
import typing
from datetime import date, datetime
from typing import Any, Callable, List, Literal, NamedTuple, Optional, Tuple, Union

from .._c import ffi
from .._errors.raising import reject
from .._inputs import encode


class Query:
    """Puts a parameter into the query, whatever the method: ``dry: Annotated[bool, netcore.Query()]``.

    :param name: what it is called there; by default as the parameter.
    """

    place: int = ffi.PARAM_PLACE_QUERY

    def __init__(self, name: Optional[str] = None) -> None:
        self.name = name


class Header(Query):
    """Makes a parameter a header field: ``trace: Annotated[str, netcore.Header("X-Trace")]``.

    :param name: of the field; by default as the parameter, with "-" for "_".
    """

    place = ffi.PARAM_PLACE_HEADER


class Body(Query):
    """Makes a parameter the body, as JSON: ``post: Annotated[Post, netcore.Body()]``."""

    place = ffi.PARAM_PLACE_BODY

    def __init__(self) -> None:
        super().__init__()


class Field(Query):
    """Gives a parameter another name outside: ``per_page: Annotated[int, netcore.Field("perPage")]``."""

    place = ffi.PARAM_PLACE_DEFAULT


class Signature(NamedTuple):
    """What the signature of a method says."""

    names: inspect.Signature
    """Without `self`."""
    parameters: List[Any]
    """As C takes them: `ffi.ApiParam`."""
    answer: Any
    """What it returns."""


def read(function: Callable[..., Any]) -> Signature:
    """What a method says by its signature.

    :raises TypeError: a parameter of a kind that an API has not.
    :raises InvalidRequest: a name that is not allowed.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    signature = inspect.signature(function)
    given = list(signature.parameters.values())[1:]
    parameters = []
    for parameter in given:
        if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            raise TypeError(f"{function.__name__}: the parameters of an API have names, unlike {parameter}")
        parameters.append(_described(parameter, hints.get(parameter.name, Any)))
    return Signature(signature.replace(parameters=given), parameters, hints.get("return", None))


def _described(parameter: inspect.Parameter, hint: Any) -> Any:
    marks: Tuple[Any, ...] = ()
    if typing.get_origin(hint) is typing.Annotated:
        hint, *rest = typing.get_args(hint)
        marks = tuple(mark for mark in rest if isinstance(mark, Query))
    if len(marks) > 1:
        reject(f"{parameter.name}: is to go to two places")
    mark = marks[0] if marks else Field()
    field = mark.name
    if field is None and isinstance(mark, Header):
        field = parameter.name.replace("_", "-")
    kind = json_type(hint, parameter.default is None)
    return ffi.ApiParam(
        place=mark.place,
        name=encode.c_text(parameter.name, "name"),
        type=kind.encode(),
        field=None if field is None else encode.c_text(field, "field"),
    )


_TYPES = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    datetime: "string",
    date: "string",
    dict: "object",
    list: "array",
    tuple: "array",
    set: "array",
    frozenset: "array",
}
_ARRAYS = (list, tuple, set, frozenset, collections.abc.Sequence, collections.abc.Iterable)


def json_type(hint: Any, is_optional: bool) -> str:
    """What a value of a type is in JSON, as C takes it.

    :param is_optional: it may be missing.
    """
    names: List[str] = []
    for part in _parts(hint):
        if part is type(None):
            is_optional = True
        else:
            names += [name for name in _names(part) if name not in names]
    return ("any" if "any" in names or not names else "|".join(names)) + "?" * is_optional


def _parts(hint: Any) -> Tuple[Any, ...]:
    """The members of a union."""
    origin = typing.get_origin(hint)
    if origin is Union or (sys.version_info >= (3, 10) and type(hint).__name__ == "UnionType"):
        return typing.get_args(hint)
    return (hint,)


def _names(kind: Any) -> List[str]:
    origin = typing.get_origin(kind)
    if origin is Literal:
        return [name for value in typing.get_args(kind) for name in _names(type(value))]
    if origin is not None:
        is_array = origin in _ARRAYS
        return ["array" if is_array else "object" if origin in (dict, collections.abc.Mapping) else "any"]
    if isinstance(kind, type):
        if issubclass(kind, enum.Enum):
            return [name for member in kind for name in _names(type(member.value))]
        if dataclasses.is_dataclass(kind) or hasattr(kind, "__total__") or hasattr(kind, "model_dump"):
            return ["object"]
        for base, name in _TYPES.items():
            if issubclass(kind, base):
                return [name]
    return ["any"]


def plain(value: Any) -> Any:
    """A value that JSON does not know, by what JSON knows.

    :raises TypeError: there is nothing like it.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        given = {field: getattr(value, field.name) for field in dataclasses.fields(value)}
        return {field.metadata.get("json") or field.name: one for field, one in given.items()}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if hasattr(value, "__struct_fields__"):
        return {name: getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, (set, frozenset)):
        return list(value)
    raise TypeError(f"a parameter of the type {type(value).__name__} has no JSON")
