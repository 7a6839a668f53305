/*
 * Functions of the application's that change or refuse requests: values of the time of sending, and filters; as the origin's /echo
 * saw it.
 */
#include "support.h"

#include "support/refusal.h"

static netcore_client client;

static void begin(void) {
  netcore_client_options options = {.size = sizeof options};
  REQUIRE_OK(netcore_client_create(&options, &client));
}

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

static void check_sends(netcore_request request, const char *text) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, text);
  answer_free(&answer);
}

static void check_ends(netcore_request request, netcore_status status) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, status);
  CHECK_EQUAL(answer.info.attempts, 0);
  answer_free(&answer);
}

/* Values */

static int32_t count_up(char *text, size_t capacity, void *user_data) {
  return snprintf(text, capacity, "%d", ++*(int *)user_data);
}

static int32_t write_long(char *text, size_t capacity, void *user_data) {
  (void)user_data;
  return snprintf(text, capacity, "%0999d", 7);
}

static int32_t write_nothing(char *text, size_t capacity, void *user_data) {
  (void)text, (void)capacity, (void)user_data;
  return -1;
}

static int32_t write_line_break(char *text, size_t capacity, void *user_data) {
  (void)user_data;
  return snprintf(text, capacity, "a\r\nX-Injected: b");
}

static void test_values(void) {
  int fields = 0, params = 10;
  begin();
  check_case = "values are asked for at each dispatch";
  CHECK_OK(netcore_client_set_header(client, "X-Count", "fixed"));
  CHECK_OK(netcore_client_set_header_function(client, "x-count", count_up, &fields, NULL));
  CHECK_OK(netcore_client_set_param_function(client, "n", count_up, &params, NULL));
  check_sends(request_new("GET", at(ORIGIN, "/echo?a=b")), "\"target\": \"/echo?a=b&n=11\"");
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "[\"x-count\", \"2\"]");
  check_sends(request_new("POST", at(ORIGIN, "/echo")), "\"body\": \"n=13\"");
  check_case = "a request's own values win";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_header(request, "X-Count", "own"));
  CHECK_OK(netcore_request_add_param(request, "n", "own"));
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "\"target\": \"/echo?n=own\"");
  CHECK_BODY_HAS(&answer, "[\"X-Count\", \"own\"]");
  CHECK(!bytes_have(answer.info.body, "x-count"));
  answer_free(&answer);
  check_case = "a fixed value takes the place of a function";
  CHECK_OK(netcore_client_set_header(client, "X-Count", "fixed again"));
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "[\"X-Count\", \"fixed again\"]");
  check_case = "custom requests are spared";
  params = 10;
  request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_bare(request, 1));
  check_sends(request, "\"target\": \"/echo\"");
  CHECK_EQUAL(params, 10);
  end();
}

static void test_odd_values(void) {
  begin();
  check_case = "a long value";
  CHECK_OK(netcore_client_set_header_function(client, "X-Long", write_long, NULL, NULL));
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "0000000000000000000000000000000007\"]");
  check_case = "no value";
  CHECK_OK(netcore_client_set_header_function(client, "X-Long", write_nothing, NULL, NULL));
  struct answer answer = perform_once(client, request_new("GET", at(ORIGIN, "/echo")));
  CHECK(!bytes_have(answer.info.body, "X-Long"));
  answer_free(&answer);
  check_case = "a value with a line break";
  CHECK_OK(netcore_client_set_header_function(client, "X-Long", write_line_break, NULL, NULL));
  check_ends(request_new("GET", at(ORIGIN, "/echo")), NETCORE_ERR_INVALID_HEADER);
  CHECK_OK(netcore_client_set_header_function(client, "X-Long", NULL, NULL, NULL));
  CHECK_OK(netcore_client_set_param_function(client, "line", write_line_break, NULL, NULL));
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "/echo?line=a%0D%0AX-Injected%3A%20b");
  end();
}

/* Filters */

static netcore_status sign(netcore_request request, void *user_data) {
  netcore_request_info info = {.size = sizeof info};
  netcore_bytes value;
  char signature[300];
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_OK(netcore_request_get_header(request, "x-common", 0, &value));
  snprintf(signature, sizeof signature, "%s(%s %s %.*s %s)", (const char *)user_data, (const char *)info.method.data,
           strchr((const char *)info.url.data + 8, '/'), (int)info.body.size_bytes, (const char *)info.body.data,
           (const char *)value.data);
  return netcore_request_add_header(request, "X-Signature", signature);
}

static netcore_status lead_away(netcore_request request, void *user_data) {
  return netcore_request_set_url(request, user_data);
}

