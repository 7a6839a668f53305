/** The server's side of a connection, plain or TLS, and a certificate that lives as long as the fuzzer. */
#ifndef NETCORE_FUZZ_WIRE_H
#define NETCORE_FUZZ_WIRE_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>

#include "bytes.h"
#include "fuzz.h"

static SSL_CTX *wire_tls;

/** One accepted connection; `seen` holds bytes that came and are not used yet. */
struct wire {
  int fd;
  SSL *ssl;
  struct bytes seen;
  /** See struct asked. */
  bool is_loose;
};

static inline int listen_anywhere(int *out_port) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 256) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0)
    fuzz_fail("listen");
  *out_port = ntohs(address.sin_port);
  return listener;
}

/** Takes h2 where the client offers it: never on the old host, and by turns on b, whose servers are not of one mind. */
static int wire_choose(SSL *ssl, const unsigned char **out, unsigned char *size, const unsigned char *offered,
                       unsigned offered_size, void *unused) {
  static const unsigned char both[] = "\x02h2\x08http/1.1", old[] = "\x08http/1.1";
  const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  static _Atomic unsigned turns;
  bool is_divided = name != NULL && name[0] == 'b' && !is_left_out("alpn");
  bool is_old = (name != NULL && name[0] == 'o') || (is_divided && atomic_fetch_add(&turns, 1) % 2 == 1);
  (void)unused;
  int chosen = SSL_select_next_proto((unsigned char **)out, size, is_old ? old : both,
                                     is_old ? sizeof old - 1 : sizeof both - 1, offered, offered_size);
  return chosen == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

static inline X509 *wire_certificate(EVP_PKEY *key) {
  X509 *certificate = X509_new();
  X509_NAME *name = X509_get_subject_name(certificate);
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600L * 24 * 365);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600L * 24 * 365 * 5);
  X509_set_pubkey(certificate, key);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"netcore fuzz", -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_EXTENSION *names =
      X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, "DNS:*.fuzz.test,DNS:fuzz.test,DNS:localhost,IP:127.0.0.1");
  X509_add_ext(certificate, names, -1);
  X509_EXTENSION_free(names);
  X509_sign(certificate, key, EVP_sha256());
  return certificate;
}

/** Makes a key and a certificate, and writes the latter where a client may trust it. */
static inline void wire_prepare_tls(const char *certificate_path) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = wire_certificate(key);
  FILE *file = fopen(certificate_path, "w");
  if (file == NULL || !PEM_write_X509(file, certificate) || fclose(file) != 0) fuzz_fail(certificate_path);
  wire_tls = SSL_CTX_new(TLS_server_method());
  SSL_CTX_use_certificate(wire_tls, certificate);
  SSL_CTX_use_PrivateKey(wire_tls, key);
  SSL_CTX_set_alpn_select_cb(wire_tls, wire_choose, NULL);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

/** Waits for bytes; false after so many milliseconds, or where the peer is gone. */
static inline bool wire_waits(struct wire *wire, int ms) {
  struct pollfd wanted = {wire->fd, POLLIN, 0};
  return (wire->ssl != NULL && SSL_pending(wire->ssl) > 0) || poll(&wanted, 1, ms) > 0;
}

/** Reads what there is, into `seen`; false when nothing came for `ms`, or the peer has ended. */
static inline bool wire_read(struct wire *wire, int ms) {
  unsigned char buffer[16384];
  if (wire->seen.size > 1024 * 1024 || !wire_waits(wire, ms)) return false;
  ssize_t size =
      wire->ssl != NULL ? SSL_read(wire->ssl, buffer, sizeof buffer) : recv(wire->fd, buffer, sizeof buffer, 0);
  if (size <= 0) return false;
  bytes_add(&wire->seen, buffer, (size_t)size);
  return true;
}

static inline void wire_use(struct wire *wire, size_t size) { bytes_splice(&wire->seen, 0, size, "", 0); }

static inline bool wire_write(struct wire *wire, const void *data, size_t size) {
  const unsigned char *next = data;
  while (size > 0) {
    ssize_t sent = wire->ssl != NULL ? SSL_write(wire->ssl, next, size > 1 << 30 ? 1 << 30 : (int)size)
                                     : send(wire->fd, next, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    next += sent;
    size -= (size_t)sent;
  }
  return true;
}

/** Ends the connection: by a reset, by a plain end, or, for TLS, with its goodbye. */
static inline void wire_close(struct wire *wire, bool by_reset) {
  struct linger none = {1, 0};
  if (by_reset) setsockopt(wire->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  if (wire->ssl != NULL) {
    if (!by_reset) SSL_shutdown(wire->ssl);
    SSL_free(wire->ssl);
  }
  close(wire->fd);
  bytes_free(&wire->seen);
}

/** Begins: TLS where the first byte says so. */
static inline bool wire_begin(struct wire *wire, int fd) {
  struct timeval bound = {10, 0};
  int yes = 1;
  unsigned char first = 0;
  *wire = (struct wire){.fd = fd};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &bound, sizeof bound);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &bound, sizeof bound);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (recv(fd, &first, 1, MSG_PEEK) != 1) return false;
  if (first != 22) return true;
  wire->ssl = SSL_new(wire_tls);
  SSL_set_fd(wire->ssl, fd);
  return SSL_accept(wire->ssl) == 1;
}

static inline bool wire_speaks_h2(const struct wire *wire) {
  const unsigned char *name = NULL;
  unsigned size = 0;
  if (wire->ssl != NULL) SSL_get0_alpn_selected(wire->ssl, &name, &size);
  return size == 2 && memcmp(name, "h2", 2) == 0;
}

#endif
