/** Clients: connections, limits, TLS and proxy settings, and how completions are received. */
#ifndef NETCORE_CLIENT_H
#define NETCORE_CLIENT_H

#include "base.h"
#include "completion.h"
#include "limit.h"

NETCORE_BEGIN_DECLS

/** TLS versions. */
typedef int32_t netcore_tls_version;
enum {
  NETCORE_TLS_VERSION_DEFAULT = 0, /**< at least 1.2 */
  NETCORE_TLS_VERSION_1_2 = 12,
  NETCORE_TLS_VERSION_1_3 = 13
};

/** Which addresses connections are made to. */
typedef int32_t netcore_address_family;
enum {
  NETCORE_ADDRESS_FAMILY_ANY = 0,
  NETCORE_ADDRESS_FAMILY_IPV4 = 4,
  NETCORE_ADDRESS_FAMILY_IPV6 = 6
};

/** The public keys of a host, one of which it must present (RFC 7469 section 2.4). */
typedef struct netcore_pinned_keys {
  /** A host name; "*." before a domain stands for all names under it. */
  const char *host;
  /** "sha256//" and the base64 of the SHA-256 digest of the key's SubjectPublicKeyInfo; several are
   *  separated by ";". */
  const char *keys;
} netcore_pinned_keys;

/** Options of a client. Zero or null means the default. Strings are copied. */
typedef struct netcore_client_options {
  /** In: sizeof(netcore_client_options). */
  uint32_t size;
  netcore_completion_mode completions;
  /** The lowest TLS version to accept. */
  netcore_tls_version tls_min_version;
  /** The highest HTTP version to use: NETCORE_HTTP_VERSION_1_1 or NETCORE_HTTP_VERSION_2
   *  (netcore/response.h). Default NETCORE_HTTP_VERSION_2, over TLS if the server agrees. */
  int32_t http_version_max;
  /** A PEM file of trusted certificate authorities, in place of the system's. Null, if `ca_folder`
   *  is null, too: what the environment names (SSL_CERT_FILE, SSL_CERT_DIR, read once when the
   *  client is created), else the system's. */
  const char *ca_file;
  /** A PEM file with the client's certificate and its chain. */
  const char *client_certificate_file;
  /** A PEM file with the client's private key; default: `client_certificate_file`. */
  const char *client_key_file;
  /** The password of the key. */
  const char *client_key_password;
  /** The URL of a proxy: http, https, socks5 or socks5h, with user name and password if it needs
   *  them. Null: from the environment (http_proxy, https_proxy, HTTPS_PROXY, all_proxy, ALL_PROXY,
   *  read once when the client is created). "": none. */
  const char *proxy;
  /** Hosts that are reached without the proxy: names, domain suffixes, addresses or CIDR blocks,
   *  separated by commas; "*" for all. All but blocks may have a port. Null: from no_proxy or
   *  NO_PROXY of the environment. */
  const char *no_proxy;
  /** The User-Agent field. Null: "netcore/" and the version. "": none. */
  const char *user_agent;
  /** Where answers are stored and served from (netcore/cache.h); the client retains it. 0: none. */
  netcore_cache cache;
  /** A folder of trusted certificate authorities, named by their hashes (openssl rehash), in place
   *  of the system's. */
  const char *ca_folder;
  /** An array of `pinned_key_count` hosts with their keys. A connection that presents another key
   *  fails with NETCORE_ERR_TLS_CERTIFICATE. */
  const netcore_pinned_keys *pinned_keys;
  size_t pinned_key_count;
  /** sizeof(netcore_pinned_keys), if there are any. */
  size_t pinned_key_size;
  /** 1: certificates are not checked. Anyone on the network path can then read and change
   *  everything; each such connection writes a warning to the log (netcore/log.h). Default 0. */
  int32_t skip_verification;
  /** Default NETCORE_ADDRESS_FAMILY_ANY. */
  netcore_address_family address_family;
  /** An array of `resolve_count` texts "host:port:address[,address]…": addresses that are used
   *  without being resolved. An IPv6 address is written in brackets. */
  const char *const *resolve;
  size_t resolve_count;
  /** The path of a Unix-domain socket that all connections are made to, whatever the URL's host. No
   *  proxy is used then. */
  const char *unix_socket;
  /** The network interface, host name or address that connections come from. */
  const char *interface;
  /** 1: cookies are kept (netcore/cookie.h). Default 0. */
  int32_t cookies;
  /** A file to keep cookies in, in curl's format; cookies are kept then. Read at create, written
   *  soon after each change and when the client is destroyed, with mode 0600. If it cannot be read,
   *  or is no such file, create fails with NETCORE_ERR_STORAGE. */
  const char *cookie_file;
  /** A file of user names and passwords by host, as curl and ftp read it; "": .netrc in the home
   *  folder. Used for requests without other credentials, except bare requests. If it is not a file
   *  or cannot be read, create fails with NETCORE_ERR_STORAGE; if libcurl cannot parse it, each
   *  request does. Null: none. */
  const char *netrc_file;
  /** A file to keep hosts in that require https (HSTS, RFC 6797), in curl's format; "": they are
   *  kept in memory. Requests to them use https instead of http, also redirects and bare requests.
   *  Only an answer over https whose certificate was checked may add a host. Read, written and
   *  refused as `cookie_file`. Null: none are kept. */
  const char *hsts_file;
  /** A file to keep alternative services in (RFC 7838), in curl's format; "": they are kept in
   *  memory. Connections to a host are then made to where its Alt-Svc field said that it can also
   *  be reached, with HTTP/2 or HTTP/1.1 and the certificate of the host itself. If that fails, the
   *  host itself is used for five minutes. Read, written and refused as `cookie_file`. Null: none
   *  are kept. */
  const char *alt_svc_file;
  /** The Accept-Encoding field of requests that set none: a list of gzip, deflate, br, zstd and
   *  identity, each optionally with a q value. Null: "gzip,br,zstd". "": none. */
  const char *accept_encoding;
  /** 1: the environment names no proxy, no exceptions from it and no authorities; only these
   *  options do. Default 0. */
  int32_t ignore_environment;
  /** A proxy for http URLs only, and one for https URLs only; each takes precedence over `proxy`.
   *  Null: as `proxy` and the environment say. "": none. */
  const char *http_proxy;
  const char *https_proxy;
  /** In place of the machine's clock (netcore/clock.h), for tests; the client retains it. `cache`
   *  must have the same. 0, the default: the machine's clock. */
  netcore_clock clock;
} netcore_client_options;

