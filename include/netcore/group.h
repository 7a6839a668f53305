/**
 * Groups: a set of tasks with one notification. The notification runs after the terminal callback
 * of every member has returned, also if all were canceled, and for an empty group. A group ends by
 * itself: its handle is valid until the notification has returned (or the completion was taken).
 */
#ifndef NETCORE_GROUP_H
#define NETCORE_GROUP_H

#include "base.h"
#include "client.h"
#include "completion.h"
#include "error.h"
#include "task.h"

NETCORE_BEGIN_DECLS

/**
 * How many members of a group have ended. A member counts as ended once its terminal callback (in
 * queue mode: its completion) is due. `total` = `succeeded` + `failed` + `canceled` + those not yet
 * ended.
 */
typedef struct netcore_group_info {
  /** In: sizeof(netcore_group_info). */
  uint32_t size;
  uint32_t total;
  uint32_t succeeded;
  /** Ended with a status other than NETCORE_OK and NETCORE_ERR_CANCELED. HTTP status codes do not
   *  matter. */
  uint32_t failed;
  uint32_t canceled;
  /** 1 once the group was dispatched, else 0. */
  int32_t is_dispatched;
} netcore_group_info;

#define NETCORE_GROUP_INFO_INIT NETCORE_INIT(netcore_group_info)

/** Starts or cancels an application task. Runs where the client's callbacks run. */
typedef void (*netcore_task_fn)(netcore_task task, void *user_data);

/**
 * Creates an empty group. It ends by netcore_group_dispatch() or netcore_group_cancel(), or with
 * its client.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_SHUT_DOWN, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_group_create(netcore_client client, netcore_group *out_group);

/**
 * Adds a request to a group: a task is created, which the group will dispatch. Parameters as
 * netcore_task_create().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a callback in queue
 *         mode), NETCORE_ERR_INVALID_STATE (dispatched or canceled already), NETCORE_ERR_SHUT_DOWN.
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_group_add(netcore_group group, netcore_request request,
                                             netcore_done_fn done, void *user_data,
                                             netcore_task *out_task);

/**
 * Adds an application task: work of any kind, done by the application, that the group waits for.
 *
 * @param resume     Starts the work when the group is dispatched; null for none (the application
 *                   starts it by itself).
 * @param cancel     Is notified that the work is no longer wanted; runs at most once, after
 *                   `resume`; null for none. The task ends when the application calls
 *                   netcore_task_complete(), or with its client. A task that was never resumed ends
 *                   at once, and `cancel` does not run.
 * @param done       The terminal callback, as for any task; null for none.
 * @param user_data  Passed to `resume` and `cancel`, and in the completion. Borrowed until `done`
 *                   has returned. In queue mode all three functions must be null.
 * @return As netcore_group_add(). Since 0.1.
 */
NETCORE_API netcore_status netcore_group_add_application_task(netcore_group group,
                                                              netcore_task_fn resume,
                                                              netcore_task_fn cancel,
                                                              netcore_done_fn done, void *user_data,
                                                              netcore_task *out_task);

/**
 * Dispatches all members of a group. The queue's limit does not apply.
 *
 * @param notify     Runs once, after the terminal callback of every member has returned; null for
 *                   none. Null in queue mode: a completion of kind NETCORE_COMPLETION_KIND_GROUP
 *                   comes after those of the members.
 * @param user_data  Borrowed until `notify` has returned.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a callback in queue
 *         mode), NETCORE_ERR_INVALID_STATE (dispatched or canceled already), NETCORE_ERR_SHUT_DOWN.
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_group_dispatch(netcore_group group, netcore_done_fn notify,
                                                  void *user_data);

/**
 * Cancels every member that has not ended. A dispatched group notifies when all have ended. One
 * that was not dispatched ends at once, without a notification, and its members' terminal callbacks
 * run.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_group_cancel(netcore_group group);

/**
 * Gets how many members of a group have ended.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE (it has ended), NETCORE_ERR_INVALID_ARGUMENT
 *         (null), NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_group_get_info(netcore_group group,
                                                  netcore_group_info *out_info);

NETCORE_END_DECLS

#endif
