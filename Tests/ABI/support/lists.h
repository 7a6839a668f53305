/* Written by scripts/generate from include/. */
/* clang-format off */
/** All functions of the ABI, and all statuses with their numbers. */
#ifndef NETCORE_TESTS_LISTS_H
#define NETCORE_TESTS_LISTS_H

#define NETCORE_EXPORTS(X) \
  X(netcore_status_name) \
  X(netcore_status_message) \
  X(netcore_last_error) \
  X(netcore_last_error_message) \
  X(netcore_version) \
  X(netcore_version_details) \
  X(netcore_request_create) \
  X(netcore_request_create_relative) \
  X(netcore_request_copy) \
  X(netcore_request_destroy) \
  X(netcore_request_set_method) \
  X(netcore_request_set_url) \
  X(netcore_request_set_base_url) \
  X(netcore_request_set_use_cdn) \
  X(netcore_request_set_use_https) \
  X(netcore_request_set_bare) \
  X(netcore_request_set_path_value) \
  X(netcore_request_set_header) \
  X(netcore_request_add_header) \
  X(netcore_request_remove_header) \
  X(netcore_request_remove_default_header) \
  X(netcore_request_set_body) \
  X(netcore_request_set_content_type) \
  X(netcore_request_add_param) \
  X(netcore_request_add_param_int) \
  X(netcore_request_add_param_double) \
  X(netcore_request_add_param_bool) \
  X(netcore_request_add_param_null) \
  X(netcore_request_add_param_json) \
  X(netcore_request_add_param_list) \
  X(netcore_request_remove_param) \
  X(netcore_request_remove_default_param) \
  X(netcore_request_set_serializer) \
  X(netcore_request_set_param_nesting) \
  X(netcore_request_set_body_file) \
  X(netcore_request_set_body_reader) \
  X(netcore_request_set_body_gzip) \
  X(netcore_request_add_part) \
  X(netcore_request_add_file_part) \
  X(netcore_request_add_reader_part) \
  X(netcore_request_set_connect_timeout_ms) \
  X(netcore_request_set_first_byte_timeout_ms) \
  X(netcore_request_set_idle_timeout_ms) \
  X(netcore_request_set_total_timeout_ms) \
  X(netcore_request_set_limit) \
  X(netcore_request_set_follow_redirects) \
  X(netcore_request_set_allow_insecure_redirects) \
  X(netcore_request_set_decode_content) \
  X(netcore_request_set_event_function) \
  X(netcore_request_set_interim_responses) \
  X(netcore_request_set_progress_interval_ms) \
  X(netcore_request_set_priority) \
  X(netcore_request_set_max_receive_rate) \
  X(netcore_request_set_max_send_rate) \
  X(netcore_request_set_min_receive_rate) \
  X(netcore_request_set_sent_once) \
  X(netcore_request_set_expect_continue) \
  X(netcore_request_set_allow_unclean_end) \
  X(netcore_request_set_user_info) \
  X(netcore_request_set_allowed_interface) \
  X(netcore_request_set_allow_metered) \
  X(netcore_request_set_tag) \
  X(netcore_request_add_tag) \
  X(netcore_response_get_info) \
  X(netcore_response_get_error) \
  X(netcore_response_get_header) \
  X(netcore_response_get_header_at) \
  X(netcore_response_get_trailer_at) \
  X(netcore_response_get_text) \
  X(netcore_response_get_link) \
  X(netcore_response_get_history_at) \
  X(netcore_response_list_request_headers) \
  X(netcore_response_retain) \
  X(netcore_response_release) \
  X(netcore_response_move) \
  X(netcore_cache_create) \
  X(netcore_cache_destroy) \
  X(netcore_cache_clear) \
  X(netcore_cache_set_limit) \
  X(netcore_cache_get_limit) \
  X(netcore_cache_get_statistics) \
  X(netcore_cache_list) \
  X(netcore_cache_flush) \
  X(netcore_cache_put_value) \
  X(netcore_cache_get_value) \
  X(netcore_cache_remove_value) \
  X(netcore_request_set_cache_mode) \
  X(netcore_request_set_cache_ttl_ms) \
  X(netcore_request_set_cache_errors) \
  X(netcore_request_set_cache_scope) \
  X(netcore_request_set_cache_version) \
  X(netcore_request_set_cache_key) \
  X(netcore_request_add_cache_key_field) \
  X(netcore_client_get_cached) \
  X(netcore_request_add_invalidated_tag) \
  X(netcore_response_set_cached_value) \
  X(netcore_response_get_cached_value) \
  X(netcore_request_get_limit) \
  X(netcore_request_get_info) \
  X(netcore_request_get_header) \
  X(netcore_request_get_header_at) \
  X(netcore_request_get_part_at) \
  X(netcore_request_list_params) \
  X(netcore_request_list_path_values) \
  X(netcore_request_list_cookies) \
  X(netcore_client_create) \
  X(netcore_client_destroy) \
  X(netcore_client_shutdown) \
  X(netcore_client_set_limit) \
  X(netcore_client_set_queue_overflow) \
  X(netcore_client_get_queue_overflow) \
  X(netcore_client_get_limit) \
  X(netcore_client_get_descriptor) \
  X(netcore_client_process) \
  X(netcore_client_wait) \
  X(netcore_client_cancel_all) \
  X(netcore_client_cancel_tag) \
  X(netcore_client_set_network) \
  X(netcore_dispatch) \
  X(netcore_dispatch_callbacks) \
  X(netcore_dispatch_many) \
  X(netcore_perform) \
  X(netcore_perform_for) \
  X(netcore_task_wait) \
  X(netcore_task_create) \
  X(netcore_task_dispatch) \
  X(netcore_task_cancel) \
  X(netcore_task_set_priority) \
  X(netcore_task_get_info) \
  X(netcore_task_complete) \
  X(netcore_task_send) \
  X(netcore_task_scope_create) \
  X(netcore_task_scope_close) \
  X(netcore_task_scope_cancel) \
  X(netcore_task_scope_get_count) \
  X(netcore_request_set_task_scope) \
  X(netcore_perform_streamed) \
  X(netcore_perform_streamed_for) \
  X(netcore_dispatch_streamed) \
  X(netcore_response_read) \
  X(netcore_response_wait) \
  X(netcore_response_read_line) \
  X(netcore_response_get_ending) \
  X(netcore_response_get_progress) \
  X(netcore_response_cancel) \
  X(netcore_download) \
  X(netcore_download_dispatch) \
  X(netcore_download_get_progress) \
  X(netcore_response_get_download) \
  X(netcore_download_list_parts) \
  X(netcore_download_remove_part) \
  X(netcore_response_read_event) \
  X(netcore_response_read_events) \
  X(netcore_event_source_create) \
  X(netcore_event_source_read) \
  X(netcore_event_source_get_descriptor) \
  X(netcore_event_source_get_info) \
  X(netcore_event_source_cancel) \
  X(netcore_event_source_destroy) \
  X(netcore_client_add_service) \
  X(netcore_client_set_service_weight) \
  X(netcore_client_select_service) \
  X(netcore_client_select_environment) \
  X(netcore_client_select_next_service) \
  X(netcore_client_select_next_environment) \
  X(netcore_client_get_selected_service) \
  X(netcore_client_get_selected_environment) \
  X(netcore_client_get_base_url) \
  X(netcore_client_set_selection_listener) \
  X(netcore_client_set_header) \
  X(netcore_client_add_header) \
  X(netcore_client_list_headers) \
  X(netcore_client_set_param) \
  X(netcore_client_add_param) \
  X(netcore_client_add_param_int) \
  X(netcore_client_add_param_double) \
  X(netcore_client_add_param_bool) \
  X(netcore_client_add_param_null) \
  X(netcore_client_add_param_json) \
  X(netcore_client_add_param_list) \
  X(netcore_client_list_params) \
  X(netcore_client_resolve_request) \
  X(netcore_client_set_params_in_query) \
  X(netcore_client_get_params_in_query) \
  X(netcore_client_set_request_defaults) \
  X(netcore_client_get_request_defaults) \
  X(netcore_client_set_header_function) \
  X(netcore_client_set_param_function) \
  X(netcore_client_add_filter) \
  X(netcore_request_set_filter) \
  X(netcore_client_remove_filters) \
  X(netcore_client_set_hop_function) \
  X(netcore_client_add_response_filter) \
  X(netcore_client_remove_response_filters) \
  X(netcore_request_add_response_filter) \
  X(netcore_response_set_header) \
  X(netcore_response_add_header) \
  X(netcore_response_remove_header) \
  X(netcore_response_set_body) \
  X(netcore_response_add_tag) \
  X(netcore_request_set_auth) \
  X(netcore_client_set_token_source) \
  X(netcore_client_set_challenge_function) \
  X(netcore_request_set_use_cookies) \
  X(netcore_request_set_cookie) \
  X(netcore_client_set_cookie) \
  X(netcore_client_list_cookies) \
  X(netcore_client_clear_cookies) \
  X(netcore_client_clear_session_cookies) \
  X(netcore_client_export_cookies) \
  X(netcore_client_import_cookies) \
  X(netcore_group_create) \
  X(netcore_group_set_options) \
  X(netcore_group_add) \
  X(netcore_group_add_task) \
  X(netcore_group_add_group) \
  X(netcore_group_add_dependency) \
  X(netcore_group_add_application_task) \
  X(netcore_group_dispatch) \
  X(netcore_group_cancel) \
  X(netcore_group_get_info) \
  X(netcore_group_get_result) \
  X(netcore_client_set_retries) \
  X(netcore_client_get_retries) \
  X(netcore_request_set_retries) \
  X(netcore_request_get_retries) \
  X(netcore_request_set_idempotent) \
  X(netcore_response_get_try) \
  X(netcore_client_set_hedging) \
  X(netcore_client_get_hedging) \
  X(netcore_request_set_hedging) \
  X(netcore_request_get_hedging) \
  X(netcore_client_set_breaker) \
  X(netcore_client_get_breaker) \
  X(netcore_client_list_breakers) \
  X(netcore_request_set_duplicates) \
  X(netcore_request_set_min_interval) \
  X(netcore_client_set_rate) \
  X(netcore_client_get_rate) \
  X(netcore_request_set_rate_key) \
  X(netcore_request_set_accepted_statuses) \
  X(netcore_request_set_accepted_content_types) \
  X(netcore_request_set_body_sha256) \
  X(netcore_request_set_json_shape) \
  X(netcore_request_set_validator) \
  X(netcore_request_set_drop_nulls) \
  X(netcore_client_set_failover) \
  X(netcore_client_get_failover) \
  X(netcore_client_set_reachability) \
  X(netcore_client_set_watch_network) \
  X(netcore_client_get_reachability) \
  X(netcore_client_set_reachability_listener) \
  X(netcore_request_set_wait_for_network_ms) \
  X(netcore_client_get_statistics) \
  X(netcore_client_list_budgets) \
  X(netcore_client_add_observer) \
  X(netcore_request_add_observer) \
  X(netcore_observer_create) \
  X(netcore_observer_read) \
  X(netcore_observer_get_descriptor) \
  X(netcore_observer_destroy) \
  X(netcore_client_set_transport) \
  X(netcore_hop_answer) \
  X(netcore_hop_fail) \
  X(netcore_stubs_create) \
  X(netcore_stubs_destroy) \
  X(netcore_client_set_stubs) \
  X(netcore_stubs_add) \
  X(netcore_stubs_add_answer) \
  X(netcore_stubs_get_call_count) \
  X(netcore_stubs_list_calls) \
  X(netcore_stubs_check) \
  X(netcore_stubs_reset) \
  X(netcore_hop_answer_as) \
  X(netcore_cassette_create) \
  X(netcore_cassette_destroy) \
  X(netcore_client_set_cassette) \
  X(netcore_cassette_save) \
  X(netcore_cassette_check) \
  X(netcore_cassette_get_info) \
  X(netcore_clock_create) \
  X(netcore_clock_destroy) \
  X(netcore_clock_advance) \
  X(netcore_clock_get_elapsed_ms) \
  X(netcore_clock_wait_idle) \
  X(netcore_pages_create) \
  X(netcore_pages_destroy) \
  X(netcore_pages_load) \
  X(netcore_pages_read_item) \
  X(netcore_pages_begin) \
  X(netcore_pages_take) \
  X(netcore_pages_take_answer) \
  X(netcore_pages_drop) \
  X(netcore_pages_get_items) \
  X(netcore_pages_get_info) \
  X(netcore_get_application_code) \
  X(netcore_set_user_message) \
  X(netcore_get_user_message) \
  X(netcore_request_set_error_fields) \
  X(netcore_request_add_error) \
  X(netcore_request_get_error_at) \
  X(netcore_module_create) \
  X(netcore_module_destroy) \
  X(netcore_module_cancel) \
  X(netcore_api_create) \
  X(netcore_api_destroy) \
  X(netcore_api_add_param) \
  X(netcore_api_create_request) \
  X(netcore_api_create_request_from_texts) \
  X(netcore_api_perform) \
  X(netcore_api_dispatch) \
  X(netcore_set_log) \
  X(netcore_client_set_request_log)

