/**
 * Caches: stored answers in two levels, memory and disk, served by the rules of RFC 9111 and by
 * those of the application.
 *
 * A cache is created once and given to clients (netcore_client_options.cache). It then takes part
 * in each of their requests; requests say how (netcore/caching.h). Nothing on disk can make a
 * request fail: damaged data is set aside or dropped, and the answer comes from the origin.
 */
#ifndef NETCORE_CACHE_H
#define NETCORE_CACHE_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** What happened to the disk level. None of it is an error of a request. */
typedef int32_t netcore_cache_event_kind;
enum {
  /** The database was renamed to `path`; a new one was created. */
  NETCORE_CACHE_EVENT_KIND_SET_ASIDE = 1,
  /** Nothing is stored for now: the disk is full, read-only or failing. */
  NETCORE_CACHE_EVENT_KIND_STORING_STOPPED = 2,
  /** Storing works again. */
  NETCORE_CACHE_EVENT_KIND_STORING_RESUMED = 3,
  /** A stored answer, of the URL in `path`, was damaged and removed. */
  NETCORE_CACHE_EVENT_KIND_DAMAGED_ENTRY = 4
};

/** An event. Strings are borrowed until the function returns; "" if there is none. */
typedef struct netcore_cache_event {
  /** The size of the struct, filled in by netcore. */
  uint32_t size;
  netcore_cache_event_kind kind;
  const char *path;
  const char *reason;
} netcore_cache_event;

/**
 * Is notified of events, one after the other, on a thread of the cache that runs nothing else
 * (`netcore-event`). It may call any function, and may block. netcore_cache_create(),
 * netcore_cache_flush() and the end of the cache wait until it has returned, except inside
 * callbacks.
 */
typedef void (*netcore_cache_event_fn)(const netcore_cache_event *event, void *user_data);

/** A time to live for all URLs that match a pattern. */
typedef struct netcore_cache_rule {
  /** A pattern as of fnmatch() for whole URLs without their fragment: "*" and "?" match any
   *  characters, including "/"; a backslash before one of "*?[" makes it literal. Copied. */
  const char *url_pattern;
  uint64_t ttl_ms;
} netcore_cache_rule;

/** A request as the functions of a cache see it. All of it is borrowed until the function
 *  returns. */
typedef struct netcore_cache_request {
  /** The size of the struct, filled in by netcore. */
  uint32_t size;
  /** 1: the function runs on the thread that drives the client's loop, for a request that was
   *  dispatched before, perhaps by another thread. 0: it runs in the call that dispatches. */
  int32_t runs_on_loop;
  const char *method;
  /** Without user name, password and fragment. */
  const char *url;
  netcore_bytes body;
  /** All fields that are sent: for each its name, a NUL byte, its value, a NUL byte. */
  netcore_bytes headers;
} netcore_cache_request;

/**
 * Writes a text for a request; see NETCORE_TEXT_NONE (netcore/base.h) for the contract. Runs once
 * for each form of a request on the thread that dispatches it, and for the next hop of a redirect
 * on the thread that drives the client's loop, which it must not block. It must not call functions
 * of netcore.
 */
typedef int32_t (*netcore_cache_text_fn)(const netcore_cache_request *request, char *text,
                                         size_t capacity, void *user_data);

