/*
 * Tasks of the application's own: when resume and cancel run, how the task ends, and what its group makes of it.
 */
#include "support.h"

static struct tally ended = TALLY_INITIAL, resumed = TALLY_INITIAL, told_to_cancel = TALLY_INITIAL;
static struct door door;

/* An application task: its outcome must come first, since it is the user data of all callbacks. */
struct work {
  struct outcome outcome;
  unsigned resumes, cancels;
  /* What to do inside `resume` and `cancel`. */
  bool completes_in_resume, completes_in_cancel;
  netcore_status status;
};

static void on_resume(netcore_task task, void *user_data) {
  struct work *work = user_data;
  CHECK(!is_registering);
  CHECK_EQUAL(task, work->outcome.task);
  CHECK(work->outcome.calls == 0 && work->cancels == 0);
  CHECK_EQUAL(++work->resumes, 1);
  CHECK_EQUAL(task_state(task), NETCORE_TASK_STATE_RUNNING);
  if (work->completes_in_resume) CHECK_OK(netcore_task_complete(task, work->status));
  tally_raise(&resumed);
}

static void on_cancel(netcore_task task, void *user_data) {
  struct work *work = user_data;
  CHECK(!is_registering);
  CHECK_EQUAL(task, work->outcome.task);
  CHECK(work->outcome.calls == 0 && work->resumes == 1);
  CHECK_EQUAL(++work->cancels, 1);
  if (work->completes_in_cancel) CHECK_OK(netcore_task_complete(task, work->status));
  tally_raise(&told_to_cancel);
}

static netcore_group new_group(void) {
  netcore_group group = 0;
  ended.count = resumed.count = told_to_cancel.count = 0;
  REQUIRE_OK(netcore_group_create(door.client, &group));
  return group;
}

static void add_work(netcore_group group, struct work *work) {
  work->outcome.ended = &ended;
  CHECK_OK(netcore_group_add_application_task(group, on_resume, on_cancel, outcome_done, work, &work->outcome.task));
  CHECK_EQUAL(task_state(work->outcome.task), NETCORE_TASK_STATE_CREATED);
}

static void dispatch_group(netcore_group group, struct outcome *notified) {
  netcore_status status;
  *notified = (struct outcome){.ended = &ended};
  REGISTERING(status, netcore_group_dispatch(group, outcome_done, notified));
  CHECK_OK(status);
}

static void check_work(const struct work *work, netcore_status status, unsigned resumes, unsigned cancels) {
  const netcore_completion *completion = &work->outcome.completion;
  CHECK_EQUAL(work->outcome.calls, 1);
  CHECK_STATUS(completion->status, status);
  CHECK(completion->kind == NETCORE_COMPLETION_KIND_TASK && completion->task == work->outcome.task);
  CHECK(completion->response == 0 && completion->http_status == 0);
  CHECK_EQUAL(work->resumes, resumes);
  CHECK_EQUAL(work->cancels, cancels);
}

static void completed_by_the_application(void) {
  static const netcore_status statuses[] = {NETCORE_OK, NETCORE_ERR_STORAGE, NETCORE_ERR_CANCELED};
  for (size_t i = 0; i < LENGTH(statuses); i++) {
    struct work work = {.status = statuses[i]};
    struct outcome notified;
    netcore_group group = new_group();
    add_work(group, &work);
    dispatch_group(group, &notified);
    door_wait(&door, &resumed, 1);
    CHECK_EQUAL(tally_count(&ended), 0);
    CHECK_OK(netcore_task_complete(work.outcome.task, statuses[i]));
    CHECK_STATUS(netcore_task_complete(work.outcome.task, NETCORE_OK), NETCORE_ERR_INVALID_HANDLE);
    door_wait(&door, &ended, 2);
    check_work(&work, statuses[i], 1, 0);
    CHECK_STATUS(notified.completion.status, statuses[i]);
    CHECK_EQUAL(notified.calls, 1);
  }
}

