/**
 * Reading requests: what can be set can be read, except passwords. Of use in filters and
 * transports, which are lent a request.
 */
#ifndef NETCORE_REQUEST_INFO_H
#define NETCORE_REQUEST_INFO_H

#include "base.h"
#include "limit.h"
#include "param.h"
#include "transfer.h"

NETCORE_BEGIN_DECLS

/**
 * Gets a limit that was set for this request.
 *
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND (the client's limit applies), or as
 *         netcore_request_set_limit(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_limit(netcore_request request, netcore_limit limit,
                                                     uint64_t *out_value);

/** What a body is made of. */
typedef int32_t netcore_body_kind;
enum {
  NETCORE_BODY_KIND_NONE = 0,
  /** netcore_request_set_body(). */
  NETCORE_BODY_KIND_BYTES = 1,
  /** netcore_request_set_body_file(). */
  NETCORE_BODY_KIND_FILE = 2,
  /** netcore_request_set_body_reader(); in a filter also a file, or parts. */
  NETCORE_BODY_KIND_READER = 3,
  /** netcore_request_add_part() and its like. */
  NETCORE_BODY_KIND_PARTS = 4
};

/**
 * What was set on a request. Its texts end with a NUL byte that is not counted, and are "" if there
 * is none. They are borrowed until this thread calls a netcore_request_get_ function again; whether
 * another thread changes or destroys the request does not matter.
 */
typedef struct netcore_request_info {
  /** In: sizeof(netcore_request_info). */
  uint32_t size;
  /** The number of header fields. */
  uint32_t header_count;
  netcore_bytes method;
  /** The URL, without user name and password; of a relative request, its reference. */
  netcore_bytes url;
  /** The body, if it is in memory. */
  netcore_bytes body;
  /** Each of the following is described at the function that sets it. */
  netcore_bytes service;
  netcore_bytes base_url;
  /** The first tag. */
  netcore_bytes tag;
  netcore_bytes allowed_interface;
  netcore_bytes cache_scope;
  netcore_bytes cache_key;
  uint64_t connect_timeout_ms;
  uint64_t first_byte_timeout_ms;
  uint64_t idle_timeout_ms;
  uint64_t total_timeout_ms;
  uint64_t max_receive_rate;
  uint64_t max_send_rate;
  uint64_t min_receive_rate;
  /** The window of the minimum rate, in milliseconds. */
  uint64_t min_receive_rate_window_ms;
  uint64_t progress_interval_ms;
  uint64_t gzip_minimum_bytes;
  uint64_t cache_ttl_ms;
  void *user_info;
  /** A netcore_auth value. User name and password cannot be read. */
  int32_t auth;
  netcore_serializer serializer;
  netcore_priority priority;
  /** A netcore_cache_mode value. */
  int32_t cache_mode;
  uint32_t cache_version;
  int32_t cache_errors;
  int32_t use_cdn;
  int32_t use_https;
  int32_t is_bare;
  int32_t follow_redirects;
  int32_t allow_insecure_redirects;
  int32_t decode_content;
  int32_t interim_responses;
  int32_t use_cookies;
  int32_t allow_metered;
  int32_t sent_once;
  int32_t allow_unclean_end;
  netcore_bytes content_type;
  netcore_body_kind body_kind;
  /** The path of the file that is the body. */
  netcore_bytes body_file;
  /** The number of parts of the body; see netcore_request_get_part_at(). */
  uint32_t part_count;
  /** The number of `cache_key_fields`. */
  uint32_t cache_key_field_count;
  /** The names that netcore_request_add_cache_key_field() added, each followed by a NUL byte. */
  netcore_bytes cache_key_fields;
  /** All tags, each followed by a NUL byte. */
  netcore_bytes tags;
  /** Their number. */
  uint32_t tag_count;
  int32_t idempotent;
  /** A netcore_duplicates value (netcore/admission.h). */
  int32_t duplicates;
  int32_t min_interval_wait;
  /** The shortest time between equal requests, in milliseconds; 0 for none. */
  uint64_t min_interval_ms;
  netcore_bytes min_interval_key;
  netcore_bytes rate_key;
  /** What netcore_request_set_expect_continue() set; 0 for off. */
  uint64_t expect_continue_ms;
  uint64_t wait_for_network_ms;
  /** What netcore_request_set_accepted_statuses() set, as ranges; empty for all. */
  netcore_bytes accepted_statuses;
  /** Between commas; empty for any. */
  netcore_bytes accepted_content_types;
  netcore_bytes json_shape;
  /** 1 if a function judges answers (netcore_request_set_validator()). */
  int32_t has_validator;
  int32_t drop_nulls;
  /** What the tasks of the request belong to, also after that was closed; 0 for none. */
  netcore_task_scope task_scope;
  netcore_param_nesting param_nesting;
  /** The number of `invalidated_tags`. */
  uint32_t invalidated_tag_count;
  /** The tags that netcore_request_add_invalidated_tag() added, each followed by a NUL byte. */
  netcore_bytes invalidated_tags;
  /** What netcore_request_set_error_fields() set. */
  netcore_bytes error_code_field;
  netcore_bytes error_message_field;
  netcore_bytes error_success;
  /** Rows of the error table; see netcore_request_get_error_at(). */
  uint32_t error_count;
  /** 1 if a function changes the request (netcore_request_set_filter()). */
  int32_t has_filter;
  /** What netcore_request_set_body_sha256() set; empty also for null. */
  netcore_bytes body_sha256;
  /** 1 if netcore_request_set_body_sha256() set anything but null. */
  int32_t has_body_sha256;
  int32_t reserved;
} netcore_request_info;

