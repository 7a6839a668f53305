/*
 * The limits on what a client does at once: transfers in all and per host, and the length of the queue, beyond which a
 * dispatch is refused on the spot. The servers hold every request, so that what is in flight can be counted.
 */
#include "support.h"

#include "support/server.h"

enum { COUNT = 12 };

static struct tally ended = TALLY_INITIAL;
static struct outcome outcomes[COUNT];

static unsigned count_in(netcore_task_state state) {
  unsigned count = 0;
  for (int i = 0; i < COUNT; i++) count += outcomes[i].task != 0 && task_state(outcomes[i].task) == state;
  return count;
}

static struct door new_door(uint64_t transfers, uint64_t per_host) {
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, transfers));
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS_PER_HOST, per_host));
  ended.count = 0;
  for (int i = 0; i < COUNT; i++) outcomes[i] = (struct outcome){.ended = &ended};
  return door;
}

static void end(struct door *door, struct server *server, struct server *other) {
  for (int i = 0; i < COUNT; i++) outcome_free(&outcomes[i]);
  CHECK_OK(netcore_client_destroy(door->client));
  server_stop(server);
  free(server);
  if (other != NULL) server_stop(other);
  free(other);
}

static void test_transfers(void) {
  struct door door = new_door(3, 1000);
  struct server *server = server_start(0);
  check_case = "3 transfers at once";
  for (int i = 0; i < COUNT; i++) door_get(&door, server_url(server, "/"), &outcomes[i]);
  for (unsigned answered = 0; answered < COUNT; answered++) {
    unsigned left = COUNT - answered, wanted = left < 3 ? left : 3;
    WAIT_UNTIL(server_held(server) == wanted);
    CHECK_EQUAL(count_in(NETCORE_TASK_STATE_RUNNING), wanted);
    CHECK_EQUAL(count_in(NETCORE_TASK_STATE_QUEUED), left - wanted);
    server_allow(server, 1);
    door_wait(&door, &ended, answered + 1);
  }
  CHECK_EQUAL(server->most_held, 3);
  for (int i = 0; i < COUNT; i++) CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK);
  end(&door, server, NULL);
}

static void test_per_host(void) {
  struct door door = new_door(1000, 2);
  struct server *one = server_start(0), *other = server_start(0);
  check_case = "2 transfers at once for each host";
  for (int i = 0; i < COUNT; i++) door_get(&door, server_url(i % 2 == 0 ? one : other, "/"), &outcomes[i]);
  WAIT_UNTIL(server_held(one) == 2 && server_held(other) == 2);
  CHECK_EQUAL(count_in(NETCORE_TASK_STATE_RUNNING), 4);
  /* A host that does not answer holds up no other. */
  server_allow(other, COUNT / 2);
  door_wait(&door, &ended, COUNT / 2);
  CHECK_EQUAL(count_in(NETCORE_TASK_STATE_RUNNING), 2);
  CHECK_EQUAL(count_in(NETCORE_TASK_STATE_QUEUED), COUNT / 2 - 2);
  server_allow(one, COUNT / 2);
  door_wait(&door, &ended, COUNT);
  CHECK(one->most_held == 2 && other->most_held == 2);
  end(&door, one, other);
}

static void test_raised_at_once(void) {
  struct door door = new_door(1, 1000);
  struct server *server = server_start(0);
  check_case = "a limit that is raised holds at once";
  for (int i = 0; i < COUNT; i++) door_get(&door, server_url(server, "/"), &outcomes[i]);
  WAIT_UNTIL(server_held(server) == 1);
  CHECK_EQUAL(count_in(NETCORE_TASK_STATE_QUEUED), COUNT - 1);
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, 4));
  WAIT_UNTIL(server_held(server) == 4);
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS_PER_HOST, 6));
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, UINT64_MAX));
  WAIT_UNTIL(server_held(server) == 6);
  CHECK_EQUAL(count_in(NETCORE_TASK_STATE_RUNNING), 6);
  server_allow(server, COUNT);
  door_wait(&door, &ended, COUNT);
  CHECK_EQUAL(server->most_held, 6);
  end(&door, server, NULL);
}

static void never(const netcore_completion *completion) {
  (void)completion;
  CHECK(!"a callback of a call that failed runs");
}

