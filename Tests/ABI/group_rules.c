/*
 * Groups with options, sentence by sentence of netcore/group.h, in each mode: what the end of a member means for the others,
 * limits, chains, graphs, groups in groups, tasks that join, results, and what is refused.
 */
#include "support.h"

#include "support/server.h"

enum { MEMBERS = 8 };

static struct tally ended = TALLY_INITIAL;
static struct door door;
static netcore_group group;
static struct outcome members[MEMBERS], notified;
/* The members in the order in which they ended, and 'N' for the notification. */
static char order[32];

static void note_order(struct outcome *outcome) {
  size_t size = strlen(order);
  char mark = outcome == &notified ? 'N' : outcome->hook_data != NULL ? *(const char *)outcome->hook_data : '?';
  if (CHECK(size + 1 < sizeof order)) order[size] = mark;
}

static void begin(netcore_group_rule rule, uint32_t limit, uint64_t timeout_ms) {
  static const char marks[] = "01234567";
  netcore_group_options options = NETCORE_GROUP_OPTIONS_INIT;
  options.rule = rule, options.limit = limit, options.timeout_ms = timeout_ms;
  ended.count = 0;
  memset(order, 0, sizeof order);
  for (unsigned i = 0; i < MEMBERS; i++)
    members[i] = (struct outcome){.ended = &ended, .hook = note_order, .hook_data = (void *)(uintptr_t)&marks[i]};
  notified = (struct outcome){.ended = &ended, .hook = note_order};
  REQUIRE_OK(netcore_group_create(door.client, &group));
  CHECK_OK(netcore_group_set_options(group, &options));
}

static void add(unsigned index, const char *url) {
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_group_add(group, request, door_done(&door), &members[index], &members[index].task));
  CHECK_OK(netcore_request_destroy(request));
}

static void depend(unsigned index, unsigned after) {
  CHECK_OK(netcore_group_add_dependency(group, members[index].task, members[after].task));
}

static void dispatch(void) {
  netcore_status status;
  REGISTERING(status, netcore_group_dispatch(group, door_done(&door), &notified));
  CHECK_OK(status);
}

/* Waits for so many ends of members and the notification. */
static void finish(unsigned count, netcore_status status, unsigned decider) {
  door_wait(&door, &ended, count + 1);
  CHECK_EQUAL(tally_count(&ended), count + 1);
  CHECK_STATUS(notified.completion.status, status);
  CHECK_EQUAL(notified.completion.task, decider < MEMBERS ? members[decider].completion.task : 0);
  CHECK_EQUAL(order[strlen(order) - 1], 'N');
  for (unsigned i = 0; i < MEMBERS; i++) outcome_free(&members[i]);
}

static void check_end_of(unsigned index, netcore_status status) {
  CHECK_EQUAL(members[index].calls, 1);
  CHECK_STATUS(members[index].completion.status, status);
}

static void first_failure_cancels_the_rest(void) {
  struct server *server = server_start(0);
  begin(NETCORE_GROUP_RULE_ALL_OR_NOTHING, 0, 0);
  add(0, server_url(server, "/"));
  add(1, at(REFUSED, "/"));
  add(2, server_url(server, "/"));
  dispatch();
  finish(3, NETCORE_ERR_CONNECT, 1);
  check_end_of(0, NETCORE_ERR_CANCELED);
  check_end_of(1, NETCORE_ERR_CONNECT);
  check_end_of(2, NETCORE_ERR_CANCELED);
  server_stop(server);
  free(server);
}

static void first_success_wins(void) {
  struct server *server = server_start(0);
  begin(NETCORE_GROUP_RULE_ANY, 0, 0);
  add(0, server_url(server, "/"));
  add(1, at(REFUSED, "/"));
  add(2, at(ORIGIN, "/delay/30"));
  dispatch();
  finish(3, NETCORE_OK, 2);
  check_end_of(0, NETCORE_ERR_CANCELED);
  check_end_of(1, NETCORE_ERR_CONNECT);
  check_end_of(2, NETCORE_OK);
  server_stop(server);
  free(server);
}

