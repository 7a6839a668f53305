/** Requests through a proxy that asks for user:secret: what passes, what fails, and that its password stays with it. */
#ifndef NETCORE_TESTS_PROXY_H
#define NETCORE_TESTS_PROXY_H

#include "answer.h"
#include "check.h"
#include "peers.h"

/** The base64 of user:secret. */
#define BASIC "Basic dXNlcjpzZWNyZXQ="

/** A proxy's URL with another scheme and other credentials: "", or ended by "@". Good for seven more calls. */
static inline const char *proxy_as(const char *proxy, const char *scheme, const char *credentials) {
  static char texts[8][256];
  static unsigned next;
  const char *host = strchr(proxy, '@') != NULL ? strchr(proxy, '@') + 1 : strstr(proxy, "://") + 3;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "%s://%s%s", scheme, credentials, host);
  return text;
}

static inline netcore_client proxied_client(const char *proxy, const char *no_proxy) {
  netcore_client_options options = {.size = sizeof options, .proxy = proxy, .no_proxy = no_proxy};
  netcore_client client = 0;
  options.ca_file = peer(CA_FILE);
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

/** Whether the text has the password, as it is or in base64. */
static inline bool has_password(netcore_bytes text) {
  return bytes_have(text, "secret") || bytes_have(text, "dXNlcjpzZWNyZXQ");
}

static inline void check_fails(const char *name, const char *proxy, const char *url, netcore_status status) {
  check_case = name;
  netcore_client client = proxied_client(proxy, "");
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, status);
  CHECK(!has_password(answer.error.message));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

/** Whether requests reach the origin, over a connection that is kept, without a word of the proxy's credentials. */
static inline void check_passes(const char *name, const char *proxy, const char *url, bool leaves_trace) {
  check_case = name;
  netcore_client client = proxied_client(proxy, "");
  for (int round = 0; round < 2; round++) {
    struct answer answer = fetch(client, url);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, 200);
    CHECK_EQUAL(answer.info.connection_reused, round);
    CHECK_BODY_HAS(&answer, "\"method\": \"GET\"");
    CHECK_EQUAL(body_has(&answer, "[\"Via\", "), leaves_trace);
    CHECK(!body_has(&answer, "Proxy-") && !has_password(answer.info.body));
    answer_free(&answer);
  }
  CHECK_OK(netcore_client_destroy(client));
}

#endif
