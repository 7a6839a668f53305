"""The statuses in Swift: a constant for each, with the header's comment, and their names in C."""

from __future__ import annotations

import textwrap

from headers import ABI, Constant

ACRONYMS = {"json": "JSON", "url": "URL"}
KEYWORDS = {"internal", "protocol"}


def swift_name(constant: Constant) -> str:
    """NETCORE_ERR_INVALID_URL: invalidURL"""
    words = constant.name.removeprefix("NETCORE_").removeprefix("ERR_").lower().split("_")
    return words[0] + "".join(ACRONYMS.get(word, word.capitalize()) for word in words[1:])


def text(abi: ABI) -> str:
    constants = "".join(_constant(each) for each in abi.statuses)
    names = "".join(f'        (.{swift_name(each)}, "{each.name}"),\n' for each in abi.statuses)
    return (
        "// Written by scripts/generate from include/netcore/error.h.\n\n"
        f"extension NetcoreError.Code {{\n{constants}\n"
        "    /// Each status and its constant in C.\n"
        f"    package static let names: [(code: Self, name: StaticString)] = [\n{names}    ]\n}}\n"
    )


def _constant(constant: Constant) -> str:
    name = swift_name(constant)
    access = "package" if constant.value == 0 else "public"
    escaped = f"`{name}`" if name in KEYWORDS else name
    comment = constant.comment[:1].upper() + constant.comment[1:]
    if comment and comment[-1] not in ".:":
        comment += "."
    lines = textwrap.wrap(comment, 110)
    return "".join(f"    /// {line}\n" for line in lines) + (
        f"    {access} static let {escaped} = Self(rawValue: {constant.value})\n"
    )
