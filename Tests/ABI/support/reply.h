/** A transport that gives the same answer to each hop, and counts them. */
#ifndef NETCORE_TESTS_REPLY_H
#define NETCORE_TESTS_REPLY_H

#include <stdatomic.h>
#include <string.h>

#include "check.h"

/* What the transport answers with. */
struct reply {
  int32_t status;
  const char *fields, *body;
  atomic_uint hops;
};

static inline void answer_hop(netcore_hop hop, netcore_request request, void *user_data) {
  struct reply *reply = user_data;
  (void)request;
  atomic_fetch_add(&reply->hops, 1);
  CHECK_OK(netcore_hop_answer(hop, reply->status, reply->fields, reply->body, strlen(reply->body)));
}

#endif
