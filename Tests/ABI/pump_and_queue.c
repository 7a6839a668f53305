/*
 * What belongs to one mode only. Pump: the descriptor, the most callbacks to run, process() inside a callback and on
 * two threads. Queue: capacity, order, timeouts, several threads that wait, and their end.
 */
#include "support.h"

#include "support/server.h"

enum { COUNT = 5 };

static struct tally ended = TALLY_INITIAL;

/* Dispatches requests one after another and returns when all have ended and nothing was received. */
static void finish_some(struct door *door, struct outcome *outcomes) {
  ended.count = 0;
  CHECK_OK(netcore_client_set_limit(door->client, NETCORE_LIMIT_TRANSFERS, 1));
  for (int i = 0; i < COUNT; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    door_get(door, at(ORIGIN, "/status/200"), &outcomes[i]);
  }
  for (int i = 0; i < COUNT; i++) WAIT_UNTIL(task_state(outcomes[i].task) == NETCORE_TASK_STATE_FINISHED);
  CHECK_EQUAL(tally_count(&ended), 0);
}

static void free_all(struct outcome *outcomes) {
  for (int i = 0; i < COUNT; i++) {
    CHECK_EQUAL(outcomes[i].calls, 1);
    CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK);
    outcome_free(&outcomes[i]);
  }
}

static void test_pump(void) {
  struct outcome outcomes[COUNT];
  struct door door = door_open(NETCORE_COMPLETION_MODE_PUMP);
  uint32_t count = 77;
  check_case = "pump: the descriptor and the most callbacks";
  CHECK(!door_is_readable(&door, 0));
  CHECK_OK(netcore_client_process(door.client, 0, &count));
  CHECK_EQUAL(count, 0);
  finish_some(&door, outcomes);
  CHECK(door_is_readable(&door, (int)patience_ms()));
  CHECK_OK(netcore_client_process(door.client, 1, &count));
  CHECK_EQUAL(count, 1);
  CHECK(door_is_readable(&door, 0));
  CHECK_OK(netcore_client_process(door.client, 3, &count));
  CHECK_EQUAL(count, 3);
  CHECK(door_is_readable(&door, 0));
  CHECK_OK(netcore_client_process(door.client, 0, &count));
  CHECK_EQUAL(count, 1);
  CHECK(!door_is_readable(&door, 0));
  CHECK_OK(netcore_client_process(door.client, 0, &count));
  CHECK_EQUAL(count, 0);
  CHECK_EQUAL(tally_count(&ended), COUNT);
  free_all(outcomes);

  check_case = "pump: destroy runs what is due, on this thread";
  finish_some(&door, outcomes);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_EQUAL(tally_count(&ended), COUNT);
  free_all(outcomes);
}

static void *process_elsewhere(void *client) {
  uint32_t count = 77;
  CHECK_STATUS(netcore_client_process(*(netcore_client *)client, 0, &count), NETCORE_ERR_INVALID_STATE);
  CHECK_EQUAL(count, 0);
  return NULL;
}

