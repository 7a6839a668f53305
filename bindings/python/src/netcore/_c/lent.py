"""Functions of the user's that C calls until it says that it will call them no more.

C holds a number. The object belongs to an owner, such as a client, and goes with the owner: it may refer to
the owner, and what C holds keeps neither. While the owner lives, an object is kept until C has called `release`.
"""

from __future__ import annotations

import itertools
import time
import weakref
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from . import ffi
from .threads import new_lock

_next_number = itertools.count(1).__next__
_owners: "weakref.WeakValueDictionary[int, Owner]" = weakref.WeakValueDictionary()
_outstanding: Set[int] = set()
"""The numbers that C has not released."""
_waiting: List[Any] = []
"""Locks of threads that wait for C to have released all."""


class Owner:
    """Lends objects to C."""

    def __init__(self) -> None:
        self._lent: Dict[int, Any] = {}

    def lend(self, thing: Any, give: Callable[[int, Any], int]) -> int:
        """Gives C an object.

        :param give: hands a number and a netcore_release_fn to C, and returns the status.
        :return: that status. If it is not OK, C has taken nothing.
        """
        number = _next_number()
        self._lent[number] = thing
        _owners[number] = self
        _outstanding.add(number)
        status = give(number, _call_release)
        if status:
            _release(number)
        return status


def find(number: int) -> Optional[Tuple[Any, Any]]:
    """The owner of an object, and the object; None if the owner is gone."""
    owner = _owners.get(number)
    return None if owner is None else (owner, owner._lent.get(number))


def wait_for_all(deadline: float) -> None:
    """Waits until C has released all that it was lent, or until a time: at exit, when all clients have ended."""
    gate = new_lock()
    gate.acquire()
    _waiting.append(gate)
    if _outstanding:
        gate.acquire(timeout=max(0.0, deadline - time.monotonic()))


def _release(number: int) -> None:
    """A netcore_release_fn."""
    owner = _owners.pop(number, None)
    if owner is not None:
        owner._lent.pop(number, None)
    _outstanding.discard(number)
    if not _outstanding:
        while _waiting:
            _waiting.pop().release()


_call_release = ffi.for_ever(ffi.ReleaseFn(_release))
