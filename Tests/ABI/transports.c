/*
 * Transports of the application's: what they are given, who may answer and when, and that all else works on top of them.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/cache.h"
#include "support/hops.h"

#define URL "http://app.test/a"

static netcore_client client;

static void begin(netcore_transport_fn transport, void *user_data) {
  netcore_client_options options = {.size = sizeof options, .cookies = 1};
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_client_set_transport(client, transport, user_data, NULL));
}

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

static void check_body_is(const struct answer *answer, const char *text) {
  CHECK_EQUAL(answer->info.body.size_bytes, strlen(text));
  CHECK_BODY_HAS(answer, text);
}

/* What goes on the wire is what the function reads. */

static void describe(netcore_hop hop, netcore_request request, void *user_data) {
  netcore_request_info info = {.size = sizeof info};
  netcore_bytes token, agent;
  char text[500];
  ++*(int *)user_data;
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_OK(netcore_request_get_header(request, "authorization", 0, &token));
  CHECK_OK(netcore_request_get_header(request, "User-Agent", 0, &agent));
  snprintf(text, sizeof text, "%.*s %.*s %.*s %s %.*s", (int)info.method.size_bytes, info.method.data,
           (int)info.url.size_bytes, info.url.data, (int)token.size_bytes, token.data,
           agent.size_bytes > 0 ? "agent" : "", (int)info.body.size_bytes, info.body.data);
  CHECK_OK(netcore_hop_answer(hop, 201, "X-A: 1\r\nX-A: 2\nX-Empty:\n", text, strlen(text)));
  CHECK_STATUS(netcore_hop_answer(hop, 200, NULL, NULL, 0), NETCORE_ERR_INVALID_HANDLE);
}

static void test_reading(void) {
  int calls = 0;
  netcore_bytes value;
  check_case = "method, URL, fields and body";
  begin(describe, &calls);
  netcore_request request = request_new("PUT", "http://user:secret@app.test/a");
  CHECK_OK(netcore_request_set_body(request, "content", 7));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 201);
  check_body_is(&answer, "PUT http://app.test/a Basic dXNlcjpzZWNyZXQ= agent content");
  CHECK_OK(netcore_response_get_header(answer.response, "x-a", 1, &value));
  CHECK(value.size_bytes == 1 && value.data[0] == '2');
  CHECK_OK(netcore_response_get_header(answer.response, "x-empty", 0, &value));
  CHECK_EQUAL(value.size_bytes, 0);
  CHECK_EQUAL(answer.info.attempts, 1);
  CHECK_EQUAL(calls, 1);
  answer_free(&answer);
  end();
}

/* A redirect, a cookie that the first answer sets, and a cache. */
static void walk(netcore_hop hop, netcore_request request, void *user_data) {
  netcore_request_info info = {.size = sizeof info};
  netcore_bytes cookie = {0};
  CHECK_OK(netcore_request_get_info(request, &info));
  ++*(int *)user_data;
  if (info.url.data[info.url.size_bytes - 1] == 'a') {
    CHECK_OK(netcore_hop_answer(hop, 302, "Location: /b\nSet-Cookie: c=1\n", NULL, 0));
  } else {
    CHECK_OK(netcore_request_get_header(request, "Cookie", 0, &cookie));
    CHECK_OK(netcore_hop_answer(hop, 200, "Cache-Control: max-age=60\n", cookie.data, cookie.size_bytes));
  }
}

static void test_on_top(void) {
  int calls = 0;
  netcore_client_options options = {.size = sizeof options, .cookies = 1};
  check_case = "redirects, cookies and the cache";
  CHECK_OK(netcore_cache_create(NULL, &options.cache));
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_client_set_transport(client, walk, &calls, NULL));
  struct answer answer = perform_once(client, request_new("GET", URL));
  check_body_is(&answer, "c=1");
  CHECK_EQUAL(answer.info.redirects, 1);
  CHECK_EQUAL(answer.info.attempts, 1);
  CHECK_EQUAL(calls, 2);
  answer_free(&answer);
  answer = perform_once(client, request_new("GET", "http://app.test/b"));
  check_body_is(&answer, "c=1");
  CHECK_EQUAL(answer.info.cache_result, NETCORE_CACHE_RESULT_HIT);
  CHECK_EQUAL(calls, 2);
  answer_free(&answer);
  end();
  CHECK_OK(netcore_cache_destroy(options.cache));
}

