/*
 * Every function that takes a handle, with handles that are 0, made-up, stale and of the wrong kind: each answers
 * NETCORE_ERR_INVALID_HANDLE, names the argument, zeroes its results, runs no callback, sends nothing and leaves the
 * living handles alone.
 */
#include "support.h"

#include "support/exports.h"
#include "support/never.h"

enum kind { CLIENT, REQUEST, TASK, GROUP, RESPONSE, CACHE, KIND_COUNT };

static uint64_t live[KIND_COUNT], stale[KIND_COUNT];

/* What the calls write to, filled with garbage before each. */
static struct {
  uint64_t handle;
  uint64_t handles[2];
  uint32_t count;
  size_t size;
  int32_t descriptor;
  struct {
    netcore_bytes name, value;
  } field;
  netcore_response_info response_info;
  netcore_request_info request_info;
  netcore_error error;
  netcore_task_info task_info;
  netcore_group_info group_info;
  netcore_cache_statistics statistics;
  netcore_cache_result cache_result;
  void *value;
  netcore_completion completions[2];
} out;

static void never(const netcore_completion *completion) {
  (void)completion;
  CHECK(!"a callback of a call that failed runs");
}

static void never_host(netcore_task task, void *user_data) {
  (void)task;
  (void)user_data;
  CHECK(!"a callback of a call that failed runs");
}

static int32_t never_entry(const netcore_cache_entry *entry, void *user_data) {
  (void)entry;
  (void)user_data;
  CHECK(!"a callback of a call that failed runs");
  return 0;
}

static void never_release(void *value) {
  (void)value;
  CHECK(!"a value is released that the cache never owned");
}

/* Options of a client with a cache that is a bad one; 0 would be none. */
static const netcore_client_options *with_cache(uint64_t cache) {
  static netcore_client_options options;
  options.size = sizeof options;
  options.cache = cache == 0 ? 1 : cache;
  return &options;
}

static uint64_t pair[2];

static const uint64_t *live_then(uint64_t h) {
  pair[0] = live[REQUEST];
  pair[1] = h;
  return pair;
}

/* A struct: what follows `size` is zeroed. */
#define STRUCT(name) (char *)&out.name + sizeof(uint32_t), sizeof out.name - sizeof(uint32_t), 0
#define RESULT(name) &out.name, sizeof out.name, 0
#define NOTHING NULL, 0, 0

