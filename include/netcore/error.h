/** Statuses: one list, in groups of 100. Values are never renumbered. */
#ifndef NETCORE_ERROR_H
#define NETCORE_ERROR_H

#include "base.h"

NETCORE_BEGIN_DECLS

enum {
  /** Success. For a task: a whole response arrived, whatever its HTTP status code. */
  NETCORE_OK = 0,

  /** 100: arguments. Nothing was done. */
  NETCORE_ERR_INVALID_ARGUMENT = 100, /**< null, out of range, not UTF-8, or not allowed here */
  NETCORE_ERR_INVALID_HANDLE = 101,   /**< stale, foreign, made-up, or of the wrong kind */
  NETCORE_ERR_INVALID_STRUCT = 102,   /**< the `size` member is too small, too large or unset */
  NETCORE_ERR_INVALID_URL = 103,      /**< not an absolute URL, or it cannot be parsed */
  NETCORE_ERR_INVALID_SCHEME = 104,   /**< neither http nor https */
  NETCORE_ERR_INVALID_METHOD = 105,   /**< not a token of RFC 9110 section 5.6.2 */
  NETCORE_ERR_INVALID_HEADER = 106,   /**< a field name that is no token, or a value with CR, LF or NUL */
  NETCORE_ERR_NOT_FOUND = 107,        /**< no field of that name, or none at that index */

  /** 200: state. Nothing was done. */
  NETCORE_ERR_INVALID_STATE = 200, /**< the object is not in a state that allows the call */
  NETCORE_ERR_SHUT_DOWN = 201,     /**< the client has been shut down or destroyed */
  NETCORE_ERR_FORKED = 202,        /**< the handle was made before fork(), in the parent */
  NETCORE_ERR_IN_PROGRESS = 203,   /**< a wait ended before the task did; the task goes on */

  /** 300: canceled. */
  NETCORE_ERR_CANCELED = 300, /**< by the caller, or because the client was shut down or destroyed */

  /** 400: timeouts. */
  NETCORE_ERR_TIMEOUT_CONNECT = 400,    /**< resolve, connect and TLS took longer than the connect timeout */
  NETCORE_ERR_TIMEOUT_FIRST_BYTE = 401, /**< nothing came back for a request that was sent */
  NETCORE_ERR_TIMEOUT_IDLE = 402,       /**< the transfer stood still */
  NETCORE_ERR_TIMEOUT_TOTAL = 403,      /**< the whole timeout */
  NETCORE_ERR_TIMEOUT_RATE = 404,       /**< below netcore_request_set_min_receive_rate() */

  /** 500: resolve. */
  NETCORE_ERR_RESOLVE = 500,       /**< the host name has no address */
  NETCORE_ERR_RESOLVE_PROXY = 501, /**< the proxy's host name has no address */

  /** 600: connect. */
  NETCORE_ERR_CONNECT = 600,         /**< refused, unreachable, or closed before anything was exchanged */
  NETCORE_ERR_CONNECT_PROXY = 601,   /**< the proxy refused, or its handshake failed */
  NETCORE_ERR_CONNECTION_LOST = 602, /**< reset or closed while sending or before the answer began */

  /** 700: TLS. */
  NETCORE_ERR_TLS = 700,             /**< the handshake failed, or the record layer broke */
  NETCORE_ERR_TLS_CERTIFICATE = 701, /**< the server's certificate is not trusted, expired, or for another name */
  NETCORE_ERR_TLS_CONFIG = 702,      /**< a CA file, client certificate or key cannot be used */

  /** 800: protocol. */
  NETCORE_ERR_PROTOCOL = 800,          /**< the server broke HTTP */
  NETCORE_ERR_TRUNCATED = 801,         /**< the body ended before its end */
  NETCORE_ERR_CONTENT_CODING = 802,    /**< the body does not decode, or its coding is unknown */
  NETCORE_ERR_REDIRECT = 803,          /**< a redirect to no valid URL, or one whose body cannot be sent again */
  NETCORE_ERR_REDIRECT_INSECURE = 804, /**< a redirect from https to http, which is refused by default */

