/*
 * Canceling a task by an id that the call which makes the task has written but not returned yet: the id is not valid until the
 * client has the task. So a task ends once, a call that fails makes no callback run, and a drain comes to its end.
 */
#include "support.h"

#include "support/cache.h"

static struct tally ended = TALLY_INITIAL;
static netcore_task ids[3];
static unsigned cancels, canceled;
static bool is_over;

static void on_done(const netcore_completion *completion) {
  unsigned *calls = completion->user_data;
  if (completion->status == NETCORE_ERR_CANCELED) __atomic_add_fetch(&canceled, 1, __ATOMIC_SEQ_CST);
  if (calls != NULL) __atomic_add_fetch(calls, 1, __ATOMIC_SEQ_CST);
  tally_raise(&ended);
}

/* Cancels whatever id it sees, as early as it can, once. */
static void *cancel_early(void *unused) {
  netcore_task last[LENGTH(ids)] = {0};
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
    for (size_t i = 0; i < LENGTH(ids); i++) {
      netcore_task task = __atomic_load_n(&ids[i], __ATOMIC_SEQ_CST);
      if (task == 0 || task == last[i]) continue;
      netcore_status status = netcore_task_cancel(task);
      if (status == NETCORE_OK) {
        __atomic_add_fetch(&cancels, 1, __ATOMIC_SEQ_CST);
        last[i] = task;
      } else {
        CHECK_STATUS(status, NETCORE_ERR_INVALID_HANDLE);
      }
    }
  }
  return unused;
}

static pthread_t begin(const char *name) {
  pthread_t thread;
  check_case = name;
  cancels = canceled = ended.count = 0;
  is_over = false;
  memset(ids, 0, sizeof ids);
  REQUIRE(pthread_create(&thread, NULL, cancel_early, NULL) == 0);
  return thread;
}

static void end(pthread_t thread) {
  __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
  REQUIRE(pthread_join(thread, NULL) == 0);
}

static unsigned rounds(void) { return is_slow() ? 200 : 20000; }

/* Each task ends once, and as canceled exactly if a cancel said so. */
static void test_each_ends_once(const char *name, netcore_client client, const char *url) {
  unsigned count = rounds(), *calls = calloc(count, sizeof *calls);
  REQUIRE(calls != NULL);
  pthread_t thread = begin(name);
  netcore_request request = request_new("GET", url);
  for (unsigned i = 0; i < count; i++) {
    CHECK_OK(netcore_dispatch(client, request, on_done, &calls[i], &ids[0]));
    if (i % 64 == 63) CHECK(tally_reaches(&ended, i - 32, patience_ms()));
  }
  CHECK(tally_reaches(&ended, count, patience_ms()));
  end(thread);
  CHECK_OK(netcore_client_destroy(client));
  for (unsigned i = 0; i < count; i++) CHECK_EQUAL(calls[i], 1);
  CHECK_EQUAL(canceled, cancels);
  CHECK_OK(netcore_request_destroy(request));
  free(calls);
}

static void test_fresh_answer(void) {
  netcore_cache cache = cache_new(NULL);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  const char *url = at(ORIGIN, keepable("early", ""));
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  test_each_ends_once("an answer that the cache has", client, url);
  CHECK_EQUAL(cancels, 0); /* such a task has ended when its client has it */
  CHECK_OK(netcore_cache_destroy(cache));
}

static void test_failing_call(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("GET", at(REFUSED, "/"));
  netcore_request requests[] = {request, request, 12345};
  pthread_t thread = begin("a dispatch of many that fails");
  for (unsigned i = 0; i < rounds(); i++)
    CHECK_STATUS(netcore_dispatch_many(client, requests, 3, on_done, NULL, ids), NETCORE_ERR_INVALID_HANDLE);
  end(thread);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(cancels, 0);
  CHECK_EQUAL(tally_count(&ended), 0);
  CHECK_OK(netcore_request_destroy(request));
}

enum way { DISPATCH, MANY, CREATE, GROUP };

