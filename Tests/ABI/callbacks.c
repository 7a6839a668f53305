/* Any function may be called inside any callback, in callback and in pump mode. Inside one callback of each kind a tour
 * calls every function of the ABI; others dispatch on and on, and perform. What ends tasks is in callbacks_end.c. */
#include "support.h"

#include <stdatomic.h>

#include "support/hops.h"
#include "support/cache.h"
#include "support/probes.h"

static struct tally ended = TALLY_INITIAL;

#define CALL(function, ...) (CALLING(function), CHECK_OK(function(__VA_ARGS__)))
#define CALL_FAILS(status, function, ...) (CALLING(function), CHECK_STATUS(function(__VA_ARGS__), NETCORE_ERR_##status))

static struct tour {
  const struct door *door;
  struct outcome created, canceled, member, host, group, many[2], dispatched;
  unsigned raised;
} tour;

static void tour_requests(netcore_request *request) {
  CALL(netcore_request_create, "POST", at(ORIGIN, "/echo"), request);
  CALL(netcore_request_set_body, *request, "body", 4);
}

static int32_t note_field(const char *name, const char *value, void *user_data) {
  CHECK(name != NULL && *name != '\0' && (value == NULL || strlen(value) < 1000));
  ++*(size_t *)user_data;
  return 1;
}

static int32_t note_budget(const netcore_budget_info *info, void *user_data) {
  CHECK(info->size == sizeof *info && info->origin.size_bytes > 0);
  ++*(size_t *)user_data;
  return 1;
}

static int32_t note_breaker(const netcore_breaker_info *info, void *user_data) {
  CHECK(info->size == sizeof *info && info->origin.size_bytes > 0);
  ++*(size_t *)user_data;
  return 1;
}

static void tour_response(netcore_response response) {
  netcore_response_info info = {.size = sizeof info};
  netcore_error error = {.size = sizeof error};
  netcore_try found_try = NETCORE_TRY_INIT;
  netcore_response earlier = 0;
  netcore_bytes value;
  size_t size, fields = 0;
  CALL(netcore_response_get_info, response, &info);
  CHECK_EQUAL(info.http_status, 200);
  CALL(netcore_response_get_error, response, &error);
  CALL(netcore_response_get_header, response, "Content-Length", 0, &value);
  CALL(netcore_response_get_header_at, response, 0, &value, NULL);
  CALL_FAILS(NOT_FOUND, netcore_response_get_trailer_at, response, 9, &value, NULL);
  CALL(netcore_response_get_try, response, 0, &found_try);
  CALL(netcore_response_get_text, response, &value);
  CALL_FAILS(NOT_FOUND, netcore_response_get_link, response, "next", NULL, 0, &size);
  CALL_FAILS(NOT_FOUND, netcore_response_get_history_at, response, 0, &earlier);
  CALL(netcore_response_list_request_headers, response, note_field, &fields);
  CHECK(fields > 0);
  CALL_FAILS(INVALID_STATE, netcore_response_set_header, response, "A", "b");
  CALL_FAILS(INVALID_STATE, netcore_response_add_header, response, "A", "b");
  CALL_FAILS(INVALID_STATE, netcore_response_remove_header, response, "A");
  CALL_FAILS(INVALID_STATE, netcore_response_set_body, response, "b", 1);
  CALL_FAILS(INVALID_STATE, netcore_response_add_tag, response, "a");
  CALL(netcore_response_move, response, &found_try, sizeof found_try, &size); /* too small a room for it */
  CALL(netcore_response_retain, response);
  CALL(netcore_response_release, response);
}

static void tour_event_source(netcore_client client, netcore_request request) {
  netcore_event_source source = 0;
  netcore_event_source_info info = NETCORE_EVENT_SOURCE_INFO_INIT;
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  int32_t descriptor = -1;
  CALL(netcore_event_source_create, client, request, NULL, &source);
  CALL(netcore_event_source_get_descriptor, source, &descriptor);
  CALL_FAILS(PROTOCOL, netcore_event_source_read, source, UINT64_MAX, &event);
  CALL(netcore_event_source_get_info, source, &info);
  CALL(netcore_event_source_cancel, source);
  CALL(netcore_event_source_destroy, source);
}

static void see_event(const netcore_client_event *event, void *user_data) {
  CHECK(event->kind == NETCORE_EVENT_REACHABILITY);
  atomic_fetch_add((atomic_int *)user_data, 1);
}

