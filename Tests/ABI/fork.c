/*
 * fork() with requests in flight: in the child every call on a handle of the parent answers NETCORE_ERR_FORKED, nothing
 * hangs, and a new client works; the parent does not notice. A child tells its result by a pipe, valgrind's errors counted
 * in, and is then killed, so that valgrind does not take the parent's memory for the child's leaks.
 */
#include "support.h"

#include <sys/wait.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_COUNT_ERRORS 0
#endif

#include "support/cache.h"
#include "support/exports.h"
#include "support/never.h"
#include "support/server.h"

static struct tally ended = TALLY_INITIAL;

static struct {
  netcore_client clients[3];
  netcore_request request;
  netcore_task created, running;
  netcore_group group;
  netcore_response response;
  /* On disk, and a client that uses it. */
  netcore_cache cache;
  netcore_client cached;
} parents;

#define FORKED(function, ...) (CALLING(function), CHECK_STATUS(function(__VA_ARGS__), NETCORE_ERR_FORKED))

static void check_client_is_forked(netcore_client client) {
  netcore_completion completion;
  netcore_response response = 77;
  netcore_task task = 77, tasks[2] = {77, 77};
  netcore_group group = 77;
  uint32_t count = 77;
  int32_t descriptor = 77;
  netcore_request requests[2] = {parents.request, parents.request};
  FORKED(netcore_client_shutdown, client);
  FORKED(netcore_client_set_limit, client, NETCORE_LIMIT_TRANSFERS, 5);
  FORKED(netcore_client_get_descriptor, client, &descriptor);
  CHECK_EQUAL(descriptor, -1);
  FORKED(netcore_client_process, client, 0, &count);
  CHECK_EQUAL(count, 0);
  FORKED(netcore_client_wait, client, &completion, 1, sizeof(netcore_completion), UINT64_MAX, &count);
  FORKED(netcore_client_cancel_all, client, &count);
  FORKED(netcore_client_cancel_tag, client, "tag", &count);
  FORKED(netcore_dispatch, client, parents.request, NULL, NULL, &task);
  CHECK_EQUAL(task, 0);
  FORKED(netcore_dispatch_many, client, requests, 2, NULL, NULL, tasks);
  CHECK(tasks[0] == 0 && tasks[1] == 0);
  FORKED(netcore_perform, client, parents.request, &response);
  CHECK_EQUAL(response, 0);
  FORKED(netcore_perform_for, client, parents.request, 0, &task, &response, NULL);
  CHECK(task == 0 && response == 0);
  FORKED(netcore_task_wait, parents.running, 0, &response, NULL);
  CHECK_EQUAL(response, 0);
  FORKED(netcore_task_create, client, parents.request, NULL, NULL, &task);
  FORKED(netcore_group_create, client, &group);
  FORKED(netcore_client_add_service, client, "a", "test", "http://127.0.0.1/", NULL);
  FORKED(netcore_client_select_service, client, "a");
  FORKED(netcore_client_select_environment, client, "test");
  FORKED(netcore_client_select_next_service, client);
  FORKED(netcore_client_select_next_environment, client);
  FORKED(netcore_client_set_selection_listener, client, NULL, NULL);
  FORKED(netcore_client_set_header, client, "X-A", "1");
  FORKED(netcore_client_set_param, client, "a", "1");
  FORKED(netcore_client_set_network, client, NULL);
  FORKED(netcore_client_set_token_source, client, "http://127.0.0.1/", never_token, NULL);
  FORKED(netcore_client_set_challenge_function, client, never_challenge, NULL);
  FORKED(netcore_client_set_cookie, client, &some_cookie);
  FORKED(netcore_client_list_cookies, client, never_cookie, NULL);
  FORKED(netcore_client_clear_cookies, client, NULL, NULL, NULL, NULL);
  FORKED(netcore_client_clear_session_cookies, client, NULL);
  FORKED(netcore_client_export_cookies, client, NULL, 0, &(size_t){0});
  FORKED(netcore_client_import_cookies, client, "", 0, NULL);
  FORKED(netcore_client_set_header_function, client, "X-A", NULL, NULL);
  FORKED(netcore_client_set_param_function, client, "a", NULL, NULL);
  FORKED(netcore_client_add_filter, client, never_filter, NULL);
  FORKED(netcore_client_remove_filters, client);
  CHECK_EQUAL(group, 0);
}

