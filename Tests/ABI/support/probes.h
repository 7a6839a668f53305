/* Written by scripts/generate from include/. */
/* clang-format off */
/** A sample call for each argument of each function that is a handle; see samples.h. */
#ifndef NETCORE_TESTS_PROBES_H
#define NETCORE_TESTS_PROBES_H

enum kind { KIND_CLIENT, KIND_REQUEST, KIND_TASK, KIND_GROUP, KIND_RESPONSE, KIND_CACHE, KIND_HOP, KIND_EVENT_SOURCE, KIND_OBSERVER, KIND_STUBS, KIND_TASK_SCOPE, KIND_CASSETTE, KIND_PAGES, KIND_CLOCK, KIND_MODULE, KIND_API, KIND_COUNT };

#include "samples.h"

static netcore_status netcore_request_copy_1(uint64_t h) {
  CALLING(netcore_request_copy);
  return netcore_request_copy(h, OUT(netcore_request, 0));
}

static netcore_status netcore_request_destroy_1(uint64_t h) {
  CALLING(netcore_request_destroy);
  return netcore_request_destroy(h);
}

static netcore_status netcore_request_set_method_1(uint64_t h) {
  CALLING(netcore_request_set_method);
  return netcore_request_set_method(h, "POST");
}

static netcore_status netcore_request_set_url_1(uint64_t h) {
  CALLING(netcore_request_set_url);
  return netcore_request_set_url(h, "http://127.0.0.1/");
}

static netcore_status netcore_request_set_base_url_1(uint64_t h) {
  CALLING(netcore_request_set_base_url);
  return netcore_request_set_base_url(h, "http://127.0.0.1/");
}

static netcore_status netcore_request_set_use_cdn_1(uint64_t h) {
  CALLING(netcore_request_set_use_cdn);
  return netcore_request_set_use_cdn(h, 1);
}

static netcore_status netcore_request_set_use_https_1(uint64_t h) {
  CALLING(netcore_request_set_use_https);
  return netcore_request_set_use_https(h, 1);
}

static netcore_status netcore_request_set_bare_1(uint64_t h) {
  CALLING(netcore_request_set_bare);
  return netcore_request_set_bare(h, 1);
}

static netcore_status netcore_request_set_path_value_1(uint64_t h) {
  CALLING(netcore_request_set_path_value);
  return netcore_request_set_path_value(h, "a", "1");
}

static netcore_status netcore_request_set_header_1(uint64_t h) {
  CALLING(netcore_request_set_header);
  return netcore_request_set_header(h, "X-A", "1");
}

static netcore_status netcore_request_add_header_1(uint64_t h) {
  CALLING(netcore_request_add_header);
  return netcore_request_add_header(h, "X-A", "1");
}

static netcore_status netcore_request_remove_header_1(uint64_t h) {
  CALLING(netcore_request_remove_header);
  return netcore_request_remove_header(h, "X-B");
}

static netcore_status netcore_request_remove_default_header_1(uint64_t h) {
  CALLING(netcore_request_remove_default_header);
  return netcore_request_remove_default_header(h, "X-A");
}

static netcore_status netcore_request_set_body_1(uint64_t h) {
  CALLING(netcore_request_set_body);
  return netcore_request_set_body(h, "body", 4);
}

static netcore_status netcore_request_set_content_type_1(uint64_t h) {
  CALLING(netcore_request_set_content_type);
  return netcore_request_set_content_type(h, "a");
}

static netcore_status netcore_request_add_param_1(uint64_t h) {
  CALLING(netcore_request_add_param);
  return netcore_request_add_param(h, "a", "1");
}

static netcore_status netcore_request_add_param_int_1(uint64_t h) {
  CALLING(netcore_request_add_param_int);
  return netcore_request_add_param_int(h, "a", 1);
}

static netcore_status netcore_request_add_param_double_1(uint64_t h) {
  CALLING(netcore_request_add_param_double);
  return netcore_request_add_param_double(h, "a", 1);
}

static netcore_status netcore_request_add_param_bool_1(uint64_t h) {
  CALLING(netcore_request_add_param_bool);
  return netcore_request_add_param_bool(h, "a", 1);
}

static netcore_status netcore_request_add_param_null_1(uint64_t h) {
  CALLING(netcore_request_add_param_null);
  return netcore_request_add_param_null(h, "a");
}

static netcore_status netcore_request_add_param_json_1(uint64_t h) {
  CALLING(netcore_request_add_param_json);
  return netcore_request_add_param_json(h, "a", "[]");
}

static netcore_status netcore_request_add_param_list_1(uint64_t h) {
  CALLING(netcore_request_add_param_list);
  return netcore_request_add_param_list(h, "a", "[1]");
}

static netcore_status netcore_request_remove_param_1(uint64_t h) {
  CALLING(netcore_request_remove_param);
  return netcore_request_remove_param(h, "a");
}

static netcore_status netcore_request_remove_default_param_1(uint64_t h) {
  CALLING(netcore_request_remove_default_param);
  return netcore_request_remove_default_param(h, "a");
}

static netcore_status netcore_request_set_serializer_1(uint64_t h) {
  CALLING(netcore_request_set_serializer);
  return netcore_request_set_serializer(h, 1);
}

static netcore_status netcore_request_set_param_nesting_1(uint64_t h) {
  CALLING(netcore_request_set_param_nesting);
  return netcore_request_set_param_nesting(h, 1);
}

static netcore_status netcore_request_set_body_file_1(uint64_t h) {
  CALLING(netcore_request_set_body_file);
  return netcore_request_set_body_file(h, "/dev/null");
}

static netcore_status netcore_request_set_body_reader_1(uint64_t h) {
  CALLING(netcore_request_set_body_reader);
  return netcore_request_set_body_reader(h, &never_reader, 1);
}

static netcore_status netcore_request_set_body_gzip_1(uint64_t h) {
  CALLING(netcore_request_set_body_gzip);
  return netcore_request_set_body_gzip(h, 1);
}

static netcore_status netcore_request_add_part_1(uint64_t h) {
  CALLING(netcore_request_add_part);
  return netcore_request_add_part(h, "a", "body", 4, NULL);
}

static netcore_status netcore_request_add_file_part_1(uint64_t h) {
  CALLING(netcore_request_add_file_part);
  return netcore_request_add_file_part(h, "a", "/dev/null", NULL);
}

static netcore_status netcore_request_add_reader_part_1(uint64_t h) {
  CALLING(netcore_request_add_reader_part);
  return netcore_request_add_reader_part(h, "a", &never_reader, 1, NULL);
}

static netcore_status netcore_request_set_connect_timeout_ms_1(uint64_t h) {
  CALLING(netcore_request_set_connect_timeout_ms);
  return netcore_request_set_connect_timeout_ms(h, 0);
}

static netcore_status netcore_request_set_first_byte_timeout_ms_1(uint64_t h) {
  CALLING(netcore_request_set_first_byte_timeout_ms);
  return netcore_request_set_first_byte_timeout_ms(h, 0);
}

static netcore_status netcore_request_set_idle_timeout_ms_1(uint64_t h) {
  CALLING(netcore_request_set_idle_timeout_ms);
  return netcore_request_set_idle_timeout_ms(h, 0);
}

static netcore_status netcore_request_set_total_timeout_ms_1(uint64_t h) {
  CALLING(netcore_request_set_total_timeout_ms);
  return netcore_request_set_total_timeout_ms(h, 0);
}

static netcore_status netcore_request_set_limit_1(uint64_t h) {
  CALLING(netcore_request_set_limit);
  return netcore_request_set_limit(h, 1, 1);
}

static netcore_status netcore_request_set_follow_redirects_1(uint64_t h) {
  CALLING(netcore_request_set_follow_redirects);
  return netcore_request_set_follow_redirects(h, 1);
}

static netcore_status netcore_request_set_allow_insecure_redirects_1(uint64_t h) {
  CALLING(netcore_request_set_allow_insecure_redirects);
  return netcore_request_set_allow_insecure_redirects(h, 1);
}

static netcore_status netcore_request_set_decode_content_1(uint64_t h) {
  CALLING(netcore_request_set_decode_content);
  return netcore_request_set_decode_content(h, 1);
}

static netcore_status netcore_request_set_event_function_1(uint64_t h) {
  CALLING(netcore_request_set_event_function);
  return netcore_request_set_event_function(h, never_event, NULL, NULL);
}

static netcore_status netcore_request_set_interim_responses_1(uint64_t h) {
  CALLING(netcore_request_set_interim_responses);
  return netcore_request_set_interim_responses(h, 1);
}

static netcore_status netcore_request_set_progress_interval_ms_1(uint64_t h) {
  CALLING(netcore_request_set_progress_interval_ms);
  return netcore_request_set_progress_interval_ms(h, 1);
}

static netcore_status netcore_request_set_priority_1(uint64_t h) {
  CALLING(netcore_request_set_priority);
  return netcore_request_set_priority(h, 1);
}

static netcore_status netcore_request_set_max_receive_rate_1(uint64_t h) {
  CALLING(netcore_request_set_max_receive_rate);
  return netcore_request_set_max_receive_rate(h, 1);
}

static netcore_status netcore_request_set_max_send_rate_1(uint64_t h) {
  CALLING(netcore_request_set_max_send_rate);
  return netcore_request_set_max_send_rate(h, 1);
}

static netcore_status netcore_request_set_min_receive_rate_1(uint64_t h) {
  CALLING(netcore_request_set_min_receive_rate);
  return netcore_request_set_min_receive_rate(h, 1, 1);
}

static netcore_status netcore_request_set_sent_once_1(uint64_t h) {
  CALLING(netcore_request_set_sent_once);
  return netcore_request_set_sent_once(h, 1);
}

static netcore_status netcore_request_set_expect_continue_1(uint64_t h) {
  CALLING(netcore_request_set_expect_continue);
  return netcore_request_set_expect_continue(h, 0);
}

static netcore_status netcore_request_set_allow_unclean_end_1(uint64_t h) {
  CALLING(netcore_request_set_allow_unclean_end);
  return netcore_request_set_allow_unclean_end(h, 1);
}

static netcore_status netcore_request_set_user_info_1(uint64_t h) {
  CALLING(netcore_request_set_user_info);
  return netcore_request_set_user_info(h, NULL);
}

static netcore_status netcore_request_set_allowed_interface_1(uint64_t h) {
  CALLING(netcore_request_set_allowed_interface);
  return netcore_request_set_allowed_interface(h, "lo");
}

static netcore_status netcore_request_set_allow_metered_1(uint64_t h) {
  CALLING(netcore_request_set_allow_metered);
  return netcore_request_set_allow_metered(h, 1);
}

static netcore_status netcore_request_set_tag_1(uint64_t h) {
  CALLING(netcore_request_set_tag);
  return netcore_request_set_tag(h, "a");
}

static netcore_status netcore_request_add_tag_1(uint64_t h) {
  CALLING(netcore_request_add_tag);
  return netcore_request_add_tag(h, "a");
}

static netcore_status netcore_response_get_info_1(uint64_t h) {
  CALLING(netcore_response_get_info);
  return netcore_response_get_info(h, OUT(netcore_response_info, 0));
}

static netcore_status netcore_response_get_error_1(uint64_t h) {
  CALLING(netcore_response_get_error);
  return netcore_response_get_error(h, OUT(netcore_error, 0));
}

static netcore_status netcore_response_get_header_1(uint64_t h) {
  CALLING(netcore_response_get_header);
  return netcore_response_get_header(h, "X-A", 0, OUT(netcore_bytes, 0));
}

static netcore_status netcore_response_get_header_at_1(uint64_t h) {
  CALLING(netcore_response_get_header_at);
  return netcore_response_get_header_at(h, 0, OUT(netcore_bytes, 0), OUT(netcore_bytes, 1));
}

static netcore_status netcore_response_get_trailer_at_1(uint64_t h) {
  CALLING(netcore_response_get_trailer_at);
  return netcore_response_get_trailer_at(h, 0, OUT(netcore_bytes, 0), OUT(netcore_bytes, 1));
}

