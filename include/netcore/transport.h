/**
 * Transports of the application's: a function that answers a client's requests in place of the
 * network. For tests of an application without a socket, or for another way to a server.
 *
 * A transport stands below everything else that a client does. Filters, cookies, tokens, the cache,
 * redirects, limits on transfers and timeouts work as they do with the network. Each hop (one
 * request on the wire: the first, one that a redirect leads to, one that is sent again) is a call
 * of the function, and is answered once: in the function or after it has returned, by any thread,
 * by netcore_hop_answer() or netcore_hop_fail().
 *
 * A hop that is not answered ends with its task: when that is canceled, when its first-byte timeout
 * (from the call of the function) or its total timeout is over, or when its client is destroyed. An
 * answer after that is NETCORE_ERR_INVALID_HANDLE, and harmless.
 */
#ifndef NETCORE_TRANSPORT_H
#define NETCORE_TRANSPORT_H

#include "base.h"

NETCORE_BEGIN_DECLS

/**
 * Is given a hop to answer. Runs on a thread of the client's own, one call at a time, and may call
 * every function, but not wait for a request of a client that it has to answer itself. A call that
 * does not return holds up the others until its hop ends.
 *
 * @param hop      Valid until it is answered or ends.
 * @param request  What goes on the wire, to be read by the functions of netcore/request_info.h:
 *                 method, URL, header fields with those that the client adds (cookies, tokens,
 *                 Basic credentials), and the whole body, read and packed. Not what follows from
 *                 the body (Content-Length), nor Digest, Negotiate and .netrc, which are libcurl's.
 *                 Borrowed until the function returns.
 */
typedef void (*netcore_transport_fn)(netcore_hop hop, netcore_request request, void *user_data);

/**
 * Sets what answers requests in place of the network: hops that start from now on. Hops under way
 * are not touched.
 *
 * @param fn         Null: the network, as at the beginning.
 * @param user_data  Handed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_transport(netcore_client client,
                                                        netcore_transport_fn fn, void *user_data,
                                                        netcore_release_fn release);

/**
 * Answers a hop. The limits of the request hold for the answer.
 *
 * @param http_status  From 200 to 599. Interim answers (1xx) cannot be given.
 * @param headers      Copied. Header fields, each a line "Name: value" that ends with LF or CRLF;
 *                     null for none. Values are bytes, in UTF-8 or not.
 * @param data         Copied. The body as the application gets it: it is not decoded, whatever
 *                     Content-Encoding says. Null for none. Left out of answers to HEAD and of 204
 *                     and 304.
 * @return NETCORE_OK. NETCORE_ERR_INVALID_HANDLE if the hop was answered or has ended.
 *         NETCORE_ERR_INVALID_ARGUMENT (the status, a null body with a size),
 *         NETCORE_ERR_INVALID_HEADER (a line that is not a header field),
 *         NETCORE_ERR_OUT_OF_MEMORY: the hop still waits for its answer. Since 0.1.
 */
NETCORE_API netcore_status netcore_hop_answer(netcore_hop hop, int32_t http_status,
                                              const char *headers, const void *data,
                                              size_t size_bytes);

/**
 * Ends a hop with an error, as if the network had failed with it: NETCORE_ERR_CONNECT,
 * NETCORE_ERR_TIMEOUT_IDLE and so on.
 *
 * @param status   A status of the group 400 or a later one, or one of the application's own
 *                 (NETCORE_STATUS_APPLICATION_FIRST to NETCORE_STATUS_APPLICATION_LAST). A negative
 *                 number becomes NETCORE_ERR_REFUSED with that number as
 *                 netcore_error.native_code.
 * @param message  Copied. The message of the error; null for the status's own.
 * @return NETCORE_OK. NETCORE_ERR_INVALID_HANDLE if the hop was answered or has ended.
 *         NETCORE_ERR_INVALID_ARGUMENT (another status, a message that is not UTF-8): the hop still
 *         waits for its answer. Since 0.1.
 */
NETCORE_API netcore_status netcore_hop_fail(netcore_hop hop, netcore_status status,
                                            const char *message);

NETCORE_END_DECLS

#endif
