#!/usr/bin/env python3
"""Writes C that calls every function of the ABI with arguments made by calls.c: calls.py OUTPUT.

What the headers declare, scripts/generating/headers.py reads. An argument or a member of an unknown kind ends this
program, so that a new function is either called or noticed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts/generating"))
import headers

HANDLES = [
    "client",
    "request",
    "task",
    "group",
    "response",
    "cache",
    "hop",
    "event_source",
    "observer",
    "stubs",
    "task_scope",
    "cassette",
    "pages",
    "clock",
    "module",
    "api",
]
NUMBERS = ["uint64_t", "uint32_t", "int32_t", "int64_t", "size_t", "double"]
ABI = headers.read()
STRUCTS = ABI.structs
ENUMS = [name for name, type_ in ABI.numbers.items() if type_ in ("int32_t", "uint32_t")]
CALLBACKS = list(ABI.callbacks)
# What calls.c calls by itself, since its arguments depend on each other.
BY_HAND = {"netcore_dispatch_many", "netcore_client_wait", "netcore_observer_read", "netcore_client_destroy"}


def kind_of(type_name: str) -> str:
    return type_name.removeprefix("netcore_").upper()


class Call:
    """One function: lines that make its arguments, the arguments, and what is done with the results."""

    def __init__(self, function: headers.Function) -> None:
        self.name = function.name
        self.returns_status = function.result == "netcore_status"
        self.before: list[str] = []
        self.arguments: list[str] = []
        self.after: list[str] = []
        self.releases = any(parameter.type == "netcore_release_fn" for parameter in function.parameters)
        self.has_done = any(parameter.type == "netcore_done_fn" for parameter in function.parameters)
        for parameter in function.parameters:
            self.arguments.append(self.argument(parameter.type, parameter.name))

    def argument(self, type_: str, name: str) -> str:
        """The C for one argument."""
        if type_.removeprefix("netcore_") in HANDLES:
            return f"pick_handle(caller, KIND_{kind_of(type_)})"
        if type_ in NUMBERS or type_ in ENUMS or type_ == "netcore_status":
            if name in ("size_bytes", "capacity") and any(f"{name}_ = " in line for line in self.before):
                return f"{name}_"
            return f'({type_})pick_number(caller, "{self.name}", "{name}")'
        if type_ == "const char *" and name == "text":  # its size follows
            self.before.append("size_t size_bytes_ = 0; const void *data_ = pick_cookie_text(caller, &size_bytes_);")
            return "data_"
        if type_ == "const char *" and name == "path" and re.search("download|cassette", self.name):
            return "pick_target(caller)"
        if type_ == "const char *":
            return f'pick_text(caller, "{name}")'
        if type_ == "const char *const *":
            return "pick_names_and_values(caller)"
        if type_ == "char *":
            self.before.append("size_t capacity_ = 0; char *text_ = pick_room(caller, &capacity_);")
            return "text_"
        if type_ == "const void *":
            self.before.append(
                f'size_t size_bytes_ = 0; const void *data_ = pick_data(caller, "{self.name}", &size_bytes_);'
            )
            return "data_"
        if type_ in CALLBACKS and self.releases and type_ != "netcore_release_fn":
            self.before.append(f"{type_} fn_ = pick_{type_}(caller);")
            self.after.append('if (status == NETCORE_OK && fn_ != NULL && caller->is_attached) COUNT("attached");')
            return "fn_"
        if type_ in CALLBACKS:
            return f"pick_{type_}(caller)"
        if type_ == "void *":
            return self.pointer(name)
        return self.structure(type_, name)

    def pointer(self, name: str) -> str:
        if name == "user_data" and self.has_done:
            self.before.append(
                f'struct record *record = caller_record(caller, "{self.name}"); if (record == NULL) return;'
            )
            self.after.append("caller_settle(caller, record, status);")
            return "record"
        if name == "buffer":
            self.before.append("size_t capacity_ = 0; char *buffer_ = pick_room(caller, &capacity_);")
            self.after.append("leave_room(buffer_);")
            return "buffer_"
        if name == "value":
            self.before.append("size_t size_bytes_ = (size_t)edge_number(&caller->rng);")
        return "the_user_data"

    def structure(self, type_: str, name: str) -> str:
        """Something behind a pointer."""
        target = type_.replace("const ", "").replace("*", "").strip()
        if type_.startswith("const ") and target in STRUCTS:
            self.before.append(f"_Alignas(16) unsigned char {name}_[ROOM]; fill_{target}(caller, (void *){name}_);")
            return f"pick_struct(caller, {name}_)"
        if name.startswith("out_"):
            sized = target in STRUCTS and STRUCTS[target].is_sized
            size = f"sizeof({target})" if sized else "0"
            self.before.append(
                f"_Alignas(16) unsigned char {name}_[ROOM]; {target.replace('void', 'char')} "
                f"*{name} = (void *)pick_out(caller, {name}_, {size});"
            )
            short = target.removeprefix("netcore_")
            if short == "task":
                self.before.append(f"if ({name} != NULL) {name} = pick_told(caller, {name});")
            if short in HANDLES:
                self.after.append(f"keep_out(caller, KIND_{short.upper()}, {name});")
            if short == "completion":
                self.after.append(f"if (status == NETCORE_OK) keep(caller, KIND_RESPONSE, {name}->response);")
            return f"(void *){name}"
        raise SystemExit(f"calls.py: {self.name}: cannot make an argument {type_} {name}")

    def text(self) -> str:
        call = f"{self.name}({', '.join(self.arguments)})"
        if not self.returns_status:
            body = f'if ({call} == NULL) violation("{self.name}: null");'
            return f"static void call_{self.name}(struct caller *caller) {{\n  (void)caller;\n  {body}\n}}\n"
        if self.name == "netcore_response_retain":
            self.after.append("if (status == NETCORE_OK) keep(caller, KIND_RESPONSE, caller->last);")
        if self.name == "netcore_response_set_cached_value":
            self.after.append('if (status == NETCORE_OK && caller->is_attached) COUNT("attached");')
        if "text_" in self.arguments:  # something has to be there
            self.before.append("if (text_ != NULL && capacity_ > 0) text_[0] = (char)0xFF;")
            self.after.append(
                "if (status == NETCORE_OK && text_ != NULL && capacity_ > 0 && text_[0] == (char)0xFF) "
                f'violation("{self.name}: nothing was written into %zu bytes", capacity_);'
            )
            self.after.append("leave_room(text_);")
        lines = [
            *self.before,
            f"netcore_status status = {call};",
            *self.after,
            f'note_status(caller, "{self.name}", status);',
        ]
        return f"static void call_{self.name}(struct caller *caller) {{\n  " + "\n  ".join(lines) + "\n}\n"


# Members that belong together with another one.
ARRAYS = {
    "pinned_keys": "pinned_key_count",
    "resolve": "resolve_count",
    "rules": "rule_count",
    "headers": "header_count",
    "statuses": "status_count",
    "methods": "method_count",
    "secret_headers": "secret_header_count",
    "secret_parameters": "secret_parameter_count",
    "tags": "tag_count",
}

# The sizes of their elements, where these may grow.
STRIDES = {"pinned_keys": "pinned_key_size", "rules": "rule_size", "headers": "header_size"}


def filler(name: str, struct: headers.Struct) -> str:
    """C that fills in a struct: each member now and then."""
    lines = []
    for member in struct.members:
        type_, member_name = member.type, member.name
        if headers.signature(type_) is not None:
            lines.append(f"if (some(caller)) value->{member_name} = pick_{name}_{member_name}(caller);")
            continue
        if member_name == "size" or type_ == "const void *":  # the latter by adapt_
            continue
        if member_name in ARRAYS and type_ != "const char *":
            stride = STRIDES.get(member_name)
            places = "&count_, &stride_" if stride else "&count_"
            lines.append(
                f"if (few(caller)) value->{member_name} = pick_{member_name}(caller, {places}), "
                f"value->{ARRAYS[member_name]} = count_" + (f", value->{stride} = stride_;" if stride else ";")
            )
        elif member_name in ARRAYS.values() or member_name in STRIDES.values():
            continue
        elif type_.removeprefix("netcore_") in HANDLES:
            lines.append(f"if (some(caller)) value->{member_name} = pick_handle(caller, KIND_{kind_of(type_)});")
        elif type_ in NUMBERS or type_ in ENUMS:
            lines.append(
                f'if (few(caller)) value->{member_name} = ({type_})pick_number(caller, "{name}", "{member_name}");'
            )
        elif type_ == "const char *":
            lines.append(f'if (few(caller)) value->{member_name} = pick_text(caller, "{member_name}");')
        elif type_ in CALLBACKS:
            lines.append(f"if (few(caller)) value->{member_name} = pick_{type_}_for_{member_name}(caller);")
        elif type_ == "void *":
            lines.append(f"value->{member_name} = pick_user_data_of_{name}(caller);")
        else:
            raise SystemExit(f"calls.py: {name}.{member_name}: cannot make a {type_}")
    return (
        f"static void fill_{name}(struct caller *caller, {name} *value) {{\n"
        f"  uint32_t count_ = 0;\n  size_t stride_ = 0;\n"
        f"  begin_struct(caller, value, sizeof *value);\n  (void)count_, (void)stride_;\n  "
        + "\n  ".join(lines)
        + f"\n  adapt_{name}(value);\n}}\n"
    )


def main() -> None:
    declared = sorted(ABI.functions, key=lambda function: function.name)
    calls = [Call(function) for function in declared if function.name not in BY_HAND]
    wanted = sorted({found for call in calls for line in call.before for found in re.findall(r"fill_(\w+)\(", line)})
    parts = [
        "/* Written by calls.py. */\n",
        *(filler(name, STRUCTS[name]) for name in wanted),
        *(call.text() for call in calls),
    ]
    rows = "".join(f'  {{"{each.name}", call_{each.name}}},\n' for each in declared)
    parts.append(
        f"static const struct {{\n  const char *name;\n  void (*call)(struct caller *);\n}} calls[] = {{\n{rows}}};\n"
    )
    Path(sys.argv[1]).write_text("\n".join(parts))


if __name__ == "__main__":
    main()
