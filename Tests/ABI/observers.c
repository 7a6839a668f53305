/*
 * Observers: which events come and in which order, rings that are full, several observers, functions, and the end of a client.
 */
#include "support.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdatomic.h>

#include "support/answer.h"
#include "support/hops.h"

enum { MOST = 64 };

struct seen {
  netcore_client_event events[MOST];
  uint32_t count;
};

static netcore_observer observer_of(netcore_client client, uint32_t capacity) {
  netcore_observer observer = 0;
  REQUIRE_OK(netcore_observer_create(client, capacity, &observer));
  return observer;
}

static struct seen read_all(netcore_observer observer) {
  struct seen seen = {.count = 0};
  CHECK_OK(netcore_observer_read(observer, seen.events, MOST, sizeof seen.events[0], &seen.count, NULL));
  return seen;
}

static void check_kinds(const struct seen *seen, const netcore_event_kind *kinds, uint32_t count) {
  CHECK_EQUAL(seen->count, count);
  for (uint32_t i = 0; i < seen->count && i < count; i++) {
    CHECK_EQUAL(seen->events[i].kind, kinds[i]);
    CHECK_EQUAL(seen->events[i].size, sizeof seen->events[i]);
    if (i > 0) CHECK(seen->events[i].time_ns >= seen->events[i - 1].time_ns);
  }
}

#define CHECK_KINDS(seen, ...) \
  do { \
    static const netcore_event_kind kinds[] = {__VA_ARGS__}; \
    check_kinds(&(seen), kinds, sizeof kinds / sizeof kinds[0]); \
  } while (0)

static bool is_readable(netcore_observer observer) {
  struct pollfd descriptor = {.events = POLLIN};
  CHECK_OK(netcore_observer_get_descriptor(observer, &descriptor.fd));
  return poll(&descriptor, 1, 0) == 1;
}

static void get(netcore_client client, const char *url, int32_t status) {
  struct answer answer = perform_once(client, request_new("GET", url));
  CHECK_EQUAL(answer.info.http_status, status);
  answer_free(&answer);
}

static const char *port_text(uint32_t port) {
  static char text[16];
  snprintf(text, sizeof text, ":%u/", (unsigned)port);
  return text;
}

static void test_transfer(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  check_case = "a transfer";
  netcore_observer observer = observer_of(client, 0);
  CHECK(!is_readable(observer));
  get(client, at(ORIGIN, "/status/200"), 200);
  CHECK(is_readable(observer));
  struct seen seen = read_all(observer);
  CHECK(!is_readable(observer));
  /* A name that is an address takes no time that libcurl could tell, or a little. */
  uint32_t kept = 0;
  for (uint32_t i = 0; i < seen.count; i++)
    if (seen.events[i].kind != NETCORE_EVENT_RESOLVED) seen.events[kept++] = seen.events[i];
  seen.count = kept;
  CHECK_KINDS(seen, NETCORE_EVENT_QUEUED, NETCORE_EVENT_DISPATCHED, NETCORE_EVENT_HOP_BEGAN, NETCORE_EVENT_CONNECTED,
              NETCORE_EVENT_SENT, NETCORE_EVENT_FIRST_BYTE, NETCORE_EVENT_HOP_ENDED, NETCORE_EVENT_DONE);
  for (uint32_t i = 0; i < seen.count; i++) CHECK(seen.events[i].number == 1 && seen.events[i].error == NETCORE_OK);
  CHECK(seen.events[1].attempt == 0 && seen.events[2].attempt == 1 && seen.events[2].hop == 1);
  CHECK(seen.events[6].status == 200 && seen.events[7].status == 200);
  CHECK(seen.events[6].value > 0 && seen.events[6].value == seen.events[7].detail && seen.events[6].detail > 0);
  CHECK(seen.events[7].value <= seen.events[7].time_ns - seen.events[0].time_ns);
  char address[INET6_ADDRSTRLEN];
  CHECK(inet_ntop(AF_INET6, seen.events[6].peer_address, address, sizeof address) != NULL);
  CHECK_EQUAL(strcmp(address, "::ffff:127.0.0.1"), 0);
  CHECK(seen.events[6].peer_port > 0 && strstr(at(ORIGIN, "/"), port_text(seen.events[6].peer_port)) != NULL);
  CHECK(seen.events[6].http_version == NETCORE_HTTP_VERSION_1_1 && seen.events[7].http_version == 0);
  check_case = "a kept connection";
  get(client, at(ORIGIN, "/status/204"), 204);
  seen = read_all(observer);
  CHECK_KINDS(seen, NETCORE_EVENT_QUEUED, NETCORE_EVENT_DISPATCHED, NETCORE_EVENT_HOP_BEGAN, NETCORE_EVENT_SENT,
              NETCORE_EVENT_FIRST_BYTE, NETCORE_EVENT_HOP_ENDED, NETCORE_EVENT_DONE);
  CHECK_EQUAL(seen.events[0].number, 2);
  CHECK_OK(netcore_observer_destroy(observer));
  CHECK_OK(netcore_client_destroy(client));
}

