"""Finding the library, and what it must agree on with this package."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

import netcore
import programs
from netcore._c import ffi, library
from netcore._clients import settings

ROOT = Path(__file__).resolve().parents[3]


def import_with(path: str) -> "subprocess.CompletedProcess[str]":
    environment = {**programs.environment(), library.ENVIRONMENT_VARIABLE: path}
    program = "import netcore; print(netcore.version_details())"
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=30)


def test_a_library_that_does_not_exist_is_named() -> None:
    done = import_with("/nowhere/libnetcore.so")
    assert done.returncode == 1
    assert "ImportError: netcore cannot load its library; tried" in done.stderr
    assert "$NETCORE_LIBRARY: /nowhere/libnetcore.so does not exist" in done.stderr


def test_a_file_that_is_no_library(tmp_path: Path) -> None:
    wrong = tmp_path / "libnetcore.so"
    wrong.write_text("no library")
    done = import_with(str(wrong))
    assert done.returncode == 1 and f"$NETCORE_LIBRARY: {wrong}" in done.stderr


def test_a_library_that_is_another() -> None:
    libc = next(line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "libc.so.6" in line)
    done = import_with(libc)
    assert done.returncode == 1 and "not a netcore library" in done.stderr


@pytest.mark.parametrize(
    "version, fits", [("0.1.0", True), ("0.1.9", True), ("0.2.0", True), ("0.0.9", False), ("1.0.0", False)]
)
def test_versions_that_fit(version: str, fits: bool) -> None:
    class Library:
        @staticmethod
        def netcore_version() -> bytes:
            return version.encode()

    Library.netcore_version.restype = None  # type: ignore[attr-defined]
    if fits:
        library._check(Library())  # type: ignore[arg-type]
    else:
        with pytest.raises(ImportError, match=re.escape(version)):
            library._check(Library())  # type: ignore[arg-type]


def test_every_place_is_listed_when_none_has_a_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(library.ENVIRONMENT_VARIABLE, raising=False)
    monkeypatch.setattr(library, "__file__", str(tmp_path / "a/b/c/d/e/_c/library.py"))
    monkeypatch.setattr(library, "SONAME", "libnetcore-that-is-nowhere.so.0")
    (tmp_path / "a" / "include").mkdir(parents=True)
    (tmp_path / "a" / "include" / "netcore.h").touch()
    with pytest.raises(ImportError) as caught:
        library.load()
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0].strip() for line in lines[1:]] == [
        "beside the package",
        "in the source tree (scripts/build makes it)",
        "by the system's loader",
    ]


def test_version_details_name_the_libraries() -> None:
    details = netcore.version_details()
    assert details.startswith("netcore/") and "libcurl/" in details


# The header says what the structs and constants are.


def header() -> str:
    folder = ROOT / "include" / "netcore"
    return "\n".join(path.read_text() for path in sorted(folder.glob("*.h")))


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


FUNCTIONS = (type(ffi.perform), type(ffi.dispatch))
SNAPSHOT = (ROOT / "Tests/Packaging/abi.txt").read_text()


def struct_class(name: str) -> Any:
    return getattr(ffi, "".join(part.capitalize() for part in name.split("_")[1:]))


@pytest.mark.parametrize("name", sorted(set(re.findall(r"^member (\w+)", SNAPSHOT, re.MULTILINE))))
def test_structs_are_laid_out_as_in_c(name: str) -> None:
    """ctypes and the C compiler agree on each member's place and size."""
    struct = struct_class(name)
    rows = re.findall(rf"^member {name}\.(\w+): (\d+) bytes at (\d+)$", SNAPSHOT, re.MULTILINE)
    members = [(field[0], getattr(struct, field[0])) for field in struct._fields_]
    assert [(member, str(place.size), str(place.offset)) for member, place in members] == rows
    assert f"type {name}: {ctypes.sizeof(struct)} bytes\n" in SNAPSHOT


def test_every_function_of_the_header_is_declared() -> None:
    names = set(re.findall(r"NETCORE_API [\w *]+?\b(netcore_\w+)\(", without_comments(header())))
    functions: List[Any] = [value for value in vars(ffi).values() if isinstance(value, FUNCTIONS)]
    assert len(names) > 40
    assert names - {function.__name__ for function in functions if function.argtypes is not None} == set()
    fast = [name for name, value in vars(ffi).items() if isinstance(value, FUNCTIONS) and value.argtypes is None]
    assert fast and all(name.startswith("fast_") for name in fast)


def constants() -> Dict[str, int]:
    pairs = re.findall(r"\b(NETCORE_\w+) =\s*(-?\d+)", without_comments(header()))
    return {name: int(value) for name, value in pairs}


def test_constants_are_those_of_the_header() -> None:
    known = constants()
    assert len(known) > 100
    assert {name: getattr(ffi, name.replace("NETCORE_", "", 1), None) for name in known} == known
    assert {name: known[f"NETCORE_SERIALIZER_{name.upper()}"] for name in ffi.SERIALIZERS} == ffi.SERIALIZERS
    assert {name: known[f"NETCORE_AUTH_{name.upper()}"] for name in ffi.AUTH_SCHEMES} == ffi.AUTH_SCHEMES
    assert {name: known[f"NETCORE_PRIORITY_{name.upper()}"] for name in ffi.PRIORITIES} == ffi.PRIORITIES
    assert {name: known[f"NETCORE_ADDRESS_FAMILY_{name.upper()}"] for name in settings.ADDRESS_FAMILIES} == (
        settings.ADDRESS_FAMILIES
    )
    for enum, prefix in ((netcore.TaskState, "NETCORE_TASK_STATE"), (netcore.Phase, "NETCORE_PHASE")):
        for member in enum:
            assert member.value == known[f"{prefix}_{member.name}"]
