/*
 * fork() with requests in flight: in the child every call on a handle of the parent answers NETCORE_ERR_FORKED, nothing
 * hangs, and a new client works; the parent does not notice. A child tells its result by a pipe, valgrind's errors counted
 * in, and is then killed, so that valgrind does not take the parent's memory for the child's leaks.
 */
#include "support.h"

#include <sys/wait.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_COUNT_ERRORS 0
#endif

#include "support/cache.h"
#include "support/hops.h"
#include "support/probes.h"
#include "support/server.h"

static struct tally ended = TALLY_INITIAL;

static struct {
  netcore_client clients[3];
  netcore_request request;
  netcore_task created, running;
  netcore_group group;
  netcore_response response;
  netcore_event_source source;
  /* On disk, and a client that uses it. */
  netcore_cache cache;
  netcore_client cached;
  /* Given to a transport, and not answered. */
  netcore_hop hop;
  netcore_client stubbed;
  netcore_stubs stubs;
  netcore_task_scope scope;
  netcore_cassette cassette;
  netcore_clock clock;
  netcore_pages pages;
} parents;

static struct hops hops = HOPS_INITIAL;

/* Whether a function ends its handle, so that others are tried before it. */
static bool is_end(const char *function) { return strstr(function, "_destroy") || strstr(function, "_release"); }

static void check_is_forked(const struct probe *probe, uint64_t handle) {
  fill_outs(probe);
  CHECK_STATUS(probe->call(handle), NETCORE_ERR_FORKED);
  CHECK(outs_are_cleared(probe));
}

/* Each function on each handle of a kind. */
static void check_kind_is_forked(enum kind kind, const uint64_t *handles, size_t count, bool ends) {
  for (size_t i = 0; i < LENGTH(probes); i++)
    for (size_t j = 0; j < count && probes[i].kind == kind && is_end(probes[i].function) == ends; j++)
      check_is_forked(&probes[i], handles[j]);
}

static void check_all_are_forked(bool ends) {
  uint64_t clients[] = {parents.clients[0], parents.clients[1], parents.clients[2], parents.cached, parents.stubbed};
  uint64_t tasks[] = {parents.created, parents.running};
  live[KIND_CLIENT] = parents.cached;
  live[KIND_REQUEST] = parents.request;
  live[KIND_GROUP] = parents.group;
  live[KIND_PAGES] = parents.pages;
  live[KIND_TASK] = parents.created;
  check_kind_is_forked(KIND_CLIENT, clients, LENGTH(clients), ends);
  check_kind_is_forked(KIND_TASK, tasks, LENGTH(tasks), ends);
  check_kind_is_forked(KIND_GROUP, &parents.group, 1, ends);
  check_kind_is_forked(KIND_RESPONSE, &parents.response, 1, ends);
  check_kind_is_forked(KIND_REQUEST, &parents.request, 1, ends);
  check_kind_is_forked(KIND_CACHE, &parents.cache, 1, ends);
  check_kind_is_forked(KIND_HOP, &parents.hop, 1, ends);
  check_kind_is_forked(KIND_EVENT_SOURCE, &parents.source, 1, ends);
  check_kind_is_forked(KIND_STUBS, &parents.stubs, 1, ends);
  check_kind_is_forked(KIND_TASK_SCOPE, &parents.scope, 1, ends);
  check_kind_is_forked(KIND_CASSETTE, &parents.cassette, 1, ends);
  check_kind_is_forked(KIND_CLOCK, &parents.clock, 1, ends);
  check_kind_is_forked(KIND_PAGES, &parents.pages, 1, ends);
}

/* It does not hang, though its parent has nothing to take. */
static void check_wait_is_forked(netcore_client client) {
  netcore_completion completion;
  uint32_t count = 77;
  CHECK_STATUS(netcore_client_wait(client, &completion, 1, sizeof completion, UINT64_MAX, &count), NETCORE_ERR_FORKED);
  CHECK_EQUAL(count, 0);
}

