"""What the JSON of a body is decoded to: once for each answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Callable, Optional, Type, TypeVar, Union, overload

from .._c import ffi
from .._errors.errors import ModelError
from .._errors.raising import reject
from .models import STRATEGIES, Mismatch, Rename, convert, unchanged

if TYPE_CHECKING:
    from .request import Request
    from .response import Response

T = TypeVar("T")
RenameInput = Union[str, Rename, None]


class Model:
    """What a body was decoded to, and how."""

    __slots__ = ("kind", "rename", "value")

    def __init__(self, kind: Any, rename: Rename, value: Any) -> None:
        self.kind = kind
        self.rename = rename
        self.value = value


class Decoding:
    """What a `Response` does with models."""

    __slots__ = ()

    if TYPE_CHECKING:
        request: Request

        @property
        def content(self) -> bytes: ...

        def _decoded(self, function: Callable[[Response], Any], size: Optional[int] = None) -> Any: ...

    @overload
    def decode(self, kind: Type[T], *, rename: RenameInput = None) -> T: ...

    @overload
    def decode(self, kind: Any, *, rename: RenameInput = None) -> Any: ...

    def decode(self, kind: Any, *, rename: RenameInput = None) -> Any:
        """The JSON of the body as a value of a type: a dataclass, a TypedDict, a model of pydantic or msgspec, an Enum,
        datetime or date (ISO 8601), and what is made of these: ``List[Item]``, ``Optional[Item]``, ``Dict[str, Item]``.

        The value is made once: further calls with the same type return the same one, and so does each hit of a stored
        answer, for as long as memory keeps it. It must not be changed.

        :param rename: what fields of dataclasses and TypedDicts are called in the JSON: ``"camel"`` (user_name is
            userName), ``"pascal"``, ``"kebab"``, or a function. A field with another name has
            ``field(metadata={"json": "…"})``. Models of pydantic and msgspec know that by themselves.
        :raises ModelError: a body that is not JSON, or not of that type; `pointer` says where not.
        :raises TypeError: a type that no JSON becomes.
        """
        change = _strategy(rename)
        model = self._decoded(lambda response: Model(kind, change, response._model(kind, change)))
        if isinstance(model, Model) and model.kind == kind and model.rename == change:
            return model.value
        return self._model(kind, change)

    def _model(self, kind: Any, rename: Rename) -> Any:
        try:
            return convert(json.loads(self.content), kind, rename)
        except Mismatch as mismatch:
            raise self._error(str(mismatch), mismatch.pointer) from mismatch.__cause__
        except ValueError as error:
            raise self._error(f"not JSON: {error}" if self.content else "it is empty") from error

    def _error(self, reason: str, pointer: str = "") -> ModelError:
        error = ModelError(f"{pointer or 'the body'}: {reason}", status=ffi.ERR_REJECTED_JSON, request=self.request)
        error.pointer = pointer
        error.response = self  # type: ignore[assignment]
        return error


def _strategy(given: RenameInput) -> Rename:
    """What a name becomes, by the name of a strategy, a function, or None."""
    if given is None:
        return unchanged
    if callable(given):
        return given
    if given not in STRATEGIES:
        reject(f"rename: {' or '.join(map(repr, STRATEGIES))} expected, not {given!r}")
    return STRATEGIES[given]
