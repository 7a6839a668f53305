/*
 * Digest (RFC 7616): as httpbin checks it, with bodies of each kind, and what stays with the server that asked.
 */
#include "support.h"

#include "support/auth.h"

static netcore_client client;

static netcore_request digest_request(const char *url) {
  return auth_request(url, NETCORE_AUTH_DIGEST, "hidden-user", "hidden-password");
}

#define WHO "/hidden-user/hidden-password"

static void test_kinds(void) {
  static const char *const right[] = {"/auth" WHO "/MD5", "/auth" WHO "/SHA-256", "/none" WHO "/MD5",
                                      "/auth" WHO "/MD5/never"};
  for (size_t i = 0; i < LENGTH(right); i++) {
    char path[200];
    check_case = right[i];
    snprintf(path, sizeof path, "/digest-auth%s", right[i]);
    struct answer answer = perform_once(client, digest_request(at(HTTPBIN, path)));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, 200);
    CHECK_EQUAL(answer.info.redirects, 0);
    CHECK_BODY_HAS(&answer, "\"user\": \"hidden-user\"");
    answer_free(&answer);
  }
  check_case = "wrong";
  CHECK_ANSWER(client, digest_request(at(HTTPBIN, "/digest-auth/auth/hidden-user/other/MD5")), 401, NULL);
  CHECK_ANSWER(client, digest_request(at(HTTPBIN, "/digest-auth/auth/hidden-user/other/SHA-256")), 401, NULL);
  check_case = "quotation marks in the user's name";
  netcore_request request =
      auth_request(at(HTTPBIN, "/digest-auth/auth" WHO "/MD5"), NETCORE_AUTH_DIGEST, "a\"b\\c", "hidden-password");
  CHECK_ANSWER(client, request, 200, "\"authenticated\": true");
  check_case = "a server that does not ask";
  CHECK_ANONYMOUS(client, digest_request(at(ORIGIN, "/echo")));
  check_case = "a server that asks for Basic";
  CHECK_ANSWER(client, digest_request(at(HTTPBIN, "/basic-auth" WHO)), 401, NULL);
}

/* A server that wants the body's digest too: libcurl knows none, and must not claim one. */
static void test_with_integrity(void) {
  check_case = "auth-int alone";
  struct answer answer = perform_once(client, digest_request(at(HTTPBIN, "/digest-auth/auth-int" WHO "/MD5")));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 200);
  answer_free(&answer);
}

enum { BODY_SIZE = 100000 };
static unsigned char body[BODY_SIZE];
/* Size and digest of the body, in the words of httpbin, by the word of the origin. */
static char body_size[40], body_digest[120];

static void learn_body(void) {
  for (size_t i = 0; i < sizeof body; i++) body[i] = (unsigned char)(i * 31 + 7);
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_body(request, body, sizeof body));
  struct answer answer = perform_once(client, request);
  const char *found = memmem(answer.info.body.data, answer.info.body.size_bytes, "\"body_sha256\": ", 15);
  REQUIRE(found != NULL);
  snprintf(body_digest, sizeof body_digest, "\"sha256\": %.66s", found + 15);
  snprintf(body_size, sizeof body_size, "\"size\": %d", BODY_SIZE);
  answer_free(&answer);
}

struct source {
  size_t position;
  unsigned rewinds;
};

static size_t read_body(void *buffer, size_t capacity, void *user_data) {
  struct source *source = user_data;
  size_t size = BODY_SIZE - source->position < capacity ? BODY_SIZE - source->position : capacity;
  memcpy(buffer, body + source->position, size);
  source->position += size;
  return size;
}

static int32_t rewind_body(void *user_data) {
  struct source *source = user_data;
  source->position = 0;
  source->rewinds++;
  return 0;
}

static void check_body_sent(const char *name, netcore_request request) {
  check_case = name;
  CHECK_OK(netcore_request_set_method(request, "POST"));
  CHECK_OK(netcore_request_set_header(request, "Content-Type", "application/octet-stream"));
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK_BODY_HAS(&answer, body_size);
  CHECK_BODY_HAS(&answer, body_digest);
  answer_free(&answer);
  CHECK_OK(netcore_request_destroy(request));
}