static void completed_inside_resume(void) {
  struct work work = {.status = NETCORE_ERR_TIMEOUT_TOTAL, .completes_in_resume = true};
  struct outcome notified;
  netcore_group group = new_group();
  add_work(group, &work);
  dispatch_group(group, &notified);
  door_wait(&door, &ended, 2);
  check_work(&work, NETCORE_ERR_TIMEOUT_TOTAL, 1, 0);
  CHECK_STATUS(notified.completion.status, NETCORE_ERR_TIMEOUT_TOTAL);
}

/* After a cancel the application still has to say that it ended; CANCELED is reported whatever it says. */
static void canceled_while_running(void) {
  struct work work = {.status = NETCORE_OK};
  struct outcome notified;
  netcore_group_info info = {.size = sizeof info};
  netcore_group group = new_group();
  add_work(group, &work);
  dispatch_group(group, &notified);
  door_wait(&door, &resumed, 1);
  is_registering = true;
  CHECK_OK(netcore_group_cancel(group));
  CHECK_OK(netcore_group_cancel(group));
  is_registering = false;
  door_wait(&door, &told_to_cancel, 1);
  CHECK_OK(netcore_group_get_info(group, &info));
  CHECK(info.total == 1 && info.canceled == 0);
  CHECK_EQUAL(tally_count(&ended), 0);
  CHECK_OK(netcore_task_complete(work.outcome.task, NETCORE_OK));
  door_wait(&door, &ended, 2);
  check_work(&work, NETCORE_ERR_CANCELED, 1, 1);
  CHECK_STATUS(notified.completion.status, NETCORE_ERR_CANCELED);
}

static void canceled_by_id(void) {
  struct work work = {.status = NETCORE_OK, .completes_in_cancel = true}, other = {.status = NETCORE_OK};
  struct outcome notified;
  netcore_group group = new_group();
  add_work(group, &work);
  add_work(group, &other);
  dispatch_group(group, &notified);
  door_wait(&door, &resumed, 2);
  CHECK_OK(netcore_task_cancel(work.outcome.task));
  door_wait(&door, &ended, 1);
  check_work(&work, NETCORE_ERR_CANCELED, 1, 1);
  CHECK_OK(netcore_task_complete(other.outcome.task, NETCORE_OK));
  door_wait(&door, &ended, 3);
  check_work(&other, NETCORE_OK, 1, 0);
}

/* Never resumed: it ends at once and is not told to cancel. */
static void canceled_before_resume(void) {
  struct work work = {.status = NETCORE_OK}, alone = {.status = NETCORE_OK};
  struct outcome notified;
  netcore_group group = new_group();
  add_work(group, &work);
  CHECK_OK(netcore_group_cancel(group));
  door_wait(&door, &ended, 1);
  check_work(&work, NETCORE_ERR_CANCELED, 0, 0);

  group = new_group();
  add_work(group, &alone);
  CHECK_OK(netcore_task_cancel(alone.outcome.task));
  door_wait(&door, &ended, 1);
  check_work(&alone, NETCORE_ERR_CANCELED, 0, 0);
  dispatch_group(group, &notified);
  door_wait(&door, &ended, 2);
  check_work(&alone, NETCORE_ERR_CANCELED, 0, 0);
  CHECK_EQUAL(notified.calls, 1);
}

/* Without resume the application starts by itself; without cancel it is not called; without done there is no callback. */
static void without_functions(void) {
  struct outcome notified;
  netcore_task task = 0;
  netcore_group group = new_group();
  CHECK_OK(netcore_group_add_application_task(group, NULL, NULL, NULL, NULL, &task));
  dispatch_group(group, &notified);
  CHECK_OK(netcore_task_complete(task, NETCORE_OK));
  door_wait(&door, &ended, 1);
  CHECK_STATUS(notified.completion.status, NETCORE_OK);

  group = new_group();
  CHECK_OK(netcore_group_add_application_task(group, NULL, NULL, NULL, NULL, &task));
  dispatch_group(group, &notified);
  CHECK_OK(netcore_group_cancel(group));
  CHECK_OK(netcore_task_complete(task, NETCORE_OK));
  door_wait(&door, &ended, 1);
  CHECK_STATUS(notified.completion.status, NETCORE_ERR_CANCELED);
}

