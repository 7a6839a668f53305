/** What netcore has to say beside the results of calls. */
#ifndef NETCORE_LOG_H
#define NETCORE_LOG_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** The level of a message. Others may come. */
typedef int32_t netcore_log_level;
enum {
  /** Something works that should not be relied on, such as a connection whose certificate nobody checked. */
  NETCORE_LOG_WARNING = 2
};

/** Receives a message, a sentence without credentials and query strings; borrowed until the function returns. Runs on any
 *  thread, on several at once too, threads that clients wait for included. It should call no function of netcore except
 *  netcore_set_log(). On such a thread, calls that wait (netcore_perform() and its like) answer NETCORE_ERR_INVALID_STATE,
 *  and netcore_client_destroy() does not wait. */
typedef void (*netcore_log_fn)(netcore_log_level level, const char *message, void *user_data);

/**
 * Sets where messages of the whole process go: to a function, or, with null, the default, to standard error. A message that
 * another thread is about to give may still go where they went before.
 *
 * @param user_data  Handed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK. Since 0.1.
 */
NETCORE_API netcore_status netcore_set_log(netcore_log_fn fn, void *user_data, netcore_release_fn release);

NETCORE_END_DECLS

#endif
