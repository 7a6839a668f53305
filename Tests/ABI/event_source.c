/*
 * Sources of events: connections one after the other, what ends a source, cancels in each state, and waiting by a descriptor. When a source
 * connects again is in EventSourceRuleTests.
 */
#include "support.h"

#include <poll.h>
#include <pthread.h>

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

static netcore_client client;

static netcore_event_source source_of(netcore_request request, const netcore_event_source_options *options) {
  netcore_event_source source = 0;
  REQUIRE_OK(netcore_event_source_create(client, request, options, &source));
  CHECK_OK(netcore_request_destroy(request));
  return source;
}

static netcore_event_source source_at(const char *path) {
  return source_of(request_new("GET", at(ORIGIN, path)), NULL);
}

static netcore_event_source_info info_of(netcore_event_source source) {
  netcore_event_source_info info = NETCORE_EVENT_SOURCE_INFO_INIT;
  CHECK_OK(netcore_event_source_get_info(source, &info));
  return info;
}

static void check_event(netcore_event_source source, const char *data, const char *id) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  if (!CHECK_OK(netcore_event_source_read(source, patience_ms(), &event))) return;
  if (!CHECK_EQUAL(event.has_event, 1)) return;
  CHECK_TEXT(event.data, data);
  CHECK_TEXT(event.last_event_id, id);
}

static void check_ended(netcore_event_source source, netcore_status status) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(netcore_event_source_read(source, patience_ms(), &event), status);
    CHECK_EQUAL(event.has_event, 0);
  }
  CHECK_EQUAL(info_of(source).state, NETCORE_EVENT_SOURCE_STATE_CLOSED);
}

static void test_connections(void) {
  check_case = "one connection after the other, until a 204";
  netcore_event_source source = source_at("/numbered-events/5?per=2&retry=1");
  CHECK_EQUAL(info_of(source).state, NETCORE_EVENT_SOURCE_STATE_CONNECTING);
  CHECK_EQUAL(info_of(source).connections, 0);
  CHECK_EQUAL(info_of(source).retry_ms, 3000);
  const char *ids[] = {"1", "2", "3", "4", "5"};
  for (size_t i = 0; i < LENGTH(ids); i++) check_event(source, "GET 0", ids[i]);
  CHECK_EQUAL(info_of(source).state, NETCORE_EVENT_SOURCE_STATE_OPEN);
  check_ended(source, NETCORE_OK);
  netcore_event_source_info info = info_of(source);
  CHECK_EQUAL(info.connections, 4);
  CHECK_EQUAL(info.retry_ms, 10);
  CHECK_TEXT(info.last_event_id, "5");
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "lost connections, and a body that is sent with each";
  netcore_request request = request_new("POST", at(ORIGIN, "/numbered-events/3?retry=1&lost=1"));
  CHECK_OK(netcore_request_set_body(request, "body", 4));
  source = source_of(request, NULL);
  for (size_t i = 0; i < 3; i++) check_event(source, "POST 4", ids[i]);
  check_ended(source, NETCORE_OK);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "an id without an event counts";
  source = source_at("/numbered-events/2?retry=1&tail=id:%2077%0A%0Adata:%20cut");
  check_event(source, "GET 0", "1");
  check_ended(source, NETCORE_OK);
  CHECK_TEXT(info_of(source).last_event_id, "77");
  CHECK_EQUAL(info_of(source).connections, 2);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "an id of before";
  netcore_event_source_options options = NETCORE_EVENT_SOURCE_OPTIONS_INIT;
  options.last_event_id = "2";
  options.retry_ms = 1;
  source = source_of(request_new("GET", at(ORIGIN, "/numbered-events/4")), &options);
  check_event(source, "GET 0", "3");
  check_event(source, "GET 0", "4");
  CHECK_OK(netcore_event_source_destroy(source));
}

static netcore_event_source script_source(const char *steps) {
  return source_of(script_request("GET", ORIGIN, steps), NULL);
}

static void test_ends(void) {
  netcore_event_source_options options = NETCORE_EVENT_SOURCE_OPTIONS_INIT;
  netcore_error error = NETCORE_ERROR_INIT;
  check_case = "another status";
  netcore_event_source source = source_at("/status/503");
  check_ended(source, NETCORE_ERR_HTTP_STATUS);
  CHECK_OK(netcore_last_error(&error));
  CHECK_EQUAL(error.native_code, 503);
  CHECK_EQUAL(info_of(source).connections, 1);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "another media type";
  source = source_at("/bytes/3");
  check_ended(source, NETCORE_ERR_PROTOCOL);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "an event that is too large";
  options.largest_event_bytes = 8;
  source =
      source_of(script_request("GET", ORIGIN, "[{'send':'" HEAD "data: 1\n\ndata: 234\n\ndata: 3\n\n'}]"), &options);
  check_event(source, "1", "");
  check_ended(source, NETCORE_ERR_LIMIT_BODY_BYTES);
  CHECK_OK(netcore_event_source_destroy(source));
}

static void *cancel_soon(void *source) {
  while (info_of(*(netcore_event_source *)source).connections == 0) sched_yield();
  CHECK_OK(netcore_event_source_cancel(*(netcore_event_source *)source));
  return NULL;
}