static void check_request_is_forked(netcore_request request) {
  FORKED(netcore_request_set_method, request, "POST");
  FORKED(netcore_request_set_url, request, "http://localhost/");
  FORKED(netcore_request_set_header, request, "X-A", "1");
  FORKED(netcore_request_add_header, request, "X-A", "1");
  FORKED(netcore_request_remove_header, request, "X-A");
  FORKED(netcore_request_set_body, request, "body", 4);
  FORKED(netcore_request_set_connect_timeout_ms, request, 1);
  FORKED(netcore_request_set_first_byte_timeout_ms, request, 1);
  FORKED(netcore_request_set_idle_timeout_ms, request, 1);
  FORKED(netcore_request_set_total_timeout_ms, request, 1);
  FORKED(netcore_request_set_limit, request, NETCORE_LIMIT_REDIRECTS, 1);
  FORKED(netcore_request_set_follow_redirects, request, 1);
  FORKED(netcore_request_set_allow_insecure_redirects, request, 1);
  FORKED(netcore_request_set_decode_content, request, 1);
  FORKED(netcore_request_set_tag, request, "tag");
  FORKED(netcore_request_set_interim_responses, request, 1);
  FORKED(netcore_request_set_base_url, request, "http://127.0.0.1/");
  FORKED(netcore_request_set_use_cdn, request, 1);
  FORKED(netcore_request_set_use_https, request, 1);
  FORKED(netcore_request_set_custom, request, 1);
  FORKED(netcore_request_set_path_value, request, "id", "1");
  FORKED(netcore_request_add_param, request, "a", "1");
  FORKED(netcore_request_add_param_int, request, "a", 1);
  FORKED(netcore_request_add_param_double, request, "a", 1.5);
  FORKED(netcore_request_add_param_bool, request, "a", 1);
  FORKED(netcore_request_add_param_null, request, "a");
  FORKED(netcore_request_add_param_json, request, "a", "[]");
  FORKED(netcore_request_remove_param, request, "a");
  FORKED(netcore_request_set_serializer, request, NETCORE_SERIALIZE_JSON);
  FORKED(netcore_request_set_cookie, request, "a", "1");
  FORKED(netcore_request_set_priority, request, NETCORE_PRIORITY_HIGH);
  FORKED(netcore_request_set_max_receive_rate, request, 1000);
  FORKED(netcore_request_set_max_send_rate, request, 1000);
  FORKED(netcore_request_set_progress_interval_ms, request, 100);
  FORKED(netcore_request_set_user_info, request, NULL);
  FORKED(netcore_request_set_allowed_interface, request, "lo");
  FORKED(netcore_request_set_sent_once, request, 1);
  FORKED(netcore_request_set_allow_metered, request, 0);
  FORKED(netcore_request_set_auth, request, NETCORE_AUTH_NONE, NULL, NULL);
  FORKED(netcore_request_set_use_cookies, request, 1);
  netcore_request_info request_info = {.size = sizeof request_info};
  netcore_bytes value;
  FORKED(netcore_request_get_info, request, &request_info);
  FORKED(netcore_request_get_header, request, "X-A", 0, &value);
  FORKED(netcore_request_get_header_at, request, 0, NULL, &value);
  FORKED(netcore_request_set_body_file, request, "/dev/null");
  FORKED(netcore_request_set_body_reader, request, &never_reader, 1);
  FORKED(netcore_request_set_body_gzip, request, 1);
  FORKED(netcore_request_add_part, request, "a", "1", 1, NULL);
  FORKED(netcore_request_add_file_part, request, "a", "/dev/null", NULL);
  FORKED(netcore_request_add_reader_part, request, "a", &never_reader, 1, NULL);
  FORKED(netcore_request_set_cache_mode, request, NETCORE_CACHE_RELOAD);
  FORKED(netcore_request_set_cache_ttl_ms, request, 1);
  FORKED(netcore_request_set_cache_scope, request, "scope");
  FORKED(netcore_request_set_cache_version, request, 1);
  FORKED(netcore_request_set_cache_key, request, "key");
  FORKED(netcore_request_add_cache_key_field, request, "X-A");
}

