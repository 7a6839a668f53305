/**
 * netcore: one HTTP networking core for every language of an application.
 *
 * Rules for every function:
 *
 * - It returns a netcore_status, 0 (NETCORE_OK) for success. Results are returned in `out_`
 *   parameters, which are zeroed if the call fails. netcore_last_error() then tells, for this
 *   thread, which argument was wrong and why.
 * - It may be called from any thread, and inside any callback, unless its comment says otherwise.
 * - It does not block on the network, unless its comment says so (netcore_perform(),
 *   netcore_client_wait()).
 * - Handles are numbers. For a handle that is stale, made up or of the wrong kind, it returns
 *   NETCORE_ERR_INVALID_HANDLE; nothing is read through it. 0 is never a valid handle.
 * - After fork() the child's copies of all handles are dead: every call on them returns
 *   NETCORE_ERR_FORKED.
 * - A process may exit at any time, with clients alive; no call is needed before. If OpenSSL is
 *   cleaned up before the process ends, clients stop first: calls then return
 *   NETCORE_ERR_SHUT_DOWN, and no callback runs (docs/threading.md).
 * - No call is a cancellation point of pthread_cancel(): a canceled thread goes on until its call
 *   has returned.
 * - dlclose() leaves the library loaded, so that code that still runs stays valid.
 * - Inputs are copied before the call returns. What a callback receives is borrowed until it
 *   returns.
 * - If a call that takes a callback fails, the callback never runs. A function that netcore keeps
 *   comes with `release(user_data)` (netcore_release_fn in netcore/base.h).
 * - Strings are UTF-8 and NUL-terminated, unless a size is given.
 * - Structs begin with `size`: set it to sizeof the struct before the call, or initialize the
 *   struct with its _INIT macro. Later versions only add members at the end. A struct of an earlier
 *   version is accepted: members that it lacks count as zero, or are not written. A struct of a
 *   later version is accepted if the members that this library does not know are zero; otherwise
 *   the call returns NETCORE_ERR_INVALID_STRUCT. Where netcore writes it, those members are set to
 *   zero. Arrays of structs come with the size of an element, sizeof in the same way. A program
 *   built with 0.1 runs with every later 0.x.
 *
 * The nouns: a *client* owns connections and a loop that moves their bytes; a *request* says what
 * to send; a *task* is one dispatch of a request; a *group* is a set of tasks with one
 * notification; a *response* is how a task ended; a *cache* stores answers for clients. A *host* is
 * a server; the program that uses netcore is the *application*.
 */
#ifndef NETCORE_H
#define NETCORE_H

#include "netcore/base.h"
#include "netcore/error.h"
#include "netcore/version.h"
#include "netcore/limit.h"
#include "netcore/completion.h"
#include "netcore/request.h"
#include "netcore/param.h"
#include "netcore/body.h"
#include "netcore/transfer.h"
#include "netcore/response.h"
#include "netcore/cache.h"
#include "netcore/cache_value.h"
#include "netcore/caching.h"
#include "netcore/request_info.h"
#include "netcore/client.h"
#include "netcore/task.h"
#include "netcore/task_scope.h"
#include "netcore/stream.h"
#include "netcore/download.h"
#include "netcore/event_stream.h"
#include "netcore/event_source.h"
#include "netcore/service.h"
#include "netcore/filter.h"
#include "netcore/response_filter.h"
#include "netcore/auth.h"
#include "netcore/cookie.h"
#include "netcore/group.h"
#include "netcore/retry.h"
#include "netcore/hedge.h"
#include "netcore/breaker.h"
#include "netcore/admission.h"
#include "netcore/validation.h"
#include "netcore/failover.h"
#include "netcore/reachability.h"
#include "netcore/statistics.h"
#include "netcore/observer.h"
#include "netcore/transport.h"
#include "netcore/stub.h"
#include "netcore/cassette.h"
#include "netcore/clock.h"
#include "netcore/pages.h"
#include "netcore/error_table.h"
#include "netcore/api.h"
#include "netcore/log.h"

#endif
