/*
 * The four timeouts: each ends the phase it is for, in time but not before it, and leaves alone what moves. Time spent
 * queued counts to none of them.
 */
#include "support.h"

#include "support/server.h"

static netcore_client client;

enum { SHORT = 300 };

enum which { CONNECT, FIRST_BYTE, IDLE, TOTAL };

static void set_timeout(netcore_request request, enum which which, uint64_t timeout_ms) {
  static netcore_status (*const setters[])(netcore_request, uint64_t) = {
      netcore_request_set_connect_timeout_ms, netcore_request_set_first_byte_timeout_ms,
      netcore_request_set_idle_timeout_ms, netcore_request_set_total_timeout_ms};
  CHECK_OK(setters[which](request, timeout_ms));
}

/* Performs with one short timeout: it must end by it, at the phase given. */
static void check_times_out(netcore_request request, enum which which, netcore_phase phase) {
  static const netcore_status statuses[] = {NETCORE_ERR_TIMEOUT_CONNECT, NETCORE_ERR_TIMEOUT_FIRST_BYTE,
                                            NETCORE_ERR_TIMEOUT_IDLE, NETCORE_ERR_TIMEOUT_TOTAL};
  set_timeout(request, which, SHORT);
  uint64_t start = now_ms();
  struct answer answer = perform_once(client, request);
  uint64_t elapsed = now_ms() - start;
  CHECK_STATUS(answer.status, statuses[which]);
  CHECK_EQUAL(answer.error.phase, phase);
  CHECK_EQUAL(answer.error.is_retryable, 1);
  if (!CHECK(elapsed + 2 >= SHORT && elapsed < SHORT + stretched(4000)))
    fprintf(stderr, "    took %d ms\n", (int)elapsed);
  answer_free(&answer);
}

/* Performs with one timeout that must not strike. */
static void check_goes_through(netcore_request request, enum which which, uint64_t timeout_ms) {
  set_timeout(request, which, timeout_ms);
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
}

/* A port that neither refuses nor takes connections: its backlog is full. */
static int fill_backlog(int port, int *fillers, int count) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int i = 0; i < count; i++) {
    struct pollfd wanted = {-1, POLLOUT, 0};
    fillers[i] = wanted.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    connect(fillers[i], (struct sockaddr *)&address, sizeof address);
    if (poll(&wanted, 1, 200) == 0) return i + 1; /* This one hangs, and so will the next. */
  }
  return count;
}

static void test_connect(void) {
  int port, fillers[10];
  char url[60];
  int listener = listen_on_loopback(0, &port);
  check_case = "connect: a backlog that is full";
  int count = fill_backlog(port, fillers, LENGTH(fillers));
  REQUIRE(count < (int)LENGTH(fillers));
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  check_times_out(request_new("GET", url), CONNECT, NETCORE_PHASE_CONNECT);
  check_case = "total, while connecting";
  check_times_out(request_new("GET", url), TOTAL, NETCORE_PHASE_CONNECT);
  while (count > 0) close(fillers[--count]);
  close(listener);

  check_case = "connect: a TLS handshake that is not answered";
  listener = listen_on_loopback(5, &port);
  snprintf(url, sizeof url, "https://127.0.0.1:%d/", port);
  check_times_out(request_new("GET", url), CONNECT, NETCORE_PHASE_CONNECT);
  close(listener);

  check_case = "connect: not for what comes after";
  check_goes_through(request_new("GET", at(ORIGIN, "/delay/700")), CONNECT, SHORT);
}

