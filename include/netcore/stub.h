/**
 * Stubs: a table of requests and their answers that a client asks in place of the network, for
 * tests of an application. Answers may be slow or damaged, in the ways in which networks are.
 *
 * Stubs stand below everything else that a client does: filters, cookies, tokens, the cache,
 * redirects, retries and timeouts work as they do with the network, and each hop (one request on
 * the wire) is looked up. The stub that was added first among those that match answers. A request
 * that no stub answers ends with NETCORE_ERR_NO_STUB; the message names the nearest stub, and what
 * differs.
 *
 * In URLs and values of header fields, "*" stands for any text without "/", and "**" for any text.
 * In a query, "%2A" is an asterisk.
 */
#ifndef NETCORE_STUB_H
#define NETCORE_STUB_H

#include "base.h"
#include "transport.h"

NETCORE_BEGIN_DECLS

/** What the body of a request has to be. */
typedef int32_t netcore_stub_body;
enum {
  NETCORE_STUB_BODY_ANY = 0,
  /** The same bytes. */
  NETCORE_STUB_BODY_BYTES = 1,
  /** Equal as JSON: white space, the order of names and "1" or "1.0" do not matter. */
  NETCORE_STUB_BODY_JSON = 2
};

/** Which requests a stub answers. */
typedef struct netcore_stub {
  /** In: sizeof(netcore_stub). */
  uint32_t size;
  /** How often the stub answers; then the next one that matches does. 0: any number of times. */
  uint32_t times;
  /** Null for any. */
  const char *method;
  /** An absolute URL, or a path that begins with "/". A query names parameters that must be there,
   *  percent-encoded, in any order and among others. Null for any URL. */
  const char *url;
  /** Header fields that must be there, among others, each a line "Name: value" that ends with LF or
   *  CRLF. Null for none. */
  const char *headers;
  /** For a `body_kind` other than NETCORE_STUB_BODY_ANY; null if `body_size_bytes` is 0. */
  const void *body;
  size_t body_size_bytes;
  netcore_stub_body body_kind;
  /** Must be 0. */
  uint32_t reserved;
} netcore_stub;

#define NETCORE_STUB_INIT NETCORE_INIT(netcore_stub)

/** What goes wrong with an answer. */
typedef int32_t netcore_stub_fault;
enum {
  NETCORE_STUB_FAULT_NONE = 0,
  /** The connection is reset before an answer: NETCORE_ERR_CONNECTION_LOST. */
  NETCORE_STUB_FAULT_RESET = 1,
  /** The connection is closed before an answer: NETCORE_ERR_CONNECTION_LOST. */
  NETCORE_STUB_FAULT_EMPTY = 2,
  /** Nothing comes: the first-byte timeout of the request ends it. */
  NETCORE_STUB_FAULT_SILENCE = 3,
  /** The connection ends after `fault_after_bytes` of the body: NETCORE_ERR_TRUNCATED. */
  NETCORE_STUB_FAULT_CUT = 4,
  /** Nothing more comes after `fault_after_bytes` of the body: the idle timeout of the request ends
   *  it. */
  NETCORE_STUB_FAULT_STALL = 5,
  /** A chunk after `fault_after_bytes` of the body is damaged: NETCORE_ERR_PROTOCOL. */
  NETCORE_STUB_FAULT_MALFORMED_CHUNK = 6,
  /** The hop ends with the status `error` and the message `error_message`. */
  NETCORE_STUB_FAULT_ERROR = 7
};

/** What a stub answers. Delays are waited by the clock of the client. */
typedef struct netcore_stub_answer {
  /** In: sizeof(netcore_stub_answer). */
  uint32_t size;
  /** From 200 to 599; 0: 200. */
  int32_t http_status;
  /** Header fields, each a line "Name: value" that ends with LF or CRLF; null for none. */
  const char *headers;
  /** The body as the application gets it: it is not decoded, whatever Content-Encoding says. Null
   *  if `body_size_bytes` is 0. */
  const void *body;
  size_t body_size_bytes;
  /** Milliseconds before the answer begins, at most one day. */
  uint32_t delay_ms;
  /** Not 0: a delay from `delay_ms` to this one, each as likely as the other. */
  uint32_t delay_max_ms;
  /** Not 0: a delay whose logarithm is normally distributed, with the median `delay_ms` and this
   *  deviation, at most 5. 0.5 is near what real servers show. Not together with `delay_max_ms`. */
  double delay_sigma;
  netcore_stub_fault fault;
  /** For NETCORE_STUB_FAULT_ERROR: as netcore_hop_fail(), but not negative. */
  netcore_status error;
  uint64_t fault_after_bytes;
  /** The body comes in pieces of this size; 0: in one. */
  uint32_t piece_size_bytes;
  /** Milliseconds before each piece except the first. */
  uint32_t piece_delay_ms;
  /** For NETCORE_STUB_FAULT_ERROR; null for the status's own message. */
  const char *error_message;
} netcore_stub_answer;

