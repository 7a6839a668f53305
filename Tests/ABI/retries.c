/*
 * Retries: policies of clients and requests, what they refuse, what is told of each try, and functions of the application's that
 * decide.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/answer.h"
#include "support/hops.h"

#define URL "http://app.test/a"
#define KEPT "Cache-Control: max-age=60\n"

/* A transport that answers with one status after the other, the last one for ever; 0 loses the connection. */
struct script {
  const int32_t *statuses;
  const char *fields;
  unsigned count;
  atomic_uint calls;
  char keys[8][50];
};

static void play(netcore_hop hop, netcore_request request, void *user_data) {
  struct script *script = user_data;
  netcore_bytes key;
  unsigned call = atomic_fetch_add(&script->calls, 1);
  int32_t status = script->statuses[call < script->count ? call : script->count - 1];
  if (call < 8 && netcore_request_get_header(request, "Idempotency-Key", 0, &key) == NETCORE_OK) {
    snprintf(script->keys[call], sizeof script->keys[call], "%.*s", (int)key.size_bytes, (const char *)key.data);
  }
  if (status == 0) {
    CHECK_OK(netcore_hop_fail(hop, NETCORE_ERR_CONNECTION_LOST, NULL));
  } else {
    CHECK_OK(netcore_hop_answer(hop, status, script->fields, "body", 4));
  }
}

#define SCRIPT(name, extra, ...) \
  static const int32_t name##_statuses[] = {__VA_ARGS__}; \
  static struct script name = { \
      .statuses = name##_statuses, .fields = extra, .count = sizeof name##_statuses / sizeof name##_statuses[0]}

static netcore_client client_of(struct script *script) {
  netcore_client client;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, play, script, NULL));
  return client;
}

static netcore_retry_options quick(void) {
  netcore_retry_options options = NETCORE_RETRY_OPTIONS_INIT;
  options.base_delay_ms = options.throttled_delay_ms = 1;
  return options;
}

static netcore_try try_at(const struct answer *answer, uint32_t index) {
  netcore_try found = NETCORE_TRY_INIT;
  CHECK_OK(netcore_response_get_try(answer->response, index, &found));
  return found;
}

static void check_server(const netcore_try *found, const char *server) {
  CHECK(found->server.size_bytes == strlen(server) && strcmp((const char *)found->server.data, server) == 0);
}