/* A new client in the child: it fetches, by perform and by callback, and can be destroyed. */
static void check_new_client(void) {
  struct tally ended_here = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended_here};
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  struct answer answer = fetch(door.client, at(ORIGIN, "/bytes/1000"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(is_pattern(answer.info.body, 1000));
  answer_free(&answer);
  door_get(&door, at(ORIGIN, "/bytes/1000"), &outcome);
  door_wait(&door, &ended_here, 1);
  CHECK_STATUS(outcome.completion.status, NETCORE_OK);
  outcome_free(&outcome);
  CHECK_OK(netcore_client_destroy(door.client));
}

/* Gets what the origin lets a cache keep; returns what the cache did. */
static netcore_cache_result get_cacheable(netcore_client client, const char *mark) {
  char path[100];
  snprintf(path, sizeof path, "/headers?Cache-Control=max-age%%3D1000&mark=%s", mark);
  struct answer answer = fetch(client, at(ORIGIN, path));
  CHECK_STATUS(answer.status, NETCORE_OK);
  netcore_cache_result result = answer.info.cache_result;
  answer_free(&answer);
  return result;
}

/* A cache of the child's own, in a folder of its own, does as ever. */
static void check_new_cache(void) {
  char *folder = folder_new();
  for (int i = 0; i < 2; i++) {
    netcore_cache cache = cache_new(folder);
    netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
    CHECK_EQUAL(get_cacheable(client, "a"), i == 0 ? NETCORE_CACHE_RESULT_NOT_CACHED : NETCORE_CACHE_RESULT_HIT);
    CHECK_OK(netcore_client_destroy(client));
    CHECK_OK(netcore_cache_destroy(cache));
  }
  folder_remove(folder);
}

static void check_everything(void) {
  netcore_request relative = 0;
  check_all_are_forked(false);
  for (int i = 0; i < 3; i++) check_wait_is_forked(parents.clients[i]);
  check_case = "a new client in the child";
  check_new_client();
  check_case = "a new cache in the child";
  check_new_cache();
  check_all_are_forked(true);
  /* These take no handle: they work as ever. */
  CHECK_OK(netcore_request_create_relative("GET", NULL, "/", &relative));
  CHECK_OK(netcore_set_log(NULL, NULL, NULL));
  CHECK_OK(netcore_request_destroy(relative));
}

static void exit_at_once(void) { exit(0); }

/* Runs something in a child and expects it to end without failures. */
static void run_in_child(void (*run)(void)) {
  int result[2], failures = -1, status = 0;
  REQUIRE(pipe(result) == 0);
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(stretched(50));
    check_failures = 0;
    int errors_before = (int)VALGRIND_COUNT_ERRORS;
    run();
    /* To see them: valgrind without --child-silent-after-fork. */
    CHECK_EQUAL((int)VALGRIND_COUNT_ERRORS - errors_before, 0);
    if (write(result[1], &check_failures, sizeof check_failures) < 0) _exit(1);
    kill(getpid(), SIGKILL);
  }
  close(result[1]);
  bool is_told = read(result[0], &failures, sizeof failures) == (ssize_t)sizeof failures;
  close(result[0]);
  CHECK(waitpid(child, &status, 0) == child);
  if (run == exit_at_once) {
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  } else {
    CHECK(is_told);
    CHECK_EQUAL(failures, 0);
  }
}

/* The cache keeps what it had, stores more, and all of it is on disk at the end. */
static void check_parents_cache(char *folder) {
  check_case = "the parent's cache after fork";
  CHECK_EQUAL(get_cacheable(parents.cached, "before"), NETCORE_CACHE_RESULT_HIT);
  CHECK_EQUAL(get_cacheable(parents.cached, "after"), NETCORE_CACHE_RESULT_NOT_CACHED);
  CHECK_OK(netcore_cache_flush(parents.cache));
  CHECK_EQUAL(cache_statistics(parents.cache).disk_count, 2);
  CHECK_OK(netcore_client_destroy(parents.cached));
  CHECK_OK(netcore_cache_destroy(parents.cache));
  netcore_cache cache = cache_new(folder);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  CHECK_EQUAL(get_cacheable(client, "before"), NETCORE_CACHE_RESULT_HIT);
  CHECK_EQUAL(get_cacheable(client, "after"), NETCORE_CACHE_RESULT_HIT);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
  folder_remove(folder);
}

