/* libcurl for Swift: its setters and getters are variadic, so each argument shape has a wrapper here. */
#ifndef NETCORE_CCURL_H
#define NETCORE_CCURL_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <string.h>

typedef int (*netcore_socket_fn)(CURL *, curl_socket_t, int, void *, void *);
typedef int (*netcore_timer_fn)(CURLM *, long, void *);
typedef size_t (*netcore_data_fn)(char *, size_t, size_t, void *);
typedef int (*netcore_prereq_fn)(void *, char *, char *, int, int);
typedef int (*netcore_seek_fn)(void *, curl_off_t, int);
typedef curl_socket_t (*netcore_open_fn)(void *, curlsocktype, struct curl_sockaddr *);
typedef int (*netcore_close_fn)(void *, curl_socket_t);
typedef int (*netcore_resolver_fn)(void *, void *, void *);

static inline CURLcode netcore_setopt_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode netcore_setopt_off(CURL *h, CURLoption o, curl_off_t v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode netcore_setopt_text(CURL *h, CURLoption o, const char *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode netcore_setopt_pointer(CURL *h, CURLoption o, void *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode netcore_setopt_data(CURL *h, CURLoption o, netcore_data_fn v) {
  return curl_easy_setopt(h, o, v);
}
static inline CURLcode netcore_setopt_prereq(CURL *h, netcore_prereq_fn v) {
  return curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, v);
}
static inline CURLcode netcore_setopt_seek(CURL *h, netcore_seek_fn v) {
  return curl_easy_setopt(h, CURLOPT_SEEKFUNCTION, v);
}
static inline CURLcode netcore_setopt_open(CURL *h, netcore_open_fn v) {
  return curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, v);
}
static inline CURLcode netcore_setopt_close(CURL *h, netcore_close_fn v) {
  return curl_easy_setopt(h, CURLOPT_CLOSESOCKETFUNCTION, v);
}
static inline CURLcode netcore_setopt_resolver(CURL *h, netcore_resolver_fn v) {
  return curl_easy_setopt(h, CURLOPT_RESOLVER_START_FUNCTION, v);
}
static inline long netcore_getinfo_long(CURL *h, CURLINFO i) {
  long v = 0;
  curl_easy_getinfo(h, i, &v);
  return v;
}
static inline int64_t netcore_getinfo_off(CURL *h, CURLINFO i) {
  curl_off_t v = 0;
  curl_easy_getinfo(h, i, &v);
  return v;
}
/* The address that the last connection went to; null if there was none. */
static inline const char *netcore_getinfo_address(CURL *h) {
  const char *v = NULL;
  curl_easy_getinfo(h, CURLINFO_PRIMARY_IP, &v);
  return v && *v ? v : NULL;
}
static inline void *netcore_getinfo_pointer(CURL *h) {
  char *v = NULL;
  curl_easy_getinfo(h, CURLINFO_PRIVATE, &v);
  return v;
}
static inline CURLMcode netcore_multi_setopt_long(CURLM *m, CURLMoption o, long v) {
  return curl_multi_setopt(m, o, v);
}
static inline CURLMcode netcore_multi_setopt_pointer(CURLM *m, CURLMoption o, void *v) {
  return curl_multi_setopt(m, o, v);
}
static inline CURLMcode netcore_multi_setopt_socket(CURLM *m, netcore_socket_fn v) {
  return curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, v);
}
static inline CURLMcode netcore_multi_setopt_timer(CURLM *m, netcore_timer_fn v) {
  return curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, v);
}
static inline CURLSHcode netcore_share_setopt_long(CURLSH *s, CURLSHoption o, long v) {
  return curl_share_setopt(s, o, v);
}
/* As in LIBCURL_VERSION_NUM, of the library that runs. */
static inline unsigned netcore_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version_num; }
static inline CURLcode netcore_message_result(const CURLMsg *m) { return m->data.result; }

/* Casts in macros, which Swift does not see. */
static const unsigned long netcore_auth_basic = CURLAUTH_BASIC;
static const unsigned long netcore_auth_digest = CURLAUTH_DIGEST;
static const unsigned long netcore_auth_negotiate = CURLAUTH_NEGOTIATE;