static void test_off_by_default(void) {
  SCRIPT(script, NULL, 503, 200);
  netcore_client client = client_of(&script);
  netcore_retry_options options = NETCORE_RETRY_OPTIONS_INIT;
  netcore_try none = NETCORE_TRY_INIT;
  int32_t enabled = 7;
  check_case = "off by default";
  CHECK_OK(netcore_client_get_retries(client, &enabled, &options));
  CHECK(enabled == 0 && options.attempts == 0);
  struct answer answer = perform_once(client, request_new("GET", URL));
  CHECK_EQUAL(answer.info.http_status, 503);
  CHECK_EQUAL(answer.info.try_count, 1);
  netcore_try only = try_at(&answer, 0);
  check_server(&only, "http://app.test:80");
  CHECK(only.http_status == 503 && only.reason == NETCORE_RETRY_REASON_OUTCOME && only.attempt == 1);
  CHECK(only.start_us > 0 && only.resent_count == 0 && only.retry_after_ms == -1);
  CHECK_STATUS(netcore_response_get_try(answer.response, 1, &none), NETCORE_ERR_NOT_FOUND);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_tries(void) {
  SCRIPT(script, "Retry-After: 0\n", 503, 0, 200);
  netcore_client client = client_of(&script);
  netcore_retry_options options = quick();
  netcore_try beyond = NETCORE_TRY_INIT;
  check_case = "tries";
  CHECK_OK(netcore_client_set_retries(client, &options));
  struct answer answer = perform_once(client, request_new("GET", URL));
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK_EQUAL(answer.info.attempts, 3);
  CHECK_EQUAL(answer.info.try_count, 3);
  netcore_try first = try_at(&answer, 0), second = try_at(&answer, 1), third = try_at(&answer, 2);
  CHECK(first.reason == NETCORE_RETRY_REASON_RETRIED && first.http_status == 503 && first.status == NETCORE_OK);
  CHECK(first.retry_after_ms == 0 && first.delay_ms == 0 && first.address.size_bytes == 0);
  CHECK(second.reason == NETCORE_RETRY_REASON_RETRIED && second.status == NETCORE_ERR_CONNECTION_LOST);
  CHECK(second.retry_after_ms == -1 && second.http_status == 0);
  CHECK(third.reason == NETCORE_RETRY_REASON_OUTCOME && third.http_status == 200);
  check_server(&first, "http://app.test:80");
  CHECK_STATUS(netcore_response_get_try(answer.response, 3, &beyond), NETCORE_ERR_NOT_FOUND);
  CHECK(beyond.server.data == NULL);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_failure(void) {
  SCRIPT(script, NULL, 0);
  netcore_client client = client_of(&script);
  netcore_request request = request_new("GET", URL);
  netcore_retry_options options = quick();
  check_case = "a failed task has its tries";
  options.attempts = 2;
  CHECK_OK(netcore_request_set_retries(request, NETCORE_RETRIES_OWN, &options));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_CONNECTION_LOST);
  CHECK_EQUAL(try_at(&answer, 0).reason, NETCORE_RETRY_REASON_RETRIED);
  CHECK_EQUAL(try_at(&answer, 1).reason, NETCORE_RETRY_REASON_ATTEMPTS);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_choices(void) {
  SCRIPT(script, NULL, 503);
  static const struct {
    netcore_retries retries;
    bool of_client;
    unsigned attempts;
  } rows[] = {{NETCORE_RETRIES_CLIENT, true, 3},
              {NETCORE_RETRIES_CLIENT, false, 1},
              {NETCORE_RETRIES_OFF, true, 1},
              {NETCORE_RETRIES_OWN, true, 3},
              {NETCORE_RETRIES_OWN, false, 3}};
  check_case = "whose policy a request follows";
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    netcore_client client = client_of(&script);
    netcore_request request = request_new("GET", URL);
    netcore_retry_options options = quick();
    netcore_retries retries = 7;
    if (rows[i].of_client) CHECK_OK(netcore_client_set_retries(client, &options));
    CHECK_OK(netcore_request_set_retries(request, rows[i].retries,
                                         rows[i].retries == NETCORE_RETRIES_OWN ? &options : NULL));
    CHECK_OK(netcore_request_get_retries(request, &retries, NULL));
    CHECK_EQUAL(retries, rows[i].retries);
    struct answer answer = perform_once(client, request);
    CHECK_EQUAL(answer.info.attempts, rows[i].attempts);
    answer_free(&answer);
    CHECK_OK(netcore_client_set_retries(client, NULL));
    answer = perform_once(client, request_new("GET", URL));
    CHECK_EQUAL(answer.info.attempts, 1);
    answer_free(&answer);
    CHECK_OK(netcore_client_destroy(client));
  }
}

static void test_reading(void) {
  static const int32_t statuses[] = {500, 418};
  static const char *const methods[] = {"POST", "GET"};
  SCRIPT(script, NULL, 200);
  netcore_client client = client_of(&script);
  netcore_request request = request_new("GET", URL);
  netcore_retry_options options = NETCORE_RETRY_OPTIONS_INIT, read = NETCORE_RETRY_OPTIONS_INIT;
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  int32_t enabled = 0;
  check_case = "what is set can be read";
  CHECK_OK(netcore_client_set_retries(client, &options));
  CHECK_OK(netcore_client_get_retries(client, &enabled, &read));
  CHECK_EQUAL(enabled, 1);
  CHECK(read.attempts == 3 && read.base_delay_ms == 100 && read.throttled_delay_ms == 1000 &&
        read.max_delay_ms == 20000);
  CHECK(read.max_retry_after_ms == 60000 && read.attempt_timeout_ms == 0 && read.status_count == 8);
  CHECK(read.method_count == 7 && strcmp(read.methods[0], "GET") == 0 && read.statuses[3] == 429);
  CHECK(read.errors == 31 && read.budget_tokens == 10 && read.budget_success_percent == 20);
  CHECK(read.budget_per_second == 1 && read.idempotency_keys == 0 && read.decide == NULL);
  options = (netcore_retry_options){.size = sizeof options,
                                    .attempts = 100,
                                    .base_delay_ms = 2,
                                    .throttled_delay_ms = 3,
                                    .max_delay_ms = 4,
                                    .max_retry_after_ms = 5,
                                    .attempt_timeout_ms = 6,
                                    .statuses = statuses,
                                    .status_count = 2,
                                    .methods = methods,
                                    .method_count = 2,
                                    .errors = NETCORE_RETRY_ERRORS_NONE,
                                    .budget_tokens = 7,
                                    .budget_success_percent = UINT32_MAX,
                                    .budget_per_second = UINT32_MAX,
                                    .idempotency_keys = 1};
  CHECK_OK(netcore_request_set_retries(request, NETCORE_RETRIES_OWN, &options));
  CHECK_OK(netcore_request_get_retries(request, NULL, &read));
  CHECK(read.attempts == 100 && read.base_delay_ms == 2 && read.throttled_delay_ms == 3 && read.max_delay_ms == 4);
  CHECK(read.max_retry_after_ms == 5 && read.attempt_timeout_ms == 6 && read.status_count == 2);
  CHECK(read.statuses[0] == 500 && read.statuses[1] == 418);
  CHECK(read.method_count == 2 && strcmp(read.methods[0], "POST") == 0 && read.errors == NETCORE_RETRY_ERRORS_NONE);
  CHECK(read.budget_tokens == 7 && read.budget_success_percent == UINT32_MAX && read.budget_per_second == UINT32_MAX);
  CHECK_EQUAL(read.idempotency_keys, 1);
  options = quick();
  options.budget_tokens = UINT32_MAX;
  CHECK_OK(netcore_request_set_retries(request, NETCORE_RETRIES_OWN, &options));
  CHECK_OK(netcore_request_get_retries(request, NULL, &read));
  CHECK(read.budget_tokens == UINT32_MAX && read.budget_per_second == 0);
  CHECK_OK(netcore_request_set_idempotent(request, 1));
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_EQUAL(info.idempotent, 1);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void check_refused(netcore_client client, netcore_request request, netcore_retry_options *options,
                          const char *argument) {
  netcore_error error = NETCORE_ERROR_INIT;
  check_case = argument;
  CHECK_STATUS(netcore_client_set_retries(client, options), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_last_error(&error));
  CHECK(error.argument.size_bytes == strlen(argument) && strcmp((const char *)error.argument.data, argument) == 0);
  CHECK_STATUS(netcore_request_set_retries(request, NETCORE_RETRIES_OWN, options), NETCORE_ERR_INVALID_ARGUMENT);
}

#define NO_POLICY(argument, ...) \
  do { \
    netcore_retry_options options = {.size = sizeof options, __VA_ARGS__}; \
    check_refused(client, request, &options, argument); \
  } while (0)

static void test_refusals(void) {
  static const int32_t wrong[] = {200};
  static const char *const lower[] = {"get"};
  SCRIPT(script, NULL, 200);
  netcore_client client = client_of(&script);
  netcore_request request = request_new("GET", URL);
  netcore_retry_options options = quick();
  NO_POLICY("attempts", .attempts = 101);
  NO_POLICY("base_delay_ms", .base_delay_ms = 20001);
  NO_POLICY("base_delay_ms", .base_delay_ms = UINT64_MAX);
  NO_POLICY("throttled_delay_ms", .max_delay_ms = 999);
  NO_POLICY("max_delay_ms", .max_delay_ms = 3600001);
  NO_POLICY("max_retry_after_ms", .max_retry_after_ms = 86400001);
  NO_POLICY("attempt_timeout_ms", .attempt_timeout_ms = 2147483648u);
  NO_POLICY("statuses", .statuses = wrong, .status_count = 1);
  NO_POLICY("statuses", .status_count = 1);
  NO_POLICY("methods", .methods = lower, .method_count = 1);
  NO_POLICY("errors", .errors = 64);
  NO_POLICY("errors", .errors = 33);
  NO_POLICY("budget_tokens", .budget_tokens = 1000001);
  NO_POLICY("budget_success_percent", .budget_success_percent = 101);
  NO_POLICY("budget_per_second", .budget_per_second = 1001);
  NO_POLICY("idempotency_keys", .idempotency_keys = 2);
  check_case = "other refusals";
  CHECK_STATUS(netcore_request_set_retries(request, 3, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_set_retries(request, NETCORE_RETRIES_OFF, &options), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_set_idempotent(request, 2), NETCORE_ERR_INVALID_ARGUMENT);
  options.size = 3;
  CHECK_STATUS(netcore_client_set_retries(client, &options), NETCORE_ERR_INVALID_STRUCT);
  options = quick();
  options.attempt_timeout_ms = 2000;
  CHECK_OK(netcore_client_set_retries(client, &options));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 1999));
  netcore_task task = 1;
  CHECK_STATUS(netcore_dispatch(client, request, NULL, NULL, &task), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(task, 0);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_keys(void) {
  SCRIPT(script, NULL, 503);
  netcore_client client = client_of(&script);
  netcore_retry_options options = quick();
  check_case = "a key for each task";
  options.attempts = 2;
  options.idempotency_keys = 1;
  CHECK_OK(netcore_client_set_retries(client, &options));
  for (int i = 0; i < 2; i++) {
    struct answer answer = perform_once(client, request_new("POST", URL));
    CHECK_EQUAL(answer.info.attempts, 2);
    answer_free(&answer);
  }
  CHECK(strlen(script.keys[0]) == 38 && strcmp(script.keys[0], script.keys[1]) == 0);
  CHECK(strlen(script.keys[2]) == 38 && strcmp(script.keys[2], script.keys[3]) == 0);
  CHECK(strcmp(script.keys[0], script.keys[2]) != 0);
  CHECK_OK(netcore_client_set_retries(client, NULL));
  struct answer answer = perform_once(client, request_new("POST", URL));
  CHECK_EQUAL(answer.info.attempts, 1);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

/* The application decides. */

struct decider {
  netcore_retry_verdict verdict;
  uint64_t delay_ms;
  unsigned calls;
  netcore_retry_outcome last;
  int32_t last_status;
  struct tally released;
};

static netcore_retry_verdict decide(const netcore_retry_outcome *outcome, uint64_t *delay_ms, void *user_data) {
  struct decider *decider = user_data;
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  CHECK_EQUAL(*delay_ms, UINT64_MAX);
  CHECK_OK(netcore_response_get_info(outcome->response, &info));
  CHECK_EQUAL(info.http_status, outcome->http_status);
  CHECK(outcome->http_status == 0 || info.body.size_bytes == 4);
  CHECK_EQUAL(outcome->size, sizeof *outcome);
  decider->calls++;
  decider->last = *outcome;
  if (decider->delay_ms != 0) *delay_ms = decider->delay_ms;
  return decider->verdict;
}

static void release_decider(void *user_data) { tally_raise(&((struct decider *)user_data)->released); }

static struct answer decided(struct script *script, struct decider *decider) {
  netcore_client client = client_of(script);
  netcore_retry_options options = quick();
  netcore_request request = request_new("GET", URL);
  options.decide = decide;
  options.user_data = decider;
  options.release = release_decider;
  CHECK_OK(netcore_request_set_retries(request, NETCORE_RETRIES_OWN, &options));
  struct answer answer = perform_once(client, request);
  CHECK_OK(netcore_client_destroy(client));
  CHECK(tally_reaches(&decider->released, 1, patience_ms()));
  return answer;
}

static void test_deciding(void) {
  SCRIPT(fine, NULL, 200);
  SCRIPT(busy, NULL, 503);
  SCRIPT(lost, NULL, 0);
  struct decider again = {.verdict = NETCORE_RETRY_VERDICT_RETRY, .delay_ms = 3, .released = TALLY_INITIAL};
  struct decider stop = {.verdict = NETCORE_RETRY_VERDICT_STOP, .released = TALLY_INITIAL};
  struct decider policy = {.verdict = 99, .released = TALLY_INITIAL};
  check_case = "the application tries an answer again";
  struct answer answer = decided(&fine, &again);
  CHECK(answer.info.http_status == 200 && answer.info.attempts == 3 && again.calls == 2);
  CHECK_EQUAL(try_at(&answer, 1).delay_ms, 3);
  CHECK_EQUAL(try_at(&answer, 2).reason, NETCORE_RETRY_REASON_OUTCOME);
  CHECK(again.last.attempt == 2 && again.last.delay_ms == -1 && again.last.retry_after_ms == -1);
  answer_free(&answer);
  check_case = "the application stops";
  answer = decided(&busy, &stop);
  CHECK(answer.info.attempts == 1 && try_at(&answer, 0).reason == NETCORE_RETRY_REASON_APPLICATION);
  CHECK(stop.last.delay_ms >= 0 && stop.last.http_status == 503 && stop.calls == 1);
  answer_free(&answer);
  check_case = "the application leaves it to the policy";
  answer = decided(&lost, &policy);
  CHECK(answer.info.attempts == 3 && policy.calls == 2 && policy.last.status == NETCORE_ERR_CONNECTION_LOST);
  answer_free(&answer);
}

static void test_refused_function(void) {
  struct decider decider = {.released = TALLY_INITIAL};
  netcore_request request = request_new("GET", URL);
  netcore_retry_options options = NETCORE_RETRY_OPTIONS_INIT;
  check_case = "a refused policy keeps nothing";
  options.attempts = 101;
  options.decide = decide;
  options.user_data = &decider;
  options.release = release_decider;
  CHECK_STATUS(netcore_request_set_retries(request, NETCORE_RETRIES_OWN, &options), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_destroy(request));
  CHECK(!tally_reaches(&decider.released, 1, 0));
}

/* Ends in a wait. */

static void note_end(const netcore_completion *completion) {
  CHECK_STATUS(completion->status, NETCORE_ERR_CANCELED);
  tally_raise(completion->user_data);
}

static void test_ends(void) {
  SCRIPT(script, "Retry-After: 30\n", 503);
  netcore_retry_options options = NETCORE_RETRY_OPTIONS_INIT;
  for (int destroys = 0; destroys < 2; destroys++) {
    netcore_client client = client_of(&script);
    struct tally ends = TALLY_INITIAL;
    check_case = destroys ? "destroy in a wait" : "cancel in a wait";
    script.calls = 0;
    options.budget_tokens = UINT32_MAX;
    CHECK_OK(netcore_client_set_retries(client, &options));
    for (int i = 0; i < 50; i++) {
      netcore_request request = request_new("GET", URL);
      netcore_task task;
      CHECK_OK(netcore_dispatch(client, request, note_end, &ends, &task));
      CHECK_OK(netcore_request_destroy(request));
    }
    WAIT_UNTIL(script.calls == 50);
    if (!destroys) CHECK_OK(netcore_client_cancel_all(client, NULL));
    if (!destroys) CHECK(tally_reaches(&ends, 50, patience_ms()));
    CHECK_OK(netcore_client_destroy(client));
    CHECK(tally_reaches(&ends, 50, 0) && !tally_reaches(&ends, 51, 0));
    CHECK_EQUAL(script.calls, 50);
  }
}

int main(void) {
  test_off_by_default();
  test_tries();
  test_failure();
  test_choices();
  test_reading();
  test_refusals();
  test_keys();
  test_deciding();
  test_refused_function();
  test_ends();
  return check_end();
}
