/** Completions: what a client hands over, in callbacks or by netcore_client_wait(). */
#ifndef NETCORE_COMPLETION_H
#define NETCORE_COMPLETION_H

#include "base.h"
#include "error.h"

NETCORE_BEGIN_DECLS

/** What a completion is about. */
typedef int32_t netcore_completion_kind;
enum {
  NETCORE_COMPLETION_TASK = 1,
  NETCORE_COMPLETION_GROUP = 2,
  /** Not the end of a task, but what is stored of its answer: with NETCORE_CACHE_THEN_NETWORK, at most once, before the
   *  terminal completion. */
  NETCORE_COMPLETION_PROVISIONAL = 3,
  /** Not the end of a task, but an interim answer (1xx, RFC 9110 section 15.2), for requests that asked for them
   *  (netcore_request_set_interim_responses()): any number, before the terminal completion. */
  NETCORE_COMPLETION_INTERIM = 4,
  /** Not the end of a task, but bytes that went or came (netcore_request_set_progress_interval_ms()): netcore_task_get_info() says
   *  how many. Has no response. */
  NETCORE_COMPLETION_PROGRESS = 5
};

/** The end of a task, or of a group. */
typedef struct netcore_completion {
  /** sizeof(netcore_completion), filled in by netcore. */
  uint32_t size;
  netcore_completion_kind kind;
  /** How the task ended. For a group: NETCORE_OK when every member succeeded, NETCORE_ERR_CANCELED when the group was
   *  canceled, else the status of the first member that failed. */
  netcore_status status;
  /** The HTTP status code, 0 when there is none. */
  int32_t http_status;
  /** The task, or 0 for a group's. */
  netcore_task task;
  /** The group, or the group that the task belongs to, or 0. */
  netcore_group group;
  /** How the task ended, in full; 0 for a group and for a task of the host's own making. In a callback: borrowed until
   *  it returns; netcore_response_retain() keeps it. From netcore_client_wait(): owned by the caller; release with
   *  netcore_response_release(). */
  netcore_response response;
  /** As given when the task was created or dispatched, or the group dispatched. */
  void *user_data;
} netcore_completion;

/**
 * The terminal callback of a task, or the notification of a group. Runs once for each task for which the creating or dispatching
 * call answered NETCORE_OK, whatever happens: after cancel, shutdown and destroy, too. It is the last callback for that task;
 * `user_data` may be freed once it returns.
 *
 * Runs on the client's callback thread, or inside netcore_client_process(). Callbacks of one client never run at the same time. Any
 * function may be called in it; netcore_perform(), too, since its answer needs no callback.
 *
 * @param completion  Borrowed until the callback returns. Its kind is NETCORE_COMPLETION_TASK or NETCORE_COMPLETION_GROUP.
 */
typedef void (*netcore_done_fn)(const netcore_completion *completion);

/**
 * Is notified of what comes before the end of a task (netcore_request_set_event_function()): completions of kind
 * NETCORE_COMPLETION_PROVISIONAL, NETCORE_COMPLETION_INTERIM and NETCORE_COMPLETION_PROGRESS. Runs where terminal callbacks do, any
 * number of times, and never after the terminal callback of the task.
 *
 * @param event      Borrowed until the function returns. Its `user_data` is that of the task.
 * @param user_data  As given to netcore_request_set_event_function().
 */
typedef void (*netcore_event_fn)(const netcore_completion *event, void *user_data);

NETCORE_END_DECLS

#endif
