/**
 * Requests: what to send. A request belongs to no client and may be dispatched many times, by
 * several clients. Each dispatch takes a snapshot: later changes, and destroy, do not affect tasks
 * already made.
 */
#ifndef NETCORE_REQUEST_H
#define NETCORE_REQUEST_H

#include "base.h"
#include "completion.h"
#include "limit.h"

NETCORE_BEGIN_DECLS

/**
 * Creates a request without headers or body.
 *
 * @param method  Copied. Any token (RFC 9110 section 5.6.2), sent as given: "GET", "POST",
 *                "PROPFIND". Methods are case-sensitive. CONNECT is refused.
 * @param url     Copied. An absolute http or https URL (RFC 3986). Spaces and bytes above 0x7F are
 *                percent-encoded; a fragment is kept for the final URL and not sent. A user name
 *                and password are sent as Basic authorization, unless the request has an
 *                Authorization field.
 * @param out_request  Owned by the caller; release with netcore_request_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null, or not UTF-8),
 *         NETCORE_ERR_INVALID_METHOD, NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME,
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_create(const char *method, const char *url,
                                                  netcore_request *out_request);

/**
 * Creates a request whose URL is relative to the base URL of a service of the client that sends it
 * (netcore/service.h), or to its own base URL. The two are joined when the request is dispatched. A
 * base URL is a folder, with or without a slash at its end: below "https://example.com/api",
 * "users" and "/users" are both "https://example.com/api/users". Otherwise RFC 3986 section 5
 * applies: "../users" is "https://example.com/users", and "?a" and "" keep the path of the base. A
 * dispatch by a client without a service fails with NETCORE_ERR_INVALID_URL.
 *
 * @param service    The name of the service; null for the one that the client has selected.
 * @param reference  Copied. A relative reference, without scheme and host; names in braces are
 *                   replaced by netcore_request_set_path_value().
 * @return As netcore_request_create(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_create_relative(const char *method, const char *service,
                                                           const char *reference,
                                                           netcore_request *out_request);

/**
 * Creates a copy of a request, with everything that was set on it.
 *
 * @param out_request  Owned by the caller; release with netcore_request_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_copy(netcore_request request,
                                                netcore_request *out_request);

/**
 * Destroys a request. Tasks already made from it go on.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_destroy(netcore_request request);

/**
 * Sets the method, as in netcore_request_create().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_INVALID_METHOD. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_method(netcore_request request, const char *method);

/**
 * Sets the URL, as in netcore_request_create().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_url(netcore_request request, const char *url);

/**
 * Sets a base URL for a relative request, in place of a service's.
 *
 * @param base_url  Copied. Absolute; null for none.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not UTF-8),
 *         NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_base_url(netcore_request request,
                                                        const char *base_url);

/**
 * Sets whether the service's URL for a CDN is the base, if it has one: 0, the default, or 1.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_use_cdn(netcore_request request, int32_t use_cdn);

/**
 * Sets whether an http URL becomes an https one: 0, the default, or 1. Port 80 becomes 443; any
 * other port stays.
 *
 * @return As netcore_request_set_use_cdn(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_use_https(netcore_request request,
                                                         int32_t use_https);

/**
 * Sets whether the request is bare: sent without the client's additions (default fields and
 * parameters, filters, tokens, cookies). 0, the default, or 1. The URL of a bare request must be
 * absolute.
 *
 * @return As netcore_request_set_use_cdn(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_bare(netcore_request request, int32_t is_bare);

/**
 * Gives a value to a name in braces in the request's URL, such as "/users/{id}". It goes in as one
 * path segment, percent-encoded. A dispatch fails with NETCORE_ERR_INVALID_URL if a name has no
 * value or a value has no name. Without any value there is no template, and braces stay as they
 * are.
 *
 * @param name   Letters, digits and "_".
 * @param value  Not empty, "." or "..".
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_path_value(netcore_request request, const char *name,
                                                          const char *value);

/** How parameters are written into a body. */
typedef int32_t netcore_serializer;
enum {
  /** application/x-www-form-urlencoded, as browsers write it (WHATWG URL, section 5). */
  NETCORE_SERIALIZER_FORM = 0,
  /** One JSON object (RFC 8259), in which no name may repeat. */
  NETCORE_SERIALIZER_JSON = 1
};

