/*
 * What a cache does for requests: hits in each way of receiving completions, answers that nginx confirms, times to live,
 * and why the origin was asked.
 */
#include "support.h"

#include "support/cache.h"
#include "support/server.h"

static void check_hit(netcore_response response, const char *what) {
  netcore_bytes value;
  CHECK_EQUAL(response_info(response).bytes_received, 0);
  CHECK_EQUAL(response_info(response).attempts, 0);
  CHECK_OK(netcore_response_get_header(response, "Age", 0, &value));
  CHECK_OK(netcore_response_get_header(response, "Cache-Status", 0, &value));
  if (!CHECK(bytes_have(value, "hit"))) fprintf(stderr, "    in %s mode: %s\n", what, (const char *)value.data);
}

/* From memory, and from disk alone. */
static void test_modes_of_receiving(void) {
  char *folder = folder_new();
  for (netcore_completion_mode mode = NETCORE_COMPLETION_MODE_CALLBACK; mode <= NETCORE_COMPLETION_MODE_LOOP_QUEUE;
       mode++) {
    const char *target = keepable(mode_name(mode), "");
    check_case = mode_name(mode);
    for (int round = 0; round < 2; round++) {
      netcore_cache cache = cache_new(folder);
      struct door door = cached_door(mode, cache);
      for (int i = 0; i < 3; i++) {
        struct tally ended = TALLY_INITIAL;
        struct outcome outcome = {.ended = &ended};
        door_get(&door, at(ORIGIN, target), &outcome);
        door_wait(&door, &ended, 1);
        CHECK_EQUAL(outcome.calls, 1);
        CHECK_EQUAL(outcome.completion.kind, NETCORE_COMPLETION_KIND_TASK);
        CHECK_STATUS(outcome.completion.status, NETCORE_OK);
        bool is_hit = round > 0 || i > 0;
        CHECK_EQUAL(response_info(outcome.completion.response).cache_result,
                    is_hit ? NETCORE_CACHE_RESULT_HIT : NETCORE_CACHE_RESULT_NOT_CACHED);
        if (is_hit) check_hit(outcome.completion.response, mode_name(mode));
        WAIT_UNTIL(task_state(outcome.task) == NETCORE_TASK_STATE_NONE);
        outcome_free(&outcome);
      }
      netcore_cache_statistics statistics = cache_statistics(cache);
      CHECK_EQUAL(statistics.disk_hits, round);
      CHECK_EQUAL(statistics.hits, round == 0 ? 2 : 3);
      CHECK_EQUAL(statistics.misses, round == 0 ? 1 : 0);
      CHECK_OK(netcore_client_destroy(door.client));
      CHECK_OK(netcore_cache_destroy(cache));
    }
    netcore_client plain = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
    CHECK_EQUAL(requests_seen(plain, target), 1);
    CHECK_OK(netcore_client_destroy(plain));
  }
  folder_remove(folder);
}

/* A dispatched hit that is canceled at once ends as canceled, like any task. */
static void test_cancel_of_a_hit(netcore_client client) {
  check_case = "cancel of a hit";
  netcore_request request = request_new("GET", at(ORIGIN, keepable("cancel", "")));
  result_for(client, request);
  struct tally ended = TALLY_INITIAL;
  for (int i = 0; i < 100; i++) {
    struct outcome outcome = {.ended = &ended};
    CHECK_OK(netcore_dispatch(client, request, outcome_done, &outcome, &outcome.task));
    netcore_status canceled = netcore_task_cancel(outcome.task);
    CHECK(canceled == NETCORE_OK || canceled == NETCORE_ERR_INVALID_HANDLE);
    CHECK(tally_reaches(&ended, (unsigned)i + 1, patience_ms()));
    WAIT_UNTIL(task_state(outcome.task) == NETCORE_TASK_STATE_NONE);
    CHECK_EQUAL(outcome.calls, 1);
    CHECK_STATUS(outcome.completion.status, canceled == NETCORE_OK ? NETCORE_ERR_CANCELED : NETCORE_OK);
    outcome_free(&outcome);
  }
  CHECK_OK(netcore_request_destroy(request));
}

static void test_revalidation(netcore_client client, netcore_cache cache) {
  check_case = "an answer that nginx confirms with a 304";
  netcore_cache_statistics before = cache_statistics(cache);
  netcore_request request = request_new("GET", at(NGINX, "/100k"));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  CHECK_RESULT(result_for(client, request), HIT);
  CHECK_OK(netcore_request_set_header(request, "Cache-Control", "max-age=0"));
  for (int i = 0; i < 3; i++) {
    struct answer answer = perform(client, request);
    CHECK_EQUAL(answer.info.http_status, 200);
    CHECK_RESULT(answer.info.cache_result, REVALIDATED);
    CHECK(is_pattern(answer.info.body, 100 * 1024));
    CHECK(answer.info.bytes_received < 1000);
    answer_free(&answer);
  }
  netcore_cache_statistics after = cache_statistics(cache);
  CHECK_EQUAL(after.revalidations - before.revalidations, 3);
  CHECK_EQUAL(after.saved_bytes - before.saved_bytes, 4 * 100 * 1024);
  CHECK_OK(netcore_request_destroy(request));
}

