"""Makes C clients from the options of `Client` and `AsyncClient`."""

from __future__ import annotations

import os
from ctypes import byref, c_char_p, c_uint64, sizeof
from typing import Iterator, List, Mapping, Optional, Tuple, Union

from .._c import ffi
from .._errors.errors import call_error, check, refused_argument, reject
from .._inputs import encode
from .._inputs.kinds import CertInput, PathInput, TextsInput
from .._inputs.limits import Limits, limit_value

DEFAULT_MAX_REDIRECTS = 20
HTTP_1_1 = 11
_TLS_VERSIONS = {"1.2": 12, "1.3": 13}
ADDRESS_FAMILIES = {"ipv4": 4, "ipv6": 6}


def create_client(
    cache: int,
    *,
    max_redirects: int = DEFAULT_MAX_REDIRECTS,
    verify: Union[bool, PathInput] = True,
    cert: Optional[CertInput] = None,
    pinned_keys: Optional[Mapping[str, TextsInput]] = None,
    proxy: Optional[str] = None,
    proxies: Optional[Mapping[str, Optional[str]]] = None,
    no_proxy: Optional[str] = None,
    trust_env: bool = True,
    http2: bool = True,
    tls_min_version: Optional[str] = None,
    limits: Optional[Limits] = None,
    uds: Optional[PathInput] = None,
    local_address: Optional[str] = None,
    address_family: Optional[str] = None,
    resolve: Optional[Mapping[str, TextsInput]] = None,
    user_agent: Optional[str] = None,
    accept_encoding: Optional[str] = None,
    hsts_file: Optional[PathInput] = None,
    alt_svc_file: Optional[PathInput] = None,
    cookies: Union[bool, Mapping[str, str]] = True,
    cookie_file: Optional[PathInput] = None,
    netrc: Union[bool, PathInput] = False,
) -> c_uint64:
    """Creates a netcore_client in queue mode, and returns its handle.

    :param cache: a netcore_cache, or 0.
    """
    options = ffi.ClientOptions(completions=ffi.COMPLETION_MODE_QUEUE)
    options.cache = cache
    _set_trust(options, verify, trust_env)
    if pinned_keys is not None:
        _set_pinned_keys(options, pinned_keys)
    if resolve is not None:
        _set_addresses(options, resolve)
    if address_family is not None:
        options.address_family = encode.choice(address_family, ADDRESS_FAMILIES, "address_family")
    options.unix_socket = None if uds is None else encode.c_path(uds, "uds")
    options.interface = None if local_address is None else encode.c_text(local_address, "local_address")
    options.user_agent = None if user_agent is None else encode.c_text(user_agent, "user_agent")
    options.accept_encoding = None if accept_encoding is None else encode.c_text(accept_encoding, "accept_encoding")
    options.hsts_file = None if hsts_file is None else encode.c_path(hsts_file, "hsts_file")
    options.alt_svc_file = None if alt_svc_file is None else encode.c_path(alt_svc_file, "alt_svc_file")
    _set_cookies(options, cookies, cookie_file)
    if netrc is not False:
        options.netrc_file = b"" if netrc is True else encode.c_path(netrc, "netrc")
    certificate, key, password = _certificate(cert)
    options.client_certificate_file = certificate
    options.client_key_file = key
    options.client_key_password = password
    options.ignore_environment = 0 if trust_env else 1
    options.proxy = None if proxy is None else encode.c_text(proxy, "proxy")
    if proxies is not None:
        _set_proxies(options, proxies)
    options.no_proxy = None if no_proxy is None else encode.c_text(no_proxy, "no_proxy")
    options.http_version_max = 0 if http2 else HTTP_1_1
    if tls_min_version is not None:
        options.tls_min_version = encode.choice(tls_min_version, _TLS_VERSIONS, "tls_min_version")
    if limits is not None and not isinstance(limits, Limits):
        raise TypeError(f"limits: netcore.Limits expected, not {type(limits).__name__}")
    pairs = limits._pairs() if limits is not None else []
    if limit_value(max_redirects, "max_redirects") != DEFAULT_MAX_REDIRECTS:
        pairs.append((ffi.LIMIT_REDIRECTS, max_redirects))
    return _create(options, pairs, _NAMES if verify is not True else _NAMES_BY_ENVIRONMENT)


_NAMES = {
    "ca_file": "verify",
    "ca_folder": "verify",
    "client_certificate_file": "cert",
    "client_key_file": "cert: key",
    "unix_socket": "uds",
    "interface": "local_address",
    "http_proxy": "proxies: 'http'",
    "https_proxy": "proxies: 'https'",
    "netrc_file": "netrc",
}
"""What C's arguments are called in Python."""

_BUNDLE = "REQUESTS_CA_BUNDLE"