/* One runs and two are queued, which is all: every way to dispatch one more is refused, and leaves no trace. */
static void test_queue_length(void) {
  struct door door = new_door(1, 1000);
  struct server *server = server_start(0);
  netcore_request request = request_new("GET", server_url(server, "/"));
  netcore_request pair[2] = {request, request};
  netcore_task task = 77, tasks[2] = {77, 77};
  netcore_response response = 77;
  netcore_group group = 0;
  check_case = "a queue of 2";
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_QUEUE_LENGTH, 2));
  CHECK_OK(netcore_task_create(door.client, request, outcome_done, &outcomes[3], &outcomes[3].task));
  CHECK_OK(door_dispatch(&door, request, &outcomes[0]));
  WAIT_UNTIL(server_held(server) == 1);
  CHECK_OK(door_dispatch(&door, request, &outcomes[1]));
  CHECK_STATUS(netcore_dispatch_many(door.client, pair, 2, never, NULL, tasks), NETCORE_ERR_LIMIT_QUEUE_LENGTH);
  CHECK(tasks[0] == 0 && tasks[1] == 0);
  CHECK_OK(door_dispatch(&door, request, &outcomes[2]));
  CHECK_STATUS(netcore_dispatch(door.client, request, never, NULL, &task), NETCORE_ERR_LIMIT_QUEUE_LENGTH);
  CHECK_EQUAL(task, 0);
  CHECK_STATUS(netcore_perform(door.client, request, &response), NETCORE_ERR_LIMIT_QUEUE_LENGTH);
  CHECK_EQUAL(response, 0);
  CHECK_STATUS(netcore_task_dispatch(outcomes[3].task), NETCORE_ERR_LIMIT_QUEUE_LENGTH);
  CHECK_EQUAL(task_state(outcomes[3].task), NETCORE_TASK_STATE_CREATED);
  /* Creating is no dispatch, and a group is not judged. */
  CHECK_OK(netcore_task_create(door.client, request, outcome_done, &outcomes[4], &outcomes[4].task));
  CHECK_OK(netcore_group_create(door.client, &group));
  CHECK_OK(netcore_group_add(group, request, outcome_done, &outcomes[5], &outcomes[5].task));
  CHECK_OK(netcore_group_dispatch(group, NULL, NULL));
  CHECK_EQUAL(task_state(outcomes[5].task), NETCORE_TASK_STATE_QUEUED);

  check_case = "a queue that has room again";
  server_allow(server, 4);
  door_wait(&door, &ended, 4);
  CHECK_OK(netcore_task_dispatch(outcomes[3].task));
  CHECK_OK(netcore_task_dispatch(outcomes[4].task));
  server_allow(server, 2);
  door_wait(&door, &ended, 6);
  for (int i = 0; i < 6; i++) {
    CHECK_EQUAL(outcomes[i].calls, 1);
    CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK);
  }
  CHECK_OK(netcore_request_destroy(request));
  end(&door, server, NULL);
}

/* The tasks that were refused never reached the server; those canceled in the queue make room. */
static void test_canceled_make_room(void) {
  struct door door = new_door(1, 1000);
  struct server *server = server_start(0);
  check_case = "canceled tasks make room in the queue";
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_QUEUE_LENGTH, 1));
  door_get(&door, server_url(server, "/"), &outcomes[0]);
  WAIT_UNTIL(server_held(server) == 1);
  for (int i = 1; i < COUNT - 1; i++) {
    door_get(&door, server_url(server, "/never"), &outcomes[i]);
    CHECK_OK(netcore_task_cancel(outcomes[i].task));
    door_wait(&door, &ended, (unsigned)i);
    CHECK_STATUS(outcomes[i].completion.status, NETCORE_ERR_CANCELED);
  }
  server_allow(server, COUNT);
  door_wait(&door, &ended, COUNT - 1);
  door_get(&door, server_url(server, "/last"), &outcomes[COUNT - 1]);
  door_wait(&door, &ended, COUNT);
  CHECK(strstr(server->last_head, "GET /last ") != NULL);
  end(&door, server, NULL);
}

/*
 * A task canceled at the very moment the queue moves on: whatever the order in which the client's thread hears of the
 * end of the first, the coming of two more and the cancel, the others get their turn.
 */
static void test_cancel_while_moving_on(void) {
  struct door door = new_door(1000, 1);
  netcore_request request = request_new("GET", at(NGINX, "/small.txt"));
  check_case = "a cancel while the queue moves on";
  for (unsigned round = 0; round < (is_slow() ? 200u : 6000u); round++) {
    netcore_request both[2] = {request, request};
    void *user_data[2] = {&outcomes[2], &outcomes[3]};
    netcore_task tasks[2];
    ended.count = 0;
    for (int i = 0; i < 4; i++) outcomes[i] = (struct outcome){.ended = &ended};
    CHECK_OK(door_dispatch(&door, request, &outcomes[0]));
    CHECK_OK(door_dispatch(&door, request, &outcomes[1]));
    for (volatile unsigned i = 0; i < round % 100 * 400; i++) continue;
    CHECK_OK(netcore_dispatch_many(door.client, both, 2, outcome_done, user_data, tasks));
    netcore_task_cancel(outcomes[1].task);
    if (!door_wait(&door, &ended, 4)) break;
    for (int i = 0; i < 4; i++) outcome_free(&outcomes[i]);
  }
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(door.client));
}

int main(void) {
  check_begin();
  test_transfers();
  test_per_host();
  test_raised_at_once();
  test_queue_length();
  test_canceled_make_room();
  test_cancel_while_moving_on();
  return check_end();
}
