/** Random numbers that a seed decides, and the values that break programs. */
#ifndef NETCORE_FUZZ_RANDOM_H
#define NETCORE_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct rng {
  uint64_t state;
};

/** Mixes the bits of a number (splitmix64), so that neighbours have nothing in common. */
static inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static inline uint64_t rng_next(struct rng *rng) { return mix(rng->state++); }

static inline uint64_t below(struct rng *rng, uint64_t limit) { return limit == 0 ? 0 : rng_next(rng) % limit; }

/** True in so many of 1000 cases. */
static inline bool per_mille(struct rng *rng, unsigned share) { return below(rng, 1000) < share; }

#define PICK(rng, array) ((array)[below(rng, LENGTH(array))])

/** Numbers at the edges of types, as a 64-bit pattern. */
static inline uint64_t edge_number(struct rng *rng) {
  static const uint64_t edges[] = {0,
                                   1,
                                   2,
                                   7,
                                   8,
                                   255,
                                   256,
                                   65535,
                                   65536,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x100000000,
                                   1000000,
                                   253402300799,
                                   0x1fffffffffffff,
                                   0x20000000000000,
                                   0x3fffffffffffffff,
                                   0x4000000000000000,
                                   INT64_MAX,
                                   0x8000000000000000,
                                   0x8000000000000001,
                                   UINT64_MAX - 1,
                                   UINT64_MAX};
  switch (below(rng, 4)) {
    case 0:
      return rng_next(rng);
    case 1:
      return below(rng, 5000);
    case 2:
      return PICK(rng, edges) + below(rng, 3) - 1;
    default:
      return PICK(rng, edges);
  }
}

/** Writes a number as a peer or a file may: at the edges, negative, too long for any type, or none at all. */
static inline void edge_digits(struct rng *rng, char *text, size_t size) {
  static const char *const odd[] = {"99999999999999999999999999",
                                    "-9223372036854775808",
                                    "-9223372036854775809",
                                    "18446744073709551616",
                                    "+1",
                                    "1.5",
                                    "1e9",
                                    "0x10",
                                    "",
                                    " ",
                                    "NaN",
                                    "-0",
                                    "00000000000000000000000000000001",
                                    "1,1",
                                    "1, 2",
                                    "\xc2\xb2"};
  uint64_t number = edge_number(rng);
  if (per_mille(rng, 250))
    snprintf(text, size, "%s", PICK(rng, odd));
  else if (per_mille(rng, 300))
    snprintf(text, size, "%lld", (long long)number);
  else
    snprintf(text, size, "%llu", (unsigned long long)number);
}

#endif
