/**
 * Cassettes: answers of servers that are recorded in a file, and replayed from it in place of the
 * network, for tests of an application. The file is an HTTP archive (HAR 1.2); one that a browser
 * or a proxy wrote can be replayed, too.
 *
 * A cassette stands below everything else that a client does, as stubs do (netcore/stub.h): each
 * hop (one request on the wire) is recorded or replayed. A recording answers a hop with the same
 * method, URL and body, in any order. Bodies that are JSON are compared as JSON, and those that are
 * multipart without their boundary. Recordings of equal requests are replayed in their order, each
 * once. Errors of the network are recorded, too. A streamed answer is replayed with its pauses, by
 * the clock of the client; one that the application closed before its end stays silent after what
 * was recorded of it.
 *
 * Some values are never written: those of the header fields Authorization, Proxy-Authorization,
 * Cookie and Set-Cookie, and those that netcore_cassette_options names. "(hidden)" takes their
 * place in the file; a replayed answer does not have such fields. The file has the names, so that
 * they need not be given again to replay it.
 *
 * A hop is recorded with its whole request body, which is read before it is sent.
 */
#ifndef NETCORE_CASSETTE_H
#define NETCORE_CASSETTE_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** What happens to requests without a recording. The names are those of vcrpy's record modes. */
typedef int32_t netcore_cassette_mode;
enum {
  /** They are recorded if there was no file; else they fail. */
  NETCORE_CASSETTE_MODE_ONCE = 0,
  /** They are recorded, and added to the file. */
  NETCORE_CASSETTE_MODE_NEW = 1,
  /** They fail. */
  NETCORE_CASSETTE_MODE_NONE = 2,
  /** Nothing is replayed: all requests are recorded, and take the place of what the file had. */
  NETCORE_CASSETTE_MODE_ALL = 3
};

/** How a cassette records and replays. */
typedef struct netcore_cassette_options {
  /** In: sizeof(netcore_cassette_options). */
  uint32_t size;
  /** Default NETCORE_CASSETTE_MODE_ONCE. */
  netcore_cassette_mode mode;
  /** An array of `secret_header_count` names of header fields, of requests and answers, whose
   *  values are not written. */
  const char *const *secret_headers;
  size_t secret_header_count;
  /** An array of `secret_parameter_count` names whose values are not written: parameters of URLs,
   *  also of those in header fields, of forms, and members of JSON objects at any depth. */
  const char *const *secret_parameters;
  size_t secret_parameter_count;
  /** 1: the last recording of a request is replayed again and again. Default 0. */
  int32_t repeat;
  /** 1: streamed answers are replayed without their pauses. Default 0. */
  int32_t skip_pauses;
} netcore_cassette_options;

#define NETCORE_CASSETTE_OPTIONS_INIT NETCORE_INIT(netcore_cassette_options)

/** What a cassette has done. */
typedef struct netcore_cassette_info {
  /** In: sizeof(netcore_cassette_info). */
  uint32_t size;
  uint32_t reserved;
  /** Hops that were replayed. */
  uint64_t replayed;
  /** Hops that were recorded. */
  uint64_t recorded;
  /** Recordings in the file that were not replayed. */
  uint64_t unused;
} netcore_cassette_info;

#define NETCORE_CASSETTE_INFO_INIT NETCORE_INIT(netcore_cassette_info)

/**
 * Creates a cassette and reads its file. Any thread may use it, and several clients at once.
 *
 * @param path     The file, at most 1 GiB. It need not exist, but its folder must.
 * @param options  Copied; null for the defaults.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8, an unknown mode, a name is
 *         empty), NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_STORAGE (the file or its folder cannot be
 *         read, or the file is not an HTTP archive: netcore_last_error_message() names the file and
 *         the place in it), NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_cassette_create(const char *path,
                                                   const netcore_cassette_options *options,
                                                   netcore_cassette *out_cassette);

/**
 * Destroys the handle, without saving. Clients that were given the cassette keep it until they are
 * given another transport, or end.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_cassette_destroy(netcore_cassette cassette);

/**
 * Sets the cassette that a client asks in place of the network, for hops that start from now on.
 * Replaces what netcore_client_set_transport() or netcore_client_set_stubs() set; the former also
 * ends it (a null function: the network). A hop without a recording that is not to be recorded ends
 * with NETCORE_ERR_NO_STUB; the message names the nearest recording, and what differs.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_cassette(netcore_client client,
                                                       netcore_cassette cassette);

/**
 * Writes the file if something was recorded since it was read or written. It is replaced as a
 * whole, by rename(), with mode 0600. Blocks while it is written.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_STORAGE (the file stays as it was),
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_cassette_save(netcore_cassette cassette);

/**
 * Checks that each recording in the file was replayed.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_NO_STUB (netcore_last_error_message()
 *         names those that were not). Since 0.1.
 */
NETCORE_API netcore_status netcore_cassette_check(netcore_cassette cassette);

/**
 * Gets what a cassette has done.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_cassette_get_info(netcore_cassette cassette,
                                                     netcore_cassette_info *out_info);

NETCORE_END_DECLS

#endif