static void test_first_byte(void) {
  check_case = "first byte: no answer";
  check_times_out(script_request("GET", ORIGIN, "[{'stall':true}]"), FIRST_BYTE, NETCORE_PHASE_WAIT);
  check_case = "first byte: no answer to a body";
  netcore_request request = script_request("POST", ORIGIN, "[{'stall':true}]");
  CHECK_OK(netcore_request_set_body(request, "body", 4));
  check_times_out(request, FIRST_BYTE, NETCORE_PHASE_WAIT);
  check_case = "first byte: not for the bytes after it";
  check_goes_through(script_request("GET", ORIGIN,
                                    "[{'send':'HTTP/1.1 200 OK\r\n'},{'sleep_ms':600},"
                                    "{'send':'Content-Length: 2\r\n\r\n'},{'sleep_ms':300},{'send':'ok'}]"),
                     FIRST_BYTE, stretched(SHORT));
  check_case = "first byte: for one hop, not for all";
  char *second = script_url(ORIGIN, "[{'sleep_ms':200},{'send':'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'}]");
  char steps[1000];
  snprintf(steps, sizeof steps,
           "[{'sleep_ms':200},{'send':'HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: %s\r\n\r\n'}]", second);
  check_goes_through(script_request("GET", ORIGIN, steps), FIRST_BYTE, stretched(SHORT));
  free(second);
}

static void test_idle(void) {
  check_case = "idle: a body that stands still";
  check_times_out(script_request("GET", ORIGIN,
                                 "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'},"
                                 "{'stall':true}]"),
                  IDLE, NETCORE_PHASE_RECEIVE);
  check_case = "idle: a head that stands still";
  check_times_out(script_request("GET", ORIGIN, "[{'send':'HTTP/1.1 200 OK\r\nConte'},{'stall':true}]"), IDLE,
                  NETCORE_PHASE_RECEIVE);
  check_case = "idle: a body that drips";
  check_goes_through(script_request("GET", ORIGIN,
                                    "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 24\r\n\r\n'},"
                                    "{'drip':'abcdefghijklmnopqrstuvwx','interval_ms':50}]"),
                     IDLE, stretched(SHORT));
  check_case = "idle: not for the wait for the first byte";
  check_goes_through(request_new("GET", at(ORIGIN, "/delay/700")), IDLE, SHORT);

  check_case = "idle: a peer that does not read";
  size_t size = (size_t)64 << 20;
  void *body = calloc(1, size);
  REQUIRE(body != NULL);
  netcore_request request = script_request("POST", ORIGIN, "[{'before_head':true},{'stall':true}]");
  CHECK_OK(netcore_request_set_body(request, body, size));
  free(body);
  check_times_out(request, IDLE, NETCORE_PHASE_SEND);
}

static void test_total(void) {
  check_case = "total: a body that drips";
  check_times_out(script_request("GET", ORIGIN,
                                 "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n'},"
                                 "{'drip':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',"
                                 "'interval_ms':50}]"),
                  TOTAL, NETCORE_PHASE_RECEIVE);
  check_case = "total: no answer";
  check_times_out(request_new("GET", at(ORIGIN, "/delay/60000")), TOTAL, NETCORE_PHASE_WAIT);
  check_case = "total: covers all hops";
  char *second = script_url(ORIGIN, "[{'sleep_ms':250},{'send':'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'}]");
  char steps[1000];
  snprintf(steps, sizeof steps,
           "[{'sleep_ms':250},{'send':'HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: %s\r\n\r\n'}]", second);
  check_times_out(script_request("GET", ORIGIN, steps), TOTAL, NETCORE_PHASE_WAIT);
  free(second);
  check_case = "total: none";
  check_goes_through(request_new("GET", at(ORIGIN, "/delay/400")), TOTAL, 0);
}

static netcore_request dripping(void) {
  return script_request("GET", ORIGIN,
                        "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n'},"
                        "{'drip':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','interval_ms':50}]");
}

static void check_rate(netcore_request request, uint64_t rate, uint64_t window_ms, netcore_status expected) {
  CHECK_OK(netcore_request_set_min_receive_rate(request, rate, window_ms));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, expected);
  if (expected != NETCORE_OK) {
    CHECK_EQUAL(answer.error.phase, NETCORE_PHASE_RECEIVE);
    CHECK_EQUAL(answer.error.is_retryable, 1);
  }
  answer_free(&answer);
}

