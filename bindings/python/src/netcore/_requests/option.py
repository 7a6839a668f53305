"""One option of a request: its documentation, how its value is checked, and how it goes to C."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Collection, Dict, Iterable, Mapping, NoReturn, Optional, get_args

from .._errors.raising import call_error

if TYPE_CHECKING:
    from .factory import Prepared

Convert = Callable[[Any, str], Any]
"""Checks a value, and returns what C takes; the name of the option is for what it raises."""

Apply = Callable[["Prepared", Any, Mapping[str, Any]], None]
"""Sets a value on a request; the options given with it come third."""


class Option:
    """Metadata of one key of `RequestOptions`.

    Without `setter` and `apply` the factory reads the option where it makes the request.
    """

    __slots__ = (
        "apply",
        "client_text",
        "convert",
        "default",
        "is_per_call",
        "name",
        "passes_none",
        "setter",
        "takes_none",
        "text",
    )

    def __init__(
        self,
        text: str,
        setter: Optional[Callable[..., int]] = None,
        convert: Optional[Convert] = None,
        *,
        apply: Optional[Apply] = None,
        default: Any = None,
        per_call: bool = False,
        passes_none: bool = False,
        client_text: str = "",
    ) -> None:
        """
        :param text: the documentation.
        :param setter: the function of C, with `convert`, which makes its argument.
        :param apply: what is done in place of these two.
        :param default: the value with which nothing needs to be done, unless the client has another.
        :param per_call: whether a request with it is not worth keeping for the next call like it.
        :param passes_none: whether None is a value, and not the default.
        :param client_text: the documentation as an option of a client, where it says more.
        """
        self.text = " ".join(text.split())
        self.setter = setter
        self.convert = convert
        self.apply = apply
        self.default = default
        self.is_per_call = per_call
        self.passes_none = passes_none
        self.client_text = " ".join(client_text.split())
        self.name = ""
        self.takes_none = False

    def set(self, prepared: Prepared, value: Any, options: Mapping[str, Any]) -> None:
        """Sets the value on a request.

        :raises InvalidRequest: a value that is not allowed.
        :raises TypeError: a value of a wrong type.
        """
        is_default = self.name not in prepared.defaults
        if value is None and self.takes_none and is_default:
            return
        if self.apply is not None:
            self.apply(prepared, value, options)
        elif self.setter is not None and self.convert is not None:
            given = self.convert(value, self.name)
            if value == self.default and is_default:
                return
            status = self.setter(prepared.handle, given)
            if status:
                raise call_error(status, prepared.request, argument=self.name)


_ALIKE = 0.7
"""How alike a name must be to be suggested: "timout" is, and "mounts" is not "timeout"."""


def table_of(annotations: Mapping[str, Any]) -> Mapping[str, Option]:
    """The options of a TypedDict, by name, each of which is ``Annotated[type, Option(…)]``."""
    table = {}
    for name, annotation in annotations.items():
        kind, option = get_args(annotation)
        option.name = name
        option.takes_none = type(None) in get_args(kind) and not option.passes_none
        table[name] = option
    return table


MEANT: Dict[str, str] = {
    "allow_redirects": "did you mean 'follow_redirects'?",
    "event_hooks": "use add_filter() of the client",
    "hooks": "use add_filter() of the client, or on_done",
}
"""What users of httpx and requests may mean by names that are none here. Clients add the names of their own options."""


def check_names(options: Iterable[str], known: Collection[str]) -> None:
    """Raises TypeError for an unknown option, with the function that the user called and the nearest name.

    Call it before a coroutine is made: when that is awaited, the function is no longer on the stack.
    """
    for name in options:
        if name not in known:
            _refuse_unknown(name, known)


def _refuse_unknown(name: str, known: Collection[str]) -> NoReturn:
    import difflib

    near = difflib.get_close_matches(name, known, 1, _ALIKE)
    hint = f"did you mean {near[0]!r}?" if near else MEANT.get(name, "")
    raise TypeError(f"{_called()}(): unknown option {name!r}{hint and '; '}{hint}")


def _called() -> str:
    """The function of this package that was called from outside of it."""
    frame = sys._getframe(1)
    package = __name__.partition(".")[0]
    while frame.f_back is not None and frame.f_back.f_globals.get("__name__", "").partition(".")[0] == package:
        frame = frame.f_back
    name = frame.f_code.co_name
    return type(frame.f_locals.get("self")).__name__ if name == "__init__" else name
