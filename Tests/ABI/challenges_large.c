/*
 * A 401 with a body of 100 MB that credentials answer: the request succeeds, and the body does not stay in memory.
 */
#include "support.h"

#include "support/tokens.h"

#define BODY_BYTES 100000000
/* Far below one such body, and above what threads, connections and valgrind take by themselves. */
#define GROWTH_KIB (48 << 10)

/* A number of KiB that the kernel knows of the process: VmHWM, the most memory in use at one time, or VmRSS, what is in use now. */
static long memory_kib(const char *name) {
  char line[200];
  long found = -1;
  FILE *file = fopen("/proc/self/status", "r");
  REQUIRE(file != NULL);
  while (fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, name, strlen(name)) == 0) found = strtol(line + strlen(name) + 1, NULL, 10);
  fclose(file);
  REQUIRE(found > 0);
  return found;
}

static const char *large(const char *body, const char *fields) {
  static char text[400];
  snprintf(text, sizeof text, "/guarded/large?%s=%d&%s", body, BODY_BYTES, fields);
  return at(ORIGIN, text);
}

static netcore_client client;

static void begin(void) {
  REQUIRE_OK(netcore_client_create(NULL, &client));
  /* What is taken once is not to count. */
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, "/bytes/1000")), 200, NULL);
}

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

static netcore_status answer_challenge(const netcore_challenge *challenge, netcore_request answer, void *user_data) {
  CHECK_EQUAL(challenge->auth, *(const netcore_auth *)user_data);
  return netcore_request_set_auth(answer, challenge->auth, "me", "sesame");
}

/* Credentials of the request's own: the body is skipped as it comes. */
static void test_digest_of_request(const char *body, const char *fields) {
  begin();
  long before = memory_kib("VmHWM");
  CHECK_ANSWER(client, auth_request(large(body, fields), NETCORE_AUTH_DIGEST, "me", "sesame"), 200, "Digest username");
  CHECK(memory_kib("VmHWM") - before < GROWTH_KIB);
  end();
}

/* The body is the answer if a function has no token: it is kept until then. */
static void test_token(const char *body) {
  struct giver giver = GIVER("one", "two");
  begin();
  long before = memory_kib("VmRSS");
  CHECK_OK(netcore_client_set_token_source(client, peer(ORIGIN), give, &giver, NULL));
  CHECK_ANSWER(client, request_new("GET", large(body, "for=Bearer%20two&WWW-Authenticate=Bearer")), 200, "Bearer two");
  CHECK_EQUAL(tally_count(&giver.calls), 2);
  CHECK(is_slow() || memory_kib("VmRSS") - before < GROWTH_KIB);
  end();
}

static void test_challenge(const char *body, netcore_auth auth, const char *fields, const char *sent) {
  begin();
  long before = memory_kib("VmRSS");
  CHECK_OK(netcore_client_set_challenge_function(client, answer_challenge, &auth, NULL));
  CHECK_ANSWER(client, request_new("GET", large(body, fields)), 200, sent);
  CHECK(is_slow() || memory_kib("VmRSS") - before < GROWTH_KIB);
  end();
}

#define BASIC "for=Basic&WWW-Authenticate=Basic%20realm=%22r%22"
#define DIGEST "for=Digest&WWW-Authenticate=Digest%20realm=%22r%22,nonce=%22n%22,qop=%22auth%22"

int main(void) {
  static const char *const bodies[] = {"bytes", "chunked"};
  check_begin();
  /* First those in which the most that there ever was stays low. */
  for (size_t i = 0; i < LENGTH(bodies); i++) {
    check_case = bodies[i];
    test_digest_of_request(bodies[i], DIGEST);
  }
  for (size_t i = 0; i < LENGTH(bodies); i++) {
    check_case = bodies[i];
    test_token(bodies[i]);
    test_challenge(bodies[i], NETCORE_AUTH_BASIC, BASIC, "Basic bWU6c2VzYW1l");
    test_challenge(bodies[i], NETCORE_AUTH_DIGEST, DIGEST, "Digest username");
  }
  return check_end();
}
