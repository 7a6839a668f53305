/*
 * Tasks by their ids: known at once, distinct, below 2^53, stale after the end; states; and canceling by id, by tag and
 * all, in each state.
 */
#include "support.h"

#include "support/server.h"

static struct tally ended = TALLY_INITIAL;
static struct door door;

static int compare_ids(const void *left, const void *right) {
  netcore_task a = *(const netcore_task *)left, b = *(const netcore_task *)right;
  return a < b ? -1 : a > b;
}

static void check_ids(netcore_task *tasks, size_t count) {
  qsort(tasks, count, sizeof *tasks, compare_ids);
  CHECK(tasks[0] != 0);
  CHECK(tasks[count - 1] < (uint64_t)1 << 53);
  for (size_t i = 1; i < count; i++) CHECK(tasks[i] != tasks[i - 1]);
}

enum { MANY = 1000 };

static struct outcome many[MANY];
static netcore_task many_tasks[MANY];

static void check_known(struct outcome *outcome) { CHECK_EQUAL(outcome->completion.task, many_tasks[outcome - many]); }

/* 1,000 at once, twice: each with its own id, filled in before any callback can run. */
static void test_many(void) {
  static void *user_data[MANY];
  static netcore_request requests[MANY];
  static netcore_task all[2 * MANY];
  netcore_request request = request_new("GET", at(NGINX, "/small.txt"));
  for (int round = 0; round < 2; round++) {
    netcore_status status;
    check_case = "1,000 tasks at once";
    ended.count = 0;
    memset(many_tasks, 0, sizeof many_tasks);
    for (int i = 0; i < MANY; i++) {
      many[i] = (struct outcome){.ended = &ended, .hook = check_known};
      user_data[i] = &many[i];
      requests[i] = request;
    }
    REGISTERING(status, netcore_dispatch_many(door.client, requests, MANY, outcome_done, user_data, many_tasks));
    CHECK_OK(status);
    door_wait(&door, &ended, MANY);
    for (int i = 0; i < MANY; i++) {
      CHECK_EQUAL(many[i].calls, 1);
      CHECK_STATUS(many[i].completion.status, NETCORE_OK);
      CHECK_EQUAL(response_info(many[i].completion.response).body.size_bytes, 128);
      outcome_free(&many[i]);
    }
    memcpy(all + round * MANY, many_tasks, sizeof many_tasks);
  }
  CHECK_OK(netcore_request_destroy(request));
  check_ids(all, 2 * MANY); /* Ids are not used again. */
  check_case = "stale ids";
  for (int i = 0; i < 2 * MANY; i++) WAIT_UNTIL(task_state(all[i]) == NETCORE_TASK_STATE_NONE);
  for (int i = 0; i < 2 * MANY; i++) {
    CHECK_EQUAL(task_state(all[i]), NETCORE_TASK_STATE_NONE);
    CHECK_STATUS(netcore_task_cancel(all[i]), NETCORE_ERR_INVALID_HANDLE);
    CHECK_STATUS(netcore_task_dispatch(all[i]), NETCORE_ERR_INVALID_HANDLE);
  }
}

static void test_many_without_results(void) {
  struct tally others = TALLY_INITIAL;
  struct outcome outcome = {.ended = &others};
  netcore_request request = request_new("GET", at(NGINX, "/small.txt"));
  netcore_request requests[3] = {request, request, request};
  void *user_data[3] = {&outcome, &outcome, &outcome};
  check_case = "many without ids, and without callback";
  CHECK_OK(netcore_dispatch_many(door.client, requests, 1, outcome_done, user_data, NULL));
  CHECK(tally_reaches(&others, 1, patience_ms()));
  outcome_free(&outcome);
  CHECK_OK(netcore_dispatch_many(door.client, requests, 3, NULL, NULL, many_tasks));
  for (int i = 0; i < 3; i++) WAIT_UNTIL(task_state(many_tasks[i]) == NETCORE_TASK_STATE_NONE);
  CHECK_OK(netcore_request_destroy(request));
}

