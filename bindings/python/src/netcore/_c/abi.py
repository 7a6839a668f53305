"""Constants, structs, types of callbacks and functions of netcore.h. Written by scripts/generate."""

# ruff: noqa: RUF012
from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)

from .declare import Sized, Structure, function

OK = 0
ERR_INVALID_ARGUMENT = 100
ERR_INVALID_HANDLE = 101
ERR_INVALID_STRUCT = 102
ERR_INVALID_URL = 103
ERR_INVALID_SCHEME = 104
ERR_INVALID_METHOD = 105
ERR_INVALID_HEADER = 106
ERR_NOT_FOUND = 107
ERR_INVALID_PARAM = 108
ERR_INVALID_STATE = 200
ERR_SHUT_DOWN = 201
ERR_FORKED = 202
ERR_IN_PROGRESS = 203
ERR_CANCELED = 300
ERR_SKIPPED = 301
ERR_TIMEOUT_CONNECT = 400
ERR_TIMEOUT_FIRST_BYTE = 401
ERR_TIMEOUT_IDLE = 402
ERR_TIMEOUT_TOTAL = 403
ERR_TIMEOUT_RATE = 404
ERR_TIMEOUT_ATTEMPT = 405
ERR_RESOLVE = 500
ERR_RESOLVE_PROXY = 501
ERR_CONNECT = 600
ERR_CONNECT_PROXY = 601
ERR_CONNECTION_LOST = 602
ERR_TLS = 700
ERR_TLS_CERTIFICATE = 701
ERR_TLS_CONFIG = 702
ERR_PROTOCOL = 800
ERR_TRUNCATED = 801
ERR_CONTENT_CODING = 802
ERR_REDIRECT = 803
ERR_REDIRECT_INSECURE = 804
ERR_HTTP_STATUS = 805
ERR_INTEGRITY = 806
ERR_LIMIT_HEADER_BYTES = 900
ERR_LIMIT_BODY_BYTES = 901
ERR_LIMIT_DECODED_BYTES = 902
ERR_LIMIT_DECODE_RATIO = 903
ERR_LIMIT_REDIRECTS = 904
ERR_LIMIT_QUEUE_LENGTH = 905
ERR_STORAGE = 1000
ERR_FILE_BUSY = 1001
ERR_FILE_EXISTS = 1002
ERR_INTERNAL = 1100
ERR_OUT_OF_MEMORY = 1101
ERR_BODY = 1200
ERR_BODY_REWIND = 1201
ERR_REFUSED = 1300
ERR_NO_STUB = 1301
ERR_NETWORK_METERED = 1400
ERR_NETWORK_INTERFACE = 1401
ERR_NETWORK_UNREACHABLE = 1402
ERR_DUPLICATE = 1500
ERR_TOO_SOON = 1501
ERR_RATE_LIMITED = 1502
ERR_DROPPED = 1503
ERR_BREAKER_OPEN = 1600
ERR_REJECTED_STATUS = 1700
ERR_REJECTED_CONTENT_TYPE = 1701
ERR_REJECTED_JSON = 1702
ERR_REJECTED = 1703
ERR_REJECTED_CODE = 1704
ERR_NO_DATA = 1800
ERR_NO_MORE_DATA = 1801
ERR_PAGE_LOOP = 1802
STATUS_APPLICATION_FIRST = 2000
STATUS_APPLICATION_LAST = 2999
PHASE_NONE = 0
PHASE_QUEUE = 1
PHASE_CONNECT = 2
PHASE_SEND = 3
PHASE_WAIT = 4
PHASE_RECEIVE = 5
PHASE_DONE = 6
CANCEL_CAUSE_NONE = 0
CANCEL_CAUSE_APPLICATION = 1
CANCEL_CAUSE_CLIENT = 2
CANCEL_CAUSE_REPLACED = 3
CANCEL_CAUSE_SCOPE = 4
LIMIT_HEADER_BYTES = 1
LIMIT_BODY_BYTES = 2
LIMIT_DECODED_BYTES = 3
LIMIT_DECODE_RATIO = 4
LIMIT_REDIRECTS = 5
LIMIT_TRANSFERS = 6
LIMIT_TRANSFERS_PER_HOST = 7
LIMIT_QUEUE_LENGTH = 8
COMPLETION_MODE_CALLBACK = 0
COMPLETION_MODE_PUMP = 1
COMPLETION_MODE_QUEUE = 2
COMPLETION_MODE_LOOP = 3
COMPLETION_MODE_LOOP_QUEUE = 4
COMPLETION_KIND_TASK = 1
COMPLETION_KIND_GROUP = 2
COMPLETION_KIND_PROVISIONAL = 3
COMPLETION_KIND_INTERIM = 4
COMPLETION_KIND_PROGRESS = 5
COMPLETION_KIND_HEAD = 6
COMPLETION_KIND_READABLE = 7
COMPLETION_KIND_START = 8
COMPLETION_KIND_STOP = 9
SERIALIZER_FORM = 0
SERIALIZER_JSON = 1
SERIALIZER_QUERY = 2
PARAM_NESTING_REPEAT = 0
PARAM_NESTING_BRACKETS = 1
PRIORITY_LOW = -1
PRIORITY_DEFAULT = 0
PRIORITY_HIGH = 1
HTTP_VERSION_NONE = 0
HTTP_VERSION_1_0 = 10
HTTP_VERSION_1_1 = 11
HTTP_VERSION_2 = 20
CACHE_EVENT_KIND_SET_ASIDE = 1
CACHE_EVENT_KIND_STORING_STOPPED = 2
CACHE_EVENT_KIND_STORING_RESUMED = 3
CACHE_EVENT_KIND_DAMAGED_ENTRY = 4
CACHE_FILTER_ALL = 0
CACHE_FILTER_URL = 1
CACHE_FILTER_PREFIX = 2
CACHE_FILTER_TAG = 3
CACHE_FILTER_SCOPE = 4
CACHE_LIMIT_MEMORY_BYTES = 1
CACHE_LIMIT_MEMORY_COUNT = 2
CACHE_LIMIT_DISK_BYTES = 3
CACHE_LIMIT_DISK_COUNT = 4
CACHE_MODE_STANDARD = 0
CACHE_MODE_IGNORE = 1
CACHE_MODE_RELOAD = 2
CACHE_MODE_ONLY = 3
CACHE_MODE_ELSE_NETWORK = 4
CACHE_MODE_NETWORK_ELSE_CACHE = 5
CACHE_MODE_THEN_NETWORK = 6
CACHE_MODE_NEVER = 7
CACHE_RESULT_NONE = 0
CACHE_RESULT_HIT = 1
CACHE_RESULT_STALE_HIT = 2
CACHE_RESULT_REVALIDATED = 3
CACHE_RESULT_UNSATISFIABLE = 4
CACHE_RESULT_NOT_CACHED = 10
CACHE_RESULT_EXPIRED = 11
CACHE_RESULT_VERSION = 12
CACHE_RESULT_SCOPE = 13
CACHE_RESULT_APPLICATION_VERSION = 14
CACHE_RESULT_DAMAGED = 15
CACHE_RESULT_VARIANT = 16
CACHE_RESULT_REQUESTED = 17
CACHE_RESULT_PASSED = 18
BODY_KIND_NONE = 0
BODY_KIND_BYTES = 1
BODY_KIND_FILE = 2
BODY_KIND_READER = 3
BODY_KIND_PARTS = 4
TLS_VERSION_DEFAULT = 0
TLS_VERSION_1_2 = 12
TLS_VERSION_1_3 = 13
ADDRESS_FAMILY_ANY = 0
ADDRESS_FAMILY_IPV4 = 4
ADDRESS_FAMILY_IPV6 = 6
QUEUE_OVERFLOW_REFUSE_NEW = 0
QUEUE_OVERFLOW_DROP_LOWEST = 1
TASK_STATE_NONE = 0
TASK_STATE_CREATED = 1
TASK_STATE_QUEUED = 2
TASK_STATE_RUNNING = 3
TASK_STATE_FINISHED = 4
EVENT_SOURCE_STATE_CONNECTING = 0
EVENT_SOURCE_STATE_OPEN = 1
EVENT_SOURCE_STATE_WAITING = 2
EVENT_SOURCE_STATE_CLOSED = 3
RESPONSE_FILTER_KIND_NETWORK = 0
RESPONSE_FILTER_KIND_DELIVERY = 1
AUTH_NONE = 0
AUTH_BASIC = 1
AUTH_BEARER = 2
AUTH_DIGEST = 3
AUTH_NEGOTIATE = 4
GROUP_RULE_ALL_SETTLED = 0
GROUP_RULE_ALL_OR_NOTHING = 1
GROUP_RULE_ANY = 2
GROUP_RULE_CHAIN = 3
RETRY_ERRORS_RESOLVE = 1
RETRY_ERRORS_CONNECT = 2
RETRY_ERRORS_RESET = 4
RETRY_ERRORS_TRUNCATED = 8
RETRY_ERRORS_TIMEOUT = 16
RETRY_ERRORS_NONE = 32
RETRY_VERDICT_POLICY = 0
RETRY_VERDICT_RETRY = 1
RETRY_VERDICT_STOP = 2
RETRIES_CLIENT = 0
RETRIES_OFF = 1
RETRIES_OWN = 2
RETRY_REASON_OUTCOME = 0
RETRY_REASON_RETRIED = 1
RETRY_REASON_ATTEMPTS = 2
RETRY_REASON_BUDGET = 3
RETRY_REASON_DEADLINE = 4
RETRY_REASON_RETRY_AFTER = 5
RETRY_REASON_NOT_IDEMPOTENT = 6
RETRY_REASON_BODY = 7
RETRY_REASON_APPLICATION = 8
RETRY_REASON_CANCELED = 9
RETRY_REASON_BREAKER = 10
RETRY_REASON_REDIRECT = 11
RETRY_REASON_CHALLENGE = 12
RETRY_REASON_ALTERNATIVE = 13
RETRY_REASON_HEDGED = 14
HEDGING_CLIENT = 0
HEDGING_OFF = 1
HEDGING_OWN = 2
BREAKER_STATE_CLOSED = 0
BREAKER_STATE_OPEN = 1
BREAKER_STATE_HALF_OPEN = 2
DUPLICATES_ALLOW = 0
DUPLICATES_JOIN = 1
DUPLICATES_DROP_NEW = 2
DUPLICATES_CANCEL_OLD = 3
RATE_SCOPE_CLIENT = 0
RATE_SCOPE_HOST = 1
RATE_SCOPE_TAG = 2
RATE_SCOPE_KEY = 3
REACHABILITY_UNKNOWN = 0
REACHABILITY_REACHABLE = 1
REACHABILITY_UNREACHABLE = 2
EVENT_QUEUED = 1
EVENT_DISPATCHED = 2
EVENT_CACHE = 3
EVENT_JOINED = 4
EVENT_WAIT_BEGAN = 5
EVENT_WAIT_ENDED = 6
EVENT_HOP_BEGAN = 10
EVENT_RESOLVED = 11
EVENT_CONNECTED = 12
EVENT_SECURED = 13
EVENT_SENT = 14
EVENT_FIRST_BYTE = 15
EVENT_HOP_ENDED = 16
EVENT_REDIRECT = 20
EVENT_AUTH = 21
EVENT_RETRY = 22
EVENT_BREAKER = 23
EVENT_FAILOVER = 24
EVENT_REACHABILITY = 25
EVENT_HEDGE = 26
EVENT_BREAKER_STATE = 27
EVENT_DONE = 30
EVENT_RETURNED = 31
EVENT_STORAGE = 40
WAIT_SLOT = 1
WAIT_RATE = 2
WAIT_NETWORK = 3
WAIT_INTERVAL = 4
STUB_BODY_ANY = 0
STUB_BODY_BYTES = 1
STUB_BODY_JSON = 2
STUB_FAULT_NONE = 0
STUB_FAULT_RESET = 1
STUB_FAULT_EMPTY = 2
STUB_FAULT_SILENCE = 3
STUB_FAULT_CUT = 4
STUB_FAULT_STALL = 5
STUB_FAULT_MALFORMED_CHUNK = 6
STUB_FAULT_ERROR = 7
CASSETTE_MODE_ONCE = 0
CASSETTE_MODE_NEW = 1
CASSETTE_MODE_NONE = 2
CASSETTE_MODE_ALL = 3
PAGE_STYLE_DETECT = 0
PAGE_STYLE_LINK_HEADER = 1
PAGE_STYLE_BODY_LINK = 2
PAGE_STYLE_PAGE_NUMBER = 3
PAGE_STYLE_OFFSET = 4
PAGE_STYLE_BODY_CURSOR = 5
PAGE_STYLE_HEADER_CURSOR = 6
PAGE_STYLE_FUNCTION = 7
PAGE_OVERLAP_JOIN = 0
PAGE_OVERLAP_REPLACE = 1
PAGE_OVERLAP_REFUSE = 2
PAGE_LOAD_MORE = 0
PAGE_LOAD_REFRESH = 1
PAGE_LOAD_NUMBER = 2
APPLICATION_CODE_NONE = 0
APPLICATION_CODE_DEFAULT = 1
APPLICATION_CODE_TIMEOUT = 2
APPLICATION_CODE_CANNOT_CONNECT = 3
APPLICATION_CODE_NO_NETWORK = 4
APPLICATION_CODE_CANCELED = 5
APPLICATION_CODE_NO_DATA = 6
APPLICATION_CODE_NO_MORE_DATA = 7
APPLICATION_CODE_NOT_ALLOWED = 8
APPLICATION_CODE_NOT_FOUND = 9
APPLICATION_CODE_SERVER_ERROR = 10
APPLICATION_CODE_INVALID_ANSWER = 11
APPLICATION_CODE_INSECURE = 12
APPLICATION_CODE_TOO_MANY_REQUESTS = 13
APPLICATION_CODE_REJECTED = 14
APPLICATION_CODE_INVALID_REQUEST = 15
APPLICATION_CODE_STORAGE = 16
APPLICATION_CODE_FIRST = 1000
PARAM_PLACE_DEFAULT = 0
PARAM_PLACE_QUERY = 1
PARAM_PLACE_HEADER = 2
PARAM_PLACE_BODY = 3
LOG_LEVEL_WARNING = 2
LOG_LEVEL_DEBUG = 4


