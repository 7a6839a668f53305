"""Tests/Packaging/abi.txt: the ABI as one list, in which a change shows."""

from __future__ import annotations

from headers import ABI


def text(abi: ABI) -> str:
    lines = [f"function {function.declaration}" for function in sorted(abi.functions, key=lambda each: each.name)]
    lines += [f"constant {each.name} = {each.value}" for each in sorted(abi.constants, key=lambda each: each.name)]
    sizes = {"int32_t": 4, "uint32_t": 4, "int64_t": 8, "uint64_t": 8}
    lines += [f"type {name}: {sizes[type_]} bytes" for name, type_ in sorted(abi.numbers.items())]
    for name, signature in sorted(abi.callbacks.items()):
        lines.append(f"callback {name}: {signature.result} ({', '.join(signature.parameters) or 'void'})")
    for name, struct in sorted(abi.structs.items()):
        lines.append(f"type {name}: {struct.size} bytes")
        lines += [f"member {name}.{member.name}: {member.size} bytes at {member.offset}" for member in struct.members]
    return "\n".join(lines) + "\n"
