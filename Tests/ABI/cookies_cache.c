/*
 * Cookies beside a cache: whose stored answers they choose, and that these set none.
 */
#include "support.h"

#include "support/cache.h"
#include "support/cookies.h"

static netcore_client client;

static void check_cached(const char *url, netcore_cache_result result, const char *sent) {
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.cache_result, result);
  const char *cookies = cookies_in(&answer);
  if (!CHECK(strcmp(cookies, sent) == 0)) fprintf(stderr, "    %s\n", cookies);
  answer_free(&answer);
}

static void test_cache(char *folder) {
  const char *url = on("http://example.com/guarded/cookies?Cache-Control=max-age%3D1000&Vary=Cookie");
  netcore_cache cache = cache_new(folder);
  client = cookie_client(NULL, cache);
  check_case = folder == NULL ? "answers that vary by cookies, in memory" : "answers that vary by cookies, on disk";
  check_cached(url, NETCORE_CACHE_RESULT_NOT_CACHED, "");
  check_cached(url, NETCORE_CACHE_RESULT_HIT, "");
  netcore_cookie one = cookie_named("user", "one"), two = cookie_named("user", "two");
  CHECK_OK(netcore_client_set_cookie(client, &one));
  check_cached(url, NETCORE_CACHE_RESULT_VARIANT, "user=one");
  check_cached(url, NETCORE_CACHE_RESULT_HIT, "user=one");
  CHECK_OK(netcore_client_set_cookie(client, &two));
  check_cached(url, NETCORE_CACHE_RESULT_VARIANT, "user=two");
  check_cached(url, NETCORE_CACHE_RESULT_HIT, "user=two");
  CHECK_OK(netcore_client_set_cookie(client, &one));
  check_cached(url, NETCORE_CACHE_RESULT_HIT, "user=one");
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_request_set_use_cookies(request, 0));
  CHECK_SENT_BY(client, request, "");
  CHECK_OK(netcore_client_clear_cookies(client, NULL, NULL, NULL, NULL));
  check_cached(url, NETCORE_CACHE_RESULT_HIT, "");
  check_case = "a task whose cookie goes between its making and its dispatch";
  netcore_cookie three = cookie_named("user", "three");
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  CHECK_OK(netcore_client_set_cookie(client, &three));
  request = request_new("GET", url);
  CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_RELOAD));
  CHECK_OK(netcore_task_create(client, request, outcome_done, &outcome, &outcome.task));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_clear_cookies(client, NULL, NULL, NULL, NULL));
  CHECK_OK(netcore_task_dispatch(outcome.task));
  CHECK(door_wait(&door, &ended, 1));
  CHECK_STATUS(outcome.completion.status, NETCORE_OK);
  outcome_free(&outcome);
  CHECK_OK(netcore_client_set_cookie(client, &three));
  check_cached(url, NETCORE_CACHE_RESULT_VARIANT, "user=three");
  CHECK_OK(netcore_client_clear_cookies(client, NULL, NULL, NULL, NULL));
  check_case = "a stored answer sets no cookie again";
  const char *setting = on("http://example.com/headers?Cache-Control=max-age%3D1000&Set-Cookie=a%3D1");
  CHECK_RESULT(result_of(client, setting), NOT_CACHED);
  CHECK_EQUAL(cookie_count(client), 1);
  CHECK_OK(netcore_client_clear_cookies(client, NULL, NULL, NULL, NULL));
  CHECK_RESULT(result_of(client, setting), HIT);
  CHECK_EQUAL(cookie_count(client), 0);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

static unsigned warnings;

static void on_log(netcore_log_level level, const char *message, void *user_data) {
  (void)level, (void)user_data;
  if (strstr(message, "cookies") != NULL) __atomic_add_fetch(&warnings, 1, __ATOMIC_SEQ_CST);
}

static void test_shared_by_two(void) {
  const char *url = on("http://example.com/guarded/shared");
  netcore_cache cache = cache_new(NULL);
  netcore_client clients[2] = {cookie_client(NULL, cache), cookie_client(NULL, cache)};
  check_case = "two clients that send cookies share a cache: a warning, once";
  CHECK_OK(netcore_set_log(on_log, NULL, NULL));
  for (unsigned i = 0; i < 4; i++) {
    netcore_cookie cookie = cookie_named("user", i % 2 == 0 ? "one" : "two");
    CHECK_OK(netcore_client_set_cookie(clients[i % 2], &cookie));
    struct answer answer = fetch(clients[i % 2], url);
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
    CHECK_EQUAL(__atomic_load_n(&warnings, __ATOMIC_SEQ_CST), i == 0 ? 0 : 1);
  }
  CHECK_OK(netcore_set_log(NULL, NULL, NULL));
  for (unsigned i = 0; i < 2; i++) CHECK_OK(netcore_client_destroy(clients[i]));
  CHECK_OK(netcore_cache_destroy(cache));
}

int main(void) {
  check_begin();
  test_cache(NULL);
  char *folder = folder_new();
  test_cache(folder);
  folder_remove(folder);
  test_shared_by_two();
  return check_end();
}
