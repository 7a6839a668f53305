/**
 * Retries: whether a request is sent again because of its answer or error, after how long, and what
 * came of each try. Off by default; docs/delivery.md has the reason for each figure.
 *
 * A policy of retries belongs to a client, and a request may have its own, or none. An attempt that
 * ends with one of the statuses or errors of the policy is followed by another one, after a random
 * wait of at most `base_delay_ms`, doubled for each attempt, or as long as Retry-After asks for. No
 * other attempt follows if
 * - the request is not idempotent, and may have been sent (netcore_request_set_idempotent()),
 * - its body cannot be read again (netcore_reader.rewind is null),
 * - the attempts or the origin's budget of retries are used up,
 * - the wait would end after the total timeout, or Retry-After asks for too much.
 *
 * What ended the last attempt is then the task's end. Answers that are followed by another attempt
 * are neither delivered nor stored in a cache. A task that waits for its next attempt takes no slot
 * (NETCORE_LIMIT_TRANSFERS), and ends at once when it is canceled. Transports of the application
 * (netcore/transport.h) are retried as the network is.
 */
#ifndef NETCORE_RETRY_H
#define NETCORE_RETRY_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** Classes of errors that are tried again: any sum of them. Certificates, broken answers, limits,
 *  redirects and bodies that do not decode are in none: they would come again. */
typedef uint32_t netcore_retry_errors;
enum {
  /** NETCORE_ERR_RESOLVE, NETCORE_ERR_RESOLVE_PROXY. */
  NETCORE_RETRY_ERRORS_RESOLVE = 1,
  /** NETCORE_ERR_CONNECT, NETCORE_ERR_CONNECT_PROXY. */
  NETCORE_RETRY_ERRORS_CONNECT = 2,
  /** NETCORE_ERR_CONNECTION_LOST. */
  NETCORE_RETRY_ERRORS_RESET = 4,
  /** NETCORE_ERR_TRUNCATED. */
  NETCORE_RETRY_ERRORS_TRUNCATED = 8,
  /** NETCORE_ERR_TIMEOUT_CONNECT, _FIRST_BYTE, _IDLE and _ATTEMPT. */
  NETCORE_RETRY_ERRORS_TIMEOUT = 16,
  /** None of them: only statuses are tried again. */
  NETCORE_RETRY_ERRORS_NONE = 32
};

/** What came of an attempt, for a netcore_retry_fn. */
typedef struct netcore_retry_outcome {
  /** sizeof(netcore_retry_outcome), as the library knows it. */
  uint32_t size;
  /** The attempt that it was, from 1 on. */
  uint32_t attempt;
  /** NETCORE_OK for an answer, whatever its status code. */
  netcore_status status;
  /** The status code; 0 if no header section arrived. */
  int32_t http_status;
  /** Milliseconds that the answer asks to wait by Retry-After; -1 if it does not. */
  int64_t retry_after_ms;
  /** Milliseconds after which the policy would try again; -1 if it would not. */
  int64_t delay_ms;
  /** The answer, or what is known of it. Borrowed until the function returns. */
  netcore_response response;
} netcore_retry_outcome;

/** What follows an attempt. */
typedef int32_t netcore_retry_verdict;
enum {
  /** As the policy says. */
  NETCORE_RETRY_VERDICT_POLICY = 0,
  /** Another attempt. */
  NETCORE_RETRY_VERDICT_RETRY = 1,
  /** The attempt is the last one. */
  NETCORE_RETRY_VERDICT_STOP = 2
};

/**
 * Decides whether the outcome of an attempt is worth another one. Called after each attempt that
 * another may follow: attempts are left, the request may be sent again, and so may its body.
 * Budget, Retry-After and total timeout hold, whatever it says.
 *
 * Runs on a thread of the client, one call at a time, and may use the client, but not wait for a
 * request that it decides about. Its time counts toward the total timeout. If the task is canceled
 * or its total timeout ends meanwhile, the function runs on by itself.
 *
 * @param outcome   Borrowed until the function returns.
 * @param delay_ms  UINT64_MAX: the policy's own wait. May be set for NETCORE_RETRY_VERDICT_RETRY; a
 *                  longer Retry-After wins. At most 86,400,000 (24 h).
 * @return A netcore_retry_verdict; any other number counts as NETCORE_RETRY_VERDICT_POLICY.
 */
typedef netcore_retry_verdict (*netcore_retry_fn)(const netcore_retry_outcome *outcome,
                                                  uint64_t *delay_ms, void *user_data);

