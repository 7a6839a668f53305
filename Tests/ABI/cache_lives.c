/*
 * The lives of caches and clients: shared by two, ended in each order, inside callbacks, and while the disk is read. Each
 * task ends once, and what was stored is on disk when the last of them has ended.
 */
#include "support.h"

#include "support/cache.h"
#include "support/server.h"

enum { ENTRIES = 30, SIZE = 60000 };

static struct tally ended = TALLY_INITIAL;

static netcore_request large_request(int number) {
  char path[100];
  snprintf(path, sizeof path, "/bytes/%d?number=%d", SIZE, number);
  netcore_request request = request_new("GET", at(ORIGIN, path));
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 1000000));
  CHECK_OK(netcore_request_set_tag(request, number % 2 == 0 ? "even" : "odd"));
  return request;
}

/* A folder with answers in it. */
static char *filled_folder(void) {
  char *folder = folder_new();
  netcore_cache cache = cache_new(folder);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  for (int i = 0; i < ENTRIES; i++) {
    netcore_request request = large_request(i);
    result_for(client, request);
    CHECK_OK(netcore_request_destroy(request));
  }
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
  return folder;
}

static void test_shared(void) {
  char *folder = folder_new();
  netcore_cache cache = cache_new(folder);
  netcore_client one = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  netcore_client two = cached_client(NETCORE_COMPLETION_MODE_QUEUE, cache);
  const char *url = at(ORIGIN, keepable("shared", "")), *other = at(ORIGIN, keepable("shared-too", ""));
  check_case = "a cache of two clients";
  CHECK_RESULT(result_of(one, url), NOT_CACHED);
  CHECK_RESULT(result_of(two, url), HIT);
  CHECK_OK(netcore_client_destroy(one));
  CHECK_OK(netcore_cache_destroy(cache));
  CHECK_STATUS(netcore_cache_flush(cache), NETCORE_ERR_INVALID_HANDLE);
  CHECK_STATUS(netcore_cache_destroy(cache), NETCORE_ERR_INVALID_HANDLE);
  CHECK_RESULT(result_of(two, url), HIT);
  CHECK_RESULT(result_of(two, other), NOT_CACHED);
  struct answer held = fetch(two, url);
  CHECK_OK(netcore_client_destroy(two)); /* the cache ends with it: all is written */
  CHECK_TEXT(held.info.body, "ok\n");
  CHECK_TEXT(header(&held, "Cache-Control"), "max-age=1000");
  answer_free(&held);

  cache = cache_new(folder);
  one = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  CHECK_RESULT(result_of(one, url), HIT);
  CHECK_RESULT(result_of(one, other), HIT);
  CHECK_OK(netcore_client_destroy(one));
  CHECK_OK(netcore_cache_destroy(cache));
  folder_remove(folder);
}

/* Identical misses send one request. When the one that was sent is canceled, the next is sent. */
static void test_identical(netcore_completion_mode mode) {
  enum { COUNT = 10 };
  struct server *server = server_start(0);
  netcore_cache cache = cache_new(NULL);
  struct door door = cached_door(mode, cache);
  struct outcome outcomes[COUNT];
  netcore_request request = request_new("GET", server_url(server, "/"));
  check_case = "identical misses";
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 1000000));
  ended.count = 0;
  for (int i = 0; i < COUNT; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    CHECK_OK(door_dispatch(&door, request, &outcomes[i]));
    if (i == 0) DOOR_UNTIL(&door, server_held(server) == 1);
  }
  pause_ms(20);
  CHECK_EQUAL(server_received(server), 1);
  CHECK_OK(netcore_task_cancel(outcomes[0].task)); /* it leads */
  DOOR_UNTIL(&door, server_received(server) == 2);
  CHECK_OK(netcore_task_cancel(outcomes[5].task)); /* it follows */
  door_wait(&door, &ended, 2);
  server_allow(server, 10);
  door_wait(&door, &ended, COUNT);
  CHECK_EQUAL(server_received(server), 2);
  for (int i = 0; i < COUNT; i++) {
    CHECK_EQUAL(outcomes[i].calls, 1);
    CHECK_STATUS(outcomes[i].completion.status, i == 0 || i == 5 ? NETCORE_ERR_CANCELED : NETCORE_OK);
    outcome_free(&outcomes[i]);
  }

  check_case = "a client ends with identical misses under way";
  CHECK_OK(netcore_request_set_url(request, server_url(server, "/other")));
  ended.count = 0;
  for (int i = 0; i < COUNT; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    CHECK_OK(door_dispatch(&door, request, &outcomes[i]));
  }
  CHECK_OK(netcore_client_destroy(door.client));
  for (int i = 0; i < COUNT; i++) {
    CHECK_EQUAL(outcomes[i].calls, mode_is_queue(mode) ? 0 : 1);
    outcome_free(&outcomes[i]);
  }
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_cache_destroy(cache));
  server_stop(server);
  free(server);
}

enum { CHAIN = 1000 };

static struct outcome chain[CHAIN];

static void dispatch_next(struct outcome *outcome) {
  const struct door *door = outcome->hook_data;
  if (outcome + 1 < chain + CHAIN) door_get(door, at(ORIGIN, keepable("chain", "")), outcome + 1);
  /* Another hit, which it waits for. */
  if (outcome < chain + 20) CHECK_RESULT(result_of(door->client, at(ORIGIN, keepable("chain", ""))), HIT);
}

