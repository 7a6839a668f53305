/*
 * A client with a cache in a folder that somebody else has changed (cache_rows.py). It does all that an application
 * does with a cache, and checks that no request fails and that no body has a byte which the origin did not send.
 *
 *     cache_visitor fill  URL FOLDER PAGES                asks for all pages, and for parts of some
 *     cache_visitor visit URL FOLDER PAGES MEMORY LOOSE   lists, reads, validates, replaces and clears what is there
 *
 * LOOSE says what was changed with right checksums: 1 which parts of a body are stored, so that only the number of
 * bytes is checked; 2 the bytes themselves, so that only those of files outside of the folder are looked for. Status 1:
 * something was wrong, and standard error says what.
 */
#include <unistd.h>

#include "../Proofs/bodies.h"
#include "netcore.h"

/* What the files outside of the folder hold. */
static const char secret[] = "netcore-fuzz-secret";

static const char *origin;
static netcore_client client;
static netcore_cache cache;
static unsigned pages, wrong, requests, hits, revalidated, listed, damaged, set_aside, stopped;
static int looseness;
static char *scratch;

static void fail(const char *path, const char *what) {
  fprintf(stderr, "%s: %s\n", path, what);
  wrong++;
}

static bool holds(const void *bytes, size_t size, const void *wanted, size_t wanted_size) {
  return size > 0 && memmem(bytes, size, wanted, wanted_size) != NULL;
}

/* All of the page's bytes, some of them in a row where a range was asked for, or none. */
static void check(const char *path, netcore_response response, bool is_part) {
  netcore_response_info info = {.size = sizeof info};
  netcore_response_get_info(response, &info);
  if (info.http_status < 200 || info.http_status > 599) fail(path, "a status that no answer has");
  if (info.cache_result == NETCORE_CACHE_RESULT_HIT) hits++;
  if (info.cache_result == NETCORE_CACHE_RESULT_REVALIDATED) revalidated++;
  unsigned version = body_version(path, 1);
  size_t size = body_size(path, version), count = info.body.size_bytes;
  if (holds(info.body.data, count, secret, sizeof secret - 1)) fail(path, "the bytes of a file outside of the folder");
  if (count > size && looseness < 2) fail(path, "more bytes than the origin sent");
  if (count == 0 || looseness > 0) return;
  body_fill(path, version, scratch, size);
  if (count == size ? memcmp(info.body.data, scratch, size) != 0
                    : !is_part || !holds(scratch, size, info.body.data, count))
    fail(path, "bytes that the origin never sent");
}

static netcore_request request_of(const char *path, netcore_cache_mode mode, const char *field, const char *value) {
  char url[300];
  netcore_request request = 0;
  snprintf(url, sizeof url, "%s%s", origin, path);
  netcore_request_create("GET", url, &request);
  netcore_request_set_cache_mode(request, mode);
  if (field != NULL) netcore_request_add_header(request, field, value);
  return request;
}

static void visit(const char *path, netcore_cache_mode mode, const char *field, const char *value) {
  netcore_request request = request_of(path, mode, field, value);
  netcore_response response = 0;
  netcore_status status = netcore_perform(client, request, &response);
  if (status != NETCORE_OK)
    fail(path, netcore_status_name(status));
  else
    check(path, response, field != NULL && strcmp(field, "Range") == 0);
  if (response != 0) netcore_response_release(response);
  netcore_request_destroy(request);
  requests++;
}

static void look(const char *path) {
  netcore_request request = request_of(path, NETCORE_CACHE_MODE_STANDARD, NULL, NULL);
  netcore_response response = 0;
  netcore_status status = netcore_client_get_cached(client, request, &response, NULL);
  if (status == NETCORE_OK)
    check(path, response, strncmp(path, "/part/", 6) == 0);
  else if (status != NETCORE_ERR_NOT_FOUND)
    fail(path, netcore_status_name(status));
  if (response != 0) netcore_response_release(response);
  netcore_request_destroy(request);
}

/* Every fourth page can be had in parts. Of those from here on many are so large that their bodies get files. */
static const char *page(unsigned number, char *path) {
  number += 264;
  sprintf(path, number % 4 == 3 ? "/part/%u" : "/page/%u", number);
  return path;
}

static bool is_parted(unsigned number) { return number % 4 == 3; }

