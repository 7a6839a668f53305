/*
 * Task scopes: what closing one does with the tasks that belong to it, and with their callbacks.
 */
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>

#include "support/answer.h"
#include "support/wait.h"

#define URL "http://app.test/a"

enum { TASKS = 40 };

/* What became of the tasks of a test. */
static struct {
  struct tally done, dropped, running;
  atomic_uint canceled, by_scope, events;
  atomic_bool may_end;
  pthread_mutex_t lock;
  netcore_hop hops[TASKS];
  unsigned hop_count;
} seen;

static void begin(const char *name) {
  check_case = name;
  static const struct tally initial = TALLY_INITIAL;
  seen.done = seen.dropped = seen.running = initial;
  seen.canceled = seen.by_scope = seen.events = 0;
  seen.may_end = false;
  pthread_mutex_init(&seen.lock, NULL);
  seen.hop_count = 0;
}

/* Keeps the hop: its task does not end by itself. */
static void keep_hop(netcore_hop hop, netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  pthread_mutex_lock(&seen.lock);
  if (seen.hop_count < TASKS) seen.hops[seen.hop_count++] = hop;
  pthread_mutex_unlock(&seen.lock);
}

static void answer_hop(netcore_hop hop, netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  netcore_hop_answer(hop, 200, NULL, "body", 4);
}

static void on_done(const netcore_completion *completion) {
  netcore_error error = NETCORE_ERROR_INIT;
  CHECK(completion->user_data == &seen);
  CHECK_OK(netcore_response_get_error(completion->response, &error));
  if (completion->status == NETCORE_ERR_CANCELED) atomic_fetch_add(&seen.canceled, 1);
  if (error.cancel_cause == NETCORE_CANCEL_CAUSE_SCOPE) atomic_fetch_add(&seen.by_scope, 1);
  tally_raise(&seen.done);
}

static void on_dropped(void *user_data) {
  CHECK(user_data == &seen);
  tally_raise(&seen.dropped);
}

static netcore_client client_of(netcore_transport_fn transport) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_set_transport(client, transport, NULL, NULL));
  return client;
}

static netcore_request request_of(netcore_task_scope scope) {
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_task_scope(request, scope));
  return request;
}

static uint32_t count_of(netcore_task_scope scope) {
  uint32_t count = 77;
  CHECK_OK(netcore_task_scope_get_count(scope, &count));
  return count;
}

static void test_close(void) {
  netcore_task_scope scope;
  begin("closing cancels what has not ended, and nothing else");
  netcore_client client = client_of(keep_hop), other = client_of(keep_hop);
  REQUIRE_OK(netcore_task_scope_create(0, NULL, &scope));
  netcore_request request = request_of(scope), apart = request_new("GET", URL);
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_EQUAL(info.task_scope, scope);
  CHECK_OK(netcore_request_get_info(apart, &info));
  CHECK_EQUAL(info.task_scope, 0);
  netcore_task created, left;
  netcore_group group;
  CHECK_OK(netcore_dispatch(client, request, on_done, &seen, NULL));
  CHECK_OK(netcore_dispatch(other, request, on_done, &seen, NULL));
  CHECK_OK(netcore_dispatch_streamed(client, request, 0, on_done, &seen, NULL));
  CHECK_OK(netcore_task_create(client, request, on_done, &seen, &created));
  CHECK_OK(netcore_group_create(client, &group));
  CHECK_OK(netcore_group_add(group, request, on_done, &seen, NULL));
  CHECK_OK(netcore_dispatch(client, apart, on_done, &seen, &left));
  CHECK_EQUAL(count_of(scope), 5);
  CHECK_OK(netcore_task_scope_close(scope));
  REQUIRE(tally_reaches(&seen.done, 5, patience_ms()));
  CHECK_EQUAL(seen.canceled, 5);
  CHECK_EQUAL(seen.by_scope, 5);
  CHECK(task_state(left) != NETCORE_TASK_STATE_NONE);
  uint32_t count = 77;
  CHECK_STATUS(netcore_task_scope_get_count(scope, &count), NETCORE_ERR_INVALID_HANDLE);
  CHECK_EQUAL(count, 0);
  check_case = "what is dispatched later ends at once";
  CHECK_OK(netcore_dispatch(client, request, on_done, &seen, NULL));
  CHECK_OK(netcore_task_create(client, request, on_done, &seen, &created));
  REQUIRE(tally_reaches(&seen.done, 7, patience_ms()));
  CHECK_EQUAL(seen.by_scope, 7);
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_CANCELED);
  answer_free(&answer);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_request_destroy(apart));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_client_destroy(other));
  CHECK_EQUAL(tally_count(&seen.done), 8);
}

static void test_cancel(void) {
  netcore_task_scope scope;
  begin("cancel leaves the scope open, and those that end leave it");
  netcore_client client = client_of(keep_hop);
  REQUIRE_OK(netcore_task_scope_create(1, on_dropped, &scope));
  netcore_request request = request_of(scope);
  CHECK_OK(netcore_dispatch(client, request, on_done, &seen, NULL));
  CHECK_OK(netcore_task_scope_cancel(scope));
  REQUIRE(tally_reaches(&seen.done, 1, patience_ms()));
  CHECK_EQUAL(seen.by_scope, 1);
  CHECK_EQUAL(count_of(scope), 0);
  CHECK_OK(netcore_client_set_transport(client, answer_hop, NULL, NULL));
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  CHECK_EQUAL(count_of(scope), 0);
  CHECK_OK(netcore_task_scope_close(scope));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&seen.dropped), 0);
}

static void note_end(const netcore_completion *completion) { tally_raise(completion->user_data); }

