"""The C side, as the rest of the package uses it: what scripts/generate writes from the headers (`abi`), and what
Python adds to that.

Functions that every request needs are there a second time, with the prefix ``fast_``: see `declare.fast`.
"""

from __future__ import annotations

import ctypes
from typing import Any, Dict

from . import abi
from .abi import *  # noqa: F403
from .declare import fast

NO_TIMEOUT = (1 << 64) - 1
LENGTH_UNKNOWN = (1 << 64) - 1


def _words(prefix: str) -> Dict[str, int]:
    """The constants that begin so, by the rest of their names as Python says it."""
    named = {name[len(prefix) :].lower(): value for name, value in vars(abi).items() if name.startswith(prefix)}
    return {name: value for name, value in named.items() if name != "none"}


AUTH_SCHEMES = _words("AUTH_")
PRIORITIES = _words("PRIORITY_")
QUEUE_OVERFLOWS = _words("QUEUE_OVERFLOW_")
DUPLICATES = _words("DUPLICATES_")
SERIALIZERS = _words("SERIALIZER_")
PARAM_NESTINGS = _words("PARAM_NESTING_")
RETRY_ERRORS = _words("RETRY_ERRORS_")
RETRY_REASONS = _words("RETRY_REASON_")
BREAKER_STATES = _words("BREAKER_STATE_")
REACHABILITIES = _words("REACHABILITY_")

fast_perform_for = fast("netcore_perform_for", blocks=True)
fast_task_wait = fast("netcore_task_wait", blocks=True)
fast_dispatch = fast("netcore_dispatch", blocks=False)
fast_wait = fast("netcore_client_wait", blocks=True)
fast_take = fast("netcore_client_wait", blocks=False)
"""netcore_client_wait() with a timeout of 0."""
fast_perform_streamed_for = fast("netcore_perform_streamed_for", blocks=True)
fast_read = fast("netcore_response_read", blocks=True)
fast_read_now = fast("netcore_response_read", blocks=False)
"""netcore_response_read() with a timeout of 0."""
fast_read_events = fast("netcore_response_read_events", blocks=True)
fast_read_events_now = fast("netcore_response_read_events", blocks=False)
"""netcore_response_read_events() with a timeout of 0."""
fast_event_source_read = fast("netcore_event_source_read", blocks=True)
fast_resolve = fast("netcore_client_resolve_request", blocks=False)
fast_get_info = fast("netcore_response_get_info", blocks=False)
fast_get_try = fast("netcore_response_get_try", blocks=False)
fast_release = fast("netcore_response_release", blocks=False)
fast_move = fast("netcore_response_move", blocks=False)


def for_ever(function: Any) -> Any:
    """Keeps a function that C may call until the very end of the process."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(function))
    return function
