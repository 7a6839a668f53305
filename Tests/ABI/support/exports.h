/** The list of all functions of the ABI, and a count of the calls that a program has made to each. */
#ifndef NETCORE_TESTS_EXPORTS_H
#define NETCORE_TESTS_EXPORTS_H

#include "check.h"

/** Each name also has to link, so that a function the library does not export stops the build of the tests. */
#define NETCORE_EXPORTS(X) \
  X(netcore_version) \
  X(netcore_version_details) \
  X(netcore_status_name) \
  X(netcore_status_message) \
  X(netcore_last_error_message) \
  X(netcore_request_create) \
  X(netcore_request_destroy) \
  X(netcore_request_set_method) \
  X(netcore_request_set_url) \
  X(netcore_request_set_header) \
  X(netcore_request_add_header) \
  X(netcore_request_remove_header) \
  X(netcore_request_set_body) \
  X(netcore_request_set_connect_timeout_ms) \
  X(netcore_request_set_first_byte_timeout_ms) \
  X(netcore_request_set_idle_timeout_ms) \
  X(netcore_request_set_total_timeout_ms) \
  X(netcore_request_set_limit) \
  X(netcore_request_set_follow_redirects) \
  X(netcore_request_set_allow_insecure_redirects) \
  X(netcore_request_set_decode_content) \
  X(netcore_request_set_tag) \
  X(netcore_request_set_interim_responses) \
  X(netcore_request_create_relative) \
  X(netcore_request_set_base_url) \
  X(netcore_request_set_use_cdn) \
  X(netcore_request_set_use_https) \
  X(netcore_request_set_custom) \
  X(netcore_request_set_path_value) \
  X(netcore_request_add_param) \
  X(netcore_request_add_param_int) \
  X(netcore_request_add_param_double) \
  X(netcore_request_add_param_bool) \
  X(netcore_request_add_param_null) \
  X(netcore_request_add_param_json) \
  X(netcore_request_remove_param) \
  X(netcore_request_set_serializer) \
  X(netcore_request_set_cookie) \
  X(netcore_request_set_priority) \
  X(netcore_request_set_max_receive_rate) \
  X(netcore_request_set_max_send_rate) \
  X(netcore_request_set_progress_interval_ms) \
  X(netcore_request_set_user_info) \
  X(netcore_request_set_allowed_interface) \
  X(netcore_request_set_sent_once) \
  X(netcore_request_set_allow_metered) \
  X(netcore_client_set_network) \
  X(netcore_request_set_auth) \
  X(netcore_request_set_use_cookies) \
  X(netcore_client_set_token_source) \
  X(netcore_client_set_challenge_function) \
  X(netcore_client_set_cookie) \
  X(netcore_client_list_cookies) \
  X(netcore_client_clear_cookies) \
  X(netcore_client_clear_session_cookies) \
  X(netcore_client_export_cookies) \
  X(netcore_client_import_cookies) \
  X(netcore_request_get_info) \
  X(netcore_request_get_header) \
  X(netcore_request_get_header_at) \
  X(netcore_client_set_header_function) \
  X(netcore_client_set_param_function) \
  X(netcore_client_add_filter) \
  X(netcore_client_remove_filters) \
  X(netcore_request_set_body_file) \
  X(netcore_request_set_body_reader) \
  X(netcore_request_set_body_gzip) \
  X(netcore_request_add_part) \
  X(netcore_request_add_file_part) \
  X(netcore_request_add_reader_part) \
  X(netcore_request_set_cache_mode) \
  X(netcore_request_set_cache_ttl_ms) \
  X(netcore_request_set_cache_scope) \
  X(netcore_request_set_cache_version) \
  X(netcore_request_set_cache_key) \
  X(netcore_request_add_cache_key_field) \
  X(netcore_response_get_info) \
  X(netcore_response_get_error) \
  X(netcore_response_get_header) \
  X(netcore_response_get_header_at) \
  X(netcore_response_get_trailer_at) \
  X(netcore_response_retain) \
  X(netcore_response_release) \
  X(netcore_response_set_cached_value) \
  X(netcore_response_get_cached_value) \
  X(netcore_client_create) \
  X(netcore_client_destroy) \
  X(netcore_client_shutdown) \
  X(netcore_client_set_limit) \
  X(netcore_client_get_descriptor) \
  X(netcore_client_process) \
  X(netcore_client_wait) \
  X(netcore_client_cancel_all) \
  X(netcore_client_cancel_tag) \
  X(netcore_client_get_cached) \
  X(netcore_client_add_service) \
  X(netcore_client_select_service) \
  X(netcore_client_select_environment) \
  X(netcore_client_select_next_service) \
  X(netcore_client_select_next_environment) \
  X(netcore_client_set_selection_listener) \
  X(netcore_client_set_header) \
  X(netcore_client_set_param) \
  X(netcore_set_log) \
  X(netcore_cache_create) \
  X(netcore_cache_destroy) \
  X(netcore_cache_clear) \
  X(netcore_cache_set_limit) \
  X(netcore_cache_get_statistics) \
  X(netcore_cache_list) \
  X(netcore_cache_flush) \
  X(netcore_dispatch) \
  X(netcore_dispatch_many) \
  X(netcore_perform) \
  X(netcore_perform_for) \
  X(netcore_task_wait) \
  X(netcore_task_create) \
  X(netcore_task_dispatch) \
  X(netcore_task_cancel) \
  X(netcore_task_get_info) \
  X(netcore_task_complete) \
  X(netcore_group_create) \
  X(netcore_group_add) \
  X(netcore_group_add_host_task) \
  X(netcore_group_dispatch) \
  X(netcore_group_cancel) \
  X(netcore_group_get_info)

enum {
#define EXPORT_INDEX(name) INDEX_##name,
  NETCORE_EXPORTS(EXPORT_INDEX)
#undef EXPORT_INDEX
      EXPORT_COUNT
};

static unsigned export_calls[EXPORT_COUNT];

/** Says that a function is about to be called, and that failures from here on are about it. */
#define CALLING(name) (export_calls[INDEX_##name]++, (void)(check_case = #name))

static inline void check_all_exports_called(void) {
#define EXPORT_ENTRY(name) {#name, (void (*)(void))(name)},
  static const struct {
    const char *name;
    void (*function)(void);
  } entries[] = {NETCORE_EXPORTS(EXPORT_ENTRY)};
#undef EXPORT_ENTRY
  check_case = "every function of the ABI was called";
  for (size_t i = 0; i < LENGTH(entries); i++)
    if (entries[i].function == NULL || export_calls[i] == 0) check_true(false, entries[i].name, __FILE__, __LINE__);
}

#endif
