"""What the policies of a client have in common: how they are given, and how they go to C."""

from __future__ import annotations

from ctypes import Structure, byref, c_uint64
from typing import Any, Callable, Mapping, Type, TypeVar, Union

from .._errors.raising import call_error, refused_argument

Policy = TypeVar("Policy")


def set_policy(
    client: c_uint64,
    name: str,
    value: Union[bool, Policy, None],
    kind: Type[Policy],
    setter: Callable[[c_uint64, Any], int],
    convert: Callable[[Policy], Structure],
    names: Mapping[str, str],
) -> None:
    """Sets a policy of a netcore_client; True stands for one with all defaults.

    :param names: what the members of the C struct are called in Python.
    :raises InvalidRequest: a figure that is out of range, or contradicts another.
    """
    if value is None or value is False:
        return
    give_policy(name, value, kind, lambda policy: setter(client, byref(convert(policy))), names)


def give_policy(
    name: str,
    value: Union[bool, Policy],
    kind: Type[Policy],
    give: Callable[[Policy], int],
    names: Mapping[str, str],
) -> None:
    """Gives a policy to C; True stands for one with all defaults.

    :raises InvalidRequest: a figure that is out of range, or contradicts another.
    """
    policy = kind() if value is True else value
    if not isinstance(policy, kind):
        raise TypeError(f"{name}: bool, netcore.{kind.__name__} or None expected, not {type(value).__name__}")
    status = give(policy)
    if status:
        argument = refused_argument()
        raise call_error(status, argument=names.get(argument, argument))
