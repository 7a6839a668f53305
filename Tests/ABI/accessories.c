/*
 * What is called at the end of a task, in any combination, and silence after a cancel; observers of one request; the request log.
 */
#include "support.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "support/answer.h"
#include "support/hops.h"

enum { MOST = 64 };

/* What was called, in order: a letter each. */
struct record {
  pthread_mutex_t lock;
  pthread_cond_t is_released;
  char called[MOST];
  int count, released;
  netcore_status status;
};

#define RECORD_INITIAL {.lock = PTHREAD_MUTEX_INITIALIZER, .is_released = PTHREAD_COND_INITIALIZER}

static void note(struct record *record, char what) {
  pthread_mutex_lock(&record->lock);
  if (record->count < MOST - 1) record->called[record->count++] = what;
  pthread_mutex_unlock(&record->lock);
}

static void check_record(struct record *record, const char *expected) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 60;
  pthread_mutex_lock(&record->lock);
  /* A thread of netcore's own releases. */
  while (record->released == 0 && pthread_cond_timedwait(&record->is_released, &record->lock, &limit) == 0) continue;
  CHECK_EQUAL(strcmp(record->called, expected), 0);
  CHECK_EQUAL(record->released, 1);
  pthread_mutex_unlock(&record->lock);
}

static void succeed(const netcore_completion *completion) {
  CHECK(completion->status == NETCORE_OK && completion->response != 0);
  note(completion->user_data, 's');
}

static void fail(const netcore_completion *completion) {
  struct record *record = completion->user_data;
  CHECK(completion->status != NETCORE_OK);
  record->status = completion->status;
  note(record, 'f');
}

static void finish(const netcore_completion *completion) { note(completion->user_data, 'd'); }

static void release(void *user_data) {
  struct record *record = user_data;
  pthread_mutex_lock(&record->lock);
  record->released++;
  pthread_cond_signal(&record->is_released);
  pthread_mutex_unlock(&record->lock);
}

static void answer(netcore_hop hop, netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  CHECK_OK(netcore_hop_answer(hop, 200, NULL, "", 0));
}

static void lose(netcore_hop hop, netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  CHECK_OK(netcore_hop_fail(hop, NETCORE_ERR_CONNECT, NULL));
}

/* Runs what a client in pump mode has to deliver, once there is something. */
static void pump(netcore_client client) {
  struct pollfd descriptor = {.events = POLLIN};
  uint32_t ran = 0;
  CHECK_OK(netcore_client_get_descriptor(client, &descriptor.fd));
  while (ran == 0) {
    REQUIRE(poll(&descriptor, 1, 60000) == 1);
    CHECK_OK(netcore_client_process(client, 0, &ran));
  }
}

static void run(netcore_transport_fn transport, netcore_done_fn success, netcore_done_fn failure,
                netcore_done_fn finished, const char *expected) {
  struct record record = RECORD_INITIAL;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_PUMP);
  netcore_request request = request_new("GET", "http://app.test/");
  netcore_callbacks callbacks = NETCORE_CALLBACKS_INIT;
  netcore_task task = 0;
  callbacks.success = success, callbacks.failure = failure, callbacks.finished = finished;
  callbacks.user_data = &record, callbacks.release = release;
  CHECK_OK(netcore_client_set_transport(client, transport, NULL, NULL));
  CHECK_OK(netcore_dispatch_callbacks(client, request, &callbacks, &task));
  CHECK(task != 0);
  pump(client);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  check_record(&record, expected);
}

static void test_combinations(void) {
  check_case = "combinations of callbacks";
  run(answer, succeed, fail, finish, "sd");
  run(answer, succeed, NULL, NULL, "s");
  run(answer, NULL, fail, NULL, "");
  run(answer, NULL, NULL, finish, "d");
  run(lose, succeed, fail, finish, "fd");
  run(lose, succeed, NULL, NULL, "");
  run(lose, NULL, fail, NULL, "f");
  run(lose, NULL, NULL, NULL, "");
}

static void test_silence(void) {
  for (int silent = 0; silent < 2; silent++) {
    check_case = silent ? "a silent cancel" : "a cancel";
    struct record record = RECORD_INITIAL;
    struct hops hops = HOPS_INITIAL;
    netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
    netcore_request request = request_new("GET", "http://app.test/");
    netcore_callbacks callbacks = {.size = sizeof callbacks, .silent_cancel = silent};
    netcore_task task = 0;
    callbacks.success = succeed, callbacks.failure = fail, callbacks.finished = finish;
    callbacks.user_data = &record, callbacks.release = release;
    CHECK_OK(netcore_client_set_transport(client, hops_keep, &hops, NULL));
    CHECK_OK(netcore_dispatch_callbacks(client, request, &callbacks, &task));
    hops_wait(&hops, 1);
    CHECK_OK(netcore_task_cancel(task));
    CHECK_OK(netcore_request_destroy(request));
    CHECK_OK(netcore_client_destroy(client));
    check_record(&record, silent ? "" : "fd");
    CHECK_EQUAL(record.status, silent ? 0 : NETCORE_ERR_CANCELED);
  }
  check_case = "the end of the client is not silent";
  struct record record = RECORD_INITIAL;
  struct hops hops = HOPS_INITIAL;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("GET", "http://app.test/");
  netcore_callbacks callbacks = {.size = sizeof callbacks, .silent_cancel = 1, .failure = fail};
  callbacks.user_data = &record, callbacks.release = release;
  CHECK_OK(netcore_client_set_transport(client, hops_keep, &hops, NULL));
  CHECK_OK(netcore_dispatch_callbacks(client, request, &callbacks, NULL));
  hops_wait(&hops, 1);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  check_record(&record, "f");
}

