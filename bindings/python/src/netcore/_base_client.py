"""What both clients offer that neither blocks nor awaits."""

from __future__ import annotations

from ._core import Core


class BaseClient:
    """Canceling, and what is known of a client."""

    _core: Core

    def cancel(self, id: int) -> bool:
        """Cancels the task of that id, which then ends with `Canceled`. False when it has ended already."""
        return self._core.cancel(id)

    def cancel_all(self) -> int:
        """Cancels every task of this client that has not ended, and returns their number."""
        return self._core.cancel_all()

    def cancel_tag(self, tag: str) -> int:
        """Cancels the tasks whose request had this `tag`, and returns their number."""
        return self._core.cancel_tag(tag)

    @property
    def base_url(self) -> str:
        """What relative URLs are appended to; "" when there is none."""
        return self._core.requests.base_url

    @property
    def is_closed(self) -> bool:
        """Whether the client was closed."""
        return self._core.is_closed
