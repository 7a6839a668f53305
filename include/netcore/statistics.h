/** What a client has done since it was created, and what it is doing. */
#ifndef NETCORE_STATISTICS_H
#define NETCORE_STATISTICS_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** The numbers of a client. Each is right by itself; they are not read at one moment. */
typedef struct netcore_client_statistics {
  /** In: sizeof(netcore_client_statistics). */
  uint32_t size;
  /** Tasks that were dispatched and wait for their first transfer. */
  uint32_t queued_count;
  /** Tasks that have not ended, those in the queue among them. */
  uint64_t task_count;
  /** Tasks that ended with a complete response, whatever its HTTP status code; those that failed;
   *  and those that were canceled. A task that ended at once, by a fresh answer that the cache had
   *  in memory, is in none of them (netcore_cache_get_statistics() has it). */
  uint64_t succeeded_count;
  uint64_t failed_count;
  uint64_t canceled_count;
  /** Attempts on the network. */
  uint64_t attempt_count;
  /** Those of them that a policy of retries began (netcore/retry.h). */
  uint64_t retry_count;
  /** Retries that did not take place because the budget of the origin had no token. */
  uint64_t budget_refusal_count;
  /** Requests that breakers refused (netcore/breaker.h). */
  uint64_t breaker_refusal_count;
  /** Switches from one service to another by failover (netcore/failover.h). */
  uint64_t failover_count;
  /** Hedges that were sent (netcore/hedge.h), and those of them whose answer was taken. They are no
   *  attempts. */
  uint64_t hedge_count;
  uint64_t hedge_win_count;
  /** Bytes of bodies sent and received, as transferred. */
  uint64_t bytes_sent;
  uint64_t bytes_received;
} netcore_client_statistics;

#define NETCORE_CLIENT_STATISTICS_INIT NETCORE_INIT(netcore_client_statistics)

/**
 * Gets the numbers of a client. netcore_client_list_breakers() and netcore_client_list_budgets()
 * have those of each origin.
 *
 * @param out_statistics  `size` set by the caller, the rest filled in.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_statistics(netcore_client client,
                                                         netcore_client_statistics *out_statistics);

/** The budget of retries of an origin (netcore/retry.h). */
typedef struct netcore_budget_info {
  /** sizeof(netcore_budget_info), as the library knows it. */
  uint32_t size;
  /** Whole tokens at this time, and at most. */
  uint32_t tokens;
  uint32_t capacity;
  /** Reserved, 0. */
  uint32_t reserved;
  /** Scheme, host and port. NUL-terminated; borrowed until the function returns. */
  netcore_bytes origin;
} netcore_budget_info;

/**
 * Is called with one budget of a client, which is borrowed until the function returns. It may call
 * any function.
 *
 * @return 1 to go on, 0 to end the list.
 */
typedef int32_t (*netcore_budget_fn)(const netcore_budget_info *info, void *user_data);

/**
 * Lists the budgets of retries that are not full, sorted by origin. Requests with other figures of
 * their own have budgets of their own.
 *
 * @param fn  Called for each inside this call, on this thread, with no lock held.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_list_budgets(netcore_client client, netcore_budget_fn fn,
                                                       void *user_data);

NETCORE_END_DECLS

#endif
