/*
 * Hedges: when a second try is sent, which of the two is the outcome, what is listed and counted, and that each task ends once whatever
 * comes first.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/cache.h"
#include "support/hops.h"

#define URL "http://app.test/a"
enum { MOST = 400 };

/* A transport that keeps each hop for the test. */
struct server {
  struct tally given;
  netcore_hop hops[MOST];
  char urls[MOST][60];
};

static void keep(netcore_hop hop, netcore_request request, void *user_data) {
  struct server *server = user_data;
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  unsigned index = tally_count(&server->given);
  REQUIRE(index < MOST);
  CHECK_OK(netcore_request_get_info(request, &info));
  snprintf(server->urls[index], sizeof server->urls[index], "%s", (const char *)info.url.data);
  server->hops[index] = hop;
  tally_raise(&server->given);
}

#define SERVER(name) struct server name = {.given = TALLY_INITIAL}

static netcore_hop hop_at(struct server *server, unsigned index) {
  REQUIRE(tally_reaches(&server->given, index + 1, patience_ms()));
  return server->hops[index];
}

static void answer_hop(struct server *server, unsigned index, int32_t status) {
  netcore_hop hop = hop_at(server, index);
  if (status > 0) {
    CHECK_OK(netcore_hop_answer(hop, status, NULL, "body", 4));
  } else {
    CHECK_OK(netcore_hop_fail(hop, -status, NULL));
  }
}

/* A hedge comes at once, or never. */
static netcore_hedge_options soon(void) {
  netcore_hedge_options options = NETCORE_HEDGE_OPTIONS_INIT;
  options.min_delay_ms = options.initial_delay_ms = 1;
  return options;
}

static netcore_hedge_options late(void) {
  netcore_hedge_options options = NETCORE_HEDGE_OPTIONS_INIT;
  options.initial_delay_ms = 3600000;
  return options;
}

static netcore_client client_of(struct server *server, const netcore_hedge_options *options) {
  netcore_client client;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, keep, server, NULL));
  CHECK_OK(netcore_client_set_hedging(client, options));
  return client;
}

/* A task, and how it ended. */
struct ended {
  struct tally count;
  netcore_status status;
  netcore_response response;
};

static void on_done(const netcore_completion *completion) {
  struct ended *ended = completion->user_data;
  ended->status = completion->status;
  ended->response = completion->response;
  CHECK_OK(netcore_response_retain(completion->response));
  tally_raise(&ended->count);
}

static netcore_task dispatch(netcore_client client, const char *method, struct ended *ended) {
  netcore_request request = request_new(method, URL);
  netcore_task task = 0;
  *ended = (struct ended){.count = TALLY_INITIAL};
  CHECK_OK(netcore_dispatch(client, request, on_done, ended, &task));
  CHECK_OK(netcore_request_destroy(request));
  return task;
}

static void wait_end(struct ended *ended, netcore_status status, int32_t http_status) {
  REQUIRE(tally_reaches(&ended->count, 1, patience_ms()));
  CHECK_STATUS(ended->status, status);
  CHECK_EQUAL(response_info(ended->response).http_status, http_status);
}

static netcore_try try_at(struct ended *ended, uint32_t index) {
  netcore_try found = NETCORE_TRY_INIT;
  CHECK_OK(netcore_response_get_try(ended->response, index, &found));
  return found;
}

static void finish(struct ended *ended) {
  CHECK_EQUAL(tally_count(&ended->count), 1);
  CHECK_OK(netcore_response_release(ended->response));
}

static void check_counts(netcore_client client, uint64_t attempts, uint64_t hedges, uint64_t wins) {
  netcore_client_statistics found = NETCORE_CLIENT_STATISTICS_INIT;
  CHECK_OK(netcore_client_get_statistics(client, &found));
  CHECK_EQUAL(found.attempt_count, attempts);
  CHECK_EQUAL(found.hedge_count, hedges);
  CHECK_EQUAL(found.hedge_win_count, wins);
}

