"""What a client's completions are handed to."""

from __future__ import annotations

from typing import Protocol

from .._errors.errors import Error


class Pending(Protocol):
    """Waits for one completion."""

    def finish(self, handle: int, status: int, response: int) -> None:
        """Takes the end of task or group `handle`, and takes over `response`, a handle or 0. Never raises."""

    def abandon(self, error: Error) -> None:
        """Ends what no completion will come for. Runs no callback."""
