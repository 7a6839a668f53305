/**
 * Downloads to a file. The file is in its place when the download has ended well: whole, and never
 * before. Until then its bytes are in a *part* beside it, the name of the file with ".netcore-part"
 * at its end, with notes about it in one that ends with ".netcore-notes".
 *
 * The part stays if the download is canceled, fails, or its process ends. Another download to the
 * same path continues it if the server still has the same representation: by its strong ETag or
 * Last-Modified (RFC 9110 section 8.8), else only if the caller gives the digest of the file.
 * Otherwise it starts over. After a power loss only bytes count that were seen to be on disk, at
 * most a second of them is lost. A transfer that breaks off is continued by the download itself
 * (netcore_download_options.resumes).
 *
 * A part is locked while a download writes to it, so that no two downloads, in whichever process,
 * write to one file: the second ends with NETCORE_ERR_FILE_BUSY. The length, the digest that the
 * caller gives, and the one that the server sends (Repr-Digest, RFC 9530) are checked before the
 * file is put in its place.
 *
 * A download is a task: netcore_task_cancel() cancels it, and it ends once. Its response has status
 * and header fields of the last answer and no body; netcore_response_get_download() reads what
 * became of the file. Each of its requests follows the policy of retries of the client or the
 * request until its head is there. The total timeout of the request is that of the whole download.
 * Limits on the body hold only if the request has its own. The client's cache takes no part.
 */
#ifndef NETCORE_DOWNLOAD_H
#define NETCORE_DOWNLOAD_H

#include "base.h"
#include "completion.h"

NETCORE_BEGIN_DECLS

/** What a download is to bring. Zero or null means the default. */
typedef struct netcore_download_options {
  /** In: sizeof(netcore_download_options). */
  uint32_t size;
  /** 1: a file of that name is replaced. Default 0: the download ends with
   *  NETCORE_ERR_FILE_EXISTS, before anything is sent. */
  int32_t overwrite;
  /** The length of the file. Another one is NETCORE_ERR_INTEGRITY. Default 0: not known. */
  uint64_t expected_bytes;
  /** The SHA-256 digest of the file, 64 hexadecimal digits. Another one is NETCORE_ERR_INTEGRITY.
   *  Default: not known. */
  const char *sha256;
  /** Tells downloads to one file apart: a part that another key left is not continued. Default:
   *  the request's URL. For URLs that differ each time. */
  const char *key;
  /** How often a transfer that broke off is continued, counted anew after each MiB that is new:
   *  after a lost connection, a timeout except the total one, or a status 408, 425, 429, 500, 502,
   *  503 or 504. At once at first, then after a random wait of at most 200 ms, doubled each time,
   *  at most 10 s, or as long as Retry-After asks for, at most 60 s. UINT32_MAX for never. Default
   *  5. */
  uint32_t resumes;
  /** 1: netcore_download_info.sha256 is made although no one gave a digest. Default 0. */
  int32_t compute_sha256;
  /** 1: nothing waits for the disk. After a power loss a part starts over, and a file that was put
   *  in its place shortly before may be damaged. Default 0. */
  int32_t skip_sync;
  /** The most parts of the file that come at once, each by a request of its own, from 1 to 16,
   *  within the limits on transfers. Only from a server that answers the first request with 206, a
   *  strong ETag or Last-Modified, the length of the whole and no content coding; otherwise the
   *  file comes by one request at a time. If an additional request fails before its head is there,
   *  it is not sent again, and the number of segments goes down. Default 1. */
  uint32_t segments;
  /** The least number of bytes that a segment is opened for. A segment that has come to its end
   *  takes half of what the largest one has left, as long as each half has at least an eighth of
   *  this. Default 0: 8 MiB, and segments are opened only while there are more than 2 s to go. */
  uint64_t segment_bytes;
} netcore_download_options;

#define NETCORE_DOWNLOAD_OPTIONS_INIT NETCORE_INIT(netcore_download_options)

/** What became of a download. */
typedef struct netcore_download_info {
  /** In: sizeof(netcore_download_info). */
  uint32_t size;
  /** 1 if the file is in its place, otherwise 0. */
  int32_t complete;
  /** Bytes of the file. If it is not complete, those of the part that is kept. */
  uint64_t size_bytes;
  /** Bytes that an earlier download had left and that were used. */
  uint64_t resumed_from;
  /** Bytes of bodies that came, decoded. */
  uint64_t fetched_bytes;
  /** Those among them that had come before or come again: the file had changed, the server sent
   *  more than was asked for, or another segment took over what was on its way. */
  uint64_t fetched_again_bytes;
  /** Requests that the download dispatched. */
  uint32_t requests;
  uint32_t reserved;
  /** The path of the file, as given. NUL-terminated. */
  netcore_bytes path;
  /** The SHA-256 digest of a complete file in lower-case hexadecimal, if one was given or asked
   *  for; otherwise empty. NUL-terminated. */
  netcore_bytes sha256;
} netcore_download_info;

#define NETCORE_DOWNLOAD_INFO_INIT NETCORE_INIT(netcore_download_info)

/** How far a download has come. */
typedef struct netcore_download_progress {
  /** In: sizeof(netcore_download_progress). */
  uint32_t size;
  uint32_t reserved;
  /** Bytes of the file that are there. */
  uint64_t done_bytes;
  /** Bytes of the whole file; UINT64_MAX if unknown. */
  uint64_t total_bytes;
  /** Bytes that an earlier download had left. */
  uint64_t resumed_from;
  /** Bytes for each second, over the last few seconds; 0 at the beginning. */
  uint64_t bytes_per_second;
  /** What is left at that rate; UINT64_MAX if unknown. */
  uint64_t time_left_ms;
} netcore_download_progress;

