/** Log messages of the library. */
#ifndef NETCORE_LOG_H
#define NETCORE_LOG_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** The level of a message. Later versions may add levels. */
typedef int32_t netcore_log_level;
enum {
  /** Something works that should not be relied on, such as a connection whose certificate was not
   *  checked. */
  NETCORE_LOG_LEVEL_WARNING = 2,
  /** What the application asked for: see netcore_client_set_request_log(). */
  NETCORE_LOG_LEVEL_DEBUG = 4
};

/**
 * Receives a log message.
 *
 * Runs on any thread, also on several at once, and also on threads that clients wait for. It should
 * call no function of netcore except netcore_set_log(). On such threads, calls that wait
 * (netcore_perform() and the like) return NETCORE_ERR_INVALID_STATE, and netcore_client_destroy()
 * does not wait.
 *
 * @param message  A sentence without credentials and query strings. Borrowed until the function
 *                 returns.
 */
typedef void (*netcore_log_fn)(netcore_log_level level, const char *message, void *user_data);

/**
 * Sets what receives the log messages of the whole process. A message that another thread is about
 * to write may still go to the function that was set before.
 *
 * @param fn         Null, the default: messages go to standard error.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK. Since 0.1.
 */
NETCORE_API netcore_status netcore_set_log(netcore_log_fn fn, void *user_data,
                                           netcore_release_fn release);

/**
 * Sets whether a log message is written at the beginning and the end of each task of a client, for
 * debugging: with method and URL without its query, how it ended (status code, error, canceled),
 * and how many tasks of the client have not ended.
 *
 * @param on  0, the default, or 1.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_request_log(netcore_client client, int32_t on);

NETCORE_END_DECLS

#endif
