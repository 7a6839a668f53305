/**
 * Filters of answers: functions of the application that read and change the answer to a request,
 * refuse it, or say with which tags it is stored.
 *
 * There are two kinds. NETCORE_RESPONSE_FILTER_KIND_NETWORK runs for a whole answer that came from
 * the network, before it is judged (netcore/validation.h) and before a cache stores it: what the
 * filter makes of it is judged, stored and delivered. It does not run for a redirect that is
 * followed, nor for a 304 that confirms what is stored: this updates the fields of the stored
 * answer as the server sent them. It runs for a 401 that is then answered by other credentials; a
 * filter that refuses this one changes nothing. Retries see an answer before the filters.
 * NETCORE_RESPONSE_FILTER_KIND_DELIVERY runs for each answer that its request accepts, from the
 * network or a cache, before its task ends. What it makes of the answer is not stored. Tasks that
 * joined another one's transfer (netcore/admission.h) pass their own. With such a filter no answer
 * is taken from the cache on the caller's thread.
 *
 * Neither kind runs for an error, a streamed response, a download, an event source, a provisional
 * response, or netcore_client_get_cached(). Parts (206) pass filters of the second kind only. For a
 * request that has filters of the first kind neither parts nor streamed answers are stored.
 *
 * A client, a module (netcore/api.h) and a request can have filters; they run in this order, and in
 * the order in which they were added. They run where filters of requests do (netcore/filter.h), one
 * at a time, before or beside these, and the same holds for them: their time counts toward the
 * total timeout; if their task ends before, the function runs on by itself; they may use the
 * client, except to wait for a request that itself has to pass filters.
 *
 * The status code cannot be changed: redirects, retries, credentials and the cache go by it. An
 * error table (netcore/error_table.h) can make an answer an error by its body.
 */
#ifndef NETCORE_RESPONSE_FILTER_H
#define NETCORE_RESPONSE_FILTER_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** When a filter of answers runs; see above. */
typedef int32_t netcore_response_filter_kind;
enum { NETCORE_RESPONSE_FILTER_KIND_NETWORK = 0, NETCORE_RESPONSE_FILTER_KIND_DELIVERY = 1 };

/**
 * Reads (netcore/response.h) and changes an answer, by the functions below.
 *
 * @param response  Borrowed until the function returns. Reading shows the changes made so far; what
 *                  was read before stays valid. One that is retained stays readable, and cannot be
 *                  changed any more.
 * @return NETCORE_OK to go on. Any other status ends the task with it, in the way of
 *         netcore_filter_fn, and the request is not tried again. The response of the task still
 *         has the answer, with its body.
 */
typedef netcore_status (*netcore_response_filter_fn)(netcore_response response, void *user_data);

/**
 * Adds a filter of answers after those already there, for requests dispatched from then on, except
 * bare ones (netcore_request_set_bare()).
 *
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, or not a
 *         netcore_response_filter_kind value). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_add_response_filter(netcore_client client,
                                                              netcore_response_filter_kind kind,
                                                              netcore_response_filter_fn fn,
                                                              void *user_data,
                                                              netcore_release_fn release);

/**
 * Removes all filters of answers of a client.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_remove_response_filters(netcore_client client);

/**
 * Adds a filter of the answers to a request, which runs after those of the client; for a bare
 * request, too. Copies of the request have it, too.
 *
 * What a cache stores is what filters of the kind NETWORK made of the answer, and it serves any
 * request to the same URL: such requests should have the same filters, or other keys
 * (netcore_request_set_cache_key()).
 *
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    Called once when neither a request nor a task needs the function any more. May
 *                   be null.
 * @return As netcore_client_add_response_filter(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_response_filter(netcore_request request,
                                                               netcore_response_filter_kind kind,
                                                               netcore_response_filter_fn fn,
                                                               void *user_data,
                                                               netcore_release_fn release);

/* What a filter may do to its answer. On any other response, and after the filter has returned,
 * these functions answer NETCORE_ERR_INVALID_STATE. */

/**
 * Sets a header field in place of all fields of its name, compared without case.
 *
 * @param name   Copied. A token (RFC 9110 section 5.1).
 * @param value  Copied.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_INVALID_HEADER,
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_set_header(netcore_response response, const char *name,
                                                       const char *value);

/**
 * Adds a header field after those already there.
 *
 * @return As netcore_response_set_header(). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_add_header(netcore_response response, const char *name,
                                                       const char *value);

/**
 * Removes all header fields of a name, compared without case. There may be none.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8), NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_remove_header(netcore_response response,
                                                          const char *name);

/**
 * Replaces the body. Content-Length then says its length; Content-Encoding, Transfer-Encoding, and
 * digests of the body before (Content-Digest, Repr-Digest, Digest, Content-MD5) are removed, from
 * the trailer section, too. Content-Type stays, and so do ETag and Last-Modified, by which a cache
 * validates what it stores.
 *
 * @param data  Copied. May be null if `size_bytes` is 0.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (also for an answer
 *         that has no body: to HEAD, and of the status codes 204, 205 and 304),
 *         NETCORE_ERR_INVALID_ARGUMENT (null, or too large), NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_set_body(netcore_response response, const void *data,
                                                     size_t size_bytes);

/**
 * Adds a tag that a cache stores the answer with, besides those of the request
 * (netcore_request_add_tag()): one that says what the answer has in it. Requests that succeed
 * remove it by that (netcore_request_add_invalidated_tag()).
 *
 * @param tag  Copied.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (also in a filter of
 *         the kind DELIVERY), NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8, empty, or with
 *         U+001F). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_add_tag(netcore_response response, const char *tag);

NETCORE_END_DECLS

#endif
