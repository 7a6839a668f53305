/*
 * Breakers: when they open and close, what a refusal says, what they have to do with retries, and what figures are refused.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/answer.h"

#define URL "http://app.test/a"
#define ORIGIN_TEXT "http://app.test:80"

struct server {
  /** What it answers; 0 for no connection. */
  atomic_int status;
  atomic_uint calls;
};

static void serve(netcore_hop hop, netcore_request request, void *user_data) {
  struct server *server = user_data;
  int status = atomic_load(&server->status);
  (void)request;
  atomic_fetch_add(&server->calls, 1);
  if (status == 0) {
    CHECK_OK(netcore_hop_fail(hop, NETCORE_ERR_CONNECT, NULL));
  } else {
    CHECK_OK(netcore_hop_answer(hop, status, NULL, "body", 4));
  }
}

static netcore_client client_of(struct server *server, const netcore_breaker_options *options) {
  netcore_client client;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, serve, server, NULL));
  CHECK_OK(netcore_client_set_breaker(client, options));
  return client;
}

/** How a GET ends. */
static netcore_status get(netcore_client client) {
  netcore_request request = request_new("GET", URL);
  netcore_response response;
  netcore_status status = netcore_perform(client, request, &response);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  return status;
}

struct listed {
  unsigned count;
  netcore_breaker_info last;
  char origin[100];
};

static int32_t list(const netcore_breaker_info *info, void *user_data) {
  struct listed *listed = user_data;
  CHECK_EQUAL(info->size, sizeof *info);
  listed->count++;
  listed->last = *info;
  snprintf(listed->origin, sizeof listed->origin, "%s", (const char *)info->origin.data);
  return 1;
}

static struct listed breakers_of(netcore_client client) {
  struct listed listed = {0};
  CHECK_OK(netcore_client_list_breakers(client, list, &listed));
  return listed;
}

