/* Written by scripts/generate from include/. */
/* clang-format off */
/** Functions of each type of callback, to hand over where nothing may call them. */
#ifndef NETCORE_TESTS_NEVER_H
#define NETCORE_TESTS_NEVER_H

#include "check.h"

static inline void never_release(void *argument0) {
  (void)argument0;
  CHECK(!"release runs");
}

static inline int32_t never_field(const char *argument0, const char *argument1, void *argument2) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  CHECK(!"field runs");
  return 0;
}

static inline void never_done(const netcore_completion *argument0) {
  (void)argument0;
  CHECK(!"done runs");
}

static inline void never_event(const netcore_completion *argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"event runs");
}

static inline void never_cache_event(const netcore_cache_event *argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"cache_event runs");
}

static inline int32_t never_cache_text(const netcore_cache_request *argument0, char *argument1, size_t argument2, void *argument3) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  (void)argument3;
  CHECK(!"cache_text runs");
  return 0;
}

static inline int32_t never_cache_entry(const netcore_cache_entry *argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"cache_entry runs");
  return 0;
}

static inline void never_cache_value(netcore_bytes argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"cache_value runs");
}

static inline void never_dropped(void *argument0) {
  (void)argument0;
  CHECK(!"dropped runs");
}

static inline int32_t never_download_part(const netcore_download_part *argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"download_part runs");
  return 0;
}

static inline void never_selection(const char *argument0, const char *argument1, void *argument2) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  CHECK(!"selection runs");
}

static inline int32_t never_value(char *argument0, size_t argument1, void *argument2) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  CHECK(!"value runs");
  return 0;
}

static inline netcore_status never_filter(netcore_request argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"filter runs");
  return 0;
}

static inline int32_t never_hop_value(const netcore_hop_info *argument0, char *argument1, size_t argument2, void *argument3) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  (void)argument3;
  CHECK(!"hop_value runs");
  return 0;
}

static inline netcore_status never_response_filter(netcore_response argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"response_filter runs");
  return 0;
}

static inline int32_t never_token(const char *argument0, char *argument1, size_t argument2, void *argument3) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  (void)argument3;
  CHECK(!"token runs");
  return 0;
}

static inline netcore_status never_challenge(const netcore_challenge *argument0, netcore_request argument1, void *argument2) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  CHECK(!"challenge runs");
  return 0;
}

static inline int32_t never_cookie(const netcore_cookie *argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"cookie runs");
  return 0;
}

static inline void never_task(netcore_task argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"task runs");
}

static inline netcore_retry_verdict never_retry(const netcore_retry_outcome *argument0, uint64_t *argument1, void *argument2) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  CHECK(!"retry runs");
  return 0;
}

static inline int32_t never_breaker(const netcore_breaker_info *argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"breaker runs");
  return 0;
}

static inline netcore_status never_validate(netcore_response argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"validate runs");
  return 0;
}

static inline void never_reachability(netcore_reachability argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"reachability runs");
}

static inline int32_t never_budget(const netcore_budget_info *argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"budget runs");
  return 0;
}

static inline void never_observer(const netcore_client_event *argument0, void *argument1) {
  (void)argument0;
  (void)argument1;
  CHECK(!"observer runs");
}

static inline void never_transport(netcore_hop argument0, netcore_request argument1, void *argument2) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  CHECK(!"transport runs");
}

static inline int32_t never_stub_call(netcore_request argument0, uint32_t argument1, void *argument2) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  CHECK(!"stub_call runs");
  return 0;
}

static inline int32_t never_next_page(netcore_response argument0, char *argument1, size_t argument2, void *argument3) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  (void)argument3;
  CHECK(!"next_page runs");
  return 0;
}

static inline void never_log(netcore_log_level argument0, const char *argument1, void *argument2) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  CHECK(!"log runs");
}

static inline size_t never_reader_read(void *argument0, size_t argument1, void *argument2) {
  (void)argument0;
  (void)argument1;
  (void)argument2;
  CHECK(!"reader_read runs");
  return 0;
}

static inline int32_t never_reader_rewind(void *argument0) {
  (void)argument0;
  CHECK(!"reader_rewind runs");
  return 0;
}

#endif
