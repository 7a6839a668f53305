/*
 * Races on purpose around one cache with a folder: 16 threads send, cancel, read, clear, list, change limits, attach values,
 * and make and end clients at the same time, round by round. Each task has one terminal callback, each value is released
 * once, and each body is the one that its URL stands for.
 */
#include "support.h"

#include "support/cache.h"

enum { THREADS = 16, STEPS = 50, PAGES = 12 };

struct slot {
  unsigned expected, calls, early;
  netcore_task task;
  size_t size;
};

struct value {
  unsigned owned, released;
};

struct round {
  netcore_cache cache;
  netcore_client client;
  netcore_completion_mode mode;
  bool ends_early;
  pthread_barrier_t start;
  struct racer {
    struct round *round;
    pthread_t thread;
    unsigned seed, used;
    struct slot slots[STEPS * 2];
    struct value values[STEPS];
  } racers[THREADS];
};

static unsigned long total, values_total;
static bool is_queue;

static unsigned random_below(struct racer *racer, unsigned limit) {
  racer->seed = racer->seed * 1664525u + 1013904223u;
  return (racer->seed >> 8) % limit;
}

static bool is_fine(netcore_status status) {
  return CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_HANDLE || status == NETCORE_ERR_SHUT_DOWN ||
               status == NETCORE_ERR_CANCELED || status == NETCORE_ERR_NOT_FOUND) &&
         status == NETCORE_OK;
}

static size_t page_size(unsigned page) { return page * 1700 + 10; }

static void check_page(netcore_response response, size_t size) {
  netcore_response_info info = response_info(response);
  if (info.status != NETCORE_OK || info.http_status == 504) return;
  CHECK_EQUAL(info.http_status, 200);
  CHECK(is_pattern(info.body, size));
}

static void on_done(const netcore_completion *completion) {
  struct slot *slot = completion->user_data;
  check_page(completion->response, slot->size);
  if (completion->kind == NETCORE_COMPLETION_KIND_TASK) {
    __atomic_add_fetch(&slot->calls, 1, __ATOMIC_SEQ_CST);
  } else {
    CHECK_EQUAL(completion->kind, NETCORE_COMPLETION_KIND_PROVISIONAL);
    /* In queue mode another thread may have taken the end, and be ahead of this one. */
    if (!is_queue) CHECK_EQUAL(__atomic_load_n(&slot->calls, __ATOMIC_SEQ_CST), 0);
    __atomic_add_fetch(&slot->early, 1, __ATOMIC_SEQ_CST);
  }
}

static void on_early(const netcore_completion *event, void *user_data) {
  CHECK(user_data == NULL);
  CHECK_EQUAL(event->kind, NETCORE_COMPLETION_KIND_PROVISIONAL);
  on_done(event);
}

static void release_value(void *value) { __atomic_add_fetch(&((struct value *)value)->released, 1, __ATOMIC_SEQ_CST); }

static netcore_request page_request(struct racer *racer, unsigned page) {
  char path[60];
  snprintf(path, sizeof path, "/bytes/%u", (unsigned)page_size(page));
  netcore_request request = request_new("GET", at(ORIGIN, path));
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, random_below(racer, 3) == 0 ? 1 : 1000000));
  CHECK_OK(netcore_request_set_cache_mode(request, (netcore_cache_mode)random_below(racer, 8)));
  CHECK_OK(netcore_request_set_cache_version(request, random_below(racer, 12) == 0 ? 1 : 0));
  if (page % 3 == 0) CHECK_OK(netcore_request_set_cache_scope(request, "scope"));
  CHECK_OK(netcore_request_set_tag(request, page % 2 == 0 ? "even" : "odd"));
  return request;
}

static void dispatch_one(struct racer *racer) {
  struct round *round = racer->round;
  unsigned page = random_below(racer, PAGES);
  netcore_request request = page_request(racer, page);
  struct slot *slot = &racer->slots[racer->used++];
  netcore_task task = 0;
  netcore_done_fn done = mode_is_queue(round->mode) ? NULL : on_done;
  slot->size = page_size(page);
  CHECK_OK(netcore_request_set_event_function(request, on_early, NULL, NULL));
  if (is_fine(netcore_dispatch(round->client, request, done, slot, &task))) {
    __atomic_store_n(&slot->expected, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&slot->task, task, __ATOMIC_SEQ_CST);
  }
  CHECK_OK(netcore_request_destroy(request));
}

static void attach(struct racer *racer, netcore_response response, struct value *value) {
  if (!is_fine(netcore_response_set_cached_value(response, value, random_below(racer, 3000), release_value))) return;
  __atomic_store_n(&value->owned, 1, __ATOMIC_SEQ_CST);
  void *found = NULL;
  is_fine(netcore_response_get_cached_value(response, &found));
}

