/*
 * The shortest time between equal requests: what is equal, what is refused, and what waits.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/answer.h"
#include "support/wait.h"

#define URL "http://app.test/a"

static void count_hop(netcore_hop hop, netcore_request request, void *calls) {
  (void)request;
  atomic_fetch_add((atomic_uint *)calls, 1);
  CHECK_OK(netcore_hop_answer(hop, 200, NULL, "body", 4));
}

static netcore_client client_of(atomic_uint *calls) {
  netcore_client client;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, count_hop, calls, NULL));
  return client;
}

static netcore_request request_of(const char *url, const netcore_min_interval *minimum) {
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_request_set_min_interval(request, minimum));
  return request;
}

static netcore_min_interval hour(void) {
  netcore_min_interval minimum = NETCORE_MIN_INTERVAL_INIT;
  minimum.interval_ms = 3600000;
  return minimum;
}

static void check_end_is(netcore_client client, netcore_request request, netcore_status status) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, status);
  if (status == NETCORE_ERR_TOO_SOON) {
    CHECK(answer.error.retry_after_ms > 3000000 && answer.error.retry_after_ms <= 3600001);
    CHECK(answer.error.is_retryable == 1 && answer.error.sent == 0 && answer.error.attempts == 0);
  } else {
    CHECK_EQUAL(answer.error.retry_after_ms, 0);
  }
  answer_free(&answer);
}

static void test_refused(void) {
  atomic_uint calls = 0;
  netcore_client client = client_of(&calls);
  netcore_min_interval minimum = hour();
  check_case = "refused";
  check_end_is(client, request_of(URL "?b=1&a=2", &minimum), NETCORE_OK);
  netcore_request same = request_of(URL "?a=2&b=1", &minimum);
  CHECK_OK(netcore_request_set_header(same, "X-Other", "1"));
  check_end_is(client, same, NETCORE_ERR_TOO_SOON);
  check_end_is(client, request_of(URL "?a=3", &minimum), NETCORE_OK);
  check_end_is(client, request_of(URL "?a=2&b=1", NULL), NETCORE_OK);
  netcore_request post = request_new("POST", URL "?b=1&a=2");
  CHECK_OK(netcore_request_set_min_interval(post, &minimum));
  check_end_is(client, post, NETCORE_OK);
  minimum.key = "k";
  check_case = "keys";
  check_end_is(client, request_of("http://app.test/1", &minimum), NETCORE_OK);
  check_end_is(client, request_of("http://app.test/2", &minimum), NETCORE_ERR_TOO_SOON);
  CHECK_EQUAL(calls, 5);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_waiting(void) {
  atomic_uint calls = 0;
  netcore_client client = client_of(&calls);
  netcore_min_interval minimum = NETCORE_MIN_INTERVAL_INIT;
  check_case = "waiting";
  minimum.wait = 1;
  minimum.interval_ms = 40;
  uint64_t start = now_ms();
  check_end_is(client, request_of(URL, &minimum), NETCORE_OK);
  struct answer answer = perform_once(client, request_of(URL, &minimum));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(now_ms() - start >= 39);
  CHECK(answer.info.queue_us >= 0 && answer.info.total_us >= 0);
  answer_free(&answer);
  check_case = "longer than the total timeout";
  minimum.interval_ms = 3600000;
  check_end_is(client, request_of(URL "?x", &minimum), NETCORE_OK);
  netcore_request request = request_of(URL "?x", &minimum);
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 1000));
  check_end_is(client, request, NETCORE_ERR_TOO_SOON);
  CHECK_OK(netcore_client_destroy(client));
}

static void note(const netcore_completion *completion) { tally_raise(completion->user_data); }

static void test_cancel(void) {
  atomic_uint calls = 0;
  struct tally ends = TALLY_INITIAL;
  netcore_client client = client_of(&calls);
  netcore_min_interval minimum = hour();
  netcore_task tasks[2];
  check_case = "canceled while it waits, and destroyed";
  minimum.wait = 1;
  netcore_request request = request_of(URL, &minimum);
  for (int i = 0; i < 2; i++) CHECK_OK(netcore_dispatch(client, request, note, &ends, &tasks[i]));
  REQUIRE(tally_reaches(&ends, 1, patience_ms()));
  CHECK_OK(netcore_task_cancel(tasks[1]));
  REQUIRE(tally_reaches(&ends, 2, patience_ms()));
  CHECK_OK(netcore_dispatch(client, request, note, &ends, NULL));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&ends), 3);
  CHECK_EQUAL(calls, 1);
}

static void test_defaults(void) {
  atomic_uint calls = 0;
  netcore_client client = client_of(&calls);
  netcore_min_interval minimum = NETCORE_MIN_INTERVAL_INIT;
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  netcore_request defaults = request_of("http://app.test/", &minimum);
  check_case = "defaults";
  CHECK_OK(netcore_request_get_info(defaults, &info));
  CHECK(info.min_interval_ms == 2000 && info.min_interval_wait == 0);
  minimum = hour();
  CHECK_OK(netcore_request_set_min_interval(defaults, &minimum));
  CHECK_OK(netcore_client_set_request_defaults(client, defaults));
  CHECK_OK(netcore_request_destroy(defaults));
  check_end_is(client, request_new("GET", URL), NETCORE_OK);
  check_end_is(client, request_new("GET", URL), NETCORE_ERR_TOO_SOON);
  check_end_is(client, request_of(URL, NULL), NETCORE_OK);
  minimum.interval_ms = 86400001;
  netcore_request request = request_new("GET", URL);
  CHECK_STATUS(netcore_request_set_min_interval(request, &minimum), NETCORE_ERR_INVALID_ARGUMENT);
  minimum.interval_ms = 1;
  minimum.wait = 2;
  CHECK_STATUS(netcore_request_set_min_interval(request, &minimum), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  test_refused();
  test_waiting();
  test_cancel();
  test_defaults();
  return check_end();
}