#define NETCORE_CLIENT_OPTIONS_INIT NETCORE_INIT(netcore_client_options)

/** The network in use, as the application knows it. */
typedef struct netcore_network {
  /** In: sizeof(netcore_network). */
  uint32_t size;
  /** 1: traffic costs money. */
  int32_t is_metered;
  /** The name of the interface in use, such as "wlan0". Null: not known, which allows any. */
  const char *interface;
} netcore_network;

#define NETCORE_NETWORK_INIT NETCORE_INIT(netcore_network)

/**
 * Creates a client. Opens no connection, and starts no thread: a thread that waits in
 * netcore_perform() and the like does the client's work meanwhile, and the client starts threads of
 * its own before something is under way that no call waits for, except in the loop modes. Where
 * none can be started, the call that needs it returns NETCORE_ERR_OUT_OF_MEMORY.
 *
 * @param options     Copied; null for all defaults.
 * @param out_client  Owned by the caller; release with netcore_client_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (an unknown mode or version, a string that is
 *         not UTF-8, a proxy that is not a URL), NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_TLS_CONFIG
 *         (a TLS file that is not a file or cannot be read), NETCORE_ERR_STORAGE (the same of
 *         another file), NETCORE_ERR_OUT_OF_MEMORY, NETCORE_ERR_SHUT_DOWN (the process exits, and
 *         OpenSSL has been cleaned up). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_create(const netcore_client_options *options,
                                                 netcore_client *out_client);

/**
 * Shuts a client down and frees it. Its handle is invalid from the start of the call on.
 *
 * Every task that has not ended ends with NETCORE_ERR_CANCELED. When the call returns, every
 * callback of the client has returned, and none will run: those that are due run first, on the
 * callback thread, or in pump and loop mode inside this call. The call does not wait, and the rest
 * follows later, if it is made inside a callback of the client, or on a thread of netcore that a
 * client waits for (netcore/log.h); inside a callback of another client it does not wait for a
 * callback that is running. In the queue modes completions not yet taken are dropped, and threads
 * in netcore_client_wait() return NETCORE_ERR_SHUT_DOWN; to take them all, call
 * netcore_client_shutdown() and netcore_client_wait() first.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_destroy(netcore_client client);

/**
 * Stops a client: later dispatches return NETCORE_ERR_SHUT_DOWN, and every task that has not ended
 * ends with NETCORE_ERR_CANCELED, delivered as always. Does not wait. A second call returns
 * NETCORE_OK.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_shutdown(netcore_client client);

/**
 * Sets a limit of the client. Limits for transfers and the queue apply at once, the others to tasks
 * dispatched from then on.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a netcore_limit
 *         value, or 0 for one that is at least 1), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_limit(netcore_client client, netcore_limit limit,
                                                    uint64_t value);

/** What becomes of tasks beyond NETCORE_LIMIT_QUEUE_LENGTH. */
typedef int32_t netcore_queue_overflow;
enum {
  /** A dispatch returns NETCORE_ERR_LIMIT_QUEUE_LENGTH. */
  NETCORE_QUEUE_OVERFLOW_REFUSE_NEW = 0,
  /** A task that waits ends with NETCORE_ERR_DROPPED: of those with the lowest priority the one
   *  that was dispatched last, which may be the new one. */
  NETCORE_QUEUE_OVERFLOW_DROP_LOWEST = 1
};