/** Options of a cache. Zero or null means the default. Strings are copied. */
typedef struct netcore_cache_options {
  /** In: sizeof(netcore_cache_options). */
  uint32_t size;
  /** 1: answers go to more than one user, and the rules for shared caches apply (RFC 9111 section
   *  1.2). Default 0: the answer to a request with credentials is served only to requests with the
   *  same credentials. */
  int32_t is_shared;
  /** 1: only requests with a time to live, of their own or by a rule, use the cache. Default 0: RFC
   *  9111 applies to the others. */
  int32_t ttl_only;
  /** 1: an answer is on disk before its task ends. Default 0: it is written soon after. */
  int32_t writes_synchronously;
  /** 1: stale answers may be served, unless they forbid it, if the origin cannot be reached.
   *  Default 0: only with stale-if-error (RFC 5861). */
  int32_t serves_stale_when_disconnected;
  /** Reserved, 0. */
  uint32_t reserved;
  /** The folder of the disk level, created with mode 0700 if it does not exist. Null: memory only.
   *  Several processes may share one. Other files in it are not touched. */
  const char *folder;
  /** The most bytes of the memory level. Default 20 MiB. */
  uint64_t memory_bytes;
  /** The most answers that it holds. Default: any number. */
  uint64_t memory_count;
  /** The most bytes of the disk level. Default 200 MiB. */
  uint64_t disk_bytes;
  /** The most answers that it holds. Default: any number. */
  uint64_t disk_count;
  /** Answers that another version of the application stored are not used. Default "". */
  const char *application_version;
  /** An array of `rule_count` rules; the first that matches counts. A request's own time to live
   *  wins. */
  const netcore_cache_rule *rules;
  size_t rule_count;
  /** sizeof(netcore_cache_rule), if there are any. */
  size_t rule_size;
  /** Gives the key for a request, in place of method, URL, body and fields. Null, or no text: the
   *  usual key. netcore_request_set_cache_key() wins. */
  netcore_cache_text_fn key;
  /** Gives the folder of the disk level for a request. Null, or no text: `folder`. At most 64 are
   *  used: answers of further ones stay in memory. The limits apply to each. */
  netcore_cache_text_fn folder_for_request;
  /** Is notified of events; null for none. */
  netcore_cache_event_fn on_event;
  /** Passed to the functions above. Must stay valid until `release(user_data)` is called. */
  void *user_data;
  /** May be null. */
  netcore_release_fn release;
  /** The largest body of a streamed response that is stored (netcore/stream.h). Until its end a
   *  copy of it takes memory, at most 1 MiB of it if the cache has a folder. Default 8 MiB. */
  uint64_t streamed_bytes;
  /** In place of the machine's clock (netcore/clock.h), for tests; the cache retains it. Clients
   *  that use the cache must have the same. 0, the default: the machine's clock. */
  netcore_clock clock;
  /** How long values of the application's are kept (netcore/cache_value.h), in milliseconds. 0, the
   *  default: as long as there is room. */
  uint64_t value_ttl_ms;
} netcore_cache_options;

#define NETCORE_CACHE_OPTIONS_INIT NETCORE_INIT(netcore_cache_options)

/**
 * Creates a cache and opens its disk level. Data that cannot be used there is set aside; if no
 * folder can be used at all, or libsqlite3.so.0 cannot be loaded, the cache works in memory, with
 * an event. The first cache with a folder loads that library.
 *
 * @param options    Copied; null for all defaults.
 * @param out_cache  Owned by the caller; release with netcore_cache_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (also if the folder's path is too long for the
 *         system, or if it or a folder above it is a file), NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_create(const netcore_cache_options *options,
                                                netcore_cache *out_cache);

/**
 * Releases a cache. It closes when its handle and every client that uses it are gone. The call that
 * drops the last reference waits until everything is on disk, except netcore_client_destroy()
 * called from a callback, which returns immediately.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_destroy(netcore_cache cache);

/** Which stored answers to remove. */
typedef int32_t netcore_cache_filter;
enum {
  NETCORE_CACHE_FILTER_ALL = 0,
  NETCORE_CACHE_FILTER_URL = 1,    /**< of a URL, without its fragment */
  NETCORE_CACHE_FILTER_PREFIX = 2, /**< of all URLs that begin with a text */
  NETCORE_CACHE_FILTER_TAG = 3,    /**< of all requests with a tag (netcore_request_set_tag()) */
  NETCORE_CACHE_FILTER_SCOPE = 4   /**< of a scope */
};

