/**
 * Caches: stored answers in two levels, memory and disk, served by the rules of RFC 9111 and by those of the application.
 *
 * A cache is made once and given to clients (netcore_client_options.cache). From then on it takes part in each of their
 * requests; requests say how by a mode and by what they set here. Nothing on disk can make a request fail: what is
 * damaged is set aside or dropped, and the answer comes from the origin.
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
  NETCORE_CACHE_STANDARD = 0,
  /** The cache takes no part: nothing is read or stored, and what is stored stays. */
  NETCORE_CACHE_IGNORE = 1,
  /** Nothing is read; the answer is stored. */
  NETCORE_CACHE_RELOAD = 2,
  /** Only what is stored, fresh or stale; without it a 504 of the cache's own. */
  NETCORE_CACHE_ONLY = 3,
  /** What is stored, fresh or stale; without it the network. */
  NETCORE_CACHE_ELSE_NETWORK = 4,
  /** The network; what is stored, fresh or stale, when the origin is out of reach or answers 500, 502, 503 or 504. */
  NETCORE_NETWORK_ELSE_CACHE = 5,
  /** First what is stored, as a completion of kind NETCORE_COMPLETION_PROVISIONAL, then the answer of the network as the
   *  terminal one. Blocking calls get the latter alone. */
  NETCORE_CACHE_THEN_NETWORK = 6,
  /** Nothing is read or stored, and what is stored is removed. */
  NETCORE_CACHE_NEVER = 7
};

/** What the cache did for a response: netcore_response_info.cache_result. From 10 on: why the origin was asked. */
typedef int32_t netcore_cache_result;
enum {
  NETCORE_CACHE_RESULT_NONE = 0,                 /**< no cache took part */
  NETCORE_CACHE_RESULT_HIT = 1,                  /**< served fresh */
  NETCORE_CACHE_RESULT_STALE_HIT = 2,            /**< served stale, as its directives or the request allow */
  NETCORE_CACHE_RESULT_REVALIDATED = 3,          /**< served after the origin confirmed it with a 304 */
  NETCORE_CACHE_RESULT_UNSATISFIABLE = 4,        /**< a 504 of the cache's own */
  NETCORE_CACHE_RESULT_NOT_CACHED = 10,          /**< nothing was stored */
  NETCORE_CACHE_RESULT_EXPIRED = 11,             /**< what was stored had expired */
  NETCORE_CACHE_RESULT_VERSION = 12,             /**< what was stored had another version number */
  NETCORE_CACHE_RESULT_SCOPE = 13,               /**< what was stored belongs to another scope */
  NETCORE_CACHE_RESULT_APPLICATION_VERSION = 14, /**< another version of the application stored it */
  NETCORE_CACHE_RESULT_DAMAGED = 15,             /**< what was stored was damaged */
  NETCORE_CACHE_RESULT_VARIANT = 16,             /**< what was stored answers other request fields (Vary) */
  NETCORE_CACHE_RESULT_REQUESTED = 17,           /**< the request asked for it */
  NETCORE_CACHE_RESULT_PASSED = 18               /**< the method, a condition or a range is the origin's to answer */
};

/** What happened to the disk level. None of it is an error of a request. */
typedef int32_t netcore_cache_event_kind;
enum {
  NETCORE_CACHE_EVENT_SET_ASIDE = 1,       /**< the database was renamed to `path`; a fresh one began */
  NETCORE_CACHE_EVENT_STORING_STOPPED = 2, /**< nothing is stored for now: full, read-only, or failing disk */
  NETCORE_CACHE_EVENT_STORING_RESUMED = 3, /**< storing works again */
  NETCORE_CACHE_EVENT_DAMAGED_ENTRY = 4    /**< a stored answer, of the URL in `path`, was damaged and removed */
};

/** An event. Strings are borrowed until the callback returns; "" where there is none. */
typedef struct netcore_cache_event {
  /** sizeof(netcore_cache_event), filled in by netcore. */
  uint32_t size;
  netcore_cache_event_kind kind;
  const char *path;
  const char *reason;
} netcore_cache_event;

