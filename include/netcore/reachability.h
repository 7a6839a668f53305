/**
 * Reachability: whether the network can be reached, as the application tells its clients or as the
 * system's links and routes say, and requests that wait for it.
 */
#ifndef NETCORE_REACHABILITY_H
#define NETCORE_REACHABILITY_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** Whether the network can be reached. */
typedef int32_t netcore_reachability;
enum {
  NETCORE_REACHABILITY_UNKNOWN = 0, /**< not known; treated as reachable */
  NETCORE_REACHABILITY_REACHABLE = 1,
  NETCORE_REACHABILITY_UNREACHABLE = 2
};

/**
 * Tells a client whether the network can be reached. While it cannot, failures are not counted
 * against a service (netcore/failover.h), and requests with
 * netcore_request_set_wait_for_network_ms() wait; others are sent all the same. Those that wait go
 * on when the value is another one.
 *
 * @param reachability  Default NETCORE_REACHABILITY_UNKNOWN: as the system's links and routes say,
 *                      if the client watches them, and else not known.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a
 *         netcore_reachability value). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_reachability(netcore_client client,
                                                           netcore_reachability reachability);

/**
 * Sets whether a client watches the links, addresses and routes of the system (rtnetlink): 0, the
 * default, or 1. The network is then reachable if a link that is up, other than loopback, has a
 * route beyond itself; what netcore_client_set_reachability() sets takes precedence.
 *
 * When the routes by which other networks are reached change, or addresses of their links, idle
 * connections are dropped, and those in use end after their request, so that new requests get new
 * ones. Connections to this host stay, and those of HTTP/2 as long as they have streams.
 *
 * What changes while nothing is under way is noticed with the next request, or at once if there is
 * a listener: the client's I/O thread then waits for it. It has no wake-ups in between.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1),
 *         NETCORE_ERR_OUT_OF_MEMORY (the system gives no netlink socket). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_watch_network(netcore_client client,
                                                            int32_t watch_network);

/**
 * Gets whether the network of a client can be reached: what netcore_client_set_reachability() set,
 * or what the client sees.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_reachability(netcore_client client,
                                                           netcore_reachability *out_reachability);

/**
 * Is notified of the reachability that a client has now. Runs on a thread of the client, one call
 * at a time, in the order of the changes. It may call any function.
 */
typedef void (*netcore_reachability_fn)(netcore_reachability reachability, void *user_data);

/**
 * Sets the function that is notified each time the reachability changes. Changes of which the
 * function set before was not yet notified still go to that one.
 *
 * @param fn         Null for none.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_reachability_listener(netcore_client client,
                                                                    netcore_reachability_fn fn,
                                                                    void *user_data,
                                                                    netcore_release_fn release);

/**
 * Sets how long a request waits for the network at most, each time that it is about to be sent
 * while the network of its client is unreachable. After that it ends with
 * NETCORE_ERR_NETWORK_UNREACHABLE, or with NETCORE_ERR_TIMEOUT_TOTAL if that timeout ends before.
 * Waiting takes no slot (NETCORE_LIMIT_TRANSFERS); a wait before the first attempt counts toward no
 * timeout. What the cache answers needs no network.
 *
 * @param wait_ms  At most 86,400,000 (24 h). 0, the default: it does not wait, and is sent.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (too large).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_wait_for_network_ms(netcore_request request,
                                                                   uint64_t wait_ms);

NETCORE_END_DECLS

#endif
