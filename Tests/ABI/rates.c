/*
 * Rates of a client: by whom requests are counted, what waits and what is refused, transfers at once, and hints of servers.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/hops.h"

#define URL "http://app.test/a"

static const char *hint;

static void answer_hop(netcore_hop hop, netcore_request request, void *calls) {
  (void)request;
  atomic_fetch_add((atomic_uint *)calls, 1);
  CHECK_OK(netcore_hop_answer(hop, 200, hint, "body", 4));
}

static netcore_client client_of(netcore_transport_fn transport, void *user_data) {
  netcore_client client;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, transport, user_data, NULL));
  return client;
}

/* One in an hour, or what is given, and no wait. */
static netcore_rate hourly(uint32_t burst) {
  netcore_rate rate = NETCORE_RATE_INIT;
  rate.requests = 1;
  rate.interval_ms = 3600000;
  rate.burst = burst;
  rate.max_wait_ms = UINT64_MAX;
  return rate;
}

static void check_end_is(netcore_client client, netcore_request request, netcore_status status) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, status);
  if (status == NETCORE_ERR_RATE_LIMITED) {
    CHECK(answer.error.retry_after_ms > 3000000 && answer.error.retry_after_ms <= 3600000);
    CHECK(answer.error.is_retryable == 1 && answer.error.sent == 0 && answer.error.attempts == 0);
  }
  answer_free(&answer);
}

static netcore_request with_tag(const char *tag) {
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_tag(request, tag));
  return request;
}

static netcore_request with_key(const char *key) {
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_rate_key(request, key));
  return request;
}

static void test_scopes(void) {
  atomic_uint calls = 0;
  netcore_client client = client_of(answer_hop, &calls);
  netcore_rate one = hourly(1), two = hourly(2), read = NETCORE_RATE_INIT;
  check_case = "client, with a burst";
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_CLIENT, NULL, &two));
  check_end_is(client, request_new("GET", URL), NETCORE_OK);
  check_end_is(client, request_new("GET", "http://other.test/"), NETCORE_OK);
  check_end_is(client, request_new("GET", URL), NETCORE_ERR_RATE_LIMITED);
  CHECK_OK(netcore_client_get_rate(client, NETCORE_RATE_SCOPE_CLIENT, NULL, &read));
  CHECK(read.requests == 1 && read.burst == 2 && read.interval_ms == 3600000 && read.max_wait_ms == UINT64_MAX);
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_CLIENT, NULL, NULL));
  CHECK_STATUS(netcore_client_get_rate(client, NETCORE_RATE_SCOPE_CLIENT, NULL, &read), NETCORE_ERR_NOT_FOUND);
  check_end_is(client, request_new("GET", URL), NETCORE_OK);
  check_case = "each host, and one of its own";
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_HOST, NULL, &one));
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_HOST, "http://own.test/x", &two));
  check_end_is(client, request_new("GET", URL), NETCORE_OK);
  check_end_is(client, request_new("GET", "http://other.test/"), NETCORE_OK);
  check_end_is(client, request_new("GET", URL), NETCORE_ERR_RATE_LIMITED);
  check_end_is(client, request_new("GET", "http://own.test/1"), NETCORE_OK);
  check_end_is(client, request_new("GET", "http://own.test:80/2"), NETCORE_OK);
  check_end_is(client, request_new("GET", "http://own.test/3"), NETCORE_ERR_RATE_LIMITED);
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_HOST, NULL, NULL));
  check_case = "a tag";
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_TAG, "t", &one));
  check_end_is(client, with_tag("t"), NETCORE_OK);
  check_end_is(client, with_tag("u"), NETCORE_OK);
  check_end_is(client, with_tag("t"), NETCORE_ERR_RATE_LIMITED);
  check_case = "each key";
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_KEY, NULL, &one));
  check_end_is(client, with_key("a"), NETCORE_OK);
  check_end_is(client, with_key("b"), NETCORE_OK);
  check_end_is(client, with_key("a"), NETCORE_ERR_RATE_LIMITED);
  CHECK_EQUAL(calls, 11);
  CHECK_OK(netcore_client_destroy(client));
}

/* What waits is spaced evenly, and the wait is time in the queue. */
static void test_waiting(void) {
  atomic_uint calls = 0;
  netcore_client client = client_of(answer_hop, &calls);
  netcore_rate rate = NETCORE_RATE_INIT;
  check_case = "waiting";
  rate.requests = 100;
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_CLIENT, NULL, &rate));
  uint64_t start = now_ms();
  int64_t queued = 0;
  for (int i = 0; i < 6; i++) {
    struct answer answer = perform_once(client, request_new("GET", URL));
    CHECK_STATUS(answer.status, NETCORE_OK);
    queued += answer.info.queue_us;
    answer_free(&answer);
  }
  CHECK(now_ms() - start >= 49);
  CHECK(queued > 0);
  check_case = "longer than the total timeout";
  rate = hourly(1);
  rate.max_wait_ms = 0;
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_CLIENT, NULL, &rate));
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_TAG, "t", &rate));
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_CLIENT, NULL, NULL));
  check_end_is(client, with_tag("t"), NETCORE_OK);
  netcore_request request = with_tag("t");
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 1000));
  check_end_is(client, request, NETCORE_ERR_RATE_LIMITED);
  CHECK_OK(netcore_client_destroy(client));
}