class Bytes(Structure):
    """netcore_bytes"""

    _fields_ = [
        ("data", c_void_p),
        ("size_bytes", c_size_t),
    ]


class Error(Sized):
    """netcore_error"""

    _fields_ = [
        ("size", c_uint32),
        ("status", c_int32),
        ("message", Bytes),
        ("phase", c_int32),
        ("native_code", c_int32),
        ("attempts", c_uint32),
        ("is_retryable", c_int32),
        ("argument", Bytes),
        ("retry_after_ms", c_uint64),
        ("cancel_cause", c_int32),
        ("sent", c_int32),
        ("application_code", c_int32),
        ("reserved", c_int32),
        ("user_message", Bytes),
    ]


class Completion(Sized):
    """netcore_completion"""

    _fields_ = [
        ("size", c_uint32),
        ("kind", c_int32),
        ("status", c_int32),
        ("http_status", c_int32),
        ("task", c_uint64),
        ("group", c_uint64),
        ("response", c_uint64),
        ("user_data", c_void_p),
    ]


ReleaseFn = CFUNCTYPE(None, c_void_p)

ReaderRead = CFUNCTYPE(c_size_t, c_void_p, c_size_t, c_void_p)
ReaderRewind = CFUNCTYPE(c_int32, c_void_p)


class Reader(Sized):
    """netcore_reader"""

    _fields_ = [
        ("size", c_uint32),
        ("read", ReaderRead),
        ("rewind", ReaderRewind),
        ("user_data", c_void_p),
        ("release", ReleaseFn),
    ]


class PartHeader(Structure):
    """netcore_part_header"""

    _fields_ = [
        ("name", c_char_p),
        ("value", c_char_p),
    ]


class PartOptions(Sized):
    """netcore_part_options"""

    _fields_ = [
        ("size", c_uint32),
        ("header_count", c_uint32),
        ("file_name", c_char_p),
        ("content_type", c_char_p),
        ("headers", POINTER(PartHeader)),
        ("header_size", c_size_t),
    ]


class ResponseInfo(Sized):
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
        ("try_count", c_uint32),
        ("joined", c_int32),
        ("body_sha256", Bytes),
    ]


class CacheEvent(Sized):
    """netcore_cache_event"""

    _fields_ = [
        ("size", c_uint32),
        ("kind", c_int32),
        ("path", c_char_p),
        ("reason", c_char_p),
    ]


class CacheRule(Structure):
    """netcore_cache_rule"""

    _fields_ = [
        ("url_pattern", c_char_p),
        ("ttl_ms", c_uint64),
    ]


class CacheRequest(Sized):
    """netcore_cache_request"""

    _fields_ = [
        ("size", c_uint32),
        ("runs_on_loop", c_int32),
        ("method", c_char_p),
        ("url", c_char_p),
        ("body", Bytes),
        ("headers", Bytes),
    ]


CacheTextFn = CFUNCTYPE(c_int32, POINTER(CacheRequest), c_void_p, c_size_t, c_void_p)

CacheEventFn = CFUNCTYPE(None, POINTER(CacheEvent), c_void_p)


class CacheOptions(Sized):
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
        ("release", ReleaseFn),
        ("streamed_bytes", c_uint64),
        ("clock", c_uint64),
        ("value_ttl_ms", c_uint64),
    ]


class CacheStatistics(Sized):
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


class CacheEntry(Sized):
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
        ("tags", Bytes),
    ]


