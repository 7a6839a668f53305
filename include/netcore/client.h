/** Clients: connections, limits, TLS and proxy settings, and how completions are received. */
#ifndef NETCORE_CLIENT_H
#define NETCORE_CLIENT_H

#include "base.h"
#include "completion.h"

NETCORE_BEGIN_DECLS

/** How a client hands over completions. Chosen once. */
typedef int32_t netcore_completion_mode;
enum {
  /** Callbacks run on one serial thread of netcore's. The default. */
  NETCORE_COMPLETIONS_CALLBACK = 0,
  /** Callbacks run inside netcore_client_process(), which the host's own loop calls when the client's descriptor is
   *  readable: asyncio, GLib, libuv, Qt. */
  NETCORE_COMPLETIONS_PUMP = 1,
  /** No callbacks: netcore_client_wait() fills an array. For languages in which a foreign call-back is dear. Calls
   *  that take a callback refuse one. */
  NETCORE_COMPLETIONS_QUEUE = 2
};

/** TLS versions. */
typedef int32_t netcore_tls_version;
enum {
  NETCORE_TLS_DEFAULT = 0, /**< at least 1.2 */
  NETCORE_TLS_1_2 = 12,
  NETCORE_TLS_1_3 = 13
};

/** Which addresses connections go to. */
typedef int32_t netcore_address_family;
enum { NETCORE_ADDRESSES_ANY = 0, NETCORE_ADDRESSES_IPV4 = 4, NETCORE_ADDRESSES_IPV6 = 6 };

/** The public keys of a host, of which it must show one (RFC 7469 section 2.4): the one in use, and backups. */
typedef struct netcore_pinned_keys {
  /** A host name; "*." before a domain stands for all names under it. */
  const char *host;
  /** "sha256//" and the base64 of the SHA-256 digest of the key's SubjectPublicKeyInfo; ";" between several. */
  const char *keys;
} netcore_pinned_keys;