static netcore_status add_parameter(netcore_request request, void *user_data) {
  return netcore_request_add_param(request, "added", user_data);
}

/* Whoever set these was told OK, and nothing came of it. */
static netcore_status set_what_is_in_place(netcore_request request, void *user_data) {
  REFUSES(netcore_request_set_base_url, NETCORE_ERR_INVALID_STATE, "base_url", request, "http://h/");
  REFUSES(netcore_request_set_base_url, NETCORE_ERR_INVALID_STATE, "base_url", request, NULL);
  REFUSES(netcore_request_set_serializer, NETCORE_ERR_INVALID_STATE, "serializer", request, NETCORE_SERIALIZER_JSON);
  REFUSES(netcore_request_set_param_nesting, NETCORE_ERR_INVALID_STATE, "nesting", request,
          NETCORE_PARAM_NESTING_BRACKETS);
  return add_parameter(request, user_data);
}

/* Parameters that it adds itself are not in place yet. */
static netcore_status add_json(netcore_request request, void *user_data) {
  CHECK_OK(netcore_request_set_serializer(request, NETCORE_SERIALIZER_JSON));
  return add_parameter(request, user_data);
}

static netcore_status return_status(netcore_request request, void *user_data) {
  (void)request;
  return *(netcore_status *)user_data;
}

static void test_filters(void) {
  begin();
  check_case = "filters run in order, with all in place";
  CHECK_OK(netcore_client_set_header(client, "X-Common", "c"));
  CHECK_OK(netcore_client_add_filter(client, sign, "first", NULL));
  CHECK_OK(netcore_client_add_filter(client, sign, "second", NULL));
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer,
                 "[\"X-Signature\", \"first(POST /echo a=1 c)\"], [\"X-Signature\", \"second(POST /echo a=1 c)\"]");
  answer_free(&answer);
  check_case = "a request is not changed by filters";
  request = request_new("GET", at(ORIGIN, "/echo"));
  for (int i = 0; i < 2; i++) {
    answer = perform(client, request);
    CHECK_BODY_HAS(&answer, "[\"X-Signature\", \"first(GET /echo  c)\"], [\"X-Signature\", \"second(GET /echo  c)\"]");
    answer_free(&answer);
  }
  CHECK_OK(netcore_request_destroy(request));
  check_case = "another URL, and parameters";
  CHECK_OK(netcore_client_remove_filters(client));
  CHECK_OK(netcore_client_add_filter(client, lead_away, (void *)at(ORIGIN, "/echo/led?x=y"), NULL));
  CHECK_OK(netcore_client_add_filter(client, add_parameter, "z", NULL));
  check_sends(request_new("GET", "http://nowhere.invalid/"), "\"target\": \"/echo/led?x=y&added=z\"");
  end();
}

static void test_what_is_in_place(void) {
  begin();
  check_case = "a base URL and a serializer come too late in a filter";
  CHECK_OK(netcore_client_add_filter(client, set_what_is_in_place, "z", NULL));
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "/echo?added=z");
  answer_free(&answer);
  end();
  begin();
  check_case = "a serializer holds for parameters that a filter adds";
  CHECK_OK(netcore_client_add_filter(client, add_json, "z", NULL));
  answer = perform_once(client, request_new("POST", at(ORIGIN, "/echo")));
  CHECK_BODY_HAS(&answer, "{\\\"added\\\":\\\"z\\\"}");
  answer_free(&answer);
  end();
}

static void test_refusals(void) {
  static const struct {
    netcore_status returned, ended;
  } cases[] = {
      {NETCORE_STATUS_APPLICATION_FIRST, NETCORE_STATUS_APPLICATION_FIRST},
      {2345, 2345},
      {NETCORE_STATUS_APPLICATION_LAST, NETCORE_STATUS_APPLICATION_LAST},
      {NETCORE_ERR_INVALID_HEADER, NETCORE_ERR_INVALID_HEADER},
      {1, NETCORE_ERR_REFUSED},
      {NETCORE_ERR_IN_PROGRESS, NETCORE_ERR_REFUSED},
      {NETCORE_ERR_CANCELED, NETCORE_ERR_REFUSED},
      {-1, NETCORE_ERR_REFUSED},
      {3000, NETCORE_ERR_REFUSED},
  };
  begin();
  netcore_status status = NETCORE_OK;
  CHECK_OK(netcore_client_add_filter(client, return_status, &status, NULL));
  check_case = "refusals";
  for (size_t i = 0; i < LENGTH(cases); i++) {
    status = cases[i].returned;
    check_ends(request_new("GET", at(ORIGIN, "/echo")), cases[i].ended);
  }
  status = NETCORE_OK;
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "/echo");
  end();
}

