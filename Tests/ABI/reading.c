/*
 * What can be set can be read, copied, added to, and kept from a single request; and what a thread was lent of a request stays,
 * whatever others do with the request.
 */
#include "support.h"

#include <pthread.h>

static netcore_client client;

static netcore_request_info request_info(netcore_request request) {
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  CHECK_OK(netcore_request_get_info(request, &info));
  return info;
}

static void set_all(netcore_request request) {
  CHECK_OK(netcore_request_set_base_url(request, "http://base.test/"));
  CHECK_OK(netcore_request_set_tag(request, "tag"));
  CHECK_OK(netcore_request_add_invalidated_tag(request, "one"));
  CHECK_OK(netcore_request_add_invalidated_tag(request, "two"));
  CHECK_OK(netcore_request_add_invalidated_tag(request, "one"));
  CHECK_OK(netcore_request_set_allowed_interface(request, "lo"));
  CHECK_OK(netcore_request_set_cache_scope(request, "scope"));
  CHECK_OK(netcore_request_set_cache_key(request, "key"));
  CHECK_OK(netcore_request_set_connect_timeout_ms(request, 1));
  CHECK_OK(netcore_request_set_first_byte_timeout_ms(request, 2));
  CHECK_OK(netcore_request_set_idle_timeout_ms(request, 3));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 4));
  CHECK_OK(netcore_request_set_max_receive_rate(request, 5));
  CHECK_OK(netcore_request_set_max_send_rate(request, 6));
  CHECK_OK(netcore_request_set_progress_interval_ms(request, 7));
  CHECK_OK(netcore_request_set_min_receive_rate(request, 11, 12));
  CHECK_OK(netcore_request_set_body_gzip(request, 8));
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 9));
  CHECK_OK(netcore_request_set_user_info(request, &client));
  CHECK_OK(netcore_request_set_auth(request, NETCORE_AUTH_DIGEST, "user", "secret"));
  CHECK_OK(netcore_request_set_serializer(request, NETCORE_SERIALIZER_JSON));
  CHECK_OK(netcore_request_set_param_nesting(request, NETCORE_PARAM_NESTING_BRACKETS));
  CHECK_OK(netcore_request_set_priority(request, NETCORE_PRIORITY_LOW));
  CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_RELOAD));
  CHECK_OK(netcore_request_set_cache_version(request, 10));
  CHECK_OK(netcore_request_set_cache_errors(request, 1));
  CHECK_OK(netcore_request_set_use_cdn(request, 1));
  CHECK_OK(netcore_request_set_use_https(request, 1));
  CHECK_OK(netcore_request_set_bare(request, 1));
  CHECK_OK(netcore_request_set_follow_redirects(request, 0));
  CHECK_OK(netcore_request_set_allow_insecure_redirects(request, 1));
  CHECK_OK(netcore_request_set_decode_content(request, 0));
  CHECK_OK(netcore_request_set_interim_responses(request, 1));
  CHECK_OK(netcore_request_set_use_cookies(request, 0));
  CHECK_OK(netcore_request_set_allow_metered(request, 0));
  CHECK_OK(netcore_request_set_sent_once(request, 1));
  CHECK_OK(netcore_request_set_expect_continue(request, 13));
  CHECK_OK(netcore_request_set_duplicates(request, NETCORE_DUPLICATES_CANCEL_OLD));
  CHECK_OK(netcore_request_set_rate_key(request, "r"));
  CHECK_OK(netcore_request_set_accepted_statuses(request, "2xx, 404"));
  CHECK_OK(netcore_request_set_accepted_content_types(request, "text/html, text/*"));
  CHECK_OK(netcore_request_set_body_sha256(request, ""));
  CHECK_OK(netcore_request_set_json_shape(request, "[\"any\"]"));
  CHECK_OK(netcore_request_set_drop_nulls(request, 1));
  netcore_min_interval minimum = {.size = sizeof minimum, .wait = 1, .interval_ms = 1500, .key = "k"};
  CHECK_OK(netcore_request_set_min_interval(request, &minimum));
  CHECK_OK(netcore_request_set_allow_unclean_end(request, 1));
  CHECK_OK(netcore_request_set_header(request, "X-A", "1"));
  CHECK_OK(netcore_request_set_body(request, "body", 4));
}