static void no_success(void) {
  begin(NETCORE_GROUP_RULE_ANY, 1, 0);
  add(0, at(REFUSED, "/"));
  add(1, at(REFUSED, "/"));
  dispatch();
  finish(2, NETCORE_ERR_CONNECT, 0);
  CHECK(strcmp(order, "01N") == 0);
}

static void only_so_many_at_once(void) {
  struct server *server = server_start(0);
  begin(NETCORE_GROUP_RULE_ALL_SETTLED, 2, 0);
  for (unsigned i = 0; i < MEMBERS; i++) add(i, server_url(server, "/"));
  dispatch();
  DOOR_UNTIL(&door, server_held(server) == 2);
  server_allow(server, MEMBERS);
  finish(MEMBERS, NETCORE_OK, MEMBERS);
  CHECK_EQUAL(server->most_held, 2);
  server_stop(server);
  free(server);
}

static void too_long(void) {
  struct server *server = server_start(0);
  begin(NETCORE_GROUP_RULE_ALL_SETTLED, 2, 50);
  add(0, at(ORIGIN, "/status/200"));
  for (unsigned i = 1; i < 4; i++) add(i, server_url(server, "/"));
  dispatch();
  finish(4, NETCORE_ERR_TIMEOUT_TOTAL, MEMBERS);
  check_end_of(0, NETCORE_OK);
  for (unsigned i = 1; i < 4; i++) check_end_of(i, NETCORE_ERR_CANCELED);
  server_stop(server);
  free(server);
}

/* Chains. */

static void one_after_the_other(void) {
  begin(NETCORE_GROUP_RULE_CHAIN, 0, 0);
  add(0, at(ORIGIN, "/delay/30"));
  add(1, at(ORIGIN, "/status/404"));
  add(2, at(ORIGIN, "/status/200"));
  dispatch();
  CHECK_STATUS(netcore_group_dispatch(group, door_done(&door), &notified), NETCORE_ERR_INVALID_STATE);
  finish(3, NETCORE_OK, MEMBERS);
  CHECK(strcmp(order, "012N") == 0);
}

static void first_failure_ends_the_chain(void) {
  begin(NETCORE_GROUP_RULE_CHAIN, 0, 0);
  add(0, at(ORIGIN, "/status/200"));
  add(1, at(REFUSED, "/"));
  add(2, at(ORIGIN, "/status/200"));
  add(3, at(ORIGIN, "/status/200"));
  dispatch();
  finish(4, NETCORE_ERR_CONNECT, 1);
  check_end_of(0, NETCORE_OK);
  check_end_of(2, NETCORE_ERR_SKIPPED);
  check_end_of(3, NETCORE_ERR_SKIPPED);
  CHECK(strcmp(order, "0123N") == 0);
}

/* A chain goes on when callbacks have returned, and so only when the application runs or takes them. */
static bool has_received(struct server *server, unsigned count) {
  if (mode_is_queue(door.mode)) door_take(&door, 64, 0);
  if (mode_is_pump(door.mode)) CHECK_OK(netcore_client_process(door.client, 0, NULL));
  return server_received(server) == count;
}

static void canceled_chain(void) {
  struct server *server = server_start(0);
  begin(NETCORE_GROUP_RULE_CHAIN, 0, 0);
  for (unsigned i = 0; i < 4; i++) add(i, server_url(server, "/"));
  dispatch();
  server_allow(server, 1);
  DOOR_UNTIL(&door, has_received(server, 2));
  CHECK_OK(netcore_group_cancel(group));
  finish(4, NETCORE_ERR_CANCELED, MEMBERS);
  check_end_of(0, NETCORE_OK);
  for (unsigned i = 1; i < 4; i++) check_end_of(i, NETCORE_ERR_CANCELED);
  CHECK_EQUAL(server_received(server), 2);
  server_stop(server);
  free(server);
}

/* Adds the next member, up to the fourth, in the callback of the one before. */
static void add_another(struct outcome *outcome) {
  unsigned next = (unsigned)(outcome - members) + 1;
  note_order(outcome);
  if (next == 4) return;
  members[next].hook = add_another;
  add(next, at(ORIGIN, "/status/200"));
}