/** Is notified of events, one after the other, on a thread of the cache that runs nothing else (`netcore-event`). It may call
 *  any function, and may block. netcore_cache_create(), netcore_cache_flush() and the end of the cache wait until it has
 *  returned, unless they are called inside a callback. */
typedef void (*netcore_cache_event_fn)(const netcore_cache_event *event, void *user_data);

/** A time to live for all URLs that match a pattern. */
typedef struct netcore_cache_rule {
  /** A pattern as of fnmatch() for whole URLs without their fragment: "*" and "?" match any characters, "/" included; a
   *  backslash before one of "*?[" takes it as it is. Copied. */
  const char *url_pattern;
  uint64_t ttl_ms;
} netcore_cache_rule;

/** A request as the functions of a cache see it. All of it is borrowed until the function returns. */
typedef struct netcore_cache_request {
  /** sizeof(netcore_cache_request), filled in by netcore. */
  uint32_t size;
  /** Reserved, 0. */
  uint32_t reserved;
  const char *method;
  /** Without user name, password and fragment. */
  const char *url;
  netcore_bytes body;
  /** All fields that go out: for each its name, a NUL byte, its value, a NUL byte. */
  netcore_bytes headers;
} netcore_cache_request;

/**
 * Writes a text for a request, by the contract of NETCORE_TEXT_NONE (netcore/base.h). Runs once for each form of a request, on the
 * thread that dispatches it; for the next hop of a redirect on the client's I/O thread, which it must not hold up. It must call no
 * function of netcore.
 */
typedef int32_t (*netcore_cache_text_fn)(const netcore_cache_request *request, char *text, size_t capacity,
                                         void *user_data);

/** Options of a cache. Zero or null means the default. Strings are copied. */
typedef struct netcore_cache_options {
  /** sizeof(netcore_cache_options). */
  uint32_t size;
  /** 1: answers go to more than one user, and the rules for shared caches hold (RFC 9111 section 1.2). Default 0: what was
   *  sent for a request with credentials is served to requests with the same credentials only. */
  int32_t is_shared;
  /** 1: only requests with a time to live, of their own or by a rule, use the cache. Default 0: RFC 9111 rules where there is
   *  none. */
  int32_t ttl_only;
  /** 1: an answer is on disk before its task ends. Default 0: it is written soon after. */
  int32_t writes_synchronously;
  /** 1: what is stale may be served, unless it forbids that, when the origin is out of reach. Default 0: only with
   *  stale-if-error (RFC 5861). */
  int32_t serves_stale_when_disconnected;
  /** Reserved, 0. */
  uint32_t reserved;
  /** The folder of the disk level, made with mode 0700 when it is not there. Null: memory only. Several processes may
   *  share one. Files in it that are not the cache's are left alone. */
  const char *folder;
  /** Bytes that the memory level may take. Default 20 MiB. */
  uint64_t memory_bytes;
  /** Answers that it may hold. Default: any number. */
  uint64_t memory_count;
  /** Bytes that the disk level may take. Default 200 MiB. */
  uint64_t disk_bytes;
  /** Answers that it may hold. Default: any number. */
  uint64_t disk_count;
  /** What another version of the application stored is not used. Default "". */
  const char *application_version;
  /** An array of `rule_count` rules; the first that matches counts. A request's own time to live wins. */
  const netcore_cache_rule *rules;
  size_t rule_count;
  /** sizeof(netcore_cache_rule), where there are any. */
  size_t rule_size;
  /** The key for a request, in place of method, URL, body and fields; null, or a negative result, for the usual one. What
   *  netcore_request_set_cache_key() sets wins. */
  netcore_cache_text_fn key;
  /** The folder of the disk level for a request; null, or a negative result, for `folder`. At most 64 are used: answers of
   *  further ones stay in memory. The limits hold for each. */
  netcore_cache_text_fn folder_for_request;
  /** Hears of events; null for none. */
  netcore_cache_event_fn on_event;
  /** For the functions above. Must stay valid until `release(user_data)` is called. */
  void *user_data;
  /** May be null. */
  netcore_release_fn release;
} netcore_cache_options;

