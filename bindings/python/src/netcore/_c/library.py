"""Finds libnetcore.so, loads it and checks that it is one this package can work with.

Looked for in this order:

1. the file named by the environment variable ``NETCORE_LIBRARY``; when it is set, nothing else is tried;
2. ``libnetcore.so`` beside this file, where the wheel puts it;
3. ``build/libnetcore.so`` of the source tree, when the package runs from a checkout;
4. ``libnetcore.so.0``, as the system's loader finds it.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Iterator, List, Tuple

from .._version import __version__

ENVIRONMENT_VARIABLE = "NETCORE_LIBRARY"
FILE_NAME = "libnetcore.so"
SONAME = "libnetcore.so.0"


def load() -> ctypes.CDLL:
    """Loads the library.

    :raises ImportError: no place has a library that loads and fits; the message lists every place and what was wrong.
    """
    tried: List[str] = []
    for place, name in _candidates():
        if os.sep in name and not os.path.exists(name):
            tried.append(f"{place}: {name} does not exist")
            continue
        try:
            library = ctypes.CDLL(name)
            _check(library)
        except (OSError, ImportError) as error:
            tried.append(f"{place}: {error}")
            continue
        return library
    raise ImportError("netcore cannot load its library; tried\n  " + "\n  ".join(tried))


def _candidates() -> Iterator[Tuple[str, str]]:
    """Yields (where it comes from, file name) for each place, best first."""
    given = os.environ.get(ENVIRONMENT_VARIABLE)
    if given:
        yield f"${ENVIRONMENT_VARIABLE}", os.path.abspath(given)
        return
    package = Path(__file__).resolve().parents[1]
    yield "beside the package", str(package / FILE_NAME)
    root = package.parents[3] if len(package.parents) > 3 else package
    if (root / "include" / "netcore.h").exists():
        yield "in the source tree (scripts/build makes it)", str(root / "build" / FILE_NAME)
    yield "by the system's loader", SONAME


def _check(library: ctypes.CDLL) -> None:
    """Refuses a library of another major version, or of a minor version older than this package's."""
    try:
        library.netcore_version.restype = ctypes.c_char_p
        found = library.netcore_version().decode("ascii")
    except AttributeError:
        raise ImportError("not a netcore library: it has no netcore_version()") from None
    major, minor = (int(part) for part in found.split(".")[:2])
    wanted_major, wanted_minor = (int(part) for part in __version__.split(".")[:2])
    if major != wanted_major or minor < wanted_minor:
        raise ImportError(f"version {found}, but {wanted_major}.{wanted_minor} or a later {wanted_major}.x is needed")
