/*
 * Threads that take a client's loop over from each other: each waits for requests of its own, some of them for too short a time,
 * while they dispatch others with callbacks and cancel those of other threads. Each call ends once with its own answer, and each
 * callback runs once. Clients end meanwhile. Where the application's loop drives, it does so among them.
 */
#include "support.h"

enum { THREADS = 8, MOST_THREADS = 64, STEPS = 60, SHARED = 64 };

static netcore_request quick, slow, refused;

struct round {
  netcore_client client;
  bool ends_early, is_over;
  pthread_barrier_t start;
  unsigned steps;
  /* Tasks that any thread may cancel. */
  netcore_task shared[SHARED];
  unsigned dispatched, called_back, waits;
  struct racer {
    struct round *round;
    pthread_t thread;
    unsigned seed;
  } racers[MOST_THREADS];
};

static unsigned long total_waits;

static void add(unsigned *count) { __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST); }

static unsigned random_below(struct racer *racer, unsigned limit) {
  racer->seed = racer->seed * 1664525u + 1013904223u;
  return (racer->seed >> 8) % limit;
}

static bool is_end(const struct round *round, netcore_status status) {
  return round->ends_early &&
         (status == NETCORE_ERR_SHUT_DOWN || status == NETCORE_ERR_INVALID_HANDLE || status == NETCORE_ERR_CANCELED);
}

static void on_done(const netcore_completion *completion) {
  struct round *round = completion->user_data;
  add(&round->called_back);
}

static void share(struct racer *racer, netcore_task task) {
  __atomic_store_n(&racer->round->shared[random_below(racer, SHARED)], task, __ATOMIC_SEQ_CST);
}

static void check_answer(struct round *round, netcore_response response, netcore_status status,
                         netcore_status expected) {
  netcore_response_info info = {.size = sizeof info};
  add(&round->waits);
  if (is_end(round, status) && response == 0) return;
  if (status != NETCORE_ERR_CANCELED) CHECK(status == expected || is_end(round, status));
  if (CHECK_OK(netcore_response_get_info(response, &info))) CHECK_EQUAL(info.status, status);
  if (status == NETCORE_OK) CHECK_EQUAL(info.http_status, 200);
  CHECK_OK(netcore_response_release(response));
}

static void perform_one(struct racer *racer) {
  struct round *round = racer->round;
  bool is_refused = random_below(racer, 8) == 0;
  netcore_response response = 0;
  netcore_status status = netcore_perform(round->client, is_refused ? refused : quick, &response);
  check_answer(round, response, status, is_refused ? NETCORE_ERR_CONNECT : NETCORE_OK);
}

/* Waits too short for most answers, then on: others may have canceled the task in the meantime. */
static void perform_short(struct racer *racer) {
  struct round *round = racer->round;
  netcore_response response = 0;
  netcore_task task = 0;
  netcore_status status = netcore_perform_for(round->client, slow, random_below(racer, 3), &task, &response, NULL);
  if (status == NETCORE_ERR_IN_PROGRESS) {
    share(racer, task);
    if (random_below(racer, 4) == 0) netcore_task_cancel(task);
    status = netcore_task_wait(task, UINT64_MAX, &response, NULL);
  }
  check_answer(round, response, status, NETCORE_OK);
}

static void dispatch_one(struct racer *racer) {
  struct round *round = racer->round;
  netcore_task task = 0;
  netcore_request request = random_below(racer, 2) ? quick : slow;
  netcore_status status = netcore_dispatch(round->client, request, on_done, round, &task);
  if (is_end(round, status)) return;
  if (!CHECK_STATUS(status, NETCORE_OK)) return;
  add(&round->dispatched);
  share(racer, task);
}

static void cancel_one(struct racer *racer) {
  netcore_task task = __atomic_load_n(&racer->round->shared[random_below(racer, SHARED)], __ATOMIC_SEQ_CST);
  if (task == 0) return;
  netcore_status status = netcore_task_cancel(task);
  CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_HANDLE);
}