_NAMES_BY_ENVIRONMENT = {**_NAMES, "ca_file": _BUNDLE, "ca_folder": _BUNDLE}
"""The same where the environment says which authorities are trusted."""


def _create(options: ffi.ClientOptions, limits: List[Tuple[int, int]], names: Mapping[str, str]) -> c_uint64:
    handle = c_uint64()
    status = ffi.client_create(options, byref(handle))
    if status:
        name = refused_argument()
        raise call_error(status, argument=names.get(name, name))
    try:
        for number, value in limits:
            check(ffi.client_set_limit(handle, number, value))
    except BaseException:
        ffi.client_destroy(handle)
        raise
    return handle


def _set_trust(options: ffi.ClientOptions, verify: Union[bool, PathInput], trust_env: bool) -> None:
    """The authorities that are trusted: the system's, those of a file or a folder, or none asked."""
    if isinstance(verify, bool):
        options.skip_verification = 0 if verify else 1
        bundle = os.environ.get(_BUNDLE) if trust_env else None
        if not verify or not bundle:
            return
        verify = bundle
    path = encode.c_path(verify, "verify")
    if os.path.isdir(path):
        options.ca_folder = path
    else:
        options.ca_file = path


def _set_cookies(
    options: ffi.ClientOptions, cookies: Union[bool, Mapping[str, str]], cookie_file: Optional[PathInput]
) -> None:
    """Whether and where cookies are kept."""
    if not isinstance(cookies, (bool, Mapping)):
        raise TypeError(f"cookies: bool or a mapping expected, not {type(cookies).__name__}")
    if cookie_file is not None:
        if cookies is False:
            reject("cookies, cookie_file: a file of cookies that are not kept")
        options.cookie_file = encode.c_path(cookie_file, "cookie_file")
    options.cookies = 0 if cookies is False else 1


def _set_proxies(options: ffi.ClientOptions, proxies: Mapping[str, Optional[str]]) -> None:
    """The proxies of http and https URLs; None for none."""
    if not isinstance(proxies, Mapping):
        raise TypeError(f"proxies: a mapping expected, not {type(proxies).__name__}")
    for scheme, proxy in proxies.items():
        member = _PROXIES.get(scheme)
        if member is None:
            reject(f"proxies: 'http', 'https' or 'all' expected, not {scheme!r}")
        if member == "proxy" and options.proxy is not None:
            reject("proxy, proxies: give only one for all schemes")
        setattr(options, member, b"" if proxy is None else encode.c_text(proxy, f"proxies: {scheme!r}"))


_PROXIES = {"http": "http_proxy", "https": "https_proxy", "all": "proxy"}
_PROXIES.update({f"{scheme}://": member for scheme, member in _PROXIES.items()})


def _set_pinned_keys(options: ffi.ClientOptions, pinned_keys: Mapping[str, TextsInput]) -> None:
    """The keys that hosts must show, several of one host with ";" between."""
    pinned = [ffi.PinnedKeys(host, b";".join(keys)) for host, keys in _by_name(pinned_keys, "pinned_keys")]
    options.pinned_keys = (ffi.PinnedKeys * len(pinned))(*pinned)
    options.pinned_key_count = len(pinned)
    options.pinned_key_size = sizeof(ffi.PinnedKeys)


def _set_addresses(options: ffi.ClientOptions, resolve: Mapping[str, TextsInput]) -> None:
    """The addresses that are used without being looked up."""
    entries = [
        name + b":" + b",".join(_in_brackets(address) for address in addresses)
        for name, addresses in _by_name(resolve, "resolve")
    ]
    options.resolve = (c_char_p * len(entries))(*entries)
    options.resolve_count = len(entries)


def _in_brackets(address: bytes) -> bytes:
    """An address as it stands in a URL: one of IPv6 in brackets."""
    return b"[" + address + b"]" if b":" in address and not address.startswith(b"[") else address


def _by_name(values: Mapping[str, TextsInput], what: str) -> Iterator[Tuple[bytes, List[bytes]]]:
    """A name and its texts, each for C strings."""
    if not isinstance(values, Mapping):
        raise TypeError(f"{what}: a mapping expected, not {type(values).__name__}")
    for name, value in values.items():
        yield encode.c_text(name, what), encode.texts(value, what)


def _certificate(cert: Optional[CertInput]) -> Tuple[Optional[bytes], Optional[bytes], Optional[bytes]]:
    """Certificate file, key file and password."""
    if cert is None:
        return None, None, None
    if not isinstance(cert, tuple):
        return encode.c_path(cert, "cert"), None, None
    if len(cert) not in (2, 3):
        raise TypeError("cert: a path, (certificate, key) or (certificate, key, password) expected")
    password = encode.c_text(cert[2], "cert: password") if len(cert) == 3 else None
    return encode.c_path(cert[0], "cert"), encode.c_path(cert[1], "cert: key"), password
