"""Reads include/ by clang: functions, constants, structs, callbacks and numbers of the ABI."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"


@dataclass(frozen=True)
class Parameter:
    type: str
    name: str


@dataclass(frozen=True)
class Function:
    name: str
    result: str
    parameters: tuple[Parameter, ...]

    @property
    def declaration(self) -> str:
        inner = ", ".join(declare(parameter.type, parameter.name) for parameter in self.parameters)
        return f"{declare(self.result, self.name)}({inner or 'void'})"


@dataclass(frozen=True)
class Constant:
    name: str
    value: int
    comment: str


@dataclass(frozen=True)
class Member:
    type: str
    name: str
    offset: int
    size: int


@dataclass(frozen=True)
class Struct:
    name: str
    members: tuple[Member, ...]
    size: int

    @property
    def is_sized(self) -> bool:
        """Whether it begins with its size."""
        return bool(self.members) and self.members[0].name == "size"


@dataclass(frozen=True)
class Signature:
    """The type of a callback."""

    result: str
    parameters: tuple[str, ...]


@dataclass(frozen=True)
class ABI:
    """What the headers declare, each in the order of its declaration."""

    functions: tuple[Function, ...]
    constants: tuple[Constant, ...]
    structs: dict[str, Struct]
    callbacks: dict[str, Signature]
    numbers: dict[str, str]
    """Names for numbers: handles, statuses, enumerations."""

    @property
    def handles(self) -> list[str]:
        return [name for name, type_ in self.numbers.items() if type_ == "uint64_t"]

    @property
    def statuses(self) -> list[Constant]:
        return [constant for constant in self.constants if re.match(r"NETCORE_(OK$|ERR_)", constant.name)]


def declare(type_: str, name: str) -> str:
    return f"{type_}{name}" if type_.endswith("*") else f"{type_} {name}"


def signature(type_: str) -> Signature | None:
    """Takes "void (*)(const char *, void *)" apart; None for another type."""
    found = re.fullmatch(r"(.*?)\s*\(\*(?:const)?\)\((.*)\)", type_)
    if found is None:
        return None
    inner = [] if found[2] in ("", "void") else [part.strip() for part in found[2].split(",")]
    return Signature(found[1], tuple(inner))


def read(include: Path = INCLUDE) -> ABI:
    nodes = _nodes(f'#include "{include / "netcore.h"}"\n', include)
    named = [node for node in nodes if node.get("name", "").startswith("netcore_")]
    records = {node["name"]: _fields(node) for node in named if node.get("completeDefinition")}
    typedefs = {node["name"]: node["type"]["qualType"] for node in named if node["kind"] == "TypedefDecl"}
    found = {name: signature(type_) for name, type_ in typedefs.items()}
    callbacks = {name: type_ for name, type_ in found.items() if type_ is not None}
    structs = {name: members for name, members in records.items() if name in typedefs}
    return ABI(
        tuple(_function(node) for node in named if node["kind"] == "FunctionDecl"),
        tuple(constant for node in nodes if node["kind"] == "EnumDecl" for constant in _constants(node)),
        _layouts(structs, include),
        callbacks,
        {name: type_ for name, type_ in typedefs.items() if name not in callbacks and name not in structs},
    )


def _nodes(source: str, include: Path) -> list[dict[str, Any]]:
    """The top level of clang's syntax tree of a C program."""
    clang = shutil.which("clang")
    if clang is None:
        raise SystemExit("generate: clang is needed, which comes with the Swift toolchain, and is not on PATH")
    command = [clang, "-x", "c", "-std=c99", "-I", str(include), "-Xclang", "-ast-dump=json", "-fsyntax-only", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"generate: clang cannot read the headers:\n{done.stderr}")
    nodes: list[dict[str, Any]] = json.loads(done.stdout)["inner"]
    return nodes


def _fields(record: dict[str, Any]) -> list[Parameter]:
    inner = record.get("inner", [])
    return [Parameter(node["type"]["qualType"], node["name"]) for node in inner if node["kind"] == "FieldDecl"]


def _function(node: dict[str, Any]) -> Function:
    parameters = [inner for inner in node.get("inner", []) if inner["kind"] == "ParmVarDecl"]
    result = node["type"]["qualType"].split("(")[0].strip()
    return Function(
        node["name"], result, tuple(Parameter(inner["type"]["qualType"], inner["name"]) for inner in parameters)
    )


def _constants(node: dict[str, Any]) -> list[Constant]:
    constants: list[Constant] = []
    for inner in node.get("inner", []):
        if inner["kind"] != "EnumConstantDecl":
            continue
        given = _value(inner)
        following = constants[-1].value + 1 if constants else 0
        constants.append(Constant(inner["name"], following if given is None else given, _comment(inner)))
    return [constant for constant in constants if constant.name.startswith("NETCORE_")]


def _value(node: dict[str, Any]) -> int | None:
    """What the compiler made of the expression of a constant; None where it has none."""
    for inner in node.get("inner", []):
        if inner["kind"] == "ConstantExpr":
            return int(inner["value"])
        found = _value(inner)
        if found is not None:
            return found
    return None


def _comment(node: dict[str, Any]) -> str:
    """The text of a documentation comment, as one line."""
    texts: list[str] = []

    def collect(part: dict[str, Any]) -> None:
        if part["kind"] == "TextComment":
            texts.append(part["text"].strip())
        for inner in part.get("inner", []):
            collect(inner)

    for inner in node.get("inner", []):
        if inner["kind"] == "FullComment":
            collect(inner)
    return " ".join(" ".join(texts).split())


def _layouts(structs: dict[str, list[Parameter]], include: Path) -> dict[str, Struct]:
    """Asks the compiler for sizes and offsets, as constants of an enumeration."""
    questions = {}
    for name, fields in structs.items():
        questions[f"S_{name}"] = f"sizeof({name})"
        for field in fields:
            questions[f"O_{name}_{field.name}"] = f"offsetof({name}, {field.name})"
            questions[f"M_{name}_{field.name}"] = f"sizeof((({name} *)0)->{field.name})"
    asked = ", ".join(f"{question} = {expression}" for question, expression in questions.items())
    source = f'#include <stddef.h>\n#include "{include / "netcore.h"}"\nenum answers {{ {asked} }};\n'
    enums = [node for node in _nodes(source, include) if node.get("name") == "answers"]
    answers = {inner["name"]: _value(inner) or 0 for inner in enums[0]["inner"]}
    return {
        name: Struct(
            name,
            tuple(
                Member(field.type, field.name, answers[f"O_{name}_{field.name}"], answers[f"M_{name}_{field.name}"])
                for field in fields
            ),
            answers[f"S_{name}"],
        )
        for name, fields in structs.items()
    }