/* X(function, number, kind and name of the argument under test, the call with `h` in its place, what gets zeroed) */
#define PROBES(X) \
  X(netcore_client_destroy, 1, CLIENT, "client", (h), NOTHING) \
  X(netcore_client_shutdown, 1, CLIENT, "client", (h), NOTHING) \
  X(netcore_client_set_limit, 1, CLIENT, "client", (h, NETCORE_LIMIT_TRANSFERS, 5), NOTHING) \
  X(netcore_client_get_descriptor, 1, CLIENT, "client", (h, &out.descriptor), &out.descriptor, 4, 0xFF) \
  X(netcore_client_process, 1, CLIENT, "client", (h, 0, &out.count), RESULT(count)) \
  X(netcore_client_wait, 1, CLIENT, "client", (h, out.completions, 2, sizeof out.completions[0], 0, &out.count), \
    RESULT(count)) \
  X(netcore_client_cancel_all, 1, CLIENT, "client", (h, &out.count), RESULT(count)) \
  X(netcore_client_cancel_tag, 1, CLIENT, "client", (h, "tag", &out.count), RESULT(count)) \
  X(netcore_request_destroy, 1, REQUEST, "request", (h), NOTHING) \
  X(netcore_request_set_method, 1, REQUEST, "request", (h, "POST"), NOTHING) \
  X(netcore_request_set_url, 1, REQUEST, "request", (h, "http://127.0.0.1/"), NOTHING) \
  X(netcore_request_set_header, 1, REQUEST, "request", (h, "X-A", "1"), NOTHING) \
  X(netcore_request_add_header, 1, REQUEST, "request", (h, "X-A", "1"), NOTHING) \
  X(netcore_request_remove_header, 1, REQUEST, "request", (h, "X-A"), NOTHING) \
  X(netcore_request_set_body, 1, REQUEST, "request", (h, "body", 4), NOTHING) \
  X(netcore_request_set_connect_timeout_ms, 1, REQUEST, "request", (h, 1000), NOTHING) \
  X(netcore_request_set_first_byte_timeout_ms, 1, REQUEST, "request", (h, 1000), NOTHING) \
  X(netcore_request_set_idle_timeout_ms, 1, REQUEST, "request", (h, 1000), NOTHING) \
  X(netcore_request_set_total_timeout_ms, 1, REQUEST, "request", (h, 1000), NOTHING) \
  X(netcore_request_set_limit, 1, REQUEST, "request", (h, NETCORE_LIMIT_BODY_BYTES, 5), NOTHING) \
  X(netcore_request_set_follow_redirects, 1, REQUEST, "request", (h, 0), NOTHING) \
  X(netcore_request_set_allow_insecure_redirects, 1, REQUEST, "request", (h, 1), NOTHING) \
  X(netcore_request_set_decode_content, 1, REQUEST, "request", (h, 0), NOTHING) \
  X(netcore_request_set_tag, 1, REQUEST, "request", (h, "tag"), NOTHING) \
  X(netcore_request_set_interim_responses, 1, REQUEST, "request", (h, 1), NOTHING) \
  X(netcore_request_set_base_url, 1, REQUEST, "request", (h, "http://127.0.0.1/"), NOTHING) \
  X(netcore_request_set_use_cdn, 1, REQUEST, "request", (h, 1), NOTHING) \
  X(netcore_request_set_use_https, 1, REQUEST, "request", (h, 1), NOTHING) \
  X(netcore_request_set_custom, 1, REQUEST, "request", (h, 1), NOTHING) \
  X(netcore_request_set_path_value, 1, REQUEST, "request", (h, "id", "1"), NOTHING) \
  X(netcore_request_add_param, 1, REQUEST, "request", (h, "a", "1"), NOTHING) \
  X(netcore_request_add_param_int, 1, REQUEST, "request", (h, "a", 1), NOTHING) \
  X(netcore_request_add_param_double, 1, REQUEST, "request", (h, "a", 1.5), NOTHING) \
  X(netcore_request_add_param_bool, 1, REQUEST, "request", (h, "a", 1), NOTHING) \
  X(netcore_request_add_param_null, 1, REQUEST, "request", (h, "a"), NOTHING) \
  X(netcore_request_add_param_json, 1, REQUEST, "request", (h, "a", "[]"), NOTHING) \
  X(netcore_request_remove_param, 1, REQUEST, "request", (h, "a"), NOTHING) \
  X(netcore_request_set_serializer, 1, REQUEST, "request", (h, NETCORE_SERIALIZE_JSON), NOTHING) \
  X(netcore_request_set_cookie, 1, REQUEST, "request", (h, "a", "1"), NOTHING) \
  X(netcore_request_set_priority, 1, REQUEST, "request", (h, NETCORE_PRIORITY_HIGH), NOTHING) \
  X(netcore_request_set_max_receive_rate, 1, REQUEST, "request", (h, 1000), NOTHING) \
  X(netcore_request_set_max_send_rate, 1, REQUEST, "request", (h, 1000), NOTHING) \
  X(netcore_request_set_progress_interval_ms, 1, REQUEST, "request", (h, 100), NOTHING) \
  X(netcore_request_set_user_info, 1, REQUEST, "request", (h, NULL), NOTHING) \
  X(netcore_request_set_allowed_interface, 1, REQUEST, "request", (h, "lo"), NOTHING) \
  X(netcore_request_set_sent_once, 1, REQUEST, "request", (h, 1), NOTHING) \
  X(netcore_request_set_allow_metered, 1, REQUEST, "request", (h, 0), NOTHING) \
  X(netcore_client_set_network, 1, CLIENT, "client", (h, NULL), NOTHING) \
  X(netcore_request_set_auth, 1, REQUEST, "request", (h, NETCORE_AUTH_NONE, NULL, NULL), NOTHING) \
  X(netcore_request_set_use_cookies, 1, REQUEST, "request", (h, 1), NOTHING) \
  X(netcore_client_set_token_source, 1, CLIENT, "client", (h, "http://127.0.0.1/", never_token, NULL), NOTHING) \
  X(netcore_client_set_challenge_function, 1, CLIENT, "client", (h, never_challenge, NULL), NOTHING) \
  X(netcore_client_set_cookie, 1, CLIENT, "client", (h, &some_cookie), NOTHING) \
  X(netcore_client_list_cookies, 1, CLIENT, "client", (h, never_cookie, NULL), NOTHING) \
  X(netcore_client_clear_cookies, 1, CLIENT, "client", (h, NULL, NULL, NULL, &out.count), RESULT(count)) \
  X(netcore_client_clear_session_cookies, 1, CLIENT, "client", (h, &out.count), RESULT(count)) \
  X(netcore_client_export_cookies, 1, CLIENT, "client", (h, NULL, 0, &out.size), RESULT(size)) \
  X(netcore_client_import_cookies, 1, CLIENT, "client", (h, "", 0, &out.count), RESULT(count)) \
  X(netcore_request_get_info, 1, REQUEST, "request", (h, &out.request_info), STRUCT(request_info)) \
  X(netcore_request_get_header, 1, REQUEST, "request", (h, "X-A", 0, &out.field.value), RESULT(field.value)) \
  X(netcore_request_get_header_at, 1, REQUEST, "request", (h, 0, &out.field.name, &out.field.value), RESULT(field)) \
  X(netcore_client_set_header_function, 1, CLIENT, "client", (h, "X-A", NULL, NULL), NOTHING) \
  X(netcore_client_set_param_function, 1, CLIENT, "client", (h, "a", NULL, NULL), NOTHING) \
  X(netcore_client_add_filter, 1, CLIENT, "client", (h, never_filter, NULL), NOTHING) \
  X(netcore_client_remove_filters, 1, CLIENT, "client", (h), NOTHING) \
  X(netcore_request_set_body_file, 1, REQUEST, "request", (h, "/dev/null"), NOTHING) \
  X(netcore_request_set_body_reader, 1, REQUEST, "request", (h, &never_reader, 1), NOTHING) \
  X(netcore_request_set_body_gzip, 1, REQUEST, "request", (h, 1), NOTHING) \
  X(netcore_request_add_part, 1, REQUEST, "request", (h, "a", "1", 1, NULL), NOTHING) \
  X(netcore_request_add_file_part, 1, REQUEST, "request", (h, "a", "/dev/null", NULL), NOTHING) \
  X(netcore_request_add_reader_part, 1, REQUEST, "request", (h, "a", &never_reader, 1, NULL), NOTHING) \
  X(netcore_request_set_cache_mode, 1, REQUEST, "request", (h, NETCORE_CACHE_RELOAD), NOTHING) \
  X(netcore_request_set_cache_ttl_ms, 1, REQUEST, "request", (h, 1000), NOTHING) \
  X(netcore_request_set_cache_scope, 1, REQUEST, "request", (h, "scope"), NOTHING) \
  X(netcore_request_set_cache_version, 1, REQUEST, "request", (h, 1), NOTHING) \
  X(netcore_request_set_cache_key, 1, REQUEST, "request", (h, "key"), NOTHING) \
  X(netcore_request_add_cache_key_field, 1, REQUEST, "request", (h, "X-A"), NOTHING) \
  X(netcore_response_get_info, 1, RESPONSE, "response", (h, &out.response_info), STRUCT(response_info)) \
  X(netcore_response_get_error, 1, RESPONSE, "response", (h, &out.error), STRUCT(error)) \
  X(netcore_response_get_header, 1, RESPONSE, "response", (h, "Date", 0, &out.field.value), RESULT(field.value)) \
  X(netcore_response_get_header_at, 1, RESPONSE, "response", (h, 0, &out.field.name, &out.field.value), RESULT(field)) \
  X(netcore_response_get_trailer_at, 1, RESPONSE, "response", (h, 0, &out.field.name, &out.field.value), \
    RESULT(field)) \
  X(netcore_response_retain, 1, RESPONSE, "response", (h), NOTHING) \
  X(netcore_response_release, 1, RESPONSE, "response", (h), NOTHING) \
  X(netcore_response_set_cached_value, 1, RESPONSE, "response", (h, &out, 1, never_release), NOTHING) \
  X(netcore_response_get_cached_value, 1, RESPONSE, "response", (h, &out.value), RESULT(value)) \
  X(netcore_client_get_cached, 1, CLIENT, "client", (h, live[REQUEST], &out.handle, &out.cache_result), \
    RESULT(handle)) \
  X(netcore_client_get_cached, 2, REQUEST, "request", (live[CLIENT], h, &out.handle, &out.cache_result), \
    RESULT(cache_result)) \
  X(netcore_client_add_service, 1, CLIENT, "client", (h, "a", "test", "http://127.0.0.1/", NULL), NOTHING) \
  X(netcore_client_select_service, 1, CLIENT, "client", (h, "a"), NOTHING) \
  X(netcore_client_select_environment, 1, CLIENT, "client", (h, "test"), NOTHING) \
  X(netcore_client_select_next_service, 1, CLIENT, "client", (h), NOTHING) \
  X(netcore_client_select_next_environment, 1, CLIENT, "client", (h), NOTHING) \
  X(netcore_client_set_selection_listener, 1, CLIENT, "client", (h, NULL, NULL), NOTHING) \
  X(netcore_client_set_header, 1, CLIENT, "client", (h, "X-A", "1"), NOTHING) \
  X(netcore_client_set_param, 1, CLIENT, "client", (h, "a", "1"), NOTHING) \
  X(netcore_client_create, 1, CACHE, "cache", (with_cache(h), &out.handle), RESULT(handle)) \
  X(netcore_cache_destroy, 1, CACHE, "cache", (h), NOTHING) \
  X(netcore_cache_clear, 1, CACHE, "cache", (h, NETCORE_CACHE_CLEAR_ALL, NULL), NOTHING) \
  X(netcore_cache_set_limit, 1, CACHE, "cache", (h, NETCORE_CACHE_LIMIT_MEMORY_COUNT, 1), NOTHING) \
  X(netcore_cache_get_statistics, 1, CACHE, "cache", (h, &out.statistics), STRUCT(statistics)) \
  X(netcore_cache_list, 1, CACHE, "cache", (h, never_entry, NULL), NOTHING) \
  X(netcore_cache_flush, 1, CACHE, "cache", (h), NOTHING) \
  X(netcore_dispatch, 1, CLIENT, "client", (h, live[REQUEST], never, NULL, &out.handle), RESULT(handle)) \
  X(netcore_dispatch, 2, REQUEST, "request", (live[CLIENT], h, never, NULL, &out.handle), RESULT(handle)) \
  X(netcore_dispatch_many, 1, CLIENT, "client", (h, live_then(live[REQUEST]), 2, never, NULL, out.handles), \
    RESULT(handles)) \
  X(netcore_dispatch_many, 2, REQUEST, "requests", (live[CLIENT], live_then(h), 2, never, NULL, out.handles), \
    RESULT(handles)) \
  X(netcore_perform, 1, CLIENT, "client", (h, live[REQUEST], &out.handle), RESULT(handle)) \
  X(netcore_perform, 2, REQUEST, "request", (live[CLIENT], h, &out.handle), RESULT(handle)) \
  X(netcore_perform_for, 1, CLIENT, "client", (h, live[REQUEST], 0, &out.handles[0], &out.handles[1], NULL), \
    RESULT(handles)) \
  X(netcore_perform_for, 2, REQUEST, "request", (live[CLIENT], h, 0, &out.handles[0], &out.handles[1], NULL), \
    RESULT(handles)) \
  X(netcore_task_wait, 1, TASK, "task", (h, 0, &out.handle, &out.response_info), STRUCT(response_info)) \
  X(netcore_task_create, 1, CLIENT, "client", (h, live[REQUEST], never, NULL, &out.handle), RESULT(handle)) \
  X(netcore_task_create, 2, REQUEST, "request", (live[CLIENT], h, never, NULL, &out.handle), RESULT(handle)) \
  X(netcore_task_dispatch, 1, TASK, "task", (h), NOTHING) \
  X(netcore_task_cancel, 1, TASK, "task", (h), NOTHING) \
  X(netcore_task_get_info, 1, TASK, "task", (h, &out.task_info), STRUCT(task_info)) \
  X(netcore_task_complete, 1, TASK, "task", (h, NETCORE_OK), NOTHING) \
  X(netcore_group_create, 1, CLIENT, "client", (h, &out.handle), RESULT(handle)) \
  X(netcore_group_add, 1, GROUP, "group", (h, live[REQUEST], never, NULL, &out.handle), RESULT(handle)) \
  X(netcore_group_add, 2, REQUEST, "request", (live[GROUP], h, never, NULL, &out.handle), RESULT(handle)) \
  X(netcore_group_add_host_task, 1, GROUP, "group", (h, never_host, never_host, never, NULL, &out.handle), \
    RESULT(handle)) \
  X(netcore_group_dispatch, 1, GROUP, "group", (h, never, NULL), NOTHING) \
  X(netcore_group_cancel, 1, GROUP, "group", (h), NOTHING) \
  X(netcore_group_get_info, 1, GROUP, "group", (h, &out.group_info), STRUCT(group_info))

