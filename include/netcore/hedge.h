/**
 * Hedging: a second try of a request is sent while the first is still under way, so that one slow
 * answer does not hold the request up. Off by default; docs/delivery.md has the reason for each
 * figure.
 *
 * A policy belongs to a client, and a request may have its own, or none. The second try, the hedge,
 * is sent when the first takes longer than most answers of its origin did of late
 * (`percentile`, `window_ms`), or at once when the first fails in a way that a policy of retries
 * tries again (that of the request, or the preset `standard`), after Retry-After if the answer has
 * one. A task has one hedge at most. It goes over another connection, and to another service of the
 * environment if the client has failover (netcore/failover.h) and knows one.
 *
 * The first answer wins that is not tried again, whatever its status, and the other try is
 * canceled. If both fail, the task goes on as the first try ended, with a retry perhaps. A hedge is
 * no attempt, and takes nothing of the budget of retries; each origin has a budget of hedges.
 *
 * No hedge is sent for
 * - a request that is not idempotent (netcore_request_set_idempotent()), or is to be sent once,
 * - a body that is read while it is sent, a download,
 * - a streamed response whose head was delivered.
 *
 * Each hedge is in the list of tries (netcore_try.is_hedge), and is counted
 * (netcore_client_statistics).
 */
#ifndef NETCORE_HEDGE_H
#define NETCORE_HEDGE_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** A policy of hedging. Zero means the default, which is the preset `standard`. */
typedef struct netcore_hedge_options {
  /** In: sizeof(netcore_hedge_options). */
  uint32_t size;
  /** The hedge is sent when the first try takes longer than so many percent of the answers in the
   *  window: 50 to 99. Default 95. */
  uint32_t percentile;
  /** How far back answers count: 1,000 to 3,600,000. Default 10,000. */
  uint64_t window_ms;
  /** For how long a delay that was computed is used: 10 to `window_ms`. Default 3,000. */
  uint64_t refresh_ms;
  /** A hedge is not sent earlier, except after a failure. At most 3,600,000. Default 10. */
  uint64_t min_delay_ms;
  /** The delay with fewer than `min_samples` answers in the window: `min_delay_ms` to 3,600,000.
   *  Default 2,000. */
  uint64_t initial_delay_ms;
  /** At most 1,000,000. Default 100. */
  uint32_t min_samples;
  /** Parts of the window; the oldest is dropped at a time. At most 60. Default 10. */
  uint32_t bucket_count;
  /** The budget of each origin: tokens at most and at first, of which each hedge takes one. At most
   *  1,000,000. Default 10. */
  uint32_t budget_tokens;
  /** Hundredths of a token for each task that succeeded. At most 100; UINT32_MAX for none. Default
   *  5. */
  uint32_t budget_success_percent;
} netcore_hedge_options;

#define NETCORE_HEDGE_OPTIONS_INIT NETCORE_INIT(netcore_hedge_options)

/**
 * Sets the policy of a client: for requests dispatched from then on that have none of their own.
 *
 * @param options  Copied. Null for no hedges, the default.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (a member that is out of range or contradicts another;
 *         netcore_last_error() names it), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_hedging(netcore_client client,
                                                      const netcore_hedge_options *options);

/**
 * Gets the policy of a client.
 *
 * @param out_enabled  1, or 0 for no hedges. May be null.
 * @param out_options  `size` set by the caller, the rest filled in with each figure as it holds;
 *                     all zero without a policy. May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_hedging(netcore_client client, int32_t *out_enabled,
                                                      netcore_hedge_options *out_options);

/** Whose policy of hedging a request follows. */
typedef int32_t netcore_hedging;
enum {
  /** The client's. */
  NETCORE_HEDGING_CLIENT = 0,
  /** None: it gets no hedge. */
  NETCORE_HEDGING_OFF = 1,
  /** Its own. */
  NETCORE_HEDGING_OWN = 2
};

/**
 * Sets whose policy of hedging a request follows. Default NETCORE_HEDGING_CLIENT.
 *
 * @param options  Copied. For NETCORE_HEDGING_OWN only; null for all defaults.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (as netcore_client_set_hedging(), or not a netcore_hedging
 *         value, or options without NETCORE_HEDGING_OWN). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_hedging(netcore_request request,
                                                       netcore_hedging hedging,
                                                       const netcore_hedge_options *options);

/**
 * Gets whose policy of hedging a request follows, and its own one.
 *
 * @param out_hedging  May be null.
 * @param out_options  As for netcore_client_get_hedging().
 * @return As netcore_client_get_hedging(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_hedging(netcore_request request,
                                                       netcore_hedging *out_hedging,
                                                       netcore_hedge_options *out_options);

NETCORE_END_DECLS

#endif