/* Answers that come later, from another thread, or not at all. */

static void *answer_later(void *hop) {
  CHECK_OK(netcore_hop_answer(*(netcore_hop *)hop, 200, NULL, "late", 4));
  return NULL;
}

static void test_later(void) {
  struct hops hops = HOPS_INITIAL;
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  pthread_t thread;
  check_case = "an answer from another thread";
  begin(hops_keep, &hops);
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  door_get(&door, URL, &outcome);
  netcore_hop hop = hops_wait(&hops, 1);
  CHECK_STATUS(netcore_hop_answer(hop, 100, NULL, NULL, 0), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_hop_answer(hop, 600, NULL, NULL, 0), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_hop_answer(hop, 200, NULL, NULL, 1), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_hop_answer(hop, 200, "no field\n", NULL, 0), NETCORE_ERR_INVALID_HEADER);
  CHECK_STATUS(netcore_hop_answer(hop, 200, "a b: c\n", NULL, 0), NETCORE_ERR_INVALID_HEADER);
  CHECK_STATUS(netcore_hop_fail(hop, NETCORE_OK, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_hop_fail(hop, NETCORE_ERR_CANCELED, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_hop_fail(hop, 499, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(tally_count(&ended), 0);
  REQUIRE(pthread_create(&thread, NULL, answer_later, &hop) == 0);
  door_wait(&door, &ended, 1);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK_STATUS(outcome.completion.status, NETCORE_OK);
  CHECK_EQUAL(response_info(outcome.completion.response).body.size_bytes, 4);
  outcome_free(&outcome);
  end();
}

static void test_failures(void) {
  static const netcore_status statuses[] = {NETCORE_ERR_CONNECT, NETCORE_ERR_TIMEOUT_IDLE, NETCORE_ERR_TRUNCATED, 2005,
                                            -7};
  struct hops hops = HOPS_INITIAL;
  begin(hops_keep, &hops);
  for (size_t i = 0; i < LENGTH(statuses); i++) {
    struct tally ended = TALLY_INITIAL;
    struct outcome outcome = {.ended = &ended};
    struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
    check_case = netcore_status_name(statuses[i]);
    door_get(&door, URL, &outcome);
    CHECK_OK(netcore_hop_fail(hops_wait(&hops, (unsigned)i + 1), statuses[i], "as told"));
    door_wait(&door, &ended, 1);
    CHECK_STATUS(outcome.completion.status, statuses[i] < 0 ? NETCORE_ERR_REFUSED : statuses[i]);
    if (statuses[i] < 0) CHECK_EQUAL(response_error(outcome.completion.response).native_code, statuses[i]);
    netcore_bytes message = response_error(outcome.completion.response).message;
    CHECK(message.size_bytes == 7 && memcmp(message.data, "as told", 7) == 0);
    outcome_free(&outcome);
  }
  end();
}

static void test_unanswered(void) {
  struct hops hops = HOPS_INITIAL;
  struct tally ended = TALLY_INITIAL;
  struct outcome outcomes[3] = {{.ended = &ended}, {.ended = &ended}, {.ended = &ended}};
  netcore_hop given[3];
  begin(hops_keep, &hops);
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  check_case = "a timeout";
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_first_byte_timeout_ms(request, 50));
  CHECK_OK(door_dispatch(&door, request, &outcomes[0]));
  CHECK_OK(netcore_request_destroy(request));
  given[0] = hops_wait(&hops, 1);
  door_wait(&door, &ended, 1);
  CHECK_STATUS(outcomes[0].completion.status, NETCORE_ERR_TIMEOUT_FIRST_BYTE);
  check_case = "a cancel";
  door_get(&door, URL, &outcomes[1]);
  given[1] = hops_wait(&hops, 2);
  CHECK_OK(netcore_task_cancel(outcomes[1].task));
  door_wait(&door, &ended, 2);
  CHECK_STATUS(outcomes[1].completion.status, NETCORE_ERR_CANCELED);
  check_case = "the client's end";
  door_get(&door, URL, &outcomes[2]);
  given[2] = hops_wait(&hops, 3);
  end();
  CHECK_STATUS(outcomes[2].completion.status, NETCORE_ERR_CANCELED);
  for (size_t i = 0; i < LENGTH(given); i++) {
    CHECK_STATUS(netcore_hop_answer(given[i], 200, NULL, NULL, 0), NETCORE_ERR_INVALID_HANDLE);
    CHECK_STATUS(netcore_hop_fail(given[i], NETCORE_ERR_CONNECT, NULL), NETCORE_ERR_INVALID_HANDLE);
    CHECK_EQUAL(outcomes[i].calls, 1);
    outcome_free(&outcomes[i]);
  }
}

/* Threads that answer race with cancels: each task ends once. */

/* The newest hops: the function of a canceled task may still run, and publish its hop after the next one. */
static atomic_uint_least64_t racing[4];
static atomic_uint published;
static atomic_bool race_is_over;

static void *answer_all(void *unused) {
  for (size_t i = 0; !atomic_load(&race_is_over); i++) {
    netcore_status status = netcore_hop_answer(atomic_load(&racing[i % LENGTH(racing)]), 200, NULL, "x", 1);
    CHECK(status == NETCORE_OK || status == NETCORE_ERR_INVALID_HANDLE);
  }
  return unused;
}

static void publish(netcore_hop hop, netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  atomic_store(&racing[atomic_fetch_add(&published, 1) % LENGTH(racing)], hop);
}

static void test_race(void) {
  struct tally ended = TALLY_INITIAL;
  pthread_t threads[2];
  check_case = "answers and cancels at once";
  begin(publish, NULL);
  for (size_t i = 0; i < LENGTH(threads); i++) REQUIRE(pthread_create(&threads[i], NULL, answer_all, NULL) == 0);
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  for (unsigned i = 0; i < 200; i++) {
    struct outcome outcome = {.ended = &ended};
    door_get(&door, URL, &outcome);
    if (i % 2 == 0) netcore_task_cancel(outcome.task);
    door_wait(&door, &ended, i + 1);
    CHECK(outcome.completion.status == NETCORE_OK || outcome.completion.status == NETCORE_ERR_CANCELED);
    CHECK(i % 2 == 0 || outcome.completion.status == NETCORE_OK);
    WAIT_UNTIL(task_state(outcome.task) == NETCORE_TASK_STATE_NONE);
    outcome_free(&outcome);
  }
  atomic_store(&race_is_over, true);
  for (size_t i = 0; i < LENGTH(threads); i++) CHECK(pthread_join(threads[i], NULL) == 0);
  end();
}

/* The network again, and what was kept for the function. */

static void release_count(void *user_data) { tally_raise(user_data); }

static void test_release(void) {
  struct tally released = TALLY_INITIAL;
  check_case = "the network takes over, and the function's data is released";
  netcore_client_options options = {.size = sizeof options};
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_client_set_transport(client, describe, &released, release_count));
  CHECK_OK(netcore_client_set_transport(client, NULL, NULL, NULL));
  CHECK(tally_reaches(&released, 1, patience_ms()));
  struct answer answer = perform_once(client, request_new("GET", at(ORIGIN, "/status/204")));
  CHECK_EQUAL(answer.info.http_status, 204);
  answer_free(&answer);
  CHECK_OK(netcore_client_set_transport(client, describe, &released, release_count));
  end();
  CHECK(tally_reaches(&released, 2, patience_ms()));
}

int main(void) {
  check_begin();
  test_reading();
  test_on_top();
  test_later();
  test_failures();
  test_unanswered();
  test_race();
  test_release();
  return check_end();
}
