/*
 * Failover: when a client leaves a service that fails, where its requests and their retries go then, and who is notified.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/answer.h"
#include "support/wait.h"

enum { SERVICES = 3 };

/** One, two and three: what each answers, 0 for no connection; and what came to it. */
static struct {
  atomic_int status[SERVICES];
  atomic_uint calls[SERVICES];
  /** Of the last request. */
  char url[200];
} servers;

static void serve(netcore_hop hop, netcore_request request, void *user_data) {
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  (void)user_data;
  CHECK_OK(netcore_request_get_info(request, &info));
  snprintf(servers.url, sizeof servers.url, "%s", (const char *)info.url.data);
  int which = strstr(servers.url, "//one.") != NULL ? 0 : strstr(servers.url, "//two.") != NULL ? 1 : 2;
  atomic_fetch_add(&servers.calls[which], 1);
  int status = atomic_load(&servers.status[which]);
  if (status == 0) {
    CHECK_OK(netcore_hop_fail(hop, NETCORE_ERR_CONNECT, NULL));
  } else {
    CHECK_OK(netcore_hop_answer(hop, status, NULL, "body", 4));
  }
}

struct switches {
  struct tally count;
  char service[20];
};

static void on_switch(const char *service, const char *environment, void *user_data) {
  struct switches *switches = user_data;
  CHECK(strcmp(environment, "release") == 0);
  snprintf(switches->service, sizeof switches->service, "%s", service);
  tally_raise(&switches->count);
}

static netcore_client client_of(const netcore_failover_options *options, struct switches *switches) {
  static const char *const names[] = {"one", "two", "three"};
  netcore_client client;
  char url[50];
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, serve, NULL, NULL));
  for (int i = 0; i < SERVICES; i++) {
    snprintf(url, sizeof url, "http://%s.test/v1", names[i]);
    CHECK_OK(netcore_client_add_service(client, names[i], "release", url, NULL));
    atomic_store(&servers.status[i], 200);
    atomic_store(&servers.calls[i], 0);
  }
  CHECK_OK(netcore_client_set_failover(client, options));
  if (switches != NULL) CHECK_OK(netcore_client_set_selection_listener(client, on_switch, switches, NULL));
  return client;
}

static void check_selected(netcore_client client, const char *name) {
  char text[20];
  size_t size;
  CHECK_OK(netcore_client_get_selected_service(client, text, sizeof text, &size));
  CHECK(strcmp(text, name) == 0);
}

static netcore_request relative(void) {
  netcore_request request = 0;
  REQUIRE_OK(netcore_request_create_relative("GET", NULL, "items", &request));
  CHECK_OK(netcore_request_add_param(request, "page", "2"));
  return request;
}

/** How a GET of the selected service ends. */
static netcore_status get(netcore_client client) {
  struct answer answer = perform_once(client, relative());
  netcore_status status = answer.status;
  answer_free(&answer);
  return status;
}

static netcore_failover_options few(void) {
  netcore_failover_options options = NETCORE_FAILOVER_OPTIONS_INIT;
  options.min_tries = 4;
  options.failure_percent = 50;
  return options;
}

static void test_off_by_default(void) {
  netcore_client client = client_of(NULL, NULL);
  int32_t enabled = 7;
  check_case = "off by default";
  CHECK_OK(netcore_client_get_failover(client, &enabled, NULL));
  CHECK_EQUAL(enabled, 0);
  atomic_store(&servers.status[0], 503);
  for (int i = 0; i < 100; i++) CHECK_OK(get(client));
  check_selected(client, "one");
  CHECK_OK(netcore_client_destroy(client));
}