/**
 * Removes stored answers from both levels. They are not served from then on; the disk is cleared
 * soon after.
 *
 * @param value  What the filter compares with; null for NETCORE_CACHE_FILTER_ALL.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME. Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_clear(netcore_cache cache, netcore_cache_filter filter,
                                               const char *value);

/** Limits of a cache that can be changed. */
typedef int32_t netcore_cache_limit;
enum {
  NETCORE_CACHE_LIMIT_MEMORY_BYTES = 1,
  NETCORE_CACHE_LIMIT_MEMORY_COUNT = 2,
  NETCORE_CACHE_LIMIT_DISK_BYTES = 3,
  NETCORE_CACHE_LIMIT_DISK_COUNT = 4
};

/**
 * Changes a limit; answers beyond it are evicted.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a
 *         netcore_cache_limit value). Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_set_limit(netcore_cache cache, netcore_cache_limit limit,
                                                   uint64_t value);

/**
 * Gets a limit of a cache. Those of the disk level are 0 for a cache without a folder.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, or not a
 *         netcore_cache_limit value). Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_get_limit(netcore_cache cache, netcore_cache_limit limit,
                                                   uint64_t *out_value);

/** What a cache did since it was created, and what it holds. */
typedef struct netcore_cache_statistics {
  /** In: sizeof(netcore_cache_statistics). */
  uint32_t size;
  /** Reserved, 0. */
  uint32_t reserved;
  /** Responses served fresh, stale, after a 304, and from the origin. */
  uint64_t hits;
  uint64_t stale_hits;
  uint64_t revalidations;
  uint64_t misses;
  /** Answers stored. */
  uint64_t stored;
  /** Bytes of bodies that needed no transfer. */
  uint64_t saved_bytes;
  /** The memory level. */
  uint64_t memory_hits;
  uint64_t memory_misses;
  uint64_t memory_evictions;
  uint64_t memory_bytes;
  uint64_t memory_count;
  /** The disk level; bytes and count are of all processes, as of the last write. */
  uint64_t disk_hits;
  uint64_t disk_misses;
  uint64_t disk_evictions;
  uint64_t disk_damaged;
  uint64_t disk_bytes;
  uint64_t disk_count;
} netcore_cache_statistics;

#define NETCORE_CACHE_STATISTICS_INIT NETCORE_INIT(netcore_cache_statistics)

/**
 * Gets the statistics of a cache.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_get_statistics(netcore_cache cache,
                                                        netcore_cache_statistics *out_statistics);

/** One stored answer. Strings are borrowed until the function returns. Times are milliseconds since
 *  1970. */
typedef struct netcore_cache_entry {
  /** The size of the struct, filled in by netcore. */
  uint32_t size;
  /** Reserved, 0. */
  uint32_t reserved;
  const char *url;
  /** The first tag. */
  const char *tag;
  const char *scope;
  /** As counted against the limit. */
  uint64_t size_bytes;
  uint64_t body_bytes;
  /** When it arrived or was last confirmed, and until when it is fresh. */
  int64_t stored_at_ms;
  int64_t fresh_until_ms;
  /** How often it was served from disk. */
  uint64_t hits;
  /** All tags, each followed by a NUL byte. */
  netcore_bytes tags;
} netcore_cache_entry;

/**
 * Is called with one stored answer of a list. It may call any function.
 *
 * @return 1 to go on, 0 to end the list.
 */
typedef int32_t (*netcore_cache_entry_fn)(const netcore_cache_entry *entry, void *user_data);

/**
 * Lists the stored answers, in no particular order: on disk, or in memory for a cache without a
 * folder. Calls `fn` for each inside this call, on this thread, with no lock held. Blocks while it
 * reads from disk.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_list(netcore_cache cache, netcore_cache_entry_fn fn,
                                              void *user_data);

/**
 * Waits until everything stored is on disk and its events have been reported.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_flush(netcore_cache cache);

NETCORE_END_DECLS

#endif
