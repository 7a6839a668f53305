/**
 * Failover: a client goes from the selected service to the next one of its environment
 * (netcore/service.h) when too many tries of the selected one fail. Off by default;
 * docs/delivery.md has the reason for each figure.
 *
 * A try fails as for a breaker (netcore/breaker.h), and also if the host name has no address. It is
 * not counted while the network is unreachable (netcore_client_set_reachability()). Requests that
 * name a service or a base URL themselves are neither counted nor moved; those to a CDN are not
 * counted.
 *
 * With enough failures, the next service that has a base URL in the environment, and whose breaker
 * is not open, is selected, and counting begins anew. The next one is drawn among those with a
 * weight (netcore_client_set_service_weight()); without weights, it follows in the order in which
 * they were added. The function of netcore_client_set_selection_listener() is notified once, on a
 * thread of the client. If there is no such service, nothing changes. If the client has breakers,
 * one that refuses a request to the selected service switches at once. After a while, or when
 * probes say that it is well, the service that was left first is selected again. An application
 * that selects a service or environment itself is obeyed: counting begins anew, and nothing is
 * switched back.
 *
 * Requests dispatched later go to the service that is selected then. A retry (netcore/retry.h) goes
 * to the service that is selected when it is decided, with the filters, cookies, tokens and cache
 * entries of that server; so does a request that a breaker refused.
 */
#ifndef NETCORE_FAILOVER_H
#define NETCORE_FAILOVER_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** When a client changes its service. Zero means the default. */
typedef struct netcore_failover_options {
  /** In: sizeof(netcore_failover_options). */
  uint32_t size;
  /** Parts of the window; the oldest is dropped at a time. At most 100. Default 10. */
  uint32_t bucket_count;
  /** How far back tries count: 100 to 86,400,000. Default 60,000. */
  uint64_t window_ms;
  /** With fewer tries in the window, `failure_percent` does not apply. At most 1,000,000. Default
   *  40. */
  uint32_t min_tries;
  /** The share of failed tries in the window from which on the service is left. At most 100.
   *  Default 10. */
  uint32_t failure_percent;
  /** How long after the last switch the service that was left first is selected again, with the
   *  next try. At most 86,400,000; UINT64_MAX for never. Default 300,000. Not used with
   *  `probe_path`. */
  uint64_t cool_down_ms;
  /** Probes the service that was left first: the client sends it requests by itself, and selects it
   *  again when enough of them succeed. Below the base URL; "" for that itself; null for no probes.
   *  A probe is a bare request: without fields, credentials and cookies of the client's, retries
   *  and redirects. It counts to breakers, rates and slots. */
  const char *probe_path;
  /** Default GET. */
  const char *probe_method;
  /** Between two probes, and up to a tenth longer: 100 to 86,400,000. Default 10,000. */
  uint64_t probe_interval_ms;
  /** How long a probe may take in all. At most 86,400,000. Default 5,000. */
  uint64_t probe_timeout_ms;
  /** How many answers from 200 to 299 in a row say that the service is well. At most 100. Default
   *  2. */
  uint32_t probe_successes;
  /** 0. */
  int32_t reserved;
} netcore_failover_options;

#define NETCORE_FAILOVER_OPTIONS_INIT NETCORE_INIT(netcore_failover_options)

/**
 * Sets when a client changes its service, for requests dispatched from then on. What was counted is
 * forgotten.
 *
 * @param options  Copied. Null for never, the default.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (a member that is out of range; netcore_last_error() names
 *         it), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_failover(netcore_client client,
                                                       const netcore_failover_options *options);

/**
 * Gets when a client changes its service.
 *
 * @param out_enabled  1 if it does, else 0; may be null.
 * @param out_options  May be null. `size` set by the caller, the rest filled in; zero if it does
 *                     not. Texts are borrowed until this thread calls the function again.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_failover(netcore_client client, int32_t *out_enabled,
                                                       netcore_failover_options *out_options);

NETCORE_END_DECLS

#endif
