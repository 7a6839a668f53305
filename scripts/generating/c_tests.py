"""What the C programs of Tests/ABI know of all functions: their names, a sample call of each, and of the statuses.

A new function gets its sample arguments from the types and names of its parameters; where those do not fit, SAMPLES
says what does.
"""

from __future__ import annotations

import re

from headers import ABI, Function, Parameter, Struct, declare, signature

GUARD = "/* Written by scripts/generate from include/. */\n/* clang-format off */\n"

# Arguments by the name of a parameter, and by function and name where that alone does not tell.
SAMPLES = {
    "method": '"POST"',
    "url": '"http://127.0.0.1/"',
    "base_url": '"http://127.0.0.1/"',
    "cdn_url": "NULL",
    "origin": '"http://127.0.0.1/"',
    "path": '"/dev/null"',
    "reference": '"/"',
    "service": '"a"',
    "environment": '"test"',
    "interface": '"lo"',
    "name": '"a"',
    "value": '"1"',
    "index": "0",
    "data": '"body"',
    "size_bytes": "4",
    "timeout_ms": "0",
    "release": "NULL",  # calls that succeed would have it called
    "netcore_response_set_cached_value.release": "never_release",
    "completion_size": "sizeof(netcore_completion)",
    "event_size_bytes": "sizeof(netcore_client_event)",
    "netcore_client_set_limit.limit": "NETCORE_LIMIT_TRANSFERS",
    "netcore_client_clear_cookies.path": "NULL",
    "netcore_client_clear_cookies.domain": "NULL",
    "netcore_client_clear_cookies.name": "NULL",
    "netcore_client_import_cookies.text": '""',
    "netcore_client_import_cookies.size_bytes": "0",
    "netcore_client_set_network.network": "NULL",
    "netcore_request_set_accepted_statuses.statuses": "NULL",
    "netcore_request_set_accepted_content_types.types": "NULL",
    "netcore_request_set_json_shape.shape": "NULL",
    "netcore_request_set_body_sha256.sha256": "NULL",
    "netcore_request_set_error_fields.code": "NULL",
    "netcore_request_set_error_fields.success": "NULL",
    "netcore_request_set_error_fields.message": "NULL",
    "netcore_client_set_rate.scope": "NETCORE_RATE_SCOPE_TAG",
    "netcore_request_remove_header.name": '"X-B"',
    "netcore_request_add_param_json.value": '"[]"',
    "netcore_request_add_param_list.value": '"[1]"',
    "netcore_client_add_param_list.value": '"[1]"',
    "netcore_request_set_auth.auth": "NETCORE_AUTH_BASIC",
    "netcore_cache_clear.filter": "NETCORE_CACHE_FILTER_ALL",
    "netcore_cache_clear.value": "NULL",
    "netcore_task_complete.status": "NETCORE_OK",
}
# Structs that may not be null: samples.h has one of each.
STRUCTS = {"netcore_reader": "&never_reader", "netcore_cookie": "&some_cookie", "netcore_error_row": "&some_error"}
# Handles that may be 0, for none.
OPTIONAL = {"netcore_module_create.defaults", "netcore_api_create.module"}
# Functions that set something, or read it, and whose sample call succeeds on any request and client; but for these.
PLAIN = re.compile(r"netcore_(client|request)_(set|add|remove|get|select|clear|export|import)_")
NOT_PLAIN = {
    "netcore_client_get_cached",
    "netcore_client_get_rate",
    "netcore_client_add_observer",
    "netcore_client_set_stubs",
    "netcore_client_set_cassette",
}


