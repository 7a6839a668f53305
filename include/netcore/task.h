/** Tasks: one dispatch of a request each. */
#ifndef NETCORE_TASK_H
#define NETCORE_TASK_H

#include "base.h"
#include "client.h"
#include "error.h"
#include "response.h"

NETCORE_BEGIN_DECLS

/** The state of a task. */
typedef int32_t netcore_task_state;
enum {
  NETCORE_TASK_NONE = 0,    /**< no task: the value given on failure */
  NETCORE_TASK_CREATED = 1, /**< not yet dispatched */
  NETCORE_TASK_QUEUED = 2,  /**< dispatched, waiting for its turn */
  NETCORE_TASK_RUNNING = 3, /**< transferring */
  NETCORE_TASK_FINISHED = 4 /**< ended; its terminal callback is due or running */
};

/** Progress of a task. Counts begin anew with each hop of a redirect. */
typedef struct netcore_task_info {
  /** In: sizeof(netcore_task_info). */
  uint32_t size;
  netcore_task_state state;
  /** Bytes of the body received so far, as transferred. */
  uint64_t received_bytes;
  /** Bytes of the body expected (Content-Length), or UINT64_MAX when not known. */
  uint64_t expected_bytes;
  /** Bytes of the request's body sent so far. */
  uint64_t sent_bytes;
  /** Bytes of the request's body in all, or UINT64_MAX when not known. */
  uint64_t to_send_bytes;
} netcore_task_info;

/**
 * Dispatches a request: the task is queued, and ends with one terminal callback or completion. The request is snapshot;
 * it may be changed or destroyed at once.
 *
 * @param done      The terminal callback; null for none. In queue mode it must be null: the completion is taken with
 *                  netcore_client_wait().
 * @param user_data Borrowed until the terminal callback has returned; may be null.
 * @param out_task  The task, known before any callback for it can run; may be null. The handle is valid once the call has
 *                  succeeded, and ends by itself, when the terminal callback has returned or the completion was taken.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a callback in queue mode),
 *         NETCORE_ERR_LIMIT_QUEUE_LENGTH, NETCORE_ERR_SHUT_DOWN, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_dispatch(netcore_client client, netcore_request request, netcore_done_fn done,
                                            void *user_data, netcore_task *out_task);

/**
 * Dispatches `count` requests at once, for the price of one submission: all of them, or, on failure, none.
 *
 * @param requests   An array of `count` requests; one may stand in it several times.
 * @param count      At most 16,777,216; 0 does nothing.
 * @param user_data  An array of `count` pointers, one for each task; null for all null.
 * @param out_tasks  An array of `count` tasks, filled in before any callback can run; may be null.
 * @return As netcore_dispatch(). Since 0.1.
 */
NETCORE_API netcore_status netcore_dispatch_many(netcore_client client, const netcore_request *requests, size_t count,
                                                 netcore_done_fn done, void *const *user_data, netcore_task *out_tasks);

/**
 * Sends a request and waits for its end. Blocks. Works in each mode and involves no callback. May be called inside a
 * callback, which it then holds up. On a thread that the client waits for (netcore/log.h) it answers
 * NETCORE_ERR_INVALID_STATE.
 *
 * @param out_response  Owned by the caller; release with netcore_response_release(). Set also when the task failed, so
 *                      that netcore_response_get_error() can say more; 0 when no task was made (arguments, state).
 * @return How the task ended: NETCORE_OK, or any status of groups 300 to 1100; or as netcore_dispatch(). Since 0.1.
 */
NETCORE_API netcore_status netcore_perform(netcore_client client, netcore_request request,
                                           netcore_response *out_response);

/**
 * As netcore_perform(), but waits for a while only: for hosts that have to look after something else now and then, such
 * as the signals of their main thread. One call does all where the answer comes in time.
 *
 * @param timeout_ms    How long to wait; 0 does not wait, UINT64_MAX waits to the end. It ends the wait, not the task.
 * @param out_task      With NETCORE_ERR_IN_PROGRESS the task, to be waited for by netcore_task_wait(); else 0.
 * @param out_response  As netcore_perform(); 0 with NETCORE_ERR_IN_PROGRESS.
 * @param out_info      May be null. Filled in as by netcore_response_get_info() where there is a response; otherwise
 *                      zeroed, as it is on failure.
 * @return As netcore_perform(), or NETCORE_ERR_IN_PROGRESS, NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_perform_for(netcore_client client, netcore_request request, uint64_t timeout_ms,
                                               netcore_task *out_task, netcore_response *out_response,
                                               netcore_response_info *out_info);

/**
 * Waits for the end of a task that netcore_perform_for() left in progress. Several threads may wait for one task; each
 * gets the response, under a handle of its own. The task's handle ends when a wait returns the response, or when its
 * client is destroyed: a wait that is under way then returns NETCORE_ERR_CANCELED. A task that nobody waits for is kept
 * until then.
 *
 * @return As netcore_perform_for(); NETCORE_ERR_INVALID_HANDLE when it has ended, NETCORE_ERR_INVALID_STATE for a task
 *         that was made by another call. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_wait(netcore_task task, uint64_t timeout_ms, netcore_response *out_response,
                                             netcore_response_info *out_info);

/**
 * Creates a task without dispatching it. It ends when it was dispatched and is done, when it is canceled, or when its
 * client is destroyed; its terminal callback runs in each case. Parameters and answers as netcore_dispatch(), but that
 * the queue's limit is not judged. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_create(netcore_client client, netcore_request request, netcore_done_fn done,
                                               void *user_data, netcore_task *out_task);

/**
 * Dispatches a task made by netcore_task_create().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (dispatched already, or member of a group,
 *         which dispatches its members itself), NETCORE_ERR_LIMIT_QUEUE_LENGTH (the task stays as it was),
 *         NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_dispatch(netcore_task task);

/**
 * Cancels a task. NETCORE_OK is a promise: the task ends with NETCORE_ERR_CANCELED, even if an answer is on its way.
 * The terminal callback runs soon after, never inside this call. A second call, before the callback, is NETCORE_OK.
 *
 * @return NETCORE_OK, or NETCORE_ERR_INVALID_HANDLE when it has ended or never was. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_cancel(netcore_task task);

/**
 * Gets state and progress of a task.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE (its terminal callback has returned, or its completion was taken),
 *         NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_get_info(netcore_task task, netcore_task_info *out_info);

/**
 * Says that a task of the host's own making (netcore_group_add_host_task()) has ended. Its terminal callback follows.
 *
 * @param status  How it ended: NETCORE_OK or any NETCORE_ERR_. After a cancel, NETCORE_ERR_CANCELED is reported
 *                whatever is given.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE (ended already), NETCORE_ERR_INVALID_ARGUMENT (an unknown status),
 *         NETCORE_ERR_INVALID_STATE (not a host task, or its group is not dispatched). Since 0.1.
 */
NETCORE_API netcore_status netcore_task_complete(netcore_task task, netcore_status status);

NETCORE_END_DECLS

#endif
