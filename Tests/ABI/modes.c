/*
 * The ways to receive completions. One table of cases runs in each: every task ends with exactly one terminal
 * callback (or completion), never inside the call that registered it, and its id is known before.
 */
#include "support.h"

#include "support/server.h"

static struct tally ended = TALLY_INITIAL;

static void check_end_of(struct outcome *outcome, netcore_status status, int http_status) {
  CHECK_EQUAL(outcome->calls, 1);
  CHECK_STATUS(outcome->completion.status, status);
  CHECK_EQUAL(outcome->completion.http_status, http_status);
  CHECK_EQUAL(outcome->completion.kind, NETCORE_COMPLETION_KIND_TASK);
  CHECK_EQUAL(outcome->completion.group, 0);
  CHECK(outcome->completion.task == outcome->task && outcome->task != 0);
  netcore_response_info info = response_info(outcome->completion.response);
  netcore_error error = response_error(outcome->completion.response);
  check_response(status, &info, &error);
  CHECK_EQUAL(info.http_status, http_status);
  outcome_free(outcome);
}

static void end_door(struct door *door) {
  unsigned before = tally_count(&ended);
  CHECK_OK(netcore_client_destroy(door->client));
  CHECK_EQUAL(tally_count(&ended), before);
}

static void one_request(netcore_completion_mode mode, const char *url, netcore_status status, int http_status) {
  struct outcome outcome = {.ended = &ended};
  struct door door = door_open(mode);
  ended.count = 0;
  door_get(&door, url, &outcome);
  door_wait(&door, &ended, 1);
  check_end_of(&outcome, status, http_status);
  WAIT_UNTIL(task_state(outcome.task) == NETCORE_TASK_STATE_NONE);
  end_door(&door);
}

static void ok(netcore_completion_mode mode) { one_request(mode, at(ORIGIN, "/bytes/1000"), NETCORE_OK, 200); }

static void not_found(netcore_completion_mode mode) { one_request(mode, at(ORIGIN, "/nothing"), NETCORE_OK, 404); }

static void refused(netcore_completion_mode mode) { one_request(mode, at(REFUSED, "/"), NETCORE_ERR_CONNECT, 0); }

static void without_callback(netcore_completion_mode mode) {
  if (mode_is_queue(mode)) return; /* There it is the rule. */
  struct door door = door_open(mode);
  netcore_request request = request_new("GET", at(ORIGIN, "/status/200"));
  netcore_task task = 0;
  CHECK_OK(netcore_dispatch(door.client, request, NULL, NULL, &task));
  CHECK_OK(netcore_dispatch(door.client, request, NULL, NULL, NULL));
  while (mode_is_pump(mode) && task_state(task) != NETCORE_TASK_STATE_NONE)
    if (door_is_readable(&door, 100)) CHECK_OK(netcore_client_process(door.client, 0, NULL));
  WAIT_UNTIL(task_state(task) == NETCORE_TASK_STATE_NONE);
  CHECK_OK(netcore_request_destroy(request));
  end_door(&door);
}

static void cancel(netcore_completion_mode mode) {
  struct outcome outcome = {.ended = &ended};
  struct door door = door_open(mode);
  struct server *server = server_start(0);
  ended.count = 0;
  door_get(&door, server_url(server, "/"), &outcome);
  DOOR_UNTIL(&door, server_held(server) == 1);
  bool was = is_registering;
  is_registering = true; /* The terminal callback never runs inside the call. */
  CHECK_OK(netcore_task_cancel(outcome.task));
  is_registering = was;
  door_wait(&door, &ended, 1);
  check_end_of(&outcome, NETCORE_ERR_CANCELED, 0);
  CHECK_STATUS(netcore_task_cancel(outcome.task), NETCORE_ERR_INVALID_HANDLE);
  end_door(&door);
  server_stop(server);
  free(server);
}

enum { RUNNING = 20, CREATED = 5, ALL = RUNNING + CREATED };

/* Tasks of each state: some with their request at the server, some queued, some not dispatched. */
static struct server *start_tasks(struct door *door, struct outcome *outcomes) {
  struct server *server = server_start(0);
  netcore_request request = request_new("GET", server_url(server, "/"));
  ended.count = 0;
  CHECK_OK(netcore_client_set_limit(door->client, NETCORE_LIMIT_TRANSFERS, RUNNING / 2));
  for (int i = 0; i < ALL; i++) outcomes[i] = (struct outcome){.ended = &ended};
  for (int i = 0; i < RUNNING; i++) CHECK_OK(door_dispatch(door, request, &outcomes[i]));
  for (int i = RUNNING; i < ALL; i++)
    CHECK_OK(netcore_task_create(door->client, request, door_done(door), &outcomes[i], &outcomes[i].task));
  CHECK_OK(netcore_request_destroy(request));
  DOOR_UNTIL(door, server_held(server) == RUNNING / 2);
  return server;
}