enum { RUNNING, QUEUED, CREATED, OTHER, STATES };

static struct server *server;
static struct outcome tasks[STATES];
static unsigned received_before;

/* One task in each state, and one more that is left as it is. */
static void start_tasks(void) {
  netcore_request request = request_new("GET", server_url(server, "/"));
  ended.count = 0;
  received_before = server_received(server);
  for (int i = 0; i < STATES; i++) tasks[i] = (struct outcome){.ended = &ended};
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, 1));
  CHECK_OK(netcore_request_set_tag(request, "first"));
  CHECK_OK(door_dispatch(&door, request, &tasks[RUNNING]));
  WAIT_UNTIL(server_held(server) == 1);
  CHECK_OK(netcore_request_set_tag(request, "second"));
  CHECK_OK(door_dispatch(&door, request, &tasks[QUEUED]));
  CHECK_OK(netcore_task_create(door.client, request, outcome_done, &tasks[CREATED], &tasks[CREATED].task));
  CHECK_OK(netcore_request_set_tag(request, NULL));
  CHECK_OK(door_dispatch(&door, request, &tasks[OTHER]));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_EQUAL(task_state(tasks[RUNNING].task), NETCORE_TASK_STATE_RUNNING);
  CHECK_EQUAL(task_state(tasks[QUEUED].task), NETCORE_TASK_STATE_QUEUED);
  CHECK_EQUAL(task_state(tasks[CREATED].task), NETCORE_TASK_STATE_CREATED);
  CHECK_EQUAL(task_state(tasks[OTHER].task), NETCORE_TASK_STATE_QUEUED);
}

static void check_canceled(struct outcome *outcome, netcore_phase phase) {
  CHECK_EQUAL(outcome->calls, 1);
  CHECK_STATUS(outcome->completion.status, NETCORE_ERR_CANCELED);
  CHECK_EQUAL(response_error(outcome->completion.response).phase, phase);
  CHECK_EQUAL(response_error(outcome->completion.response).is_retryable, 0);
  WAIT_UNTIL(netcore_task_cancel(outcome->task) == NETCORE_ERR_INVALID_HANDLE);
}

static void check_other_succeeds(unsigned ended_before) {
  CHECK_EQUAL(tasks[OTHER].calls, 0);
  /* Its own request, and no longer the canceled one. */
  WAIT_UNTIL(server_received(server) == received_before + 2 && server_held(server) == 1);
  server_allow(server, 1);
  door_wait(&door, &ended, ended_before + 1);
  CHECK_STATUS(tasks[OTHER].completion.status, NETCORE_OK);
  CHECK_EQUAL(tally_count(&ended), ended_before + 1);
  for (int i = 0; i < STATES; i++) outcome_free(&tasks[i]);
}

static void test_cancel(void) {
  static const netcore_phase phases[] = {NETCORE_PHASE_WAIT, NETCORE_PHASE_QUEUE, NETCORE_PHASE_NONE};
  check_case = "cancel by id, in each state";
  start_tasks();
  for (int i = CREATED; i >= RUNNING; i--) { /* The running one last: its end starts the next. */
    bool was = is_registering;
    is_registering = true;
    CHECK_OK(netcore_task_cancel(tasks[i].task));
    is_registering = was;
  }
  door_wait(&door, &ended, 3);
  for (int i = RUNNING; i <= CREATED; i++) check_canceled(&tasks[i], phases[i]);
  check_other_succeeds(3);
}

static void test_cancel_tag(void) {
  uint32_t count = 77;
  check_case = "cancel by tag";
  start_tasks();
  CHECK_OK(netcore_client_cancel_tag(door.client, "FIRST", &count));
  CHECK_EQUAL(count, 0);
  CHECK_OK(netcore_client_cancel_tag(door.client, "", &count));
  CHECK_EQUAL(count, 0);
  CHECK_OK(netcore_client_cancel_tag(door.client, "second", &count));
  CHECK_EQUAL(count, 2);
  door_wait(&door, &ended, 2);
  CHECK_EQUAL(tasks[RUNNING].calls, 0);
  CHECK_OK(netcore_client_cancel_tag(door.client, "first", NULL));
  door_wait(&door, &ended, 3);
  CHECK_OK(netcore_client_cancel_tag(door.client, "first", &count));
  CHECK_EQUAL(count, 0);
  check_other_succeeds(3);
}

