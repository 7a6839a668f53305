/** The peers that scripts/with-peers started: their addresses, and the scripts for the scripted origin. */
#ifndef NETCORE_TESTS_PEERS_H
#define NETCORE_TESTS_PEERS_H

#include "check.h"

#define ORIGIN "NETCORE_TEST_ORIGIN"
#define ORIGIN_TLS "NETCORE_TEST_ORIGIN_TLS"
#define NGINX "NETCORE_TEST_NGINX"
#define NGINX_TLS "NETCORE_TEST_NGINX_TLS"
#define NGINX_H2 "NETCORE_TEST_NGINX_H2"
#define NGINX_MTLS "NETCORE_TEST_NGINX_MTLS"
#define NGINX_UNIX "NETCORE_TEST_NGINX_UNIX"
#define CA_FILE "NETCORE_TEST_CA"
#define CA_FOLDER "NETCORE_TEST_CA_FOLDER"
#define SERVER_PIN "NETCORE_TEST_SERVER_PIN"
#define CLIENT_CERTIFICATE "NETCORE_TEST_CLIENT_CERT"
#define CLIENT_KEY "NETCORE_TEST_CLIENT_KEY"
#define CLIENT_KEY_ENCRYPTED "NETCORE_TEST_CLIENT_KEY_ENCRYPTED" /* its password is secret */
#define UPLOADS "NETCORE_TEST_UPLOADS"
#define HTTPBIN "NETCORE_TEST_HTTPBIN"
#define REFUSED "NETCORE_TEST_REFUSED"
#define ACCESS_LOG "NETCORE_TEST_ACCESS_LOG"
#define PROXY_AUTH "NETCORE_TEST_PROXY_AUTH"
#define PROXY_TLS "NETCORE_TEST_PROXY_TLS"
#define SOCKS "NETCORE_TEST_SOCKS"
#define SOCKS_LOG "NETCORE_TEST_SOCKS_LOG"
#define SOCKS_AUTH "NETCORE_TEST_SOCKS_AUTH"
#define SOCKS_AUTH_LOG "NETCORE_TEST_SOCKS_AUTH_LOG"

/** The value of a peer's variable. */
static inline const char *peer(const char *variable) {
  const char *value = getenv(variable);
  if (value == NULL || *value == '\0') {
    fprintf(stderr, "%s is not set; run this program by scripts/with-peers\n", variable);
    _exit(1);
  }
  return value;
}

/** A peer's URL with a path. The text is the thread's, and good for the next seven calls. */
static inline const char *at(const char *variable, const char *path) {
  static __thread char texts[8][1024];
  static __thread unsigned next;
  const char *base = peer(variable);
  size_t size = strlen(base);
  char *text = texts[next++ % 8];
  if (size > 0 && base[size - 1] == '/') size--;
  REQUIRE(snprintf(text, sizeof texts[0], "%.*s%s", (int)size, base, path) < (int)sizeof texts[0]);
  return text;
}

/** A path at the origin that no other program of a parallel run uses. */
static inline const char *marked(const char *path, const char *mark) {
  static __thread char texts[8][256];
  static __thread unsigned next;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "%s?mark=%s-%ld", path, mark, (long)getpid());
  return text;
}

/** Bytes as base64, with NUL; free the text. */
static inline char *base64(const void *data, size_t size, const char *alphabet_end) {
  char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const unsigned char *bytes = data;
  char *text = malloc(size / 3 * 4 + 5), *end = text;
  REQUIRE(text != NULL);
  memcpy(alphabet + 62, alphabet_end, 2);
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    unsigned bits = (unsigned)bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
    *end++ = alphabet[bits >> 18];
    *end++ = alphabet[bits >> 12 & 63];
    *end++ = left > 1 ? alphabet[bits >> 6 & 63] : '=';
    *end++ = left > 2 ? alphabet[bits & 63] : '=';
  }
  *end = '\0';
  return text;
}

/**
 * The URL at which the origin plays `steps`, a JSON list written for C: ' stands for ", and control characters and
 * bytes above 0x7F may stand in strings as they are. Free the text.
 */
static inline char *script_url(const char *variable, const char *steps) {
  char *json = malloc(strlen(steps) * 6 + 1), *end = json;
  REQUIRE(json != NULL);
  for (const unsigned char *c = (const unsigned char *)steps; *c != '\0'; c++) {
    if (*c == '\'')
      *end++ = '"';
    else if (*c < 0x20 || *c >= 0x7F)
      end += sprintf(end, "\\u%04x", *c);
    else
      *end++ = (char)*c;
  }
  char *path = base64(json, (size_t)(end - json), "-_");
  const char *base = at(variable, "/script/");
  char *url = malloc(strlen(base) + strlen(path) + 1);
  REQUIRE(url != NULL);
  strcpy(url, base);
  strcat(url, path);
  free(path);
  free(json);
  return url;
}

#endif
