/*
 * Managing a cache: clearing by each filter, the list, statistics, limits changed while it runs, flush and events; in memory
 * and on disk.
 */
#include "support.h"

#include "support/cache.h"

#include <sys/stat.h>

static netcore_client client_of(netcore_cache cache) { return cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache); }

static void end(netcore_client client, netcore_cache cache) {
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

enum { ONE, TWO, TAGGED, SCOPED, KINDS };
static const char *const marks[] = {"one", "two", "tagged", "scoped"};

static netcore_request request_of(int kind) {
  char mark[30];
  snprintf(mark, sizeof mark, "clear-%s", marks[kind]);
  netcore_request request = request_new("GET", at(ORIGIN, keepable(mark, "")));
  if (kind == TAGGED) CHECK_OK(netcore_request_set_tag(request, "a tag"));
  if (kind == SCOPED) CHECK_OK(netcore_request_set_cache_scope(request, "anna"));
  return request;
}

static bool is_stored(netcore_client client, int kind) {
  netcore_request request = request_of(kind);
  netcore_response response = 0;
  netcore_status status = netcore_client_get_cached(client, request, &response, NULL);
  CHECK(status == NETCORE_OK || status == NETCORE_ERR_NOT_FOUND);
  if (status == NETCORE_OK) CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  return status == NETCORE_OK;
}

static void check_stored(netcore_client client, const bool *expected, const char *when) {
  for (int kind = 0; kind < KINDS; kind++)
    if (!CHECK_EQUAL(is_stored(client, kind), expected[kind])) fprintf(stderr, "    %s, %s\n", marks[kind], when);
}

/* What a filter leaves is served, what it matches is not: at once, and after a restart. */
static void check_clear(const char *folder, netcore_cache_filter filter, const char *value, const bool *left) {
  netcore_cache cache = cache_new(folder);
  netcore_client client = client_of(cache);
  for (int kind = 0; kind < KINDS; kind++) {
    netcore_request request = request_of(kind);
    result_for(client, request);
    CHECK_OK(netcore_request_destroy(request));
  }
  static const bool all[KINDS] = {true, true, true, true};
  check_stored(client, all, "before");
  CHECK_OK(netcore_cache_clear(cache, filter, value));
  check_stored(client, left, "at once");
  CHECK_OK(netcore_cache_flush(cache));
  netcore_cache_statistics statistics = cache_statistics(cache);
  unsigned count = (unsigned)(left[0] + left[1] + left[2] + left[3]);
  CHECK_EQUAL(folder == NULL ? statistics.memory_count : statistics.disk_count, count);
  end(client, cache);
  if (folder == NULL) return;
  cache = cache_new(folder);
  client = client_of(cache);
  check_stored(client, left, "after a restart");
  end(client, cache);
}

static void test_invalidation(void) {
  static const bool all[KINDS] = {true, true, true, true}, untagged[KINDS] = {true, true, false, true};
  netcore_cache cache = cache_new(NULL);
  netcore_client client = client_of(cache);
  for (int kind = 0; kind < KINDS; kind++) {
    netcore_request request = request_of(kind);
    result_for(client, request);
    CHECK_OK(netcore_request_destroy(request));
  }
  for (int is_good = 0; is_good <= 1; is_good++) {
    check_case = is_good ? "a success invalidates by tag" : "a refusal invalidates nothing";
    netcore_request request = request_new("POST", at(ORIGIN, is_good ? "/echo" : "/status/500"));
    CHECK_OK(netcore_request_add_invalidated_tag(request, "another"));
    CHECK_OK(netcore_request_add_invalidated_tag(request, "a tag"));
    result_for(client, request);
    check_stored(client, is_good ? untagged : all, "after the request");
    CHECK_OK(netcore_request_destroy(request));
  }
  end(client, cache);
}

static void test_clear(const char *folder) {
  char url[1000], prefix[1000];
  snprintf(url, sizeof url, "%s#fragment", at(ORIGIN, keepable("clear-one", "")));
  snprintf(prefix, sizeof prefix, "%s", at(ORIGIN, "/headers?Mark=clear-t"));
  const struct {
    const char *name;
    netcore_cache_filter filter;
    const char *value;
    bool left[KINDS];
  } cases[] = {{"clear nothing by prefix", NETCORE_CACHE_FILTER_PREFIX, "http://other/", {true, true, true, true}},
               {"clear nothing by tag", NETCORE_CACHE_FILTER_TAG, "a", {true, true, true, true}},
               {"clear by URL", NETCORE_CACHE_FILTER_URL, url, {false, true, true, true}},
               {"clear by prefix", NETCORE_CACHE_FILTER_PREFIX, prefix, {true, false, false, true}},
               {"clear by tag", NETCORE_CACHE_FILTER_TAG, "a tag", {true, true, false, true}},
               {"clear by scope", NETCORE_CACHE_FILTER_SCOPE, "anna", {true, true, true, false}},
               {"clear all", NETCORE_CACHE_FILTER_ALL, NULL, {false, false, false, false}}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].name;
    check_clear(folder, cases[i].filter, cases[i].value, cases[i].left);
  }
}

