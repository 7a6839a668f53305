/*
 * Arguments other than handles and strings: null pointers, struct sizes, unknown enum values, absurd numbers, and calls
 * that a client's mode does not allow. Each answers the documented status and names the argument.
 */
#include "support.h"

#include <sys/stat.h>

#include "support/cache.h"
#include "support/refusal.h"

static void never(const netcore_completion *completion) {
  (void)completion;
  CHECK(!"a callback of a call that failed runs");
}

static void never_task(netcore_task task, void *user_data) {
  (void)task;
  (void)user_data;
  CHECK(!"a callback of a call that failed runs");
}

static void test_request(netcore_request request) {
  static const netcore_limit unknown[] = {0,
                                          -1,
                                          9,
                                          1000,
                                          INT32_MAX,
                                          INT32_MIN,
                                          NETCORE_LIMIT_TRANSFERS,
                                          NETCORE_LIMIT_TRANSFERS_PER_HOST,
                                          NETCORE_LIMIT_QUEUE_LENGTH};
  static const uint64_t too_long[] = {2147483648u, UINT32_MAX, INT64_MAX, UINT64_MAX};
  static const int32_t no_switch[] = {-1, 2, INT32_MAX, INT32_MIN};
  const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT;
  for (size_t i = 0; i < LENGTH(unknown); i++)
    REFUSES(netcore_request_set_limit, invalid, "limit", request, unknown[i], 1);
  for (size_t i = 0; i < LENGTH(too_long); i++) {
    REFUSES(netcore_request_set_connect_timeout_ms, invalid, "timeout_ms", request, too_long[i]);
    REFUSES(netcore_request_set_first_byte_timeout_ms, invalid, "timeout_ms", request, too_long[i]);
    REFUSES(netcore_request_set_idle_timeout_ms, invalid, "timeout_ms", request, too_long[i]);
    REFUSES(netcore_request_set_total_timeout_ms, invalid, "timeout_ms", request, too_long[i]);
  }
  for (size_t i = 0; i < LENGTH(no_switch); i++) {
    REFUSES(netcore_request_set_follow_redirects, invalid, "follow", request, no_switch[i]);
    REFUSES(netcore_request_set_allow_insecure_redirects, invalid, "allow", request, no_switch[i]);
    REFUSES(netcore_request_set_decode_content, invalid, "decode", request, no_switch[i]);
  }
  REFUSES(netcore_request_set_body, invalid, "data", request, NULL, 1);
  REFUSES(netcore_request_set_body, invalid, "size_bytes", request, "x", SIZE_MAX);
  REFUSES(netcore_request_set_body, invalid, "size_bytes", request, "x", ((size_t)1 << 40) + 1);
  REFUSES(netcore_request_set_interim_responses, invalid, "receive", request, 2);
  REFUSES(netcore_request_set_interim_responses, invalid, "receive", request, -1);
  check_case = "what is at the edge of the allowed";
  CHECK_OK(netcore_request_set_body(request, NULL, 0));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 2147483647));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 0));
  CHECK_OK(netcore_request_set_limit(request, NETCORE_LIMIT_REDIRECTS, UINT64_MAX));
}

/* Options of a client: a change to the defaults, and how it is refused. */
static netcore_client_options options;

static void refuse_options(netcore_status status, const char *argument, int line) {
  CALLING(netcore_client_create);
  check_refused(netcore_client_create(&options, fresh()), status, argument, "", line);
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
}

