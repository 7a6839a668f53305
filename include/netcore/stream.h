/**
 * Streamed responses: the head of an answer first, then its body piece by piece, as fast as the
 * application reads it. Memory stays bounded, whatever the size of the body: the transfer is paused
 * when a window of the body waits to be read.
 *
 * There are two ways to read one. netcore_perform_streamed() and netcore_response_read() wait.
 * netcore_dispatch_streamed() does not: the task has events when the head has come and when the
 * body can be read on, by callback or completion as the client hands over all others. To pause, do
 * not read.
 *
 * A streamed response is a netcore_response whose body is read by netcore_response_read(). Status,
 * header fields, URL and redirects are known from the beginning, and read by the functions of
 * netcore/response.h; its body there is empty. How the task ended, with trailers, timings and
 * numbers of bytes, is read by netcore_response_get_ending().
 *
 * Redirects and challenges are answered before the head is there. After that nothing is sent again:
 * a connection that is lost ends the body with an error. Time in which the transfer is paused
 * counts for the total timeout only: not for the idle timeout, nor for a minimum rate. Limits on
 * the body hold as for any other. A client's cache answers streamed requests, and stores their
 * answers up to a size (netcore_cache_options.streamed_bytes).
 */
#ifndef NETCORE_STREAM_H
#define NETCORE_STREAM_H

#include "base.h"
#include "client.h"
#include "completion.h"
#include "error.h"
#include "response.h"
#include "task.h"

NETCORE_BEGIN_DECLS

/**
 * Sends a request and waits until the head of its answer is there.
 *
 * The time until then is bounded by the request's timeouts. The task runs until its body has come,
 * has failed, or has been canceled: netcore_response_cancel(), the last
 * netcore_response_release(), and the end of the client cancel it. In every completion mode; no
 * callback and no completion tells of it.
 *
 * @param window_bytes  Bytes of the decoded body that may wait to be read, from 1 to 2^30; 0 for
 *                      1 MiB. One piece of up to 64 KiB may wait besides, and up to 256 KiB in the
 *                      receive buffer.
 * @param out_response  Owned by the caller (release with netcore_response_release()). The last
 *                      release also cancels the task, if it has not ended. Also set if the task
 *                      failed before there was a head, for netcore_response_get_error(); 0 if no
 *                      task was made. One that failed is not a streamed response.
 * @return NETCORE_OK if there is a head, whatever its status code. NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT (the window, or null), NETCORE_ERR_INVALID_STATE (on a
 *         thread of the client's that must not wait), NETCORE_ERR_LIMIT_QUEUE_LENGTH,
 *         NETCORE_ERR_SHUT_DOWN, NETCORE_ERR_OUT_OF_MEMORY. Otherwise what the task ended with
 *         before there was a head: any status of netcore_dispatch()'s terminal callback. Since 0.1.
 */
NETCORE_API netcore_status netcore_perform_streamed(netcore_client client, netcore_request request,
                                                    uint64_t window_bytes,
                                                    netcore_response *out_response);

/**
 * The same, waiting at most for a given time, for applications that have to do something else now
 * and then, such as handle signals in their main thread.
 *
 * @param timeout_ms    The longest time to wait; 0 does not wait, UINT64_MAX waits for the head. It
 *                      ends the wait, not the task.
 * @param out_task      With NETCORE_ERR_IN_PROGRESS the task, for netcore_task_wait(), which then
 *                      waits for the head; else 0. Its handle ends as that of
 *                      netcore_perform_for().
 * @param out_response  As netcore_perform_streamed(); 0 with NETCORE_ERR_IN_PROGRESS.
 * @param out_info      May be null. Filled in as by netcore_response_get_info() if there is a
 *                      response; otherwise zeroed.
 * @return As netcore_perform_streamed(), or NETCORE_ERR_IN_PROGRESS, NETCORE_ERR_INVALID_STRUCT.
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_perform_streamed_for(
    netcore_client client, netcore_request request, uint64_t window_bytes, uint64_t timeout_ms,
    netcore_task *out_task, netcore_response *out_response, netcore_response_info *out_info);

/**
 * Sends a request whose answer is read without waiting. Returns at once. Up to three kinds of
 * events follow, as callbacks or, in queue mode, as completions:
 *
 * 1. NETCORE_COMPLETION_KIND_HEAD, once, when the head has come. Its response is a streamed one. In
 *    a callback, retain it: if nothing keeps it, the task is canceled. It may be read from now on,
 *    by netcore_response_read() with a timeout of 0.
 * 2. NETCORE_COMPLETION_KIND_READABLE, after each read that returned NETCORE_ERR_IN_PROGRESS, when
 *    more has come. netcore_response_wait(), netcore_response_read_line(),
 *    netcore_response_read_event() and netcore_response_read_events() count as reads.
 * 3. NETCORE_COMPLETION_KIND_TASK, the end of the task, once and last. All of the body has come
 *    then, or an error ended it: what waits can be read, and no read returns
 *    NETCORE_ERR_IN_PROGRESS. A task that fails before there is a head has only this one.
 *
 * Events go to the request's function (netcore_request_set_event_function()), the end to `done`.
 * The end does not come before the body fits the window, that is, while it is not read.
 *
 * @param window_bytes  As netcore_perform_streamed().
 * @param done          As netcore_dispatch(); null for none.
 * @param user_data     As netcore_dispatch(), for all events.
 * @param out_task      As netcore_dispatch().
 * @return As netcore_dispatch(). Since 0.1.
 */
