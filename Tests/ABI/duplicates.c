/*
 * Equal requests in flight: joined, dropped, in the place of the old one, or side by side; which requests are equal, and what each
 * task keeps of its own.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/hops.h"

#define URL "http://app.test/a"

enum { MANY = 1000 };

static netcore_client client_of(struct hops *hops) {
  netcore_client client;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_transport(client, hops_keep, hops, NULL));
  return client;
}

static netcore_request request_of(netcore_duplicates duplicates) {
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_duplicates(request, duplicates));
  return request;
}

/* What tasks ended with. */
struct ends {
  struct tally all;
  atomic_uint answered, canceled, replaced, duplicate, joined, timed_out, sent;
};

#define ENDS_INITIAL {TALLY_INITIAL, 0, 0, 0, 0, 0, 0, 0}

static void note(const netcore_completion *completion) {
  struct ends *ends = completion->user_data;
  netcore_error error = NETCORE_ERROR_INIT;
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  CHECK_OK(netcore_response_get_error(completion->response, &error));
  CHECK_OK(netcore_response_get_info(completion->response, &info));
  if (completion->status == NETCORE_OK) {
    ends->answered++;
    CHECK(info.body.size_bytes == 4 && memcmp(info.body.data, "body", 4) == 0);
    CHECK_EQUAL(error.cancel_cause, NETCORE_CANCEL_CAUSE_NONE);
  }
  if (error.cancel_cause == NETCORE_CANCEL_CAUSE_APPLICATION) ends->canceled++;
  if (error.cancel_cause == NETCORE_CANCEL_CAUSE_REPLACED) ends->replaced++;
  if (completion->status == NETCORE_ERR_DUPLICATE) ends->duplicate++;
  if (completion->status == NETCORE_ERR_TIMEOUT_TOTAL) ends->timed_out++;
  ends->joined += (unsigned)info.joined;
  ends->sent += (unsigned)error.sent;
  tally_raise(&ends->all);
}

static netcore_task dispatch(netcore_client client, netcore_request request, struct ends *ends) {
  netcore_task task = 0;
  CHECK_OK(netcore_dispatch(client, request, note, ends, &task));
  return task;
}

static void wait_for(struct ends *ends, unsigned count) { REQUIRE(tally_reaches(&ends->all, count, patience_ms())); }

static void answer_hop(netcore_hop hop) { CHECK_OK(netcore_hop_answer(hop, 200, NULL, "body", 4)); }

