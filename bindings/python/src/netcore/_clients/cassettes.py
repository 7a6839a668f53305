"""Cassettes: answers of servers that are recorded in a file, and replayed from it, for tests of an application."""

from __future__ import annotations

from ctypes import byref, c_char_p, c_uint64
from typing import Any

from .._c import ffi
from .._errors.raising import check
from .._inputs import encode
from .._inputs.kinds import PathInput, TextsInput

MODES = {
    "once": ffi.CASSETTE_MODE_ONCE,
    "new": ffi.CASSETTE_MODE_NEW,
    "none": ffi.CASSETTE_MODE_NONE,
    "all": ffi.CASSETTE_MODE_ALL,
}


class Cassette:
    """Records what servers answer in a file, and replays it: ``Client(transport=cassette)``.

    ``with Cassette("users.har") as cassette, Client(transport=cassette) as client: ...``

    The file is an HTTP archive (HAR 1.2); one that a browser wrote can be replayed, too. Cassettes stand below
    everything else that a client does, as `Stubs` do. A recording answers a request with the same method, URL and body,
    in any order; recordings of equal requests are replayed in their order, each once. Streams come with their pauses.
    For any thread, and for several clients. `save` writes the file, as the end of a ``with`` block does.

    :param path: the file. It need not exist, but its folder must.
    :param mode: what happens to requests without a recording, as vcrpy has it: ``"once"`` records them if there was no
        file; ``"new"`` records them; ``"none"`` never does; ``"all"`` replays nothing, and records everything anew. One
        that is not recorded raises `NoStub`, whose message names the nearest recording and what differs.
    :param secret_headers: header fields whose values are not written, beside Authorization, Proxy-Authorization, Cookie
        and Set-Cookie, which never are.
    :param secret_params: names whose values are not written: parameters of URLs, of forms, and members of JSON objects
        at any depth.
    :param repeat: whether the last recording of a request is replayed again and again.
    :param skip_pauses: whether streams come without their pauses.
    :raises StorageError: the file cannot be read, or is damaged; the message says where.
    """

    def __init__(
        self,
        path: PathInput,
        mode: str = "once",
        *,
        secret_headers: TextsInput = (),
        secret_params: TextsInput = (),
        repeat: bool = False,
        skip_pauses: bool = False,
    ) -> None:
        self._handle = c_uint64()
        headers = encode.texts(secret_headers, "secret_headers")
        params = encode.texts(secret_params, "secret_params")
        options = ffi.CassetteOptions(
            mode=encode.choice(mode, MODES, "mode"),
            secret_headers=(c_char_p * len(headers))(*headers),
            secret_header_count=len(headers),
            secret_parameters=(c_char_p * len(params))(*params),
            secret_parameter_count=len(params),
            repeat=encode.flag(repeat, "repeat"),
            skip_pauses=encode.flag(skip_pauses, "skip_pauses"),
        )
        check(ffi.cassette_create(encode.c_path(path, "path"), byref(options), byref(self._handle)))

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            ffi.cassette_destroy(handle)

    def __enter__(self) -> Cassette:
        return self

    def __exit__(self, *_: Any) -> None:
        self.save()

    def save(self) -> None:
        """Writes the file if something was recorded since it was read or written. It is replaced as a whole.

        :raises StorageError: it cannot be written, and stays as it was.
        """
        check(ffi.cassette_save(self._handle))

    def check(self) -> None:
        """Checks that each recording in the file was replayed.

        :raises NoStub: names those that were not.
        """
        check(ffi.cassette_check(self._handle))

    @property
    def replayed(self) -> int:
        """How many requests on the wire were replayed."""
        return int(self._info().replayed)

    @property
    def recorded(self) -> int:
        """How many requests on the wire were recorded."""
        return int(self._info().recorded)

    @property
    def unused(self) -> int:
        """How many recordings in the file were not replayed."""
        return int(self._info().unused)

    def _info(self) -> Any:
        info = ffi.CassetteInfo()
        check(ffi.cassette_get_info(self._handle, byref(info)))
        return info

    def set_on(self, client: Any) -> None:
        """Gives it to a netcore_client. For netcore itself."""
        check(ffi.client_set_cassette(client, self._handle))