/* What the first try and its hedge bring, in this order of time; 0 for nothing before the other has ended. Negative: an error. */
static void test_outcomes(void) {
  static const struct {
    const char *name;
    bool is_hedge_first;
    int32_t first, hedge;
    netcore_status status;
    int32_t http_status;
    uint32_t tries;
    netcore_retry_reason first_reason, hedge_reason;
  } rows[] = {
      {"the hedge is faster", true, 0, 200, NETCORE_OK, 200, 2, NETCORE_RETRY_REASON_HEDGED,
       NETCORE_RETRY_REASON_OUTCOME},
      {"the first is faster", false, 200, 0, NETCORE_OK, 200, 2, NETCORE_RETRY_REASON_OUTCOME,
       NETCORE_RETRY_REASON_HEDGED},
      {"a status that is not tried again ends both", true, 0, 404, NETCORE_OK, 404, 2, NETCORE_RETRY_REASON_HEDGED,
       NETCORE_RETRY_REASON_OUTCOME},
      {"the hedge fails", true, 200, 503, NETCORE_OK, 200, 2, NETCORE_RETRY_REASON_OUTCOME,
       NETCORE_RETRY_REASON_HEDGED},
      {"the first fails", false, -NETCORE_ERR_CONNECTION_LOST, 200, NETCORE_OK, 200, 2, NETCORE_RETRY_REASON_HEDGED,
       NETCORE_RETRY_REASON_OUTCOME},
      {"both fail", false, 503, -NETCORE_ERR_CONNECT, NETCORE_OK, 503, 2, NETCORE_RETRY_REASON_OUTCOME,
       NETCORE_RETRY_REASON_HEDGED},
      {"an error of the hedge's ends nothing", true, 200, -NETCORE_ERR_TLS, NETCORE_OK, 200, 2,
       NETCORE_RETRY_REASON_OUTCOME, NETCORE_RETRY_REASON_HEDGED},
      {"an error that is not tried again ends both", false, -NETCORE_ERR_TLS, 0, NETCORE_ERR_TLS, 0, 2,
       NETCORE_RETRY_REASON_OUTCOME, NETCORE_RETRY_REASON_HEDGED},
  };
  netcore_hedge_options options = soon();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    SERVER(server);
    struct ended ended;
    netcore_client client = client_of(&server, &options);
    check_case = rows[i].name;
    dispatch(client, "GET", &ended);
    hop_at(&server, 1);
    for (int turn = 0; turn < 2; turn++) {
      bool is_hedge = (turn == 0) == rows[i].is_hedge_first;
      int32_t given = is_hedge ? rows[i].hedge : rows[i].first;
      if (given != 0) answer_hop(&server, is_hedge ? 1 : 0, given);
    }
    wait_end(&ended, rows[i].status, rows[i].http_status);
    netcore_response_info info = response_info(ended.response);
    CHECK_EQUAL(info.try_count, rows[i].tries);
    CHECK_EQUAL(info.attempts, 1);
    for (uint32_t index = 0; index < info.try_count; index++) {
      netcore_try found = try_at(&ended, index);
      CHECK_EQUAL(found.reason, found.is_hedge ? rows[i].hedge_reason : rows[i].first_reason);
      CHECK_EQUAL(found.attempt, 1);
    }
    check_counts(client, 1, 1, rows[i].hedge_reason == NETCORE_RETRY_REASON_OUTCOME);
    finish(&ended);
    CHECK_OK(netcore_client_destroy(client));
  }
}