/** Options of a client. Zero or null means the default. Strings are copied. */
typedef struct netcore_client_options {
  /** sizeof(netcore_client_options). */
  uint32_t size;
  netcore_completion_mode completions;
  /** The lowest TLS version to accept. */
  netcore_tls_version tls_min_version;
  /** The highest HTTP version to use: NETCORE_HTTP_1_1 or NETCORE_HTTP_2 (see netcore/response.h). Default
   *  NETCORE_HTTP_2, over TLS when the server agrees. */
  int32_t http_version_max;
  /** A PEM file of trusted certificate authorities, in place of the system's. Null, if `ca_folder` is null too: what the
   *  environment names (SSL_CERT_FILE, SSL_CERT_DIR, read once, at create), else the system's. "": the system's. */
  const char *ca_file;
  /** A PEM file with the client's certificate (and chain). */
  const char *client_certificate_file;
  /** A PEM file with the client's private key; default: `client_certificate_file`. */
  const char *client_key_file;
  /** The password of the key. */
  const char *client_key_password;
  /** A proxy's URL, http:// https:// socks5:// or socks5h://, with user name and password if it needs them. Null: as
   *  the environment says (http_proxy, https_proxy and HTTPS_PROXY, all_proxy and ALL_PROXY, read once, at create).
   *  "": none. */
  const char *proxy;
  /** Hosts reached directly: names, domain suffixes, addresses or CIDR blocks, with commas between; "*" for all. All
   *  but blocks may have a port. Null: no_proxy or NO_PROXY of the environment. */
  const char *no_proxy;
  /** The User-Agent field. Null: "netcore/" and the version. "": none. */
  const char *user_agent;
  /** Where answers are stored and served from (netcore/cache.h); the client keeps it. 0: none. */
  netcore_cache cache;
  /** A folder of trusted certificate authorities, named by their hashes (openssl rehash), in place of the system's. */
  const char *ca_folder;
  /** An array of `pinned_key_count` hosts with their keys. Another key is NETCORE_ERR_TLS_CERTIFICATE. */
  const netcore_pinned_keys *pinned_keys;
  size_t pinned_key_count;
  /** sizeof(netcore_pinned_keys), where there are any. */
  size_t pinned_key_size;
  /** 1: certificates are not checked. Anybody on the way can then read and change everything; each such connection is warned
   *  of in the log (netcore/log.h). Default 0. */
  int32_t skip_verification;
  /** Default NETCORE_ADDRESSES_ANY. */
  netcore_address_family address_family;
  /** An array of `resolve_count` texts "host:port:address[,address]…": addresses that are used without being looked up. An
   *  IPv6 address stands in brackets. */
  const char *const *resolve;
  size_t resolve_count;
  /** The path of a Unix-domain socket that all connections go to, whatever the URL's host. No proxy is used then. */
  const char *unix_socket;
  /** The network interface, host name or address that connections come from. */
  const char *interface;
  /** 1: cookies are kept (netcore/cookie.h). Default 0. */
  int32_t cookies;
  /** A file to keep cookies in, in the format of curl; cookies are kept then. Read now, written soon after each change and when the
   *  client is destroyed, with the mode 0600. One that cannot be read, or holds no cookies, is NETCORE_ERR_STORAGE. */
  const char *cookie_file;
  /** A file of user names and passwords by host, as curl and ftp read it; "": .netrc in the home folder. Used for requests without
   *  other credentials, but custom ones. What is not a file, or cannot be read, is NETCORE_ERR_STORAGE; so is a text that
   *  libcurl cannot read, for each request. Null: none. */
  const char *netrc_file;
  /** A file to keep the hosts in that ask for https alone (HSTS, RFC 6797), in the format of curl; "": they are kept in memory.
   *  Requests to them go by https in place of http, redirects and custom ones too. Only an answer by https whose certificate was
   *  checked may ask for that. Read, written and refused as `cookie_file`. Null: what hosts ask for is not kept. */
  const char *hsts_file;
  /** A file to keep alternative services in (RFC 7838), in the format of curl; "": they are kept in memory. Connections to a host
   *  then go where it said by Alt-Svc that it can be reached too, by HTTP/2 or HTTP/1.1, with the certificate of the host itself;
   *  one that fails is left alone for five minutes, and the host itself is asked. Read, written and refused as `cookie_file`.
   *  Null: what hosts say is not kept. */
  const char *alt_svc_file;
  /** The Accept-Encoding field of requests that have none of their own: a list of gzip, deflate, br, zstd and identity, each with
   *  a q value or without. Null: "gzip,br,zstd". "": none. */
  const char *accept_encoding;
} netcore_client_options;

/** The network at hand, as the host knows it. */
typedef struct netcore_network {
  /** sizeof(netcore_network). */
  uint32_t size;
  /** 1: bytes cost money. */
  int32_t is_metered;
  /** The name of the interface in use, such as "wlan0". Null: not known, which allows any. */
  const char *interface;
} netcore_network;

