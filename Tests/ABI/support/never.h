/** Functions to hand over where nothing may call them. */
#ifndef NETCORE_TESTS_NEVER_H
#define NETCORE_TESTS_NEVER_H

#include "check.h"

static inline size_t never_read(void *user_data, void *buffer, size_t capacity_bytes) {
  (void)user_data, (void)buffer, (void)capacity_bytes;
  CHECK(!"the body is read");
  return 0;
}

static const netcore_reader never_reader = {.size = sizeof never_reader, .read = never_read};

static inline netcore_status never_filter(netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  CHECK(!"a filter runs");
  return NETCORE_OK;
}

#endif