#define PROBE_FUNCTION(function, number, kind, argument, call, ...) \
  static netcore_status function##_##number(uint64_t h) { \
    CALLING(function); \
    return function call; \
  }
PROBES(PROBE_FUNCTION)

#define PROBE_ENTRY(function, number, kind, argument, call, ...) {kind, argument, function##_##number, __VA_ARGS__},
static const struct probe {
  enum kind kind;
  const char *argument;
  netcore_status (*call)(uint64_t handle);
  void *result;
  size_t size;
  int cleared;
} probes[] = {PROBES(PROBE_ENTRY)};

static void fill_results(void) {
  memset(&out, 0xA5, sizeof out);
  out.response_info.size = sizeof out.response_info;
  out.request_info.size = sizeof out.request_info;
  out.error.size = sizeof out.error;
  out.task_info.size = sizeof out.task_info;
  out.group_info.size = sizeof out.group_info;
  out.statistics.size = sizeof out.statistics;
}

static void check_probe(const struct probe *probe, const char *what, uint64_t handle) {
  fill_results();
  netcore_status status = probe->call(handle);
  const char *message = netcore_last_error_message();
  const uint8_t *bytes = probe->result;
  bool is_cleared = true;
  for (size_t i = 0; i < probe->size; i++) is_cleared = is_cleared && bytes[i] == probe->cleared;
  bool is_right = CHECK_STATUS(status, NETCORE_ERR_INVALID_HANDLE);
  is_right = CHECK(is_cleared) && is_right;
  is_right = CHECK(strncmp(message, probe->argument, strlen(probe->argument)) == 0) && is_right;
  if (!is_right) fprintf(stderr, "    with a %s handle for `%s`; message: \"%s\"\n", what, probe->argument, message);
}

