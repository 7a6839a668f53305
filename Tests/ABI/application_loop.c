/*
 * Clients that the application's own loop drives: no thread is started, the one descriptor says when there is something to do, threads
 * that wait for requests of their own drive meanwhile and take over from each other, and misuse is a status.
 */
#include "support.h"

#include <sys/wait.h>

#include "support/held_wait.h"
#include "support/server.h"

static struct tally ended = TALLY_INITIAL;
static struct server *server;

/* What an application's loop does until so many callbacks have run; returns how often it was woken. */
static unsigned run_loop(const struct door *door, unsigned count) {
  unsigned turns = 0;
  while (tally_count(&ended) < count) {
    if (!CHECK(door_is_readable(door, (int)patience_ms()))) break;
    door_turn(door);
    turns++;
  }
  return turns;
}

static void check_ended(struct outcome *outcome, netcore_status status) {
  CHECK_EQUAL(outcome->calls, 1);
  CHECK_STATUS(outcome->completion.status, status);
  outcome_free(outcome);
}

static void test_no_thread(void) {
  enum { COUNT = 20 };
  check_case = "no thread for requests, groups, timeouts and cancels";
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_LOOP; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++) {
    struct outcome outcomes[COUNT], late = {.ended = &ended}, canceled = {.ended = &ended};
    unsigned before = count_threads();
    struct door door = door_open(mode);
    netcore_request slow = request_new("GET", server_url(server, "/"));
    ended.count = 0;
    CHECK(!door_is_readable(&door, 0));
    for (int i = 0; i < COUNT; i++) {
      outcomes[i] = (struct outcome){.ended = &ended};
      door_get(&door, i % 2 ? at(NGINX, "/1k") : at(ORIGIN, "/delay/5"), &outcomes[i]);
    }
    run_loop(&door, COUNT);
    CHECK(!door_is_readable(&door, 0));
    for (int i = 0; i < COUNT; i++) check_ended(&outcomes[i], NETCORE_OK);

    CHECK_OK(netcore_request_set_total_timeout_ms(slow, 30));
    CHECK_OK(door_dispatch(&door, slow, &late));
    run_loop(&door, COUNT + 1);
    check_ended(&late, NETCORE_ERR_TIMEOUT_TOTAL);

    door_get(&door, server_url(server, "/"), &canceled);
    CHECK_OK(netcore_task_cancel(canceled.task));
    run_loop(&door, COUNT + 2);
    check_ended(&canceled, NETCORE_ERR_CANCELED);
    WAIT_UNTIL(count_threads() == before); /* one that set libcurl up has ended, and may not be gone yet */
    CHECK_OK(netcore_client_destroy(door.client));
    CHECK_OK(netcore_request_destroy(slow));
    CHECK_EQUAL(count_threads(), before);
  }
}

static void test_own_thread_sends_at_once(void) {
  struct door door = door_open(NETCORE_COMPLETION_MODE_LOOP);
  struct outcome outcome = {.ended = &ended};
  check_case = "a request from the loop's thread goes out at once";
  ended.count = 0;
  CHECK_OK(netcore_client_process(door.client, 0, NULL));
  unsigned received = server_received(server);
  door_get(&door, server_url(server, "/"), &outcome);
  /* A new connection: the next turn sees that it is there. */
  run_loop(&door, 0);
  DOOR_UNTIL(&door, server_received(server) == received + 1);
  server_allow(server, 1);
  run_loop(&door, 1);
  check_ended(&outcome, NETCORE_OK);

  ended.count = 0;
  outcome = (struct outcome){.ended = &ended};
  door_get(&door, server_url(server, "/"), &outcome);
  WAIT_UNTIL(server_received(server) == received + 2); /* on the connection that is open, without another turn */

  check_case = "further requests before the next turn go out together";
  struct outcome further[3];
  CHECK(!door_is_readable(&door, 0));
  for (int i = 0; i < 3; i++) {
    further[i] = (struct outcome){.ended = &ended};
    door_get(&door, server_url(server, "/"), &further[i]);
    CHECK(door_is_readable(&door, 0));
  }
  DOOR_UNTIL(&door, server_received(server) == received + 5);
  server_allow(server, 4);
  run_loop(&door, 4);
  check_ended(&outcome, NETCORE_OK);
  for (int i = 0; i < 3; i++) check_ended(&further[i], NETCORE_OK);
  CHECK_OK(netcore_client_destroy(door.client));
}

