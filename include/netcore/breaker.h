/**
 * Circuit breakers: requests to an origin that fails are refused for a while, to spare the server,
 * and whoever waits for it. Off by default; docs/delivery.md has the reason for each figure.
 *
 * Each origin (scheme, host and port) has a breaker of its own in each client. It begins closed,
 * and lets all requests through. It opens if too large a share of the tries in a window fail, or if
 * several in a row get no connection. While it is open, requests end with
 * NETCORE_ERR_BREAKER_OPEN, without a try. When its time is over it is half-open: one request, the
 * probe, goes through. A success, or a 4xx answer, closes it; a failure opens it for twice as long.
 * If the probe says nothing for as long as the breaker was open, or for the attempt timeout if that
 * is longer, another request is the probe.
 *
 * A try fails by NETCORE_ERR_CONNECT, _CONNECT_PROXY, _CONNECTION_LOST, _TLS or _TRUNCATED, by a
 * timeout, or by an answer 500, 502, 503 or 504. Other answers do not count as failures, 429
 * included. A try that is canceled, or ends with another error, does not count at all. What the
 * cache answers is no try.
 *
 * A retry (netcore/retry.h) is not begun if its wait would end while the breaker is open
 * (NETCORE_RETRY_REASON_BREAKER). What a breaker refuses is not retried, and costs no token of the
 * budget. Transports of the application (netcore/transport.h) count as the network does.
 */
#ifndef NETCORE_BREAKER_H
#define NETCORE_BREAKER_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** The figures of a client's breakers. Zero means the default. */
typedef struct netcore_breaker_options {
  /** In: sizeof(netcore_breaker_options). */
  uint32_t size;
  /** Parts of the window; the oldest is dropped at a time. At most 100. Default 10. */
  uint32_t bucket_count;
  /** How far back tries count: 100 to 3,600,000, and at least twice the attempt timeout
   *  (netcore_retry_options.attempt_timeout_ms). Default 30,000. */
  uint64_t window_ms;
  /** With fewer tries in the window, `failure_percent` does not apply. At most 1,000,000. Default
   *  20. */
  uint32_t min_tries;
  /** The share of failed tries in the window from which on the breaker opens. At most 100. Default
   *  50. */
  uint32_t failure_percent;
  /** The breaker also opens after so many tries in a row without a connection. At most 1,000,000;
   *  UINT32_MAX for never. Default 5. */
  uint32_t connect_failures;
  /** The time that it stays open is random within this share of it, to either side. At most 50;
   *  UINT32_MAX for none. Default 20. */
  uint32_t jitter_percent;
  /** How long it stays open the first time; doubled for each further time until a probe succeeds.
   *  At most 3,600,000. Default 5,000. */
  uint64_t open_ms;
  /** It does not stay open longer, except for the jitter: `open_ms` to 86,400,000. Default
   *  300,000. */
  uint64_t max_open_ms;
} netcore_breaker_options;

#define NETCORE_BREAKER_OPTIONS_INIT NETCORE_INIT(netcore_breaker_options)

/**
 * Sets the breakers of a client, for requests dispatched from then on. What was known of origins is
 * forgotten.
 *
 * @param options  Copied. Null for no breakers, the default.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (a member that is out of range or contradicts another, or
 *         the attempt timeout of the client's retries; netcore_last_error() names it),
 *         NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_breaker(netcore_client client,
                                                      const netcore_breaker_options *options);

/**
 * Gets the figures of a client's breakers.
 *
 * @param out_enabled  1 if the client has breakers, else 0; may be null.
 * @param out_options  May be null. `size` set by the caller, the rest filled in; zero if the client
 *                     has none.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_breaker(netcore_client client, int32_t *out_enabled,
                                                      netcore_breaker_options *out_options);

/** What a breaker does with requests. */
typedef int32_t netcore_breaker_state;
enum {
  NETCORE_BREAKER_STATE_CLOSED = 0,   /**< all go through */
  NETCORE_BREAKER_STATE_OPEN = 1,     /**< none goes through */
  NETCORE_BREAKER_STATE_HALF_OPEN = 2 /**< one goes through, as a probe */
};

/** The breaker of an origin. */
typedef struct netcore_breaker_info {
  /** sizeof(netcore_breaker_info), as the library knows it. */
  uint32_t size;
  netcore_breaker_state state;
  /** Scheme, host and port. NUL-terminated; borrowed until the function returns. */
  netcore_bytes origin;
  /** Tries in the window, and those of them that failed. */
  uint64_t try_count;
  uint64_t failure_count;
  /** Milliseconds until a request may go through as a probe, at the latest; 0 if it is closed. */
  uint64_t wait_ms;
  /** How often it has opened. */
  uint64_t opening_count;
  /** Requests that it has refused. */
  uint64_t refusal_count;
} netcore_breaker_info;

/**
 * Is called with one breaker of a client, which is borrowed until the function returns. It may call
 * any function.
 *
 * @return 1 to go on, 0 to end the list.
 */
typedef int32_t (*netcore_breaker_fn)(const netcore_breaker_info *info, void *user_data);

/**
 * Lists the breakers of a client, sorted by origin. Those that are closed and have seen no try for
 * a while may be missing; of more than 8,192 origins, only some are kept.
 *
 * @param fn  Called for each inside this call, on this thread, with no lock held.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_list_breakers(netcore_client client,
                                                        netcore_breaker_fn fn, void *user_data);

NETCORE_END_DECLS

#endif
