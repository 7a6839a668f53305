/**
 * Observers: what happens to the tasks of a client, as one stream of events of a fixed size, for
 * logs, metrics and traces.
 *
 * An observer is either a function or a ring that the application reads, many events in a call. A
 * client may have several; each gets all events from its creation on. Without an observer an event
 * costs a comparison.
 *
 * The events of a task come in the order in which they happened: NETCORE_EVENT_QUEUED first,
 * NETCORE_EVENT_DONE last, and NETCORE_EVENT_RETURNED after the callback of a task that has one;
 * `time_ns` is never earlier than that of the event before. The events of different tasks are mixed
 * in the order in which the client noticed them. NETCORE_EVENT_DONE is in the ring before the
 * task's callback runs, or before the call that waits for the task returns.
 *
 * An observer is of a client, or of one request (netcore_request_add_observer()). Events of no task
 * say what happened to the client as a whole: the network, its cache.
 */
#ifndef NETCORE_OBSERVER_H
#define NETCORE_OBSERVER_H

#include "base.h"
#include "response.h"

NETCORE_BEGIN_DECLS

/** What happened. Programs must ignore values that they do not know. */
typedef int32_t netcore_event_kind;
enum {
  /** The task was dispatched. */
  NETCORE_EVENT_QUEUED = 1,
  /** The task left the queue: its first transfer begins, or it waits for that of another task.
   *  `value`: nanoseconds in the queue. */
  NETCORE_EVENT_DISPATCHED = 2,
  /** The cache decided about a hop. `value`: a netcore_cache_result, one that is from the cache if
   *  what is stored answers, else why the hop is sent. */
  NETCORE_EVENT_CACHE = 3,
  /** The task waits for the answer to an equal request. `value`: the number of the task for whom
   *  that is sent, 0 if the cache let it wait. The events of the transfer are those of the first
   *  task that still waits for it. */
  NETCORE_EVENT_JOINED = 4,
  /** The task waits before a hop. `value`: a netcore_wait. */
  NETCORE_EVENT_WAIT_BEGAN = 5,
  /** The wait is over, or the task ends during it. `value`: a netcore_wait, `detail`: nanoseconds
   *  that it took. */
  NETCORE_EVENT_WAIT_ENDED = 6,
  /** A hop is handed to the transport. `value`: bytes of the request's body, UINT64_MAX if not
   *  known. */
  NETCORE_EVENT_HOP_BEGAN = 10,
  /** The name was resolved, the connection made, the TLS handshake done; only for a new connection,
   *  and reported after all three. If the connection fails, those that were done before are
   *  reported. `value`: nanoseconds that it took. */
  NETCORE_EVENT_RESOLVED = 11,
  NETCORE_EVENT_CONNECTED = 12,
  NETCORE_EVENT_SECURED = 13,
  /** The request was handed to the connection, with its body. `value`: bytes of the body. */
  NETCORE_EVENT_SENT = 14,
  /** The first byte of an answer came. */
  NETCORE_EVENT_FIRST_BYTE = 15,
  /** The hop ended. `status` or `error` say how; `value`: bytes received, `detail`: bytes sent.
   *  `peer_address`, `peer_port` and `http_version` say what it was sent by. */
  NETCORE_EVENT_HOP_ENDED = 16,
  /** Another hop follows a redirect. `value`: how many redirects the task has followed. */
  NETCORE_EVENT_REDIRECT = 20,
  /** Another attempt follows a 401, with other credentials. `value`: how many did for this task. */
  NETCORE_EVENT_AUTH = 21,
  /** Another attempt follows, by the policy of retries. `status` or `error`: why. `value`:
   *  nanoseconds until then, `detail`: nanoseconds that Retry-After asked for. */
  NETCORE_EVENT_RETRY = 22,
  /** The breaker of the origin refused the task. `value`: nanoseconds until it lets one through. */
  NETCORE_EVENT_BREAKER = 23,
  /** Another service was selected by failover, after a try of this task. */
  NETCORE_EVENT_FAILOVER = 24,
  /** The network became reachable or not; belongs to no task. `value`: a netcore_reachability. */
  NETCORE_EVENT_REACHABILITY = 25,
  /** A hedge is sent (netcore/hedge.h). `status` or `error`: the failure that it follows, if it
   *  follows one. `value`: nanoseconds since the first try began. */
  NETCORE_EVENT_HEDGE = 26,
  /** The breaker of the hop's origin changed its state, by what came of this task's hop, or since
   *  the hop is its probe. `value`: a netcore_breaker_state, `detail`: nanoseconds until it lets
   *  the next probe through; netcore_client_list_breakers() has more. */
  NETCORE_EVENT_BREAKER_STATE = 27,
  /** The task ended. `status` or `error` say how; `value`: nanoseconds since it was dispatched,
   *  `detail`: bytes received. */
  NETCORE_EVENT_DONE = 30,
  /** The terminal callback of the task has returned, or was dropped. Only for a task with a
   *  callback, after NETCORE_EVENT_DONE. In queue mode for each task whose completion
   *  netcore_client_wait() handed out: at its next call, which says that this is handled, or when
   *  the client is destroyed. */
  NETCORE_EVENT_RETURNED = 31,
  /** Something happened to the disk level of the client's cache; belongs to no task. `value`: a
   *  netcore_cache_event_kind. */
  NETCORE_EVENT_STORAGE = 40
};