#define NETCORE_STUB_ANSWER_INIT NETCORE_INIT(netcore_stub_answer)

/**
 * Creates an empty table of stubs. Any thread may use it, and several clients at once.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_stubs_create(netcore_stubs *out_stubs);

/**
 * Destroys the handle. Clients that were given the table keep it until they are given another
 * transport, or end.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_stubs_destroy(netcore_stubs stubs);

/**
 * Sets the stubs that a client asks in place of the network, for hops that start from now on.
 * Replaces what netcore_client_set_transport() set, which also ends it (a null function: the
 * network).
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_stubs(netcore_client client, netcore_stubs stubs);

/**
 * Adds a stub. Without answers (netcore_stubs_add_answer()) and without a function it answers 200
 * with an empty body.
 *
 * @param stub       Copied.
 * @param fn         Answers in place of a list of answers, by netcore_hop_answer(),
 *                   netcore_hop_fail() or netcore_hop_answer_as(); see netcore_transport_fn. Null
 *                   for none.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @param out_index  The number of the stub, counted from 0. May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8, an
 *         unknown `body_kind`, a body that is not JSON), NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_METHOD, NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_HEADER. Since
 *         0.1.
 */
NETCORE_API netcore_status netcore_stubs_add(netcore_stubs stubs, const netcore_stub *stub,
                                             netcore_transport_fn fn, void *user_data,
                                             netcore_release_fn release, uint32_t *out_index);

/**
 * Adds an answer of a stub. Its answers are given one after the other, the last one again and
 * again.
 *
 * @param answer  Copied; null for 200 with an empty body.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_NOT_FOUND (no stub has that number),
 *         NETCORE_ERR_INVALID_ARGUMENT (a member is out of its range), NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_HEADER, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_stubs_add_answer(netcore_stubs stubs, uint32_t index,
                                                    const netcore_stub_answer *answer);

/**
 * Gets how often a stub answered.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_NOT_FOUND (no stub has that number),
 *         NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_stubs_get_call_count(netcore_stubs stubs, uint32_t index,
                                                        uint64_t *out_count);

/** What netcore_stub_call_fn is given as the stub of a request that none answered. */
#define NETCORE_STUB_NONE UINT32_MAX

/**
 * Is called with a request that came, in order. Runs inside the call that lists, on the same
 * thread, with no lock held; it may call any function.
 *
 * @param request  To be read by the functions of netcore/request_info.h. Borrowed until the
 *                 function returns.
 * @param index    The number of the stub that answered, or NETCORE_STUB_NONE.
 * @return 1 to go on, 0 to end the list.
 */
typedef int32_t (*netcore_stub_call_fn)(netcore_request request, uint32_t index, void *user_data);

/**
 * Lists the requests that came since the table was created or reset.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_stubs_list_calls(netcore_stubs stubs, netcore_stub_call_fn fn,
                                                    void *user_data);

/**
 * Checks that each request had a stub, and that each stub answered a request.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_NO_STUB (netcore_last_error() names
 *         the requests or the stubs). Since 0.1.
 */
NETCORE_API netcore_status netcore_stubs_check(netcore_stubs stubs);

/**
 * Removes all stubs, and forgets the requests that came.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_stubs_reset(netcore_stubs stubs);

/**
 * Answers a hop of a transport of the application's as a stub would: slowly, in pieces, or with a
 * fault.
 *
 * @param answer  Copied; null for 200 with an empty body.
 * @return As netcore_hop_answer(), and NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_hop_answer_as(netcore_hop hop,
                                                 const netcore_stub_answer *answer);

NETCORE_END_DECLS

#endif