static void check_all_handles(const struct probe *probe) {
  uint64_t good = live[probe->kind];
  check_probe(probe, "zero", 0);
  check_probe(probe, "small", 1);
  check_probe(probe, "small", 42);
  check_probe(probe, "largest", UINT64_MAX);
  check_probe(probe, "2^53", (uint64_t)1 << 53);
  check_probe(probe, "2^53 - 1", ((uint64_t)1 << 53) - 1);
  check_probe(probe, "above 2^53", good | (uint64_t)1 << 53);
  check_probe(probe, "above 2^63", good | (uint64_t)1 << 63);
  check_probe(probe, "altered", good ^ (uint64_t)1 << 30);
  check_probe(probe, "altered", good ^ (uint64_t)1 << 40);
  check_probe(probe, "negative", (uint64_t)-(int64_t)good);
  check_probe(probe, "stale", stale[probe->kind]);
  for (int kind = 0; kind < KIND_COUNT; kind++)
    if (kind != (int)probe->kind) check_probe(probe, "wrong-kind", live[kind]);
}

static void make_stale(const char *url) {
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = door_open(NETCORE_COMPLETIONS_CALLBACK);
  door_get(&door, url, &outcome);
  stale[TASK] = outcome.task;
  CHECK_OK(netcore_group_create(door.client, &stale[GROUP]));
  CHECK_OK(netcore_group_cancel(stale[GROUP]));
  door_wait(&door, &ended, 1);
  stale[RESPONSE] = outcome.completion.response;
  WAIT_UNTIL(task_state(stale[TASK]) == NETCORE_TASK_NONE);
  outcome_free(&outcome);
  stale[CLIENT] = door.client;
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_OK(netcore_cache_create(NULL, &stale[CACHE]));
  CHECK_OK(netcore_cache_destroy(stale[CACHE]));
  stale[REQUEST] = request_new("GET", url);
  CHECK_OK(netcore_request_destroy(stale[REQUEST]));
}