/* A thousand at once: the origin sees one, also if half of them are canceled, the first one included. */
static void test_join(bool cancels) {
  struct hops hops = HOPS_INITIAL;
  struct ends ends = ENDS_INITIAL;
  netcore_client client = client_of(&hops);
  netcore_request request = request_of(NETCORE_DUPLICATES_JOIN);
  static netcore_task tasks[MANY];
  unsigned canceled = 0, state = 7;
  check_case = cancels ? "500 of 1,000 canceled" : "1,000 joined";
  for (unsigned i = 0; i < MANY; i++) tasks[i] = dispatch(client, request, &ends);
  netcore_hop hop = hops_wait(&hops, 1);
  if (cancels) {
    CHECK_OK(netcore_task_cancel(tasks[0]));
    for (canceled = 1; canceled < MANY / 2;) {
      state = state * 1664525u + 1013904223u;
      unsigned i = (state >> 8) % MANY;
      if (tasks[i] == 0) continue;
      if (i != 0) {
        CHECK_OK(netcore_task_cancel(tasks[i]));
        canceled++;
      }
      tasks[i] = 0;
    }
    wait_for(&ends, canceled);
    CHECK_EQUAL(ends.canceled, canceled);
  }
  answer_hop(hop);
  wait_for(&ends, MANY);
  CHECK_EQUAL(ends.answered, MANY - canceled);
  CHECK_EQUAL(ends.joined, MANY - canceled - 1);
  CHECK_EQUAL(tally_count(&hops.given), 1);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

/* The last one that cancels ends the transfer; the next equal request is sent anew. */
static void test_last_cancel(void) {
  struct hops hops = HOPS_INITIAL;
  struct ends ends = ENDS_INITIAL;
  netcore_client client = client_of(&hops);
  netcore_request request = request_of(NETCORE_DUPLICATES_JOIN);
  check_case = "the last cancel";
  netcore_task first = dispatch(client, request, &ends), second = dispatch(client, request, &ends);
  netcore_hop hop = hops_wait(&hops, 1);
  CHECK_OK(netcore_task_cancel(first));
  wait_for(&ends, 1);
  CHECK_OK(netcore_task_cancel(second));
  wait_for(&ends, 2);
  CHECK_EQUAL(ends.canceled, 2);
  CHECK_STATUS(netcore_hop_answer(hop, 200, NULL, NULL, 0), NETCORE_ERR_INVALID_HANDLE);
  dispatch(client, request, &ends);
  answer_hop(hops_wait(&hops, 2));
  wait_for(&ends, 3);
  CHECK_EQUAL(ends.answered, 1);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

/* A failure goes to all; after a total timeout those with time left send again. */
static void test_failures(void) {
  struct hops hops = HOPS_INITIAL;
  struct ends ends = ENDS_INITIAL;
  netcore_client client = client_of(&hops);
  netcore_request request = request_of(NETCORE_DUPLICATES_JOIN);
  check_case = "failures";
  for (int i = 0; i < 3; i++) dispatch(client, request, &ends);
  CHECK_OK(netcore_hop_fail(hops_wait(&hops, 1), NETCORE_ERR_CONNECTION_LOST, NULL));
  wait_for(&ends, 3);
  CHECK_EQUAL(ends.answered, 0);
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 30));
  dispatch(client, request, &ends);
  hops_wait(&hops, 2);
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 0));
  dispatch(client, request, &ends);
  answer_hop(hops_wait(&hops, 3));
  wait_for(&ends, 5);
  CHECK_EQUAL(ends.timed_out, 1);
  CHECK_EQUAL(ends.answered, 1);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_drop_and_cancel(void) {
  struct hops hops = HOPS_INITIAL;
  struct ends ends = ENDS_INITIAL;
  netcore_client client = client_of(&hops);
  netcore_request drop = request_of(NETCORE_DUPLICATES_DROP_NEW), join = request_of(NETCORE_DUPLICATES_JOIN);
  netcore_request cancel = request_of(NETCORE_DUPLICATES_CANCEL_OLD), allow = request_of(NETCORE_DUPLICATES_ALLOW);
  check_case = "drop_new";
  dispatch(client, drop, &ends);
  hops_wait(&hops, 1);
  dispatch(client, drop, &ends);
  wait_for(&ends, 1);
  CHECK_EQUAL(ends.duplicate, 1);
  CHECK_EQUAL(ends.sent, 0);
  check_case = "cancel_old";
  dispatch(client, cancel, &ends);
  wait_for(&ends, 2);
  CHECK_EQUAL(ends.replaced, 1);
  answer_hop(hops_wait(&hops, 2));
  wait_for(&ends, 3);
  CHECK_EQUAL(ends.answered, 1);
  check_case = "cancel_old ends all that joined";
  dispatch(client, join, &ends);
  dispatch(client, join, &ends);
  hops_wait(&hops, 3);
  dispatch(client, cancel, &ends);
  wait_for(&ends, 5);
  CHECK_EQUAL(ends.replaced, 3);
  netcore_hop hop = hops_wait(&hops, 4);
  check_case = "allow";
  dispatch(client, allow, &ends);
  answer_hop(hops_wait(&hops, 5));
  answer_hop(hop);
  wait_for(&ends, 7);
  CHECK_EQUAL(ends.answered, 3);
  CHECK_OK(netcore_request_destroy(drop));
  CHECK_OK(netcore_request_destroy(join));
  CHECK_OK(netcore_request_destroy(cancel));
  CHECK_OK(netcore_request_destroy(allow));
  CHECK_OK(netcore_client_destroy(client));
}

/* Each differs from the first request in one thing; whether that changes the answer. */
static void no_change(netcore_request request) { (void)request; }
static void other_field(netcore_request request) {
  CHECK_OK(netcore_request_set_header(request, "Accept", "text/plain"));
}
static void other_body(netcore_request request) { CHECK_OK(netcore_request_set_body(request, "x", 1)); }
static void other_user(netcore_request request) {
  CHECK_OK(netcore_request_set_auth(request, NETCORE_AUTH_BASIC, "a", "b"));
}
static void other_cookie(netcore_request request) { CHECK_OK(netcore_request_set_cookie(request, "a", "b")); }
static void other_query(netcore_request request) { CHECK_OK(netcore_request_add_param(request, "a", "b")); }
static void other_decoding(netcore_request request) { CHECK_OK(netcore_request_set_decode_content(request, 0)); }
static void other_limit(netcore_request request) {
  CHECK_OK(netcore_request_set_limit(request, NETCORE_LIMIT_BODY_BYTES, 10));
}
static void other_timeout(netcore_request request) { CHECK_OK(netcore_request_set_total_timeout_ms(request, 60000)); }
static void other_tag(netcore_request request) { CHECK_OK(netcore_request_set_tag(request, "t")); }
static void other_priority(netcore_request request) {
  CHECK_OK(netcore_request_set_priority(request, NETCORE_PRIORITY_HIGH));
}

