/*
 * pthread_cancel(): no call of netcore's is a place at which a thread ends. A canceled thread goes on until its call has
 * returned, so that no lock stays locked, and the client serves others and can be destroyed.
 */
#include "support.h"

#include "support/cache.h"
#include "support/server.h"

static struct server *server;
static netcore_client client;
static netcore_request request;
static netcore_task waited;
static bool has_returned;

static void *in_perform(void *unused) {
  netcore_response response = 0;
  netcore_status status = netcore_perform(client, request, &response);
  __atomic_store_n(&has_returned, true, __ATOMIC_SEQ_CST);
  CHECK_STATUS(status, NETCORE_OK);
  CHECK_OK(netcore_response_release(response));
  pthread_testcancel();
  CHECK(!"the cancel is not lost");
  return unused;
}

static void *in_task_wait(void *unused) {
  netcore_response response = 0;
  netcore_status status = netcore_task_wait(waited, UINT64_MAX, &response, NULL);
  __atomic_store_n(&has_returned, true, __ATOMIC_SEQ_CST);
  CHECK_STATUS(status, NETCORE_OK);
  CHECK_OK(netcore_response_release(response));
  pthread_testcancel();
  return unused;
}

static void *in_client_wait(void *unused) {
  netcore_completion completion;
  uint32_t count = 0;
  netcore_status status = netcore_client_wait(client, &completion, 1, sizeof(netcore_completion), UINT64_MAX, &count);
  __atomic_store_n(&has_returned, true, __ATOMIC_SEQ_CST);
  CHECK_STATUS(status, NETCORE_OK);
  if (count == 1) CHECK_OK(netcore_response_release(completion.response));
  pthread_testcancel();
  return unused;
}

/* Cancels a thread while it is blocked in a call; lets the call return then. */
static void cancel_in(const char *name, void *(*run)(void *), netcore_completion_mode mode) {
  pthread_t thread;
  void *result = NULL;
  netcore_response response = 0;
  check_case = name;
  has_returned = false;
  client = client_new(mode);
  unsigned received = server_received(server);
  if (run == in_client_wait) CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  if (run == in_task_wait)
    CHECK_STATUS(netcore_perform_for(client, request, 0, &waited, &response, NULL), NETCORE_ERR_IN_PROGRESS);
  REQUIRE(pthread_create(&thread, NULL, run, NULL) == 0);
  WAIT_UNTIL(server_received(server) == received + 1);
  REQUIRE(pthread_cancel(thread) == 0);
  pause_ms(20);
  CHECK(!__atomic_load_n(&has_returned, __ATOMIC_SEQ_CST));
  server_allow(server, 1);
  REQUIRE(pthread_join(thread, &result) == 0);
  CHECK(result == PTHREAD_CANCELED);
  CHECK(__atomic_load_n(&has_returned, __ATOMIC_SEQ_CST));
  CHECK_OK(netcore_client_destroy(client));
}

/* A thread that is canceled already: its calls, and their system calls, are as ever. */
static void *use_all(void *unused) {
  netcore_request other = request_new("GET", at(NGINX, "/1k"));
  netcore_completion completion;
  uint32_t count = 0;
  pthread_cancel(pthread_self());
  char *folder = (char *)unused;
  netcore_cache_options options = {.size = sizeof options, .folder = folder, .writes_synchronously = 1};
  netcore_client_options client_options = {.size = sizeof client_options, .completions = NETCORE_COMPLETION_MODE_QUEUE};
  netcore_cache cache = 0;
  netcore_response response = 0;
  netcore_status status = netcore_cache_create(&options, &cache);
  client_options.cache = cache;
  if (status == NETCORE_OK) status = netcore_client_create(&client_options, &client);
  if (status == NETCORE_OK) status = netcore_perform(client, other, &response);
  if (status == NETCORE_OK) status = netcore_dispatch(client, other, NULL, NULL, NULL);
  if (status == NETCORE_OK)
    status = netcore_client_wait(client, &completion, 1, sizeof(netcore_completion), UINT64_MAX, &count);
  if (status == NETCORE_OK) status = netcore_response_release(completion.response);
  if (status == NETCORE_OK) status = netcore_response_release(response);
  if (status == NETCORE_OK) status = netcore_cache_flush(cache);
  if (status == NETCORE_OK) status = netcore_client_destroy(client);
  if (status == NETCORE_OK) status = netcore_cache_destroy(cache);
  if (status == NETCORE_OK) status = netcore_request_destroy(other);
  __atomic_store_n(&has_returned, status == NETCORE_OK, __ATOMIC_SEQ_CST);
  pthread_testcancel();
  return NULL;
}

static void test_canceled_thread(void) {
  pthread_t thread;
  void *result = NULL;
  char *folder = folder_new();
  check_case = "calls of a thread that is canceled already";
  has_returned = false;
  REQUIRE(pthread_create(&thread, NULL, use_all, folder) == 0);
  REQUIRE(pthread_join(thread, &result) == 0);
  CHECK(result == PTHREAD_CANCELED);
  CHECK(__atomic_load_n(&has_returned, __ATOMIC_SEQ_CST));
  folder_remove(folder);
}

int main(void) {
  check_begin();
  server = server_start(0);
  request = request_new("GET", server_url(server, "/"));
  cancel_in("canceled in netcore_perform", in_perform, NETCORE_COMPLETION_MODE_CALLBACK);
  cancel_in("canceled in netcore_task_wait", in_task_wait, NETCORE_COMPLETION_MODE_CALLBACK);
  cancel_in("canceled in netcore_client_wait", in_client_wait, NETCORE_COMPLETION_MODE_QUEUE);
  test_canceled_thread();
  CHECK_OK(netcore_request_destroy(request));
  server_stop(server);
  free(server);
  return check_end();
}
