/*
 * Answers that come before the body has gone out: "Expect: 100-continue", and refusals while a large body is still being sent,
 * by servers that read on, stop reading, or end the connection at once. None may be lost.
 */
#include "support.h"

#include "support/body.h"
#include "support/server.h"

static netcore_client client;

enum { SIZE = 5000000 };

static netcore_request with_body(netcore_request request, bool is_streamed, struct source *source) {
  static char *bytes;
  if (bytes == NULL) {
    bytes = malloc(SIZE);
    REQUIRE(bytes != NULL);
    body_fill(bytes, 0, SIZE);
  }
  if (is_streamed)
    set_source(request, source, SIZE);
  else
    CHECK_OK(netcore_request_set_body(request, bytes, SIZE));
  return request;
}

static struct source fresh_source(void) {
  struct source source = SOURCE(SIZE);
  return source;
}

/* Sends in both ways and checks the status; the client then still serves. */
static void check_status_of(const char *name, const char *url, const char *expect, int status) {
  check_case = name;
  for (int is_streamed = 0; is_streamed < 2; is_streamed++) {
    struct source source = fresh_source();
    netcore_request request = with_body(request_new("PUT", url), is_streamed, &source);
    if (expect != NULL) CHECK_OK(netcore_request_set_header(request, "Expect", expect));
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, status);
    if (status == 200) CHECK_EQUAL(json_number(answer.info.body, strstr(url, "/echo") ? "body_size" : "size"), SIZE);
    answer_free(&answer);
    if (is_streamed) source_check_released(&source);
    /* What is read ahead; only to a 417 the answer is another try that does not wait. */
    if (is_streamed && expect != NULL && status >= 400 && status != 417) CHECK(source.offset <= 1000000);
  }
}

#define ANSWER(text) "HTTP/1.1 " text "\r\nContent-Length: 4\r\n\r\nbody"
#define EARLY(steps) "[{'before_head':true}," steps "]"

static void check_script(const char *name, const char *steps, const char *expect, int status) {
  char *url = script_url(ORIGIN, steps);
  check_status_of(name, url, expect, status);
  free(url);
}

static void test_expect(void) {
  check_status_of("100, the origin", at(ORIGIN, "/echo"), "100-continue", 200);
  check_status_of("100, nginx", at(NGINX, "/upload"), "100-continue", 200);
  check_status_of("100, aiohttp", at(UPLOADS, "/upload"), "100-continue", 200);
  check_status_of("HTTP/2 has no 100 here", at(NGINX_H2, "/upload"), "100-continue", 200);
  check_script("417", EARLY("{'send':'" ANSWER("417 Expectation Failed") "'},{'close':true}"), "100-continue", 417);
  check_script("413 in place of 100", EARLY("{'send':'" ANSWER("413 Content Too Large") "'},{'close':true}"),
               "100-continue", 413);
  check_script("401 in place of 100, kept", EARLY("{'send':'" ANSWER("401 Unauthorized") "'},{'stall':true}"),
               "100-continue", 401);
  check_status_of("413 in place of 100, nginx", at(NGINX, "/refuse/linger"), "100-continue", 413);
  check_script("a server that does not say 100",
               "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{\\'size\\': 5000000}'}]", "100-continue", 200);
}

/* libcurl sends the body anyway after a second. */
static void test_no_continue(void) {
  check_case = "no 100 at all";
  struct server *server = server_start(10);
  netcore_request request = request_new("POST", server_url(server, "/"));
  CHECK_OK(netcore_request_set_body(request, "0123456789", 10));
  CHECK_OK(netcore_request_set_header(request, "Expect", "100-continue"));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  server_stop(server);
  free(server);
}

static void test_refused_early(void) {
  static const struct {
    const char *name, *steps;
  } cases[] = {{"413, read on, kept", "{'send':'" ANSWER("413 Content Too Large") "'},{'keep':true}"},
               {"413, read on, closed", "{'send':'" ANSWER("413 Content Too Large") "'},{'close':true}"},
               {"413, not read, open", "{'send':'" ANSWER("413 Content Too Large") "'},{'stall':true}"},
               {"413 that says it closes",
                "{'send':'HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody'},"
                "{'stall':true}"},
               {"413 without a length",
                "{'send':'HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n\r\nbody'},{'close':true}"},
               {"413 whose body comes later",
                "{'send':'HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 4\r\n\r\n'},"
                "{'sleep_ms':200},{'send':'body'},{'close':true}"}};
  char steps[1000];
  for (size_t i = 0; i < LENGTH(cases); i++) {
    snprintf(steps, sizeof steps, "[{'before_head':true},%s]", cases[i].steps);
    check_script(cases[i].name, steps, NULL, 413);
  }
  check_status_of("413, aiohttp reads on", at(UPLOADS, "/refuse/linger"), NULL, 413);
  check_status_of("413, nginx reads on", at(NGINX, "/refuse/linger"), NULL, 413);
  check_status_of("413, HTTP/2", at(NGINX_H2, "/refuse/linger"), NULL, 413);
  check_status_of("the client still serves", at(UPLOADS, "/upload"), NULL, 200);
}

