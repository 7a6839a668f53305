/*
 * How a request is transferred: priority, bandwidth, progress, what the caller hangs on it, and what it demands of the network.
 */
#include "support.h"

static const netcore_completion_mode modes[] = {NETCORE_COMPLETION_MODE_CALLBACK, NETCORE_COMPLETION_MODE_PUMP,
                                                NETCORE_COMPLETION_MODE_QUEUE, NETCORE_COMPLETION_MODE_LOOP,
                                                NETCORE_COMPLETION_MODE_LOOP_QUEUE};

/* Priority */

static unsigned arrivals;

static void note_arrival(struct outcome *outcome) { *(unsigned *)outcome->hook_data = ++arrivals; }

static void test_priority(void) {
  static const netcore_priority priorities[] = {NETCORE_PRIORITY_LOW, NETCORE_PRIORITY_DEFAULT, NETCORE_PRIORITY_HIGH,
                                                NETCORE_PRIORITY_LOW, NETCORE_PRIORITY_DEFAULT, NETCORE_PRIORITY_HIGH};
  /* What holds the only slot comes first; then by priority, and in the order of their coming. */
  static const unsigned expected[] = {6, 4, 2, 7, 5, 3};
  struct tally ended = TALLY_INITIAL;
  struct outcome outcomes[7] = {0};
  unsigned places[7];
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  check_case = "priorities";
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, 1));
  for (unsigned i = 0; i < 7; i++) {
    outcomes[i].ended = &ended;
    outcomes[i].hook = note_arrival;
    outcomes[i].hook_data = &places[i];
  }
  netcore_request slow =
      script_request("GET", ORIGIN, "[{'sleep_ms': 300}, {'send': 'HTTP/1.1 204 No Content\r\n\r\n'}]");
  CHECK_OK(door_dispatch(&door, slow, &outcomes[6]));
  CHECK_OK(netcore_request_destroy(slow));
  for (unsigned i = 0; i < 6; i++) {
    netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
    CHECK_OK(netcore_request_set_priority(request, priorities[i]));
    CHECK_OK(door_dispatch(&door, request, &outcomes[i]));
    CHECK_OK(netcore_request_destroy(request));
  }
  CHECK(door_wait(&door, &ended, 7));
  CHECK_EQUAL(places[6], 1);
  for (unsigned i = 0; i < 6; i++) CHECK_EQUAL(places[i], expected[i]);
  for (unsigned i = 0; i < 7; i++) outcome_free(&outcomes[i]);
  CHECK_OK(netcore_client_destroy(door.client));
}

/* Bandwidth */

/* Bytes of a body at a rate: the first piece comes at once, and an eighth of a second's worth at most. */
static void check_rate(uint64_t start, double bytes, double rate) {
  double seconds = (double)(now_ms() - start) / 1000, expected = bytes / rate;
  CHECK(seconds >= expected - 0.15);
  CHECK(seconds <= (expected + 1) * (is_slow() ? 10 : 1));
}

/* 0 is any rate: at one byte per second the body would take hours. */
static void test_any_rate(netcore_client client) {
  char body[10000];
  memset(body, 'x', sizeof body);
  check_case = "a rate of 0, and one beyond";
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_body(request, body, sizeof body));
  CHECK_OK(netcore_request_set_max_receive_rate(request, 0));
  CHECK_OK(netcore_request_set_max_send_rate(request, 0));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, stretched(20000)));
  CHECK_STATUS(netcore_request_set_max_receive_rate(request, UINT64_MAX), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK(strncmp(netcore_last_error_message(), "bytes_per_second: ", 18) == 0);
  CHECK_STATUS(netcore_request_set_max_send_rate(request, (uint64_t)1 << 63), NETCORE_ERR_INVALID_ARGUMENT);
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
}

static void test_rates(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  char body[40000];
  memset(body, 'x', sizeof body);
  test_any_rate(client);
  check_case = "a rate to receive";
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_body(request, body, sizeof body));
  CHECK_OK(netcore_request_set_max_receive_rate(request, 40000));
  uint64_t start = now_ms();
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  check_rate(start, (double)answer.info.body.size_bytes, 40000);
  answer_free(&answer);
  check_case = "a rate to send";
  char *large = calloc(1, 400000);
  REQUIRE(large != NULL);
  request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_body(request, large, 400000));
  CHECK_OK(netcore_request_set_max_send_rate(request, 200000));
  start = now_ms();
  answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  check_rate(start, 400000, 200000);
  answer_free(&answer);
  free(large);
  check_case = "a rate to receive, for two streams of an HTTP/2 connection";
  netcore_client_options options = {
      .size = sizeof options, .completions = NETCORE_COMPLETION_MODE_QUEUE, .ca_file = peer(CA_FILE)};
  struct door door = {NETCORE_COMPLETION_MODE_QUEUE, 0, -1};
  REQUIRE_OK(netcore_client_create(&options, &door.client));
  struct tally ended = TALLY_INITIAL;
  struct outcome outcomes[2] = {{.ended = &ended}, {.ended = &ended}};
  start = now_ms();
  for (int i = 0; i < 2; i++) {
    request = request_new("GET", at(NGINX_H2, "/10m"));
    CHECK_OK(netcore_request_set_max_receive_rate(request, 10000000));
    CHECK_OK(door_dispatch(&door, request, &outcomes[i]));
    CHECK_OK(netcore_request_destroy(request));
  }
  CHECK(door_wait(&door, &ended, 1));
  check_rate(start, 10 << 20, 10000000);
  CHECK(door_wait(&door, &ended, 2));
  check_rate(start, 10 << 20, 10000000);
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK);
    outcome_free(&outcomes[i]);
  }
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_OK(netcore_client_destroy(client));
}

