/*
 * Ending things inside a callback, in callback and in pump mode: the task itself, other tasks, all tasks, the client,
 * another client. Each task that was ended still has its one terminal callback.
 */
#include "support.h"

#include "support/server.h"

static struct tally ended = TALLY_INITIAL;

static void cancel_itself(struct outcome *outcome) {
  CHECK_EQUAL(task_state(outcome->task), NETCORE_TASK_STATE_FINISHED);
  CHECK_STATUS(netcore_task_cancel(outcome->task), NETCORE_ERR_INVALID_HANDLE);
  CHECK_STATUS(netcore_task_dispatch(outcome->task), NETCORE_ERR_INVALID_STATE);
}

static void test_cancel_itself(netcore_completion_mode mode) {
  struct outcome outcome = {.ended = &ended, .hook = cancel_itself};
  struct door door = door_open(mode);
  door_get(&door, at(ORIGIN, "/status/200"), &outcome);
  door_wait(&door, &ended, 1);
  CHECK_STATUS(outcome.completion.status, NETCORE_OK);
  outcome_free(&outcome);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_EQUAL(tally_count(&ended), 1);
}

enum { OTHERS = 20 };

static struct outcome others[OTHERS];

static void cancel_others(struct outcome *outcome) {
  (void)outcome;
  for (int i = 0; i < OTHERS; i++) CHECK_OK(netcore_task_cancel(others[i].task));
}

static void destroy_client(struct outcome *outcome) {
  const struct door *door = outcome->hook_data;
  netcore_request request = request_new("GET", at(ORIGIN, "/status/200"));
  netcore_response response = 77;
  CHECK_OK(netcore_client_destroy(door->client));
  CHECK_STATUS(netcore_client_destroy(door->client), NETCORE_ERR_INVALID_HANDLE);
  CHECK_STATUS(netcore_client_shutdown(door->client), NETCORE_ERR_INVALID_HANDLE);
  CHECK_STATUS(netcore_perform(door->client, request, &response), NETCORE_ERR_INVALID_HANDLE);
  CHECK_EQUAL(response, 0);
  CHECK_OK(netcore_request_destroy(request));
}

static void shut_client_down(struct outcome *outcome) {
  const struct door *door = outcome->hook_data;
  CHECK_OK(netcore_client_shutdown(door->client));
}

static void cancel_everything(struct outcome *outcome) {
  uint32_t count = 0;
  CHECK_OK(netcore_client_cancel_all(((const struct door *)outcome->hook_data)->client, &count));
  CHECK_EQUAL(count, OTHERS);
}

/* In the callback of one task something ends the others, which are at a server that does not answer. */
static void test_ending_others(netcore_completion_mode mode, void (*hook)(struct outcome *)) {
  struct door door = door_open(mode);
  struct outcome first = {.ended = &ended, .hook = hook, .hook_data = &door};
  struct server *server = server_start(0);
  uint64_t deadline = now_ms() + patience_ms();
  for (int i = 0; i < OTHERS; i++) {
    others[i] = (struct outcome){.ended = &ended};
    door_get(&door, server_url(server, "/"), &others[i]);
  }
  DOOR_UNTIL(&door, server_held(server) == OTHERS);
  door_get(&door, at(ORIGIN, "/status/200"), &first);
  if (mode_is_pump(mode) && hook == destroy_client) {
    /* The rest follows behind it: in the process() call that the destroy was made in. */
    while (tally_count(&ended) == 0 && now_ms() < deadline)
      if (door_is_readable(&door, 100)) CHECK_OK(netcore_client_process(door.client, 0, NULL));
    CHECK(tally_reaches(&ended, 1 + OTHERS, patience_ms()));
  } else {
    door_wait(&door, &ended, 1 + OTHERS);
  }
  CHECK_STATUS(first.completion.status, NETCORE_OK);
  for (int i = 0; i < OTHERS; i++) {
    CHECK_EQUAL(others[i].calls, 1);
    CHECK_STATUS(others[i].completion.status, NETCORE_ERR_CANCELED);
    outcome_free(&others[i]);
  }
  CHECK_EQUAL(first.calls, 1);
  outcome_free(&first);
  if (hook != destroy_client) CHECK_OK(netcore_client_destroy(door.client));
  CHECK_STATUS(netcore_client_destroy(door.client), NETCORE_ERR_INVALID_HANDLE);
  CHECK_EQUAL(tally_count(&ended), 1 + OTHERS);
  server_stop(server);
  free(server);
}

/* The destroyed client is another one, of any mode, with callbacks still due. */
static void destroy_other(struct outcome *outcome) {
  const struct door *other = outcome->hook_data;
  CHECK_OK(netcore_client_destroy(other->client));
  CHECK_STATUS(netcore_client_shutdown(other->client), NETCORE_ERR_INVALID_HANDLE);
}

static void test_destroy_other(netcore_completion_mode mode) {
  for (netcore_completion_mode other_mode = 0; other_mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE; other_mode++) {
    struct door door = door_open(mode), other = door_open(other_mode);
    struct outcome outcome = {.ended = &ended, .hook = destroy_other, .hook_data = &other};
    struct tally others_ended = TALLY_INITIAL;
    struct server *server = server_start(0);
    unsigned expected = mode_is_queue(other_mode) ? 0 : OTHERS;
    ended.count = 0;
    for (int i = 0; i < OTHERS; i++) {
      others[i] = (struct outcome){.ended = &others_ended};
      door_get(&other, server_url(server, "/"), &others[i]);
    }
    DOOR_UNTIL(&other, server_held(server) == OTHERS);
    door_get(&door, at(ORIGIN, "/status/200"), &outcome);
    door_wait(&door, &ended, 1);
    CHECK(tally_reaches(&others_ended, expected, patience_ms()));
    for (int i = 0; i < OTHERS; i++) {
      CHECK_EQUAL(others[i].calls, expected == 0 ? 0 : 1);
      if (expected != 0) CHECK_STATUS(others[i].completion.status, NETCORE_ERR_CANCELED);
      outcome_free(&others[i]);
    }
    outcome_free(&outcome);
    CHECK_OK(netcore_client_destroy(door.client));
    server_stop(server);
    free(server);
  }
}

static void test_cancel_others(netcore_completion_mode mode) { test_ending_others(mode, cancel_others); }
static void test_cancel_all(netcore_completion_mode mode) { test_ending_others(mode, cancel_everything); }
static void test_shutdown(netcore_completion_mode mode) { test_ending_others(mode, shut_client_down); }
static void test_destroy(netcore_completion_mode mode) { test_ending_others(mode, destroy_client); }

int main(void) {
  static const struct {
    const char *name;
    void (*run)(netcore_completion_mode mode);
  } cases[] = {{"cancel itself", test_cancel_itself},
               {"cancel others", test_cancel_others},
               {"cancel all", test_cancel_all},
               {"shutdown", test_shutdown},
               {"destroy", test_destroy},
               {"destroy another", test_destroy_other}};
  check_begin();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP; mode++)
    for (size_t i = 0; i < LENGTH(cases) && !mode_is_queue(mode); i++) {
      static char name[80];
      snprintf(name, sizeof name, "inside a callback, %s mode: %s", mode_name(mode), cases[i].name);
      check_case = name;
      ended.count = 0;
      cases[i].run(mode);
    }
  return check_end();
}