/* After a failure the delay is not waited for; Retry-After is. */
static void test_failure_fires(void) {
  SERVER(server);
  struct ended ended;
  netcore_hedge_options options = late();
  netcore_client client = client_of(&server, &options);
  check_case = "a failure sends the hedge at once";
  dispatch(client, "GET", &ended);
  answer_hop(&server, 0, 503);
  answer_hop(&server, 1, 200);
  wait_end(&ended, NETCORE_OK, 200);
  CHECK_EQUAL(try_at(&ended, 0).http_status, 503);
  CHECK(!try_at(&ended, 0).is_hedge && try_at(&ended, 1).is_hedge);
  finish(&ended);
  check_counts(client, 1, 1, 1);

  check_case = "Retry-After holds the hedge back";
  dispatch(client, "GET", &ended);
  uint64_t start = now_ms();
  CHECK_OK(netcore_hop_answer(hop_at(&server, 2), 503, "Retry-After: 1\n", NULL, 0));
  answer_hop(&server, 3, 200);
  CHECK(now_ms() - start >= 990);
  wait_end(&ended, NETCORE_OK, 200);
  finish(&ended);

  check_case = "Retry-After is too long";
  dispatch(client, "GET", &ended);
  CHECK_OK(netcore_hop_answer(hop_at(&server, 4), 503, "Retry-After: 3600\n", NULL, 0));
  wait_end(&ended, NETCORE_OK, 503);
  finish(&ended);
  check_counts(client, 3, 2, 2);
  CHECK_OK(netcore_client_destroy(client));
}

/* A retry follows when both have failed, with its own hedge never: a task has one. */
static void test_with_retries(void) {
  SERVER(server);
  struct ended ended;
  netcore_hedge_options options = late();
  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  netcore_client client = client_of(&server, &options);
  check_case = "with retries";
  retries.attempts = 2;
  retries.base_delay_ms = retries.throttled_delay_ms = 1;
  CHECK_OK(netcore_client_set_retries(client, &retries));
  dispatch(client, "GET", &ended);
  answer_hop(&server, 0, 503);
  answer_hop(&server, 1, 500);
  answer_hop(&server, 2, 503);
  wait_end(&ended, NETCORE_OK, 503);
  netcore_try hedge = try_at(&ended, 0), first = try_at(&ended, 1), second = try_at(&ended, 2);
  CHECK(hedge.is_hedge && hedge.http_status == 500 && hedge.reason == NETCORE_RETRY_REASON_HEDGED);
  CHECK(!first.is_hedge && first.http_status == 503 && first.reason == NETCORE_RETRY_REASON_RETRIED);
  CHECK(second.attempt == 2 && second.reason == NETCORE_RETRY_REASON_ATTEMPTS);
  CHECK_EQUAL(response_info(ended.response).attempts, 2);
  finish(&ended);
  check_counts(client, 2, 1, 0);
  CHECK_OK(netcore_client_destroy(client));
}

static size_t read_one(void *buffer, size_t capacity_bytes, void *user_data) {
  unsigned *calls = user_data;
  (void)capacity_bytes;
  memcpy(buffer, "x", 1);
  return (*calls)++ == 0;
}

/* What gets a hedge after a failure, and what does not. */
static void test_which(void) {
  static const char *const names[] = {"GET",      "PUT", "POST", "an idempotent POST", "off", "a body that is read",
                                      "sent once"};
  for (int i = 0; i < 7; i++) {
    static const bool expected[] = {true, true, false, true, false, false, false};
    SERVER(server);
    unsigned calls = 0;
    netcore_hedge_options options = late();
    netcore_client client = client_of(&server, &options);
    netcore_request request = request_new(i == 1 || i == 5 ? "PUT" : i == 2 || i == 3 ? "POST" : "GET", URL);
    netcore_reader reader = {.size = sizeof reader, .read = read_one, .user_data = &calls};
    struct ended ended = {.count = TALLY_INITIAL};
    netcore_task task;
    check_case = names[i];
    if (i == 1 || i == 2 || i == 3) CHECK_OK(netcore_request_set_body(request, "x", 1));
    if (i == 3) CHECK_OK(netcore_request_set_idempotent(request, 1));
    if (i == 4) CHECK_OK(netcore_request_set_hedging(request, NETCORE_HEDGING_OFF, NULL));
    if (i == 5) CHECK_OK(netcore_request_set_body_reader(request, &reader, 1));
    if (i == 6) CHECK_OK(netcore_request_set_sent_once(request, 1));
    CHECK_OK(netcore_dispatch(client, request, on_done, &ended, &task));
    CHECK_OK(netcore_request_destroy(request));
    answer_hop(&server, 0, 503);
    if (expected[i]) answer_hop(&server, 1, 200);
    wait_end(&ended, NETCORE_OK, expected[i] ? 200 : 503);
    finish(&ended);
    check_counts(client, 1, expected[i], expected[i]);
    CHECK_OK(netcore_client_destroy(client));
  }
}

