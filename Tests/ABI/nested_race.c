/*
 * A group becomes a member of another one while another thread dispatches or cancels one of both; and a client ends while a member
 * group starts. Each group whose call answered NETCORE_OK ends once.
 */
#include "support.h"

enum way { OUTER_IS_DISPATCHED, OUTER_IS_CANCELED, INNER_IS_DISPATCHED, INNER_IS_CANCELED, WAYS };

static const char *const way_names[] = {"the outer one is dispatched", "the outer one is canceled",
                                        "the inner one is dispatched", "the inner one is canceled"};

static unsigned added, refused;

struct round {
  netcore_group outer, inner;
  enum way way;
  netcore_status added, other;
  unsigned outer_ends, member_ends, inner_ends;
  pthread_barrier_t start;
};

static void count_end(const netcore_completion *completion) {
  __atomic_add_fetch((unsigned *)completion->user_data, 1, __ATOMIC_SEQ_CST);
}

static void *add_inner(void *argument) {
  struct round *round = argument;
  pthread_barrier_wait(&round->start);
  round->added = netcore_group_add_group(round->outer, round->inner, count_end, &round->member_ends, NULL);
  return NULL;
}

static netcore_status act(struct round *round) {
  switch (round->way) {
    case OUTER_IS_DISPATCHED:
      return netcore_group_dispatch(round->outer, count_end, &round->outer_ends);
    case OUTER_IS_CANCELED:
      return netcore_group_cancel(round->outer);
    case INNER_IS_DISPATCHED:
      return netcore_group_dispatch(round->inner, count_end, &round->inner_ends);
    default:
      return netcore_group_cancel(round->inner);
  }
}

/* It may be over already. */
static bool is_fine(netcore_status status) {
  return CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_STATE || status == NETCORE_ERR_INVALID_HANDLE) &&
         status == NETCORE_OK;
}

static void run_round(netcore_client client, unsigned number) {
  struct round round = {.way = number % WAYS};
  pthread_t adder;
  check_case = way_names[round.way];
  REQUIRE(pthread_barrier_init(&round.start, NULL, 2) == 0);
  REQUIRE_OK(netcore_group_create(client, &round.outer));
  REQUIRE_OK(netcore_group_create(client, &round.inner));
  REQUIRE(pthread_create(&adder, NULL, add_inner, &round) == 0);
  pthread_barrier_wait(&round.start);
  for (volatile unsigned i = 0; i < number % 997; i++) continue; /* now before the other call, now after it */
  round.other = act(&round);
  REQUIRE(pthread_join(adder, NULL) == 0);
  bool is_added = is_fine(round.added), is_done = is_fine(round.other);
  is_added ? added++ : refused++;
  bool is_dispatched = round.way == OUTER_IS_DISPATCHED && is_done;
  if (!is_dispatched) is_dispatched = is_fine(netcore_group_dispatch(round.outer, count_end, &round.outer_ends));
  bool inner_is_dispatched = round.way == INNER_IS_DISPATCHED && is_done;
  CHECK(!is_added || !inner_is_dispatched);
  WAIT_UNTIL(__atomic_load_n(&round.outer_ends, __ATOMIC_SEQ_CST) >= is_dispatched &&
             __atomic_load_n(&round.member_ends, __ATOMIC_SEQ_CST) >= is_added &&
             __atomic_load_n(&round.inner_ends, __ATOMIC_SEQ_CST) >= inner_is_dispatched);
  CHECK_EQUAL(round.outer_ends, is_dispatched);
  CHECK_EQUAL(round.member_ends, is_added);
  CHECK_EQUAL(round.inner_ends, inner_is_dispatched);
  netcore_group_cancel(round.outer);
  netcore_group_cancel(round.inner);
  pthread_barrier_destroy(&round.start);
}

/* Work of the application's own that ends when it is canceled, unless its client has ended it. */
static void end_work(netcore_task task, void *user_data) {
  (void)user_data;
  netcore_status status = netcore_task_complete(task, NETCORE_OK);
  CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_HANDLE);
}

static void end_client(unsigned number) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_group outer, inner;
  unsigned outer_ends = 0, member_ends = 0, task_ends = 0;
  bool has_task = number % 2 == 0, shuts_down = number % 4 < 2;
  check_case = has_task ? "the client ends, with a task" : "the client ends, with no task";
  REQUIRE_OK(netcore_group_create(client, &outer));
  REQUIRE_OK(netcore_group_create(client, &inner));
  if (has_task) CHECK_OK(netcore_group_add_application_task(inner, NULL, end_work, count_end, &task_ends, NULL));
  CHECK_OK(netcore_group_add_group(outer, inner, count_end, &member_ends, NULL));
  CHECK_OK(netcore_group_dispatch(outer, count_end, &outer_ends));
  for (volatile unsigned i = 0; i < number * 37 % 9973; i++) continue;
  if (shuts_down) {
    CHECK_OK(netcore_client_shutdown(client));
    WAIT_UNTIL(__atomic_load_n(&outer_ends, __ATOMIC_SEQ_CST) == 1);
  }
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(outer_ends, 1);
  CHECK_EQUAL(member_ends, 1);
  CHECK_EQUAL(task_ends, has_task);
}

int main(void) {
  check_begin();
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  unsigned rounds = is_slow() ? 300 : 2000;
  for (unsigned number = 0; number < rounds; number++) run_round(client, number);
  check_case = "the end";
  CHECK_OK(netcore_client_destroy(client)); /* waits for all groups */
  for (unsigned number = 0; number < rounds / 5; number++) end_client(number);
  printf("%u added, %u refused\n", added, refused);
  return check_end();
}
