"""All clients of the process: what becomes of them at the exit of the interpreter, and after fork()."""

from __future__ import annotations

import atexit
import os
import time
import weakref
from typing import TYPE_CHECKING

from .._c.lent import wait_for_all
from .._cache.cache import close_all as close_all_caches
from .._cache.values import release_all as release_all_values
from .stubs import close_all_stubs

if TYPE_CHECKING:
    from .core import Core

EXIT_SECONDS = 2.0
"""How long callbacks that still run may hold up the exit of the interpreter."""

live_cores: "weakref.WeakSet[Core]" = weakref.WeakSet()
"""Every core that is still referenced."""


def _forget_parents_cores() -> None:
    cores = list(live_cores)
    live_cores.clear()
    for core in cores:
        core.after_fork()


@atexit.register
def _close_at_exit() -> None:
    """Requests in flight must not keep the interpreter from exiting, nor meet one that is half gone."""
    cores = list(live_cores)
    for core in cores:
        core.shut_down()
    deadline = time.monotonic() + EXIT_SECONDS
    for core in cores:
        core.close_at_exit(deadline)
    close_all_caches()
    close_all_stubs()
    release_all_values()
    wait_for_all(deadline)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_parents_cores)
