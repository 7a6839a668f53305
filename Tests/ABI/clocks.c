/*
 * Clocks that are advanced: waits and timeouts of stubs, stored answers that age, calls that wait for an automatic clock, misuse.
 */
#include "support.h"

#include "support/answer.h"

static netcore_clock clock_new(int32_t automatic) {
  netcore_clock_options options = {.size = sizeof options, .automatic = automatic};
  netcore_clock clock = 0;
  REQUIRE_OK(netcore_clock_create(&options, &clock));
  return clock;
}

static netcore_client clocked_client(netcore_clock clock, netcore_cache cache, netcore_stubs stubs) {
  netcore_client_options options = {.size = sizeof options, .completions = NETCORE_COMPLETION_MODE_QUEUE};
  netcore_client client = 0;
  options.clock = clock;
  options.cache = cache;
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_client_set_stubs(client, stubs));
  return client;
}

static netcore_stubs stubs_of(const netcore_stub_answer *answer) {
  netcore_stub stub = {.size = sizeof stub};
  netcore_stubs stubs = 0;
  uint32_t index = 0;
  REQUIRE_OK(netcore_stubs_create(&stubs));
  CHECK_OK(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, &index));
  CHECK_OK(netcore_stubs_add_answer(stubs, index, answer));
  return stubs;
}

static uint64_t elapsed(netcore_clock clock) {
  uint64_t elapsed = 0;
  CHECK_OK(netcore_clock_get_elapsed_ms(clock, &elapsed));
  return elapsed;
}

static void test_delay(void) {
  check_case = "a delay";
  netcore_stub_answer answer = {.size = sizeof answer, .delay_ms = 3600000};
  netcore_clock clock = clock_new(0);
  netcore_stubs stubs = stubs_of(&answer);
  netcore_client client = clocked_client(clock, 0, stubs);
  netcore_request request = request_new("GET", "http://app.test/");
  netcore_task task = 0;
  netcore_response response = 0;
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 7200000));
  CHECK_OK(netcore_request_set_first_byte_timeout_ms(request, 7200000));
  CHECK_OK(netcore_task_create(client, request, NULL, NULL, &task));
  CHECK_OK(netcore_task_dispatch(task));
  CHECK_OK(netcore_clock_wait_idle(clock, 60000));
  CHECK_OK(netcore_clock_advance(clock, 3599999));
  CHECK_OK(netcore_clock_wait_idle(clock, 60000));
  CHECK_EQUAL(task_state(task), NETCORE_TASK_STATE_RUNNING);
  CHECK_OK(netcore_clock_advance(clock, 1));
  netcore_completion ended = {.size = sizeof ended};
  uint32_t count = 0;
  CHECK_OK(netcore_client_wait(client, &ended, 1, sizeof ended, 60000, &count));
  CHECK(count == 1 && ended.task == task && ended.status == NETCORE_OK);
  CHECK_OK(netcore_response_release(ended.response));
  CHECK_EQUAL(response, 0);
  CHECK_EQUAL(elapsed(clock), 3600000);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_stubs_destroy(stubs));
  CHECK_OK(netcore_clock_destroy(clock));
}

static void test_automatic(void) {
  check_case = "an automatic clock";
  netcore_stub_answer answer = {.size = sizeof answer, .fault = NETCORE_STUB_FAULT_SILENCE};
  netcore_clock clock = clock_new(1);
  netcore_stubs stubs = stubs_of(&answer);
  netcore_client client = clocked_client(clock, 0, stubs);
  netcore_request request = request_new("GET", "http://app.test/");
  netcore_response response = 0;
  CHECK_OK(netcore_request_set_first_byte_timeout_ms(request, 3600000));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 0));
  CHECK_STATUS(netcore_perform(client, request, &response), NETCORE_ERR_TIMEOUT_FIRST_BYTE);
  CHECK_EQUAL(elapsed(clock), 3600000);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  /* The client keeps it. */
  CHECK_OK(netcore_clock_destroy(clock));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_stubs_destroy(stubs));
}

static void get(netcore_client client, netcore_cache_result expected) {
  struct answer answer = perform_once(client, request_new("GET", "http://app.test/"));
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK_EQUAL(answer.info.cache_result, expected);
  answer_free(&answer);
}

static void test_cache(void) {
  check_case = "a stored answer";
  netcore_stub_answer answer = {.size = sizeof answer, .headers = "Cache-Control: max-age=60\n"};
  netcore_clock clock = clock_new(0);
  netcore_cache_options options = {.size = sizeof options, .clock = clock};
  netcore_cache cache = 0;
  REQUIRE_OK(netcore_cache_create(&options, &cache));
  netcore_stubs stubs = stubs_of(&answer);
  netcore_client client = clocked_client(clock, cache, stubs);
  get(client, NETCORE_CACHE_RESULT_NOT_CACHED);
  CHECK_OK(netcore_clock_advance(clock, 59999));
  get(client, NETCORE_CACHE_RESULT_HIT);
  CHECK_OK(netcore_clock_advance(clock, 1));
  get(client, NETCORE_CACHE_RESULT_EXPIRED);
  CHECK_OK(netcore_client_destroy(client));
  check_case = "a cache with another clock";
  netcore_client_options others = {.size = sizeof others, .cache = cache};
  CHECK_STATUS(netcore_client_create(&others, &client), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(client, 0);
  CHECK_OK(netcore_cache_destroy(cache));
  CHECK_OK(netcore_stubs_destroy(stubs));
  CHECK_OK(netcore_clock_destroy(clock));
}

static void test_misuse(void) {
  check_case = "misuse";
  netcore_clock clock = 7;
  netcore_clock_options options = {.size = sizeof options, .automatic = 2};
  CHECK_STATUS(netcore_clock_create(&options, &clock), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(clock, 0);
  options.automatic = 0;
  for (int i = 0; i < 2; i++) {
    options.start_ms = i == 0 ? -1 : INT64_MAX;
    CHECK_STATUS(netcore_clock_create(&options, &clock), NETCORE_ERR_INVALID_ARGUMENT);
  }
  CHECK_STATUS(netcore_clock_create(NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_clock_create(NULL, &clock));
  CHECK_STATUS(netcore_clock_advance(clock, UINT64_MAX), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_clock_advance(clock, 3153600000000));
  CHECK_STATUS(netcore_clock_advance(clock, 3153600000000), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_clock_get_elapsed_ms(clock, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(elapsed(clock), 3153600000000);
  CHECK_OK(netcore_clock_destroy(clock));
  netcore_client_options others = {.size = sizeof others, .clock = clock};
  netcore_client client = 7;
  CHECK_STATUS(netcore_client_create(&others, &client), NETCORE_ERR_INVALID_HANDLE);
  CHECK_EQUAL(client, 0);
}

int main(void) {
  test_delay();
  test_automatic();
  test_cache();
  test_misuse();
  return check_end();
}
