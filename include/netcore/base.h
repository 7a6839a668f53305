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

/** The outcome of a call or of a task: NETCORE_OK or one of the NETCORE_ERR_ constants of netcore/error.h. */
typedef int32_t netcore_status;

/**
 * Handles. Each is a number below 2^53, so that a double holds it exactly. Values are not reused: a handle that has
 * ended stays invalid for the life of the process.
 */
typedef uint64_t netcore_client;
typedef uint64_t netcore_request;
typedef uint64_t netcore_task;
typedef uint64_t netcore_group;
typedef uint64_t netcore_response;
typedef uint64_t netcore_cache;
/** One request on the wire that a transport of the application's is to answer (netcore/transport.h). */
typedef uint64_t netcore_hop;

/** Borrowed bytes. `data` may be null when `size_bytes` is 0. Not NUL-terminated unless said so. */
typedef struct netcore_bytes {
  const uint8_t *data;
  size_t size_bytes;
} netcore_bytes;

/**
 * Releases the `user_data` of a function that netcore keeps: a filter, a reader, a listener and so on. Called exactly once, when
 * netcore will call the function no more: after it was replaced or removed, or after what it was registered with has ended, and
 * calls of it that were running have returned. Runs soon after that, on a thread of netcore on which every function may be
 * called. netcore_client_destroy() and netcore_cache_destroy() wait for it, except inside callbacks.
 *
 * If the call that registers the function fails, or is given a null function, `release` is not called: `user_data` stays the
 * caller's.
 */
typedef void (*netcore_release_fn)(void *user_data);

/**
 * What a function that writes a text returns if there is none.
 *
 * Functions that write a text (netcore_value_fn, netcore_token_fn, netcore_cache_text_fn) have one contract. They write UTF-8, at
 * most `capacity` bytes with the NUL byte at its end, and return the length without the NUL byte. If that is `capacity` or more,
 * the function is called once more, with enough room. NETCORE_TEXT_NONE, more than 1,048,576, and text that is not UTF-8 mean:
 * there is none. Any other negative number is a refusal: the request ends with NETCORE_ERR_REFUSED, and the number as
 * netcore_error.native_code. A cache's function cannot refuse; there it means that there is none.
 */
#define NETCORE_TEXT_NONE (-1)

/**
 * Limits, each with its unit. Set for all requests of a client with netcore_client_set_limit(); those marked "request"
 * also for one request with netcore_request_set_limit(), which wins. A task that passes a limit ends with the status
 * named here. 0 is a valid value and means none allowed, except where noted; UINT64_MAX removes the limit.
 */
typedef int32_t netcore_limit;
enum {
  /** Bytes of all header sections of one response: status lines, 1xx answers and trailers included. Request.
   *  Default 262,144 (256 KiB). NETCORE_ERR_LIMIT_HEADER_BYTES. */
  NETCORE_LIMIT_HEADER_BYTES = 1,
  /** Bytes of the body as transferred, before content decoding. Request.
   *  Default 1,073,741,824 (1 GiB). NETCORE_ERR_LIMIT_BODY_BYTES. */
  NETCORE_LIMIT_BODY_BYTES = 2,
  /** Bytes of the body after content decoding (gzip, deflate, br, zstd). Request.
   *  Default 1,073,741,824 (1 GiB). NETCORE_ERR_LIMIT_DECODED_BYTES. */
  NETCORE_LIMIT_DECODED_BYTES = 3,
  /** Decoded bytes for each transferred byte; judged once more than 1 MiB came out. Request.
   *  Default 250. NETCORE_ERR_LIMIT_DECODE_RATIO. */
  NETCORE_LIMIT_DECODE_RATIO = 4,
  /** Redirects followed for one task; 0 refuses the first. To receive redirect answers themselves, see
   *  netcore_request_set_follow_redirects(). Request. Default 20. NETCORE_ERR_LIMIT_REDIRECTS. */
  NETCORE_LIMIT_REDIRECTS = 5,
  /** Transfers at once in all; further tasks wait in the queue. At least 1. Client only. Default 256. */
  NETCORE_LIMIT_TRANSFERS = 6,
  /** Transfers at once to one scheme, host and port. At least 1. Client only. Default 64. */
  NETCORE_LIMIT_TRANSFERS_PER_HOST = 7,
  /** Tasks dispatched but not yet transferring. Beyond it a dispatch answers NETCORE_ERR_LIMIT_QUEUE_LENGTH at once.
   *  Client only. Default 65,536. */
  NETCORE_LIMIT_QUEUE_LENGTH = 8
};

#endif
