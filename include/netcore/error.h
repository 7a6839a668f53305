/** Statuses and errors. Statuses are in groups of 100; values are never renumbered. */
#ifndef NETCORE_ERROR_H
#define NETCORE_ERROR_H

#include "base.h"

NETCORE_BEGIN_DECLS

enum {
  /** Success. For a task: a complete response arrived, whatever its HTTP status code. */
  NETCORE_OK = 0,

  /** 100: arguments. Nothing was done. */
  /** Null, out of range, not UTF-8, or not allowed here. */
  NETCORE_ERR_INVALID_ARGUMENT = 100,
  /** Stale, foreign, made-up, or of the wrong kind. */
  NETCORE_ERR_INVALID_HANDLE = 101,
  /** The `size` member, or the size of an array's elements, is that of no version of the struct. */
  NETCORE_ERR_INVALID_STRUCT = 102,
  NETCORE_ERR_INVALID_URL = 103,    /**< not an absolute URL, or not parsable */
  NETCORE_ERR_INVALID_SCHEME = 104, /**< neither http nor https */
  /** Not a token of RFC 9110 section 5.6.2. */
  NETCORE_ERR_INVALID_METHOD = 105,
  /** A field name that is not a token, or a value with CR, LF or NUL. */
  NETCORE_ERR_INVALID_HEADER = 106,
  /** No field of that name, or none at that index. */
  NETCORE_ERR_NOT_FOUND = 107,
  /** A parameter of an API description is missing, unknown, twice there, or of another type
   *  (netcore/api.h); netcore_error.argument has its name. */
  NETCORE_ERR_INVALID_PARAM = 108,

  /** 200: state. Nothing was done. */
  /** The object is not in a state that allows the call. */
  NETCORE_ERR_INVALID_STATE = 200,
  /** The client has been shut down or destroyed. */
  NETCORE_ERR_SHUT_DOWN = 201,
  /** The handle was made before fork(), in the parent. */
  NETCORE_ERR_FORKED = 202,
  /** A wait ended before the task did; the task goes on. */
  NETCORE_ERR_IN_PROGRESS = 203,

  /** 300: canceled. */
  /** By the caller, or because the client was shut down or destroyed. */
  NETCORE_ERR_CANCELED = 300,
  /** A member of a group was not started, since one before it failed (netcore/group.h). */
  NETCORE_ERR_SKIPPED = 301,

  /** 400: timeouts. */
  /** Resolve, connect and TLS took longer than the connect timeout. */
  NETCORE_ERR_TIMEOUT_CONNECT = 400,
  /** No answer to a request that was sent. */
  NETCORE_ERR_TIMEOUT_FIRST_BYTE = 401,
  /** No byte was sent or received for too long. */
  NETCORE_ERR_TIMEOUT_IDLE = 402,
  /** The task took longer than its total timeout. */
  NETCORE_ERR_TIMEOUT_TOTAL = 403,
  /** The body arrived more slowly than netcore_request_set_min_receive_rate() allows. */
  NETCORE_ERR_TIMEOUT_RATE = 404,
  /** One attempt took longer than netcore_retry_options allows; each such attempt may be followed
   *  by another. */
  NETCORE_ERR_TIMEOUT_ATTEMPT = 405,

  /** 500: resolve. */
  NETCORE_ERR_RESOLVE = 500, /**< the host name has no address */
  /** The proxy's host name has no address. */
  NETCORE_ERR_RESOLVE_PROXY = 501,

  /** 600: connect. */
  /** Refused, unreachable, or closed before anything was exchanged. */
  NETCORE_ERR_CONNECT = 600,
  /** The proxy refused, or its handshake failed. */
  NETCORE_ERR_CONNECT_PROXY = 601,
  /** Reset or closed while sending or before the answer began. */
  NETCORE_ERR_CONNECTION_LOST = 602,

  /** 700: TLS. */
  /** The handshake failed, or the record layer broke. */
  NETCORE_ERR_TLS = 700,
  /** The server's certificate is not trusted, expired, or for another name. */
  NETCORE_ERR_TLS_CERTIFICATE = 701,
  /** A CA file, client certificate or key cannot be used. */
  NETCORE_ERR_TLS_CONFIG = 702,