static netcore_request post(const char *url, const char *body) {
  netcore_request request = request_new("POST", url);
  CHECK_OK(netcore_request_set_body(request, body, strlen(body)));
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 600000));
  return request;
}

static netcore_cache_result result_of_post(netcore_client client, const char *url, const char *body) {
  netcore_request request = post(url, body);
  netcore_cache_result result = result_for(client, request);
  CHECK_OK(netcore_request_destroy(request));
  return result;
}

static void test_time_to_live(netcore_client client) {
  char sorted[200], unsorted[200];
  check_case = "a time to live for POST";
  snprintf(sorted, sizeof sorted, "%s&a=1&b=2", at(ORIGIN, marked("/echo", "ttl")));
  snprintf(unsorted, sizeof unsorted, "%s?b=2&mark=ttl-%ld&a=1", at(ORIGIN, "/echo"), (long)getpid());
  /* mark comes last in the order of names: a, b, mark */
  CHECK_RESULT(result_of_post(client, sorted, "one"), NOT_CACHED);
  CHECK_RESULT(result_of_post(client, sorted, "one"), HIT);
  CHECK_RESULT(result_of_post(client, unsorted, "one"), HIT);
  CHECK_RESULT(result_of_post(client, sorted, "two"), NOT_CACHED);
  CHECK_RESULT(result_of_post(client, sorted, ""), NOT_CACHED);
  netcore_request request = post(sorted, "one");
  struct answer answer = perform(client, request);
  CHECK_BODY_HAS(&answer, "\"body\": \"one\"");
  answer_free(&answer);

  check_case = "fields in the key";
  CHECK_OK(netcore_request_set_header(request, "X-A", "1"));
  CHECK_RESULT(result_for(client, request), HIT); /* not chosen */
  CHECK_OK(netcore_request_add_cache_key_field(request, "x-a"));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  CHECK_RESULT(result_for(client, request), HIT);
  CHECK_OK(netcore_request_set_header(request, "X-A", "2"));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  CHECK_OK(netcore_request_remove_header(request, "X-A"));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  CHECK_OK(netcore_request_set_header(request, "X-A", "1"));
  CHECK_RESULT(result_for(client, request), HIT);

  check_case = "a time to live runs out, and can be longer for another request";
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 1));
  pause_ms(5);
  CHECK_RESULT(result_for(client, request), EXPIRED);
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, UINT64_MAX - 1));
  pause_ms(5);
  CHECK_RESULT(result_for(client, request), HIT);
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, UINT64_MAX));
  CHECK_RESULT(result_for(client, request), PASSED); /* a POST again */
  CHECK_OK(netcore_request_destroy(request));
}

/* A key of the request's own stands for method, URL and body. */
static void test_own_key(netcore_client client) {
  check_case = "a key of the request's own";
  netcore_request one = post(at(ORIGIN, marked("/echo", "key-one")), "one");
  netcore_request two = post(at(ORIGIN, marked("/echo", "key-two")), "two");
  CHECK_OK(netcore_request_set_cache_key(one, "shared"));
  CHECK_OK(netcore_request_set_cache_key(two, "shared"));
  CHECK_RESULT(result_for(client, one), NOT_CACHED);
  struct answer answer = perform(client, two);
  CHECK_RESULT(answer.info.cache_result, HIT);
  CHECK_BODY_HAS(&answer, "\"body\": \"one\"");
  answer_free(&answer);
  CHECK_OK(netcore_request_set_cache_key(two, NULL));
  CHECK_RESULT(result_for(client, two), NOT_CACHED);
  CHECK_OK(netcore_request_destroy(one));
  CHECK_OK(netcore_request_destroy(two));
}

static netcore_client versioned(const char *folder, const char *version, netcore_cache *out_cache) {
  netcore_cache_options options = {.size = sizeof options, .folder = folder, .application_version = version};
  REQUIRE_OK(netcore_cache_create(&options, out_cache));
  return cached_client(NETCORE_COMPLETION_MODE_CALLBACK, *out_cache);
}

static void test_application_version(void) {
  static const struct {
    const char *version;
    netcore_cache_result expected;
  } steps[] = {{"1", NETCORE_CACHE_RESULT_NOT_CACHED},           {"1", NETCORE_CACHE_RESULT_HIT},
               {"2", NETCORE_CACHE_RESULT_APPLICATION_VERSION},  {"2", NETCORE_CACHE_RESULT_HIT},
               {NULL, NETCORE_CACHE_RESULT_APPLICATION_VERSION}, {"", NETCORE_CACHE_RESULT_HIT}};
  char *folder = folder_new();
  const char *url = at(ORIGIN, keepable("application", ""));
  check_case = "application versions";
  for (size_t i = 0; i < LENGTH(steps); i++) {
    netcore_cache cache;
    netcore_client client = versioned(folder, steps[i].version, &cache);
    CHECK_EQUAL(result_of(client, url), steps[i].expected);
    CHECK_OK(netcore_client_destroy(client));
    CHECK_OK(netcore_cache_destroy(cache));
  }
  folder_remove(folder);
}

