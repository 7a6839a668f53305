/*
 * Stubs: which requests they answer, in which ways answers come and fail, and what is said of requests without a stub.
 */
#include "support.h"

#include "support/cache.h"

#define URL "http://app.test"

static netcore_client client;
static netcore_stubs stubs;

static void begin(void) {
  netcore_client_options options = {.size = sizeof options};
  REQUIRE_OK(netcore_stubs_create(&stubs));
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_client_set_stubs(client, stubs));
}

static void end(void) {
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_stubs_destroy(stubs));
}

static uint32_t add(const char *method, const char *url) {
  netcore_stub stub = {.size = sizeof stub, .method = method, .url = url};
  uint32_t index = 77;
  CHECK_OK(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, &index));
  return index;
}

static void answer_with(uint32_t stub, int32_t http_status, const char *text) {
  netcore_stub_answer answer = {.size = sizeof answer, .http_status = http_status};
  answer.body = text, answer.body_size_bytes = strlen(text);
  CHECK_OK(netcore_stubs_add_answer(stubs, stub, &answer));
}

static struct answer get(const char *url) { return perform_once(client, request_new("GET", url)); }

static void check_answer(struct answer answer, int32_t http_status, const char *text) {
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, http_status);
  CHECK_EQUAL(answer.info.body.size_bytes, strlen(text));
  if (*text != 0) CHECK_BODY_HAS(&answer, text);
  answer_free(&answer);
}

static void check_no_stub(struct answer answer, const char *text) {
  CHECK_STATUS(answer.status, NETCORE_ERR_NO_STUB);
  netcore_bytes message = response_error(answer.response).message;
  CHECK(memmem(message.data, message.size_bytes, text, strlen(text)) != NULL);
  answer_free(&answer);
}

/* Which stub answers. */

static void test_matching(void) {
  check_case = "method, URL, parameters, in the order of the stubs";
  begin();
  answer_with(add("GET", "/users/*?page=2"), 200, "second page");
  answer_with(add("GET", "/users/*"), 200, "user");
  answer_with(add(NULL, "https://app.test/**"), 201, "safe");
  check_answer(get(URL "/users/1?a=b&page=2"), 200, "second page");
  check_answer(get(URL "/users/1?page=3"), 200, "user");
  check_answer(get("https://app.test/a/b"), 201, "safe");
  check_no_stub(get(URL "/users"), "no stub for GET http://app.test/users; the nearest of 3 is GET /users/*");
  check_no_stub(perform_once(client, request_new("PUT", URL "/users/1")), "the method is PUT, not GET");
  end();
}

static void test_fields_and_body(void) {
  netcore_stub stub = {.size = sizeof stub, .headers = "X-A: 1\nAccept: text/*\r\n"};
  check_case = "header fields and a body as JSON";
  begin();
  stub.body_kind = NETCORE_STUB_BODY_JSON, stub.body = "{\"a\": [1, 2]}", stub.body_size_bytes = 13;
  CHECK_OK(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, NULL));
  for (int i = 0; i < 2; i++) {
    netcore_request request = request_new("POST", URL "/");
    CHECK_OK(netcore_request_set_header(request, "X-A", "1"));
    CHECK_OK(netcore_request_set_header(request, "accept", i == 0 ? "text/html" : "image/png"));
    CHECK_OK(netcore_request_set_body(request, "{\"a\":[1.0,2]}", 13));
    struct answer answer = perform_once(client, request);
    if (i == 0)
      check_answer(answer, 200, "");
    else
      check_no_stub(answer, "the header \"Accept\" is \"image/png\", not \"text/*\"");
  }
  end();
}

static void test_times(void) {
  netcore_stub stub = {.size = sizeof stub, .times = 1, .url = "/a"};
  uint32_t first = 77, second = 77;
  uint64_t count = 0;
  check_case = "how often, and answers one after the other";
  begin();
  CHECK_OK(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, &first));
  answer_with(first, 201, "");
  stub.times = 0;
  CHECK_OK(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, &second));
  answer_with(second, 202, "");
  answer_with(second, 203, "");
  CHECK_EQUAL(first, 0);
  CHECK_EQUAL(second, 1);
  CHECK_STATUS(netcore_stubs_check(stubs), NETCORE_ERR_NO_STUB);
  CHECK(strstr(netcore_last_error_message(), "not requested: any method /a") != NULL);
  check_answer(get(URL "/a"), 201, "");
  check_answer(get(URL "/a"), 202, "");
  check_answer(get(URL "/a"), 203, "");
  check_answer(get(URL "/a"), 203, "");
  CHECK_OK(netcore_stubs_get_call_count(stubs, second, &count));
  CHECK_EQUAL(count, 3);
  CHECK_STATUS(netcore_stubs_get_call_count(stubs, 2, &count), NETCORE_ERR_NOT_FOUND);
  CHECK_OK(netcore_stubs_check(stubs));
  CHECK_OK(netcore_stubs_reset(stubs));
  CHECK_OK(netcore_stubs_check(stubs));
  check_no_stub(get(URL "/a"), "there are no stubs");
  CHECK_STATUS(netcore_stubs_check(stubs), NETCORE_ERR_NO_STUB);
  CHECK(strstr(netcore_last_error_message(), "no stub answered GET http://app.test/a") != NULL);
  end();
}

