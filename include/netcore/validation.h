/**
 * What an answer must be like to be a success. By default each whole answer is one, whatever its
 * status code. A request, or the defaults of a client (netcore_client_set_request_defaults()), can
 * ask for more: status codes, media types, the digest of the body, the shape of a JSON body, the
 * verdict of a function. They are checked in this order.
 *
 * An answer that does not pass ends its task with a NETCORE_ERR_REJECTED status, or
 * NETCORE_ERR_INTEGRITY. The response of the task still has it: status code, fields and body
 * (netcore_response_get_info()). It is judged before a cache stores it, so that none is stored that
 * fails; an answer that a cache serves is judged as well. Retries, redirects and challenges see the
 * status code as it came. A streamed response (netcore/stream.h) is judged by its status code and
 * media type before its head is shown, and by the digest at the end of its body. Provisional
 * responses, netcore_client_get_cached(), downloads and event sources are not judged by these
 * rules.
 */
#ifndef NETCORE_VALIDATION_H
#define NETCORE_VALIDATION_H

#include "base.h"
#include "response.h"

NETCORE_BEGIN_DECLS

/**
 * Sets the status codes that are a success. Any other one ends the task with
 * NETCORE_ERR_REJECTED_STATUS.
 *
 * @param statuses  Copied. Status codes, ranges and classes between commas: "2xx,304,410-412".
 *                  Empty for "2xx". Null, the default, for all.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (another text, or a
 *         code that is not from 100 to 599). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_accepted_statuses(netcore_request request,
                                                                 const char *statuses);

/**
 * Sets the media types that are a success. Any other one, and a missing Content-Type, ends the task
 * with NETCORE_ERR_REJECTED_CONTENT_TYPE, except for the status codes 204 and 205.
 *
 * @param types  Copied. Media types without parameters between commas, compared without case, such
 *               as "application/json,image/png". A star as the subtype stands for any one, and a
 *               star with a suffix, as in "*+json", for any one that ends so. Null, the default,
 *               for any.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not media types, or
 *         not UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_accepted_content_types(netcore_request request,
                                                                      const char *types);

/**
 * Computes the SHA-256 digest of the body (netcore_response_info.body_sha256) as it is delivered,
 * decoded, and checks it against what the server says: Content-Digest and, for status code 200,
 * Repr-Digest (RFC 9530), in the header or trailer section. These are digests of the body as it was
 * sent; for one that came with a Content-Encoding they are not checked, nor for an empty one.
 * Another digest ends the task with NETCORE_ERR_INTEGRITY; the error of a streamed response follows
 * its last byte. A download takes it where its netcore_download_options name no digest.
 *
 * @param sha256  Copied. 64 hexadecimal digits that the digest must also be; empty to check only
 *                what the server says. Null, the default, computes no digest.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (another text).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body_sha256(netcore_request request,
                                                           const char *sha256);

/**
 * Sets what the JSON of the body must look like. Any other body ends the task with
 * NETCORE_ERR_REJECTED_JSON; netcore_error.argument is then the first place that does not match.
 *
 * The template is JSON: {"id": "integer", "tags": ["string"], "next": "string?", "owner?": {"name":
 * "string"}}. A string names the types that the value may have: "string", "number", "integer",
 * "boolean", "object", "array", "null" or "any", several with "|" in between. With "?" at its end
 * the value may also be null, and the member may be missing. An object has the members of the
 * template, and any others; a name with "?" at its end is that of a member that may be missing or
 * null. An array with one element is an array whose elements all look like that; an empty one is
 * any array.
 *
 * @param shape  Copied. Null, the default, for any body.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not such a
 *         template; netcore_last_error_message() has the place). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_json_shape(netcore_request request,
                                                          const char *shape);

/**
 * Judges an answer that passes the other rules.
 *
 * Functions of a client run one at a time on a thread of the client. Their time counts toward the
 * total timeout. One may use the client, except to wait for a request that has such a function
 * itself.
 *
 * @param response  Borrowed until the function returns.
 * @return NETCORE_OK to accept it. A status of the application's own (2000 to 2999) is what the
 *         task ends with; any other one rejects it with NETCORE_ERR_REJECTED.
 */
typedef netcore_status (*netcore_validate_fn)(netcore_response response, void *user_data);

/**
 * Sets a function that judges answers.
 *
 * @param fn         Null, the default, for none.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    Called once when neither the request nor a task of it needs the function any
 *                   more. May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_validator(netcore_request request,
                                                         netcore_validate_fn fn, void *user_data,
                                                         netcore_release_fn release);

/**
 * Sets whether members of JSON objects that are null are taken out of the body, at any depth, with
 * the white space between values: 0, the default, or 1. A body that is not JSON stays as it is. A
 * cache stores the body as it came, and the body of a streamed response is not changed.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_drop_nulls(netcore_request request,
                                                          int32_t drop_nulls);

NETCORE_END_DECLS

#endif
