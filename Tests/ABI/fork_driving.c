/*
 * fork() while a thread that waits for its request drives the client's loop: it rests meanwhile, and goes on. In the child its client
 * is dead, and others work.
 */
#include "support.h"

#include <sys/wait.h>

#include "support/held_wait.h"
#include "support/server.h"

static struct server *server;
static netcore_client client;

static void check_performs(int count) {
  for (int i = 0; i < count; i++) {
    struct answer answer = fetch(client, at(NGINX, "/1k"));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, 200);
    answer_free(&answer);
  }
}

static void test_fork(void) {
  struct waiter waiter;
  check_case = "a fork while a thread drives";
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  begin_wait(&waiter, client, server, UINT64_MAX);
  for (int i = 0; i < (is_slow() ? 2 : 10); i++) {
    int status = 0;
    netcore_response response = 0;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      alarm(stretched(15));
      netcore_request request = request_new("GET", at(NGINX, "/1k"));
      if (netcore_perform(client, request, &response) != NETCORE_ERR_FORKED) _exit(1);
      if (netcore_client_destroy(client) != NETCORE_ERR_FORKED) _exit(2);
      client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
      check_failures = 0;
      check_performs(2);
      if (check_failures > 0 || netcore_client_destroy(client) != NETCORE_OK) _exit(3);
      kill(getpid(), SIGKILL); /* valgrind would take what the parent's threads have for leaks */
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    if (!CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) fprintf(stderr, "    %#x\n", (unsigned)status);
  }
  server_allow(server, 1);
  end_wait(&waiter, NETCORE_OK);
  CHECK_OK(netcore_client_destroy(client));
}

/* Requests that follow each other, so that the thread is in the middle of a turn as often as not. */
static bool is_over;

static void *perform_on(void *unused) {
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) check_performs(1);
  return unused;
}

static void test_fork_in_turns(void) {
  pthread_t thread;
  check_case = "forks during turns of a thread that drives";
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  REQUIRE(pthread_create(&thread, NULL, perform_on, NULL) == 0);
  for (int i = 0; i < (is_slow() ? 3 : 40); i++) {
    int status = 0;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      alarm(stretched(15));
      check_failures = 0;
      client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
      check_performs(1);
      kill(getpid(), check_failures == 0 ? SIGKILL : SIGABRT);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }
  __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  server = server_start(0);
  test_fork();
  test_fork_in_turns();
  server_stop(server);
  free(server);
  return check_end();
}
