"""The header fields of a client, which it adds to all requests."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Iterator, List, Optional, Tuple

from .._c import ffi
from .._inputs.headers import Headers
from .._inputs.kinds import HeaderValue

if TYPE_CHECKING:
    from .base_client import BaseClient


class ClientHeaders(MutableMapping[str, HeaderValue]):
    """Reads as `Headers` does, and changes what the client adds to requests from then on; names compare without case.

    ``client.headers["X-Key"] = "k"`` is ``client.set_header("X-Key", "k")``, where values are described. One that a
    function gives reads as "".
    """

    __slots__ = ("_client",)

    def __init__(self, client: BaseClient) -> None:
        self._client = client

    def __getitem__(self, name: str) -> str:
        return self._fields()[name]

    def __setitem__(self, name: str, value: HeaderValue) -> None:
        self._client.set_header(name, value)

    def __delitem__(self, name: str) -> None:
        if name not in self._fields():
            raise KeyError(name)
        self._client.set_header(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._fields()

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields())

    def __len__(self) -> int:
        return len(self._fields())

    def get_list(self, name: str) -> List[str]:
        """All values of a name, in order."""
        return self._fields().get_list(name)

    def multi_items(self) -> List[Tuple[str, str]]:
        """Every field as (name, value), in order, repeated ones apart."""
        return self._fields().multi_items()

    def _fields(self) -> Headers:
        """The fields as they are now."""
        found: List[Tuple[str, str]] = []

        def add(name: bytes, value: Optional[bytes], _: object) -> int:
            found.append((name.decode("latin-1"), (value or b"").decode("latin-1")))
            return 1

        core = self._client._core
        status = ffi.client_list_headers(core.handle, ffi.FieldFn(add), None)
        if status:
            raise core.call_error(status)
        return Headers(found)

    def __repr__(self) -> str:
        return f"ClientHeaders({self.multi_items()!r})"