static struct listing {
  unsigned count, most;
  bool clears;
  netcore_cache cache;
  unsigned seen[300];
  netcore_cache_entry last;
  char url[1000], tag[100], scope[100];
} listing;

static int32_t see_entry(const netcore_cache_entry *entry, void *user_data) {
  CHECK(user_data == &listing);
  CHECK_EQUAL(entry->size, sizeof *entry);
  CHECK_EQUAL(entry->reserved, 0);
  listing.last = *entry;
  snprintf(listing.url, sizeof listing.url, "%s", entry->url);
  snprintf(listing.tag, sizeof listing.tag, "%s", entry->tag);
  snprintf(listing.scope, sizeof listing.scope, "%s", entry->scope);
  const char *number = strstr(entry->url, "Number=");
  if (number != NULL) listing.seen[strtoul(number + 7, NULL, 10) % LENGTH(listing.seen)]++;
  if (listing.clears) CHECK_OK(netcore_cache_clear(listing.cache, NETCORE_CACHE_FILTER_URL, entry->url));
  return ++listing.count < listing.most ? 1 : 0;
}

static void list(netcore_cache cache, unsigned most, bool clears) {
  memset(&listing, 0, sizeof listing);
  listing.most = most;
  listing.clears = clears;
  listing.cache = cache;
  CHECK_OK(netcore_cache_list(cache, see_entry, &listing));
}

static int64_t wall_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void test_list(const char *folder) {
  enum { COUNT = 250 };
  netcore_cache cache = cache_new(folder);
  netcore_client client = client_of(cache);
  check_case = "a list with one entry";
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_ALL, NULL));
  list(cache, UINT32_MAX, false);
  CHECK_EQUAL(listing.count, 0);
  const char *url = at(ORIGIN, keepable("list", ""));
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_request_set_tag(request, "t\xC3\xA4g"));
  CHECK_OK(netcore_request_set_cache_scope(request, "anna"));
  int64_t before = wall_ms();
  result_for(client, request);
  CHECK_OK(netcore_request_destroy(request));
  list(cache, UINT32_MAX, false);
  CHECK_EQUAL(listing.count, 1);
  CHECK(strcmp(listing.url, url) == 0 && strcmp(listing.tag, "t\xC3\xA4g") == 0 && strcmp(listing.scope, "anna") == 0);
  CHECK_EQUAL(listing.last.body_bytes, 3);
  CHECK(listing.last.size_bytes >= 3);
  CHECK(listing.last.stored_at_ms >= before && listing.last.stored_at_ms <= wall_ms());
  CHECK(listing.last.fresh_until_ms > before + 998000 && listing.last.fresh_until_ms <= wall_ms() + 1000000);
  CHECK_EQUAL(listing.last.hits, 0);

  check_case = "a long list: whole, cut short, and with entries that go meanwhile";
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_ALL, NULL));
  for (int i = 0; i < COUNT; i++) {
    char more[40];
    snprintf(more, sizeof more, "&Number=%d", i);
    result_of(client, at(ORIGIN, keepable("list", more)));
  }
  list(cache, UINT32_MAX, false);
  CHECK_EQUAL(listing.count, COUNT);
  for (int i = 0; i < COUNT; i++) CHECK_EQUAL(listing.seen[i], 1);
  list(cache, 120, false);
  CHECK_EQUAL(listing.count, 120);
  list(cache, 1, false);
  CHECK_EQUAL(listing.count, 1);
  list(cache, UINT32_MAX, true);
  for (int i = 0; i < COUNT; i++) CHECK(listing.seen[i] <= 1);
  CHECK_EQUAL(listing.count, COUNT);
  list(cache, UINT32_MAX, false);
  CHECK_EQUAL(listing.count, 0);
  end(client, cache);
}

