/** Tasks: each is one dispatch of a request. */
#ifndef NETCORE_TASK_H
#define NETCORE_TASK_H

#include "base.h"
#include "client.h"
#include "completion.h"
#include "error.h"
#include "response.h"
#include "transfer.h"

NETCORE_BEGIN_DECLS

/** The state of a task. */
typedef int32_t netcore_task_state;
enum {
  NETCORE_TASK_STATE_NONE = 0,    /**< no task: the value on failure */
  NETCORE_TASK_STATE_CREATED = 1, /**< not yet dispatched */
  NETCORE_TASK_STATE_QUEUED = 2,  /**< dispatched, waiting for its turn */
  NETCORE_TASK_STATE_RUNNING = 3, /**< transferring */
  NETCORE_TASK_STATE_FINISHED = 4 /**< ended; its terminal callback is due or running */
};

/** The state and progress of a task. Counts start again with each hop of a redirect. */
typedef struct netcore_task_info {
  /** In: sizeof(netcore_task_info). */
  uint32_t size;
  netcore_task_state state;
  /** Bytes of the body received so far, as transferred. */
  uint64_t received_bytes;
  /** Bytes of the body expected (Content-Length), or UINT64_MAX if unknown. */
  uint64_t expected_bytes;
  /** Bytes of the request's body sent so far. */
  uint64_t sent_bytes;
  /** Bytes of the request's body in total, or UINT64_MAX if unknown. */
  uint64_t to_send_bytes;
  /** As netcore_request_set_priority() or netcore_task_set_priority() set it last. */
  netcore_priority priority;
  /** Reserved, 0. */
  int32_t reserved;
} netcore_task_info;

#define NETCORE_TASK_INFO_INIT NETCORE_INIT(netcore_task_info)

/**
 * Dispatches a request: creates a task and queues it. The task ends with one terminal callback or
 * completion. The request is snapshot; it may be changed or destroyed at once.
 *
 * @param done       The terminal callback; null for none. Null in queue mode: the completion is
 *                   taken with netcore_client_wait().
 * @param user_data  Borrowed until the terminal callback has returned; may be null.
 * @param out_task   The task, set before any callback for it can run; may be null. The handle is
 *                   valid once the call has succeeded, and ends when the terminal callback has
 *                   returned or the completion was taken.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a callback in queue
 *         mode), NETCORE_ERR_LIMIT_QUEUE_LENGTH, NETCORE_ERR_SHUT_DOWN, NETCORE_ERR_OUT_OF_MEMORY.
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_dispatch(netcore_client client, netcore_request request,
                                            netcore_done_fn done, void *user_data,
                                            netcore_task *out_task);

/** What is called at the end of a task, in any combination. */
typedef struct netcore_callbacks {
  /** In: sizeof(netcore_callbacks). */
  uint32_t size;
  /** 1: none of them is called for a task that the application canceled, by its id, tag or group.
   *  Default 0. */
  int32_t silent_cancel;
  /** Is called if the task succeeded; null for none. */
  netcore_done_fn success;
  /** Is called if it failed or was canceled; null for none. */
  netcore_done_fn failure;
  /** Is called after either; null for none. */
  netcore_done_fn finished;
  /** netcore_completion.user_data of each. Must stay valid until `release(user_data)` is called. */
  void *user_data;
  /** Is called once, when none of them will be called any more; null for none. */
  netcore_release_fn release;
} netcore_callbacks;

#define NETCORE_CALLBACKS_INIT NETCORE_INIT(netcore_callbacks)

/**
 * Dispatches a request whose end several callbacks are notified of. They run where the terminal
 * callback of netcore_dispatch() does, one after the other.
 *
 * @param callbacks  Copied.
 * @param out_task   As netcore_dispatch().
 * @return As netcore_dispatch(), and NETCORE_ERR_INVALID_STRUCT; NETCORE_ERR_INVALID_ARGUMENT also
 *         for null and for a client in queue mode. If the call fails, `release` is not called.
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_dispatch_callbacks(netcore_client client,
                                                      netcore_request request,
                                                      const netcore_callbacks *callbacks,
                                                      netcore_task *out_task);

/**
 * Dispatches `count` requests with one submission: all of them or, on failure, none.
 *
 * @param requests   An array of `count` requests; one may appear several times.
 * @param count      At most 16,777,216; 0 does nothing.
 * @param user_data  An array of `count` pointers, one for each task; null if all are null.
 * @param out_tasks  An array of `count` tasks, filled in before any callback can run; may be null.
 * @return As netcore_dispatch(). Since 0.1.
 */
NETCORE_API netcore_status netcore_dispatch_many(netcore_client client,
                                                 const netcore_request *requests, size_t count,
                                                 netcore_done_fn done, void *const *user_data,
                                                 netcore_task *out_tasks);

/**
 * Sends a request and waits for its end. Blocks. Works in each completion mode and runs no
 * callback. May be called inside a callback, which it delays. Returns NETCORE_ERR_INVALID_STATE on
 * a thread that the client waits for (netcore/log.h).
 *
 * Unless another thread does, the calling thread drives the client's loop while it waits: it moves
 * the bytes of all the client's requests, and may run the log function and a cache's functions
 * (docs/threading.md). Signal handlers run as in any call that waits.
 *
 * @param out_response  Owned by the caller; release with netcore_response_release(). Also set if
 *                      the task failed, so that netcore_response_get_error() can tell more; 0 if no
 *                      task was made (arguments, state).
 * @return How the task ended: NETCORE_OK, or any status of groups 300 and above; or as
 *         netcore_dispatch(). Since 0.1.
 */
