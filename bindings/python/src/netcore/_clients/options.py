"""The options of a client."""

from __future__ import annotations

from typing import Literal, Mapping, Optional, TypedDict, Union

from .._cache.cache import Cache
from .._credentials.auth import AuthInput
from .._inputs.kinds import CertInput, HeadersInput, ParamsInput, PathInput, TextsInput
from .._inputs.limits import Limits
from .._requests.common_options import CommonOptions
from .._requests.option import MEANT
from .._requests.options import TABLE
from .._requests.retry import RetriesInput
from .transport import Handler, MockTransport


class ConnectionOptions(TypedDict, total=False):
    """Those of `ClientOptions` that the C client is made with."""

    max_redirects: int
    verify: Union[bool, PathInput]
    cert: Optional[CertInput]
    pinned_keys: Optional[Mapping[str, TextsInput]]
    proxy: Optional[str]
    proxies: Optional[Mapping[str, Optional[str]]]
    no_proxy: Optional[str]
    trust_env: bool
    http2: bool
    tls_min_version: Optional[str]
    limits: Optional[Limits]
    uds: Optional[PathInput]
    local_address: Optional[str]
    address_family: Optional[Literal["ipv4", "ipv6"]]
    resolve: Optional[Mapping[str, TextsInput]]
    user_agent: Optional[str]
    accept_encoding: Optional[str]
    hsts_file: Optional[PathInput]
    alt_svc_file: Optional[PathInput]
    cookies: Union[bool, Mapping[str, str]]
    cookie_file: Optional[PathInput]
    netrc: Union[bool, PathInput]


class ClientOptions(ConnectionOptions, CommonOptions, total=False):
    """Keyword arguments of `Client` and `AsyncClient`; see `Client`."""

    base_url: str
    headers: Optional[HeadersInput]
    params: Optional[ParamsInput]
    allow_insecure_redirects: bool
    cache: Optional[Cache]
    transport: Union[MockTransport, Handler, None]
    retries: RetriesInput
    auth: Optional[AuthInput]


CLIENT_OPTIONS = frozenset(ClientOptions.__annotations__)
"""The names of all options of a client."""

MEANT.update({name: "it is an option of the client" for name in CLIENT_OPTIONS - set(TABLE)})