/* What drips comes with 20 bytes a second at most. */
static void test_rate(void) {
  check_case = "rate: a body that drips";
  check_rate(dripping(), 1000, SHORT, NETCORE_ERR_TIMEOUT_RATE);
  check_case = "rate: one that drips after a fast beginning";
  check_rate(script_request("GET", ORIGIN,
                            "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 540\r\n\r\n'},{'repeat':'a','times':500},"
                            "{'drip':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa','interval_ms':50}]"),
             1000, SHORT, NETCORE_ERR_TIMEOUT_RATE);
  check_case = "rate: the default window is longer than that";
  check_rate(dripping(), 1000, 0, NETCORE_OK);
  check_case = "rate: fast enough";
  check_rate(dripping(), 1, stretched(500), NETCORE_OK);
  check_case = "rate: any";
  check_rate(dripping(), 0, 1, NETCORE_OK);
  check_case = "rate: not for the wait for the answer, nor for the wait for the body";
  check_rate(script_request("GET", ORIGIN,
                            "[{'sleep_ms':500},{'send':'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'},"
                            "{'sleep_ms':500},{'send':'ok'}]"),
             1000, 100, NETCORE_OK);
  check_case = "rate: netcore's own pauses do not count";
  netcore_request request = request_new("GET", at(ORIGIN, "/bytes/100000"));
  CHECK_OK(netcore_request_set_max_receive_rate(request, 80000));
  check_rate(request, 100000, stretched(SHORT), NETCORE_OK);

  check_case = "rate: values that are not allowed";
  request = dripping();
  CHECK_STATUS(netcore_request_set_min_receive_rate(request, ((uint64_t)1 << 40) + 1, 0), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK(strncmp(netcore_last_error_message(), "bytes_per_second: ", 18) == 0);
  CHECK_STATUS(netcore_request_set_min_receive_rate(request, 1, (uint64_t)1 << 31), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK(strncmp(netcore_last_error_message(), "window_ms: ", 11) == 0);
  CHECK_OK(netcore_request_set_min_receive_rate(request, (uint64_t)1 << 40, ((uint64_t)1 << 31) - 1));
  CHECK_OK(netcore_request_destroy(request));
}

/* One transfer at a time, and one ahead that takes longer than any of the timeouts. */
static void test_queued(void) {
  struct tally ended = TALLY_INITIAL;
  struct outcome ahead = {.ended = &ended}, queued = {.ended = &ended};
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  check_case = "queued time is not billed";
  uint32_t timeout = stretched(SHORT), delay = timeout * 3;
  char path[40];
  snprintf(path, sizeof path, "/delay/%u", delay);
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, 1));
  door_get(&door, at(ORIGIN, path), &ahead);
  netcore_request request = request_new("GET", at(ORIGIN, "/delay/50"));
  for (int which = CONNECT; which <= TOTAL; which++) set_timeout(request, (enum which)which, timeout);
  CHECK_OK(door_dispatch(&door, request, &queued));
  CHECK_OK(netcore_request_destroy(request));
  door_wait(&door, &ended, 2);
  CHECK_STATUS(ahead.completion.status, NETCORE_OK);
  CHECK_STATUS(queued.completion.status, NETCORE_OK);
  netcore_response_info info = response_info(queued.completion.response);
  CHECK(info.queue_us >= (int64_t)(delay - 100) * 1000);
  CHECK(info.total_us >= 50000 && info.total_us < (int64_t)timeout * 1000);
  outcome_free(&ahead), outcome_free(&queued);
  CHECK_OK(netcore_client_destroy(door.client));
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_connect();
  test_first_byte();
  test_idle();
  test_total();
  test_rate();
  test_queued();
  check_case = "the client still serves";
  struct answer answer = fetch(client, at(ORIGIN, "/bytes/1000"));
  CHECK(is_pattern(answer.info.body, 1000));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