static void test_bodies(const char *path) {
  const char *url = at(HTTPBIN, path);
  netcore_request request = digest_request(url);
  CHECK_OK(netcore_request_set_body(request, body, sizeof body));
  check_body_sent("a body in memory", request);
  char file[] = "/tmp/netcore-digest-XXXXXX";
  int descriptor = mkstemp(file);
  REQUIRE(descriptor >= 0 && write(descriptor, body, sizeof body) == (ssize_t)sizeof body && close(descriptor) == 0);
  request = digest_request(url);
  CHECK_OK(netcore_request_set_body_file(request, file));
  check_body_sent("a body from a file", request);
  unlink(file);
  for (int rewinds = 0; rewinds < 2; rewinds++) {
    struct source source = {0, 0};
    netcore_reader reader = {.size = sizeof reader, .read = read_body, .user_data = &source};
    if (rewinds) reader.rewind = rewind_body;
    request = digest_request(url);
    CHECK_OK(netcore_request_set_body_reader(request, &reader, BODY_SIZE));
    check_body_sent(rewinds ? "a reader that rewinds" : "a reader that does not", request);
    source = (struct source){0, 0};
    request = digest_request(url);
    CHECK_OK(netcore_request_set_body_reader(request, &reader, NETCORE_LENGTH_UNKNOWN));
    check_body_sent("a reader without a length", request);
  }
}

/* What a server asked for, and who answered it, concerns no other request: handles of libcurl's are used again. */
static void test_no_leak(void) {
  const char *first = at(HTTPBIN, "/digest-auth/auth" WHO "/MD5");
  const char *const others[] = {at(ORIGIN, "/echo"), at_localhost("/echo")};
  for (size_t i = 0; i < LENGTH(others); i++) {
    check_case = "the next request, to another server";
    CHECK_ANSWER(client, digest_request(first), 200, NULL);
    CHECK_ANONYMOUS(client, request_new("GET", others[i]));
    CHECK_ANSWER(client, digest_request(first), 200, NULL);
    CHECK_ANONYMOUS(client, digest_request(others[i]));
    check_case = "behind a 401 that stayed one";
    CHECK_ANSWER(client, digest_request(at(HTTPBIN, "/digest-auth/auth/other/other/MD5")), 401, NULL);
    CHECK_ANONYMOUS(client, digest_request(others[i]));
    check_case = "behind a request that was canceled by its limit";
    netcore_request request = digest_request(first);
    CHECK_OK(netcore_request_set_limit(request, NETCORE_LIMIT_BODY_BYTES, 1));
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, NETCORE_ERR_LIMIT_BODY_BYTES);
    answer_free(&answer);
    CHECK_ANONYMOUS(client, digest_request(others[i]));
  }
  check_case = "other credentials for the same server";
  CHECK_ANSWER(client, digest_request(first), 200, NULL);
  CHECK_ANSWER(client, auth_request(first, NETCORE_AUTH_DIGEST, "somebody", "else"), 401, NULL);
  check_case = "a redirect to another server";
  const char *away = at(ORIGIN, redirect_to(at_localhost("/echo")));
  CHECK_ANSWER(client, digest_request(first), 200, NULL);
  CHECK_ANONYMOUS(client, digest_request(away));
  check_case = "a redirect to another server that asks";
  CHECK_ANSWER(client, digest_request(at(ORIGIN, redirect_to(first))), 401, NULL);
  check_case = "a redirect within the origin, to what asks";
  char inside[300];
  snprintf(inside, sizeof inside, "/redirect-to?status_code=307&url=/digest-auth/auth" WHO "/SHA-256");
  CHECK_ANSWER(client, digest_request(at(HTTPBIN, inside)), 200, "\"authenticated\": true");
}

static int32_t find_cookie(const netcore_cookie *cookie, void *user_data) {
  if (strcmp(cookie->name, "stale_after") == 0) ++*(unsigned *)user_data;
  return 1;
}

/* httpbin sets a cookie with its 401, which the caller does not see. */
static void test_cookies(void) {
  netcore_client_options options = {.size = sizeof options, .cookies = 1};
  netcore_client keeping = 0;
  unsigned count = 0;
  check_case = "cookies of the 401";
  REQUIRE_OK(netcore_client_create(&options, &keeping));
  const char *url = at(HTTPBIN, "/digest-auth/auth" WHO "/MD5");
  CHECK_ANSWER(keeping, digest_request(url), 200, NULL);
  CHECK_OK(netcore_client_list_cookies(keeping, find_cookie, &count));
  CHECK_EQUAL(count, 1);
  CHECK_OK(netcore_client_destroy(keeping));
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  learn_body();
  test_kinds();
  test_with_integrity();
  test_bodies("/digest-bodies/auth" WHO "/MD5");
  test_bodies("/digest-bodies/auth" WHO "/SHA-256");
  test_no_leak();
  test_cookies();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
