/*
 * Structs grow at their end, and programs stay as they were built: each struct is taken at every size that a version gave it,
 * and, where it comes from a later version, if the members that this one does not know are zero. Structs stand at the edge of
 * readable memory, so that one byte read or written beyond their size is a crash.
 */
#include "support.h"

#include <stddef.h>
#include <sys/mman.h>

#include "support/cache.h"

enum { EDGE = 8192, LARGEST = 4096 };

static netcore_client client;
static netcore_cache cache;
static netcore_request request, parted;
static netcore_response response, downloaded, events;
static netcore_task task, download;
static netcore_group group;
static netcore_event_source source;
static netcore_stubs stubs;
static netcore_cassette cassette;
static netcore_pages pages;
static netcore_api api;

/** `size` bytes that end where no byte can be read: a copy of a struct of `known` bytes, and `beyond` for the others. */
static void *at_edge(const void *value, size_t known, size_t size, int beyond) {
  static unsigned char *room;
  if (room == NULL) {
    void *mapped = mmap(NULL, 2 * EDGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(mapped != MAP_FAILED && mprotect((char *)mapped + EDGE, EDGE, PROT_NONE) == 0);
    room = mapped;
  }
  unsigned char *start = room + EDGE - size;
  memset(start, beyond, size);
  memcpy(start, value, known < size ? known : size);
  return start;
}

static void *sized_at_edge(const void *value, size_t known, size_t size, int beyond) {
  uint32_t said = (uint32_t)size;
  void *start = at_edge(value, known, size, beyond);
  memcpy(start, &said, sizeof said);
  return start;
}

/* Structs that the application fills in. */

static netcore_status give_client_options(const void *options) {
  netcore_client made = 77;
  netcore_status status = netcore_client_create(options, &made);
  if (status == NETCORE_OK) return netcore_client_destroy(made);
  CHECK_EQUAL(made, 0);
  return status;
}

static netcore_status give_cache_options(const void *options) {
  netcore_cache made = 77;
  netcore_status status = netcore_cache_create(options, &made);
  if (status == NETCORE_OK) return netcore_cache_destroy(made);
  CHECK_EQUAL(made, 0);
  return status;
}

static netcore_status give_part_options(const void *options) {
  return netcore_request_add_part(request, "a", "1", 1, options);
}

static netcore_status give_reader(const void *reader) { return netcore_request_set_body_reader(request, reader, 1); }
static netcore_status give_cookie(const void *cookie) { return netcore_client_set_cookie(client, cookie); }
static netcore_status give_network(const void *network) { return netcore_client_set_network(client, network); }

static netcore_status give_retry_options(const void *options) {
  return netcore_request_set_retries(request, NETCORE_RETRIES_OWN, options);
}

static netcore_status give_min_interval(const void *options) {
  return netcore_request_set_min_interval(request, options);
}

static netcore_status give_rate(const void *rate) {
  return netcore_client_set_rate(client, NETCORE_RATE_SCOPE_TAG, "t", rate);
}

static netcore_status take_rate(void *out) { return netcore_client_get_rate(client, NETCORE_RATE_SCOPE_TAG, "t", out); }

static netcore_status give_breaker_options(const void *options) { return netcore_client_set_breaker(client, options); }
static netcore_status give_group_options(const void *options) { return netcore_group_set_options(group, options); }

static netcore_status give_hedge_options(const void *options) {
  return netcore_request_set_hedging(request, NETCORE_HEDGING_OWN, options);
}

static netcore_status give_failover_options(const void *options) {
  return netcore_client_set_failover(client, options);
}

static size_t read_nothing(void *buffer, size_t capacity_bytes, void *user_data) {
  (void)user_data, (void)buffer, (void)capacity_bytes;
  return 0;
}

static netcore_status give_event_source_options(const void *options) {
  netcore_event_source made = 77;
  netcore_status status = netcore_event_source_create(client, request, options, &made);
  if (status == NETCORE_OK) return netcore_event_source_destroy(made);
  CHECK_EQUAL(made, 0);
  return status;
}

/* The host name has no address, so that nothing is written. */
static netcore_status give_stub(const void *stub) { return netcore_stubs_add(stubs, stub, NULL, NULL, NULL, NULL); }
static netcore_status give_stub_answer(const void *answer) { return netcore_stubs_add_answer(stubs, 0, answer); }

static netcore_status give_cache_value_options(const void *options) {
  return netcore_cache_put_value(cache, "structs", "", 0, options);
}

static netcore_status give_callbacks(const void *callbacks) {
  netcore_client other = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_status status = netcore_dispatch_callbacks(other, request, callbacks, NULL);
  CHECK_OK(netcore_client_destroy(other));
  return status;
}

static netcore_status give_clock_options(const void *options) {
  netcore_clock made = 77;
  netcore_status status = netcore_clock_create(options, &made);
  if (status == NETCORE_OK) return netcore_clock_destroy(made);
  CHECK_EQUAL(made, 0);
  return status;
}

static netcore_status give_cassette_options(const void *options) {
  netcore_cassette made = 77;
  netcore_status status = netcore_cassette_create("/tmp/netcore-no-such-cassette.har", options, &made);
  if (status == NETCORE_OK) return netcore_cassette_destroy(made);
  CHECK_EQUAL(made, 0);
  return status;
}

static netcore_status give_page_options(const void *options) {
  netcore_pages made = 77;
  netcore_status status = netcore_pages_create(client, request, options, NULL, NULL, NULL, &made);
  if (status == NETCORE_OK) return netcore_pages_destroy(made);
  CHECK_EQUAL(made, 0);
  return status;
}

static netcore_status give_error_row(const void *row) { return netcore_request_add_error(request, row); }

/* A name can be added once. */
static netcore_status give_api_param(const void *param) {
  if (api != 0) CHECK_OK(netcore_api_destroy(api));
  CHECK_OK(netcore_api_create(0, request, &api));
  return netcore_api_add_param(api, param);
}

static netcore_status give_download_options(const void *options) {
  netcore_request absent = request_new("GET", "http://absent.invalid/");
  netcore_response made = 77;
  netcore_status status = netcore_download(client, absent, "/tmp/netcore-structs", options, UINT64_MAX, NULL, &made);
  CHECK_OK(netcore_request_destroy(absent));
  if (status == NETCORE_ERR_INVALID_STRUCT) {
    CHECK_EQUAL(made, 0);
    return status;
  }
  CHECK_STATUS(status, NETCORE_ERR_RESOLVE);
  return netcore_response_release(made);
}

static const netcore_client_options some_client_options = {.user_agent = "structs", .cookies = 1};
static const netcore_cache_options some_cache_options = {.memory_bytes = 1 << 20};
static const netcore_part_options some_part_options = {.file_name = "file"};
static const netcore_reader some_reader = {.read = read_nothing};
static const netcore_cookie some_cookie = {.name = "a", .value = "1", .domain = "example.com", .expires = -1};
static const netcore_network some_network = {.interface = "lo"};
static const netcore_retry_options some_retry_options = {.attempts = 2};
static const netcore_min_interval some_min_interval = {.interval_ms = 1};
static const netcore_rate some_rate = {.requests = 1000};
static const netcore_breaker_options some_breaker_options = {.min_tries = 100};
static const netcore_group_options some_group_options = {.limit = 2, .timeout_ms = 1000};
static const netcore_hedge_options some_hedge_options = {.min_samples = 10};
static const netcore_failover_options some_failover_options = {.min_tries = 100};
static const netcore_download_options some_download_options = {.resumes = 1};
static const netcore_stub some_stub = {.method = "GET"};
static const netcore_stub_answer some_stub_answer = {.http_status = 204};
static const netcore_cassette_options some_cassette_options = {.repeat = 1};
static const netcore_cache_value_options some_cache_value_options = {.ttl_ms = 1};
static const netcore_callbacks some_callbacks = {.silent_cancel = 1};
static const netcore_clock_options some_clock_options = {.automatic = 1};
static const netcore_page_options some_page_options = {.page_size = 1};
static const netcore_error_row some_error_row = {.code = 1404, .http_status = 404};
static const netcore_api_param some_api_param = {.name = "a"};
static const netcore_event_source_options some_event_source_options = {.retry_ms = 1};

/* X(name, the sizes that it had in earlier versions) */
#define GIVEN(X) \
  X(client_options, 72) \
  X(cache_options, 0) \
  X(part_options, 0) \
  X(reader, 0) \
  X(cookie, 0) \
  X(network, 0) \
  X(retry_options, 0) \
  X(hedge_options, 0) \
  X(breaker_options, 0) \
  X(group_options, 0) \
  X(min_interval, 0) \
  X(rate, 0) \
  X(failover_options, 0) \
  X(download_options, 0) \
  X(stub, 0) \
  X(stub_answer, 0) \
  X(cassette_options, 0) \
  X(clock_options, 0) \
  X(callbacks, 0) \
  X(cache_value_options, 0) \
  X(page_options, 0) \
  X(error_row, 0) \
  X(api_param, 0) \
  X(event_source_options, 0)

static void check_given(const char *name, netcore_status (*give)(const void *), const void *value, size_t known,
                        const size_t *earlier) {
  check_case = name;
  for (; *earlier != 0; earlier++) {
    CHECK(*earlier < known);
    CHECK_OK(give(sized_at_edge(value, known, *earlier, 0)));
    CHECK_STATUS(give(sized_at_edge(value, known, *earlier - 4, 0)), NETCORE_ERR_INVALID_STRUCT);
    CHECK_STATUS(give(sized_at_edge(value, known, *earlier + 4, 0)), NETCORE_ERR_INVALID_STRUCT);
  }
  CHECK_OK(give(sized_at_edge(value, known, known, 0)));
  CHECK_OK(give(sized_at_edge(value, known, known + 8, 0)));
  CHECK_OK(give(sized_at_edge(value, known, LARGEST, 0)));
  CHECK_STATUS(give(sized_at_edge(value, known, known - 4, 0)), NETCORE_ERR_INVALID_STRUCT);
  CHECK_STATUS(give(sized_at_edge(value, known, LARGEST + 8, 0)), NETCORE_ERR_INVALID_STRUCT);
  for (size_t more = 1; more < 8; more++)
    CHECK_STATUS(give(sized_at_edge(value, known, known + more, 0)), NETCORE_ERR_INVALID_STRUCT);
  for (size_t at = 0; at < 24; at++) {
    unsigned char *later = sized_at_edge(value, known, known + 24, 0);
    later[known + at] = 1;
    CHECK_STATUS(give(later), NETCORE_ERR_INVALID_STRUCT);
  }
}

/* Structs that netcore fills in. */

static netcore_status take_response_info(void *out) { return netcore_response_get_info(response, out); }
static netcore_status take_error(void *out) { return netcore_response_get_error(response, out); }
static netcore_status take_task_info(void *out) { return netcore_task_get_info(task, out); }
static netcore_status take_group_info(void *out) { return netcore_group_get_info(group, out); }
static netcore_status take_request_info(void *out) { return netcore_request_get_info(request, out); }
static netcore_status take_part_info(void *out) { return netcore_request_get_part_at(parted, 0, out); }
static netcore_status take_cache_statistics(void *out) { return netcore_cache_get_statistics(cache, out); }
static netcore_status take_client_statistics(void *out) { return netcore_client_get_statistics(client, out); }
static netcore_status take_try(void *out) { return netcore_response_get_try(response, 0, out); }
static netcore_status take_download_info(void *out) { return netcore_response_get_download(downloaded, out); }
static netcore_status take_cassette_info(void *out) { return netcore_cassette_get_info(cassette, out); }
static netcore_status take_error_row(void *out) { return netcore_request_get_error_at(request, 0, out); }
static netcore_status take_page_info(void *out) { return netcore_pages_get_info(pages, out); }
static netcore_status take_download_progress(void *out) { return netcore_download_get_progress(download, out); }

/* Each call lends another text. */
static netcore_status take_event_source_info(void *out) {
  netcore_event_source_info *info = out;
  netcore_status status = netcore_event_source_get_info(source, info);
  if (status != NETCORE_OK) return status;
  CHECK(info->last_event_id.data != NULL);
  info->last_event_id.data = NULL;
  return NETCORE_OK;
}

/* At the end of its events, which stays the same for each call. */
static netcore_status take_server_event(void *out) {
  return netcore_response_read_event(events, 0, patience_ms(), out);
}

/* Each call lends other arrays. */
static netcore_status take_retry_options(void *out) {
  netcore_retry_options *options = out;
  netcore_status status = netcore_request_get_retries(request, NULL, options);
  if (status != NETCORE_OK) return status;
  CHECK(options->statuses != NULL && options->methods != NULL);
  options->statuses = NULL;
  options->methods = NULL;
  return NETCORE_OK;
}

static netcore_status take_breaker_options(void *out) { return netcore_client_get_breaker(client, NULL, out); }

static netcore_status take_hedge_options(void *out) { return netcore_request_get_hedging(request, NULL, out); }

static netcore_status take_failover_options(void *out) { return netcore_client_get_failover(client, NULL, out); }

#define TAKEN(X) \
  X(response_info, 136) \
  X(error, 40, 56) \
  X(task_info, 32) \
  X(group_info, 0) \
  X(request_info, 56) \
  X(part_info, 0) \
  X(cache_statistics, 0) \
  X(client_statistics, 0) \
  X(retry_options, 0) \
  X(hedge_options, 0) \
  X(breaker_options, 0) \
  X(failover_options, 0) \
  X(rate, 0) \
  X(try, 0) \
  X(download_info, 0) \
  X(download_progress, 0) \
  X(cassette_info, 0) \
  X(page_info, 0) \
  X(error_row, 0) \
  X(server_event, 0) \
  X(event_source_info, 0)

static void check_taken(const char *name, netcore_status (*take)(void *), size_t known, const size_t *earlier) {
  const size_t header = sizeof(uint32_t);
  unsigned char whole[LARGEST];
  check_case = name;
  CHECK_OK(take(sized_at_edge("", 0, known, 0xA5)));
  memcpy(whole, (char *)sized_at_edge("", 0, known, 0xA5), known);
  unsigned char *out = sized_at_edge("", 0, known, 0xA5);
  CHECK_OK(take(out));
  memcpy(whole, out, known);
  for (; *earlier != 0; earlier++) {
    CHECK(*earlier < known);
    out = sized_at_edge("", 0, *earlier, 0xA5);
    CHECK_OK(take(out));
    CHECK(memcmp(out + header, whole + header, *earlier - header) == 0);
    CHECK_EQUAL(*(uint32_t *)(void *)out, *earlier);
    CHECK_STATUS(take(sized_at_edge("", 0, *earlier - 4, 0xA5)), NETCORE_ERR_INVALID_STRUCT);
  }
  for (size_t size = known + 8; size <= LARGEST; size = size == LARGEST ? LARGEST + 8 : LARGEST) {
    out = sized_at_edge("", 0, size, 0xA5);
    CHECK_OK(take(out));
    CHECK(memcmp(out + header, whole + header, known - header) == 0);
    for (size_t i = known; i < size; i++) CHECK_EQUAL(out[i], 0);
    CHECK_EQUAL(*(uint32_t *)(void *)out, size);
  }
  CHECK_STATUS(take(sized_at_edge("", 0, known - 4, 0xA5)), NETCORE_ERR_INVALID_STRUCT);
  CHECK_STATUS(take(sized_at_edge("", 0, LARGEST + 8, 0xA5)), NETCORE_ERR_INVALID_STRUCT);
  CHECK_STATUS(take(sized_at_edge("", 0, known + 2, 0xA5)), NETCORE_ERR_INVALID_STRUCT);
}

/* Arrays, whose elements are as large as the caller knows them. */

static void test_completions(void) {
  static const uint32_t strides[] = {sizeof(netcore_completion), sizeof(netcore_completion) + 8, LARGEST};
  netcore_client queue = 0;
  uint32_t count = 0;
  netcore_client_options options = {.size = sizeof options, .completions = NETCORE_COMPLETION_MODE_QUEUE};
  REQUIRE_OK(netcore_client_create(&options, &queue));
  for (size_t i = 0; i < LENGTH(strides); i++) {
    check_case = "an array of completions";
    size_t stride = strides[i], taken = 0;
    unsigned char *out = at_edge("", 0, 2 * stride, 0xA5);
    int marks[2] = {0};
    for (size_t j = 0; j < 2; j++) {
      netcore_group empty = 0;
      CHECK_OK(netcore_group_create(queue, &empty));
      CHECK_OK(netcore_group_dispatch(empty, NULL, &marks[j]));
    }
    while (taken < 2) {
      CHECK_OK(
          netcore_client_wait(queue, (void *)(out + taken * stride), (uint32_t)(2 - taken), stride, 10000, &count));
      if (!CHECK(count > 0)) break;
      taken += count;
    }
    for (size_t j = 0; j < taken; j++) {
      netcore_completion completion;
      memcpy(&completion, out + j * stride, sizeof completion);
      CHECK_EQUAL(completion.size, stride);
      CHECK_EQUAL(completion.kind, NETCORE_COMPLETION_KIND_GROUP);
      CHECK(completion.user_data == &marks[j]);
      for (size_t k = sizeof completion; k < stride; k++) CHECK_EQUAL(out[j * stride + k], 0);
    }
  }
  netcore_completion room;
  CHECK_STATUS(netcore_client_wait(queue, &room, 1, 0, 0, &count), NETCORE_ERR_INVALID_STRUCT);
  CHECK_STATUS(netcore_client_wait(queue, &room, 1, sizeof room - 8, 0, &count), NETCORE_ERR_INVALID_STRUCT);
  CHECK_STATUS(netcore_client_wait(queue, &room, 1, LARGEST + 8, 0, &count), NETCORE_ERR_INVALID_STRUCT);
  CHECK_STATUS(netcore_client_wait(queue, &room, 1, sizeof room + 4, 0, &count), NETCORE_ERR_INVALID_STRUCT);
  CHECK_STATUS(netcore_client_wait(queue, &room, 1, SIZE_MAX, 0, &count), NETCORE_ERR_INVALID_STRUCT);
  CHECK_OK(netcore_client_destroy(queue));
}

static netcore_status give_pinned_keys(const void *elements, size_t size) {
  netcore_client_options options = {.pinned_keys = elements, .pinned_key_count = 2, .pinned_key_size = size};
  options.size = sizeof options;
  return give_client_options(&options);
}

static netcore_status give_rules(const void *elements, size_t size) {
  netcore_cache_options options = {.rules = elements, .rule_count = 2, .rule_size = size};
  options.size = sizeof options;
  return give_cache_options(&options);
}

static netcore_status give_headers(const void *elements, size_t size) {
  netcore_part_options options = {.headers = elements, .header_count = 2, .header_size = size};
  options.size = sizeof options;
  return netcore_request_add_part(request, "a", "1", 1, &options);
}

#define PIN "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
static const netcore_pinned_keys some_pinned_keys = {"localhost", PIN};
static const netcore_cache_rule some_rules = {"*", 1000};
static const netcore_part_header some_headers = {"X-A", "1"};

#define ELEMENTS(X) X(pinned_keys) X(rules) X(headers)

static void check_elements(const char *name, netcore_status (*give)(const void *, size_t), const void *element,
                           size_t known) {
  unsigned char pair[2 * LARGEST + 16];
  size_t sizes[] = {known, known + 8, LARGEST};
  check_case = name;
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    size_t size = sizes[i];
    memset(pair, 0, sizeof pair);
    memcpy(pair, element, known);
    memcpy(pair + size, element, known);
    CHECK_OK(give(at_edge(pair, 2 * size, 2 * size, 0), size));
    if (size == known) continue;
    pair[2 * size - 1] = 1;
    CHECK_STATUS(give(at_edge(pair, 2 * size, 2 * size, 0), size), NETCORE_ERR_INVALID_STRUCT);
  }
  CHECK_STATUS(give(pair, 0), NETCORE_ERR_INVALID_STRUCT);
  CHECK_STATUS(give(pair, known - 8), NETCORE_ERR_INVALID_STRUCT);
  CHECK_STATUS(give(pair, LARGEST + 8), NETCORE_ERR_INVALID_STRUCT);
  memset(pair, 0, sizeof pair);
  memcpy(pair, element, known);
  for (size_t more = 1; more < 8; more++) { /* no sizeof; else the second element would be read at an odd place */
    memcpy(pair + known + more, element, known);
    CHECK_STATUS(give(at_edge(pair, 2 * (known + more), 2 * (known + more), 0), known + more),
                 NETCORE_ERR_INVALID_STRUCT);
    memset(pair + known, 0, more + 1);
  }
}

