/*
 * Bearer tokens that a function of the application's gives: for whom, which ones, and one refresh for all requests that a token failed.
 */
#include "support.h"

#include "support/cache.h"
#include "support/refusal.h"
#include "support/tokens.h"

static netcore_client client;

static void begin(struct giver *giver) {
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, "/whatever?path"), give, giver, NULL));
}

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

/* One refresh */

enum { REQUESTS = 50, LATE_REQUESTS = 5 };

static struct tally released = TALLY_INITIAL;

/* The refresh lasts until all requests were sent with the old token, and the late ones are under way. */
static void wait_for_the_others(unsigned call) {
  if (call == 2) CHECK(tally_reaches(&released, 1, patience_ms()));
}

static void test_one_refresh(void) {
  struct giver giver = GIVER("one", "two");
  struct outcome outcomes[REQUESTS + LATE_REQUESTS];
  struct tally ended = TALLY_INITIAL;
  giver.hook = wait_for_the_others;
  begin(&giver);
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  check_case = "one refresh for all";
  netcore_request request = request_new("GET", guarded("refresh", "two"));
  for (int i = 0; i < REQUESTS + LATE_REQUESTS; i++) outcomes[i] = (struct outcome){.ended = &ended};
  for (int i = 0; i < REQUESTS; i++) CHECK_OK(door_dispatch(&door, request, &outcomes[i]));
  CHECK(tally_reaches(&giver.calls, 2, patience_ms()));
  WAIT_UNTIL(guarded_seen("refresh") == REQUESTS);
  for (int i = 0; i < LATE_REQUESTS; i++) CHECK_OK(door_dispatch(&door, request, &outcomes[REQUESTS + i]));
  /* By the end of this one, those before it have come to where they wait. */
  netcore_request custom = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_bare(custom, 1));
  CHECK_ANONYMOUS(client, custom);
  tally_raise(&released);
  CHECK(door_wait(&door, &ended, REQUESTS + LATE_REQUESTS));
  for (int i = 0; i < REQUESTS + LATE_REQUESTS; i++) {
    CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK);
    CHECK_EQUAL(outcomes[i].completion.http_status, 200);
    outcome_free(&outcomes[i]);
  }
  CHECK_EQUAL(guarded_seen("refresh"), 2 * REQUESTS + LATE_REQUESTS);
  CHECK_EQUAL(tally_count(&giver.calls), 2);
  CHECK(strcmp(giver.refused, "one") == 0);
  check_case = "the token is kept";
  CHECK_ANSWER(client, request, 200, "[\"Authorization\", \"Bearer two\"]");
  CHECK_EQUAL(tally_count(&giver.calls), 2);
  end();
}

static void test_refusals(void) {
  struct giver giver = GIVER("one", "two", "three");
  begin(&giver);
  check_case = "a second 401";
  CHECK_ANSWER(client, request_new("GET", guarded("second", "never")), 401, "who are you?");
  CHECK_EQUAL(guarded_seen("second"), 2);
  CHECK_EQUAL(tally_count(&giver.calls), 2);
  CHECK_ANSWER(client, request_new("GET", guarded("third", "three")), 200, "Bearer three");
  CHECK(strcmp(giver.refused, "two") == 0);
  end();
  check_case = "no token at all";
  struct giver none = GIVER(NULL);
  begin(&none);
  CHECK_ANSWER(client, request_new("GET", guarded("none", "one")), 401, "who are you?");
  CHECK_EQUAL(guarded_seen("none"), 1);
  CHECK(none.refused[0] == '\0');
  end();
  check_case = "no other token";
  struct giver single = GIVER("one", NULL, "three");
  begin(&single);
  CHECK_ANSWER(client, request_new("GET", guarded("single", "two")), 401, "who are you?");
  CHECK_EQUAL(guarded_seen("single"), 1);
  CHECK_ANSWER(client, request_new("GET", guarded("single", "three")), 200, "Bearer three");
  end();
}

static int32_t claim_too_much(const char *refused, char *token, size_t capacity, void *user_data) {
  (void)refused, (void)token;
  return (int32_t)capacity + *(int *)user_data;
}

static int32_t fill_all(const char *refused, char *token, size_t capacity, void *user_data) {
  (void)refused, (void)user_data;
  memset(token, 'x', capacity);
  return (int32_t)capacity - 1;
}

