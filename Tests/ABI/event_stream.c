/*
 * Event streams: events as they come, however the server cuts them; what is none; ends and errors. What makes an event of which lines
 * is in EventParserTests.
 */
#include "support.h"

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

static netcore_response open_stream(netcore_client client, const char *steps) {
  netcore_response response = 0;
  netcore_request request = script_request("GET", ORIGIN, steps);
  REQUIRE_OK(netcore_perform_streamed(client, request, 0, &response));
  CHECK_OK(netcore_request_destroy(request));
  return response;
}

static void check_event(netcore_response response, const char *type, const char *data, const char *id) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  if (!CHECK_OK(netcore_response_read_event(response, 0, patience_ms(), &event))) return;
  CHECK_EQUAL(event.has_event, 1);
  CHECK_TEXT(event.type, type);
  CHECK_TEXT(event.data, data);
  CHECK_TEXT(event.last_event_id, id);
  CHECK_EQUAL(((const char *)event.data.data)[event.data.size_bytes], 0);
}

static void check_last(netcore_response response, netcore_status status) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(netcore_response_read_event(response, 0, patience_ms(), &event), status);
    CHECK_EQUAL(event.has_event, 0);
    CHECK(event.data.data == NULL);
  }
}

static void test_events(netcore_client client) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  check_case = "events in one piece";
  netcore_response response = open_stream(
      client, "[{'send':'" HEAD ":hi\n\nid: 1\nevent: add\ndata: a\ndata: b\n\nretry: 30\ndata:\n\ndata: lost'}]");
  check_event(response, "add", "a\nb", "1");
  CHECK_OK(netcore_response_read_event(response, 0, patience_ms(), &event));
  CHECK(event.has_event == 1 && event.retry_ms == 30 && event.data.size_bytes == 0);
  check_last(response, NETCORE_OK);
  CHECK_OK(netcore_response_release(response));
  check_case = "events byte by byte";
  response = open_stream(client, "[{'send':'" HEAD "'},{'drip':'data: 1\r\n\r\ndata: 2\r\n\r\n','interval_ms':1}]");
  check_event(response, "message", "1", "");
  check_event(response, "message", "2", "");
  check_last(response, NETCORE_OK);
  CHECK_OK(netcore_response_release(response));
}

/* An event is there as soon as its blank line is, while the server goes on to send nothing. */
static void test_waiting(netcore_client client) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  check_case = "an event while the stream goes on";
  netcore_response response = open_stream(client, "[{'send':'" HEAD "data: 1\n\ndata: 2\n'},{'stall':true}]");
  check_event(response, "message", "1", "");
  CHECK_STATUS(netcore_response_read_event(response, 0, 20, &event), NETCORE_ERR_IN_PROGRESS);
  CHECK_STATUS(netcore_response_read_event(response, 0, 0, &event), NETCORE_ERR_IN_PROGRESS);
  CHECK_OK(netcore_response_cancel(response));
  check_last(response, NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(response));
}

static void test_errors(netcore_client client) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  char text[20];
  size_t size = 0;
  check_case = "a stream that is cut";
  netcore_response response = open_stream(
      client,
      "[{'send':'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\ndata: 1\n\n'}]");
  check_event(response, "message", "1", "");
  check_last(response, NETCORE_ERR_TRUNCATED);
  CHECK_OK(netcore_response_release(response));
  check_case = "another media type";
  response = open_stream(client, "[{'send':'HTTP/1.1 200 OK\r\nContent-Type: text/event-streams\r\n\r\ndata: 1\n\n'}]");
  check_last(response, NETCORE_ERR_PROTOCOL);
  CHECK_OK(netcore_response_read(response, text, sizeof text, patience_ms(), &size));
  CHECK_EQUAL(size, 9);
  CHECK_OK(netcore_response_release(response));
  check_case = "another status";
  response = open_stream(client, "[{'send':'HTTP/1.1 404 No\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n'}]");
  check_last(response, NETCORE_ERR_HTTP_STATUS);
  netcore_error error = NETCORE_ERROR_INIT;
  CHECK_STATUS(netcore_response_read_event(response, 0, 0, &event), NETCORE_ERR_HTTP_STATUS);
  CHECK_OK(netcore_last_error(&error));
  CHECK_EQUAL(error.native_code, 404);
  CHECK_OK(netcore_response_release(response));
  check_case = "a large event";
  response = open_stream(client, "[{'send':'" HEAD "data: 1\n\ndata: 23456789\n\ndata: 3\n\n'}]");
  CHECK_OK(netcore_response_read_event(response, 12, patience_ms(), &event));
  CHECK_EQUAL(event.has_event, 1);
  check_last(response, NETCORE_ERR_LIMIT_BODY_BYTES);
  CHECK_OK(netcore_response_release(response));
}