#define REFUSES_OPTION(member, value, status) \
  (options.member = (value), refuse_options(NETCORE_ERR_##status, #member, __LINE__))

static void test_client_options(void) {
  static const int32_t versions[] = {-1, 1, 9, 10, 12, 21, 30, INT32_MAX};
  static const netcore_tls_version tls_versions[] = {-1, 1, 10, 11, 14, INT32_MAX};
  static const netcore_completion_mode modes[] = {-1, NETCORE_COMPLETION_MODE_LOOP_QUEUE + 1, INT32_MAX};
  static const uint32_t sizes[] = {0, 1, 4, 8, sizeof options - 1, UINT32_MAX};
  static const char *const proxies[] = {"http://",   "http://h:x", "http://a\r\nb", "http://a b", "ftp://h",
                                        "file:///x", "\xFF",       ":::",           "\u00E9",     "http://\u00E9:1"};
  static const char *const codings[] = {" ",        "compress",          "gzip,", "gzip br",
                                        "gzip;q=2", "gzip\r\nX-Evil: 1", "*",     "\xFF"};
  memset(&options, 0, sizeof options);
  for (size_t i = 0; i < LENGTH(sizes); i++) REFUSES_OPTION(size, sizes[i], INVALID_STRUCT);
  for (size_t i = 0; i < LENGTH(versions); i++) REFUSES_OPTION(http_version_max, versions[i], INVALID_ARGUMENT);
  for (size_t i = 0; i < LENGTH(tls_versions); i++) REFUSES_OPTION(tls_min_version, tls_versions[i], INVALID_ARGUMENT);
  for (size_t i = 0; i < LENGTH(modes); i++) REFUSES_OPTION(completions, modes[i], INVALID_ARGUMENT);
  for (size_t i = 0; i < LENGTH(proxies); i++) REFUSES_OPTION(proxy, proxies[i], INVALID_ARGUMENT);
  REFUSES_OPTION(no_proxy, "\xFF", INVALID_ARGUMENT);
  REFUSES_OPTION(user_agent, "\xFF", INVALID_ARGUMENT);
  REFUSES_OPTION(user_agent, "a\r\nX-Evil: 1", INVALID_ARGUMENT);
  REFUSES_OPTION(ca_file, "\xFF", INVALID_ARGUMENT);
  REFUSES_OPTION(ca_file, "/nonexistent/ca.pem", TLS_CONFIG);
  REFUSES_OPTION(ca_file, "", TLS_CONFIG);
  REFUSES_OPTION(ca_folder, "", TLS_CONFIG);
  REFUSES_OPTION(ignore_environment, 2, INVALID_ARGUMENT);
  REFUSES_OPTION(client_certificate_file, "\xFF", INVALID_ARGUMENT);
  REFUSES_OPTION(client_certificate_file, "/nonexistent/client.pem", TLS_CONFIG);
  options.client_certificate_file = peer(CLIENT_CERTIFICATE);
  REFUSES_OPTION(client_key_file, "\xFF", INVALID_ARGUMENT);
  options.client_certificate_file = peer(CLIENT_CERTIFICATE);
  REFUSES_OPTION(client_key_file, "/nonexistent/client.key", TLS_CONFIG);
  REFUSES_OPTION(client_key_password, "\xFF", INVALID_ARGUMENT);
  for (size_t i = 0; i < LENGTH(codings); i++) REFUSES_OPTION(accept_encoding, codings[i], INVALID_ARGUMENT);
  REFUSES_OPTION(hsts_file, "\xFF", INVALID_ARGUMENT);
  REFUSES_OPTION(hsts_file, "/nonexistent/hsts.txt", STORAGE);
  REFUSES_OPTION(hsts_file, "/dev/full", STORAGE);
  REFUSES_OPTION(hsts_file, peer(CA_FILE), STORAGE);
  REFUSES_OPTION(alt_svc_file, "\xFF", INVALID_ARGUMENT);
  REFUSES_OPTION(alt_svc_file, "/", STORAGE);
  REFUSES_OPTION(alt_svc_file, peer(CA_FILE), STORAGE);
  REFUSES(netcore_client_create, NETCORE_ERR_INVALID_ARGUMENT, "out_client", NULL, NULL);

  options.proxy = "ftp://user:hidden@localhost";
  refuse_options(NETCORE_ERR_INVALID_ARGUMENT, "proxy", __LINE__);
  CHECK(strstr(netcore_last_error_message(), "hidden") == NULL);
}

static const char *const not_utf8[] = {"\xFF", "a\xC0\x80", "a\xE2\x82", "\xED\xA0\x80", "\xF5\x80\x80\x80"};

/* Options of a cache: as refuse_options(). */
static netcore_cache_options cache_options;

static void refuse_cache_options(netcore_status status, const char *argument, int line) {
  CALLING(netcore_cache_create);
  check_refused(netcore_cache_create(&cache_options, fresh()), status, argument, "", line);
  memset(&cache_options, 0, sizeof cache_options);
  cache_options.size = sizeof cache_options;
}

#define REFUSES_CACHE_OPTION(member, value, status) \
  (cache_options.member = (value), refuse_cache_options(NETCORE_ERR_##status, #member, __LINE__))

static void test_cache_options(void) {
  static const uint32_t sizes[] = {0, 1, 4, 8, sizeof cache_options - 1, UINT32_MAX};
  static const int32_t no_switch[] = {-1, 2, INT32_MAX, INT32_MIN};
  memset(&cache_options, 0, sizeof cache_options);
  for (size_t i = 0; i < LENGTH(sizes); i++) REFUSES_CACHE_OPTION(size, sizes[i], INVALID_STRUCT);
  for (size_t i = 0; i < LENGTH(no_switch); i++) {
    REFUSES_CACHE_OPTION(is_shared, no_switch[i], INVALID_ARGUMENT);
    REFUSES_CACHE_OPTION(ttl_only, no_switch[i], INVALID_ARGUMENT);
    REFUSES_CACHE_OPTION(writes_synchronously, no_switch[i], INVALID_ARGUMENT);
    REFUSES_CACHE_OPTION(serves_stale_when_disconnected, no_switch[i], INVALID_ARGUMENT);
  }
  for (size_t i = 0; i < LENGTH(not_utf8); i++) {
    netcore_cache_rule rule = {not_utf8[i], 1000};
    REFUSES_CACHE_OPTION(folder, not_utf8[i], INVALID_ARGUMENT);
    REFUSES_CACHE_OPTION(application_version, not_utf8[i], INVALID_ARGUMENT);
    cache_options.rules = &rule;
    cache_options.rule_count = 1, cache_options.rule_size = sizeof rule;
    refuse_cache_options(NETCORE_ERR_INVALID_ARGUMENT, "url_pattern", __LINE__);
  }
  REFUSES_CACHE_OPTION(folder, "", INVALID_ARGUMENT);
  netcore_cache_rule no_pattern = {NULL, 1000};
  cache_options.rules = &no_pattern;
  cache_options.rule_count = 1, cache_options.rule_size = sizeof no_pattern;
  refuse_cache_options(NETCORE_ERR_INVALID_ARGUMENT, "url_pattern", __LINE__);
  cache_options.rule_size = sizeof no_pattern, cache_options.rule_count = 1; /* and no rules */
  refuse_cache_options(NETCORE_ERR_INVALID_ARGUMENT, "rules", __LINE__);
  cache_options.rules = &no_pattern;
  REFUSES_CACHE_OPTION(rule_count, 65537, INVALID_ARGUMENT);
  cache_options.rules = &no_pattern;
  REFUSES_CACHE_OPTION(rule_count, SIZE_MAX, INVALID_ARGUMENT);
  REFUSES(netcore_cache_create, NETCORE_ERR_INVALID_ARGUMENT, "out_cache", NULL, NULL);
}

/* Limits and times without measure, and rules and patterns that make no sense, are taken and do no harm. */
static void test_absurd_cache(char *folder) {
  enum { SIZE = 1 << 20 };
  char *pattern = malloc(SIZE + 1);
  REQUIRE(pattern != NULL);
  memset(pattern, '[', SIZE);
  pattern[SIZE] = '\0';
  const netcore_cache_rule rules[] = {{"", 0}, {"[", UINT64_MAX}, {"\\", 1}, {pattern, 1}, {"*", UINT64_MAX}};
  netcore_cache cache = 0;
  check_case = "absurd options of a cache";
  cache_options = (netcore_cache_options){
      .size = sizeof cache_options, .rules = rules, .rule_count = LENGTH(rules), .rule_size = sizeof rules[0]};
  cache_options.folder = folder;
  cache_options.memory_bytes = cache_options.memory_count = UINT64_MAX;
  cache_options.disk_bytes = cache_options.disk_count = UINT64_MAX;
  CHECK_OK(netcore_cache_create(&cache_options, &cache));
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_QUEUE, cache);
  for (int i = 0; i < 2; i++) {
    struct answer answer = fetch(client, at(ORIGIN, "/bytes/100?mark=absurd"));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.cache_result, i == 0 ? NETCORE_CACHE_RESULT_NOT_CACHED : NETCORE_CACHE_RESULT_HIT);
    answer_free(&answer);
  }
  memset(pattern, 'k', SIZE); /* long strings */
  netcore_request request = request_new("GET", at(ORIGIN, "/bytes/100?mark=absurd"));
  CHECK_OK(netcore_request_set_cache_key(request, pattern));
  CHECK_OK(netcore_request_set_cache_scope(request, pattern));
  CHECK_OK(netcore_request_set_tag(request, pattern));
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL(result_for(client, request), i != 1 ? NETCORE_CACHE_RESULT_NOT_CACHED : NETCORE_CACHE_RESULT_HIT);
    if (i == 1) CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_SCOPE, pattern));
  }
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_TAG, pattern));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  CHECK_OK(netcore_cache_flush(cache));
  CHECK_OK(netcore_request_destroy(request));
  for (netcore_cache_limit limit = 1; limit <= 4; limit++) {
    CHECK_OK(netcore_cache_set_limit(cache, limit, UINT64_MAX));
    CHECK_OK(netcore_cache_set_limit(cache, limit, 0));
  }
  CHECK_OK(netcore_cache_flush(cache));
  CHECK_EQUAL(cache_statistics(cache).memory_count, 0);
  CHECK_EQUAL(cache_statistics(cache).disk_count, 0);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
  free(pattern);
}

