/*
 * A thread that waits for its request drives the client's loop: without another thread where none is needed, with all promises of
 * the calls kept where it leaves, ends, or gets signals meanwhile.
 */
#include "support.h"

#include <netdb.h>

#include "support/held_wait.h"
#include "support/server.h"

static struct server *server;
static netcore_client client;

/* Stands in for the one of glibc, which libcurl calls on a thread of its own. */
static bool has_looked_up, blocked_signals;

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out) {
  sigset_t mask;
  (void)node, (void)service, (void)hints, (void)out;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  __atomic_store_n(&blocked_signals, sigismember(&mask, SIGTERM) == 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&has_looked_up, true, __ATOMIC_SEQ_CST);
  return EAI_NONAME;
}

static void check_performs(int count) {
  for (int i = 0; i < count; i++) {
    struct answer answer = fetch(client, at(NGINX, "/1k"));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, 200);
    answer_free(&answer);
  }
}

static void test_no_thread(void) {
  static const netcore_completion_mode modes[] = {NETCORE_COMPLETION_MODE_CALLBACK, NETCORE_COMPLETION_MODE_PUMP,
                                                  NETCORE_COMPLETION_MODE_QUEUE, NETCORE_COMPLETION_MODE_LOOP,
                                                  NETCORE_COMPLETION_MODE_LOOP_QUEUE};
  netcore_completion completion;
  uint32_t count = 0;
  check_case = "one request at a time needs no thread";
  for (size_t i = 0; i < LENGTH(modes); i++) {
    unsigned before = count_threads();
    client = client_new(modes[i]);
    check_performs(20);
    WAIT_UNTIL(count_threads() == before); /* one that set libcurl up has ended, and may not be gone yet */
    if (mode_is_queue(modes[i])) {
      CHECK_OK(netcore_client_shutdown(client));
      CHECK_STATUS(netcore_client_wait(client, &completion, 1, sizeof(netcore_completion), UINT64_MAX, &count),
                   NETCORE_ERR_SHUT_DOWN);
      CHECK_EQUAL(count_threads(), before);
    }
    CHECK_OK(netcore_client_destroy(client));
    CHECK_EQUAL(count_threads(), before);
  }
}

/* New threads get a stack of this size; one that is too large for the address space lets none start. */
static void set_stack(size_t size) {
  pthread_attr_t attributes;
  REQUIRE(pthread_getattr_default_np(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, size) == 0);
  REQUIRE(pthread_setattr_default_np(&attributes) == 0);
  pthread_attr_destroy(&attributes);
}

static void on_done(const netcore_completion *completion) { tally_raise(completion->user_data); }

static void test_threads_refused(void) {
  struct tally ended = TALLY_INITIAL;
  netcore_task task = 77;
  netcore_response response = 0;
  netcore_group group = 0;
  check_case = "no thread can be started";
  netcore_request request = request_new("GET", at(NGINX, "/1k"));
  netcore_request slow = request_new("GET", server_url(server, "/"));
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  set_stack((size_t)1 << 47);
  CHECK_STATUS(netcore_dispatch(client, request, on_done, &ended, &task), NETCORE_ERR_OUT_OF_MEMORY);
  CHECK_EQUAL(task, 0);
  CHECK_STATUS(netcore_group_create(client, &group), NETCORE_ERR_OUT_OF_MEMORY);
  check_performs(3);
  CHECK_STATUS(netcore_perform_for(client, slow, 0, &task, &response, NULL), NETCORE_ERR_OUT_OF_MEMORY);
  /* Nobody would go on with it. */
  CHECK_STATUS(netcore_perform_for(client, slow, 5, &task, &response, NULL), NETCORE_ERR_CANCELED);
  CHECK_EQUAL(task, 0);
  CHECK_OK(netcore_response_release(response));
  set_stack((size_t)8 << 20);
  CHECK_OK(netcore_dispatch(client, request, on_done, &ended, &task));
  CHECK(tally_reaches(&ended, 1, patience_ms()));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_request_destroy(slow));
  WAIT_UNTIL(server_held(server) == 0);
}

/* What others dispatched goes on without the thread that drove, whether its time was up or its answer there. */
static void test_leaving(void) {
  struct tally ended = TALLY_INITIAL;
  struct waiter waiter;
  netcore_response response = 0;
  netcore_request request = request_new("GET", server_url(server, "/"));
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  for (int is_in_time = 0; is_in_time < 2; is_in_time++) {
    check_case =
        is_in_time ? "the thread that drives gets its answer" : "the thread that drives has waited long enough";
    ended.count = 0;
    begin_wait(&waiter, client, server, is_in_time ? UINT64_MAX : stretched(200));
    unsigned received = server_received(server);
    for (int i = 0; i < 5; i++) CHECK_OK(netcore_dispatch(client, request, on_done, &ended, NULL));
    WAIT_UNTIL(server_received(server) == received + 5);
    if (is_in_time) server_allow(server, 1);
    end_wait(&waiter, is_in_time ? NETCORE_OK : NETCORE_ERR_IN_PROGRESS);
    server_allow(server, is_in_time ? 5 : 6);
    CHECK(tally_reaches(&ended, 5, patience_ms()));
    if (is_in_time) break;
    CHECK_OK(netcore_task_wait(waiter.task, UINT64_MAX, &response, NULL));
    CHECK_OK(netcore_response_release(response));
  }
  check_case = "a time limit after the thread that drove has left";
  begin_wait(&waiter, client, server, 1);
  end_wait(&waiter, NETCORE_ERR_IN_PROGRESS);
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 30));
  ended.count = 0;
  CHECK_OK(netcore_dispatch(client, request, on_done, &ended, NULL));
  CHECK(tally_reaches(&ended, 1, patience_ms()));
  check_performs(3);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  WAIT_UNTIL(server_held(server) == 0);
}