/* How answers come. */

static void test_faults(void) {
  static const struct {
    netcore_stub_answer answer;
    netcore_status status;
  } rows[] = {
      {{.fault = NETCORE_STUB_FAULT_RESET}, NETCORE_ERR_CONNECTION_LOST},
      {{.fault = NETCORE_STUB_FAULT_EMPTY}, NETCORE_ERR_CONNECTION_LOST},
      {{.fault = NETCORE_STUB_FAULT_SILENCE}, NETCORE_ERR_TIMEOUT_FIRST_BYTE},
      {{.fault = NETCORE_STUB_FAULT_CUT, .fault_after_bytes = 3}, NETCORE_ERR_TRUNCATED},
      {{.fault = NETCORE_STUB_FAULT_STALL, .fault_after_bytes = 3}, NETCORE_ERR_TIMEOUT_IDLE},
      {{.fault = NETCORE_STUB_FAULT_MALFORMED_CHUNK, .fault_after_bytes = 3}, NETCORE_ERR_PROTOCOL},
      {{.fault = NETCORE_STUB_FAULT_ERROR, .error = NETCORE_ERR_RESOLVE}, NETCORE_ERR_RESOLVE},
      {{.fault = NETCORE_STUB_FAULT_ERROR, .error = 2001, .error_message = "ours"}, 2001},
      {{.delay_ms = 3600000}, NETCORE_ERR_TIMEOUT_FIRST_BYTE},
      {{.piece_size_bytes = 2, .piece_delay_ms = 3600000}, NETCORE_ERR_TIMEOUT_IDLE},
      {{.piece_size_bytes = 2, .piece_delay_ms = 1, .delay_ms = 1, .delay_max_ms = 2}, NETCORE_OK},
      {{.delay_ms = 1, .delay_sigma = 0.1}, NETCORE_OK},
  };
  for (size_t i = 0; i < LENGTH(rows); i++) {
    netcore_stub_answer answer = rows[i].answer;
    char text[20];
    snprintf(text, sizeof text, "row %zu", i);
    check_case = text;
    begin();
    answer.size = sizeof answer, answer.body = "content", answer.body_size_bytes = 7;
    CHECK_OK(netcore_stubs_add_answer(stubs, add("GET", NULL), &answer));
    netcore_request request = request_new("GET", URL "/");
    if (rows[i].status == NETCORE_ERR_TIMEOUT_FIRST_BYTE) netcore_request_set_first_byte_timeout_ms(request, 30);
    if (rows[i].status == NETCORE_ERR_TIMEOUT_IDLE) netcore_request_set_idle_timeout_ms(request, 30);
    struct answer got = perform_once(client, request);
    CHECK_STATUS(got.status, rows[i].status);
    if (rows[i].status == NETCORE_OK) CHECK_BODY_HAS(&got, "content");
    answer_free(&got);
    end();
  }
}

static void test_stream(void) {
  netcore_stub_answer answer = {.size = sizeof answer, .piece_size_bytes = 2, .piece_delay_ms = 1};
  char text[20];
  size_t size = 0, got = 1;
  check_case = "a streamed answer comes in pieces and is cut";
  begin();
  answer.body = "content", answer.body_size_bytes = 7;
  answer.fault = NETCORE_STUB_FAULT_CUT, answer.fault_after_bytes = 5;
  CHECK_OK(netcore_stubs_add_answer(stubs, add("GET", NULL), &answer));
  netcore_request request = request_new("GET", URL "/");
  netcore_response response = 0;
  CHECK_OK(netcore_perform_streamed(client, request, 0, &response));
  CHECK_EQUAL(response_info(response).http_status, 200);
  netcore_status status = NETCORE_OK;
  while (status == NETCORE_OK && got > 0) {
    status = netcore_response_read(response, text + size, sizeof text - size, UINT64_MAX, &got);
    size += got;
  }
  CHECK_STATUS(status, NETCORE_ERR_TRUNCATED);
  CHECK(size == 5 && memcmp(text, "conte", 5) == 0);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  end();
}

/* Retries and a function on top of it. */

