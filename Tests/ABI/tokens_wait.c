/*
 * Functions that take their time with a token, bodies that are sent a second time, and stored answers of several tokens.
 */
#include "support.h"

#include "support/cache.h"
#include "support/tokens.h"

static netcore_client client;

static void begin(struct giver *giver, netcore_cache cache) {
  client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), give, giver, NULL));
}

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

/* Functions that block */

static struct tally released;
static bool has_returned;

static void hang(unsigned call) {
  (void)call;
  CHECK(tally_reaches(&released, 1, patience_ms()));
  __atomic_store_n(&has_returned, true, __ATOMIC_SEQ_CST);
}

static void begin_hanging(struct giver *giver) {
  released = (struct tally)TALLY_INITIAL;
  has_returned = false;
  giver->hook = hang;
  begin(giver, 0);
}

static void test_timeout(void) {
  struct giver giver = GIVER("one");
  begin_hanging(&giver);
  check_case = "the total timeout, before the request is sent";
  netcore_request request = request_new("GET", guarded("timeout", "one"));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 50));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_TIMEOUT_TOTAL);
  CHECK_EQUAL(answer.info.attempts, 0);
  answer_free(&answer);
  CHECK_EQUAL(guarded_seen("timeout"), 0);
  check_case = "other origins are not held up";
  CHECK_ANONYMOUS(client, request_new("GET", at_localhost("/echo")));
  check_case = "the token that comes in the end";
  tally_raise(&released);
  CHECK_ANSWER(client, request_new("GET", guarded("timeout", "one")), 200, "Bearer one");
  CHECK_EQUAL(tally_count(&giver.calls), 1);
  end();
}

static void hang_at_second(unsigned call) {
  if (call == 2) hang(call);
}

static void test_timeout_of_second_try(void) {
  struct giver giver = GIVER("one", "two");
  begin_hanging(&giver);
  giver.hook = hang_at_second;
  check_case = "the total timeout, behind a 401";
  CHECK_ANSWER(client, request_new("GET", guarded("behind", "one")), 200, "Bearer one");
  netcore_request request = request_new("GET", guarded("behind", "two"));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, stretched(300)));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_TIMEOUT_TOTAL);
  CHECK_EQUAL(answer.info.attempts, 1);
  answer_free(&answer);
  tally_raise(&released);
  end();
}

static void test_cancel(void) {
  struct giver giver = GIVER("one");
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  begin_hanging(&giver);
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  check_case = "a cancel";
  door_get(&door, guarded("cancel", "one"), &outcome);
  CHECK(tally_reaches(&giver.calls, 1, patience_ms()));
  CHECK_OK(netcore_task_cancel(outcome.task));
  CHECK(door_wait(&door, &ended, 1));
  CHECK_STATUS(outcome.completion.status, NETCORE_ERR_CANCELED);
  outcome_free(&outcome);
  CHECK(!__atomic_load_n(&has_returned, __ATOMIC_SEQ_CST));
  tally_raise(&released);
  CHECK_ANSWER(client, request_new("GET", guarded("cancel", "one")), 200, "Bearer one");
  CHECK_EQUAL(guarded_seen("cancel"), 1);
  end();
}

static pid_t destroying;

static void *destroy_client(void *unused) {
  (void)unused;
  __atomic_store_n(&destroying, this_thread(), __ATOMIC_SEQ_CST);
  CHECK_OK(netcore_client_destroy(client));
  CHECK(__atomic_load_n(&has_returned, __ATOMIC_SEQ_CST));
  return NULL;
}

static void test_destroy(void) {
  struct giver giver = GIVER("one");
  struct tally ended = TALLY_INITIAL;
  struct outcome outcomes[3];
  pthread_t thread;
  begin_hanging(&giver);
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  check_case = "destroy waits for the function";
  for (int i = 0; i < 3; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    door_get(&door, guarded("destroy", "one"), &outcomes[i]);
  }
  CHECK(tally_reaches(&giver.calls, 1, patience_ms()));
  REQUIRE(pthread_create(&thread, NULL, destroy_client, NULL) == 0);
  CHECK(tally_reaches(&ended, 3, patience_ms()));
  WAIT_UNTIL(thread_sleeps(__atomic_load_n(&destroying, __ATOMIC_SEQ_CST)));
  tally_raise(&released);
  REQUIRE(pthread_join(thread, NULL) == 0);
  for (int i = 0; i < 3; i++) {
    CHECK_STATUS(outcomes[i].completion.status, NETCORE_ERR_CANCELED);
    outcome_free(&outcomes[i]);
  }
  CHECK_EQUAL(guarded_seen("destroy"), 0);
}

/* Another source while the old one is asked: whoever waits gets the new one's token, or none, and no request hangs. */
static void test_replaced(bool is_removed) {
  struct giver giver = GIVER("one"), other = GIVER("two");
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  begin_hanging(&giver);
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  check_case = is_removed ? "a source that is removed meanwhile" : "a source that is replaced meanwhile";
  door_get(&door, at(ORIGIN, "/echo"), &outcome);
  CHECK(tally_reaches(&giver.calls, 1, patience_ms()));
  CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), is_removed ? NULL : give, &other, NULL));
  tally_raise(&released);
  CHECK(door_wait(&door, &ended, 1));
  CHECK_STATUS(outcome.completion.status, NETCORE_OK);
  CHECK(!bytes_have(response_info(outcome.completion.response).body, "Bearer one"));
  outcome_free(&outcome);
  if (is_removed)
    CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN, "/echo")));
  else
    CHECK_ANSWER(client, request_new("GET", at(ORIGIN, "/echo")), 200, "Bearer two");
  end();
}

