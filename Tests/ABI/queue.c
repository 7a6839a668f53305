/*
 * The queue: who goes first, priorities that change after the dispatch, what happens when it is full, and whether a task that is
 * canceled was sent.
 */
#include "support.h"

#include "support/hops.h"

#define URL "http://app.test/"

enum { TASKS = 6 };

/* How each task ended, and in which order they went to the transport. */
static struct queue {
  netcore_client client;
  struct hops hops;
  struct tally ended;
  netcore_status ends[TASKS];
  int32_t sent[TASKS];
  netcore_task tasks[TASKS];
} queue;

static void note(const netcore_completion *completion) {
  ptrdiff_t index = (netcore_status *)completion->user_data - queue.ends;
  netcore_error error = NETCORE_ERROR_INIT;
  CHECK_OK(netcore_response_get_error(completion->response, &error));
  queue.ends[index] = completion->status;
  queue.sent[index] = error.sent;
  tally_raise(&queue.ended);
}

static netcore_status dispatch(int index, netcore_priority priority) {
  char url[64];
  snprintf(url, sizeof url, URL "%d", index);
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_request_set_priority(request, priority));
  netcore_status status = netcore_dispatch(queue.client, request, note, &queue.ends[index], &queue.tasks[index]);
  CHECK_OK(netcore_request_destroy(request));
  return status;
}

/* A client that sends one request at a time, the first of which is under way. */
static void begin(void) {
  static const struct queue initial = {.hops = HOPS_INITIAL, .ended = TALLY_INITIAL};
  queue = initial;
  for (int i = 0; i < TASKS; i++) queue.ends[i] = -1;
  REQUIRE_OK(netcore_client_create(NULL, &queue.client));
  CHECK_OK(netcore_client_set_transport(queue.client, hops_keep, &queue.hops, NULL));
  CHECK_OK(netcore_client_set_limit(queue.client, NETCORE_LIMIT_TRANSFERS, 1));
  CHECK_OK(dispatch(0, NETCORE_PRIORITY_DEFAULT));
  hops_wait(&queue.hops, 1);
}

/* Answers all that comes, and checks in which order it came. */
static void check_order(const int *order, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    CHECK_OK(netcore_hop_answer(hops_wait(&queue.hops, i + 1), 200, NULL, "body", 4));
    REQUIRE(tally_reaches(&queue.ended, i + 1, patience_ms()));
    CHECK_STATUS(queue.ends[order[i]], NETCORE_OK);
  }
}

static void test_changed(void) {
  check_case = "changed";
  begin();
  netcore_task_info info = NETCORE_TASK_INFO_INIT;
  for (int i = 1; i < 5; i++) CHECK_OK(dispatch(i, NETCORE_PRIORITY_DEFAULT));
  CHECK_OK(netcore_task_set_priority(queue.tasks[3], NETCORE_PRIORITY_HIGH));
  CHECK_OK(netcore_task_set_priority(queue.tasks[1], NETCORE_PRIORITY_LOW));
  CHECK_OK(netcore_task_set_priority(queue.tasks[0], NETCORE_PRIORITY_LOW));
  CHECK_OK(netcore_task_get_info(queue.tasks[3], &info));
  CHECK_EQUAL(info.priority, NETCORE_PRIORITY_HIGH);
  CHECK_OK(netcore_task_get_info(queue.tasks[2], &info));
  CHECK_EQUAL(info.priority, NETCORE_PRIORITY_DEFAULT);
  CHECK_STATUS(netcore_task_set_priority(queue.tasks[2], 2), NETCORE_ERR_INVALID_ARGUMENT);
  check_order((int[]){0, 3, 2, 4, 1}, 5);
  CHECK_STATUS(netcore_task_set_priority(queue.tasks[3], NETCORE_PRIORITY_LOW), NETCORE_ERR_INVALID_HANDLE);
  CHECK_OK(netcore_client_destroy(queue.client));
}