static void test_cancel_all(void) {
  uint32_t count = 77;
  check_case = "cancel all";
  start_tasks();
  CHECK_OK(netcore_client_cancel_all(door.client, &count));
  CHECK_EQUAL(count, STATES);
  door_wait(&door, &ended, STATES);
  for (int i = 0; i < STATES; i++) {
    CHECK_STATUS(tasks[i].completion.status, NETCORE_ERR_CANCELED);
    outcome_free(&tasks[i]);
  }
  WAIT_UNTIL(task_state(tasks[OTHER].task) == NETCORE_TASK_STATE_NONE && server_held(server) == 0);
  CHECK_OK(netcore_client_cancel_all(door.client, &count));
  CHECK_EQUAL(count, 0);
}

static void test_create_without_id(void) {
  netcore_request request = request_new("GET", server_url(server, "/"));
  uint32_t count = 77;
  check_case = "a task whose id is not asked for";
  CHECK_OK(netcore_task_create(door.client, request, NULL, NULL, NULL));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_cancel_all(door.client, &count));
  CHECK_EQUAL(count, 1);
}

static void test_dispatch_states(void) {
  struct outcome outcome = {.ended = &ended};
  netcore_request request = request_new("GET", server_url(server, "/"));
  check_case = "a task that was created, and dispatched later";
  ended.count = 0;
  CHECK_OK(netcore_task_create(door.client, request, outcome_done, &outcome, &outcome.task));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_task_dispatch(outcome.task));
  CHECK_STATUS(netcore_task_dispatch(outcome.task), NETCORE_ERR_INVALID_STATE);
  WAIT_UNTIL(server_held(server) == 1);
  CHECK_STATUS(netcore_task_dispatch(outcome.task), NETCORE_ERR_INVALID_STATE);
  server_allow(server, 1);
  door_wait(&door, &ended, 1);
  CHECK_STATUS(outcome.completion.status, NETCORE_OK);
  outcome_free(&outcome);
}

static void test_progress(void) {
  struct outcome outcome = {.ended = &ended};
  netcore_task_info info = {.size = sizeof info};
  netcore_request request = script_request(
      "POST", ORIGIN, "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf '},{'sleep_ms':60000}]");
  check_case = "progress";
  ended.count = 0;
  CHECK_OK(netcore_request_set_body(request, "the body", 8));
  CHECK_OK(netcore_task_create(door.client, request, outcome_done, &outcome, &outcome.task));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_task_get_info(outcome.task, &info));
  CHECK(info.received_bytes == 0 && info.sent_bytes == 0 && info.expected_bytes == UINT64_MAX);
  CHECK_OK(netcore_task_dispatch(outcome.task));
  WAIT_UNTIL(netcore_task_get_info(outcome.task, &info) == NETCORE_OK && info.received_bytes == 5);
  CHECK_EQUAL(info.state, NETCORE_TASK_STATE_RUNNING);
  CHECK_EQUAL(info.expected_bytes, 10);
  CHECK_EQUAL(info.sent_bytes, 8);
  CHECK_OK(netcore_task_cancel(outcome.task));
  door_wait(&door, &ended, 1);
  CHECK_EQUAL(response_error(outcome.completion.response).phase, NETCORE_PHASE_RECEIVE);
  CHECK_EQUAL(outcome.completion.http_status, 200); /* The head had arrived whole. */
  outcome_free(&outcome);
}

int main(void) {
  check_begin();
  door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  server = server_start(0);
  test_many();
  test_many_without_results();
  test_cancel();
  test_cancel_tag();
  test_cancel_all();
  test_create_without_id();
  test_dispatch_states();
  test_progress();
  CHECK_OK(netcore_client_destroy(door.client));
  server_stop(server);
  free(server);
  return check_end();
}