static int32_t never_entry(const netcore_cache_entry *entry, void *user_data) {
  (void)entry, (void)user_data;
  CHECK(!"an entry of the parent's cache is listed in the child");
  return 0;
}

static void never_release(void *value) {
  (void)value;
  CHECK(!"a value is released that the cache never owned");
}

static void check_cache_is_forked(netcore_cache cache) {
  netcore_response response = 77;
  netcore_cache_result result = 77;
  netcore_cache_statistics statistics = {.size = sizeof statistics, .hits = 77};
  netcore_client_options options = {.size = sizeof options, .cache = cache};
  netcore_client client = 77;
  void *value = &options;
  FORKED(netcore_client_get_cached, parents.cached, parents.request, &response, &result);
  CHECK(response == 0 && result == NETCORE_CACHE_RESULT_NONE);
  FORKED(netcore_cache_clear, cache, NETCORE_CACHE_CLEAR_ALL, NULL);
  FORKED(netcore_cache_set_limit, cache, NETCORE_CACHE_LIMIT_DISK_BYTES, 0);
  FORKED(netcore_cache_get_statistics, cache, &statistics);
  CHECK_EQUAL(statistics.hits, 0);
  FORKED(netcore_cache_list, cache, never_entry, NULL);
  FORKED(netcore_cache_flush, cache);
  FORKED(netcore_response_set_cached_value, parents.response, &result, 1, never_release);
  FORKED(netcore_response_get_cached_value, parents.response, &value);
  CHECK(value == NULL);
  FORKED(netcore_client_create, &options, &client);
  CHECK_EQUAL(client, 0);
  FORKED(netcore_client_destroy, parents.cached);
  FORKED(netcore_cache_destroy, cache);
}

static void check_others_are_forked(void) {
  netcore_response_info info = {.size = sizeof info};
  netcore_error error = {.size = sizeof error};
  netcore_task_info task_info = {.size = sizeof task_info};
  netcore_group_info group_info = {.size = sizeof group_info};
  netcore_bytes value;
  netcore_task task = 77;
  netcore_response response = parents.response;
  FORKED(netcore_response_get_info, response, &info);
  FORKED(netcore_response_get_error, response, &error);
  FORKED(netcore_response_get_header, response, "Date", 0, &value);
  FORKED(netcore_response_get_header_at, response, 0, &value, NULL);
  FORKED(netcore_response_get_trailer_at, response, 0, &value, NULL);
  FORKED(netcore_response_retain, response);
  FORKED(netcore_response_release, response);
  FORKED(netcore_task_dispatch, parents.created);
  FORKED(netcore_task_cancel, parents.created);
  FORKED(netcore_task_cancel, parents.running);
  FORKED(netcore_task_get_info, parents.running, &task_info);
  CHECK_EQUAL(task_info.state, NETCORE_TASK_NONE);
  FORKED(netcore_task_complete, parents.running, NETCORE_OK);
  FORKED(netcore_group_add, parents.group, parents.request, NULL, NULL, &task);
  CHECK_EQUAL(task, 0);
  FORKED(netcore_group_add_host_task, parents.group, NULL, NULL, NULL, NULL, &task);
  FORKED(netcore_group_dispatch, parents.group, NULL, NULL);
  FORKED(netcore_group_get_info, parents.group, &group_info);
  FORKED(netcore_group_cancel, parents.group);
}

