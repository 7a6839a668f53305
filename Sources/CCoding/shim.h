/* Libraries that turn bytes into others: zlib for gzip and deflate, those that libcurl brings along, and digests. */
#ifndef NETCORE_CCODING_H
#define NETCORE_CCODING_H

#include <brotli/decode.h>
#include <openssl/sha.h>
#include <zlib.h>
#include <zstd.h>

/* inflateInit2 is a macro. */
static inline int netcore_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }

/* The 32 bytes of a SHA-256 digest. */
static inline void netcore_sha256(const void *bytes, size_t size, void *digest) {
  SHA256((const unsigned char *)bytes, size, (unsigned char *)digest);
}

#endif
