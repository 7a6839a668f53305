"""The blocking client."""

from __future__ import annotations

from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Iterator, Optional, Type, Union

from .._cache.types import CacheLookup
from .._requests.options import RequestOptions
from .._responses.download import Download, PathInput, ProgressFunction
from .._responses.event_source import LONGEST_RETRY_SECONDS, RETRY_SECONDS, EventSource, SourceOptions
from .._responses.events import LARGEST_EVENT
from .._responses.response import Response
from .._responses.stream_base import DEFAULT_WINDOW
from .._responses.streamed import StreamedResponse
from .._tasks.group import Group
from .._tasks.group_options import GroupOptions, GroupRule
from .._tasks.task import Task
from .base_client import BaseClient
from .blocking import BlockingCore, wait_time
from .downloading import DEFAULT_RESUMES, Job, Wanted
from .options import DOCUMENTATION, ClientOptions
from .pages import Pages
from .paging import Paging
from .sending import Sending

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Client(Sending[Response, Task], BaseClient):
    """Sends requests, keeps their connections, and holds what they have in common.

    {options}

    Any thread may use a client. Use it as a context manager, or call `close()`.

    :raises InvalidRequest: an option that is not allowed.
    :raises TLSError: a file of `verify` or `cert` cannot be read.
    :raises StorageError: `netrc` or `cookie_file` cannot be read, or the latter holds no cookies.
    """

    _core: BlockingCore
    _task_type = Task

    def __init__(self, **options: Unpack[ClientOptions]) -> None:
        self._core = BlockingCore(**options)
        self._begin(options)

    def _send(self, method: str, url: str, options: RequestOptions) -> Response:
        core = self._core
        return core.perform(core.requests.get(method, url, options))

    @contextmanager
    def stream(
        self, method: str, url: str, *, window: int = DEFAULT_WINDOW, **options: Unpack[RequestOptions]
    ) -> Iterator[StreamedResponse]:
        """Sends a request whose response is read piece by piece, as fast as you take it.

        ``with client.stream("GET", url) as response: for chunk in response.iter_bytes(): …``

        The block begins when the head of the response has come, whatever the status code; redirects are followed
        before. From then on nothing is sent again. Leaving the block ends the transfer. A cache answers such a request,
        and stores its response up to a size (`Cache`, streamed_bytes).

        :param window: bytes of the decoded body that may wait to be read, from 1 to 2**30; the server has to wait for
            the rest. Default 1 MiB.
        :param options: see `RequestOptions`; without `on_progress`.

        Raises as `request`.
        """
        core = self._core
        response = core.open_stream(core.streamed(method, url, options, window), window)
        try:
            yield response
        finally:
            response.close()

    def event_source(
        self,
        method: str,
        url: str,
        *,
        retry: float = RETRY_SECONDS,
        longest_retry: float = LONGEST_RETRY_SECONDS,
        largest_event: int = LARGEST_EVENT,
        last_event_id: str = "",
        **options: Unpack[RequestOptions],
    ) -> EventSource:
        """The events of a server that sends them for as long as somebody listens.

        ``with client.event_source("GET", url) as source: for event in source: …``

        It connects when the first event is asked for, and again when a connection ends or fails; options and body are
        those of each connection. No cache takes part.

        :param retry: seconds to wait before another connection, until the server says so.
        :param longest_retry: the longest wait, whatever the server says. The shortest is 0.01.
        :param largest_event: bytes of an event, as it comes.
        :param last_event_id: what the first connection asks to go on after.
        :param options: see `RequestOptions`; without `on_progress`.
        """
        how = SourceOptions(retry, longest_retry, largest_event, last_event_id)
        return EventSource(*self._core.source(method, url, options, how), wait_time)

    def get_cached(self, method: str, url: str, **options: Unpack[RequestOptions]) -> Optional[Response]:
        """What the cache holds for a request, fresh or stale, or None. Sends nothing. Options as in `request`.

        :raises StateError: the client has no cache, or is closed.
        """
        return self.cache_lookup(method, url, **options).response

    def cache_lookup(self, method: str, url: str, **options: Unpack[RequestOptions]) -> CacheLookup:
        """As `get_cached`, with the reason: ``response, result = client.cache_lookup("GET", url)``."""
        core = self._core
        return core.lookup(core.requests.get(method, url, options))

    def download(
        self,
        url: str,
        path: PathInput,
        *,
        sha256: Union[str, bool, None] = None,
        size: Optional[int] = None,
        overwrite: bool = False,
        key: Optional[str] = None,
        resumes: int = DEFAULT_RESUMES,
        segments: int = 1,
        segment_size: Optional[int] = None,
        sync: bool = True,
        progress: Optional[ProgressFunction] = None,
        **options: Unpack[RequestOptions],
    ) -> Download:
        """Downloads to a file, which is in its place when this returns: whole, and never before.

        Until then the bytes are in a part beside it, named as the file with ``.netcore-part`` at its end. The part
        stays when the call is interrupted or fails, or the process ends, and another download to the same path goes on
        where it stopped, if the server still has the same. A transfer that breaks off goes on by itself.

        :param path: of the file, in a folder that exists.
        :param sha256: the digest of the file in hexadecimal, which is checked; or True, to be told it.
        :param size: the length of the file, which is checked.
        :param overwrite: whether a file of that name is replaced.
        :param key: tells downloads to one path apart, for URLs that differ each time. Default: the URL.
        :param resumes: how often a transfer that broke off goes on, counted anew after each MiB that is new.
        :param segments: the most parts of the file that come at once, from 1 to 16, if the server sends parts with a
            strong validator. An additional request that fails before its head is there is not sent again.
        :param segment_size: the least number of bytes that a segment is opened for. Default: 8 MiB, and only while
            there are more than 2 seconds to go.
        :param sync: whether what came outlasts a power loss.
        :param progress: called each 0.1 seconds and at the end with a `DownloadProgress`. What it raises ends the
            download.
        :param options: see `RequestOptions`; `on_progress` is not allowed. The total timeout is that of the download.
        :raises DownloadExists: there is such a file, and `overwrite` is not set. Nothing was sent.
        :raises DownloadBusy: another download, perhaps of another process, writes to the same file.
        :raises HTTPStatusError: the answer has a status code without a file; `response` has its head.
        :raises IntegrityError: length or digest are not as expected. Nothing of the file is kept.
        :raises StorageError: a full disk, a folder that cannot be written; `native_code` is the errno.

        Otherwise as `request`.
        """
        core = self._core
        wanted = Wanted(sha256, size, overwrite, key, resumes, segments, segment_size, sync)
        return core.download(Job(core, url, path, options, wanted, progress))

    def pages(
        self, url: str, paging: Optional[Paging] = None, *, method: str = "GET", **options: Unpack[RequestOptions]
    ) -> Pages:
        """The pages of a list that a server gives page by page: ``for page in client.pages(url): …``, ``for item in
        client.pages(url).items(): …``. Sends nothing until the first page is asked for.

        :param paging: how pages are asked for, and what is found in them. Default: found out.
        :param options: see `RequestOptions`; they are those of the request for each page. A link to another origin
            is followed without what identifies the user.
        """
        core = self._core
        return Pages(self, core, core.requests.request(method, url, options), paging or Paging())

    def group(
        self, rule: GroupRule = "all_settled", *, limit: Optional[int] = None, timeout: Optional[float] = None
    ) -> Group:
        """Makes an empty group: tasks with one notification.

        :param rule: what the end of one member means for the others: see `GroupRule`. ``"chain"`` runs them one after
            the other. In a graph members wait for others (`Group.add` with `after`), with any other rule.
        :param limit: how many members run at once, at most; None for no limit.
        :param timeout: seconds from the dispatch to the end. What has not ended then is canceled, and `wait()` raises
            `TotalTimeout`. None for no limit.
        :raises InvalidRequest: a value that is not allowed.
        """
        return Group(self, self._core, GroupOptions(rule, limit, timeout))

    def close(self) -> None:
        """Cancels what is in flight, waits for its callbacks, and closes the connections. A second call does nothing.

        :raises BaseException: what a callback raised, if it was not raised yet.
        """
        self._core.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        error_type: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self._core.close(raises=error is None)

    def __del__(self) -> None:
        core = getattr(self, "_core", None)
        if core is not None:
            core.finalize()


Client.__doc__ = (Client.__doc__ or "").replace("{options}", DOCUMENTATION.replace("\n", "\n    "))
