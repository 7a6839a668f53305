/*
 * Lines of streamed responses, and how much of a body waits. What makes a line is in LineSplitterTests.
 */
#include "support.h"

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"

static netcore_response open_stream(netcore_client client, const char *steps) {
  netcore_response response = 0;
  netcore_request request = script_request("GET", ORIGIN, steps);
  REQUIRE_OK(netcore_perform_streamed(client, request, 0, &response));
  CHECK_OK(netcore_request_destroy(request));
  return response;
}

static void check_line(netcore_response response, const char *text) {
  netcore_bytes line = {NULL, 7};
  if (!CHECK_OK(netcore_response_read_line(response, 0, patience_ms(), &line))) return;
  if (!CHECK(line.data != NULL)) return;
  CHECK_TEXT(line, text);
  CHECK_EQUAL(line.data[line.size_bytes], 0);
}

static void check_last(netcore_response response, netcore_status status) {
  netcore_bytes line = {NULL, 7};
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(netcore_response_read_line(response, 0, patience_ms(), &line), status);
    CHECK(line.data == NULL && line.size_bytes == 0);
  }
}

static void test_lines(netcore_client client) {
  check_case = "lines in one piece";
  netcore_response response = open_stream(client, "[{'send':'" HEAD "a\nb\r\n\rc\n\nlast'}]");
  const char *lines[] = {"a", "b", "", "c", "", "last"};
  for (size_t i = 0; i < LENGTH(lines); i++) check_line(response, lines[i]);
  check_last(response, NETCORE_OK);
  CHECK_OK(netcore_response_release(response));
  check_case = "lines byte by byte";
  response = open_stream(client, "[{'send':'" HEAD "'},{'drip':'1\r\n\r\n2\r','interval_ms':1}]");
  check_line(response, "1");
  check_line(response, "");
  check_line(response, "2");
  check_last(response, NETCORE_OK);
  CHECK_OK(netcore_response_release(response));
}

static void test_waiting(netcore_client client) {
  netcore_bytes line;
  size_t size = 7;
  check_case = "a line while the body goes on";
  netcore_response response = open_stream(client, "[{'send':'" HEAD "1\n23'},{'stall':true}]");
  check_line(response, "1");
  CHECK_STATUS(netcore_response_read_line(response, 0, 20, &line), NETCORE_ERR_IN_PROGRESS);
  CHECK_STATUS(netcore_response_read_line(response, 0, 0, &line), NETCORE_ERR_IN_PROGRESS);
  CHECK_STATUS(netcore_response_wait(response, 0, &size), NETCORE_ERR_IN_PROGRESS);
  CHECK_EQUAL(size, 0);
  CHECK_OK(netcore_response_cancel(response));
  check_last(response, NETCORE_ERR_CANCELED);
  CHECK_STATUS(netcore_response_wait(response, 0, &size), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(response));
}

static void test_errors(netcore_client client) {
  netcore_bytes line;
  check_case = "a body that is cut";
  netcore_response response = open_stream(client, "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\none\ntwo'}]");
  check_line(response, "one");
  check_last(response, NETCORE_ERR_TRUNCATED);
  CHECK_OK(netcore_response_release(response));
  check_case = "a large line";
  response = open_stream(client, "[{'send':'" HEAD "1234\n12345\n1\n'}]");
  CHECK_OK(netcore_response_read_line(response, 4, patience_ms(), &line));
  CHECK_TEXT(line, "1234");
  check_last(response, NETCORE_ERR_LIMIT_BODY_BYTES);
  CHECK_OK(netcore_response_release(response));
  check_case = "a large line without an end";
  response = open_stream(client, "[{'send':'" HEAD "12345'},{'stall':true}]");
  CHECK_STATUS(netcore_response_read_line(response, 4, patience_ms(), &line), NETCORE_ERR_LIMIT_BODY_BYTES);
  CHECK_OK(netcore_response_release(response));
}

/* What wait says is there, one read gets. */
static void test_sizes(netcore_client client) {
  netcore_response response = 0;
  size_t total = 0, size = 1;
  check_case = "sizes";
  netcore_request request = request_new("GET", at(ORIGIN, "/bytes/300000"));
  REQUIRE_OK(netcore_perform_streamed(client, request, 100000, &response));
  while (CHECK_OK(netcore_response_wait(response, patience_ms(), &size)) && size > 0) {
    char *room = malloc(size);
    size_t got = 0;
    CHECK_OK(netcore_response_read(response, room, size, 0, &got));
    CHECK_EQUAL(got, size);
    total += got;
    free(room);
  }
  CHECK_EQUAL(total, 300000);
  CHECK_OK(netcore_response_wait(response, 0, &size));
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
}

static void test_misuse(netcore_client client) {
  netcore_bytes line;
  size_t size;
  check_case = "misuse";
  struct answer answer = fetch(client, at(ORIGIN, "/bytes/3"));
  CHECK_STATUS(netcore_response_read_line(answer.response, 0, 0, &line), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_response_wait(answer.response, 0, &size), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_response_read_line(answer.response, 0, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_wait(answer.response, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  answer_free(&answer);
}

int main(void) {
  check_begin();
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_lines(client);
  test_waiting(client);
  test_errors(client);
  test_sizes(client);
  test_misuse(client);
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
