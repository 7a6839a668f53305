/** Clients that keep cookies, hosts of many names that are all the origin, and which cookies they get. */
#ifndef NETCORE_TESTS_COOKIES_H
#define NETCORE_TESTS_COOKIES_H

#include "answer.h"
#include "check.h"

/** Names that clients of cookie_client() find the origin under. */
static const char *const cookie_hosts[] = {"example.com", "a.example.com", "b.example.com", "example.org",
                                           "a.co.uk",     "b.co.uk",       "a.co.uk.",      "example.com."};

/** A client that finds the origin under all these names; in memory alone where the file is null. */
static inline netcore_client cookie_client(const char *file, netcore_cache cache) {
  static char texts[2 * LENGTH(cookie_hosts)][100];
  const char *entries[2 * LENGTH(cookie_hosts)];
  for (size_t i = 0; i < LENGTH(entries); i++) {
    const char *port = strrchr(peer(i % 2 ? ORIGIN_TLS : ORIGIN), ':');
    snprintf(texts[i], sizeof texts[0], "%s%s:127.0.0.1", cookie_hosts[i / 2], port);
    entries[i] = texts[i];
  }
  netcore_client_options options = {.size = sizeof options, .cookies = 1, .cookie_file = file, .cache = cache};
  options.skip_verification = 1; /* The certificate is for localhost. */
  options.resolve = entries;
  options.resolve_count = LENGTH(entries);
  netcore_client client = 0;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

/** "http://host/path" or "https://host/path", with the port of the origin. Good for the next seven calls. */
static inline const char *on(const char *url) {
  static __thread char texts[8][1024];
  static __thread unsigned next;
  char *text = texts[next++ % 8];
  const char *host = strstr(url, "://") + 3, *path = strchr(host, '/');
  const char *port = strrchr(peer(strncmp(url, "https", 5) == 0 ? ORIGIN_TLS : ORIGIN), ':');
  REQUIRE(path != NULL);
  snprintf(text, sizeof texts[0], "%.*s%s%s", (int)(path - url), url, port, path);
  return text;
}

/** Text as a value in a query. Good for the next seven calls. */
static inline const char *escaped(const char *text) {
  static __thread char texts[8][1024];
  static __thread unsigned next;
  char *result = texts[next++ % 8], *end = result;
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0' && end < result + sizeof texts[0] - 4; c++)
    end += sprintf(end, *c <= 0x20 || *c >= 0x7F || strchr("%&=?;#+", *c) != NULL ? "%%%02X" : "%c", *c);
  *end = '\0';
  return result;
}

static inline void check_fetched(netcore_client client, const char *url) {
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
}

/** Has the host of a URL, under /headers, send a Set-Cookie field. */
static inline void set_by(netcore_client client, const char *url, const char *cookie) {
  char whole[2000];
  snprintf(whole, sizeof whole, "%s?Set-Cookie=%s", on(url), escaped(cookie));
  check_fetched(client, whole);
}

/** The one Cookie field in an answer of /echo; "" for none. Good for the next seven calls. */
static inline const char *cookies_in(const struct answer *answer) {
  static __thread char texts[8][2000];
  static __thread unsigned next;
  char *text = texts[next++ % 8], body[4000];
  *text = '\0';
  snprintf(body, sizeof body, "%.*s", (int)answer->info.body.size_bytes, (const char *)answer->info.body.data);
  char *found = strcasestr(body, "[\"cookie\", \"");
  if (found == NULL) return text;
  snprintf(text, sizeof texts[0], "%s", found + 12);
  *strstr(text, "\"]") = '\0';
  CHECK(strcasestr(found + 12, "[\"cookie\", \"") == NULL);
  return text;
}

/** What a request, which is destroyed, takes along to the end of its way. */
static inline const char *cookies_of(netcore_client client, netcore_request request) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, "\"method\"");
  const char *text = cookies_in(&answer);
  answer_free(&answer);
  return text;
}

#define CHECK_SENT(client, url, expected) CHECK_SENT_BY(client, request_new("GET", on(url)), expected)
#define CHECK_SENT_BY(client, request, expected) check_sent(client, request, expected, __FILE__, __LINE__)

static inline void check_sent(netcore_client client, netcore_request request, const char *expected, const char *file,
                              int line) {
  char text[3000];
  const char *sent = cookies_of(client, request);
  snprintf(text, sizeof text, "\"%s\" is sent, not \"%s\"", sent, expected);
  check_true(strcmp(sent, expected) == 0, text, file, line);
}

static inline int32_t count_cookie(const netcore_cookie *cookie, void *user_data) {
  CHECK_EQUAL(cookie->size, sizeof *cookie);
  ++*(unsigned *)user_data;
  return 1;
}

static inline unsigned cookie_count(netcore_client client) {
  unsigned count = 0;
  CHECK_OK(netcore_client_list_cookies(client, count_cookie, &count));
  return count;
}

/** A cookie of example.com's. */
static inline netcore_cookie cookie_named(const char *name, const char *value) {
  netcore_cookie cookie = {.size = sizeof cookie, .is_host_only = 1, .expires = -1, .name = name, .value = value};
  cookie.domain = "example.com";
  return cookie;
}

#endif
