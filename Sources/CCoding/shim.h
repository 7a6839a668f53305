/* Libraries that turn bytes into others: zlib for gzip and deflate, those that libcurl brings along, and digests. */
#ifndef NETCORE_CCODING_H
#define NETCORE_CCODING_H

/* SHA256_CTX, whose state can be kept: that of EVP cannot. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <brotli/decode.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* inflateInit2 is a macro. */
static inline int netcore_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }

/* deflateInit2 is a macro, too: gzip, at zlib's own level. */
static inline int netcore_gzip_init(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/* The 32 bytes of a SHA-256 digest. */
static inline void netcore_sha256(const void *bytes, size_t size, void *digest) {
  SHA256((const unsigned char *)bytes, size, (unsigned char *)digest);
}

/* A SHA-256 digest that is made piece by piece. */
typedef SHA256_CTX netcore_sha256_state;

/* Goes on after `count` bytes, of which the state has this sum, and this block that is not full. */
static inline void netcore_sha256_resume(netcore_sha256_state *state, uint64_t count, const uint32_t sum[8],
                                         const unsigned char block[64]) {
  SHA256_Init(state);
  memcpy(state->h, sum, 32);
  memcpy(state->data, block, 64);
  state->Nl = (unsigned)(count << 3);
  state->Nh = (unsigned)(count >> 29);
  state->num = (unsigned)(count & 63);
}
static inline void netcore_sha256_begin(netcore_sha256_state *state) { SHA256_Init(state); }
static inline void netcore_sha256_add(netcore_sha256_state *state, const void *bytes, size_t size) {
  SHA256_Update(state, bytes, size);
}
static inline void netcore_sha256_end(netcore_sha256_state *state, void *digest) {
  SHA256_Final((unsigned char *)digest, state);
}
static inline void netcore_sha256_get(const netcore_sha256_state *state, void *sum, void *block) {
  memcpy(sum, state->h, 32);
  memcpy(block, state->data, 64);
}

#endif
