"""How the pages of a list are asked for, and what one of them is."""

from __future__ import annotations

from typing import Any, Callable, Iterator, List, Optional, Union

from .._c import ffi
from .._errors.raising import reject
from .._inputs import encode
from .._responses.response import Response

NextFunction = Callable[[Response], Optional[str]]

STYLES = {
    "detect": ffi.PAGE_STYLE_DETECT,
    "link_header": ffi.PAGE_STYLE_LINK_HEADER,
    "body_link": ffi.PAGE_STYLE_BODY_LINK,
    "page_number": ffi.PAGE_STYLE_PAGE_NUMBER,
    "offset": ffi.PAGE_STYLE_OFFSET,
    "body_cursor": ffi.PAGE_STYLE_BODY_CURSOR,
    "header_cursor": ffi.PAGE_STYLE_HEADER_CURSOR,
    "function": ffi.PAGE_STYLE_FUNCTION,
}
OVERLAPS = {
    "join": ffi.PAGE_OVERLAP_JOIN,
    "replace": ffi.PAGE_OVERLAP_REPLACE,
    "refuse": ffi.PAGE_OVERLAP_REFUSE,
}


class Page:
    """A page of a list."""

    __slots__ = ("items", "number", "response")

    response: Response
    number: int
    """Its number; in styles without numbers pages are counted."""
    items: List[Any]
    """Its items, from JSON; empty if the page has no list."""

    def __init__(self, response: Response, number: int, items: List[Any]) -> None:
        self.response = response
        self.number = number
        self.items = items

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"<Page {self.number}, {len(self.items)} items>"


class Paging:
    """How the pages of a list are asked for, and what is found in them. Pointers are JSON pointers (RFC 6901).

    :param style: how the server says where the next page is: ``"link_header"``, ``"body_link"``, ``"page_number"``,
        ``"offset"``, ``"body_cursor"``, ``"header_cursor"`` or ``"function"``. Default: found out by the first page
        that names a next one.
    :param items: a pointer to the array of items. Default: the body if it is a list, or else its first member that is
        one, the usual names first.
    :param next: a pointer to the link or cursor, by default the usual names; or a function that is called with the
        `Response` and returns the URL of the next page, absolute or relative, or None.
    :param total: a pointer to the number of all items. Default: the usual names, and X-Total-Count.
    :param param: the parameter that asks for a page. Default: ``"page"``, ``"offset"`` or ``"cursor"``.
    :param size_param: the parameter that asks for `page_size` items. Default: none.
    :param header: the header field with the cursor. Default: X-Next-Cursor.
    :param page_size: items of a page. With page numbers and offsets, a page with fewer is the last one.
    :param first_page: the number of the first page, 0 or 1.
    :param max_items, max_requests: the most items and requests since the first page. Default: no limit.
    :param overlap: what a load does while another one is under way: ``"join"`` joins that of the same page and replaces
        any other, ``"replace"`` replaces it (it raises `Canceled`), ``"refuse"`` raises `StateError`.
    :param prefetch: whether the page after one that was loaded is requested at once.
    """

    def __init__(
        self,
        style: str = "detect",
        *,
        items: Optional[str] = None,
        next: Union[str, NextFunction, None] = None,
        total: Optional[str] = None,
        param: Optional[str] = None,
        size_param: Optional[str] = None,
        header: Optional[str] = None,
        page_size: int = 0,
        first_page: int = 1,
        max_items: int = 0,
        max_requests: int = 0,
        overlap: str = "join",
        prefetch: bool = False,
    ) -> None:
        self._function = next if callable(next) else None
        self._prefetches = bool(encode.flag(prefetch, "prefetch"))
        if callable(next) and style == "detect":
            style = "function"
        if first_page not in (0, 1):
            reject("first_page: must be 0 or 1")
        self._struct = ffi.PageOptions(
            style=encode.choice(style, STYLES, "style"),
            overlap=encode.choice(overlap, OVERLAPS, "overlap"),
            page_size=encode.count(page_size, "page_size", 0),
            max_items=encode.count(max_items, "max_items", 0),
            max_requests=encode.count(max_requests, "max_requests", 0),
            zero_based=1 - first_page,
        )
        texts = [("items", items), ("next", None if callable(next) else next), ("total", total), ("header", header)]
        for name, text in [*texts, ("parameter", param), ("size_parameter", size_param)]:
            if text is not None:
                setattr(self._struct, name, encode.c_text(text, name))