static void test_budget(void) {
  SERVER(server);
  struct ended ended;
  netcore_hedge_options options = late();
  options.budget_tokens = 1;
  options.budget_success_percent = UINT32_MAX;
  netcore_client client = client_of(&server, &options);
  check_case = "budget";
  dispatch(client, "GET", &ended);
  answer_hop(&server, 0, 503);
  answer_hop(&server, 1, 200);
  wait_end(&ended, NETCORE_OK, 200);
  finish(&ended);
  dispatch(client, "GET", &ended);
  answer_hop(&server, 2, 503);
  wait_end(&ended, NETCORE_OK, 503);
  finish(&ended);
  check_counts(client, 2, 1, 1);
  CHECK_OK(netcore_client_destroy(client));
}

/* With a policy of failover a hedge goes to another service of the environment. */
static void test_services(void) {
  SERVER(server);
  struct ended ended = {.count = TALLY_INITIAL};
  netcore_hedge_options options = soon();
  netcore_failover_options failover = NETCORE_FAILOVER_OPTIONS_INIT;
  netcore_client client = client_of(&server, &options);
  netcore_request request;
  netcore_task task;
  check_case = "services";
  CHECK_OK(netcore_client_set_failover(client, &failover));
  CHECK_OK(netcore_client_add_service(client, "one", "release", "http://one.test/", NULL));
  CHECK_OK(netcore_client_add_service(client, "two", "release", "http://two.test/", NULL));
  REQUIRE_OK(netcore_request_create_relative("GET", NULL, "items", &request));
  CHECK_OK(netcore_dispatch(client, request, on_done, &ended, &task));
  CHECK_OK(netcore_request_destroy(request));
  answer_hop(&server, 1, 200);
  wait_end(&ended, NETCORE_OK, 200);
  CHECK(strcmp(server.urls[0], "http://one.test/items") == 0);
  CHECK(strcmp(server.urls[1], "http://two.test/items") == 0);
  CHECK(strcmp((const char *)response_info(ended.response).url.data, "http://two.test/items") == 0);
  CHECK(strcmp((const char *)try_at(&ended, 1).server.data, "http://two.test:80") == 0);
  finish(&ended);
  CHECK_OK(netcore_client_destroy(client));
}

/* What a hedge brings is stored, and is the answer of all that joined. */
static void test_cache_and_join(void) {
  SERVER(server);
  struct ended one, two;
  netcore_hedge_options options = soon();
  netcore_cache cache = cache_new(NULL);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  check_case = "cache and join";
  CHECK_OK(netcore_client_set_transport(client, keep, &server, NULL));
  CHECK_OK(netcore_client_set_hedging(client, &options));
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_duplicates(request, NETCORE_DUPLICATES_JOIN));
  one = two = (struct ended){.count = TALLY_INITIAL};
  netcore_task task;
  CHECK_OK(netcore_dispatch(client, request, on_done, &one, &task));
  CHECK_OK(netcore_dispatch(client, request, on_done, &two, &task));
  CHECK_OK(netcore_hop_answer(hop_at(&server, 1), 200, "Cache-Control: max-age=60\n", "body", 4));
  wait_end(&one, NETCORE_OK, 200);
  wait_end(&two, NETCORE_OK, 200);
  CHECK(response_info(two.response).joined == 1);
  check_counts(client, 1, 1, 1);
  struct answer stored = perform_once(client, request);
  CHECK_EQUAL(stored.info.http_status, 200);
  CHECK_EQUAL(stored.info.attempts, 0);
  CHECK_EQUAL(tally_count(&server.given), 2);
  answer_free(&stored);
  finish(&one);
  finish(&two);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

