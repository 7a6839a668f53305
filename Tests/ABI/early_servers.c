/*
 * Requests with a body to Caddy, Apache, lighttpd and HAProxy, by HTTP and by TLS where they offer HTTP/2: answers that come before
 * the body was read, and Digest. None may be lost. nginx, the peer of the other programs, loses none by HTTP/2 either way.
 *
 * NETCORE_TEST_ROUNDS is the number of rounds; one says how many answers were lost where.
 */
#include "support.h"

#include "support/auth.h"
#include "support/body.h"

static const char *const servers[] = {"NETCORE_TEST_CADDY",     "NETCORE_TEST_CADDY_H2",  "NETCORE_TEST_APACHE",
                                      "NETCORE_TEST_APACHE_H2", "NETCORE_TEST_LIGHTTPD",  "NETCORE_TEST_LIGHTTPD_H2",
                                      "NETCORE_TEST_HAPROXY",   "NETCORE_TEST_HAPROXY_H2"};
static const size_t sizes[] = {10, 20000, 1000000};
static const int statuses[] = {307, 401, 403, 404, 413};

static netcore_client client;
static char *bytes;
static unsigned rounds = 1;

static netcore_request post(const char *url, size_t size) {
  netcore_request request = request_new("POST", url);
  CHECK_OK(netcore_request_set_body(request, bytes, size));
  CHECK_OK(netcore_request_set_follow_redirects(request, 0));
  return request;
}

static bool is_lost(struct answer *answer, int http_status) {
  bool is_lost = answer->status != NETCORE_OK;
  if (is_lost)
    fprintf(stderr, "    [%s] %s\n", check_case, (const char *)answer->error.message.data);
  else
    CHECK_EQUAL(answer->info.http_status, http_status);
  return is_lost;
}

static void test_early(const char *server) {
  for (size_t i = 0; i < LENGTH(statuses); i++)
    for (size_t j = 0; j < LENGTH(sizes); j++) {
      unsigned lost = 0;
      char path[40];
      snprintf(path, sizeof path, "/early/%d", statuses[i]);
      for (unsigned round = 0; round < rounds; round++) {
        struct answer answer = perform_once(client, post(at(server, path), sizes[j]));
        lost += is_lost(&answer, statuses[i]);
        answer_free(&answer);
      }
      if (!CHECK_EQUAL(lost, 0)) fprintf(stderr, "    of %u, %zu bytes to %s\n", rounds, sizes[j], path);
    }
}

static void test_digest(const char *server) {
  for (size_t j = 0; j < LENGTH(sizes); j++) {
    unsigned lost = 0;
    for (unsigned round = 0; round < rounds; round++) {
      netcore_request request = post(at(server, "/digest-bodies/auth/user/secret/MD5"), sizes[j]);
      CHECK_OK(netcore_request_set_auth(request, NETCORE_AUTH_DIGEST, "user", "secret"));
      struct answer answer = perform_once(client, request);
      lost += is_lost(&answer, 200);
      if (answer.status == NETCORE_OK) CHECK_EQUAL(json_number(answer.info.body, "size"), sizes[j]);
      answer_free(&answer);
    }
    if (!CHECK_EQUAL(lost, 0)) fprintf(stderr, "    of %u with Digest, %zu bytes\n", rounds, sizes[j]);
  }
}

/* Requests without a body go by HTTP/2 to the same servers, before, between and after those with one. */
static void test_both_versions(const char *server) {
  if (strstr(server, "_H2") == NULL) return;
  for (int i = 0; i < 4; i++) {
    struct answer answer = fetch(client, at(server, "/early/404"));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, 404);
    CHECK_EQUAL(answer.info.http_version, NETCORE_HTTP_VERSION_2);
    answer_free(&answer);
    answer = perform_once(client, post(at(server, "/upload"), 20000));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(json_number(answer.info.body, "size"), 20000);
    answer_free(&answer);
  }
}

int main(void) {
  check_begin();
  const char *text = getenv("NETCORE_TEST_ROUNDS");
  if (text != NULL) rounds = (unsigned)atoi(text);
  if (rounds > 1) alarm(rounds * 30);
  bytes = malloc(sizes[LENGTH(sizes) - 1]);
  REQUIRE(bytes != NULL);
  body_fill(bytes, 0, sizes[LENGTH(sizes) - 1]);
  client = body_client();
  for (size_t i = 0; i < LENGTH(servers); i++) {
    check_case = servers[i];
    if (getenv(servers[i]) == NULL) {
      printf("%s is not there, and not tested\n", servers[i]);
      continue;
    }
    test_early(servers[i]);
    test_digest(servers[i]);
    test_both_versions(servers[i]);
  }
  CHECK_OK(netcore_client_destroy(client));
  free(bytes);
  return check_end();
}
