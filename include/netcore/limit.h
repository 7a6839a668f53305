/** Limits of clients and requests. */
#ifndef NETCORE_LIMIT_H
#define NETCORE_LIMIT_H

#include "base.h"

/**
 * Limits, each with its unit. netcore_client_set_limit() sets one for all requests of a client.
 * Those marked "request" can also be set for one request with netcore_request_set_limit(), which
 * wins. A task that exceeds a limit ends with the status named here. 0 is a valid value and allows
 * none, except where noted; UINT64_MAX removes the limit.
 */
typedef int32_t netcore_limit;
enum {
  /** Bytes of all header sections of one response, including status lines, 1xx answers and
   *  trailers. Request. Default 262,144 (256 KiB). NETCORE_ERR_LIMIT_HEADER_BYTES. */
  NETCORE_LIMIT_HEADER_BYTES = 1,
  /** Bytes of the body as transferred, before content decoding. Request.
   *  Default 1,073,741,824 (1 GiB). NETCORE_ERR_LIMIT_BODY_BYTES. */
  NETCORE_LIMIT_BODY_BYTES = 2,
  /** Bytes of the body after content decoding (gzip, deflate, br, zstd). Request.
   *  Default 1,073,741,824 (1 GiB). NETCORE_ERR_LIMIT_DECODED_BYTES. */
  NETCORE_LIMIT_DECODED_BYTES = 3,
  /** Maximum ratio of decoded to transferred bytes, enforced after 1 MiB of output. Request.
   *  Default 250. NETCORE_ERR_LIMIT_DECODE_RATIO. */
  NETCORE_LIMIT_DECODE_RATIO = 4,
  /** Redirects followed for one task; 0 refuses the first. To receive redirects as responses, see
   *  netcore_request_set_follow_redirects(). Request. Default 20. NETCORE_ERR_LIMIT_REDIRECTS. */
  NETCORE_LIMIT_REDIRECTS = 5,
  /** Concurrent transfers; further tasks wait in the queue. At least 1. Client only. Default
   *  256. */
  NETCORE_LIMIT_TRANSFERS = 6,
  /** Concurrent transfers to one scheme, host and port. At least 1. Client only. Default 64. */
  NETCORE_LIMIT_TRANSFERS_PER_HOST = 7,
  /** Tasks dispatched but not yet transferring. Beyond it a dispatch returns
   *  NETCORE_ERR_LIMIT_QUEUE_LENGTH at once, except as netcore_client_set_queue_overflow() says.
   *  Client only. Default 65,536. */
  NETCORE_LIMIT_QUEUE_LENGTH = 8
};

#endif