static void tour_observers(void) {
  static atomic_int seen;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_observer ring = 0, function = 0;
  netcore_client_event event;
  uint32_t count = 0;
  int32_t descriptor = -1;
  CALL(netcore_observer_create, client, 8, &ring);
  CALL(netcore_client_add_observer, client, see_event, &seen, NULL, &function);
  CALL(netcore_observer_get_descriptor, ring, &descriptor);
  CHECK_OK(netcore_client_set_reachability(client, NETCORE_REACHABILITY_REACHABLE));
  CALL(netcore_observer_read, ring, &event, 1, sizeof event, &count, NULL);
  CHECK_EQUAL(event.kind, NETCORE_EVENT_REACHABILITY);
  WAIT_UNTIL(atomic_load(&seen) > 0);
  CALL(netcore_observer_destroy, function);
  CALL(netcore_observer_destroy, ring);
  CHECK_OK(netcore_client_destroy(client));
}

static void tour_stream(netcore_client client, netcore_request request) {
  netcore_response response = 0, ending = 0;
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  char buffer[1000];
  size_t size = 1;
  netcore_task_info progress = NETCORE_TASK_INFO_INIT;
  CALL(netcore_perform_streamed, client, request, 0, &response);
  CALL(netcore_response_get_progress, response, &progress);
  CALL_FAILS(PROTOCOL, netcore_response_read_event, response, 0, UINT64_MAX, &event);
  netcore_bytes events;
  CALL_FAILS(PROTOCOL, netcore_response_read_events, response, 0, UINT64_MAX, &events);
  CALL(netcore_response_wait, response, UINT64_MAX, &size);
  while (size > 0) CALL(netcore_response_read, response, buffer, sizeof buffer, UINT64_MAX, &size);
  netcore_bytes line;
  CALL(netcore_response_read_line, response, 0, UINT64_MAX, &line);
  CALL(netcore_response_get_ending, response, &ending);
  CALL(netcore_response_cancel, response);
  CHECK_OK(netcore_response_release(ending));
  CHECK_OK(netcore_response_release(response));
  netcore_task task = 0;
  CALL(netcore_perform_streamed_for, client, request, 0, UINT64_MAX, &task, &response, NULL);
  CHECK_OK(netcore_response_release(response));
  CALL(netcore_dispatch_streamed, client, request, 0, NULL, NULL, &task);
}

static int32_t see_part(const netcore_download_part *part, void *user_data) {
  (void)part, (void)user_data;
  return 1;
}

static void tour_download(netcore_client client) {
  static unsigned count;
  netcore_download_options options = NETCORE_DOWNLOAD_OPTIONS_INIT;
  netcore_download_progress progress = NETCORE_DOWNLOAD_PROGRESS_INIT;
  netcore_download_info info = NETCORE_DOWNLOAD_INFO_INIT;
  netcore_request request = request_new("GET", at(ORIGIN, "/bytes/1000"));
  netcore_response response = 0;
  netcore_task task = 0;
  char path[100];
  snprintf(path, sizeof path, "/tmp/netcore-tour-%d-%u", (int)getpid(),
           __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED));
  options.overwrite = 1;
  CALL(netcore_download, client, request, path, &options, UINT64_MAX, NULL, &response);
  CALL(netcore_response_get_download, response, &info);
  CHECK_EQUAL(info.size_bytes, 1000);
  CHECK_OK(netcore_response_release(response));
  CALLING(netcore_download);
  CHECK_STATUS(netcore_download(client, request, path, &options, 0, &task, &response), NETCORE_ERR_IN_PROGRESS);
  CALL(netcore_download_get_progress, task, &progress);
  CHECK_OK(netcore_task_wait(task, UINT64_MAX, &response, NULL));
  CHECK_OK(netcore_response_release(response));
  CALL(netcore_download_list_parts, "/tmp", see_part, NULL);
  CALL_FAILS(NOT_FOUND, netcore_download_remove_part, path);
  CHECK_EQUAL(unlink(path), 0);
  /* Without a file, so that none is left by what ends after the tour. */
  CHECK_OK(netcore_request_set_url(request, at(ORIGIN, "/status/404")));
  CALL(netcore_download_dispatch, client, request, path, &options, NULL, NULL, NULL);
  CHECK_OK(netcore_request_destroy(request));
}

