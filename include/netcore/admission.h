/** Policies that decide about a request before it is sent. Each is off by default. */
#ifndef NETCORE_ADMISSION_H
#define NETCORE_ADMISSION_H

#include "base.h"
#include "client.h"
#include "request.h"

NETCORE_BEGIN_DECLS

/** What becomes of a request while an equal one is in flight. */
typedef int32_t netcore_duplicates;
enum {
  /** Both are sent. */
  NETCORE_DUPLICATES_ALLOW = 0,
  /** The request is not sent, and gets the answer or error of the one in flight. */
  NETCORE_DUPLICATES_JOIN = 1,
  /** The new request ends with NETCORE_ERR_DUPLICATE. */
  NETCORE_DUPLICATES_DROP_NEW = 2,
  /** The request in flight ends with NETCORE_ERR_CANCELED (NETCORE_CANCEL_CAUSE_REPLACED), and so
   *  does each that joined it. The new one is sent. */
  NETCORE_DUPLICATES_CANCEL_OLD = 3
};

/**
 * Sets what becomes of the request while an equal one of the same client is in flight: from its
 * dispatch to its end, with all attempts and redirects. Default NETCORE_DUPLICATES_ALLOW.
 * netcore_client_set_request_defaults() sets it for all requests of a client, and
 * netcore_request_info has it.
 *
 * Only requests with a policy other than NETCORE_DUPLICATES_ALLOW are compared. Two are equal if
 * method, URL, header fields, cookies, credentials, body, and the options that change the answer
 * are equal: redirects, decoding, limits, network, netcore_request_set_sent_once(), and for a
 * client with a cache what is set of it, and the tags. Timeouts, maximum rates, priority, retries
 * and user info are not compared; those of the request that is sent apply to the transfer. Filters
 * run first. A request whose body is read while it is sent is equal to no other.
 *
 * With NETCORE_DUPLICATES_JOIN each task keeps its own end, its own cancel and its own total
 * timeout; the transfer is canceled with the last task that waits for it. A failure ends all of
 * them, except that tasks with time left send the request again after a total timeout. Streamed
 * responses and downloads are not joined. As a client's default it holds only for GET, HEAD,
 * OPTIONS, TRACE and QUERY, so that two equal orders remain two.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a
 *         netcore_duplicates value). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_duplicates(netcore_request request,
                                                          netcore_duplicates duplicates);

/** The shortest time between equal requests. Zero or null means the default. */
typedef struct netcore_min_interval {
  /** In: sizeof(netcore_min_interval). */
  uint32_t size;
  /** What becomes of a request that comes too soon. 0, the default: it ends with
   *  NETCORE_ERR_TOO_SOON, and netcore_error.retry_after_ms says how long to wait. 1: it waits in
   *  the queue until it is due; one that would wait longer than its total timeout is refused. */
  int32_t wait;
  /** At most 86,400,000 (24 h). Default 2,000. */
  uint64_t interval_ms;
  /** What makes requests equal, in place of method, URL, parameters and body. */
  const char *key;
} netcore_min_interval;

#define NETCORE_MIN_INTERVAL_INIT NETCORE_INIT(netcore_min_interval)

/**
 * Sets the shortest time between requests of one client that equal this one: with the same method,
 * URL, parameters and body, whatever their header fields, or with the same key. Counted are
 * requests that go to the server: what a cache answers is not, and neither are further attempts
 * and redirects of a task, or tasks that join another one. The interval of the request that was
 * sent holds.
 *
 * netcore_client_set_request_defaults() sets it for all requests of a client.
 *
 * @param options  Copied. Null, the default, for no minimum.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (a member out of range; netcore_last_error() names it).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_min_interval(netcore_request request,
                                                            const netcore_min_interval *options);

/** What a rate is for. */
typedef int32_t netcore_rate_scope;
enum {
  /** All requests of the client together. The name is null. */
  NETCORE_RATE_SCOPE_CLIENT = 0,
  /** The requests to one scheme, host and port: the name is a URL, such as "https://example.com".
   *  Null for each host that has no rate of its own. */
  NETCORE_RATE_SCOPE_HOST = 1,
  /** The requests with a tag. */
  NETCORE_RATE_SCOPE_TAG = 2,
  /** The requests with one key (netcore_request_set_rate_key()). Null for each key that has no rate
   *  of its own. */
  NETCORE_RATE_SCOPE_KEY = 3
};

/** How many requests may be sent. Zero means the default. At least one of `requests`, `transfers`
 *  and `server_hints` is set. */
typedef struct netcore_rate {
  /** In: sizeof(netcore_rate). */
  uint32_t size;
  /** Requests in each interval, evenly spaced: at most 1,000,000. Default 0: any number. */
  uint32_t requests;
  /** At most 86,400,000 (24 h). Default 1,000. */
  uint64_t interval_ms;
  /** Requests that may come at once after a pause: at most 1,000,000. Only with `requests`.
   *  Default 1. */
  uint32_t burst;
  /** Concurrent transfers. Default 0: any number. */
  uint32_t transfers;
  /** How long a request waits at most: at most 86,400,000 (24 h); UINT64_MAX: it is refused at
   *  once. Default 0: as long as its total timeout, and without one as long as it takes. */
  uint64_t max_wait_ms;
  /** 1: no more requests are sent than the latest answer says are left, until the time that it
   *  says, for an hour at most: by Retry-After of a 429 or 503, RateLimit and RateLimit-Policy, or
   *  RateLimit-Remaining and RateLimit-Reset (draft-ietf-httpapi-ratelimit-headers), or
   *  X-RateLimit-Remaining and X-RateLimit-Reset. Default 0. */
  int32_t server_hints;
  /** 0. */
  int32_t reserved;
} netcore_rate;

#define NETCORE_RATE_INIT NETCORE_INIT(netcore_rate)

/**
 * Sets how many requests of a scope may be sent, by the generic cell rate algorithm. Each attempt
 * and each redirect is a request; what a cache answers is not. A request counts to each scope that
 * it belongs to. One that has to wait does so in the queue: the time is in `queue_us` and counts to
 * no timeout. If it would wait for too long, it ends with NETCORE_ERR_RATE_LIMITED at once, and
 * netcore_error.retry_after_ms says how long the wait would be. Requests with a higher priority go
 * first; a lower one goes before newcomers after 10 s for each step.
 *
 * @param rate  Copied. Null, the default, for any number. Requests that wait are checked again.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (a member that is out of range or contradicts another, or a
 *         name that does not go with the scope; netcore_last_error() names it),
 *         NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME (of a host), NETCORE_ERR_SHUT_DOWN.
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_rate(netcore_client client, netcore_rate_scope scope,
                                                   const char *name, const netcore_rate *rate);

/**
 * Gets the rate that was set for a scope.
 *
 * @param out_rate  `size` set by the caller, the rest filled in with each figure as it holds.
 * @return As netcore_client_set_rate(), or NETCORE_ERR_NOT_FOUND (none was set). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_rate(netcore_client client, netcore_rate_scope scope,
                                                   const char *name, netcore_rate *out_rate);

/**
 * Sets the key of NETCORE_RATE_SCOPE_KEY: requests with one share a rate, such as those with one
 * API key. netcore_client_set_request_defaults() sets it for all requests of a client.
 *
 * @param key  Copied. Null, the default, for none.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not UTF-8).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_rate_key(netcore_request request, const char *key);

NETCORE_END_DECLS

#endif
