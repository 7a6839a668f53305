"""HTTP archives (HAR 1.2): what was asked and answered, as a file that browsers' developer tools and proxies read.

    log = netcore.har.Log()
    log.add(client.get("https://example.com/"))
    log.save("session.har")

Each hop is an entry of its own: redirects, and tries that failed. Bodies are as the application gets them, decoded.
"""

from __future__ import annotations

import base64
import json
import os
import time
from datetime import datetime, timezone
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union
from urllib.parse import parse_qsl, urlsplit

from ._errors.errors import Error
from ._errors.tries import Try
from ._responses.request import Request
from ._responses.response import Response
from ._version import __version__

SECRETS = frozenset(["authorization", "cookie", "proxy-authorization", "set-cookie"])
"""Header fields whose values are left out, unless they are asked for."""

HIDDEN = "(hidden)"
UNKNOWN = -1

Entry = Dict[str, Any]


class Log:
    """An archive in memory, to which responses and errors are added. For one thread at a time.

    :param secrets: whether cookies and credentials are written, too: the values of `SECRETS`, user names and passwords
        in URLs. A file with them lets who reads it act for the user.
    :param bodies: whether the bodies of responses are written.
    """

    def __init__(self, *, secrets: bool = False, bodies: bool = True) -> None:
        self._secrets = secrets
        self._bodies = bodies
        self.entries: List[Entry] = []

    def add(self, end: Union[Response, Error], *, content: Optional[bytes] = None) -> None:
        """Adds what a request ended with: a whole response, or an error. Call it soon after that: where netcore knows
        no time, as for what a cache answered, the entry has that of this call.

        :param content: the body of the request, which responses do not keep.
        :raises TypeError: neither a response nor an error of netcore's.
        """
        if not isinstance(end, (Response, Error)):
            raise TypeError(f"end: a Response or an Error expected, not {type(end).__name__}")
        request = end.request
        if request is None:
            return
        response = end if isinstance(end, Response) else None
        method, url = request.method, request.url
        for hop, one in _hops(end.tries, response):
            answer = one if one is not None else None
            url = answer.url if answer is not None and answer.url else url
            entry = self._entry(method, url, request, content, hop, answer)
            if isinstance(end, Error) and answer is None and hop is not None and hop.error is not None:
                entry["_error"] = str(end)
            self.entries.append(entry)
            method, content = _method_after(method, entry["response"]["status"], content)
            url = entry["response"]["redirectURL"] or url

    def as_dict(self) -> Dict[str, Any]:
        """The whole archive, as the format has it."""
        creator = {"name": "netcore", "version": __version__}
        return {"log": {"version": "1.2", "creator": creator, "pages": [], "entries": self.entries}}

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the archive to a file, in place of what is there."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.as_dict(), file, ensure_ascii=False, indent=1)

    # One entry

    def _entry(
        self,
        method: str,
        url: str,
        request: Request,
        content: Optional[bytes],
        hop: Optional[Try],
        answer: Optional[Response],
    ) -> Entry:
        timings = _timings(hop, answer)
        entry: Entry = {
            "startedDateTime": _wall_time(hop, sum(timings.values())),
            "time": sum(value for name, value in timings.items() if value > 0 and name != "ssl"),
            "request": self._request(method, url, request, content, answer),
            "response": self._response(hop, answer),
            "cache": {},
            "timings": timings,
        }
        if hop is not None and hop.address:
            entry["serverIPAddress"] = hop.address
        return entry

    def _request(
        self, method: str, url: str, request: Request, content: Optional[bytes], answer: Optional[Response]
    ) -> Dict[str, Any]:
        headers = list(request.headers.multi_items())
        found: Dict[str, Any] = {
            "method": method,
            "url": url if self._secrets else _without_user(url),
            "httpVersion": answer.http_version if answer is not None else "HTTP/1.1",
            "cookies": [],
            "headers": self._fields(headers),
            "queryString": [
                {"name": name, "value": value} for name, value in parse_qsl(urlsplit(url).query, keep_blank_values=True)
            ],
            "headersSize": UNKNOWN,
            "bodySize": UNKNOWN if content is None else len(content),
        }
        if content is not None:
            text, coding = _text(content)
            found["postData"] = {"mimeType": request.headers.get("Content-Type", ""), "text": text}
            if coding:
                found["postData"]["_encoding"] = coding
        return found

    def _response(self, hop: Optional[Try], answer: Optional[Response]) -> Dict[str, Any]:
        if answer is None:
            return {
                "status": hop.status_code if hop is not None else 0,
                "statusText": "",
                "httpVersion": "",
                "cookies": [],
                "headers": [],
                "content": {"size": 0, "mimeType": ""},
                "redirectURL": "",
                "headersSize": UNKNOWN,
                "bodySize": UNKNOWN,
            }
        body = answer.content
        content: Dict[str, Any] = {"size": len(body), "mimeType": answer.headers.get("Content-Type", "")}
        if self._bodies and body:
            content["text"], coding = _text(body)
            if coding:
                content["encoding"] = coding
        is_redirect = 300 <= answer.status_code < 400
        return {
            "status": answer.status_code,
            "statusText": "",
            "httpVersion": answer.http_version,
            "cookies": self._cookies(answer),
            "headers": self._fields(answer.headers.multi_items()),
            "content": content,
            "redirectURL": answer.headers.get("Location", "") if is_redirect else "",
            "headersSize": UNKNOWN,
            "bodySize": 0 if answer.from_cache else UNKNOWN,
        }

    def _fields(self, fields: Iterable[Tuple[str, str]]) -> List[Dict[str, str]]:
        return [{"name": name, "value": self._shown(name, value)} for name, value in fields]

    def _shown(self, name: str, value: str) -> str:
        return value if self._secrets or name.lower() not in SECRETS else HIDDEN

    def _cookies(self, answer: Response) -> List[Dict[str, str]]:
        return [{"name": name, "value": value if self._secrets else HIDDEN} for name, value in answer.cookies.items()]