static void *destroy(void *unused) {
  CHECK_OK(netcore_client_destroy(client));
  return unused;
}

static void test_ends(void) {
  struct waiter waiters[3];
  pthread_t thread;
  for (int i = 0; i < 3; i++) {
    check_case = i == 0 ? "destroyed while a thread drives" : i == 1 ? "shut down" : "destroyed by another thread";
    client = client_new(i == 1 ? NETCORE_COMPLETION_MODE_QUEUE : NETCORE_COMPLETION_MODE_CALLBACK);
    for (int j = 0; j < 3; j++) begin_wait(&waiters[j], client, server, UINT64_MAX);
    if (i == 1) {
      CHECK_OK(netcore_client_shutdown(client));
    } else {
      REQUIRE(pthread_create(&thread, NULL, destroy, NULL) == 0);
      REQUIRE(pthread_join(thread, NULL) == 0);
    }
    for (int j = 0; j < 3; j++) end_wait(&waiters[j], NETCORE_ERR_CANCELED);
    if (i == 1) CHECK_OK(netcore_client_destroy(client));
    WAIT_UNTIL(server_held(server) == 0);
  }
}

static unsigned signals;

static void on_signal(int number) {
  (void)number;
  __atomic_add_fetch(&signals, 1, __ATOMIC_SEQ_CST);
}

static void test_signals(void) {
  struct waiter waiter;
  struct sigaction action = {.sa_handler = on_signal};
  check_case = "signals for the thread that drives";
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  REQUIRE(sigaction(SIGUSR1, &action, NULL) == 0);
  begin_wait(&waiter, client, server, UINT64_MAX);
  for (unsigned i = 1; i <= 20; i++) {
    REQUIRE(pthread_kill(waiter.thread, SIGUSR1) == 0);
    WAIT_UNTIL(__atomic_load_n(&signals, __ATOMIC_SEQ_CST) == i); /* its handler runs while the call waits */
  }
  server_allow(server, 1);
  end_wait(&waiter, NETCORE_OK);

  check_case = "a thread that looks up a name gets no signal";
  netcore_response response = 0;
  netcore_request request = request_new("GET", "http://name.invalid/");
  CHECK_STATUS(netcore_perform(client, request, &response), NETCORE_ERR_RESOLVE);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  CHECK(__atomic_load_n(&has_looked_up, __ATOMIC_SEQ_CST));
  CHECK(__atomic_load_n(&blocked_signals, __ATOMIC_SEQ_CST));
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  CHECK(sigismember(&mask, SIGTERM) == 0);
  CHECK_OK(netcore_client_destroy(client));
}

/* The log function of a client that skips verification is called during its first request over TLS. */
static struct {
  netcore_request request;
  unsigned calls;
} logged;

static void on_log(netcore_log_level level, const char *message, void *user_data) {
  netcore_response response = 0;
  netcore_client other = 0;
  (void)level, (void)message, (void)user_data;
  logged.calls++;
  CHECK_STATUS(netcore_perform(client, logged.request, &response), NETCORE_ERR_INVALID_STATE);
  CHECK_EQUAL(response, 0);
  REQUIRE_OK(netcore_client_create(NULL, &other));
  CHECK_STATUS(netcore_perform(other, logged.request, &response), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_client_destroy(other));
}

static void test_log(void) {
  netcore_client_options options = {.size = sizeof options, .skip_verification = 1};
  check_case = "the log function runs on the thread that drives";
  REQUIRE_OK(netcore_client_create(&options, &client));
  logged.request = request_new("GET", at(NGINX_TLS, "/session"));
  CHECK_OK(netcore_set_log(on_log, NULL, NULL));
  struct answer answer = perform(client, logged.request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  CHECK(logged.calls > 0);
  CHECK_OK(netcore_set_log(NULL, NULL, NULL));
  check_performs(1); /* outside of it, the thread may wait again */
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_request_destroy(logged.request));
}

int main(void) {
  check_begin();
  server = server_start(0);
  test_no_thread();
  test_threads_refused();
  test_leaving();
  test_ends();
  test_signals();
  test_log();
  server_stop(server);
  free(server);
  return check_end();
}
