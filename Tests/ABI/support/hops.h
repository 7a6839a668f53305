/** Hops that a transport of the program's is given, and keeps for later. */
#ifndef NETCORE_TESTS_HOPS_H
#define NETCORE_TESTS_HOPS_H

#include "answer.h"
#include "wait.h"

struct hops {
  /** Raised by each. */
  struct tally given;
  netcore_hop last;
};

#define HOPS_INITIAL {TALLY_INITIAL, 0}

/** The transport: `user_data` is a struct hops. */
static inline void hops_keep(netcore_hop hop, netcore_request request, void *user_data) {
  struct hops *hops = user_data;
  (void)request;
  hops->last = hop;
  tally_raise(&hops->given);
}

/** The hop of a request that was just dispatched, the `count`th in all. */
static inline netcore_hop hops_wait(struct hops *hops, unsigned count) {
  REQUIRE(tally_reaches(&hops->given, count, patience_ms()));
  return hops->last;
}

#endif