static void test_limits(const char *folder) {
  netcore_cache cache = cache_new(folder);
  netcore_client client = client_of(cache);
  check_case = "limits changed while it runs";
  for (int i = 0; i < 10; i++) {
    char more[40];
    snprintf(more, sizeof more, "&Number=%d", i);
    result_of(client, at(ORIGIN, keepable("limits", more)));
  }
  CHECK_OK(netcore_cache_flush(cache));
  netcore_cache_statistics statistics = cache_statistics(cache);
  CHECK_EQUAL(statistics.memory_count, 10);
  CHECK_EQUAL(statistics.disk_count, 10);
  CHECK(statistics.memory_bytes > 0 && statistics.disk_bytes > 0);
  CHECK_EQUAL(statistics.stored, 10);
  CHECK_EQUAL(statistics.misses, 10);
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_MEMORY_COUNT, 4));
  statistics = cache_statistics(cache);
  CHECK_EQUAL(statistics.memory_count, 4);
  CHECK_EQUAL(statistics.memory_evictions, 6);
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_MEMORY_BYTES, statistics.memory_bytes / 2));
  CHECK(cache_statistics(cache).memory_count <= 2);
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_DISK_COUNT, 5));
  CHECK_OK(netcore_cache_flush(cache));
  statistics = cache_statistics(cache);
  CHECK(statistics.disk_count <= 5);
  CHECK(statistics.disk_evictions >= 5);
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_DISK_BYTES, statistics.disk_bytes / 2));
  CHECK_OK(netcore_cache_flush(cache));
  CHECK(cache_statistics(cache).disk_bytes <= statistics.disk_bytes / 2);
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_DISK_COUNT, UINT64_MAX));
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_DISK_BYTES, UINT64_MAX));
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_MEMORY_COUNT, 0));
  CHECK_EQUAL(cache_statistics(cache).memory_count, 0);
  const char *url = at(ORIGIN, keepable("limits", "&Number=99"));
  CHECK_RESULT(result_of(client, url), NOT_CACHED);
  CHECK_RESULT(result_of(client, url), HIT); /* from disk */
  CHECK_EQUAL(cache_statistics(cache).memory_count, 0);
  CHECK(cache_statistics(cache).disk_hits >= 1);
  end(client, cache);
}

/* What was stored is there for another process as soon as flush has returned; with writes_synchronously, without it. */
static void test_flush(char *folder) {
  for (int is_synchronous = 0; is_synchronous < 2; is_synchronous++) {
    const netcore_cache_options options = {
        .size = sizeof options, .folder = folder, .writes_synchronously = is_synchronous};
    netcore_cache cache = 0, other = 0;
    check_case = is_synchronous ? "writes before the task ends" : "flush";
    CHECK_OK(netcore_cache_create(&options, &cache));
    CHECK_OK(netcore_cache_create(&options, &other));
    netcore_client client = client_of(cache), client_of_other = client_of(other);
    const char *url = at(ORIGIN, keepable(is_synchronous ? "synchronous" : "flushed", ""));
    CHECK_RESULT(result_of(client, url), NOT_CACHED);
    if (!is_synchronous) CHECK_OK(netcore_cache_flush(cache));
    CHECK_RESULT(result_of(client_of_other, url), HIT);
    end(client, cache);
    end(client_of_other, other);
  }
}

static struct events {
  pthread_mutex_t lock;
  unsigned counts[5];
  char path[5000], reason[1000];
} events = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void on_event(const netcore_cache_event *event, void *user_data) {
  CHECK(user_data == &events);
  CHECK_EQUAL(event->size, sizeof *event);
  CHECK(event->kind >= 1 && event->kind <= 4 && event->path != NULL && event->reason != NULL);
  pthread_mutex_lock(&events.lock);
  events.counts[event->kind]++;
  snprintf(events.path, sizeof events.path, "%s", event->path);
  snprintf(events.reason, sizeof events.reason, "%s", event->reason);
  pthread_mutex_unlock(&events.lock);
}