#define NETCORE_STATUSES(X) \
  X(NETCORE_OK, 0) \
  X(NETCORE_ERR_INVALID_ARGUMENT, 100) \
  X(NETCORE_ERR_INVALID_HANDLE, 101) \
  X(NETCORE_ERR_INVALID_STRUCT, 102) \
  X(NETCORE_ERR_INVALID_URL, 103) \
  X(NETCORE_ERR_INVALID_SCHEME, 104) \
  X(NETCORE_ERR_INVALID_METHOD, 105) \
  X(NETCORE_ERR_INVALID_HEADER, 106) \
  X(NETCORE_ERR_NOT_FOUND, 107) \
  X(NETCORE_ERR_INVALID_PARAM, 108) \
  X(NETCORE_ERR_INVALID_STATE, 200) \
  X(NETCORE_ERR_SHUT_DOWN, 201) \
  X(NETCORE_ERR_FORKED, 202) \
  X(NETCORE_ERR_IN_PROGRESS, 203) \
  X(NETCORE_ERR_CANCELED, 300) \
  X(NETCORE_ERR_SKIPPED, 301) \
  X(NETCORE_ERR_TIMEOUT_CONNECT, 400) \
  X(NETCORE_ERR_TIMEOUT_FIRST_BYTE, 401) \
  X(NETCORE_ERR_TIMEOUT_IDLE, 402) \
  X(NETCORE_ERR_TIMEOUT_TOTAL, 403) \
  X(NETCORE_ERR_TIMEOUT_RATE, 404) \
  X(NETCORE_ERR_TIMEOUT_ATTEMPT, 405) \
  X(NETCORE_ERR_RESOLVE, 500) \
  X(NETCORE_ERR_RESOLVE_PROXY, 501) \
  X(NETCORE_ERR_CONNECT, 600) \
  X(NETCORE_ERR_CONNECT_PROXY, 601) \
  X(NETCORE_ERR_CONNECTION_LOST, 602) \
  X(NETCORE_ERR_TLS, 700) \
  X(NETCORE_ERR_TLS_CERTIFICATE, 701) \
  X(NETCORE_ERR_TLS_CONFIG, 702) \
  X(NETCORE_ERR_PROTOCOL, 800) \
  X(NETCORE_ERR_TRUNCATED, 801) \
  X(NETCORE_ERR_CONTENT_CODING, 802) \
  X(NETCORE_ERR_REDIRECT, 803) \
  X(NETCORE_ERR_REDIRECT_INSECURE, 804) \
  X(NETCORE_ERR_HTTP_STATUS, 805) \
  X(NETCORE_ERR_INTEGRITY, 806) \
  X(NETCORE_ERR_LIMIT_HEADER_BYTES, 900) \
  X(NETCORE_ERR_LIMIT_BODY_BYTES, 901) \
  X(NETCORE_ERR_LIMIT_DECODED_BYTES, 902) \
  X(NETCORE_ERR_LIMIT_DECODE_RATIO, 903) \
  X(NETCORE_ERR_LIMIT_REDIRECTS, 904) \
  X(NETCORE_ERR_LIMIT_QUEUE_LENGTH, 905) \
  X(NETCORE_ERR_STORAGE, 1000) \
  X(NETCORE_ERR_FILE_BUSY, 1001) \
  X(NETCORE_ERR_FILE_EXISTS, 1002) \
  X(NETCORE_ERR_INTERNAL, 1100) \
  X(NETCORE_ERR_OUT_OF_MEMORY, 1101) \
  X(NETCORE_ERR_BODY, 1200) \
  X(NETCORE_ERR_BODY_REWIND, 1201) \
  X(NETCORE_ERR_REFUSED, 1300) \
  X(NETCORE_ERR_NO_STUB, 1301) \
  X(NETCORE_ERR_NETWORK_METERED, 1400) \
  X(NETCORE_ERR_NETWORK_INTERFACE, 1401) \
  X(NETCORE_ERR_NETWORK_UNREACHABLE, 1402) \
  X(NETCORE_ERR_DUPLICATE, 1500) \
  X(NETCORE_ERR_TOO_SOON, 1501) \
  X(NETCORE_ERR_RATE_LIMITED, 1502) \
  X(NETCORE_ERR_DROPPED, 1503) \
  X(NETCORE_ERR_BREAKER_OPEN, 1600) \
  X(NETCORE_ERR_REJECTED_STATUS, 1700) \
  X(NETCORE_ERR_REJECTED_CONTENT_TYPE, 1701) \
  X(NETCORE_ERR_REJECTED_JSON, 1702) \
  X(NETCORE_ERR_REJECTED, 1703) \
  X(NETCORE_ERR_REJECTED_CODE, 1704) \
  X(NETCORE_ERR_NO_DATA, 1800) \
  X(NETCORE_ERR_NO_MORE_DATA, 1801) \
  X(NETCORE_ERR_PAGE_LOOP, 1802)

#endif