static void test_lengths(void) {
  static int beyond[] = {0, 1, 1000000};
  struct giver giver = GIVER(NULL);
  begin(&giver);
  check_case = "a token that does not fit";
  for (size_t i = 0; i < LENGTH(beyond); i++) {
    CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), claim_too_much, &beyond[i], NULL));
    CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN, "/echo")));
  }
  check_case = "a token that just fits";
  CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), fill_all, NULL, NULL));
  struct answer answer = fetch(client, at(ORIGIN, "/echo"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  end();
}

static int32_t give_bytes(const char *refused, char *token, size_t capacity, void *user_data) {
  const netcore_bytes *bytes = user_data;
  (void)refused, (void)capacity;
  memcpy(token, bytes->data, bytes->size_bytes);
  return (int32_t)bytes->size_bytes;
}

static void test_malformed(void) {
  static const struct {
    const char *text;
    size_t size;
  } cases[] = {
      {"", 0},     {" ", 1},    {"a b", 3},  {"a\r\nX-Evil: 1", 12}, {"a\n", 2},
      {"a\tb", 3}, {"a\0b", 3}, {"\xFF", 1}, {"\xC3\xBC", 2},
  };
  check_case = "malformed tokens";
  for (size_t i = 0; i < LENGTH(cases); i++) {
    netcore_bytes bytes = {(const uint8_t *)cases[i].text, cases[i].size};
    begin(NULL);
    CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), give_bytes, &bytes, NULL));
    struct answer answer = fetch(client, guarded("malformed", "x"));
    CHECK(answer.status == NETCORE_ERR_INVALID_ARGUMENT || answer.status == NETCORE_ERR_REFUSED);
    CHECK(bytes_have(answer.error.message, "token") && !bytes_have(answer.error.message, "Evil"));
    CHECK_EQUAL(answer.info.attempts, 0);
    answer_free(&answer);
    end();
  }
  CHECK_EQUAL(guarded_seen("malformed"), 0);
}

static void test_for_whom(void) {
  struct giver giver = GIVER("token");
  begin(&giver);
  check_case = "its origin";
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, "/echo")), 200, "[\"Authorization\", \"Bearer token\"]");
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, redirect_to("/echo"))), 200,
               "[\"Authorization\", \"Bearer token\"]");
  check_case = "another origin";
  CHECK_ANONYMOUS(client, request_new("GET", at_localhost("/echo")));
  CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN_TLS, "/echo")));
  check_case = "a redirect to another origin";
  CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN, redirect_to(at_localhost("/echo")))));
  check_case = "a redirect from another origin";
  const char *here = at_localhost(redirect_to(at(ORIGIN, "/echo")));
  CHECK_ANSWER(client, request_new("GET", here), 200, "[\"Authorization\", \"Bearer token\"]");
  netcore_request request = auth_request(here, NETCORE_AUTH_BEARER, NULL, "elsewhere");
  CHECK_ANSWER(client, request, 200, "[\"Authorization\", \"Bearer token\"]");
  check_case = "requests with credentials of their own";
  const char *echo = at(ORIGIN, "/echo");
  CHECK_ANSWER(client, auth_request(echo, NETCORE_AUTH_BASIC, "u", "set"), 200, basic_field("u:set"));
  CHECK_ANSWER(client, auth_request(echo, NETCORE_AUTH_BEARER, NULL, "own"), 200,
               "[\"Authorization\", \"Bearer own\"]");
  CHECK_ANSWER(client, request_new("GET", with_user("u:url", echo)), 200, basic_field("u:url"));
  request = request_new("GET", echo);
  CHECK_OK(netcore_request_set_header(request, "authorization", "Own field"));
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "[\"authorization\", \"Own field\"]");
  CHECK(!body_has(&answer, "Bearer"));
  answer_free(&answer);
  CHECK_ANSWER(client, auth_request(guarded("own", "x"), NETCORE_AUTH_BEARER, NULL, "own"), 401, "who are you?");
  CHECK_EQUAL(guarded_seen("own"), 1);
  check_case = "a custom request";
  request = request_new("GET", echo);
  CHECK_OK(netcore_request_set_bare(request, 1));
  CHECK_ANONYMOUS(client, request);
  CHECK_EQUAL(tally_count(&giver.calls), 1);
  check_case = "a removed source";
  CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, "/other"), NULL, NULL, NULL));
  CHECK_ANONYMOUS(client, request_new("GET", echo));
  CHECK_EQUAL(tally_count(&giver.calls), 1);
  end();
}