static void check_try(netcore_response response, uint32_t index, int32_t status, netcore_retry_reason reason) {
  netcore_try found = NETCORE_TRY_INIT;
  CHECK_OK(netcore_response_get_try(response, index, &found));
  CHECK(found.http_status == status && found.reason == reason && found.attempt == 1 && found.resent_count == 0);
  CHECK(found.start_us > 0 && strncmp((const char *)found.server.data, "http://127.0.0.1:", 17) == 0);
  CHECK_EQUAL(strcmp((const char *)found.address.data, "127.0.0.1"), 0);
}

static void test_tries(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  check_case = "tries without a policy";
  struct answer answer = perform_once(client, request_new("GET", at(ORIGIN, "/redirect-chain/2")));
  CHECK_EQUAL(answer.info.try_count, 3);
  check_try(answer.response, 0, 302, NETCORE_RETRY_REASON_REDIRECT);
  check_try(answer.response, 1, 302, NETCORE_RETRY_REASON_REDIRECT);
  check_try(answer.response, 2, 200, NETCORE_RETRY_REASON_OUTCOME);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_redirect(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  get(client, at(ORIGIN, "/status/200"), 200);
  netcore_observer observer = observer_of(client, 0);
  check_case = "a redirect";
  get(client, at(ORIGIN, "/redirect-chain/1"), 200);
  struct seen seen = read_all(observer);
  CHECK_KINDS(seen, NETCORE_EVENT_QUEUED, NETCORE_EVENT_DISPATCHED, NETCORE_EVENT_HOP_BEGAN, NETCORE_EVENT_SENT,
              NETCORE_EVENT_FIRST_BYTE, NETCORE_EVENT_HOP_ENDED, NETCORE_EVENT_REDIRECT, NETCORE_EVENT_HOP_BEGAN,
              NETCORE_EVENT_SENT, NETCORE_EVENT_FIRST_BYTE, NETCORE_EVENT_HOP_ENDED, NETCORE_EVENT_DONE);
  CHECK(seen.events[6].value == 1 && seen.events[6].status / 100 == 3);
  CHECK(seen.events[7].attempt == 1 && seen.events[7].hop == 2);
  CHECK_OK(netcore_observer_destroy(observer));
  CHECK_OK(netcore_client_destroy(client));
}

/* Answers with 503, and the next time with 200. */
static void recover(netcore_hop hop, netcore_request request, void *calls) {
  (void)request;
  CHECK_OK(
      netcore_hop_answer(hop, atomic_fetch_add((atomic_int *)calls, 1) == 0 ? 503 : 200, "Retry-After: 0\n", "", 0));
}

static void test_retry(void) {
  atomic_int calls = 0;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_retry_options options = NETCORE_RETRY_OPTIONS_INIT;
  check_case = "a retry";
  options.throttled_delay_ms = 1;
  CHECK_OK(netcore_client_set_transport(client, recover, &calls, NULL));
  CHECK_OK(netcore_client_set_retries(client, &options));
  netcore_observer observer = observer_of(client, 0);
  get(client, "http://app.test/", 200);
  struct seen seen = read_all(observer);
  CHECK_KINDS(seen, NETCORE_EVENT_QUEUED, NETCORE_EVENT_DISPATCHED, NETCORE_EVENT_HOP_BEGAN, NETCORE_EVENT_HOP_ENDED,
              NETCORE_EVENT_RETRY, NETCORE_EVENT_HOP_BEGAN, NETCORE_EVENT_HOP_ENDED, NETCORE_EVENT_DONE);
  CHECK(seen.events[4].status == 503 && seen.events[4].detail == 0);
  CHECK(seen.events[5].attempt == 2 && seen.events[5].hop == 1 && seen.events[7].status == 200);
  CHECK_OK(netcore_observer_destroy(observer));
  CHECK_OK(netcore_client_destroy(client));
}

/* Answers with 503. */
static void fail(netcore_hop hop, netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  CHECK_OK(netcore_hop_answer(hop, 503, NULL, "", 0));
}

static void test_breaker(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_breaker_options options = NETCORE_BREAKER_OPTIONS_INIT;
  check_case = "a breaker that opens";
  options.min_tries = 1;
  CHECK_OK(netcore_client_set_breaker(client, &options));
  CHECK_OK(netcore_client_set_transport(client, fail, NULL, NULL));
  netcore_observer observer = observer_of(client, 0);
  get(client, "http://app.test/", 503);
  struct seen seen = read_all(observer);
  CHECK_KINDS(seen, NETCORE_EVENT_QUEUED, NETCORE_EVENT_DISPATCHED, NETCORE_EVENT_HOP_BEGAN, NETCORE_EVENT_HOP_ENDED,
              NETCORE_EVENT_BREAKER_STATE, NETCORE_EVENT_DONE);
  CHECK(seen.events[4].value == NETCORE_BREAKER_STATE_OPEN && seen.events[4].number == 1);
  CHECK(seen.events[4].detail > 0 && seen.events[4].detail <= 6000000000);
  CHECK_OK(netcore_observer_destroy(observer));
  CHECK_OK(netcore_client_destroy(client));
}

/* The events up to one of a kind. */
static struct seen read_until(netcore_observer observer, netcore_event_kind kind) {
  struct seen all = {.count = 0};
  while (all.count == 0 || all.events[all.count - 1].kind != kind) {
    uint32_t count = 0;
    struct pollfd descriptor = {.events = POLLIN};
    CHECK_OK(netcore_observer_get_descriptor(observer, &descriptor.fd));
    CHECK(poll(&descriptor, 1, 60000) == 1);
    CHECK_OK(netcore_observer_read(observer, all.events + all.count, 1, sizeof all.events[0], &count, NULL));
    all.count += count;
  }
  return all;
}

static void test_wait(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  check_case = "a wait";
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_UNREACHABLE));
  netcore_observer observer = observer_of(client, 0);
  netcore_request request = request_new("GET", "http://app.test/");
  netcore_task task = 0;
  CHECK_OK(netcore_request_set_wait_for_network_ms(request, 60000));
  CHECK_OK(netcore_dispatch(client, request, NULL, NULL, &task));
  struct seen seen = read_until(observer, NETCORE_EVENT_WAIT_BEGAN);
  CHECK_KINDS(seen, NETCORE_EVENT_QUEUED, NETCORE_EVENT_WAIT_BEGAN);
  CHECK(seen.events[1].value == NETCORE_WAIT_NETWORK && seen.events[1].task == task);
  CHECK_OK(netcore_task_cancel(task));
  seen = read_until(observer, NETCORE_EVENT_DONE);
  CHECK_KINDS(seen, NETCORE_EVENT_WAIT_ENDED, NETCORE_EVENT_DONE);
  CHECK(seen.events[0].value == NETCORE_WAIT_NETWORK && seen.events[0].detail > 0);
  CHECK_OK(netcore_observer_destroy(observer));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_full_ring(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_client_event events[8];
  uint32_t count = 0;
  uint64_t dropped = 0;
  check_case = "a full ring";
  netcore_observer small = observer_of(client, 3), large = observer_of(client, 0);
  for (int i = 0; i < 5; i++)
    CHECK_OK(netcore_client_set_reachability(
        client, i % 2 == 0 ? NETCORE_REACHABILITY_UNREACHABLE : NETCORE_REACHABILITY_REACHABLE));
  CHECK_OK(netcore_observer_read(small, events, 2, sizeof events[0], &count, &dropped));
  CHECK(count == 2 && dropped == 2 && events[0].value == NETCORE_REACHABILITY_UNREACHABLE && events[0].number == 0);
  CHECK(is_readable(small));
  CHECK_OK(netcore_observer_read(small, events, 8, sizeof events[0], &count, &dropped));
  CHECK(count == 1 && dropped == 0);
  CHECK_OK(netcore_observer_read(small, events, 8, sizeof events[0], &count, &dropped));
  CHECK(count == 0 && dropped == 0);
  CHECK_OK(netcore_observer_read(large, events, 8, sizeof events[0], &count, &dropped));
  CHECK(count == 5 && dropped == 0);
  CHECK_OK(netcore_observer_destroy(small));
  CHECK_OK(netcore_observer_destroy(large));
  CHECK_OK(netcore_client_destroy(client));
}