/* The OpenSSL session of the connection that a transfer uses now; null when there is none or TLS is another library's. */
static inline void *netcore_ssl_session(CURL *h) {
  struct curl_tlssessioninfo *info = NULL;
  if (curl_easy_getinfo(h, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return NULL;
  return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

/* 1 if the peer chose HTTP/2 in the handshake (RFC 7301). */
static inline int netcore_ssl_chose_http2(void *session) {
  const unsigned char *name = NULL;
  unsigned size = 0;
  SSL_get0_alpn_selected((SSL *)session, &name, &size);
  return size == 2 && name[0] == 'h' && name[1] == '2';
}

/* 1 if bytes of the peer's wait in the session, decrypted or not. */
static inline int netcore_ssl_has_input(void *session) {
  return SSL_pending((SSL *)session) > 0 || SSL_has_pending((SSL *)session);
}

/* Keeps OpenSSL usable until the process is gone: exit() does not clean it up, unless the application set it up before.
 * `will_end` is called before it is cleaned up all the same. */
static inline int netcore_ssl_outlive_exit(void (*will_end)(void)) {
  return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL) && OPENSSL_atexit(will_end);
}

/* Frees what OpenSSL keeps for the calling thread. It would do so itself as the thread ends, under a lock of the whole process. */
static inline void netcore_ssl_leave_thread(void) { OPENSSL_thread_stop(); }

/* A place for netcore's data on any session; below 0 if there is none. */
static inline int netcore_ssl_new_index(void) { return SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL); }

/* 1 if an event of SSL_set_info_callback() is the peer's close_notify. */
static inline int netcore_ssl_is_close_notify(int where, int value) {
  return where == SSL_CB_READ_ALERT && (value & 0xFF) == SSL_AD_CLOSE_NOTIFY;
}

/* A layer under a session that passes everything on. Where the system refuses to send, it says "later" instead, as often as its
   number says: what the peer sent before it ended the connection is read first. */
static inline int netcore_patient_write(BIO *bio, const char *data, int size) {
  BIO *next = BIO_next(bio);
  int *patience = (int *)BIO_get_data(bio);
  int sent = BIO_write(next, data, size);
  BIO_clear_retry_flags(bio);
  BIO_copy_next_retry(bio);
  if (sent <= 0 && !BIO_should_retry(bio) && patience && *patience > 0) {
    --*patience;
    BIO_set_retry_write(bio);
    return -1;
  }
  return sent;
}
static inline int netcore_patient_read(BIO *bio, char *data, int size) {
  int received = BIO_read(BIO_next(bio), data, size);
  BIO_clear_retry_flags(bio);
  BIO_copy_next_retry(bio);
  return received;
}
static inline long netcore_patient_ctrl(BIO *bio, int command, long number, void *pointer) {
  return BIO_ctrl(BIO_next(bio), command, number, pointer);
}
static inline int netcore_patient_create(BIO *bio) {
  BIO_set_init(bio, 1);
  return 1;
}
static inline int netcore_patient_destroy(BIO *bio) {
  if (!bio) return 0;
  OPENSSL_free(BIO_get_data(bio));
  BIO_set_data(bio, NULL);
  return 1;
}

/* What such layers do. Null without memory. */
static inline BIO_METHOD *netcore_patient_method(void) {
  int type = BIO_get_new_index();
  BIO_METHOD *method = type < 0 ? NULL : BIO_meth_new(type | BIO_TYPE_FILTER, "netcore");
  if (!method) return NULL;
  BIO_meth_set_write(method, netcore_patient_write);
  BIO_meth_set_read(method, netcore_patient_read);
  BIO_meth_set_ctrl(method, netcore_patient_ctrl);
  BIO_meth_set_create(method, netcore_patient_create);
  BIO_meth_set_destroy(method, netcore_patient_destroy);
  return method;
}

/* The number of such a layer under a session; null without one. */
static inline int *netcore_ssl_patience(void *session) {
  BIO *bio = SSL_get_wbio((SSL *)session);
  return bio && strcmp(BIO_method_name(bio), "netcore") == 0 ? (int *)BIO_get_data(bio) : NULL;
}

/* Puts such a layer under a session. 0 without memory. */
static inline int netcore_ssl_make_patient(void *session, BIO_METHOD *method) {
  BIO *below = SSL_get_wbio((SSL *)session), *layer = method && below ? BIO_new(method) : NULL;
  int *patience = layer ? (int *)OPENSSL_zalloc(sizeof *patience) : NULL;
  if (!patience || !BIO_up_ref(below)) {
    OPENSSL_free(patience);
    BIO_free(layer);
    return 0;
  }
  BIO_set_data(layer, patience);
  SSL_set0_wbio((SSL *)session, BIO_push(layer, below));
  return 1;
}

#endif