static void check_all(netcore_request request) {
  netcore_request_info info = request_info(request);
  CHECK_TEXT(info.method, "PUT");
  CHECK_TEXT(info.url, "/items");
  CHECK_TEXT(info.service, "shop");
  CHECK_TEXT(info.base_url, "http://base.test/");
  CHECK_TEXT(info.tag, "tag");
  CHECK(info.invalidated_tag_count == 2 && info.invalidated_tags.size_bytes == 8);
  CHECK(memcmp(info.invalidated_tags.data, "one\0two", 8) == 0);
  CHECK_TEXT(info.allowed_interface, "lo");
  CHECK_TEXT(info.cache_scope, "scope");
  CHECK_TEXT(info.cache_key, "key");
  CHECK_TEXT(info.body, "body");
  CHECK_EQUAL(info.header_count, 1);
  const uint64_t numbers[] = {info.connect_timeout_ms,   info.first_byte_timeout_ms, info.idle_timeout_ms,
                              info.total_timeout_ms,     info.max_receive_rate,      info.max_send_rate,
                              info.progress_interval_ms, info.gzip_minimum_bytes,    info.cache_ttl_ms,
                              info.cache_version};
  for (size_t i = 0; i < LENGTH(numbers); i++) CHECK_EQUAL(numbers[i], i + 1);
  CHECK(info.min_receive_rate == 11 && info.min_receive_rate_window_ms == 12);
  CHECK(info.user_info == &client);
  CHECK_EQUAL(info.auth, NETCORE_AUTH_DIGEST);
  CHECK_EQUAL(info.serializer, NETCORE_SERIALIZER_JSON);
  CHECK_EQUAL(info.param_nesting, NETCORE_PARAM_NESTING_BRACKETS);
  CHECK_EQUAL(info.priority, NETCORE_PRIORITY_LOW);
  CHECK_EQUAL(info.cache_mode, NETCORE_CACHE_MODE_RELOAD);
  CHECK(info.cache_errors == 1 && info.use_cdn == 1 && info.use_https == 1 && info.is_bare == 1);
  CHECK(info.follow_redirects == 0 && info.allow_insecure_redirects == 1 && info.decode_content == 0);
  CHECK(info.interim_responses == 1 && info.use_cookies == 0 && info.allow_metered == 0 && info.sent_once == 1);
  CHECK_EQUAL(info.duplicates, NETCORE_DUPLICATES_CANCEL_OLD);
  CHECK(info.rate_key.size_bytes == 1 && info.rate_key.data[0] == 'r');
  CHECK_TEXT(info.accepted_statuses, "200-299,404");
  CHECK_TEXT(info.accepted_content_types, "text/html,text/*");
  CHECK_TEXT(info.body_sha256, "");
  CHECK_EQUAL(info.has_body_sha256, 1);
  CHECK_TEXT(info.json_shape, "[\"any\"]");
  CHECK(info.has_validator == 0 && info.drop_nulls == 1 && info.has_filter == 0);
  CHECK(info.min_interval_ms == 1500 && info.min_interval_wait == 1);
  CHECK(info.min_interval_key.size_bytes == 1 && strcmp((const char *)info.min_interval_key.data, "k") == 0);
  CHECK_EQUAL(info.allow_unclean_end, 1);
  CHECK_EQUAL(info.expect_continue_ms, 13);
}