static void perform_one(struct racer *racer, netcore_client client, struct value *value) {
  unsigned page = random_below(racer, PAGES);
  netcore_request request = page_request(racer, page);
  netcore_response response = 0;
  is_fine(netcore_perform(client, request, &response));
  if (response != 0) {
    check_page(response, page_size(page));
    attach(racer, response, value);
    CHECK_OK(netcore_response_release(response));
  }
  CHECK_OK(netcore_request_destroy(request));
}

static void read_stored(struct racer *racer) {
  unsigned page = random_below(racer, PAGES);
  netcore_request request = page_request(racer, page);
  netcore_response response = 0;
  netcore_cache_result result = 0;
  if (is_fine(netcore_client_get_cached(racer->round->client, request, &response, &result))) {
    CHECK(result == NETCORE_CACHE_RESULT_HIT || result == NETCORE_CACHE_RESULT_STALE_HIT);
    check_page(response, page_size(page));
    CHECK_OK(netcore_response_release(response));
  }
  CHECK_OK(netcore_request_destroy(request));
}

static void clear(struct racer *racer) {
  static const char *const tags[] = {"even", "odd", "none"};
  netcore_cache cache = racer->round->cache;
  switch (random_below(racer, 4)) {
    case 0:
      is_fine(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_ALL, NULL));
      break;
    case 1:
      is_fine(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_SCOPE, "scope"));
      break;
    case 2:
      is_fine(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_TAG, tags[random_below(racer, 3)]));
      break;
    default:
      is_fine(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_PREFIX, at(ORIGIN, "/bytes/1")));
  }
}

static int32_t see_entry(const netcore_cache_entry *entry, void *user_data) {
  CHECK(entry->body_bytes >= 10 && strstr(entry->url, "/bytes/") != NULL);
  return ++*(unsigned *)user_data < 8;
}

static void manage(struct racer *racer) {
  netcore_cache cache = racer->round->cache;
  netcore_cache_statistics statistics = {.size = sizeof statistics};
  unsigned seen = 0;
  switch (random_below(racer, 4)) {
    case 0:
      is_fine(netcore_cache_get_statistics(cache, &statistics));
      break;
    case 1:
      is_fine(netcore_cache_list(cache, see_entry, &seen));
      break;
    case 2:
      is_fine(netcore_cache_flush(cache));
      break;
    default: {
      netcore_cache_limit limit = 1 + (netcore_cache_limit)random_below(racer, 4);
      bool is_count = limit == NETCORE_CACHE_LIMIT_MEMORY_COUNT || limit == NETCORE_CACHE_LIMIT_DISK_COUNT;
      is_fine(netcore_cache_set_limit(cache, limit,
                                      is_count ? random_below(racer, 10) : 20000 + random_below(racer, 90000)));
    }
  }
}

/* A client of the racer's own that shares the cache, or fails to where that has ended. */
static void use_own_client(struct racer *racer, struct value *value) {
  netcore_client_options options = {.size = sizeof options, .cache = racer->round->cache};
  netcore_client client = 0;
  if (!is_fine(netcore_client_create(&options, &client))) return;
  perform_one(racer, client, value);
  CHECK_OK(netcore_client_destroy(client));
}

static void cancel_any(struct racer *racer) {
  struct racer *other = &racer->round->racers[random_below(racer, THREADS)];
  netcore_task task = __atomic_load_n(&other->slots[random_below(racer, STEPS)].task, __ATOMIC_SEQ_CST);
  if (task != 0) is_fine(netcore_task_cancel(task));
}

static void *race(void *argument) {
  struct racer *racer = argument;
  struct round *round = racer->round;
  pthread_barrier_wait(&round->start);
  for (int step = 0; step < STEPS; step++) {
    if (racer == &round->racers[0] && round->ends_early && step == STEPS / 2) {
      CHECK_OK(netcore_cache_destroy(round->cache));
      CHECK_OK(mode_is_queue(round->mode) ? netcore_client_shutdown(round->client)
                                          : netcore_client_destroy(round->client));
    }
    switch (random_below(racer, 16)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
        dispatch_one(racer);
        break;
      case 6:
      case 7:
      case 8:
        perform_one(racer, round->client, &racer->values[step]);
        break;
      case 9:
      case 10:
        read_stored(racer);
        break;
      case 11:
        clear(racer);
        break;
      case 12:
        manage(racer);
        break;
      case 13:
        use_own_client(racer, &racer->values[step]);
        break;
      default:
        cancel_any(racer);
    }
  }
  return NULL;
}

