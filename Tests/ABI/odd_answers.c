/*
 * Answers of servers that are not quite right, and that everybody else takes: what netcore hands over all the same, and what it
 * leaves out.
 */
#include "support.h"

#include "support/cache.h"

static netcore_client client;

static void check_script(const char *name, const char *steps, int http_status, const char *body) {
  check_case = name;
  struct answer answer = fetch_script(client, ORIGIN, steps);
  if (CHECK_STATUS(answer.status, NETCORE_OK)) {
    CHECK_EQUAL(answer.info.http_status, http_status);
    CHECK_TEXT(answer.info.body, body);
  }
  answer_free(&answer);
}

static void test_control_bytes(void) {
  check_case = "a control byte in a field";
  struct answer answer = fetch_script(
      client, ORIGIN,
      "[{'send':'HTTP/1.1 200 OK\r\nX-Odd: a\x01z\x7F\r\nSet-Cookie: a=\x02\r\nContent-Length: 2\r\n\r\nok'}]");
  CHECK_STATUS(answer.status, NETCORE_OK);
  netcore_bytes odd = header(&answer, "x-odd");
  CHECK(odd.size_bytes == 4 && memcmp(odd.data, "a\x01z\x7F", 4) == 0);
  answer_free(&answer);
  check_case = "a lone carriage return in a field";
  answer = fetch_script(client, ORIGIN, "[{'send':'HTTP/1.1 200 OK\r\nX-Odd: a\rb\r\nContent-Length: 2\r\n\r\nok'}]");
  CHECK_STATUS(answer.status, NETCORE_ERR_PROTOCOL);
  answer_free(&answer);
}

/* libcurl would append the line to a field of the answer before, which it has freed: valgrind sees it. */
static void test_folded_first_line(void) {
  for (unsigned i = 0; i < 3; i++) {
    check_case = "a header section that begins with white space";
    struct answer answer =
        fetch_script(client, ORIGIN,
                     "[{'send':'HTTP/1.1 200 OK\r\nX-Long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\nContent-Length: "
                     "2\r\n\r\nok'},{'keep':true}]");
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
    answer = fetch_script(client, ORIGIN,
                          "[{'send':'HTTP/1.1 200 OK\r\n folded: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\nContent-Length: "
                          "2\r\n\r\nok'},{'keep':true}]");
    CHECK_STATUS(answer.status, NETCORE_ERR_PROTOCOL);
    answer_free(&answer);
    answer = fetch_script(client, ORIGIN,
                          "[{'send':'HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\n\tb: c\r\nContent-Length: "
                          "2\r\n\r\nok'},{'keep':true}]");
    CHECK_STATUS(answer.status, NETCORE_ERR_PROTOCOL);
    answer_free(&answer);
  }
  check_case = "a first field longer than what libcurl hands over at a time, with white space inside";
  char *steps = malloc(60000);
  REQUIRE(steps != NULL);
  strcpy(steps, "[{'send':'HTTP/1.1 200 OK\r\nX: ");
  size_t size = strlen(steps);
  memset(steps + size, ' ', 50000);
  strcpy(steps + size + 50000, "b\r\nContent-Length: 2\r\n\r\nok'},{'keep':true}]");
  struct answer answer = fetch_script(client, ORIGIN, steps);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_TEXT(header(&answer, "x"), "b");
  answer_free(&answer);
  free(steps);
}

static void test_codings(void) {
  static const char *const names[] = {"none", "UTF-8", "aws-chunked", "binary", "gzip, other"};
  for (size_t i = 0; i < LENGTH(names); i++) {
    char steps[200];
    snprintf(steps, sizeof steps,
             "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: 3\r\n\r\nraw'}]", names[i]);
    check_script(names[i], steps, 200, "raw");
  }
  check_case = "an unknown coding keeps its field";
  struct answer answer = fetch_script(
      client, ORIGIN, "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: none\r\nContent-Length: 3\r\n\r\nraw'}]");
  CHECK_TEXT(header(&answer, "content-encoding"), "none");
  answer_free(&answer);
}

