"""A case-insensitive multi-mapping of header fields."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Mapping, Tuple, Union

Field = Tuple[str, str]


class Headers(Mapping[str, str]):
    """Header fields in order; immutable. Names compare without case, a name may occur several times.

    Names and values are text in latin-1, so that each byte received is one character: ``value.encode("latin-1")``
    gives the bytes back.

    As a mapping it has each name once, at the place and in the case of its first field, and joins repeated values with
    ``", "``. `raw` and `multi_items()` keep every field apart.
    """

    __slots__ = ("_all_fields", "_values")

    def __init__(self, fields: Union[Mapping[str, str], Iterable[Field]] = ()) -> None:
        self._fill(fields.items() if isinstance(fields, Mapping) else fields)

    def _fill(self, fields: Iterable[Field]) -> None:
        self._all_fields: Tuple[Field, ...] = tuple((name, value) for name, value in fields)
        self._values: Dict[str, List[str]] = {}
        for name, value in self._all_fields:
            self._values.setdefault(name.lower(), []).append(value)

    def _fields(self) -> Tuple[Field, ...]:
        return self._all_fields

    def _index(self) -> Dict[str, List[str]]:
        """The values of each name in lower case."""
        return self._values

    def __getitem__(self, name: str) -> str:
        return ", ".join(self._index()[name.lower()])

    def __iter__(self) -> Iterator[str]:
        seen = set()
        for name, _ in self._fields():
            key = name.lower()
            if key not in seen:
                seen.add(key)
                yield name

    def __len__(self) -> int:
        return len(self._index())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._index()

    def get_list(self, name: str) -> List[str]:
        """All values of a name, in order; an empty list when there is none."""
        return list(self._index().get(name.lower(), ()))

    def multi_items(self) -> List[Field]:
        """Every field as (name, value), in order, repeated ones apart."""
        return list(self._fields())

    @property
    def raw(self) -> List[Tuple[bytes, bytes]]:
        """Every field as bytes, as they were received."""
        return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in self._fields()]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Headers):
            return self._index() == other._index()
        if isinstance(other, Mapping):
            return self._joined() == Headers(other)._joined()
        return NotImplemented

    def _joined(self) -> Dict[str, str]:
        return {name: ", ".join(values) for name, values in self._index().items()}

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return Headers, (self.multi_items(),)

    def __repr__(self) -> str:
        return f"Headers({self.multi_items()!r})"