static void test_equality(void) {
  static const struct {
    const char *name;
    void (*change)(netcore_request);
    bool is_equal;
  } rows[] = {{"nothing", no_change, true},        {"field", other_field, false},
              {"body", other_body, false},         {"user", other_user, false},
              {"cookie", other_cookie, false},     {"query", other_query, false},
              {"decoding", other_decoding, false}, {"limit", other_limit, false},
              {"timeout", other_timeout, true},    {"tag", other_tag, true},
              {"priority", other_priority, true}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct hops hops = HOPS_INITIAL;
    struct ends ends = ENDS_INITIAL;
    netcore_client client = client_of(&hops);
    netcore_request first = request_of(NETCORE_DUPLICATES_DROP_NEW), second = request_of(NETCORE_DUPLICATES_DROP_NEW);
    check_case = rows[i].name;
    rows[i].change(second);
    dispatch(client, first, &ends);
    netcore_hop hop = hops_wait(&hops, 1);
    dispatch(client, second, &ends);
    if (rows[i].is_equal) {
      wait_for(&ends, 1);
    } else {
      answer_hop(hops_wait(&hops, 2));
    }
    answer_hop(hop);
    wait_for(&ends, 2);
    CHECK_EQUAL(ends.duplicate, rows[i].is_equal);
    CHECK_OK(netcore_request_destroy(first));
    CHECK_OK(netcore_request_destroy(second));
    CHECK_OK(netcore_client_destroy(client));
  }
}

/* As a default it holds for safe methods only; the cookies of another user make another request. */
static void test_defaults(void) {
  struct hops hops = HOPS_INITIAL;
  struct ends ends = ENDS_INITIAL;
  netcore_client_options options = {.size = sizeof options, .cookies = 1};
  netcore_client client;
  netcore_request defaults = request_of(NETCORE_DUPLICATES_JOIN), post = request_new("POST", URL),
                  get = request_new("GET", URL);
  netcore_cookie cookie = {
      .size = sizeof cookie, .expires = -1, .name = "user", .value = "a", .domain = "app.test", .path = "/"};
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  check_case = "defaults";
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_client_set_transport(client, hops_keep, &hops, NULL));
  CHECK_OK(netcore_request_get_info(defaults, &info));
  CHECK_EQUAL(info.duplicates, NETCORE_DUPLICATES_JOIN);
  CHECK_OK(netcore_client_set_request_defaults(client, defaults));
  dispatch(client, post, &ends);
  answer_hop(hops_wait(&hops, 1));
  dispatch(client, post, &ends);
  answer_hop(hops_wait(&hops, 2));
  wait_for(&ends, 2);
  check_case = "another user's cookies";
  dispatch(client, get, &ends);
  netcore_hop hop = hops_wait(&hops, 3);
  CHECK_OK(netcore_client_set_cookie(client, &cookie));
  dispatch(client, get, &ends);
  answer_hop(hops_wait(&hops, 4));
  answer_hop(hop);
  wait_for(&ends, 4);
  CHECK_EQUAL(ends.joined, 0);
  CHECK_OK(netcore_request_destroy(defaults));
  CHECK_OK(netcore_request_destroy(post));
  CHECK_OK(netcore_request_destroy(get));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_refused(void) {
  netcore_request request = request_new("GET", URL);
  check_case = "refused";
  CHECK_STATUS(netcore_request_set_duplicates(request, 4), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_set_duplicates(request, -1), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_destroy(request));
}

/* The end of the client ends all that joined, each once. */
static void test_destroy(void) {
  struct hops hops = HOPS_INITIAL;
  struct ends ends = ENDS_INITIAL;
  netcore_client client = client_of(&hops);
  netcore_request request = request_of(NETCORE_DUPLICATES_JOIN);
  check_case = "destroyed";
  for (int i = 0; i < 10; i++) dispatch(client, request, &ends);
  hops_wait(&hops, 1);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&ends.all), 10);
  CHECK_EQUAL(ends.answered + ends.canceled, 0);
  CHECK_OK(netcore_request_destroy(request));
}

int main(void) {
  test_join(false);
  test_join(true);
  test_last_cancel();
  test_failures();
  test_drop_and_cancel();
  test_equality();
  test_defaults();
  test_refused();
  test_destroy();
  return check_end();
}
