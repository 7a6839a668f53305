/**
 * Sources of events: the events of a server that sends them for as long as somebody listens, over
 * as many connections as that takes, as the HTML standard says (section 9.2 "Server-sent events").
 *
 * A source connects when an event is first read. When a connection ends, or fails in a way that may
 * pass, it waits for as long as the server said last, and connects again, with the id of the last
 * event in the header field Last-Event-ID. It does nothing while no event is read, so that a slow
 * application slows the server down.
 *
 * It ends when the server answers 204, when an answer is no event stream, after an error that would
 * come again, such as a certificate that is not trusted, and by netcore_event_source_cancel(). For
 * events of a single answer, without another connection, see netcore/event_stream.h.
 */
#ifndef NETCORE_EVENT_SOURCE_H
#define NETCORE_EVENT_SOURCE_H

#include "base.h"
#include "client.h"
#include "error.h"
#include "event_stream.h"
#include "request.h"

NETCORE_BEGIN_DECLS

/** What a source does at the moment. */
typedef int32_t netcore_event_source_state;
enum {
  NETCORE_EVENT_SOURCE_STATE_CONNECTING = 0, /**< no event was read yet, or it connects again */
  NETCORE_EVENT_SOURCE_STATE_OPEN = 1,       /**< events come */
  NETCORE_EVENT_SOURCE_STATE_WAITING = 2,    /**< it waits, and then connects again */
  NETCORE_EVENT_SOURCE_STATE_CLOSED = 3      /**< it has ended */
};

/** How a source connects again. */
typedef struct netcore_event_source_options {
  /** sizeof(netcore_event_source_options). */
  uint32_t size;
  /** 0. */
  uint32_t reserved;
  /** How long to wait before another connection, until the server says so by the field "retry"; 0
   *  for 3 s. */
  uint64_t retry_ms;
  /** The longest wait before another connection, whatever the server says; 0 for 60 s. The shortest
   *  is 10 ms. After connections that failed in a row the wait grows up to this. */
  uint64_t longest_retry_ms;
  /** The largest event, as it comes; 0 for 16 MiB. */
  uint64_t largest_event_bytes;
  /** What the first connection asks to go on after; null for nothing. Copied. */
  const char *last_event_id;
} netcore_event_source_options;

#define NETCORE_EVENT_SOURCE_OPTIONS_INIT NETCORE_INIT(netcore_event_source_options)

/** What is known of a source. */
typedef struct netcore_event_source_info {
  /** In: sizeof(netcore_event_source_info). */
  uint32_t size;
  netcore_event_source_state state;
  /** The id of the last event that was read; what the next connection sends. Borrowed until this
   *  thread calls netcore_event_source_get_info() again. */
  netcore_bytes last_event_id;
  /** How long it waits before another connection. */
  uint64_t retry_ms;
  /** How many times it has connected, or tried to. */
  uint64_t connections;
} netcore_event_source_info;

#define NETCORE_EVENT_SOURCE_INFO_INIT NETCORE_INIT(netcore_event_source_info)

/**
 * Makes a source of events. Nothing is sent before an event is read.
 *
 * @param client      When it is destroyed, the source ends with NETCORE_ERR_SHUT_DOWN or
 *                    NETCORE_ERR_CANCELED.
 * @param request     Copied. Of any method; it is sent with each connection, with its body: one
 *                    that cannot be read again ends the source with NETCORE_ERR_BODY_REWIND. Its
 *                    timeouts are those of one connection; an idle timeout finds a connection that
 *                    is dead unnoticed. Accept is text/event-stream and Cache-Control no-cache,
 *                    unless the request sets them. No cache takes part.
 * @param options     Null for the defaults.
 * @param out_source  Owned by the caller (release with netcore_event_source_destroy()).
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_event_source_create(netcore_client client,
                                                       netcore_request request,
                                                       const netcore_event_source_options *options,
                                                       netcore_event_source *out_source);

/**
 * Reads the next event, and waits until there is one; connects where that is necessary. One call at
 * a time.
 *
 * @param timeout_ms  How long to wait; 0 does not wait. The source goes on where it was.
 * @param out_event   As netcore_response_read_event(). `has_event` is 0 after an answer with status
 *                    204, also for each call after it.
 * @return NETCORE_OK. NETCORE_ERR_IN_PROGRESS if no event was whole in time.
 *         NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_INVALID_STATE (another call reads from it, or the
 *         thread must not wait). Otherwise what ended the source, the same for each call after it:
 *         NETCORE_ERR_HTTP_STATUS for another status than 200 and 204 (netcore_error.native_code
 *         has it), NETCORE_ERR_PROTOCOL for another media type than text/event-stream,
 *         NETCORE_ERR_LIMIT_BODY_BYTES for an event that is too large, NETCORE_ERR_CANCELED,
 *         NETCORE_ERR_SHUT_DOWN, or an error of netcore_perform() that is not retryable
 *         (netcore_error.is_retryable). Since 0.1.
 */
NETCORE_API netcore_status netcore_event_source_read(netcore_event_source source,
                                                     uint64_t timeout_ms,
                                                     netcore_server_event *out_event);

/**
 * Gets a descriptor for an event loop of the application's: it is readable when
 * netcore_event_source_read() with a timeout of 0 may have something, or has to go on with
 * connecting. Watch it, never read or close it. It is closed with the source, some time after
 * netcore_event_source_destroy(): stop watching it before that.
 *
 * @param out_descriptor  Borrowed; the same for each call.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_OUT_OF_MEMORY (no more descriptors). Since 0.1.
 */
NETCORE_API netcore_status netcore_event_source_get_descriptor(netcore_event_source source,
                                                               int32_t *out_descriptor);

/**
 * Gets what is known of a source.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_event_source_get_info(netcore_event_source source,
                                                         netcore_event_source_info *out_info);

/**
 * Ends a source: its connection is closed, and a call that waits for an event in another thread
 * returns NETCORE_ERR_CANCELED. A source that has ended stays as it is.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_event_source_cancel(netcore_event_source source);

/**
 * Cancels a source and releases it. The handle is invalid from then on.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_event_source_destroy(netcore_event_source source);

NETCORE_END_DECLS

#endif
