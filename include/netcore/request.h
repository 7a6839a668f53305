/**
 * Requests: what to send. A request belongs to no client and may be dispatched many times, by several clients; each
 * dispatch takes a snapshot, so that later changes, and destroy, do not touch tasks already made.
 */
#ifndef NETCORE_REQUEST_H
#define NETCORE_REQUEST_H

#include "base.h"
#include "completion.h"

NETCORE_BEGIN_DECLS

/**
 * Creates a request without headers or body.
 *
 * @param method  Copied. Any token (RFC 9110 section 5.6.2), sent as given: "GET", "POST", "PROPFIND". Methods are
 *                case-sensitive. CONNECT is refused.
 * @param url     Copied. An absolute http or https URL (RFC 3986). Spaces and bytes above 0x7F are percent-encoded; a
 *                fragment is kept for the final URL and not sent. A user name and password are sent as Basic
 *                authorization unless the request has an Authorization header.
 * @param out_request  Owned by the caller; release with netcore_request_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (a null pointer, or not UTF-8), NETCORE_ERR_INVALID_METHOD,
 *         NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_create(const char *method, const char *url, netcore_request *out_request);

/**
 * Creates a request whose URL is relative to the base URL of a service of the client that sends it (netcore/service.h), or to
 * its own base URL. The two are joined when the request is dispatched. A base URL is a folder, with or without a slash at its
 * end: below "https://example.com/api", "users" and "/users" are both "https://example.com/api/users". Otherwise RFC 3986 section 5
 * holds: "../users" is "https://example.com/users", and "?a" and "" keep the path of the base. A dispatch by a client without a
 * service is NETCORE_ERR_INVALID_URL.
 *
 * @param service    The service's name; null for the one that the client has selected.
 * @param reference  Copied. A relative reference, without scheme and host; names in braces are replaced by
 *                   netcore_request_set_path_value().
 * @return As netcore_request_create(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_create_relative(const char *method, const char *service,
                                                           const char *reference, netcore_request *out_request);

/** Sets a base URL for a relative request, in place of a service's; null for none. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_base_url(netcore_request request, const char *base_url);

/** Sets whether the service's URL for a CDN is the base, where it has one: 0, the default, or 1. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_use_cdn(netcore_request request, int32_t use_cdn);

/** Sets whether a URL of http becomes one of https: 0, the default, or 1. Its port 80 becomes 443, any other stays.
 *  Since 0.1. */
NETCORE_API netcore_status netcore_request_set_use_https(netcore_request request, int32_t use_https);

/** Sets whether the request goes out without what its client adds to others, common header fields and parameters: 0, the
 *  default, or 1. Its URL must be absolute then. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_custom(netcore_request request, int32_t is_custom);

/**
 * Gives a value to a name in braces in the request's URL, such as "/users/{id}". It goes in as one segment, percent-encoded;
 * it may not be empty, "." or "..". Names without a value, and values without a name, are NETCORE_ERR_INVALID_URL at dispatch;
 * without any value there is no template, and braces stay as they are.
 *
 * @param name  Letters, digits and "_".
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_path_value(netcore_request request, const char *name, const char *value);

/** How parameters are written into a body. */
typedef int32_t netcore_serializer;
enum {
  NETCORE_SERIALIZE_FORM = 0, /**< application/x-www-form-urlencoded, as browsers write it (WHATWG URL, section 5) */
  NETCORE_SERIALIZE_JSON = 1  /**< one JSON object (RFC 8259), in which no name may repeat */
};

/**
 * Adds a parameter. Parameters go to the query for GET, HEAD and DELETE, and where the request has a body; else they make up
 * the body, as netcore_request_set_serializer() says, with its Content-Type unless the request has one. Names may repeat, and
 * their order stays; a common parameter of the client's of the same name is left out. In a query and in a form a null is
 * empty.
 *
 * @param name   Copied. Not empty.
 * @param value  Copied. For JSON: one JSON value, which goes into a JSON body as it is.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, an empty name, not UTF-8, no JSON, or a
 *         number that is not finite). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_param(netcore_request request, const char *name, const char *value);
NETCORE_API netcore_status netcore_request_add_param_int(netcore_request request, const char *name, int64_t value);
NETCORE_API netcore_status netcore_request_add_param_double(netcore_request request, const char *name, double value);
NETCORE_API netcore_status netcore_request_add_param_bool(netcore_request request, const char *name, int32_t value);
NETCORE_API netcore_status netcore_request_add_param_null(netcore_request request, const char *name);
NETCORE_API netcore_status netcore_request_add_param_json(netcore_request request, const char *name, const char *value);

/** Removes all parameters of a name; none is no error. Since 0.1. */
NETCORE_API netcore_status netcore_request_remove_param(netcore_request request, const char *name);

/** Sets how parameters are written into a body. Default NETCORE_SERIALIZE_FORM.
 *  @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_serializer(netcore_request request, netcore_serializer serializer);

/** Destroys a request. Tasks already made from it go on. Since 0.1. */
NETCORE_API netcore_status netcore_request_destroy(netcore_request request);