static void note(const netcore_completion *completion) { tally_raise(completion->user_data); }

/* Transfers of a tag at once; a cancel in the line; another rate; and the end of the client. */
static void test_transfers(void) {
  struct hops hops = HOPS_INITIAL;
  struct tally ends = TALLY_INITIAL;
  netcore_client client = client_of(hops_keep, &hops);
  netcore_rate rate = NETCORE_RATE_INIT;
  netcore_request request = with_tag("t");
  netcore_task tasks[5];
  check_case = "transfers at once";
  rate.transfers = 2;
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_TAG, "t", &rate));
  for (int i = 0; i < 5; i++) CHECK_OK(netcore_dispatch(client, request, note, &ends, &tasks[i]));
  netcore_hop hop = hops_wait(&hops, 2);
  CHECK_OK(netcore_task_cancel(tasks[2]));
  REQUIRE(tally_reaches(&ends, 1, patience_ms()));
  CHECK_EQUAL(tally_count(&hops.given), 2);
  CHECK_OK(netcore_hop_answer(hop, 200, NULL, NULL, 0));
  hops_wait(&hops, 3);
  check_case = "another rate lets more go";
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_TAG, "t", NULL));
  hops_wait(&hops, 4);
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_TAG, "t", &rate));
  CHECK_OK(netcore_dispatch(client, request, note, &ends, NULL));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&ends), 6);
}

static void test_hints(void) {
  atomic_uint calls = 0;
  netcore_client client = client_of(answer_hop, &calls);
  netcore_rate rate = NETCORE_RATE_INIT;
  check_case = "hints of the server";
  rate.server_hints = 1;
  rate.max_wait_ms = UINT64_MAX;
  CHECK_OK(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_HOST, NULL, &rate));
  hint = "RateLimit: \"default\";r=1;t=3600\n";
  check_end_is(client, request_new("GET", URL), NETCORE_OK);
  hint = "X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 3600\n";
  check_end_is(client, request_new("GET", URL), NETCORE_OK);
  check_end_is(client, request_new("GET", URL), NETCORE_ERR_RATE_LIMITED);
  hint = NULL;
  check_end_is(client, request_new("GET", "http://other.test/"), NETCORE_OK);
  check_case = "no more than are left";
  hint = "RateLimit: \"a\";r=2\nRateLimit-Policy: \"a\";q=3;w=3600\n";
  check_end_is(client, request_new("GET", "http://other.test/"), NETCORE_OK);
  hint = NULL;
  for (int i = 0; i < 2; i++) check_end_is(client, request_new("GET", "http://other.test/"), NETCORE_OK);
  check_end_is(client, request_new("GET", "http://other.test/"), NETCORE_ERR_RATE_LIMITED);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_refused(void) {
  atomic_uint calls = 0;
  netcore_client client = client_of(answer_hop, &calls);
  static const struct {
    const char *argument;
    netcore_rate rate;
  } rows[] = {{"requests", {.burst = 0}},
              {"requests", {.requests = 1000001}},
              {"burst", {.transfers = 1, .burst = 2}},
              {"burst", {.requests = 1, .burst = 1000001}},
              {"interval_ms", {.requests = 1, .interval_ms = 86400001}},
              {"max_wait_ms", {.requests = 1, .max_wait_ms = 86400001}},
              {"server_hints", {.server_hints = 2}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    netcore_rate rate = rows[i].rate;
    netcore_error error = NETCORE_ERROR_INIT;
    check_case = rows[i].argument;
    rate.size = sizeof rate;
    CHECK_STATUS(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_CLIENT, NULL, &rate), NETCORE_ERR_INVALID_ARGUMENT);
    CHECK_OK(netcore_last_error(&error));
    CHECK(strcmp((const char *)error.argument.data, rows[i].argument) == 0);
  }
  netcore_rate one = hourly(1);
  check_case = "names";
  CHECK_STATUS(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_CLIENT, "a", &one), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_TAG, NULL, &one), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_client_set_rate(client, 4, NULL, &one), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_HOST, "a b", &one), NETCORE_ERR_INVALID_URL);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  test_scopes();
  test_waiting();
  test_transfers();
  test_hints();
  test_refused();
  return check_end();
}