static void test_requests(void) {
  netcore_request request = 0, copy = 0;
  check_case = "what a new request says";
  REQUIRE_OK(netcore_request_create_relative("PUT", "shop", "/items", &request));
  netcore_request_info info = request_info(request);
  CHECK_TEXT(info.base_url, "");
  CHECK(info.tag.data != NULL && info.tag.data[0] == '\0');
  CHECK_EQUAL(info.connect_timeout_ms, 10000);
  CHECK_EQUAL(info.total_timeout_ms, 0);
  CHECK(info.progress_interval_ms == UINT64_MAX && info.gzip_minimum_bytes == UINT64_MAX);
  CHECK(info.cache_ttl_ms == UINT64_MAX && info.max_send_rate == 0 && info.auth == NETCORE_AUTH_NONE);
  CHECK(info.follow_redirects == 1 && info.decode_content == 1 && info.use_cookies == 1 && info.allow_metered == 1);
  CHECK(info.is_bare == 0 && info.sent_once == 0 && info.cache_errors == 0);
  CHECK_EQUAL(info.allow_unclean_end, 0);
  CHECK_TEXT(info.accepted_statuses, "");
  CHECK_TEXT(info.body_sha256, "");
  CHECK_EQUAL(info.has_body_sha256, 0);
  CHECK_TEXT(info.json_shape, "");
  CHECK(info.has_validator == 0 && info.drop_nulls == 0);
  CHECK_EQUAL(info.expect_continue_ms, 0);

  check_case = "what was set";
  set_all(request);
  check_all(request);
  check_case = "a copy";
  CHECK_OK(netcore_request_copy(request, &copy));
  CHECK(copy != request);
  CHECK_OK(netcore_request_set_tag(request, "other"));
  CHECK_OK(netcore_request_destroy(request));
  check_all(copy);
  CHECK_OK(netcore_request_destroy(copy));
  CHECK_STATUS(netcore_request_copy(request, &copy), NETCORE_ERR_INVALID_HANDLE);
  CHECK_EQUAL(copy, 0);
}

static void test_bodies(void) {
  netcore_request request = request_new("POST", "http://127.0.0.1/"), copy = 0;
  netcore_part_info part = NETCORE_PART_INFO_INIT;
  check_case = "bodies and the fields of the cache's key";
  netcore_request_info info = request_info(request);
  CHECK_EQUAL(info.body_kind, NETCORE_BODY_KIND_NONE);
  CHECK_TEXT(info.body_file, "");
  CHECK_TEXT(info.cache_key_fields, "");
  CHECK_OK(netcore_request_set_body(request, "body", 4));
  CHECK_EQUAL(request_info(request).body_kind, NETCORE_BODY_KIND_BYTES);
  CHECK_OK(netcore_request_set_body_file(request, "/tmp/a file"));
  CHECK_OK(netcore_request_add_cache_key_field(request, "Accept"));
  CHECK_OK(netcore_request_add_cache_key_field(request, "X-B"));
  info = request_info(request);
  CHECK_EQUAL(info.body_kind, NETCORE_BODY_KIND_FILE);
  CHECK_TEXT(info.body_file, "/tmp/a file");
  CHECK_EQUAL(info.body.size_bytes, 0);
  CHECK_EQUAL(info.cache_key_field_count, 2);
  CHECK(info.cache_key_fields.size_bytes == 11 && memcmp(info.cache_key_fields.data, "Accept\0X-B", 11) == 0);
  CHECK_STATUS(netcore_request_get_part_at(request, 0, &part), NETCORE_ERR_NOT_FOUND);

  check_case = "parts";
  const netcore_part_header header = {"X-Part", "1"};
  netcore_part_options options = NETCORE_PART_OPTIONS_INIT;
  options.file_name = "n.txt";
  options.headers = &header;
  options.header_count = 1;
  options.header_size = sizeof header;
  CHECK_OK(netcore_request_add_part(request, "title", "Notes", 5, NULL));
  CHECK_OK(netcore_request_add_part(request, "notes", "a\0b", 3, &options));
  CHECK_OK(netcore_request_add_file_part(request, "photo", "/tmp/photo.png", NULL));
  info = request_info(request);
  CHECK_EQUAL(info.body_kind, NETCORE_BODY_KIND_PARTS);
  CHECK_EQUAL(info.part_count, 3);
  CHECK_TEXT(info.body_file, "");
  CHECK_OK(netcore_request_copy(request, &copy));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_request_get_part_at(copy, 0, &part));
  CHECK_EQUAL(part.kind, NETCORE_BODY_KIND_BYTES);
  CHECK_TEXT(part.name, "title");
  CHECK_TEXT(part.data, "Notes");
  CHECK_TEXT(part.file_name, "");
  CHECK_TEXT(part.content_type, "");
  CHECK_OK(netcore_request_get_part_at(copy, 1, &part));
  CHECK(part.data.size_bytes == 3 && memcmp(part.data.data, "a\0b", 3) == 0);
  CHECK_TEXT(part.file_name, "n.txt");
  CHECK(part.headers.size_bytes == 9 && memcmp(part.headers.data, "X-Part\0001", 9) == 0);
  CHECK_OK(netcore_request_get_part_at(copy, 2, &part));
  CHECK_EQUAL(part.kind, NETCORE_BODY_KIND_FILE);
  CHECK_TEXT(part.path, "/tmp/photo.png");
  CHECK_TEXT(part.file_name, "photo.png");
  CHECK_TEXT(part.content_type, "application/octet-stream");
  CHECK_STATUS(netcore_request_get_part_at(copy, 3, &part), NETCORE_ERR_NOT_FOUND);
  CHECK_EQUAL(part.name.size_bytes, 0);
  CHECK_STATUS(netcore_request_get_part_at(copy, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_destroy(copy));
}