static void test_off_by_default(void) {
  struct server server = {0};
  netcore_client client = client_of(&server, NULL);
  netcore_breaker_options options = NETCORE_BREAKER_OPTIONS_INIT;
  int32_t enabled = 7;
  check_case = "off by default";
  CHECK_OK(netcore_client_get_breaker(client, &enabled, &options));
  CHECK(enabled == 0 && options.window_ms == 0);
  for (int i = 0; i < 30; i++) CHECK_STATUS(get(client), NETCORE_ERR_CONNECT);
  CHECK_EQUAL(atomic_load(&server.calls), 30);
  CHECK_EQUAL(breakers_of(client).count, 0);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_a_refusal(void) {
  struct server server = {0};
  netcore_breaker_options options = NETCORE_BREAKER_OPTIONS_INIT;
  netcore_client client = client_of(&server, &options);
  netcore_error error = NETCORE_ERROR_INIT;
  check_case = "a refusal";
  for (int i = 0; i < 5; i++) CHECK_STATUS(get(client), NETCORE_ERR_CONNECT);
  struct answer answer = perform_once(client, request_new("GET", URL));
  CHECK_EQUAL(answer.status, NETCORE_ERR_BREAKER_OPEN);
  CHECK_OK(netcore_response_get_error(answer.response, &error));
  CHECK(error.retry_after_ms > 0 && error.retry_after_ms <= 6000);
  CHECK(strstr((const char *)error.message.data, ORIGIN_TEXT) != NULL);
  CHECK(error.phase == NETCORE_PHASE_QUEUE && error.attempts == 0 && error.is_retryable == 1);
  answer_free(&answer);
  struct listed listed = breakers_of(client);
  CHECK(listed.count == 1 && strcmp(listed.origin, ORIGIN_TEXT) == 0);
  CHECK(listed.last.state == NETCORE_BREAKER_STATE_OPEN && listed.last.try_count == 5);
  CHECK(listed.last.failure_count == 5 && listed.last.opening_count == 1 && listed.last.refusal_count == 1);
  CHECK(listed.last.wait_ms > 0 && listed.last.wait_ms <= 6000);
  CHECK_EQUAL(atomic_load(&server.calls), 5);
  /* Other figures begin anew. */
  CHECK_OK(netcore_client_set_breaker(client, &options));
  CHECK_EQUAL(breakers_of(client).count, 0);
  CHECK_STATUS(get(client), NETCORE_ERR_CONNECT);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_recovery(void) {
  struct server server = {0};
  netcore_breaker_options options = NETCORE_BREAKER_OPTIONS_INIT;
  netcore_status status;
  options.open_ms = options.max_open_ms = 1;
  options.jitter_percent = UINT32_MAX;
  netcore_client client = client_of(&server, &options);
  check_case = "a probe that succeeds closes it";
  for (int i = 0; i < 5; i++) CHECK_STATUS(get(client), NETCORE_ERR_CONNECT);
  atomic_store(&server.status, 200);
  do { status = get(client); } while (status == NETCORE_ERR_BREAKER_OPEN);
  CHECK_OK(status);
  struct listed listed = breakers_of(client);
  CHECK(listed.last.state == NETCORE_BREAKER_STATE_CLOSED && listed.last.try_count == 0 && listed.last.wait_ms == 0);
  CHECK_OK(netcore_client_destroy(client));
}

/* The failure that opens it is not followed by another attempt, which would be refused. */
static void test_with_retries(void) {
  struct server server = {0};
  netcore_breaker_options options = NETCORE_BREAKER_OPTIONS_INIT;
  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  netcore_try found = NETCORE_TRY_INIT;
  options.connect_failures = 2;
  retries.attempts = 5;
  retries.base_delay_ms = 1;
  retries.budget_tokens = 1;
  retries.budget_per_second = UINT32_MAX;
  netcore_client client = client_of(&server, &options);
  CHECK_OK(netcore_client_set_retries(client, &retries));
  check_case = "with retries";
  struct answer answer = perform_once(client, request_new("GET", URL));
  CHECK_EQUAL(answer.status, NETCORE_ERR_CONNECT);
  CHECK_EQUAL(answer.info.try_count, 2);
  CHECK_OK(netcore_response_get_try(answer.response, 1, &found));
  CHECK_EQUAL(found.reason, NETCORE_RETRY_REASON_BREAKER);
  answer_free(&answer);
  answer = perform_once(client, request_new("GET", URL));
  CHECK_EQUAL(answer.status, NETCORE_ERR_BREAKER_OPEN);
  CHECK_EQUAL(answer.info.try_count, 0);
  answer_free(&answer);
  CHECK_EQUAL(atomic_load(&server.calls), 2);
  CHECK_OK(netcore_client_destroy(client));
}

/* A body that fails early is dropped, and another attempt decided, before the breaker knows of the failure. */
static void test_opens_in_a_wait(void) {
  static const char refusing[] = "[{'send':'HTTP/1.1 503 No\\r\\nContent-Length: 4\\r\\n\\r\\nbody'}]";
  netcore_client client;
  netcore_breaker_options options = NETCORE_BREAKER_OPTIONS_INIT;
  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  netcore_try found = NETCORE_TRY_INIT;
  options.min_tries = 1;
  retries.throttled_delay_ms = 1;
  retries.budget_tokens = 1;
  retries.budget_per_second = UINT32_MAX;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_breaker(client, &options));
  CHECK_OK(netcore_client_set_retries(client, &retries));
  check_case = "a breaker that opens in a wait";
  for (int i = 0; i < 2; i++) { /* the token of the first retry was given back */
    struct answer answer = perform_once(client, script_request("GET", ORIGIN, refusing));
    CHECK_EQUAL(answer.status, NETCORE_ERR_BREAKER_OPEN);
    CHECK_EQUAL(answer.info.try_count, 1);
    CHECK_OK(netcore_response_get_try(answer.response, 0, &found));
    CHECK(found.http_status == 503 && found.reason == NETCORE_RETRY_REASON_BREAKER);
    answer_free(&answer);
    CHECK_OK(netcore_client_set_breaker(client, &options));
  }
  CHECK_OK(netcore_client_destroy(client));
}

/* Those that wait for a slot are refused, too, however many they are. */
static void test_a_long_line(void) {
  enum { COUNT = 5000 };
  struct server server = {0};
  netcore_breaker_options options = NETCORE_BREAKER_OPTIONS_INIT;
  netcore_client_options queue = {.size = sizeof queue, .completions = NETCORE_COMPLETION_MODE_QUEUE};
  netcore_client client;
  netcore_completion completions[64];
  netcore_request request = request_new("GET", URL);
  uint32_t taken = 0, count = 0, refused = 0;
  check_case = "a long line";
  REQUIRE_OK(netcore_client_create(&queue, &client));
  CHECK_OK(netcore_client_set_transport(client, serve, &server, NULL));
  CHECK_OK(netcore_client_set_breaker(client, &options));
  CHECK_OK(netcore_client_set_limit(client, NETCORE_LIMIT_TRANSFERS, 1));
  for (int i = 0; i < COUNT; i++) REQUIRE_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  while (taken < COUNT) {
    REQUIRE_OK(netcore_client_wait(client, completions, 64, sizeof completions[0], patience_ms(), &count));
    if (!CHECK(count > 0)) break;
    for (uint32_t i = 0; i < count; i++) {
      if (completions[i].status == NETCORE_ERR_BREAKER_OPEN) refused++;
      CHECK_OK(netcore_response_release(completions[i].response));
    }
    taken += count;
  }
  CHECK_EQUAL(refused, COUNT - atomic_load(&server.calls));
  CHECK(refused > COUNT / 2);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

#define NO_BREAKER(name, ...) \
  do { \
    netcore_breaker_options wrong = {.size = sizeof wrong, __VA_ARGS__}; \
    check_case = name; \
    CHECK_STATUS(netcore_client_set_breaker(client, &wrong), NETCORE_ERR_INVALID_ARGUMENT); \
    check_argument(name); \
  } while (0)

static void check_argument(const char *argument) {
  netcore_error error = NETCORE_ERROR_INIT;
  CHECK_OK(netcore_last_error(&error));
  CHECK(error.argument.size_bytes == strlen(argument) && strcmp((const char *)error.argument.data, argument) == 0);
}

static void test_refused_figures(void) {
  netcore_client client;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  NO_BREAKER("window_ms", .window_ms = 99);
  NO_BREAKER("bucket_count", .bucket_count = 101);
  NO_BREAKER("min_tries", .min_tries = 1000001);
  NO_BREAKER("failure_percent", .failure_percent = 101);
  NO_BREAKER("connect_failures", .connect_failures = 1000001);
  NO_BREAKER("jitter_percent", .jitter_percent = 51);
  NO_BREAKER("open_ms", .open_ms = 3600001);
  NO_BREAKER("max_open_ms", .max_open_ms = 4999);

  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  retries.attempt_timeout_ms = 2000;
  CHECK_OK(netcore_client_set_retries(client, &retries));
  NO_BREAKER("window_ms", .window_ms = 3999);
  netcore_breaker_options options = NETCORE_BREAKER_OPTIONS_INIT;
  options.window_ms = 4000;
  CHECK_OK(netcore_client_set_breaker(client, &options));
  check_case = "an attempt timeout that is set later";
  retries.attempt_timeout_ms = 2001;
  CHECK_STATUS(netcore_client_set_retries(client, &retries), NETCORE_ERR_INVALID_ARGUMENT);
  check_argument("attempt_timeout_ms");
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_retries(request, NETCORE_RETRIES_OWN, &retries));
  netcore_task task = 0;
  CHECK_STATUS(netcore_dispatch(client, request, NULL, NULL, &task), NETCORE_ERR_INVALID_ARGUMENT);
  check_argument("attempt_timeout_ms");
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_reading(void) {
  netcore_client client;
  netcore_breaker_options read = NETCORE_BREAKER_OPTIONS_INIT;
  netcore_breaker_options options = {.size = sizeof options,
                                     .bucket_count = 2,
                                     .window_ms = 300,
                                     .min_tries = 4,
                                     .failure_percent = 5,
                                     .connect_failures = UINT32_MAX,
                                     .jitter_percent = UINT32_MAX,
                                     .open_ms = 8,
                                     .max_open_ms = 9};
  int32_t enabled = 0;
  check_case = "what can be set can be read";
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_breaker(client, &options));
  CHECK_OK(netcore_client_get_breaker(client, &enabled, &read));
  CHECK(enabled == 1 && memcmp(&read, &options, sizeof read) == 0);
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  CHECK_OK(netcore_client_set_breaker(client, &options));
  CHECK_OK(netcore_client_get_breaker(client, NULL, &read));
  CHECK(read.bucket_count == 10 && read.window_ms == 30000 && read.min_tries == 20 && read.failure_percent == 50);
  CHECK(read.connect_failures == 5 && read.jitter_percent == 20 && read.open_ms == 5000 && read.max_open_ms == 300000);
  CHECK_OK(netcore_client_get_breaker(client, &enabled, NULL));
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_off_by_default();
  test_a_refusal();
  test_recovery();
  test_with_retries();
  test_opens_in_a_wait();
  test_a_long_line();
  test_refused_figures();
  test_reading();
  return check_end();
}
