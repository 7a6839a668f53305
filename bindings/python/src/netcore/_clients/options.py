"""The options of a client: one table, from which signatures, checks and documentation follow.

A plain option is one entry: its name, its type, its documentation, the member of C's struct that it sets, and what
makes the member's value of the option's. `scripts/generate` declares the struct.
"""

# Annotations are read at run time here, so that they are no strings.

from typing import Annotated, Literal, Mapping, Optional, Union

from .._cache.cache import Cache
from .._credentials.auth import AuthInput
from .._inputs import encode
from .._inputs.clock import Clock
from .._inputs.clock import convert as clock_handle
from .._inputs.kinds import CertInput, HeadersInput, ParamsInput, PathInput, TextsInput
from .._inputs.limits import Limits
from .._requests import conversions
from .._requests.breaker import BreakerInput
from .._requests.common_options import CommonOptions
from .._requests.failover import FailoverInput
from .._requests.hedge import HedgeInput
from .._requests.option import MEANT
from .._requests.options import TABLE
from .._requests.retry import RetriesInput
from . import settings
from .cassettes import Cassette
from .option import ClientOption, client_table, documentation
from .stubs import Stubs
from .transport import Handler, MockTransport


class ClientOptions(CommonOptions, total=False):
    """Keyword arguments of `Client` and `AsyncClient`."""

    base_url: Annotated[
        str,
        ClientOption(
            """an absolute URL to whose path relative URLs are appended. Default: "": they go to the selected
            service."""
        ),
    ]
    headers: Annotated[
        Optional[HeadersInput],
        ClientOption(
            "fields for every request, which a request's own of the same name replace. `set_header` changes them."
        ),
    ]
    params: Annotated[
        Optional[ParamsInput],
        ClientOption(
            "a query for every request, which a request's own of the same name replace. `set_param` changes them."
        ),
    ]
    allow_insecure_redirects: Annotated[
        bool, ClientOption("whether redirects from https to http are followed. Default False.")
    ]
    max_redirects: Annotated[int, ClientOption("default 20.", apply=settings.set_max_redirects)]
    verify: Annotated[
        Union[bool, PathInput],
        ClientOption(
            """True, the default, for the certificate authorities that the environment names (REQUESTS_CA_BUNDLE, else
            SSL_CERT_FILE and SSL_CERT_DIR, unless trust_env=False), or the system's; the path of a PEM file with
            others, or of a folder of such files, named by their hashes (``openssl rehash``); or False: certificates are
            then not checked, so that anybody on the way can read and change everything, and each connection is warned
            of (`netcore.set_log`).""",
            apply=settings.set_verify,
            default=True,
        ),
    ]
    cert: Annotated[
        Optional[CertInput],
        ClientOption(
            "the client's certificate: a PEM file, (certificate, key) or (certificate, key, password).",
            apply=settings.set_cert,
        ),
    ]
    pinned_keys: Annotated[
        Optional[Mapping[str, TextsInput]],
        ClientOption(
            """by host, the public keys of which it must show one, as text or a list: the one in use, and backups. Each
            is ``"sha256//"`` and the base64 of the SHA-256 digest of the SubjectPublicKeyInfo (RFC 7469 section 2.4). A
            host ``"*.example.com"`` stands for all names under a domain. Another key is a `CertificateError`. Default:
            none.""",
            apply=settings.set_pinned_keys,
        ),
    ]
    trust_env: Annotated[
        bool,
        ClientOption(
            "whether the environment says which proxies and certificate authorities are used. Default True.",
            apply=settings.set_trust_env,
        ),
    ]
    proxy: Annotated[
        Optional[str],
        ClientOption(
            """an http, https, socks5 or socks5h URL, with user name and password if it needs them. Default: as the
            environment says (http_proxy, https_proxy, all_proxy), unless trust_env=False. "" for none.""",
            "proxy",
            conversions.text,
        ),
    ]
    proxies: Annotated[
        Optional[Mapping[str, Optional[str]]],
        ClientOption(
            """by scheme, "http" or "https" ("http://" and "https://" as well), a proxy as above, or None for none;
            "all" is `proxy`. Default: `proxy` for both.""",
            apply=settings.set_proxies,
        ),
    ]
    no_proxy: Annotated[
        Optional[str],
        ClientOption(
            "hosts reached directly, with commas between. Default: as the environment says.",
            "no_proxy",
            conversions.text,
        ),
    ]
    http2: Annotated[
        bool,
        ClientOption(
            "default True: HTTP/2 over TLS when the server agrees.",
            "http_version_max",
            settings.http_version,
        ),
    ]
    tls_min_version: Annotated[
        Optional[str],
        ClientOption('``"1.2"``, the default, or ``"1.3"``.', "tls_min_version", settings.tls_version),
    ]
    limits: Annotated[Optional[Limits], ClientOption("see `Limits`.", apply=settings.set_limits)]
    uds: Annotated[
        Optional[PathInput],
        ClientOption(
            "the path of a Unix-domain socket that all connections go to, whatever the URL's host.",
            "unix_socket",
            encode.c_path,
        ),
    ]
    local_address: Annotated[
        Optional[str],
        ClientOption(
            "the network interface, host name or address that connections come from.",
            "interface",
            conversions.text,
        ),
    ]
    address_family: Annotated[
        Optional[Literal["ipv4", "ipv6"]],
        ClientOption(
            '``"ipv4"`` or ``"ipv6"``: connections go only to such addresses. Default: to both.',
            "address_family",
            settings.address_family,
        ),
    ]
    resolve: Annotated[
        Optional[Mapping[str, TextsInput]],
        ClientOption(
            """addresses that are used without being looked up: ``{"example.com:443": "127.0.0.1"}``, or a list of
            them.""",
            apply=settings.set_resolve,
        ),
    ]
    user_agent: Annotated[
        Optional[str],
        ClientOption(
            'the User-Agent field; "" for none. Default: "netcore/" and the version.',
            "user_agent",
            conversions.text,
        ),
    ]
    accept_encoding: Annotated[
        Optional[str],
        ClientOption(
            """the Accept-Encoding field: a list of gzip, deflate, br, zstd and identity; "" for none. Default:
            "gzip,br,zstd".""",
            "accept_encoding",
            conversions.text,
        ),
    ]
    hsts_file: Annotated[
        Optional[PathInput],
        ClientOption(
            """a file to keep the hosts in that want https only (RFC 6797), in curl's format; "" for memory. Requests to
            them then go by https. Default: what hosts ask for is not kept.""",
            "hsts_file",
            encode.c_path,
        ),
    ]
    alt_svc_file: Annotated[
        Optional[PathInput],
        ClientOption(
            """a file to keep alternative services in (RFC 7838), in curl's format; "" for memory. Default: none.""",
            "alt_svc_file",
            encode.c_path,
        ),
    ]
    auth: Annotated[
        Optional[AuthInput],
        ClientOption(
            """who sends the requests that say nothing of it themselves, to whichever host: see `RequestOptions`. It
            wins over user name and password in URLs, over `netrc` and over sources of tokens. Default: none."""
        ),
    ]
    netrc: Annotated[
        Union[bool, PathInput],
        ClientOption(
            """user names and passwords by host, for requests without other credentials: the path of a file as curl and
            ftp read it, or True for .netrc in the home folder. Default False.""",
            apply=settings.set_netrc,
        ),
    ]
    cookies: Annotated[
        Union[bool, Mapping[str, str]],
        ClientOption(
            """True, the default: cookies of answers are kept, and go with requests: see `cookies`. False: none. A
            mapping of names and values: kept, and begun with these, for the host of `base_url`.""",
            apply=settings.set_cookies,
            default=True,
        ),
    ]
    cookie_file: Annotated[
        Optional[PathInput],
        ClientOption(
            """a file to keep them in, in the format of curl. Read now, written soon after each change and by `close`,
            with the mode 0600. Default: they are kept in memory.""",
            "cookie_file",
            encode.c_path,
        ),
    ]
    cache: Annotated[
        Optional[Cache], ClientOption("a `Cache`, where answers are stored and served from. Default: none.")
    ]
    clock: Annotated[
        Optional[Clock],
        ClientOption(
            "a `Clock` of `netcore.testing`, in place of the machine's, for tests; `cache` must have the same.",
            "clock",
            clock_handle,
        ),
    ]
    transport: Annotated[
        Union[MockTransport, Stubs, Cassette, Handler, None],
        ClientOption(
            "a `MockTransport`, its function, or `Stubs` or a `Cassette` of `netcore.testing`: it answers in place of "
            "the network. Default: the network."
        ),
    ]
    retries: Annotated[
        RetriesInput,
        ClientOption(
            """how often and when requests that do not say otherwise are sent again because of their answer or error: a
            `Retry`, a number of retries, or True for ``Retry()``. Default: never."""
        ),
    ]
    hedge: Annotated[
        HedgeInput,
        ClientOption(
            """when requests that do not say otherwise get a second try beside the first: a `Hedge`, or True for
            ``Hedge()``. Default: never."""
        ),
    ]
    breaker: Annotated[
        BreakerInput,
        ClientOption(
            """when requests to a server that fails are refused for a while: a `Breaker`, or True for ``Breaker()``.
            Default: never."""
        ),
    ]
    failover: Annotated[
        FailoverInput,
        ClientOption(
            """when the client leaves the selected service, since it fails, for the next one: a `Failover`, or True for
            ``Failover()``. Default: never."""
        ),
    ]


CLIENT_TABLE = client_table(ClientOptions.__annotations__)
"""The options that only a client takes, by name."""

CLIENT_OPTIONS = frozenset(ClientOptions.__annotations__)
"""The names of all options of a client."""

DOCUMENTATION = documentation(CLIENT_TABLE, {name: TABLE[name] for name in CommonOptions.__annotations__})
"""A line for each option of a client."""

MEANT.update({name: "it is an option of the client" for name in CLIENT_OPTIONS - set(TABLE)})
