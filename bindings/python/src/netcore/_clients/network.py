"""The network in use, as the application knows it."""

from __future__ import annotations

from ctypes import c_uint64
from typing import Optional

from .._c import ffi
from .._inputs import encode
from .._requests import conversions


def set_network(client: c_uint64, interface: Optional[str], is_metered: bool) -> int:
    """Tells a netcore_client of the network at hand, and returns the status."""
    name = None if interface is None else conversions.interface(interface, "interface")
    network = ffi.Network(is_metered=encode.flag(is_metered, "is_metered"), interface=name)
    status: int = ffi.client_set_network(client, network)
    return status
