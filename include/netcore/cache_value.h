/**
 * Values of the application's in a cache: bytes under a key, beside the stored answers of servers.
 *
 * They are kept as answers are: in memory and on disk, within the same limits, the least used going
 * first, seen by all processes that share the folder. A damaged one is gone, and an event says so.
 * A value may thus be gone at any time: keep nothing here that cannot be had again.
 *
 * No request is served a value. In lists, events and prefixes to clear its URL is "value:" and its
 * key. netcore_cache_clear() without a filter, or by a tag, removes values, too; so does a request
 * that succeeds, by tag (netcore_request_add_invalidated_tag()).
 */
#ifndef NETCORE_CACHE_VALUE_H
#define NETCORE_CACHE_VALUE_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** A time to live that does not end: the value stays as long as there is room. */
#define NETCORE_CACHE_VALUE_FOREVER UINT64_MAX

/** How a value is kept. */
typedef struct netcore_cache_value_options {
  /** In: sizeof(netcore_cache_value_options). */
  uint32_t size;
  /** Must be 0. */
  uint32_t reserved;
  /** Milliseconds from now on. 0, the default: as netcore_cache_options.value_ttl_ms says;
   *  NETCORE_CACHE_VALUE_FOREVER: without an end. */
  uint64_t ttl_ms;
  /** An array of `tag_count` tags. */
  const char *const *tags;
  size_t tag_count;
} netcore_cache_value_options;

#define NETCORE_CACHE_VALUE_OPTIONS_INIT NETCORE_INIT(netcore_cache_value_options)

/**
 * Puts a value under a key, in place of what was there.
 *
 * @param key      Not empty. Copied.
 * @param data     Copied; null if `size_bytes` is 0. One that is larger than a level of the cache
 *                 is not kept there.
 * @param options  Copied; null for the defaults.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8, an
 *         empty key or tag, more than 2^40 bytes), NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_put_value(netcore_cache cache, const char *key,
                                                   const void *data, size_t size_bytes,
                                                   const netcore_cache_value_options *options);

/**
 * Is called with a value.
 *
 * @param data  Borrowed until the function returns.
 */
typedef void (*netcore_cache_value_fn)(netcore_bytes data, void *user_data);

/**
 * Gets the value of a key. Reads from disk what is not in memory, and blocks meanwhile.
 *
 * @param fn  Called at most once, inside this call, on this thread, with no lock held.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND (there is none, or none any more: `fn` is not called),
 *         NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8, empty). Since
 *         0.1.
 */
NETCORE_API netcore_status netcore_cache_get_value(netcore_cache cache, const char *key,
                                                   netcore_cache_value_fn fn, void *user_data);

/**
 * Removes the value of a key, if there is one.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8,
 *         empty). Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_remove_value(netcore_cache cache, const char *key);

NETCORE_END_DECLS

#endif
