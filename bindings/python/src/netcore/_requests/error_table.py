"""What answers mean that say in their body or by their status code that something failed."""

from __future__ import annotations

from ctypes import byref
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .._c import ffi
from .._errors.raising import call_error, check, reject
from .._inputs import encode
from .._responses.request import OwnedRequest

if TYPE_CHECKING:
    from .factory import Prepared


class ErrorRow(NamedTuple):
    """An answer, and what it means."""

    code: int
    """The application's code, 1000 or more: `Error.application_code`."""

    value: Union[str, int, None] = None
    """What the body has at the place of the code; None for any."""

    status: int = 0
    """The HTTP status code; 0 for any."""

    message: Optional[str] = None
    """For people, as in `set_user_message`: `Error.user_message`. None for that of the catalogue."""


class ErrorTable:
    """Codes and messages of the application's for answers that are errors. It does not change once it is made.

        errors = netcore.ErrorTable(
            [netcore.ErrorRow(1301, value=301, message="Sold out."), netcore.ErrorRow(1404, status=404)],
            code="/code", message="/message", success=[0],
        )

    A request with ``errors=`` whose answer a row matches raises `APIError`, or the error that it ends with anyway, such
    as `StatusRejected`, with the code and message of the row. Of several rows the one with value and status wins,
    before one with a value. A streamed response is judged by its status code only.

    :param rows: those that there are.
    :param code: a JSON pointer (RFC 6901) to the text or number by which a body says what failed.
    :param message: one to a text for people, which stands for ``{detail}``, and is the message of an error without a
        row.
    :param success: values at `code` that mean success. With some, any other one is an error, also one without a row.
    :raises InvalidRequest: a code below 1000, a row for any answer, a value without a place for it, not a JSON pointer,
        or a clash: the same answer with another code, or the same code with another message.
    """

    __slots__ = ("_fields", "rows")

    rows: Tuple[ErrorRow, ...]

    def __init__(
        self,
        rows: Sequence[ErrorRow] = (),
        *,
        code: Optional[str] = None,
        message: Optional[str] = None,
        success: Sequence[Union[str, int]] = (),
    ) -> None:
        fields = [
            None if text is None else encode.c_text(text, name) for text, name in ((code, "code"), (message, "message"))
        ]
        values = encode.c_text(",".join(map(str, success)), "success") if success else None
        self._fields = (*fields, values)
        self.rows = tuple(ErrorRow(*row) for row in rows)
        probe = OwnedRequest()
        check(ffi.request_create(b"GET", b"http://localhost/", byref(probe)))
        self._set_on(probe)

    def _set_on(self, handle: OwnedRequest) -> None:
        check(ffi.request_set_error_fields(handle, *self._fields))
        for row in self.rows:
            given = ffi.ErrorRow(
                code=encode.count(row.code, "code", 0),
                http_status=encode.count(row.status, "status", 0),
                value=None if row.value is None else encode.c_text(str(row.value), "value"),
                message=None if row.message is None else encode.c_text(row.message, "message"),
            )
            status = ffi.request_add_error(handle, byref(given))
            if status:
                raise call_error(status)

    def __repr__(self) -> str:
        return f"ErrorTable({list(self.rows)!r})"


def set_user_message(code: int, message: Optional[str]) -> None:
    """Sets the message for people of an application code, for errors that are raised afterwards, in the whole process.

    These stand for something in a message: ``{code}``, ``{status}`` (the HTTP status code), ``{seconds}`` (until such a
    request is let through) and ``{detail}`` (what the answer says, see `ErrorTable`). What is not known is left out.

    :param code: an `ApplicationCode`, or one of the application's.
    :param message: None for the default: an English sentence for general codes, none for others.
    :raises InvalidRequest: a code below 1.
    """
    if isinstance(code, bool) or not isinstance(code, int):
        raise TypeError(f"code: an integer expected, not {type(code).__name__}")
    if not 0 < code <= 2**31 - 1:
        reject(f"code: {code} is not between 1 and {2**31 - 1}")
    check(ffi.set_user_message(code, None if message is None else encode.c_text(message, "message")))


def set_errors(prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
    """Sets the error table of a request."""
    table = ErrorTable() if value is None else value
    if not isinstance(table, ErrorTable):
        raise TypeError(f"errors: an ErrorTable expected, not {type(value).__name__}")
    table._set_on(prepared.handle)
