/*
 * The modes in which a request can use its cache, and what comes before the end of a task: the stored answer of
 * NETCORE_CACHE_MODE_THEN_NETWORK and interim answers, in each way of receiving completions.
 */
#include "support.h"

#include "support/cache.h"
#include "support/server.h"

/* All completions of one task, in order. */
struct history {
  /** Raised by the end, and by what comes before it. */
  struct tally ended, early;
  netcore_task task;
  unsigned count;
  struct {
    netcore_completion_kind kind;
    netcore_status status;
    int http_status;
    netcore_cache_result result;
    char body[100];
  } seen[8];
  /** Run for each. */
  void (*hook)(struct history *history, const netcore_completion *completion);
};

#define HISTORY_INITIAL {.ended = TALLY_INITIAL, .early = TALLY_INITIAL}

static bool is_queue;

static void remember(const netcore_completion *completion) {
  struct history *history = completion->user_data;
  CHECK(!is_registering);
  CHECK_EQUAL(completion->size, sizeof *completion);
  CHECK(completion->task == history->task && completion->group == 0 && completion->response != 0);
  CHECK_EQUAL(tally_count(&history->ended), 0); /* the end comes last */
  REQUIRE(history->count < LENGTH(history->seen));
  netcore_response_info info = response_info(completion->response);
  unsigned index = history->count++;
  history->seen[index].kind = completion->kind;
  history->seen[index].status = completion->status;
  history->seen[index].http_status = completion->http_status;
  history->seen[index].result = info.cache_result;
  snprintf(history->seen[index].body, sizeof history->seen[index].body, "%.*s", (int)info.body.size_bytes,
           (const char *)info.body.data);
  /* In queue mode one call may have taken the end as well. */
  CHECK(task_state(completion->task) != NETCORE_TASK_STATE_NONE || completion->kind == NETCORE_COMPLETION_KIND_TASK ||
        is_queue);
  if (history->hook != NULL) history->hook(history, completion);
  tally_raise(completion->kind == NETCORE_COMPLETION_KIND_TASK ? &history->ended : &history->early);
}

static void remember_end(const netcore_completion *completion) {
  CHECK_EQUAL(completion->kind, NETCORE_COMPLETION_KIND_TASK);
  remember(completion);
}

static void remember_event(const netcore_completion *event, void *user_data) {
  CHECK(event->kind != NETCORE_COMPLETION_KIND_TASK);
  CHECK(!is_queue && user_data == &is_queue);
  remember(event);
}

static netcore_status begin(const struct door *door, netcore_request request, struct history *history) {
  netcore_done_fn done = mode_is_queue(door->mode) ? NULL : remember_end;
  CHECK_OK(netcore_request_set_event_function(request, remember_event, &is_queue, NULL));
  netcore_status status;
  REGISTERING(status, netcore_dispatch(door->client, request, done, history, &history->task));
  return status;
}

/* Receives what is there; never waits for long. */
static void receive(const struct door *door) {
  netcore_completion taken[4];
  uint32_t count = 0;
  if (door->mode == NETCORE_COMPLETION_MODE_CALLBACK) {
    pause_ms(1);
  } else if (mode_is_pump(door->mode)) {
    if (door_is_readable(door, 20)) CHECK_OK(netcore_client_process(door->client, 0, NULL));
  } else {
    CHECK_OK(netcore_client_wait(door->client, taken, LENGTH(taken), sizeof(netcore_completion), 20, &count));
    for (uint32_t i = 0; i < count; i++) {
      remember(&taken[i]);
      CHECK_OK(netcore_response_release(taken[i].response));
    }
  }
}

static void finish(const struct door *door, struct history *history) {
  uint64_t deadline = now_ms() + patience_ms();
  while (tally_count(&history->ended) == 0 && now_ms() < deadline) receive(door);
  CHECK_EQUAL(tally_count(&history->ended), 1);
  for (int i = 0; i < 3; i++) receive(door); /* nothing follows */
  WAIT_UNTIL(task_state(history->task) == NETCORE_TASK_STATE_NONE);
}

static void run(const struct door *door, netcore_request request, struct history *history) {
  *history = (struct history)HISTORY_INITIAL;
  CHECK_OK(begin(door, request, history));
  finish(door, history);
}

