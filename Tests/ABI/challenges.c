/*
 * Challenges that a function of the application's answers: what it is told, what is sent then, and when it is not called.
 */
#include "support.h"

#include "support/cache.h"
#include "support/tokens.h"

static netcore_client client;

/* What a function was told, and what it does. */
static struct asked {
  unsigned calls;
  netcore_auth auth;
  uint32_t failures;
  char url[600], realm[200];
  /* From here on it is for the test to set. */
  netcore_status status;
  netcore_auth answer;
  const char *user, *password;
} asked;

static netcore_status answer_challenge(const netcore_challenge *challenge, netcore_request answer, void *user_data) {
  CHECK(user_data == &asked);
  CHECK_EQUAL(challenge->size, sizeof *challenge);
  CHECK_EQUAL(challenge->failures, asked.calls);
  asked.calls++;
  asked.auth = challenge->auth;
  snprintf(asked.url, sizeof asked.url, "%s", challenge->url);
  snprintf(asked.realm, sizeof asked.realm, "%s", challenge->realm);
  if (asked.answer != NETCORE_AUTH_NONE)
    CHECK_OK(netcore_request_set_auth(answer, asked.answer, asked.user, asked.password));
  return asked.status;
}

static void begin(netcore_auth answer, const char *user, const char *password) {
  asked = (struct asked){.answer = answer, .user = user, .password = password};
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_challenge_function(client, answer_challenge, &asked, NULL));
}

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

/* Real servers */

static void test_answers(void) {
  static const struct {
    const char *path;
    netcore_auth auth;
    const char *user, *realm;
  } cases[] = {
      {"/basic-auth/me/sesame", NETCORE_AUTH_BASIC, "me", "Fake Realm"},
      {"/digest-auth/auth/me/sesame/MD5", NETCORE_AUTH_DIGEST, "me", "me@kennethreitz.com"},
      {"/bearer", NETCORE_AUTH_BEARER, NULL, ""},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].path;
    begin(cases[i].auth, cases[i].user, "sesame");
    CHECK_ANSWER(client, request_new("GET", with_user("not:this", at(HTTPBIN, cases[i].path))), 200,
                 "\"authenticated\": true");
    CHECK_EQUAL(asked.calls, 1);
    CHECK_EQUAL(asked.auth, cases[i].auth);
    CHECK(strcmp(asked.realm, cases[i].realm) == 0);
    CHECK(strcmp(asked.url, at(HTTPBIN, cases[i].path)) == 0);
    end();
  }
  check_case = "nginx";
  begin(NETCORE_AUTH_BASIC, "user", "secret");
  CHECK_ANSWER(client, request_new("GET", at(NGINX, "/auth/hello.json")), 200, "world");
  CHECK(strcmp(asked.realm, "netcore") == 0);
  end();
}

static void test_wrong_answers(void) {
  check_case = "wrong three times";
  begin(NETCORE_AUTH_BASIC, "me", "wrong");
  CHECK_ANSWER(client, request_new("GET", at(HTTPBIN, "/basic-auth/me/sesame")), 401, NULL);
  CHECK_EQUAL(asked.calls, 3);
  end();
  check_case = "wrong credentials of the request's, then right ones";
  begin(NETCORE_AUTH_BASIC, "me", "sesame");
  const char *url = at(HTTPBIN, "/basic-auth/me/sesame");
  CHECK_ANSWER(client, auth_request(url, NETCORE_AUTH_BASIC, "me", "wrong"), 200, "\"authenticated\": true");
  asked.calls = 0;
  CHECK_ANSWER(client, auth_request(url, NETCORE_AUTH_BEARER, NULL, "wrong"), 200, "\"authenticated\": true");
  end();
  check_case = "no answer";
  begin(NETCORE_AUTH_NONE, NULL, NULL);
  CHECK_ANSWER(client, request_new("GET", guarded("declined", "x")), 401, "who are you?");
  CHECK_EQUAL(asked.calls, 1);
  CHECK_EQUAL(guarded_seen("declined"), 1);
  end();
}

static void test_refusals(void) {
  static const struct {
    netcore_status returned, ended;
  } cases[] = {
      {NETCORE_STATUS_APPLICATION_FIRST, NETCORE_STATUS_APPLICATION_FIRST},
      {2345, 2345},
      {NETCORE_ERR_CANCELED, NETCORE_ERR_REFUSED},
      {1, NETCORE_ERR_REFUSED},
      {-1, NETCORE_ERR_REFUSED},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = "a status of its own";
    begin(NETCORE_AUTH_BASIC, "me", "sesame");
    asked.status = cases[i].returned;
    struct answer answer = fetch(client, at(HTTPBIN, "/basic-auth/me/sesame"));
    CHECK_STATUS(answer.status, cases[i].ended);
    answer_free(&answer);
    CHECK_EQUAL(asked.calls, 1);
    end();
  }
}

