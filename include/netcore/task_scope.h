/**
 * Task scopes: what tasks belong to, such as a screen or an object of the application's. When the
 * scope is closed, those of its tasks that have not ended are canceled. A scope may have tasks of
 * several clients, and a task belongs to at most one.
 */
#ifndef NETCORE_TASK_SCOPE_H
#define NETCORE_TASK_SCOPE_H

#include "base.h"
#include "request.h"

NETCORE_BEGIN_DECLS

/**
 * Is called in place of the terminal callback of a task that a closed scope drops. Runs once for
 * such a task, where callbacks run; every function may be called in it.
 *
 * @param user_data  That of the task, which may be freed.
 */
typedef void (*netcore_dropped_fn)(void *user_data);

/**
 * Creates a task scope without tasks.
 *
 * @param drops_callbacks  What closing does with callbacks of the scope's tasks. 0: each task has
 *                         its callbacks, with NETCORE_ERR_CANCELED. 1: none begins after the scope
 *                         was closed, also not the terminal one.
 * @param dropped          Is called in place of each terminal callback that is dropped; null for
 *                         none.
 * @param out_scope        Owned by the caller; ends with netcore_task_scope_close().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null, neither 0 nor 1),
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_scope_create(int32_t drops_callbacks,
                                                     netcore_dropped_fn dropped,
                                                     netcore_task_scope *out_scope);

/**
 * Closes a scope: cancels those of its tasks that have not ended, with the cause
 * NETCORE_CANCEL_CAUSE_SCOPE. The handle ends. Tasks that are dispatched later from requests that
 * belong to the scope end as canceled at once.
 *
 * If the scope drops callbacks, the call waits for one of its tasks' callbacks that is running on
 * another thread, so that what callbacks use may be freed afterwards. Inside a callback it does not
 * wait. Dropped are callbacks, also of members of a group, whose notification comes as always.
 * Calls that wait (netcore_perform(), netcore_task_wait()) return NETCORE_ERR_CANCELED, and
 * netcore_client_wait() gets the completions of all tasks.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_scope_close(netcore_task_scope scope);

/**
 * Cancels the tasks of a scope that have not ended. The scope stays open, and no callback is
 * dropped.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_task_scope_cancel(netcore_task_scope scope);

/**
 * Gets the number of tasks of a scope that have not ended. A task counts as ended once its terminal
 * callback is due.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_task_scope_get_count(netcore_task_scope scope,
                                                        uint32_t *out_count);

/**
 * Sets what the tasks of a request belong to: those that are dispatched or created from it
 * afterwards, also as members of a group, streamed or as a download. A request that a cache sends
 * to validate what it served belongs to no scope. Default: none. netcore_request_info has the
 * scope.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE (of either). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_task_scope(netcore_request request,
                                                          netcore_task_scope scope);

NETCORE_END_DECLS

#endif
