"""The C side: structs, prototypes and constants of netcore.h. The only module that declares ctypes types.

Functions that never block are called with the GIL, which is cheaper. Those that every request needs are there a second
time, with the prefix ``fast_``: see `_fast`.
"""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from . import _library

QUEUE_MODE = 2
COMPLETION_TASK = 1
COMPLETION_GROUP = 2
COMPLETION_PROVISIONAL = 3
COMPLETION_INTERIM = 4
COMPLETION_PROGRESS = 5
NO_TIMEOUT = (1 << 64) - 1
LENGTH_UNKNOWN = (1 << 64) - 1

OK = 0
INVALID_ARGUMENT = 100
INVALID_HANDLE = 101
INVALID_URL = 103
INVALID_METHOD = 105
INVALID_HEADER = 106
NOT_FOUND = 107
INVALID_STATE = 200
SHUT_DOWN = 201
FORKED = 202
IN_PROGRESS = 203
CANCELED = 300
INTERNAL = 1100
OUT_OF_MEMORY = 1101
BODY = 1200
REFUSED = 1300
HOST_FIRST = 2000
HOST_LAST = 2999

LOG_WARNING = 2

AUTH_SCHEMES = {"basic": 1, "bearer": 2, "digest": 3, "negotiate": 4}
PRIORITIES = {"low": -1, "default": 0, "high": 1}

SERIALIZERS = {"form": 0, "json": 1}

LIMIT_HEADER_BYTES = 1
LIMIT_BODY_BYTES = 2
LIMIT_DECODED_BYTES = 3
LIMIT_DECODE_RATIO = 4
LIMIT_REDIRECTS = 5
LIMIT_TRANSFERS = 6
LIMIT_TRANSFERS_PER_HOST = 7
LIMIT_QUEUE_LENGTH = 8


class Bytes(Structure):
    """netcore_bytes"""

    _fields_ = [("data", c_void_p), ("size_bytes", c_size_t)]


class PinnedKeys(Structure):
    """netcore_pinned_keys"""

    _fields_ = [("host", c_char_p), ("keys", c_char_p)]


class ClientOptions(Structure):
    """netcore_client_options"""

    _fields_ = [
        ("size", c_uint32),
        ("completions", c_int32),
        ("tls_min_version", c_int32),
        ("http_version_max", c_int32),
        ("ca_file", c_char_p),
        ("client_certificate_file", c_char_p),
        ("client_key_file", c_char_p),
        ("client_key_password", c_char_p),
        ("proxy", c_char_p),
        ("no_proxy", c_char_p),
        ("user_agent", c_char_p),
        ("cache", c_uint64),
        ("ca_folder", c_char_p),
        ("pinned_keys", POINTER(PinnedKeys)),
        ("pinned_key_count", c_size_t),
        ("pinned_key_size", c_size_t),
        ("skip_verification", c_int32),
        ("address_family", c_int32),
        ("resolve", POINTER(c_char_p)),
        ("resolve_count", c_size_t),
        ("unix_socket", c_char_p),
        ("interface", c_char_p),
        ("cookies", c_int32),
        ("cookie_file", c_char_p),
        ("netrc_file", c_char_p),
        ("hsts_file", c_char_p),
        ("alt_svc_file", c_char_p),
        ("accept_encoding", c_char_p),
    ]


class Completion(Structure):
    """netcore_completion"""

    _fields_ = [
        ("size", c_uint32),
        ("kind", c_int32),
        ("status", c_int32),
        ("http_status", c_int32),
        ("task", c_uint64),
        ("group", c_uint64),
        ("response", c_uint64),
        ("user_data", c_uint64),
    ]


class ResponseInfo(Structure):
    """netcore_response_info"""

    _fields_ = [
        ("size", c_uint32),
        ("status", c_int32),
        ("http_status", c_int32),
        ("http_version", c_int32),
        ("body", Bytes),
        ("url", Bytes),
        ("header_count", c_uint32),
        ("trailer_count", c_uint32),
        ("attempts", c_uint32),
        ("redirects", c_uint32),
        ("connection_reused", c_int32),
        ("cache_result", c_int32),
        ("queue_us", c_int64),
        ("dns_us", c_int64),
        ("connect_us", c_int64),
        ("tls_us", c_int64),
        ("first_byte_us", c_int64),
        ("total_us", c_int64),
        ("bytes_sent", c_uint64),
        ("bytes_received", c_uint64),
        ("headers", Bytes),
        ("trailers", Bytes),
        ("user_info", c_void_p),
    ]


