/*
 * Groups of requests, sentence by sentence of netcore/group.h, in the three modes: the notification and when it comes,
 * its status, the counts, and the states in which a group refuses.
 */
#include "support.h"

#include "support/server.h"

static struct tally ended = TALLY_INITIAL;
static struct door door;

enum { MEMBERS = 6 };

static struct outcome members[MEMBERS], notified;
static netcore_group group;

static netcore_group_info group_info(netcore_group group) {
  netcore_group_info info = {.size = sizeof info};
  CHECK_OK(netcore_group_get_info(group, &info));
  CHECK(info.total >= info.succeeded + info.failed + info.canceled);
  return info;
}

static bool group_has_ended(netcore_group group) {
  netcore_group_info info = {.size = sizeof info};
  return netcore_group_get_info(group, &info) == NETCORE_ERR_INVALID_HANDLE;
}

static void note_return(struct outcome *outcome) { *(bool *)outcome->hook_data = true; }

static bool have_returned[MEMBERS];

/* In the notification: every member's callback has returned, and the group still answers. */
static void check_notification(struct outcome *outcome) {
  netcore_group_info info = group_info(outcome->completion.group);
  CHECK_EQUAL(outcome->completion.kind, NETCORE_COMPLETION_KIND_GROUP);
  CHECK_EQUAL(outcome->completion.group, group);
  CHECK(outcome->completion.response == 0 && outcome->completion.http_status == 0);
  CHECK_EQUAL(info.total, info.succeeded + info.failed + info.canceled);
  CHECK_EQUAL(info.is_dispatched, 1);
  for (unsigned i = 0; i < MEMBERS; i++) {
    CHECK_EQUAL(members[i].calls, i < info.total ? 1 : 0);
    CHECK_EQUAL(have_returned[i], i < info.total);
  }
}

/* In queue mode nothing runs in the notification; the completion was taken, and so the group has ended. */
static void check_completion(struct outcome *outcome) {
  CHECK_EQUAL(outcome->completion.kind, NETCORE_COMPLETION_KIND_GROUP);
  CHECK_EQUAL(outcome->completion.group, group);
  CHECK_EQUAL(outcome->completion.response, 0);
  CHECK(group_has_ended(group));
}

/* A new group with `count` requests for `urls` (the last one repeats). */
static void new_group(const char *const *urls, unsigned count) {
  ended.count = 0;
  memset(have_returned, 0, sizeof have_returned);
  notified = (struct outcome){.ended = &ended};
  notified.hook = mode_is_queue(door.mode) ? check_completion : check_notification;
  REQUIRE_OK(netcore_group_create(door.client, &group));
  for (unsigned i = 0; i < MEMBERS; i++)
    members[i] = (struct outcome){.ended = &ended, .hook = note_return, .hook_data = &have_returned[i]};
  for (unsigned i = 0; i < count; i++) {
    netcore_request request = request_new("GET", urls[i]);
    CHECK_OK(netcore_group_add(group, request, door_done(&door), &members[i], &members[i].task));
    CHECK_OK(netcore_request_destroy(request));
    CHECK_EQUAL(task_state(members[i].task), NETCORE_TASK_STATE_CREATED);
  }
  netcore_group_info info = group_info(group);
  CHECK_EQUAL(info.total, count);
  CHECK(info.succeeded + info.failed + info.canceled == 0 && info.is_dispatched == 0);
}

static void dispatch_group(void) {
  netcore_status status;
  REGISTERING(status, netcore_group_dispatch(group, door_done(&door), &notified));
  CHECK_OK(status);
}

static void check_members(unsigned count, netcore_status status) {
  for (unsigned i = 0; i < count; i++) {
    CHECK_EQUAL(members[i].calls, 1);
    CHECK_EQUAL(members[i].completion.group, group);
    CHECK_STATUS(members[i].completion.status, status);
    outcome_free(&members[i]);
  }
}

static void check_notified(netcore_status status) {
  CHECK_EQUAL(notified.calls, 1);
  CHECK_STATUS(notified.completion.status, status);
  WAIT_UNTIL(group_has_ended(group));
  CHECK_STATUS(netcore_group_cancel(group), NETCORE_ERR_INVALID_HANDLE);
}

