/**
 * Who sends a request: credentials of a request, bearer tokens that a function of the host's gives, and answers to challenges.
 * Credentials go to the origin that they are for alone: a redirect to another one leaves them behind.
 */
#ifndef NETCORE_AUTH_H
#define NETCORE_AUTH_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** How credentials are sent. */
typedef int32_t netcore_auth;
enum {
  NETCORE_AUTH_NONE = 0,
  NETCORE_AUTH_BASIC = 1,  /**< RFC 7617 */
  NETCORE_AUTH_BEARER = 2, /**< RFC 6750; the token is the password */
  NETCORE_AUTH_DIGEST = 3, /**< RFC 7616: asks first, and sends the request again behind the 401 */
  /** RFC 4559, with the Kerberos ticket of the process's user; a connection for each request */
  NETCORE_AUTH_NEGOTIATE = 4
};

/**
 * Sets the credentials of a request. They win over those of its URL; an Authorization field of its own wins over all.
 *
 * @param user      Copied. Null for NETCORE_AUTH_NONE, NETCORE_AUTH_BEARER and NETCORE_AUTH_NEGOTIATE. No colon for
 *                  NETCORE_AUTH_BASIC.
 * @param password  Copied; for NETCORE_AUTH_BEARER the token. Null for NETCORE_AUTH_NONE and NETCORE_AUTH_NEGOTIATE.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (an unknown `auth`, null, not UTF-8, a control
 *         byte). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_auth(netcore_request request, netcore_auth auth, const char *user,
                                                    const char *password);

/**
 * Writes a bearer token, by the contract of NETCORE_TEXT_NONE (netcore/base.h): without one, the requests that wait go out without,
 * or end with the 401 that they met. The first `capacity` is 65,536, so that one call is enough for almost any token.
 * What is not UTF-8, or no token, is NETCORE_ERR_REFUSED or NETCORE_ERR_INVALID_ARGUMENT for these requests.
 *
 * @param refused_token  The token that a server answered with 401; null where there was none.
 */
typedef int32_t (*netcore_token_fn)(const char *refused_token, char *token, size_t capacity, void *user_data);

/**
 * Sets where bearer tokens for an origin come from. Requests to it have "Authorization: Bearer" and the token, but custom ones and
 * those with credentials of their own. A 401 asks the function for another token: once, for all requests that the old one
 * failed, and each of them is sent again once.
 *
 * @param origin     A URL, of which scheme, host and port count.
 * @param fn         Runs on a thread of the client's, one at a time. It may block, and perform custom requests
 *                   (netcore_request_set_custom()) by the same client. Null removes the source.
 * @param user_data  Handed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, or not UTF-8), NETCORE_ERR_INVALID_URL,
 *         NETCORE_ERR_INVALID_SCHEME. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_token_source(netcore_client client, const char *origin,
                                                           netcore_token_fn fn, void *user_data,
                                                           netcore_release_fn release);

/** A 401 that somebody has to answer (RFC 9110 section 11.6.1). */
typedef struct netcore_challenge {
  /** sizeof(netcore_challenge). */
  uint32_t size;
  /** How often this was asked for the request before: 0, 1 or 2. */
  uint32_t failures;
  /** The URL, without user name and password. */
  const char *url;
  /** The scheme to use: the strongest that the server offers and netcore speaks; NETCORE_AUTH_NONE for none of them. */
  netcore_auth auth;
  /** Its realm; "" where the server names none. */
  const char *realm;
} netcore_challenge;

/**
 * Gives credentials for a challenge: by netcore_request_set_auth() on `answer`. Without that the 401 is handed to the caller.
 *
 * @param challenge  Borrowed until the function returns.
 * @param answer     A request to set the credentials on; valid until the function returns.
 * @return NETCORE_OK; any other status ends the task with it, as for netcore_filter_fn.
 */
typedef netcore_status (*netcore_challenge_fn)(const netcore_challenge *challenge, netcore_request answer,
                                               void *user_data);

/**
 * Sets who answers challenges that requests of a client meet, but custom ones and those with an Authorization field of their own:
 * the request is sent again with what it gives, also to where the same origin redirects it. Asked at most three times for each
 * request to an origin. Runs where token functions do (netcore_client_set_token_source()).
 *
 * @param fn         Null for nobody.
 * @param user_data  Handed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_challenge_function(netcore_client client, netcore_challenge_fn fn,
                                                                 void *user_data, netcore_release_fn release);

NETCORE_END_DECLS

#endif