static void make_live(const char *url, struct outcome *outcome) {
  CHECK_OK(netcore_cache_create(NULL, &live[CACHE]));
  CHECK_OK(netcore_client_create(with_cache(live[CACHE]), &live[CLIENT]));
  live[REQUEST] = request_new("GET", url);
  CHECK_OK(netcore_task_create(live[CLIENT], live[REQUEST], outcome_done, outcome, &live[TASK]));
  CHECK_OK(netcore_group_create(live[CLIENT], &live[GROUP]));
  live[RESPONSE] = fetch(live[CLIENT], at(ORIGIN, "/status/200")).response;
}

/* The living handles must not have noticed. */
static void check_live(const char *target, struct outcome *outcome) {
  netcore_group_info group = {.size = sizeof group};
  netcore_cache_statistics statistics = {.size = sizeof statistics};
  check_case = "the living handles, after all";
  CHECK_EQUAL(requests_seen(live[CLIENT], target), 0);
  CHECK_EQUAL(outcome->calls, 0);
  CHECK_OK(netcore_cache_get_statistics(live[CACHE], &statistics));
  CHECK_EQUAL(statistics.stored, 0);
  CHECK_EQUAL(task_state(live[TASK]), NETCORE_TASK_CREATED);
  CHECK_OK(netcore_group_get_info(live[GROUP], &group));
  CHECK_EQUAL(group.total, 0);
  CHECK_EQUAL(group.is_dispatched, 0);
  CHECK_EQUAL(response_info(live[RESPONSE]).http_status, 200);
  struct answer answer = perform(live[CLIENT], live[REQUEST]);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, "\"method\": \"GET\"");
  CHECK(!body_has(&answer, "X-A"));
  answer_free(&answer);
  CHECK_EQUAL(requests_seen(live[CLIENT], target), 1);
}