#define NETCORE_DOWNLOAD_PROGRESS_INIT NETCORE_INIT(netcore_download_progress)

/** The part of a file that a download left behind, or is writing. */
typedef struct netcore_download_part {
  /** sizeof(netcore_download_part), as the library knows it. */
  uint32_t size;
  /** 1 if a download writes to it now, otherwise 0. */
  int32_t busy;
  /** Bytes that are there. */
  uint64_t size_bytes;
  /** Bytes of the whole file; UINT64_MAX if unknown. */
  uint64_t total_bytes;
  /** When it was last written, in seconds since 1970. */
  int64_t modified;
  /** The file that it is a part of. Borrowed until the function returns. */
  const char *path;
} netcore_download_part;

/**
 * Is called with one part of a folder. Runs inside the call that lists, on the same thread, with no
 * lock held; it may call any function.
 *
 * @param part  Borrowed until the function returns.
 * @return 1 to go on, 0 to end the list.
 */
typedef int32_t (*netcore_download_part_fn)(const netcore_download_part *part, void *user_data);

/**
 * Downloads to a file, and waits at most for a given time. Works in each completion mode and runs
 * no callback.
 *
 * @param request       A GET without Range, If-Range and If-Match. It is snapshot.
 * @param path          Of the file, in a folder that exists. A symbolic link of that name is
 *                      replaced, not followed.
 * @param options       Copied; null for all defaults.
 * @param timeout_ms    The longest time to wait; UINT64_MAX waits for the end. It ends the wait,
 *                      not the download.
 * @param out_task      With NETCORE_ERR_IN_PROGRESS the task, for netcore_task_wait(); else 0. May
 *                      be null if `timeout_ms` is UINT64_MAX.
 * @param out_response  Owned by the caller (release with netcore_response_release()), also if the
 *                      download failed; 0 with NETCORE_ERR_IN_PROGRESS, and if no task was made.
 * @return NETCORE_OK if the file is in its place. NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT, NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_INVALID_STATE (on a
 *         thread of the client's that must not wait), NETCORE_ERR_SHUT_DOWN,
 *         NETCORE_ERR_LIMIT_QUEUE_LENGTH, NETCORE_ERR_OUT_OF_MEMORY: nothing was done.
 *         NETCORE_ERR_IN_PROGRESS. Otherwise how the download ended: NETCORE_ERR_HTTP_STATUS,
 *         NETCORE_ERR_INTEGRITY (the part is removed), NETCORE_ERR_FILE_BUSY,
 *         NETCORE_ERR_FILE_EXISTS, NETCORE_ERR_STORAGE (netcore_error.native_code is the errno),
 *         NETCORE_ERR_PROTOCOL (also: parts that do not fit together), NETCORE_ERR_CANCELED, or
 *         what any other task may end with. Since 0.1.
 */
NETCORE_API netcore_status netcore_download(netcore_client client, netcore_request request,
                                            const char *path,
                                            const netcore_download_options *options,
                                            uint64_t timeout_ms, netcore_task *out_task,
                                            netcore_response *out_response);

/**
 * Starts a download. The task ends with one terminal callback or completion, whose status is as
 * netcore_download() returns it. Progress is reported to the event function of the request
 * (netcore_request_set_event_function()) as for other tasks.
 *
 * @param done       The terminal callback; null for none. Null in queue mode.
 * @param user_data  Borrowed until the terminal callback has returned; may be null.
 * @param out_task   As netcore_dispatch(); may be null.
 * @return As netcore_dispatch(), or NETCORE_ERR_INVALID_ARGUMENT, NETCORE_ERR_INVALID_STRUCT. Since
 *         0.1.
 */
NETCORE_API netcore_status netcore_download_dispatch(netcore_client client, netcore_request request,
                                                     const char *path,
                                                     const netcore_download_options *options,
                                                     netcore_done_fn done, void *user_data,
                                                     netcore_task *out_task);

/**
 * Gets how far a download has come. netcore_task_get_info() tells its bytes, too.
 *
 * @param out_progress  `size` set by the caller, the rest filled in.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE (the task has ended), NETCORE_ERR_INVALID_ARGUMENT
 *         (null), NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_INVALID_STATE (not a download). Since
 *         0.1.
 */
NETCORE_API netcore_status netcore_download_get_progress(netcore_task task,
                                                         netcore_download_progress *out_progress);

/**
 * Gets what became of a download, whether it succeeded or failed.
 *
 * @param out_info  `size` set by the caller, the rest filled in. Texts are borrowed until the
 *                  response is released.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_NOT_FOUND (not the response of a download). Since
 *         0.1.
 */
NETCORE_API netcore_status netcore_response_get_download(netcore_response response,
                                                         netcore_download_info *out_info);

/**
 * Calls a function with each part in a folder, in the order of their names. Reads the folder; makes
 * system calls.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null, empty, not UTF-8), NETCORE_ERR_STORAGE
 *         (the folder cannot be read). Since 0.1.
 */
NETCORE_API netcore_status netcore_download_list_parts(const char *folder,
                                                       netcore_download_part_fn fn,
                                                       void *user_data);

/**
 * Removes the part of a file, so that another download of it starts over. The file itself stays.
 *
 * @param path  Of the file, not of the part.
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND (there is no part), NETCORE_ERR_FILE_BUSY (a download
 *         writes to it), NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8), NETCORE_ERR_STORAGE. Since
 *         0.1.
 */
NETCORE_API netcore_status netcore_download_remove_part(const char *path);

NETCORE_END_DECLS

#endif
