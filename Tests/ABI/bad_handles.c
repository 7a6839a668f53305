/*
 * Every function that takes a handle, with handles that are 0, made-up, stale and of the wrong kind: each answers
 * NETCORE_ERR_INVALID_HANDLE, names the argument, zeroes its results, runs no callback, sends nothing and leaves the
 * living handles alone.
 */
#include "support.h"

#include "support/hops.h"
#include "support/probes.h"

static uint64_t stale[KIND_COUNT];

static void check_probe(const struct probe *probe, const char *what, uint64_t handle) {
  fill_outs(probe);
  netcore_status status = probe->call(handle);
  const char *message = netcore_last_error_message();
  bool is_right = CHECK_STATUS(status, NETCORE_ERR_INVALID_HANDLE);
  is_right = CHECK(outs_are_cleared(probe)) && is_right;
  is_right = CHECK(strncmp(message, probe->argument, strlen(probe->argument)) == 0) && is_right;
  if (!is_right) fprintf(stderr, "    with a %s handle for `%s`; message: \"%s\"\n", what, probe->argument, message);
}

static void check_all_handles(const struct probe *probe) {
  uint64_t good = live[probe->kind];
  check_probe(probe, "zero", 0);
  check_probe(probe, "small", 1);
  check_probe(probe, "small", 42);
  check_probe(probe, "largest", UINT64_MAX);
  check_probe(probe, "2^53", (uint64_t)1 << 53);
  check_probe(probe, "2^53 - 1", ((uint64_t)1 << 53) - 1);
  check_probe(probe, "above 2^53", good | (uint64_t)1 << 53);
  check_probe(probe, "above 2^63", good | (uint64_t)1 << 63);
  check_probe(probe, "altered", good ^ (uint64_t)1 << 30);
  check_probe(probe, "altered", good ^ (uint64_t)1 << 40);
  check_probe(probe, "negative", (uint64_t)-(int64_t)good);
  check_probe(probe, "stale", stale[probe->kind]);
  for (int kind = 0; kind < KIND_COUNT; kind++)
    if (kind != (int)probe->kind) check_probe(probe, "wrong-kind", live[kind]);
}

/* A client whose transport is given a hop, and a hop that has ended. */
static struct hops hops = HOPS_INITIAL;
static netcore_client hop_client;

static void make_hops(void) {
  netcore_task task;
  netcore_request request = request_new("GET", "http://app.test/");
  hop_client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_set_transport(hop_client, hops_keep, &hops, NULL));
  CHECK_OK(netcore_dispatch(hop_client, request, NULL, NULL, &task));
  stale[KIND_HOP] = hops_wait(&hops, 1);
  CHECK_OK(netcore_hop_answer(stale[KIND_HOP], 204, NULL, NULL, 0));
  CHECK_OK(netcore_dispatch(hop_client, request, NULL, NULL, &task));
  live[KIND_HOP] = hops_wait(&hops, 2);
  CHECK_OK(netcore_request_destroy(request));
}

static void make_stale(const char *url) {
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  door_get(&door, url, &outcome);
  stale[KIND_TASK] = outcome.task;
  CHECK_OK(netcore_group_create(door.client, &stale[KIND_GROUP]));
  CHECK_OK(netcore_group_cancel(stale[KIND_GROUP]));
  door_wait(&door, &ended, 1);
  stale[KIND_RESPONSE] = outcome.completion.response;
  WAIT_UNTIL(task_state(stale[KIND_TASK]) == NETCORE_TASK_STATE_NONE);
  outcome_free(&outcome);
  stale[KIND_CLIENT] = door.client;
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_OK(netcore_cache_create(NULL, &stale[KIND_CACHE]));
  CHECK_OK(netcore_cache_destroy(stale[KIND_CACHE]));
  CHECK_OK(netcore_stubs_create(&stale[KIND_STUBS]));
  CHECK_OK(netcore_stubs_destroy(stale[KIND_STUBS]));
  CHECK_OK(netcore_task_scope_create(0, NULL, &stale[KIND_TASK_SCOPE]));
  CHECK_OK(netcore_task_scope_close(stale[KIND_TASK_SCOPE]));
  CHECK_OK(netcore_cassette_create("/tmp/netcore-no-such-cassette.har", NULL, &stale[KIND_CASSETTE]));
  CHECK_OK(netcore_cassette_destroy(stale[KIND_CASSETTE]));
  CHECK_OK(netcore_clock_create(NULL, &stale[KIND_CLOCK]));
  CHECK_OK(netcore_clock_destroy(stale[KIND_CLOCK]));
  stale[KIND_REQUEST] = request_new("GET", url);
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_event_source_create(client, stale[KIND_REQUEST], NULL, &stale[KIND_EVENT_SOURCE]));
  CHECK_OK(netcore_event_source_destroy(stale[KIND_EVENT_SOURCE]));
  CHECK_OK(netcore_pages_create(client, stale[KIND_REQUEST], NULL, NULL, NULL, NULL, &stale[KIND_PAGES]));
  CHECK_OK(netcore_pages_destroy(stale[KIND_PAGES]));
  CHECK_OK(netcore_module_create(0, &stale[KIND_MODULE]));
  CHECK_OK(netcore_api_create(stale[KIND_MODULE], stale[KIND_REQUEST], &stale[KIND_API]));
  CHECK_OK(netcore_module_destroy(stale[KIND_MODULE]));
  CHECK_OK(netcore_api_destroy(stale[KIND_API]));
  CHECK_OK(netcore_observer_create(client, 1, &stale[KIND_OBSERVER]));
  CHECK_OK(netcore_observer_destroy(stale[KIND_OBSERVER]));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_request_destroy(stale[KIND_REQUEST]));
}

