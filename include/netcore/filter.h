/**
 * Functions of the host's that have a say in each request just before it is sent: values of the time of sending (a time stamp, the
 * kind of network, a signature), and filters, which read and change requests, or refuse them.
 *
 * They run one at a time on a thread of the client's own, values before filters, before the cache is looked at, and anew when a 401
 * makes the request go out a second time; the hops of a redirect keep what they said. Time spent in them
 * counts to the total timeout. When a task is canceled or ended by its total timeout while its function runs, the function is left
 * to itself, and others go on beside it. netcore_client_destroy() waits for functions that run. A function may use the client, but
 * not wait for a request that has to pass such functions itself. Custom requests (netcore_request_set_custom()) are spared.
 */
#ifndef NETCORE_FILTER_H
#define NETCORE_FILTER_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** Writes a value, by the contract of NETCORE_TEXT_NONE (netcore/base.h). Without one, the field or parameter is left out. */
typedef int32_t (*netcore_value_fn)(char *text, size_t capacity, void *user_data);

/**
 * Sets a header field whose value is asked for each time that a request is sent, in place of a common one of that name
 * (netcore_client_set_header()). Requests that have one of that name themselves keep it.
 *
 * @param fn         Null removes the field.
 * @param user_data  Handed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_header_function(netcore_client client, const char *name,
                                                              netcore_value_fn fn, void *user_data,
                                                              netcore_release_fn release);

/** The same for a parameter (netcore_client_set_param()). Since 0.1. */
NETCORE_API netcore_status netcore_client_set_param_function(netcore_client client, const char *name,
                                                             netcore_value_fn fn, void *user_data,
                                                             netcore_release_fn release);

/**
 * Reads and changes a request by the functions of netcore/request.h. All is in place: an absolute URL, common fields and
 * parameters, the body. Only what the client itself adds is not: User-Agent, Accept-Encoding, cookies, tokens.
 *
 * @param request  Borrowed until the function returns.
 * @return NETCORE_OK to go on. Any other status ends the task with it: one of the application's own (NETCORE_STATUS_HOST_FIRST to
 *         NETCORE_STATUS_HOST_LAST), or one that a call returned. What is no status, or one of the groups 200 and 300, is
 *         NETCORE_ERR_REFUSED, with its number as the native_code of the error.
 */
typedef netcore_status (*netcore_filter_fn)(netcore_request request, void *user_data);

/**
 * Adds a filter behind those already there: for requests dispatched from then on.
 *
 * @param user_data  Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_add_filter(netcore_client client, netcore_filter_fn fn, void *user_data,
                                                     netcore_release_fn release);

/** Removes all filters. @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1. */
NETCORE_API netcore_status netcore_client_remove_filters(netcore_client client);

NETCORE_END_DECLS

#endif