static void see(const netcore_client_event *event, void *user_data) {
  static const char letters[] = {
      [NETCORE_EVENT_QUEUED] = 'q',    [NETCORE_EVENT_DISPATCHED] = '>', [NETCORE_EVENT_HOP_BEGAN] = '(',
      [NETCORE_EVENT_HOP_ENDED] = ')', [NETCORE_EVENT_RETRY] = 'r',      [NETCORE_EVENT_REDIRECT] = '3',
      [NETCORE_EVENT_DONE] = '.',      [NETCORE_EVENT_RETURNED] = '!',   [NETCORE_EVENT_STORAGE] = '?'};
  CHECK(event->number == 1 && event->size == sizeof *event);
  note(user_data, event->kind < (int)sizeof letters ? letters[event->kind] : '?');
}

static void noted(const netcore_completion *completion) { note(completion->user_data, 'c'); }

/* 503, then a redirect, then 200. */
static void wander(netcore_hop hop, netcore_request request, void *calls) {
  (void)request;
  int call = atomic_fetch_add((atomic_int *)calls, 1);
  CHECK_OK(netcore_hop_answer(hop,
                              call == 0   ? 503
                              : call == 1 ? 302
                                          : 200,
                              "Location: /next\nRetry-After: 0\n", "", 0));
}

static void test_observer(void) {
  check_case = "an observer of a request";
  struct record record = RECORD_INITIAL, copied = RECORD_INITIAL;
  atomic_int calls = 0;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_PUMP);
  netcore_request request = request_new("GET", "http://app.test/");
  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  retries.throttled_delay_ms = 1;
  CHECK_OK(netcore_client_set_retries(client, &retries));
  CHECK_OK(netcore_client_set_transport(client, wander, &calls, NULL));
  CHECK_OK(netcore_request_add_observer(request, see, &record, release));
  CHECK_OK(netcore_dispatch(client, request, noted, &copied, NULL));
  CHECK_OK(netcore_request_destroy(request));
  pump(client);
  CHECK_OK(netcore_client_destroy(client));
  check_record(&record, "q>()r()3().!");
  CHECK_EQUAL(strcmp(copied.called, "c"), 0);
}

/* In queue mode an end is handled when the queue is asked again, or when its client ends. */
static void test_observer_in_queue_mode(void) {
  for (int is_asked_again = 0; is_asked_again < 2; is_asked_again++) {
    check_case = is_asked_again ? "a queue that is asked again" : "a queue that is not asked again";
    struct record record = RECORD_INITIAL;
    netcore_completion completion = {.size = sizeof completion};
    uint32_t count = 0;
    netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
    netcore_request request = request_new("GET", "http://app.test/");
    CHECK_OK(netcore_client_set_transport(client, answer, NULL, NULL));
    CHECK_OK(netcore_request_add_observer(request, see, &record, release));
    CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
    CHECK_OK(netcore_request_destroy(request));
    CHECK_OK(netcore_client_wait(client, &completion, 1, sizeof completion, 60000, &count));
    REQUIRE(count == 1);
    CHECK_OK(netcore_response_release(completion.response));
    pthread_mutex_lock(&record.lock);
    CHECK(strchr(record.called, '!') == NULL);
    pthread_mutex_unlock(&record.lock);
    if (is_asked_again) CHECK_OK(netcore_client_wait(client, &completion, 1, sizeof completion, 0, &count));
    CHECK_OK(netcore_client_destroy(client));
    check_record(&record, "q>().!");
  }
}

static void test_log_line(netcore_log_level level, const char *message, void *user_data) {
  struct record *record = user_data;
  CHECK_EQUAL(level, NETCORE_LOG_LEVEL_DEBUG);
  CHECK(strstr(message, "GET http://app.test/") != NULL && strstr(message, "secret") == NULL);
  CHECK(strstr(message, "not ended") != NULL);
  note(record, strstr(message, " began") ? 'b' : strstr(message, "ended with 200") ? 'e' : '?');
}

static void test_log(void) {
  check_case = "the request log";
  struct record record = RECORD_INITIAL;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  CHECK_OK(netcore_set_log(test_log_line, &record, release));
  CHECK_OK(netcore_client_set_transport(client, answer, NULL, NULL));
  for (int on = 0; on < 3; on++) {
    CHECK_OK(netcore_client_set_request_log(client, on % 2));
    struct answer found = perform_once(client, request_new("GET", "http://app.test/?secret=1"));
    CHECK_EQUAL(found.info.http_status, 200);
    answer_free(&found);
  }
  CHECK_STATUS(netcore_client_set_request_log(client, 2), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_set_log(NULL, NULL, NULL));
  check_record(&record, "be");
}

static void test_misuse(void) {
  check_case = "misuse";
  struct record record = RECORD_INITIAL;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK),
                 queued = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_request request = request_new("GET", "http://app.test/");
  netcore_callbacks callbacks = {.size = sizeof callbacks, .user_data = &record, .release = release};
  netcore_task task = 7;
  CHECK_STATUS(netcore_dispatch_callbacks(client, request, NULL, &task), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(task, 0);
  CHECK_STATUS(netcore_dispatch_callbacks(queued, request, &callbacks, &task), NETCORE_ERR_INVALID_ARGUMENT);
  callbacks.silent_cancel = 2;
  CHECK_STATUS(netcore_dispatch_callbacks(client, request, &callbacks, &task), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_observer(request, NULL, &record, release), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(record.released, 0);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_client_destroy(queued));
}

int main(void) {
  test_combinations();
  test_silence();
  test_observer();
  test_observer_in_queue_mode();
  test_log();
  test_misuse();
  return check_end();
}