static void grows_while_it_runs(void) {
  netcore_request request = request_new("GET", at(ORIGIN, "/status/200"));
  begin(NETCORE_GROUP_RULE_CHAIN, 0, 0);
  members[0].hook = add_another;
  add(0, at(ORIGIN, "/status/200"));
  dispatch();
  finish(4, NETCORE_OK, MEMBERS);
  CHECK(strcmp(order, "0123N") == 0);
  CHECK(netcore_group_add(group, request, NULL, NULL, NULL) != NETCORE_OK);
  CHECK_OK(netcore_request_destroy(request));
}

/* A step sends a request that it makes of what the one before brought: its body is the path. */
static void start_step(netcore_task task, void *user_data) {
  netcore_completion before = {.size = sizeof before};
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  char path[80];
  (void)user_data;
  CHECK_OK(netcore_group_get_result(group, 0, &before));
  CHECK(before.status == NETCORE_OK && before.kind == NETCORE_COMPLETION_KIND_TASK && before.group == group);
  CHECK_OK(netcore_response_get_info(before.response, &info));
  snprintf(path, sizeof path, "/bytes/%d", (int)info.body.size_bytes + 5);
  CHECK_OK(netcore_response_release(before.response));
  netcore_request request = request_new("GET", at(ORIGIN, path));
  CHECK_OK(netcore_task_send(task, request));
  CHECK_STATUS(netcore_task_send(task, request), NETCORE_ERR_INVALID_HANDLE);
  CHECK_STATUS(netcore_task_complete(task, NETCORE_OK), NETCORE_ERR_INVALID_HANDLE);
  CHECK_OK(netcore_request_destroy(request));
}

static unsigned stops;

static void stop_step(netcore_task task, void *user_data) {
  (void)user_data;
  stops++;
  CHECK_OK(netcore_task_complete(task, NETCORE_OK));
}

static void start_nothing(netcore_task task, void *user_data) { (void)task, (void)user_data; }

static void add_step(unsigned index, netcore_task_fn start) {
  bool is_queue = mode_is_queue(door.mode);
  CHECK_OK(netcore_group_add_application_task(group, is_queue ? NULL : start, is_queue ? NULL : stop_step,
                                              door_done(&door), &members[index], &members[index].task));
  CHECK_STATUS(netcore_task_complete(members[index].task, NETCORE_OK), NETCORE_ERR_INVALID_STATE);
}

/* In queue mode, does what completions say of steps, until so many have ended. */
static void drive_steps(unsigned count, netcore_task_fn start) {
  uint64_t deadline = now_ms() + patience_ms();
  while (mode_is_queue(door.mode) && tally_count(&ended) < count && now_ms() < deadline) {
    netcore_completion taken;
    uint32_t size = 0;
    CHECK_OK(netcore_client_wait(door.client, &taken, 1, sizeof taken, 100, &size));
    if (size == 0) continue;
    if (taken.kind == NETCORE_COMPLETION_KIND_START)
      start(taken.task, taken.user_data);
    else if (taken.kind == NETCORE_COMPLETION_KIND_STOP)
      stop_step(taken.task, taken.user_data);
    else
      outcome_done(&taken);
    if (taken.response != 0) CHECK_OK(netcore_response_release(taken.response));
  }
}

static void step_sees_the_result_before(void) {
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  begin(NETCORE_GROUP_RULE_CHAIN, 0, 0);
  add(0, at(ORIGIN, "/bytes/100"));
  add_step(1, start_step);
  dispatch();
  drive_steps(3, start_step);
  door_wait(&door, &ended, 3);
  CHECK_OK(netcore_response_get_info(members[1].completion.response, &info));
  CHECK_EQUAL(info.body.size_bytes, 105);
  finish(2, NETCORE_OK, MEMBERS);
}