static void tour_tasks(netcore_client client, netcore_request request) {
  netcore_task_info info = {.size = sizeof info};
  netcore_response response = 0;
  netcore_request requests[2] = {request, request};
  void *user_data[2] = {&tour.many[0], &tour.many[1]};
  netcore_task tasks[2];
  CALL(netcore_dispatch, client, request, outcome_done, &tour.dispatched, &tour.dispatched.task);
  CALL(netcore_dispatch_many, client, requests, 2, outcome_done, user_data, tasks);
  CALL(netcore_task_create, client, request, outcome_done, &tour.created, &tour.created.task);
  CALL(netcore_task_create, client, request, outcome_done, &tour.canceled, &tour.canceled.task);
  CALL(netcore_task_get_info, tour.created.task, &info);
  CALL(netcore_task_set_priority, tour.created.task, NETCORE_PRIORITY_HIGH);
  CHECK_EQUAL(info.state, NETCORE_TASK_STATE_CREATED);
  CALL(netcore_task_dispatch, tour.created.task);
  CALL(netcore_task_cancel, tour.canceled.task);
  CALL(netcore_perform, client, request, &response);
  CHECK(bytes_have(response_info(response).body, "\"body\": \"body\""));
  CHECK_OK(netcore_response_release(response));
  tour_stream(client, request);
  tour_event_source(client, request);
  tour_download(client);
  netcore_task late = 0;
  netcore_request slow = request_new("GET", at(ORIGIN, "/delay/500"));
  CALLING(netcore_perform_for);
  CHECK_STATUS(netcore_perform_for(client, slow, 0, &late, &response, NULL), NETCORE_ERR_IN_PROGRESS);
  CALL(netcore_task_wait, late, UINT64_MAX, &response, NULL);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(slow));
}

static void tour_graphs(netcore_client client, netcore_request request) {
  netcore_group_options options = NETCORE_GROUP_OPTIONS_INIT;
  netcore_completion completion = {.size = sizeof completion};
  netcore_group graph = 0, inner = 0;
  netcore_task first = 0, second = 0;
  options.limit = 1;
  CALL(netcore_group_create, client, &graph);
  CALL(netcore_group_set_options, graph, &options);
  CALL(netcore_task_create, client, request, NULL, NULL, &first);
  CALL(netcore_group_add_task, graph, first);
  CALL(netcore_group_create, client, &inner);
  CALL(netcore_group_add_group, graph, inner, NULL, NULL, &second);
  CALL(netcore_group_add_dependency, graph, second, first);
  CALL_FAILS(IN_PROGRESS, netcore_group_get_result, graph, 0, &completion);
  CALL(netcore_group_cancel, graph);
}

static void tour_groups(netcore_client client, netcore_request request) {
  netcore_group_info info = {.size = sizeof info};
  netcore_group group = 0, unused = 0;
  CALL(netcore_group_create, client, &group);
  CALL(netcore_group_add, group, request, outcome_done, &tour.member, &tour.member.task);
  CALL(netcore_group_add_application_task, group, NULL, NULL, outcome_done, &tour.host, &tour.host.task);
  CALL(netcore_group_dispatch, group, outcome_done, &tour.group);
  CALL(netcore_group_get_info, group, &info);
  CHECK(info.total == 2 && info.is_dispatched == 1);
  CALL(netcore_task_complete, tour.host.task, NETCORE_OK);
  CALL_FAILS(INVALID_HANDLE, netcore_task_send, tour.host.task, request);
  CALL(netcore_group_create, client, &unused);
  CALL(netcore_group_cancel, unused);
  tour_graphs(client, request);
}

static void tour_clients(netcore_client client, netcore_completion_mode mode) {
  netcore_client_options options = {.size = sizeof options, .completions = NETCORE_COMPLETION_MODE_QUEUE};
  netcore_client other = 0;
  netcore_completion completion;
  int32_t descriptor = -1;
  uint32_t count = 77;
  CALL(netcore_client_create, &options, &other);
  CALL(netcore_client_set_limit, other, NETCORE_LIMIT_TRANSFERS, 10);
  CALL(netcore_client_get_descriptor, other, &descriptor);
  CALL(netcore_client_wait, other, &completion, 1, sizeof(netcore_completion), 0, &count);
  CHECK_EQUAL(count, 0);
  CALL(netcore_client_cancel_all, other, &count);
  CALL(netcore_client_cancel_tag, other, "tour", &count);
  CALL(netcore_client_shutdown, other);
  CALL(netcore_client_destroy, other);
  CALL_FAILS(INVALID_STATE, netcore_client_process, client, 0, &count);
  CALL_FAILS(INVALID_STATE, netcore_client_wait, client, &completion, 1, sizeof(netcore_completion), UINT64_MAX,
             &count);
  CHECK_EQUAL(netcore_client_get_descriptor(client, &descriptor),
              mode_is_pump(mode) ? NETCORE_OK : NETCORE_ERR_INVALID_STATE);
}

static int32_t see_entry(const netcore_cache_entry *entry, void *user_data) {
  CHECK(entry->body_bytes > 0);
  ++*(unsigned *)user_data;
  return 1;
}