static void shut_down(netcore_completion_mode mode) {
  struct outcome outcomes[ALL], late = {.ended = &ended};
  struct door door = door_open(mode);
  struct server *server = start_tasks(&door, outcomes);
  netcore_request request = request_new("GET", server_url(server, "/"));
  netcore_response response = 77;
  netcore_completion completion;
  uint32_t count = 77;
  CHECK_OK(netcore_client_shutdown(door.client));
  CHECK_OK(netcore_client_shutdown(door.client));
  CHECK_STATUS(door_dispatch(&door, request, &late), NETCORE_ERR_SHUT_DOWN);
  CHECK_EQUAL(late.task, 0);
  CHECK_STATUS(netcore_perform(door.client, request, &response), NETCORE_ERR_SHUT_DOWN);
  CHECK_EQUAL(response, 0);
  CHECK_STATUS(netcore_dispatch_many(door.client, &request, 1, NULL, NULL, &late.task), NETCORE_ERR_SHUT_DOWN);
  CHECK_STATUS(netcore_task_create(door.client, request, NULL, NULL, &late.task), NETCORE_ERR_SHUT_DOWN);
  CHECK_STATUS(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, 5), NETCORE_ERR_SHUT_DOWN);
  CHECK_EQUAL(late.task, 0);
  door_wait(&door, &ended, ALL);
  for (int i = 0; i < ALL; i++) check_end_of(&outcomes[i], NETCORE_ERR_CANCELED, 0);
  if (mode_is_queue(mode))
    CHECK_STATUS(netcore_client_wait(door.client, &completion, 1, sizeof(netcore_completion), UINT64_MAX, &count),
                 NETCORE_ERR_SHUT_DOWN);
  CHECK_EQUAL(late.calls, 0);
  end_door(&door);
  CHECK_OK(netcore_request_destroy(request));
  server_stop(server);
  free(server);
}

/* When destroy returns, each callback has returned; in queue mode nothing is delivered. */
static void destroy_in_flight(netcore_completion_mode mode) {
  struct outcome outcomes[ALL];
  struct door door = door_open(mode);
  struct server *server = start_tasks(&door, outcomes);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_EQUAL(tally_count(&ended), mode_is_queue(mode) ? 0 : ALL);
  for (int i = 0; i < ALL; i++) {
    CHECK_EQUAL(task_state(outcomes[i].task), NETCORE_TASK_STATE_NONE);
    CHECK_STATUS(netcore_task_cancel(outcomes[i].task), NETCORE_ERR_INVALID_HANDLE);
    if (!mode_is_queue(mode)) check_end_of(&outcomes[i], NETCORE_ERR_CANCELED, 0);
  }
  CHECK_STATUS(netcore_client_destroy(door.client), NETCORE_ERR_INVALID_HANDLE);
  CHECK_STATUS(netcore_client_shutdown(door.client), NETCORE_ERR_INVALID_HANDLE);
  server_stop(server);
  free(server);
}

struct performer {
  netcore_client client;
  netcore_request request;
  netcore_status status;
  pthread_t thread;
};

static void *perform_elsewhere(void *argument) {
  struct performer *performer = argument;
  struct answer answer = perform(performer->client, performer->request);
  performer->status = answer.status;
  answer_free(&answer);
  return NULL;
}

/* A perform() that waits on another thread is ended like any task. */
static void end_performers(netcore_completion_mode mode) {
  static const char *const ways[] = {"cancel all", "shutdown", "destroy"};
  for (size_t way = 0; way < LENGTH(ways); way++) {
    struct door door = door_open(mode);
    struct server *server = server_start(0);
    struct performer performers[3];
    for (int i = 0; i < 3; i++) {
      performers[i] = (struct performer){.client = door.client, .request = request_new("GET", server_url(server, "/"))};
      REQUIRE(pthread_create(&performers[i].thread, NULL, perform_elsewhere, &performers[i]) == 0);
    }
    WAIT_UNTIL(server_held(server) == 3);
    CHECK_OK(way == 0   ? netcore_client_cancel_all(door.client, NULL)
             : way == 1 ? netcore_client_shutdown(door.client)
                        : netcore_client_destroy(door.client));
    for (int i = 0; i < 3; i++) {
      REQUIRE(pthread_join(performers[i].thread, NULL) == 0);
      if (!CHECK_STATUS(performers[i].status, NETCORE_ERR_CANCELED)) fprintf(stderr, "    by %s\n", ways[way]);
      CHECK_OK(netcore_request_destroy(performers[i].request));
    }
    if (way < 2) CHECK_OK(netcore_client_destroy(door.client));
    server_stop(server);
    free(server);
  }
}

