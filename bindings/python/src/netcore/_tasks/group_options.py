"""How groups run, and how far they have come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Literal, Optional

from .._c import ffi
from .._inputs.encode import choice, count
from .._inputs.limits import milliseconds

GroupRule = Literal["all_settled", "all_or_nothing", "any", "chain"]
"""What the end of one member means for the others. ``"all_settled"``: nothing. ``"all_or_nothing"``: the first that
fails cancels the rest. ``"any"``: the first that succeeds cancels the rest. ``"chain"``: one after the other; the first
that fails ends the group, and the others are skipped."""

_RULES: Dict[str, int] = {
    "all_settled": ffi.GROUP_RULE_ALL_SETTLED,
    "all_or_nothing": ffi.GROUP_RULE_ALL_OR_NOTHING,
    "any": ffi.GROUP_RULE_ANY,
    "chain": ffi.GROUP_RULE_CHAIN,
}


@dataclass(frozen=True)
class GroupOptions:
    """How a group runs."""

    rule: GroupRule = "all_settled"
    limit: Optional[int] = None
    timeout: Optional[float] = None

    @property
    def starts_at_once(self) -> bool:
        """Whether members that wait for no other start at the dispatch."""
        return self.rule != "chain" and self.limit is None

    def struct(self) -> ffi.GroupOptions:
        """For C. Responses are not kept there: tasks have them.

        :raises InvalidRequest: a value that is not allowed.
        :raises TypeError: one of a wrong type.
        """
        return ffi.GroupOptions(
            rule=choice(self.rule, _RULES, "rule"),
            limit=0 if self.limit is None else count(self.limit, "limit", 1),
            timeout_ms=milliseconds(self.timeout),
            drops_responses=1,
        )


@dataclass(frozen=True)
class GroupProgress:
    """How far a group has come, in tasks. In a chain, and where members wait for others, a task counts as ended when
    its callback has returned."""

    total: int
    succeeded: int
    failed: int
    """Ended with an error other than `Canceled` and `Skipped`. HTTP status codes do not matter."""
    canceled: int
    is_dispatched: bool
    skipped: int = 0
    """Never started, since a member that they waited for failed."""
    received: int = field(default=0, compare=False)
    """Bytes of bodies, as transferred."""
    sent: int = field(default=0, compare=False)

    @property
    def ended(self) -> int:
        """Those that have ended, in whichever way."""
        return self.succeeded + self.failed + self.canceled + self.skipped