static void echo(netcore_hop hop, netcore_request request, void *user_data) {
  netcore_request_info info = {.size = sizeof info};
  netcore_stub_answer answer = {.size = sizeof answer, .http_status = 503};
  CHECK_OK(netcore_request_get_info(request, &info));
  if (++*(int *)user_data > 1) answer.http_status = 200;
  answer.body = info.url.data, answer.body_size_bytes = info.url.size_bytes;
  CHECK_OK(netcore_hop_answer_as(hop, &answer));
  CHECK_STATUS(netcore_hop_answer_as(hop, NULL), NETCORE_ERR_INVALID_HANDLE);
}

static void raise_tally(void *user_data) { tally_raise(user_data); }

static int32_t count_call(netcore_request request, uint32_t index, void *user_data) {
  netcore_request_info info = {.size = sizeof info};
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_EQUAL(info.url.size_bytes, strlen(URL "/a"));
  CHECK_EQUAL(index, 0);
  return ++*(int *)user_data < 2;
}

static void test_function(void) {
  netcore_stub stub = {.size = sizeof stub};
  netcore_retry_options retries = {.size = sizeof retries, .base_delay_ms = 1};
  struct tally released = TALLY_INITIAL;
  int calls = 0, listed = 0;
  check_case = "a function answers, retries try again, and both are listed";
  begin();
  CHECK_OK(netcore_client_set_retries(client, &retries));
  CHECK_OK(netcore_stubs_add(stubs, &stub, echo, &calls, NULL, NULL));
  check_answer(get(URL "/a"), 200, URL "/a");
  CHECK_EQUAL(calls, 2);
  CHECK_OK(netcore_stubs_list_calls(stubs, count_call, &listed));
  CHECK_EQUAL(listed, 2);
  end();
  CHECK_OK(netcore_stubs_create(&stubs));
  CHECK_OK(netcore_stubs_add(stubs, &stub, echo, &released, raise_tally, NULL));
  CHECK_OK(netcore_stubs_destroy(stubs));
  CHECK(tally_reaches(&released, 1, patience_ms()));
}

/* What is refused. */

static void test_refused(void) {
  static const struct {
    netcore_stub stub;
    netcore_status status;
  } rows[] = {
      {{.method = "G T"}, NETCORE_ERR_INVALID_METHOD},
      {{.url = "users"}, NETCORE_ERR_INVALID_URL},
      {{.headers = "no colon"}, NETCORE_ERR_INVALID_HEADER},
      {{.headers = "a b: c"}, NETCORE_ERR_INVALID_HEADER},
      {{.body_kind = 3}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.body_kind = NETCORE_STUB_BODY_JSON}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.body_kind = NETCORE_STUB_BODY_BYTES, .body_size_bytes = 1}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.reserved = 1}, NETCORE_ERR_INVALID_ARGUMENT},
  };
  static const struct {
    netcore_stub_answer answer;
    netcore_status status;
  } answers[] = {
      {{.http_status = 199}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.http_status = 600}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.headers = "no colon"}, NETCORE_ERR_INVALID_HEADER},
      {{.body_size_bytes = 1}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.delay_ms = 86400001}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.delay_ms = 2, .delay_max_ms = 1}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.delay_ms = 1, .delay_max_ms = 2, .delay_sigma = 1}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.delay_sigma = -1}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.fault = 8}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.fault = NETCORE_STUB_FAULT_ERROR, .error = NETCORE_OK}, NETCORE_ERR_INVALID_ARGUMENT},
      {{.fault = NETCORE_STUB_FAULT_ERROR, .error = -1}, NETCORE_ERR_INVALID_ARGUMENT},
  };
  check_case = "what is no stub, and no answer";
  begin();
  for (size_t i = 0; i < LENGTH(rows); i++) {
    netcore_stub stub = rows[i].stub;
    stub.size = sizeof stub;
    CHECK_STATUS(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, NULL), rows[i].status);
  }
  CHECK_STATUS(netcore_stubs_add(stubs, NULL, NULL, NULL, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  uint32_t index = add(NULL, NULL);
  CHECK_EQUAL(index, 0);
  for (size_t i = 0; i < LENGTH(answers); i++) {
    netcore_stub_answer answer = answers[i].answer;
    answer.size = sizeof answer;
    CHECK_STATUS(netcore_stubs_add_answer(stubs, index, &answer), answers[i].status);
  }
  CHECK_STATUS(netcore_stubs_add_answer(stubs, 1, NULL), NETCORE_ERR_NOT_FOUND);
  check_answer(get(URL "/"), 200, "");
  end();
}

int main(void) {
  check_begin();
  test_matching();
  test_fields_and_body();
  test_times();
  test_faults();
  test_stream();
  test_function();
  test_refused();
  return check_end();
}