/* A redirect is followed whatever its own body is like. */
static void test_bodies_of_redirects(netcore_client with) {
  static const struct {
    const char *name, *rest;
  } redirects[] = {
      {"a redirect with a body of another length", "Content-Length: 100\r\n\r\nshort'},{'close':true}]"},
      {"a redirect with a damaged coding", "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone'},{'keep':true}]"},
      {"a redirect with chunks that are none", "Transfer-Encoding: chunked\r\n\r\nxyz\r\n'},{'close':true}]"},
      {"a redirect with a large body",
       "Content-Length: 10000000\r\n\r\n'},{'repeat':'b','times':10000000},{'keep':true}]"},
      {"a redirect whose body does not come", "Content-Length: 100\r\n\r\n'},{'stall':true}]"},
  };
  CHECK_OK(netcore_client_set_limit(with, NETCORE_LIMIT_BODY_BYTES, 1000000));
  for (size_t i = 0; i < LENGTH(redirects); i++) {
    char steps[600];
    check_case = redirects[i].name;
    snprintf(steps, sizeof steps,
             "[{'send':'HTTP/1.1 302 Found\r\nLocation: /bytes/7\r\nCache-Control: max-age=1000\r\n%s",
             redirects[i].rest);
    netcore_request request = script_request("GET", ORIGIN, steps);
    CHECK_OK(netcore_request_set_idle_timeout_ms(request, 500));
    struct answer answer = perform_once(with, request);
    if (CHECK_STATUS(answer.status, NETCORE_OK)) CHECK_EQUAL(answer.info.body.size_bytes, 7);
    answer_free(&answer);
  }
}

static void test_locations(void) {
  check_script("an empty Location is no redirect",
               "[{'send':'HTTP/1.1 302 Found\r\nLocation:\r\nContent-Length: 4\r\n\r\nhere'}]", 302, "here");
  check_script("no transfer coding",
               "[{'send':'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok'}]", 200, "ok");
}

/* An answer that is whole counts, though the server then closes without having read the request's body. */
static void test_early_success(void) {
  enum { BODY = 4000000 };
  char *body = calloc(1, BODY);
  REQUIRE(body != NULL);
  check_case = "a success before the body was read";
  for (unsigned i = 0; i < 10; i++) {
    netcore_request request = script_request(
        "POST", ORIGIN,
        "[{'before_head':true},{'send':'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly'},{'close':true}]");
    CHECK_OK(netcore_request_set_body(request, body, BODY));
    struct answer answer = perform_once(client, request);
    if (CHECK_STATUS(answer.status, NETCORE_OK)) CHECK_TEXT(answer.info.body, "early");
    answer_free(&answer);
  }
  free(body);
}

static size_t read_nothing(void *buffer, size_t capacity, void *user_data) {
  (void)buffer, (void)capacity, (void)user_data;
  return 0;
}

/* Chunks are of HTTP/1.1: a body without a length cannot go to a server that speaks HTTP/1.0 (RFC 9112 section 6.1). */
static void test_upload_to_http_1_0(void) {
  netcore_reader reader = {.size = sizeof reader, .read = read_nothing};
  check_script("an answer of HTTP/1.0 on a connection that is kept",
               "[{'send':'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'},{'keep':true}]",
               200, "ok");
  check_case = "a body without a length on that connection";
  netcore_request request =
      script_request("PUT", ORIGIN, "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'}]");
  CHECK_OK(netcore_request_set_body_reader(request, &reader, NETCORE_LENGTH_UNKNOWN));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_PROTOCOL);
  answer_free(&answer);
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_control_bytes();
  test_folded_first_line();
  test_codings();
  test_bodies_of_redirects(client);
  test_locations();
  test_early_success();
  test_upload_to_http_1_0();
  CHECK_OK(netcore_client_destroy(client));
  netcore_cache cache = cache_new(NULL);
  netcore_client_options options = {.size = sizeof options, .cache = cache};
  REQUIRE_OK(netcore_client_create(&options, &client));
  test_bodies_of_redirects(client);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
  return check_end();
}