/* Bodies that are sent twice */

static const char text[] = "what is sent twice";

struct source {
  bool is_at_end;
  unsigned rewinds;
};

static size_t read_text(void *buffer, size_t capacity, void *user_data) {
  struct source *source = user_data;
  (void)capacity;
  if (source->is_at_end) return 0;
  source->is_at_end = true;
  memcpy(buffer, text, sizeof text - 1);
  return sizeof text - 1;
}

static int32_t rewind_text(void *user_data) {
  struct source *source = user_data;
  source->is_at_end = false;
  source->rewinds++;
  return 0;
}

static netcore_request text_request(const char *mark, struct source *source, bool rewinds, uint64_t length) {
  netcore_reader reader = {.size = sizeof reader, .read = read_text, .user_data = source};
  if (rewinds) reader.rewind = rewind_text;
  netcore_request request = request_new("POST", guarded(mark, "two"));
  CHECK_OK(netcore_request_set_body_reader(request, &reader, length));
  return request;
}

static void test_bodies(void) {
  static const uint64_t lengths[] = {sizeof text - 1, NETCORE_LENGTH_UNKNOWN};
  for (size_t i = 0; i < LENGTH(lengths); i++) {
    struct giver giver = GIVER("one", "two"), again = GIVER("one", "two");
    struct source source = {false, 0};
    check_case = "a streamed body, read again";
    begin(&giver, 0);
    CHECK_ANSWER(client, text_request("streamed", &source, true, lengths[i]), 200, "\"body\": \"what is sent twice\"");
    CHECK_EQUAL(source.rewinds, 1);
    check_case = "a streamed body that cannot be read again";
    CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), give, &again, NULL));
    source = (struct source){false, 0};
    struct answer answer = perform_once(client, text_request("once", &source, false, lengths[i]));
    CHECK_STATUS(answer.status, NETCORE_ERR_BODY_REWIND);
    answer_free(&answer);
    end();
  }
  struct giver giver = GIVER("one", "two");
  begin(&giver, 0);
  check_case = "a body in memory";
  netcore_request request = request_new("POST", guarded("memory", "two"));
  CHECK_OK(netcore_request_set_body(request, text, sizeof text - 1));
  CHECK_ANSWER(client, request, 200, "\"body\": \"what is sent twice\"");
  end();
}

/* Stored answers */

static void use(struct giver *giver, const char *token) {
  *giver = (struct giver)GIVER(token);
  CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), give, giver, NULL));
}

static void test_cache(const char *name, char *folder) {
  struct giver giver;
  char path[200];
  netcore_cache cache = cache_new(folder);
  client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  check_case = name;
  snprintf(path, sizeof path, "%s?Cache-Control=max-age%%3D1000", guarded_path(name));
  const char *url = at(ORIGIN, path);
  CHECK_ANONYMOUS(client, request_new("GET", url));
  CHECK_RESULT(result_of(client, url), HIT);
  use(&giver, "one");
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  door_get(&door, url, &outcome);
  CHECK(door_wait(&door, &ended, 1));
  CHECK(bytes_have(response_info(outcome.completion.response).body, "Bearer one"));
  outcome_free(&outcome);
  CHECK_ANSWER(client, request_new("GET", url), 200, "Bearer one");
  CHECK_RESULT(result_of(client, url), HIT);
  CHECK_ANSWER(client, request_new("GET", url), 200, "Bearer one");
  use(&giver, "two");
  CHECK_ANSWER(client, request_new("GET", url), 200, "Bearer two");
  CHECK_RESULT(result_of(client, url), HIT);
  CHECK_ANSWER(client, auth_request(url, NETCORE_AUTH_BEARER, NULL, "three"), 200, "Bearer three");
  CHECK_ANSWER(client, auth_request(url, NETCORE_AUTH_BASIC, "user", "four"), 200, basic_field("user:four"));
  CHECK_ANSWER(client, auth_request(url, NETCORE_AUTH_BASIC, "user", "five"), 200, basic_field("user:five"));
  CHECK_ANSWER(client, request_new("GET", url), 200, "Bearer two");
  CHECK_OK(netcore_client_set_token_source(client, at(ORIGIN, ""), NULL, NULL, NULL));
  CHECK_ANONYMOUS(client, request_new("GET", url));
  end();
  CHECK_OK(netcore_cache_destroy(cache));
}

/* A token that is refused takes none of the answers with it that were stored for the one before. */
static void test_cache_and_refresh(void) {
  struct giver giver = GIVER("one", "two");
  char path[300];
  netcore_cache cache = cache_new(NULL);
  begin(&giver, cache);
  check_case = "a refresh, with a cache";
  snprintf(path, sizeof path, "%s?Cache-Control=max-age%%3D1000&for=Bearer%%20two", guarded_path("cached"));
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, path)), 200, "Bearer two");
  CHECK_RESULT(result_of(client, at(ORIGIN, path)), HIT);
  CHECK_EQUAL(guarded_seen("cached"), 2);
  end();
  CHECK_OK(netcore_cache_destroy(cache));
}

int main(void) {
  check_begin();
  test_timeout();
  test_timeout_of_second_try();
  test_cancel();
  test_destroy();
  test_replaced(true);
  test_replaced(false);
  test_bodies();
  test_cache("memory", NULL);
  char *folder = folder_new();
  test_cache("disk", folder);
  folder_remove(folder);
  test_cache_and_refresh();
  return check_end();
}