static void tour_cached(netcore_client client, netcore_request request, netcore_cache cache) {
  netcore_request resolved = 0;
  netcore_response response = 0;
  netcore_cache_result result = -1;
  netcore_cache_statistics statistics = {.size = sizeof statistics};
  unsigned entries = 0;
  void *value = NULL;
  CALL(netcore_client_resolve_request, client, request, &resolved);
  CHECK_OK(netcore_request_destroy(resolved));
  CALL_FAILS(NOT_FOUND, netcore_client_get_cached, client, request, &response, &result);
  CHECK_EQUAL(result, NETCORE_CACHE_RESULT_NOT_CACHED);
  CHECK_OK(netcore_perform(client, request, &response));
  CALL_FAILS(NOT_FOUND, netcore_response_get_cached_value, response, &value);
  CALL(netcore_response_set_cached_value, response, &tour, 10, NULL);
  CHECK_OK(netcore_response_release(response));
  CALL(netcore_client_get_cached, client, request, &response, &result);
  CHECK_EQUAL(result, NETCORE_CACHE_RESULT_HIT);
  CALL(netcore_response_get_cached_value, response, &value);
  CHECK(value == &tour);
  CHECK_OK(netcore_response_release(response));
  CALL(netcore_cache_flush, cache);
  CALL(netcore_cache_list, cache, see_entry, &entries);
  CHECK_EQUAL(entries, 1);
  CALL(netcore_cache_get_statistics, cache, &statistics);
  CHECK_EQUAL(statistics.stored, 1);
  CALL(netcore_cache_set_limit, cache, NETCORE_CACHE_LIMIT_DISK_COUNT, 1);
  uint64_t most = 0;
  CALL(netcore_cache_get_limit, cache, NETCORE_CACHE_LIMIT_DISK_COUNT, &most);
  CALL(netcore_cache_clear, cache, NETCORE_CACHE_FILTER_ALL, NULL);
}

static void tour_caches(void) {
  char *folder = folder_new();
  netcore_cache_options options = {.size = sizeof options, .folder = folder};
  netcore_cache cache = 0;
  CALL(netcore_cache_create, &options, &cache);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_QUEUE, cache);
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CALL(netcore_request_set_cache_mode, request, NETCORE_CACHE_MODE_STANDARD);
  CALL(netcore_request_set_cache_ttl_ms, request, 60000);
  CALL(netcore_request_set_cache_errors, request, 0);
  CALL(netcore_request_set_cache_scope, request, "scope");
  CALL(netcore_request_set_cache_version, request, 2);
  CALL(netcore_request_add_cache_key_field, request, "X-A");
  CALL(netcore_request_set_cache_key, request, "key");
  tour_cached(client, request, cache);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CALL(netcore_cache_destroy, cache);
  folder_remove(folder);
}

static int32_t note_cookie(const netcore_cookie *cookie, void *user_data) {
  CHECK(strcmp(cookie->name, "a") == 0 && strcmp(cookie->value, "1") == 0 && strcmp(cookie->domain, "127.0.0.1") == 0);
  ++*(size_t *)user_data;
  return 1;
}

