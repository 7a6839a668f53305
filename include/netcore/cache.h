/**
 * Caches: stored answers in two levels, memory and disk, served by the rules of RFC 9111 and by
 * those of the application.
 *
 * A cache is created once and given to clients (netcore_client_options.cache). It then takes part
 * in each of their requests; requests say how with a mode and with what they set here. Nothing on
 * disk can make a request fail: damaged data is set aside or dropped, and the answer comes from the
 * origin.
 */
#ifndef NETCORE_CACHE_H
#define NETCORE_CACHE_H

#include "base.h"
#include "error.h"

NETCORE_BEGIN_DECLS

/** How a request uses the cache of its client. */
typedef int32_t netcore_cache_mode;
enum {
  /** As RFC 9111 says, or as the request's own time to live does. */
  NETCORE_CACHE_MODE_STANDARD = 0,
  /** The cache takes no part: nothing is read or stored, and stored answers stay. */
  NETCORE_CACHE_MODE_IGNORE = 1,
  /** Nothing is read; the answer is stored. */
  NETCORE_CACHE_MODE_RELOAD = 2,
  /** Only a stored answer, fresh or stale; without one, a 504 of the cache. */
  NETCORE_CACHE_MODE_ONLY = 3,
  /** A stored answer, fresh or stale; without one, the network. */
  NETCORE_CACHE_MODE_ELSE_NETWORK = 4,
  /** The network; a stored answer, fresh or stale, if the origin cannot be reached or answers 500,
   *  502, 503 or 504. */
  NETCORE_CACHE_MODE_NETWORK_ELSE_CACHE = 5,
  /** First the stored answer, as an event of kind NETCORE_COMPLETION_KIND_PROVISIONAL, then the
   *  answer of the network as the terminal completion. Blocking calls get only the latter. */
  NETCORE_CACHE_MODE_THEN_NETWORK = 6,
  /** Nothing is read or stored, and a stored answer is removed. */
  NETCORE_CACHE_MODE_NEVER = 7
};

/** What the cache did for a response: netcore_response_info.cache_result. From 10 on: why the
 *  origin was asked. */
typedef int32_t netcore_cache_result;
enum {
  NETCORE_CACHE_RESULT_NONE = 0,          /**< no cache took part */
  NETCORE_CACHE_RESULT_HIT = 1,           /**< served fresh */
  NETCORE_CACHE_RESULT_STALE_HIT = 2,     /**< served stale, as directives or request allow */
  NETCORE_CACHE_RESULT_REVALIDATED = 3,   /**< served after the origin confirmed it by a 304 */
  NETCORE_CACHE_RESULT_UNSATISFIABLE = 4, /**< a 504 of the cache */
  NETCORE_CACHE_RESULT_NOT_CACHED = 10,   /**< nothing was stored */
  NETCORE_CACHE_RESULT_EXPIRED = 11,      /**< the stored answer had expired */
  NETCORE_CACHE_RESULT_VERSION = 12,      /**< it had another version number */
  NETCORE_CACHE_RESULT_SCOPE = 13,        /**< it belongs to another scope */
  NETCORE_CACHE_RESULT_APPLICATION_VERSION = 14, /**< another application version stored it */
  NETCORE_CACHE_RESULT_DAMAGED = 15,             /**< it was damaged */
  NETCORE_CACHE_RESULT_VARIANT = 16,             /**< it answers other request fields (Vary) */
  NETCORE_CACHE_RESULT_REQUESTED = 17,           /**< the request asked for it */
  NETCORE_CACHE_RESULT_PASSED = 18 /**< only the origin can answer the method, condition or range */
};

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
  /** Reserved, 0. */
  uint32_t reserved;
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
 * on the client's I/O thread, which it must not block. It must not call functions of netcore.
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
} netcore_cache_options;

#define NETCORE_CACHE_OPTIONS_INIT NETCORE_INIT(netcore_cache_options)

/**
 * Creates a cache and opens its disk level. Data that cannot be used there is set aside; if no
 * folder can be used at all, the cache works in memory, with an event.
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

/**
 * Sets how a request uses the cache. Default NETCORE_CACHE_MODE_STANDARD.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a
 *         netcore_cache_mode value). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_cache_mode(netcore_request request,
                                                          netcore_cache_mode mode);

/**
 * Sets how long an answer to the request is fresh, in milliseconds from when it arrived, whatever
 * its fields say. Answers to any method are then stored, under a key of method, URL with its
 * parameters sorted by name, body, and the fields of netcore_request_add_cache_key_field(). Only
 * answers below 400 are stored, unless netcore_request_set_cache_errors() asks for errors, too.
 * UINT64_MAX, the default, leaves freshness to the answer's fields.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_cache_ttl_ms(netcore_request request,
                                                            uint64_t ttl_ms);

/**
 * Sets whether a time to live also stores errors: 1 stores answers of status 400 and above, except
 * 412 and 416. Default 0: it stores only answers below 400, whatever their fields say. Has no
 * effect without a time to live.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_cache_errors(netcore_request request, int32_t keep);

/**
 * Sets whom the answer belongs to, such as a user's id: an answer of one scope is never served to
 * another. Null or "", the default: in a private cache, those who send the same credentials
 * (Authorization), or none.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not UTF-8).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_cache_scope(netcore_request request,
                                                           const char *scope);

/**
 * Sets a version number: answers stored with another one are not used. Default 0.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_cache_version(netcore_request request,
                                                             uint32_t version);

/**
 * Sets the key, in place of method, URL and body. Null, the default: none.
 *
 * @return As netcore_request_set_cache_scope(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_cache_key(netcore_request request, const char *key);

/**
 * Adds a request field to the key, by its name. It counts only with a time to live: without one,
 * Vary decides. A field that the request does not have counts as absent.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_cache_key_field(netcore_request request,
                                                               const char *name);

/**
 * Gets the stored answer to a request, fresh or stale, without sending anything. Blocks while it
 * reads from disk.
 *
 * @param out_response  Owned by the caller; release with netcore_response_release(). Its
 *                      `cache_result` is NETCORE_CACHE_RESULT_HIT or
 *                      NETCORE_CACHE_RESULT_STALE_HIT.
 * @param out_result    Why nothing was found, or as in the response. May be null.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND, NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_INVALID_STATE (the client has no cache),
 *         NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_cached(netcore_client client, netcore_request request,
                                                     netcore_response *out_response,
                                                     netcore_cache_result *out_result);

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

/**
 * Attaches an object to the stored answer of a response, such as one decoded from its body, so that
 * the next hit need not decode it again. The memory level holds it as long as the answer, and
 * responses that came from it hold it, too. A value attached before is released.
 *
 * @param value       Owned by the cache from here on, if the call succeeds.
 * @param size_bytes  Its memory, as estimated: counts against the limit of the memory level.
 * @param release     Called once with `value`, with no lock held: inside the call that drops the
 *                    value, or on a thread of netcore that nothing waits for. It may call any
 *                    function. May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_NOT_FOUND (the response was neither
 *         stored nor served from the cache). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_set_cached_value(netcore_response response, void *value,
                                                             size_t size_bytes,
                                                             netcore_release_fn release);

/**
 * Gets the object attached to the stored answer of a response.
 *
 * @param out_value  Borrowed until the response is released, or another value is attached.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND (there is none), NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_cached_value(netcore_response response,
                                                             void **out_value);

NETCORE_END_DECLS

#endif