/* What libcurl would open on the thread of all transfers, and wait there. */
static void test_not_files(const char *folder) {
  char pipe[4200], file[4200];
  snprintf(pipe, sizeof pipe, "%s/pipe", folder);
  snprintf(file, sizeof file, "%s/file", folder);
  FILE *made = fopen(file, "w");
  REQUIRE(made != NULL && fclose(made) == 0 && mkfifo(pipe, 0600) == 0);
  check_case = "pipes and folders in place of files";
  const char *const not_files[] = {pipe, folder};
  for (size_t i = 0; i < LENGTH(not_files); i++) {
    REFUSES_OPTION(ca_file, not_files[i], TLS_CONFIG);
    REFUSES_OPTION(client_certificate_file, not_files[i], TLS_CONFIG);
    options.client_certificate_file = file;
    REFUSES_OPTION(client_key_file, not_files[i], TLS_CONFIG);
    REFUSES_OPTION(netrc_file, not_files[i], STORAGE);
    REFUSES_OPTION(cookie_file, not_files[i], STORAGE);
    REFUSES_OPTION(hsts_file, not_files[i], STORAGE);
    REFUSES_OPTION(alt_svc_file, not_files[i], STORAGE);
  }
  check_case = "pipes and files in place of folders";
  REFUSES_OPTION(ca_folder, pipe, TLS_CONFIG);
  REFUSES_OPTION(ca_folder, file, TLS_CONFIG);
}

