/**
 * Event streams: the events of a streamed response whose media type is text/event-stream, as the
 * HTML standard says (section 9.2 "Server-sent events"), and as the services of language models
 * answer.
 *
 * The response comes from netcore_perform_streamed() (netcore/stream.h). Its body is read by
 * netcore_response_read_event() in place of netcore_response_read(); whoever calls both misses
 * bytes.
 */
#ifndef NETCORE_EVENT_STREAM_H
#define NETCORE_EVENT_STREAM_H

#include "base.h"
#include "response.h"

NETCORE_BEGIN_DECLS

/** One event. Texts are UTF-8 and NUL-terminated; bytes that are not UTF-8 became U+FFFD. */
typedef struct netcore_server_event {
  /** In: sizeof(netcore_server_event). */
  uint32_t size;
  /** Out: 1 for an event, 0 at the end of the stream, where all else is zero. */
  int32_t has_event;
  /** What its field "event" says; "message" without one. */
  netcore_bytes type;
  /** The lines of its fields "data", with line feeds between them. */
  netcore_bytes data;
  /** The value of the last field "id" so far, of this event or of one before; empty without one.
   *  A program that reconnects sends it as the header field Last-Event-ID. */
  netcore_bytes last_event_id;
  /** The value of the last field "retry" so far: how long to wait before another connection.
   *  UINT64_MAX without one. */
  uint64_t retry_ms;
} netcore_server_event;

#define NETCORE_SERVER_EVENT_INIT NETCORE_INIT(netcore_server_event)

/**
 * Reads the next event of a streamed response, and waits until there is one. One call at a time.
 *
 * Text after the last blank line of the body is not an event. Ids of more than 1,024 bytes are
 * ignored.
 *
 * @param largest_bytes  The largest event, as it comes; 0 for 16 MiB. The first call for a response
 *                       decides.
 * @param timeout_ms     How long to wait; 0 does not wait.
 * @param out_event      `size` set by the caller, the rest filled in. Texts are borrowed until this
 *                       thread calls the function again.
 * @return NETCORE_OK: an event, or the end of the stream (`has_event` is 0), also for each call
 *         after it. NETCORE_ERR_IN_PROGRESS if no event was whole in time. NETCORE_ERR_HTTP_STATUS
 *         if the status code is not 200 (netcore_error.native_code has it), NETCORE_ERR_PROTOCOL if
 *         the media type is not text/event-stream; the body can still be read by
 *         netcore_response_read(). NETCORE_ERR_LIMIT_BODY_BYTES if an event is larger than
 *         `largest_bytes`; the task is canceled, and no other event is read. Otherwise as
 *         netcore_response_read(), or NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_read_event(netcore_response response,
                                                       uint64_t largest_bytes, uint64_t timeout_ms,
                                                       netcore_server_event *out_event);

/**
 * Reads all events of a streamed response that have come, and waits until there is one: for
 * languages in which each call, and each member of a struct that is read, costs more than an event.
 * One call at a time, in place of netcore_response_read_event(); an application that calls both
 * misses no event.
 *
 * The events are one text, in which each has four fields: its type ("message" without one), its
 * data, the last id so far, and the last value of "retry" so far in milliseconds as decimal digits,
 * empty without one. Each field has a carriage return (U+000D) after it, which is in no field.
 *
 * @param largest_bytes  As netcore_response_read_event().
 * @param timeout_ms     How long to wait for the first event; 0 does not wait.
 * @param out_text       UTF-8 and NUL-terminated, about 64 KiB at most, or one larger event.
 *                       Borrowed until this thread calls the function again. `data` is null only
 *                       at the end of the stream.
 * @return As netcore_response_read_event(). An error comes after the events before it. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_read_events(netcore_response response,
                                                        uint64_t largest_bytes, uint64_t timeout_ms,
                                                        netcore_bytes *out_text);

NETCORE_END_DECLS

#endif
