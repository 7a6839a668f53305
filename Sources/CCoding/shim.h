/* Libraries that turn bytes into others: zlib for gzip and deflate, those that libcurl brings along, and digests. */
#ifndef NETCORE_CCODING_H
#define NETCORE_CCODING_H

#include <brotli/decode.h>
#include <openssl/sha.h>
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

#endif
