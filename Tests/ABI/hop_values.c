/*
 * A function that gives a field of each hop its value: what it is called with, redirects and retries, no field, and what it refuses.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/answer.h"
#include "support/hops.h"

enum { MOST = 8 };

struct seen {
  atomic_uint calls, sent, released;
  char given[MOST][16], arrived[MOST][16];
  uint32_t attempts[MOST], hops[MOST];
};

/* "1", "2" and so on; no field for the third hop. */
static int32_t number(const netcore_hop_info *info, char *text, size_t capacity, void *user_data) {
  struct seen *seen = user_data;
  unsigned call = atomic_fetch_add(&seen->calls, 1);
  CHECK(call < MOST && info->size == sizeof *info && info->number == 1 && strcmp(info->method, "GET") == 0);
  CHECK(strncmp(info->url, "http://app.test/", 16) == 0);
  snprintf(seen->given[call], sizeof seen->given[call], "%s", info->value == NULL ? "" : info->value);
  seen->attempts[call] = info->attempt;
  seen->hops[call] = info->hop;
  return call == 2 ? NETCORE_TEXT_NONE : snprintf(text, capacity, "%u", call + 1);
}

static void release(void *user_data) { atomic_fetch_add(&((struct seen *)user_data)->released, 1); }

static void answer_next(netcore_hop hop, netcore_request request, void *user_data) {
  static const int32_t statuses[] = {302, 503, 200};
  struct seen *seen = user_data;
  unsigned call = atomic_fetch_add(&seen->sent, 1);
  netcore_bytes value = {0};
  if (netcore_request_get_header(request, "X-Try", 0, &value) == NETCORE_OK)
    snprintf(seen->arrived[call], sizeof seen->arrived[call], "%.*s", (int)value.size_bytes, (const char *)value.data);
  CHECK_OK(netcore_hop_answer(hop, statuses[call % 3], "Location: /b\nRetry-After: 0\n", "", 0));
}

static void test_hops(void) {
  struct seen seen = {0};
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  netcore_retry_options options = NETCORE_RETRY_OPTIONS_INIT;
  check_case = "hops";
  options.throttled_delay_ms = 1;
  CHECK_OK(netcore_client_set_retries(client, &options));
  CHECK_OK(netcore_client_set_transport(client, answer_next, &seen, NULL));
  CHECK_OK(netcore_client_set_hop_function(client, "X-Try", number, &seen, release));
  netcore_request request = request_new("GET", "http://app.test/a");
  CHECK_OK(netcore_request_set_header(request, "X-Try", "own"));
  struct answer answer = perform_once(client, request);
  CHECK_EQUAL(answer.info.http_status, 200);
  answer_free(&answer);
  CHECK(seen.calls == 3 && seen.sent == 3);
  CHECK(strcmp(seen.given[0], "own") == 0 && strcmp(seen.given[1], "own") == 0 && strcmp(seen.given[2], "own") == 0);
  CHECK(strcmp(seen.arrived[0], "1") == 0 && strcmp(seen.arrived[1], "2") == 0 && strcmp(seen.arrived[2], "") == 0);
  CHECK(seen.attempts[0] == 1 && seen.attempts[1] == 1 && seen.attempts[2] == 2);
  CHECK(seen.hops[0] == 1 && seen.hops[1] == 2 && seen.hops[2] == 1);
  CHECK_OK(netcore_client_set_hop_function(client, "X-Try", NULL, NULL, NULL));
  WAIT_UNTIL(atomic_load(&seen.released) == 1);
  CHECK_OK(netcore_client_destroy(client));
}

static int32_t refuse(const netcore_hop_info *info, char *text, size_t capacity, void *user_data) {
  (void)info, (void)user_data;
  if (capacity > 0) text[0] = 0;
  return -7;
}

static void test_refusal(void) {
  struct seen seen = {0};
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  check_case = "a refusal";
  CHECK_OK(netcore_client_set_transport(client, answer_next, &seen, NULL));
  CHECK_STATUS(netcore_client_set_hop_function(client, "not a name", refuse, NULL, NULL), NETCORE_ERR_INVALID_HEADER);
  CHECK_STATUS(netcore_client_set_hop_function(client, "content-Length", refuse, NULL, NULL),
               NETCORE_ERR_INVALID_HEADER);
  CHECK_STATUS(netcore_client_set_hop_function(client, "Host", refuse, NULL, NULL), NETCORE_ERR_INVALID_HEADER);
  CHECK_OK(netcore_client_set_hop_function(client, "X-Try", refuse, NULL, NULL));
  struct answer answer = perform_once(client, request_new("GET", "http://app.test/a"));
  CHECK_STATUS(answer.status, NETCORE_ERR_REFUSED);
  CHECK_EQUAL(seen.sent, 0);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  test_hops();
  test_refusal();
  return check_end();
}