/* An application task and a request in one group: the notification waits for the slower one. */
static void mixed(void) {
  struct work work = {.status = NETCORE_OK};
  struct outcome request_outcome = {.ended = &ended}, notified;
  netcore_group group = new_group();
  netcore_request request = request_new("GET", at(ORIGIN, "/status/200"));
  add_work(group, &work);
  CHECK_OK(netcore_group_add(group, request, outcome_done, &request_outcome, &request_outcome.task));
  CHECK_OK(netcore_request_destroy(request));
  dispatch_group(group, &notified);
  door_wait(&door, &resumed, 1);
  door_wait(&door, &ended, 1);
  CHECK_EQUAL(request_outcome.calls, 1);
  CHECK_EQUAL(notified.calls, 0);
  CHECK_OK(netcore_task_complete(work.outcome.task, NETCORE_OK));
  door_wait(&door, &ended, 3);
  check_work(&work, NETCORE_OK, 1, 0);
  CHECK_STATUS(request_outcome.completion.status, NETCORE_OK);
  CHECK_STATUS(notified.completion.status, NETCORE_OK);
  outcome_free(&request_outcome);
}

/* The client ends the task, even though the application never says so. */
static void ended_by_destroy(void) {
  struct work work = {.status = NETCORE_OK}, undispatched = {.status = NETCORE_OK};
  struct outcome notified;
  netcore_group group = new_group(), other = 0;
  add_work(group, &work);
  CHECK_OK(netcore_group_create(door.client, &other));
  add_work(other, &undispatched);
  dispatch_group(group, &notified);
  door_wait(&door, &resumed, 1);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_EQUAL(tally_count(&ended), 3);
  CHECK(work.cancels <= 1);
  check_work(&work, NETCORE_ERR_CANCELED, 1, work.cancels);
  check_work(&undispatched, NETCORE_ERR_CANCELED, 0, 0);
  CHECK_STATUS(notified.completion.status, NETCORE_ERR_CANCELED);
  CHECK_STATUS(netcore_task_complete(work.outcome.task, NETCORE_OK), NETCORE_ERR_INVALID_HANDLE);
  door = door_open(door.mode);
}

/* In queue mode: no functions, and completions for the task and the group. */
static void test_queue_mode(void) {
  struct outcome work = {.ended = &ended}, notified = {.ended = &ended};
  netcore_group group = new_group();
  check_case = "application tasks, queue mode";
  CHECK_OK(netcore_group_add_application_task(group, NULL, NULL, NULL, &work, &work.task));
  CHECK_OK(netcore_group_dispatch(group, NULL, &notified));
  CHECK_OK(netcore_task_complete(work.task, NETCORE_ERR_STORAGE));
  door_wait(&door, &ended, 2);
  CHECK_STATUS(work.completion.status, NETCORE_ERR_STORAGE);
  CHECK_EQUAL(work.completion.group, group);
  CHECK_STATUS(notified.completion.status, NETCORE_ERR_STORAGE);
  CHECK_EQUAL(notified.completion.kind, NETCORE_COMPLETION_KIND_GROUP);
}

int main(void) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {
      {"completed by the application", completed_by_the_application},
      {"completed inside resume", completed_inside_resume},
      {"canceled while running", canceled_while_running},
      {"canceled by id", canceled_by_id},
      {"canceled before resume", canceled_before_resume},
      {"without functions", without_functions},
      {"with a request", mixed},
      {"ended by destroy", ended_by_destroy},
  };
  check_begin();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP; mode++) {
    if (mode_is_queue(mode)) continue;
    door = door_open(mode);
    for (size_t i = 0; i < LENGTH(cases); i++) {
      static char name[100];
      snprintf(name, sizeof name, "application tasks, %s mode: %s", mode_name(mode), cases[i].name);
      check_case = name;
      cases[i].run();
    }
    CHECK_OK(netcore_client_destroy(door.client));
  }
  door = door_open(NETCORE_COMPLETION_MODE_QUEUE);
  test_queue_mode();
  CHECK_OK(netcore_client_destroy(door.client));
  return check_end();
}