/* Hits dispatched by the callbacks of hits neither run inside the call nor pile up on the stack. */
static void test_hits_inside_callbacks(netcore_completion_mode mode) {
  netcore_cache cache = cache_new(NULL);
  struct door door = cached_door(mode, cache);
  check_case = "hits dispatched inside callbacks";
  result_of(door.client, at(ORIGIN, keepable("chain", "")));
  ended.count = 0;
  for (int i = 0; i < CHAIN; i++)
    chain[i] = (struct outcome){.ended = &ended, .hook = dispatch_next, .hook_data = &door};
  door_get(&door, at(ORIGIN, keepable("chain", "")), &chain[0]);
  door_wait(&door, &ended, CHAIN);
  for (int i = 0; i < CHAIN; i++) {
    CHECK_EQUAL(chain[i].calls, 1);
    CHECK_EQUAL(response_info(chain[i].completion.response).cache_result, NETCORE_CACHE_RESULT_HIT);
    outcome_free(&chain[i]);
  }
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_OK(netcore_cache_destroy(cache));
}

/* What to do while the disk is being read. */
enum deed { CANCEL_ALL, CANCEL_TAG, CANCEL_EACH, CLEAR, END_CACHE, END_CLIENT, END_BOTH, DEEDS };

struct reading {
  netcore_cache cache;
  struct door door;
  struct outcome outcomes[ENTRIES];
  netcore_task tasks[ENTRIES];
  enum deed deed;
};

static void act(struct reading *reading) {
  switch (reading->deed) {
    case CANCEL_ALL:
      CHECK_OK(netcore_client_cancel_all(reading->door.client, NULL));
      break;
    case CANCEL_TAG:
      CHECK_OK(netcore_client_cancel_tag(reading->door.client, "even", NULL));
      break;
    case CANCEL_EACH:
      for (int i = 0; i < ENTRIES; i++) netcore_task_cancel(reading->tasks[i]);
      break;
    case CLEAR:
      CHECK_OK(netcore_cache_clear(reading->cache, NETCORE_CACHE_FILTER_TAG, "odd"));
      break;
    case END_CACHE:
      CHECK_OK(netcore_cache_destroy(reading->cache));
      break;
    case END_BOTH:
      CHECK_OK(netcore_cache_destroy(reading->cache)); /* and */
    /* fall through */
    default:
      CHECK_OK(netcore_client_destroy(reading->door.client));
  }
}

static void act_inside(struct outcome *outcome) { act(outcome->hook_data); }

/* Dispatches all at once: none of them has ended before the last is dispatched. */
static void dispatch_all(struct reading *reading, bool inside) {
  netcore_request requests[ENTRIES];
  void *user_data[ENTRIES];
  for (int i = 0; i < ENTRIES; i++) {
    requests[i] = large_request(i);
    reading->outcomes[i] = (struct outcome){.ended = &ended};
    user_data[i] = &reading->outcomes[i];
  }
  if (inside) {
    reading->outcomes[3].hook = act_inside;
    reading->outcomes[3].hook_data = reading;
  }
  CHECK_OK(netcore_dispatch_many(reading->door.client, requests, ENTRIES, door_done(&reading->door), user_data,
                                 reading->tasks));
  for (int i = 0; i < ENTRIES; i++) CHECK_OK(netcore_request_destroy(requests[i]));
}

static void run_reading(const char *folder, netcore_completion_mode mode, enum deed deed, bool inside, int pause_us) {
  struct reading reading = {.deed = deed};
  reading.cache = cache_new(folder);
  reading.door = cached_door(mode, reading.cache);
  ended.count = 0;
  dispatch_all(&reading, inside);
  if (!inside) {
    usleep((useconds_t)pause_us);
    act(&reading);
  }
  bool has_ended = deed == END_CLIENT || deed == END_BOTH;
  /* In pump mode the rest may come inside destroy, which another callback may have called. */
  if (mode_is_pump(mode) && inside && has_ended) {
    uint64_t deadline = now_ms() + patience_ms();
    while (tally_count(&ended) < ENTRIES && now_ms() < deadline)
      if (netcore_client_process(reading.door.client, 0, NULL) != NETCORE_OK) pause_ms(1);
  } else if (!mode_is_queue(mode) || !has_ended) {
    door_wait(&reading.door, &ended, ENTRIES);
  }
  for (int i = 0; i < ENTRIES; i++) {
    if (mode_is_queue(mode) && has_ended) break; /* dropped */
    struct outcome *outcome = &reading.outcomes[i];
    CHECK_EQUAL(outcome->calls, 1);
    if (outcome->completion.status == NETCORE_OK)
      CHECK(is_pattern(response_info(outcome->completion.response).body, SIZE));
    else
      CHECK_STATUS(outcome->completion.status, NETCORE_ERR_CANCELED);
    outcome_free(outcome);
  }
  if (!has_ended) CHECK_OK(netcore_client_destroy(reading.door.client));
  if (deed != END_CACHE && deed != END_BOTH) CHECK_OK(netcore_cache_destroy(reading.cache));
}

static void test_while_reading(netcore_completion_mode mode) {
  char *folder = filled_folder();
  for (int deed = 0; deed < DEEDS; deed++)
    for (int turn = 0; turn < (is_slow() ? 1 : 8); turn++) {
      static char name[100];
      snprintf(name, sizeof name, "while the disk is read, %s mode, deed %d", mode_name(mode), deed);
      check_case = name;
      run_reading(folder, mode, (enum deed)deed, false, turn * turn * 60);
      if (!mode_is_queue(mode) && turn < 2) run_reading(folder, mode, (enum deed)deed, true, 0);
    }
  folder_remove(folder);
}

int main(void) {
  check_begin();
  test_shared();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++) {
    test_identical(mode);
    if (!mode_is_queue(mode)) test_hits_inside_callbacks(mode);
    test_while_reading(mode);
  }
  return check_end();
}
