/*
 * Decoded values: each is released exactly once, by whatever way it goes: replaced, evicted, cleared, overwritten by a new
 * answer, with its cache, or with the last response that came from it.
 */
#include "support.h"

#include "support/cache.h"
#include "support/server.h"

/* A value that counts how often it was released. */
struct value {
  unsigned released;
};

static void release_value(void *value) { __atomic_add_fetch(&((struct value *)value)->released, 1, __ATOMIC_SEQ_CST); }

/* Soon: the client's thread may hold a response for a moment longer than who waited for it. */
static unsigned released(const struct value *value) { return __atomic_load_n(&value->released, __ATOMIC_SEQ_CST); }

static netcore_cache cache;
static netcore_client client;

static void begin(const char *name) {
  check_case = name;
  cache = cache_new(NULL);
  client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
}

static void end(void) {
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

static netcore_response get(const char *mark) { return fetch(client, at(ORIGIN, keepable(mark, ""))).response; }

static void attach(netcore_response response, struct value *value, size_t size) {
  CHECK_OK(netcore_response_set_cached_value(response, value, size, release_value));
}

static void check_value(netcore_response response, struct value *expected) {
  void *value = &cache;
  if (expected == NULL)
    CHECK_STATUS(netcore_response_get_cached_value(response, &value), NETCORE_ERR_NOT_FOUND);
  else
    CHECK_OK(netcore_response_get_cached_value(response, &value));
  CHECK(value == expected);
}

static void check_value_of(const char *mark, struct value *expected) {
  netcore_response response = get(mark);
  check_value(response, expected);
  CHECK_OK(netcore_response_release(response));
}

static void attach_to(const char *mark, struct value *value, size_t size) {
  netcore_response response = get(mark);
  attach(response, value, size);
  CHECK_OK(netcore_response_release(response));
}

static void test_kept_and_replaced(void) {
  struct value one = {0}, two = {0}, three = {0};
  begin("a value is kept for the next hits, and released when it is replaced");
  netcore_response first = get("value");
  check_value(first, NULL);
  attach(first, &one, 100);
  check_value(first, &one);
  check_value_of("value", &one);
  netcore_response second = get("value");
  attach(second, &two, 100);
  WAIT_UNTIL(released(&one) == 1);
  check_value(first, &two);
  check_value_of("value", &two);
  CHECK_OK(netcore_response_set_cached_value(second, NULL, 0, NULL));
  WAIT_UNTIL(released(&two) == 1);
  void *none = &cache;
  CHECK_OK(netcore_response_get_cached_value(second, &none));
  CHECK(none == NULL);
  attach(second, &three, 1000);
  CHECK_OK(netcore_response_release(second));
  CHECK_EQUAL(released(&three), 0); /* the first response still has it */
  check_value(first, &three);
  CHECK_OK(netcore_response_release(first));
  end();
  CHECK(released(&one) == 1 && released(&two) == 1 && released(&three) == 1);
}

static void test_evicted_and_cleared(void) {
  struct value evicted = {0}, cleared = {0}, held = {0}, large = {0};
  begin("a value goes with its answer: evicted, cleared, too large");
  attach_to("evicted", &evicted, 100);
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_MEMORY_COUNT, 0));
  WAIT_UNTIL(released(&evicted) == 1);
  CHECK_OK(netcore_cache_set_limit(cache, NETCORE_CACHE_LIMIT_MEMORY_COUNT, 100));
  attach_to("cleared", &cleared, 100);
  netcore_response response = get("held");
  attach(response, &held, 100);
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_ALL, NULL));
  WAIT_UNTIL(released(&cleared) == 1);
  CHECK_EQUAL(released(&held), 0);
  check_value(response, &held);
  CHECK_OK(netcore_response_release(response));
  WAIT_UNTIL(released(&held) == 1);
  static const size_t sizes[] = {(size_t)1 << 40, SIZE_MAX / 2 - 100, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX};
  for (unsigned i = 0; i < LENGTH(sizes); i++) {
    attach_to("large", &large, sizes[i]); /* counts against the limit of memory */
    WAIT_UNTIL(released(&large) == i + 1);
    CHECK_EQUAL(cache_statistics(cache).memory_count, 0);
  }
  end();
  CHECK(released(&evicted) == 1 && released(&cleared) == 1 && released(&held) == 1 &&
        released(&large) == LENGTH(sizes));
}