class CacheValueOptions(Sized):
    """netcore_cache_value_options"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("ttl_ms", c_uint64),
        ("tags", POINTER(c_char_p)),
        ("tag_count", c_size_t),
    ]


class RequestInfo(Sized):
    """netcore_request_info"""

    _fields_ = [
        ("size", c_uint32),
        ("header_count", c_uint32),
        ("method", Bytes),
        ("url", Bytes),
        ("body", Bytes),
        ("service", Bytes),
        ("base_url", Bytes),
        ("tag", Bytes),
        ("allowed_interface", Bytes),
        ("cache_scope", Bytes),
        ("cache_key", Bytes),
        ("connect_timeout_ms", c_uint64),
        ("first_byte_timeout_ms", c_uint64),
        ("idle_timeout_ms", c_uint64),
        ("total_timeout_ms", c_uint64),
        ("max_receive_rate", c_uint64),
        ("max_send_rate", c_uint64),
        ("min_receive_rate", c_uint64),
        ("min_receive_rate_window_ms", c_uint64),
        ("progress_interval_ms", c_uint64),
        ("gzip_minimum_bytes", c_uint64),
        ("cache_ttl_ms", c_uint64),
        ("user_info", c_void_p),
        ("auth", c_int32),
        ("serializer", c_int32),
        ("priority", c_int32),
        ("cache_mode", c_int32),
        ("cache_version", c_uint32),
        ("cache_errors", c_int32),
        ("use_cdn", c_int32),
        ("use_https", c_int32),
        ("is_bare", c_int32),
        ("follow_redirects", c_int32),
        ("allow_insecure_redirects", c_int32),
        ("decode_content", c_int32),
        ("interim_responses", c_int32),
        ("use_cookies", c_int32),
        ("allow_metered", c_int32),
        ("sent_once", c_int32),
        ("allow_unclean_end", c_int32),
        ("content_type", Bytes),
        ("body_kind", c_int32),
        ("body_file", Bytes),
        ("part_count", c_uint32),
        ("cache_key_field_count", c_uint32),
        ("cache_key_fields", Bytes),
        ("tags", Bytes),
        ("tag_count", c_uint32),
        ("idempotent", c_int32),
        ("duplicates", c_int32),
        ("min_interval_wait", c_int32),
        ("min_interval_ms", c_uint64),
        ("min_interval_key", Bytes),
        ("rate_key", Bytes),
        ("expect_continue_ms", c_uint64),
        ("wait_for_network_ms", c_uint64),
        ("accepted_statuses", Bytes),
        ("accepted_content_types", Bytes),
        ("json_shape", Bytes),
        ("has_validator", c_int32),
        ("drop_nulls", c_int32),
        ("task_scope", c_uint64),
        ("param_nesting", c_int32),
        ("invalidated_tag_count", c_uint32),
        ("invalidated_tags", Bytes),
        ("error_code_field", Bytes),
        ("error_message_field", Bytes),
        ("error_success", Bytes),
        ("error_count", c_uint32),
        ("has_filter", c_int32),
        ("body_sha256", Bytes),
        ("has_body_sha256", c_int32),
        ("reserved", c_int32),
    ]


class PartInfo(Sized):
    """netcore_part_info"""

    _fields_ = [
        ("size", c_uint32),
        ("kind", c_int32),
        ("name", Bytes),
        ("data", Bytes),
        ("path", Bytes),
        ("file_name", Bytes),
        ("content_type", Bytes),
        ("headers", Bytes),
    ]


class PinnedKeys(Structure):
    """netcore_pinned_keys"""

    _fields_ = [
        ("host", c_char_p),
        ("keys", c_char_p),
    ]


class ClientOptions(Sized):
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
        ("ignore_environment", c_int32),
        ("http_proxy", c_char_p),
        ("https_proxy", c_char_p),
        ("clock", c_uint64),
    ]


class Network(Sized):
    """netcore_network"""

    _fields_ = [
        ("size", c_uint32),
        ("is_metered", c_int32),
        ("interface", c_char_p),
    ]


class TaskInfo(Sized):
    """netcore_task_info"""

    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("received_bytes", c_uint64),
        ("expected_bytes", c_uint64),
        ("sent_bytes", c_uint64),
        ("to_send_bytes", c_uint64),
        ("priority", c_int32),
        ("reserved", c_int32),
    ]


DoneFn = CFUNCTYPE(None, POINTER(Completion))


class Callbacks(Sized):
    """netcore_callbacks"""

    _fields_ = [
        ("size", c_uint32),
        ("silent_cancel", c_int32),
        ("success", DoneFn),
        ("failure", DoneFn),
        ("finished", DoneFn),
        ("user_data", c_void_p),
        ("release", ReleaseFn),
    ]


class DownloadOptions(Sized):
    """netcore_download_options"""

    _fields_ = [
        ("size", c_uint32),
        ("overwrite", c_int32),
        ("expected_bytes", c_uint64),
        ("sha256", c_char_p),
        ("key", c_char_p),
        ("resumes", c_uint32),
        ("compute_sha256", c_int32),
        ("skip_sync", c_int32),
        ("segments", c_uint32),
        ("segment_bytes", c_uint64),
    ]


class DownloadInfo(Sized):
    """netcore_download_info"""

    _fields_ = [
        ("size", c_uint32),
        ("complete", c_int32),
        ("size_bytes", c_uint64),
        ("resumed_from", c_uint64),
        ("fetched_bytes", c_uint64),
        ("fetched_again_bytes", c_uint64),
        ("requests", c_uint32),
        ("reserved", c_uint32),
        ("path", Bytes),
        ("sha256", Bytes),
    ]


class DownloadProgress(Sized):
    """netcore_download_progress"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("done_bytes", c_uint64),
        ("total_bytes", c_uint64),
        ("resumed_from", c_uint64),
        ("bytes_per_second", c_uint64),
        ("time_left_ms", c_uint64),
    ]


class DownloadPart(Sized):
    """netcore_download_part"""

    _fields_ = [
        ("size", c_uint32),
        ("busy", c_int32),
        ("size_bytes", c_uint64),
        ("total_bytes", c_uint64),
        ("modified", c_int64),
        ("path", c_char_p),
    ]


class ServerEvent(Sized):
    """netcore_server_event"""

    _fields_ = [
        ("size", c_uint32),
        ("has_event", c_int32),
        ("type", Bytes),
        ("data", Bytes),
        ("last_event_id", Bytes),
        ("retry_ms", c_uint64),
    ]