static void test_cache_of_request(netcore_request request) {
  static const netcore_cache_mode unknown[] = {-1, 8, 1000, INT32_MAX, INT32_MIN};
  static const char *const bad_names[] = {"", " ", "X ", "X:", "X\r\nY", "(X)", "X\xC3\xA9"};
  const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT;
  for (size_t i = 0; i < LENGTH(unknown); i++)
    REFUSES(netcore_request_set_cache_mode, invalid, "mode", request, unknown[i]);
  for (size_t i = 0; i < LENGTH(bad_names); i++)
    REFUSES_INPUT(netcore_request_add_cache_key_field, NETCORE_ERR_INVALID_HEADER, "name", bad_names[i], request,
                  bad_names[i]);
  for (size_t i = 0; i < LENGTH(not_utf8); i++) {
    REFUSES_INPUT(netcore_request_add_cache_key_field, invalid, "name", not_utf8[i], request, not_utf8[i]);
    REFUSES_INPUT(netcore_request_set_cache_scope, invalid, "scope", not_utf8[i], request, not_utf8[i]);
    REFUSES_INPUT(netcore_request_set_cache_key, invalid, "key", not_utf8[i], request, not_utf8[i]);
  }
  REFUSES(netcore_request_add_cache_key_field, invalid, "name", request, NULL);
  check_case = "what is at the edge of the allowed for a request's cache";
  static const uint64_t times[] = {0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX};
  for (size_t i = 0; i < LENGTH(times); i++) CHECK_OK(netcore_request_set_cache_ttl_ms(request, times[i]));
  CHECK_OK(netcore_request_set_cache_version(request, UINT32_MAX));
  CHECK_OK(netcore_request_set_cache_version(request, 0));
  CHECK_OK(netcore_request_set_cache_scope(request, ""));
  CHECK_OK(netcore_request_set_cache_scope(request, NULL));
  CHECK_OK(netcore_request_set_cache_key(request, ""));
  CHECK_OK(netcore_request_set_cache_key(request, NULL));
}

static int32_t never_entry(const netcore_cache_entry *entry, void *user_data) {
  (void)entry, (void)user_data;
  CHECK(!"an empty cache lists an entry");
  return 0;
}

static void never_release(void *value) {
  (void)value;
  CHECK(!"a value is released that the cache never owned");
}

static void test_cache(netcore_client without_cache, netcore_request request) {
  static const int32_t unknown_filters[] = {-1, 5, 1000, INT32_MAX, INT32_MIN};
  static const int32_t unknown_limits[] = {-1, 0, 5, 1000, INT32_MAX, INT32_MIN};
  static const uint32_t sizes[] = {0, 1, 4, sizeof(netcore_cache_statistics) - 1, UINT32_MAX};
  const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT;
  netcore_cache cache = cache_new(NULL);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  netcore_cache_result result = 77;
  netcore_cache_statistics statistics;
  for (size_t i = 0; i < LENGTH(unknown_filters); i++)
    REFUSES(netcore_cache_clear, invalid, "filter", cache, unknown_filters[i], "x");
  for (netcore_cache_filter filter = NETCORE_CACHE_FILTER_URL; filter <= NETCORE_CACHE_FILTER_SCOPE; filter++) {
    REFUSES(netcore_cache_clear, invalid, "value", cache, filter, NULL);
    for (size_t i = 0; i < LENGTH(not_utf8); i++)
      REFUSES_INPUT(netcore_cache_clear, invalid, "value", not_utf8[i], cache, filter, not_utf8[i]);
  }
  for (size_t i = 0; i < LENGTH(unknown_limits); i++)
    REFUSES(netcore_cache_set_limit, invalid, "limit", cache, unknown_limits[i], 1);
  REFUSES(netcore_cache_get_statistics, invalid, "out_statistics", cache, NULL);
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    memset(&statistics, 0xA5, sizeof statistics);
    statistics.size = sizes[i];
    REFUSES(netcore_cache_get_statistics, NETCORE_ERR_INVALID_STRUCT, "size", cache, &statistics);
    CHECK(sizes[i] >= sizeof statistics || ((uint8_t *)&statistics)[sizeof statistics - 1] == 0xA5);
  }
  REFUSES(netcore_cache_list, invalid, "fn", cache, NULL, NULL);
  REFUSES(netcore_client_get_cached, invalid, "out_response", client, request, NULL, &result);
  CHECK_EQUAL(result, 0);
  REFUSES(netcore_client_get_cached, NETCORE_ERR_INVALID_STATE, "client", without_cache, request, fresh(), &result);
  check_case = "a cache that is empty, and a client that has ended";
  CHECK_STATUS(netcore_client_get_cached(client, request, fresh(), NULL), NETCORE_ERR_NOT_FOUND);
  CHECK_OK(netcore_cache_list(cache, never_entry, NULL));
  CHECK_OK(netcore_client_shutdown(client));
  CHECK_STATUS(netcore_client_get_cached(client, request, fresh(), &result), NETCORE_ERR_SHUT_DOWN);
  refusal_has_result = false;
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

