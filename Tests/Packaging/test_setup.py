"""scripts/setup on machines that lack something, played by commands that stand before the real ones on PATH."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from conftest import ROOT, Run

SETUP = ROOT / "scripts/setup"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder of commands for PATH: those that setup itself needs, and none of those that it checks."""
    for name in ("bash", "env", "sed", "grep", "dirname", "mkdir", "flock", "git"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    (tmp_path / "python3").symlink_to(Path(sys.executable).resolve())
    return tmp_path


def command(machine: Path, name: str, script: str) -> None:
    path = machine / name
    path.unlink(missing_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def swift(machine: Path, version: str) -> None:
    command(machine, "swift", f"echo 'Swift version {version} (swift-{version}-RELEASE)'; echo 'Target: x86_64'")


def test_a_missing_swift_is_said_in_one_line(run: Run, machine: Path) -> None:
    output = run(SETUP, expect=1, PATH=str(machine))
    assert output.count("\n") == 1
    assert "Swift 6.3 or later is needed" in output


@pytest.mark.parametrize("version", ["5.10.1", "6.2", "6.2.4"])
def test_an_older_swift_is_said_in_one_line(run: Run, machine: Path, version: str) -> None:
    swift(machine, version)
    output = run(ROOT / "scripts/build", expect=1, PATH=str(machine))
    assert output.count("\n") == 1
    assert "Swift 6.3 or later is needed" in output
    assert ".".join(version.split(".")[:2]) in output


@pytest.mark.parametrize("version", ["6.3", "6.3.1", "6.4-dev", "6.10", "7.0"])
def test_a_newer_swift_is_good(run: Run, machine: Path, version: str) -> None:
    swift(machine, version)
    assert run(SETUP, "--tools", PATH=str(machine)) == ""


def test_an_older_python_is_said_in_one_line(run: Run, machine: Path) -> None:
    swift(machine, "6.3")
    command(machine, "python3", "exit 1")
    output = run(SETUP, expect=1, PATH=str(machine))
    assert output == "setup: Python 3.9 or later is needed as python3 on PATH\n"


def test_packages_that_cannot_be_installed_are_named(run: Run, machine: Path) -> None:
    swift(machine, "6.3")
    command(machine, "dpkg-query", "echo 'cmake installed'")
    command(machine, "apt-get", "exit 100")
    command(machine, "sudo", 'exec "$@"')
    output = run(SETUP, expect=1, PATH=str(machine), NETCORE_SETUP_POLICY=str(machine / "policy"))
    assert "could not be installed" in output
    assert "nginx-light" in output and "cmake" not in output


def test_no_service_starts_while_packages_are_installed(run: Run, machine: Path) -> None:
    for name in ("chmod", "rm", "cat"):
        (machine / name).symlink_to(str(shutil.which(name)))
    policy = machine / "policy"
    swift(machine, "6.3")
    command(machine, "dpkg-query", "exit 1")
    command(machine, "apt-get", f"'{policy}'; echo $? >>'{machine}/answers'; exit 100")
    command(machine, "sudo", 'exec "$@"')
    run(SETUP, expect=1, PATH=str(machine), NETCORE_SETUP_POLICY=str(policy))
    # 101 is Debian's word for "do not"; the first call only updates the lists.
    assert (machine / "answers").read_text().split()[-1] == "101"
    assert not policy.exists()
