/**
 * Bodies of requests that are not held in memory: files, functions that are called for more bytes,
 * and multipart/form-data with parts of any kind. They are read while they are sent, on a thread of
 * their own.
 *
 * A body that is longer or shorter than it was at dispatch, or that cannot be read, ends its task
 * with NETCORE_ERR_BODY, and the server does not receive a complete request. A body whose length is
 * zero is never read. A body that has to be sent again, after a redirect (307, 308) or on another
 * connection, is read again from its beginning; if that is impossible, the task ends with
 * NETCORE_ERR_BODY_REWIND.
 */
#ifndef NETCORE_BODY_H
#define NETCORE_BODY_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** A length that is not known. */
#define NETCORE_LENGTH_UNKNOWN UINT64_MAX

/** What netcore_reader.read returns if it fails. */
#define NETCORE_READ_FAILED SIZE_MAX

/** Functions of the application that read a body. They never run concurrently for one reader. */
typedef struct netcore_reader {
  /** In: sizeof(netcore_reader). */
  uint32_t size;
  /**
   * Fills in up to `capacity_bytes` bytes and returns their number, at least 1; 0 at the end;
   * NETCORE_READ_FAILED to end the task with NETCORE_ERR_BODY. It may block, while the idle timeout
   * runs. Called once more after the last byte.
   */
  size_t (*read)(void *buffer, size_t capacity_bytes, void *user_data);
  /** Goes back to the first byte. Returns 0, or any other number if it cannot. Null if it never
   *  can. Not called before the first read. */
  int32_t (*rewind)(void *user_data);
  /** Passed to the functions. Must stay valid until `release(user_data)` is called. */
  void *user_data;
  /** May be null. */
  netcore_release_fn release;
} netcore_reader;

#define NETCORE_READER_INIT NETCORE_INIT(netcore_reader)

/**
 * Sets a file as the body, in place of any other body.
 *
 * @param path  Copied. The file is checked when the request is dispatched; if it does not exist,
 *              the dispatch fails with NETCORE_ERR_BODY.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, empty, or not
 *         UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body_file(netcore_request request, const char *path);

/**
 * Sets a body that functions of the application read, in place of any other body.
 *
 * @param reader        Copied. Only one task at a time can use it: a second one ends with
 *                      NETCORE_ERR_BODY_REWIND.
 * @param length_bytes  The number of bytes; NETCORE_LENGTH_UNKNOWN sends chunks (RFC 9112 section
 *                      7.1), or data frames with HTTP/2.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, no `read`, or
 *         a length above 2^62), NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body_reader(netcore_request request,
                                                           const netcore_reader *reader,
                                                           uint64_t length_bytes);

/**
 * Sets the size from which on the body is compressed: "Content-Encoding: gzip" (RFC 9110 section
 * 8.4.1.3), unless the request has a Content-Encoding. A body in memory is compressed at dispatch,
 * and sent as it is if that makes it no smaller. A streamed one is compressed while it is sent,
 * also if its length is not known.
 *
 * @param minimum_bytes  UINT64_MAX, the default, compresses nothing.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_body_gzip(netcore_request request,
                                                         uint64_t minimum_bytes);

/** A header field of a part. */
typedef struct netcore_part_header {
  const char *name;
  const char *value;
} netcore_part_header;

/** Header fields of a part. Copied. */
typedef struct netcore_part_options {
  /** In: sizeof(netcore_part_options). */
  uint32_t size;
  /** The number of `headers`. */
  uint32_t header_count;
  /** Null: the last segment of a file's path; none for other parts. */
  const char *file_name;
  /** Null: "application/octet-stream" for a part with a file name; none for others. */
  const char *content_type;
  /** Further fields, except Content-Disposition, Content-Type, Content-Length and
   *  Content-Transfer-Encoding; null for none. */
  const netcore_part_header *headers;
  /** sizeof(netcore_part_header), if there are any. */
  size_t header_size;
} netcore_part_options;

#define NETCORE_PART_OPTIONS_INIT NETCORE_INIT(netcore_part_options)

/**
 * Adds a part to the body: multipart/form-data (RFC 7578), with its Content-Type. The first part
 * replaces any other body. Parameters that would make up the body become parts, before the others.
 * Names and file names are written as browsers do (WHATWG HTML, "multipart/form-data encoding
 * algorithm"): line breaks and quotation marks as %0D, %0A and %22.
 *
 * @param name     Copied. UTF-8, not empty.
 * @param options  Null for the defaults.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_INVALID_HEADER (a control byte in a field), NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_part(netcore_request request, const char *name,
                                                    const void *data, size_t size_bytes,
                                                    const netcore_part_options *options);

/**
 * Adds a part that is a file; see netcore_request_set_body_file().
 *
 * @return As netcore_request_add_part(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_file_part(netcore_request request, const char *name,
                                                         const char *path,
                                                         const netcore_part_options *options);

/**
 * Adds a part that functions of the application read; see netcore_request_set_body_reader().
 *
 * @return As netcore_request_add_part(). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_reader_part(netcore_request request,
                                                           const char *name,
                                                           const netcore_reader *reader,
                                                           uint64_t length_bytes,
                                                           const netcore_part_options *options);

NETCORE_END_DECLS

#endif
