/*
 * Blocking for a while: netcore_perform_for() and netcore_task_wait(), with answers in time and late, canceled waits, and
 * clients that end meanwhile.
 */
#include "support.h"

static netcore_client client;

struct waited {
  netcore_status status;
  netcore_task task;
  netcore_response response;
  netcore_response_info info;
};

static struct waited perform_for(netcore_request request, uint64_t timeout_ms) {
  struct waited result = {.task = 77, .response = 77, .info = {.size = sizeof result.info}};
  result.status = netcore_perform_for(client, request, timeout_ms, &result.task, &result.response, &result.info);
  netcore_request_destroy(request);
  return result;
}

static void wait_on(struct waited *waited, uint64_t timeout_ms) {
  waited->response = 77;
  waited->status = netcore_task_wait(waited->task, timeout_ms, &waited->response, &waited->info);
}

static void test_in_time(void) {
  check_case = "an answer in time";
  struct waited waited = perform_for(request_new("GET", at(ORIGIN, "/bytes/1000")), UINT64_MAX);
  CHECK_STATUS(waited.status, NETCORE_OK);
  CHECK_EQUAL(waited.task, 0);
  CHECK_EQUAL(waited.info.http_status, 200);
  CHECK(is_pattern(waited.info.body, 1000));
  netcore_response_info again = response_info(waited.response);
  CHECK(memcmp(&again, &waited.info, sizeof again) == 0);
  CHECK_OK(netcore_response_release(waited.response));

  check_case = "a failure in time";
  waited = perform_for(script_request("GET", ORIGIN, "[{'close':true}]"), UINT64_MAX);
  CHECK(waited.status != NETCORE_OK && waited.status != NETCORE_ERR_IN_PROGRESS);
  CHECK_EQUAL(waited.task, 0);
  CHECK_STATUS(waited.info.status, waited.status);
  CHECK_OK(netcore_response_release(waited.response));
}

static void test_late(void) {
  netcore_task_info state = {.size = sizeof state};
  check_case = "an answer that comes after the wait";
  struct waited waited = perform_for(request_new("GET", at(ORIGIN, "/delay/1000")), 0);
  CHECK_STATUS(waited.status, NETCORE_ERR_IN_PROGRESS);
  CHECK(waited.task != 0);
  CHECK_EQUAL(waited.response, 0);
  CHECK_EQUAL(waited.info.http_status, 0);
  CHECK_OK(netcore_task_get_info(waited.task, &state));
  wait_on(&waited, 1);
  CHECK_STATUS(waited.status, NETCORE_ERR_IN_PROGRESS);
  CHECK_EQUAL(waited.response, 0);
  wait_on(&waited, UINT64_MAX);
  CHECK_STATUS(waited.status, NETCORE_OK);
  CHECK_EQUAL(waited.info.http_status, 200);
  CHECK_OK(netcore_response_release(waited.response));
  wait_on(&waited, UINT64_MAX);
  CHECK_STATUS(waited.status, NETCORE_ERR_INVALID_HANDLE);
  CHECK_EQUAL(waited.response, 0);
  CHECK_STATUS(netcore_task_cancel(waited.task), NETCORE_ERR_INVALID_HANDLE);
}

static void test_canceled(void) {
  check_case = "canceled, then waited for";
  struct waited waited = perform_for(request_new("GET", at(ORIGIN, "/delay/60000")), 10);
  CHECK_STATUS(waited.status, NETCORE_ERR_IN_PROGRESS);
  CHECK_OK(netcore_task_cancel(waited.task));
  wait_on(&waited, UINT64_MAX);
  CHECK_STATUS(waited.status, NETCORE_ERR_CANCELED);
  CHECK_STATUS(waited.info.status, NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(waited.response));
}

static void test_other_tasks(void) {
  check_case = "a task of another making";
  netcore_request request = request_new("GET", at(ORIGIN, "/bytes/1"));
  struct waited waited = {.info = {.size = sizeof waited.info}};
  REQUIRE_OK(netcore_task_create(client, request, NULL, NULL, &waited.task));
  wait_on(&waited, 0);
  CHECK_STATUS(waited.status, NETCORE_ERR_INVALID_STATE);
  CHECK_EQUAL(waited.response, 0);
  netcore_task_cancel(waited.task);
  netcore_request_destroy(request);
}

static void test_destroyed(void) {
  check_case = "the client is destroyed before the wait";
  struct waited waited = perform_for(request_new("GET", at(ORIGIN, "/delay/60000")), 10);
  CHECK_STATUS(waited.status, NETCORE_ERR_IN_PROGRESS);
  CHECK_OK(netcore_client_destroy(client));
  wait_on(&waited, UINT64_MAX);
  CHECK_STATUS(waited.status, NETCORE_ERR_INVALID_HANDLE);
  CHECK_EQUAL(waited.response, 0);
}

static void *wait_in_thread(void *waited) {
  wait_on(waited, UINT64_MAX);
  return NULL;
}

/* Both get the response. */
static void test_two_threads(void) {
  pthread_t thread;
  check_case = "two threads wait for one task";
  struct waited waited = perform_for(request_new("GET", at(ORIGIN, "/delay/300")), 0), other = waited;
  CHECK_STATUS(waited.status, NETCORE_ERR_IN_PROGRESS);
  REQUIRE(pthread_create(&thread, NULL, wait_in_thread, &other) == 0);
  wait_on(&waited, UINT64_MAX);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK_STATUS(waited.status, NETCORE_OK);
  CHECK_STATUS(other.status, NETCORE_OK);
  CHECK_EQUAL(other.info.http_status, 200);
  CHECK_OK(netcore_response_release(waited.response));
  CHECK_OK(netcore_response_release(other.response));
  CHECK_STATUS(netcore_task_cancel(waited.task), NETCORE_ERR_INVALID_HANDLE);
}

static void test_destroyed_meanwhile(void) {
  pthread_t thread;
  check_case = "the client is destroyed during the wait";
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  struct waited waited = perform_for(request_new("GET", at(ORIGIN, "/delay/60000")), 0);
  CHECK_STATUS(waited.status, NETCORE_ERR_IN_PROGRESS);
  REQUIRE(pthread_create(&thread, NULL, wait_in_thread, &waited) == 0);
  pause_ms(20);
  CHECK_OK(netcore_client_destroy(client));
  REQUIRE(pthread_join(thread, NULL) == 0);
  if (waited.status != NETCORE_ERR_INVALID_HANDLE) CHECK_STATUS(waited.status, NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(waited.response));
}

static void test_nobody_waits(void) {
  netcore_task_info info = {.size = sizeof info};
  check_case = "tasks that no call waits for end with their client, and leave nothing";
  unsigned descriptors = count_descriptors();
  for (int i = 0; i < 20; i++) {
    client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
    struct waited waited = perform_for(request_new("GET", at(ORIGIN, i % 2 ? "/delay/60000" : "/bytes/1")), 0);
    CHECK_STATUS(waited.status, NETCORE_ERR_IN_PROGRESS);
    CHECK_OK(netcore_client_destroy(client));
    CHECK_STATUS(netcore_task_get_info(waited.task, &info), NETCORE_ERR_INVALID_HANDLE);
  }
  WAIT_UNTIL(count_descriptors() == descriptors);
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_in_time();
  test_late();
  test_canceled();
  test_other_tasks();
  test_two_threads();
  test_destroyed();
  test_destroyed_meanwhile();
  test_nobody_waits();
  return check_end();
}
