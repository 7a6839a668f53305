"""Options of a client that are more than one member of the C struct, or whose values have a shape of their own."""

from __future__ import annotations

import os
from ctypes import c_char_p, sizeof
from typing import Any, Iterator, List, Mapping, Tuple

from .._c import ffi
from .._errors.raising import reject
from .._inputs import encode
from .._inputs.limits import Limits, limit_value
from .option import Setup

HTTP_1_1 = 11
TLS_VERSIONS = {"1.2": 12, "1.3": 13}
ADDRESS_FAMILIES = {"ipv4": 4, "ipv6": 6}

_BUNDLE = "REQUESTS_CA_BUNDLE"


def set_verify(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    """The authorities that are trusted: the system's, those of a file or a folder, or none asked."""
    if isinstance(value, bool):
        setup.struct.skip_verification = 0 if value else 1
        bundle = os.environ.get(_BUNDLE) if given.get("trust_env", True) else None
        if not value or not bundle:
            return
        value = bundle
        setup.names.update(ca_file=_BUNDLE, ca_folder=_BUNDLE)
    path = encode.c_path(value, "verify")
    if os.path.isdir(path):
        setup.struct.ca_folder = path
    else:
        setup.struct.ca_file = path


def set_cert(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    """Certificate file, key file and password."""
    if not isinstance(value, tuple):
        setup.struct.client_certificate_file = encode.c_path(value, "cert")
        return
    if len(value) not in (2, 3):
        raise TypeError("cert: a path, (certificate, key) or (certificate, key, password) expected")
    setup.struct.client_certificate_file = encode.c_path(value[0], "cert")
    setup.struct.client_key_file = encode.c_path(value[1], "cert: key")
    if len(value) == 3:
        setup.struct.client_key_password = encode.c_text(value[2], "cert: password")


def set_trust_env(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    setup.struct.ignore_environment = 1 - encode.flag(value, "trust_env")


def http_version(value: Any, name: str) -> int:
    """The highest version; 0 for any."""
    return 0 if encode.flag(value, name) else HTTP_1_1


def tls_version(value: Any, name: str) -> int:
    return encode.choice(value, TLS_VERSIONS, name)


def address_family(value: Any, name: str) -> int:
    return encode.choice(value, ADDRESS_FAMILIES, name)


def set_cookies(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    """Whether cookies are kept."""
    if not isinstance(value, (bool, Mapping)):
        raise TypeError(f"cookies: bool or a mapping expected, not {type(value).__name__}")
    if value is False and given.get("cookie_file") is not None:
        reject("cookies, cookie_file: a file of cookies that are not kept")
    setup.struct.cookies = 0 if value is False else 1


def set_netrc(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    """The file; "" stands for the one in the home folder."""
    if value is not False:
        setup.struct.netrc_file = b"" if value is True else encode.c_path(value, "netrc")
        setup.names["netrc_file"] = "netrc"


def set_proxies(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    """The proxies of http and https URLs; None for none."""
    if not isinstance(value, Mapping):
        raise TypeError(f"proxies: a mapping expected, not {type(value).__name__}")
    for scheme, proxy in value.items():
        member = _PROXIES.get(scheme)
        if member is None:
            reject(f"proxies: 'http', 'https' or 'all' expected, not {scheme!r}")
        if member == "proxy" and given.get("proxy") is not None:
            reject("proxy, proxies: give only one for all schemes")
        setattr(setup.struct, member, b"" if proxy is None else encode.c_text(proxy, f"proxies: {scheme!r}"))


_PROXIES = {"http": "http_proxy", "https": "https_proxy", "all": "proxy"}
_PROXIES.update({f"{scheme}://": member for scheme, member in _PROXIES.items()})


def set_pinned_keys(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    """The keys that hosts must show, several of one host with ";" between."""
    pinned = [ffi.PinnedKeys(host, b";".join(keys)) for host, keys in _by_name(value, "pinned_keys")]
    setup.struct.pinned_keys = (ffi.PinnedKeys * len(pinned))(*pinned)
    setup.struct.pinned_key_count = len(pinned)
    setup.struct.pinned_key_size = sizeof(ffi.PinnedKeys)


def set_resolve(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    """The addresses that are used without being looked up."""
    entries = [
        name + b":" + b",".join(_in_brackets(address) for address in addresses)
        for name, addresses in _by_name(value, "resolve")
    ]
    setup.struct.resolve = (c_char_p * len(entries))(*entries)
    setup.struct.resolve_count = len(entries)


def _in_brackets(address: bytes) -> bytes:
    """An address as it stands in a URL: one of IPv6 in brackets."""
    return b"[" + address + b"]" if b":" in address and not address.startswith(b"[") else address


def _by_name(values: Any, what: str) -> Iterator[Tuple[bytes, List[bytes]]]:
    """A name and its texts, each for C strings."""
    if not isinstance(values, Mapping):
        raise TypeError(f"{what}: a mapping expected, not {type(values).__name__}")
    for name, value in values.items():
        yield encode.c_text(name, what), encode.texts(value, what)


def set_limits(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    if not isinstance(value, Limits):
        raise TypeError(f"limits: netcore.Limits expected, not {type(value).__name__}")
    setup.limits += value._rows()
    overflow = ffi.QUEUE_OVERFLOWS.get(value.queue_overflow)
    if overflow is None:
        reject(f'limits: queue_overflow: "refuse_new" or "drop_lowest" expected, not {value.queue_overflow!r}')
    setup.queue_overflow = overflow


def set_max_redirects(setup: Setup, value: Any, given: Mapping[str, Any]) -> None:
    setup.limits.append((ffi.LIMIT_REDIRECTS, limit_value(value, "max_redirects"), "max_redirects"))