static void test_events(void) {
  SERVER(server);
  struct ended ended;
  netcore_hedge_options options = late();
  netcore_client client = client_of(&server, &options);
  netcore_observer observer;
  netcore_client_event events[32];
  uint32_t count = 0, hedges = 0, hops = 0;
  check_case = "events";
  REQUIRE_OK(netcore_observer_create(client, 0, &observer));
  dispatch(client, "GET", &ended);
  answer_hop(&server, 0, 503);
  answer_hop(&server, 1, 200);
  wait_end(&ended, NETCORE_OK, 200);
  CHECK_OK(netcore_observer_read(observer, events, 32, sizeof events[0], &count, NULL));
  for (uint32_t i = 0; i < count; i++) {
    if (events[i].kind == NETCORE_EVENT_HEDGE) hedges += events[i].status == 503 && events[i].attempt == 1;
    if (events[i].kind == NETCORE_EVENT_HOP_BEGAN) CHECK(events[i].hop == ++hops && events[i].attempt == 1);
  }
  CHECK(hedges == 1 && hops == 2);
  finish(&ended);
  CHECK_OK(netcore_observer_destroy(observer));
  CHECK_OK(netcore_client_destroy(client));
}

/* Cancels, and the end of the client, wherever the two tries are. */
static void test_cancels(void) {
  static const char *const names[] = {"both are under way", "the first has failed", "the hedge has failed",
                                      "the hedge waits for Retry-After"};
  for (int i = 0; i < 8; i++) {
    SERVER(server);
    struct ended ended;
    bool is_destroyed = i >= 4;
    netcore_hedge_options options = i % 4 == 3 ? late() : soon();
    netcore_client client = client_of(&server, &options);
    check_case = names[i % 4];
    netcore_task task = dispatch(client, "GET", &ended);
    hop_at(&server, i % 4 == 3 ? 0 : 1);
    if (i % 4 == 1) answer_hop(&server, 0, 503);
    if (i % 4 == 2) answer_hop(&server, 1, 503);
    if (i % 4 == 3) CHECK_OK(netcore_hop_answer(server.hops[0], 503, "Retry-After: 30\n", NULL, 0));
    if (is_destroyed) {
      CHECK_OK(netcore_client_destroy(client));
    } else {
      CHECK_OK(netcore_task_cancel(task));
    }
    REQUIRE(tally_reaches(&ended.count, 1, patience_ms()));
    CHECK_STATUS(ended.status, NETCORE_ERR_CANCELED);
    finish(&ended);
    if (!is_destroyed) CHECK_OK(netcore_client_destroy(client));
  }
}

/* All orders of what may come for many tasks at once: each ends once, and the counts add up. */
static void test_any_order(void) {
  enum { TASKS = 60 };
  SERVER(server);
  static struct ended ended[TASKS];
  netcore_task tasks[TASKS];
  netcore_hedge_options options = soon();
  unsigned seed = 7;
  options.budget_tokens = 1000;
  netcore_client client = client_of(&server, &options);
  check_case = "any order";
  for (int i = 0; i < TASKS; i++) tasks[i] = dispatch(client, i % 10 == 9 ? "POST" : "GET", &ended[i]);
  for (int turn = 0; turn < 400; turn++) {
    unsigned given = tally_count(&server.given), which = (unsigned)rand_r(&seed);
    if (given == 0) continue;
    netcore_hop hop = server.hops[which % given];
    static const int32_t statuses[] = {200, 200, 404, 503, 500};
    netcore_status status = NETCORE_OK;
    switch (rand_r(&seed) % 4) {
      case 0:
        status = netcore_hop_fail(hop, NETCORE_ERR_CONNECTION_LOST, NULL);
        break;
      case 1:
        status = netcore_task_cancel(tasks[which % TASKS]);
        break;
      default:
        status = netcore_hop_answer(hop, statuses[which % 5], NULL, "body", 4);
        break;
    }
    CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_HANDLE);
  }
  CHECK_OK(netcore_client_destroy(client));
  for (int i = 0; i < TASKS; i++) {
    CHECK(tally_reaches(&ended[i].count, 1, patience_ms()));
    finish(&ended[i]);
  }
}