static void test_in_flight(void) {
  struct outcome outcomes[3], created = {.ended = &ended};
  struct door doors[3];
  struct server *server = server_start(0);
  check_case = "fork with requests in flight";
  parents.request = request_new("GET", server_url(server, "/"));
  for (int i = 0; i < 3; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    doors[i] = door_open((netcore_completion_mode)i);
    parents.clients[i] = doors[i].client;
    CHECK_OK(door_dispatch(&doors[i], parents.request, &outcomes[i]));
  }
  WAIT_UNTIL(server_held(server) == 3);
  parents.running = outcomes[0].task;
  CHECK_OK(netcore_task_create(doors[0].client, parents.request, outcome_done, &created, &created.task));
  parents.created = created.task;
  CHECK_OK(netcore_group_create(doors[0].client, &parents.group));
  REQUIRE_OK(netcore_event_source_create(doors[0].client, parents.request, NULL, &parents.source));
  REQUIRE_OK(netcore_pages_create(doors[0].client, parents.request, NULL, NULL, NULL, NULL, &parents.pages));
  char *folder = folder_new();
  parents.response = fetch(doors[0].client, at(ORIGIN, "/status/200")).response;
  parents.cache = cache_new(folder);
  parents.cached = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, parents.cache);
  CHECK_EQUAL(get_cacheable(parents.cached, "before"), NETCORE_CACHE_RESULT_NOT_CACHED);
  REQUIRE_OK(netcore_stubs_create(&parents.stubs));
  REQUIRE_OK(netcore_task_scope_create(0, NULL, &parents.scope));
  REQUIRE_OK(netcore_cassette_create("/tmp/netcore-no-such-cassette.har", NULL, &parents.cassette));
  REQUIRE_OK(netcore_clock_create(NULL, &parents.clock));
  parents.stubbed = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_set_transport(parents.stubbed, hops_keep, &hops, NULL));
  CHECK_OK(netcore_dispatch(parents.stubbed, parents.request, NULL, NULL, NULL));
  parents.hop = hops_wait(&hops, 1);

  run_in_child(check_everything);
  if (!is_slow()) run_in_child(exit_at_once); /* valgrind would count the parent's memory as leaked */

  check_case = "the parent after fork";
  CHECK_EQUAL(response_info(parents.response).http_status, 200);
  CHECK_OK(netcore_response_release(parents.response));
  CHECK_OK(netcore_event_source_destroy(parents.source));
  CHECK_OK(netcore_stubs_destroy(parents.stubs));
  CHECK_OK(netcore_task_scope_close(parents.scope));
  CHECK_OK(netcore_cassette_destroy(parents.cassette));
  CHECK_OK(netcore_clock_destroy(parents.clock));
  CHECK_OK(netcore_pages_destroy(parents.pages));
  CHECK_EQUAL(task_state(parents.created), NETCORE_TASK_STATE_CREATED);
  CHECK_OK(netcore_hop_answer(parents.hop, 204, NULL, NULL, 0));
  CHECK_OK(netcore_client_destroy(parents.stubbed));
  server_allow(server, 3);
  for (int i = 0; i < 3; i++) door_wait(&doors[i], &ended, (unsigned)i + 1);
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL(outcomes[i].calls, 1);
    CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK);
    outcome_free(&outcomes[i]);
    CHECK_OK(netcore_client_destroy(doors[i].client));
  }
  CHECK_STATUS(created.completion.status, NETCORE_ERR_CANCELED);
  outcome_free(&created);
  check_parents_cache(folder);
  CHECK_OK(netcore_request_destroy(parents.request));
  server_stop(server);
  free(server);
}

/* Forks while other threads are inside the library: whatever lock one of them holds, the child must not wait for it. */
static netcore_client busy_client, busy_cached;
static bool is_over;

static void *keep_busy(void *unused) {
  (void)unused;
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
    netcore_request request = request_new("GET", at(NGINX, "/small.txt"));
    for (int i = 0; i < 20; i++) {
      netcore_task task = 0;
      CHECK_OK(netcore_dispatch(busy_client, request, NULL, NULL, &task));
      netcore_task_cancel(task);
    }
    struct answer answer = perform_once(busy_client, request); /* so that no queue grows */
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
    request = request_new("GET", at(NGINX, "/1k"));
    CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_RELOAD));
    answer = perform_once(busy_cached, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
  }
  return NULL;
}

static void use_all_clients(void) {
  CHECK_STATUS(netcore_client_cancel_all(busy_client, NULL), NETCORE_ERR_FORKED);
  check_new_client();
  check_new_cache();
  CHECK_STATUS(netcore_client_destroy(busy_cached), NETCORE_ERR_FORKED);
  CHECK_STATUS(netcore_client_destroy(busy_client), NETCORE_ERR_FORKED);
}

static void test_busy(void) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  check_case = "fork while the library is busy";
  char *folder = folder_new();
  netcore_cache cache = cache_new(folder);
  busy_client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  busy_cached = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, keep_busy, NULL) == 0);
  for (int i = 0; i < (is_slow() ? 3 : 30); i++) run_in_child(use_all_clients);
  __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
  struct answer answer = fetch(busy_client, at(NGINX, "/small.txt"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  CHECK_EQUAL(cache_statistics(cache).disk_damaged, 0);
  CHECK_OK(netcore_client_destroy(busy_client));
  CHECK_OK(netcore_client_destroy(busy_cached));
  CHECK_OK(netcore_cache_destroy(cache));
  folder_remove(folder);
}

int main(void) {
  check_begin();
  test_in_flight();
  test_busy();
  return check_end();
}