static void tour_hops(void) {
  struct hops hops = HOPS_INITIAL;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_request request = request_new("GET", "http://app.test/");
  CALL(netcore_client_set_transport, client, hops_keep, &hops, NULL);
  CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  CALL(netcore_hop_answer, hops_wait(&hops, 1), 200, "X-A: 1\n", "body", 4);
  CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  CALL(netcore_hop_fail, hops_wait(&hops, 2), NETCORE_ERR_CONNECT, NULL);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static int32_t note_call(netcore_request request, uint32_t index, void *user_data) {
  netcore_request_info info = {.size = sizeof info};
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_EQUAL(index, 0);
  ++*(size_t *)user_data;
  return 1;
}

static void tour_stubs(void) {
  struct hops hops = HOPS_INITIAL;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_request request = request_new("GET", "http://app.test/");
  netcore_stubs stubs = 0;
  netcore_stub stub = {.size = sizeof stub, .method = "GET", .url = "/"};
  netcore_stub_answer answer = {.size = sizeof answer, .http_status = 204};
  uint32_t index = 1;
  uint64_t count = 1;
  size_t calls = 0;
  CALL(netcore_stubs_create, &stubs);
  CALL(netcore_stubs_add, stubs, &stub, hops_keep, &hops, NULL, &index);
  CALL(netcore_stubs_add_answer, stubs, index, &answer);
  CALL(netcore_client_set_stubs, client, stubs);
  CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
  CALL(netcore_hop_answer_as, hops_wait(&hops, 1), &answer);
  CALL(netcore_stubs_get_call_count, stubs, index, &count);
  CALL(netcore_stubs_list_calls, stubs, note_call, &calls);
  CHECK(calls == 1 && count == 1);
  CALL(netcore_stubs_check, stubs);
  CALL(netcore_stubs_reset, stubs);
  CALL(netcore_stubs_destroy, stubs);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void note_value(netcore_bytes data, void *user_data) { *(size_t *)user_data = data.size_bytes; }

static void tour_cache_values(void) {
  netcore_cache cache = 0;
  size_t size = 0;
  CHECK_OK(netcore_cache_create(NULL, &cache));
  CALL(netcore_cache_put_value, cache, "key", "value", 5, NULL);
  CALL(netcore_cache_get_value, cache, "key", note_value, &size);
  CHECK_EQUAL(size, 5);
  CALL(netcore_cache_remove_value, cache, "key");
  CHECK_OK(netcore_cache_destroy(cache));
}

static void tour_callbacks(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("GET", "http://127.0.0.1:1/");
  netcore_callbacks callbacks = NETCORE_CALLBACKS_INIT;
  CALL(netcore_dispatch_callbacks, client, request, &callbacks, NULL);
  CALL(netcore_request_add_observer, request, see_event, NULL, NULL);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void tour_clocks(void) {
  netcore_clock clock = 0;
  uint64_t elapsed = 7;
  CALL(netcore_clock_create, NULL, &clock);
  CALL(netcore_clock_advance, clock, 5);
  CALL(netcore_clock_get_elapsed_ms, clock, &elapsed);
  CHECK_EQUAL(elapsed, 5);
  CALLING(netcore_clock_wait_idle);
  netcore_status status = netcore_clock_wait_idle(clock, 0);
  CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_STATE);
  CALL(netcore_clock_destroy, clock);
}

static void tour_cassettes(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_cassette cassette = 0;
  netcore_cassette_info info = NETCORE_CASSETTE_INFO_INIT;
  CALL(netcore_cassette_create, "/tmp/netcore-no-such-cassette.har", NULL, &cassette);
  CALL(netcore_client_set_cassette, client, cassette);
  CALL(netcore_cassette_get_info, cassette, &info);
  CALL(netcore_cassette_save, cassette);
  CALL(netcore_cassette_check, cassette);
  CALL(netcore_cassette_destroy, cassette);
  CHECK_OK(netcore_client_destroy(client));
}

static void tour_apis(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_request request = request_new("GET", "http://app.test/{id}"), made = 0;
  netcore_stubs stubs = 0;
  netcore_stub stub = {.size = sizeof stub};
  netcore_stub_answer answer = {.size = sizeof answer};
  netcore_api_param param = {.size = sizeof param, .name = "id"};
  netcore_error_row row = NETCORE_ERROR_ROW_INIT;
  const char *const texts[] = {"id", "7", NULL};
  netcore_module module = 0;
  netcore_api api = 0;
  netcore_application_code code = 0;
  netcore_response response = 0;
  size_t size = 0;
  CHECK_OK(netcore_stubs_create(&stubs));
  CHECK_OK(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, NULL));
  CHECK_OK(netcore_stubs_add_answer(stubs, 0, &answer));
  CHECK_OK(netcore_client_set_stubs(client, stubs));
  CALL(netcore_get_application_code, NETCORE_ERR_CANCELED, 0, &code);
  CALL(netcore_set_user_message, code, NULL);
  CALL(netcore_get_user_message, code, NULL, 0, &size);
  CALL(netcore_request_add_error, request, &some_error);
  CALL(netcore_request_get_error_at, request, 0, &row);
  CALL(netcore_module_create, request, &module);
  CALL(netcore_api_create, module, request, &api);
  CALL(netcore_api_add_param, api, &param);
  CALL(netcore_api_create_request, api, "{\"id\":7}", &made);
  CHECK_OK(netcore_request_destroy(made));
  CALL(netcore_api_create_request_from_texts, api, texts, &made);
  CALL(netcore_api_perform, client, api, "{\"id\":7}", &response);
  CALL(netcore_api_dispatch, client, api, "{\"id\":7}", NULL, NULL, NULL);
  CALL(netcore_module_cancel, module);
  CALL(netcore_api_destroy, api);
  CALL(netcore_module_destroy, module);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(made));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_stubs_destroy(stubs));
}