/**
 * Adds a parameter. Parameters go to the query for GET, HEAD and DELETE, and if the request has a
 * body. Otherwise they make up the body, written as netcore_request_set_serializer() says, with its
 * Content-Type unless the request has one. Names may repeat and keep their order; a default
 * parameter of the same name is left out. In a query and in a form, null is empty.
 *
 * @param name   Copied. Not empty.
 * @param value  Copied. For netcore_request_add_param_json(), a JSON value, written into a JSON
 *               body as it is.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, an empty
 *         name, not UTF-8, not valid JSON, or a number that is not finite). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_param(netcore_request request, const char *name,
                                                     const char *value);
NETCORE_API netcore_status netcore_request_add_param_int(netcore_request request, const char *name,
                                                         int64_t value);
NETCORE_API netcore_status netcore_request_add_param_double(netcore_request request,
                                                            const char *name, double value);
NETCORE_API netcore_status netcore_request_add_param_bool(netcore_request request, const char *name,
                                                          int32_t value);
NETCORE_API netcore_status netcore_request_add_param_null(netcore_request request,
                                                          const char *name);
NETCORE_API netcore_status netcore_request_add_param_json(netcore_request request, const char *name,
                                                          const char *value);

/**
 * Removes all parameters of a name from a request; it is no error if there is none.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_remove_param(netcore_request request, const char *name);

/**
 * Keeps a default parameter of the client (netcore/service.h) from being added to this request.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_remove_default_param(netcore_request request,
                                                                const char *name);

/**
 * Sets how parameters are written into a body. Default NETCORE_SERIALIZER_FORM.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a
 *         netcore_serializer value). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_serializer(netcore_request request,
                                                          netcore_serializer serializer);

/**
 * Sets a header field, in place of all fields of that name (compared without case).
 *
 * Fields are sent in the order in which they were first set or added. Content-Length and
 * Transfer-Encoding follow from the body and are refused. A Host, User-Agent, Accept or
 * Accept-Encoding given here replaces netcore's own; an empty value sends the field empty.
 *
 * @param name   Copied. A token (RFC 9110 section 5.1).
 * @param value  Copied. Any bytes except controls other than tab (RFC 9110 section 5.5); white
 *               space around it is removed.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_header(netcore_request request, const char *name,
                                                      const char *value);

/**
 * Adds a header field after those already there, also if there is one of that name.
 *
 * @return As netcore_request_set_header(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_header(netcore_request request, const char *name,
                                                      const char *value);

/**
 * Removes all header fields of a name from a request; it is no error if there is none.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_remove_header(netcore_request request, const char *name);

/**
 * Keeps a default header field of the client (netcore/service.h) from being added to this request;
 * also its User-Agent and Accept-Encoding.
 *
 * @return As netcore_request_set_header(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_remove_default_header(netcore_request request,
                                                                 const char *name);

/**
 * Sets the body. A request with a body sends Content-Length; one without sends it (as 0) only for
 * POST, PUT and PATCH. No Content-Type is added.
 *
 * @param data        Copied. May be null if `size_bytes` is 0: the body is then removed.
 * @param size_bytes  At most 2^40.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body(netcore_request request, const void *data,
                                                    size_t size_bytes);

/**
 * Sets one of the four timeouts, in milliseconds; 0 means none, 2,147,483,647 is the most. Time
 * spent queued counts toward none of them. Each covers one hop if redirects are followed, except
 * the total timeout, which covers all hops.
 *
 * - connect: to resolve, connect and finish TLS. Default 10,000.
 * - first byte: from the last byte of the request sent to the first byte of the answer. Default
 *   60,000.
 * - idle: the longest time in which not one byte is sent or received. Default 60,000.
 * - total: from the start of the transfer to its end. Default 0 (none).
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (too large).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_connect_timeout_ms(netcore_request request,
                                                                  uint64_t timeout_ms);
NETCORE_API netcore_status netcore_request_set_first_byte_timeout_ms(netcore_request request,
                                                                     uint64_t timeout_ms);
NETCORE_API netcore_status netcore_request_set_idle_timeout_ms(netcore_request request,
                                                               uint64_t timeout_ms);
NETCORE_API netcore_status netcore_request_set_total_timeout_ms(netcore_request request,
                                                                uint64_t timeout_ms);

/**
 * Sets a limit for this request, in place of the client's: one that netcore_limit marks "request".
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a netcore_limit
 *         value, or one that belongs to the client). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_limit(netcore_request request, netcore_limit limit,
                                                     uint64_t value);

/**
 * Gets a limit that was set for this request.
 *
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND (the client's limit applies), or as
 *         netcore_request_set_limit(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_limit(netcore_request request, netcore_limit limit,
                                                     uint64_t *out_value);

/**
 * Sets whether redirects (301, 302, 303, 307, 308 with a Location) are followed: 1, the default, or
 * 0, to receive them as responses.
 *
 * Methods change as RFC 9110 section 15.4 says: 303 becomes GET (HEAD stays HEAD), 301 and 302 turn
 * POST into GET; the body and its Content- fields are dropped with it. Authorization, Cookie,
 * Proxy-Authorization and the URL's user name and password are dropped for good if scheme, host or
 * port changes.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_follow_redirects(netcore_request request,
                                                                int32_t follow);

/**
 * Sets whether a redirect may lead from https to http: 0, the default, ends the task with
 * NETCORE_ERR_REDIRECT_INSECURE; or 1.
 *
 * @return As netcore_request_set_follow_redirects(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_allow_insecure_redirects(netcore_request request,
                                                                        int32_t allow);

/**
 * Sets whether the body is decoded: 1, the default, or 0. With 1, "Accept-Encoding: gzip,br,zstd"
 * is sent (unless the request has an Accept-Encoding), and bodies with these Content-Encodings
 * arrive decoded; a damaged or truncated one is an error. With 0 none is sent, and the body arrives
 * as transferred.
 *
 * @return As netcore_request_set_follow_redirects(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_decode_content(netcore_request request,
                                                              int32_t decode);

/**
 * Sets the function that is notified of events of the request's tasks before their end: stored
 * answers with NETCORE_CACHE_MODE_THEN_NETWORK, interim answers and progress. Without it they are
 * not reported. It is not called in queue mode: there netcore_client_wait() gives completions of
 * these kinds. Blocking calls report none.
 *
 * @param fn         Null for none, the default.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called: after the
 *                   request is destroyed and its tasks have ended.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_event_function(netcore_request request,
                                                              netcore_event_fn fn, void *user_data,
                                                              netcore_release_fn release);

/**
 * Sets whether interim answers (1xx, RFC 9110 section 15.2), such as 103 Early Hints, are reported
 * as events: 0, the default, or 1.
 *
 * @return As netcore_request_set_follow_redirects(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_interim_responses(netcore_request request,
                                                                 int32_t receive);

/**
 * Sets the shortest time between two reports of progress, which are events while bytes of a body
 * are sent or received. 100 makes at most ten a second. No report follows one that was not yet
 * taken, except the last: when the answer is complete, a report has all bytes, with received_bytes
 * and expected_bytes equal.
 *
 * @param interval_ms  UINT64_MAX, the default, for no reports.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_progress_interval_ms(netcore_request request,
                                                                    uint64_t interval_ms);

/** Which of the requests that wait for a slot goes first. */
typedef int32_t netcore_priority;
enum { NETCORE_PRIORITY_LOW = -1, NETCORE_PRIORITY_DEFAULT = 0, NETCORE_PRIORITY_HIGH = 1 };