/* What a server may ask for */

static void test_schemes(void) {
  static const struct {
    const char *fields;
    netcore_auth auth;
    const char *realm;
  } cases[] = {
      {"Basic%20realm=%22a%22", NETCORE_AUTH_BASIC, "a"},
      {"bAsIc%20Realm=a", NETCORE_AUTH_BASIC, "a"},
      {"Basic%20realm=%22a%22,%20Digest%20realm=%22b%22,%20nonce=%22n%22", NETCORE_AUTH_DIGEST, "b"},
      {"Digest%20realm=%22b%22,%20nonce=%22n%22&WWW-Authenticate=Basic%20realm=%22a%22", NETCORE_AUTH_DIGEST, "b"},
      {"Basic%20realm=%22a%22&WWW-Authenticate=Bearer%20realm=%22c%22", NETCORE_AUTH_BEARER, "c"},
      {"Digest%20realm=%22b%22,%20nonce=%22n%22&www-authenticate=Negotiate", NETCORE_AUTH_NEGOTIATE, ""},
      {"Newauth%20realm=%22x,%20Digest%22,%20Basic%20realm=%22a%20%5C%22b%5C%22%22", NETCORE_AUTH_BASIC, "a \"b\""},
      {"Newauth%20realm=%22x%22", NETCORE_AUTH_NONE, "x"},
      {"Basic", NETCORE_AUTH_BASIC, ""},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    char path[400];
    check_case = cases[i].fields;
    snprintf(path, sizeof path, "/status/401?WWW-Authenticate=%s", cases[i].fields);
    begin(NETCORE_AUTH_NONE, NULL, NULL);
    CHECK_ANSWER(client, request_new("GET", at(ORIGIN, path)), 401, "status 401");
    CHECK_EQUAL(asked.calls, 1);
    CHECK_EQUAL(asked.auth, cases[i].auth);
    CHECK(strcmp(asked.realm, cases[i].realm) == 0);
    end();
  }
}

static void test_nobody_asked(void) {
  static const char *const paths[] = {"/status/401", "/status/403?WWW-Authenticate=Basic",
                                      "/status/200?WWW-Authenticate=Basic", "/status/407?Proxy-Authenticate=Basic"};
  begin(NETCORE_AUTH_BASIC, "me", "sesame");
  check_case = "no challenge";
  for (size_t i = 0; i < LENGTH(paths); i++)
    CHECK_ANSWER(client, request_new("GET", at(ORIGIN, paths[i])), atoi(paths[i] + strlen("/status/")), NULL);
  check_case = "a custom request";
  netcore_request request = request_new("GET", guarded("nobody", "x"));
  CHECK_OK(netcore_request_set_bare(request, 1));
  CHECK_ANSWER(client, request, 401, "who are you?");
  check_case = "an Authorization field that no answer would replace";
  request = request_new("GET", guarded("nobody", "x"));
  CHECK_OK(netcore_request_set_header(request, "Authorization", "Own field"));
  CHECK_ANSWER(client, request, 401, "who are you?");
  CHECK_EQUAL(guarded_seen("nobody"), 2);
  check_case = "no function any more";
  CHECK_OK(netcore_client_set_challenge_function(client, NULL, NULL, NULL));
  CHECK_ANSWER(client, request_new("GET", guarded("nobody", "x")), 401, "who are you?");
  CHECK_EQUAL(asked.calls, 0);
  end();
}

static void test_redirects(void) {
  char path[600];
  begin(NETCORE_AUTH_BEARER, NULL, "t");
  check_case = "an answer goes along within the origin";
  snprintf(path, sizeof path, "%s&Location=/guarded?for=Bearer%%2520t%%26WWW-Authenticate=Bearer",
           guarded("redirect", "t"));
  CHECK_ANSWER(client, request_new("GET", path), 200, "[\"Authorization\", \"Bearer t\"]");
  CHECK_EQUAL(asked.calls, 1);
  check_case = "and not to another origin";
  asked.calls = 0;
  snprintf(path, sizeof path, "%s&Location=%s", guarded("redirect", "t"), at_localhost("/echo"));
  CHECK_ANONYMOUS(client, request_new("GET", path));
  CHECK_EQUAL(asked.calls, 1);
  check_case = "where another one asks, it is a challenge of its own";
  asked.calls = 0;
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, redirect_to(at(HTTPBIN, "/bearer")))), 200, "\"token\": \"t\"");
  CHECK(strcmp(asked.url, at(HTTPBIN, "/bearer")) == 0);
  end();
}