static void check_refused(netcore_client client, const netcore_hedge_options *options, const char *name) {
  netcore_error error = {.size = sizeof error};
  check_case = name;
  CHECK_STATUS(netcore_client_set_hedging(client, options), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_last_error(&error));
  CHECK(error.argument.data != NULL && strcmp((const char *)error.argument.data, name) == 0);
}

static void test_figures(void) {
  netcore_client client;
  netcore_request request = request_new("GET", URL);
  netcore_hedge_options options = NETCORE_HEDGE_OPTIONS_INIT, read = NETCORE_HEDGE_OPTIONS_INIT;
  netcore_hedging hedging = 7;
  int32_t enabled = 7;
  check_case = "figures";
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_get_hedging(client, &enabled, &read));
  CHECK(enabled == 0 && read.percentile == 0);
  CHECK_OK(netcore_client_set_hedging(client, &options));
  CHECK_OK(netcore_client_get_hedging(client, &enabled, &read));
  CHECK(enabled == 1 && read.percentile == 95 && read.window_ms == 10000 && read.refresh_ms == 3000);
  CHECK(read.min_delay_ms == 10 && read.initial_delay_ms == 2000 && read.min_samples == 100 && read.bucket_count == 10);
  CHECK(read.budget_tokens == 10 && read.budget_success_percent == 5);
  CHECK_OK(netcore_client_set_hedging(client, NULL));
  CHECK_OK(netcore_client_get_hedging(client, &enabled, NULL));
  CHECK_EQUAL(enabled, 0);
  CHECK_OK(netcore_request_get_hedging(request, &hedging, &read));
  CHECK(hedging == NETCORE_HEDGING_CLIENT && read.percentile == 0);
  CHECK_OK(netcore_request_set_hedging(request, NETCORE_HEDGING_OWN, NULL));
  CHECK_OK(netcore_request_get_hedging(request, &hedging, &read));
  CHECK(hedging == NETCORE_HEDGING_OWN && read.percentile == 95);
  CHECK_STATUS(netcore_request_set_hedging(request, 3, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_set_hedging(request, NETCORE_HEDGING_OFF, &options), NETCORE_ERR_INVALID_ARGUMENT);
  check_refused(client, &(netcore_hedge_options){.size = sizeof options, .percentile = 49}, "percentile");
  check_refused(client, &(netcore_hedge_options){.size = sizeof options, .window_ms = 999}, "window_ms");
  check_refused(client, &(netcore_hedge_options){.size = sizeof options, .refresh_ms = 10001}, "refresh_ms");
  check_refused(client, &(netcore_hedge_options){.size = sizeof options, .min_delay_ms = 2001}, "initial_delay_ms");
  check_refused(client, &(netcore_hedge_options){.size = sizeof options, .min_samples = 1000001}, "min_samples");
  check_refused(client, &(netcore_hedge_options){.size = sizeof options, .bucket_count = 61}, "bucket_count");
  check_refused(client, &(netcore_hedge_options){.size = sizeof options, .budget_tokens = 1000001}, "budget_tokens");
  check_refused(client, &(netcore_hedge_options){.size = sizeof options, .budget_success_percent = 101},
                "budget_success_percent");
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  test_figures();
  test_outcomes();
  test_failure_fires();
  test_with_retries();
  test_which();
  test_budget();
  test_services();
  test_cache_and_join();
  test_events();
  test_cancels();
  test_any_order();
  return check_end();
}