static void tour_pages(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_request request = request_new("GET", "http://app.test/"), made = 0;
  netcore_stubs stubs = 0;
  netcore_stub stub = {.size = sizeof stub};
  netcore_stub_answer answer = {.size = sizeof answer, .body = "[1]", .body_size_bytes = 3};
  netcore_page_info info = NETCORE_PAGE_INFO_INIT;
  netcore_pages pages = 0;
  netcore_response response = 0;
  netcore_bytes text;
  uint64_t load = 0;
  CHECK_OK(netcore_stubs_create(&stubs));
  CHECK_OK(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, NULL));
  CHECK_OK(netcore_stubs_add_answer(stubs, 0, &answer));
  CHECK_OK(netcore_client_set_stubs(client, stubs));
  CALL(netcore_pages_create, client, request, NULL, NULL, NULL, NULL, &pages);
  CALL(netcore_pages_load, pages, NETCORE_PAGE_LOAD_REFRESH, 0, &response);
  CALL(netcore_pages_read_item, pages, &text);
  CALL(netcore_pages_get_items, pages, &text);
  CALL(netcore_pages_get_info, pages, &info);
  CALL(netcore_pages_begin, pages, NETCORE_PAGE_LOAD_REFRESH, 0, &made, &load);
  CALL(netcore_pages_take, pages, load, response);
  CHECK_OK(netcore_request_destroy(made));
  CHECK_OK(netcore_pages_begin(pages, NETCORE_PAGE_LOAD_REFRESH, 0, &made, &load));
  CALL(netcore_pages_take_answer, pages, load, "http://app.test/", 200, NULL, "[2]", 3, NULL);
  CALL(netcore_pages_drop, pages, load);
  CALL(netcore_pages_destroy, pages);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(made));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_stubs_destroy(stubs));
}

static void tour_lists(netcore_client client, netcore_request request) {
  size_t fields = 0;
  netcore_request copy = 0;
  CALL(netcore_client_list_headers, client, note_field, &fields);
  CALL(netcore_client_list_params, client, note_field, &fields);
  netcore_breaker_options breaker = NETCORE_BREAKER_OPTIONS_INIT;
  CALL(netcore_client_set_breaker, client, &breaker);
  CALL(netcore_client_get_breaker, client, NULL, &breaker);
  CALL(netcore_client_list_breakers, client, note_breaker, &fields);
  CHECK_OK(netcore_client_set_breaker(client, NULL));
  netcore_client_statistics statistics = NETCORE_CLIENT_STATISTICS_INIT;
  CALL(netcore_client_get_statistics, client, &statistics);
  CALL(netcore_client_list_budgets, client, note_budget, &fields);
  netcore_failover_options failover = NETCORE_FAILOVER_OPTIONS_INIT;
  netcore_reachability reachability = 0;
  CALL(netcore_client_set_failover, client, &failover);
  CALL(netcore_client_get_failover, client, NULL, &failover);
  CHECK_OK(netcore_client_set_failover(client, NULL));
  netcore_rate rate = NETCORE_RATE_INIT;
  rate.requests = 1000000;
  CALL(netcore_client_set_rate, client, NETCORE_RATE_SCOPE_TAG, "no request has it", &rate);
  CALL(netcore_client_get_rate, client, NETCORE_RATE_SCOPE_TAG, "no request has it", &rate);
  CALL(netcore_client_get_reachability, client, &reachability);
  CALL(netcore_client_set_reachability, client, reachability);
  CALL(netcore_client_set_reachability_listener, client, NULL, NULL, NULL);
  CALL(netcore_request_set_wait_for_network_ms, request, 0);
  CALL(netcore_request_list_params, request, note_field, &fields);
  CALL(netcore_request_list_path_values, request, note_field, &fields);
  CALL(netcore_request_list_cookies, request, note_field, &fields);
  CHECK(fields > 0);
  CALL(netcore_request_copy, request, &copy);
  CHECK_OK(netcore_request_destroy(copy));
}