/* Tokens and challenges: the answer goes in place of the token that was refused twice. */
static void test_with_tokens(void) {
  struct giver giver = GIVER("one", "two", "three");
  begin(NETCORE_AUTH_BEARER, NULL, "answer");
  CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), give, &giver, NULL));
  check_case = "a challenge behind tokens, answered by a token";
  struct answer answer = fetch(client, guarded("tokens", "answer"));
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK_BODY_HAS(&answer, "[\"Authorization\", \"Bearer answer\"]");
  CHECK(!body_has(&answer, "Bearer two"));
  answer_free(&answer);
  CHECK_EQUAL(asked.calls, 1);
  check_case = "a challenge behind tokens, answered by a password";
  asked = (struct asked){.answer = NETCORE_AUTH_BASIC, .user = "user", .password = "secret"};
  char path[300];
  snprintf(path, sizeof path, "%s?for=Basic%%20dXNlcjpzZWNyZXQ%%3D&WWW-Authenticate=Basic", guarded_path("password"));
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, path)), 200, basic_field("user:secret"));
  end();
}

static void test_bodies(void) {
  check_case = "a body goes out again";
  begin(NETCORE_AUTH_BEARER, NULL, "t");
  netcore_request request = request_new("POST", guarded("body", "t"));
  CHECK_OK(netcore_request_set_body(request, "the body", 8));
  CHECK_ANSWER(client, request, 200, "\"body\": \"the body\"");
  end();
}

/* What was stored for credentials that a function gave is for these alone. */
static void test_cache(void) {
  netcore_cache cache = cache_new(NULL);
  asked = (struct asked){.answer = NETCORE_AUTH_BEARER, .password = "t"};
  client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  CHECK_OK(netcore_client_set_challenge_function(client, answer_challenge, &asked, NULL));
  char url[500];
  snprintf(url, sizeof url, "%s&Cache-Control=max-age%%3D1000", guarded("stored", "t"));
  check_case = "stored answers";
  CHECK_ANSWER(client, request_new("GET", url), 200, "Bearer t");
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_request_set_bare(request, 1));
  CHECK_ANSWER(client, request, 401, "who are you?");
  CHECK_ANSWER(client, auth_request(url, NETCORE_AUTH_BEARER, NULL, "t"), 200, "Bearer t");
  CHECK_EQUAL(guarded_seen("stored"), 2);
  asked = (struct asked){.answer = NETCORE_AUTH_BEARER, .password = "other"};
  CHECK_ANSWER(client, request_new("GET", url), 401, "who are you?");
  end();
  CHECK_OK(netcore_cache_destroy(cache));
}

/* Functions that take their time */

static struct tally entered = TALLY_INITIAL, released = TALLY_INITIAL;

static netcore_status hang(const netcore_challenge *challenge, netcore_request answer, void *user_data) {
  (void)challenge, (void)answer, (void)user_data;
  tally_raise(&entered);
  CHECK(tally_reaches(&released, 1, patience_ms()));
  return NETCORE_OK;
}

static void test_blocking(void) {
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  begin(NETCORE_AUTH_NONE, NULL, NULL);
  CHECK_OK(netcore_client_set_challenge_function(client, hang, NULL, NULL));
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  check_case = "a cancel ends the task";
  door_get(&door, guarded("hang", "x"), &outcome);
  CHECK(tally_reaches(&entered, 1, patience_ms()));
  CHECK_OK(netcore_task_cancel(outcome.task));
  CHECK(door_wait(&door, &ended, 1));
  CHECK_STATUS(outcome.completion.status, NETCORE_ERR_CANCELED);
  outcome_free(&outcome);
  check_case = "the total timeout ends the task";
  netcore_request request = request_new("GET", guarded("hang", "x"));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, stretched(300)));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_TIMEOUT_TOTAL);
  answer_free(&answer);
  check_case = "it holds up no other";
  CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN, "/echo")));
  tally_raise(&released);
  end();
}

static netcore_status destroy_client(const netcore_challenge *challenge, netcore_request answer, void *user_data) {
  (void)challenge, (void)user_data;
  CHECK_OK(netcore_client_destroy(client));
  return netcore_request_set_auth(answer, NETCORE_AUTH_BEARER, NULL, "x");
}

static void test_destroying(void) {
  begin(NETCORE_AUTH_NONE, NULL, NULL);
  check_case = "a function that destroys the client";
  CHECK_OK(netcore_client_set_challenge_function(client, destroy_client, NULL, NULL));
  struct answer answer = fetch(client, guarded("destroy", "x"));
  CHECK_STATUS(answer.status, NETCORE_ERR_CANCELED);
  answer_free(&answer);
  CHECK_STATUS(netcore_client_destroy(client), NETCORE_ERR_INVALID_HANDLE);
}

int main(void) {
  check_begin();
  test_answers();
  test_wrong_answers();
  test_refusals();
  test_schemes();
  test_nobody_asked();
  test_redirects();
  test_with_tokens();
  test_bodies();
  test_cache();
  test_blocking();
  test_destroying();
  return check_end();
}