static netcore_request request_in(netcore_cache_mode mode, const char *url, uint64_t ttl_ms) {
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_request_set_cache_mode(request, mode));
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, ttl_ms));
  return request;
}

static void test_then_network(const struct door *door, struct server *server) {
  static char name[100];
  char path[40];
  struct history history;
  snprintf(name, sizeof name, "cache then network, %s mode", mode_name(door->mode));
  check_case = name;
  snprintf(path, sizeof path, "/then-%d", (int)door->mode);
  netcore_request request = request_in(NETCORE_CACHE_MODE_THEN_NETWORK, server_url(server, path), 1000000);

  server_allow(server, 1);
  run(door, request, &history);
  CHECK_EQUAL(history.count, 1); /* nothing was stored */
  CHECK_EQUAL(history.seen[0].kind, NETCORE_COMPLETION_KIND_TASK);

  /* The stored answer comes while the origin is still thinking. */
  history = (struct history)HISTORY_INITIAL;
  unsigned received = server_received(server);
  CHECK_OK(begin(door, request, &history));
  uint64_t deadline = now_ms() + patience_ms();
  while (tally_count(&history.early) < 1 && now_ms() < deadline) receive(door);
  WAIT_UNTIL(server_received(server) == received + 1);
  CHECK_EQUAL(tally_count(&history.ended), 0);
  server_allow(server, 1);
  finish(door, &history);
  CHECK_EQUAL(history.count, 2);
  CHECK_EQUAL(history.seen[0].kind, NETCORE_COMPLETION_KIND_PROVISIONAL);
  CHECK_STATUS(history.seen[0].status, NETCORE_OK);
  CHECK_EQUAL(history.seen[0].http_status, 200);
  CHECK_RESULT(history.seen[0].result, HIT);
  CHECK(strcmp(history.seen[0].body, "ok") == 0);
  CHECK_EQUAL(history.seen[1].kind, NETCORE_COMPLETION_KIND_TASK);
  CHECK_RESULT(history.seen[1].result, REQUESTED);

  /* Canceled between the two: the end is a cancel. */
  history = (struct history)HISTORY_INITIAL;
  CHECK_OK(begin(door, request, &history));
  deadline = now_ms() + patience_ms();
  while (tally_count(&history.early) < 1 && now_ms() < deadline) receive(door);
  CHECK_OK(netcore_task_cancel(history.task));
  finish(door, &history);
  CHECK_EQUAL(history.count, 2);
  CHECK_EQUAL(history.seen[0].kind, NETCORE_COMPLETION_KIND_PROVISIONAL);
  CHECK_STATUS(history.seen[1].status, NETCORE_ERR_CANCELED);

  /* Blocking calls get the last one only. */
  WAIT_UNTIL(server_held(server) == 0);
  server_allow(server, 1);
  CHECK_RESULT(result_for(door->client, request), REQUESTED);
  CHECK_OK(netcore_request_destroy(request));
}

static bool has_canceled;

/* The answer may have come meanwhile; what the cancel says holds. */
static void cancel_early(struct history *history, const netcore_completion *completion) {
  if (completion->kind == NETCORE_COMPLETION_KIND_TASK) return;
  netcore_status status = netcore_task_cancel(history->task);
  CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_HANDLE);
  has_canceled = has_canceled || status == NETCORE_OK;
}