struct sender {
  const struct door *door;
  struct outcome *outcome;
  bool cancels;
};

static void *send_elsewhere(void *argument) {
  struct sender *sender = argument;
  if (sender->cancels)
    CHECK_OK(netcore_task_cancel(sender->outcome->task));
  else
    door_get(sender->door, server_url(server, "/"), sender->outcome);
  return NULL;
}

static void test_other_threads_wake(void) {
  struct door door = door_open(NETCORE_COMPLETION_MODE_LOOP);
  struct outcome outcome = {.ended = &ended};
  struct sender sender = {&door, &outcome, false};
  unsigned received = server_received(server);
  pthread_t thread;
  check_case = "requests and cancels of other threads wake the loop";
  ended.count = 0;
  CHECK_OK(netcore_client_process(door.client, 0, NULL));
  REQUIRE(pthread_create(&thread, NULL, send_elsewhere, &sender) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK(door_is_readable(&door, 0));
  DOOR_UNTIL(&door, server_received(server) == received + 1);
  WAIT_UNTIL(!door_is_readable(&door, 0) || (door_turn(&door), false));
  sender.cancels = true;
  REQUIRE(pthread_create(&thread, NULL, send_elsewhere, &sender) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK(door_is_readable(&door, 0));
  run_loop(&door, 1);
  check_ended(&outcome, NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_client_destroy(door.client));
}

static void test_most_callbacks(void) {
  enum { COUNT = 5 };
  struct door door = door_open(NETCORE_COMPLETION_MODE_LOOP);
  struct outcome outcomes[COUNT];
  uint32_t count = 77, all = 0;
  check_case = "the most callbacks of a call";
  ended.count = 0;
  for (int i = 0; i < COUNT; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    door_get(&door, at(NGINX, "/1k"), &outcomes[i]);
  }
  while (all < COUNT && CHECK(door_is_readable(&door, (int)patience_ms()))) {
    CHECK_OK(netcore_client_process(door.client, 1, &count));
    CHECK(count <= 1);
    all += count;
  }
  CHECK_EQUAL(tally_count(&ended), COUNT);
  for (int i = 0; i < COUNT; i++) check_ended(&outcomes[i], NETCORE_OK);
  CHECK_OK(netcore_client_destroy(door.client));
}

static void *process_elsewhere(void *argument) {
  uint32_t count = 77;
  CHECK_STATUS(netcore_client_process(*(netcore_client *)argument, 0, &count), NETCORE_ERR_INVALID_STATE);
  CHECK_EQUAL(count, 0);
  return NULL;
}

static void misuse(struct outcome *outcome) {
  netcore_client *client = outcome->hook_data;
  pthread_t thread;
  process_elsewhere(client);
  REQUIRE(pthread_create(&thread, NULL, process_elsewhere, client) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
}

static void test_misuse(void) {
  struct door door = door_open(NETCORE_COMPLETION_MODE_LOOP), queue = door_open(NETCORE_COMPLETION_MODE_LOOP_QUEUE);
  struct outcome outcome = {.ended = &ended, .hook = misuse, .hook_data = &door.client};
  netcore_completion completion;
  uint32_t count = 0;
  check_case = "process() inside a callback and on two threads";
  ended.count = 0;
  door_get(&door, at(NGINX, "/1k"), &outcome);
  run_loop(&door, 1);
  check_ended(&outcome, NETCORE_OK);
  check_case = "calls of another mode";
  CHECK_STATUS(netcore_client_wait(door.client, &completion, 1, sizeof completion, 0, &count),
               NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_client_process(queue.client, 0, NULL), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_OK(netcore_client_destroy(queue.client));
}

static void test_take_over(void) {
  struct waiter first, second;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_LOOP);
  check_case = "a thread that waits takes over from one that leaves, without the application's loop";
  begin_wait(&first, client, server, UINT64_MAX);
  begin_wait(&second, client, server, UINT64_MAX);
  server_allow(server, 1); /* the first one's, which came first */
  end_wait(&first, NETCORE_OK);
  server_allow(server, 1);
  end_wait(&second, NETCORE_OK);

  check_case = "the application's loop goes on for a thread that drove";
  struct door door = {NETCORE_COMPLETION_MODE_LOOP, client, -1};
  struct outcome outcome = {.ended = &ended};
  CHECK_OK(netcore_client_get_descriptor(client, &door.descriptor));
  ended.count = 0;
  begin_wait(&first, client, server, UINT64_MAX);
  door_get(&door, server_url(server, "/"), &outcome);
  WAIT_UNTIL(server_held(server) == 2); /* by the thread that drives */
  server_allow(server, 1);
  end_wait(&first, NETCORE_OK);
  server_allow(server, 1);
  run_loop(&door, 1);
  check_ended(&outcome, NETCORE_OK);
  CHECK_OK(netcore_client_destroy(client));
}

static void perform_inside(struct outcome *outcome) {
  struct answer answer = fetch(*(netcore_client *)outcome->hook_data, at(NGINX, "/1k"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
}

static void test_perform_inside(void) {
  struct door door = door_open(NETCORE_COMPLETION_MODE_LOOP);
  struct outcome outcome = {.ended = &ended, .hook = perform_inside, .hook_data = &door.client};
  check_case = "perform inside a callback";
  ended.count = 0;
  door_get(&door, at(NGINX, "/1k"), &outcome);
  run_loop(&door, 1);
  check_ended(&outcome, NETCORE_OK);
  CHECK_OK(netcore_client_destroy(door.client));
}

static struct tally entered = TALLY_INITIAL;

static void *destroy_elsewhere(void *argument) {
  CHECK(tally_reaches(&entered, 1, patience_ms()));
  CHECK_OK(netcore_client_destroy(*(netcore_client *)argument));
  CHECK_EQUAL(tally_count(&ended), 2);
  return NULL;
}

static void await_destroy(struct outcome *outcome) {
  netcore_limit limit = NETCORE_LIMIT_TRANSFERS;
  uint64_t value = 0;
  tally_raise(&entered);
  WAIT_UNTIL(netcore_client_get_limit(*(netcore_client *)outcome->hook_data, limit, &value) ==
             NETCORE_ERR_INVALID_HANDLE);
}

static void test_destroy_inside(void) {
  struct door door = door_open(NETCORE_COMPLETION_MODE_LOOP);
  netcore_client client = door.client;
  struct outcome outcome = {.ended = &ended, .hook = await_destroy, .hook_data = &client};
  struct outcome other = {.ended = &ended};
  struct server *silent = server_start(0);
  pthread_t thread;
  check_case = "destroy while the application's loop is inside a callback";
  ended.count = 0;
  REQUIRE(pthread_create(&thread, NULL, destroy_elsewhere, &client) == 0);
  door_get(&door, server_url(silent, "/"), &other);
  door_get(&door, at(NGINX, "/1k"), &outcome);
  while (tally_count(&ended) < 2 && door_is_readable(&door, (int)patience_ms()))
    netcore_client_process(client, 0, NULL);
  REQUIRE(pthread_join(thread, NULL) == 0);
  check_ended(&outcome, NETCORE_OK);
  check_ended(&other, NETCORE_ERR_CANCELED);
  server_stop(silent);
  free(silent);
}

static void test_one_thread_waits(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_LOOP_QUEUE);
  netcore_request request = request_new("GET", at(ORIGIN, "/delay/20"));
  netcore_completion completion;
  netcore_response response = 0;
  uint32_t count = 77;
  size_t size = 0;
  char bytes[2000];
  unsigned before = count_threads();
  check_case = "the only thread of a program waits for completions, and reads a stream";
  CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  CHECK_OK(netcore_client_wait(client, &completion, 1, sizeof completion, 1, &count));
  CHECK(count <= 1);
  if (count == 0) CHECK_OK(netcore_client_wait(client, &completion, 1, sizeof completion, UINT64_MAX, &count));
  CHECK_EQUAL(count, 1);
  CHECK_STATUS(completion.status, NETCORE_OK);
  CHECK_OK(netcore_response_release(completion.response));
  CHECK_OK(netcore_request_set_url(request, at(NGINX, "/1k")));
  CHECK_OK(netcore_perform_streamed(client, request, 0, &response));
  for (size_t all = 0; all < 1024; all += size) {
    if (!CHECK_OK(netcore_response_read(response, bytes, sizeof bytes, UINT64_MAX, &size)) || size == 0) break;
  }
  CHECK_OK(netcore_response_release(response));
  CHECK_EQUAL(count_threads(), before);
  CHECK_OK(netcore_client_shutdown(client));
  CHECK_STATUS(netcore_client_wait(client, &completion, 1, sizeof completion, UINT64_MAX, &count),
               NETCORE_ERR_SHUT_DOWN);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_request_destroy(request));
}

static void test_held_up_loop(void) {
  struct door door = door_open(NETCORE_COMPLETION_MODE_LOOP);
  struct outcome outcome = {.ended = &ended};
  netcore_request request = request_new("GET", server_url(server, "/"));
  check_case = "an answer that came while the loop was held up beyond the idle timeout";
  ended.count = 0;
  CHECK_OK(netcore_request_set_first_byte_timeout_ms(request, stretched(100)));
  CHECK_OK(netcore_request_set_idle_timeout_ms(request, stretched(100)));
  CHECK_OK(netcore_client_process(door.client, 0, NULL));
  unsigned received = server_received(server);
  CHECK_OK(door_dispatch(&door, request, &outcome));
  DOOR_UNTIL(&door, server_received(server) == received + 1);
  server_allow(server, 1);
  WAIT_UNTIL(server_held(server) == 0);
  pause_ms(stretched(150));
  run_loop(&door, 1);
  check_ended(&outcome, NETCORE_OK);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_OK(netcore_request_destroy(request));
}

static pid_t child;

static void fork_inside(struct outcome *outcome) {
  (void)outcome;
  child = fork();
}

static void test_fork_inside(void) {
  struct door door = door_open(NETCORE_COMPLETION_MODE_LOOP);
  struct outcome outcome = {.ended = &ended, .hook = fork_inside}, other = {.ended = &ended};
  int status = 0;
  check_case = "a fork inside a callback";
  ended.count = 0;
  child = -1;
  door_get(&door, at(NGINX, "/1k"), &outcome);
  run_loop(&door, 1);
  if (child == 0) { _exit(netcore_client_process(door.client, 0, NULL) == NETCORE_ERR_FORKED ? 0 : 1); }
  REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  door_get(&door, at(NGINX, "/1k"), &other);
  run_loop(&door, 2);
  check_ended(&outcome, NETCORE_OK);
  check_ended(&other, NETCORE_OK);
  CHECK_OK(netcore_client_destroy(door.client));
}

/* With a server of its own, which counts nothing that an earlier test sent and canceled. */
static void run(void (*test)(void)) {
  server = server_start(0);
  test();
  server_stop(server);
  free(server);
}

int main(void) {
  check_begin();
  run(test_no_thread);
  run(test_own_thread_sends_at_once);
  run(test_other_threads_wake);
  run(test_most_callbacks);
  run(test_misuse);
  run(test_take_over);
  run(test_perform_inside);
  run(test_destroy_inside);
  run(test_one_thread_waits);
  run(test_held_up_loop);
  run(test_fork_inside);
  return check_end();
}
