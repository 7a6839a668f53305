"""The package's rooms: each imports from itself and from those below it."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple

import pytest

import netcore

PACKAGE = Path(netcore.__file__).parent
ROOMS = [
    "_c",
    "_errors",
    "_inputs",
    "_functions",
    "_credentials",
    "_cache",
    "_responses",
    "_requests",
    "_tasks",
    "_clients",
    "_apis",
]
"""From the lowest to the highest; the package itself is above all."""


def imports(tree: ast.AST) -> Iterator[ast.ImportFrom]:
    """The relative imports that run, those inside functions too; what is only for type checkers does not."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.level:
            yield node
        yield from imports(node)


def imported(module: Path, node: ast.ImportFrom) -> List[Path]:
    """The modules that an import names."""
    folder = module.parents[node.level - 1]
    base = folder.joinpath(*(node.module or "").split("."))
    if not base.is_dir():
        return [base.with_suffix(".py")]
    found = [base / f"{alias.name}.py" for alias in node.names]
    return [path if path.exists() else base / "__init__.py" for path in found]


def modules() -> Dict[Path, Set[Path]]:
    """What each module imports."""
    return {
        module: {path for node in imports(ast.parse(module.read_text())) for path in imported(module, node)}
        for module in sorted(PACKAGE.rglob("*.py"))
    }


def room_of(module: Path) -> str:
    parts = module.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def test_every_room_is_known() -> None:
    assert {room_of(module) for module in modules()} - {""} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_from_itself_and_from_below(room: str) -> None:
    allowed = {*ROOMS[: ROOMS.index(room) + 1]}
    upward: List[Tuple[str, str]] = [
        (str(module.relative_to(PACKAGE)), str(path.relative_to(PACKAGE)))
        for module, paths in modules().items()
        for path in paths
        if room_of(module) == room and room_of(path) not in allowed and path.name != "_version.py"
    ]
    assert upward == []


def test_no_module_imports_itself_by_others() -> None:
    known = modules()
    done: Set[Path] = set()

    def visit(module: Path, above: Tuple[Path, ...]) -> None:
        assert module not in above, [path.name for path in above]
        if module not in done:
            for path in known.get(module, set()):
                visit(path, (*above, module))
            done.add(module)

    for module in known:
        visit(module, ())