struct told {
  atomic_int count, done, released;
};

static void tell(const netcore_client_event *event, void *user_data) {
  struct told *told = user_data;
  atomic_fetch_add(&told->count, 1);
  if (event->kind == NETCORE_EVENT_DONE) atomic_fetch_add(&told->done, 1);
}

static void release(void *user_data) { atomic_fetch_add(&((struct told *)user_data)->released, 1); }

static void test_function(void) {
  struct told told = {0};
  struct hops hops = HOPS_INITIAL;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_observer observer = 0;
  netcore_client_event event;
  int32_t descriptor = 0;
  uint32_t count = 0;
  check_case = "a function";
  CHECK_OK(netcore_client_set_transport(client, hops_keep, &hops, NULL));
  CHECK_OK(netcore_client_add_observer(client, tell, &told, release, &observer));
  CHECK_STATUS(netcore_observer_read(observer, &event, 1, sizeof event, &count, NULL), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_observer_get_descriptor(observer, &descriptor), NETCORE_ERR_INVALID_STATE);
  CHECK_EQUAL(descriptor, -1);
  netcore_request request = request_new("GET", "http://app.test/");
  for (int i = 0; i < 20; i++) CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  hops_wait(&hops, 1);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(told.done, 20);
  CHECK_EQUAL(told.released, 1);
  CHECK_OK(netcore_observer_destroy(observer));
  CHECK_STATUS(netcore_observer_destroy(observer), NETCORE_ERR_INVALID_HANDLE);
}

