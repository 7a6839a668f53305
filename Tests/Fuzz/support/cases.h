/** Cases: what the number of a case decides, on the client's side and on the server's. */
#ifndef NETCORE_FUZZ_CASES_H
#define NETCORE_FUZZ_CASES_H

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include "token.h"

/** Every so many cases there is one that is visited more often. */
enum { CASES_PER_FAVOURITE = 50 };

enum coding { CODING_NONE, CODING_GZIP, CODING_DEFLATE, CODING_BR, CODING_ZSTD, CODING_COUNT };
static const char *const coding_names[] = {"identity", "gzip", "deflate", "br", "zstd"};
static const char *const case_methods[] = {"GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"};

struct traits {
  /** The answer is whole and right: a task that ends with NETCORE_OK has exactly the case's body. */
  bool is_plain;
  /** Each answer is a large one, which has to be validated. */
  bool is_growing;
  enum coding coding;
  const char *method;
  size_t filler;
};

/** Set where the server is to answer every case well: for fuzzers that break something else. */
static bool all_cases_are_plain;

static inline struct rng case_rng(uint64_t number, uint64_t use) {
  return (struct rng){mix(fuzz.seed ^ mix(number ^ use << 48))};
}

static inline struct traits case_traits(uint64_t number) {
  struct rng rng = case_rng(number, 1);
  struct traits traits = {.is_plain = per_mille(&rng, 350) || all_cases_are_plain};
  traits.coding = per_mille(&rng, 500) ? CODING_NONE : (enum coding)below(&rng, CODING_COUNT);
  traits.method = PICK(&rng, case_methods);
  traits.filler = per_mille(&rng, 800)   ? below(&rng, 2000)
                  : per_mille(&rng, 900) ? below(&rng, 70000)
                                         : below(&rng, 400000);
  if (number % CASES_PER_FAVOURITE == 0 && per_mille(&rng, 400) && !all_cases_are_plain && !is_left_out("grow"))
    traits.is_growing = true, traits.is_plain = false, traits.method = "GET";
  return traits;
}

/** The case near this one that is visited again and again. */
static inline uint64_t favourite_case(uint64_t number) { return number - number % CASES_PER_FAVOURITE; }

/** The body of a case, with tokens of one kind. */
static inline void case_body(struct bytes *body, uint64_t number, int kind) {
  struct traits traits = case_traits(number);
  token_add(body, number, kind);
  for (size_t i = 0; i < traits.filler; i++) {
    unsigned char byte = (unsigned char)('a' + (i * i / 7 + number) % 26);
    bytes_add(body, &byte, 1);
  }
  token_add(body, number, kind);
}

static inline void zlib_add(struct bytes *out, const struct bytes *in, int window_bits) {
  z_stream stream = {0};
  if (deflateInit2(&stream, 1, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) fuzz_fail("deflateInit2");
  size_t bound = deflateBound(&stream, in->size) + 64;
  bytes_reserve(out, bound);
  stream.next_in = in->data;
  stream.avail_in = (unsigned)in->size;
  stream.next_out = out->data + out->size;
  stream.avail_out = (unsigned)bound;
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) fuzz_fail("deflate");
  out->size += bound - stream.avail_out;
  deflateEnd(&stream);
}

/** Adds `in` to `out`, coded. */
static inline void code_add(struct bytes *out, const struct bytes *in, enum coding coding) {
  size_t bound = in->size + in->size / 2 + 1024;
  if (coding == CODING_GZIP)
    zlib_add(out, in, 31);
  else if (coding == CODING_DEFLATE)
    zlib_add(out, in, 15);
  else if (coding == CODING_NONE)
    bytes_add(out, in->data, in->size);
  else {
    bytes_reserve(out, bound);
    if (coding == CODING_BR) {
      if (!BrotliEncoderCompress(1, 18, BROTLI_MODE_GENERIC, in->size, in->data, &bound, out->data + out->size))
        fuzz_fail("brotli");
    } else {
      bound = ZSTD_compress(out->data + out->size, bound, in->data, in->size, 1);
      if (ZSTD_isError(bound)) fuzz_fail("zstd");
    }
    out->size += bound;
  }
}

#endif