  /** 900: limits, see netcore_limit. */
  NETCORE_ERR_LIMIT_HEADER_BYTES = 900,
  NETCORE_ERR_LIMIT_BODY_BYTES = 901,
  NETCORE_ERR_LIMIT_DECODED_BYTES = 902,
  NETCORE_ERR_LIMIT_DECODE_RATIO = 903,
  NETCORE_ERR_LIMIT_REDIRECTS = 904,
  NETCORE_ERR_LIMIT_QUEUE_LENGTH = 905,

  /** 1000: storage. */
  NETCORE_ERR_STORAGE = 1000, /**< a file could not be read or written */

  /** 1100: internal. */
  NETCORE_ERR_INTERNAL = 1100,      /**< a fault of netcore or of a library under it */
  NETCORE_ERR_OUT_OF_MEMORY = 1101, /**< memory, descriptors or threads ran out */

  /** 1200: the request's body. */
  NETCORE_ERR_BODY = 1200,        /**< it could not be read, or had another length than was said */
  NETCORE_ERR_BODY_REWIND = 1201, /**< it would have to be read again, for a redirect or a retry, and cannot be */

  /** 1300: functions of the host's. */
  NETCORE_ERR_REFUSED = 1300, /**< a filter, or what gives a value at the time of sending, refused the request */

  /** 1400: what a request demands of the network. */
  NETCORE_ERR_NETWORK_METERED = 1400,   /**< the network is metered, which the request does not allow */
  NETCORE_ERR_NETWORK_INTERFACE = 1401, /**< the network is another one than the request allows */

  /** 2000 to 2999: statuses of the application's own, for filters and host tasks. netcore gives none of them a meaning. */
  NETCORE_STATUS_HOST_FIRST = 2000,
  NETCORE_STATUS_HOST_LAST = 2999
};

/** The point that a task had reached. */
typedef int32_t netcore_phase;
enum {
  NETCORE_PHASE_NONE = 0,    /**< not yet dispatched */
  NETCORE_PHASE_QUEUE = 1,   /**< waiting for its turn */
  NETCORE_PHASE_CONNECT = 2, /**< resolving, connecting, TLS */
  NETCORE_PHASE_SEND = 3,    /**< sending the request */
  NETCORE_PHASE_WAIT = 4,    /**< sent, waiting for the first byte */
  NETCORE_PHASE_RECEIVE = 5, /**< receiving header or body */
  NETCORE_PHASE_DONE = 6     /**< ended */
};

/** Why a task or a call failed. Texts end with a NUL byte. */
typedef struct netcore_error {
  /** In: sizeof(netcore_error). */
  uint32_t size;
  /** NETCORE_OK if nothing failed; the rest is then empty. */
  netcore_status status;
  /** A sentence for a person: names host and port, never credentials or a query string. */
  netcore_bytes message;
  /** How far the task had come. */
  netcore_phase phase;
  /** The number under it, 0 when there is none: the CURLcode of libcurl's curl.h; for NETCORE_ERR_BODY an errno; for
   *  NETCORE_ERR_REFUSED what a function of the application returned. */
  int32_t native_code;
  /** Requests put on the wire for the task. */
  uint32_t attempts;
  /** 1 when the same request may succeed later: timeouts, lost and refused connections, name resolution. */
  int32_t is_retryable;
  /** The parameter or option that a call was refused for, as it is written in these headers; empty if it is about none, and for
   *  a task. */
  netcore_bytes argument;
} netcore_error;

/**
 * Names a status, as its constant is written: "NETCORE_ERR_TIMEOUT_IDLE". For a value that is no status:
 * "NETCORE_ERR_UNKNOWN". The string is static. Since 0.1.
 */
NETCORE_API const char *netcore_status_name(netcore_status status);

/** Describes a status in one English sentence without a full stop. The string is static. Since 0.1. */
NETCORE_API const char *netcore_status_message(netcore_status status);

/**
 * Gets why the last call that failed on this thread did so.
 *
 * @param out_error  `size` set by the caller, the rest filled in; `status` is NETCORE_OK if no call has failed. Its texts are
 *                   borrowed until the next call that fails on this thread.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_last_error(netcore_error *out_error);

/**
 * Returns netcore_error.message of the last call that failed on this thread, which begins with the argument: "url: the scheme
 * must be http or https". Never null; empty if no call has failed. Borrowed until the next call that fails on this thread.
 * Since 0.1.
 */
NETCORE_API const char *netcore_last_error_message(void);

NETCORE_END_DECLS

#endif
