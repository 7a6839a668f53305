"""Programs outside this tree that use netcore as it is installed."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from conftest import ROOT, Run

STRANGER = Path(__file__).parent / "stranger"
ANSWER = "0.1.0 NETCORE_ERR_CONNECT\n"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The stranger's project, outside this tree."""
    return Path(shutil.copytree(STRANGER, tmp_path / "stranger"))


def test_a_cmake_project_finds_netcore(run: Run, prefix: Path, elsewhere: Path, refused: str) -> None:
    run("cmake", "-S", ".", "-B", "out", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=elsewhere)
    run("cmake", "--build", "out", cwd=elsewhere)
    assert run("out/stranger", refused, cwd=elsewhere) == ANSWER


def test_a_newer_minor_version_is_not_found(run: Run, prefix: Path, elsewhere: Path) -> None:
    lists = elsewhere / "CMakeLists.txt"
    lists.write_text(lists.read_text().replace("Netcore 0.1", "Netcore 0.2"))
    run("cmake", "-S", ".", "-B", "out", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=elsewhere, expect=1)


def test_an_earlier_minor_version_is_satisfied(run: Run, prefix: Path, elsewhere: Path) -> None:
    """What was written for an earlier 0.x builds and runs with this one."""
    lists = elsewhere / "CMakeLists.txt"
    lists.write_text(lists.read_text().replace("Netcore 0.1", "Netcore 0.0"))
    run("cmake", "-S", ".", "-B", "out", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=elsewhere)


@pytest.mark.parametrize("compiler", [("cc", "-std=c99"), ("c++", "-x", "c++", "-std=c++11")])
def test_pkg_config_says_how_to_compile_and_link(
    run: Run, prefix: Path, elsewhere: Path, refused: str, compiler: tuple[str, ...]
) -> None:
    package = {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    assert run("pkg-config", "--modversion", "netcore", **package) == "0.1.0\n"
    flags = shlex.split(run("pkg-config", "--cflags", "--libs", "netcore", **package))
    run(*compiler, "main.c", "-o", "stranger", *flags, cwd=elsewhere)
    assert run("./stranger", refused, cwd=elsewhere, LD_LIBRARY_PATH=str(prefix / "lib")) == ANSWER


def test_an_installed_tree_can_be_moved(run: Run, prefix: Path, elsewhere: Path, refused: str, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(prefix, tmp_path / "moved", symlinks=True))
    flags = shlex.split(
        run("pkg-config", "--cflags", "--libs", "netcore", PKG_CONFIG_PATH=str(moved / "lib/pkgconfig"))
    )
    assert not any(str(prefix) in flag for flag in flags)
    run("cc", "main.c", "-o", "stranger", *flags, cwd=elsewhere)
    assert run("./stranger", refused, cwd=elsewhere, LD_LIBRARY_PATH=str(moved / "lib")) == ANSWER


def test_pip_installs_a_package_that_carries_the_library(run: Run, elsewhere: Path, refused: str) -> None:
    python = elsewhere / "venv/bin/python"
    run(sys.executable, "-m", "venv", elsewhere / "venv")
    pip = (python, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "install", "--quiet", ROOT / "bindings/python")
    assert run(*pip, "check") == "No broken requirements found.\n"
    assert "libnetcore==0.1.0" in run(*pip, "list", "--format=freeze").splitlines()  # `netcore` on PyPI is a stranger's
    version, error, file = run(python, "stranger.py", refused, cwd=elsewhere).split()
    assert (version, error) == ("0.1.0", "ConnectError")
    assert (Path(file).parent / "libnetcore.so").is_file()
    assert elsewhere in Path(file).parents


def test_a_swift_package_depends_on_this_one_by_path(run: Run, elsewhere: Path, refused: str) -> None:
    manifest = elsewhere / "swift/Package.swift"
    manifest.write_text(manifest.read_text().replace("@NETCORE@", str(ROOT)))
    # What the demo's build made of netcore is used again.
    swift = (ROOT / "scripts/swift", "swift-examples", "run", "--quiet", "--package-path", elsewhere / "swift")
    assert run(*swift, "stranger", refused) == ANSWER
