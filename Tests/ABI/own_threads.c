/*
 * What an application may do in functions that netcore's own threads come upon: in a cache's function for events, and in the one
 * that releases an attached value, every call of netcore's, those that wait included. In the log function, which runs on the I/O
 * thread, a call that would wait for that thread is refused. Nothing hangs.
 */
#include "support.h"

#include <fcntl.h>
#include <sys/resource.h>

#include "support/cache.h"

/* What the function under test does; set by the test, counted when it has returned. */
static struct {
  netcore_client client;
  netcore_cache cache;
  const char *url;
  struct tally tally;
  netcore_status performed;
  netcore_cache_event_kind kind;
} act = {.tally = TALLY_INITIAL};

/* Waits for the network, for the disk, and for the ends of a client and of a cache. */
static void do_all(void) {
  netcore_response response = 0;
  netcore_request request = 0;
  netcore_client client = __atomic_exchange_n(&act.client, 0, __ATOMIC_SEQ_CST);
  if (client == 0) return;
  CHECK_OK(netcore_request_create("GET", act.url, &request));
  act.performed = netcore_perform(client, request, &response);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_cache_flush(act.cache));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(act.cache));
  tally_raise(&act.tally);
}

static void on_event(const netcore_cache_event *event, void *user_data) {
  (void)user_data;
  act.kind = event->kind;
  do_all();
}

static void release(void *value) {
  if (value == &act) do_all();
}

static void begin(const char *name, const char *folder, int32_t writes_synchronously) {
  netcore_cache_options options = {
      .size = sizeof options, .folder = folder, .on_event = on_event, .writes_synchronously = writes_synchronously};
  check_case = name;
  act.performed = NETCORE_ERR_IN_PROGRESS;
  act.tally.count = 0;
  act.client = 0;
  REQUIRE_OK(netcore_cache_create(&options, &act.cache));
}

static netcore_client new_client(void) { return cached_client(NETCORE_COMPLETION_MODE_CALLBACK, act.cache); }

static void check_done(void) {
  CHECK(tally_reaches(&act.tally, 1, patience_ms()));
  CHECK_STATUS(act.performed, NETCORE_OK);
}

static void test_storing_stops(void) {
  struct rlimit before, none;
  char *folder = folder_new();
  begin("an event while the client waits for the disk", folder, 1);
  netcore_client client = new_client();
  const char *url = at(ORIGIN, keepable("stops", ""));
  act.url = at(ORIGIN, keepable("stops-too", ""));
  act.client = client;
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  none = before;
  none.rlim_cur = 1;
  signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &none) == 0);
  netcore_request request = request_new("GET", url);
  netcore_dispatch(client, request, NULL, NULL, NULL);
  check_done();
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK_EQUAL(act.kind, NETCORE_CACHE_EVENT_KIND_STORING_STOPPED);
  CHECK_OK(netcore_request_destroy(request));
  folder_remove(folder);
}

/* Changes a byte of a body in the database. */
static void damage(const char *folder, const char *text) {
  char path[5000];
  static char bytes[1 << 20];
  snprintf(path, sizeof path, "%s/cache.db", folder);
  int file = open(path, O_RDWR);
  ssize_t size = pread(file, bytes, sizeof bytes, 0);
  REQUIRE(file >= 0 && size > 0);
  char *place = memmem(bytes, (size_t)size, text, strlen(text));
  REQUIRE(place != NULL);
  *place ^= 1;
  REQUIRE(pwrite(file, place, 1, place - bytes) == 1);
  close(file);
}

static void test_damaged_entry(void) {
  char *folder = folder_new();
  begin("an event of the thread that reads from disk", folder, 1);
  netcore_client client = new_client();
  char *url = script_url(ORIGIN,
                         "[{'send':'HTTP/1.1 200 OK\r\nCache-Control: max-age=1000\r\n"
                         "Content-Length: 26\r\n\r\nWhat is to be found damage'}]");
  CHECK_RESULT(result_of(client, url), NOT_CACHED);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(act.cache));
  damage(folder, "What is to be found damage");

  begin("an event of the thread that reads from disk", folder, 1);
  client = new_client();
  act.url = at(ORIGIN, keepable("read-too", "")); /* is looked for by the same thread */
  act.client = client;
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  check_done();
  CHECK_EQUAL(act.kind, NETCORE_CACHE_EVENT_KIND_DAMAGED_ENTRY);
  CHECK_OK(netcore_request_destroy(request));
  free(url);
  folder_remove(folder);
}

/* A new answer takes the place of the one that has the value, on the I/O thread. */
static void test_release(void) {
  begin("a value that is released when an answer is replaced", NULL, 0);
  netcore_client client = new_client();
  netcore_request request = request_new("GET", at(ORIGIN, keepable("release", "")));
  struct answer answer = perform(client, request);
  CHECK_OK(netcore_response_set_cached_value(answer.response, &act, 1, release));
  answer_free(&answer);
  act.url = at(ORIGIN, keepable("release-too", ""));
  act.client = client;
  CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_RELOAD));
  CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  check_done();
  CHECK_OK(netcore_request_destroy(request));
}

/* On the I/O thread. */
static void on_log(netcore_log_level level, const char *message, void *user_data) {
  netcore_response response = 0;
  netcore_task task = 0;
  netcore_client client = __atomic_exchange_n(&act.client, 0, __ATOMIC_SEQ_CST);
  (void)level, (void)message;
  if (client == 0) return;
  CHECK_STATUS(netcore_perform(client, *(netcore_request *)user_data, &response), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_perform_for(client, *(netcore_request *)user_data, 0, &task, &response, NULL),
               NETCORE_ERR_IN_PROGRESS);
  CHECK_STATUS(netcore_task_wait(task, UINT64_MAX, &response, NULL), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_client_destroy(client));
  tally_raise(&act.tally);
}

static void on_done(const netcore_completion *completion) {
  /* The log hears of the connection when the transfer is through. */
  if (completion->status != NETCORE_ERR_CANCELED) CHECK_STATUS(completion->status, NETCORE_OK);
  tally_raise(completion->user_data);
}

static void test_log_function(void) {
  struct tally ended = TALLY_INITIAL;
  netcore_client_options options = {.size = sizeof options, .skip_verification = 1};
  netcore_client client = 0;
  check_case = "calls in the log function, on the I/O thread";
  act.tally.count = 0;
  netcore_request request = request_new("GET", at(NGINX_TLS, "/10m"));
  REQUIRE_OK(netcore_client_create(&options, &client));
  act.client = client;
  CHECK_OK(netcore_set_log(on_log, &request, NULL));
  CHECK_OK(netcore_dispatch(client, request, on_done, &ended, NULL));
  CHECK(tally_reaches(&act.tally, 1, patience_ms()));
  CHECK(tally_reaches(&ended, 1, patience_ms())); /* the client ends soon after */
  CHECK_OK(netcore_set_log(NULL, NULL, NULL));
  CHECK_OK(netcore_request_destroy(request));
}

int main(void) {
  check_begin();
  test_storing_stops();
  test_damaged_entry();
  test_release();
  test_log_function();
  return check_end();
}