static void all_succeed(void) {
  const char *urls[] = {at(ORIGIN, "/delay/30"), at(ORIGIN, "/status/200"), at(ORIGIN, "/status/500"),
                        at(ORIGIN, "/bytes/1000")};
  new_group(urls, 4);
  dispatch_group();
  CHECK(group_has_ended(group) || group_info(group).is_dispatched == 1);
  door_wait(&door, &ended, 5);
  check_members(4, NETCORE_OK); /* A 500 is a whole response. */
  CHECK_EQUAL(notified.completion.task, 0);
  check_notified(NETCORE_OK);
}

static void empty(void) {
  new_group(NULL, 0);
  dispatch_group();
  door_wait(&door, &ended, 1);
  check_notified(NETCORE_OK);
}

static void first_failure(void) {
  /* The second member fails; the third is canceled by id, after it. */
  struct server *server = server_start(0);
  const char *urls[] = {at(ORIGIN, "/status/200"), at(REFUSED, "/"), server_url(server, "/")};
  new_group(urls, 3);
  dispatch_group();
  door_wait(&door, &ended, 2);
  CHECK(group_info(group).failed == 1 && group_info(group).succeeded == 1 && group_info(group).canceled == 0);
  CHECK_EQUAL(notified.calls, 0);
  CHECK_OK(netcore_task_cancel(members[2].task));
  door_wait(&door, &ended, 4);
  CHECK_STATUS(members[0].completion.status, NETCORE_OK);
  CHECK_STATUS(members[1].completion.status, NETCORE_ERR_CONNECT);
  CHECK_STATUS(members[2].completion.status, NETCORE_ERR_CANCELED);
  for (int i = 0; i < 3; i++) outcome_free(&members[i]);
  CHECK_EQUAL(notified.completion.task, members[1].task);
  check_notified(NETCORE_ERR_CONNECT);
  server_stop(server);
  free(server);
}

static void cancel_dispatched(void) {
  struct server *server = server_start(0);
  const char *url = server_url(server, "/"), *urls[] = {url, url, url};
  new_group(urls, 3);
  dispatch_group();
  DOOR_UNTIL(&door, server_held(server) == 3);
  bool was = is_registering;
  is_registering = true;
  CHECK_OK(netcore_group_cancel(group));
  is_registering = was;
  door_wait(&door, &ended, 4);
  check_members(3, NETCORE_ERR_CANCELED);
  CHECK_EQUAL(notified.completion.task, 0);
  check_notified(NETCORE_ERR_CANCELED);
  server_stop(server);
  free(server);
}

/* Canceled before dispatch: it ends at once, the members' callbacks run, the notification does not exist. */
static void cancel_undispatched(void) {
  const char *url = at(ORIGIN, "/status/200"), *urls[] = {url, url, url};
  netcore_request request = request_new("GET", url);
  new_group(urls, 3);
  CHECK_OK(netcore_group_cancel(group));
  netcore_task task = 0;
  netcore_status status = netcore_group_add(group, request, NULL, NULL, &task);
  CHECK(status == NETCORE_ERR_INVALID_HANDLE || status == NETCORE_ERR_INVALID_STATE);
  status = netcore_group_dispatch(group, door_done(&door), &notified);
  CHECK(status == NETCORE_ERR_INVALID_HANDLE || status == NETCORE_ERR_INVALID_STATE);
  door_wait(&door, &ended, 3);
  check_members(3, NETCORE_ERR_CANCELED);
  WAIT_UNTIL(group_has_ended(group));
  CHECK_EQUAL(notified.calls, 0);
  CHECK_OK(netcore_request_destroy(request));
}

static void cancel_all_of_the_client(void) {
  struct server *server = server_start(0);
  const char *url = server_url(server, "/"), *urls[] = {url, url};
  uint32_t count = 0;
  new_group(urls, 2);
  dispatch_group();
  CHECK_OK(netcore_client_cancel_all(door.client, &count));
  CHECK_EQUAL(count, 2);
  door_wait(&door, &ended, 3);
  check_members(2, NETCORE_ERR_CANCELED);
  check_notified(NETCORE_ERR_CANCELED);
  server_stop(server);
  free(server);
}

