"""The blocking client."""

from __future__ import annotations

from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Iterator, Optional, Type, Union

from .._cache.types import CacheLookup
from .._requests.options import RequestOptions
from .._responses.download import Download, PathInput, ProgressFunction
from .._responses.response import Response
from .._responses.streamed import DEFAULT_WINDOW, StreamedResponse
from .._tasks.group import Group
from .._tasks.task import Task
from .base_client import BaseClient
from .blocking import BlockingCore
from .downloading import DEFAULT_RESUMES, Job, Wanted
from .options import ClientOptions
from .sending import Sending

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Client(Sending[Response, Task], BaseClient):
    """Sends requests, keeps their connections, and holds what they have in common.

    - base_url: an absolute URL to whose path relative URLs are appended. Default: "": they go to the selected service.
    - headers: fields for every request, which a request's own of the same name replace. `set_header` changes them.
    - params: a query for every request, which a request's own of the same name replace. `set_param` changes them.
    - timeout: seconds, a pair (connect, read), a `Timeout`, or None. Default:
      ``Timeout(connect=10, first_byte=60, idle=60, total=None)``.
    - follow_redirects: default True. From https to http only with allow_insecure_redirects=True.
    - max_redirects: default 20.
    - verify: True, the default, for the certificate authorities that the environment names (REQUESTS_CA_BUNDLE, else
      SSL_CERT_FILE and SSL_CERT_DIR, unless trust_env=False), or the system's; the path of a PEM file with others, or
      of a folder of such files, named by their hashes (``openssl rehash``); or False: certificates are then not
      checked, so that anybody on the way can read and change everything, and each connection is warned of
      (`netcore.set_log`).
    - cert: the client's certificate: a PEM file, (certificate, key) or (certificate, key, password).
    - pinned_keys: by host, the public keys of which it must show one, as text or a list: the one in use, and backups.
      Each is ``"sha256//"`` and the base64 of the SHA-256 digest of the SubjectPublicKeyInfo (RFC 7469 section 2.4). A
      host ``"*.example.com"`` stands for all names under a domain. Another key is a `CertificateError`. Default: none.
    - proxy: an http, https, socks5 or socks5h URL, with user name and password if it needs them. Default: as the
      environment says (http_proxy, https_proxy, all_proxy), unless trust_env=False. "" for none.
    - proxies: by scheme, "http" or "https" ("http://" and "https://" as well), a proxy as above, or None for none;
      "all" is `proxy`. Default: `proxy` for both.
    - no_proxy: hosts reached directly, with commas between. Default: as the environment says.
    - http2: default True: HTTP/2 over TLS when the server agrees.
    - tls_min_version: ``"1.2"``, the default, or ``"1.3"``.
    - limits: see `Limits`.
    - uds: the path of a Unix-domain socket that all connections go to, whatever the URL's host.
    - local_address: the network interface, host name or address that connections come from.
    - address_family: ``"ipv4"`` or ``"ipv6"``: connections go only to such addresses. Default: to both.
    - resolve: addresses that are used without being looked up: ``{"example.com:443": "127.0.0.1"}``, or a list of them.
    - user_agent: the User-Agent field; "" for none. Default: "netcore/" and the version.
    - accept_encoding: the Accept-Encoding field: a list of gzip, deflate, br, zstd and identity; "" for none. Default:
      "gzip,br,zstd".
    - hsts_file: a file to keep the hosts in that want https only (RFC 6797), in curl's format; "" for memory. Requests
      to them then go by https. Default: what hosts ask for is not kept.
    - alt_svc_file: a file to keep alternative services in (RFC 7838), in curl's format; "" for memory. Default: none.
    - auth: who sends the requests that say nothing of it themselves, to whichever host: see `RequestOptions`. It wins
      over user name and password in URLs, over `netrc` and over sources of tokens. Default: none.
    - netrc: user names and passwords by host, for requests without other credentials: the path of a file as curl and
      ftp read it, or True for .netrc in the home folder. Default False.
    - cookies: True, the default: cookies of answers are kept, and go with requests: see `cookies`. False: none. A
      mapping of names and values: kept, and begun with these, for the host of `base_url`.
    - cookie_file: a file to keep them in, in the format of curl. Read now, written soon after each change and by
      `close`, with the mode 0600. Default: they are kept in memory.
    - cache: a `Cache`, where answers are stored and served from. Default: none.
    - transport: a `MockTransport`, or its function, which answers in place of the network. Default: the network.
    - retries: how often and when requests that do not say otherwise are sent again because of their answer or error: a
      `Retry`, a number of retries, or True for ``Retry()``. Default: never.
    - decode_content, serializer, min_receive_rate, min_receive_rate_window, sent_once, allow_unclean_end,
      cache_mode, cache_ttl, cache_errors: for all requests that do not say otherwise; see `RequestOptions`.

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
        and does not store its response.

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
        wanted = Wanted(sha256, size, overwrite, key, resumes, sync)
        return core.download(Job(core, url, path, options, wanted, progress))

    def group(self) -> Group:
        """Makes an empty group: tasks with one notification."""
        return Group(self, self._core)

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
