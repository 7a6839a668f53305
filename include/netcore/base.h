/** Types that every other header uses. */
#ifndef NETCORE_BASE_H
#define NETCORE_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define NETCORE_API __attribute__((visibility("default")))
#else
#define NETCORE_API
#endif

#ifdef __cplusplus
#define NETCORE_BEGIN_DECLS extern "C" {
#define NETCORE_END_DECLS }
#else
#define NETCORE_BEGIN_DECLS
#define NETCORE_END_DECLS
#endif

/**
 * Initializes a struct that begins with its size: the size is set, all other members are zero.
 * Each such struct has a macro of its own, NETCORE_CLIENT_OPTIONS_INIT for netcore_client_options:
 *
 *     netcore_client_options options = NETCORE_CLIENT_OPTIONS_INIT;
 */
#ifdef __cplusplus
#define NETCORE_INIT(type) {(uint32_t)sizeof(type)}
#else
#define NETCORE_INIT(type) {.size = (uint32_t)sizeof(type)}
#endif

/** The outcome of a call or of a task: NETCORE_OK or a NETCORE_ERR_ constant (netcore/error.h). */
typedef int32_t netcore_status;

/**
 * Handles. Each is a number below 2^53, so that a double holds it exactly. Values are not reused: a
 * handle that has ended stays invalid for the life of the process.
 */
typedef uint64_t netcore_client;
typedef uint64_t netcore_request;
typedef uint64_t netcore_task;
typedef uint64_t netcore_group;
typedef uint64_t netcore_response;
typedef uint64_t netcore_cache;
/** One request on the wire that a transport of the application's is to answer
 *  (netcore/transport.h). */
typedef uint64_t netcore_hop;
/** A source of events that connects again (netcore/event_source.h). */
typedef uint64_t netcore_event_source;
/** Who gets the events of a client (netcore/observer.h). */
typedef uint64_t netcore_observer;
/** Stubs that answer in place of the network (netcore/stub.h). */
typedef uint64_t netcore_stubs;
/** What tasks belong to (netcore/task_scope.h). */
typedef uint64_t netcore_task_scope;
/** Recorded answers that are replayed in place of the network (netcore/cassette.h). */
typedef uint64_t netcore_cassette;
/** The pages of a list (netcore/pages.h). */
typedef uint64_t netcore_pages;
/** A clock that the application advances (netcore/clock.h). */
typedef uint64_t netcore_clock;
/** APIs that have something in common (netcore/api.h). */
typedef uint64_t netcore_module;
/** The description of an API of a server (netcore/api.h). */
typedef uint64_t netcore_api;

/**
 * Borrowed bytes. `data` may be null if `size_bytes` is 0. A NUL byte follows only where the
 * comment says so. This struct never grows.
 */
typedef struct netcore_bytes {
  const uint8_t *data;
  size_t size_bytes;
} netcore_bytes;

/**
 * Releases the `user_data` of a function that netcore keeps: a filter, a reader, a listener and so
 * on. Called exactly once, when netcore will call the function no more: after the function was
 * replaced or removed, or what it was registered with has ended, and after running calls of it have
 * returned. Runs on a thread of netcore; every function may be called there.
 * netcore_client_destroy() and netcore_cache_destroy() wait for it, except inside callbacks.
 *
 * If the call that registers the function fails, or if the function is null, `release` is not
 * called, and `user_data` stays the caller's.
 */
typedef void (*netcore_release_fn)(void *user_data);

/**
 * What a function that writes a text returns if there is none.
 *
 * Functions that write a text (netcore_value_fn, netcore_token_fn, netcore_cache_text_fn) share one
 * contract. They write at most `capacity` bytes of UTF-8, including the NUL byte at the end, and
 * return the length without the NUL byte. If that is `capacity` or more, the function is called
 * once more with enough room. There is no text if the function returns NETCORE_TEXT_NONE or more
 * than 1,048,576, or if the text is not UTF-8. Any other negative number refuses the request: it
 * ends with NETCORE_ERR_REFUSED and that number as netcore_error.native_code. The functions of a
 * cache cannot refuse; there a negative number means no text.
 */
#define NETCORE_TEXT_NONE (-1)

/**
 * Is called with one name and value of a list. Both are borrowed until the function returns.
 * Runs inside the call that lists, on the same thread, with no lock held; it may call any function.
 *
 * @param value  Null if the value is given by a function at the time of sending.
 * @return 1 to go on, 0 to end the list.
 */
typedef int32_t (*netcore_field_fn)(const char *name, const char *value, void *user_data);

#endif