class Call:
    """A call of a function with sample arguments, in which one handle stands for itself."""

    def __init__(self, abi: ABI, function: Function, tested: int | None) -> None:
        self.abi = abi
        self.function = function
        self.tested = tested
        self.outs: list[str] = []
        arguments = [self.argument(index, each) for index, each in enumerate(function.parameters)]
        self.text = f"{function.name}({', '.join(arguments)})"

    def sample(self, name: str) -> str | None:
        return SAMPLES.get(f"{self.function.name}.{name}", SAMPLES.get(name))

    def argument(self, index: int, parameter: Parameter) -> str:
        type_, name = parameter.type, parameter.name
        handle = handle_of(self.abi, parameter)
        if handle is not None:
            live = f"live[{kind_of(handle)}]"
            tested = "h == 0 ? 1 : h" if f"{self.function.name}.{name}" in OPTIONAL else "h"
            given = tested if index == self.tested else live
            return given if type_ == handle else f"two_handles({live}, {given})"
        if name.startswith("out_"):
            return self.out(index, type_)
        if type_ in self.abi.callbacks:
            return SAMPLES.get(f"{self.function.name}.{name}", SAMPLES.get(name, f"never_{callback_name(type_)}"))
        if signature(type_) is not None:
            raise SystemExit(f"generate: {self.function.name}: give the type of {name} a name")
        return self.value(index, type_, name)

    def value(self, index: int, type_: str, name: str) -> str:
        exact = SAMPLES.get(f"{self.function.name}.{name}")
        if exact is not None:
            return exact
        number = self.abi.numbers.get(type_, type_)
        if number == "size_t" and name == "count" and self.tested is not None:
            return "2"
        if name == "capacity" and self.function.parameters[index - 1].type == "char *":
            return "0"
        if number in ("int32_t", "uint32_t", "int64_t", "uint64_t", "size_t", "double"):
            sample = self.sample(name)
            return sample if sample is not None and not sample.startswith('"') else "1"
        if type_ == "const char *":
            if name == "name" and re.search("header|field", self.function.name):
                return '"X-A"'
            return self.sample(name) or '"a"'
        if type_ == "const void *":
            return '"body"'
        if type_ == "char *":
            return "NULL"
        if type_ == "void *" and name == "value":
            return "&sample_value"
        if type_.startswith("const netcore_"):
            return self.struct(index, type_.removeprefix("const ").removesuffix("*").strip())
        if type_.endswith("*"):
            return "NULL"
        raise SystemExit(f"generate: {self.function.name}: no sample of {declare(type_, name)}; add one to SAMPLES")

    def struct(self, index: int, name: str) -> str:
        member = handle_member(self.abi, self.abi.structs.get(name))
        if index == self.tested and member is not None:
            return f"&({name}){{.size = sizeof({name}), .{member} = h == 0 ? 1 : h}}"  # 0 would be none
        return STRUCTS.get(name, "NULL")

    def out(self, index: int, type_: str) -> str:
        """Room for a result. What a failed call clears there is noted in `outs`; of an array only its count."""
        target = type_.removesuffix("*").strip()
        slot = len(self.outs)
        following = self.function.parameters[index + 1 :]
        if following and following[0].name == "capacity":
            return f"ROOM({target})"
        struct = self.abi.structs.get(target)
        sized = "true" if struct is not None and struct.is_sized else "false"
        count = 2 if self.function.parameters[index].name == "out_tasks" else 1
        cleared = "0xFF" if self.function.parameters[index].name == "out_descriptor" else "0"
        size = f"sizeof({target})" if count == 1 else f"{count} * sizeof({target})"
        self.outs.append(f"{{{size}, {sized}, {cleared}}}")
        return f"OUT({target}, {slot})"


def kind_of(handle: str) -> str:
    return "KIND_" + handle.removeprefix("netcore_").upper()


def callback_name(type_: str) -> str:
    return type_.removeprefix("netcore_").removesuffix("_fn")


def handle_of(abi: ABI, parameter: Parameter) -> str | None:
    """The kind of handle that a parameter is, or is an array of."""
    if parameter.type in abi.handles:
        return parameter.type
    array = re.fullmatch(r"const (netcore_\w+) \*", parameter.type)
    return array[1] if array and array[1] in abi.handles else None


def handle_member(abi: ABI, struct: Struct | None) -> str | None:
    if struct is None:
        return None
    return next((member.name for member in struct.members if member.type in abi.handles), None)


