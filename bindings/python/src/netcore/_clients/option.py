"""One option of a client: its documentation, how its value is checked, and how it goes to C."""

from __future__ import annotations

from typing import Any, Callable, List, Mapping, Optional, Tuple, get_args

from .._c import ffi
from .._requests.option import Convert, Option


class Setup:
    """What a netcore_client is made with: the struct of its options, and limits by number, value and name."""

    __slots__ = ("limits", "names", "queue_overflow", "struct")

    def __init__(self, completions: int) -> None:
        self.struct = ffi.ClientOptions(completions=completions)
        self.limits: List[Tuple[int, int, str]] = []
        self.queue_overflow = ffi.QUEUE_OVERFLOW_REFUSE_NEW
        self.names = dict(_NAMES)
        """What the arguments are called here that C refuses by names of its own."""


Apply = Callable[[Setup, Any, Mapping[str, Any]], None]
"""Sets a value; all options that were given come third."""

_NAMES = {
    "ca_file": "verify",
    "ca_folder": "verify",
    "client_certificate_file": "cert",
    "client_key_file": "cert: key",
    "http_proxy": "proxies: 'http'",
    "https_proxy": "proxies: 'https'",
}


class ClientOption:
    """Metadata of one key of `ClientOptions`.

    Without `member` and `apply` the client reads the option by itself.
    """

    __slots__ = ("apply", "convert", "default", "member", "name", "takes_none", "text")

    def __init__(
        self,
        text: str,
        member: str = "",
        convert: Optional[Convert] = None,
        *,
        apply: Optional[Apply] = None,
        default: Any = None,
    ) -> None:
        """
        :param text: the documentation.
        :param member: that of the C struct, with `convert`, which makes its value.
        :param apply: what is done in place of these two.
        :param default: what is set when nothing is given.
        """
        self.text = " ".join(text.split())
        self.member = member
        self.convert = convert
        self.apply = apply
        self.default = default
        self.name = ""
        self.takes_none = False

    def set(self, setup: Setup, given: Mapping[str, Any]) -> None:
        """Sets the value that was given, or the default.

        :raises InvalidRequest: a value that is not allowed.
        :raises TypeError: a value of a wrong type.
        """
        value = given.get(self.name, self.default)
        if value is None and (self.takes_none or self.name not in given):
            return
        if self.apply is not None:
            self.apply(setup, value, given)
        elif self.convert is not None:
            setattr(setup.struct, self.member, self.convert(value, self.name))
            setup.names[self.member] = self.name


def client_table(annotations: Mapping[str, Any]) -> Mapping[str, ClientOption]:
    """The options of a TypedDict that only a client takes, by name: ``Annotated[type, ClientOption(…)]``."""
    table = {}
    for name, annotation in annotations.items():
        kind, option = get_args(annotation)
        if isinstance(option, Option):
            continue
        option.name = name
        option.takes_none = type(None) in get_args(kind)
        table[name] = option
    return table


def documentation(table: Mapping[str, ClientOption], common: Mapping[str, Option]) -> str:
    """A line for each option.

    :param common: those that a request takes as well.
    """
    lines = [f"- {name}: {option.text}" for name, option in table.items()]
    lines += [f"- {name}: {option.client_text}" for name, option in common.items() if option.client_text]
    others = ", ".join(name for name, option in common.items() if not option.client_text)
    return "\n".join([*lines, f"- {others}: for all requests that do not say otherwise; see `RequestOptions`."])