static netcore_status make(enum way way, netcore_client client, netcore_request request) {
  netcore_request requests[] = {request, request, request};
  netcore_group group = 0;
  switch (way) {
    case DISPATCH:
      return netcore_dispatch(client, request, NULL, NULL, &ids[0]);
    case MANY:
      return netcore_dispatch_many(client, requests, 3, NULL, NULL, ids);
    case CREATE:
      return netcore_task_create(client, request, NULL, NULL, &ids[0]);
    default:
      break;
  }
  netcore_status status = netcore_group_create(client, &group);
  if (status == NETCORE_OK) status = netcore_group_add(group, request, NULL, NULL, &ids[0]);
  return status == NETCORE_OK ? netcore_group_dispatch(group, NULL, NULL) : status;
}

static unsigned drain(netcore_client client, unsigned *out_canceled) {
  netcore_completion taken[64];
  uint32_t count = 0;
  unsigned tasks = 0;
  while (netcore_client_wait(client, taken, 64, sizeof(netcore_completion), patience_ms(), &count) == NETCORE_OK) {
    if (!CHECK(count > 0)) break; /* the drain does not end */
    for (uint32_t i = 0; i < count; i++) {
      if (taken[i].kind != NETCORE_COMPLETION_KIND_TASK) continue;
      tasks++;
      *out_canceled += taken[i].status == NETCORE_ERR_CANCELED;
      if (taken[i].response != 0) CHECK_OK(netcore_response_release(taken[i].response));
    }
  }
  return tasks;
}

static void test_drain(const char *name, enum way way) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_request request = request_new("GET", at(REFUSED, "/"));
  unsigned accepted = 0, ended_as_canceled = 0, count = rounds() / 10;
  pthread_t thread = begin(name);
  for (unsigned i = 0; i < count; i++)
    if (make(way, client, request) == NETCORE_OK) accepted += way == MANY ? 3 : 1;
  end(thread);
  CHECK_OK(netcore_client_shutdown(client));
  CHECK_EQUAL(drain(client, &ended_as_canceled), accepted);
  CHECK(ended_as_canceled >= cancels);
  CHECK(accepted > 0);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_request_destroy(request));
}

/* The key function stands between the first task's id and the end of the call. */
static netcore_task early[2];
static netcore_status early_cancel;

static void *cancel_first(void *unused) {
  early_cancel = netcore_task_cancel(__atomic_load_n(&early[0], __ATOMIC_SEQ_CST));
  return unused;
}

static int32_t key_of(const netcore_cache_request *request, char *text, size_t capacity, void *user_data) {
  pthread_t thread;
  (void)request, (void)user_data, (void)text, (void)capacity;
  if (__atomic_load_n(&early[0], __ATOMIC_SEQ_CST) == 0 || early_cancel != NETCORE_ERR_IN_PROGRESS) return -1;
  REQUIRE(pthread_create(&thread, NULL, cancel_first, NULL) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  pause_ms(20); /* a client that took the cancel would act on it */
  return -1;
}

static void test_between_two(void) {
  const netcore_cache_options options = {.size = sizeof options, .key = key_of};
  netcore_cache cache = 0;
  unsigned ended_as_canceled = 0;
  check_case = "the first of two tasks, while the second is made";
  REQUIRE_OK(netcore_cache_create(&options, &cache));
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_QUEUE, cache);
  netcore_request requests[] = {request_new("GET", at(REFUSED, "/1")), request_new("GET", at(REFUSED, "/2"))};
  early_cancel = NETCORE_ERR_IN_PROGRESS;
  CHECK_OK(netcore_dispatch_many(client, requests, 2, NULL, NULL, early));
  CHECK_STATUS(early_cancel, NETCORE_ERR_INVALID_HANDLE);
  CHECK_OK(netcore_client_shutdown(client));
  CHECK_EQUAL(drain(client, &ended_as_canceled), 2);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
  for (int i = 0; i < 2; i++) CHECK_OK(netcore_request_destroy(requests[i]));
}

int main(void) {
  check_begin();
  test_fresh_answer();
  test_each_ends_once("an answer of a server", client_new(NETCORE_COMPLETION_MODE_CALLBACK), at(REFUSED, "/"));
  test_failing_call();
  test_between_two();
  test_drain("drained after dispatches", DISPATCH);
  test_drain("drained after dispatches of many", MANY);
  test_drain("drained after tasks were created", CREATE);
  test_drain("drained after groups", GROUP);
  return check_end();
}