static void make_live(const char *url, struct outcome *outcome) {
  netcore_client_options options = {.size = sizeof options};
  CHECK_OK(netcore_cache_create(NULL, &live[KIND_CACHE]));
  options.cache = live[KIND_CACHE];
  CHECK_OK(netcore_client_create(&options, &live[KIND_CLIENT]));
  CHECK_OK(netcore_stubs_create(&live[KIND_STUBS]));
  CHECK_OK(netcore_task_scope_create(0, NULL, &live[KIND_TASK_SCOPE]));
  CHECK_OK(netcore_cassette_create("/tmp/netcore-no-such-cassette.har", NULL, &live[KIND_CASSETTE]));
  CHECK_OK(netcore_clock_create(NULL, &live[KIND_CLOCK]));
  live[KIND_REQUEST] = request_new("GET", url);
  CHECK_OK(netcore_task_create(live[KIND_CLIENT], live[KIND_REQUEST], outcome_done, outcome, &live[KIND_TASK]));
  CHECK_OK(netcore_group_create(live[KIND_CLIENT], &live[KIND_GROUP]));
  CHECK_OK(netcore_event_source_create(live[KIND_CLIENT], live[KIND_REQUEST], NULL, &live[KIND_EVENT_SOURCE]));
  CHECK_OK(netcore_pages_create(live[KIND_CLIENT], live[KIND_REQUEST], NULL, NULL, NULL, NULL, &live[KIND_PAGES]));
  CHECK_OK(netcore_observer_create(live[KIND_CLIENT], 1, &live[KIND_OBSERVER]));
  CHECK_OK(netcore_module_create(live[KIND_REQUEST], &live[KIND_MODULE]));
  CHECK_OK(netcore_api_create(live[KIND_MODULE], live[KIND_REQUEST], &live[KIND_API]));
  live[KIND_RESPONSE] = fetch(live[KIND_CLIENT], at(ORIGIN, "/status/200")).response;
}

/* The living handles must not have noticed. */
static void check_live(const char *target, struct outcome *outcome) {
  netcore_group_info group = {.size = sizeof group};
  netcore_cache_statistics statistics = {.size = sizeof statistics};
  check_case = "the living handles, after all";
  CHECK_EQUAL(requests_seen(live[KIND_CLIENT], target), 0);
  CHECK_EQUAL(outcome->calls, 0);
  CHECK_OK(netcore_cache_get_statistics(live[KIND_CACHE], &statistics));
  CHECK_EQUAL(statistics.stored, 0);
  CHECK_EQUAL(task_state(live[KIND_TASK]), NETCORE_TASK_STATE_CREATED);
  CHECK_OK(netcore_group_get_info(live[KIND_GROUP], &group));
  CHECK_EQUAL(group.total, 0);
  CHECK_EQUAL(group.is_dispatched, 0);
  CHECK_EQUAL(response_info(live[KIND_RESPONSE]).http_status, 200);
  struct answer answer = perform(live[KIND_CLIENT], live[KIND_REQUEST]);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, "\"method\": \"GET\"");
  CHECK(!body_has(&answer, "X-A"));
  answer_free(&answer);
  CHECK_EQUAL(requests_seen(live[KIND_CLIENT], target), 1);
}

static void destroy_live(struct outcome *outcome) {
  CHECK_OK(netcore_hop_answer(live[KIND_HOP], 204, NULL, NULL, 0));
  CHECK_OK(netcore_client_destroy(hop_client));
  CHECK_OK(netcore_stubs_destroy(live[KIND_STUBS]));
  CHECK_OK(netcore_task_scope_close(live[KIND_TASK_SCOPE]));
  CHECK_OK(netcore_cassette_destroy(live[KIND_CASSETTE]));
  CHECK_OK(netcore_clock_destroy(live[KIND_CLOCK]));
  CHECK_OK(netcore_pages_destroy(live[KIND_PAGES]));
  CHECK_OK(netcore_api_destroy(live[KIND_API]));
  CHECK_OK(netcore_module_destroy(live[KIND_MODULE]));
  CHECK_OK(netcore_response_release(live[KIND_RESPONSE]));
  CHECK_OK(netcore_event_source_destroy(live[KIND_EVENT_SOURCE]));
  CHECK_OK(netcore_observer_destroy(live[KIND_OBSERVER]));
  CHECK_OK(netcore_request_destroy(live[KIND_REQUEST]));
  CHECK_OK(netcore_client_destroy(live[KIND_CLIENT]));
  CHECK_OK(netcore_cache_destroy(live[KIND_CACHE]));
  CHECK_EQUAL(outcome->calls, 1);
  CHECK_STATUS(outcome->completion.status, NETCORE_ERR_CANCELED);
  outcome_free(outcome);
}

int main(void) {
  struct outcome outcome = {0};
  const char *target = marked("/echo", "bad-handles");
  check_begin();
  make_stale(at(ORIGIN, "/status/200"));
  make_live(at(ORIGIN, target), &outcome);
  make_hops();
  for (size_t i = 0; i < LENGTH(probes); i++) check_all_handles(&probes[i]);
  check_live(target, &outcome);
  destroy_live(&outcome);
  return check_end();
}
