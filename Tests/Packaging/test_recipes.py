"""CONTRIBUTING.md: its blocks fit the tree, and a copy of the tree to which they were applied does what they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT, Run

PAGE = ROOT / "CONTRIBUTING.md"
BLOCK = re.compile(r"^ *```diff\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
SLOW = pytest.mark.skipif("NETCORE_TEST_SLOW" not in os.environ, reason="it builds a copy of the tree: scripts/check")

USER = r"""
#include <netcore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_reused(netcore_client client, netcore_request request) {
  netcore_response response;
  netcore_response_info info = {.size = sizeof info};
  if (netcore_perform(client, request, &response) != NETCORE_OK) exit(2);
  if (netcore_response_get_info(response, &info) != NETCORE_OK) exit(3);
  netcore_response_release(response);
  return info.connection_reused;
}

static const char *long_url(const char *base) {
  static char text[10000];
  memset(text, 'a', 9000);
  memcpy(text, base, strlen(base));
  text[strlen(base)] = '?';
  return text;
}

int main(int count, char **arguments) {
  netcore_client client;
  netcore_request request;
  netcore_response response;
  uint32_t fields = 9;
  (void)count;
  netcore_client_create(NULL, &client);
  netcore_request_create("GET", arguments[1], &request);
  netcore_request_add_header(request, "X-A", "1");
  netcore_request_add_header(request, "x-a", "2");
  netcore_status counted = netcore_request_count_headers(request, "X-a", &fields);
  printf("%d %u", (int)counted, (unsigned)fields);
  printf(" %d", (int)netcore_request_count_headers(request, NULL, &fields));
  is_reused(client, request);
  printf(" %d", is_reused(client, request));
  printf(" %d", (int)netcore_request_set_close_connection(request, 2));
  printf(" %d", (int)netcore_request_set_close_connection(request, 1));
  is_reused(client, request);
  printf(" %d", is_reused(client, request));
  netcore_request_set_url(request, long_url(arguments[1]));
  printf(" %d\n", (int)netcore_perform(client, request, &response));
  netcore_request_destroy(request);
  netcore_client_destroy(client);
  return 0;
}
"""


def blocks() -> list[tuple[str, str]]:
    """Each block of the page: the file that it changes, and its lines as written."""
    found = []
    for body in BLOCK.findall(PAGE.read_text()):
        lines = [line[3:] for line in body.splitlines()]  # they belong to a numbered step, and are indented by it
        assert lines[1].startswith("+++ b/"), body
        found.append((lines[1][len("+++ b/") :], "\n".join(lines[3:]) + "\n"))
    return found


def apply(tree: Path, name: str, block: str) -> None:
    """Changes one file as a block says; the lines that it expects must be there once."""
    path = tree / name
    text = path.read_text() if path.exists() else ""
    before = "".join(line[1:] for line in block.splitlines(True) if line[0] in " -")
    after = "".join(line[1:] for line in block.splitlines(True) if line[0] in " +")
    if before:
        assert text.count(before) == 1, f"CONTRIBUTING.md expects these lines once in {name}:\n{before}"
        after = text.replace(before, after)
    else:
        assert not text, f"CONTRIBUTING.md makes {name}, which is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(after)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, also of what is not committed yet, to which all recipes were applied."""
    tree = tmp_path_factory.mktemp("recipes") / "netcore"
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    for name, block in blocks():
        apply(tree, name, block)
    return tree


def test_the_page_has_three_recipes() -> None:
    headings = re.findall(r"^## (An? .*)$", PAGE.read_text(), re.MULTILINE)
    assert headings == ["An export", "An option", "A stage"]


def test_the_files_that_the_page_names_exist(copy: Path) -> None:
    named = set(re.findall(r"`((?:include|Sources|Tests|docs|bindings|scripts)/[\w+./-]*)`", PAGE.read_text()))
    assert sorted(name for name in named if not (copy / name).exists()) == []


def test_the_blocks_fit_and_are_formatted(run: Run, copy: Path) -> None:
    changed = sorted({name for name, _ in blocks()})
    swift = [copy / name for name in changed if name.endswith(".swift")]
    headers = [copy / name for name in changed if name.endswith(".h")]
    run("swift", "format", "lint", "--strict", "--configuration", ROOT / ".swift-format", *swift)
    run(ROOT / "build/venv/bin/clang-format", "--Werror", "--dry-run", *headers, cwd=copy)
    for compiler in (("cc", "-std=c99", "-x", "c"), ("c++", "-std=c++11", "-x", "c++")):
        run(*compiler, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", copy / "include/netcore.h")


def test_generate_writes_what_follows_from_the_headers(run: Run, copy: Path) -> None:
    run(copy / "scripts/generate", cwd=copy)
    assert run(copy / "scripts/generate", "--check", cwd=copy) == ""
    for name in ("netcore_request_count_headers", "netcore_request_set_close_connection"):
        assert name in (copy / "Tests/Packaging/abi.txt").read_text()


@SLOW
def test_the_copy_builds_and_does_what_the_recipes_say(run: Run, copy: Path, nginx: str, tmp_path: Path) -> None:
    run(copy / "scripts/build", cwd=copy)
    (tmp_path / "user.c").write_text(USER)
    include, library = copy / "include", copy / "build"
    run("cc", "-I", include, "user.c", "-o", "user", "-L", library, "-lnetcore", f"-Wl,-rpath,{library}", cwd=tmp_path)
    assert run("./user", f"{nginx}/small.txt", cwd=tmp_path) == "0 2 100 1 100 0 0 103\n"