static netcore_status netcore_response_get_text_1(uint64_t h) {
  CALLING(netcore_response_get_text);
  return netcore_response_get_text(h, OUT(netcore_bytes, 0));
}

static netcore_status netcore_response_get_link_1(uint64_t h) {
  CALLING(netcore_response_get_link);
  return netcore_response_get_link(h, "a", NULL, 0, OUT(size_t, 0));
}

static netcore_status netcore_response_get_history_at_1(uint64_t h) {
  CALLING(netcore_response_get_history_at);
  return netcore_response_get_history_at(h, 0, OUT(netcore_response, 0));
}

static netcore_status netcore_response_list_request_headers_1(uint64_t h) {
  CALLING(netcore_response_list_request_headers);
  return netcore_response_list_request_headers(h, never_field, NULL);
}

static netcore_status netcore_response_retain_1(uint64_t h) {
  CALLING(netcore_response_retain);
  return netcore_response_retain(h);
}

static netcore_status netcore_response_release_1(uint64_t h) {
  CALLING(netcore_response_release);
  return netcore_response_release(h);
}

static netcore_status netcore_response_move_1(uint64_t h) {
  CALLING(netcore_response_move);
  return netcore_response_move(h, NULL, 1, OUT(size_t, 0));
}

static netcore_status netcore_cache_create_1(uint64_t h) {
  CALLING(netcore_cache_create);
  return netcore_cache_create(&(netcore_cache_options){.size = sizeof(netcore_cache_options), .clock = h == 0 ? 1 : h}, OUT(netcore_cache, 0));
}

static netcore_status netcore_cache_destroy_1(uint64_t h) {
  CALLING(netcore_cache_destroy);
  return netcore_cache_destroy(h);
}

static netcore_status netcore_cache_clear_1(uint64_t h) {
  CALLING(netcore_cache_clear);
  return netcore_cache_clear(h, NETCORE_CACHE_FILTER_ALL, NULL);
}

static netcore_status netcore_cache_set_limit_1(uint64_t h) {
  CALLING(netcore_cache_set_limit);
  return netcore_cache_set_limit(h, 1, 1);
}

static netcore_status netcore_cache_get_limit_1(uint64_t h) {
  CALLING(netcore_cache_get_limit);
  return netcore_cache_get_limit(h, 1, OUT(uint64_t, 0));
}

static netcore_status netcore_cache_get_statistics_1(uint64_t h) {
  CALLING(netcore_cache_get_statistics);
  return netcore_cache_get_statistics(h, OUT(netcore_cache_statistics, 0));
}

static netcore_status netcore_cache_list_1(uint64_t h) {
  CALLING(netcore_cache_list);
  return netcore_cache_list(h, never_cache_entry, NULL);
}

static netcore_status netcore_cache_flush_1(uint64_t h) {
  CALLING(netcore_cache_flush);
  return netcore_cache_flush(h);
}

static netcore_status netcore_cache_put_value_1(uint64_t h) {
  CALLING(netcore_cache_put_value);
  return netcore_cache_put_value(h, "a", "body", 4, NULL);
}

static netcore_status netcore_cache_get_value_1(uint64_t h) {
  CALLING(netcore_cache_get_value);
  return netcore_cache_get_value(h, "a", never_cache_value, NULL);
}

static netcore_status netcore_cache_remove_value_1(uint64_t h) {
  CALLING(netcore_cache_remove_value);
  return netcore_cache_remove_value(h, "a");
}

static netcore_status netcore_request_set_cache_mode_1(uint64_t h) {
  CALLING(netcore_request_set_cache_mode);
  return netcore_request_set_cache_mode(h, 1);
}

static netcore_status netcore_request_set_cache_ttl_ms_1(uint64_t h) {
  CALLING(netcore_request_set_cache_ttl_ms);
  return netcore_request_set_cache_ttl_ms(h, 1);
}

static netcore_status netcore_request_set_cache_errors_1(uint64_t h) {
  CALLING(netcore_request_set_cache_errors);
  return netcore_request_set_cache_errors(h, 1);
}

static netcore_status netcore_request_set_cache_scope_1(uint64_t h) {
  CALLING(netcore_request_set_cache_scope);
  return netcore_request_set_cache_scope(h, "a");
}

static netcore_status netcore_request_set_cache_version_1(uint64_t h) {
  CALLING(netcore_request_set_cache_version);
  return netcore_request_set_cache_version(h, 1);
}

static netcore_status netcore_request_set_cache_key_1(uint64_t h) {
  CALLING(netcore_request_set_cache_key);
  return netcore_request_set_cache_key(h, "a");
}

static netcore_status netcore_request_add_cache_key_field_1(uint64_t h) {
  CALLING(netcore_request_add_cache_key_field);
  return netcore_request_add_cache_key_field(h, "X-A");
}

static netcore_status netcore_client_get_cached_1(uint64_t h) {
  CALLING(netcore_client_get_cached);
  return netcore_client_get_cached(h, live[KIND_REQUEST], OUT(netcore_response, 0), OUT(netcore_cache_result, 1));
}

static netcore_status netcore_client_get_cached_2(uint64_t h) {
  CALLING(netcore_client_get_cached);
  return netcore_client_get_cached(live[KIND_CLIENT], h, OUT(netcore_response, 0), OUT(netcore_cache_result, 1));
}

static netcore_status netcore_request_add_invalidated_tag_1(uint64_t h) {
  CALLING(netcore_request_add_invalidated_tag);
  return netcore_request_add_invalidated_tag(h, "a");
}

static netcore_status netcore_response_set_cached_value_1(uint64_t h) {
  CALLING(netcore_response_set_cached_value);
  return netcore_response_set_cached_value(h, &sample_value, 4, never_release);
}

static netcore_status netcore_response_get_cached_value_1(uint64_t h) {
  CALLING(netcore_response_get_cached_value);
  return netcore_response_get_cached_value(h, OUT(void *, 0));
}

static netcore_status netcore_request_get_limit_1(uint64_t h) {
  CALLING(netcore_request_get_limit);
  return netcore_request_get_limit(h, 1, OUT(uint64_t, 0));
}

static netcore_status netcore_request_get_info_1(uint64_t h) {
  CALLING(netcore_request_get_info);
  return netcore_request_get_info(h, OUT(netcore_request_info, 0));
}

static netcore_status netcore_request_get_header_1(uint64_t h) {
  CALLING(netcore_request_get_header);
  return netcore_request_get_header(h, "X-A", 0, OUT(netcore_bytes, 0));
}

static netcore_status netcore_request_get_header_at_1(uint64_t h) {
  CALLING(netcore_request_get_header_at);
  return netcore_request_get_header_at(h, 0, OUT(netcore_bytes, 0), OUT(netcore_bytes, 1));
}

static netcore_status netcore_request_get_part_at_1(uint64_t h) {
  CALLING(netcore_request_get_part_at);
  return netcore_request_get_part_at(h, 0, OUT(netcore_part_info, 0));
}

static netcore_status netcore_request_list_params_1(uint64_t h) {
  CALLING(netcore_request_list_params);
  return netcore_request_list_params(h, never_field, NULL);
}

static netcore_status netcore_request_list_path_values_1(uint64_t h) {
  CALLING(netcore_request_list_path_values);
  return netcore_request_list_path_values(h, never_field, NULL);
}

static netcore_status netcore_request_list_cookies_1(uint64_t h) {
  CALLING(netcore_request_list_cookies);
  return netcore_request_list_cookies(h, never_field, NULL);
}

static netcore_status netcore_client_create_1(uint64_t h) {
  CALLING(netcore_client_create);
  return netcore_client_create(&(netcore_client_options){.size = sizeof(netcore_client_options), .cache = h == 0 ? 1 : h}, OUT(netcore_client, 0));
}

static netcore_status netcore_client_destroy_1(uint64_t h) {
  CALLING(netcore_client_destroy);
  return netcore_client_destroy(h);
}

static netcore_status netcore_client_shutdown_1(uint64_t h) {
  CALLING(netcore_client_shutdown);
  return netcore_client_shutdown(h);
}

static netcore_status netcore_client_set_limit_1(uint64_t h) {
  CALLING(netcore_client_set_limit);
  return netcore_client_set_limit(h, NETCORE_LIMIT_TRANSFERS, 1);
}

static netcore_status netcore_client_set_queue_overflow_1(uint64_t h) {
  CALLING(netcore_client_set_queue_overflow);
  return netcore_client_set_queue_overflow(h, 1);
}

static netcore_status netcore_client_get_queue_overflow_1(uint64_t h) {
  CALLING(netcore_client_get_queue_overflow);
  return netcore_client_get_queue_overflow(h, OUT(netcore_queue_overflow, 0));
}

static netcore_status netcore_client_get_limit_1(uint64_t h) {
  CALLING(netcore_client_get_limit);
  return netcore_client_get_limit(h, 1, OUT(uint64_t, 0));
}

static netcore_status netcore_client_get_descriptor_1(uint64_t h) {
  CALLING(netcore_client_get_descriptor);
  return netcore_client_get_descriptor(h, OUT(int32_t, 0));
}

static netcore_status netcore_client_process_1(uint64_t h) {
  CALLING(netcore_client_process);
  return netcore_client_process(h, 1, OUT(uint32_t, 0));
}

static netcore_status netcore_client_wait_1(uint64_t h) {
  CALLING(netcore_client_wait);
  return netcore_client_wait(h, ROOM(netcore_completion), 1, sizeof(netcore_completion), 0, OUT(uint32_t, 0));
}

static netcore_status netcore_client_cancel_all_1(uint64_t h) {
  CALLING(netcore_client_cancel_all);
  return netcore_client_cancel_all(h, OUT(uint32_t, 0));
}

static netcore_status netcore_client_cancel_tag_1(uint64_t h) {
  CALLING(netcore_client_cancel_tag);
  return netcore_client_cancel_tag(h, "a", OUT(uint32_t, 0));
}

static netcore_status netcore_client_set_network_1(uint64_t h) {
  CALLING(netcore_client_set_network);
  return netcore_client_set_network(h, NULL);
}