static void destroy_live(struct outcome *outcome) {
  CHECK_OK(netcore_response_release(live[RESPONSE]));
  CHECK_OK(netcore_request_destroy(live[REQUEST]));
  CHECK_OK(netcore_client_destroy(live[CLIENT]));
  CHECK_OK(netcore_cache_destroy(live[CACHE]));
  CHECK_EQUAL(outcome->calls, 1);
  CHECK_STATUS(outcome->completion.status, NETCORE_ERR_CANCELED);
  outcome_free(outcome);
}

int main(void) {
  struct outcome outcome = {0};
  const char *target = marked("/echo", "bad-handles");
  check_begin();
  make_stale(at(ORIGIN, "/status/200"));
  make_live(at(ORIGIN, target), &outcome);
  for (size_t i = 0; i < LENGTH(probes); i++) check_all_handles(&probes[i]);
  /* These take no handle; bad_input.c gives them other bad arguments. */
  CALLING(netcore_version), CALLING(netcore_version_details), CALLING(netcore_status_name);
  CALLING(netcore_status_message), CALLING(netcore_last_error_message);
  CALLING(netcore_request_create), CALLING(netcore_request_create_relative), CALLING(netcore_set_log),
      CALLING(netcore_cache_create);
  check_all_exports_called();
  check_live(target, &outcome);
  destroy_live(&outcome);
  return check_end();
}