/* Progress */

struct progress {
  struct tally ended;
  unsigned reports;
  uint64_t received, sent, expected, to_send;
  netcore_status status;
};

static void note_progress(const netcore_completion *completion) {
  struct progress *progress = completion->user_data;
  if (completion->kind == NETCORE_COMPLETION_KIND_PROGRESS) {
    netcore_task_info info = {.size = sizeof info};
    CHECK_OK(netcore_task_get_info(completion->task, &info));
    CHECK_EQUAL(completion->response, 0);
    CHECK(info.received_bytes >= progress->received && info.sent_bytes >= progress->sent);
    progress->received = info.received_bytes;
    progress->sent = info.sent_bytes;
    progress->expected = info.expected_bytes;
    progress->to_send = info.to_send_bytes;
    progress->reports++;
    return;
  }
  CHECK_EQUAL(completion->kind, NETCORE_COMPLETION_KIND_TASK);
  progress->status = completion->status;
  tally_raise(&progress->ended);
}

static void note_end(const netcore_completion *completion) {
  CHECK_EQUAL(completion->kind, NETCORE_COMPLETION_KIND_TASK);
  note_progress(completion);
}

static void note_event(const netcore_completion *event, void *user_data) {
  CHECK(user_data == NULL);
  CHECK_EQUAL(event->kind, NETCORE_COMPLETION_KIND_PROGRESS);
  note_progress(event);
}

static void wait_for_progress(const struct door *door, struct progress *progress) {
  uint64_t deadline = now_ms() + patience_ms();
  if (door->mode == NETCORE_COMPLETION_MODE_CALLBACK) CHECK(tally_reaches(&progress->ended, 1, patience_ms()));
  while (tally_count(&progress->ended) < 1 && now_ms() < deadline) {
    netcore_completion taken[8];
    uint32_t count = 0;
    if (mode_is_pump(door->mode)) {
      if (door_is_readable(door, 100)) CHECK_OK(netcore_client_process(door->client, 0, NULL));
      continue;
    }
    if (netcore_client_wait(door->client, taken, 8, sizeof(netcore_completion), 100, &count) != NETCORE_OK) continue;
    for (uint32_t i = 0; i < count; i++) {
      /* A report and the end behind it may be taken together: the task has ended by then. */
      if (taken[i].kind == NETCORE_COMPLETION_KIND_PROGRESS && taken[count - 1].kind == NETCORE_COMPLETION_KIND_TASK)
        continue;
      note_progress(&taken[i]);
      if (taken[i].response != 0) CHECK_OK(netcore_response_release(taken[i].response));
    }
  }
  CHECK_STATUS(progress->status, NETCORE_OK);
}

static void test_progress(netcore_completion_mode mode) {
  struct door door = door_open(mode);
  char *body = calloc(1, 3000000);
  REQUIRE(body != NULL);
  for (int interval = 0; interval < 2; interval++) {
    check_case = interval ? "progress that is told rarely" : "progress of every piece";
    struct progress progress = {.ended = TALLY_INITIAL};
    netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
    CHECK_OK(netcore_request_set_body(request, body, 3000000));
    /* Half a second: time enough to take more than one report. */
    CHECK_OK(netcore_request_set_max_send_rate(request, 6000000));
    CHECK_OK(netcore_request_set_progress_interval_ms(request, interval ? 3600000 : 0));
    CHECK_OK(netcore_request_set_event_function(request, note_event, NULL, NULL));
    CHECK_OK(netcore_dispatch(door.client, request, mode_is_queue(mode) ? NULL : note_end, &progress, NULL));
    CHECK_OK(netcore_request_destroy(request));
    wait_for_progress(&door, &progress);
    if (interval)
      CHECK(progress.reports <= 2); /* at the beginning, and at the end */
    else
      CHECK(progress.reports >= 2 && progress.sent > 0);
    if (progress.reports > 0) CHECK_EQUAL(progress.to_send, 3000000);
    if (mode_is_queue(mode)) continue; /* the last report and the end may have been taken together */
    CHECK_EQUAL(progress.sent, 3000000);
    CHECK(progress.received > 3000000 && progress.received == progress.expected);
  }
  check_case = "no progress is told unasked";
  struct progress progress = {.ended = TALLY_INITIAL};
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_body(request, body, 300000));
  CHECK_OK(netcore_request_set_event_function(request, note_event, NULL, NULL));
  CHECK_OK(netcore_dispatch(door.client, request, mode_is_queue(mode) ? NULL : note_end, &progress, NULL));
  CHECK_OK(netcore_request_destroy(request));
  wait_for_progress(&door, &progress);
  CHECK_EQUAL(progress.reports, 0);
  free(body);
  CHECK_OK(netcore_client_destroy(door.client));
}

