/* The libraries behind the content codings: zlib for gzip and deflate, and those that libcurl brings along. */
#ifndef NETCORE_CCODING_H
#define NETCORE_CCODING_H

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

/* inflateInit2 is a macro. */
static inline int netcore_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }

#endif