/* Receives completions in pump and queue mode, until the client has ended. */
static void *receive(void *argument) {
  struct round *round = argument;
  netcore_completion taken[8];
  uint32_t count = 0;
  netcore_status status = NETCORE_OK;
  while (status == NETCORE_OK) {
    if (mode_is_pump(round->mode)) {
      status = netcore_client_process(round->client, 0, &count);
      if (status == NETCORE_OK && count == 0) pause_ms(1);
      continue;
    }
    status = netcore_client_wait(round->client, taken, LENGTH(taken), sizeof(netcore_completion), UINT64_MAX, &count);
    for (uint32_t i = 0; i < count; i++) {
      on_done(&taken[i]);
      CHECK_OK(netcore_response_release(taken[i].response));
    }
  }
  return NULL;
}

static bool has_run_dry(const struct round *round) {
  for (int i = 0; i < THREADS; i++)
    for (unsigned j = 0; j < round->racers[i].used; j++) {
      const struct slot *slot = &round->racers[i].slots[j];
      if (slot->expected == 1 && __atomic_load_n(&slot->calls, __ATOMIC_SEQ_CST) == 0) return false;
    }
  return true;
}

static void check_racer(const struct racer *racer) {
  for (unsigned i = 0; i < racer->used; i++) {
    CHECK_EQUAL(racer->slots[i].calls, racer->slots[i].expected);
    CHECK(racer->slots[i].early <= 1);
    total += racer->slots[i].calls;
  }
  for (unsigned i = 0; i < STEPS; i++) {
    WAIT_UNTIL(__atomic_load_n(&racer->values[i].released, __ATOMIC_SEQ_CST) >= racer->values[i].owned);
    CHECK_EQUAL(racer->values[i].released, racer->values[i].owned);
    values_total += racer->values[i].owned;
  }
}

static void run_round(const char *folder, netcore_completion_mode mode, unsigned number) {
  struct round *round = calloc(1, sizeof *round);
  pthread_t receivers[2];
  const netcore_cache_options options = {.size = sizeof options,
                                         .folder = number % 3 == 2 ? NULL : folder,
                                         .memory_bytes = 100000,
                                         .disk_bytes = 200000,
                                         .writes_synchronously = number % 3 == 1};
  REQUIRE(round != NULL && pthread_barrier_init(&round->start, NULL, THREADS) == 0);
  round->mode = mode;
  is_queue = mode_is_queue(mode);
  round->ends_early = number % 2 == 0;
  REQUIRE_OK(netcore_cache_create(&options, &round->cache));
  round->client = cached_client(mode, round->cache);
  int receiver_count = mode == NETCORE_COMPLETION_MODE_CALLBACK ? 0 : mode_is_pump(mode) ? 1 : 2;
  for (int i = 0; i < receiver_count; i++) REQUIRE(pthread_create(&receivers[i], NULL, receive, round) == 0);
  for (unsigned i = 0; i < THREADS; i++) {
    round->racers[i].round = round;
    round->racers[i].seed = number * 7919 + i * 104729 + (unsigned)mode;
    REQUIRE(pthread_create(&round->racers[i].thread, NULL, race, &round->racers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(round->racers[i].thread, NULL) == 0);
  if (!round->ends_early) {
    WAIT_UNTIL(has_run_dry(round));
    CHECK_EQUAL(cache_statistics(round->cache).disk_damaged, 0);
    CHECK_OK(netcore_cache_destroy(round->cache));
  }
  if (mode_is_queue(mode))
    CHECK_OK(netcore_client_shutdown(round->client));
  else if (!round->ends_early)
    CHECK_OK(netcore_client_destroy(round->client));
  for (int i = 0; i < receiver_count; i++) REQUIRE(pthread_join(receivers[i], NULL) == 0);
  if (mode_is_queue(mode)) CHECK_OK(netcore_client_destroy(round->client));
  for (int i = 0; i < THREADS; i++) check_racer(&round->racers[i]);
  pthread_barrier_destroy(&round->start);
  free(round);
}

int main(void) {
  unsigned rounds = is_slow() ? 2 : 12;
  check_begin();
  char *folder = folder_new();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++)
    for (unsigned number = 0; number < rounds; number++) {
      static char name[60];
      snprintf(name, sizeof name, "race, %s mode, round %u", mode_name(mode), number);
      check_case = name;
      run_round(folder, mode, number);
    }
  folder_remove(folder);
  CHECK((total > 1000 && values_total > 100) || is_slow());
  printf("%lu terminal callbacks, %lu values\n", total, values_total);
  return check_end();
}