static char folder[] = "/tmp/netcore-structs-XXXXXX";
static char file[sizeof folder + 10];

/* One download that has ended well, and one that waits for its answer, so that its progress stays the same. */
static void begin_downloads(netcore_request get) {
  netcore_download_options options = {.size = sizeof options, .compute_sha256 = 1};
  netcore_request slow = script_request("GET", ORIGIN, "[{'stall':true}]");
  REQUIRE(mkdtemp(folder) != NULL);
  snprintf(file, sizeof file, "%s/file", folder);
  REQUIRE_OK(netcore_download(client, get, file, &options, UINT64_MAX, NULL, &downloaded));
  REQUIRE(unlink(file) == 0);
  netcore_response none = 0;
  CHECK_STATUS(netcore_download(client, slow, file, NULL, 0, &download, &none), NETCORE_ERR_IN_PROGRESS);
  CHECK_OK(netcore_request_destroy(slow));
}

static void end_downloads(void) {
  netcore_response canceled = 0;
  CHECK_OK(netcore_task_cancel(download));
  CHECK_STATUS(netcore_task_wait(download, UINT64_MAX, &canceled, NULL), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(canceled));
  CHECK_OK(netcore_response_release(downloaded));
  netcore_download_remove_part(file);
  CHECK(rmdir(folder) == 0);
}