/** A policy of retries. Zero or null means the default, which is the preset `standard`. */
typedef struct netcore_retry_options {
  /** In: sizeof(netcore_retry_options). */
  uint32_t size;
  /** Attempts in all, the first included: at most 100. Default 3. */
  uint32_t attempts;
  /** The longest wait before the second attempt, doubled for each one after it: the wait is random
   *  between 0 and that. At most `max_delay_ms`. Default 100. */
  uint64_t base_delay_ms;
  /** In place of `base_delay_ms` after a 429 or 503. At most `max_delay_ms`. Default 1,000. */
  uint64_t throttled_delay_ms;
  /** No wait is longer, unless Retry-After asks for it. At most 3,600,000. Default 20,000. */
  uint64_t max_delay_ms;
  /** The longest Retry-After (RFC 9110 section 10.2.3) that is waited for. An answer with a longer
   *  one is delivered at once. At most 86,400,000. Default 60,000. */
  uint64_t max_retry_after_ms;
  /** The longest that one attempt may take, without the time in the queue; it then ends with
   *  NETCORE_ERR_TIMEOUT_ATTEMPT. At most 2,147,483,647, and at most the total timeout of each
   *  request, otherwise its dispatch returns NETCORE_ERR_INVALID_ARGUMENT. Default 0: none. */
  uint64_t attempt_timeout_ms;
  /** An array of `status_count` status codes that are tried again, each 400 to 599. 425 is tried
   *  again once, 413 only with a Retry-After. Default 408, 413, 425, 429, 500, 502, 503, 504. */
  const int32_t *statuses;
  size_t status_count;
  /** An array of `method_count` methods, in upper case, whose requests are tried again. Default
   *  GET, HEAD, OPTIONS, TRACE, PUT, DELETE, QUERY: those that are idempotent. */
  const char *const *methods;
  size_t method_count;
  /** Default: all of them. */
  netcore_retry_errors errors;
  /** The budget of each origin: tokens at most and at first, of which each retry takes one. At most
   *  1,000,000; UINT32_MAX for no budget. Default 10. */
  uint32_t budget_tokens;
  /** Hundredths of a token for each task that succeeded. At most 100; UINT32_MAX for none. Default
   *  20. */
  uint32_t budget_success_percent;
  /** Tokens for each second. At most 1,000; UINT32_MAX for none. Default 1. */
  uint32_t budget_per_second;
  /** 1: requests that are not idempotent get an Idempotency-Key field with a random UUID, made once
   *  for each task, and are tried again. Only for servers that know the field. Default 0. */
  int32_t idempotency_keys;
  /** Null for none. */
  netcore_retry_fn decide;
  /** Passed to `decide`. Must stay valid until `release(user_data)` is called. */
  void *user_data;
  /** May be null. */
  netcore_release_fn release;
} netcore_retry_options;

#define NETCORE_RETRY_OPTIONS_INIT NETCORE_INIT(netcore_retry_options)

/**
 * Sets the policy of a client: for requests dispatched from then on that have none of their own.
 *
 * @param options  Copied. Null for no retries, the default.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (a member that is out of range or contradicts another;
 *         netcore_last_error() names it), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_retries(netcore_client client,
                                                      const netcore_retry_options *options);

/**
 * Gets the policy of a client.
 *
 * @param out_enabled  1, or 0 for no retries. May be null.
 * @param out_options  `size` set by the caller, the rest filled in with each figure as it holds;
 *                     all zero without a policy. `decide` is not given. Arrays and texts are
 *                     borrowed until this thread calls a netcore_client_get_retries() or
 *                     netcore_request_get_retries() again. May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_retries(netcore_client client, int32_t *out_enabled,
                                                      netcore_retry_options *out_options);

/** Whose policy of retries a request follows. */
typedef int32_t netcore_retries;
enum {
  /** The client's. */
  NETCORE_RETRIES_CLIENT = 0,
  /** None: it is not retried. */
  NETCORE_RETRIES_OFF = 1,
  /** Its own. */
  NETCORE_RETRIES_OWN = 2
};