static void check_block(netcore_response response, const char *text) {
  netcore_bytes block;
  if (!CHECK_OK(netcore_response_read_events(response, 0, patience_ms(), &block))) return;
  CHECK_TEXT(block, text);
  CHECK_EQUAL(((const char *)block.data)[block.size_bytes], 0);
}

static void check_no_block(netcore_response response, netcore_status status) {
  netcore_bytes block;
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(netcore_response_read_events(response, 12, patience_ms(), &block), status);
    CHECK(block.data == NULL && block.size_bytes == 0);
  }
}

static void test_blocks(netcore_client client) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  netcore_bytes block;
  check_case = "all events that have come, as one text";
  netcore_response response = open_stream(
      client,
      "[{'send':'" HEAD "id: 1\nevent: add\ndata: a\ndata: b\n\nretry: 30\r\ndata:\r\n\r\ndata: 3\n'},{'stall':true}]");
  check_block(response, "add\ra\nb\r1\r\rmessage\r\r1\r30\r");
  CHECK_STATUS(netcore_response_read_events(response, 0, 0, &block), NETCORE_ERR_IN_PROGRESS);
  CHECK(block.data == NULL);
  CHECK_OK(netcore_response_release(response));
  check_case = "one by one and in blocks, in turn";
  response = open_stream(client, "[{'send':'" HEAD "data: 1\n\ndata: 2\n\ndata: 3\n\n'}]");
  check_event(response, "message", "1", "");
  check_block(response, "message\r2\r\r\rmessage\r3\r\r\r");
  CHECK_OK(netcore_response_read_event(response, 0, patience_ms(), &event));
  CHECK_EQUAL(event.has_event, 0);
  check_no_block(response, NETCORE_OK);
  CHECK_OK(netcore_response_release(response));
  check_case = "an error comes after the events before it";
  response = open_stream(client, "[{'send':'" HEAD "data: 1\n\ndata: 23456789\n\ndata: 3\n\n'}]");
  CHECK_OK(netcore_response_read_events(response, 12, patience_ms(), &block));
  CHECK_TEXT(block, "message\r1\r\r\r");
  check_no_block(response, NETCORE_ERR_LIMIT_BODY_BYTES);
  CHECK_OK(netcore_response_release(response));
  response = open_stream(client, "[{'send':'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n'}]");
  check_no_block(response, NETCORE_ERR_PROTOCOL);
  CHECK_STATUS(netcore_response_read_events(response, 0, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_response_release(response));
}

static void test_misuse(netcore_client client) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  check_case = "misuse";
  struct answer answer = fetch(client, at(ORIGIN, "/bytes/3"));
  CHECK_STATUS(netcore_response_read_event(answer.response, 0, 0, &event), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_response_read_event(answer.response, 0, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_read_event(77, 0, 0, &event), NETCORE_ERR_INVALID_HANDLE);
  event.size = 3;
  CHECK_STATUS(netcore_response_read_event(answer.response, 0, 0, &event), NETCORE_ERR_INVALID_STRUCT);
  answer_free(&answer);
}

int main(void) {
  check_begin();
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_events(client);
  test_waiting(client);
  test_errors(client);
  test_blocks(client);
  test_misuse(client);
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