/* "name=value;" of each, to a user_data of 200 bytes. */
static int32_t append(const char *name, const char *value, void *user_data) {
  char *text = user_data;
  snprintf(text + strlen(text), 200 - strlen(text), "%s=%s;", name, value == NULL ? "(null)" : value);
  return strcmp(name, "last") != 0;
}

#define CHECK_LIST(call, handle, expected) \
  do { \
    char listed[200] = ""; \
    CHECK_OK(call(handle, append, listed)); \
    if (!CHECK(strcmp(listed, expected) == 0)) fprintf(stderr, "    listed: %s\n", listed); \
    CHECK_STATUS(call(handle, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT); \
  } while (0)

static int32_t is_latin1(const char *name, const char *value, void *user_data) {
  if (strcmp(name, "X-Bytes") == 0) *(int *)user_data = strcmp(value, "\xE9\xFF") == 0;
  return 1;
}

/* A default field may have any bytes, as a request's own may. */
static void test_bytes_of_defaults(void) {
  netcore_client other = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  int found = 0;
  check_case = "bytes of defaults";
  CHECK_OK(netcore_client_set_header(other, "X-Bytes", "\xE9\xFF"));
  CHECK_OK(netcore_client_add_header(other, "X-More", "\xFE"));
  CHECK_STATUS(netcore_client_add_header(other, "X-More", "a\nb"), NETCORE_ERR_INVALID_HEADER);
  CHECK_OK(netcore_client_list_headers(other, is_latin1, &found));
  CHECK(found);
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  struct answer answer = perform_once(other, request);
  CHECK(body_has(&answer, "[\"X-Bytes\", \"\xC3\xA9\xC3\xBF\"]") ||
        body_has(&answer, "[\"X-Bytes\", \"\\u00e9\\u00ff\"]"));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(other));
}

