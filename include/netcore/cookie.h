/**
 * Cookies of a client (RFC 6265, with the public suffix list): kept where netcore_client_options.cookies or `cookie_file` says so,
 * and sent with each request but custom ones and those that decline them. A Cookie field of a request's own goes out in place of
 * them. Where a client keeps no cookies, all functions answer NETCORE_ERR_INVALID_STATE.
 */
#ifndef NETCORE_COOKIE_H
#define NETCORE_COOKIE_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** A cookie. Strings end with a NUL byte; name and value are bytes of any kind. */
typedef struct netcore_cookie {
  /** sizeof(netcore_cookie). */
  uint32_t size;
  /** 1: goes to https alone. */
  int32_t is_secure;
  /** 1: not meant for scripts; netcore has none, and keeps the mark. */
  int32_t is_http_only;
  /** 1: goes to the host `domain` alone, not to those below it. */
  int32_t is_host_only;
  /** When it ends, in seconds since 1970-01-01 UTC; -1 for a session cookie. */
  int64_t expires;
  const char *name;
  const char *value;
  /** The host, or the domain, without a dot before it. */
  const char *domain;
  /** Begins with a slash; null means "/" in netcore_client_set_cookie(). */
  const char *path;
} netcore_cookie;

/** Sets whether cookies go with a request and are taken from its answers: 1, the default, or 0. Since 0.1. */
NETCORE_API netcore_status netcore_request_set_use_cookies(netcore_request request, int32_t use_cookies);

/**
 * Sets a cookie of a request's own. It goes beside those of the client's, in place of one of its name, to the origin of the URL
 * alone, and is not kept. A Cookie field of the request's goes in place of all cookies.
 *
 * @param name   Copied. A token.
 * @param value  Copied. No semicolon, no control byte. Null removes the cookie.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_cookie(netcore_request request, const char *name, const char *value);

/**
 * Adds a cookie, in place of one with its name, domain and path.
 *
 * @param cookie  Copied.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT (the message names the member). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_cookie(netcore_client client, const netcore_cookie *cookie);

/** Is called with a cookie, which is borrowed until it returns. Returns 1 to go on, 0 to end the list. It may call any function. */
typedef int32_t (*netcore_cookie_fn)(const netcore_cookie *cookie, void *user_data);

/**
 * Lists the cookies that have not expired, in the order in which they were made. Calls `fn` for each inside this call, on this
 * thread, with no lock held.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_list_cookies(netcore_client client, netcore_cookie_fn fn, void *user_data);

/**
 * Removes cookies.
 *
 * @param domain     Of cookies to remove, as they are kept; null for all.
 * @param path       The same.
 * @param name       The same.
 * @param out_count  How many there were; may be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE, NETCORE_ERR_INVALID_ARGUMENT (not UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_clear_cookies(netcore_client client, const char *domain, const char *path,
                                                        const char *name, uint32_t *out_count);

/** Removes the cookies that have no end of their own, as when a session is over. As netcore_client_clear_cookies(). Since 0.1. */
NETCORE_API netcore_status netcore_client_clear_session_cookies(netcore_client client, uint32_t *out_count);

/**
 * Writes all cookies as text in the format of curl's cookie files.
 *
 * @param text      At most `capacity` bytes, a NUL byte included; may be null when `capacity` is 0.
 * @param out_size  The size of the whole text, without the NUL byte: when it is `capacity` or more, the text was cut.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_export_cookies(netcore_client client, char *text, size_t capacity,
                                                         size_t *out_size);

/**
 * Adds the cookies of a text in the format of curl's cookie files; lines that hold none are skipped.
 *
 * @param out_count  How many lines held one; may be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_import_cookies(netcore_client client, const char *text, size_t size_bytes,
                                                         uint32_t *out_count);

NETCORE_END_DECLS

#endif
