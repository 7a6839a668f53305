/**
 * Authentication: credentials of a request, bearer tokens given by a function of the application,
 * and answers to challenges. Credentials are sent only to the origin that they are for; a redirect
 * to another origin drops them.
 */
#ifndef NETCORE_AUTH_H
#define NETCORE_AUTH_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** How credentials are sent. */
typedef int32_t netcore_auth;
enum {
  NETCORE_AUTH_NONE = 0,
  /** RFC 7617. */
  NETCORE_AUTH_BASIC = 1,
  /** RFC 6750. The token is the password. */
  NETCORE_AUTH_BEARER = 2,
  /** RFC 7616. The request is sent again after the 401. */
  NETCORE_AUTH_DIGEST = 3,
  /** RFC 4559, with the Kerberos ticket of the process's user. Each request has its own
   *  connection. */
  NETCORE_AUTH_NEGOTIATE = 4
};

/**
 * Sets the credentials of a request. They win over those in its URL; an Authorization field that
 * the request sets itself wins over both.
 *
 * @param user      Copied. Null for NETCORE_AUTH_NONE, NETCORE_AUTH_BEARER and
 *                  NETCORE_AUTH_NEGOTIATE. No colon for NETCORE_AUTH_BASIC.
 * @param password  Copied; the token for NETCORE_AUTH_BEARER. Null for NETCORE_AUTH_NONE and
 *                  NETCORE_AUTH_NEGOTIATE.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a netcore_auth
 *         value, null, not UTF-8, a control byte). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_auth(netcore_request request, netcore_auth auth,
                                                    const char *user, const char *password);

/**
 * Writes a bearer token; see NETCORE_TEXT_NONE (netcore/base.h) for the contract. The first
 * `capacity` is 65,536, so that one call is enough for almost any token. Without a token, waiting
 * requests go out without one, or end with the 401 that they received. If the text is not a token,
 * they end with NETCORE_ERR_INVALID_ARGUMENT; if it is not UTF-8, with NETCORE_ERR_REFUSED.
 *
 * @param refused_token  The token that a server rejected with a 401; null if there was none.
 */
typedef int32_t (*netcore_token_fn)(const char *refused_token, char *token, size_t capacity,
                                    void *user_data);

/**
 * Sets the function that gives bearer tokens for an origin. Requests to it are sent with
 * "Authorization: Bearer" and the token, except bare requests and those with their own credentials.
 * After a 401 the function is asked once for another token, for all requests that the old one
 * failed, and each of them is sent again once.
 *
 * @param origin     A URL, of which scheme, host and port count.
 * @param fn         Runs on a thread of the client, one call at a time. It may block, and may
 *                   perform bare requests (netcore_request_set_bare()) with the same client. Null
 *                   removes the source.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, or not
 *         UTF-8), NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_token_source(netcore_client client,
                                                           const char *origin, netcore_token_fn fn,
                                                           void *user_data,
                                                           netcore_release_fn release);

/** A 401 that needs credentials (RFC 9110 section 11.6.1). */
typedef struct netcore_challenge {
  /** The size of the struct, filled in by netcore. */
  uint32_t size;
  /** How often this was asked for the request before: 0, 1 or 2. */
  uint32_t failures;
  /** The URL, without user name and password. */
  const char *url;
  /** The scheme to use: the strongest that both the server and netcore support; NETCORE_AUTH_NONE
   *  if there is none. */
  netcore_auth auth;
  /** The realm; "" if the server names none. */
  const char *realm;
} netcore_challenge;

/**
 * Gives credentials for a challenge, by netcore_request_set_auth() on `answer`. Without that, the
 * 401 is the response.
 *
 * @param challenge  Borrowed until the function returns.
 * @param answer     A request to set the credentials on. Borrowed until the function returns.
 * @return NETCORE_OK; any other status ends the task with it, as for netcore_filter_fn.
 */
typedef netcore_status (*netcore_challenge_fn)(const netcore_challenge *challenge,
                                               netcore_request answer, void *user_data);

/**
 * Sets the function that answers challenges to requests of a client, except bare requests and those
 * that set an Authorization field. The request is sent again with the credentials given, also where
 * the same origin redirects it. Called at most three times per request and origin, on the thread of
 * token functions (netcore_client_set_token_source()).
 *
 * @param fn         Null for none.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_challenge_function(netcore_client client,
                                                                 netcore_challenge_fn fn,
                                                                 void *user_data,
                                                                 netcore_release_fn release);

NETCORE_END_DECLS

#endif