/* A new client in the child: it fetches, by perform and by callback, and can be destroyed. */
static void check_new_client(void) {
  struct tally ended_here = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended_here};
  struct door door = door_open(NETCORE_COMPLETIONS_CALLBACK);
  struct answer answer = fetch(door.client, at(ORIGIN, "/bytes/1000"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(is_pattern(answer.info.body, 1000));
  answer_free(&answer);
  door_get(&door, at(ORIGIN, "/bytes/1000"), &outcome);
  door_wait(&door, &ended_here, 1);
  CHECK_STATUS(outcome.completion.status, NETCORE_OK);
  outcome_free(&outcome);
  CHECK_OK(netcore_client_destroy(door.client));
}

/* Gets what the origin lets a cache keep; returns what the cache did. */
static netcore_cache_result get_cacheable(netcore_client client, const char *mark) {
  char path[100];
  snprintf(path, sizeof path, "/headers?Cache-Control=max-age%%3D1000&mark=%s", mark);
  struct answer answer = fetch(client, at(ORIGIN, path));
  CHECK_STATUS(answer.status, NETCORE_OK);
  netcore_cache_result result = answer.info.cache_result;
  answer_free(&answer);
  return result;
}

/* A cache of the child's own, in a folder of its own, does as ever. */
static void check_new_cache(void) {
  char *folder = folder_new();
  for (int i = 0; i < 2; i++) {
    netcore_cache cache = cache_new(folder);
    netcore_client client = cached_client(NETCORE_COMPLETIONS_CALLBACK, cache);
    CHECK_EQUAL(get_cacheable(client, "a"), i == 0 ? NETCORE_CACHE_RESULT_NOT_CACHED : NETCORE_CACHE_RESULT_HIT);
    CHECK_OK(netcore_client_destroy(client));
    CHECK_OK(netcore_cache_destroy(cache));
  }
  folder_remove(folder);
}

static void check_everything(void) {
  for (int i = 0; i < 3; i++) check_client_is_forked(parents.clients[i]);
  check_request_is_forked(parents.request);
  check_others_are_forked();
  check_cache_is_forked(parents.cache);
  check_new_client();
  check_new_cache();
  for (int i = 0; i < 3; i++) FORKED(netcore_client_destroy, parents.clients[i]);
  FORKED(netcore_request_destroy, parents.request);
  /* These take no handle: they work as ever. */
  netcore_request relative = 0;
  CALLING(netcore_request_create_relative), CHECK_OK(netcore_request_create_relative("GET", NULL, "/", &relative));
  CALLING(netcore_set_log), CHECK_OK(netcore_set_log(NULL, NULL));
  CHECK_OK(netcore_request_destroy(relative));
  CALLING(netcore_request_create), CALLING(netcore_cache_create), CALLING(netcore_status_name);
  CALLING(netcore_status_message), CALLING(netcore_last_error_message);
  CALLING(netcore_version), CALLING(netcore_version_details);
  check_all_exports_called();
}

static void exit_at_once(void) { exit(0); }

/* Runs something in a child and expects it to end without failures. */
static void run_in_child(void (*run)(void)) {
  int result[2], failures = -1, status = 0;
  REQUIRE(pipe(result) == 0);
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(stretched(50));
    check_failures = 0;
    int errors_before = (int)VALGRIND_COUNT_ERRORS;
    run();
    /* To see them: valgrind without --child-silent-after-fork. */
    CHECK_EQUAL((int)VALGRIND_COUNT_ERRORS - errors_before, 0);
    if (write(result[1], &check_failures, sizeof check_failures) < 0) _exit(1);
    kill(getpid(), SIGKILL);
  }
  close(result[1]);
  bool is_told = read(result[0], &failures, sizeof failures) == (ssize_t)sizeof failures;
  close(result[0]);
  CHECK(waitpid(child, &status, 0) == child);
  if (run == exit_at_once) {
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  } else {
    CHECK(is_told);
    CHECK_EQUAL(failures, 0);
  }
}

/* The cache keeps what it had, stores more, and all of it is on disk at the end. */
static void check_parents_cache(char *folder) {
  check_case = "the parent's cache after fork";
  CHECK_EQUAL(get_cacheable(parents.cached, "before"), NETCORE_CACHE_RESULT_HIT);
  CHECK_EQUAL(get_cacheable(parents.cached, "after"), NETCORE_CACHE_RESULT_NOT_CACHED);
  CHECK_OK(netcore_cache_flush(parents.cache));
  CHECK_EQUAL(cache_statistics(parents.cache).disk_count, 2);
  CHECK_OK(netcore_client_destroy(parents.cached));
  CHECK_OK(netcore_cache_destroy(parents.cache));
  netcore_cache cache = cache_new(folder);
  netcore_client client = cached_client(NETCORE_COMPLETIONS_CALLBACK, cache);
  CHECK_EQUAL(get_cacheable(client, "before"), NETCORE_CACHE_RESULT_HIT);
  CHECK_EQUAL(get_cacheable(client, "after"), NETCORE_CACHE_RESULT_HIT);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
  folder_remove(folder);
}