NETCORE_API netcore_status netcore_perform(netcore_client client, netcore_request request,
                                           netcore_response *out_response);

/**
 * Sends a request and waits at most for a given time, for applications that have to do something
 * else now and then, such as handle signals in their main thread.
 *
 * @param timeout_ms    The longest time to wait; 0 does not wait, UINT64_MAX waits for the end. It
 *                      ends the wait, not the task.
 * @param out_task      With NETCORE_ERR_IN_PROGRESS the task, for netcore_task_wait(); else 0.
 * @param out_response  As netcore_perform(); 0 with NETCORE_ERR_IN_PROGRESS.
 * @param out_info      May be null. Filled in as by netcore_response_get_info() if there is a
 *                      response; otherwise zeroed.
 * @return As netcore_perform(), or NETCORE_ERR_IN_PROGRESS, NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_perform_for(netcore_client client, netcore_request request,
                                               uint64_t timeout_ms, netcore_task *out_task,
                                               netcore_response *out_response,
                                               netcore_response_info *out_info);

/**
 * Waits for the end of a task that netcore_perform_for() left in progress, or for the head of one
 * that netcore_perform_streamed_for() did (netcore/stream.h); of the latter one wait gets the
 * response. Several threads may wait
 * for one task; each gets the response, under a handle of its own. The task's handle ends when a
 * wait returns the response, or when its client is destroyed; a wait then returns
 * NETCORE_ERR_CANCELED. A task that no thread waits for is kept until then.
 *
 * @return As netcore_perform_for(); NETCORE_ERR_INVALID_HANDLE if the task's handle has ended,
 *         NETCORE_ERR_INVALID_STATE for a task that was made by another call. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_wait(netcore_task task, uint64_t timeout_ms,
                                             netcore_response *out_response,
                                             netcore_response_info *out_info);

/**
 * Creates a task without dispatching it. It ends when it was dispatched and is done, when it is
 * canceled, or when its client is destroyed; its terminal callback runs in each case. The queue's
 * limit does not apply. Parameters as netcore_dispatch().
 *
 * @return As netcore_dispatch(). Since 0.1.
 */
NETCORE_API netcore_status netcore_task_create(netcore_client client, netcore_request request,
                                               netcore_done_fn done, void *user_data,
                                               netcore_task *out_task);

/**
 * Dispatches a task made by netcore_task_create().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (dispatched already, or
 *         member of a group, which dispatches its members itself), NETCORE_ERR_LIMIT_QUEUE_LENGTH
 *         (the task stays as it was), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_dispatch(netcore_task task);

/**
 * Cancels a task. NETCORE_OK is a promise: the task ends with NETCORE_ERR_CANCELED, even if an
 * answer is on its way. The terminal callback runs soon after, never inside this call. A second
 * call before the callback returns NETCORE_OK.
 *
 * @return NETCORE_OK, or NETCORE_ERR_INVALID_HANDLE if it has ended or never was. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_cancel(netcore_task task);

/**
 * Changes the priority of a task (netcore_request_set_priority()), also after its dispatch. A task
 * that waits takes its place among those of the new priority, as if it had waited there from the
 * beginning. A transfer that is under way is not changed; redirects and attempts that follow wait
 * with the new priority. A shared transfer (NETCORE_DUPLICATES_JOIN) has the highest priority of
 * the tasks that wait for it. An application task has a priority that changes nothing.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE (it has ended, or never was),
 *         NETCORE_ERR_INVALID_ARGUMENT (not a netcore_priority value). Since 0.1.
 */
NETCORE_API netcore_status netcore_task_set_priority(netcore_task task, netcore_priority priority);

/**
 * Gets state and progress of a task.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE (its terminal callback has returned, or its
 *         completion was taken), NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_INVALID_STRUCT.
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_task_get_info(netcore_task task, netcore_task_info *out_info);

/**
 * Ends an application task (netcore_group_add_application_task()). Its terminal callback follows.
 *
 * @param status  How it ended: NETCORE_OK or any NETCORE_ERR_ or application status. After a
 *                cancel, NETCORE_ERR_CANCELED is reported whatever is given.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE (ended already), NETCORE_ERR_INVALID_ARGUMENT (not
 *         a status), NETCORE_ERR_INVALID_STATE (not an application task, or its group has not
 *         started it). Since 0.1.
 */
NETCORE_API netcore_status netcore_task_complete(netcore_task task, netcore_status status);

/**
 * Sends a request as the work of an application task, in place of netcore_task_complete(): the task
 * ends as the request does, with its response. Canceling the task cancels the request. Its task
 * scope, event function and progress reports are not used.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE (also: ended already, or has sent a request),
 *         NETCORE_ERR_INVALID_STATE (not an application task, or its group has not started it), or
 *         as netcore_dispatch(). Since 0.1.
 */
NETCORE_API netcore_status netcore_task_send(netcore_task task, netcore_request request);

NETCORE_END_DECLS

#endif