static void test_client(netcore_client callback, netcore_client pump, netcore_client queue) {
  static const netcore_limit unknown[] = {0, -1, 9, 1000, INT32_MAX, INT32_MIN};
  const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT, state = NETCORE_ERR_INVALID_STATE;
  netcore_completion completion;
  uint32_t count = 77;
  int32_t descriptor = 77;
  for (size_t i = 0; i < LENGTH(unknown); i++)
    REFUSES(netcore_client_set_limit, invalid, "limit", callback, unknown[i], 1);
  REFUSES(netcore_client_set_limit, invalid, "value", callback, NETCORE_LIMIT_TRANSFERS, 0);
  REFUSES(netcore_client_set_limit, invalid, "value", callback, NETCORE_LIMIT_TRANSFERS_PER_HOST, 0);
  REFUSES(netcore_client_get_descriptor, invalid, "out_descriptor", pump, NULL);
  REFUSES(netcore_client_get_descriptor, state, "client", callback, &descriptor);
  CHECK_EQUAL(descriptor, -1);
  REFUSES(netcore_client_process, state, "client", callback, 0, &count);
  CHECK_EQUAL(count, 0);
  count = 77;
  REFUSES(netcore_client_process, state, "client", queue, 0, &count);
  CHECK_EQUAL(count, 0);
  count = 77;
  REFUSES(netcore_client_wait, state, "client", callback, &completion, 1, sizeof(netcore_completion), UINT64_MAX,
          &count);
  CHECK_EQUAL(count, 0);
  REFUSES(netcore_client_wait, state, "client", pump, &completion, 1, sizeof(netcore_completion), UINT64_MAX, &count);
  count = 77;
  REFUSES(netcore_client_wait, invalid, "out_completions", queue, NULL, 1, sizeof(netcore_completion), UINT64_MAX,
          &count);
  CHECK_EQUAL(count, 0);
  count = 77;
  REFUSES(netcore_client_wait, invalid, "capacity", queue, &completion, 0, sizeof(netcore_completion), UINT64_MAX,
          &count);
  CHECK_EQUAL(count, 0);
  REFUSES(netcore_client_wait, invalid, "out_count", queue, &completion, 1, sizeof(netcore_completion), UINT64_MAX,
          NULL);
}

static void test_dispatch(netcore_client client, netcore_client queue, netcore_request request) {
  const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT;
  netcore_task tasks[2] = {77, 77};
  REFUSES(netcore_dispatch, invalid, "done", queue, request, never, NULL, fresh());
  REFUSES(netcore_task_create, invalid, "done", queue, request, never, NULL, fresh());
  REFUSES(netcore_dispatch_many, invalid, "done", queue, &request, 1, never, NULL, fresh());
  REFUSES(netcore_dispatch_many, invalid, "requests", client, NULL, 2, never, NULL, tasks);
  CHECK(tasks[0] == 0 && tasks[1] == 0);
  REFUSES(netcore_dispatch_many, invalid, "count", client, &request, 16777217, never, NULL, NULL);
  REFUSES(netcore_dispatch_many, invalid, "count", client, &request, SIZE_MAX, never, NULL, NULL);
  REFUSES(netcore_dispatch_many, invalid, "count", client, &request, SIZE_MAX / 8 + 2, never, NULL, NULL);
  REFUSES(netcore_perform, invalid, "out_response", client, request, NULL);
  netcore_response response = 77;
  netcore_response_info info = {.size = sizeof info - 1};
  REFUSES(netcore_perform_for, invalid, "out_task", client, request, 0, NULL, &response, NULL);
  CHECK_EQUAL(response, 0);
  REFUSES(netcore_perform_for, invalid, "out_response", client, request, 0, fresh(), NULL, NULL);
  REFUSES(netcore_perform_for, NETCORE_ERR_INVALID_STRUCT, "size", client, request, 0, fresh(), &response, &info);
  check_case = "none at once";
  CHECK_OK(netcore_dispatch_many(client, NULL, 0, never, NULL, NULL));
}

