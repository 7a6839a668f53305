/**
 * Requests: what to send. A request belongs to no client and may be dispatched many times, by
 * several clients. Each dispatch takes a snapshot: later changes, and destroy, do not affect tasks
 * already made.
 *
 * What is sent is set here and in netcore/param.h and netcore/body.h, how it is sent in
 * netcore/transfer.h, auth.h, cookie.h and caching.h. netcore/request_info.h reads all of it.
 */
#ifndef NETCORE_REQUEST_H
#define NETCORE_REQUEST_H

#include "base.h"

NETCORE_BEGIN_DECLS

/**
 * Creates a request without headers or body.
 *
 * @param method  Copied. Any token (RFC 9110 section 5.6.2), sent as given: "GET", "POST",
 *                "PROPFIND". Methods are case-sensitive. CONNECT is refused.
 * @param url     Copied. An absolute http or https URL (RFC 3986). Spaces and bytes above 0x7F are
 *                percent-encoded; a fragment is kept for the final URL and not sent. A user name
 *                and password are sent as Basic authorization, unless the request has an
 *                Authorization field.
 * @param out_request  Owned by the caller; release with netcore_request_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null, or not UTF-8),
 *         NETCORE_ERR_INVALID_METHOD, NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME,
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_create(const char *method, const char *url,
                                                  netcore_request *out_request);

/**
 * Creates a request whose URL is relative to the base URL of a service of the client that sends it
 * (netcore/service.h), or to its own base URL. The two are joined when the request is dispatched. A
 * base URL is a folder, with or without a slash at its end: below "https://example.com/api",
 * "users" and "/users" are both "https://example.com/api/users". Otherwise RFC 3986 section 5
 * applies: "../users" is "https://example.com/users", and "?a" and "" keep the path of the base. A
 * dispatch by a client without a service fails with NETCORE_ERR_INVALID_URL.
 *
 * @param service    The name of the service; null for the one that the client has selected.
 * @param reference  Copied. A relative reference, without scheme and host; names in braces are
 *                   replaced by netcore_request_set_path_value().
 * @return As netcore_request_create(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_create_relative(const char *method, const char *service,
                                                           const char *reference,
                                                           netcore_request *out_request);

/**
 * Creates a copy of a request, with everything that was set on it.
 *
 * @param out_request  Owned by the caller; release with netcore_request_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_copy(netcore_request request,
                                                netcore_request *out_request);

/**
 * Destroys a request. Tasks already made from it go on.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_destroy(netcore_request request);

/**
 * Sets the method, as in netcore_request_create().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_INVALID_METHOD. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_method(netcore_request request, const char *method);

/**
 * Sets the URL, as in netcore_request_create().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_url(netcore_request request, const char *url);

/**
 * Sets a base URL for a relative request, in place of a service's.
 *
 * @param base_url  Copied. Absolute; null for none.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not UTF-8),
 *         NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_base_url(netcore_request request,
                                                        const char *base_url);

/**
 * Sets whether the service's URL for a CDN is the base, if it has one: 0, the default, or 1.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_use_cdn(netcore_request request, int32_t use_cdn);

/**
 * Sets whether an http URL becomes an https one: 0, the default, or 1. Port 80 becomes 443; any
 * other port stays.
 *
 * @return As netcore_request_set_use_cdn(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_use_https(netcore_request request,
                                                         int32_t use_https);

/**
 * Sets whether the request is bare: sent without the client's additions (default fields and
 * parameters, filters, tokens, cookies). 0, the default, or 1. The URL of a bare request must be
 * absolute, or relative to a base URL of its own.
 *
 * @return As netcore_request_set_use_cdn(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_bare(netcore_request request, int32_t is_bare);

/**
 * Gives a value to a name in braces in the request's URL, such as "/users/{id}". It goes in as one
 * path segment, percent-encoded. A dispatch fails with NETCORE_ERR_INVALID_URL if a name has no
 * value or a value has no name. Without any value there is no template, and braces stay as they
 * are.
 *
 * @param name   Letters, digits and "_".
 * @param value  Not empty, "." or "..".
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_path_value(netcore_request request, const char *name,
                                                          const char *value);

/**
 * Sets a header field, in place of all fields of that name (compared without case).
 *
 * Fields are sent in the order in which they were first set or added. Content-Length and
 * Transfer-Encoding follow from the body and are refused. A Host, User-Agent, Accept or
 * Accept-Encoding given here replaces netcore's own; an empty value sends the field empty.
 *
 * @param name   Copied. A token (RFC 9110 section 5.1).
 * @param value  Copied. Any bytes except controls other than tab (RFC 9110 section 5.5); white
 *               space around it is removed.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_header(netcore_request request, const char *name,
                                                      const char *value);

/**
 * Adds a header field after those already there, also if there is one of that name.
 *
 * @return As netcore_request_set_header(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_header(netcore_request request, const char *name,
                                                      const char *value);

/**
 * Removes all header fields of a name from a request. Succeeds if there is none.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_remove_header(netcore_request request, const char *name);

/**
 * Keeps a default header field of the client (netcore/service.h) from being added to this request;
 * also its User-Agent and Accept-Encoding.
 *
 * @return As netcore_request_set_header(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_remove_default_header(netcore_request request,
                                                                 const char *name);

/**
 * Sets the body. A request with a body sends Content-Length; one without sends it (as 0) only for
 * POST, PUT and PATCH. No Content-Type is added (netcore_request_set_content_type()).
 *
 * @param data        Copied. May be null if `size_bytes` is 0: the body is then removed.
 * @param size_bytes  At most 2^40.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body(netcore_request request, const void *data,
                                                    size_t size_bytes);

/**
 * Sets the media type of the body. It is sent as Content-Type, unless the request has that field or
 * the client adds it (netcore_client_set_header()). Multipart bodies have a type of their own.
 *
 * @param content_type  Copied. As in netcore_request_set_header(); null, the default, for none.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_content_type(netcore_request request,
                                                            const char *content_type);

NETCORE_END_DECLS

#endif
