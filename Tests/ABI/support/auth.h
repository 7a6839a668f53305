/** Requests with credentials, and what servers made of them. */
#ifndef NETCORE_TESTS_AUTH_H
#define NETCORE_TESTS_AUTH_H

#include "answer.h"
#include "check.h"

/** The origin under its second name: another origin, on the same port. */
static inline const char *at_localhost(const char *path) {
  static __thread char texts[8][1024];
  static __thread unsigned next;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "http://localhost%s%s", strrchr(peer(ORIGIN), ':'), path);
  return text;
}

/** A URL with user name and password, "user:password", in it. */
static inline const char *with_user(const char *user, const char *url) {
  static __thread char texts[8][1024];
  static __thread unsigned next;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "http://%s@%s", user, strstr(url, "://") + 3);
  return text;
}

/** What a Basic field says, as it stands in an /echo. */
static inline const char *basic_field(const char *user) {
  static __thread char texts[8][300];
  static __thread unsigned next;
  char *text = texts[next++ % 8], *code = base64(user, strlen(user), "+/");
  snprintf(text, sizeof texts[0], "[\"Authorization\", \"Basic %s\"]", code);
  free(code);
  return text;
}

static inline netcore_request auth_request(const char *url, netcore_auth auth, const char *user, const char *password) {
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_request_set_auth(request, auth, user, password));
  return request;
}

/** Sends a request, destroys it, and checks the HTTP status, and what the body has; null for anything. */
#define CHECK_ANSWER(client, request, http_status, text) \
  check_answer_of(client, request, http_status, text, __FILE__, __LINE__)

static inline void check_answer_of(netcore_client client, netcore_request request, int http_status, const char *text,
                                   const char *file, int line) {
  struct answer answer = perform_once(client, request);
  check_status(answer.status, NETCORE_OK, "the status of a request", file, line);
  check_equal(answer.info.http_status, http_status, "the HTTP status", file, line);
  if (text != NULL) check_body(&answer, text, file, line);
  answer_free(&answer);
}

/** Sends a request to an /echo, destroys it, and checks that it said nothing of who sends it. */
#define CHECK_ANONYMOUS(client, request) check_anonymous(client, request, __FILE__, __LINE__)

static inline void check_anonymous(netcore_client client, netcore_request request, const char *file, int line) {
  struct answer answer = perform_once(client, request);
  check_status(answer.status, NETCORE_OK, "the status of a request", file, line);
  check_equal(answer.info.http_status, 200, "the HTTP status", file, line);
  if (!check_true(!body_has_anycase(&answer, "authorization"), "no Authorization", file, line))
    fprintf(stderr, "    %.*s\n", (int)answer.info.body.size_bytes, (const char *)answer.info.body.data);
  answer_free(&answer);
}

/** The path of a redirect of the origin's to a URL, whose query is the whole rest. */
static inline const char *redirect_to(const char *url) {
  static __thread char texts[8][1024];
  static __thread unsigned next;
  char *text = texts[next++ % 8], *end = text + sprintf(text, "/redirect/307?to=");
  for (const char *c = url; *c != '\0' && end < text + sizeof texts[0] - 4; c++)
    end += sprintf(end, strchr("%&=?", *c) != NULL ? "%%%02X" : "%c", (unsigned char)*c);
  return text;
}

#endif