static void canceled_work(void) {
  stops = 0;
  begin(NETCORE_GROUP_RULE_CHAIN, 0, 0);
  add_step(0, start_nothing);
  add_step(1, start_nothing);
  dispatch();
  if (mode_is_queue(door.mode)) {
    netcore_completion taken;
    uint32_t size = 0;
    CHECK_OK(netcore_client_wait(door.client, &taken, 1, sizeof taken, patience_ms(), &size));
    CHECK(size == 1 && taken.kind == NETCORE_COMPLETION_KIND_START && taken.task == members[0].task);
  } else {
    DOOR_UNTIL(&door, task_state(members[0].task) == NETCORE_TASK_STATE_RUNNING);
  }
  CHECK_OK(netcore_group_cancel(group));
  drive_steps(3, start_nothing);
  finish(2, NETCORE_ERR_CANCELED, MEMBERS);
  CHECK_EQUAL(stops, 1);
}

/* Graphs. */

static void members_wait_for_others(void) {
  begin(NETCORE_GROUP_RULE_ALL_SETTLED, 0, 0);
  for (unsigned i = 0; i < 4; i++) add(i, at(ORIGIN, i == 3 ? "/delay/30" : "/status/200"));
  depend(0, 1);
  depend(0, 2);
  depend(1, 3);
  depend(2, 1);
  CHECK_STATUS(netcore_group_add_dependency(group, members[3].task, members[0].task), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_group_add_dependency(group, members[2].task, members[2].task), NETCORE_ERR_INVALID_ARGUMENT);
  dispatch();
  CHECK_STATUS(netcore_group_add_dependency(group, members[0].task, members[3].task), NETCORE_ERR_INVALID_STATE);
  finish(4, NETCORE_OK, MEMBERS);
  CHECK(strcmp(order, "3120N") == 0);
}

static void failure_skips_dependants(void) {
  begin(NETCORE_GROUP_RULE_ALL_SETTLED, 0, 0);
  add(0, at(REFUSED, "/"));
  for (unsigned i = 1; i < 5; i++) add(i, at(ORIGIN, "/status/200"));
  depend(1, 0);
  depend(2, 1);
  depend(3, 4);
  dispatch();
  finish(5, NETCORE_ERR_CONNECT, 0);
  check_end_of(1, NETCORE_ERR_SKIPPED);
  check_end_of(2, NETCORE_ERR_SKIPPED);
  check_end_of(3, NETCORE_OK);
  check_end_of(4, NETCORE_OK);
}

/* Groups in groups, and tasks that were made elsewhere. */

static struct outcome inner_notified;

static netcore_group nest(unsigned first, unsigned count, const char *url, netcore_task *out_task) {
  netcore_group outer = group;
  netcore_group_options options = NETCORE_GROUP_OPTIONS_INIT;
  netcore_group inner = 0;
  REQUIRE_OK(netcore_group_create(door.client, &inner));
  CHECK_OK(netcore_group_set_options(inner, &options));
  group = inner;
  for (unsigned i = 0; i < count; i++) add(first + i, url);
  group = outer;
  inner_notified = (struct outcome){.ended = &ended, .hook = note_order, .hook_data = (void *)(uintptr_t)"n"};
  CHECK_OK(netcore_group_add_group(outer, inner, door_done(&door), &inner_notified, out_task));
  return inner;
}