/**
 * Creates a cache and opens its disk level. What cannot be used there is set aside; if no folder can be used at all, the
 * cache goes on in memory, with an event.
 *
 * NETCORE_ERR_INVALID_ARGUMENT also when the folder's path is too long for the system, and when a file is in the place of
 * the folder or of one above it.
 *
 * @param options    Null for all defaults.
 * @param out_cache  Owned by the caller; release with netcore_cache_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT, NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_create(const netcore_cache_options *options, netcore_cache *out_cache);

/**
 * Releases a cache. Clients that were given it keep it: it ends with the last of them, when all is written to disk. That is
 * before the call returns which released the last of the two, but for netcore_client_destroy() inside a callback, which does
 * not wait.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_destroy(netcore_cache cache);

/** Sets how a request uses the cache. Default NETCORE_CACHE_STANDARD.
 *  @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_cache_mode(netcore_request request, netcore_cache_mode mode);

/**
 * Sets how long an answer to the request is fresh, in milliseconds from when it came, whatever its fields say. Answers of
 * any method are then stored, under a key of method, URL with its parameters in order of their names, body, and the fields
 * of netcore_request_add_cache_key_field(). Only answers below 400 are stored, unless
 * netcore_request_set_cache_errors() asks for errors too. UINT64_MAX, the default, leaves freshness to the answer's fields.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_cache_ttl_ms(netcore_request request, uint64_t ttl_ms);

/** Sets whether a time to live keeps errors too: 1 keeps answers of status 400 and above, except 412 and 416. Default 0: it keeps
 *  answers below 400 only, whatever their fields say. Has no effect without a time to live.
 *  @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1). Since 0.1. */
NETCORE_API netcore_status netcore_request_set_cache_errors(netcore_request request, int32_t keep);

/** Sets to whom the answer belongs, such as a user's id: what belongs to one scope is never served to another. Null or "",
 *  the default: in a private cache to those who send the same credentials (Authorization), or none.
 *  @return As netcore_request_set_cache_mode(). Since 0.1. */
NETCORE_API netcore_status netcore_request_set_cache_scope(netcore_request request, const char *scope);

/** Sets a version number: what was stored with another one is not used. Default 0.
 *  @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_cache_version(netcore_request request, uint32_t version);

/** Sets the key in place of method, URL and body. Null, the default: none.
 *  @return As netcore_request_set_cache_mode(). Since 0.1. */
NETCORE_API netcore_status netcore_request_set_cache_key(netcore_request request, const char *key);

/** Adds a request field to the key, by its name. Counts with a time to live only: without one, Vary decides. Fields that the
 *  request does not have count as absent.
 *  @return As netcore_request_set_cache_mode(), or NETCORE_ERR_INVALID_HEADER. Since 0.1. */
NETCORE_API netcore_status netcore_request_add_cache_key_field(netcore_request request, const char *name);

/**
 * Gets what is stored for a request, fresh or stale, without sending anything. Blocks while it reads from disk.
 *
 * @param out_response  Owned by the caller; release with netcore_response_release(). Its `cache_result` is
 *                      NETCORE_CACHE_RESULT_HIT or NETCORE_CACHE_RESULT_STALE_HIT.
 * @param out_result    Why nothing was found, or as in the response. May be null.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STATE (the client has no cache), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_cached(netcore_client client, netcore_request request,
                                                     netcore_response *out_response, netcore_cache_result *out_result);

/** Which stored answers to clear. */
typedef int32_t netcore_cache_filter;
enum {
  NETCORE_CACHE_CLEAR_ALL = 0,
  NETCORE_CACHE_CLEAR_URL = 1,    /**< of a URL, without its fragment */
  NETCORE_CACHE_CLEAR_PREFIX = 2, /**< of all URLs that begin so */
  NETCORE_CACHE_CLEAR_TAG = 3,    /**< of all requests with a tag (netcore_request_set_tag()) */
  NETCORE_CACHE_CLEAR_SCOPE = 4   /**< that belong to a scope */
};