/* What a client would send can be read before it is sent. */
static void test_resolve(void) {
  netcore_client other = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = 0, resolved = 7;
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  netcore_bytes value;
  check_case = "resolve";
  CHECK_OK(netcore_client_add_service(other, "s", "e", "http://127.0.0.1:1/api", NULL));
  CHECK_OK(netcore_client_set_header(other, "X-Default", "1"));
  CHECK_OK(netcore_client_set_param(other, "lang", "de"));
  CHECK_OK(netcore_request_create_relative("POST", NULL, "users/{id}", &request));
  CHECK_STATUS(netcore_client_resolve_request(other, request, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_set_path_value(request, "id", "7"));
  CHECK_OK(netcore_request_set_content_type(request, "text/plain"));
  CHECK_OK(netcore_client_resolve_request(other, request, &resolved));
  CHECK(resolved != request);
  CHECK_OK(netcore_request_get_info(resolved, &info));
  CHECK_TEXT(info.url, "http://127.0.0.1:1/api/users/7");
  CHECK_TEXT(info.body, "lang=de");
  CHECK_OK(netcore_request_get_header(resolved, "X-Default", 0, &value));
  CHECK_TEXT(value, "1");
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_TEXT(info.url, "users/{id}");
  CHECK_TEXT(info.content_type, "text/plain");
  CHECK_OK(netcore_request_destroy(resolved));
  CHECK_OK(netcore_request_set_path_value(request, "unknown", "7"));
  CHECK_STATUS(netcore_client_resolve_request(other, request, &resolved), NETCORE_ERR_INVALID_URL);
  CHECK_EQUAL(resolved, 0);
  CHECK_OK(netcore_client_destroy(other));
  CHECK_STATUS(netcore_client_resolve_request(other, request, &resolved), NETCORE_ERR_INVALID_HANDLE);
  CHECK_OK(netcore_request_destroy(request));
}

static int32_t no_value(char *text, size_t capacity, void *user_data) {
  (void)text, (void)capacity, (void)user_data;
  return NETCORE_TEXT_NONE;
}

static void test_lists(void) {
  netcore_request request = request_new("GET", "http://127.0.0.1/{id}");
  check_case = "lists";
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  CHECK_OK(netcore_request_add_param_bool(request, "a", 1));
  CHECK_OK(netcore_request_add_param_null(request, "last"));
  CHECK_OK(netcore_request_add_param(request, "unseen", "1"));
  CHECK_LIST(netcore_request_list_params, request, "a=1;a=true;last=;");
  CHECK_OK(netcore_request_set_path_value(request, "id", "7"));
  CHECK_LIST(netcore_request_list_path_values, request, "id=7;");
  CHECK_OK(netcore_request_set_cookie(request, "c", "2"));
  CHECK_LIST(netcore_request_list_cookies, request, "c=2;");
  CHECK_OK(netcore_request_destroy(request));

  netcore_client other = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_set_header(other, "X-A", "1"));
  CHECK_OK(netcore_client_add_header(other, "X-A", "2"));
  CHECK_OK(netcore_client_set_header_function(other, "X-Time", no_value, NULL, NULL));
  CHECK_LIST(netcore_client_list_headers, other, "X-A=1;X-A=2;X-Time=(null);");
  CHECK_OK(netcore_client_set_header(other, "x-a", "3"));
  CHECK_LIST(netcore_client_list_headers, other, "x-a=3;X-Time=(null);");
  CHECK_OK(netcore_client_set_param(other, "a", "1"));
  CHECK_OK(netcore_client_add_param(other, "a", "2"));
  CHECK_OK(netcore_client_add_param_int(other, "b", -3));
  CHECK_OK(netcore_client_add_param_list(other, "many", "[ 1, \"x\" ]"));
  CHECK_OK(netcore_client_add_param_json(other, "last", "[1]"));
  CHECK_LIST(netcore_client_list_params, other, "a=1;a=2;b=-3;many=[1,\"x\"];last=[1];");
  CHECK_STATUS(netcore_client_add_param_json(other, "a", "["), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_client_add_param(other, "", "1"), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_client_add_header(other, "a b", "1"), NETCORE_ERR_INVALID_HEADER);
  CHECK_OK(netcore_client_destroy(other));
}