static void *race(void *argument) {
  struct racer *racer = argument;
  struct round *round = racer->round;
  pthread_barrier_wait(&round->start);
  for (unsigned step = 0; step < round->steps; step++) {
    switch (random_below(racer, 8)) {
      case 0:
        dispatch_one(racer);
        break;
      case 1:
        cancel_one(racer);
        break;
      case 2:
      case 3:
        perform_short(racer);
        break;
      default:
        perform_one(racer);
    }
  }
  return NULL;
}

/* The application's loop. */
static void *run_loop(void *argument) {
  struct round *round = argument;
  struct door door = {NETCORE_COMPLETION_MODE_LOOP, round->client, -1};
  netcore_status status = netcore_client_get_descriptor(round->client, &door.descriptor);
  while (status == NETCORE_OK && !__atomic_load_n(&round->is_over, __ATOMIC_SEQ_CST)) {
    if (door_is_readable(&door, 5)) status = netcore_client_process(round->client, 0, NULL);
  }
  CHECK(status == NETCORE_OK || is_end(round, status));
  return NULL;
}

static void run_round(netcore_completion_mode mode, unsigned number, unsigned threads, unsigned steps,
                      bool ends_early) {
  static struct round round;
  pthread_t loop;
  memset(&round, 0, sizeof round);
  round.client = client_new(mode);
  round.ends_early = ends_early;
  round.steps = steps;
  REQUIRE(pthread_barrier_init(&round.start, NULL, threads + 1) == 0);
  for (unsigned i = 0; i < threads; i++) {
    round.racers[i].round = &round;
    round.racers[i].seed = number * 1000 + i;
    REQUIRE(pthread_create(&round.racers[i].thread, NULL, race, &round.racers[i]) == 0);
  }
  if (mode_is_loop(mode)) REQUIRE(pthread_create(&loop, NULL, run_loop, &round) == 0);
  pthread_barrier_wait(&round.start);
  if (ends_early) {
    pause_ms(number % 10);
    CHECK_OK(netcore_client_destroy(round.client));
  }
  for (unsigned i = 0; i < threads; i++) REQUIRE(pthread_join(round.racers[i].thread, NULL) == 0);
  __atomic_store_n(&round.is_over, true, __ATOMIC_SEQ_CST);
  if (mode_is_loop(mode)) REQUIRE(pthread_join(loop, NULL) == 0);
  if (!ends_early) CHECK_OK(netcore_client_destroy(round.client));
  CHECK_EQUAL(round.called_back, round.dispatched);
  total_waits += round.waits;
  pthread_barrier_destroy(&round.start);
}

int main(void) {
  const char *text = getenv("NETCORE_TEST_ROUNDS");
  unsigned rounds = text != NULL ? (unsigned)atoi(text) : is_slow() ? 1 : 4;
  check_begin();
  alarm(text != NULL ? 1700 : is_slow() ? 600 : 110);
  quick = request_new("GET", at(NGINX, "/1k"));
  slow = request_new("GET", at(ORIGIN, "/delay/2"));
  refused = request_new("GET", at(REFUSED, "/"));
  for (unsigned i = 0; i < 2 * rounds; i++) {
    netcore_completion_mode mode = i % 2 ? NETCORE_COMPLETION_MODE_LOOP : NETCORE_COMPLETION_MODE_CALLBACK;
    check_case = "threads that take over from each other";
    run_round(mode, i, THREADS, STEPS, false);
    check_case = "the same while the client ends";
    run_round(mode, i, THREADS, STEPS, true);
    check_case = "two threads";
    run_round(mode, i, 2, STEPS, false);
  }
  check_case = "64 threads at once";
  run_round(NETCORE_COMPLETION_MODE_CALLBACK, rounds, MOST_THREADS, is_slow() ? 3 : 20, false);
  run_round(NETCORE_COMPLETION_MODE_LOOP, rounds, MOST_THREADS, is_slow() ? 3 : 20, false);
  printf("%lu waits\n", total_waits);
  CHECK(total_waits > rounds * THREADS * STEPS / 2);
  netcore_request_destroy(quick);
  netcore_request_destroy(slow);
  netcore_request_destroy(refused);
  return check_end();
}