static void test_new_answer(void) {
  struct value old = {0}, confirmed = {0};
  begin("a value goes when a new answer comes, and stays when the origin confirms the old one");
  netcore_request request = request_new("GET", at(NGINX, "/1k"));
  struct answer answer = perform(client, request);
  attach(answer.response, &old, 10);
  answer_free(&answer);
  CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_RELOAD));
  result_for(client, request);
  WAIT_UNTIL(released(&old) == 1);
  CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_STANDARD));
  answer = perform(client, request);
  check_value(answer.response, NULL);
  attach(answer.response, &confirmed, 10);
  answer_free(&answer);
  CHECK_OK(netcore_request_set_header(request, "Cache-Control", "max-age=0"));
  for (int i = 0; i < 3; i++) {
    answer = perform(client, request);
    CHECK_RESULT(answer.info.cache_result, REVALIDATED);
    check_value(answer.response, &confirmed);
    answer_free(&answer);
  }
  CHECK_EQUAL(released(&confirmed), 0);
  CHECK_OK(netcore_request_destroy(request));
  end();
  CHECK(released(&old) == 1 && released(&confirmed) == 1);
}

static void test_ends(void) {
  struct value with_cache = {0}, with_response = {0}, late = {0};
  begin("a value goes with its cache, or with the last response");
  attach_to("with-cache", &with_cache, 10);
  netcore_response response = get("with-response");
  attach(response, &with_response, 10);
  CHECK_OK(netcore_response_retain(response));
  CHECK_OK(netcore_cache_destroy(cache));
  CHECK_EQUAL(released(&with_cache), 0); /* the client still has it */
  CHECK_OK(netcore_client_destroy(client));
  WAIT_UNTIL(released(&with_cache) == 1);
  check_value(response, &with_response);
  CHECK_STATUS(netcore_response_set_cached_value(response, &late, 10, release_value), NETCORE_ERR_NOT_FOUND);
  CHECK_OK(netcore_response_release(response));
  CHECK_EQUAL(released(&with_response), 0);
  CHECK_OK(netcore_response_release(response));
  WAIT_UNTIL(released(&with_response) == 1);
  CHECK_EQUAL(released(&late), 0); /* a call that fails leaves it to the caller */
}

/* Functions that release may call the library: no lock is held. */
static void release_and_call(void *value) {
  CHECK(cache_statistics(cache).stored > 0);
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_TAG, "none"));
  static struct value other;
  attach_to("another", &other, 0);
  release_value(value);
}

static void test_calls_inside_release(void) {
  struct value values[4] = {{0}, {0}, {0}, {0}};
  begin("calls inside a function that releases");
  netcore_response response = get("calls");
  for (size_t i = 0; i < LENGTH(values); i++)
    CHECK_OK(netcore_response_set_cached_value(response, &values[i], 10, release_and_call));
  CHECK_OK(netcore_response_release(response));
  WAIT_UNTIL(released(&values[2]) == 1);
  CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_ALL, NULL));
  WAIT_UNTIL(released(&values[3]) == 1);
  attach_to("calls", &values[0], 10);
  end();
  WAIT_UNTIL(released(&values[0]) == 2);
}

enum { THREADS = 8, TURNS = 200 };

static struct value many[THREADS][TURNS];

static void *attach_many(void *argument) {
  struct value *own = argument;
  for (int i = 0; i < TURNS; i++) {
    netcore_response response = get(i % 3 == 0 ? "many-a" : "many-b");
    netcore_status status = netcore_response_set_cached_value(response, &own[i], 1000, release_value);
    CHECK(status == NETCORE_OK || status == NETCORE_ERR_NOT_FOUND);
    if (status != NETCORE_OK) release_value(&own[i]);
    if (i % 16 == 0) CHECK_OK(netcore_cache_clear(cache, NETCORE_CACHE_FILTER_ALL, NULL));
    CHECK_OK(netcore_response_release(response));
  }
  return NULL;
}

static void test_threads(void) {
  pthread_t threads[THREADS];
  begin("values attached by many threads");
  memset(many, 0, sizeof many);
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, attach_many, many[i]) == 0);
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
  end();
  for (int i = 0; i < THREADS; i++)
    for (int j = 0; j < TURNS; j++) WAIT_UNTIL(released(&many[i][j]) == 1);
}

int main(void) {
  check_begin();
  test_kept_and_replaced();
  test_evicted_and_cleared();
  test_new_answer();
  test_ends();
  test_calls_inside_release();
  test_threads();
  return check_end();
}
