/**
 * Bodies of requests that are not whole in memory: files, functions that are called for more, and multipart/form-data with
 * parts of any kind. They are read while they are sent, on a thread of their own.
 *
 * A body that turns out longer or shorter than it was at the dispatch, or that cannot be read, ends its task with
 * NETCORE_ERR_BODY, and the server does not see a whole request. One that was empty is not read. One that has to be sent again,
 * for a redirect (307, 308) or on another connection, is read again from its beginning; where that cannot be, the task ends with
 * NETCORE_ERR_BODY_REWIND.
 */
#ifndef NETCORE_BODY_H
#define NETCORE_BODY_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** A length that is not known. */
#define NETCORE_LENGTH_UNKNOWN UINT64_MAX

/** What netcore_reader.read returns when it fails. */
#define NETCORE_READ_FAILED SIZE_MAX

/** Functions of the host's that a body is read by. No two of them run at once for one reader. */
typedef struct netcore_reader {
  /** In: sizeof(netcore_reader). */
  uint32_t size;
  /**
   * Fills in up to `capacity_bytes` bytes and returns their number, at least 1; 0 at the end; NETCORE_READ_FAILED to end the task
   * with NETCORE_ERR_BODY. It may block; meanwhile the idle timeout runs. Called once more after the last byte.
   */
  size_t (*read)(void *buffer, size_t capacity_bytes, void *user_data);
  /** Goes back to the first byte. Returns 0, or anything else where it cannot. Null: it never can. Not called before the first
   *  read. */
  int32_t (*rewind)(void *user_data);
  /** Must stay valid until `release(user_data)` is called. */
  void *user_data;
  /** May be null. */
  netcore_release_fn release;
} netcore_reader;

/**
 * Sets a file as the body, in place of any other.
 *
 * @param path  Copied. The file is looked at when the request is dispatched: without it the dispatch fails with
 *              NETCORE_ERR_BODY.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, empty, or not UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body_file(netcore_request request, const char *path);

/**
 * Sets a body that functions of the host's give, in place of any other.
 *
 * @param reader        Copied. One that is in use by a task cannot be used by a second one at once: that task ends with
 *                      NETCORE_ERR_BODY_REWIND. On failure `release` is not called.
 * @param length_bytes  The number of bytes; NETCORE_LENGTH_UNKNOWN sends chunks (RFC 9112 section 7.1), or, by HTTP/2, data
 *                      frames.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, no `read`, or a length above 2^62),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body_reader(netcore_request request, const netcore_reader *reader,
                                                           uint64_t length_bytes);

/**
 * Sets from which size on the body is packed: "Content-Encoding: gzip" (RFC 9110 section 8.4.1.3), unless the request has a
 * Content-Encoding. A body in memory is packed at the dispatch, and goes out as it is if that makes it no smaller; a streamed
 * one while it is sent, also where its length is not known.
 *
 * @param minimum_bytes  UINT64_MAX, the default, packs nothing.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body_gzip(netcore_request request, uint64_t minimum_bytes);

/** A header field of a part. */
typedef struct netcore_part_header {
  const char *name;
  const char *value;
} netcore_part_header;

/** What a part says of itself. Copied. */
typedef struct netcore_part_options {
  /** In: sizeof(netcore_part_options). */
  uint32_t size;
  /** The number of `headers`. */
  uint32_t header_count;
  /** Null: the last segment of a file's path; none for other parts. */
  const char *file_name;
  /** Null: "application/octet-stream" for a part with a file name; none for others. */
  const char *content_type;
  /** Further fields; null for none. Not Content-Disposition, Content-Type, Content-Length, Content-Transfer-Encoding. */
  const netcore_part_header *headers;
  /** sizeof(netcore_part_header), where there are any. */
  size_t header_size;
} netcore_part_options;

/**
 * Adds a part to the body: multipart/form-data (RFC 7578), with its Content-Type. The first one takes the place of any other
 * body. Parameters that would go into the body are parts, before the others. Names and file names are written as browsers do
 * (WHATWG HTML, "multipart/form-data encoding algorithm"): line breaks and quotation marks as %0D, %0A and %22.
 *
 * @param name     Copied. UTF-8, not empty.
 * @param options  Null for the defaults.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT, NETCORE_ERR_INVALID_HEADER (a control byte in a
 *         field), NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_part(netcore_request request, const char *name, const void *data,
                                                    size_t size_bytes, const netcore_part_options *options);

/** Adds a part that is a file; see netcore_request_set_body_file() and netcore_request_add_part(). Since 0.1. */
NETCORE_API netcore_status netcore_request_add_file_part(netcore_request request, const char *name, const char *path,
                                                         const netcore_part_options *options);

/** Adds a part that functions of the host's give; see netcore_request_set_body_reader() and netcore_request_add_part().
 *  Since 0.1. */
NETCORE_API netcore_status netcore_request_add_reader_part(netcore_request request, const char *name,
                                                           const netcore_reader *reader, uint64_t length_bytes,
                                                           const netcore_part_options *options);

NETCORE_END_DECLS

#endif