/**
 * Creates a client and starts its threads. Opens no connection.
 *
 * @param options  Borrowed during the call; null for all defaults.
 * @param out_client  Owned by the caller; release with netcore_client_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_ARGUMENT (an unknown mode or version, a string that is not UTF-8, a proxy
 *         that is no URL), NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_TLS_CONFIG (what is not a file, or
 *         cannot be read; the same of `netrc_file` is NETCORE_ERR_STORAGE), NETCORE_ERR_OUT_OF_MEMORY,
 *         NETCORE_ERR_SHUT_DOWN (the process exits, and OpenSSL has been cleaned up). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_create(const netcore_client_options *options, netcore_client *out_client);

/**
 * Shuts a client down and frees it. Its handle is invalid from the start of the call on.
 *
 * Every task that has not ended ends with NETCORE_ERR_CANCELED. When the call returns, every callback of the client has
 * returned, and none will run: those still due run first, on the callback thread, or, in pump mode, inside this call.
 * The exception: called inside one of the client's own callbacks, it returns at once and the rest follows behind that
 * callback; inside another client's callback it does not wait for a callback that is running meanwhile. On a thread of
 * netcore's that a client waits for (netcore/log.h) it returns at once as well. In queue mode,
 * completions not yet taken are dropped, and threads in netcore_client_wait() return NETCORE_ERR_SHUT_DOWN; to take them
 * all, call netcore_client_shutdown() and netcore_client_wait() first. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_destroy(netcore_client client);

/**
 * Stops a client: later dispatches answer NETCORE_ERR_SHUT_DOWN, and every task that has not ended ends with
 * NETCORE_ERR_CANCELED, delivered as always. Does not wait. A second call is NETCORE_OK. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_shutdown(netcore_client client);

/**
 * Sets a limit of the client. It holds for tasks that are dispatched from now on; those for transfers and the queue at
 * once.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (an unknown limit, or 0 for one that is
 *         at least 1), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_limit(netcore_client client, netcore_limit limit, uint64_t value);

/**
 * Gets a descriptor that is readable while completions wait (pump and queue mode). Watch it for reading, and neither
 * read nor close it: netcore_client_process() and netcore_client_wait() reset it once they leave nothing behind.
 *
 * @param out_descriptor  Borrowed until the client is destroyed; -1 on failure.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STATE (callback mode), NETCORE_ERR_SHUT_DOWN. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_descriptor(netcore_client client, int32_t *out_descriptor);

/**
 * Runs callbacks that are due (pump mode), on this thread. Does not block, except for the time that the callbacks take.
 * Callbacks dispatched by callbacks may be left for the next call, with the descriptor readable.
 *
 * @param max_count  The most callbacks to run; 0 for no limit.
 * @param out_count  The number that ran; may be null.
 * @return NETCORE_OK (also when none was due), NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (not pump mode, or
 *         called inside a callback of this client or while another thread is in it). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_process(netcore_client client, uint32_t max_count, uint32_t *out_count);

/**
 * Takes completions (queue mode), waiting for the first. Several threads may wait; each completion goes to one. They are
 * handed out in order, but where several threads take them one may have a task's end in hand while another still looks at
 * what came early for it.
 *
 * @param out_completions  An array of `capacity` elements; `out_count` of them are filled in, oldest first. Each
 *                         `response` is owned by the caller. On failure the array is left alone.
 * @param capacity         At least 1.
 * @param completion_size  sizeof(netcore_completion).
 * @param timeout_ms       The most to wait; 0 does not wait, UINT64_MAX waits without end. When it has passed, the call
 *                         is NETCORE_OK with a count of 0.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT, NETCORE_ERR_INVALID_STATE (not queue
 *         mode), NETCORE_ERR_SHUT_DOWN (shut down, and nothing more will come; at once). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_wait(netcore_client client, netcore_completion *out_completions,
                                               uint32_t capacity, size_t completion_size, uint64_t timeout_ms,
                                               uint32_t *out_count);

/**
 * Cancels every task of a client that has not ended, unstarted ones included. Each ends with NETCORE_ERR_CANCELED.
 *
 * @param out_count  The number of tasks canceled; may be null. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_cancel_all(netcore_client client, uint32_t *out_count);

/** Cancels the tasks of a client whose request had this tag (compared byte by byte). As netcore_client_cancel_all().
 *  Since 0.1. */
NETCORE_API netcore_status netcore_client_cancel_tag(netcore_client client, const char *tag, uint32_t *out_count);

/**
 * Tells a client of the network at hand. Requests that make demands of it (netcore_request_set_allow_metered(),
 * netcore_request_set_allowed_interface()) are judged by it when they are about to be sent; what the cache answers needs no
 * network, and transfers under way go on.
 *
 * @param network  Copied. Null, as at the beginning: not known, which allows all.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STRUCT, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_network(netcore_client client, const netcore_network *network);

NETCORE_END_DECLS

#endif