static void test_a_switch(void) {
  struct switches switches = {TALLY_INITIAL, ""};
  netcore_failover_options options = NETCORE_FAILOVER_OPTIONS_INIT;
  netcore_client client = client_of(&options, &switches);
  check_case = "40 tries of which a tenth failed";
  for (int i = 0; i < 36; i++) CHECK_OK(get(client));
  atomic_store(&servers.status[0], 503);
  for (int i = 0; i < 3; i++) CHECK_OK(get(client));
  check_selected(client, "one");
  CHECK_OK(get(client));
  check_selected(client, "two");
  CHECK(tally_reaches(&switches.count, 1, patience_ms()));
  CHECK(strcmp(switches.service, "two") == 0);
  CHECK_OK(get(client));
  CHECK_EQUAL(atomic_load(&servers.calls[0]), 40);
  CHECK_EQUAL(atomic_load(&servers.calls[1]), 1);
  CHECK(strcmp(servers.url, "http://two.test/v1/items?page=2") == 0);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&switches.count), 1);
}

/* A retry goes where the switch led, with what belongs to that server. */
static void test_retries(void) {
  netcore_failover_options options = few();
  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  netcore_try found = NETCORE_TRY_INIT;
  options.min_tries = 2;
  retries.base_delay_ms = retries.throttled_delay_ms = 1;
  netcore_client client = client_of(&options, NULL);
  CHECK_OK(netcore_client_set_retries(client, &retries));
  check_case = "a retry goes to the new service";
  for (int by_status = 0; by_status < 2; by_status++) {
    atomic_store(&servers.status[0], by_status ? 503 : 0);
    CHECK_OK(netcore_client_select_service(client, "one"));
    struct answer answer = perform_once(client, relative());
    CHECK_OK(answer.status);
    CHECK(answer.info.http_status == 200 && answer.info.attempts == 3 && answer.info.try_count == 3);
    CHECK(strcmp((const char *)answer.info.url.data, "http://two.test/v1/items?page=2") == 0);
    for (uint32_t i = 0; i < 3; i++) {
      CHECK_OK(netcore_response_get_try(answer.response, i, &found));
      CHECK(strcmp((const char *)found.server.data, i < 2 ? "http://one.test:80" : "http://two.test:80") == 0);
      CHECK_EQUAL(found.reason, i < 2 ? NETCORE_RETRY_REASON_RETRIED : NETCORE_RETRY_REASON_OUTCOME);
    }
    answer_free(&answer);
    check_selected(client, "two");
  }
  CHECK_OK(netcore_client_destroy(client));
}

/* Also what is ordered from outside counts, and what names its service stays. */
static void test_named(void) {
  netcore_failover_options options = few();
  netcore_request request = 0;
  netcore_client client = client_of(&options, NULL);
  check_case = "requests that name a service";
  atomic_store(&servers.status[0], 0);
  REQUIRE_OK(netcore_request_create_relative("GET", "one", "items", &request));
  for (int i = 0; i < 10; i++) {
    netcore_response response;
    CHECK_STATUS(netcore_perform(client, request, &response), NETCORE_ERR_CONNECT);
    CHECK_OK(netcore_response_release(response));
  }
  check_selected(client, "one");
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_unreachable(void) {
  netcore_failover_options options = few();
  netcore_reachability found = 7;
  netcore_client client = client_of(&options, NULL);
  check_case = "without a network nothing is counted";
  CHECK_OK(netcore_client_get_reachability(client, &found));
  CHECK_EQUAL(found, NETCORE_REACHABILITY_UNKNOWN);
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNREACHABLE));
  CHECK_OK(netcore_client_get_reachability(client, &found));
  CHECK_EQUAL(found, NETCORE_REACHABILITY_UNREACHABLE);
  atomic_store(&servers.status[0], 0);
  for (int i = 0; i < 10; i++) CHECK_STATUS(get(client), NETCORE_ERR_CONNECT);
  check_selected(client, "one");
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_REACHABLE));
  for (int i = 0; i < 4; i++) CHECK_STATUS(get(client), NETCORE_ERR_CONNECT);
  check_selected(client, "two");
  CHECK_OK(netcore_client_destroy(client));
}

