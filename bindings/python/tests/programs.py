"""Runs small Python programs that use netcore, each in an interpreter of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Dict

import netcore


def environment() -> Dict[str, str]:
    """The environment in which another interpreter finds this netcore, without proxies."""
    clean = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    package_folder = str(Path(netcore.__file__).parents[1])
    return {**clean, "PYTHONPATH": package_folder, "PYTHONFAULTHANDLER": "1"}


def run(program: str, *arguments: str, seconds: float = 30) -> "subprocess.CompletedProcess[str]":
    """Runs a program to its end, which must come within `seconds`."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *arguments],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def start(program: str, *arguments: str) -> "subprocess.Popen[str]":
    """Starts a program whose output can be read while it runs."""
    return subprocess.Popen(
        [sys.executable, "-u", "-c", textwrap.dedent(program), *arguments],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