static void test_interim(const struct door *door) {
  static const char script[] =
      "[{'send': 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'}, {'sleep_ms': 20},"
      " {'send': 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nCache-Control: max-age=1000\r\n"
      "Content-Length: 2\r\n\r\nok'}]";
  static char name[100];
  struct history history;
  snprintf(name, sizeof name, "interim answers, %s mode", mode_name(door->mode));
  check_case = name;
  netcore_request request = script_request("GET", ORIGIN, script);
  CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_RELOAD));
  run(door, request, &history);
  CHECK_EQUAL(history.count, 1); /* not asked for */
  CHECK_OK(netcore_request_set_interim_responses(request, 1));
  run(door, request, &history);
  CHECK_EQUAL(history.count, 3);
  CHECK_EQUAL(history.seen[0].kind, NETCORE_COMPLETION_KIND_INTERIM);
  CHECK_EQUAL(history.seen[0].http_status, 103);
  CHECK_EQUAL(history.seen[1].kind, NETCORE_COMPLETION_KIND_INTERIM);
  CHECK_EQUAL(history.seen[1].http_status, 102);
  CHECK_EQUAL(history.seen[2].kind, NETCORE_COMPLETION_KIND_TASK);
  CHECK_EQUAL(history.seen[2].http_status, 200);
  CHECK(strcmp(history.seen[2].body, "ok") == 0);
  CHECK_RESULT(result_for(door->client, request), REQUESTED); /* a blocking call is notified of none */

  /* Interim answers are not stored: a hit has none. */
  CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_STANDARD));
  run(door, request, &history);
  CHECK_EQUAL(history.count, 1);
  CHECK_RESULT(history.seen[0].result, HIT);

  if (!mode_is_queue(door->mode)) {
    CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_RELOAD));
    history = (struct history){.ended = TALLY_INITIAL, .early = TALLY_INITIAL, .hook = cancel_early};
    has_canceled = false;
    CHECK_OK(begin(door, request, &history));
    finish(door, &history);
    CHECK(history.count >= 2 && history.seen[0].kind == NETCORE_COMPLETION_KIND_INTERIM);
    CHECK_STATUS(history.seen[history.count - 1].status, has_canceled ? NETCORE_ERR_CANCELED : NETCORE_OK);
  }
  CHECK_OK(netcore_request_destroy(request));
}

/* A client that ends with provisional answers about: none is lost or leaks, the end comes once. */
static void test_destroy_with_early(netcore_completion_mode mode) {
  struct server *server = server_start(1);
  netcore_cache cache = cache_new(NULL);
  struct door door = cached_door(mode, cache);
  struct history histories[10];
  check_case = "a client ends behind provisional answers";
  netcore_request request = request_in(NETCORE_CACHE_MODE_THEN_NETWORK, server_url(server, "/"), 1000000);
  run(&door, request, &histories[0]);
  for (size_t i = 0; i < LENGTH(histories); i++) {
    histories[i] = (struct history)HISTORY_INITIAL;
    CHECK_OK(begin(&door, request, &histories[i]));
  }
  CHECK_OK(netcore_client_destroy(door.client));
  for (size_t i = 0; i < LENGTH(histories); i++)
    CHECK_EQUAL(tally_count(&histories[i].ended), mode_is_queue(mode) ? 0 : 1);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_cache_destroy(cache));
  server_stop(server);
  free(server);
}

/* Result and HTTP status of one request in a mode. */
static void check_mode(netcore_client client, netcore_cache_mode mode, const char *url, uint64_t ttl_ms,
                       netcore_cache_result result, int http_status) {
  netcore_request request = request_in(mode, url, ttl_ms);
  struct answer answer = perform_once(client, request);
  CHECK_EQUAL(answer.info.cache_result, result);
  CHECK_EQUAL(answer.info.http_status, http_status);
  answer_free(&answer);
}

