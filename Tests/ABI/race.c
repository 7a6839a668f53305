/*
 * Races on purpose: 16 threads dispatch, cancel, group, shut down and destroy one client at the same time, round by
 * round, in each mode. Every task for which a call answered NETCORE_OK has exactly one terminal callback, every group
 * that was dispatched one notification, and a task whose cancel answered NETCORE_OK ends as canceled.
 */
#include "support.h"

enum { THREADS = 16, STEPS = 40, SLOTS = STEPS * 5 };

/* One task or group, and what was promised about it. Its address is the user data. */
struct slot {
  const char *kind;
  unsigned expected, calls;
  netcore_task task;
  /* It was dispatched, and ends without anybody's doing. */
  bool ends_by_itself;
  unsigned promised_cancel;
  netcore_status status;
};

struct round {
  netcore_client client;
  netcore_completion_mode mode;
  netcore_request request, refused;
  bool ends_early;
  pthread_barrier_t start;
  struct racer {
    struct round *round;
    pthread_t thread;
    unsigned seed, used;
    struct slot slots[SLOTS];
  } racers[THREADS];
};

static unsigned long total;

static void on_done(const netcore_completion *completion) {
  struct slot *slot = completion->user_data;
  slot->status = completion->status;
  __atomic_add_fetch(&slot->calls, 1, __ATOMIC_SEQ_CST);
}

/* Work of the application's own that takes no time. */
static void on_resume(netcore_task task, void *user_data) {
  (void)user_data;
  netcore_status status = netcore_task_complete(task, NETCORE_OK);
  CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_HANDLE);
}

static netcore_done_fn done_of(const struct round *round) { return mode_is_queue(round->mode) ? NULL : on_done; }

static unsigned random_below(struct racer *racer, unsigned limit) {
  racer->seed = racer->seed * 1664525u + 1013904223u;
  return (racer->seed >> 8) % limit;
}

/* What calls may answer while another thread ends the client. */
static bool is_fine(netcore_status status) {
  return CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_HANDLE || status == NETCORE_ERR_SHUT_DOWN ||
               status == NETCORE_ERR_INVALID_STATE) &&
         status == NETCORE_OK;
}

static struct slot *next_slot(struct racer *racer, const char *kind) {
  REQUIRE(racer->used < SLOTS);
  racer->slots[racer->used].kind = kind;
  return &racer->slots[racer->used++];
}

static void publish(struct slot *slot, netcore_status status, netcore_task task) {
  if (!is_fine(status)) return;
  __atomic_store_n(&slot->expected, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&slot->task, task, __ATOMIC_SEQ_CST);
}

static void dispatch_one(struct racer *racer) {
  struct round *round = racer->round;
  struct slot *slot = next_slot(racer, "dispatched");
  netcore_task task = 0;
  netcore_request request = random_below(racer, 8) == 0 ? round->refused : round->request;
  publish(slot, netcore_dispatch(round->client, request, done_of(round), slot, &task), task);
  slot->ends_by_itself = slot->expected == 1;
}

static void dispatch_many(struct racer *racer) {
  struct round *round = racer->round;
  netcore_request requests[4] = {round->request, round->request, round->refused, round->request};
  struct slot *slots[4];
  void *user_data[4];
  netcore_task tasks[4];
  for (int i = 0; i < 4; i++) user_data[i] = slots[i] = next_slot(racer, "one of many");
  netcore_status status = netcore_dispatch_many(round->client, requests, 4, done_of(round), user_data, tasks);
  for (int i = 0; i < 4; i++) {
    publish(slots[i], status, tasks[i]);
    slots[i]->ends_by_itself = slots[i]->expected == 1;
  }
}

static void create_one(struct racer *racer) {
  struct round *round = racer->round;
  struct slot *slot = next_slot(racer, "created");
  netcore_task task = 0;
  netcore_status status = netcore_task_create(round->client, round->request, done_of(round), slot, &task);
  publish(slot, status, task);
  if (status == NETCORE_OK && random_below(racer, 3) > 0) slot->ends_by_itself = is_fine(netcore_task_dispatch(task));
}

static void use_group(struct racer *racer) {
  struct round *round = racer->round;
  netcore_group group = 0;
  unsigned first = racer->used;
  if (!is_fine(netcore_group_create(round->client, &group))) return;
  for (int i = 0; i < 3; i++) {
    struct slot *slot = next_slot(racer, "member");
    netcore_task task = 0;
    publish(slot, netcore_group_add(group, round->request, done_of(round), slot, &task), task);
  }
  if (!mode_is_queue(round->mode)) {
    struct slot *slot = next_slot(racer, "application task");
    netcore_task task = 0;
    publish(slot, netcore_group_add_application_task(group, on_resume, NULL, on_done, slot, &task), task);
  }
  unsigned way = random_below(racer, 4);
  struct slot *slot = next_slot(racer, "group");
  if (way > 0) publish(slot, netcore_group_dispatch(group, done_of(round), slot), 0);
  for (unsigned i = first; i < racer->used; i++)
    racer->slots[i].ends_by_itself = slot->expected == 1 && racer->slots[i].expected == 1;
  if (way > 1) is_fine(netcore_group_cancel(group));
}