/* The answer does not wait for a reader that blocks, whether the connection stays or ends with it. */
static void test_refused_while_blocked(void) {
  static const struct {
    const char *name, *steps;
  } cases[] = {{"413 while the reader blocks, kept", "{'send':'" ANSWER("413 Content Too Large") "'},{'stall':true}"},
               {"413 while the reader blocks, closed",
                "{'send':'HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 4\r\n\r\n'},"
                "{'sleep_ms':50},{'send':'body'},{'close':true}"},
               {"413 while the reader blocks, no length",
                "{'send':'HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n\r\n'},"
                "{'sleep_ms':50},{'send':'body'},{'close':true}"}};
  char steps[1000];
  for (size_t i = 0; i < LENGTH(cases); i++) {
    struct source source = fresh_source();
    check_case = cases[i].name;
    source.blocks_at = 1;
    source.at_once = 1000;
    snprintf(steps, sizeof steps, "[{'before_head':true},%s]", cases[i].steps);
    netcore_request request = script_request("PUT", ORIGIN, steps);
    set_source(request, &source, SIZE);
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, 413);
    CHECK_TEXT(answer.info.body, "body");
    answer_free(&answer);
    /* The answer may come before the reader is asked at all. */
    if (tally_count(&source.blocked) > 0) CHECK_EQUAL(source_releases(&source), 0);
    tally_raise(&source.leave);
    source_check_released(&source);
  }
}

/* Reads a head, answers, and closes with unread bytes of the body in its hands: a reset follows the answer. */
static void *refuse(void *listener) {
  static const char answer[] = ANSWER("413 Content Too Large");
  static char head[64 << 10];
  int fd;
  while ((fd = accept4(*(int *)listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    if (recv(fd, head, sizeof head, 0) > 0) send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL);
    close(fd);
  }
  return NULL;
}

static unsigned lost_of(const char *url, bool is_streamed, unsigned count) {
  unsigned lost = 0;
  for (unsigned i = 0; i < count; i++) {
    struct source source = fresh_source();
    struct answer answer = perform_once(client, with_body(request_new("PUT", url), is_streamed, &source));
    if (answer.status == NETCORE_OK)
      CHECK_EQUAL(answer.info.http_status, 413);
    else
      lost++;
    if (lost == 1 && answer.status != NETCORE_OK) fprintf(stderr, "    %s\n", (const char *)answer.error.message.data);
    answer_free(&answer);
    if (is_streamed) source_check_released(&source);
  }
  return lost;
}

static void test_closed_at_once(void) {
  int port, listener = listen_on_loopback(10, &port);
  char url[60];
  pthread_t thread;
  unsigned count = is_slow() ? 20 : 500;
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  REQUIRE(pthread_create(&thread, NULL, refuse, &listener) == 0);
  const struct {
    const char *name, *url;
  } servers[] = {{"closed at once", url},
                 {"closed at once, aiohttp", at(UPLOADS, "/refuse/close")},
                 {"closed at once, nginx", at(NGINX, "/refuse/close")}};
  for (size_t i = 0; i < LENGTH(servers); i++)
    for (int is_streamed = 0; is_streamed < 2; is_streamed++) {
      check_case = servers[i].name;
      unsigned lost = lost_of(servers[i].url, is_streamed, count);
      if (!CHECK_EQUAL(lost, 0)) fprintf(stderr, "    of %u, %s\n", count, is_streamed ? "streamed" : "in memory");
    }
  CHECK(shutdown(listener, SHUT_RDWR) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  close(listener);
}

int main(void) {
  check_begin();
  client = body_client();
  test_expect();
  test_no_continue();
  test_refused_early();
  test_refused_while_blocked();
  test_closed_at_once();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