static unsigned count_events(netcore_cache_event_kind kind) {
  pthread_mutex_lock(&events.lock);
  unsigned count = events.counts[kind];
  pthread_mutex_unlock(&events.lock);
  return count;
}

static netcore_cache cache_with_events(const char *folder) {
  const netcore_cache_options options = {
      .size = sizeof options, .folder = folder, .on_event = on_event, .user_data = &events};
  netcore_cache cache = 0;
  memset(events.counts, 0, sizeof events.counts);
  REQUIRE_OK(netcore_cache_create(&options, &cache));
  return cache;
}

static void write_file(const char *folder, const char *name, const char *text) {
  char path[5000];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  REQUIRE(file != NULL);
  fputs(text, file);
  fclose(file);
}

static void test_events(void) {
  char *folder = folder_new(), file[5000];
  check_case = "a database that is none is set aside";
  write_file(folder, "cache.db", "this is not a database, and far too short for one");
  netcore_cache cache = cache_with_events(folder);
  CHECK_EQUAL(count_events(NETCORE_CACHE_EVENT_KIND_SET_ASIDE), 1);
  CHECK(access(events.path, F_OK) == 0 && strstr(events.path, folder) != NULL && events.reason[0] != '\0');
  netcore_client client = client_of(cache);
  const char *url = at(ORIGIN, keepable("events", ""));
  CHECK_RESULT(result_of(client, url), NOT_CACHED);
  end(client, cache);
  cache = cache_with_events(folder);
  client = client_of(cache);
  CHECK_RESULT(result_of(client, url), HIT);
  for (int kind = 1; kind <= 4; kind++) CHECK_EQUAL(count_events(kind), 0);
  end(client, cache);

  check_case = "a file in place of the folder, or above it";
  write_file(folder, "file", "not a folder");
  for (int below = 0; below < 2; below++) {
    snprintf(file, sizeof file, "%s/file%s", folder, below ? "/cache" : "");
    const netcore_cache_options options = {.size = sizeof options, .folder = file};
    CHECK_STATUS(netcore_cache_create(&options, &cache), NETCORE_ERR_INVALID_ARGUMENT);
    CHECK(cache == 0 && strstr(netcore_last_error_message(), "folder: ") != NULL);
    CHECK(strstr(netcore_last_error_message(), "/file is not a folder") != NULL);
  }

  check_case = "no folder can be used";
  cache = cache_with_events("/proc/netcore-cannot-be-made");
  client = client_of(cache);
  CHECK_RESULT(result_of(client, url), NOT_CACHED);
  CHECK_RESULT(result_of(client, url), HIT);
  CHECK_OK(netcore_cache_flush(cache));
  CHECK_EQUAL(count_events(NETCORE_CACHE_EVENT_KIND_STORING_STOPPED), 1);
  CHECK(events.reason[0] != '\0');
  CHECK_EQUAL(cache_statistics(cache).disk_count, 0);
  end(client, cache);
  folder_remove(folder);
}

static void check_mode(const char *folder, const char *name, unsigned mode) {
  char path[5000];
  struct stat status = {0};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  CHECK_EQUAL(stat(path, &status), 0);
  CHECK_EQUAL(status.st_mode & 0777, mode);
}

static void test_file_modes(void) {
  char *parent = folder_new(), folder[5000];
  check_case = "modes of folders and files";
  snprintf(folder, sizeof folder, "%s/made/for/it", parent);
  mode_t before = umask(0);
  netcore_cache cache = cache_new(folder);
  netcore_client client = client_of(cache);
  result_of(client, at(ORIGIN, keepable("file-modes", "")));
  CHECK_OK(netcore_cache_flush(cache));
  umask(before);
  check_mode(parent, "made", 0700);
  check_mode(parent, "made/for/it", 0700);
  check_mode(folder, "cache.db", 0600);
  check_mode(folder, "cache.db-wal", 0600);
  end(client, cache);
  folder_remove(parent);
}

int main(void) {
  check_begin();
  char *folder = folder_new();
  test_clear(NULL);
  test_clear(folder);
  test_invalidation();
  test_list(NULL);
  test_list(folder);
  test_limits(folder);
  test_flush(folder);
  folder_remove(folder);
  test_events();
  test_file_modes();
  return check_end();
}