static void open_events(void) {
  netcore_request stream =
      script_request("GET", ORIGIN, "[{'send':'HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n'}]");
  REQUIRE_OK(netcore_perform_streamed(client, stream, 0, &events));
  CHECK_OK(netcore_request_destroy(stream));
}

int main(void) {
  check_begin();
  netcore_client_options options = {.size = sizeof options, .cookies = 1};
  REQUIRE_OK(netcore_client_create(&options, &client));
  cache = cache_new(NULL);
  request = request_new("POST", at(ORIGIN, "/echo"));
  parted = request_new("POST", at(ORIGIN, "/echo"));
  REQUIRE_OK(netcore_request_add_part(parted, "a", "1", 1, NULL));
  REQUIRE_OK(netcore_request_set_retries(request, NETCORE_RETRIES_OWN, NULL));
  netcore_request get = request_new("GET", at(ORIGIN, "/bytes/100"));
  REQUIRE_OK(netcore_request_set_retries(get, NETCORE_RETRIES_OWN, NULL));
  REQUIRE_OK(netcore_perform(client, get, &response));
  REQUIRE_OK(netcore_task_create(client, get, NULL, NULL, &task));
  REQUIRE_OK(netcore_group_create(client, &group));
  begin_downloads(get);
  open_events();
  REQUIRE_OK(netcore_event_source_create(client, request, NULL, &source));
  netcore_stub stub = NETCORE_STUB_INIT;
  REQUIRE_OK(netcore_stubs_create(&stubs));
  REQUIRE_OK(netcore_pages_create(client, request, NULL, NULL, NULL, NULL, &pages));
  REQUIRE_OK(netcore_cassette_create("/tmp/netcore-no-such-cassette.har", NULL, &cassette));
  REQUIRE_OK(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, NULL));
#define CHECK_GIVEN(name, ...) \
  check_given(#name, give_##name, &some_##name, sizeof(netcore_##name), (const size_t[]){__VA_ARGS__, 0});
  GIVEN(CHECK_GIVEN)
#define CHECK_TAKEN(name, ...) \
  check_taken(#name, take_##name, sizeof(netcore_##name), (const size_t[]){__VA_ARGS__, 0});
  TAKEN(CHECK_TAKEN)
  test_completions();
#define CHECK_ELEMENTS(name) check_elements(#name, give_##name, &some_##name, sizeof some_##name);
  ELEMENTS(CHECK_ELEMENTS)
  CHECK_OK(netcore_group_cancel(group));
  end_downloads();
  CHECK_OK(netcore_event_source_destroy(source));
  CHECK_OK(netcore_stubs_destroy(stubs));
  CHECK_OK(netcore_pages_destroy(pages));
  CHECK_OK(netcore_api_destroy(api));
  CHECK_OK(netcore_cassette_destroy(cassette));
  CHECK_OK(netcore_response_release(events));
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(get));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_request_destroy(parted));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
  return check_end();
}