static void test_drop(void) {
  netcore_task_scope scope;
  netcore_group group;
  begin("a scope that drops callbacks has each task's user data released in their place");
  netcore_client client = client_of(keep_hop);
  REQUIRE_OK(netcore_task_scope_create(1, on_dropped, &scope));
  netcore_request request = request_of(scope);
  for (int i = 0; i < 3; i++) CHECK_OK(netcore_dispatch(client, request, on_done, &seen, NULL));
  CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  CHECK_OK(netcore_group_create(client, &group));
  CHECK_OK(netcore_group_add(group, request, on_done, &seen, NULL));
  struct tally notified = TALLY_INITIAL;
  CHECK_OK(netcore_group_dispatch(group, note_end, &notified));
  CHECK_OK(netcore_task_scope_close(scope));
  REQUIRE(tally_reaches(&seen.dropped, 4, patience_ms()));
  REQUIRE(tally_reaches(&notified, 1, patience_ms()));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&seen.done), 0);
  CHECK_EQUAL(tally_count(&seen.dropped), 4);
}

static void run_long(const netcore_completion *completion) {
  (void)completion;
  tally_raise(&seen.running);
  while (!seen.may_end) pause_ms(1);
  tally_raise(&seen.done);
}

static void *end_soon(void *unused) {
  (void)unused;
  pause_ms(20);
  seen.may_end = true;
  return NULL;
}

static void test_waits(void) {
  netcore_task_scope scope;
  pthread_t thread;
  begin("closing waits for a callback that runs");
  netcore_client client = client_of(answer_hop);
  REQUIRE_OK(netcore_task_scope_create(1, on_dropped, &scope));
  netcore_request request = request_of(scope);
  CHECK_OK(netcore_dispatch(client, request, run_long, &seen, NULL));
  REQUIRE(tally_reaches(&seen.running, 1, patience_ms()));
  pthread_create(&thread, NULL, end_soon, NULL);
  CHECK_OK(netcore_task_scope_close(scope));
  CHECK_EQUAL(tally_count(&seen.done), 1);
  pthread_join(thread, NULL);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static netcore_task_scope closed_inside;

static void close_inside(const netcore_completion *completion) {
  (void)completion;
  CHECK_OK(netcore_task_scope_close(closed_inside));
  tally_raise(&seen.done);
}

static void test_inside(void) {
  begin("a callback may close the scope of its own task");
  netcore_client client = client_of(answer_hop);
  REQUIRE_OK(netcore_task_scope_create(1, on_dropped, &closed_inside));
  netcore_request request = request_of(closed_inside);
  CHECK_OK(netcore_dispatch(client, request, close_inside, &seen, NULL));
  REQUIRE(tally_reaches(&seen.done, 1, patience_ms()));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&seen.dropped), 0);
}

static void *close_scope(void *scope) {
  pause_ms(1);
  CHECK_OK(netcore_task_scope_close(*(netcore_task_scope *)scope));
  return NULL;
}

static void test_race(void) {
  begin("each task ends once, whenever its scope is closed");
  netcore_client client = client_of(answer_hop);
  unsigned dispatched = 0;
  for (int round = 0; round < 20; round++) {
    netcore_task_scope scope;
    pthread_t thread;
    REQUIRE_OK(netcore_task_scope_create(1, on_dropped, &scope));
    netcore_request request = request_of(scope);
    pthread_create(&thread, NULL, close_scope, &scope);
    for (int i = 0; i < TASKS; i++, dispatched++) CHECK_OK(netcore_dispatch(client, request, on_done, &seen, NULL));
    pthread_join(thread, NULL);
    CHECK_OK(netcore_request_destroy(request));
  }
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&seen.done) + tally_count(&seen.dropped), dispatched);
}

static void test_queue_mode(void) {
  netcore_task_scope scope;
  begin("completions that are taken are not dropped");
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  CHECK_OK(netcore_client_set_transport(client, keep_hop, NULL, NULL));
  REQUIRE_OK(netcore_task_scope_create(1, on_dropped, &scope));
  netcore_request request = request_of(scope);
  CHECK_OK(netcore_dispatch(client, request, NULL, &seen, NULL));
  CHECK_OK(netcore_task_scope_close(scope));
  netcore_completion completion;
  uint32_t count = 0;
  CHECK_OK(netcore_client_wait(client, &completion, 1, sizeof completion, patience_ms(), &count));
  CHECK_EQUAL(count, 1);
  CHECK_STATUS(completion.status, NETCORE_ERR_CANCELED);
  CHECK(completion.user_data == &seen);
  CHECK_OK(netcore_response_release(completion.response));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_refused(void) {
  netcore_task_scope scope = 77;
  begin("what is refused");
  CHECK_STATUS(netcore_task_scope_create(2, NULL, &scope), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK(strstr(netcore_last_error_message(), "drops_callbacks") != NULL);
  CHECK_EQUAL(scope, 0);
  CHECK_STATUS(netcore_task_scope_create(0, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  netcore_request request = request_new("GET", URL);
  CHECK_STATUS(netcore_request_set_task_scope(request, request), NETCORE_ERR_INVALID_HANDLE);
  REQUIRE_OK(netcore_task_scope_create(0, NULL, &scope));
  CHECK_STATUS(netcore_task_scope_get_count(scope, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_task_scope_close(scope));
  CHECK_STATUS(netcore_task_scope_close(scope), NETCORE_ERR_INVALID_HANDLE);
  CHECK_OK(netcore_request_destroy(request));
}

int main(void) {
  test_close();
  test_cancel();
  test_drop();
  test_waits();
  test_inside();
  test_race();
  test_queue_mode();
  test_refused();
  return check_end();
}