  /** 800: protocol. */
  NETCORE_ERR_PROTOCOL = 800,  /**< the server broke HTTP */
  NETCORE_ERR_TRUNCATED = 801, /**< the body ended before its end */
  /** The body does not decode, or its coding is unknown. */
  NETCORE_ERR_CONTENT_CODING = 802,
  /** A redirect without a valid URL, or a body that cannot be sent again. */
  NETCORE_ERR_REDIRECT = 803,
  /** A redirect from https to http, which is refused by default. */
  NETCORE_ERR_REDIRECT_INSECURE = 804,
  /** The status code of the answer brings no file, for a download, or no events
   *  (netcore_error.native_code has it). */
  NETCORE_ERR_HTTP_STATUS = 805,
  /** A download: length or digest are not as the caller or the server said. */
  NETCORE_ERR_INTEGRITY = 806,

  /** 900: limits, see netcore_limit. */
  NETCORE_ERR_LIMIT_HEADER_BYTES = 900,
  NETCORE_ERR_LIMIT_BODY_BYTES = 901,
  NETCORE_ERR_LIMIT_DECODED_BYTES = 902,
  NETCORE_ERR_LIMIT_DECODE_RATIO = 903,
  NETCORE_ERR_LIMIT_REDIRECTS = 904,
  NETCORE_ERR_LIMIT_QUEUE_LENGTH = 905,

  /** 1000: storage. */
  NETCORE_ERR_STORAGE = 1000, /**< a file could not be read or written */
  /** Another download writes to the same file, in this process or in another one. */
  NETCORE_ERR_FILE_BUSY = 1001,
  /** There is a file of that name, which is not to be replaced. */
  NETCORE_ERR_FILE_EXISTS = 1002,

  /** 1100: internal. */
  /** A fault of netcore or of a library that it uses. */
  NETCORE_ERR_INTERNAL = 1100,
  /** Memory, descriptors or threads ran out. */
  NETCORE_ERR_OUT_OF_MEMORY = 1101,

  /** 1200: the request's body. */
  /** It could not be read, or its length was not as given. */
  NETCORE_ERR_BODY = 1200,
  /** It has to be read again, for a redirect or another attempt, and cannot be. */
  NETCORE_ERR_BODY_REWIND = 1201,

  /** 1300: functions of the application. */
  /** A function of the application refused the request. */
  NETCORE_ERR_REFUSED = 1300,
  /** No stub answers the request, or a stub was not requested (netcore/stub.h). */
  NETCORE_ERR_NO_STUB = 1301,

  /** 1400: what a request demands of the network. */
  /** The network is metered, and the request does not allow that. */
  NETCORE_ERR_NETWORK_METERED = 1400,
  /** The request allows only another network. */
  NETCORE_ERR_NETWORK_INTERFACE = 1401,
  /** The network was unreachable for as long as the request waits for it. */
  NETCORE_ERR_NETWORK_UNREACHABLE = 1402,

  /** 1500: policies of the client. Nothing was sent. */
  /** An equal request is in flight (NETCORE_DUPLICATES_DROP_NEW). */
  NETCORE_ERR_DUPLICATE = 1500,
  /** An equal request was sent less than its minimum interval ago. */
  NETCORE_ERR_TOO_SOON = 1501,
  /** More requests than a rate of the client allows (netcore_client_set_rate()). */
  NETCORE_ERR_RATE_LIMITED = 1502,
  /** The queue was full, and the task was one with the lowest priority in it
   *  (NETCORE_QUEUE_OVERFLOW_DROP_LOWEST). */
  NETCORE_ERR_DROPPED = 1503,
  /** 1600: what spares servers that fail. */
  /** The breaker of the origin is open (netcore/breaker.h). netcore_error.retry_after_ms says until
   *  when at the latest. */
  NETCORE_ERR_BREAKER_OPEN = 1600,

  /** 1700: an answer that its request does not accept (netcore/validation.h). */
  /** Its status code is not accepted (netcore_error.native_code has it). */
  NETCORE_ERR_REJECTED_STATUS = 1700,
  /** Its media type is not accepted. */
  NETCORE_ERR_REJECTED_CONTENT_TYPE = 1701,
  /** Its body is not JSON of the shape that was asked for; netcore_error.argument has the place. */
  NETCORE_ERR_REJECTED_JSON = 1702,
  /** A function of the application rejected it; netcore_error.native_code has what it returned. */
  NETCORE_ERR_REJECTED = 1703,
  /** It is an error by the error table of its request (netcore/error_table.h);
   *  netcore_error.application_code has the code, netcore_error.native_code its status code. */
  NETCORE_ERR_REJECTED_CODE = 1704,

  /** 1800: the pages of a list (netcore/pages.h). */
  /** The list has no items. */
  NETCORE_ERR_NO_DATA = 1800,
  /** There is no page after the last one that was loaded, or a limit forbids to load it. */
  NETCORE_ERR_NO_MORE_DATA = 1801,
  /** The server leads back to a page that was loaded before. */
  NETCORE_ERR_PAGE_LOOP = 1802,