static void fill(void) {
  char path[40];
  for (unsigned number = 0; number < pages; number++) {
    page(number, path);
    if (is_parted(number)) {
      visit(path, NETCORE_CACHE_MODE_STANDARD, "Range", "bytes=0-4");
      visit(path, NETCORE_CACHE_MODE_STANDARD, "Range", "bytes=20-39");
    } else {
      visit(path, NETCORE_CACHE_MODE_STANDARD, NULL, NULL);
      visit(path, NETCORE_CACHE_MODE_STANDARD, NULL, NULL);
    }
  }
}

static int32_t on_entry(const netcore_cache_entry *entry, void *user_data) {
  (void)user_data;
  if (entry->size_bytes > 1ull << 50 || entry->body_bytes > 1ull << 50) fail(entry->url, "an impossible size");
  listed++;
  return 1;
}

static void visit_all(void) {
  static const char *const ranges[] = {"bytes=0-4", "bytes=20-39", "bytes=2-30", "bytes=-5", "bytes=10-"};
  char path[40], url[300];
  netcore_cache_list(cache, on_entry, NULL);
  for (unsigned number = 0; number < pages; number++) look(page(number, path));
  for (unsigned number = 0; number < pages; number++) {
    page(number, path);
    if (is_parted(number))
      for (int i = 0; i < 5; i++) visit(path, NETCORE_CACHE_MODE_STANDARD, "Range", ranges[i]);
    visit(path, NETCORE_CACHE_MODE_ONLY, NULL, NULL);
    visit(path, NETCORE_CACHE_MODE_STANDARD, NULL, NULL);
    if (number % 3 == 0) visit(path, NETCORE_CACHE_MODE_STANDARD, "Cache-Control", "no-cache");
    if (number % 3 == 1) visit(path, NETCORE_CACHE_MODE_RELOAD, NULL, NULL);
    if (number % 5 == 0) {
      snprintf(url, sizeof url, "%s%s", origin, path);
      netcore_cache_clear(cache, NETCORE_CACHE_FILTER_URL, url);
    }
  }
  netcore_cache_flush(cache);
  netcore_cache_list(cache, on_entry, NULL);
  snprintf(url, sizeof url, "%s/part/", origin);
  netcore_cache_clear(cache, NETCORE_CACHE_FILTER_PREFIX, url);
  netcore_cache_clear(cache, NETCORE_CACHE_FILTER_TAG, "tag");
  netcore_cache_clear(cache, NETCORE_CACHE_FILTER_SCOPE, "scope");
  netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_DISK_COUNT, 3);
  netcore_cache_flush(cache);
  netcore_cache_clear(cache, NETCORE_CACHE_FILTER_ALL, NULL);
  visit("/page/0", NETCORE_CACHE_MODE_STANDARD, NULL, NULL);
  netcore_cache_flush(cache);
}

static void on_event(const netcore_cache_event *event, void *user_data) {
  (void)user_data;
  unsigned *counter = event->kind == NETCORE_CACHE_EVENT_KIND_SET_ASIDE         ? &set_aside
                      : event->kind == NETCORE_CACHE_EVENT_KIND_DAMAGED_ENTRY   ? &damaged
                      : event->kind == NETCORE_CACHE_EVENT_KIND_STORING_STOPPED ? &stopped
                                                                                : NULL;
  if (counter != NULL) __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
}

int main(int count_of_arguments, char **arguments) {
  if (count_of_arguments < 5) return 2;
  netcore_cache_options options = {.size = sizeof options, .folder = arguments[3], .on_event = on_event};
  netcore_client_options client_options = {.size = sizeof client_options, .proxy = ""};
  bool is_visit = strcmp(arguments[1], "visit") == 0;
  origin = arguments[2];
  pages = (unsigned)strtoul(arguments[4], NULL, 10);
  if (is_visit && count_of_arguments < 7) return 2;
  if (is_visit) options.memory_bytes = strtoull(arguments[5], NULL, 10);
  looseness = is_visit ? atoi(arguments[6]) : 0;
  scratch = malloc(BODY_MOST);
  alarm(60); /* whatever happens */
  if (scratch == NULL || netcore_cache_create(&options, &cache) != NETCORE_OK) return 2;
  client_options.cache = cache;
  if (netcore_client_create(&client_options, &client) != NETCORE_OK) return 2;
  if (is_visit)
    visit_all();
  else
    fill();
  netcore_client_destroy(client);
  netcore_cache_destroy(cache);
  free(scratch);
  printf("requests=%u hits=%u revalidated=%u listed=%u damaged=%u set_aside=%u stopped=%u\n", requests, hits,
         revalidated, listed, damaged, set_aside, stopped);
  return wrong == 0 ? 0 : 1;
}
