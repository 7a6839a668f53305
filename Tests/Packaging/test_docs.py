"""The READMEs and docs/: the programs in them build, run and print what the page says; the links lead somewhere."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from snippets import PAGES, Snippet, against, as_said, blocks, snippets

from conftest import BUILD, ROOT, Run

SNIPPETS = snippets()
README = ROOT / "README.md"


def of(language: str) -> list[Snippet]:
    return [snippet for snippet in SNIPPETS if snippet.language == language]


def each(language: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("snippet", of(language), ids=lambda snippet: snippet.name)


def check_output(output: str, snippet: Snippet) -> None:
    if snippet.output:
        assert as_said(output) == as_said(snippet.output)


def manifest(code: str) -> str:
    """The README's Package.swift, with a target for each Swift program in place of its one."""
    target = re.search(r"^ *\.executableTarget\(name: \"fetch\".*\n", code, re.MULTILINE)
    assert target, "README.md: the manifest declares no target `fetch`"
    targets = ",\n".join(declaration(target[0].rstrip(), snippet) for snippet in of("swift"))
    path = re.compile(r'path: ".*?"')
    assert path.search(code)
    return path.sub(f'path: "{ROOT}"', code.replace(target[0], targets + "\n"))


def declaration(target: str, snippet: Snippet) -> str:
    """The target of a program, with the products that it imports."""
    product = '.product(name: "Netcore", package: "netcore")'
    names = re.findall(r"^import (Netcore\w*)$", snippet.code, re.MULTILINE)
    assert product in target
    return target.replace('"fetch"', f'"{snippet.name}"').replace(
        product, ", ".join(product.replace('"Netcore"', f'"{name}"') for name in names)
    )


@pytest.fixture(scope="session")
def swift_programs(run: Run, nginx: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the Swift programs, all built at once by the README's manifest."""
    package = tmp_path_factory.mktemp("docs")
    (code,) = (code for code in blocks(README, "swift") if "PackageDescription" in code)
    (package / "Package.swift").write_text(manifest(code))
    for snippet in of("swift"):
        sources = package / "Sources" / snippet.name
        sources.mkdir(parents=True)
        (sources / "main.swift").write_text(against(snippet.code, nginx))
    # What the demo's build made of netcore is used again.
    run(ROOT / "scripts/swift", "swift-examples", "build", "--quiet", "--package-path", package)
    return BUILD / "swift-examples/debug"


@each("c")
def test_c_programs(run: Run, prefix: Path, nginx: str, tmp_path: Path, snippet: Snippet) -> None:
    (tmp_path / "fetch.c").write_text(against(snippet.code, nginx))
    package = {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    flags = shlex.split(run("pkg-config", "--cflags", "--libs", "netcore", **package))
    strict = ("-std=gnu99", "-Wall", "-Wextra", "-pedantic", "-Werror")
    run("cc", *strict, "fetch.c", "-o", "fetch", *flags, cwd=tmp_path)
    check_output(run("./fetch", cwd=tmp_path, LD_LIBRARY_PATH=str(prefix / "lib")), snippet)


@each("python")
def test_python_programs(run: Run, library: Path, nginx: str, tmp_path: Path, snippet: Snippet) -> None:
    program = tmp_path / "fetch.py"
    program.write_text(against(snippet.code, nginx))
    environment = {"PYTHONPATH": str(ROOT / "bindings/python/src"), "NETCORE_LIBRARY": str(library)}
    output = run(sys.executable, "-W", "error", program, cwd=tmp_path, **environment)
    assert output
    check_output(output, snippet)


@each("swift")
def test_swift_programs(run: Run, swift_programs: Path, tmp_path: Path, snippet: Snippet) -> None:
    check_output(run(swift_programs / snippet.name, cwd=tmp_path), snippet)


def test_the_readme_shows_each_language_and_its_build(run: Run, prefix: Path, nginx: str, tmp_path: Path) -> None:
    first = [snippet for snippet in SNIPPETS if snippet.name.startswith("readme")]
    assert [snippet.language for snippet in first] == ["c", "python", "swift"]
    (lists,) = blocks(README, "cmake")
    (tmp_path / "CMakeLists.txt").write_text(lists)
    (tmp_path / "fetch.c").write_text(against(first[0].code, nginx))
    run("cmake", "-S", ".", "-B", "out", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=tmp_path)
    run("cmake", "--build", "out", cwd=tmp_path)
    check_output(run("out/fetch", cwd=tmp_path), first[0])


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)", page.read_text())
    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []


def test_the_scripts_that_pages_name_exist() -> None:
    named = {name for page in PAGES for name in re.findall(r"\bscripts/([\w-]+)", page.read_text())}
    assert sorted(name for name in named if not (ROOT / "scripts" / name).exists()) == []