  /** 2000 to 2999: statuses of the application, for filters and application tasks. netcore gives
   *  none of them a meaning. */
  NETCORE_STATUS_APPLICATION_FIRST = 2000,
  NETCORE_STATUS_APPLICATION_LAST = 2999
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

/** Why a task was canceled. */
typedef int32_t netcore_cancel_cause;
enum {
  NETCORE_CANCEL_CAUSE_NONE = 0, /**< it was not */
  /** The application canceled it: the task, its group, a tag, or all tasks. */
  NETCORE_CANCEL_CAUSE_APPLICATION = 1,
  /** Its client was shut down or destroyed. */
  NETCORE_CANCEL_CAUSE_CLIENT = 2,
  /** An equal request took its place (NETCORE_DUPLICATES_CANCEL_OLD). */
  NETCORE_CANCEL_CAUSE_REPLACED = 3,
  /** Its task scope was canceled or closed (netcore/task_scope.h). */
  NETCORE_CANCEL_CAUSE_SCOPE = 4
};

/** Why a task or a call failed. Texts are NUL-terminated. */
typedef struct netcore_error {
  /** In: sizeof(netcore_error). */
  uint32_t size;
  /** NETCORE_OK if nothing failed; the rest is then empty. */
  netcore_status status;
  /** A sentence for a person: names host and port, never credentials or a query string. */
  netcore_bytes message;
  /** How far the task had come. */
  netcore_phase phase;
  /** The number of the cause, 0 if there is none: the CURLcode of libcurl's curl.h; for
   *  NETCORE_ERR_BODY an errno; for NETCORE_ERR_REFUSED and NETCORE_ERR_REJECTED what a function
   *  of the application returned; for NETCORE_ERR_REJECTED_STATUS and NETCORE_ERR_REJECTED_CODE the
   *  status code. */
  int32_t native_code;
  /** Attempts made for the task. */
  uint32_t attempts;
  /** 1 if the same request may succeed later: timeouts, lost and refused connections, name
   *  resolution. */
  int32_t is_retryable;
  /** The parameter or option that a call was refused for, as it is written in these headers, or the
   *  name of a parameter of an API; empty if there is none. For NETCORE_ERR_REJECTED_JSON the first
   *  place that does not match, as a JSON pointer (RFC 6901): empty for the whole body. Empty for
   *  any other error of a task. */
  netcore_bytes argument;
  /** For NETCORE_ERR_BREAKER_OPEN, NETCORE_ERR_TOO_SOON and NETCORE_ERR_RATE_LIMITED: milliseconds
   *  after which such a request is let through, at the latest; otherwise 0. */
  uint64_t retry_after_ms;
  /** Why the task was canceled. */
  netcore_cancel_cause cancel_cause;
  /** 1 if any part of the request was sent, by any of its attempts. One that was not sent cannot
   *  have been carried out by the server. */
  int32_t sent;
  /** What to show and to decide by: a netcore_application_code (netcore/error_table.h). */
  int32_t application_code;
  /** Reserved, 0. */
  int32_t reserved;
  /** For people, by its code, as the catalogue has it when it is first read; the message of an
   *  error of the application's own that has none there. */
  netcore_bytes user_message;
} netcore_error;

#define NETCORE_ERROR_INIT NETCORE_INIT(netcore_error)

/**
 * Gets the name of a status.
 *
 * @return A static string: the name of its constant, such as "NETCORE_ERR_TIMEOUT_IDLE", or
 *         "NETCORE_ERR_UNKNOWN" for a number that is not a status. Since 0.1.
 */
NETCORE_API const char *netcore_status_name(netcore_status status);

/**
 * Gets a description of a status.
 *
 * @return A static string: an English sentence without a full stop. Since 0.1.
 */
NETCORE_API const char *netcore_status_message(netcore_status status);

/**
 * Gets why the last call that failed on this thread did so.
 *
 * @param out_error  `size` set by the caller, the rest filled in; `status` is NETCORE_OK if no call
 *                   has failed. Texts are borrowed until the next call that fails on this thread.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_last_error(netcore_error *out_error);

/**
 * Gets netcore_error.message of the last call that failed on this thread. It begins with the
 * argument: "url: the scheme must be http or https".
 *
 * @return Never null; empty if no call has failed. Borrowed until the next call that fails on this
 *         thread. Since 0.1.
 */
NETCORE_API const char *netcore_last_error_message(void);

NETCORE_END_DECLS

#endif
