/*
 * Clients come and go: destroy with 1,000 requests in flight, 10,000 times create and destroy, and afterwards the
 * process has the descriptors, the threads and the memory it had before.
 */
#include "support.h"

#include <sys/resource.h>

static struct tally ended = TALLY_INITIAL;

static long resident_kb(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  REQUIRE(file != NULL);
  CHECK(fscanf(file, "%ld %ld", &pages, &resident) == 2);
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void allow_descriptors(void) {
  struct rlimit limit;
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  if (limit.rlim_cur < 4096) {
    limit.rlim_cur = limit.rlim_max < 4096 ? limit.rlim_max : 4096;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  }
}

enum { MOST = 1000 };

static struct outcome outcomes[MOST];

static void test_in_flight(netcore_completion_mode mode) {
  unsigned count = is_slow() ? 100 : MOST, canceled = 0;
  char mark[40];
  struct door door = door_open(mode);
  netcore_client observer = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  snprintf(mark, sizeof mark, "in-flight-%s", mode_name(mode));
  const char *target = marked("/delay/60000", mark);
  netcore_request request = request_new("GET", at(ORIGIN, target));
  ended.count = 0;
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, count));
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS_PER_HOST, count));
  for (unsigned i = 0; i < count; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    CHECK_OK(door_dispatch(&door, request, &outcomes[i]));
  }
  DOOR_UNTIL(&door, requests_seen(observer, target) == (long)count);
  uint64_t start = now_ms();
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK(now_ms() - start < stretched(2000));
  CHECK_EQUAL(tally_count(&ended), mode_is_queue(mode) ? 0 : count);
  for (unsigned i = 0; i < count; i++) {
    canceled += outcomes[i].calls == 1 && outcomes[i].completion.status == NETCORE_ERR_CANCELED;
    CHECK_EQUAL(task_state(outcomes[i].task), NETCORE_TASK_STATE_NONE);
    outcome_free(&outcomes[i]);
  }
  CHECK_EQUAL(canceled, mode_is_queue(mode) ? 0 : count);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(observer));
}

/* One life of a client; now and then with a request, or with tasks that it takes along. */
static void live(unsigned number) {
  struct door door = door_open((netcore_completion_mode)((number + number / 10 + number / 50) % 5));
  if (number % 50 == 0) {
    struct answer answer = fetch(door.client, at(NGINX, "/small.txt"));
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
  }
  if (number % 10 == 0) {
    netcore_request request = request_new("GET", at(NGINX, "/small.txt"));
    netcore_group group = 0;
    netcore_task task = 0;
    CHECK_OK(netcore_dispatch(door.client, request, NULL, NULL, NULL));
    CHECK_OK(netcore_task_create(door.client, request, NULL, NULL, &task));
    CHECK_OK(netcore_group_create(door.client, &group));
    CHECK_OK(netcore_group_add(group, request, NULL, NULL, &task));
    CHECK_OK(netcore_request_destroy(request));
  }
  CHECK_OK(netcore_client_destroy(door.client));
}

static void test_cycles(void) {
  unsigned cycles = is_slow() ? 500 : 10000;
  check_case = "create and destroy";
  for (unsigned i = 0; i < cycles / 10; i++) live(i);
  unsigned descriptors = count_descriptors();
  long before = resident_kb();
  for (unsigned i = cycles / 10; i < cycles; i++) live(i);
  CHECK_EQUAL(count_descriptors(), descriptors);
  if (is_slow()) return; /* valgrind's memory is not the program's; it counts leaks itself. */
  long after = resident_kb();
  /* 9,000 lives may leave less than 128 bytes each. */
  if (!CHECK(after - before < 1100)) fprintf(stderr, "    %ld KB before, %ld KB after\n", before, after);
}

int main(void) {
  check_begin();
  allow_descriptors();
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  unsigned descriptors_with_client = count_descriptors();
  CHECK_OK(netcore_client_destroy(door.client));
  unsigned descriptors = count_descriptors();
  CHECK(descriptors < descriptors_with_client);
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++) {
    check_case = "destroy with 1,000 in flight";
    test_in_flight(mode);
    CHECK_EQUAL(count_descriptors(), descriptors);
  }
  test_cycles();
  check_case = "at the end";
  CHECK_EQUAL(count_descriptors(), descriptors);
  return check_end();
}