static void test_created(void) {
  check_case = "created";
  begin();
  netcore_request request = request_new("GET", URL "2");
  CHECK_OK(dispatch(1, NETCORE_PRIORITY_DEFAULT));
  CHECK_OK(netcore_task_create(queue.client, request, note, &queue.ends[2], &queue.tasks[2]));
  CHECK_OK(netcore_task_set_priority(queue.tasks[2], NETCORE_PRIORITY_HIGH));
  CHECK_OK(netcore_task_dispatch(queue.tasks[2]));
  check_order((int[]){0, 2, 1}, 3);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(queue.client));
}

static void test_dropped(void) {
  check_case = "dropped";
  begin();
  netcore_queue_overflow overflow = 77;
  CHECK_OK(netcore_client_get_queue_overflow(queue.client, &overflow));
  CHECK_EQUAL(overflow, NETCORE_QUEUE_OVERFLOW_REFUSE_NEW);
  CHECK_OK(netcore_client_set_limit(queue.client, NETCORE_LIMIT_QUEUE_LENGTH, 2));
  CHECK_OK(dispatch(1, NETCORE_PRIORITY_LOW));
  CHECK_OK(dispatch(2, NETCORE_PRIORITY_LOW));
  CHECK_STATUS(dispatch(3, NETCORE_PRIORITY_HIGH), NETCORE_ERR_LIMIT_QUEUE_LENGTH);
  CHECK_OK(netcore_client_set_queue_overflow(queue.client, NETCORE_QUEUE_OVERFLOW_DROP_LOWEST));
  CHECK_STATUS(netcore_client_set_queue_overflow(queue.client, 2), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_client_get_queue_overflow(queue.client, &overflow));
  CHECK_EQUAL(overflow, NETCORE_QUEUE_OVERFLOW_DROP_LOWEST);
  CHECK_OK(dispatch(3, NETCORE_PRIORITY_HIGH));
  REQUIRE(tally_reaches(&queue.ended, 1, patience_ms()));
  CHECK_STATUS(queue.ends[2], NETCORE_ERR_DROPPED);
  CHECK_EQUAL(queue.sent[2], 0);
  CHECK_OK(dispatch(4, NETCORE_PRIORITY_LOW));
  REQUIRE(tally_reaches(&queue.ended, 2, patience_ms()));
  CHECK_STATUS(queue.ends[4], NETCORE_ERR_DROPPED);
  CHECK_OK(netcore_task_set_priority(queue.tasks[1], NETCORE_PRIORITY_HIGH));
  CHECK_OK(netcore_task_set_priority(queue.tasks[3], NETCORE_PRIORITY_DEFAULT));
  CHECK_OK(dispatch(5, NETCORE_PRIORITY_HIGH));
  REQUIRE(tally_reaches(&queue.ended, 3, patience_ms()));
  CHECK_STATUS(queue.ends[3], NETCORE_ERR_DROPPED);
  for (unsigned i = 0; i < 3; i++) CHECK_OK(netcore_hop_answer(hops_wait(&queue.hops, i + 1), 200, NULL, NULL, 0));
  REQUIRE(tally_reaches(&queue.ended, TASKS, patience_ms()));
  for (int i = 0; i < TASKS; i++) {
    CHECK_STATUS(queue.ends[i], i == 0 || i == 1 || i == 5 ? NETCORE_OK : NETCORE_ERR_DROPPED);
  }
  CHECK_OK(netcore_client_destroy(queue.client));
}

static void test_canceled(void) {
  check_case = "canceled";
  begin();
  CHECK_OK(dispatch(1, NETCORE_PRIORITY_DEFAULT));
  CHECK_OK(netcore_task_cancel(queue.tasks[1]));
  REQUIRE(tally_reaches(&queue.ended, 1, patience_ms()));
  CHECK_STATUS(queue.ends[1], NETCORE_ERR_CANCELED);
  CHECK_EQUAL(queue.sent[1], 0);
  CHECK_OK(netcore_task_cancel(queue.tasks[0]));
  REQUIRE(tally_reaches(&queue.ended, 2, patience_ms()));
  CHECK_STATUS(queue.ends[0], NETCORE_ERR_CANCELED);
  CHECK_EQUAL(queue.sent[0], 1);
  CHECK_OK(netcore_client_destroy(queue.client));
}

int main(void) {
  test_changed();
  test_created();
  test_dropped();
  test_canceled();
  return check_end();
}