/* All that sets something, or reads it. */
static void tour_plain(void) {
  netcore_client_options options = {.size = sizeof options, .completions = NETCORE_COMPLETION_MODE_PUMP, .cookies = 1};
  size_t cookies = 0;
  CALL(netcore_client_create, &options, &live[KIND_CLIENT]);
  CALL(netcore_request_create_relative, "POST", NULL, "/{a}", &live[KIND_REQUEST]);
  CALL(netcore_task_scope_create, 0, NULL, &live[KIND_TASK_SCOPE]);
  for (size_t i = 0; i < LENGTH(probes); i++) {
    if (!probes[i].is_plain) continue;
    fill_outs(&probes[i]);
    CHECK_OK(probes[i].call(live[probes[i].kind]));
  }
  CHECK_OK(netcore_client_set_cookie(live[KIND_CLIENT], &some_cookie));
  CALL(netcore_client_list_cookies, live[KIND_CLIENT], note_cookie, &cookies);
  CHECK_EQUAL(cookies, 1);
  tour_lists(live[KIND_CLIENT], live[KIND_REQUEST]);
  uint32_t count = 1;
  CALL(netcore_task_scope_get_count, live[KIND_TASK_SCOPE], &count);
  CALL(netcore_task_scope_cancel, live[KIND_TASK_SCOPE]);
  CALL(netcore_task_scope_close, live[KIND_TASK_SCOPE]);
  CHECK_OK(netcore_request_destroy(live[KIND_REQUEST]));
  CHECK_OK(netcore_client_destroy(live[KIND_CLIENT]));
  CALL(netcore_set_log, never_log, NULL, NULL);
  CALL(netcore_set_log, NULL, NULL, NULL);
}

static void take_tour(void) {
  const char *name = check_case;
  netcore_request request = 0;
  struct answer answer = fetch(tour.door->client, at(ORIGIN, "/status/200"));
  CALLING(netcore_version), CHECK(netcore_version() != NULL);
  CALLING(netcore_version_details), CHECK(netcore_version_details() != NULL);
  CALLING(netcore_status_name), CHECK(netcore_status_name(0) != NULL);
  CALLING(netcore_status_message), CHECK(netcore_status_message(0) != NULL);
  netcore_error last = {.size = sizeof last};
  CALL(netcore_last_error, &last);
  CALLING(netcore_last_error_message), CHECK(netcore_last_error_message() != NULL);
  tour_requests(&request);
  tour_response(answer.response);
  tour_tasks(tour.door->client, request);
  tour_groups(tour.door->client, request);
  tour_clients(tour.door->client, tour.door->mode);
  tour_caches();
  tour_hops();
  tour_observers();
  tour_stubs();
  tour_cassettes();
  tour_clocks();
  tour_callbacks();
  tour_cache_values();
  tour_pages();
  tour_apis();
  tour_plain();
  CALL(netcore_request_destroy, request);
  answer_free(&answer);
  check_case = name;
}

/* The kinds of callbacks in which a tour is taken; each ends with the terminal callback of `guide`. */

static void tour_in_done(struct outcome *outcome) {
  (void)outcome;
  take_tour();
}

static void terminal(const struct door *door, struct outcome *guide) {
  guide->hook = tour_in_done;
  door_get(door, at(ORIGIN, "/status/200"), guide);
}

static void notification(const struct door *door, struct outcome *guide) {
  netcore_group group = 0;
  guide->hook = tour_in_done;
  CHECK_OK(netcore_group_create(door->client, &group));
  CHECK_OK(netcore_group_dispatch(group, outcome_done, guide));
}

static void tour_and_complete(netcore_task task, void *user_data) {
  (void)user_data;
  take_tour();
  CHECK_OK(netcore_task_complete(task, NETCORE_OK));
}

static void dispatch_application_task(const struct door *door, netcore_task_fn on_resume, netcore_task_fn on_cancel,
                                      struct outcome *guide) {
  netcore_group group = 0;
  CHECK_OK(netcore_group_create(door->client, &group));
  CHECK_OK(netcore_group_add_application_task(group, on_resume, on_cancel, outcome_done, guide, &guide->task));
  CHECK_OK(netcore_group_dispatch(group, NULL, NULL));
}

static void resume(const struct door *door, struct outcome *guide) {
  dispatch_application_task(door, tour_and_complete, NULL, guide);
}

static void cancel_it(netcore_task task, void *user_data) {
  (void)user_data;
  CHECK_OK(netcore_task_cancel(task));
}

static void cancel(const struct door *door, struct outcome *guide) {
  dispatch_application_task(door, cancel_it, tour_and_complete, guide);
}

static void tour_early(const netcore_completion *event, void *user_data) {
  CHECK(user_data == NULL);
  CHECK_EQUAL(event->kind, NETCORE_COMPLETION_KIND_INTERIM);
  take_tour();
}

static void interim(const struct door *door, struct outcome *guide) {
  netcore_request request = script_request(
      "GET", ORIGIN,
      "[{'send':'HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'},{'keep':true}]");
  CHECK_OK(netcore_request_set_interim_responses(request, 1));
  CHECK_OK(netcore_request_set_event_function(request, tour_early, NULL, NULL));
  CHECK_OK(netcore_dispatch(door->client, request, outcome_done, guide, &guide->task));
  CHECK_OK(netcore_request_destroy(request));
}