/* Defaults that repeat, that have a type, and that one request does without. */
static void test_defaults(void) {
  netcore_client other = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  check_case = "defaults";
  CHECK_OK(netcore_client_add_header(other, "X-Default", "1"));
  CHECK_OK(netcore_client_add_header(other, "X-Default", "2"));
  CHECK_OK(netcore_client_add_param(other, "many", "1"));
  CHECK_OK(netcore_client_add_param_bool(other, "flag", 1));
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_serializer(request, NETCORE_SERIALIZER_JSON));
  struct answer answer = perform(other, request);
  CHECK(body_has(&answer, "[\"X-Default\", \"1\"]") && body_has(&answer, "[\"X-Default\", \"2\"]"));
  CHECK(body_has(&answer, "{\\\"many\\\":\\\"1\\\",\\\"flag\\\":true}"));
  answer_free(&answer);
  CHECK_OK(netcore_request_remove_default_header(request, "x-default"));
  CHECK_OK(netcore_request_remove_default_header(request, "User-Agent"));
  CHECK_OK(netcore_request_remove_default_param(request, "many"));
  CHECK_STATUS(netcore_request_remove_default_header(request, "a b"), NETCORE_ERR_INVALID_HEADER);
  CHECK_STATUS(netcore_request_remove_default_param(request, ""), NETCORE_ERR_INVALID_ARGUMENT);
  answer = perform_once(other, request);
  CHECK(!body_has_anycase(&answer, "x-default") && !body_has_anycase(&answer, "user-agent"));
  CHECK(body_has(&answer, "{\\\"flag\\\":true}"));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(other));
}

#define CHECK_READS(expected, call, ...) \
  do { \
    char text[100] = "unset"; \
    size_t size = 77; \
    CHECK_OK(call(__VA_ARGS__, text, sizeof text, &size)); \
    CHECK_EQUAL(size, strlen(expected)); \
    CHECK(strcmp(text, expected) == 0); \
    CHECK_OK(call(__VA_ARGS__, text, 3, &size)); \
    CHECK(size == strlen(expected) && strncmp(text, expected, 2) == 0 && strlen(text) <= 2); \
    CHECK_OK(call(__VA_ARGS__, NULL, 0, &size)); \
    CHECK_EQUAL(size, strlen(expected)); \
    CHECK_STATUS(call(__VA_ARGS__, NULL, 1, &size), NETCORE_ERR_INVALID_ARGUMENT); \
  } while (0)

static void test_selection(void) {
  char text[100];
  size_t size = 77;
  check_case = "no service";
  CHECK_STATUS(netcore_client_get_selected_service(client, text, sizeof text, &size), NETCORE_ERR_NOT_FOUND);
  CHECK_EQUAL(size, 0);
  CHECK_STATUS(netcore_client_get_selected_environment(client, text, sizeof text, &size), NETCORE_ERR_NOT_FOUND);
  CHECK_STATUS(netcore_client_get_base_url(client, NULL, NULL, 0, text, sizeof text, &size), NETCORE_ERR_NOT_FOUND);
  check_case = "the selected service";
  CHECK_OK(netcore_client_add_service(client, "shop", "test", "http://test.test/a/", "http://cdn.test/"));
  CHECK_OK(netcore_client_add_service(client, "shop", "release", "http://release.test/", NULL));
  CHECK_READS("shop", netcore_client_get_selected_service, client);
  CHECK_READS("test", netcore_client_get_selected_environment, client);
  CHECK_READS("http://test.test/a/", netcore_client_get_base_url, client, NULL, NULL, 0);
  CHECK_READS("http://cdn.test/", netcore_client_get_base_url, client, "shop", "test", 1);
  CHECK_READS("http://release.test/", netcore_client_get_base_url, client, NULL, "release", 1);
  CHECK_OK(netcore_client_select_next_environment(client));
  CHECK_READS("release", netcore_client_get_selected_environment, client);
  CHECK_STATUS(netcore_client_get_base_url(client, "none", NULL, 0, text, sizeof text, &size), NETCORE_ERR_NOT_FOUND);
  CHECK_STATUS(netcore_client_get_base_url(client, NULL, "none", 0, text, sizeof text, &size), NETCORE_ERR_NOT_FOUND);
}