/**
 * Sets whose policy of retries a request follows. Default NETCORE_RETRIES_CLIENT.
 *
 * @param options  Copied. For NETCORE_RETRIES_OWN only; null for all defaults.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (as netcore_client_set_retries(), or not a netcore_retries
 *         value, or options without NETCORE_RETRIES_OWN). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_retries(netcore_request request,
                                                       netcore_retries retries,
                                                       const netcore_retry_options *options);

/**
 * Gets whose policy of retries a request follows, and its own one.
 *
 * @param out_retries  May be null.
 * @param out_options  As for netcore_client_get_retries().
 * @return As netcore_client_get_retries(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_retries(netcore_request request,
                                                       netcore_retries *out_retries,
                                                       netcore_retry_options *out_options);

/**
 * Sets whether to send a request twice does no more than to send it once, although its method does
 * not say so: 0, the default, or 1. A policy of retries may then send it again. A request with an
 * Idempotency-Key field does not need it. netcore_request_info has it.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_idempotent(netcore_request request,
                                                          int32_t idempotent);

/** Why a try was followed by another attempt, or was not. */
typedef int32_t netcore_retry_reason;
enum {
  /** Its answer or error is not one that is tried again. */
  NETCORE_RETRY_REASON_OUTCOME = 0,
  /** Another attempt followed. */
  NETCORE_RETRY_REASON_RETRIED = 1,
  /** The policy allows no more attempts. */
  NETCORE_RETRY_REASON_ATTEMPTS = 2,
  /** The origin's budget of retries is used up. */
  NETCORE_RETRY_REASON_BUDGET = 3,
  /** The wait would have ended after the total timeout. */
  NETCORE_RETRY_REASON_DEADLINE = 4,
  /** Retry-After asks for more than the policy waits, or than is left of the total timeout. */
  NETCORE_RETRY_REASON_RETRY_AFTER = 5,
  /** The request is not idempotent. */
  NETCORE_RETRY_REASON_NOT_IDEMPOTENT = 6,
  /** The request's body cannot be sent from its beginning again. */
  NETCORE_RETRY_REASON_BODY = 7,
  /** The application's function decided so. */
  NETCORE_RETRY_REASON_APPLICATION = 8,
  /** The task was canceled. */
  NETCORE_RETRY_REASON_CANCELED = 9,
  /** The breaker of the origin is open (netcore/breaker.h). */
  NETCORE_RETRY_REASON_BREAKER = 10,
  /** Another hop followed, by a redirect. */
  NETCORE_RETRY_REASON_REDIRECT = 11,
  /** Another attempt followed a 401, with other credentials. */
  NETCORE_RETRY_REASON_CHALLENGE = 12,
  /** An alternative service (netcore/client.h) could not be reached, or does not answer for the
   *  host: the host itself was asked. */
  NETCORE_RETRY_REASON_ALTERNATIVE = 13,
  /** The attempt ended with another try that was under way beside this one: its hedge, or the one
   *  that it is the hedge of (netcore/hedge.h). */
  NETCORE_RETRY_REASON_HEDGED = 14
};

/** One try of a task: one hop to the network, and what came of it. */
typedef struct netcore_try {
  /** In: sizeof(netcore_try). */
  uint32_t size;
  /** Why it was followed by another attempt, or was not. */
  netcore_retry_reason reason;
  /** NETCORE_OK for an answer, whatever its status code. */
  netcore_status status;
  /** The status code; 0 without an answer. */
  int32_t http_status;
  /** The wait before this try. */
  uint64_t delay_ms;
  /** What the answer asks to wait by Retry-After; -1 if it does not, or without a policy. */
  int64_t retry_after_ms;
  /** Scheme, host and port of the server. NUL-terminated. */
  netcore_bytes server;
  /** The address that the connection was made to (the proxy's, if there is one), such as
   *  "192.0.2.1"; empty if it is not known. NUL-terminated. */
  netcore_bytes address;
  /** The attempt that it belongs to, from 1 on. */
  uint32_t attempt;
  /** How often it was sent again on another connection without being another try, as if a kept
   *  connection was dead. */
  uint32_t resent_count;
  /** When it was handed to the transport, by CLOCK_MONOTONIC, and how long it took from then. */
  uint64_t start_us;
  uint64_t duration_us;
  /** 1 for a hedge: it was sent beside another try of its attempt (netcore/hedge.h). */
  int32_t is_hedge;
  /** Reserved, 0. */
  uint32_t reserved;
} netcore_try;

#define NETCORE_TRY_INIT NETCORE_INIT(netcore_try)

/**
 * Gets one of the tries of a task, whether it succeeded or failed, with or without a policy.
 * Hops after a redirect or a challenge are tries of the same attempt.
 *
 * @param index    0 for the first.
 * @param out_try  `size` set by the caller, the rest filled in. Texts are borrowed until the
 *                 response is released.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND (no more tries),
 *         NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_try(netcore_response response, uint32_t index,
                                                    netcore_try *out_try);

NETCORE_END_DECLS

#endif
