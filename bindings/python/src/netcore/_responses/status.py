"""What a status code says."""

from __future__ import annotations

from http import HTTPStatus

from .._inputs.headers import Headers


class Status:
    """The kind of a response, by its status code."""

    __slots__ = ()

    status_code: int
    """The HTTP status code: 200, 404."""

    @property
    def headers(self) -> Headers:
        """The header fields of the last hop."""
        raise NotImplementedError

    @property
    def reason_phrase(self) -> str:
        """The usual words for the status code, ``"Not Found"``; "" for one without. The server's own are not kept."""
        try:
            return HTTPStatus(self.status_code).phrase
        except ValueError:
            return ""

    @property
    def is_success(self) -> bool:
        """Whether the status code is 2xx."""
        return 200 <= self.status_code < 300

    @property
    def is_redirect(self) -> bool:
        """Whether this is a redirect that was not followed: 3xx with a Location."""
        return 300 <= self.status_code < 400 and "location" in self.headers

    @property
    def is_client_error(self) -> bool:
        """Whether the status code is 4xx."""
        return 400 <= self.status_code < 500

    @property
    def is_server_error(self) -> bool:
        """Whether the status code is 5xx."""
        return 500 <= self.status_code < 600

    @property
    def is_error(self) -> bool:
        """Whether the status code is 4xx or 5xx."""
        return 400 <= self.status_code < 600

    @property
    def ok(self) -> bool:
        """Whether the status code is below 400."""
        return self.status_code < 400