READ_FUNCTION = CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t)
REWIND_FUNCTION = CFUNCTYPE(c_int32, c_void_p)
RELEASE_FUNCTION = CFUNCTYPE(None, c_void_p)


class Reader(Structure):
    """netcore_reader"""

    _fields_ = [
        ("size", c_uint32),
        ("read", READ_FUNCTION),
        ("rewind", REWIND_FUNCTION),
        ("release", RELEASE_FUNCTION),
        ("user_data", c_void_p),
    ]


VALUE_FUNCTION = CFUNCTYPE(c_int32, c_void_p, c_size_t, c_void_p)
FILTER_FUNCTION = CFUNCTYPE(c_int32, c_uint64, c_void_p)


class Challenge(Structure):
    """netcore_challenge"""

    _fields_ = [
        ("size", c_uint32),
        ("failures", c_uint32),
        ("url", c_char_p),
        ("auth", c_int32),
        ("realm", c_char_p),
    ]


class Cookie(Structure):
    """netcore_cookie"""

    _fields_ = [
        ("size", c_uint32),
        ("is_secure", c_int32),
        ("is_http_only", c_int32),
        ("is_host_only", c_int32),
        ("expires", c_int64),
        ("name", c_char_p),
        ("value", c_char_p),
        ("domain", c_char_p),
        ("path", c_char_p),
    ]


TOKEN_FUNCTION = CFUNCTYPE(c_int32, c_char_p, c_void_p, c_size_t, c_void_p)
CHALLENGE_FUNCTION = CFUNCTYPE(c_int32, POINTER(Challenge), c_uint64, c_void_p)
COOKIE_FUNCTION = CFUNCTYPE(None, POINTER(Cookie), c_void_p)


class Network(Structure):
    """netcore_network"""

    _fields_ = [("size", c_uint32), ("is_metered", c_int32), ("interface", c_char_p)]


class RequestInfo(Structure):
    """netcore_request_info"""

    _fields_ = [
        ("size", c_uint32),
        ("header_count", c_uint32),
        ("method", Bytes),
        ("url", Bytes),
        ("body", Bytes),
    ]


class PartHeader(Structure):
    """netcore_part_header"""

    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class PartOptions(Structure):
    """netcore_part_options"""

    _fields_ = [
        ("size", c_uint32),
        ("header_count", c_uint32),
        ("file_name", c_char_p),
        ("content_type", c_char_p),
        ("headers", POINTER(PartHeader)),
        ("header_size", c_size_t),
    ]


class ErrorInfo(Structure):
    """netcore_error"""

    _fields_ = [
        ("size", c_uint32),
        ("status", c_int32),
        ("message", Bytes),
        ("phase", c_int32),
        ("native_code", c_int32),
        ("attempts", c_uint32),
        ("is_retryable", c_int32),
    ]


class TaskInfo(Structure):
    """netcore_task_info"""

    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("received_bytes", c_uint64),
        ("expected_bytes", c_uint64),
        ("sent_bytes", c_uint64),
        ("to_send_bytes", c_uint64),
    ]


class GroupInfo(Structure):
    """netcore_group_info"""

    _fields_ = [
        ("size", c_uint32),
        ("total", c_uint32),
        ("succeeded", c_uint32),
        ("failed", c_uint32),
        ("canceled", c_uint32),
        ("is_dispatched", c_int32),
    ]


class CacheRule(Structure):
    """netcore_cache_rule"""

    _fields_ = [("url_pattern", c_char_p), ("ttl_ms", c_uint64)]


class CacheRequest(Structure):
    """netcore_cache_request"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("method", c_char_p),
        ("url", c_char_p),
        ("body", Bytes),
        ("headers", Bytes),
    ]


class CacheEvent(Structure):
    """netcore_cache_event"""

    _fields_ = [("size", c_uint32), ("kind", c_int32), ("path", c_char_p), ("reason", c_char_p)]


class CacheEntry(Structure):
    """netcore_cache_entry"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("url", c_char_p),
        ("tag", c_char_p),
        ("scope", c_char_p),
        ("size_bytes", c_uint64),
        ("body_bytes", c_uint64),
        ("stored_at_ms", c_int64),
        ("fresh_until_ms", c_int64),
        ("hits", c_uint64),
    ]


