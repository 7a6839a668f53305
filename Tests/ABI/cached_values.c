/*
 * Values of the application's in a cache: put, got, removed, by tag and by time; after the cache was closed; misuse.
 */
#include "support.h"

#include "support/cache.h"

struct got {
  char text[32];
  size_t size;
  int calls;
};

static void take(netcore_bytes data, void *user_data) {
  struct got *got = user_data;
  got->calls++;
  got->size = data.size_bytes;
  if (data.size_bytes < sizeof got->text) memcpy(got->text, data.data, data.size_bytes);
}

static void check_value(netcore_cache cache, const char *key, const char *expected) {
  struct got got = {.calls = 0};
  CHECK_STATUS(netcore_cache_get_value(cache, key, take, &got), expected == NULL ? NETCORE_ERR_NOT_FOUND : NETCORE_OK);
  CHECK_EQUAL(got.calls, expected != NULL);
  CHECK_EQUAL(strcmp(got.text, expected == NULL ? "" : expected), 0);
}

static void put(netcore_cache cache, const char *key, const char *value, uint64_t ttl_ms, const char *tag) {
  netcore_cache_value_options options = NETCORE_CACHE_VALUE_OPTIONS_INIT;
  options.ttl_ms = ttl_ms;
  options.tags = &tag;
  options.tag_count = tag != NULL;
  CHECK_OK(netcore_cache_put_value(cache, key, value, strlen(value), &options));
}

static void test_values(void) {
  check_case = "values";
  char *folder = folder_new();
  netcore_clock clock = 0;
  REQUIRE_OK(netcore_clock_create(NULL, &clock));
  netcore_cache_options options = {.size = sizeof options, .folder = folder, .clock = clock, .value_ttl_ms = 1000};
  netcore_cache cache = 0;
  REQUIRE_OK(netcore_cache_create(&options, &cache));
  check_value(cache, "a", NULL);
  put(cache, "a", "default", 0, NULL);
  put(cache, "b", "short", 10, NULL);
  put(cache, "c", "for ever", NETCORE_CACHE_VALUE_FOREVER, "tag");
  check_value(cache, "a", "default");
  put(cache, "a", "another", 0, NULL);
  CHECK_OK(netcore_clock_advance(clock, 999));
  check_value(cache, "a", "another");
  check_value(cache, "b", NULL);
  CHECK_OK(netcore_clock_advance(clock, 1));
  check_value(cache, "a", NULL);
  CHECK_OK(netcore_cache_destroy(cache));
  REQUIRE_OK(netcore_cache_create(&options, &cache));
  check_value(cache, "c", "for ever");
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_TAG, "tag"));
  check_value(cache, "c", NULL);
  put(cache, "d", "", 0, NULL);
  check_value(cache, "d", "");
  CHECK_OK(netcore_cache_remove_value(cache, "d"));
  CHECK_OK(netcore_cache_remove_value(cache, "d"));
  check_value(cache, "d", NULL);
  CHECK_OK(netcore_cache_destroy(cache));
  CHECK_OK(netcore_clock_destroy(clock));
  folder_remove(folder);
}

static void test_misuse(void) {
  check_case = "misuse";
  netcore_cache cache = 0;
  const char *none[] = {NULL, ""};
  netcore_cache_value_options options = {.size = sizeof options, .tags = none, .tag_count = 1};
  struct got got = {.calls = 0};
  REQUIRE_OK(netcore_cache_create(NULL, &cache));
  CHECK_STATUS(netcore_cache_put_value(cache, "", "", 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_cache_put_value(cache, NULL, "", 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_cache_put_value(cache, "\xff", "", 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_cache_put_value(cache, "a", NULL, 1, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_cache_put_value(cache, "a", "", SIZE_MAX, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_cache_put_value(cache, "a", "", 0, &options), NETCORE_ERR_INVALID_ARGUMENT);
  options.tags = none + 1;
  CHECK_STATUS(netcore_cache_put_value(cache, "a", "", 0, &options), NETCORE_ERR_INVALID_ARGUMENT);
  options.tags = NULL;
  CHECK_STATUS(netcore_cache_put_value(cache, "a", "", 0, &options), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_cache_get_value(cache, "", take, &got), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_cache_get_value(cache, "a", NULL, &got), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_cache_remove_value(cache, ""), NETCORE_ERR_INVALID_ARGUMENT);
  check_value(cache, "a", NULL);
  CHECK_OK(netcore_cache_destroy(cache));
}

int main(void) {
  test_values();
  test_misuse();
  return check_end();
}