#define NETCORE_REQUEST_INFO_INIT NETCORE_INIT(netcore_request_info)

/**
 * Gets what was set on a request.
 *
 * @param out_info  `size` set by the caller, the rest filled in. On failure all but `size` is
 *                  zeroed.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_info(netcore_request request,
                                                    netcore_request_info *out_info);

/**
 * Gets the value of a header field by its name, compared without case.
 *
 * @param index      Which of the fields of that name: 0 for the first.
 * @param out_value  Borrowed as in netcore_request_info; ends with a NUL byte.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_NOT_FOUND. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_header(netcore_request request, const char *name,
                                                      uint32_t index, netcore_bytes *out_value);

/**
 * Gets a header field by its index, from 0 to `header_count` - 1. Either result may be null.
 *
 * @return As netcore_request_get_header(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_header_at(netcore_request request, uint32_t index,
                                                         netcore_bytes *out_name,
                                                         netcore_bytes *out_value);

/** A part of a request's body. Its texts are as in netcore_request_info. */
typedef struct netcore_part_info {
  /** In: sizeof(netcore_part_info). */
  uint32_t size;
  /** NETCORE_BODY_KIND_BYTES, NETCORE_BODY_KIND_FILE or NETCORE_BODY_KIND_READER. */
  netcore_body_kind kind;
  netcore_bytes name;
  /** The content, if it is in memory. */
  netcore_bytes data;
  /** The path, if it is a file. */
  netcore_bytes path;
  /** As sent: given with the part, or its default. */
  netcore_bytes file_name;
  netcore_bytes content_type;
  /** Further header fields: for each its name, a NUL byte, its value, a NUL byte. */
  netcore_bytes headers;
} netcore_part_info;

#define NETCORE_PART_INFO_INIT NETCORE_INIT(netcore_part_info)

/**
 * Gets a part of the body by its index, from 0 to `part_count` - 1.
 *
 * @param out_part  `size` set by the caller, the rest filled in. On failure all but `size` is
 *                  zeroed.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_NOT_FOUND. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_part_at(netcore_request request, uint32_t index,
                                                       netcore_part_info *out_part);

/**
 * Lists the parameters of a request, in their order and as they stand in a query.
 *
 * @param fn  Called for each inside this call; see netcore_field_fn.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_list_params(netcore_request request, netcore_field_fn fn,
                                                       void *user_data);

/**
 * Lists the values that netcore_request_set_path_value() set.
 *
 * @return As netcore_request_list_params(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_list_path_values(netcore_request request,
                                                            netcore_field_fn fn, void *user_data);

/**
 * Lists the cookies that netcore_request_set_cookie() set.
 *
 * @return As netcore_request_list_params(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_list_cookies(netcore_request request,
                                                        netcore_field_fn fn, void *user_data);

NETCORE_END_DECLS

#endif
