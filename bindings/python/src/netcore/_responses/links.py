"""Link fields (RFC 8288)."""

from __future__ import annotations

import re
from typing import Dict, Iterator, Tuple

_LINK = re.compile(r'\s*<([^>]*)>\s*((?:;(?:[^",]|"(?:\\.|[^"\\])*")*)?)(?:,|$)')
_PARAM = re.compile(r';\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;,"]*)))?')


def links_of(value: str) -> Dict[str, Dict[str, str]]:
    """The links of a field, by their relation, and by their URL where they have none; the first of each counts."""
    links: Dict[str, Dict[str, str]] = {}
    for url, params in _links(value):
        for relation in params.get("rel", "").split() or [url]:
            links.setdefault(relation, {"url": url, **params})
    return links


def _links(value: str) -> Iterator[Tuple[str, Dict[str, str]]]:
    at = 0
    while at < len(value):
        found = _LINK.match(value, at)
        if found is None:  # no link: go on after the next comma
            comma = value.find(",", at)
            if comma < 0:
                return
            at = comma + 1
            continue
        params: Dict[str, str] = {}
        for name, quoted, plain in _PARAM.findall(found[2]):
            params.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) or plain)
        yield found[1], params
        at = found.end()