CacheTextFn = CFUNCTYPE(c_int32, POINTER(CacheRequest), c_void_p, c_size_t, c_void_p)
CacheEventFn = CFUNCTYPE(None, POINTER(CacheEvent), c_void_p)
CacheEntryFn = CFUNCTYPE(c_int32, POINTER(CacheEntry), c_void_p)
CacheReleaseFn = CFUNCTYPE(None, c_void_p)


class CacheOptions(Structure):
    """netcore_cache_options"""

    _fields_ = [
        ("size", c_uint32),
        ("is_shared", c_int32),
        ("ttl_only", c_int32),
        ("writes_synchronously", c_int32),
        ("serves_stale_when_disconnected", c_int32),
        ("reserved", c_uint32),
        ("folder", c_char_p),
        ("memory_bytes", c_uint64),
        ("memory_count", c_uint64),
        ("disk_bytes", c_uint64),
        ("disk_count", c_uint64),
        ("application_version", c_char_p),
        ("rules", POINTER(CacheRule)),
        ("rule_count", c_size_t),
        ("rule_size", c_size_t),
        ("key", CacheTextFn),
        ("folder_for_request", CacheTextFn),
        ("on_event", CacheEventFn),
        ("user_data", c_void_p),
    ]


class CacheStatistics(Structure):
    """netcore_cache_statistics"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("hits", c_uint64),
        ("stale_hits", c_uint64),
        ("revalidations", c_uint64),
        ("misses", c_uint64),
        ("stored", c_uint64),
        ("saved_bytes", c_uint64),
        ("memory_hits", c_uint64),
        ("memory_misses", c_uint64),
        ("memory_evictions", c_uint64),
        ("memory_bytes", c_uint64),
        ("memory_count", c_uint64),
        ("disk_hits", c_uint64),
        ("disk_misses", c_uint64),
        ("disk_evictions", c_uint64),
        ("disk_damaged", c_uint64),
        ("disk_bytes", c_uint64),
        ("disk_count", c_uint64),
    ]


LogFn = CFUNCTYPE(None, c_int32, c_char_p, c_void_p)

SIZE_OF_RESPONSE_INFO = ctypes.sizeof(ResponseInfo)
SIZE_OF_ERROR = ctypes.sizeof(ErrorInfo)
SIZE_OF_OPTIONS = ctypes.sizeof(ClientOptions)
SIZE_OF_TASK_INFO = ctypes.sizeof(TaskInfo)
SIZE_OF_GROUP_INFO = ctypes.sizeof(GroupInfo)
SIZE_OF_READER = ctypes.sizeof(Reader)
SIZE_OF_PART_OPTIONS = ctypes.sizeof(PartOptions)
SIZE_OF_REQUEST_INFO = ctypes.sizeof(RequestInfo)
SIZE_OF_COOKIE = ctypes.sizeof(Cookie)
SIZE_OF_NETWORK = ctypes.sizeof(Network)
SIZE_OF_CACHE_OPTIONS = ctypes.sizeof(CacheOptions)
SIZE_OF_CACHE_STATISTICS = ctypes.sizeof(CacheStatistics)

library = _library.load()
_keeping_gil = ctypes.PyDLL(library._name, handle=library._handle)


def _function(name: str, *argument_types: Any, result: Any = c_int32) -> Any:
    """A function that never blocks and is quick: called with the GIL."""
    return _declare(_keeping_gil[name], argument_types, result)


def _blocking(name: str, *argument_types: Any, result: Any = c_int32) -> Any:
    """A function that blocks, or may take long: called without the GIL."""
    return _declare(library[name], argument_types, result)


def _fast(name: str, *, blocks: bool) -> Any:
    """A function without types of arguments: to convert and check them takes ctypes as long as the call itself.

    Each is called in few places, and only with instances of the ctypes types of its parameters, or None. An int would
    go out with 32 bits.
    """
    return _declare((library if blocks else _keeping_gil)[name], None, c_int32)


def _declare(function: Any, argument_types: Any, result: Any) -> Any:
    function.argtypes = argument_types
    function.restype = result
    return function


version = _function("netcore_version", result=c_char_p)
version_details = _function("netcore_version_details", result=c_char_p)
status_name = _function("netcore_status_name", c_int32, result=c_char_p)
status_message = _function("netcore_status_message", c_int32, result=c_char_p)
last_error_message = _function("netcore_last_error_message", result=c_char_p)

client_create = _blocking("netcore_client_create", POINTER(ClientOptions), POINTER(c_uint64))
client_destroy = _blocking("netcore_client_destroy", c_uint64)
client_shutdown = _blocking("netcore_client_shutdown", c_uint64)
client_set_limit = _function("netcore_client_set_limit", c_uint64, c_int32, c_uint64)
client_get_descriptor = _function("netcore_client_get_descriptor", c_uint64, POINTER(c_int32))
client_process = _blocking("netcore_client_process", c_uint64, c_uint32, c_void_p)
client_wait = _blocking(
    "netcore_client_wait", c_uint64, POINTER(Completion), c_uint32, c_size_t, c_uint64, POINTER(c_uint32)
)
client_cancel_all = _blocking("netcore_client_cancel_all", c_uint64, POINTER(c_uint32))
client_cancel_tag = _blocking("netcore_client_cancel_tag", c_uint64, c_char_p, POINTER(c_uint32))

client_add_service = _function("netcore_client_add_service", c_uint64, c_char_p, c_char_p, c_char_p, c_char_p)
client_select_service = _blocking("netcore_client_select_service", c_uint64, c_char_p)
client_select_environment = _blocking("netcore_client_select_environment", c_uint64, c_char_p)
client_select_next_service = _blocking("netcore_client_select_next_service", c_uint64)
client_select_next_environment = _blocking("netcore_client_select_next_environment", c_uint64)
client_set_selection_listener = _function("netcore_client_set_selection_listener", c_uint64, c_void_p, c_void_p)
client_set_header = _function("netcore_client_set_header", c_uint64, c_char_p, c_char_p)
client_set_param = _function("netcore_client_set_param", c_uint64, c_char_p, c_char_p)
set_log = _function("netcore_set_log", c_void_p, c_void_p)

request_create = _function("netcore_request_create", c_char_p, c_char_p, POINTER(c_uint64))
request_destroy = _function("netcore_request_destroy", c_uint64)
request_set_method = _function("netcore_request_set_method", c_uint64, c_char_p)
request_set_url = _function("netcore_request_set_url", c_uint64, c_char_p)
request_set_header = _function("netcore_request_set_header", c_uint64, c_char_p, c_char_p)
request_add_header = _function("netcore_request_add_header", c_uint64, c_char_p, c_char_p)
request_remove_header = _function("netcore_request_remove_header", c_uint64, c_char_p)
request_set_body = _blocking("netcore_request_set_body", c_uint64, c_void_p, c_size_t)
request_set_connect_timeout_ms = _function("netcore_request_set_connect_timeout_ms", c_uint64, c_uint64)
request_set_first_byte_timeout_ms = _function("netcore_request_set_first_byte_timeout_ms", c_uint64, c_uint64)
request_set_idle_timeout_ms = _function("netcore_request_set_idle_timeout_ms", c_uint64, c_uint64)
request_set_total_timeout_ms = _function("netcore_request_set_total_timeout_ms", c_uint64, c_uint64)
request_set_limit = _function("netcore_request_set_limit", c_uint64, c_int32, c_uint64)
request_set_follow_redirects = _function("netcore_request_set_follow_redirects", c_uint64, c_int32)
request_set_allow_insecure_redirects = _function("netcore_request_set_allow_insecure_redirects", c_uint64, c_int32)
request_set_decode_content = _function("netcore_request_set_decode_content", c_uint64, c_int32)
request_set_tag = _function("netcore_request_set_tag", c_uint64, c_char_p)
request_set_interim_responses = _function("netcore_request_set_interim_responses", c_uint64, c_int32)
request_create_relative = _function("netcore_request_create_relative", c_char_p, c_char_p, c_char_p, POINTER(c_uint64))
request_set_base_url = _function("netcore_request_set_base_url", c_uint64, c_char_p)
request_set_use_cdn = _function("netcore_request_set_use_cdn", c_uint64, c_int32)
request_set_use_https = _function("netcore_request_set_use_https", c_uint64, c_int32)
request_set_custom = _function("netcore_request_set_custom", c_uint64, c_int32)
request_set_path_value = _function("netcore_request_set_path_value", c_uint64, c_char_p, c_char_p)
request_add_param = _function("netcore_request_add_param", c_uint64, c_char_p, c_char_p)
request_add_param_int = _function("netcore_request_add_param_int", c_uint64, c_char_p, c_int64)
request_add_param_double = _function("netcore_request_add_param_double", c_uint64, c_char_p, c_double)
request_add_param_bool = _function("netcore_request_add_param_bool", c_uint64, c_char_p, c_int32)
request_add_param_null = _function("netcore_request_add_param_null", c_uint64, c_char_p)
request_add_param_json = _function("netcore_request_add_param_json", c_uint64, c_char_p, c_char_p)
request_remove_param = _function("netcore_request_remove_param", c_uint64, c_char_p)
request_set_serializer = _function("netcore_request_set_serializer", c_uint64, c_int32)
request_get_info = _function("netcore_request_get_info", c_uint64, POINTER(RequestInfo))
request_get_header = _function("netcore_request_get_header", c_uint64, c_char_p, c_uint32, POINTER(Bytes))
request_get_header_at = _function("netcore_request_get_header_at", c_uint64, c_uint32, POINTER(Bytes), POINTER(Bytes))
client_set_header_function = _function(
    "netcore_client_set_header_function", c_uint64, c_char_p, VALUE_FUNCTION, c_void_p
)
client_set_param_function = _function("netcore_client_set_param_function", c_uint64, c_char_p, VALUE_FUNCTION, c_void_p)
client_add_filter = _function("netcore_client_add_filter", c_uint64, FILTER_FUNCTION, c_void_p)
client_remove_filters = _function("netcore_client_remove_filters", c_uint64)
request_set_auth = _function("netcore_request_set_auth", c_uint64, c_int32, c_char_p, c_char_p)
request_set_use_cookies = _function("netcore_request_set_use_cookies", c_uint64, c_int32)
request_set_cookie = _function("netcore_request_set_cookie", c_uint64, c_char_p, c_char_p)
client_set_token_source = _function("netcore_client_set_token_source", c_uint64, c_char_p, TOKEN_FUNCTION, c_void_p)
client_set_challenge_function = _function(
    "netcore_client_set_challenge_function", c_uint64, CHALLENGE_FUNCTION, c_void_p
)
client_set_cookie = _function("netcore_client_set_cookie", c_uint64, POINTER(Cookie))
client_list_cookies = _blocking("netcore_client_list_cookies", c_uint64, COOKIE_FUNCTION, c_void_p)
client_clear_cookies = _function(
    "netcore_client_clear_cookies", c_uint64, c_char_p, c_char_p, c_char_p, POINTER(c_uint32)
)
client_clear_session_cookies = _function("netcore_client_clear_session_cookies", c_uint64, POINTER(c_uint32))
client_export_cookies = _function("netcore_client_export_cookies", c_uint64, c_void_p, c_size_t, POINTER(c_size_t))
client_import_cookies = _function("netcore_client_import_cookies", c_uint64, c_char_p, c_size_t, POINTER(c_uint32))
request_set_sent_once = _function("netcore_request_set_sent_once", c_uint64, c_int32)
request_set_priority = _function("netcore_request_set_priority", c_uint64, c_int32)
request_set_max_receive_rate = _function("netcore_request_set_max_receive_rate", c_uint64, c_uint64)
request_set_max_send_rate = _function("netcore_request_set_max_send_rate", c_uint64, c_uint64)
request_set_progress_interval_ms = _function("netcore_request_set_progress_interval_ms", c_uint64, c_uint64)
request_set_user_info = _function("netcore_request_set_user_info", c_uint64, c_void_p)
request_set_allowed_interface = _function("netcore_request_set_allowed_interface", c_uint64, c_char_p)
request_set_allow_metered = _function("netcore_request_set_allow_metered", c_uint64, c_int32)
client_set_network = _function("netcore_client_set_network", c_uint64, POINTER(Network))
request_set_body_file = _function("netcore_request_set_body_file", c_uint64, c_char_p)
request_set_body_reader = _function("netcore_request_set_body_reader", c_uint64, POINTER(Reader), c_uint64)
request_set_body_gzip = _function("netcore_request_set_body_gzip", c_uint64, c_uint64)
request_add_part = _function("netcore_request_add_part", c_uint64, c_char_p, c_void_p, c_size_t, POINTER(PartOptions))
request_add_file_part = _function("netcore_request_add_file_part", c_uint64, c_char_p, c_char_p, POINTER(PartOptions))
request_add_reader_part = _function(
    "netcore_request_add_reader_part", c_uint64, c_char_p, POINTER(Reader), c_uint64, POINTER(PartOptions)
)
request_set_cache_mode = _function("netcore_request_set_cache_mode", c_uint64, c_int32)
request_set_cache_ttl_ms = _function("netcore_request_set_cache_ttl_ms", c_uint64, c_uint64)
request_set_cache_scope = _function("netcore_request_set_cache_scope", c_uint64, c_char_p)
request_set_cache_version = _function("netcore_request_set_cache_version", c_uint64, c_uint32)
request_set_cache_key = _function("netcore_request_set_cache_key", c_uint64, c_char_p)
request_add_cache_key_field = _function("netcore_request_add_cache_key_field", c_uint64, c_char_p)

perform = _blocking("netcore_perform", c_uint64, c_uint64, POINTER(c_uint64))
perform_for = _blocking(
    "netcore_perform_for", c_uint64, c_uint64, c_uint64, POINTER(c_uint64), POINTER(c_uint64), POINTER(ResponseInfo)
)
task_wait = _blocking("netcore_task_wait", c_uint64, c_uint64, POINTER(c_uint64), POINTER(ResponseInfo))
dispatch = _function("netcore_dispatch", c_uint64, c_uint64, c_void_p, c_void_p, POINTER(c_uint64))
dispatch_many = _blocking("netcore_dispatch_many", c_uint64, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p)
task_create = _function("netcore_task_create", c_uint64, c_uint64, c_void_p, c_void_p, c_void_p)
task_dispatch = _function("netcore_task_dispatch", c_uint64)
task_cancel = _function("netcore_task_cancel", c_uint64)
task_get_info = _function("netcore_task_get_info", c_uint64, POINTER(TaskInfo))
task_complete = _function("netcore_task_complete", c_uint64, c_int32)

group_create = _function("netcore_group_create", c_uint64, POINTER(c_uint64))
group_add = _function("netcore_group_add", c_uint64, c_uint64, c_void_p, c_void_p, POINTER(c_uint64))
group_add_host_task = _function(
    "netcore_group_add_host_task", c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(c_uint64)
)
group_dispatch = _blocking("netcore_group_dispatch", c_uint64, c_void_p, c_void_p)
group_cancel = _blocking("netcore_group_cancel", c_uint64)
group_get_info = _function("netcore_group_get_info", c_uint64, POINTER(GroupInfo))

response_get_info = _function("netcore_response_get_info", c_uint64, POINTER(ResponseInfo))
response_get_error = _function("netcore_response_get_error", c_uint64, POINTER(ErrorInfo))
response_get_header = _function("netcore_response_get_header", c_uint64, c_char_p, c_uint32, POINTER(Bytes))
response_get_header_at = _function("netcore_response_get_header_at", c_uint64, c_uint32, POINTER(Bytes), POINTER(Bytes))
response_get_trailer_at = _function(
    "netcore_response_get_trailer_at", c_uint64, c_uint32, POINTER(Bytes), POINTER(Bytes)
)
response_retain = _function("netcore_response_retain", c_uint64)
response_release = _function("netcore_response_release", c_uint64)

cache_create = _blocking("netcore_cache_create", POINTER(CacheOptions), POINTER(c_uint64))
cache_destroy = _blocking("netcore_cache_destroy", c_uint64)
cache_clear = _blocking("netcore_cache_clear", c_uint64, c_int32, c_char_p)
cache_set_limit = _blocking("netcore_cache_set_limit", c_uint64, c_int32, c_uint64)
cache_get_statistics = _blocking("netcore_cache_get_statistics", c_uint64, POINTER(CacheStatistics))
cache_list = _blocking("netcore_cache_list", c_uint64, CacheEntryFn, c_void_p)
cache_flush = _blocking("netcore_cache_flush", c_uint64)
client_get_cached = _blocking("netcore_client_get_cached", c_uint64, c_uint64, POINTER(c_uint64), POINTER(c_int32))
response_set_cached_value = _blocking("netcore_response_set_cached_value", c_uint64, c_void_p, c_size_t, CacheReleaseFn)
response_get_cached_value = _function("netcore_response_get_cached_value", c_uint64, POINTER(c_void_p))

fast_perform_for = _fast("netcore_perform_for", blocks=True)
fast_task_wait = _fast("netcore_task_wait", blocks=True)
fast_dispatch = _fast("netcore_dispatch", blocks=False)
fast_wait = _fast("netcore_client_wait", blocks=True)
fast_take = _fast("netcore_client_wait", blocks=False)
"""netcore_client_wait() with a timeout of 0."""
fast_get_info = _fast("netcore_response_get_info", blocks=False)
fast_release = _fast("netcore_response_release", blocks=False)


def for_ever(function: Any) -> Any:
    """Keeps a function that C may call until the very end of the process."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(function))
    return function


def last_message() -> str:
    """What netcore says about the last call that failed on this thread."""
    message: bytes = last_error_message()
    return message.decode("utf-8", "replace")
