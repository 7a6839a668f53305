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

    __slots__ = ("_keys", "_names", "_values")

    def __init__(self, fields: Union[Mapping[str, str], Iterable[Field]] = ()) -> None:
        pairs = list(fields.items() if isinstance(fields, Mapping) else fields)
        self._names: List[str] = [name for name, _ in pairs]
        self._values: List[str] = [value for _, value in pairs]
        self._keys: List[str] = [name.lower() for name in self._names]

    def __getitem__(self, name: str) -> str:
        key = name.lower()
        try:
            first = self._keys.index(key)
        except ValueError:
            raise KeyError(name) from None
        if self._keys.count(key) == 1:
            return self._values[first]
        return ", ".join(self.get_list(name))

    def __iter__(self) -> Iterator[str]:
        seen = set()
        for key, name in zip(self._keys, self._names):
            if key not in seen:
                seen.add(key)
                yield name

    def __len__(self) -> int:
        return len(set(self._keys))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._keys

    def get_list(self, name: str) -> List[str]:
        """All values of a name, in order; an empty list when there is none."""
        wanted = name.lower()
        return [value for key, value in zip(self._keys, self._values) if key == wanted]

    def multi_items(self) -> List[Field]:
        """Every field as (name, value), in order, repeated ones apart."""
        return list(zip(self._names, self._values))

    @property
    def raw(self) -> List[Tuple[bytes, bytes]]:
        """Every field as bytes, as they were received."""
        return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in self.multi_items()]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Headers):
            return self._lists() == other._lists()
        if isinstance(other, Mapping):
            return self._joined() == Headers(other)._joined()
        return NotImplemented

    def _lists(self) -> Dict[str, List[str]]:
        return {key: self.get_list(key) for key in self._keys}

    def _joined(self) -> Dict[str, str]:
        return {key: self[key] for key in self._keys}

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return Headers, (self.multi_items(),)

    def __repr__(self) -> str:
        return f"Headers({self.multi_items()!r})"


class ReceivedHeaders(Headers):
    """A section as C gives it, after one NUL byte: for each field a name, a NUL byte, a value, a NUL byte. Parted into
    fields when anything but a single name is asked for."""

    __slots__ = ("_lower", "_section")

    _lower: bytes
    _section: bytes

    def __getattr__(self, name: str) -> List[str]:
        """Makes the lists of the class above, when one of them is first used."""
        if name not in Headers.__slots__:
            raise AttributeError(name)
        parts = self._section.decode("latin-1").split("\0")
        self._names = parts[1:-1:2]
        self._values = parts[2::2]
        self._keys = [field.lower() for field in self._names]
        found: List[str] = getattr(self, name)
        return found

    def __getitem__(self, name: str) -> str:
        key = _marks.get(name) or _mark(name)
        parts = self._lower.split(key)
        if len(parts) == 2:
            before = parts[0]
            # An even number of NUL bytes comes before the mark of a name, an odd one before that of a value.
            if not before.count(b"\0") % 2:
                start = len(before) + len(key)
                section = self._section
                return section[start : section.index(b"\0", start)].decode("latin-1")
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None


def received(section: bytes) -> Headers:
    """The fields of a section; in a third of the time that calling the class takes."""
    self = _new(ReceivedHeaders)
    self._section = section
    self._lower = section.lower()
    return self


_new = object.__new__
_marks: Dict[str, bytes] = {}
_MARKS_KEPT = 256


def _mark(name: str) -> bytes:
    """The bytes by which a name is found in a section in lower case."""
    mark = f"\0{name.lower()}\0".encode("latin-1", "replace")
    if len(_marks) < _MARKS_KEPT:
        _marks[name] = mark
    return mark