static netcore_status netcore_dispatch_1(uint64_t h) {
  CALLING(netcore_dispatch);
  return netcore_dispatch(h, live[KIND_REQUEST], never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_dispatch_2(uint64_t h) {
  CALLING(netcore_dispatch);
  return netcore_dispatch(live[KIND_CLIENT], h, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_dispatch_callbacks_1(uint64_t h) {
  CALLING(netcore_dispatch_callbacks);
  return netcore_dispatch_callbacks(h, live[KIND_REQUEST], NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_dispatch_callbacks_2(uint64_t h) {
  CALLING(netcore_dispatch_callbacks);
  return netcore_dispatch_callbacks(live[KIND_CLIENT], h, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_dispatch_many_1(uint64_t h) {
  CALLING(netcore_dispatch_many);
  return netcore_dispatch_many(h, two_handles(live[KIND_REQUEST], live[KIND_REQUEST]), 2, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_dispatch_many_2(uint64_t h) {
  CALLING(netcore_dispatch_many);
  return netcore_dispatch_many(live[KIND_CLIENT], two_handles(live[KIND_REQUEST], h), 2, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_perform_1(uint64_t h) {
  CALLING(netcore_perform);
  return netcore_perform(h, live[KIND_REQUEST], OUT(netcore_response, 0));
}

static netcore_status netcore_perform_2(uint64_t h) {
  CALLING(netcore_perform);
  return netcore_perform(live[KIND_CLIENT], h, OUT(netcore_response, 0));
}

static netcore_status netcore_perform_for_1(uint64_t h) {
  CALLING(netcore_perform_for);
  return netcore_perform_for(h, live[KIND_REQUEST], 0, OUT(netcore_task, 0), OUT(netcore_response, 1), OUT(netcore_response_info, 2));
}

static netcore_status netcore_perform_for_2(uint64_t h) {
  CALLING(netcore_perform_for);
  return netcore_perform_for(live[KIND_CLIENT], h, 0, OUT(netcore_task, 0), OUT(netcore_response, 1), OUT(netcore_response_info, 2));
}

static netcore_status netcore_task_wait_1(uint64_t h) {
  CALLING(netcore_task_wait);
  return netcore_task_wait(h, 0, OUT(netcore_response, 0), OUT(netcore_response_info, 1));
}

static netcore_status netcore_task_create_1(uint64_t h) {
  CALLING(netcore_task_create);
  return netcore_task_create(h, live[KIND_REQUEST], never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_task_create_2(uint64_t h) {
  CALLING(netcore_task_create);
  return netcore_task_create(live[KIND_CLIENT], h, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_task_dispatch_1(uint64_t h) {
  CALLING(netcore_task_dispatch);
  return netcore_task_dispatch(h);
}

static netcore_status netcore_task_cancel_1(uint64_t h) {
  CALLING(netcore_task_cancel);
  return netcore_task_cancel(h);
}

static netcore_status netcore_task_set_priority_1(uint64_t h) {
  CALLING(netcore_task_set_priority);
  return netcore_task_set_priority(h, 1);
}

static netcore_status netcore_task_get_info_1(uint64_t h) {
  CALLING(netcore_task_get_info);
  return netcore_task_get_info(h, OUT(netcore_task_info, 0));
}

static netcore_status netcore_task_complete_1(uint64_t h) {
  CALLING(netcore_task_complete);
  return netcore_task_complete(h, NETCORE_OK);
}

static netcore_status netcore_task_send_1(uint64_t h) {
  CALLING(netcore_task_send);
  return netcore_task_send(h, live[KIND_REQUEST]);
}

static netcore_status netcore_task_send_2(uint64_t h) {
  CALLING(netcore_task_send);
  return netcore_task_send(live[KIND_TASK], h);
}

static netcore_status netcore_task_scope_close_1(uint64_t h) {
  CALLING(netcore_task_scope_close);
  return netcore_task_scope_close(h);
}

static netcore_status netcore_task_scope_cancel_1(uint64_t h) {
  CALLING(netcore_task_scope_cancel);
  return netcore_task_scope_cancel(h);
}

static netcore_status netcore_task_scope_get_count_1(uint64_t h) {
  CALLING(netcore_task_scope_get_count);
  return netcore_task_scope_get_count(h, OUT(uint32_t, 0));
}

static netcore_status netcore_request_set_task_scope_1(uint64_t h) {
  CALLING(netcore_request_set_task_scope);
  return netcore_request_set_task_scope(h, live[KIND_TASK_SCOPE]);
}

static netcore_status netcore_request_set_task_scope_2(uint64_t h) {
  CALLING(netcore_request_set_task_scope);
  return netcore_request_set_task_scope(live[KIND_REQUEST], h);
}

static netcore_status netcore_perform_streamed_1(uint64_t h) {
  CALLING(netcore_perform_streamed);
  return netcore_perform_streamed(h, live[KIND_REQUEST], 1, OUT(netcore_response, 0));
}

static netcore_status netcore_perform_streamed_2(uint64_t h) {
  CALLING(netcore_perform_streamed);
  return netcore_perform_streamed(live[KIND_CLIENT], h, 1, OUT(netcore_response, 0));
}

static netcore_status netcore_perform_streamed_for_1(uint64_t h) {
  CALLING(netcore_perform_streamed_for);
  return netcore_perform_streamed_for(h, live[KIND_REQUEST], 1, 0, OUT(netcore_task, 0), OUT(netcore_response, 1), OUT(netcore_response_info, 2));
}

static netcore_status netcore_perform_streamed_for_2(uint64_t h) {
  CALLING(netcore_perform_streamed_for);
  return netcore_perform_streamed_for(live[KIND_CLIENT], h, 1, 0, OUT(netcore_task, 0), OUT(netcore_response, 1), OUT(netcore_response_info, 2));
}

static netcore_status netcore_dispatch_streamed_1(uint64_t h) {
  CALLING(netcore_dispatch_streamed);
  return netcore_dispatch_streamed(h, live[KIND_REQUEST], 1, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_dispatch_streamed_2(uint64_t h) {
  CALLING(netcore_dispatch_streamed);
  return netcore_dispatch_streamed(live[KIND_CLIENT], h, 1, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_response_read_1(uint64_t h) {
  CALLING(netcore_response_read);
  return netcore_response_read(h, NULL, 1, 0, OUT(size_t, 0));
}

static netcore_status netcore_response_wait_1(uint64_t h) {
  CALLING(netcore_response_wait);
  return netcore_response_wait(h, 0, OUT(size_t, 0));
}

static netcore_status netcore_response_read_line_1(uint64_t h) {
  CALLING(netcore_response_read_line);
  return netcore_response_read_line(h, 1, 0, OUT(netcore_bytes, 0));
}

static netcore_status netcore_response_get_ending_1(uint64_t h) {
  CALLING(netcore_response_get_ending);
  return netcore_response_get_ending(h, OUT(netcore_response, 0));
}

static netcore_status netcore_response_get_progress_1(uint64_t h) {
  CALLING(netcore_response_get_progress);
  return netcore_response_get_progress(h, OUT(netcore_task_info, 0));
}

static netcore_status netcore_response_cancel_1(uint64_t h) {
  CALLING(netcore_response_cancel);
  return netcore_response_cancel(h);
}

static netcore_status netcore_download_1(uint64_t h) {
  CALLING(netcore_download);
  return netcore_download(h, live[KIND_REQUEST], "/dev/null", NULL, 0, OUT(netcore_task, 0), OUT(netcore_response, 1));
}

static netcore_status netcore_download_2(uint64_t h) {
  CALLING(netcore_download);
  return netcore_download(live[KIND_CLIENT], h, "/dev/null", NULL, 0, OUT(netcore_task, 0), OUT(netcore_response, 1));
}

static netcore_status netcore_download_dispatch_1(uint64_t h) {
  CALLING(netcore_download_dispatch);
  return netcore_download_dispatch(h, live[KIND_REQUEST], "/dev/null", NULL, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_download_dispatch_2(uint64_t h) {
  CALLING(netcore_download_dispatch);
  return netcore_download_dispatch(live[KIND_CLIENT], h, "/dev/null", NULL, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_download_get_progress_1(uint64_t h) {
  CALLING(netcore_download_get_progress);
  return netcore_download_get_progress(h, OUT(netcore_download_progress, 0));
}

static netcore_status netcore_response_get_download_1(uint64_t h) {
  CALLING(netcore_response_get_download);
  return netcore_response_get_download(h, OUT(netcore_download_info, 0));
}

static netcore_status netcore_response_read_event_1(uint64_t h) {
  CALLING(netcore_response_read_event);
  return netcore_response_read_event(h, 1, 0, OUT(netcore_server_event, 0));
}

static netcore_status netcore_response_read_events_1(uint64_t h) {
  CALLING(netcore_response_read_events);
  return netcore_response_read_events(h, 1, 0, OUT(netcore_bytes, 0));
}

static netcore_status netcore_event_source_create_1(uint64_t h) {
  CALLING(netcore_event_source_create);
  return netcore_event_source_create(h, live[KIND_REQUEST], NULL, OUT(netcore_event_source, 0));
}

static netcore_status netcore_event_source_create_2(uint64_t h) {
  CALLING(netcore_event_source_create);
  return netcore_event_source_create(live[KIND_CLIENT], h, NULL, OUT(netcore_event_source, 0));
}

static netcore_status netcore_event_source_read_1(uint64_t h) {
  CALLING(netcore_event_source_read);
  return netcore_event_source_read(h, 0, OUT(netcore_server_event, 0));
}

static netcore_status netcore_event_source_get_descriptor_1(uint64_t h) {
  CALLING(netcore_event_source_get_descriptor);
  return netcore_event_source_get_descriptor(h, OUT(int32_t, 0));
}

static netcore_status netcore_event_source_get_info_1(uint64_t h) {
  CALLING(netcore_event_source_get_info);
  return netcore_event_source_get_info(h, OUT(netcore_event_source_info, 0));
}

static netcore_status netcore_event_source_cancel_1(uint64_t h) {
  CALLING(netcore_event_source_cancel);
  return netcore_event_source_cancel(h);
}

static netcore_status netcore_event_source_destroy_1(uint64_t h) {
  CALLING(netcore_event_source_destroy);
  return netcore_event_source_destroy(h);
}

static netcore_status netcore_client_add_service_1(uint64_t h) {
  CALLING(netcore_client_add_service);
  return netcore_client_add_service(h, "a", "test", "http://127.0.0.1/", NULL);
}

static netcore_status netcore_client_set_service_weight_1(uint64_t h) {
  CALLING(netcore_client_set_service_weight);
  return netcore_client_set_service_weight(h, "a", 1);
}

static netcore_status netcore_client_select_service_1(uint64_t h) {
  CALLING(netcore_client_select_service);
  return netcore_client_select_service(h, "a");
}

static netcore_status netcore_client_select_environment_1(uint64_t h) {
  CALLING(netcore_client_select_environment);
  return netcore_client_select_environment(h, "test");
}

static netcore_status netcore_client_select_next_service_1(uint64_t h) {
  CALLING(netcore_client_select_next_service);
  return netcore_client_select_next_service(h);
}

static netcore_status netcore_client_select_next_environment_1(uint64_t h) {
  CALLING(netcore_client_select_next_environment);
  return netcore_client_select_next_environment(h);
}

static netcore_status netcore_client_get_selected_service_1(uint64_t h) {
  CALLING(netcore_client_get_selected_service);
  return netcore_client_get_selected_service(h, NULL, 0, OUT(size_t, 0));
}

static netcore_status netcore_client_get_selected_environment_1(uint64_t h) {
  CALLING(netcore_client_get_selected_environment);
  return netcore_client_get_selected_environment(h, NULL, 0, OUT(size_t, 0));
}

static netcore_status netcore_client_get_base_url_1(uint64_t h) {
  CALLING(netcore_client_get_base_url);
  return netcore_client_get_base_url(h, "a", "test", 1, NULL, 0, OUT(size_t, 0));
}

static netcore_status netcore_client_set_selection_listener_1(uint64_t h) {
  CALLING(netcore_client_set_selection_listener);
  return netcore_client_set_selection_listener(h, never_selection, NULL, NULL);
}

static netcore_status netcore_client_set_header_1(uint64_t h) {
  CALLING(netcore_client_set_header);
  return netcore_client_set_header(h, "X-A", "1");
}

static netcore_status netcore_client_add_header_1(uint64_t h) {
  CALLING(netcore_client_add_header);
  return netcore_client_add_header(h, "X-A", "1");
}

static netcore_status netcore_client_list_headers_1(uint64_t h) {
  CALLING(netcore_client_list_headers);
  return netcore_client_list_headers(h, never_field, NULL);
}

static netcore_status netcore_client_set_param_1(uint64_t h) {
  CALLING(netcore_client_set_param);
  return netcore_client_set_param(h, "a", "1");
}

static netcore_status netcore_client_add_param_1(uint64_t h) {
  CALLING(netcore_client_add_param);
  return netcore_client_add_param(h, "a", "1");
}

static netcore_status netcore_client_add_param_int_1(uint64_t h) {
  CALLING(netcore_client_add_param_int);
  return netcore_client_add_param_int(h, "a", 1);
}

static netcore_status netcore_client_add_param_double_1(uint64_t h) {
  CALLING(netcore_client_add_param_double);
  return netcore_client_add_param_double(h, "a", 1);
}

static netcore_status netcore_client_add_param_bool_1(uint64_t h) {
  CALLING(netcore_client_add_param_bool);
  return netcore_client_add_param_bool(h, "a", 1);
}

static netcore_status netcore_client_add_param_null_1(uint64_t h) {
  CALLING(netcore_client_add_param_null);
  return netcore_client_add_param_null(h, "a");
}

static netcore_status netcore_client_add_param_json_1(uint64_t h) {
  CALLING(netcore_client_add_param_json);
  return netcore_client_add_param_json(h, "a", "1");
}

static netcore_status netcore_client_add_param_list_1(uint64_t h) {
  CALLING(netcore_client_add_param_list);
  return netcore_client_add_param_list(h, "a", "[1]");
}

static netcore_status netcore_client_list_params_1(uint64_t h) {
  CALLING(netcore_client_list_params);
  return netcore_client_list_params(h, never_field, NULL);
}

static netcore_status netcore_client_resolve_request_1(uint64_t h) {
  CALLING(netcore_client_resolve_request);
  return netcore_client_resolve_request(h, live[KIND_REQUEST], OUT(netcore_request, 0));
}

static netcore_status netcore_client_resolve_request_2(uint64_t h) {
  CALLING(netcore_client_resolve_request);
  return netcore_client_resolve_request(live[KIND_CLIENT], h, OUT(netcore_request, 0));
}

static netcore_status netcore_client_set_params_in_query_1(uint64_t h) {
  CALLING(netcore_client_set_params_in_query);
  return netcore_client_set_params_in_query(h, 1);
}

static netcore_status netcore_client_get_params_in_query_1(uint64_t h) {
  CALLING(netcore_client_get_params_in_query);
  return netcore_client_get_params_in_query(h, OUT(int32_t, 0));
}

static netcore_status netcore_client_set_request_defaults_1(uint64_t h) {
  CALLING(netcore_client_set_request_defaults);
  return netcore_client_set_request_defaults(h, live[KIND_REQUEST]);
}

static netcore_status netcore_client_set_request_defaults_2(uint64_t h) {
  CALLING(netcore_client_set_request_defaults);
  return netcore_client_set_request_defaults(live[KIND_CLIENT], h);
}

static netcore_status netcore_client_get_request_defaults_1(uint64_t h) {
  CALLING(netcore_client_get_request_defaults);
  return netcore_client_get_request_defaults(h, OUT(netcore_request, 0));
}

static netcore_status netcore_client_set_header_function_1(uint64_t h) {
  CALLING(netcore_client_set_header_function);
  return netcore_client_set_header_function(h, "X-A", never_value, NULL, NULL);
}

static netcore_status netcore_client_set_param_function_1(uint64_t h) {
  CALLING(netcore_client_set_param_function);
  return netcore_client_set_param_function(h, "a", never_value, NULL, NULL);
}

static netcore_status netcore_client_add_filter_1(uint64_t h) {
  CALLING(netcore_client_add_filter);
  return netcore_client_add_filter(h, never_filter, NULL, NULL);
}

static netcore_status netcore_request_set_filter_1(uint64_t h) {
  CALLING(netcore_request_set_filter);
  return netcore_request_set_filter(h, never_filter, NULL, NULL);
}

static netcore_status netcore_client_remove_filters_1(uint64_t h) {
  CALLING(netcore_client_remove_filters);
  return netcore_client_remove_filters(h);
}

static netcore_status netcore_client_set_hop_function_1(uint64_t h) {
  CALLING(netcore_client_set_hop_function);
  return netcore_client_set_hop_function(h, "a", never_hop_value, NULL, NULL);
}

static netcore_status netcore_client_add_response_filter_1(uint64_t h) {
  CALLING(netcore_client_add_response_filter);
  return netcore_client_add_response_filter(h, 1, never_response_filter, NULL, NULL);
}

static netcore_status netcore_client_remove_response_filters_1(uint64_t h) {
  CALLING(netcore_client_remove_response_filters);
  return netcore_client_remove_response_filters(h);
}

static netcore_status netcore_request_add_response_filter_1(uint64_t h) {
  CALLING(netcore_request_add_response_filter);
  return netcore_request_add_response_filter(h, 1, never_response_filter, NULL, NULL);
}

static netcore_status netcore_response_set_header_1(uint64_t h) {
  CALLING(netcore_response_set_header);
  return netcore_response_set_header(h, "X-A", "1");
}

static netcore_status netcore_response_add_header_1(uint64_t h) {
  CALLING(netcore_response_add_header);
  return netcore_response_add_header(h, "X-A", "1");
}

static netcore_status netcore_response_remove_header_1(uint64_t h) {
  CALLING(netcore_response_remove_header);
  return netcore_response_remove_header(h, "X-A");
}

static netcore_status netcore_response_set_body_1(uint64_t h) {
  CALLING(netcore_response_set_body);
  return netcore_response_set_body(h, "body", 4);
}

static netcore_status netcore_response_add_tag_1(uint64_t h) {
  CALLING(netcore_response_add_tag);
  return netcore_response_add_tag(h, "a");
}

static netcore_status netcore_request_set_auth_1(uint64_t h) {
  CALLING(netcore_request_set_auth);
  return netcore_request_set_auth(h, NETCORE_AUTH_BASIC, "a", "a");
}

static netcore_status netcore_client_set_token_source_1(uint64_t h) {
  CALLING(netcore_client_set_token_source);
  return netcore_client_set_token_source(h, "http://127.0.0.1/", never_token, NULL, NULL);
}

static netcore_status netcore_client_set_challenge_function_1(uint64_t h) {
  CALLING(netcore_client_set_challenge_function);
  return netcore_client_set_challenge_function(h, never_challenge, NULL, NULL);
}

static netcore_status netcore_request_set_use_cookies_1(uint64_t h) {
  CALLING(netcore_request_set_use_cookies);
  return netcore_request_set_use_cookies(h, 1);
}

static netcore_status netcore_request_set_cookie_1(uint64_t h) {
  CALLING(netcore_request_set_cookie);
  return netcore_request_set_cookie(h, "a", "1");
}

static netcore_status netcore_client_set_cookie_1(uint64_t h) {
  CALLING(netcore_client_set_cookie);
  return netcore_client_set_cookie(h, &some_cookie);
}

static netcore_status netcore_client_list_cookies_1(uint64_t h) {
  CALLING(netcore_client_list_cookies);
  return netcore_client_list_cookies(h, never_cookie, NULL);
}

static netcore_status netcore_client_clear_cookies_1(uint64_t h) {
  CALLING(netcore_client_clear_cookies);
  return netcore_client_clear_cookies(h, NULL, NULL, NULL, OUT(uint32_t, 0));
}

static netcore_status netcore_client_clear_session_cookies_1(uint64_t h) {
  CALLING(netcore_client_clear_session_cookies);
  return netcore_client_clear_session_cookies(h, OUT(uint32_t, 0));
}

static netcore_status netcore_client_export_cookies_1(uint64_t h) {
  CALLING(netcore_client_export_cookies);
  return netcore_client_export_cookies(h, NULL, 0, OUT(size_t, 0));
}

static netcore_status netcore_client_import_cookies_1(uint64_t h) {
  CALLING(netcore_client_import_cookies);
  return netcore_client_import_cookies(h, "", 0, OUT(uint32_t, 0));
}

static netcore_status netcore_group_create_1(uint64_t h) {
  CALLING(netcore_group_create);
  return netcore_group_create(h, OUT(netcore_group, 0));
}

static netcore_status netcore_group_set_options_1(uint64_t h) {
  CALLING(netcore_group_set_options);
  return netcore_group_set_options(h, NULL);
}

static netcore_status netcore_group_add_1(uint64_t h) {
  CALLING(netcore_group_add);
  return netcore_group_add(h, live[KIND_REQUEST], never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_group_add_2(uint64_t h) {
  CALLING(netcore_group_add);
  return netcore_group_add(live[KIND_GROUP], h, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_group_add_task_1(uint64_t h) {
  CALLING(netcore_group_add_task);
  return netcore_group_add_task(h, live[KIND_TASK]);
}

static netcore_status netcore_group_add_task_2(uint64_t h) {
  CALLING(netcore_group_add_task);
  return netcore_group_add_task(live[KIND_GROUP], h);
}

static netcore_status netcore_group_add_group_1(uint64_t h) {
  CALLING(netcore_group_add_group);
  return netcore_group_add_group(h, live[KIND_GROUP], never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_group_add_group_2(uint64_t h) {
  CALLING(netcore_group_add_group);
  return netcore_group_add_group(live[KIND_GROUP], h, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_group_add_dependency_1(uint64_t h) {
  CALLING(netcore_group_add_dependency);
  return netcore_group_add_dependency(h, live[KIND_TASK], live[KIND_TASK]);
}

static netcore_status netcore_group_add_dependency_2(uint64_t h) {
  CALLING(netcore_group_add_dependency);
  return netcore_group_add_dependency(live[KIND_GROUP], h, live[KIND_TASK]);
}

static netcore_status netcore_group_add_dependency_3(uint64_t h) {
  CALLING(netcore_group_add_dependency);
  return netcore_group_add_dependency(live[KIND_GROUP], live[KIND_TASK], h);
}

static netcore_status netcore_group_add_application_task_1(uint64_t h) {
  CALLING(netcore_group_add_application_task);
  return netcore_group_add_application_task(h, never_task, never_task, never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_group_dispatch_1(uint64_t h) {
  CALLING(netcore_group_dispatch);
  return netcore_group_dispatch(h, never_done, NULL);
}

static netcore_status netcore_group_cancel_1(uint64_t h) {
  CALLING(netcore_group_cancel);
  return netcore_group_cancel(h);
}

static netcore_status netcore_group_get_info_1(uint64_t h) {
  CALLING(netcore_group_get_info);
  return netcore_group_get_info(h, OUT(netcore_group_info, 0));
}

static netcore_status netcore_group_get_result_1(uint64_t h) {
  CALLING(netcore_group_get_result);
  return netcore_group_get_result(h, 0, OUT(netcore_completion, 0));
}

static netcore_status netcore_client_set_retries_1(uint64_t h) {
  CALLING(netcore_client_set_retries);
  return netcore_client_set_retries(h, NULL);
}

static netcore_status netcore_client_get_retries_1(uint64_t h) {
  CALLING(netcore_client_get_retries);
  return netcore_client_get_retries(h, OUT(int32_t, 0), OUT(netcore_retry_options, 1));
}

static netcore_status netcore_request_set_retries_1(uint64_t h) {
  CALLING(netcore_request_set_retries);
  return netcore_request_set_retries(h, 1, NULL);
}

static netcore_status netcore_request_get_retries_1(uint64_t h) {
  CALLING(netcore_request_get_retries);
  return netcore_request_get_retries(h, OUT(netcore_retries, 0), OUT(netcore_retry_options, 1));
}

static netcore_status netcore_request_set_idempotent_1(uint64_t h) {
  CALLING(netcore_request_set_idempotent);
  return netcore_request_set_idempotent(h, 1);
}

static netcore_status netcore_response_get_try_1(uint64_t h) {
  CALLING(netcore_response_get_try);
  return netcore_response_get_try(h, 0, OUT(netcore_try, 0));
}

static netcore_status netcore_client_set_hedging_1(uint64_t h) {
  CALLING(netcore_client_set_hedging);
  return netcore_client_set_hedging(h, NULL);
}

static netcore_status netcore_client_get_hedging_1(uint64_t h) {
  CALLING(netcore_client_get_hedging);
  return netcore_client_get_hedging(h, OUT(int32_t, 0), OUT(netcore_hedge_options, 1));
}

static netcore_status netcore_request_set_hedging_1(uint64_t h) {
  CALLING(netcore_request_set_hedging);
  return netcore_request_set_hedging(h, 1, NULL);
}

static netcore_status netcore_request_get_hedging_1(uint64_t h) {
  CALLING(netcore_request_get_hedging);
  return netcore_request_get_hedging(h, OUT(netcore_hedging, 0), OUT(netcore_hedge_options, 1));
}

static netcore_status netcore_client_set_breaker_1(uint64_t h) {
  CALLING(netcore_client_set_breaker);
  return netcore_client_set_breaker(h, NULL);
}

static netcore_status netcore_client_get_breaker_1(uint64_t h) {
  CALLING(netcore_client_get_breaker);
  return netcore_client_get_breaker(h, OUT(int32_t, 0), OUT(netcore_breaker_options, 1));
}

static netcore_status netcore_client_list_breakers_1(uint64_t h) {
  CALLING(netcore_client_list_breakers);
  return netcore_client_list_breakers(h, never_breaker, NULL);
}

static netcore_status netcore_request_set_duplicates_1(uint64_t h) {
  CALLING(netcore_request_set_duplicates);
  return netcore_request_set_duplicates(h, 1);
}

static netcore_status netcore_request_set_min_interval_1(uint64_t h) {
  CALLING(netcore_request_set_min_interval);
  return netcore_request_set_min_interval(h, NULL);
}

static netcore_status netcore_client_set_rate_1(uint64_t h) {
  CALLING(netcore_client_set_rate);
  return netcore_client_set_rate(h, NETCORE_RATE_SCOPE_TAG, "a", NULL);
}

static netcore_status netcore_client_get_rate_1(uint64_t h) {
  CALLING(netcore_client_get_rate);
  return netcore_client_get_rate(h, 1, "a", OUT(netcore_rate, 0));
}

static netcore_status netcore_request_set_rate_key_1(uint64_t h) {
  CALLING(netcore_request_set_rate_key);
  return netcore_request_set_rate_key(h, "a");
}

static netcore_status netcore_request_set_accepted_statuses_1(uint64_t h) {
  CALLING(netcore_request_set_accepted_statuses);
  return netcore_request_set_accepted_statuses(h, NULL);
}

static netcore_status netcore_request_set_accepted_content_types_1(uint64_t h) {
  CALLING(netcore_request_set_accepted_content_types);
  return netcore_request_set_accepted_content_types(h, NULL);
}

static netcore_status netcore_request_set_body_sha256_1(uint64_t h) {
  CALLING(netcore_request_set_body_sha256);
  return netcore_request_set_body_sha256(h, NULL);
}

static netcore_status netcore_request_set_json_shape_1(uint64_t h) {
  CALLING(netcore_request_set_json_shape);
  return netcore_request_set_json_shape(h, NULL);
}

static netcore_status netcore_request_set_validator_1(uint64_t h) {
  CALLING(netcore_request_set_validator);
  return netcore_request_set_validator(h, never_validate, NULL, NULL);
}

static netcore_status netcore_request_set_drop_nulls_1(uint64_t h) {
  CALLING(netcore_request_set_drop_nulls);
  return netcore_request_set_drop_nulls(h, 1);
}

static netcore_status netcore_client_set_failover_1(uint64_t h) {
  CALLING(netcore_client_set_failover);
  return netcore_client_set_failover(h, NULL);
}

static netcore_status netcore_client_get_failover_1(uint64_t h) {
  CALLING(netcore_client_get_failover);
  return netcore_client_get_failover(h, OUT(int32_t, 0), OUT(netcore_failover_options, 1));
}

static netcore_status netcore_client_set_reachability_1(uint64_t h) {
  CALLING(netcore_client_set_reachability);
  return netcore_client_set_reachability(h, 1);
}

static netcore_status netcore_client_set_watch_network_1(uint64_t h) {
  CALLING(netcore_client_set_watch_network);
  return netcore_client_set_watch_network(h, 1);
}

static netcore_status netcore_client_get_reachability_1(uint64_t h) {
  CALLING(netcore_client_get_reachability);
  return netcore_client_get_reachability(h, OUT(netcore_reachability, 0));
}

static netcore_status netcore_client_set_reachability_listener_1(uint64_t h) {
  CALLING(netcore_client_set_reachability_listener);
  return netcore_client_set_reachability_listener(h, never_reachability, NULL, NULL);
}

static netcore_status netcore_request_set_wait_for_network_ms_1(uint64_t h) {
  CALLING(netcore_request_set_wait_for_network_ms);
  return netcore_request_set_wait_for_network_ms(h, 1);
}

static netcore_status netcore_client_get_statistics_1(uint64_t h) {
  CALLING(netcore_client_get_statistics);
  return netcore_client_get_statistics(h, OUT(netcore_client_statistics, 0));
}

static netcore_status netcore_client_list_budgets_1(uint64_t h) {
  CALLING(netcore_client_list_budgets);
  return netcore_client_list_budgets(h, never_budget, NULL);
}

static netcore_status netcore_client_add_observer_1(uint64_t h) {
  CALLING(netcore_client_add_observer);
  return netcore_client_add_observer(h, never_observer, NULL, NULL, OUT(netcore_observer, 0));
}

static netcore_status netcore_request_add_observer_1(uint64_t h) {
  CALLING(netcore_request_add_observer);
  return netcore_request_add_observer(h, never_observer, NULL, NULL);
}

static netcore_status netcore_observer_create_1(uint64_t h) {
  CALLING(netcore_observer_create);
  return netcore_observer_create(h, 1, OUT(netcore_observer, 0));
}

static netcore_status netcore_observer_read_1(uint64_t h) {
  CALLING(netcore_observer_read);
  return netcore_observer_read(h, NULL, 1, sizeof(netcore_client_event), OUT(uint32_t, 0), OUT(uint64_t, 1));
}

static netcore_status netcore_observer_get_descriptor_1(uint64_t h) {
  CALLING(netcore_observer_get_descriptor);
  return netcore_observer_get_descriptor(h, OUT(int32_t, 0));
}

static netcore_status netcore_observer_destroy_1(uint64_t h) {
  CALLING(netcore_observer_destroy);
  return netcore_observer_destroy(h);
}

static netcore_status netcore_client_set_transport_1(uint64_t h) {
  CALLING(netcore_client_set_transport);
  return netcore_client_set_transport(h, never_transport, NULL, NULL);
}

static netcore_status netcore_hop_answer_1(uint64_t h) {
  CALLING(netcore_hop_answer);
  return netcore_hop_answer(h, 1, "a", "body", 4);
}

static netcore_status netcore_hop_fail_1(uint64_t h) {
  CALLING(netcore_hop_fail);
  return netcore_hop_fail(h, 1, "a");
}

static netcore_status netcore_stubs_destroy_1(uint64_t h) {
  CALLING(netcore_stubs_destroy);
  return netcore_stubs_destroy(h);
}

static netcore_status netcore_client_set_stubs_1(uint64_t h) {
  CALLING(netcore_client_set_stubs);
  return netcore_client_set_stubs(h, live[KIND_STUBS]);
}

static netcore_status netcore_client_set_stubs_2(uint64_t h) {
  CALLING(netcore_client_set_stubs);
  return netcore_client_set_stubs(live[KIND_CLIENT], h);
}

static netcore_status netcore_stubs_add_1(uint64_t h) {
  CALLING(netcore_stubs_add);
  return netcore_stubs_add(h, NULL, never_transport, NULL, NULL, OUT(uint32_t, 0));
}

static netcore_status netcore_stubs_add_answer_1(uint64_t h) {
  CALLING(netcore_stubs_add_answer);
  return netcore_stubs_add_answer(h, 0, NULL);
}

static netcore_status netcore_stubs_get_call_count_1(uint64_t h) {
  CALLING(netcore_stubs_get_call_count);
  return netcore_stubs_get_call_count(h, 0, OUT(uint64_t, 0));
}

static netcore_status netcore_stubs_list_calls_1(uint64_t h) {
  CALLING(netcore_stubs_list_calls);
  return netcore_stubs_list_calls(h, never_stub_call, NULL);
}

static netcore_status netcore_stubs_check_1(uint64_t h) {
  CALLING(netcore_stubs_check);
  return netcore_stubs_check(h);
}

static netcore_status netcore_stubs_reset_1(uint64_t h) {
  CALLING(netcore_stubs_reset);
  return netcore_stubs_reset(h);
}

static netcore_status netcore_hop_answer_as_1(uint64_t h) {
  CALLING(netcore_hop_answer_as);
  return netcore_hop_answer_as(h, NULL);
}

static netcore_status netcore_cassette_destroy_1(uint64_t h) {
  CALLING(netcore_cassette_destroy);
  return netcore_cassette_destroy(h);
}

static netcore_status netcore_client_set_cassette_1(uint64_t h) {
  CALLING(netcore_client_set_cassette);
  return netcore_client_set_cassette(h, live[KIND_CASSETTE]);
}

static netcore_status netcore_client_set_cassette_2(uint64_t h) {
  CALLING(netcore_client_set_cassette);
  return netcore_client_set_cassette(live[KIND_CLIENT], h);
}

static netcore_status netcore_cassette_save_1(uint64_t h) {
  CALLING(netcore_cassette_save);
  return netcore_cassette_save(h);
}

static netcore_status netcore_cassette_check_1(uint64_t h) {
  CALLING(netcore_cassette_check);
  return netcore_cassette_check(h);
}

static netcore_status netcore_cassette_get_info_1(uint64_t h) {
  CALLING(netcore_cassette_get_info);
  return netcore_cassette_get_info(h, OUT(netcore_cassette_info, 0));
}

static netcore_status netcore_clock_destroy_1(uint64_t h) {
  CALLING(netcore_clock_destroy);
  return netcore_clock_destroy(h);
}

static netcore_status netcore_clock_advance_1(uint64_t h) {
  CALLING(netcore_clock_advance);
  return netcore_clock_advance(h, 1);
}

static netcore_status netcore_clock_get_elapsed_ms_1(uint64_t h) {
  CALLING(netcore_clock_get_elapsed_ms);
  return netcore_clock_get_elapsed_ms(h, OUT(uint64_t, 0));
}

static netcore_status netcore_clock_wait_idle_1(uint64_t h) {
  CALLING(netcore_clock_wait_idle);
  return netcore_clock_wait_idle(h, 0);
}

static netcore_status netcore_pages_create_1(uint64_t h) {
  CALLING(netcore_pages_create);
  return netcore_pages_create(h, live[KIND_REQUEST], NULL, never_next_page, NULL, NULL, OUT(netcore_pages, 0));
}

static netcore_status netcore_pages_create_2(uint64_t h) {
  CALLING(netcore_pages_create);
  return netcore_pages_create(live[KIND_CLIENT], h, NULL, never_next_page, NULL, NULL, OUT(netcore_pages, 0));
}

static netcore_status netcore_pages_destroy_1(uint64_t h) {
  CALLING(netcore_pages_destroy);
  return netcore_pages_destroy(h);
}

static netcore_status netcore_pages_load_1(uint64_t h) {
  CALLING(netcore_pages_load);
  return netcore_pages_load(h, 1, 1, OUT(netcore_response, 0));
}

static netcore_status netcore_pages_read_item_1(uint64_t h) {
  CALLING(netcore_pages_read_item);
  return netcore_pages_read_item(h, OUT(netcore_bytes, 0));
}

static netcore_status netcore_pages_begin_1(uint64_t h) {
  CALLING(netcore_pages_begin);
  return netcore_pages_begin(h, 1, 1, OUT(netcore_request, 0), OUT(uint64_t, 1));
}

static netcore_status netcore_pages_take_1(uint64_t h) {
  CALLING(netcore_pages_take);
  return netcore_pages_take(h, 1, live[KIND_RESPONSE]);
}

static netcore_status netcore_pages_take_2(uint64_t h) {
  CALLING(netcore_pages_take);
  return netcore_pages_take(live[KIND_PAGES], 1, h);
}

static netcore_status netcore_pages_take_answer_1(uint64_t h) {
  CALLING(netcore_pages_take_answer);
  return netcore_pages_take_answer(h, 1, "http://127.0.0.1/", 1, "a", "body", 4, "a");
}

static netcore_status netcore_pages_drop_1(uint64_t h) {
  CALLING(netcore_pages_drop);
  return netcore_pages_drop(h, 1);
}

static netcore_status netcore_pages_get_items_1(uint64_t h) {
  CALLING(netcore_pages_get_items);
  return netcore_pages_get_items(h, OUT(netcore_bytes, 0));
}

static netcore_status netcore_pages_get_info_1(uint64_t h) {
  CALLING(netcore_pages_get_info);
  return netcore_pages_get_info(h, OUT(netcore_page_info, 0));
}

static netcore_status netcore_request_set_error_fields_1(uint64_t h) {
  CALLING(netcore_request_set_error_fields);
  return netcore_request_set_error_fields(h, NULL, NULL, NULL);
}

static netcore_status netcore_request_add_error_1(uint64_t h) {
  CALLING(netcore_request_add_error);
  return netcore_request_add_error(h, &some_error);
}

static netcore_status netcore_request_get_error_at_1(uint64_t h) {
  CALLING(netcore_request_get_error_at);
  return netcore_request_get_error_at(h, 0, OUT(netcore_error_row, 0));
}

static netcore_status netcore_module_create_1(uint64_t h) {
  CALLING(netcore_module_create);
  return netcore_module_create(h == 0 ? 1 : h, OUT(netcore_module, 0));
}

static netcore_status netcore_module_destroy_1(uint64_t h) {
  CALLING(netcore_module_destroy);
  return netcore_module_destroy(h);
}

static netcore_status netcore_module_cancel_1(uint64_t h) {
  CALLING(netcore_module_cancel);
  return netcore_module_cancel(h);
}

static netcore_status netcore_api_create_1(uint64_t h) {
  CALLING(netcore_api_create);
  return netcore_api_create(h == 0 ? 1 : h, live[KIND_REQUEST], OUT(netcore_api, 0));
}

static netcore_status netcore_api_create_2(uint64_t h) {
  CALLING(netcore_api_create);
  return netcore_api_create(live[KIND_MODULE], h, OUT(netcore_api, 0));
}

static netcore_status netcore_api_destroy_1(uint64_t h) {
  CALLING(netcore_api_destroy);
  return netcore_api_destroy(h);
}

static netcore_status netcore_api_add_param_1(uint64_t h) {
  CALLING(netcore_api_add_param);
  return netcore_api_add_param(h, NULL);
}

static netcore_status netcore_api_create_request_1(uint64_t h) {
  CALLING(netcore_api_create_request);
  return netcore_api_create_request(h, "a", OUT(netcore_request, 0));
}

static netcore_status netcore_api_create_request_from_texts_1(uint64_t h) {
  CALLING(netcore_api_create_request_from_texts);
  return netcore_api_create_request_from_texts(h, NULL, OUT(netcore_request, 0));
}

static netcore_status netcore_api_perform_1(uint64_t h) {
  CALLING(netcore_api_perform);
  return netcore_api_perform(h, live[KIND_API], "a", OUT(netcore_response, 0));
}

static netcore_status netcore_api_perform_2(uint64_t h) {
  CALLING(netcore_api_perform);
  return netcore_api_perform(live[KIND_CLIENT], h, "a", OUT(netcore_response, 0));
}

static netcore_status netcore_api_dispatch_1(uint64_t h) {
  CALLING(netcore_api_dispatch);
  return netcore_api_dispatch(h, live[KIND_API], "a", never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_api_dispatch_2(uint64_t h) {
  CALLING(netcore_api_dispatch);
  return netcore_api_dispatch(live[KIND_CLIENT], h, "a", never_done, NULL, OUT(netcore_task, 0));
}

static netcore_status netcore_client_set_request_log_1(uint64_t h) {
  CALLING(netcore_client_set_request_log);
  return netcore_client_set_request_log(h, 1);
}

static const struct probe probes[] = {
  {KIND_REQUEST, "netcore_request_copy", "request", netcore_request_copy_1, false, {{sizeof(netcore_request), false, 0}}},
  {KIND_REQUEST, "netcore_request_destroy", "request", netcore_request_destroy_1, false, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_method", "request", netcore_request_set_method_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_url", "request", netcore_request_set_url_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_base_url", "request", netcore_request_set_base_url_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_use_cdn", "request", netcore_request_set_use_cdn_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_use_https", "request", netcore_request_set_use_https_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_bare", "request", netcore_request_set_bare_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_path_value", "request", netcore_request_set_path_value_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_header", "request", netcore_request_set_header_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_header", "request", netcore_request_add_header_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_remove_header", "request", netcore_request_remove_header_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_remove_default_header", "request", netcore_request_remove_default_header_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_body", "request", netcore_request_set_body_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_content_type", "request", netcore_request_set_content_type_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_param", "request", netcore_request_add_param_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_param_int", "request", netcore_request_add_param_int_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_param_double", "request", netcore_request_add_param_double_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_param_bool", "request", netcore_request_add_param_bool_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_param_null", "request", netcore_request_add_param_null_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_param_json", "request", netcore_request_add_param_json_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_param_list", "request", netcore_request_add_param_list_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_remove_param", "request", netcore_request_remove_param_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_remove_default_param", "request", netcore_request_remove_default_param_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_serializer", "request", netcore_request_set_serializer_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_param_nesting", "request", netcore_request_set_param_nesting_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_body_file", "request", netcore_request_set_body_file_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_body_reader", "request", netcore_request_set_body_reader_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_body_gzip", "request", netcore_request_set_body_gzip_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_part", "request", netcore_request_add_part_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_file_part", "request", netcore_request_add_file_part_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_reader_part", "request", netcore_request_add_reader_part_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_connect_timeout_ms", "request", netcore_request_set_connect_timeout_ms_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_first_byte_timeout_ms", "request", netcore_request_set_first_byte_timeout_ms_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_idle_timeout_ms", "request", netcore_request_set_idle_timeout_ms_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_total_timeout_ms", "request", netcore_request_set_total_timeout_ms_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_limit", "request", netcore_request_set_limit_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_follow_redirects", "request", netcore_request_set_follow_redirects_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_allow_insecure_redirects", "request", netcore_request_set_allow_insecure_redirects_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_decode_content", "request", netcore_request_set_decode_content_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_event_function", "request", netcore_request_set_event_function_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_interim_responses", "request", netcore_request_set_interim_responses_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_progress_interval_ms", "request", netcore_request_set_progress_interval_ms_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_priority", "request", netcore_request_set_priority_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_max_receive_rate", "request", netcore_request_set_max_receive_rate_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_max_send_rate", "request", netcore_request_set_max_send_rate_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_min_receive_rate", "request", netcore_request_set_min_receive_rate_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_sent_once", "request", netcore_request_set_sent_once_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_expect_continue", "request", netcore_request_set_expect_continue_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_allow_unclean_end", "request", netcore_request_set_allow_unclean_end_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_user_info", "request", netcore_request_set_user_info_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_allowed_interface", "request", netcore_request_set_allowed_interface_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_allow_metered", "request", netcore_request_set_allow_metered_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_tag", "request", netcore_request_set_tag_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_tag", "request", netcore_request_add_tag_1, true, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_info", "response", netcore_response_get_info_1, false, {{sizeof(netcore_response_info), true, 0}}},
  {KIND_RESPONSE, "netcore_response_get_error", "response", netcore_response_get_error_1, false, {{sizeof(netcore_error), true, 0}}},
  {KIND_RESPONSE, "netcore_response_get_header", "response", netcore_response_get_header_1, false, {{sizeof(netcore_bytes), false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_header_at", "response", netcore_response_get_header_at_1, false, {{sizeof(netcore_bytes), false, 0}, {sizeof(netcore_bytes), false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_trailer_at", "response", netcore_response_get_trailer_at_1, false, {{sizeof(netcore_bytes), false, 0}, {sizeof(netcore_bytes), false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_text", "response", netcore_response_get_text_1, false, {{sizeof(netcore_bytes), false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_link", "response", netcore_response_get_link_1, false, {{sizeof(size_t), false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_history_at", "response", netcore_response_get_history_at_1, false, {{sizeof(netcore_response), false, 0}}},
  {KIND_RESPONSE, "netcore_response_list_request_headers", "response", netcore_response_list_request_headers_1, false, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_retain", "response", netcore_response_retain_1, false, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_release", "response", netcore_response_release_1, false, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_move", "response", netcore_response_move_1, false, {{sizeof(size_t), false, 0}}},
  {KIND_CLOCK, "netcore_cache_create", "clock", netcore_cache_create_1, false, {{sizeof(netcore_cache), false, 0}}},
  {KIND_CACHE, "netcore_cache_destroy", "cache", netcore_cache_destroy_1, false, {{0, false, 0}}},
  {KIND_CACHE, "netcore_cache_clear", "cache", netcore_cache_clear_1, false, {{0, false, 0}}},
  {KIND_CACHE, "netcore_cache_set_limit", "cache", netcore_cache_set_limit_1, false, {{0, false, 0}}},
  {KIND_CACHE, "netcore_cache_get_limit", "cache", netcore_cache_get_limit_1, false, {{sizeof(uint64_t), false, 0}}},
  {KIND_CACHE, "netcore_cache_get_statistics", "cache", netcore_cache_get_statistics_1, false, {{sizeof(netcore_cache_statistics), true, 0}}},
  {KIND_CACHE, "netcore_cache_list", "cache", netcore_cache_list_1, false, {{0, false, 0}}},
  {KIND_CACHE, "netcore_cache_flush", "cache", netcore_cache_flush_1, false, {{0, false, 0}}},
  {KIND_CACHE, "netcore_cache_put_value", "cache", netcore_cache_put_value_1, false, {{0, false, 0}}},
  {KIND_CACHE, "netcore_cache_get_value", "cache", netcore_cache_get_value_1, false, {{0, false, 0}}},
  {KIND_CACHE, "netcore_cache_remove_value", "cache", netcore_cache_remove_value_1, false, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_cache_mode", "request", netcore_request_set_cache_mode_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_cache_ttl_ms", "request", netcore_request_set_cache_ttl_ms_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_cache_errors", "request", netcore_request_set_cache_errors_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_cache_scope", "request", netcore_request_set_cache_scope_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_cache_version", "request", netcore_request_set_cache_version_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_cache_key", "request", netcore_request_set_cache_key_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_cache_key_field", "request", netcore_request_add_cache_key_field_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_cached", "client", netcore_client_get_cached_1, false, {{sizeof(netcore_response), false, 0}, {sizeof(netcore_cache_result), false, 0}}},
  {KIND_REQUEST, "netcore_client_get_cached", "request", netcore_client_get_cached_2, false, {{sizeof(netcore_response), false, 0}, {sizeof(netcore_cache_result), false, 0}}},
  {KIND_REQUEST, "netcore_request_add_invalidated_tag", "request", netcore_request_add_invalidated_tag_1, true, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_set_cached_value", "response", netcore_response_set_cached_value_1, false, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_cached_value", "response", netcore_response_get_cached_value_1, false, {{sizeof(void *), false, 0}}},
  {KIND_REQUEST, "netcore_request_get_limit", "request", netcore_request_get_limit_1, true, {{sizeof(uint64_t), false, 0}}},
  {KIND_REQUEST, "netcore_request_get_info", "request", netcore_request_get_info_1, true, {{sizeof(netcore_request_info), true, 0}}},
  {KIND_REQUEST, "netcore_request_get_header", "request", netcore_request_get_header_1, true, {{sizeof(netcore_bytes), false, 0}}},
  {KIND_REQUEST, "netcore_request_get_header_at", "request", netcore_request_get_header_at_1, true, {{sizeof(netcore_bytes), false, 0}, {sizeof(netcore_bytes), false, 0}}},
  {KIND_REQUEST, "netcore_request_get_part_at", "request", netcore_request_get_part_at_1, true, {{sizeof(netcore_part_info), true, 0}}},
  {KIND_REQUEST, "netcore_request_list_params", "request", netcore_request_list_params_1, false, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_list_path_values", "request", netcore_request_list_path_values_1, false, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_list_cookies", "request", netcore_request_list_cookies_1, false, {{0, false, 0}}},
  {KIND_CACHE, "netcore_client_create", "cache", netcore_client_create_1, false, {{sizeof(netcore_client), false, 0}}},
  {KIND_CLIENT, "netcore_client_destroy", "client", netcore_client_destroy_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_shutdown", "client", netcore_client_shutdown_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_limit", "client", netcore_client_set_limit_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_queue_overflow", "client", netcore_client_set_queue_overflow_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_queue_overflow", "client", netcore_client_get_queue_overflow_1, true, {{sizeof(netcore_queue_overflow), false, 0}}},
  {KIND_CLIENT, "netcore_client_get_limit", "client", netcore_client_get_limit_1, true, {{sizeof(uint64_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_get_descriptor", "client", netcore_client_get_descriptor_1, true, {{sizeof(int32_t), false, 0xFF}}},
  {KIND_CLIENT, "netcore_client_process", "client", netcore_client_process_1, false, {{sizeof(uint32_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_wait", "client", netcore_client_wait_1, false, {{sizeof(uint32_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_cancel_all", "client", netcore_client_cancel_all_1, false, {{sizeof(uint32_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_cancel_tag", "client", netcore_client_cancel_tag_1, false, {{sizeof(uint32_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_set_network", "client", netcore_client_set_network_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_dispatch", "client", netcore_dispatch_1, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_REQUEST, "netcore_dispatch", "request", netcore_dispatch_2, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_CLIENT, "netcore_dispatch_callbacks", "client", netcore_dispatch_callbacks_1, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_REQUEST, "netcore_dispatch_callbacks", "request", netcore_dispatch_callbacks_2, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_CLIENT, "netcore_dispatch_many", "client", netcore_dispatch_many_1, false, {{2 * sizeof(netcore_task), false, 0}}},
  {KIND_REQUEST, "netcore_dispatch_many", "requests", netcore_dispatch_many_2, false, {{2 * sizeof(netcore_task), false, 0}}},
  {KIND_CLIENT, "netcore_perform", "client", netcore_perform_1, false, {{sizeof(netcore_response), false, 0}}},
  {KIND_REQUEST, "netcore_perform", "request", netcore_perform_2, false, {{sizeof(netcore_response), false, 0}}},
  {KIND_CLIENT, "netcore_perform_for", "client", netcore_perform_for_1, false, {{sizeof(netcore_task), false, 0}, {sizeof(netcore_response), false, 0}, {sizeof(netcore_response_info), true, 0}}},
  {KIND_REQUEST, "netcore_perform_for", "request", netcore_perform_for_2, false, {{sizeof(netcore_task), false, 0}, {sizeof(netcore_response), false, 0}, {sizeof(netcore_response_info), true, 0}}},
  {KIND_TASK, "netcore_task_wait", "task", netcore_task_wait_1, false, {{sizeof(netcore_response), false, 0}, {sizeof(netcore_response_info), true, 0}}},
  {KIND_CLIENT, "netcore_task_create", "client", netcore_task_create_1, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_REQUEST, "netcore_task_create", "request", netcore_task_create_2, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_TASK, "netcore_task_dispatch", "task", netcore_task_dispatch_1, false, {{0, false, 0}}},
  {KIND_TASK, "netcore_task_cancel", "task", netcore_task_cancel_1, false, {{0, false, 0}}},
  {KIND_TASK, "netcore_task_set_priority", "task", netcore_task_set_priority_1, false, {{0, false, 0}}},
  {KIND_TASK, "netcore_task_get_info", "task", netcore_task_get_info_1, false, {{sizeof(netcore_task_info), true, 0}}},
  {KIND_TASK, "netcore_task_complete", "task", netcore_task_complete_1, false, {{0, false, 0}}},
  {KIND_TASK, "netcore_task_send", "task", netcore_task_send_1, false, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_task_send", "request", netcore_task_send_2, false, {{0, false, 0}}},
  {KIND_TASK_SCOPE, "netcore_task_scope_close", "scope", netcore_task_scope_close_1, false, {{0, false, 0}}},
  {KIND_TASK_SCOPE, "netcore_task_scope_cancel", "scope", netcore_task_scope_cancel_1, false, {{0, false, 0}}},
  {KIND_TASK_SCOPE, "netcore_task_scope_get_count", "scope", netcore_task_scope_get_count_1, false, {{sizeof(uint32_t), false, 0}}},
  {KIND_REQUEST, "netcore_request_set_task_scope", "request", netcore_request_set_task_scope_1, true, {{0, false, 0}}},
  {KIND_TASK_SCOPE, "netcore_request_set_task_scope", "scope", netcore_request_set_task_scope_2, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_perform_streamed", "client", netcore_perform_streamed_1, false, {{sizeof(netcore_response), false, 0}}},
  {KIND_REQUEST, "netcore_perform_streamed", "request", netcore_perform_streamed_2, false, {{sizeof(netcore_response), false, 0}}},
  {KIND_CLIENT, "netcore_perform_streamed_for", "client", netcore_perform_streamed_for_1, false, {{sizeof(netcore_task), false, 0}, {sizeof(netcore_response), false, 0}, {sizeof(netcore_response_info), true, 0}}},
  {KIND_REQUEST, "netcore_perform_streamed_for", "request", netcore_perform_streamed_for_2, false, {{sizeof(netcore_task), false, 0}, {sizeof(netcore_response), false, 0}, {sizeof(netcore_response_info), true, 0}}},
  {KIND_CLIENT, "netcore_dispatch_streamed", "client", netcore_dispatch_streamed_1, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_REQUEST, "netcore_dispatch_streamed", "request", netcore_dispatch_streamed_2, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_RESPONSE, "netcore_response_read", "response", netcore_response_read_1, false, {{sizeof(size_t), false, 0}}},
  {KIND_RESPONSE, "netcore_response_wait", "response", netcore_response_wait_1, false, {{sizeof(size_t), false, 0}}},
  {KIND_RESPONSE, "netcore_response_read_line", "response", netcore_response_read_line_1, false, {{sizeof(netcore_bytes), false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_ending", "response", netcore_response_get_ending_1, false, {{sizeof(netcore_response), false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_progress", "response", netcore_response_get_progress_1, false, {{sizeof(netcore_task_info), true, 0}}},
  {KIND_RESPONSE, "netcore_response_cancel", "response", netcore_response_cancel_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_download", "client", netcore_download_1, false, {{sizeof(netcore_task), false, 0}, {sizeof(netcore_response), false, 0}}},
  {KIND_REQUEST, "netcore_download", "request", netcore_download_2, false, {{sizeof(netcore_task), false, 0}, {sizeof(netcore_response), false, 0}}},
  {KIND_CLIENT, "netcore_download_dispatch", "client", netcore_download_dispatch_1, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_REQUEST, "netcore_download_dispatch", "request", netcore_download_dispatch_2, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_TASK, "netcore_download_get_progress", "task", netcore_download_get_progress_1, false, {{sizeof(netcore_download_progress), true, 0}}},
  {KIND_RESPONSE, "netcore_response_get_download", "response", netcore_response_get_download_1, false, {{sizeof(netcore_download_info), true, 0}}},
  {KIND_RESPONSE, "netcore_response_read_event", "response", netcore_response_read_event_1, false, {{sizeof(netcore_server_event), true, 0}}},
  {KIND_RESPONSE, "netcore_response_read_events", "response", netcore_response_read_events_1, false, {{sizeof(netcore_bytes), false, 0}}},
  {KIND_CLIENT, "netcore_event_source_create", "client", netcore_event_source_create_1, false, {{sizeof(netcore_event_source), false, 0}}},
  {KIND_REQUEST, "netcore_event_source_create", "request", netcore_event_source_create_2, false, {{sizeof(netcore_event_source), false, 0}}},
  {KIND_EVENT_SOURCE, "netcore_event_source_read", "source", netcore_event_source_read_1, false, {{sizeof(netcore_server_event), true, 0}}},
  {KIND_EVENT_SOURCE, "netcore_event_source_get_descriptor", "source", netcore_event_source_get_descriptor_1, false, {{sizeof(int32_t), false, 0xFF}}},
  {KIND_EVENT_SOURCE, "netcore_event_source_get_info", "source", netcore_event_source_get_info_1, false, {{sizeof(netcore_event_source_info), true, 0}}},
  {KIND_EVENT_SOURCE, "netcore_event_source_cancel", "source", netcore_event_source_cancel_1, false, {{0, false, 0}}},
  {KIND_EVENT_SOURCE, "netcore_event_source_destroy", "source", netcore_event_source_destroy_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_service", "client", netcore_client_add_service_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_service_weight", "client", netcore_client_set_service_weight_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_select_service", "client", netcore_client_select_service_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_select_environment", "client", netcore_client_select_environment_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_select_next_service", "client", netcore_client_select_next_service_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_select_next_environment", "client", netcore_client_select_next_environment_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_selected_service", "client", netcore_client_get_selected_service_1, true, {{sizeof(size_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_get_selected_environment", "client", netcore_client_get_selected_environment_1, true, {{sizeof(size_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_get_base_url", "client", netcore_client_get_base_url_1, true, {{sizeof(size_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_set_selection_listener", "client", netcore_client_set_selection_listener_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_header", "client", netcore_client_set_header_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_header", "client", netcore_client_add_header_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_list_headers", "client", netcore_client_list_headers_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_param", "client", netcore_client_set_param_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_param", "client", netcore_client_add_param_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_param_int", "client", netcore_client_add_param_int_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_param_double", "client", netcore_client_add_param_double_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_param_bool", "client", netcore_client_add_param_bool_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_param_null", "client", netcore_client_add_param_null_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_param_json", "client", netcore_client_add_param_json_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_param_list", "client", netcore_client_add_param_list_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_list_params", "client", netcore_client_list_params_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_resolve_request", "client", netcore_client_resolve_request_1, false, {{sizeof(netcore_request), false, 0}}},
  {KIND_REQUEST, "netcore_client_resolve_request", "request", netcore_client_resolve_request_2, false, {{sizeof(netcore_request), false, 0}}},
  {KIND_CLIENT, "netcore_client_set_params_in_query", "client", netcore_client_set_params_in_query_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_params_in_query", "client", netcore_client_get_params_in_query_1, true, {{sizeof(int32_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_set_request_defaults", "client", netcore_client_set_request_defaults_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_client_set_request_defaults", "defaults", netcore_client_set_request_defaults_2, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_request_defaults", "client", netcore_client_get_request_defaults_1, true, {{sizeof(netcore_request), false, 0}}},
  {KIND_CLIENT, "netcore_client_set_header_function", "client", netcore_client_set_header_function_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_param_function", "client", netcore_client_set_param_function_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_filter", "client", netcore_client_add_filter_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_filter", "request", netcore_request_set_filter_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_remove_filters", "client", netcore_client_remove_filters_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_hop_function", "client", netcore_client_set_hop_function_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_response_filter", "client", netcore_client_add_response_filter_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_remove_response_filters", "client", netcore_client_remove_response_filters_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_response_filter", "request", netcore_request_add_response_filter_1, true, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_set_header", "response", netcore_response_set_header_1, false, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_add_header", "response", netcore_response_add_header_1, false, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_remove_header", "response", netcore_response_remove_header_1, false, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_set_body", "response", netcore_response_set_body_1, false, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_add_tag", "response", netcore_response_add_tag_1, false, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_auth", "request", netcore_request_set_auth_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_token_source", "client", netcore_client_set_token_source_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_challenge_function", "client", netcore_client_set_challenge_function_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_use_cookies", "request", netcore_request_set_use_cookies_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_cookie", "request", netcore_request_set_cookie_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_cookie", "client", netcore_client_set_cookie_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_list_cookies", "client", netcore_client_list_cookies_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_clear_cookies", "client", netcore_client_clear_cookies_1, true, {{sizeof(uint32_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_clear_session_cookies", "client", netcore_client_clear_session_cookies_1, true, {{sizeof(uint32_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_export_cookies", "client", netcore_client_export_cookies_1, true, {{sizeof(size_t), false, 0}}},
  {KIND_CLIENT, "netcore_client_import_cookies", "client", netcore_client_import_cookies_1, true, {{sizeof(uint32_t), false, 0}}},
  {KIND_CLIENT, "netcore_group_create", "client", netcore_group_create_1, false, {{sizeof(netcore_group), false, 0}}},
  {KIND_GROUP, "netcore_group_set_options", "group", netcore_group_set_options_1, false, {{0, false, 0}}},
  {KIND_GROUP, "netcore_group_add", "group", netcore_group_add_1, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_REQUEST, "netcore_group_add", "request", netcore_group_add_2, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_GROUP, "netcore_group_add_task", "group", netcore_group_add_task_1, false, {{0, false, 0}}},
  {KIND_TASK, "netcore_group_add_task", "task", netcore_group_add_task_2, false, {{0, false, 0}}},
  {KIND_GROUP, "netcore_group_add_group", "group", netcore_group_add_group_1, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_GROUP, "netcore_group_add_group", "member", netcore_group_add_group_2, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_GROUP, "netcore_group_add_dependency", "group", netcore_group_add_dependency_1, false, {{0, false, 0}}},
  {KIND_TASK, "netcore_group_add_dependency", "task", netcore_group_add_dependency_2, false, {{0, false, 0}}},
  {KIND_TASK, "netcore_group_add_dependency", "after", netcore_group_add_dependency_3, false, {{0, false, 0}}},
  {KIND_GROUP, "netcore_group_add_application_task", "group", netcore_group_add_application_task_1, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_GROUP, "netcore_group_dispatch", "group", netcore_group_dispatch_1, false, {{0, false, 0}}},
  {KIND_GROUP, "netcore_group_cancel", "group", netcore_group_cancel_1, false, {{0, false, 0}}},
  {KIND_GROUP, "netcore_group_get_info", "group", netcore_group_get_info_1, false, {{sizeof(netcore_group_info), true, 0}}},
  {KIND_GROUP, "netcore_group_get_result", "group", netcore_group_get_result_1, false, {{sizeof(netcore_completion), true, 0}}},
  {KIND_CLIENT, "netcore_client_set_retries", "client", netcore_client_set_retries_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_retries", "client", netcore_client_get_retries_1, true, {{sizeof(int32_t), false, 0}, {sizeof(netcore_retry_options), true, 0}}},
  {KIND_REQUEST, "netcore_request_set_retries", "request", netcore_request_set_retries_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_get_retries", "request", netcore_request_get_retries_1, true, {{sizeof(netcore_retries), false, 0}, {sizeof(netcore_retry_options), true, 0}}},
  {KIND_REQUEST, "netcore_request_set_idempotent", "request", netcore_request_set_idempotent_1, true, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_response_get_try", "response", netcore_response_get_try_1, false, {{sizeof(netcore_try), true, 0}}},
  {KIND_CLIENT, "netcore_client_set_hedging", "client", netcore_client_set_hedging_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_hedging", "client", netcore_client_get_hedging_1, true, {{sizeof(int32_t), false, 0}, {sizeof(netcore_hedge_options), true, 0}}},
  {KIND_REQUEST, "netcore_request_set_hedging", "request", netcore_request_set_hedging_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_get_hedging", "request", netcore_request_get_hedging_1, true, {{sizeof(netcore_hedging), false, 0}, {sizeof(netcore_hedge_options), true, 0}}},
  {KIND_CLIENT, "netcore_client_set_breaker", "client", netcore_client_set_breaker_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_breaker", "client", netcore_client_get_breaker_1, true, {{sizeof(int32_t), false, 0}, {sizeof(netcore_breaker_options), true, 0}}},
  {KIND_CLIENT, "netcore_client_list_breakers", "client", netcore_client_list_breakers_1, false, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_duplicates", "request", netcore_request_set_duplicates_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_min_interval", "request", netcore_request_set_min_interval_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_rate", "client", netcore_client_set_rate_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_rate", "client", netcore_client_get_rate_1, false, {{sizeof(netcore_rate), true, 0}}},
  {KIND_REQUEST, "netcore_request_set_rate_key", "request", netcore_request_set_rate_key_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_accepted_statuses", "request", netcore_request_set_accepted_statuses_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_accepted_content_types", "request", netcore_request_set_accepted_content_types_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_body_sha256", "request", netcore_request_set_body_sha256_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_json_shape", "request", netcore_request_set_json_shape_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_validator", "request", netcore_request_set_validator_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_drop_nulls", "request", netcore_request_set_drop_nulls_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_failover", "client", netcore_client_set_failover_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_failover", "client", netcore_client_get_failover_1, true, {{sizeof(int32_t), false, 0}, {sizeof(netcore_failover_options), true, 0}}},
  {KIND_CLIENT, "netcore_client_set_reachability", "client", netcore_client_set_reachability_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_watch_network", "client", netcore_client_set_watch_network_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_reachability", "client", netcore_client_get_reachability_1, true, {{sizeof(netcore_reachability), false, 0}}},
  {KIND_CLIENT, "netcore_client_set_reachability_listener", "client", netcore_client_set_reachability_listener_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_set_wait_for_network_ms", "request", netcore_request_set_wait_for_network_ms_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_get_statistics", "client", netcore_client_get_statistics_1, true, {{sizeof(netcore_client_statistics), true, 0}}},
  {KIND_CLIENT, "netcore_client_list_budgets", "client", netcore_client_list_budgets_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_add_observer", "client", netcore_client_add_observer_1, false, {{sizeof(netcore_observer), false, 0}}},
  {KIND_REQUEST, "netcore_request_add_observer", "request", netcore_request_add_observer_1, true, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_observer_create", "client", netcore_observer_create_1, false, {{sizeof(netcore_observer), false, 0}}},
  {KIND_OBSERVER, "netcore_observer_read", "observer", netcore_observer_read_1, false, {{sizeof(uint32_t), false, 0}, {sizeof(uint64_t), false, 0}}},
  {KIND_OBSERVER, "netcore_observer_get_descriptor", "observer", netcore_observer_get_descriptor_1, false, {{sizeof(int32_t), false, 0xFF}}},
  {KIND_OBSERVER, "netcore_observer_destroy", "observer", netcore_observer_destroy_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_transport", "client", netcore_client_set_transport_1, true, {{0, false, 0}}},
  {KIND_HOP, "netcore_hop_answer", "hop", netcore_hop_answer_1, false, {{0, false, 0}}},
  {KIND_HOP, "netcore_hop_fail", "hop", netcore_hop_fail_1, false, {{0, false, 0}}},
  {KIND_STUBS, "netcore_stubs_destroy", "stubs", netcore_stubs_destroy_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_stubs", "client", netcore_client_set_stubs_1, false, {{0, false, 0}}},
  {KIND_STUBS, "netcore_client_set_stubs", "stubs", netcore_client_set_stubs_2, false, {{0, false, 0}}},
  {KIND_STUBS, "netcore_stubs_add", "stubs", netcore_stubs_add_1, false, {{sizeof(uint32_t), false, 0}}},
  {KIND_STUBS, "netcore_stubs_add_answer", "stubs", netcore_stubs_add_answer_1, false, {{0, false, 0}}},
  {KIND_STUBS, "netcore_stubs_get_call_count", "stubs", netcore_stubs_get_call_count_1, false, {{sizeof(uint64_t), false, 0}}},
  {KIND_STUBS, "netcore_stubs_list_calls", "stubs", netcore_stubs_list_calls_1, false, {{0, false, 0}}},
  {KIND_STUBS, "netcore_stubs_check", "stubs", netcore_stubs_check_1, false, {{0, false, 0}}},
  {KIND_STUBS, "netcore_stubs_reset", "stubs", netcore_stubs_reset_1, false, {{0, false, 0}}},
  {KIND_HOP, "netcore_hop_answer_as", "hop", netcore_hop_answer_as_1, false, {{0, false, 0}}},
  {KIND_CASSETTE, "netcore_cassette_destroy", "cassette", netcore_cassette_destroy_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_client_set_cassette", "client", netcore_client_set_cassette_1, false, {{0, false, 0}}},
  {KIND_CASSETTE, "netcore_client_set_cassette", "cassette", netcore_client_set_cassette_2, false, {{0, false, 0}}},
  {KIND_CASSETTE, "netcore_cassette_save", "cassette", netcore_cassette_save_1, false, {{0, false, 0}}},
  {KIND_CASSETTE, "netcore_cassette_check", "cassette", netcore_cassette_check_1, false, {{0, false, 0}}},
  {KIND_CASSETTE, "netcore_cassette_get_info", "cassette", netcore_cassette_get_info_1, false, {{sizeof(netcore_cassette_info), true, 0}}},
  {KIND_CLOCK, "netcore_clock_destroy", "clock", netcore_clock_destroy_1, false, {{0, false, 0}}},
  {KIND_CLOCK, "netcore_clock_advance", "clock", netcore_clock_advance_1, false, {{0, false, 0}}},
  {KIND_CLOCK, "netcore_clock_get_elapsed_ms", "clock", netcore_clock_get_elapsed_ms_1, false, {{sizeof(uint64_t), false, 0}}},
  {KIND_CLOCK, "netcore_clock_wait_idle", "clock", netcore_clock_wait_idle_1, false, {{0, false, 0}}},
  {KIND_CLIENT, "netcore_pages_create", "client", netcore_pages_create_1, false, {{sizeof(netcore_pages), false, 0}}},
  {KIND_REQUEST, "netcore_pages_create", "request", netcore_pages_create_2, false, {{sizeof(netcore_pages), false, 0}}},
  {KIND_PAGES, "netcore_pages_destroy", "pages", netcore_pages_destroy_1, false, {{0, false, 0}}},
  {KIND_PAGES, "netcore_pages_load", "pages", netcore_pages_load_1, false, {{sizeof(netcore_response), false, 0}}},
  {KIND_PAGES, "netcore_pages_read_item", "pages", netcore_pages_read_item_1, false, {{sizeof(netcore_bytes), false, 0}}},
  {KIND_PAGES, "netcore_pages_begin", "pages", netcore_pages_begin_1, false, {{sizeof(netcore_request), false, 0}, {sizeof(uint64_t), false, 0}}},
  {KIND_PAGES, "netcore_pages_take", "pages", netcore_pages_take_1, false, {{0, false, 0}}},
  {KIND_RESPONSE, "netcore_pages_take", "response", netcore_pages_take_2, false, {{0, false, 0}}},
  {KIND_PAGES, "netcore_pages_take_answer", "pages", netcore_pages_take_answer_1, false, {{0, false, 0}}},
  {KIND_PAGES, "netcore_pages_drop", "pages", netcore_pages_drop_1, false, {{0, false, 0}}},
  {KIND_PAGES, "netcore_pages_get_items", "pages", netcore_pages_get_items_1, false, {{sizeof(netcore_bytes), false, 0}}},
  {KIND_PAGES, "netcore_pages_get_info", "pages", netcore_pages_get_info_1, false, {{sizeof(netcore_page_info), true, 0}}},
  {KIND_REQUEST, "netcore_request_set_error_fields", "request", netcore_request_set_error_fields_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_add_error", "request", netcore_request_add_error_1, true, {{0, false, 0}}},
  {KIND_REQUEST, "netcore_request_get_error_at", "request", netcore_request_get_error_at_1, true, {{sizeof(netcore_error_row), true, 0}}},
  {KIND_REQUEST, "netcore_module_create", "defaults", netcore_module_create_1, false, {{sizeof(netcore_module), false, 0}}},
  {KIND_MODULE, "netcore_module_destroy", "module", netcore_module_destroy_1, false, {{0, false, 0}}},
  {KIND_MODULE, "netcore_module_cancel", "module", netcore_module_cancel_1, false, {{0, false, 0}}},
  {KIND_MODULE, "netcore_api_create", "module", netcore_api_create_1, false, {{sizeof(netcore_api), false, 0}}},
  {KIND_REQUEST, "netcore_api_create", "request", netcore_api_create_2, false, {{sizeof(netcore_api), false, 0}}},
  {KIND_API, "netcore_api_destroy", "api", netcore_api_destroy_1, false, {{0, false, 0}}},
  {KIND_API, "netcore_api_add_param", "api", netcore_api_add_param_1, false, {{0, false, 0}}},
  {KIND_API, "netcore_api_create_request", "api", netcore_api_create_request_1, false, {{sizeof(netcore_request), false, 0}}},
  {KIND_API, "netcore_api_create_request_from_texts", "api", netcore_api_create_request_from_texts_1, false, {{sizeof(netcore_request), false, 0}}},
  {KIND_CLIENT, "netcore_api_perform", "client", netcore_api_perform_1, false, {{sizeof(netcore_response), false, 0}}},
  {KIND_API, "netcore_api_perform", "api", netcore_api_perform_2, false, {{sizeof(netcore_response), false, 0}}},
  {KIND_CLIENT, "netcore_api_dispatch", "client", netcore_api_dispatch_1, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_API, "netcore_api_dispatch", "api", netcore_api_dispatch_2, false, {{sizeof(netcore_task), false, 0}}},
  {KIND_CLIENT, "netcore_client_set_request_log", "client", netcore_client_set_request_log_1, true, {{0, false, 0}}},
};

#endif