/* A breaker that opens before enough tries were counted does not keep the client at a service that refuses all. */
static void test_breakers(void) {
  netcore_failover_options options = NETCORE_FAILOVER_OPTIONS_INIT;
  netcore_breaker_options breaker = NETCORE_BREAKER_OPTIONS_INIT;
  breaker.connect_failures = 2;
  netcore_client client = client_of(&options, NULL);
  CHECK_OK(netcore_client_set_breaker(client, &breaker));
  check_case = "a breaker switches at once, and its refusal is no end";
  for (int i = 0; i < SERVICES - 1; i++) atomic_store(&servers.status[i], 0);
  for (int i = 0; i < 2; i++) CHECK_STATUS(get(client), NETCORE_ERR_CONNECT);
  check_selected(client, "one");
  CHECK_STATUS(get(client), NETCORE_ERR_CONNECT); /* of service two */
  check_selected(client, "two");
  CHECK_STATUS(get(client), NETCORE_ERR_CONNECT);
  CHECK_OK(get(client));
  check_selected(client, "three");
  atomic_store(&servers.status[2], 0);
  for (int i = 0; i < 2; i++) CHECK_STATUS(get(client), NETCORE_ERR_CONNECT);
  check_case = "where all breakers are open the refusal is the end";
  for (int i = 0; i < 5; i++) CHECK_STATUS(get(client), NETCORE_ERR_BREAKER_OPEN);
  check_selected(client, "three");
  CHECK_OK(netcore_client_destroy(client));
}