def _hops(tries: Tuple[Try, ...], response: Optional[Response]) -> Iterator[Tuple[Optional[Try], Optional[Response]]]:
    """Each hop, with what is known of it: a try, an answer, or both."""
    answers = [] if response is None else [*response.history, response]
    redirects = [one for one in tries if one.reason == "redirect"]
    if not tries or (len(redirects) != max(len(answers) - 1, 0) and response is not None):
        # Of some a cache took the place: which ones is not known.
        for answer in answers:
            yield None, answer
        return
    for index, one in enumerate(tries):
        is_shown = one.reason == "redirect" or index == len(tries) - 1
        yield one, answers.pop(0) if answers and is_shown else None


def _method_after(method: str, status: int, content: Optional[bytes]) -> Tuple[str, Optional[bytes]]:
    """With what a redirect goes on (RFC 9110 section 15.4)."""
    if (status == 303 and method != "HEAD") or (status in (301, 302) and method == "POST"):
        return "GET", None
    return method, content


def _timings(hop: Optional[Try], answer: Optional[Response]) -> Dict[str, float]:
    """Milliseconds. The phases are those of the last hop; of others only the whole is known."""
    whole = hop.duration if hop is not None else 0.0
    found = {"blocked": -1.0, "dns": -1.0, "connect": -1.0, "ssl": -1.0, "send": 0.0, "wait": whole, "receive": 0.0}
    known = answer.timings if answer is not None else None
    if known is not None and known.first_byte is not None:
        tls = known.tls
        connect = None if known.connect is None else known.connect + (tls or 0.0)
        spent = (known.dns or 0.0) + (connect or 0.0) + known.first_byte
        found["dns"], found["connect"], found["ssl"] = (
            -1.0 if part is None else part for part in (known.dns, connect, tls)
        )
        found["wait"] = known.first_byte
        found["receive"] = max((whole or known.total or 0.0) - spent, 0.0)
    return {name: part if part < 0 else part * 1000 for name, part in found.items()}


def _wall_time(hop: Optional[Try], spent: float) -> str:
    """When a hop began, in the form of ISO 8601."""
    ago = time.monotonic() - hop.start if hop is not None and hop.start else max(spent, 0.0) / 1000
    return datetime.fromtimestamp(time.time() - max(ago, 0.0), timezone.utc).isoformat(timespec="milliseconds")


def _text(body: bytes) -> Tuple[str, str]:
    """A body as text, and its encoding: "" or "base64"."""
    try:
        return body.decode("utf-8"), ""
    except UnicodeDecodeError:
        return base64.b64encode(body).decode("ascii"), "base64"


def _without_user(url: str) -> str:
    """A URL without user name and password."""
    parts = urlsplit(url)
    return url if "@" not in parts.netloc else parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