static void refusals(void) {
  struct server *server = server_start(0);
  const char *urls[] = {server_url(server, "/")};
  netcore_request request = request_new("GET", urls[0]);
  netcore_task task = 77;
  new_group(urls, 1);
  CHECK_STATUS(netcore_task_dispatch(members[0].task), NETCORE_ERR_INVALID_STATE);
  dispatch_group();
  CHECK_STATUS(netcore_group_dispatch(group, door_done(&door), &notified), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_group_add(group, request, NULL, NULL, &task), NETCORE_ERR_INVALID_STATE);
  CHECK_EQUAL(task, 0);
  task = 77;
  CHECK_STATUS(netcore_group_add_application_task(group, NULL, NULL, NULL, NULL, &task), NETCORE_ERR_INVALID_STATE);
  CHECK_EQUAL(task, 0);
  CHECK_EQUAL(group_info(group).total, 1);
  server_allow(server, 1);
  door_wait(&door, &ended, 2);
  check_members(1, NETCORE_OK);
  check_notified(NETCORE_OK);
  CHECK_OK(netcore_request_destroy(request));
  server_stop(server);
  free(server);
}

/* The queue has no room, and still a group goes through. */
static void queue_limit_not_judged(void) {
  const char *url = at(ORIGIN, "/status/200"), *urls[] = {url, url, url, url, url, url};
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, 1));
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_QUEUE_LENGTH, 1));
  new_group(urls, 6);
  dispatch_group();
  door_wait(&door, &ended, 7);
  check_members(6, NETCORE_OK);
  check_notified(NETCORE_OK);
}

static void without_notification(void) {
  const char *urls[] = {at(ORIGIN, "/status/200")};
  if (mode_is_queue(door.mode)) return; /* There the completion always comes. */
  new_group(urls, 1);
  CHECK_OK(netcore_group_dispatch(group, NULL, NULL));
  door_wait(&door, &ended, 1);
  check_members(1, NETCORE_OK);
  while (mode_is_pump(door.mode) && !group_has_ended(group))
    if (door_is_readable(&door, 100)) CHECK_OK(netcore_client_process(door.client, 0, NULL));
  WAIT_UNTIL(group_has_ended(group));
}

/* As for any dispatch, who does not want the id need not take it. */
static void without_ids(void) {
  netcore_request request = request_new("GET", at(ORIGIN, "/status/200"));
  new_group(NULL, 0);
  bool is_added = CHECK_OK(netcore_group_add(group, request, door_done(&door), &members[0], NULL));
  dispatch_group();
  door_wait(&door, &ended, is_added ? 2 : 1);
  outcome_free(&members[0]);
  CHECK_OK(netcore_request_destroy(request));
}

/* Groups end with their client: the dispatched one notifies, the other one's members are told. */
static void client_destroyed(void) {
  struct server *server = server_start(0);
  const char *url = server_url(server, "/"), *urls[] = {url, url};
  struct outcome undispatched = {.ended = &ended};
  netcore_group other = 0;
  netcore_request request = request_new("GET", url);
  bool is_queue = mode_is_queue(door.mode);
  new_group(urls, 2);
  notified.hook = NULL; /* The client and its groups are gone by then. */
  dispatch_group();
  CHECK_OK(netcore_group_create(door.client, &other));
  CHECK_OK(netcore_group_add(other, request, door_done(&door), &undispatched, &undispatched.task));
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_EQUAL(tally_count(&ended), is_queue ? 0 : 4);
  CHECK_EQUAL(notified.calls, is_queue ? 0 : 1);
  if (!is_queue) CHECK_STATUS(notified.completion.status, NETCORE_ERR_CANCELED);
  if (!is_queue) CHECK_STATUS(undispatched.completion.status, NETCORE_ERR_CANCELED);
  if (!is_queue) check_members(2, NETCORE_ERR_CANCELED);
  CHECK(group_has_ended(group) && group_has_ended(other));
  outcome_free(&undispatched);
  CHECK_OK(netcore_request_destroy(request));
  server_stop(server);
  free(server);
  door = door_open(door.mode);
}

static void client_shut_down(void) {
  netcore_group created = 0;
  CHECK_OK(netcore_client_shutdown(door.client));
  CHECK_STATUS(netcore_group_create(door.client, &created), NETCORE_ERR_SHUT_DOWN);
  CHECK_EQUAL(created, 0);
}

int main(void) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {
      {"all succeed", all_succeed},
      {"an empty group notifies", empty},
      {"the status is that of the first member that failed", first_failure},
      {"a dispatched group is canceled", cancel_dispatched},
      {"an undispatched group is canceled", cancel_undispatched},
      {"cancel_all cancels members", cancel_all_of_the_client},
      {"a dispatched group refuses", refusals},
      {"without a notification", without_notification},
      {"without ids", without_ids},
      {"the queue's limit is not judged", queue_limit_not_judged},
      {"the client is destroyed", client_destroyed},
      {"the client is shut down", client_shut_down},
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
