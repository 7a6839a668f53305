/**
 * How a request is sent and its answer received: timeouts, limits, redirects, decoding, events,
 * priority, rates, network.
 */
#ifndef NETCORE_TRANSFER_H
#define NETCORE_TRANSFER_H

#include "base.h"
#include "completion.h"
#include "limit.h"

NETCORE_BEGIN_DECLS

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
 * Sets the priority. Among requests that wait (NETCORE_LIMIT_TRANSFERS, or a rate), those with a
 * higher priority go first, whatever their host; among those with the same priority, hosts take
 * turns. A request that has waited 10 seconds for each step between its priority and the highest is
 * due: hosts with due requests take turns with those of the highest priority, and one of four
 * requests that go to a host is the one that is due for the longest time. So none waits for ever.
 * With HTTP/2 a higher priority also asks for a larger share of the connection.
 * netcore_task_set_priority() changes it after the dispatch.
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
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (above 2^63 - 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_max_receive_rate(netcore_request request,
                                                                uint64_t bytes_per_second);

/**
 * Sets the maximum average rate at which the body is sent. As
 * netcore_request_set_max_receive_rate().
 *
 * @return As netcore_request_set_max_receive_rate(). Since 0.1.
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
 * Sets whether the server is asked before the body is sent ("Expect: 100-continue", RFC 9110
 * section 10.1.1), and for how long its answer is waited for. Off by default: many servers answer
 * with the final response only, and a wait for nothing delays each upload.
 *
 * With a time, a request whose body is not empty carries the field. The body is sent when the
 * server says 100, or when the time is over. A final answer that comes before that is the answer,
 * and nothing of the body is sent. After a 417 on a connection that stays open the request is sent
 * again without the field, at once.
 *
 * @param timeout_ms  How long to wait, at most 2,147,483,647; 0 for off.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (too large).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_expect_continue(netcore_request request,
                                                               uint64_t timeout_ms);

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
 * Sets the tag, in place of all that the request has. netcore_client_cancel_tag() finds the tasks
 * of a request by its tags, and netcore_cache_clear() the stored answers to it.
 *
 * @param tag  Copied; null removes all.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not UTF-8).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_tag(netcore_request request, const char *tag);

/**
 * Adds a tag after those already there; one that is there already is not added.
 *
 * @param tag  Copied.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8,
 *         empty, or with the control character U+001F). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_tag(netcore_request request, const char *tag);

NETCORE_END_DECLS

#endif