/** What a task waits for. Later versions may have more values. */
typedef int32_t netcore_wait;
enum {
  NETCORE_WAIT_SLOT = 1,    /**< a limit on transfers of the client or of a host */
  NETCORE_WAIT_RATE = 2,    /**< a rate (netcore/admission.h) */
  NETCORE_WAIT_NETWORK = 3, /**< the network (netcore/reachability.h) */
  NETCORE_WAIT_INTERVAL = 4 /**< the minimum interval between equal requests */
};

/** One event. */
typedef struct netcore_client_event {
  /** sizeof(netcore_client_event), as the library knows it, or as the caller of
   *  netcore_observer_read() does. */
  uint32_t size;
  netcore_event_kind kind;
  /** CLOCK_MONOTONIC, in nanoseconds. */
  uint64_t time_ns;
  /** Of the task: unique in its client, from 1 on; 0 for an event of no task. */
  uint64_t number;
  /** The id of the task; 0 for one without: that of a call that waits for its end. */
  netcore_task task;
  /** The attempt, from 1 on, and the hop in it; 0 before the first. */
  uint32_t attempt;
  uint32_t hop;
  /** The HTTP status code; 0 without an answer. */
  int32_t status;
  /** NETCORE_OK, or why the hop or task failed. */
  netcore_status error;
  /** Depend on the kind; else 0. */
  uint64_t value;
  uint64_t detail;
  /** Of NETCORE_EVENT_HOP_ENDED: the address to which the connection went, that of a proxy if one
   *  was used. An IPv6 address, or an IPv4 address mapped into one (RFC 4291 section 2.5.5.2), in
   *  network byte order; zero if it is not known, or without a connection. */
  uint8_t peer_address[16];
  /** Its port; 0 if it is not known. */
  uint32_t peer_port;
  /** Of NETCORE_EVENT_HOP_ENDED: that of the answer; 0 without one. */
  netcore_http_version http_version;
} netcore_client_event;

/**
 * Is called with one event of a client, which is borrowed until the function returns. Runs on the
 * thread `netcore-observe` of the client, one call at a time for all its observers. It may call any
 * function. One that is slow loses events: see netcore_client_add_observer().
 */
typedef void (*netcore_observer_fn)(const netcore_client_event *event, void *user_data);

/**
 * Adds a function that is called with each event of a client from now on. Up to 4,096 events wait
 * for it; when more do, the oldest are dropped.
 *
 * netcore_client_destroy() waits until the function was called with the last event, except inside a
 * callback.
 *
 * @param user_data     Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release       May be null.
 * @param out_observer  Owned by the caller (release with netcore_observer_destroy()).
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (`fn` or
 *         `out_observer` is null), NETCORE_ERR_SHUT_DOWN (the client has ended),
 *         NETCORE_ERR_OUT_OF_MEMORY (no thread can be started, or too many handles). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_add_observer(netcore_client client,
                                                       netcore_observer_fn fn, void *user_data,
                                                       netcore_release_fn release,
                                                       netcore_observer *out_observer);

/**
 * Adds a function that is called with each event of the tasks of a request, whichever client sends
 * it: as netcore_client_add_observer(), but for these tasks only, and no event is dropped. Copies
 * of the request have it, too.
 *
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_observer(netcore_request request,
                                                        netcore_observer_fn fn, void *user_data,
                                                        netcore_release_fn release);

/**
 * Creates a ring that has each event of a client from now on, until netcore_observer_read() takes
 * it. A full ring drops its oldest event for a new one.
 *
 * @param capacity      Events: 1 to 1,048,576, of 88 bytes each, allocated as they come; 0 for
 *                      4,096.
 * @param out_observer  Owned by the caller (release with netcore_observer_destroy()). It may be
 *                      read after the end of the client.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (`capacity` out of
 *         range, or null), NETCORE_ERR_SHUT_DOWN (the client has ended),
 *         NETCORE_ERR_OUT_OF_MEMORY (too many handles or descriptors). Since 0.1.
 */
NETCORE_API netcore_status netcore_observer_create(netcore_client client, uint32_t capacity,
                                                   netcore_observer *out_observer);

/**
 * Takes events out of a ring, the oldest first. Does not wait. Any thread may call it; an event
 * goes to one call.
 *
 * @param events             Room for `capacity` events.
 * @param capacity           1 to 65,536.
 * @param event_size_bytes   sizeof(netcore_client_event).
 * @param out_count          How many were taken; 0 if there are none.
 * @param out_dropped_count  How many were dropped since the call before. May be null; it then
 *                           counts on.
 * @return NETCORE_OK, NETCORE_ERR_SHUT_DOWN (the client has ended and all events were taken),
 *         NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (the observer has a function),
 *         NETCORE_ERR_INVALID_ARGUMENT (null, or a `capacity` out of range),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_observer_read(netcore_observer observer,
                                                 netcore_client_event *events, uint32_t capacity,
                                                 size_t event_size_bytes, uint32_t *out_count,
                                                 uint64_t *out_dropped_count);

/**
 * Gets a descriptor that is readable while netcore_observer_read() has events, and from the end of
 * the client on. Watch it, and neither read nor close it. It is closed by
 * netcore_observer_destroy(): stop watching it before that.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (the observer has a
 *         function), NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_observer_get_descriptor(netcore_observer observer,
                                                           int32_t *out_descriptor);

/**
 * Ends an observer. A function may still be running when the call returns; `release` is called when
 * it will not be called again.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_observer_destroy(netcore_observer observer);

NETCORE_END_DECLS

#endif
