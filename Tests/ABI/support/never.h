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

static inline int32_t never_value(char *text, size_t capacity, void *user_data) {
  (void)text, (void)capacity, (void)user_data;
  CHECK(!"a value is asked for");
  return -1;
}

static inline int32_t never_token(const char *refused_token, char *token, size_t capacity, void *user_data) {
  (void)refused_token, (void)token, (void)capacity, (void)user_data;
  CHECK(!"a token is asked for");
  return -1;
}

static inline netcore_status never_challenge(const netcore_challenge *challenge, netcore_request answer,
                                             void *user_data) {
  (void)challenge, (void)answer, (void)user_data;
  CHECK(!"a challenge is to be answered");
  return NETCORE_OK;
}

static inline void never_cookie(const netcore_cookie *cookie, void *user_data) {
  (void)cookie, (void)user_data;
  CHECK(!"a cookie is listed");
}

static const netcore_cookie some_cookie = {
    .size = sizeof some_cookie, .expires = -1, .name = "a", .value = "1", .domain = "127.0.0.1", .path = "/"};

#endif