static void test_tour_in(netcore_completion_mode mode, void (*begin)(const struct door *, struct outcome *)) {
  struct outcome *const all[] = {&tour.created, &tour.canceled, &tour.member,  &tour.host,
                                 &tour.group,   &tour.many[0],  &tour.many[1], &tour.dispatched};
  struct outcome guide = {.ended = &ended};
  struct door door = door_open(mode);
  memset(&tour, 0, sizeof tour);
  memset(export_calls, 0, sizeof export_calls);
  tour.door = &door;
  for (size_t i = 0; i < LENGTH(all); i++) all[i]->ended = &ended;
  ended.count = 0;
  begin(&door, &guide);
  door_wait(&door, &ended, LENGTH(all) + 1);
  CHECK_STATUS(guide.completion.status, begin == cancel ? NETCORE_ERR_CANCELED : NETCORE_OK);
  for (size_t i = 0; i < LENGTH(all); i++) {
    CHECK_EQUAL(all[i]->calls, 1);
    CHECK_STATUS(all[i]->completion.status, all[i] == &tour.canceled ? NETCORE_ERR_CANCELED : NETCORE_OK);
    outcome_free(all[i]);
  }
  check_all_exports_called();
  outcome_free(&guide);
  CHECK_OK(netcore_client_destroy(door.client));
}

static void test_tour(netcore_completion_mode mode) {
  static const struct {
    const char *name;
    void (*begin)(const struct door *, struct outcome *);
  } places[] = {{"the terminal callback", terminal},
                {"a group's notification", notification},
                {"resume", resume},
                {"cancel", cancel},
                {"the callback for an interim answer", interim}};
  for (size_t i = 0; i < LENGTH(places); i++) {
    static char name[100];
    snprintf(name, sizeof name, "every function, in %s, %s mode", places[i].name, mode_name(mode));
    check_case = name;
    test_tour_in(mode, places[i].begin);
  }
}

enum { CHAIN = 100 };

static struct outcome chain[CHAIN];

static void dispatch_next(struct outcome *outcome) {
  if (outcome + 1 < chain + CHAIN) door_get(outcome->hook_data, at(ORIGIN, "/status/200"), outcome + 1);
}

static void test_chain(netcore_completion_mode mode) {
  struct door door = door_open(mode);
  for (int i = 0; i < CHAIN; i++)
    chain[i] = (struct outcome){.ended = &ended, .hook = dispatch_next, .hook_data = &door};
  door_get(&door, at(ORIGIN, "/status/200"), &chain[0]);
  door_wait(&door, &ended, CHAIN);
  for (int i = 0; i < CHAIN; i++) {
    CHECK_STATUS(chain[i].completion.status, NETCORE_OK);
    outcome_free(&chain[i]);
  }
  CHECK_OK(netcore_client_destroy(door.client));
}

static void perform_on(struct outcome *outcome) {
  struct answer answer = fetch(*(netcore_client *)outcome->hook_data, at(ORIGIN, "/delay/50"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
}

/* perform() inside a callback, on the same client and on one of each mode. */
static void test_perform(netcore_completion_mode mode) {
  struct door door = door_open(mode);
  netcore_client clients[] = {door.client, client_new(NETCORE_COMPLETION_MODE_CALLBACK),
                              client_new(NETCORE_COMPLETION_MODE_PUMP), client_new(NETCORE_COMPLETION_MODE_QUEUE)};
  struct outcome outcomes[LENGTH(clients)];
  for (size_t i = 0; i < LENGTH(clients); i++) {
    outcomes[i] = (struct outcome){.ended = &ended, .hook = perform_on, .hook_data = &clients[i]};
    door_get(&door, at(ORIGIN, "/status/200"), &outcomes[i]);
  }
  door_wait(&door, &ended, LENGTH(clients));
  for (size_t i = 0; i < LENGTH(clients); i++) {
    outcome_free(&outcomes[i]);
    CHECK_OK(netcore_client_destroy(clients[i]));
  }
}

int main(void) {
  static const struct {
    const char *name;
    void (*run)(netcore_completion_mode mode);
  } cases[] = {{"every function", test_tour}, {"dispatch on and on", test_chain}, {"perform", test_perform}};
  check_begin();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP; mode++)
    for (size_t i = 0; i < LENGTH(cases) && !mode_is_queue(mode); i++) {
      static char name[80];
      snprintf(name, sizeof name, "inside a callback, %s mode: %s", mode_name(mode), cases[i].name);
      check_case = name;
      ended.count = 0;
      cases[i].run(mode);
    }
  return check_end();
}
