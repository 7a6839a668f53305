"""The programs in the READMEs and docs/, as readers would copy them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from conftest import ROOT

PAGES = [ROOT / "README.md", ROOT / "bindings/python/README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROGRAM = {"c": "int main(", "python": "import netcore", "swift": "import Netcore\n"}
"""What tells a whole program from a fragment, for each language."""


@dataclass(frozen=True)
class Snippet:
    name: str
    """The page, the language and a number: a valid name of a file and of a Swift module."""
    language: str
    code: str
    output: str
    """What the page says that it prints: the next `text` block, before any other program; "" for none."""


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of a language on a page."""
    return [code for found, code in BLOCK.findall(page.read_text()) if found == language]


def snippets() -> list[Snippet]:
    """All whole programs. Those that stand in a row before one `text` block share it."""
    found: list[Snippet] = []
    for page in PAGES:
        waiting: list[tuple[str, str]] = []
        for language, code in [*BLOCK.findall(page.read_text()), ("text", "")]:
            if PROGRAM.get(language, "\0") in code:
                waiting.append((language, code))
            elif language == "text":
                for number, (program_language, program) in enumerate(waiting, 1 + len(found)):
                    found.append(Snippet(f"{_name(page)}_{program_language}_{number}", program_language, program, code))
                waiting = []
    return found


def _name(page: Path) -> str:
    """readme, getting_started, python_readme."""
    is_of_a_folder = page.stem == "README" and page.parent != ROOT
    name = f"{page.parent.name}_{page.stem}" if is_of_a_folder else page.stem
    return name.lower().replace("-", "_")


def against(code: str, base: str) -> str:
    """The program with a real server in place of the one of the page."""
    code = code.replace("https://example.com", "http://example.com")
    return code.replace('http://example.com/"', f'{base}/small.txt"').replace("http://example.com", base)


def as_said(output: str) -> str:
    """Output without the sizes, which depend on the server."""
    return re.sub(r"\d+ bytes", "N bytes", output)