/* What the caller hangs on it */

static void test_user_info(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  int info = 0;
  check_case = "user info";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_user_info(request, &info));
  struct answer answer = perform(client, request);
  CHECK(answer.info.user_info == &info);
  answer_free(&answer);
  CHECK_OK(netcore_request_set_url(request, peer(REFUSED)));
  answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_CONNECT);
  CHECK(answer.info.user_info == &info);
  answer_free(&answer);
  CHECK_OK(netcore_request_set_user_info(request, NULL));
  answer = perform_once(client, request);
  CHECK(answer.info.user_info == NULL);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

/* The network */

static void test_network(void) {
  static const struct {
    const char *interface;
    int is_known, is_metered;
    const char *wanted;
    int allow_metered;
    netcore_status status;
  } cases[] = {
      {NULL, 0, 0, NULL, 0, NETCORE_OK},
      {NULL, 0, 0, "lo", 1, NETCORE_OK},
      {NULL, 1, 0, NULL, 0, NETCORE_OK},
      {NULL, 1, 1, NULL, 1, NETCORE_OK},
      {NULL, 1, 1, NULL, 0, NETCORE_ERR_NETWORK_METERED},
      {NULL, 1, 0, "lo", 1, NETCORE_OK},
      {"lo", 1, 0, "lo", 1, NETCORE_OK},
      {"wlan0", 1, 0, "lo", 1, NETCORE_ERR_NETWORK_INTERFACE},
      {"wlan0", 1, 1, NULL, 1, NETCORE_OK},
      {"wlan0", 1, 1, "wlan0", 0, NETCORE_ERR_NETWORK_METERED},
  };
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  check_case = "demands of the network";
  for (size_t i = 0; i < LENGTH(cases); i++) {
    netcore_network network = {
        .size = sizeof network, .is_metered = cases[i].is_metered, .interface = cases[i].interface};
    CHECK_OK(netcore_client_set_network(client, cases[i].is_known ? &network : NULL));
    netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
    CHECK_OK(netcore_request_set_allowed_interface(request, cases[i].wanted));
    CHECK_OK(netcore_request_set_allow_metered(request, cases[i].allow_metered));
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, cases[i].status);
    if (cases[i].status != NETCORE_OK) CHECK_EQUAL(answer.info.attempts, 0);
    answer_free(&answer);
  }
  check_case = "the network is judged when a request is sent, not when it begins to wait";
  struct door door = {NETCORE_COMPLETION_MODE_QUEUE, client, -1};
  struct tally ended = TALLY_INITIAL;
  struct outcome first = {.ended = &ended}, second = {.ended = &ended};
  CHECK_OK(netcore_client_set_network(client, NULL));
  CHECK_OK(netcore_client_set_limit(client, NETCORE_LIMIT_TRANSFERS, 1));
  netcore_request slow =
      script_request("GET", ORIGIN, "[{'sleep_ms': 300}, {'send': 'HTTP/1.1 204 No Content\r\n\r\n'}]");
  CHECK_OK(door_dispatch(&door, slow, &first));
  CHECK_OK(netcore_request_destroy(slow));
  netcore_request waiting = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_allow_metered(waiting, 0));
  CHECK_OK(door_dispatch(&door, waiting, &second));
  CHECK_OK(netcore_request_destroy(waiting));
  CHECK_OK(netcore_client_set_network(client, &(netcore_network){.size = sizeof(netcore_network), .is_metered = 1}));
  CHECK(door_wait(&door, &ended, 2));
  CHECK_STATUS(first.completion.status, NETCORE_OK);
  CHECK_STATUS(second.completion.status, NETCORE_ERR_NETWORK_METERED);
  outcome_free(&first);
  outcome_free(&second);
  check_case = "an interface that is not there";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_client_set_network(client, NULL));
  CHECK_OK(netcore_request_set_allowed_interface(request, "nowhere0"));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_CONNECT);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_priority();
  test_rates();
  for (size_t i = 0; i < LENGTH(modes); i++) test_progress(modes[i]);
  test_user_info();
  test_network();
  return check_end();
}
