/**
 * Responses: how a task ended. Every task that ends has one, also one that failed: it then carries
 * the error and what was known by then (final URL, timings, bytes moved, the header section if it
 * arrived completely). Immutable: any thread may read a response that it holds.
 */
#ifndef NETCORE_RESPONSE_H
#define NETCORE_RESPONSE_H

#include "base.h"
#include "error.h"

NETCORE_BEGIN_DECLS

/** HTTP versions: major * 10 + minor. */
typedef int32_t netcore_http_version;
enum {
  NETCORE_HTTP_VERSION_NONE = 0,
  NETCORE_HTTP_VERSION_1_0 = 10,
  NETCORE_HTTP_VERSION_1_1 = 11,
  NETCORE_HTTP_VERSION_2 = 20
};

/** All of a response. Pointers are borrowed until the response is released. */
typedef struct netcore_response_info {
  /** In: sizeof(netcore_response_info). */
  uint32_t size;
  /** How the task ended. NETCORE_OK: a complete response, whatever `http_status`. */
  netcore_status status;
  /** The status code, such as 200 or 404; 0 if no header section arrived. */
  int32_t http_status;
  netcore_http_version http_version;
  /** The body, complete and decoded. Empty if `status` is not NETCORE_OK, unless the answer was
   *  judged (netcore/validation.h). */
  netcore_bytes body;
  /** The URL of the last hop, without user name and password. NUL-terminated. */
  netcore_bytes url;
  /** Fields of the header section; see netcore_response_get_header_at(). */
  uint32_t header_count;
  /** Fields of the trailer section; see netcore_response_get_trailer_at(). */
  uint32_t trailer_count;
  /** Attempts made for this task; redirects do not count. */
  uint32_t attempts;
  /** Redirects followed. */
  uint32_t redirects;
  /** 1 if the last hop used a connection that was already open, else 0. */
  int32_t connection_reused;
  /** What the cache did: a netcore_cache_result (netcore/caching.h). */
  int32_t cache_result;
  /** Timings in microseconds; -1 if the phase was not reached. `queue_us`: from dispatch to the
   *  start of the transfer. The next four are each the duration of a phase of the last hop; with a
   *  reused connection `dns_us`, `connect_us` and `tls_us` are -1, and so is `tls_us` without TLS.
   *  `first_byte_us`: from the time the request was sent to the first byte of the answer.
   *  `total_us`: from the start of the first hop to the end of the last, without queued time. */
  int64_t queue_us;
  int64_t dns_us;
  int64_t connect_us;
  int64_t tls_us;
  int64_t first_byte_us;
  int64_t total_us;
  /** Bytes of all hops on the wire, inside TLS: header sections and bodies as transferred. */
  uint64_t bytes_sent;
  uint64_t bytes_received;
  /** The fields of the header section in one piece, for callers to which each call is expensive:
   *  for each field, in the order received, its name, a NUL byte, its value, a NUL byte. Neither
   *  can contain one. Empty if no section arrived. */
  netcore_bytes headers;
  /** The same for the trailer section. */
  netcore_bytes trailers;
  /** As set by netcore_request_set_user_info(), or null. */
  void *user_info;
  /** Tries that are listed; see netcore_response_get_try() (netcore/retry.h). */
  uint32_t try_count;
  /** 1 if the answer is that of another task's transfer, which this task joined
   *  (netcore/admission.h). Attempts, bytes, timings and tries are then those of that transfer;
   *  `queue_us` and `total_us` are the task's own. */
  int32_t joined;
  /** The SHA-256 digest of the body in lower-case hexadecimal, if the request has
   *  netcore_request_set_body_sha256() and the body came whole; otherwise empty. NUL-terminated. */
  netcore_bytes body_sha256;
} netcore_response_info;

#define NETCORE_RESPONSE_INFO_INIT NETCORE_INIT(netcore_response_info)