static void test_end(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_client_event event;
  uint32_t count = 7;
  check_case = "the end of a client";
  netcore_observer observer = observer_of(client, 0), early = observer_of(client, 0);
  CHECK_OK(netcore_observer_destroy(early));
  netcore_request request = request_new("GET", "http://app.test/");
  netcore_task task = 0;
  CHECK_OK(netcore_task_create(client, request, NULL, NULL, &task));
  CHECK_OK(netcore_task_cancel(task));
  CHECK_OK(netcore_client_destroy(client));
  CHECK(is_readable(observer));
  CHECK_OK(netcore_observer_read(observer, &event, 1, sizeof event, &count, NULL));
  CHECK(count == 1 && event.kind == NETCORE_EVENT_DONE && event.error == NETCORE_ERR_CANCELED && event.task == task);
  CHECK_STATUS(netcore_observer_read(observer, &event, 1, sizeof event, &count, NULL), NETCORE_ERR_SHUT_DOWN);
  CHECK_EQUAL(count, 0);
  CHECK(is_readable(observer));
  CHECK_OK(netcore_observer_destroy(observer));
  CHECK_OK(netcore_request_destroy(request));
}

static void test_misuse(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_client_event event;
  netcore_observer observer = 7;
  uint32_t count = 7;
  check_case = "misuse";
  CHECK_STATUS(netcore_observer_create(client, (1 << 20) + 1, &observer), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(observer, 0);
  CHECK_STATUS(netcore_client_add_observer(client, NULL, NULL, NULL, &observer), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_client_add_observer(client, tell, NULL, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  observer = observer_of(client, 1 << 20);
  CHECK_STATUS(netcore_observer_read(observer, &event, 0, sizeof event, &count, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_observer_read(observer, NULL, 1, sizeof event, &count, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_observer_read(observer, &event, 1, 8, &count, NULL), NETCORE_ERR_INVALID_STRUCT);
  CHECK_EQUAL(count, 0);
  CHECK_OK(netcore_observer_destroy(observer));
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  test_transfer();
  test_tries();
  test_redirect();
  test_retry();
  test_breaker();
  test_wait();
  test_full_ring();
  test_function();
  test_end();
  test_misuse();
  return check_end();
}
