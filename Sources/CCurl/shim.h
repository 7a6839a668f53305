/* libcurl for Swift: its setters and getters are variadic, so each argument shape has a wrapper here. */
#ifndef NETCORE_CCURL_H
#define NETCORE_CCURL_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <stdint.h>

typedef int (*netcore_socket_fn)(CURL *, curl_socket_t, int, void *, void *);
typedef int (*netcore_timer_fn)(CURLM *, long, void *);
typedef size_t (*netcore_data_fn)(char *, size_t, size_t, void *);
typedef int (*netcore_prereq_fn)(void *, char *, char *, int, int);
typedef int (*netcore_seek_fn)(void *, curl_off_t, int);
typedef curl_socket_t (*netcore_open_fn)(void *, curlsocktype, struct curl_sockaddr *);
typedef int (*netcore_close_fn)(void *, curl_socket_t);

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

/* The place of netcore's flag among the data that applications hang on a session. */
/* Keeps OpenSSL usable until the process is gone: exit() does not clean it up, unless the application set it up before.
 * `will_end` is called before it is cleaned up all the same. */
static inline int netcore_ssl_outlive_exit(void (*will_end)(void)) {
  return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL) && OPENSSL_atexit(will_end);
}

static inline int netcore_ssl_index(void) {
  static int index = -1;
  if (index < 0) index = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
  return index;
}

static inline void netcore_ssl_on_event(const SSL *ssl, int where, int value) {
  if (where != SSL_CB_READ_ALERT || (value & 0xFF) != SSL_AD_CLOSE_NOTIFY) return;
  uint8_t *flag = (uint8_t *)SSL_get_ex_data(ssl, netcore_ssl_index());
  if (flag) *flag = 1;
}

/* Sets *flag to 1 when the peer's close_notify comes in; libcurl 7.88 takes the end of a TLS stream without it for a good
   one. The flag must live as long as the session. */
static inline int netcore_ssl_watch_close(void *session, uint8_t *flag) {
  if (!SSL_set_ex_data((SSL *)session, netcore_ssl_index(), flag)) return 0;
  SSL_set_info_callback((SSL *)session, netcore_ssl_on_event);
  return 1;
}

#endif
