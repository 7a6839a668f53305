#!/usr/bin/env python3
"""Describes the ABI that the headers promise: functions, constants, sizes and offsets.

    abi.py           prints it
    abi.py --write   makes it the snapshot, abi.txt

The headers' own style is relied on: functions begin with NETCORE_API, structs and enums end with a brace at the start
of a line. What a compiler knows better, it is asked by a small C program.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include"
SNAPSHOT = HERE / "abi.txt"


def header_text() -> str:
    """All headers of the ABI, without comments and preprocessor lines."""
    text = "\n".join(path.read_text() for path in sorted((INCLUDE / "netcore").glob("*.h")))
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    return re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text, flags=re.MULTILINE)


def functions(text: str) -> dict[str, str]:
    """Each function's name and declaration."""
    found = re.findall(r"NETCORE_API\s+([^;(]*?(\w+)\s*\([^;]*\));", text)
    return {name: " ".join(declaration.split()) for declaration, name in found}


def constants(text: str) -> list[str]:
    bodies = re.findall(r"\benum\s*\w*\s*\{(.*?)\n\}", text, flags=re.DOTALL)
    return [name for body in bodies for name in re.findall(r"\b(NETCORE_\w+)\s*(?:=|,|$)", body)]


def structs(text: str) -> dict[str, list[str]]:
    """Each struct's name and the names of its members."""
    found = re.findall(r"typedef\s+struct\s+(\w+)\s*\{(.*?)\n\}", text, flags=re.DOTALL)
    return {name: re.findall(r"(\w+)(?:\[\w+\])?\s*;", body) for name, body in found}


def typedefs(text: str) -> list[str]:
    """Names for numbers and for callbacks."""
    return re.findall(r"typedef\s+\w+\s+(\w+);", text) + re.findall(r"typedef[^;{]*\(\*(\w+)\)", text)


def question(text: str) -> str:
    """A C program that prints constants, sizes and offsets."""
    lines = [f'constant("{name}", (long long)({name}));' for name in constants(text)]
    lines += [f'size("{name}", sizeof({name}));' for name in typedefs(text)]
    for name, members in structs(text).items():
        lines.append(f'size("{name}", sizeof({name}));')
        lines += [
            f'member("{name}.{member}", offsetof({name}, {member}), sizeof((({name} *)0)->{member}));'
            for member in members
        ]
    body = "\n  ".join(lines)
    return f"""#include <stdio.h>
#include "netcore.h"
static void constant(const char *name, long long value) {{ printf("constant %s = %lld\\n", name, value); }}
static void size(const char *name, size_t size) {{ printf("type %s: %zu bytes\\n", name, size); }}
static void member(const char *name, size_t offset, size_t size) {{
  printf("member %s: %zu bytes at %zu\\n", name, size, offset);
}}
int main(void) {{
  {body}
  return 0;
}}
"""


def ask_compiler(program: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "abi")
        command = ["cc", "-I", str(INCLUDE), "-x", "c", "-", "-o", str(answer)]
        subprocess.run(command, input=program, text=True, check=True)
        return subprocess.run([str(answer)], capture_output=True, text=True, check=True).stdout


def describe() -> str:
    text = header_text()
    declared = sorted(functions(text).items())
    return "".join(f"function {declaration}\n" for _, declaration in declared) + ask_compiler(question(text))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        SNAPSHOT.write_text(describe())
    else:
        print(describe(), end="")