static void test_task_info(netcore_task task) {
  static const uint32_t sizes[] = {0, 1, 4, sizeof(netcore_task_info) - 1, UINT32_MAX};
  netcore_task_info info;
  REFUSES(netcore_task_get_info, NETCORE_ERR_INVALID_ARGUMENT, "out_info", task, NULL);
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    memset(&info, 0xA5, sizeof info);
    info.size = sizes[i];
    REFUSES(netcore_task_get_info, NETCORE_ERR_INVALID_STRUCT, "size", task, &info);
    /* Nothing is written behind the size that was given. */
    CHECK(sizes[i] >= sizeof info || ((uint8_t *)&info)[sizeof info - 1] == 0xA5);
  }
}

static void test_group(netcore_client client, netcore_client queue, netcore_request request) {
  static const netcore_status unknown[] = {-1, 1, 99, 109, 699, 5000, INT32_MAX, INT32_MIN};
  static const uint32_t sizes[] = {0, 4, sizeof(netcore_group_info) - 1, UINT32_MAX};
  const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT, state = NETCORE_ERR_INVALID_STATE;
  netcore_group group = 0, queue_group = 0;
  netcore_task host = 0, member = 0;
  netcore_group_info info;
  REFUSES(netcore_group_create, invalid, "out_group", client, NULL);
  check_case = "groups to misuse";
  CHECK_OK(netcore_group_create(client, &group));
  CHECK_OK(netcore_group_create(queue, &queue_group));
  REFUSES(netcore_group_add, invalid, "done", queue_group, request, never, NULL, fresh());
  REFUSES(netcore_group_add_application_task, invalid, "resume", queue_group, never_task, NULL, NULL, NULL, fresh());
  REFUSES(netcore_group_add_application_task, invalid, "cancel", queue_group, NULL, never_task, NULL, NULL, fresh());
  REFUSES(netcore_group_add_application_task, invalid, "done", queue_group, NULL, NULL, never, NULL, fresh());
  REFUSES(netcore_group_dispatch, invalid, "notify", queue_group, never, NULL);
  REFUSES(netcore_group_get_info, invalid, "out_info", group, NULL);
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    memset(&info, 0xA5, sizeof info);
    info.size = sizes[i];
    REFUSES(netcore_group_get_info, NETCORE_ERR_INVALID_STRUCT, "size", group, &info);
    CHECK(sizes[i] >= sizeof info || ((uint8_t *)&info)[sizeof info - 1] == 0xA5);
  }
  check_case = "members to misuse";
  CHECK_OK(netcore_group_add_application_task(group, NULL, NULL, NULL, NULL, &host));
  CHECK_OK(netcore_group_add(group, request, NULL, NULL, &member));
  REFUSES(netcore_task_complete, state, "task", host, NETCORE_OK);
  REFUSES(netcore_task_complete, state, "task", member, NETCORE_OK);
  REFUSES(netcore_task_dispatch, state, "task", member);
  REFUSES(netcore_task_dispatch, state, "task", host);

  check_case = "a running application task to misuse";
  CHECK_OK(netcore_group_create(client, &group));
  CHECK_OK(netcore_group_add_application_task(group, NULL, NULL, NULL, NULL, &host));
  CHECK_OK(netcore_group_dispatch(group, NULL, NULL));
  for (size_t i = 0; i < LENGTH(unknown); i++) REFUSES(netcore_task_complete, invalid, "status", host, unknown[i]);
  REFUSES(netcore_task_dispatch, state, "task", host);
  CHECK_OK(netcore_task_complete(host, NETCORE_OK));
}

