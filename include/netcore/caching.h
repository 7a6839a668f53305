/**
 * How requests use the cache of their client (netcore/cache.h), and what responses tell of it.
 */
#ifndef NETCORE_CACHING_H
#define NETCORE_CACHING_H

#include "base.h"

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

/**
 * Adds a tag whose stored answers the client's cache loses when the request succeeds: without an
 * error, and with a status from 200 to 399. They are gone as after netcore_cache_clear() before the
 * request's completion is delivered; one that is there already is not added. So a request that
 * changes something on the server lets others that show it be asked for anew, whatever their URLs:
 *
 *     netcore_request_add_tag(show, "post:7");
 *     netcore_request_add_invalidated_tag(edit, "post:7");
 *
 * Nothing happens without a cache.
 *
 * @param tag  Copied.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8,
 *         empty, or with the control character U+001F). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_invalidated_tag(netcore_request request,
                                                               const char *tag);

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