/** Sets the method; as in netcore_request_create(). Since 0.1. */
NETCORE_API netcore_status netcore_request_set_method(netcore_request request, const char *method);

/** Sets the URL; as in netcore_request_create(). Since 0.1. */
NETCORE_API netcore_status netcore_request_set_url(netcore_request request, const char *url);

/**
 * Sets a header field, in place of all fields of that name (compared without case).
 *
 * Fields are sent in the order in which they were first set or added. Content-Length and Transfer-Encoding follow from
 * the body and are refused. A Host, User-Agent, Accept or Accept-Encoding given here replaces netcore's own; an empty
 * value sends the field empty.
 *
 * @param name   Copied. A token (RFC 9110 section 5.1).
 * @param value  Copied. Any bytes but controls other than tab (RFC 9110 section 5.5); white space around it is removed.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a null pointer),
 *         NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_header(netcore_request request, const char *name, const char *value);

/** Adds a header field after those already there, also when one of that name is. See netcore_request_set_header().
 *  Since 0.1. */
NETCORE_API netcore_status netcore_request_add_header(netcore_request request, const char *name, const char *value);

/** Removes all header fields of a name; none is no error. Since 0.1. */
NETCORE_API netcore_status netcore_request_remove_header(netcore_request request, const char *name);

/**
 * Sets the body. A request with a body says Content-Length; one without says it (as 0) for POST, PUT and PATCH only.
 * No Content-Type is added.
 *
 * @param data        Copied. May be null when `size_bytes` is 0: the body is then removed.
 * @param size_bytes  At most 2^40.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body(netcore_request request, const void *data, size_t size_bytes);

/**
 * Sets one of the four timeouts, in milliseconds; 0 means none, 2,147,483,647 is the most. Time spent queued counts to
 * none of them. Each covers one hop, when redirects are followed, except the total one, which covers them all.
 *
 * - connect: to resolve, connect and finish TLS. Default 10,000.
 * - first byte: from the last byte of the request sent to the first byte of the answer. Default 60,000.
 * - idle: while sending or receiving, the longest time in which not one byte moves. Default 60,000.
 * - total: from the start of the transfer to its end. Default 0 (none).
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (too large). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_connect_timeout_ms(netcore_request request, uint64_t timeout_ms);
NETCORE_API netcore_status netcore_request_set_first_byte_timeout_ms(netcore_request request, uint64_t timeout_ms);
NETCORE_API netcore_status netcore_request_set_idle_timeout_ms(netcore_request request, uint64_t timeout_ms);
NETCORE_API netcore_status netcore_request_set_total_timeout_ms(netcore_request request, uint64_t timeout_ms);

/**
 * Sets a limit for this request, in place of the client's. Only those that netcore_limit marks "request".
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (an unknown limit, or one that belongs
 *         to the client). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_limit(netcore_request request, netcore_limit limit, uint64_t value);

/**
 * Sets whether redirects (301, 302, 303, 307, 308 with a Location) are followed: 1, the default, or 0, to receive them
 * as responses.
 *
 * Methods change as RFC 9110 section 15.4 says: 303 becomes GET (HEAD stays HEAD), 301 and 302 turn POST into GET;
 * the body and its Content- fields go with it. Authorization, Cookie, Proxy-Authorization and the URL's user name and
 * password are dropped for good when scheme, host or port changes. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_follow_redirects(netcore_request request, int32_t follow);

/** Sets whether a redirect may lead from https to http: 0, the default (NETCORE_ERR_REDIRECT_INSECURE), or 1.
 *  Since 0.1. */
NETCORE_API netcore_status netcore_request_set_allow_insecure_redirects(netcore_request request, int32_t allow);

/**
 * Sets whether the body is decoded: 1, the default, or 0. With 1, "Accept-Encoding: gzip,br,zstd" is sent
 * (unless the request has an Accept-Encoding) and bodies of these Content-Encodings arrive decoded; a damaged or cut one
 * is an error. With 0 none is sent and the body arrives as transferred. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_decode_content(netcore_request request, int32_t decode);

/**
 * Sets whether interim answers (1xx, RFC 9110 section 15.2), such as 103 Early Hints, are handed over as completions of kind
 * NETCORE_COMPLETION_INTERIM: 0, the default, or 1. Blocking calls get none. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_interim_responses(netcore_request request, int32_t receive);

/**
 * Sets what is notified of events of the request's tasks, before their end: answers from the cache with NETCORE_CACHE_THEN_NETWORK,
 * interim answers (netcore_request_set_interim_responses()) and progress (netcore_request_set_progress_interval_ms()). Without it
 * these are not reported. In queue mode it is not called: netcore_client_wait() gives completions of these kinds.
 *
 * @param fn         Null for none, the default.
 * @param user_data  Handed to `fn`. Must stay valid until `release(user_data)` is called: when the request is destroyed and its tasks
 *                   have ended.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_event_function(netcore_request request, netcore_event_fn fn,
                                                              void *user_data, netcore_release_fn release);

/** Which of the requests that wait for a slot goes first. */
typedef int32_t netcore_priority;
enum { NETCORE_PRIORITY_LOW = -1, NETCORE_PRIORITY_DEFAULT = 0, NETCORE_PRIORITY_HIGH = 1 };