/* Two origins, each with its own. */
static void test_two_sources(void) {
  struct giver here = GIVER("here"), there = GIVER("there");
  begin(&here);
  check_case = "two origins";
  CHECK_OK(netcore_client_set_token_source(client, at_localhost("/"), give, &there, NULL));
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, redirect_to(at_localhost("/echo")))), 200, "Bearer there");
  CHECK_ANSWER(client, request_new("GET", at_localhost(redirect_to(at(ORIGIN, "/echo")))), 200, "Bearer here");
  CHECK_EQUAL(tally_count(&here.calls) + tally_count(&there.calls), 2);
  end();
}

static void perform_custom(unsigned call) {
  (void)call;
  netcore_request custom = request_new("GET", at(ORIGIN, "/echo/token"));
  CHECK_OK(netcore_request_set_bare(custom, 1));
  CHECK_ANSWER(client, custom, 200, "/echo/token");
}

static void test_custom_inside(void) {
  struct giver giver = GIVER("one", "two");
  giver.hook = perform_custom;
  begin(&giver);
  check_case = "a function that performs custom requests, where one transfer at a time is allowed";
  CHECK_OK(netcore_client_set_limit(client, NETCORE_LIMIT_TRANSFERS, 1));
  CHECK_ANSWER(client, request_new("GET", guarded("custom", "two")), 200, "Bearer two");
  end();
}

static void remove_source(unsigned call) {
  (void)call;
  CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), NULL, NULL, NULL));
}

static void destroy_client(unsigned call) {
  (void)call;
  CHECK_OK(netcore_client_destroy(client));
}

static void test_end_inside(void) {
  /* The end of the client does not wait for the function that it is called in. */
  static struct giver last = GIVER("one");
  struct giver giver = GIVER("one");
  check_case = "a function that removes its source";
  giver.hook = remove_source;
  begin(&giver);
  CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN, "/echo")));
  CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN, "/echo")));
  end();
  check_case = "a function that destroys the client";
  last.hook = destroy_client;
  begin(&last);
  struct answer answer = fetch(client, guarded("destroyed", "one"));
  CHECK_STATUS(answer.status, NETCORE_ERR_CANCELED);
  answer_free(&answer);
}

static void test_bad_input(void) {
  begin(NULL);
  check_case = "bad input";
  REFUSES(netcore_client_set_token_source, NETCORE_ERR_INVALID_ARGUMENT, "origin", client, NULL, give, NULL, NULL);
  REFUSES(netcore_client_set_token_source, NETCORE_ERR_INVALID_ARGUMENT, "origin", client, "\xFF", give, NULL, NULL);
  REFUSES(netcore_client_set_token_source, NETCORE_ERR_INVALID_URL, "origin", client, "", give, NULL, NULL);
  REFUSES(netcore_client_set_token_source, NETCORE_ERR_INVALID_SCHEME, "origin", client, "ftp://localhost/", give, NULL,
          NULL);
  end();
}

/* Another attempt */

static int32_t count_attempts(char *text, size_t capacity, void *user_data) {
  return snprintf(text, capacity, "%d", ++*(int *)user_data);
}

static netcore_status add_signature(netcore_request request, void *user_data) {
  ++*(int *)user_data;
  return netcore_request_add_header(request, "X-Signature", "signed");
}

static void test_another_attempt(void) {
  struct giver giver = GIVER("one", "two");
  int values = 0, filters = 0;
  begin(&giver);
  CHECK_OK(netcore_client_set_header_function(client, "X-Attempt", count_attempts, &values, NULL));
  CHECK_OK(netcore_client_add_filter(client, add_signature, &filters, NULL));
  check_case = "values and filters run anew for the second attempt, on the request as it was";
  struct answer answer = perform_once(client, request_new("GET", guarded("attempts", "two")));
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK_EQUAL(answer.info.attempts, 2);
  CHECK_BODY_HAS(&answer, "[\"X-Attempt\", \"2\"]");
  CHECK_BODY_HAS(&answer, "[\"X-Signature\", \"signed\"]");
  CHECK(!bytes_have(answer.info.body, "signed\"], [\"X-Signature"));
  CHECK_EQUAL(values, 2);
  CHECK_EQUAL(filters, 2);
  CHECK_EQUAL(tally_count(&giver.calls), 2);
  answer_free(&answer);
  end();
}

int main(void) {
  check_begin();
  test_one_refresh();
  test_refusals();
  test_lengths();
  test_malformed();
  test_for_whom();
  test_two_sources();
  test_custom_inside();
  test_end_inside();
  test_bad_input();
  test_another_attempt();
  return check_end();
}