/* Filters that take their time */

static struct tally entered = TALLY_INITIAL, released = TALLY_INITIAL;

static netcore_status hang(netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  tally_raise(&entered);
  CHECK(tally_reaches(&released, 1, patience_ms()));
  return NETCORE_OK;
}

static struct tally inside = TALLY_INITIAL, leave = TALLY_INITIAL;

static netcore_status wait_to_leave(netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  tally_raise(&inside);
  CHECK(tally_reaches(&leave, 1, patience_ms()));
  return NETCORE_OK;
}

static void test_a_filter_that_hangs(void) {
  begin();
  check_case = "the total timeout ends a task whose filter does not return";
  CHECK_OK(netcore_client_add_filter(client, hang, NULL, NULL));
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 50));
  check_ends(request, NETCORE_ERR_TIMEOUT_TOTAL);
  unsigned hanging = tally_count(&entered); /* none, if the time was up before the filter ran */
  check_case = "it holds up no other";
  CHECK_OK(netcore_client_remove_filters(client));
  CHECK_OK(netcore_client_add_filter(client, add_parameter, "z", NULL));
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "/echo?added=z");
  check_case = "a cancel ends the task at once";
  CHECK_OK(netcore_client_add_filter(client, hang, NULL, NULL));
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  door_get(&door, at(ORIGIN, "/echo"), &outcome);
  CHECK(tally_reaches(&entered, hanging + 1, patience_ms()));
  CHECK_OK(netcore_task_cancel(outcome.task));
  CHECK(door_wait(&door, &ended, 1));
  CHECK_STATUS(outcome.completion.status, NETCORE_ERR_CANCELED);
  outcome_free(&outcome);
  tally_raise(&released);
  end();
}

/* What holds for requests dispatched from then on does not for one that waits for its filter. */
static void test_settings_are_those_of_the_dispatch(void) {
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  begin();
  check_case = "settings are those of the dispatch";
  CHECK_OK(netcore_client_add_filter(client, wait_to_leave, NULL, NULL));
  CHECK_OK(netcore_client_set_header(client, "X-Common", "before"));
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  door_get(&door, at(ORIGIN, "/echo"), &outcome);
  CHECK(tally_reaches(&inside, 1, patience_ms()));
  CHECK_OK(netcore_client_set_header(client, "X-Common", "after"));
  CHECK_OK(netcore_client_set_header_function(client, "X-Late", count_up, &(int){0}, NULL));
  CHECK_OK(netcore_client_add_filter(client, add_parameter, "late", NULL));
  tally_raise(&leave);
  CHECK(door_wait(&door, &ended, 1));
  CHECK_STATUS(outcome.completion.status, NETCORE_OK);
  netcore_bytes body = response_info(outcome.completion.response).body;
  CHECK(bytes_have(body, "\"target\": \"/echo\"") && bytes_have(body, "[\"X-Common\", \"before\"]"));
  CHECK(!bytes_have(body, "X-Late"));
  outcome_free(&outcome);
  end();
}

/* A filter that asks the same client, by a request that passes none. */
static netcore_status perform_custom(netcore_request request, void *user_data) {
  netcore_request custom = request_new("GET", at(ORIGIN, "/echo/token"));
  (void)user_data;
  CHECK_OK(netcore_request_set_bare(custom, 1));
  struct answer answer = perform_once(client, custom);
  CHECK_BODY_HAS(&answer, "/echo/token");
  answer_free(&answer);
  return netcore_request_set_header(request, "X-Fetched", "yes");
}

static netcore_status destroy_client(netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  CHECK_OK(netcore_client_destroy(client));
  return NETCORE_OK;
}

static void test_filters_that_use_the_client(void) {
  begin();
  check_case = "a filter that performs a custom request";
  CHECK_OK(netcore_client_add_filter(client, perform_custom, NULL, NULL));
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "[\"X-Fetched\", \"yes\"]");
  end();
  begin();
  check_case = "a filter that destroys the client";
  CHECK_OK(netcore_client_add_filter(client, destroy_client, NULL, NULL));
  check_ends(request_new("GET", at(ORIGIN, "/echo")), NETCORE_ERR_CANCELED);
}

int main(void) {
  check_begin();
  test_values();
  test_odd_values();
  test_filters();
  test_what_is_in_place();
  test_refusals();
  test_a_filter_that_hangs();
  test_settings_are_those_of_the_dispatch();
  test_filters_that_use_the_client();
  return check_end();
}