static struct {
  pthread_t thread;
  int inside;
} serial;

static void note_thread(struct outcome *outcome) {
  CHECK_EQUAL(__atomic_add_fetch(&serial.inside, 1, __ATOMIC_SEQ_CST), 1);
  if (*(int *)outcome->hook_data == 0) serial.thread = pthread_self();
  CHECK(pthread_equal(serial.thread, pthread_self()));
  *(int *)outcome->hook_data += 1;
  CHECK_EQUAL(__atomic_sub_fetch(&serial.inside, 1, __ATOMIC_SEQ_CST), 0);
}

/* Callbacks of one client never run at the same time, and all on the thread that the mode says. */
static void one_thread(netcore_completion_mode mode) {
  enum { COUNT = 200 };
  static struct outcome outcomes[COUNT];
  struct door door = door_open(mode);
  int seen = 0;
  ended.count = 0;
  for (int i = 0; i < COUNT; i++) {
    outcomes[i] = (struct outcome){.ended = &ended, .hook = note_thread, .hook_data = &seen};
    door_get(&door, i % 2 == 0 ? at(ORIGIN, "/status/200") : at(REFUSED, "/"), &outcomes[i]);
  }
  door_wait(&door, &ended, COUNT);
  CHECK_EQUAL(seen, COUNT);
  CHECK_EQUAL(pthread_equal(serial.thread, pthread_self()) != 0, mode != NETCORE_COMPLETION_MODE_CALLBACK);
  for (int i = 0; i < COUNT; i++)
    check_end_of(&outcomes[i], i % 2 == 0 ? NETCORE_OK : NETCORE_ERR_CONNECT, i % 2 == 0 ? 200 : 0);
  end_door(&door);
}

/* While the callback of one task is held up, destroy waits for it. */
static struct {
  struct tally entered, destroyer_called;
  pid_t destroyer;
  bool has_returned;
} held_up = {TALLY_INITIAL, TALLY_INITIAL, 0, false};

static void hold_up(struct outcome *outcome) {
  (void)outcome;
  tally_raise(&held_up.entered);
  CHECK(tally_reaches(&held_up.destroyer_called, 1, patience_ms()));
  WAIT_UNTIL(thread_sleeps(held_up.destroyer));
  __atomic_store_n(&held_up.has_returned, true, __ATOMIC_SEQ_CST);
}

static void destroy_waits_for_callback(netcore_completion_mode mode) {
  struct outcome outcome = {.ended = &ended, .hook = hold_up};
  if (mode != NETCORE_COMPLETION_MODE_CALLBACK) return; /* The other modes run them inside destroy, or not at all. */
  struct door door = door_open(mode);
  ended.count = 0;
  door_get(&door, at(ORIGIN, "/status/200"), &outcome);
  CHECK(tally_reaches(&held_up.entered, 1, patience_ms()));
  held_up.destroyer = this_thread();
  tally_raise(&held_up.destroyer_called);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK(__atomic_load_n(&held_up.has_returned, __ATOMIC_SEQ_CST));
  check_end_of(&outcome, NETCORE_OK, 200);
}

int main(void) {
  static const struct {
    const char *name;
    void (*run)(netcore_completion_mode mode);
  } cases[] = {
      {"ok", ok},
      {"404", not_found},
      {"refused", refused},
      {"no callback", without_callback},
      {"cancel", cancel},
      {"shutdown", shut_down},
      {"destroy with tasks in flight", destroy_in_flight},
      {"performers are ended", end_performers},
      {"one thread", one_thread},
      {"destroy waits", destroy_waits_for_callback},
  };
  check_begin();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++)
    for (size_t i = 0; i < LENGTH(cases); i++) {
      static char name[80];
      snprintf(name, sizeof name, "%s mode: %s", mode_name(mode), cases[i].name);
      check_case = name;
      cases[i].run(mode);
    }
  return check_end();
}
