/**
 * Groups: a set of tasks with one notification. The notification runs after the terminal callback
 * of every member has returned, also if all were canceled, and for an empty group. A group ends by
 * itself: its handle is valid until the notification has returned (or the completion was taken).
 *
 * A group starts all of its members at once, unless netcore_group_set_options() says otherwise: a
 * chain runs them one after the other, a graph when those that they wait for have succeeded
 * (netcore_group_add_dependency()). Members are requests, tasks that were made before, work of the
 * application's own, and other groups. Completions and notifications come as those of the client
 * do: on its thread, on one of the application's, or taken from its queue
 * (netcore_completion_mode).
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
 * queue mode: its completion) is due; in a chain, and in a group with dependencies, once that
 * callback has returned (in queue mode: at the next call of netcore_client_wait() after the one
 * that took the completion). `total` = `succeeded` + `failed` + `canceled` + `skipped` + those not
 * yet ended.
 */
typedef struct netcore_group_info {
  /** In: sizeof(netcore_group_info). */
  uint32_t size;
  uint32_t total;
  uint32_t succeeded;
  /** Ended with a status other than NETCORE_OK, NETCORE_ERR_CANCELED and NETCORE_ERR_SKIPPED. HTTP
   *  status codes do not matter. */
  uint32_t failed;
  uint32_t canceled;
  /** 1 once the group was dispatched, else 0. */
  int32_t is_dispatched;
  /** Ended with NETCORE_ERR_SKIPPED. */
  uint32_t skipped;
  /** Reserved, 0. */
  uint32_t reserved;
  /** Bytes of bodies of all members, as transferred (netcore_task_info). Getting them takes time in
   *  proportion to the number of members. */
  uint64_t received_bytes;
  uint64_t sent_bytes;
} netcore_group_info;

#define NETCORE_GROUP_INFO_INIT NETCORE_INIT(netcore_group_info)

/** What the end of one member of a group means for the others. */
typedef int32_t netcore_group_rule;
enum {
  /** Nothing: each goes on to its own end. */
  NETCORE_GROUP_RULE_ALL_SETTLED = 0,
  /** The first that does not succeed cancels the rest. */
  NETCORE_GROUP_RULE_ALL_OR_NOTHING = 1,
  /** The first that succeeds cancels the rest; the group then ends with NETCORE_OK. */
  NETCORE_GROUP_RULE_ANY = 2,
  /** Members run one after the other in the order in which they were added, each after the terminal
   *  callback of the one before has returned. The first that does not succeed ends the chain: the
   *  others end with NETCORE_ERR_SKIPPED. Members may be added while the chain runs, at the latest
   *  in the terminal callback of its last member. */
  NETCORE_GROUP_RULE_CHAIN = 3
};

/** How a group runs. Members that are zero have their defaults. */
typedef struct netcore_group_options {
  /** In: sizeof(netcore_group_options). */
  uint32_t size;
  netcore_group_rule rule;
  /** How many members run at once, at most; 0 for no limit. A chain runs one. */
  uint32_t limit;
  /** 1: a response is released after the terminal callback of its member. Default: 0, it is kept
   *  for netcore_group_get_result() until the group has ended. */
  int32_t drops_responses;
  /** From the dispatch to the end. Members that have not ended then are canceled, and the group
   *  ends with NETCORE_ERR_TIMEOUT_TOTAL. 0 for no limit. */
  uint64_t timeout_ms;
} netcore_group_options;

#define NETCORE_GROUP_OPTIONS_INIT NETCORE_INIT(netcore_group_options)

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
 * Sets how a group runs, before its first member is added.
 *
 * @param options  Copied; null for the defaults. In queue mode a group with options reports its
 *                 application tasks by completions of kind NETCORE_COMPLETION_KIND_START and _STOP.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (not a netcore_group_rule value, a flag that is neither 0
 *         nor 1), NETCORE_ERR_INVALID_STATE (it has members, or was dispatched or canceled). Since
 *         0.1.
 */
