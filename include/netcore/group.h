/**
 * Groups: a set of tasks with one notification. The notification comes after the terminal callback of every member has
 * returned, also when all were canceled, and for an empty group too. A group ends by itself: its handle is valid until
 * the notification has returned (or the completion was taken).
 */
#ifndef NETCORE_GROUP_H
#define NETCORE_GROUP_H

#include "base.h"
#include "client.h"
#include "error.h"
#include "task.h"

NETCORE_BEGIN_DECLS

/** How far a group has come. A member counts as ended from the moment its terminal callback (in queue mode: its
 *  completion) is due. `total` = `succeeded` + `failed` + `canceled` + those not yet ended. */
typedef struct netcore_group_info {
  /** In: sizeof(netcore_group_info). */
  uint32_t size;
  uint32_t total;
  uint32_t succeeded;
  /** Ended with a status other than NETCORE_OK and NETCORE_ERR_CANCELED. HTTP status codes do not matter. */
  uint32_t failed;
  uint32_t canceled;
  /** 1 once the group was dispatched, else 0. */
  int32_t is_dispatched;
} netcore_group_info;

/** Starts, or cancels, a task of the host's own making. Runs where the client's callbacks run. */
typedef void (*netcore_host_fn)(netcore_task task, void *user_data);

/** Creates an empty group. It ends by netcore_group_dispatch() or netcore_group_cancel(), or with its client.
 *  @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_SHUT_DOWN,
 *          NETCORE_ERR_OUT_OF_MEMORY. Since 0.1. */
NETCORE_API netcore_status netcore_group_create(netcore_client client, netcore_group *out_group);

/**
 * Adds a request: a task is created, which the group will dispatch. Parameters as netcore_task_create().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a callback in queue mode),
 *         NETCORE_ERR_INVALID_STATE (dispatched or canceled already), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_group_add(netcore_group group, netcore_request request, netcore_done_fn done,
                                             void *user_data, netcore_task *out_task);

/**
 * Adds a task of the host's own making: work of any kind that the group is to wait for.
 *
 * @param resume    Starts the work, when the group is dispatched; null for none (the host starts it by itself).
 * @param cancel    Told that the work is no longer wanted; runs at most once, after `resume`; null for none. The task
 *                  ends when the host says so with netcore_task_complete(), or with its client. A task that was never
 *                  resumed ends at once, and `cancel` does not run.
 * @param done      The terminal callback, as for any task; null for none.
 * @param user_data Handed to all three; borrowed until `done` has returned.
 * In queue mode all three must be null.
 * @return As netcore_group_add(). Since 0.1.
 */
NETCORE_API netcore_status netcore_group_add_host_task(netcore_group group, netcore_host_fn resume,
                                                       netcore_host_fn cancel, netcore_done_fn done, void *user_data,
                                                       netcore_task *out_task);

/**
 * Dispatches all members. The queue's limit is not judged.
 *
 * @param notify    Runs once, after the terminal callback of every member has returned; null for none. Null in queue
 *                  mode: a completion of kind NETCORE_COMPLETION_GROUP comes behind those of the members.
 * @param user_data Borrowed until `notify` has returned.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a callback in queue mode),
 *         NETCORE_ERR_INVALID_STATE (dispatched or canceled already), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_group_dispatch(netcore_group group, netcore_done_fn notify, void *user_data);

/**
 * Cancels every member that has not ended. A dispatched group notifies when all have; one that was not dispatched ends
 * at once, without a notification, and its members' terminal callbacks run. Since 0.1.
 */
NETCORE_API netcore_status netcore_group_cancel(netcore_group group);

/** Gets how far a group has come. As netcore_task_get_info(). Since 0.1. */
NETCORE_API netcore_status netcore_group_get_info(netcore_group group, netcore_group_info *out_info);

NETCORE_END_DECLS

#endif