static void test_response(netcore_client client) {
  const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT;
  struct answer answer = fetch(client, at(ORIGIN, "/headers?X-One=1"));
  netcore_bytes value;
  netcore_response_info info = {.size = sizeof info - 1};
  netcore_error error = {.size = 4};
  netcore_response response = answer.response;
  REFUSES(netcore_response_get_info, invalid, "out_info", response, NULL);
  REFUSES(netcore_response_get_info, NETCORE_ERR_INVALID_STRUCT, "size", response, &info);
  info.size = UINT32_MAX;
  REFUSES(netcore_response_get_info, NETCORE_ERR_INVALID_STRUCT, "size", response, &info);
  REFUSES(netcore_response_get_error, invalid, "out_error", response, NULL);
  REFUSES(netcore_response_get_error, NETCORE_ERR_INVALID_STRUCT, "size", response, &error);
  REFUSES(netcore_response_get_header, invalid, "name", response, NULL, 0, &value);
  REFUSES(netcore_response_get_header, invalid, "out_value", response, "X-One", 0, NULL);
#define CHECK_NOT_FOUND(function, argument, ...) \
  (memset(&value, 0xA5, sizeof value), REFUSES(function, NETCORE_ERR_NOT_FOUND, argument, response, __VA_ARGS__), \
   CHECK(value.data == NULL && value.size_bytes == 0))
  CHECK_NOT_FOUND(netcore_response_get_header, "name", "X-Two", 0, &value);
  CHECK_NOT_FOUND(netcore_response_get_header, "name", "", 0, &value);
  CHECK_NOT_FOUND(netcore_response_get_header, "name", "\xFF", 0, &value);
  CHECK_NOT_FOUND(netcore_response_get_header, "index", "X-One", 1, &value);
  CHECK_NOT_FOUND(netcore_response_get_header, "index", "X-One", UINT32_MAX, &value);
  CHECK_NOT_FOUND(netcore_response_get_header_at, "index", answer.info.header_count, NULL, &value);
  CHECK_NOT_FOUND(netcore_response_get_header_at, "index", UINT32_MAX, &value, NULL);
  CHECK_NOT_FOUND(netcore_response_get_trailer_at, "index", 0, &value, NULL);
  void *cached = &info;
  REFUSES(netcore_response_set_cached_value, NETCORE_ERR_NOT_FOUND, "response", response, &info, 1, never_release);
  REFUSES(netcore_response_get_cached_value, NETCORE_ERR_NOT_FOUND, "response", response, &cached);
  CHECK(cached == NULL);
  REFUSES(netcore_response_get_cached_value, invalid, "out_value", response, NULL);
  check_case = "either out pointer may be null";
  CHECK_OK(netcore_response_get_header_at(response, 0, NULL, NULL));
  answer_free(&answer);
}