#define MODE(mode, result, http_status) \
  (check_case = #mode, \
   check_mode(client, NETCORE_CACHE_MODE_##mode, url, ttl_ms, NETCORE_CACHE_RESULT_##result, http_status))

static void test_modes(void) {
  struct server *server = server_start(1000);
  netcore_cache cache = cache_new(NULL);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  const char *url = server_url(server, "/modes");
  uint64_t ttl_ms = 1000000;
  MODE(ONLY, UNSATISFIABLE, 504);
  CHECK_EQUAL(server_received(server), 0);
  MODE(IGNORE, REQUESTED, 200);
  MODE(ONLY, UNSATISFIABLE, 504);
  MODE(ELSE_NETWORK, NOT_CACHED, 200);
  MODE(ONLY, HIT, 200);
  MODE(STANDARD, HIT, 200);
  MODE(ELSE_NETWORK, HIT, 200);
  CHECK_EQUAL(server_received(server), 2);
  MODE(IGNORE, REQUESTED, 200);
  MODE(RELOAD, REQUESTED, 200);
  MODE(NETWORK_ELSE_CACHE, REQUESTED, 200);
  MODE(THEN_NETWORK, REQUESTED, 200);
  CHECK_EQUAL(server_received(server), 6);
  MODE(STANDARD, HIT, 200);
  MODE(NEVER, REQUESTED, 200);
  MODE(ONLY, UNSATISFIABLE, 504);

  MODE(STANDARD, NOT_CACHED, 200);
  ttl_ms = 1;
  pause_ms(5);
  unsigned received = server_received(server);
  MODE(ONLY, STALE_HIT, 200);
  MODE(ELSE_NETWORK, STALE_HIT, 200);
  CHECK_EQUAL(server_received(server), received);
  MODE(STANDARD, EXPIRED, 200);
  pause_ms(5);
  server_stop(server);
  MODE(NETWORK_ELSE_CACHE, STALE_HIT, 200);
  ttl_ms = 1000000;
  MODE(NETWORK_ELSE_CACHE, HIT, 200);
  check_case = "an origin that is out of reach";
  netcore_request request = request_in(NETCORE_CACHE_MODE_RELOAD, url, ttl_ms);
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_CONNECT);
  answer_free(&answer);
  free(server);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

static void test_get_cached(void) {
  char *folder = folder_new();
  netcore_cache cache = cache_new(folder);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_PUMP, cache);
  const char *target = keepable("cached", "&ETag=%22one%22");
  netcore_request request = request_new("GET", at(ORIGIN, target));
  netcore_response response = 77;
  netcore_cache_result result = 77;
  check_case = "what is stored, without sending";
  CHECK_STATUS(netcore_client_get_cached(client, request, &response, &result), NETCORE_ERR_NOT_FOUND);
  CHECK_EQUAL(response, 0);
  CHECK_RESULT(result, NOT_CACHED);
  CHECK_EQUAL(requests_seen(client, target), 0);
  result_for(client, request);
  for (int i = 0; i < 2; i++) {
    CHECK_OK(netcore_client_get_cached(client, request, &response, &result));
    CHECK_RESULT(result, HIT);
    netcore_response_info info = response_info(response);
    CHECK(info.http_status == 200 && info.cache_result == NETCORE_CACHE_RESULT_HIT);
    CHECK_TEXT(info.body, "ok\n");
    CHECK(bytes_have(info.url, target));
    CHECK_OK(netcore_response_release(response));
    /* The second time from disk. */
    CHECK_OK(netcore_client_destroy(client));
    CHECK_OK(netcore_cache_destroy(cache));
    cache = cache_new(folder);
    client = cached_client(NETCORE_COMPLETION_MODE_PUMP, cache);
  }
  CHECK_OK(netcore_request_set_cache_version(request, 2));
  CHECK_STATUS(netcore_client_get_cached(client, request, &response, &result), NETCORE_ERR_NOT_FOUND);
  CHECK_RESULT(result, VERSION);
  CHECK_OK(netcore_request_set_cache_version(request, 0));
  CHECK_OK(netcore_request_set_cache_scope(request, "other"));
  CHECK_STATUS(netcore_client_get_cached(client, request, &response, &result), NETCORE_ERR_NOT_FOUND);
  CHECK_RESULT(result, SCOPE);
  CHECK_OK(netcore_request_set_cache_scope(request, NULL));
  CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_IGNORE));
  CHECK_STATUS(netcore_client_get_cached(client, request, &response, NULL), NETCORE_ERR_NOT_FOUND);
  CHECK_OK(netcore_request_destroy(request));

  check_case = "a stale answer, without sending";
  request = request_in(NETCORE_CACHE_MODE_STANDARD, at(ORIGIN, marked("/echo", "stale")), 1);
  result_for(client, request);
  pause_ms(5);
  CHECK_OK(netcore_client_get_cached(client, request, &response, &result));
  CHECK_RESULT(result, STALE_HIT);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_EQUAL(requests_seen(client, target), 1);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
  folder_remove(folder);
}

int main(void) {
  check_begin();
  test_modes();
  test_get_cached();
  struct server *server = server_start(0);
  netcore_cache cache = cache_new(NULL);
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++) {
    struct door door = cached_door(mode, cache);
    is_queue = mode_is_queue(mode);
    test_then_network(&door, server);
    test_interim(&door);
    CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_ALL, NULL));
    CHECK_OK(netcore_client_destroy(door.client));
    test_destroy_with_early(mode);
  }
  CHECK_OK(netcore_cache_destroy(cache));
  server_stop(server);
  free(server);
  return check_end();
}