def tested_arguments(abi: ABI, function: Function) -> list[tuple[int, str, str]]:
    """Each argument that is a handle or has one: its index, the kind, and the name that errors give it."""
    found = []
    for index, parameter in enumerate(function.parameters):
        handle = handle_of(abi, parameter)
        if handle is not None:
            found.append((index, kind_of(handle), parameter.name))
        elif parameter.type.startswith("const netcore_"):
            struct = abi.structs.get(parameter.type.removeprefix("const ").removesuffix("*").strip())
            member = handle_member(abi, struct)
            if struct is not None and member is not None:
                type_ = next(each.type for each in struct.members if each.name == member)
                found.append((index, kind_of(type_), member))
    return found


def x_macro(name: str, rows: list[str]) -> str:
    return f"#define {name}(X) \\\n" + " \\\n".join(f"  {row}" for row in rows) + "\n"


def lists(abi: ABI) -> str:
    names = x_macro("NETCORE_EXPORTS", [f"X({each.name})" for each in abi.functions])
    statuses = x_macro("NETCORE_STATUSES", [f"X({each.name}, {each.value})" for each in abi.statuses])
    return (
        f"{GUARD}/** All functions of the ABI, and all statuses with their numbers. */\n"
        "#ifndef NETCORE_TESTS_LISTS_H\n#define NETCORE_TESTS_LISTS_H\n\n"
        f"{names}\n{statuses}\n#endif\n"
    )


def never(abi: ABI) -> str:
    functions = {callback_name(name): callback for name, callback in abi.callbacks.items()}
    for struct in abi.structs.values():
        for member in struct.members:
            callback = signature(member.type)
            if callback is not None:
                functions[f"{callback_name(struct.name)}_{member.name}"] = callback
    parts = []
    for name, callback in functions.items():
        parameters = ", ".join(declare(type_, f"argument{index}") for index, type_ in enumerate(callback.parameters))
        unused = "".join(f"  (void)argument{index};\n" for index in range(len(callback.parameters)))
        result = "" if callback.result == "void" else "  return 0;\n"
        parts.append(
            f"static inline {declare(callback.result, f'never_{name}')}({parameters or 'void'}) {{\n{unused}"
            f'  CHECK(!"{name} runs");\n{result}}}\n'
        )
    body = "\n".join(parts)
    return (
        f"{GUARD}/** Functions of each type of callback, to hand over where nothing may call them. */\n"
        '#ifndef NETCORE_TESTS_NEVER_H\n#define NETCORE_TESTS_NEVER_H\n\n#include "check.h"\n\n'
        f"{body}\n#endif\n"
    )


def probes(abi: ABI) -> str:
    kinds = ", ".join([*(kind_of(handle) for handle in abi.handles), "KIND_COUNT"])
    calls, rows = [], []
    for function in abi.functions:
        for number, (index, kind, name) in enumerate(tested_arguments(abi, function), 1):
            call = Call(abi, function, index)
            probe = f"{function.name}_{number}"
            calls.append(
                f"static netcore_status {probe}(uint64_t h) {{\n  CALLING({function.name});\n"
                f"  return {call.text};\n}}\n"
            )
            plain = number == 1 and PLAIN.match(function.name) and function.name not in NOT_PLAIN
            outs = ", ".join(call.outs) or "{0, false, 0}"
            rows.append(
                f'  {{{kind}, "{function.name}", "{name}", {probe}, {"true" if plain else "false"}, {{{outs}}}}},\n'
            )
    return (
        f"{GUARD}/** A sample call for each argument of each function that is a handle; see samples.h. */\n"
        "#ifndef NETCORE_TESTS_PROBES_H\n#define NETCORE_TESTS_PROBES_H\n\n"
        f'enum kind {{ {kinds} }};\n\n#include "samples.h"\n\n'
        + "\n".join(calls)
        + f"\nstatic const struct probe probes[] = {{\n{''.join(rows)}}};\n\n#endif\n"
    )