static void test_reasons(netcore_client client) {
  check_case = "a version of the request's own";
  netcore_request request = request_new("GET", at(ORIGIN, keepable("version", "")));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  CHECK_OK(netcore_request_set_cache_version(request, 7));
  CHECK_RESULT(result_for(client, request), VERSION);
  CHECK_RESULT(result_for(client, request), HIT);
  CHECK_OK(netcore_request_set_cache_version(request, 0));
  CHECK_RESULT(result_for(client, request), VERSION);
  CHECK_OK(netcore_request_destroy(request));

  check_case = "scopes";
  request = request_new("GET", at(ORIGIN, keepable("scope", "")));
  CHECK_OK(netcore_request_set_cache_scope(request, "anna"));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  CHECK_OK(netcore_request_set_cache_scope(request, "berta"));
  CHECK_RESULT(result_for(client, request), SCOPE);
  CHECK_OK(netcore_request_set_cache_scope(request, NULL));
  CHECK_RESULT(result_for(client, request), SCOPE);
  CHECK_OK(netcore_request_set_cache_scope(request, "anna"));
  CHECK_RESULT(result_for(client, request), HIT); /* each scope keeps its own */
  CHECK_OK(netcore_request_destroy(request));

  check_case = "credentials";
  request = request_new("GET", at(ORIGIN, keepable("credentials", "")));
  CHECK_OK(netcore_request_set_header(request, "Authorization", "Bearer one"));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  CHECK_RESULT(result_for(client, request), HIT);
  CHECK_OK(netcore_request_set_header(request, "Authorization", "Bearer two"));
  CHECK_RESULT(result_for(client, request), SCOPE);
  CHECK_OK(netcore_request_remove_header(request, "Authorization"));
  CHECK_RESULT(result_for(client, request), SCOPE);
  CHECK_OK(netcore_request_destroy(request));

  check_case = "variants";
  request = request_new("GET", at(ORIGIN, keepable("variant", "&Vary=X-A")));
  CHECK_OK(netcore_request_set_header(request, "X-A", "1"));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  CHECK_OK(netcore_request_set_header(request, "X-A", "2"));
  CHECK_RESULT(result_for(client, request), VARIANT);
  CHECK_RESULT(result_for(client, request), HIT);
  CHECK_OK(netcore_request_set_header(request, "X-A", "1"));
  CHECK_RESULT(result_for(client, request), HIT);

  check_case = "a directive of the request's, and methods that are the origin's to answer";
  CHECK_OK(netcore_request_set_header(request, "Cache-Control", "no-cache"));
  CHECK_RESULT(result_for(client, request), REQUESTED);
  CHECK_OK(netcore_request_remove_header(request, "Cache-Control"));
  CHECK_RESULT(result_for(client, request), HIT);
  CHECK_OK(netcore_request_set_method(request, "PUT"));
  CHECK_RESULT(result_for(client, request), PASSED);
  CHECK_OK(netcore_request_set_method(request, "GET"));
  CHECK_RESULT(result_for(client, request), NOT_CACHED); /* invalidated by the PUT */
  CHECK_OK(netcore_request_destroy(request));

  check_case = "no cache";
  netcore_client plain = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_RESULT(result_of(plain, at(ORIGIN, keepable("none", ""))), NONE);
  CHECK_OK(netcore_client_destroy(plain));
}

/* Answers that are cut, refused or canceled are never stored. */
static void test_unfinished(netcore_client client, netcore_cache cache) {
  check_case = "unfinished answers";
  uint64_t stored = cache_statistics(cache).stored;
  netcore_request request = script_request(
      "GET", ORIGIN,
      "[{'send': 'HTTP/1.1 200 OK\r\nCache-Control: max-age=1000\r\nContent-Length: 10\r\n\r\nhalf'}, {'cut': true}]");
  for (int i = 0; i < 2; i++) {
    struct answer answer = perform(client, request);
    CHECK_STATUS(answer.status, NETCORE_ERR_TRUNCATED);
    answer_free(&answer);
  }
  CHECK_OK(netcore_request_destroy(request));
  request = request_new("GET", at(ORIGIN, "/bytes/5000"));
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 100000));
  CHECK_OK(netcore_request_set_limit(request, NETCORE_LIMIT_BODY_BYTES, 100));
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_LIMIT_BODY_BYTES);
  answer_free(&answer);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_EQUAL(cache_statistics(cache).stored, stored);
}

int main(void) {
  check_begin();
  test_modes_of_receiving();
  test_application_version();
  netcore_cache cache = cache_new(NULL);
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  test_cancel_of_a_hit(client);
  test_revalidation(client, cache);
  test_time_to_live(client);
  test_own_key(client);
  test_reasons(client);
  test_unfinished(client, cache);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
  return check_end();
}
