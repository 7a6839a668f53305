/** A growing piece of memory, and the damage done to it. */
#ifndef NETCORE_FUZZ_BYTES_H
#define NETCORE_FUZZ_BYTES_H

#include <stdarg.h>

#include "random.h"

struct bytes {
  unsigned char *data;
  size_t size, capacity;
};

static inline void bytes_reserve(struct bytes *bytes, size_t more) {
  if (bytes->size + more <= bytes->capacity) return;
  size_t capacity = (bytes->size + more) * 2 + 256;
  unsigned char *data = realloc(bytes->data, capacity);
  if (data == NULL) abort();
  bytes->data = data;
  bytes->capacity = capacity;
}

static inline void bytes_add(struct bytes *bytes, const void *data, size_t size) {
  if (size == 0) return;
  bytes_reserve(bytes, size);
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

static inline void bytes_text(struct bytes *bytes, const char *text) { bytes_add(bytes, text, strlen(text)); }

static inline void bytes_fill(struct bytes *bytes, int byte, size_t size) {
  bytes_reserve(bytes, size);
  memset(bytes->data + bytes->size, byte, size);
  bytes->size += size;
}

__attribute__((format(printf, 2, 3))) static inline void bytes_format(struct bytes *bytes, const char *format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (size > 0) bytes_add(bytes, text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}

static inline void bytes_free(struct bytes *bytes) {
  free(bytes->data);
  *bytes = (struct bytes){NULL, 0, 0};
}

/** Replaces `length` bytes at `at` by others. */
static inline void bytes_splice(struct bytes *bytes, size_t at, size_t length, const void *data, size_t size) {
  bytes_reserve(bytes, size);
  memmove(bytes->data + at + size, bytes->data + at + length, bytes->size - at - length);
  if (size > 0) memcpy(bytes->data + at, data, size);
  bytes->size = bytes->size - length + size;
}

/** One piece of damage between `from` and the end. */
static inline void bytes_damage_once(struct bytes *bytes, size_t from, struct rng *rng) {
  static const char *const pieces[] = {
      "\r\n",  "\r\n\r\n",  "\n",      "\r", ":", " ", "\t", ",", ";", "\"", "=", "%", "/", "\\", "HTTP/1.1 200 OK\r\n",
      "\r\n ", "0\r\n\r\n", "\xff\xfe"};
  size_t range = bytes->size - from, at = from + below(rng, range), length = below(rng, 9);
  if (range == 0) return;
  if (length > bytes->size - at) length = bytes->size - at;
  char digits[64];
  unsigned char copy[64];
  switch (below(rng, 7)) {
    case 0:
      bytes->data[at] ^= (unsigned char)(1u << below(rng, 8));
      break;
    case 1:
      bytes->data[at] = (unsigned char)rng_next(rng);
      break;
    case 2:
      bytes_splice(bytes, at, length, "", 0);
      break;
    case 3: {
      const char *piece = PICK(rng, pieces);
      bytes_splice(bytes, at, 0, piece, strlen(piece));
      break;
    }
    case 4:
      edge_digits(rng, digits, sizeof digits);
      bytes_splice(bytes, at, length, digits, strlen(digits));
      break;
    case 5: {
      size_t size = below(rng, sizeof copy), other = from + below(rng, range);
      if (size > bytes->size - other) size = bytes->size - other;
      memcpy(copy, bytes->data + other, size);
      bytes_splice(bytes, at, 0, copy, size);
      break;
    }
    default:
      bytes->size = at;
      break;
  }
}

static inline void bytes_damage(struct bytes *bytes, size_t from, struct rng *rng) {
  for (uint64_t times = 1 + below(rng, 4); times > 0 && bytes->size > from; times--)
    bytes_damage_once(bytes, from, rng);
}

#endif