/**
 * Gets all of a response in one call.
 *
 * @param out_info  `size` set by the caller, the rest filled in. On failure all but `size` is
 *                  zeroed.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_info(netcore_response response,
                                                     netcore_response_info *out_info);

/**
 * Gets why a task failed.
 *
 * @param out_error  `size` set by the caller, the rest filled in; NETCORE_OK if the task succeeded.
 *                   Texts are borrowed until the response is released.
 * @return As netcore_response_get_info(). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_error(netcore_response response,
                                                      netcore_error *out_error);

/**
 * Gets a header field by its name, compared without case.
 *
 * @param index      0 for the first field of that name, 1 for the second, and so on.
 * @param out_value  Borrowed until the response is released. The bytes as received, without white
 *                   space around them, followed by a NUL byte that is not counted.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND, NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_header(netcore_response response, const char *name,
                                                       uint32_t index, netcore_bytes *out_value);

/**
 * Gets a header field by its index, from 0 to `header_count` - 1, in the order received. Names keep
 * their case. Either result may be null.
 *
 * @return As netcore_response_get_header(). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_header_at(netcore_response response, uint32_t index,
                                                          netcore_bytes *out_name,
                                                          netcore_bytes *out_value);

/**
 * Gets a field of the trailer section (RFC 9110 section 6.5) by its index, from 0 to
 * `trailer_count` - 1.
 *
 * @return As netcore_response_get_header(). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_trailer_at(netcore_response response,
                                                           uint32_t index, netcore_bytes *out_name,
                                                           netcore_bytes *out_value);

/**
 * Gets the body as text. A byte order mark decides how it is decoded, else the charset of
 * Content-Type (RFC 9110 section 8.3.2), else it is UTF-8, also if the charset is not known. Labels
 * of charsets mean what they mean to browsers (WHATWG Encoding): ISO-8859-1 is windows-1252, GB2312
 * is GB18030. Bytes that do not decode become U+FFFD.
 *
 * @param out_text  UTF-8. Borrowed until the response is released; ends with a NUL byte that is not
 *                  counted.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_text(netcore_response response,
                                                     netcore_bytes *out_text);

/**
 * Gets the target of the first link with a relation type, such as "next" (RFC 8288), as an absolute
 * URL.
 *
 * @param text      The room for it, of `capacity` bytes; what does not fit is left out, and a NUL
 *                  byte ends it. May be null if `capacity` is 0.
 * @param out_size  The length of the whole URL, without the NUL byte.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND, NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null, an empty relation, not UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_link(netcore_response response,
                                                     const char *relation, char *text,
                                                     size_t capacity, size_t *out_size);

/**
 * Gets an answer that redirected, by its index from 0 to `redirects` - 1, the first one first: its
 * status, URL and header fields. It has no body.
 *
 * @param out_response  Owned by the caller; release with netcore_response_release().
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND, NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_history_at(netcore_response response,
                                                           uint32_t index,
                                                           netcore_response *out_response);

/**
 * Lists the header fields that the last hop was sent with, as far as netcore writes them: without
 * those that follow from the body, Host, and Digest and Negotiate credentials. None if no hop was
 * sent: for an answer that the cache served.
 *
 * @param fn  Called for each inside this call; see netcore_field_fn.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_list_request_headers(netcore_response response,
                                                                 netcore_field_fn fn,
                                                                 void *user_data);

/**
 * Retains a response, for one more netcore_response_release(). The handle stays the same.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_retain(netcore_response response);

/**
 * Releases a response. The last release frees it, its body and its strings.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_release(netcore_response response);

/**
 * Copies a response into one block of the caller's memory and releases the handle. It replaces
 * netcore_response_get_info(), netcore_response_get_try() and netcore_response_release() in
 * languages in which each call is expensive.
 *
 * The block holds, in this order: a netcore_response_info, whose `size` is its size; `try_count`
 * netcore_try structs (netcore/retry.h); the trailers and the texts, each text followed by a NUL
 * byte; the header section; the body. All pointers except `user_info` point into `buffer`, even
 * for empty data. A copy of the block can be read by their offsets from `buffer`.
 *
 * Some responses are not copied: errors, responses after a redirect, answers in which a cache took
 * part, streamed responses, downloads, responses that a filter is shown, and those that do not
 * fit. `*out_size` is then 0 and the caller still owns the handle. The request's header fields
 * (netcore_response_list_request_headers()) are not copied.
 *
 * @param buffer    Memory of `capacity` bytes, aligned for pointers. What is in it is undefined
 *                  where `out_size` is 0.
 * @param out_size  The bytes of the block; 0 if the response was not copied.
 * @return NETCORE_OK (also if it was not copied), NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_move(netcore_response response, void *buffer,
                                                 size_t capacity, size_t *out_size);

NETCORE_END_DECLS

#endif
