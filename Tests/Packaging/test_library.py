"""build/libnetcore.so: what it needs, what it shows, how large it is."""

from __future__ import annotations

import re
from pathlib import Path

import generating

from conftest import ROOT, Run

# All that is loaded with netcore: libcurl and what it brings along, and the C library. SQLite is not: the first cache
# with a folder loads it.
ALLOWED = {
    "libcurl.so.4",
    "libjansson.so.4",
    "libpsl.so.5",
    "libz.so.1",
    "libbrotlidec.so.1",
    "libzstd.so.1",
    "libssl.so.3",
    "libcrypto.so.3",
    "libc.so.6",
    "libm.so.6",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
}
LARGEST = 11_000_000


def dynamic(run: Run, library: Path, tag: str) -> list[str]:
    """The values of a tag in the library's dynamic section."""
    return re.findall(rf"\({tag}\).*\[(.*)\]", run("readelf", "--dynamic", "--wide", library, LC_ALL="C"))


def test_it_needs_no_library_beyond_the_list(run: Run, library: Path) -> None:
    needed = dynamic(run, library, "NEEDED")
    assert "libcurl.so.4" in needed
    assert set(needed) - ALLOWED == set()


def test_foundation_is_imported_by_netcore_codable_alone() -> None:
    """It would be linked in without a name of its own, and double the size."""
    importing = re.compile(r"^[^/]*\bimport\b.*\bFoundation", re.MULTILINE)
    files = [file for file in (ROOT / "Sources").rglob("*.swift") if importing.search(file.read_text())]
    assert {file.relative_to(ROOT / "Sources").parts[0] for file in files} == {"NetcoreCodable"}


def test_its_soname_has_the_major_version(run: Run, library: Path) -> None:
    assert dynamic(run, library, "SONAME") == ["libnetcore.so.0"]
    assert (library.parent / "libnetcore.so.0").resolve() == library


def test_it_reads_no_list_of_mappings_while_it_is_loaded(library: Path) -> None:
    """Swift's runtime would, in search of the arguments of the process: the more mappings, the longer it takes."""
    assert b"/proc/self/maps" not in library.read_bytes()


def test_it_looks_for_libraries_in_no_path_of_its_own(run: Run, library: Path) -> None:
    assert dynamic(run, library, "RUNPATH") + dynamic(run, library, "RPATH") == []


def test_it_is_at_most_11_MB_and_stripped(run: Run, library: Path) -> None:
    assert library.stat().st_size <= LARGEST
    assert not re.search(r"\.(symtab|debug_)", run("readelf", "--sections", "--wide", library))


def test_it_shows_the_functions_of_the_headers_and_nothing_else(run: Run, library: Path) -> None:
    symbols = run("nm", "--dynamic", "--defined-only", "--extern-only", "--format=posix", library).splitlines()
    assert {line.split()[0] for line in symbols} == {function.name for function in generating.headers.read().functions}


def test_the_version_is_said_in_one_place(run: Run, prefix: Path) -> None:
    header = (ROOT / "include/netcore/version.h").read_text()
    numbers = re.findall(r"NETCORE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    version = ".".join(numbers)
    assert f'NETCORE_VERSION_STRING "{version}"' in header
    assert (prefix / f"lib/libnetcore.so.{version}").is_file()


def test_a_second_build_builds_nothing(run: Run, library: Path) -> None:
    before = library.stat().st_mtime_ns
    output = run(ROOT / "scripts/build")
    assert "Compiling" not in output and "Linking" not in output
    assert library.stat().st_mtime_ns == before