/**
 * Sets the priority. Among requests that wait (NETCORE_LIMIT_TRANSFERS), those with a higher
 * priority go first, whatever their host; among those with the same priority, hosts take turns.
 * With HTTP/2 a higher priority also asks for a larger share of the connection.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a
 *         netcore_priority value). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_priority(netcore_request request,
                                                        netcore_priority priority);

/**
 * Sets the maximum average rate at which the body is received, in bytes per second; 0, the default,
 * for no maximum.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_max_receive_rate(netcore_request request,
                                                                uint64_t bytes_per_second);

/**
 * Sets the maximum average rate at which the body is sent. As
 * netcore_request_set_max_receive_rate().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_max_send_rate(netcore_request request,
                                                             uint64_t bytes_per_second);

/**
 * Sets the minimum average rate at which the body is received, over each window. A slower transfer
 * ends with NETCORE_ERR_TIMEOUT_RATE, also one that the idle timeout misses because a byte arrives
 * now and then. Windows follow one another from the first byte of the body on. Bytes count as
 * transferred, before content decoding. Time in which netcore reads nothing because of
 * netcore_request_set_max_receive_rate() does not count.
 *
 * @param bytes_per_second  0, the default, for no minimum; at most 2^40.
 * @param window_ms         The length of a window in milliseconds, at most 2,147,483,647; 0 for the
 *                          default of 30,000.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (too large).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_min_receive_rate(netcore_request request,
                                                                uint64_t bytes_per_second,
                                                                uint64_t window_ms);

/**
 * Sets whether a request is never sent again after its connection was lost: 0, the default, or 1.
 *
 * By default an idempotent request (RFC 9110 section 9.2.2: GET, HEAD, OPTIONS, TRACE, PUT, DELETE,
 * QUERY) is sent again if a kept connection died before the first byte of the answer. Any other
 * request is sent again only if nothing of it was sent, or the server refused it unprocessed. With
 * 1 the task ends with NETCORE_ERR_CONNECTION_LOST. Redirects and challenges are not affected.
 *
 * @return As netcore_request_set_follow_redirects(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_sent_once(netcore_request request,
                                                         int32_t sent_once);

/**
 * Sets whether a body is taken whose end is not confirmed: 0, the default, or 1. Meant for old
 * servers: with 1, a body that was cut on its way can pass for a whole one. The response is not
 * stored in a cache.
 *
 * With 1 these end with NETCORE_OK instead of NETCORE_ERR_TRUNCATED:
 *
 * - a gzip or deflate body whose compressed data is whole, but not the checksum that follows;
 * - over TLS, a body that has neither length nor chunks and ends without close_notify.
 *
 * A body that is shorter than its length, and chunks without the last one, remain errors.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_allow_unclean_end(netcore_request request,
                                                                 int32_t allow_unclean_end);

/**
 * Sets a pointer that is returned as netcore_response_info.user_info. netcore does not dereference
 * it. Default null.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_user_info(netcore_request request, void *user_info);

/**
 * Sets the only network interface that a request may use: its connections come from it. If the
 * client was told of another one (netcore_client_set_network()), the task ends with
 * NETCORE_ERR_NETWORK_INTERFACE.
 *
 * @param interface  Copied. Such as "wlan0"; null for any.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (empty, or not
 *         UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_allowed_interface(netcore_request request,
                                                                 const char *interface);

/**
 * Sets whether a request may use a metered network (netcore_client_set_network()): 1, the default,
 * or 0, which ends the task with NETCORE_ERR_NETWORK_METERED.
 *
 * @return As netcore_request_set_follow_redirects(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_allow_metered(netcore_request request,
                                                             int32_t allow_metered);

/**
 * Sets a tag, by which netcore_client_cancel_tag() finds the tasks of this request.
 *
 * @param tag  Copied; null removes it.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not UTF-8).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_tag(netcore_request request, const char *tag);

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