static void test_building(netcore_client client, netcore_request request) {
  static const char *const bad_references[] = {"http://h/", "HTTPS://h", "//h/x", "a:b", "ftp:x"};
  static const char *const bad_names[] = {"", " ", "a b", "{id}", "a-b", "\xC3\xA9"};
  static const char *const bad_json[] = {"", " ", "{", "[1,]", "1 2", "nul", "{\"a\":1,\"a\":2}", "'a'"};
  const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT;
  const double infinite = 1e308 * 10;
  check_case = "what requests are built from";
  for (size_t i = 0; i < LENGTH(bad_references); i++)
    REFUSES_INPUT(netcore_request_create_relative, NETCORE_ERR_INVALID_URL, "url", bad_references[i], "GET", NULL,
                  bad_references[i], fresh());
  REFUSES(netcore_request_create_relative, NETCORE_ERR_INVALID_METHOD, "method", "G T", NULL, "/", fresh());
  REFUSES(netcore_request_create_relative, invalid, "method", NULL, NULL, "/", fresh());
  REFUSES(netcore_request_create_relative, invalid, "reference", "GET", NULL, NULL, fresh());
  REFUSES(netcore_request_create_relative, invalid, "service", "GET", "", "/", fresh());
  REFUSES(netcore_request_create_relative, invalid, "out_request", "GET", NULL, "/", NULL);
  REFUSES(netcore_request_set_base_url, NETCORE_ERR_INVALID_URL, "base_url", request, "/relative");
  REFUSES(netcore_request_set_base_url, NETCORE_ERR_INVALID_SCHEME, "base_url", request, "ftp://h/");
  for (int value = -1; value <= 2; value += 3) {
    REFUSES(netcore_request_set_use_cdn, invalid, "use_cdn", request, value);
    REFUSES(netcore_request_set_use_https, invalid, "use_https", request, value);
    REFUSES(netcore_request_set_bare, invalid, "is_bare", request, value);
    REFUSES(netcore_request_add_param_bool, invalid, "value", request, "a", value);
  }
  for (int value = -1; value <= 3; value += 4)
    REFUSES(netcore_request_set_serializer, invalid, "serializer", request, value);
  for (int value = -1; value <= 2; value += 3)
    REFUSES(netcore_request_set_param_nesting, invalid, "nesting", request, value);
  for (size_t i = 0; i < LENGTH(bad_names); i++)
    REFUSES_INPUT(netcore_request_set_path_value, invalid, "name", bad_names[i], request, bad_names[i], "1");
  REFUSES(netcore_request_set_path_value, invalid, "value", request, "id", NULL);
  for (size_t i = 0; i < LENGTH(bad_json); i++)
    REFUSES_INPUT(netcore_request_add_param_json, invalid, "value", bad_json[i], request, "a", bad_json[i]);
  REFUSES(netcore_request_add_param_double, invalid, "value", request, "a", infinite);
  REFUSES(netcore_request_add_param_double, invalid, "value", request, "a", infinite - infinite);
  REFUSES(netcore_request_add_param, invalid, "name", request, "", "1");
  REFUSES(netcore_request_add_param, invalid, "value", request, "a", NULL);
  REFUSES(netcore_request_add_param_int, invalid, "name", request, NULL, 1);
  REFUSES(netcore_request_add_param_null, invalid, "name", request, NULL);
  REFUSES(netcore_request_remove_param, invalid, "name", request, NULL);
  REFUSES(netcore_client_add_service, invalid, "service", client, "", "test", "http://h/", NULL);
  REFUSES(netcore_client_add_service, invalid, "environment", client, "a", NULL, "http://h/", NULL);
  REFUSES(netcore_client_add_service, invalid, "base_url", client, "a", "test", NULL, NULL);
  REFUSES(netcore_client_add_service, NETCORE_ERR_INVALID_URL, "base_url", client, "a", "test", "/", NULL);
  REFUSES(netcore_client_add_service, NETCORE_ERR_INVALID_SCHEME, "cdn_url", client, "a", "test", "http://h/",
          "ftp://h/");
  REFUSES(netcore_client_select_service, NETCORE_ERR_NOT_FOUND, "service", client, "none");
  REFUSES(netcore_client_select_service, invalid, "service", client, NULL);
  REFUSES(netcore_client_select_environment, NETCORE_ERR_NOT_FOUND, "environment", client, "none");
  REFUSES(netcore_client_select_next_service, NETCORE_ERR_INVALID_STATE, "client", client);
  REFUSES(netcore_client_select_next_environment, NETCORE_ERR_INVALID_STATE, "client", client);
  REFUSES(netcore_client_set_header, NETCORE_ERR_INVALID_HEADER, "name", client, "A B", "1");
  REFUSES(netcore_client_set_header, NETCORE_ERR_INVALID_HEADER, "value", client, "X-A", "1\r\nX-B: 2");
  REFUSES(netcore_client_set_header, NETCORE_ERR_INVALID_HEADER, "name", client, "Content-Length", "1");
  REFUSES(netcore_client_set_param, invalid, "name", client, "", "1");
  for (size_t i = 0; i < LENGTH(not_utf8); i++) {
    REFUSES_INPUT(netcore_request_create_relative, invalid, "reference", not_utf8[i], "GET", NULL, not_utf8[i],
                  fresh());
    REFUSES_INPUT(netcore_request_add_param, invalid, "name", not_utf8[i], request, not_utf8[i], "1");
    REFUSES_INPUT(netcore_request_add_param, invalid, "value", not_utf8[i], request, "a", not_utf8[i]);
    REFUSES_INPUT(netcore_request_set_path_value, invalid, "value", not_utf8[i], request, "a", not_utf8[i]);
    REFUSES_INPUT(netcore_client_set_param, invalid, "value", not_utf8[i], client, "a", not_utf8[i]);
    REFUSES_INPUT(netcore_client_add_service, invalid, "service", not_utf8[i], client, not_utf8[i], "t", "http://h/",
                  NULL);
  }
}

int main(void) {
  check_begin();
  netcore_client callback = client_new(NETCORE_COMPLETION_MODE_CALLBACK),
                 pump = client_new(NETCORE_COMPLETION_MODE_PUMP);
  netcore_client queue = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  const char *target = marked("/echo", "bad-input");
  netcore_request request = request_new("GET", at(ORIGIN, target));
  netcore_task task = 0;
  REQUIRE_OK(netcore_task_create(callback, request, NULL, NULL, &task));
  test_request(request);
  test_client_options();
  test_cache_options();
  test_absurd_cache(NULL);
  char *folder = folder_new();
  test_absurd_cache(folder);
  test_not_files(folder);
  folder_remove(folder);
  test_cache_of_request(request);
  test_building(callback, request);
  test_cache(callback, request);
  test_client(callback, pump, queue);
  test_dispatch(callback, queue, request);
  test_task_info(task);
  test_group(callback, queue, request);
  test_response(callback);
  REFUSES(netcore_task_complete, NETCORE_ERR_INVALID_STATE, "task", task, NETCORE_OK);

  check_case = "nothing was sent";
  CHECK_EQUAL(requests_seen(callback, target), 0);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(callback));
  CHECK_OK(netcore_client_destroy(pump));
  CHECK_OK(netcore_client_destroy(queue));
  return check_end();
}
