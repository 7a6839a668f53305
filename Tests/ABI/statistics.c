/*
 * What a client counts: tasks, attempts, retries, what budgets and breakers refuse, and the budgets of origins.
 */
#include "support.h"

#include "support/answer.h"
#include "support/hops.h"

#define URL "http://app.test/a"

static netcore_client_statistics statistics_of(netcore_client client) {
  netcore_client_statistics statistics = NETCORE_CLIENT_STATISTICS_INIT;
  CHECK_OK(netcore_client_get_statistics(client, &statistics));
  return statistics;
}

static void refuse(netcore_hop hop, netcore_request request, void *status) {
  (void)request;
  CHECK_OK(netcore_hop_answer(hop, *(const int32_t *)status, NULL, "1234567", 7));
}

static void test_nothing(void) {
  netcore_client client;
  check_case = "a new client";
  REQUIRE_OK(netcore_client_create(NULL, &client));
  netcore_client_statistics none = NETCORE_CLIENT_STATISTICS_INIT, found = statistics_of(client);
  CHECK(memcmp(&none, &found, sizeof none) == 0);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_ends(void) {
  static const int32_t ok = 200;
  netcore_client client;
  netcore_request request = request_new("POST", URL);
  check_case = "ends";
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, refuse, (void *)&ok, NULL));
  CHECK_OK(netcore_request_set_body(request, "12345", 5));
  for (int i = 0; i < 3; i++) {
    struct answer answer = perform_once(client, request_new("GET", URL));
    CHECK_OK(answer.status);
    answer_free(&answer);
  }
  netcore_response response;
  CHECK_OK(netcore_perform(client, request, &response));
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  netcore_client_statistics found = statistics_of(client);
  CHECK(found.succeeded_count == 4 && found.failed_count == 0 && found.canceled_count == 0);
  CHECK(found.attempt_count == 4 && found.retry_count == 0 && found.task_count == 0 && found.queued_count == 0);
  CHECK(found.bytes_received == 28 && found.bytes_sent == 5);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_tasks_and_queue(void) {
  struct hops hops = HOPS_INITIAL;
  netcore_client client;
  netcore_request request = request_new("GET", URL);
  netcore_completion completions[3];
  uint32_t taken = 0, count = 0;
  netcore_client_options queue = {.size = sizeof queue, .completions = NETCORE_COMPLETION_MODE_QUEUE};
  check_case = "tasks that have not ended, and those that wait";
  REQUIRE_OK(netcore_client_create(&queue, &client));
  CHECK_OK(netcore_client_set_transport(client, hops_keep, &hops, NULL));
  CHECK_OK(netcore_client_set_limit(client, NETCORE_LIMIT_TRANSFERS, 1));
  for (int i = 0; i < 3; i++) CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  netcore_hop hop = hops_wait(&hops, 1);
  netcore_client_statistics found = statistics_of(client);
  CHECK(found.task_count == 3 && found.queued_count == 2 && found.attempt_count == 1);
  CHECK_OK(netcore_hop_fail(hop, NETCORE_ERR_CONNECT, NULL));
  hops_wait(&hops, 2);
  while (taken < 3) { /* the first has ended before the others are canceled */
    if (taken == 1) CHECK_OK(netcore_client_cancel_all(client, NULL));
    REQUIRE_OK(netcore_client_wait(client, completions, 3, sizeof completions[0], patience_ms(), &count));
    if (!CHECK(count > 0)) break;
    for (uint32_t i = 0; i < count; i++) CHECK_OK(netcore_response_release(completions[i].response));
    taken += count;
  }
  found = statistics_of(client);
  CHECK(found.task_count == 0 && found.queued_count == 0);
  CHECK_EQUAL(found.failed_count, 1);
  CHECK_EQUAL(found.canceled_count, 2);
  CHECK_EQUAL(found.attempt_count, 2);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

struct budgets {
  unsigned count;
  uint32_t tokens, capacity;
  char origin[50];
};

static int32_t see_budget(const netcore_budget_info *info, void *user_data) {
  struct budgets *budgets = user_data;
  CHECK_EQUAL(info->size, sizeof *info);
  budgets->count++;
  budgets->tokens = info->tokens;
  budgets->capacity = info->capacity;
  snprintf(budgets->origin, sizeof budgets->origin, "%s", (const char *)info->origin.data);
  return 1;
}

static void test_policies(void) {
  static const int32_t busy = 503;
  netcore_client client;
  struct budgets budgets = {0};
  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  netcore_breaker_options breaker = NETCORE_BREAKER_OPTIONS_INIT;
  check_case = "retries, budgets and breakers";
  retries.attempts = 3;
  retries.throttled_delay_ms = 1;
  retries.budget_tokens = 3;
  retries.budget_per_second = UINT32_MAX;
  breaker.min_tries = 5;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, refuse, (void *)&busy, NULL));
  CHECK_OK(netcore_client_set_retries(client, &retries));
  CHECK_OK(netcore_client_list_budgets(client, see_budget, &budgets));
  CHECK_EQUAL(budgets.count, 0);
  for (int i = 0; i < 2; i++) { /* 3 tries, and 2: of the second the budget allows one retry */
    struct answer answer = perform_once(client, request_new("GET", URL));
    CHECK_OK(answer.status);
    answer_free(&answer);
  }
  netcore_client_statistics found = statistics_of(client);
  CHECK(found.attempt_count == 5 && found.retry_count == 3 && found.budget_refusal_count == 1);
  CHECK(found.succeeded_count == 2 && found.breaker_refusal_count == 0);
  CHECK_OK(netcore_client_list_budgets(client, see_budget, &budgets));
  CHECK(budgets.count == 1 && budgets.tokens == 0 && budgets.capacity == 3);
  CHECK(strcmp(budgets.origin, "http://app.test:80") == 0);
  CHECK_OK(netcore_client_set_retries(client, NULL));
  CHECK_OK(netcore_client_set_breaker(client, &breaker));
  for (int i = 0; i < 7; i++) {
    struct answer answer = perform_once(client, request_new("GET", URL));
    CHECK_STATUS(answer.status, i < 5 ? NETCORE_OK : NETCORE_ERR_BREAKER_OPEN);
    answer_free(&answer);
  }
  found = statistics_of(client);
  CHECK(found.breaker_refusal_count == 2 && found.failed_count == 2 && found.attempt_count == 10);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_nothing();
  test_ends();
  test_tasks_and_queue();
  test_policies();
  return check_end();
}
