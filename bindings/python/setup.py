"""Puts libnetcore.so into the wheel and tags the wheel for its platform; everything else is in pyproject.toml."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any, Tuple

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
LIBRARY_VARIABLE = "NETCORE_LIBRARY_BUILD"


def library() -> Path:
    """The library that goes into the wheel: the file named by NETCORE_LIBRARY_BUILD, or the source tree's."""
    given = os.environ.get(LIBRARY_VARIABLE)
    path = Path(given) if given else HERE.parents[1] / "build" / "libnetcore.so"
    if not path.is_file():
        sys.exit(f"netcore: {path} does not exist; run scripts/build first, or name the file by {LIBRARY_VARIABLE}")
    return path


class BuildWithLibrary(build_py):
    """Adds the library to what is built. The source tree stays as it is, where a copy would outlive its original."""

    def run(self) -> None:
        editable = getattr(self, "editable_mode", False)  # then the source tree's library is found in place
        source = None if editable else library()
        super().run()
        if source is not None:
            target = Path(self.build_lib) / "netcore"
            target.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target / "libnetcore.so")


class PlatformWheel(bdist_wheel):  # type: ignore[misc,unused-ignore]
    """Any Python 3, this platform alone: the library is no extension module."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> Tuple[str, str, str]:
        _, _, platform = super().get_tag()
        return "py3", "none", platform


class BinaryDistribution(Distribution):
    """A distribution that belongs where platform-specific packages are installed."""

    def has_ext_modules(self) -> bool:
        return True


options: Any = {"cmdclass": {"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel}}
setup(distclass=BinaryDistribution, **options)