static void cancel_any(struct racer *racer) {
  struct racer *other = &racer->round->racers[random_below(racer, THREADS)];
  struct slot *slot = &other->slots[random_below(racer, SLOTS)];
  netcore_task task = __atomic_load_n(&slot->task, __ATOMIC_SEQ_CST);
  if (task == 0) return;
  if (is_fine(netcore_task_cancel(task))) __atomic_store_n(&slot->promised_cancel, 1, __ATOMIC_SEQ_CST);
}

static void *race(void *argument) {
  struct racer *racer = argument;
  struct round *round = racer->round;
  bool is_ender = racer == &round->racers[0] && round->ends_early;
  pthread_barrier_wait(&round->start);
  for (int step = 0; step < STEPS; step++) {
    if (is_ender && step == STEPS / 2)
      CHECK_OK(mode_is_queue(round->mode) ? netcore_client_shutdown(round->client)
                                          : netcore_client_destroy(round->client));
    switch (random_below(racer, 16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        dispatch_one(racer);
        break;
      case 4:
      case 5:
        dispatch_many(racer);
        break;
      case 6:
      case 7:
        create_one(racer);
        break;
      case 8:
      case 9:
        use_group(racer);
        break;
      case 10:
        is_fine(netcore_client_cancel_tag(round->client, "race", NULL));
        break;
      case 11:
        is_fine(netcore_client_cancel_all(round->client, NULL));
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
      if (taken[i].response != 0) CHECK_OK(netcore_response_release(taken[i].response));
    }
  }
  CHECK_STATUS(status, mode_is_pump(round->mode) ? NETCORE_ERR_INVALID_HANDLE : NETCORE_ERR_SHUT_DOWN);
  return NULL;
}

/* Whether all that was dispatched has ended; no task is left in a queue. */
static bool has_run_dry(const struct round *round) {
  for (int i = 0; i < THREADS; i++)
    for (unsigned j = 0; j < round->racers[i].used; j++) {
      const struct slot *slot = &round->racers[i].slots[j];
      if (slot->ends_by_itself && __atomic_load_n(&slot->calls, __ATOMIC_SEQ_CST) == 0) return false;
    }
  return true;
}

static void check_slots(const struct racer *racer) {
  for (unsigned i = 0; i < racer->used; i++) {
    const struct slot *slot = &racer->slots[i];
    if (!CHECK_EQUAL(slot->calls, slot->expected)) fprintf(stderr, "    for a %s\n", slot->kind);
    if (slot->promised_cancel && slot->calls > 0) CHECK_STATUS(slot->status, NETCORE_ERR_CANCELED);
    total += slot->calls;
  }
}

static void run_round(netcore_completion_mode mode, unsigned number) {
  struct round *round = calloc(1, sizeof *round);
  pthread_t receivers[2];
  REQUIRE(round != NULL && pthread_barrier_init(&round->start, NULL, THREADS) == 0);
  round->mode = mode;
  round->ends_early = number % 2 == 0;
  round->client = client_new(mode);
  round->request = request_new("GET", at(NGINX, "/small.txt"));
  round->refused = request_new("GET", at(REFUSED, "/"));
  CHECK_OK(netcore_client_set_limit(round->client, NETCORE_LIMIT_TRANSFERS_PER_HOST, 1 + number % 4 * 5));
  CHECK_OK(netcore_request_set_tag(round->refused, "race"));
  int receiver_count = mode == NETCORE_COMPLETION_MODE_CALLBACK ? 0 : mode_is_pump(mode) ? 1 : 2;
  for (int i = 0; i < receiver_count; i++) REQUIRE(pthread_create(&receivers[i], NULL, receive, round) == 0);
  for (unsigned i = 0; i < THREADS; i++) {
    round->racers[i].round = round;
    round->racers[i].seed = number * 7919 + i * 104729 + (unsigned)mode;
    REQUIRE(pthread_create(&round->racers[i].thread, NULL, race, &round->racers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(round->racers[i].thread, NULL) == 0);
  if (!round->ends_early) WAIT_UNTIL(has_run_dry(round));
  if (mode_is_queue(mode))
    CHECK_OK(netcore_client_shutdown(round->client));
  else if (!round->ends_early)
    CHECK_OK(netcore_client_destroy(round->client));
  for (int i = 0; i < receiver_count; i++) REQUIRE(pthread_join(receivers[i], NULL) == 0);
  if (mode_is_queue(mode)) CHECK_OK(netcore_client_destroy(round->client));
  for (int i = 0; i < THREADS; i++) check_slots(&round->racers[i]);
  CHECK_OK(netcore_request_destroy(round->request));
  CHECK_OK(netcore_request_destroy(round->refused));
  pthread_barrier_destroy(&round->start);
  free(round);
}

int main(void) {
  unsigned rounds = is_slow() ? 3 : 60;
  check_begin();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++)
    for (unsigned number = 0; number < rounds; number++) {
      static char name[60];
      snprintf(name, sizeof name, "race, %s mode, round %u", mode_name(mode), number);
      check_case = name;
      run_round(mode, number);
    }
  CHECK(total > 1000 || is_slow());
  printf("%lu terminal callbacks\n", total);
  return check_end();
}