static void test_limits(void) {
  uint64_t value = 77;
  netcore_request request = request_new("GET", "http://127.0.0.1/");
  netcore_cache_options options = NETCORE_CACHE_OPTIONS_INIT;
  netcore_cache cache = 0;
  check_case = "limits";
  CHECK_OK(netcore_client_get_limit(client, NETCORE_LIMIT_TRANSFERS, &value));
  CHECK_EQUAL(value, 256);
  CHECK_OK(netcore_client_set_limit(client, NETCORE_LIMIT_TRANSFERS, 5));
  CHECK_OK(netcore_client_get_limit(client, NETCORE_LIMIT_TRANSFERS, &value));
  CHECK_EQUAL(value, 5);
  CHECK_OK(netcore_client_set_limit(client, NETCORE_LIMIT_BODY_BYTES, UINT64_MAX));
  CHECK_OK(netcore_client_get_limit(client, NETCORE_LIMIT_BODY_BYTES, &value));
  CHECK(value == UINT64_MAX);
  CHECK_STATUS(netcore_client_get_limit(client, 99, &value), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(value, 0);
  CHECK_STATUS(netcore_request_get_limit(request, NETCORE_LIMIT_BODY_BYTES, &value), NETCORE_ERR_NOT_FOUND);
  CHECK_OK(netcore_request_set_limit(request, NETCORE_LIMIT_BODY_BYTES, 6));
  CHECK_OK(netcore_request_get_limit(request, NETCORE_LIMIT_BODY_BYTES, &value));
  CHECK_EQUAL(value, 6);
  CHECK_STATUS(netcore_request_get_limit(request, NETCORE_LIMIT_TRANSFERS, &value), NETCORE_ERR_INVALID_ARGUMENT);
  options.memory_bytes = 1000;
  REQUIRE_OK(netcore_cache_create(&options, &cache));
  CHECK_OK(netcore_cache_get_limit(cache, NETCORE_CACHE_LIMIT_MEMORY_BYTES, &value));
  CHECK_EQUAL(value, 1000);
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_MEMORY_COUNT, 3));
  CHECK_OK(netcore_cache_get_limit(cache, NETCORE_CACHE_LIMIT_MEMORY_COUNT, &value));
  CHECK_EQUAL(value, 3);
  CHECK_OK(netcore_cache_get_limit(cache, NETCORE_CACHE_LIMIT_DISK_BYTES, &value));
  CHECK_EQUAL(value, 0);
  CHECK_STATUS(netcore_cache_get_limit(cache, 9, &value), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_cache_destroy(cache));
  CHECK_OK(netcore_request_destroy(request));
}

static void *change_and_destroy(void *user_data) {
  netcore_request request = *(netcore_request *)user_data;
  CHECK_OK(netcore_request_set_header(request, "X-A", "changed"));
  CHECK_OK(netcore_request_set_tag(request, "changed"));
  CHECK_OK(netcore_request_destroy(request));
  return NULL;
}

/* valgrind would see a read of what is gone. */
static void test_lent(void) {
  netcore_request request = request_new("GET", "http://127.0.0.1/lent");
  netcore_bytes value;
  pthread_t thread;
  check_case = "what was lent";
  CHECK_OK(netcore_request_set_header(request, "X-A", "kept"));
  CHECK_OK(netcore_request_set_tag(request, "kept"));
  netcore_request_info info = request_info(request);
  CHECK_OK(netcore_request_get_header(request, "X-A", 0, &value));
  REQUIRE(pthread_create(&thread, NULL, change_and_destroy, &request) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK_TEXT(info.tag, "kept");
  CHECK_TEXT(info.url, "http://127.0.0.1/lent");
  CHECK_TEXT(value, "kept");
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_requests();
  test_bodies();
  test_lists();
  test_defaults();
  test_bytes_of_defaults();
  test_resolve();
  test_selection();
  test_limits();
  test_lent();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
