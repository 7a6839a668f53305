"""The ctypes side of the Python package: constants, structs, types of callbacks and prototypes."""

from __future__ import annotations

import re

from headers import ABI, Signature, signature

NUMBERS = {
    "uint8_t": "c_uint8",
    "int32_t": "c_int32",
    "uint32_t": "c_uint32",
    "int64_t": "c_int64",
    "uint64_t": "c_uint64",
    "size_t": "c_size_t",
    "double": "c_double",
}
LONGEST_LINE = 120


def class_name(name: str) -> str:
    """netcore_cache_entry_fn: CacheEntryFn"""
    return "".join(part.capitalize() for part in name.removeprefix("netcore_").split("_"))


class Types:
    """What ctypes calls each type of the headers."""

    def __init__(self, abi: ABI) -> None:
        self.abi = abi

    def plain(self, type_: str) -> str | None:
        type_ = self.abi.numbers.get(type_, type_)
        if type_ in self.abi.structs:
            return class_name(type_)
        return NUMBERS.get(type_)

    def member(self, type_: str) -> str:
        """A member of a struct, or a parameter that C hands to Python."""
        if type_.endswith("]"):
            element, _, count = type_[:-1].partition("[")
            return f"{self.member(element.strip())} * {count}"
        if type_ in self.abi.callbacks:
            return class_name(type_)
        callback = signature(type_)
        if callback is not None:
            return self.callback(callback)
        if type_ == "const char *":
            return "c_char_p"
        return self.plain(type_) or self.pointer(type_)

    def pointer(self, type_: str) -> str:
        if not type_.endswith("*"):
            raise SystemExit(f"generate: no type of ctypes is known for {type_}")
        target = type_[:-1].strip().removesuffix("const").strip()
        if target.endswith("*"):
            return f"POINTER({self.member(target)})"
        target = target.removeprefix("const ")
        if target in ("void", "char", "uint8_t"):
            return "c_void_p"
        return f"POINTER({self.member(target)})"

    def parameter(self, type_: str) -> str:
        """A parameter that Python hands to C. A callback may be null, which the types of callbacks do not take."""
        if type_ in self.abi.callbacks or signature(type_) is not None:
            return "c_void_p"
        return self.member(type_)

    def result(self, type_: str) -> str:
        return "None" if type_ == "void" else self.member(type_)

    def callback(self, callback: Signature) -> str:
        parts = [self.result(callback.result), *(self.member(type_) for type_ in callback.parameters)]
        return f"CFUNCTYPE({', '.join(parts)})"


def text(abi: ABI) -> str:
    types = Types(abi)
    parts = [_constants(abi), *_definitions(abi, types), _functions(abi, types)]
    body = re.sub("\n{4,}", "\n\n\n", "\n\n".join(parts))
    used = [
        name
        for name in ("CFUNCTYPE", "POINTER", "c_char_p", *sorted(NUMBERS.values(), key=_natural), "c_void_p")
        if re.search(rf"\b{name}\b", body)
    ]
    imports = "".join(f"    {name},\n" for name in used)
    return (
        '"""Constants, structs, types of callbacks and functions of netcore.h. Written by scripts/generate."""\n\n'
        "# ruff: noqa: RUF012\n"
        "from __future__ import annotations\n\n"
        f"from ctypes import (\n{imports})\n\nfrom .declare import Sized, Structure, function\n\n{body}\n"
    )


def _natural(name: str) -> list[tuple[str, int]]:
    """Numbers in names count as numbers: c_uint8 before c_uint32."""
    return [(word, int(number or 0)) for word, number in re.findall(r"(\D+)(\d*)", name)]


def _constants(abi: ABI) -> str:
    return "\n".join(f"{each.name.removeprefix('NETCORE_')} = {each.value}" for each in abi.constants)


def _definitions(abi: ABI, types: Types) -> list[str]:
    """Structs and callbacks, each after those that it names."""
    written: dict[str, str] = {}

    def write(name: str) -> None:
        if name in written:
            return
        if name in abi.callbacks:
            callback = abi.callbacks[name]
            needed = [callback.result, *callback.parameters]
        else:
            needed = [member.type for member in abi.structs[name].members]
        for type_ in needed:
            for word in type_.replace("*", " ").replace("(", " ").replace(")", " ").replace(",", " ").split():
                if word != name and (word in abi.structs or word in abi.callbacks):
                    write(word)
        written[name] = _callback(abi, types, name) if name in abi.callbacks else _struct(abi, types, name)

    for name in (*abi.structs, *abi.callbacks):
        write(name)
    return [written[name] for name in written]


def _callback(abi: ABI, types: Types, name: str) -> str:
    return f"{class_name(name)} = {types.callback(abi.callbacks[name])}"


def _struct(abi: ABI, types: Types, name: str) -> str:
    struct = abi.structs[name]
    base = "Sized" if struct.is_sized else "Structure"
    functions = rows = ""
    for member in struct.members:
        type_ = types.member(member.type)
        callback = signature(member.type)
        if callback is not None:
            type_ = class_name(f"{name}_{member.name}")
            functions += f"{type_} = {types.callback(callback)}\n"
        rows += f'        ("{member.name}", {type_}),\n'
    body = f'class {class_name(name)}({base}):\n    """{name}"""\n\n    _fields_ = [\n{rows}    ]\n'
    return f"{functions}\n\n{body}"


def _functions(abi: ABI, types: Types) -> str:
    lines = []
    for each in abi.functions:
        parts = [f'"{each.name}"', types.result(each.result)]
        parts += [types.parameter(parameter.type) for parameter in each.parameters]
        name = each.name.removeprefix("netcore_")
        lines.append(_call(f"{name} = function", parts))
    return "\n".join(lines)


def _call(head: str, parts: list[str]) -> str:
    """A call in one line, in three, or in one for each argument, as ruff formats it."""
    inner = ", ".join(parts)
    if len(head) + len(inner) + 2 <= LONGEST_LINE:
        return f"{head}({inner})"
    if len(inner) + 4 <= LONGEST_LINE:
        return f"{head}(\n    {inner}\n)"
    rows = "".join(f"    {part},\n" for part in parts)
    return f"{head}(\n{rows})"
