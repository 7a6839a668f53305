/* What a client sets for all its requests, and several tags. */
#include "support.h"
#include "support/cache.h"

static netcore_request_info sent_info(netcore_client client, netcore_request request, netcore_request *out_resolved) {
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  REQUIRE_OK(netcore_client_resolve_request(client, request, out_resolved));
  CHECK_OK(netcore_request_get_info(*out_resolved, &info));
  return info;
}

static void test_defaults(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request defaults = 0, resolved = 0, read = 77, request = request_new("GET", at(ORIGIN, "/echo"));
  check_case = "no defaults";
  CHECK_STATUS(netcore_client_get_request_defaults(client, &read), NETCORE_ERR_NOT_FOUND);
  CHECK_EQUAL(read, 0);
  check_case = "defaults";
  REQUIRE_OK(netcore_request_create_relative("GET", NULL, "", &defaults));
  CHECK_OK(netcore_request_set_total_timeout_ms(defaults, 5000));
  CHECK_OK(netcore_request_set_connect_timeout_ms(defaults, 3000));
  CHECK_OK(netcore_request_set_follow_redirects(defaults, 0));
  CHECK_OK(netcore_request_set_cache_ttl_ms(defaults, 60000));
  CHECK_OK(netcore_request_set_decode_content(defaults, 0));
  CHECK_OK(netcore_request_set_header(defaults, "X-Unused", "1"));
  CHECK_OK(netcore_client_set_request_defaults(client, defaults));
  CHECK_OK(netcore_request_destroy(defaults));
  netcore_request_info info = sent_info(client, request, &resolved);
  CHECK_EQUAL(info.total_timeout_ms, 5000);
  CHECK_EQUAL(info.connect_timeout_ms, 3000);
  CHECK_EQUAL(info.idle_timeout_ms, 60000);
  CHECK_EQUAL(info.cache_ttl_ms, 60000);
  CHECK(info.follow_redirects == 0 && info.decode_content == 0 && info.header_count == 0);
  CHECK_OK(netcore_request_destroy(resolved));
  check_case = "the request's own win, also where they are netcore's defaults";
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 0));
  CHECK_OK(netcore_request_set_connect_timeout_ms(request, 10000));
  CHECK_OK(netcore_request_set_follow_redirects(request, 1));
  info = sent_info(client, request, &resolved);
  CHECK(info.total_timeout_ms == 0 && info.connect_timeout_ms == 10000 && info.follow_redirects == 1);
  CHECK_EQUAL(info.decode_content, 0);
  CHECK_OK(netcore_request_destroy(resolved));
  check_case = "defaults can be read, and taken away";
  REQUIRE_OK(netcore_client_get_request_defaults(client, &read));
  CHECK_OK(netcore_request_get_info(read, &info));
  CHECK(info.total_timeout_ms == 5000 && info.idle_timeout_ms == 60000);
  CHECK_OK(netcore_request_destroy(read));
  CHECK_STATUS(netcore_client_set_request_defaults(client, read), NETCORE_ERR_INVALID_HANDLE);
  defaults = request_new("GET", at(ORIGIN, "/"));
  CHECK_OK(netcore_client_set_request_defaults(client, defaults));
  CHECK_OK(netcore_request_destroy(defaults));
  CHECK_STATUS(netcore_client_get_request_defaults(client, &read), NETCORE_ERR_NOT_FOUND);
  info = sent_info(client, request, &resolved);
  CHECK_EQUAL(info.decode_content, 1);
  CHECK_OK(netcore_request_destroy(resolved));
  CHECK_OK(netcore_request_destroy(request));

  check_case = "a redirect that the default leaves alone";
  REQUIRE_OK(netcore_request_create_relative("GET", NULL, "", &defaults));
  CHECK_OK(netcore_request_set_follow_redirects(defaults, 0));
  CHECK_OK(netcore_client_set_request_defaults(client, defaults));
  CHECK_OK(netcore_request_destroy(defaults));
  struct answer answer = fetch(client, at(ORIGIN, "/redirect/302?to=/echo"));
  CHECK_EQUAL(answer.info.http_status, 302);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_params_in_query(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  int32_t in_query = 77;
  check_case = "default parameters in the query of a POST";
  CHECK_OK(netcore_client_get_params_in_query(client, &in_query));
  CHECK_EQUAL(in_query, 0);
  CHECK_OK(netcore_client_set_param(client, "key", "k"));
  CHECK_OK(netcore_client_set_params_in_query(client, 1));
  CHECK_STATUS(netcore_client_set_params_in_query(client, 2), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_client_get_params_in_query(client, &in_query));
  CHECK_EQUAL(in_query, 1);
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  struct answer answer = perform_once(client, request);
  CHECK(body_has(&answer, "/echo?key=k\"") && body_has(&answer, "\"a=1\""));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void count_end(const netcore_completion *completion) { CHECK_STATUS(completion->status, NETCORE_ERR_CANCELED); }

static void test_tags(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("GET", at(ORIGIN, "/delay/30000"));
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  uint32_t count = 77;
  check_case = "several tags";
  CHECK_OK(netcore_request_add_tag(request, "a"));
  CHECK_OK(netcore_request_add_tag(request, "b"));
  CHECK_OK(netcore_request_add_tag(request, "a"));
  CHECK_STATUS(netcore_request_add_tag(request, ""), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_tag(request, "c\x1F"), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_tag(request, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_TEXT(info.tag, "a");
  CHECK_EQUAL(info.tag_count, 2);
  CHECK(info.tags.size_bytes == 4 && memcmp(info.tags.data, "a\0b", 4) == 0);
  CHECK_OK(netcore_dispatch(client, request, count_end, NULL, NULL));
  CHECK_OK(netcore_request_set_tag(request, "c"));
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK(info.tags.size_bytes == 2 && info.tag_count == 1);
  CHECK_OK(netcore_dispatch(client, request, count_end, NULL, NULL));
  CHECK_OK(netcore_client_cancel_tag(client, "b", &count));
  CHECK_EQUAL(count, 1);
  CHECK_OK(netcore_client_cancel_tag(client, "a", &count));
  CHECK_EQUAL(count, 0);
  CHECK_OK(netcore_client_cancel_tag(client, "c", &count));
  CHECK_EQUAL(count, 1);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static int32_t count_tags(const netcore_cache_entry *entry, void *user_data) {
  int *counts = user_data;
  counts[0]++;
  if (strcmp(entry->tag, "a") == 0 && entry->tags.size_bytes == 4 && memcmp(entry->tags.data, "a\0b", 4) == 0)
    counts[1]++;
  return 1;
}

/* In memory and on disk. */
static void test_cached_tags(const char *folder) {
  netcore_cache cache = cache_new(folder);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  netcore_request request = request_new("GET", at(ORIGIN, "/bytes/10?tagged"));
  int counts[2] = {0};
  check_case = folder == NULL ? "tags of answers in memory" : "tags of answers on disk";
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 600000));
  CHECK_OK(netcore_request_add_tag(request, "a"));
  CHECK_OK(netcore_request_add_tag(request, "b"));
  struct answer answer = perform(client, request);
  answer_free(&answer);
  CHECK_OK(netcore_cache_flush(cache));
  CHECK_OK(netcore_cache_list(cache, count_tags, counts));
  CHECK(counts[0] >= 1 && counts[0] == counts[1]);
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_TAG, "ab"));
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_TAG, ""));
  answer = perform(client, request);
  CHECK_EQUAL(answer.info.cache_result, NETCORE_CACHE_RESULT_HIT);
  answer_free(&answer);
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_TAG, "b"));
  CHECK_OK(netcore_cache_flush(cache));
  answer = perform_once(client, request);
  CHECK_EQUAL(answer.info.cache_result, NETCORE_CACHE_RESULT_NOT_CACHED);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

int main(void) {
  check_begin();
  test_defaults();
  test_params_in_query();
  test_tags();
  test_cached_tags(NULL);
  char *folder = folder_new();
  test_cached_tags(folder);
  folder_remove(folder);
  return check_end();
}