static void process_again(struct outcome *outcome) {
  pthread_t thread;
  process_elsewhere(outcome->hook_data);
  REQUIRE(pthread_create(&thread, NULL, process_elsewhere, outcome->hook_data) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
}

static void test_process_again(void) {
  struct door door = door_open(NETCORE_COMPLETION_MODE_PUMP);
  struct outcome outcomes[2] = {{.ended = &ended, .hook = process_again, .hook_data = &door.client},
                                {.ended = &ended, .hook = process_again, .hook_data = &door.client}};
  check_case = "pump: process inside a callback, and on a second thread";
  ended.count = 0;
  for (int i = 0; i < 2; i++) door_get(&door, at(ORIGIN, "/status/200"), &outcomes[i]);
  door_wait(&door, &ended, 2);
  for (int i = 0; i < 2; i++) outcome_free(&outcomes[i]);
  CHECK_OK(netcore_client_destroy(door.client));
}

static void test_queue(void) {
  struct outcome outcomes[COUNT];
  struct door door = door_open(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_completion taken[COUNT + 3];
  uint32_t count = 77;
  check_case = "queue: nothing to take";
  CHECK(!door_is_readable(&door, 0));
  CHECK_OK(netcore_client_wait(door.client, taken, 1, sizeof(netcore_completion), 0, &count));
  CHECK_EQUAL(count, 0);
  uint64_t start = now_ms();
  CHECK_OK(netcore_client_wait(door.client, taken, 1, sizeof(netcore_completion), 60, &count));
  CHECK_EQUAL(count, 0);
  CHECK(now_ms() - start >= 59 && now_ms() - start < patience_ms());

  check_case = "queue: a capacity of 1, and the oldest first";
  finish_some(&door, outcomes);
  for (int i = 0; i < 2; i++) {
    CHECK(door_is_readable(&door, (int)patience_ms()));
    CHECK_OK(netcore_client_wait(door.client, taken, 1, sizeof(netcore_completion), UINT64_MAX, &count));
    CHECK_EQUAL(count, 1);
    CHECK(taken[0].task == outcomes[i].task && taken[0].user_data == &outcomes[i]);
    CHECK_EQUAL(task_state(taken[0].task), NETCORE_TASK_STATE_NONE);
    outcome_done(&taken[0]);
    CHECK_OK(netcore_response_release(taken[0].response));
  }
  check_case = "queue: more room than completions";
  CHECK_OK(netcore_client_wait(door.client, taken, LENGTH(taken), sizeof(netcore_completion), UINT64_MAX, &count));
  CHECK_EQUAL(count, COUNT - 2);
  for (uint32_t i = 0; i < count; i++) {
    CHECK(taken[i].task == outcomes[i + 2].task);
    outcome_done(&taken[i]);
    CHECK_OK(netcore_response_release(taken[i].response));
  }
  CHECK(!door_is_readable(&door, 0));
  free_all(outcomes);

  check_case = "queue: completions not taken are dropped by destroy";
  finish_some(&door, outcomes);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_EQUAL(tally_count(&ended), 0);
}

enum { TAKERS = 4, TASKS = 200 };

struct taker {
  struct door *door;
  pthread_t thread;
  pid_t id;
  unsigned taken;
  netcore_status end;
};

static void *take_until_the_end(void *argument) {
  struct taker *taker = argument;
  netcore_completion completions[3];
  uint32_t count = 0;
  __atomic_store_n(&taker->id, this_thread(), __ATOMIC_SEQ_CST);
  while ((taker->end = netcore_client_wait(taker->door->client, completions, 3, sizeof(netcore_completion), UINT64_MAX,
                                           &count)) == NETCORE_OK) {
    CHECK(count >= 1 && count <= 3);
    taker->taken += count;
    for (uint32_t i = 0; i < count; i++) {
      CHECK_OK(netcore_response_release(completions[i].response));
      completions[i].response = 0;
      outcome_done(&completions[i]);
    }
  }
  CHECK_EQUAL(count, 0);
  return NULL;
}

/* Each completion goes to one thread; all of them return when the client ends. */
static void test_many_takers(bool by_destroy) {
  static struct outcome outcomes[TASKS];
  struct door door = door_open(NETCORE_COMPLETION_MODE_QUEUE);
  struct taker takers[TAKERS];
  struct server *server = server_start(0);
  struct outcome held = {.ended = &ended};
  unsigned sum = 0;
  check_case = by_destroy ? "queue: several threads, then destroy" : "queue: several threads, then shutdown";
  ended.count = 0;
  for (int i = 0; i < TAKERS; i++) {
    takers[i] = (struct taker){.door = &door};
    REQUIRE(pthread_create(&takers[i].thread, NULL, take_until_the_end, &takers[i]) == 0);
  }
  for (int i = 0; i < TASKS; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    door_get(&door, at(ORIGIN, "/status/200"), &outcomes[i]);
  }
  CHECK(tally_reaches(&ended, TASKS, patience_ms()));
  for (int i = 0; i < TASKS; i++) CHECK_EQUAL(outcomes[i].calls, 1);
  door_get(&door, server_url(server, "/"), &held);
  WAIT_UNTIL(server_held(server) == 1);
  for (int i = 0; i < TAKERS; i++) WAIT_UNTIL(thread_sleeps(__atomic_load_n(&takers[i].id, __ATOMIC_SEQ_CST)));
  CHECK_OK(by_destroy ? netcore_client_destroy(door.client) : netcore_client_shutdown(door.client));
  for (int i = 0; i < TAKERS; i++) {
    REQUIRE(pthread_join(takers[i].thread, NULL) == 0);
    /* Who took the last completion and came back found no client any more. */
    CHECK(takers[i].end == NETCORE_ERR_SHUT_DOWN || (by_destroy && takers[i].end == NETCORE_ERR_INVALID_HANDLE));
    sum += takers[i].taken;
  }
  CHECK(by_destroy ? sum == TASKS || sum == TASKS + 1 : sum == TASKS + 1);
  if (!by_destroy) CHECK_STATUS(held.completion.status, NETCORE_ERR_CANCELED);
  if (!by_destroy) CHECK_OK(netcore_client_destroy(door.client));
  server_stop(server);
  free(server);
}

int main(void) {
  check_begin();
  test_pump();
  test_process_again();
  test_queue();
  test_many_takers(false);
  test_many_takers(true);
  return check_end();
}
