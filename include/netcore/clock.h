/**
 * Clocks that move only when they are advanced, for tests of an application.
 *
 * Clients and caches that have such a clock (netcore_client_options.clock,
 * netcore_cache_options.clock) take no time from the machine: the age of stored answers, lifetimes
 * of cookies, waits before retries, rates, minimum intervals, breakers, hedges, failover, delays of
 * stubs and of replayed streams, and the timeouts of requests that stubs or a transport of the
 * application answer, all pass when the clock is advanced. Timings, tries and events have its time.
 *
 * What the network does takes the machine's time: connections, transfers and their timeouts. So do
 * downloads, event sources and calls that wait.
 *
 * One clock may be that of several clients and caches. Any thread may use it.
 */
#ifndef NETCORE_CLOCK_H
#define NETCORE_CLOCK_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** How a clock goes. */
typedef struct netcore_clock_options {
  /** In: sizeof(netcore_clock_options). */
  uint32_t size;
  /** 1: the clock advances by itself to what is waited for next, whenever requests are under way
   *  and nothing can go on before; see netcore_clock_wait_idle(). So calls that wait for a request
   *  return at once, whatever the request waits for. Default 0: only netcore_clock_advance() does.
   */
  int32_t automatic;
  /** What it says at the start: milliseconds since 1970-01-01 UTC. 0: what the machine's clock
   *  says. */
  int64_t start_ms;
} netcore_clock_options;

#define NETCORE_CLOCK_OPTIONS_INIT NETCORE_INIT(netcore_clock_options)

/**
 * Creates a clock.
 *
 * @param options    Copied; null for the defaults.
 * @param out_clock  Owned by the caller (release with netcore_clock_destroy()).
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null, or a member is out of its range),
 *         NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_clock_create(const netcore_clock_options *options,
                                                netcore_clock *out_clock);

/**
 * Destroys the handle. Clients and caches that have the clock keep it; it is not advanced any more,
 * unless it is automatic.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_clock_destroy(netcore_clock clock);

/**
 * Advances a clock. Does not wait: clients do what has become due soon after the call.
 *
 * @param span_ms  At most 100 years in all.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_clock_advance(netcore_clock clock, uint64_t span_ms);

/**
 * Gets how far a clock has been advanced.
 *
 * @param out_elapsed_ms  Milliseconds since it was created.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_clock_get_elapsed_ms(netcore_clock clock,
                                                        uint64_t *out_elapsed_ms);

/**
 * Waits until the clients of a clock can do nothing before it is advanced, or the application does
 * something: none of the application's filters, transports and the like runs, no hop is with the
 * network, and none waits for an answer by a transport of the application. What was dispatched
 * before the call has then ended, or waits for the clock; callbacks may still be running.
 *
 * Not for the thread whose loop drives a client (NETCORE_COMPLETION_MODE_LOOP): nothing would go on
 * meanwhile.
 *
 * @param timeout_ms  Of the machine's clock.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_IN_PROGRESS (the timeout is over),
 *         NETCORE_ERR_INVALID_STATE (called on a thread that clients wait for). Since 0.1.
 */
NETCORE_API netcore_status netcore_clock_wait_idle(netcore_clock clock, uint64_t timeout_ms);

NETCORE_END_DECLS

#endif