static void test_cool_down(void) {
  struct switches switches = {TALLY_INITIAL, ""};
  netcore_failover_options options = few();
  options.cool_down_ms = 1;
  netcore_client client = client_of(&options, &switches);
  check_case = "back after the cool-down";
  atomic_store(&servers.status[0], 500);
  for (int i = 0; i < 4; i++) CHECK_OK(get(client));
  CHECK(tally_reaches(&switches.count, 1, patience_ms()));
  atomic_store(&servers.status[0], 200);
  for (unsigned i = 0; tally_count(&switches.count) < 2 && i < 100000; i++) CHECK_OK(get(client));
  CHECK(strcmp(switches.service, "one") == 0);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_probes(void) {
  struct switches switches = {TALLY_INITIAL, ""};
  netcore_failover_options options = few(), read = NETCORE_FAILOVER_OPTIONS_INIT;
  check_case = "probes";
  options.probe_path = "health";
  options.probe_method = "HEAD";
  options.probe_interval_ms = 100;
  netcore_client client = client_of(&options, &switches);
  CHECK_OK(netcore_client_set_header(client, "X-Secret", "1"));
  CHECK_OK(netcore_client_get_failover(client, NULL, &read));
  CHECK(strcmp(read.probe_path, "health") == 0 && strcmp(read.probe_method, "HEAD") == 0);
  CHECK(read.probe_interval_ms == 100 && read.probe_timeout_ms == 5000 && read.probe_successes == 2);
  servers.status[0] = 503;
  for (int i = 0; i < 4; i++) CHECK_OK(get(client));
  REQUIRE(tally_reaches(&switches.count, 1, patience_ms()));
  check_selected(client, "two");
  unsigned before = servers.calls[0];
  WAIT_UNTIL(servers.calls[0] > before);
  CHECK(strcmp(servers.url, "http://one.test/v1/health") == 0);
  check_selected(client, "two");
  servers.status[0] = 204;
  REQUIRE(tally_reaches(&switches.count, 2, patience_ms()));
  check_selected(client, "one");
  check_case = "what is refused of a probe";
  static const netcore_failover_options wrong[] = {
      {.size = sizeof wrong[0], .probe_path = "a b"},
      {.size = sizeof wrong[0], .probe_path = "", .probe_method = "G T"},
      {.size = sizeof wrong[0], .probe_path = "", .probe_interval_ms = 99},
      {.size = sizeof wrong[0], .probe_path = "", .probe_timeout_ms = 86400001},
      {.size = sizeof wrong[0], .probe_path = "", .probe_successes = 101},
      {.size = sizeof wrong[0], .reserved = 1}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    CHECK_STATUS(netcore_client_set_failover(client, &wrong[i]), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_weights(void) {
  struct switches switches = {TALLY_INITIAL, ""};
  netcore_failover_options options = few();
  netcore_client client = client_of(&options, &switches);
  check_case = "weights";
  CHECK_OK(netcore_client_set_service_weight(client, "three", 1));
  servers.status[0] = 503;
  for (int i = 0; i < 4; i++) CHECK_OK(get(client));
  REQUIRE(tally_reaches(&switches.count, 1, patience_ms()));
  check_selected(client, "three");
  CHECK_STATUS(netcore_client_set_service_weight(client, "three", 1000001), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_client_set_service_weight(client, "four", 1), NETCORE_ERR_NOT_FOUND);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_cancel_in_a_wait(void) {
  struct switches switches = {TALLY_INITIAL, ""};
  netcore_failover_options options = few();
  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  netcore_try found = NETCORE_TRY_INIT;
  netcore_response response = 0;
  netcore_task task = 0;
  netcore_request request = relative();
  options.min_tries = 1;
  retries.base_delay_ms = retries.max_delay_ms = 3600000;
  netcore_client client = client_of(&options, &switches);
  CHECK_OK(netcore_client_set_retries(client, &retries));
  check_case = "a cancel while the next attempt at another service is waited for";
  atomic_store(&servers.status[0], 0);
  CHECK_STATUS(netcore_perform_for(client, request, 0, &task, &response, NULL), NETCORE_ERR_IN_PROGRESS);
  CHECK(tally_reaches(&switches.count, 1, patience_ms()));
  CHECK_OK(netcore_task_cancel(task));
  CHECK_STATUS(netcore_task_wait(task, patience_ms(), &response, NULL), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_get_try(response, 0, &found));
  CHECK(found.status == NETCORE_ERR_CONNECT && found.reason == NETCORE_RETRY_REASON_CANCELED);
  CHECK_EQUAL(atomic_load(&servers.calls[1]), 0);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void check_refused(netcore_client client, const netcore_failover_options *options, const char *argument) {
  netcore_error error = NETCORE_ERROR_INIT;
  check_case = argument;
  CHECK_STATUS(netcore_client_set_failover(client, options), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_last_error(&error));
  CHECK(strcmp((const char *)error.argument.data, argument) == 0);
}

static void test_figures(void) {
  netcore_client client;
  netcore_failover_options read = NETCORE_FAILOVER_OPTIONS_INIT;
  netcore_failover_options options = NETCORE_FAILOVER_OPTIONS_INIT;
  REQUIRE_OK(netcore_client_create(NULL, &client));
#define NO_FAILOVER(member, value) \
  check_refused(client, &(netcore_failover_options){.size = sizeof options, .member = value}, #member)
  NO_FAILOVER(window_ms, 99);
  NO_FAILOVER(bucket_count, 101);
  NO_FAILOVER(min_tries, 1000001);
  NO_FAILOVER(failure_percent, 101);
  NO_FAILOVER(cool_down_ms, 86400001);
  check_case = "what can be set can be read";
  CHECK_OK(netcore_client_set_failover(client, &options));
  CHECK_OK(netcore_client_get_failover(client, NULL, &read));
  CHECK(read.bucket_count == 10 && read.window_ms == 60000 && read.min_tries == 40);
  CHECK(read.failure_percent == 10 && read.cool_down_ms == 300000);
  options = (netcore_failover_options){sizeof options, 2, 3000, 4, 5, UINT64_MAX, NULL, NULL, 0, 0, 0, 0};
  CHECK_OK(netcore_client_set_failover(client, &options));
  CHECK_OK(netcore_client_get_failover(client, NULL, &read));
  CHECK(memcmp(&read, &options, sizeof read) == 0);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_off_by_default();
  test_a_switch();
  test_retries();
  test_named();
  test_unreachable();
  test_breakers();
  test_cool_down();
  test_probes();
  test_weights();
  test_cancel_in_a_wait();
  test_figures();
  return check_end();
}
