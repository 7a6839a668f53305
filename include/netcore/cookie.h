/**
 * Cookies of a client (RFC 6265, with the public suffix list). A client keeps them if
 * netcore_client_options.cookies or `cookie_file` says so, and sends them with each request, except
 * bare requests and those that decline them (netcore_request_set_use_cookies()). A Cookie field
 * that a request sets itself replaces them. If a client keeps no cookies, the functions for clients
 * return NETCORE_ERR_INVALID_STATE.
 */
#ifndef NETCORE_COOKIE_H
#define NETCORE_COOKIE_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** A cookie. Strings are NUL-terminated; name and value may be bytes of any kind. */
typedef struct netcore_cookie {
  /** In and out: the size of the struct. */
  uint32_t size;
  /** 1: sent only with https. */
  int32_t is_secure;
  /** 1: not meant for scripts. netcore has none, and keeps the mark. */
  int32_t is_http_only;
  /** 1: sent only to the host `domain`, not to its subdomains. */
  int32_t is_host_only;
  /** When it expires, in seconds since 1970-01-01 UTC; -1 for a session cookie. */
  int64_t expires;
  const char *name;
  const char *value;
  /** The host or domain, without a leading dot. */
  const char *domain;
  /** Begins with a slash; in netcore_client_set_cookie() null means "/". */
  const char *path;
} netcore_cookie;

#define NETCORE_COOKIE_INIT NETCORE_INIT(netcore_cookie)

/**
 * Sets whether a request sends cookies of the client, and whether cookies are taken from its
 * answers: 1, the default, or 0.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_use_cookies(netcore_request request,
                                                           int32_t use_cookies);

/**
 * Sets a cookie for one request. Sent in addition to the client's cookies and replaces one of the
 * same name. Sent only to the URL's origin. Never stored. A Cookie field that the request sets
 * replaces all cookies.
 *
 * @param name   Copied. A token.
 * @param value  Copied. No semicolon, no control byte. Null removes the cookie.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_cookie(netcore_request request, const char *name,
                                                      const char *value);

/**
 * Stores a cookie, in place of one with the same name, domain and path.
 *
 * @param cookie  Copied.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE,
 *         NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_INVALID_ARGUMENT (netcore_error.argument names
 *         the member). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_cookie(netcore_client client,
                                                     const netcore_cookie *cookie);

/**
 * Is called with one cookie of a list, which is borrowed until the function returns. It may call
 * any function.
 *
 * @return 1 to go on, 0 to end the list.
 */
typedef int32_t (*netcore_cookie_fn)(const netcore_cookie *cookie, void *user_data);

/**
 * Lists the cookies that have not expired, in the order in which they were created. Calls `fn` for
 * each inside this call, on this thread, with no lock held.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_list_cookies(netcore_client client, netcore_cookie_fn fn,
                                                       void *user_data);

/**
 * Removes the cookies that match every text that is given.
 *
 * @param domain     As it is stored; null for any.
 * @param path       Null for any.
 * @param name       Null for any.
 * @param out_count  How many were removed; may be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE,
 *         NETCORE_ERR_INVALID_ARGUMENT (not UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_clear_cookies(netcore_client client, const char *domain,
                                                        const char *path, const char *name,
                                                        uint32_t *out_count);

/**
 * Removes the session cookies: those that have no expiry time.
 *
 * @param out_count  How many were removed; may be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_clear_session_cookies(netcore_client client,
                                                                uint32_t *out_count);

/**
 * Writes all cookies as text, in the format of curl's cookie files.
 *
 * @param text      Receives the text, cut to `capacity` bytes including a NUL byte; may be null if
 *                  `capacity` is 0.
 * @param out_size  The size of the whole text without the NUL byte: the text was cut if this is
 *                  `capacity` or more.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_export_cookies(netcore_client client, char *text,
                                                         size_t capacity, size_t *out_size);

/**
 * Stores the cookies of a text in the format of curl's cookie files. Lines that hold none are
 * skipped.
 *
 * @param out_count  How many lines held one; may be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_import_cookies(netcore_client client, const char *text,
                                                         size_t size_bytes, uint32_t *out_count);

NETCORE_END_DECLS

#endif