/**
 * Sets the priority: among requests that wait (NETCORE_LIMIT_TRANSFERS), those of a higher one go first, whatever the host; among
 * those of one, hosts take turns. By HTTP/2 a higher one also asks for a larger share of the connection.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (none of netcore_priority). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_priority(netcore_request request, netcore_priority priority);

/** Sets how many bytes of the body a second to receive at most, on average; 0, the default, for any. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_max_receive_rate(netcore_request request, uint64_t bytes_per_second);

/** Sets how many bytes of the body a second to send at most, on average; 0, the default, for any. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_max_send_rate(netcore_request request, uint64_t bytes_per_second);

/**
 * Sets how many bytes of the body a second must come at least, on average over each window: a slower transfer ends with
 * NETCORE_ERR_TIMEOUT_RATE, also one that the idle timeout does not see since a byte comes now and then. Windows follow
 * one another from the first byte of the body on. Bytes count as transferred, before content decoding. Time in which
 * netcore reads nothing because of netcore_request_set_max_receive_rate() does not count.
 *
 * @param bytes_per_second  0, the default, for any rate; at most 2^40.
 * @param window_ms         Length of a window in milliseconds, at most 2,147,483,647; 0 for the default of 30,000.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (too large). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_min_receive_rate(netcore_request request, uint64_t bytes_per_second,
                                                                uint64_t window_ms);

/**
 * Sets whether a request is never sent a second time where its connection was lost: 0, the default, or 1.
 *
 * By default an idempotent request (RFC 9110 section 9.2.2: GET, HEAD, OPTIONS, TRACE, PUT, DELETE, QUERY) goes out again where a kept
 * connection died before a byte of the answer came, and any other only where nothing of it was sent or the server refused it
 * unprocessed. With 1 the task ends with NETCORE_ERR_CONNECTION_LOST. Redirects and challenges are not affected.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_sent_once(netcore_request request, int32_t sent_once);

/**
 * Sets the shortest time between two reports of progress: completions of kind NETCORE_COMPLETION_PROGRESS, before the terminal one,
 * while bytes of a body go or come. 100 makes ten a second at most. A report that was not taken yet is followed by no other,
 * except the last: when the answer is whole, a report says that all bytes have come, received_bytes and expected_bytes being equal.
 * Blocking calls get none.
 *
 * @param interval_ms  UINT64_MAX, the default, for no reports.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_progress_interval_ms(netcore_request request, uint64_t interval_ms);

/** Sets a pointer that the caller likes to find again: netcore_response_info.user_info. netcore does not look behind it; it has to
 *  be good as long as responses are read. Default null. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_user_info(netcore_request request, void *user_info);

/**
 * Sets the network interface that a request may use: its connections come from it, and where the client was told of another one
 * (netcore_client_set_network()) it ends with NETCORE_ERR_NETWORK_INTERFACE.
 *
 * @param interface  Such as "wlan0". Copied; null for any.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (empty, or not UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_allowed_interface(netcore_request request, const char *interface);

/** Sets whether a request may use a network that is metered (netcore_client_set_network()): 1, the default, or 0, which ends it
 *  with NETCORE_ERR_NETWORK_METERED there. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_allow_metered(netcore_request request, int32_t allow_metered);

/** What a request says. What its members point to is borrowed until the request is changed or destroyed. */
typedef struct netcore_request_info {
  /** In: sizeof(netcore_request_info). */
  uint32_t size;
  /** The number of header fields. */
  uint32_t header_count;
  /** Ends with a NUL byte. */
  netcore_bytes method;
  /** The URL, without user name and password; for a relative request its reference. Ends with a NUL byte. */
  netcore_bytes url;
  /** The body, where it is in memory. */
  netcore_bytes body;
} netcore_request_info;

/** Gets what a request says.
 *  @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_INVALID_STRUCT. Since 0.1. */
NETCORE_API netcore_status netcore_request_get_info(netcore_request request, netcore_request_info *out_info);

/**
 * Gets the value of a header field by its name, compared without case.
 *
 * @param index      Which of the fields of that name: 0 for the first.
 * @param out_value  Borrowed as in netcore_request_info; ends with a NUL byte.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_NOT_FOUND. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_header(netcore_request request, const char *name, uint32_t index,
                                                      netcore_bytes *out_value);

/** Gets a header field by its place, from 0 on. Either result may be null. As netcore_request_get_header(). Since 0.1. */
NETCORE_API netcore_status netcore_request_get_header_at(netcore_request request, uint32_t index,
                                                         netcore_bytes *out_name, netcore_bytes *out_value);

/** Sets a tag by which netcore_client_cancel_tag() finds the tasks of this request. Copied; null removes it.
 *  Since 0.1. */
NETCORE_API netcore_status netcore_request_set_tag(netcore_request request, const char *tag);

NETCORE_END_DECLS

#endif
