/**
 * Functions of the application that run for each request just before it is sent: functions that
 * give a value at the time of sending (a time stamp, a signature), and filters, which read and
 * change requests or refuse them.
 *
 * They run one at a time on a thread of the client, values before filters, before the cache is
 * asked. They run again if a 401 makes the request go out a second time; the hops of a redirect
 * keep what they set. Their time counts toward the total timeout. If a task is canceled, or ended
 * by its total timeout, while its function runs, the function runs on by itself, and others may run
 * beside it. netcore_client_destroy() waits for functions that run. A function may use the client,
 * except to wait for a request that itself has to pass such functions. They do not run for bare
 * requests (netcore_request_set_bare()).
 */
#ifndef NETCORE_FILTER_H
#define NETCORE_FILTER_H

#include "base.h"

NETCORE_BEGIN_DECLS

/**
 * Writes a value; see NETCORE_TEXT_NONE (netcore/base.h) for the contract.
 *
 * @return The length, or NETCORE_TEXT_NONE: the field or parameter is then left out.
 */
typedef int32_t (*netcore_value_fn)(char *text, size_t capacity, void *user_data);

/**
 * Sets a default header field whose value a function gives each time a request is sent. Replaces
 * default fields of that name (netcore_client_set_header()). A request that sets that field itself
 * keeps its own.
 *
 * @param name       Copied. A token (RFC 9110 section 5.1).
 * @param fn         Null removes the field.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_header_function(netcore_client client,
                                                              const char *name, netcore_value_fn fn,
                                                              void *user_data,
                                                              netcore_release_fn release);

/**
 * Sets a default parameter whose value a function gives each time a request is sent. Otherwise as
 * netcore_client_set_header_function().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, or an empty
 *         name). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_param_function(netcore_client client,
                                                             const char *name, netcore_value_fn fn,
                                                             void *user_data,
                                                             netcore_release_fn release);

/**
 * Reads (netcore/request_info.h) and changes a request. Everything is in place: an absolute URL,
 * default fields and parameters, the body. Only what the client itself adds is missing: User-Agent,
 * Accept-Encoding, cookies, tokens.
 *
 * @param request  Borrowed until the function returns.
 * @return NETCORE_OK to go on. Any other status ends the task with it: one of the application's own
 *         (NETCORE_STATUS_APPLICATION_FIRST to NETCORE_STATUS_APPLICATION_LAST), or one that a call
 *         returned. A number that is not a status, or one of the groups 200 and 300, becomes
 *         NETCORE_ERR_REFUSED with that number as netcore_error.native_code.
 */
typedef netcore_status (*netcore_filter_fn)(netcore_request request, void *user_data);

/**
 * Adds a filter after those already there. It runs for requests dispatched from then on.
 *
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_add_filter(netcore_client client, netcore_filter_fn fn,
                                                     void *user_data, netcore_release_fn release);

/**
 * Sets a filter of one request, such as one that signs it. It runs after those of the client, in
 * the same way.
 *
 * @param fn         Null, the default, for none.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    Called once when neither the request nor a task of it needs the function any
 *                   more. May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_filter(netcore_request request, netcore_filter_fn fn,
                                                      void *user_data, netcore_release_fn release);

/**
 * Removes all filters of a client.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_remove_filters(netcore_client client);

/** A hop that is about to be sent: the first of a task, one after a redirect, a retry. */
typedef struct netcore_hop_info {
  /** sizeof(netcore_hop_info), as the library knows it. */
  uint32_t size;
  /** The attempt, from 1 on, and the hop in it: those of its events (netcore/observer.h). */
  uint32_t attempt;
  uint32_t hop;
  /** Reserved, 0. */
  uint32_t reserved;
  /** Of the task, as in netcore_client_event. */
  uint64_t number;
  const char *method;
  const char *url;
  /** What the field has now; null if the hop has no such field. */
  const char *value;
  /** What the path of the URL was made from, such as "/users/{id}" (netcore/api.h,
   *  netcore_request_set_path_value()); null for a hop without one, and after a redirect. */
  const char *url_template;
} netcore_hop_info;

/**
 * Writes the value of a field for one hop; see NETCORE_TEXT_NONE (netcore/base.h) for the contract.
 *
 * @param info  Borrowed until the function returns.
 * @return The length, or NETCORE_TEXT_NONE: the hop is then sent without the field.
 */
typedef int32_t (*netcore_hop_value_fn)(const netcore_hop_info *info, char *text, size_t capacity,
                                        void *user_data);

/**
 * Sets a function that gives the value of one header field for each hop, in place of what the
 * request has: a span of a trace (`traceparent`), or the number of the try. It runs as the
 * functions above, but directly before each hop is sent, for bare requests too: redirects, retries
 * and what follows a challenge. The hop has its slot meanwhile. What the transport sends again by
 * itself has the same value. A cache does not see it. If the function fails, the task ends with
 * NETCORE_ERR_REFUSED.
 *
 * @param name       Copied. A token (RFC 9110 section 5.1); not a field that frames the message or
 *                   belongs to the connection: Host, Content-Length, Transfer-Encoding, Connection,
 *                   Keep-Alive, Proxy-Connection, TE, Trailer, Upgrade, Expect.
 * @param fn         Replaces the one set before, whatever its name. Null for none.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_hop_function(netcore_client client, const char *name,
                                                           netcore_hop_value_fn fn, void *user_data,
                                                           netcore_release_fn release);

NETCORE_END_DECLS

#endif