NETCORE_API netcore_status netcore_dispatch_streamed(netcore_client client, netcore_request request,
                                                     uint64_t window_bytes, netcore_done_fn done,
                                                     void *user_data, netcore_task *out_task);

/**
 * Reads the next bytes of a streamed response's body, and waits until there are some. One call at a
 * time; reads of several threads come one after the other.
 *
 * @param buffer      Filled with the bytes, decoded.
 * @param capacity    At least 1. Small ones cost calls, not memory.
 * @param timeout_ms  How long to wait for the first byte; 0 does not wait.
 * @param out_size    The number of bytes. 0 with NETCORE_OK is the end of the body, also for each
 *                    call after it.
 * @return NETCORE_OK. NETCORE_ERR_IN_PROGRESS if nothing came in time; the body continues.
 *         NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, no capacity),
 *         NETCORE_ERR_INVALID_STATE (the response is not a streamed one, another call reads from it
 *         at this moment, or the thread must not wait). Otherwise, after the bytes that came, what
 *         the task ended with: NETCORE_ERR_TRUNCATED, NETCORE_ERR_CANCELED, a limit, a timeout; the
 *         same for each call after it. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_read(netcore_response response, void *buffer,
                                                 size_t capacity, uint64_t timeout_ms,
                                                 size_t *out_size);

/**
 * Waits until there is something to read of a streamed response's body, and gets how much: for
 * applications that make room for exactly that. One call at a time, as netcore_response_read().
 *
 * @param timeout_ms  How long to wait; 0 does not wait.
 * @param out_size    The number of bytes that netcore_response_read() returns without waiting. 0
 *                    with NETCORE_OK is the end of the body.
 * @return As netcore_response_read(); NETCORE_ERR_INVALID_ARGUMENT only for null. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_wait(netcore_response response, uint64_t timeout_ms,
                                                 size_t *out_size);

/**
 * Reads the next line of a streamed response's body, and waits until it has come to its end: LF, CR
 * or CRLF. One call at a time, in place of netcore_response_read(); an application that calls both
 * misses bytes.
 *
 * @param largest_bytes  The largest line; 0 for 16 MiB. The first call for a response decides.
 * @param timeout_ms     How long to wait; 0 does not wait.
 * @param out_line       The line without its end, as bytes with a NUL byte after them; borrowed
 *                       until this thread calls the function again. An empty line has a size of 0;
 *                       `data` is null only at the end of the body. The last line of a body needs
 *                       no end.
 * @return NETCORE_OK. NETCORE_ERR_IN_PROGRESS if no line was whole in time.
 *         NETCORE_ERR_LIMIT_BODY_BYTES if a line is larger than `largest_bytes`; the task is
 *         canceled, and no other line is read. Otherwise as netcore_response_read(). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_read_line(netcore_response response,
                                                      uint64_t largest_bytes, uint64_t timeout_ms,
                                                      netcore_bytes *out_line);

/**
 * Gets how the task of a streamed response ended, after its body was read to the end or to an
 * error: trailers, timings, numbers of bytes, the cache's part in it, the error.
 *
 * @param out_response  Owned by the caller (release with netcore_response_release()). It has no
 *                      body.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STATE (not a streamed response), NETCORE_ERR_IN_PROGRESS (the body
 *         was not read to its end), NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_ending(netcore_response response,
                                                       netcore_response *out_response);

/**
 * Gets state and progress of the task of a streamed response, also once it has ended. Bytes of the
 * body count as transferred, before decoding.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STATE (not a streamed response), NETCORE_ERR_INVALID_STRUCT. Since
 *         0.1.
 */
NETCORE_API netcore_status netcore_response_get_progress(netcore_response response,
                                                         netcore_task_info *out_info);

/**
 * Cancels the task of a streamed response: the body ends with NETCORE_ERR_CANCELED, for a call that
 * waits for it in another thread, too, and what was received and not read is dropped. Does nothing
 * if all of the body has been received.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (not a streamed
 *         response). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_cancel(netcore_response response);

NETCORE_END_DECLS

#endif