NETCORE_API netcore_status netcore_group_set_options(netcore_group group,
                                                     const netcore_group_options *options);

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
 * Adds a task that netcore_task_create() made. The group dispatches it; its terminal callback is
 * the one that it was made with.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a task of another
 *         client), NETCORE_ERR_INVALID_STATE (the task is a member of this or another group, was
 *         dispatched, or is not one that a group can start; or the group was dispatched or canceled
 *         already), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_group_add_task(netcore_group group, netcore_task task);

/**
 * Adds a group of the same client as a member, which the group dispatches. It ends as that group
 * does, after its notification. If it is canceled or skipped, the members of that group are.
 *
 * @param member     A group that was not dispatched, with any options. At most 64 groups can be
 *                   nested.
 * @param notify     Its notification, as for netcore_group_dispatch().
 * @param out_task   The task that stands for the group here; may be null. It has no completion of
 *                   its own. Canceling it cancels the group.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a callback in queue
 *         mode, a group of another client, one that this group is a member of, nested too deep),
 *         NETCORE_ERR_INVALID_STATE (one of both was dispatched or canceled, or `member` is a
 *         member already), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_group_add_group(netcore_group group, netcore_group member,
                                                   netcore_done_fn notify, void *user_data,
                                                   netcore_task *out_task);

/**
 * Lets a member of a group wait for another one: it starts after the terminal callback of that one
 * has returned, if it has succeeded; otherwise it ends with NETCORE_ERR_SKIPPED. Each member may
 * wait for any number of others. The group must have options.
 *
 * @param task   A member that has not ended.
 * @param after  The member that it waits for.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not members of the
 *         group, or a cycle), NETCORE_ERR_INVALID_STATE (a chain, a group without options, or it
 *         was dispatched or canceled). Since 0.1.
 */
NETCORE_API netcore_status netcore_group_add_dependency(netcore_group group, netcore_task task,
                                                        netcore_task after);

/**
 * Adds an application task: work of any kind, done by the application, that the group waits for.
 *
 * @param resume     Starts the work when the group is dispatched, or when the turn of the task has
 *                   come; null for none (the application starts it by itself). What others brought
 *                   it gets by netcore_group_get_result(). It may leave the work to a request:
 *                   netcore_task_send().
 * @param cancel     Is notified that the work is no longer wanted; runs at most once, after
 *                   `resume`; null for none. The task ends when the application calls
 *                   netcore_task_complete(), or with its client. A task that was never resumed ends
 *                   at once, and `cancel` does not run.
 * @param done       The terminal callback, as for any task; null for none.
 * @param user_data  Passed to `resume` and `cancel`, and in the completion. Borrowed until `done`
 *                   has returned. In queue mode all three functions must be null; in a group with
 *                   options completions say when to start and to stop.
 * @return As netcore_group_add(). Since 0.1.
 */
NETCORE_API netcore_status netcore_group_add_application_task(netcore_group group,
                                                              netcore_task_fn resume,
                                                              netcore_task_fn cancel,
                                                              netcore_done_fn done, void *user_data,
                                                              netcore_task *out_task);

/**
 * Dispatches a group: all of its members, or those that its options let start. The queue's limit
 * does not apply.
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
 * run. A group that is a member of another one ends as a canceled member does, and notifies.
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

/**
 * Gets how a member of a group with options ended, also after its task has ended.
 *
 * @param index           The place of the member in the order in which they were added, from 0.
 * @param out_completion  Its completion; give its size. `response`, if not 0, is owned by the
 *                        caller; release with netcore_response_release(). It is 0 if responses are
 *                        not kept.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_NOT_FOUND (no such member),
 *         NETCORE_ERR_IN_PROGRESS (it has not ended), NETCORE_ERR_INVALID_STATE (a group without
 *         options), NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_group_get_result(netcore_group group, uint32_t index,
                                                    netcore_completion *out_completion);

NETCORE_END_DECLS

#endif
