/** What the sample calls of probes.h take: handles, room for results, and a struct of each kind that may not be null. */
#ifndef NETCORE_TESTS_SAMPLES_H
#define NETCORE_TESTS_SAMPLES_H

#include "check.h"
#include "exports.h"
#include "never.h"

/** The handle of each kind that stands where it is not the one under test. */
static uint64_t live[KIND_COUNT];

enum { OUTS = 4, OUT_WORDS = 64 };

/** Room for the results of a call, and for an array of them. */
static uint64_t out_words[OUTS][OUT_WORDS], room_words[OUT_WORDS];

#define OUT(type, slot) ((type *)(void *)out_words[slot])
#define ROOM(type) ((type *)(void *)room_words)

/** A result: its size, whether it is a struct that begins with it, and the bytes that a failed call leaves there. */
struct out {
  size_t size;
  bool is_sized;
  int cleared;
};

struct probe {
  enum kind kind;
  const char *function;
  /** The argument that the handle is given as. */
  const char *argument;
  netcore_status (*call)(uint64_t handle);
  /** Whether it sets something, or reads it, and succeeds on any client and request. */
  bool is_plain;
  struct out outs[OUTS];
};

static int sample_value;

static const netcore_reader never_reader = {.size = sizeof never_reader, .read = never_reader_read};

static const netcore_cookie some_cookie = {
    .size = sizeof some_cookie, .expires = -1, .name = "a", .value = "1", .domain = "127.0.0.1", .path = "/"};

static const netcore_error_row some_error = {.size = sizeof some_error, .code = 1404, .http_status = 404};

static inline const uint64_t *two_handles(uint64_t first, uint64_t second) {
  static uint64_t pair[2];
  pair[0] = first;
  pair[1] = second;
  return pair;
}

/** Fills the results of a call with garbage. */
static inline void fill_outs(const struct probe *probe) {
  memset(out_words, 0xA5, sizeof out_words);
  memset(room_words, 0xA5, sizeof room_words);
  for (size_t i = 0; i < OUTS; i++) {
    uint32_t size = (uint32_t)probe->outs[i].size;
    if (probe->outs[i].is_sized) memcpy(out_words[i], &size, sizeof size);
  }
}

/** Whether a call that failed has cleared its results. */
static inline bool outs_are_cleared(const struct probe *probe) {
  for (size_t i = 0; i < OUTS; i++) {
    const uint8_t *bytes = (const uint8_t *)out_words[i];
    for (size_t at = probe->outs[i].is_sized ? sizeof(uint32_t) : 0; at < probe->outs[i].size; at++)
      if (bytes[at] != probe->outs[i].cleared) return false;
  }
  return true;
}

#endif