static void test_in_flight(void) {
  struct outcome outcomes[3], created = {.ended = &ended};
  struct door doors[3];
  struct server *server = server_start(0);
  check_case = "fork with requests in flight";
  parents.request = request_new("GET", server_url(server, "/"));
  for (int i = 0; i < 3; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    doors[i] = door_open((netcore_completion_mode)i);
    parents.clients[i] = doors[i].client;
    CHECK_OK(door_dispatch(&doors[i], parents.request, &outcomes[i]));
  }
  WAIT_UNTIL(server_held(server) == 3);
  parents.running = outcomes[0].task;
  CHECK_OK(netcore_task_create(doors[0].client, parents.request, outcome_done, &created, &created.task));
  parents.created = created.task;
  CHECK_OK(netcore_group_create(doors[0].client, &parents.group));
  char *folder = folder_new();
  parents.response = fetch(doors[0].client, at(ORIGIN, "/status/200")).response;
  parents.cache = cache_new(folder);
  parents.cached = cached_client(NETCORE_COMPLETIONS_CALLBACK, parents.cache);
  CHECK_EQUAL(get_cacheable(parents.cached, "before"), NETCORE_CACHE_RESULT_NOT_CACHED);

  run_in_child(check_everything);
  if (!is_slow()) run_in_child(exit_at_once); /* valgrind would count the parent's memory as leaked */

  check_case = "the parent after fork";
  CHECK_EQUAL(response_info(parents.response).http_status, 200);
  CHECK_OK(netcore_response_release(parents.response));
  CHECK_EQUAL(task_state(parents.created), NETCORE_TASK_CREATED);
  server_allow(server, 3);
  for (int i = 0; i < 3; i++) door_wait(&doors[i], &ended, (unsigned)i + 1);
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL(outcomes[i].calls, 1);
    CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK);
    outcome_free(&outcomes[i]);
    CHECK_OK(netcore_client_destroy(doors[i].client));
  }
  CHECK_STATUS(created.completion.status, NETCORE_ERR_CANCELED);
  outcome_free(&created);
  check_parents_cache(folder);
  CHECK_OK(netcore_request_destroy(parents.request));
  server_stop(server);
  free(server);
}

/* Forks while other threads are inside the library: whatever lock one of them holds, the child must not wait for it. */
static netcore_client busy_client, busy_cached;
static bool is_over;

static void *keep_busy(void *unused) {
  (void)unused;
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
    netcore_request request = request_new("GET", at(NGINX, "/small.txt"));
    for (int i = 0; i < 20; i++) {
      netcore_task task = 0;
      CHECK_OK(netcore_dispatch(busy_client, request, NULL, NULL, &task));
      netcore_task_cancel(task);
    }
    struct answer answer = perform_once(busy_client, request); /* so that no queue grows */
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
    request = request_new("GET", at(NGINX, "/1k"));
    CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_RELOAD));
    answer = perform_once(busy_cached, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
  }
  return NULL;
}

static void use_all_clients(void) {
  CHECK_STATUS(netcore_client_cancel_all(busy_client, NULL), NETCORE_ERR_FORKED);
  check_new_client();
  check_new_cache();
  CHECK_STATUS(netcore_client_destroy(busy_cached), NETCORE_ERR_FORKED);
  CHECK_STATUS(netcore_client_destroy(busy_client), NETCORE_ERR_FORKED);
}

static void test_busy(void) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  check_case = "fork while the library is busy";
  char *folder = folder_new();
  netcore_cache cache = cache_new(folder);
  busy_client = client_new(NETCORE_COMPLETIONS_CALLBACK);
  busy_cached = cached_client(NETCORE_COMPLETIONS_CALLBACK, cache);
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, keep_busy, NULL) == 0);
  for (int i = 0; i < (is_slow() ? 3 : 30); i++) run_in_child(use_all_clients);
  __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
  struct answer answer = fetch(busy_client, at(NGINX, "/small.txt"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  CHECK_EQUAL(cache_statistics(cache).disk_damaged, 0);
  CHECK_OK(netcore_client_destroy(busy_client));
  CHECK_OK(netcore_client_destroy(busy_cached));
  CHECK_OK(netcore_cache_destroy(cache));
  folder_remove(folder);
}

int main(void) {
  check_begin();
  test_in_flight();
  test_busy();
  return check_end();
}