/**
 * Removes stored answers from both levels. They are not served from now on; the disk is cleared soon.
 *
 * @param value  What the filter compares with; null for NETCORE_CACHE_CLEAR_ALL.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_clear(netcore_cache cache, netcore_cache_filter filter, const char *value);

/** Limits of a cache that can be changed. */
typedef int32_t netcore_cache_limit;
enum {
  NETCORE_CACHE_LIMIT_MEMORY_BYTES = 1,
  NETCORE_CACHE_LIMIT_MEMORY_COUNT = 2,
  NETCORE_CACHE_LIMIT_DISK_BYTES = 3,
  NETCORE_CACHE_LIMIT_DISK_COUNT = 4
};

/** Changes a limit; what is beyond it is evicted. @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE,
 *  NETCORE_ERR_INVALID_ARGUMENT. Since 0.1. */
NETCORE_API netcore_status netcore_cache_set_limit(netcore_cache cache, netcore_cache_limit limit, uint64_t value);

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
  /** Answers taken in. */
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

/** Gets the statistics of a cache. @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *  NETCORE_ERR_INVALID_STRUCT. Since 0.1. */
NETCORE_API netcore_status netcore_cache_get_statistics(netcore_cache cache, netcore_cache_statistics *out_statistics);

/** One stored answer. Strings are borrowed until the callback returns. Times are milliseconds since 1970. */
typedef struct netcore_cache_entry {
  /** sizeof(netcore_cache_entry), filled in by netcore. */
  uint32_t size;
  /** Reserved, 0. */
  uint32_t reserved;
  const char *url;
  const char *tag;
  const char *scope;
  /** As counted against the limit. */
  uint64_t size_bytes;
  uint64_t body_bytes;
  /** When it came or was confirmed last, and until when it is fresh. */
  int64_t stored_at_ms;
  int64_t fresh_until_ms;
  /** How often it was served from disk. */
  uint64_t hits;
} netcore_cache_entry;

/** Hears of one stored answer. Returns 1 to go on, 0 to end the list. It may call any function. */
typedef int32_t (*netcore_cache_entry_fn)(const netcore_cache_entry *entry, void *user_data);

/**
 * Lists what is stored, in no particular order: on disk, or in memory for a cache without a folder. Calls `fn` for each
 * answer before it returns, on this thread. Blocks while it reads from disk.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_cache_list(netcore_cache cache, netcore_cache_entry_fn fn, void *user_data);

/** Waits until all that is to be written is on disk, and the events of it have been reported. @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1. */
NETCORE_API netcore_status netcore_cache_flush(netcore_cache cache);

/**
 * Attaches to the stored answer behind a response an object that the caller decoded from its body, so that the next hit
 * need not decode it again. It is held by the memory level as long as the answer, and by responses that came from it; the
 * value that was there before is released.
 *
 * @param value       Owned by the cache from here on, if the call succeeds.
 * @param release     Called once with `value`, with no lock held: inside the call that drops the value, or on a thread of netcore
 *                    that nothing waits for. It may call any function. May be null.
 * @param size_bytes  Its memory, as estimated: counts against the limit of the memory level.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_NOT_FOUND (the response was neither stored nor served from
 *         the cache). Since 0.1.
 */
NETCORE_API netcore_status netcore_response_set_cached_value(netcore_response response, void *value, size_t size_bytes,
                                                             netcore_release_fn release);

/**
 * Gets the value attached to the stored answer behind a response.
 *
 * @param out_value  Borrowed until the response is released, or another value is attached.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND (there is none), NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT.
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_response_get_cached_value(netcore_response response, void **out_value);

NETCORE_END_DECLS

#endif