static void group_in_a_group(void) {
  netcore_task proxy = 0;
  begin(NETCORE_GROUP_RULE_ALL_SETTLED, 0, 0);
  netcore_group inner = nest(0, 2, at(ORIGIN, "/delay/30"), &proxy);
  add(2, at(ORIGIN, "/status/200"));
  CHECK_OK(netcore_group_add_dependency(group, members[2].task, proxy));
  CHECK_STATUS(netcore_group_add_group(group, inner, NULL, NULL, NULL), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_group_add_group(inner, group, NULL, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_group_add_group(group, group, NULL, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_group_dispatch(inner, NULL, NULL), NETCORE_ERR_INVALID_STATE);
  dispatch();
  finish(4, NETCORE_OK, MEMBERS);
  CHECK(strcmp(order, "01n2N") == 0 || strcmp(order, "10n2N") == 0);
  CHECK_STATUS(inner_notified.completion.status, NETCORE_OK);
  CHECK_STATUS(netcore_task_cancel(proxy), NETCORE_ERR_INVALID_HANDLE);
}

static void skipped_group_notifies(void) {
  netcore_task proxy = 0;
  begin(NETCORE_GROUP_RULE_CHAIN, 0, 0);
  add(0, at(REFUSED, "/"));
  nest(1, 2, at(ORIGIN, "/status/200"), &proxy);
  dispatch();
  finish(4, NETCORE_ERR_CONNECT, 0);
  check_end_of(1, NETCORE_ERR_SKIPPED);
  check_end_of(2, NETCORE_ERR_SKIPPED);
  CHECK_STATUS(inner_notified.completion.status, NETCORE_ERR_SKIPPED);
}

static void canceled_inner_group(void) {
  struct server *server = server_start(0);
  netcore_task proxy = 0;
  begin(NETCORE_GROUP_RULE_ALL_SETTLED, 0, 0);
  nest(0, 2, server_url(server, "/"), &proxy);
  add(2, at(ORIGIN, "/status/200"));
  dispatch();
  DOOR_UNTIL(&door, server_held(server) == 2);
  CHECK_OK(netcore_task_cancel(proxy));
  door_wait(&door, &ended, 5);
  CHECK_EQUAL(notified.completion.task, proxy);
  notified.completion.task = 0;
  finish(4, NETCORE_ERR_CANCELED, MEMBERS);
  check_end_of(0, NETCORE_ERR_CANCELED);
  check_end_of(2, NETCORE_OK);
  server_stop(server);
  free(server);
}

static void task_that_was_made_before(void) {
  netcore_request request = request_new("GET", at(ORIGIN, "/status/200"));
  netcore_client other = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_task foreign = 0;
  netcore_group second = 0;
  begin(NETCORE_GROUP_RULE_ALL_OR_NOTHING, 0, 0);
  CHECK_OK(netcore_task_create(door.client, request, door_done(&door), &members[0], &members[0].task));
  CHECK_OK(netcore_group_add_task(group, members[0].task));
  CHECK_STATUS(netcore_group_add_task(group, members[0].task), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_group_create(door.client, &second));
  CHECK_STATUS(netcore_group_add_task(second, members[0].task), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_task_dispatch(members[0].task), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_task_create(other, request, NULL, NULL, &foreign));
  CHECK_STATUS(netcore_group_add_task(group, foreign), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_task_create(door.client, request, door_done(&door), &members[1], &members[1].task));
  CHECK_OK(netcore_task_dispatch(members[1].task));
  netcore_status status = netcore_group_add_task(group, members[1].task);
  CHECK(status == NETCORE_ERR_INVALID_STATE || status == NETCORE_ERR_INVALID_HANDLE);
  CHECK_OK(netcore_group_cancel(second));
  door_wait(&door, &ended, 1);
  dispatch();
  finish(2, NETCORE_OK, MEMBERS);
  CHECK_EQUAL(members[0].completion.group, group);
  CHECK_EQUAL(members[1].completion.group, 0);
  CHECK_OK(netcore_client_destroy(other));
  CHECK_OK(netcore_request_destroy(request));
}

/* In the notification the results of all members are there, in the order of adding. */
static void check_results(struct outcome *outcome) {
  static const netcore_status statuses[] = {NETCORE_OK, NETCORE_ERR_CONNECT, NETCORE_OK};
  netcore_completion result = {.size = sizeof result};
  netcore_group_info info = NETCORE_GROUP_INFO_INIT;
  note_order(outcome);
  if (mode_is_queue(door.mode)) return; /* It was taken, and has ended. */
  for (unsigned i = 0; i < LENGTH(statuses); i++) {
    CHECK_OK(netcore_group_get_result(group, i, &result));
    CHECK_STATUS(result.status, statuses[i]);
    CHECK(result.task == members[i].completion.task && result.user_data == &members[i]);
    CHECK((result.response != 0) == (i != 1) || result.status != NETCORE_OK);
    CHECK_EQUAL(result.http_status, i == 0 ? 404 : i == 1 ? 0 : 200);
    if (result.response != 0) CHECK_OK(netcore_response_release(result.response));
  }
  CHECK_STATUS(netcore_group_get_result(group, 3, &result), NETCORE_ERR_NOT_FOUND);
  CHECK_OK(netcore_group_get_info(group, &info));
  CHECK(info.total == 3 && info.succeeded == 2 && info.failed == 1 && info.skipped == 0);
  CHECK(info.received_bytes >= 1000);
}

static void results_in_order(void) {
  netcore_completion result = {.size = sizeof result};
  begin(NETCORE_GROUP_RULE_ALL_SETTLED, 0, 0);
  notified.hook = check_results;
  add(0, at(ORIGIN, "/status/404"));
  add(1, at(REFUSED, "/"));
  add(2, at(ORIGIN, "/bytes/1000"));
  CHECK_STATUS(netcore_group_get_result(group, 0, &result), NETCORE_ERR_IN_PROGRESS);
  dispatch();
  finish(3, NETCORE_ERR_CONNECT, 1);
}

static void refused_options(void) {
  netcore_group_options options = NETCORE_GROUP_OPTIONS_INIT;
  netcore_completion result = {.size = sizeof result};
  ended.count = 0;
  REQUIRE_OK(netcore_group_create(door.client, &group));
  options.rule = 4;
  CHECK_STATUS(netcore_group_set_options(group, &options), NETCORE_ERR_INVALID_ARGUMENT);
  options.rule = 0, options.drops_responses = 2;
  CHECK_STATUS(netcore_group_set_options(group, &options), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_group_get_result(group, 0, &result), NETCORE_ERR_INVALID_STATE);
  members[0] = (struct outcome){.ended = &ended};
  add(0, at(ORIGIN, "/status/200"));
  CHECK_STATUS(netcore_group_set_options(group, NULL), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_group_add_dependency(group, members[0].task, members[0].task), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_group_cancel(group));
  door_wait(&door, &ended, 1);
  outcome_free(&members[0]);
}

/* The client ends in the middle: each member ends once, and then the group. */
static void client_destroyed(void) {
  struct server *server = server_start(0);
  bool is_queue = mode_is_queue(door.mode);
  netcore_task proxy = 0;
  begin(NETCORE_GROUP_RULE_CHAIN, 0, 60000);
  nest(0, 2, server_url(server, "/"), &proxy);
  add(2, server_url(server, "/"));
  dispatch();
  DOOR_UNTIL(&door, server_held(server) == 2);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_EQUAL(tally_count(&ended), is_queue ? 0 : 5);
  if (!is_queue) CHECK(strlen(order) == 5 && order[4] == 'N');
  if (!is_queue) CHECK_STATUS(notified.completion.status, NETCORE_ERR_CANCELED);
  for (unsigned i = 0; i < MEMBERS; i++) outcome_free(&members[i]);
  server_stop(server);
  free(server);
  door = door_open(door.mode);
}

int main(void) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {
      {"all or nothing: the first failure cancels the rest", first_failure_cancels_the_rest},
      {"any: the first success wins", first_success_wins},
      {"any: without a success the first failure counts", no_success},
      {"so many at once, and no more", only_so_many_at_once},
      {"a group that takes too long", too_long},
      {"a chain runs one after the other", one_after_the_other},
      {"the first failure ends a chain", first_failure_ends_the_chain},
      {"a canceled chain", canceled_chain},
      {"a chain grows while it runs", grows_while_it_runs},
      {"a step sees the result before", step_sees_the_result_before},
      {"canceled work is stopped once", canceled_work},
      {"members wait for others", members_wait_for_others},
      {"a failure skips those that wait for it", failure_skips_dependants},
      {"a group is a member", group_in_a_group},
      {"a skipped group notifies", skipped_group_notifies},
      {"an inner group is canceled", canceled_inner_group},
      {"a task that was made before joins", task_that_was_made_before},
      {"results are in order", results_in_order},
      {"refused options", refused_options},
      {"the client is destroyed", client_destroyed},
  };
  check_begin();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++) {
    door = door_open(mode);
    for (size_t i = 0; i < LENGTH(cases); i++) {
      static char name[120];
      snprintf(name, sizeof name, "groups, %s mode: %s", mode_name(mode), cases[i].name);
      check_case = name;
      cases[i].run();
    }
    CHECK_OK(netcore_client_destroy(door.client));
  }
  return check_end();
}
