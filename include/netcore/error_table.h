/**
 * Application codes: what an application shows to people and decides by, in place of the many
 * statuses of netcore/error.h.
 *
 * Each error has one, as netcore_error.application_code. Below NETCORE_APPLICATION_CODE_FIRST it is
 * a general one, which follows from the status; from there on it is one of the application's. Those
 * are given to answers by the error table of a request, such as {"code": 301} in a body, or by a
 * filter or validator that returns a status of the application's own.
 *
 * Each code has a message for people, as netcore_error.user_message: that of the table, or that of
 * the catalogue, which the application replaces and translates. A catalogue is the process's.
 *
 * Any thread may call these functions.
 */
#ifndef NETCORE_ERROR_TABLE_H
#define NETCORE_ERROR_TABLE_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** General codes. Later versions may add some: treat an unknown one as
 *  NETCORE_APPLICATION_CODE_DEFAULT. */
typedef int32_t netcore_application_code;
enum {
  NETCORE_APPLICATION_CODE_NONE = 0, /**< nothing failed */
  /** None of the others. */
  NETCORE_APPLICATION_CODE_DEFAULT = 1,
  /** The server took too long; also the status codes 408 and 504. */
  NETCORE_APPLICATION_CODE_TIMEOUT = 2,
  /** The server cannot be reached, or the connection was lost. */
  NETCORE_APPLICATION_CODE_CANNOT_CONNECT = 3,
  NETCORE_APPLICATION_CODE_NO_NETWORK = 4,
  NETCORE_APPLICATION_CODE_CANCELED = 5,
  NETCORE_APPLICATION_CODE_NO_DATA = 6,
  NETCORE_APPLICATION_CODE_NO_MORE_DATA = 7,
  /** The server says so (401, 403), a function of the application refused the request, or the
   *  request does not allow the network at hand. */
  NETCORE_APPLICATION_CODE_NOT_ALLOWED = 8,
  /** The status codes 404 and 410. */
  NETCORE_APPLICATION_CODE_NOT_FOUND = 9,
  /** Other status codes from 500 on, and a server that is spared (netcore/breaker.h). */
  NETCORE_APPLICATION_CODE_SERVER_ERROR = 10,
  /** An answer that cannot be used: broken, cut off, too large, or of another type or shape. */
  NETCORE_APPLICATION_CODE_INVALID_ANSWER = 11,
  /** TLS failed, or a redirect to an insecure place was refused. */
  NETCORE_APPLICATION_CODE_INSECURE = 12,
  /** The status code 429, a rate, an equal request, or a full queue. */
  NETCORE_APPLICATION_CODE_TOO_MANY_REQUESTS = 13,
  /** Another status code, a body that says so, or a function of the application. */
  NETCORE_APPLICATION_CODE_REJECTED = 14,
  /** A call with wrong arguments, or at a wrong time: a fault of the program. */
  NETCORE_APPLICATION_CODE_INVALID_REQUEST = 15,
  /** A file or its disk. */
  NETCORE_APPLICATION_CODE_STORAGE = 16,
  /** From here on: the application's. */
  NETCORE_APPLICATION_CODE_FIRST = 1000
};

/**
 * Gets the general code of a status.
 *
 * @param http_status  For NETCORE_ERR_REJECTED_STATUS and NETCORE_ERR_HTTP_STATUS; 0 if it is not
 *                     known.
 * @param out_code     A status of the application's own is its own code.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null, or not a status). Since 0.1.
 */
NETCORE_API netcore_status netcore_get_application_code(netcore_status status, int32_t http_status,
                                                        netcore_application_code *out_code);

/**
 * Sets the message of a code in the catalogue, for errors whose message is read afterwards.
 *
 * These stand for something in a message: {code}, {status} (the HTTP status code), {seconds} (until
 * such a request is let through) and {detail} (what the answer says, see
 * netcore_request_set_error_fields()). What is not known is left out.
 *
 * @param code     1 or more.
 * @param message  Copied. UTF-8; null for the default: an English sentence for general codes, none
 *                 for others.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (not such a code, not UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_set_user_message(netcore_application_code code,
                                                    const char *message);

/**
 * Gets the message of a code, without its placeholders replaced.
 *
 * @param text      The room for it, of `capacity` bytes; what does not fit is left out, and a NUL
 *                  byte ends it. May be null if `capacity` is 0.
 * @param out_size  The length of the whole message, without the NUL byte.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND (a code without a message),
 *         NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_get_user_message(netcore_application_code code, char *text,
                                                    size_t capacity, size_t *out_size);

/**
 * Sets where the bodies of answers say what failed. Places are JSON pointers (RFC 6901).
 *
 * @param code     To a string or number, such as "/code"; null for none.
 * @param message  To a text for people, such as "/message": {detail} of the message. Null for none.
 * @param success  Values at `code` that mean success, between commas: "0,OK". With these, any
 *                 other one is an error, also one that no netcore_request_add_error() names: it
 *                 then has the code NETCORE_APPLICATION_CODE_REJECTED. Null: only named ones are.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a JSON pointer,
 *         not UTF-8, `success` without `code`, or no `code` while errors have values). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_error_fields(netcore_request request,
                                                            const char *code, const char *message,
                                                            const char *success);

/** One row of an error table: an answer, and what it means. */
typedef struct netcore_error_row {
  /** In: sizeof(netcore_error_row). */
  uint32_t size;
  /** The application's code, NETCORE_APPLICATION_CODE_FIRST or more. */
  netcore_application_code code;
  /** What the body has at the place of the code, a text or number: "301". Null for any. */
  const char *value;
  /** For people, as in netcore_set_user_message(). Null: that of the catalogue. */
  const char *message;
  /** The HTTP status code; 0 for any. */
  int32_t http_status;
  /** Must be 0. */
  uint32_t reserved;
} netcore_error_row;

#define NETCORE_ERROR_ROW_INIT NETCORE_INIT(netcore_error_row)

/**
 * Adds a row to the error table of a request. An answer that a row matches is not a success: its
 * task ends with NETCORE_ERR_REJECTED_CODE, or with the status with which it fails anyway
 * (netcore/validation.h), and the error has the code and message of the row. Of several rows the
 * one with value and status code wins, before one with a value. A streamed response is judged by
 * its status code only.
 *
 * @param row  Copied.
 * @return NETCORE_OK (also for a row that is there), NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8, a code below
 *         NETCORE_APPLICATION_CODE_FIRST, neither value nor status code, a value without a place
 *         for it, or a clash: the same answer with another code, the same code with another
 *         message), NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_error(netcore_request request,
                                                     const netcore_error_row *row);

/**
 * Gets a row of the error table of a request by its index, from 0 to
 * `netcore_request_info.error_count` - 1.
 *
 * @param out_row  `size` set by the caller, the rest filled in. Texts are borrowed as in
 *                 netcore_request_info.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_NOT_FOUND. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_get_error_at(netcore_request request, uint32_t index,
                                                        netcore_error_row *out_row);

NETCORE_END_DECLS

#endif