class EventSourceOptions(Sized):
    """netcore_event_source_options"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("retry_ms", c_uint64),
        ("longest_retry_ms", c_uint64),
        ("largest_event_bytes", c_uint64),
        ("last_event_id", c_char_p),
    ]


class EventSourceInfo(Sized):
    """netcore_event_source_info"""

    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("last_event_id", Bytes),
        ("retry_ms", c_uint64),
        ("connections", c_uint64),
    ]


class HopInfo(Sized):
    """netcore_hop_info"""

    _fields_ = [
        ("size", c_uint32),
        ("attempt", c_uint32),
        ("hop", c_uint32),
        ("reserved", c_uint32),
        ("number", c_uint64),
        ("method", c_char_p),
        ("url", c_char_p),
        ("value", c_char_p),
        ("url_template", c_char_p),
    ]


class Challenge(Sized):
    """netcore_challenge"""

    _fields_ = [
        ("size", c_uint32),
        ("failures", c_uint32),
        ("url", c_char_p),
        ("auth", c_int32),
        ("realm", c_char_p),
    ]


class Cookie(Sized):
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


class GroupInfo(Sized):
    """netcore_group_info"""

    _fields_ = [
        ("size", c_uint32),
        ("total", c_uint32),
        ("succeeded", c_uint32),
        ("failed", c_uint32),
        ("canceled", c_uint32),
        ("is_dispatched", c_int32),
        ("skipped", c_uint32),
        ("reserved", c_uint32),
        ("received_bytes", c_uint64),
        ("sent_bytes", c_uint64),
    ]


class GroupOptions(Sized):
    """netcore_group_options"""

    _fields_ = [
        ("size", c_uint32),
        ("rule", c_int32),
        ("limit", c_uint32),
        ("drops_responses", c_int32),
        ("timeout_ms", c_uint64),
    ]


class RetryOutcome(Sized):
    """netcore_retry_outcome"""

    _fields_ = [
        ("size", c_uint32),
        ("attempt", c_uint32),
        ("status", c_int32),
        ("http_status", c_int32),
        ("retry_after_ms", c_int64),
        ("delay_ms", c_int64),
        ("response", c_uint64),
    ]


RetryFn = CFUNCTYPE(c_int32, POINTER(RetryOutcome), POINTER(c_uint64), c_void_p)


class RetryOptions(Sized):
    """netcore_retry_options"""

    _fields_ = [
        ("size", c_uint32),
        ("attempts", c_uint32),
        ("base_delay_ms", c_uint64),
        ("throttled_delay_ms", c_uint64),
        ("max_delay_ms", c_uint64),
        ("max_retry_after_ms", c_uint64),
        ("attempt_timeout_ms", c_uint64),
        ("statuses", POINTER(c_int32)),
        ("status_count", c_size_t),
        ("methods", POINTER(c_char_p)),
        ("method_count", c_size_t),
        ("errors", c_uint32),
        ("budget_tokens", c_uint32),
        ("budget_success_percent", c_uint32),
        ("budget_per_second", c_uint32),
        ("idempotency_keys", c_int32),
        ("decide", RetryFn),
        ("user_data", c_void_p),
        ("release", ReleaseFn),
    ]


class Try(Sized):
    """netcore_try"""

    _fields_ = [
        ("size", c_uint32),
        ("reason", c_int32),
        ("status", c_int32),
        ("http_status", c_int32),
        ("delay_ms", c_uint64),
        ("retry_after_ms", c_int64),
        ("server", Bytes),
        ("address", Bytes),
        ("attempt", c_uint32),
        ("resent_count", c_uint32),
        ("start_us", c_uint64),
        ("duration_us", c_uint64),
        ("is_hedge", c_int32),
        ("reserved", c_uint32),
    ]


class HedgeOptions(Sized):
    """netcore_hedge_options"""

    _fields_ = [
        ("size", c_uint32),
        ("percentile", c_uint32),
        ("window_ms", c_uint64),
        ("refresh_ms", c_uint64),
        ("min_delay_ms", c_uint64),
        ("initial_delay_ms", c_uint64),
        ("min_samples", c_uint32),
        ("bucket_count", c_uint32),
        ("budget_tokens", c_uint32),
        ("budget_success_percent", c_uint32),
    ]


class BreakerOptions(Sized):
    """netcore_breaker_options"""

    _fields_ = [
        ("size", c_uint32),
        ("bucket_count", c_uint32),
        ("window_ms", c_uint64),
        ("min_tries", c_uint32),
        ("failure_percent", c_uint32),
        ("connect_failures", c_uint32),
        ("jitter_percent", c_uint32),
        ("open_ms", c_uint64),
        ("max_open_ms", c_uint64),
    ]


class BreakerInfo(Sized):
    """netcore_breaker_info"""

    _fields_ = [
        ("size", c_uint32),
        ("state", c_int32),
        ("origin", Bytes),
        ("try_count", c_uint64),
        ("failure_count", c_uint64),
        ("wait_ms", c_uint64),
        ("opening_count", c_uint64),
        ("refusal_count", c_uint64),
    ]


class MinInterval(Sized):
    """netcore_min_interval"""

    _fields_ = [
        ("size", c_uint32),
        ("wait", c_int32),
        ("interval_ms", c_uint64),
        ("key", c_char_p),
    ]


class Rate(Sized):
    """netcore_rate"""

    _fields_ = [
        ("size", c_uint32),
        ("requests", c_uint32),
        ("interval_ms", c_uint64),
        ("burst", c_uint32),
        ("transfers", c_uint32),
        ("max_wait_ms", c_uint64),
        ("server_hints", c_int32),
        ("reserved", c_int32),
    ]


class FailoverOptions(Sized):
    """netcore_failover_options"""

    _fields_ = [
        ("size", c_uint32),
        ("bucket_count", c_uint32),
        ("window_ms", c_uint64),
        ("min_tries", c_uint32),
        ("failure_percent", c_uint32),
        ("cool_down_ms", c_uint64),
        ("probe_path", c_char_p),
        ("probe_method", c_char_p),
        ("probe_interval_ms", c_uint64),
        ("probe_timeout_ms", c_uint64),
        ("probe_successes", c_uint32),
        ("reserved", c_int32),
    ]


class ClientStatistics(Sized):
    """netcore_client_statistics"""

    _fields_ = [
        ("size", c_uint32),
        ("queued_count", c_uint32),
        ("task_count", c_uint64),
        ("succeeded_count", c_uint64),
        ("failed_count", c_uint64),
        ("canceled_count", c_uint64),
        ("attempt_count", c_uint64),
        ("retry_count", c_uint64),
        ("budget_refusal_count", c_uint64),
        ("breaker_refusal_count", c_uint64),
        ("failover_count", c_uint64),
        ("hedge_count", c_uint64),
        ("hedge_win_count", c_uint64),
        ("bytes_sent", c_uint64),
        ("bytes_received", c_uint64),
    ]


class BudgetInfo(Sized):
    """netcore_budget_info"""

    _fields_ = [
        ("size", c_uint32),
        ("tokens", c_uint32),
        ("capacity", c_uint32),
        ("reserved", c_uint32),
        ("origin", Bytes),
    ]


class ClientEvent(Sized):
    """netcore_client_event"""

    _fields_ = [
        ("size", c_uint32),
        ("kind", c_int32),
        ("time_ns", c_uint64),
        ("number", c_uint64),
        ("task", c_uint64),
        ("attempt", c_uint32),
        ("hop", c_uint32),
        ("status", c_int32),
        ("error", c_int32),
        ("value", c_uint64),
        ("detail", c_uint64),
        ("peer_address", c_uint8 * 16),
        ("peer_port", c_uint32),
        ("http_version", c_int32),
    ]


class Stub(Sized):
    """netcore_stub"""

    _fields_ = [
        ("size", c_uint32),
        ("times", c_uint32),
        ("method", c_char_p),
        ("url", c_char_p),
        ("headers", c_char_p),
        ("body", c_void_p),
        ("body_size_bytes", c_size_t),
        ("body_kind", c_int32),
        ("reserved", c_uint32),
    ]


class StubAnswer(Sized):
    """netcore_stub_answer"""

    _fields_ = [
        ("size", c_uint32),
        ("http_status", c_int32),
        ("headers", c_char_p),
        ("body", c_void_p),
        ("body_size_bytes", c_size_t),
        ("delay_ms", c_uint32),
        ("delay_max_ms", c_uint32),
        ("delay_sigma", c_double),
        ("fault", c_int32),
        ("error", c_int32),
        ("fault_after_bytes", c_uint64),
        ("piece_size_bytes", c_uint32),
        ("piece_delay_ms", c_uint32),
        ("error_message", c_char_p),
    ]


class CassetteOptions(Sized):
    """netcore_cassette_options"""

    _fields_ = [
        ("size", c_uint32),
        ("mode", c_int32),
        ("secret_headers", POINTER(c_char_p)),
        ("secret_header_count", c_size_t),
        ("secret_parameters", POINTER(c_char_p)),
        ("secret_parameter_count", c_size_t),
        ("repeat", c_int32),
        ("skip_pauses", c_int32),
    ]


class CassetteInfo(Sized):
    """netcore_cassette_info"""

    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("replayed", c_uint64),
        ("recorded", c_uint64),
        ("unused", c_uint64),
    ]


class ClockOptions(Sized):
    """netcore_clock_options"""

    _fields_ = [
        ("size", c_uint32),
        ("automatic", c_int32),
        ("start_ms", c_int64),
    ]


class PageOptions(Sized):
    """netcore_page_options"""

    _fields_ = [
        ("size", c_uint32),
        ("style", c_int32),
        ("items", c_char_p),
        ("next", c_char_p),
        ("total", c_char_p),
        ("parameter", c_char_p),
        ("size_parameter", c_char_p),
        ("header", c_char_p),
        ("page_size", c_uint64),
        ("max_items", c_uint64),
        ("max_requests", c_uint64),
        ("overlap", c_int32),
        ("zero_based", c_int32),
        ("prefetch", c_int32),
        ("reserved", c_uint32),
    ]


class PageInfo(Sized):
    """netcore_page_info"""

    _fields_ = [
        ("size", c_uint32),
        ("style", c_int32),
        ("page", c_uint64),
        ("page_size", c_uint64),
        ("item_count", c_uint64),
        ("loaded", c_uint64),
        ("total", c_uint64),
        ("page_count", c_uint64),
        ("requests", c_uint64),
        ("last_request_ms", c_int64),
        ("has_more", c_int32),
        ("is_limited", c_int32),
        ("is_loading", c_int32),
        ("reserved", c_uint32),
    ]


class ErrorRow(Sized):
    """netcore_error_row"""

    _fields_ = [
        ("size", c_uint32),
        ("code", c_int32),
        ("value", c_char_p),
        ("message", c_char_p),
        ("http_status", c_int32),
        ("reserved", c_uint32),
    ]


class ApiParam(Sized):
    """netcore_api_param"""

    _fields_ = [
        ("size", c_uint32),
        ("place", c_int32),
        ("name", c_char_p),
        ("type", c_char_p),
        ("field", c_char_p),
        ("default_value", c_char_p),
    ]


FieldFn = CFUNCTYPE(c_int32, c_char_p, c_char_p, c_void_p)

EventFn = CFUNCTYPE(None, POINTER(Completion), c_void_p)

CacheEntryFn = CFUNCTYPE(c_int32, POINTER(CacheEntry), c_void_p)

CacheValueFn = CFUNCTYPE(None, Bytes, c_void_p)

DroppedFn = CFUNCTYPE(None, c_void_p)

DownloadPartFn = CFUNCTYPE(c_int32, POINTER(DownloadPart), c_void_p)

SelectionFn = CFUNCTYPE(None, c_char_p, c_char_p, c_void_p)

ValueFn = CFUNCTYPE(c_int32, c_void_p, c_size_t, c_void_p)

FilterFn = CFUNCTYPE(c_int32, c_uint64, c_void_p)

HopValueFn = CFUNCTYPE(c_int32, POINTER(HopInfo), c_void_p, c_size_t, c_void_p)

ResponseFilterFn = CFUNCTYPE(c_int32, c_uint64, c_void_p)

TokenFn = CFUNCTYPE(c_int32, c_char_p, c_void_p, c_size_t, c_void_p)

ChallengeFn = CFUNCTYPE(c_int32, POINTER(Challenge), c_uint64, c_void_p)

CookieFn = CFUNCTYPE(c_int32, POINTER(Cookie), c_void_p)

TaskFn = CFUNCTYPE(None, c_uint64, c_void_p)

BreakerFn = CFUNCTYPE(c_int32, POINTER(BreakerInfo), c_void_p)

ValidateFn = CFUNCTYPE(c_int32, c_uint64, c_void_p)

ReachabilityFn = CFUNCTYPE(None, c_int32, c_void_p)

BudgetFn = CFUNCTYPE(c_int32, POINTER(BudgetInfo), c_void_p)

ObserverFn = CFUNCTYPE(None, POINTER(ClientEvent), c_void_p)

TransportFn = CFUNCTYPE(None, c_uint64, c_uint64, c_void_p)

StubCallFn = CFUNCTYPE(c_int32, c_uint64, c_uint32, c_void_p)

NextPageFn = CFUNCTYPE(c_int32, c_uint64, c_void_p, c_size_t, c_void_p)

LogFn = CFUNCTYPE(None, c_int32, c_char_p, c_void_p)

status_name = function("netcore_status_name", c_char_p, c_int32)
status_message = function("netcore_status_message", c_char_p, c_int32)
last_error = function("netcore_last_error", c_int32, POINTER(Error))
last_error_message = function("netcore_last_error_message", c_char_p)
version = function("netcore_version", c_char_p)
version_details = function("netcore_version_details", c_char_p)
request_create = function("netcore_request_create", c_int32, c_char_p, c_char_p, POINTER(c_uint64))
request_create_relative = function(
    "netcore_request_create_relative", c_int32, c_char_p, c_char_p, c_char_p, POINTER(c_uint64)
)
request_copy = function("netcore_request_copy", c_int32, c_uint64, POINTER(c_uint64))
request_destroy = function("netcore_request_destroy", c_int32, c_uint64)
request_set_method = function("netcore_request_set_method", c_int32, c_uint64, c_char_p)
request_set_url = function("netcore_request_set_url", c_int32, c_uint64, c_char_p)
request_set_base_url = function("netcore_request_set_base_url", c_int32, c_uint64, c_char_p)
request_set_use_cdn = function("netcore_request_set_use_cdn", c_int32, c_uint64, c_int32)
request_set_use_https = function("netcore_request_set_use_https", c_int32, c_uint64, c_int32)
request_set_bare = function("netcore_request_set_bare", c_int32, c_uint64, c_int32)
request_set_path_value = function("netcore_request_set_path_value", c_int32, c_uint64, c_char_p, c_char_p)
request_set_header = function("netcore_request_set_header", c_int32, c_uint64, c_char_p, c_char_p)
request_add_header = function("netcore_request_add_header", c_int32, c_uint64, c_char_p, c_char_p)
request_remove_header = function("netcore_request_remove_header", c_int32, c_uint64, c_char_p)
request_remove_default_header = function("netcore_request_remove_default_header", c_int32, c_uint64, c_char_p)
request_set_body = function("netcore_request_set_body", c_int32, c_uint64, c_void_p, c_size_t)
request_set_content_type = function("netcore_request_set_content_type", c_int32, c_uint64, c_char_p)
request_add_param = function("netcore_request_add_param", c_int32, c_uint64, c_char_p, c_char_p)
request_add_param_int = function("netcore_request_add_param_int", c_int32, c_uint64, c_char_p, c_int64)
request_add_param_double = function("netcore_request_add_param_double", c_int32, c_uint64, c_char_p, c_double)
request_add_param_bool = function("netcore_request_add_param_bool", c_int32, c_uint64, c_char_p, c_int32)
request_add_param_null = function("netcore_request_add_param_null", c_int32, c_uint64, c_char_p)
request_add_param_json = function("netcore_request_add_param_json", c_int32, c_uint64, c_char_p, c_char_p)
request_add_param_list = function("netcore_request_add_param_list", c_int32, c_uint64, c_char_p, c_char_p)
request_remove_param = function("netcore_request_remove_param", c_int32, c_uint64, c_char_p)
request_remove_default_param = function("netcore_request_remove_default_param", c_int32, c_uint64, c_char_p)
request_set_serializer = function("netcore_request_set_serializer", c_int32, c_uint64, c_int32)
request_set_param_nesting = function("netcore_request_set_param_nesting", c_int32, c_uint64, c_int32)
request_set_body_file = function("netcore_request_set_body_file", c_int32, c_uint64, c_char_p)
request_set_body_reader = function("netcore_request_set_body_reader", c_int32, c_uint64, POINTER(Reader), c_uint64)
request_set_body_gzip = function("netcore_request_set_body_gzip", c_int32, c_uint64, c_uint64)
request_add_part = function(
    "netcore_request_add_part", c_int32, c_uint64, c_char_p, c_void_p, c_size_t, POINTER(PartOptions)
)
request_add_file_part = function(
    "netcore_request_add_file_part", c_int32, c_uint64, c_char_p, c_char_p, POINTER(PartOptions)
)
request_add_reader_part = function(
    "netcore_request_add_reader_part", c_int32, c_uint64, c_char_p, POINTER(Reader), c_uint64, POINTER(PartOptions)
)
request_set_connect_timeout_ms = function("netcore_request_set_connect_timeout_ms", c_int32, c_uint64, c_uint64)
request_set_first_byte_timeout_ms = function("netcore_request_set_first_byte_timeout_ms", c_int32, c_uint64, c_uint64)
request_set_idle_timeout_ms = function("netcore_request_set_idle_timeout_ms", c_int32, c_uint64, c_uint64)
request_set_total_timeout_ms = function("netcore_request_set_total_timeout_ms", c_int32, c_uint64, c_uint64)
request_set_limit = function("netcore_request_set_limit", c_int32, c_uint64, c_int32, c_uint64)
request_set_follow_redirects = function("netcore_request_set_follow_redirects", c_int32, c_uint64, c_int32)
request_set_allow_insecure_redirects = function(
    "netcore_request_set_allow_insecure_redirects", c_int32, c_uint64, c_int32
)
request_set_decode_content = function("netcore_request_set_decode_content", c_int32, c_uint64, c_int32)
request_set_event_function = function(
    "netcore_request_set_event_function", c_int32, c_uint64, c_void_p, c_void_p, c_void_p
)
request_set_interim_responses = function("netcore_request_set_interim_responses", c_int32, c_uint64, c_int32)
request_set_progress_interval_ms = function("netcore_request_set_progress_interval_ms", c_int32, c_uint64, c_uint64)
request_set_priority = function("netcore_request_set_priority", c_int32, c_uint64, c_int32)
request_set_max_receive_rate = function("netcore_request_set_max_receive_rate", c_int32, c_uint64, c_uint64)
request_set_max_send_rate = function("netcore_request_set_max_send_rate", c_int32, c_uint64, c_uint64)
request_set_min_receive_rate = function("netcore_request_set_min_receive_rate", c_int32, c_uint64, c_uint64, c_uint64)
request_set_sent_once = function("netcore_request_set_sent_once", c_int32, c_uint64, c_int32)
request_set_expect_continue = function("netcore_request_set_expect_continue", c_int32, c_uint64, c_uint64)
request_set_allow_unclean_end = function("netcore_request_set_allow_unclean_end", c_int32, c_uint64, c_int32)
request_set_user_info = function("netcore_request_set_user_info", c_int32, c_uint64, c_void_p)
request_set_allowed_interface = function("netcore_request_set_allowed_interface", c_int32, c_uint64, c_char_p)
request_set_allow_metered = function("netcore_request_set_allow_metered", c_int32, c_uint64, c_int32)
request_set_tag = function("netcore_request_set_tag", c_int32, c_uint64, c_char_p)
request_add_tag = function("netcore_request_add_tag", c_int32, c_uint64, c_char_p)
response_get_info = function("netcore_response_get_info", c_int32, c_uint64, POINTER(ResponseInfo))
response_get_error = function("netcore_response_get_error", c_int32, c_uint64, POINTER(Error))
response_get_header = function("netcore_response_get_header", c_int32, c_uint64, c_char_p, c_uint32, POINTER(Bytes))
response_get_header_at = function(
    "netcore_response_get_header_at", c_int32, c_uint64, c_uint32, POINTER(Bytes), POINTER(Bytes)
)
response_get_trailer_at = function(
    "netcore_response_get_trailer_at", c_int32, c_uint64, c_uint32, POINTER(Bytes), POINTER(Bytes)
)
response_get_text = function("netcore_response_get_text", c_int32, c_uint64, POINTER(Bytes))
response_get_link = function(
    "netcore_response_get_link", c_int32, c_uint64, c_char_p, c_void_p, c_size_t, POINTER(c_size_t)
)
response_get_history_at = function("netcore_response_get_history_at", c_int32, c_uint64, c_uint32, POINTER(c_uint64))
response_list_request_headers = function("netcore_response_list_request_headers", c_int32, c_uint64, c_void_p, c_void_p)
response_retain = function("netcore_response_retain", c_int32, c_uint64)
response_release = function("netcore_response_release", c_int32, c_uint64)
response_move = function("netcore_response_move", c_int32, c_uint64, c_void_p, c_size_t, POINTER(c_size_t))
cache_create = function("netcore_cache_create", c_int32, POINTER(CacheOptions), POINTER(c_uint64))
cache_destroy = function("netcore_cache_destroy", c_int32, c_uint64)
cache_clear = function("netcore_cache_clear", c_int32, c_uint64, c_int32, c_char_p)
cache_set_limit = function("netcore_cache_set_limit", c_int32, c_uint64, c_int32, c_uint64)
cache_get_limit = function("netcore_cache_get_limit", c_int32, c_uint64, c_int32, POINTER(c_uint64))
cache_get_statistics = function("netcore_cache_get_statistics", c_int32, c_uint64, POINTER(CacheStatistics))
cache_list = function("netcore_cache_list", c_int32, c_uint64, c_void_p, c_void_p)
cache_flush = function("netcore_cache_flush", c_int32, c_uint64)
cache_put_value = function(
    "netcore_cache_put_value", c_int32, c_uint64, c_char_p, c_void_p, c_size_t, POINTER(CacheValueOptions)
)
cache_get_value = function("netcore_cache_get_value", c_int32, c_uint64, c_char_p, c_void_p, c_void_p)
cache_remove_value = function("netcore_cache_remove_value", c_int32, c_uint64, c_char_p)
request_set_cache_mode = function("netcore_request_set_cache_mode", c_int32, c_uint64, c_int32)
request_set_cache_ttl_ms = function("netcore_request_set_cache_ttl_ms", c_int32, c_uint64, c_uint64)
request_set_cache_errors = function("netcore_request_set_cache_errors", c_int32, c_uint64, c_int32)
request_set_cache_scope = function("netcore_request_set_cache_scope", c_int32, c_uint64, c_char_p)
request_set_cache_version = function("netcore_request_set_cache_version", c_int32, c_uint64, c_uint32)
request_set_cache_key = function("netcore_request_set_cache_key", c_int32, c_uint64, c_char_p)
request_add_cache_key_field = function("netcore_request_add_cache_key_field", c_int32, c_uint64, c_char_p)
client_get_cached = function(
    "netcore_client_get_cached", c_int32, c_uint64, c_uint64, POINTER(c_uint64), POINTER(c_int32)
)
request_add_invalidated_tag = function("netcore_request_add_invalidated_tag", c_int32, c_uint64, c_char_p)
response_set_cached_value = function(
    "netcore_response_set_cached_value", c_int32, c_uint64, c_void_p, c_size_t, c_void_p
)
response_get_cached_value = function("netcore_response_get_cached_value", c_int32, c_uint64, POINTER(c_void_p))
request_get_limit = function("netcore_request_get_limit", c_int32, c_uint64, c_int32, POINTER(c_uint64))
request_get_info = function("netcore_request_get_info", c_int32, c_uint64, POINTER(RequestInfo))
request_get_header = function("netcore_request_get_header", c_int32, c_uint64, c_char_p, c_uint32, POINTER(Bytes))
request_get_header_at = function(
    "netcore_request_get_header_at", c_int32, c_uint64, c_uint32, POINTER(Bytes), POINTER(Bytes)
)
request_get_part_at = function("netcore_request_get_part_at", c_int32, c_uint64, c_uint32, POINTER(PartInfo))
request_list_params = function("netcore_request_list_params", c_int32, c_uint64, c_void_p, c_void_p)
request_list_path_values = function("netcore_request_list_path_values", c_int32, c_uint64, c_void_p, c_void_p)
request_list_cookies = function("netcore_request_list_cookies", c_int32, c_uint64, c_void_p, c_void_p)
client_create = function("netcore_client_create", c_int32, POINTER(ClientOptions), POINTER(c_uint64))
client_destroy = function("netcore_client_destroy", c_int32, c_uint64)
client_shutdown = function("netcore_client_shutdown", c_int32, c_uint64)
client_set_limit = function("netcore_client_set_limit", c_int32, c_uint64, c_int32, c_uint64)
client_set_queue_overflow = function("netcore_client_set_queue_overflow", c_int32, c_uint64, c_int32)
client_get_queue_overflow = function("netcore_client_get_queue_overflow", c_int32, c_uint64, POINTER(c_int32))
client_get_limit = function("netcore_client_get_limit", c_int32, c_uint64, c_int32, POINTER(c_uint64))
client_get_descriptor = function("netcore_client_get_descriptor", c_int32, c_uint64, POINTER(c_int32))
client_process = function("netcore_client_process", c_int32, c_uint64, c_uint32, POINTER(c_uint32))
client_wait = function(
    "netcore_client_wait", c_int32, c_uint64, POINTER(Completion), c_uint32, c_size_t, c_uint64, POINTER(c_uint32)
)
client_cancel_all = function("netcore_client_cancel_all", c_int32, c_uint64, POINTER(c_uint32))
client_cancel_tag = function("netcore_client_cancel_tag", c_int32, c_uint64, c_char_p, POINTER(c_uint32))
client_set_network = function("netcore_client_set_network", c_int32, c_uint64, POINTER(Network))
dispatch = function("netcore_dispatch", c_int32, c_uint64, c_uint64, c_void_p, c_void_p, POINTER(c_uint64))
dispatch_callbacks = function(
    "netcore_dispatch_callbacks", c_int32, c_uint64, c_uint64, POINTER(Callbacks), POINTER(c_uint64)
)
dispatch_many = function(
    "netcore_dispatch_many",
    c_int32,
    c_uint64,
    POINTER(c_uint64),
    c_size_t,
    c_void_p,
    POINTER(c_void_p),
    POINTER(c_uint64),
)
perform = function("netcore_perform", c_int32, c_uint64, c_uint64, POINTER(c_uint64))
perform_for = function(
    "netcore_perform_for",
    c_int32,
    c_uint64,
    c_uint64,
    c_uint64,
    POINTER(c_uint64),
    POINTER(c_uint64),
    POINTER(ResponseInfo),
)
task_wait = function("netcore_task_wait", c_int32, c_uint64, c_uint64, POINTER(c_uint64), POINTER(ResponseInfo))
task_create = function("netcore_task_create", c_int32, c_uint64, c_uint64, c_void_p, c_void_p, POINTER(c_uint64))
task_dispatch = function("netcore_task_dispatch", c_int32, c_uint64)
task_cancel = function("netcore_task_cancel", c_int32, c_uint64)
task_set_priority = function("netcore_task_set_priority", c_int32, c_uint64, c_int32)
task_get_info = function("netcore_task_get_info", c_int32, c_uint64, POINTER(TaskInfo))
task_complete = function("netcore_task_complete", c_int32, c_uint64, c_int32)
task_send = function("netcore_task_send", c_int32, c_uint64, c_uint64)
task_scope_create = function("netcore_task_scope_create", c_int32, c_int32, c_void_p, POINTER(c_uint64))
task_scope_close = function("netcore_task_scope_close", c_int32, c_uint64)
task_scope_cancel = function("netcore_task_scope_cancel", c_int32, c_uint64)
task_scope_get_count = function("netcore_task_scope_get_count", c_int32, c_uint64, POINTER(c_uint32))
request_set_task_scope = function("netcore_request_set_task_scope", c_int32, c_uint64, c_uint64)
perform_streamed = function("netcore_perform_streamed", c_int32, c_uint64, c_uint64, c_uint64, POINTER(c_uint64))
perform_streamed_for = function(
    "netcore_perform_streamed_for",
    c_int32,
    c_uint64,
    c_uint64,
    c_uint64,
    c_uint64,
    POINTER(c_uint64),
    POINTER(c_uint64),
    POINTER(ResponseInfo),
)
dispatch_streamed = function(
    "netcore_dispatch_streamed", c_int32, c_uint64, c_uint64, c_uint64, c_void_p, c_void_p, POINTER(c_uint64)
)
response_read = function("netcore_response_read", c_int32, c_uint64, c_void_p, c_size_t, c_uint64, POINTER(c_size_t))
response_wait = function("netcore_response_wait", c_int32, c_uint64, c_uint64, POINTER(c_size_t))
response_read_line = function("netcore_response_read_line", c_int32, c_uint64, c_uint64, c_uint64, POINTER(Bytes))
response_get_ending = function("netcore_response_get_ending", c_int32, c_uint64, POINTER(c_uint64))
response_get_progress = function("netcore_response_get_progress", c_int32, c_uint64, POINTER(TaskInfo))
response_cancel = function("netcore_response_cancel", c_int32, c_uint64)
download = function(
    "netcore_download",
    c_int32,
    c_uint64,
    c_uint64,
    c_char_p,
    POINTER(DownloadOptions),
    c_uint64,
    POINTER(c_uint64),
    POINTER(c_uint64),
)
download_dispatch = function(
    "netcore_download_dispatch",
    c_int32,
    c_uint64,
    c_uint64,
    c_char_p,
    POINTER(DownloadOptions),
    c_void_p,
    c_void_p,
    POINTER(c_uint64),
)
download_get_progress = function("netcore_download_get_progress", c_int32, c_uint64, POINTER(DownloadProgress))
response_get_download = function("netcore_response_get_download", c_int32, c_uint64, POINTER(DownloadInfo))
download_list_parts = function("netcore_download_list_parts", c_int32, c_char_p, c_void_p, c_void_p)
download_remove_part = function("netcore_download_remove_part", c_int32, c_char_p)
response_read_event = function(
    "netcore_response_read_event", c_int32, c_uint64, c_uint64, c_uint64, POINTER(ServerEvent)
)
response_read_events = function("netcore_response_read_events", c_int32, c_uint64, c_uint64, c_uint64, POINTER(Bytes))
event_source_create = function(
    "netcore_event_source_create", c_int32, c_uint64, c_uint64, POINTER(EventSourceOptions), POINTER(c_uint64)
)
event_source_read = function("netcore_event_source_read", c_int32, c_uint64, c_uint64, POINTER(ServerEvent))
event_source_get_descriptor = function("netcore_event_source_get_descriptor", c_int32, c_uint64, POINTER(c_int32))
event_source_get_info = function("netcore_event_source_get_info", c_int32, c_uint64, POINTER(EventSourceInfo))
event_source_cancel = function("netcore_event_source_cancel", c_int32, c_uint64)
event_source_destroy = function("netcore_event_source_destroy", c_int32, c_uint64)
client_add_service = function("netcore_client_add_service", c_int32, c_uint64, c_char_p, c_char_p, c_char_p, c_char_p)
client_set_service_weight = function("netcore_client_set_service_weight", c_int32, c_uint64, c_char_p, c_uint32)
client_select_service = function("netcore_client_select_service", c_int32, c_uint64, c_char_p)
client_select_environment = function("netcore_client_select_environment", c_int32, c_uint64, c_char_p)
client_select_next_service = function("netcore_client_select_next_service", c_int32, c_uint64)
client_select_next_environment = function("netcore_client_select_next_environment", c_int32, c_uint64)
client_get_selected_service = function(
    "netcore_client_get_selected_service", c_int32, c_uint64, c_void_p, c_size_t, POINTER(c_size_t)
)
client_get_selected_environment = function(
    "netcore_client_get_selected_environment", c_int32, c_uint64, c_void_p, c_size_t, POINTER(c_size_t)
)
client_get_base_url = function(
    "netcore_client_get_base_url", c_int32, c_uint64, c_char_p, c_char_p, c_int32, c_void_p, c_size_t, POINTER(c_size_t)
)
client_set_selection_listener = function(
    "netcore_client_set_selection_listener", c_int32, c_uint64, c_void_p, c_void_p, c_void_p
)
client_set_header = function("netcore_client_set_header", c_int32, c_uint64, c_char_p, c_char_p)
client_add_header = function("netcore_client_add_header", c_int32, c_uint64, c_char_p, c_char_p)
client_list_headers = function("netcore_client_list_headers", c_int32, c_uint64, c_void_p, c_void_p)
client_set_param = function("netcore_client_set_param", c_int32, c_uint64, c_char_p, c_char_p)
client_add_param = function("netcore_client_add_param", c_int32, c_uint64, c_char_p, c_char_p)
client_add_param_int = function("netcore_client_add_param_int", c_int32, c_uint64, c_char_p, c_int64)
client_add_param_double = function("netcore_client_add_param_double", c_int32, c_uint64, c_char_p, c_double)
client_add_param_bool = function("netcore_client_add_param_bool", c_int32, c_uint64, c_char_p, c_int32)
client_add_param_null = function("netcore_client_add_param_null", c_int32, c_uint64, c_char_p)
client_add_param_json = function("netcore_client_add_param_json", c_int32, c_uint64, c_char_p, c_char_p)
client_add_param_list = function("netcore_client_add_param_list", c_int32, c_uint64, c_char_p, c_char_p)
client_list_params = function("netcore_client_list_params", c_int32, c_uint64, c_void_p, c_void_p)
client_resolve_request = function("netcore_client_resolve_request", c_int32, c_uint64, c_uint64, POINTER(c_uint64))
client_set_params_in_query = function("netcore_client_set_params_in_query", c_int32, c_uint64, c_int32)
client_get_params_in_query = function("netcore_client_get_params_in_query", c_int32, c_uint64, POINTER(c_int32))
client_set_request_defaults = function("netcore_client_set_request_defaults", c_int32, c_uint64, c_uint64)
client_get_request_defaults = function("netcore_client_get_request_defaults", c_int32, c_uint64, POINTER(c_uint64))
client_set_header_function = function(
    "netcore_client_set_header_function", c_int32, c_uint64, c_char_p, c_void_p, c_void_p, c_void_p
)
client_set_param_function = function(
    "netcore_client_set_param_function", c_int32, c_uint64, c_char_p, c_void_p, c_void_p, c_void_p
)
client_add_filter = function("netcore_client_add_filter", c_int32, c_uint64, c_void_p, c_void_p, c_void_p)
request_set_filter = function("netcore_request_set_filter", c_int32, c_uint64, c_void_p, c_void_p, c_void_p)
client_remove_filters = function("netcore_client_remove_filters", c_int32, c_uint64)
client_set_hop_function = function(
    "netcore_client_set_hop_function", c_int32, c_uint64, c_char_p, c_void_p, c_void_p, c_void_p
)
client_add_response_filter = function(
    "netcore_client_add_response_filter", c_int32, c_uint64, c_int32, c_void_p, c_void_p, c_void_p
)
client_remove_response_filters = function("netcore_client_remove_response_filters", c_int32, c_uint64)
request_add_response_filter = function(
    "netcore_request_add_response_filter", c_int32, c_uint64, c_int32, c_void_p, c_void_p, c_void_p
)
response_set_header = function("netcore_response_set_header", c_int32, c_uint64, c_char_p, c_char_p)
response_add_header = function("netcore_response_add_header", c_int32, c_uint64, c_char_p, c_char_p)
response_remove_header = function("netcore_response_remove_header", c_int32, c_uint64, c_char_p)
response_set_body = function("netcore_response_set_body", c_int32, c_uint64, c_void_p, c_size_t)
response_add_tag = function("netcore_response_add_tag", c_int32, c_uint64, c_char_p)
request_set_auth = function("netcore_request_set_auth", c_int32, c_uint64, c_int32, c_char_p, c_char_p)
client_set_token_source = function(
    "netcore_client_set_token_source", c_int32, c_uint64, c_char_p, c_void_p, c_void_p, c_void_p
)
client_set_challenge_function = function(
    "netcore_client_set_challenge_function", c_int32, c_uint64, c_void_p, c_void_p, c_void_p
)
request_set_use_cookies = function("netcore_request_set_use_cookies", c_int32, c_uint64, c_int32)
request_set_cookie = function("netcore_request_set_cookie", c_int32, c_uint64, c_char_p, c_char_p)
client_set_cookie = function("netcore_client_set_cookie", c_int32, c_uint64, POINTER(Cookie))
client_list_cookies = function("netcore_client_list_cookies", c_int32, c_uint64, c_void_p, c_void_p)
client_clear_cookies = function(
    "netcore_client_clear_cookies", c_int32, c_uint64, c_char_p, c_char_p, c_char_p, POINTER(c_uint32)
)
client_clear_session_cookies = function("netcore_client_clear_session_cookies", c_int32, c_uint64, POINTER(c_uint32))
client_export_cookies = function(
    "netcore_client_export_cookies", c_int32, c_uint64, c_void_p, c_size_t, POINTER(c_size_t)
)
client_import_cookies = function(
    "netcore_client_import_cookies", c_int32, c_uint64, c_char_p, c_size_t, POINTER(c_uint32)
)
group_create = function("netcore_group_create", c_int32, c_uint64, POINTER(c_uint64))
group_set_options = function("netcore_group_set_options", c_int32, c_uint64, POINTER(GroupOptions))
group_add = function("netcore_group_add", c_int32, c_uint64, c_uint64, c_void_p, c_void_p, POINTER(c_uint64))
group_add_task = function("netcore_group_add_task", c_int32, c_uint64, c_uint64)
group_add_group = function(
    "netcore_group_add_group", c_int32, c_uint64, c_uint64, c_void_p, c_void_p, POINTER(c_uint64)
)
group_add_dependency = function("netcore_group_add_dependency", c_int32, c_uint64, c_uint64, c_uint64)
group_add_application_task = function(
    "netcore_group_add_application_task", c_int32, c_uint64, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(c_uint64)
)
group_dispatch = function("netcore_group_dispatch", c_int32, c_uint64, c_void_p, c_void_p)
group_cancel = function("netcore_group_cancel", c_int32, c_uint64)
group_get_info = function("netcore_group_get_info", c_int32, c_uint64, POINTER(GroupInfo))
group_get_result = function("netcore_group_get_result", c_int32, c_uint64, c_uint32, POINTER(Completion))
client_set_retries = function("netcore_client_set_retries", c_int32, c_uint64, POINTER(RetryOptions))
client_get_retries = function("netcore_client_get_retries", c_int32, c_uint64, POINTER(c_int32), POINTER(RetryOptions))
request_set_retries = function("netcore_request_set_retries", c_int32, c_uint64, c_int32, POINTER(RetryOptions))
request_get_retries = function(
    "netcore_request_get_retries", c_int32, c_uint64, POINTER(c_int32), POINTER(RetryOptions)
)
request_set_idempotent = function("netcore_request_set_idempotent", c_int32, c_uint64, c_int32)
response_get_try = function("netcore_response_get_try", c_int32, c_uint64, c_uint32, POINTER(Try))
client_set_hedging = function("netcore_client_set_hedging", c_int32, c_uint64, POINTER(HedgeOptions))
client_get_hedging = function("netcore_client_get_hedging", c_int32, c_uint64, POINTER(c_int32), POINTER(HedgeOptions))
request_set_hedging = function("netcore_request_set_hedging", c_int32, c_uint64, c_int32, POINTER(HedgeOptions))
request_get_hedging = function(
    "netcore_request_get_hedging", c_int32, c_uint64, POINTER(c_int32), POINTER(HedgeOptions)
)
client_set_breaker = function("netcore_client_set_breaker", c_int32, c_uint64, POINTER(BreakerOptions))
client_get_breaker = function(
    "netcore_client_get_breaker", c_int32, c_uint64, POINTER(c_int32), POINTER(BreakerOptions)
)
client_list_breakers = function("netcore_client_list_breakers", c_int32, c_uint64, c_void_p, c_void_p)
request_set_duplicates = function("netcore_request_set_duplicates", c_int32, c_uint64, c_int32)
request_set_min_interval = function("netcore_request_set_min_interval", c_int32, c_uint64, POINTER(MinInterval))
client_set_rate = function("netcore_client_set_rate", c_int32, c_uint64, c_int32, c_char_p, POINTER(Rate))
client_get_rate = function("netcore_client_get_rate", c_int32, c_uint64, c_int32, c_char_p, POINTER(Rate))
request_set_rate_key = function("netcore_request_set_rate_key", c_int32, c_uint64, c_char_p)
request_set_accepted_statuses = function("netcore_request_set_accepted_statuses", c_int32, c_uint64, c_char_p)
request_set_accepted_content_types = function("netcore_request_set_accepted_content_types", c_int32, c_uint64, c_char_p)
request_set_body_sha256 = function("netcore_request_set_body_sha256", c_int32, c_uint64, c_char_p)
request_set_json_shape = function("netcore_request_set_json_shape", c_int32, c_uint64, c_char_p)
request_set_validator = function("netcore_request_set_validator", c_int32, c_uint64, c_void_p, c_void_p, c_void_p)
request_set_drop_nulls = function("netcore_request_set_drop_nulls", c_int32, c_uint64, c_int32)
client_set_failover = function("netcore_client_set_failover", c_int32, c_uint64, POINTER(FailoverOptions))
client_get_failover = function(
    "netcore_client_get_failover", c_int32, c_uint64, POINTER(c_int32), POINTER(FailoverOptions)
)
client_set_reachability = function("netcore_client_set_reachability", c_int32, c_uint64, c_int32)
client_set_watch_network = function("netcore_client_set_watch_network", c_int32, c_uint64, c_int32)
client_get_reachability = function("netcore_client_get_reachability", c_int32, c_uint64, POINTER(c_int32))
client_set_reachability_listener = function(
    "netcore_client_set_reachability_listener", c_int32, c_uint64, c_void_p, c_void_p, c_void_p
)
request_set_wait_for_network_ms = function("netcore_request_set_wait_for_network_ms", c_int32, c_uint64, c_uint64)
client_get_statistics = function("netcore_client_get_statistics", c_int32, c_uint64, POINTER(ClientStatistics))
client_list_budgets = function("netcore_client_list_budgets", c_int32, c_uint64, c_void_p, c_void_p)
client_add_observer = function(
    "netcore_client_add_observer", c_int32, c_uint64, c_void_p, c_void_p, c_void_p, POINTER(c_uint64)
)
request_add_observer = function("netcore_request_add_observer", c_int32, c_uint64, c_void_p, c_void_p, c_void_p)
observer_create = function("netcore_observer_create", c_int32, c_uint64, c_uint32, POINTER(c_uint64))
observer_read = function(
    "netcore_observer_read",
    c_int32,
    c_uint64,
    POINTER(ClientEvent),
    c_uint32,
    c_size_t,
    POINTER(c_uint32),
    POINTER(c_uint64),
)
observer_get_descriptor = function("netcore_observer_get_descriptor", c_int32, c_uint64, POINTER(c_int32))
observer_destroy = function("netcore_observer_destroy", c_int32, c_uint64)
client_set_transport = function("netcore_client_set_transport", c_int32, c_uint64, c_void_p, c_void_p, c_void_p)
hop_answer = function("netcore_hop_answer", c_int32, c_uint64, c_int32, c_char_p, c_void_p, c_size_t)
hop_fail = function("netcore_hop_fail", c_int32, c_uint64, c_int32, c_char_p)
stubs_create = function("netcore_stubs_create", c_int32, POINTER(c_uint64))
stubs_destroy = function("netcore_stubs_destroy", c_int32, c_uint64)
client_set_stubs = function("netcore_client_set_stubs", c_int32, c_uint64, c_uint64)
stubs_add = function(
    "netcore_stubs_add", c_int32, c_uint64, POINTER(Stub), c_void_p, c_void_p, c_void_p, POINTER(c_uint32)
)
stubs_add_answer = function("netcore_stubs_add_answer", c_int32, c_uint64, c_uint32, POINTER(StubAnswer))
stubs_get_call_count = function("netcore_stubs_get_call_count", c_int32, c_uint64, c_uint32, POINTER(c_uint64))
stubs_list_calls = function("netcore_stubs_list_calls", c_int32, c_uint64, c_void_p, c_void_p)
stubs_check = function("netcore_stubs_check", c_int32, c_uint64)
stubs_reset = function("netcore_stubs_reset", c_int32, c_uint64)
hop_answer_as = function("netcore_hop_answer_as", c_int32, c_uint64, POINTER(StubAnswer))
cassette_create = function("netcore_cassette_create", c_int32, c_char_p, POINTER(CassetteOptions), POINTER(c_uint64))
cassette_destroy = function("netcore_cassette_destroy", c_int32, c_uint64)
client_set_cassette = function("netcore_client_set_cassette", c_int32, c_uint64, c_uint64)
cassette_save = function("netcore_cassette_save", c_int32, c_uint64)
cassette_check = function("netcore_cassette_check", c_int32, c_uint64)
cassette_get_info = function("netcore_cassette_get_info", c_int32, c_uint64, POINTER(CassetteInfo))
clock_create = function("netcore_clock_create", c_int32, POINTER(ClockOptions), POINTER(c_uint64))
clock_destroy = function("netcore_clock_destroy", c_int32, c_uint64)
clock_advance = function("netcore_clock_advance", c_int32, c_uint64, c_uint64)
clock_get_elapsed_ms = function("netcore_clock_get_elapsed_ms", c_int32, c_uint64, POINTER(c_uint64))
clock_wait_idle = function("netcore_clock_wait_idle", c_int32, c_uint64, c_uint64)
pages_create = function(
    "netcore_pages_create",
    c_int32,
    c_uint64,
    c_uint64,
    POINTER(PageOptions),
    c_void_p,
    c_void_p,
    c_void_p,
    POINTER(c_uint64),
)
pages_destroy = function("netcore_pages_destroy", c_int32, c_uint64)
pages_load = function("netcore_pages_load", c_int32, c_uint64, c_int32, c_uint64, POINTER(c_uint64))
pages_read_item = function("netcore_pages_read_item", c_int32, c_uint64, POINTER(Bytes))
pages_begin = function(
    "netcore_pages_begin", c_int32, c_uint64, c_int32, c_uint64, POINTER(c_uint64), POINTER(c_uint64)
)
pages_take = function("netcore_pages_take", c_int32, c_uint64, c_uint64, c_uint64)
pages_take_answer = function(
    "netcore_pages_take_answer", c_int32, c_uint64, c_uint64, c_char_p, c_int32, c_char_p, c_void_p, c_size_t, c_char_p
)
pages_drop = function("netcore_pages_drop", c_int32, c_uint64, c_uint64)
pages_get_items = function("netcore_pages_get_items", c_int32, c_uint64, POINTER(Bytes))
pages_get_info = function("netcore_pages_get_info", c_int32, c_uint64, POINTER(PageInfo))
get_application_code = function("netcore_get_application_code", c_int32, c_int32, c_int32, POINTER(c_int32))
set_user_message = function("netcore_set_user_message", c_int32, c_int32, c_char_p)
get_user_message = function("netcore_get_user_message", c_int32, c_int32, c_void_p, c_size_t, POINTER(c_size_t))
request_set_error_fields = function("netcore_request_set_error_fields", c_int32, c_uint64, c_char_p, c_char_p, c_char_p)
request_add_error = function("netcore_request_add_error", c_int32, c_uint64, POINTER(ErrorRow))
request_get_error_at = function("netcore_request_get_error_at", c_int32, c_uint64, c_uint32, POINTER(ErrorRow))
module_create = function("netcore_module_create", c_int32, c_uint64, POINTER(c_uint64))
module_destroy = function("netcore_module_destroy", c_int32, c_uint64)
module_cancel = function("netcore_module_cancel", c_int32, c_uint64)
api_create = function("netcore_api_create", c_int32, c_uint64, c_uint64, POINTER(c_uint64))
api_destroy = function("netcore_api_destroy", c_int32, c_uint64)
api_add_param = function("netcore_api_add_param", c_int32, c_uint64, POINTER(ApiParam))
api_create_request = function("netcore_api_create_request", c_int32, c_uint64, c_char_p, POINTER(c_uint64))
api_create_request_from_texts = function(
    "netcore_api_create_request_from_texts", c_int32, c_uint64, POINTER(c_char_p), POINTER(c_uint64)
)
api_perform = function("netcore_api_perform", c_int32, c_uint64, c_uint64, c_char_p, POINTER(c_uint64))
api_dispatch = function(
    "netcore_api_dispatch", c_int32, c_uint64, c_uint64, c_char_p, c_void_p, c_void_p, POINTER(c_uint64)
)
set_log = function("netcore_set_log", c_int32, c_void_p, c_void_p, c_void_p)
client_set_request_log = function("netcore_client_set_request_log", c_int32, c_uint64, c_int32)
