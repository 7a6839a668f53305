/** Completions: what a client hands over, by callbacks or by netcore_client_wait(). */
#ifndef NETCORE_COMPLETION_H
#define NETCORE_COMPLETION_H

#include "base.h"
#include "error.h"

NETCORE_BEGIN_DECLS

/** How a client hands over completions. Chosen when the client is created. */
typedef int32_t netcore_completion_mode;
enum {
  /** Callbacks run on one serial thread of the client. The default. */
  NETCORE_COMPLETION_MODE_CALLBACK = 0,
  /** Callbacks run inside netcore_client_process(), which the application's own loop (asyncio,
   *  GLib, libuv, Qt) calls when the client's descriptor is readable. */
  NETCORE_COMPLETION_MODE_PUMP = 1,
  /** No callbacks: netcore_client_wait() fills an array. For languages in which a callback from a
   *  foreign thread is expensive. Calls that take a callback refuse one. */
  NETCORE_COMPLETION_MODE_QUEUE = 2,
  /** The application's own loop drives the client, which has no thread for its network I/O:
   *  netcore_client_process(), called when the descriptor is readable, moves bytes and runs
   *  callbacks. Nothing happens between its calls, except while another call waits. */
  NETCORE_COMPLETION_MODE_LOOP = 3,
  /** The same without callbacks: netcore_client_wait() moves bytes, also while it waits, and fills
   *  an array as in queue mode. */
  NETCORE_COMPLETION_MODE_LOOP_QUEUE = 4
};

/** What a completion is about. */
typedef int32_t netcore_completion_kind;
enum {
  /** The end of a task. */
  NETCORE_COMPLETION_KIND_TASK = 1,
  /** The end of a group. */
  NETCORE_COMPLETION_KIND_GROUP = 2,
  /** An event before the end of a task: the stored answer, at most once, with
   *  NETCORE_CACHE_MODE_THEN_NETWORK. */
  NETCORE_COMPLETION_KIND_PROVISIONAL = 3,
  /** An event before the end of a task: an interim answer (1xx, RFC 9110 section 15.2), any number,
   *  if the request asked for them (netcore_request_set_interim_responses()). */
  NETCORE_COMPLETION_KIND_INTERIM = 4,
  /** An event before the end of a task: bytes were sent or received
   *  (netcore_request_set_progress_interval_ms()). It has no response; netcore_task_get_info()
   *  gives the counts. */
  NETCORE_COMPLETION_KIND_PROGRESS = 5,
  /** An event before the end of a task: the head of its answer, at most once, if it was dispatched
   *  by netcore_dispatch_streamed(). `response` is a streamed response (netcore/stream.h). */
  NETCORE_COMPLETION_KIND_HEAD = 6,
  /** An event before the end of such a task: the body can be read on, after
   *  netcore_response_read() returned NETCORE_ERR_IN_PROGRESS. It has no response. */
  NETCORE_COMPLETION_KIND_READABLE = 7,
  /** Only in queue mode, in a group with options: an application task is to start its work. It has
   *  no response. */
  NETCORE_COMPLETION_KIND_START = 8,
  /** The same: the work of an application task that was started is no longer wanted. At most
   *  once. */
  NETCORE_COMPLETION_KIND_STOP = 9
};

/** The end of a task or group, or an event before the end of a task. */
typedef struct netcore_completion {
  /** The size of the struct, filled in by netcore. */
  uint32_t size;
  netcore_completion_kind kind;
  /** How the task ended. For a group: NETCORE_OK if every member succeeded, NETCORE_ERR_CANCELED if
   *  the group was canceled, else the status of the first member that failed; with options see
   *  netcore_group_rule. For an event: NETCORE_OK. */
  netcore_status status;
  /** The HTTP status code, 0 if there is none. */
  int32_t http_status;
  /** The task. For a group the member that decided how it ended: the first that failed, or was
   *  canceled if none failed; with NETCORE_GROUP_RULE_ANY the first that succeeded. 0 if there is
   *  none, and if the group as a whole was canceled or took too long. */
  netcore_task task;
  /** The group, or the group that the task belongs to, or 0. */
  netcore_group group;
  /** The response; 0 for a group, for an application task, and where the kind says so. In a
   *  callback it is borrowed until the callback returns; netcore_response_retain() keeps it. From
   *  netcore_client_wait() it is owned by the caller; release with netcore_response_release(). */
  netcore_response response;
  /** As given when the task was created or dispatched, or the group dispatched. */
  void *user_data;
} netcore_completion;

/**
 * The terminal callback of a task, or the notification of a group.
 *
 * Runs exactly once for each task for which the creating or dispatching call returned NETCORE_OK,
 * also after cancel, shutdown and destroy, unless the task belongs to a scope that drops callbacks
 * (netcore/task_scope.h). It is the last callback for that task; `user_data` may
 * be freed once it has returned.
 *
 * Runs on the client's callback thread, or inside netcore_client_process(). Callbacks of one client
 * never run concurrently. Any function may be called in it, also netcore_perform(), which needs no
 * callback.
 *
 * @param completion  Borrowed until the callback returns. Its kind is NETCORE_COMPLETION_KIND_TASK
 *                    or NETCORE_COMPLETION_KIND_GROUP.
 */
typedef void (*netcore_done_fn)(const netcore_completion *completion);

/**
 * Is notified of events before the end of a task (netcore_request_set_event_function()):
 * completions of kind NETCORE_COMPLETION_KIND_PROVISIONAL, _INTERIM, _PROGRESS, _HEAD and
 * _READABLE. Runs where terminal callbacks do, any number of times, but never after the terminal
 * callback of the task.
 *
 * @param event      Borrowed until the function returns. Its `user_data` is the task's.
 * @param user_data  As given to netcore_request_set_event_function().
 */
typedef void (*netcore_event_fn)(const netcore_completion *event, void *user_data);

NETCORE_END_DECLS

#endif