static void test_cancel(void) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  check_case = "a cancel before anything is read";
  netcore_event_source source = source_at("/numbered-events/5");
  CHECK_OK(netcore_event_source_cancel(source));
  check_ended(source, NETCORE_ERR_CANCELED);
  CHECK_EQUAL(info_of(source).connections, 0);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "a cancel while it connects";
  source = script_source("[{'stall':true}]");
  CHECK_STATUS(netcore_event_source_read(source, 0, &event), NETCORE_ERR_IN_PROGRESS);
  CHECK_EQUAL(info_of(source).state, NETCORE_EVENT_SOURCE_STATE_CONNECTING);
  CHECK_OK(netcore_event_source_cancel(source));
  check_ended(source, NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "a cancel while events come";
  source = script_source("[{'send':'" HEAD "data: 1\n\n'},{'stall':true}]");
  check_event(source, "1", "");
  CHECK_OK(netcore_event_source_cancel(source));
  check_ended(source, NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "a cancel while it waits to connect again";
  source = source_at("/numbered-events/5?retry=60000");
  check_event(source, "GET 0", "1");
  CHECK_STATUS(netcore_event_source_read(source, 50, &event), NETCORE_ERR_IN_PROGRESS);
  WAIT_UNTIL(netcore_event_source_read(source, 0, &event) == NETCORE_ERR_IN_PROGRESS &&
             info_of(source).state == NETCORE_EVENT_SOURCE_STATE_WAITING);
  CHECK_EQUAL(info_of(source).retry_ms, 60000);
  CHECK_OK(netcore_event_source_cancel(source));
  check_ended(source, NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "a cancel by another thread";
  pthread_t thread;
  source = script_source("[{'send':'" HEAD "'},{'stall':true}]");
  REQUIRE(pthread_create(&thread, NULL, cancel_soon, &source) == 0);
  CHECK_STATUS(netcore_event_source_read(source, UINT64_MAX, &event), NETCORE_ERR_CANCELED);
  pthread_join(thread, NULL);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "the end of the client while it waits";
  netcore_client own = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("GET", at(ORIGIN, "/numbered-events/5?retry=60000"));
  REQUIRE_OK(netcore_event_source_create(own, request, NULL, &source));
  check_event(source, "GET 0", "1");
  WAIT_UNTIL(netcore_event_source_read(source, 0, &event) == NETCORE_ERR_IN_PROGRESS &&
             info_of(source).state == NETCORE_EVENT_SOURCE_STATE_WAITING);
  CHECK_OK(netcore_client_destroy(own));
  check_ended(source, NETCORE_ERR_SHUT_DOWN);
  CHECK_OK(netcore_event_source_destroy(source));
  CHECK_OK(netcore_request_destroy(request));
}

/* Reads without waiting, as an event loop does. */
static void test_descriptor(void) {
  netcore_server_event event = NETCORE_SERVER_EVENT_INIT;
  struct pollfd wanted = {.events = POLLIN};
  int32_t again = -1;
  char ids[16] = "";
  check_case = "a descriptor";
  netcore_event_source source = source_at("/numbered-events/5?per=2&retry=20");
  CHECK_OK(netcore_event_source_get_descriptor(source, &wanted.fd));
  CHECK_OK(netcore_event_source_get_descriptor(source, &again));
  CHECK_EQUAL(again, wanted.fd);
  netcore_status status = NETCORE_OK;
  do {
    if (!CHECK_EQUAL(poll(&wanted, 1, (int)patience_ms()), 1)) break;
    status = netcore_event_source_read(source, 0, &event);
    if (status == NETCORE_OK && event.has_event) strcat(ids, (const char *)event.last_event_id.data);
  } while (status == NETCORE_ERR_IN_PROGRESS || event.has_event);
  CHECK_OK(status);
  CHECK(strcmp(ids, "12345") == 0);
  CHECK_OK(netcore_event_source_destroy(source));
  check_case = "a descriptor and a cancel";
  source = script_source("[{'stall':true}]");
  CHECK_OK(netcore_event_source_get_descriptor(source, &wanted.fd));
  CHECK_STATUS(netcore_event_source_read(source, 0, &event), NETCORE_ERR_IN_PROGRESS);
  CHECK_EQUAL(poll(&wanted, 1, 0), 0);
  CHECK_OK(netcore_event_source_cancel(source));
  CHECK_EQUAL(poll(&wanted, 1, (int)patience_ms()), 1);
  check_ended(source, NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_event_source_destroy(source));
}

static void test_misuse(void) {
  netcore_event_source source = 7;
  netcore_event_source_options options = NETCORE_EVENT_SOURCE_OPTIONS_INIT;
  netcore_request request = request_new("GET", at(ORIGIN, "/status/200"));
  check_case = "misuse";
  CHECK_STATUS(netcore_event_source_create(client, request, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  options.reserved = 1;
  CHECK_STATUS(netcore_event_source_create(client, request, &options, &source), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(source, 0);
  options.size = 4;
  CHECK_STATUS(netcore_event_source_create(client, request, &options, &source), NETCORE_ERR_INVALID_STRUCT);
  REQUIRE_OK(netcore_event_source_create(client, request, NULL, &source));
  CHECK_STATUS(netcore_event_source_read(source, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_event_source_get_info(source, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_event_source_get_descriptor(source, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_event_source_destroy(source));
  CHECK_STATUS(netcore_event_source_destroy(source), NETCORE_ERR_INVALID_HANDLE);
  CHECK_OK(netcore_request_destroy(request));
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_connections();
  test_ends();
  test_cancel();
  test_descriptor();
  test_misuse();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