/**
 * Sets what becomes of tasks beyond NETCORE_LIMIT_QUEUE_LENGTH. Default
 * NETCORE_QUEUE_OVERFLOW_REFUSE_NEW. With NETCORE_QUEUE_OVERFLOW_DROP_LOWEST the client drops
 * tasks soon after the dispatch, and a dispatch returns NETCORE_ERR_LIMIT_QUEUE_LENGTH only while
 * twice as many tasks wait; members of groups are neither counted nor dropped.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a
 *         netcore_queue_overflow value), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_queue_overflow(netcore_client client,
                                                             netcore_queue_overflow overflow);

/**
 * Gets what becomes of tasks beyond NETCORE_LIMIT_QUEUE_LENGTH.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_queue_overflow(netcore_client client,
                                                             netcore_queue_overflow *out_overflow);

/**
 * Gets a limit of the client.
 *
 * @param out_value  UINT64_MAX if the limit was removed.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, or not a
 *         netcore_limit value). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_limit(netcore_client client, netcore_limit limit,
                                                    uint64_t *out_value);

/**
 * Gets a descriptor that is readable while completions wait (every mode except callback mode), and
 * in the loop modes also while there are bytes to move, and when a timeout is due. Watch it for
 * reading, and neither read nor close it: netcore_client_process() and netcore_client_wait() reset
 * it once nothing is left to do.
 *
 * @param out_descriptor  Borrowed until the client is destroyed; -1 on failure.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STATE (callback mode), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_descriptor(netcore_client client,
                                                         int32_t *out_descriptor);

/**
 * Runs callbacks that are due on this thread (pump and loop mode). In loop mode it first does what
 * can be done now for the client's requests: sends, receives, ends those whose time is up. Does not
 * block, except for the time that the callbacks take. Callbacks that become due meanwhile may be
 * left for the next call, with the descriptor readable.
 *
 * @param max_count  The most callbacks to run; 0 for no limit.
 * @param out_count  The number that ran; may be null.
 * @return NETCORE_OK (also if none was due), NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE
 *         (not pump or loop mode, or called inside a callback of this client or while another
 *         thread is in it; in loop mode also on a thread that must not wait, see netcore/log.h).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_client_process(netcore_client client, uint32_t max_count,
                                                  uint32_t *out_count);

/**
 * Takes completions (queue modes), waiting for the first. In loop-queue mode it moves the bytes of
 * the client's requests before, or while it waits. Several threads may wait; each completion goes
 * to one. They are handed out in order, but one thread may handle the end of a task while
 * another still handles an event of it.
 *
 * @param out_completions  An array of `capacity` elements; `out_count` of them are filled in,
 *                         oldest first. Each `response` is owned by the caller. Unchanged on
 *                         failure.
 * @param capacity         At least 1.
 * @param completion_size  sizeof(netcore_completion).
 * @param timeout_ms       The longest time to wait; 0 does not wait, UINT64_MAX waits without end.
 *                         After it the call returns NETCORE_OK with a count of 0.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_INVALID_STATE (not a queue mode),
 *         NETCORE_ERR_SHUT_DOWN (shut down, and nothing more will come; at once). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_wait(netcore_client client,
                                               netcore_completion *out_completions,
                                               uint32_t capacity, size_t completion_size,
                                               uint64_t timeout_ms, uint32_t *out_count);

/**
 * Cancels every task of a client that has not ended, also those not yet dispatched. Each ends with
 * NETCORE_ERR_CANCELED.
 *
 * @param out_count  The number of tasks canceled; may be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_cancel_all(netcore_client client, uint32_t *out_count);

/**
 * Cancels the tasks of a client whose request has this tag among its own (compared byte by byte).
 *
 * @param out_count  The number of tasks canceled; may be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, or not
 *         UTF-8). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_cancel_tag(netcore_client client, const char *tag,
                                                     uint32_t *out_count);

/**
 * Tells a client which network is in use. Requests that restrict the network
 * (netcore_request_set_allow_metered(), netcore_request_set_allowed_interface()) are checked
 * against it when they are about to be sent. What the cache answers needs no network, and running
 * transfers go on.
 *
 * @param network  Copied. Null, the default: not known, which allows any.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_network(netcore_client client,
                                                      const netcore_network *network);

NETCORE_END_DECLS

#endif
