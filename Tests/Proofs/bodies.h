/**
 * Bodies that say what they are: the path they answer, a version, their own length and a checksum, and then bytes that
 * follow from path and version. Whoever is given one can tell whether it is byte-identical to one that was sent.
 */
#ifndef NETCORE_PROOFS_BODIES_H
#define NETCORE_PROOFS_BODIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY_MOST (1200 << 10)

static inline uint64_t body_hash(const void *data, size_t size, uint64_t hash) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

static inline uint64_t body_seed(const char *path, unsigned version) {
  uint64_t hash = body_hash(path, strlen(path), 14695981039346656037u);
  return body_hash(&version, sizeof version, hash) | 1;
}

/** The length of a body: from 0 to BODY_MOST, most of them small. */
static inline size_t body_size(const char *path, unsigned version) {
  uint64_t seed = body_seed(path, version) >> 7;
  switch (seed % 8) {
    case 0:
      return 0;
    case 1:
      /* A cache stores those of more than 1 MiB in blocks. */
      return (seed >> 8) % 4 == 0 ? BODY_MOST - (seed >> 10) % 100000 : (seed >> 10) % 300000;
    case 2:
      return (seed >> 8) % 90000;
    default:
      return (seed >> 8) % 6000;
  }
}

/** The version that a page has after so many advances: pages change at different times. */
static inline unsigned body_version(const char *path, unsigned advances) {
  uint64_t seed = body_seed(path, 0);
  return 1 + (advances + (unsigned)(seed % 5)) / (1 + (unsigned)(seed >> 8) % 5);
}

/** Writes a body of body_size() bytes. One of three is text that packs well; the others are noise. */
static inline void body_fill(const char *path, unsigned version, char *body, size_t size) {
  uint64_t state = body_seed(path, version);
  bool packs = (state >> 9) % 3 == 0;
  for (size_t i = 0; i < size; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    body[i] = packs ? (char)('a' + state % 3) : (char)(state >> 16);
  }
  char head[200];
  int length = snprintf(head, sizeof head, "%s %u %zu\n", path, version, size);
  memcpy(body, head, (size_t)length < size ? (size_t)length : size);
}

/** Whether these are the first bytes of that version, and not all; `scratch` has room for BODY_MOST. */
static inline bool body_begins(const char *path, unsigned version, const void *bytes, size_t count, char *scratch) {
  size_t size = body_size(path, version);
  if (count >= size) return false;
  body_fill(path, version, scratch, size);
  return memcmp(bytes, scratch, count) == 0;
}

/** Whether these are the bytes of that version; `scratch` has room for BODY_MOST. */
static inline bool body_is(const char *path, unsigned version, const void *bytes, size_t count, char *scratch) {
  size_t size = body_size(path, version);
  if (count != size) return false;
  body_fill(path, version, scratch, size);
  return size == 0 || memcmp(bytes, scratch, size) == 0;
}

#endif
