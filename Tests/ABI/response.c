/*
 * What a response says: header fields by name and in order, trailers, bodies and those that must be empty, timings,
 * connection, version, bytes; and who owns it.
 */
#include "support.h"

static netcore_client client;

static void check_field(netcore_response response, const char *name, uint32_t index, const char *expected,
                        size_t size) {
  netcore_bytes value = {NULL, 0};
  CHECK_OK(netcore_response_get_header(response, name, index, &value));
  if (!CHECK(value.size_bytes == size && value.data != NULL && memcmp(value.data, expected, size + 1) == 0))
    fprintf(stderr, "    %s[%u] is \"%.*s\"\n", name, index, (int)value.size_bytes, (const char *)value.data);
}

static void test_header_fields(void) {
  static const char *const names[] = {"X-One", "x-TWO", "X-one", "X-Raw", "X-Empty", "Set-Cookie", "Set-Cookie"};
  static const char *const values[] = {"1", "2", "3", "\xE9\xFF", "", "a=1, b", "c=2"};
  check_case = "header fields";
  struct answer answer = fetch(client, at(ORIGIN,
                                          "/headers?X-One=1&x-TWO=2&X-one=3&X-Raw=%E9%FF&X-Empty=&"
                                          "Set-Cookie=a=1%2C%20b&Set-Cookie=c=2"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  check_field(answer.response, "x-one", 0, "1", 1);
  check_field(answer.response, "X-ONE", 1, "3", 1);
  check_field(answer.response, "X-Two", 0, "2", 1);
  check_field(answer.response, "x-raw", 0, "\xE9\xFF", 2);
  check_field(answer.response, "X-Empty", 0, "", 0);
  check_field(answer.response, "set-cookie", 0, "a=1, b", 6);
  check_field(answer.response, "set-cookie", 1, "c=2", 3);
  check_field(answer.response, "content-length", 0, "3", 1);
  CHECK_EQUAL(answer.info.header_count, LENGTH(names) + 2);
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    netcore_bytes name = {NULL, 0}, value = {NULL, 0};
    CHECK_OK(netcore_response_get_header_at(answer.response, i, &name, &value));
    CHECK_TEXT(name, names[i]);
    CHECK_TEXT(value, values[i]);
    CHECK(name.data != NULL && name.data[name.size_bytes] == '\0');
    CHECK(value.data != NULL && value.data[value.size_bytes] == '\0');
  }
  CHECK_EQUAL(answer.info.trailer_count, 0);
  CHECK_EQUAL(answer.info.trailers.size_bytes, 0);
  const char *section = (const char *)answer.info.headers.data;
  for (size_t i = 0; i < LENGTH(names); i++) {
    CHECK(strcmp(section, names[i]) == 0);
    section += strlen(section) + 1;
    CHECK(strcmp(section, values[i]) == 0);
    section += strlen(section) + 1;
  }
  answer_free(&answer);

  check_case = "white space around values";
  answer = fetch_script(client, ORIGIN,
                        "[{'send':'HTTP/1.1 200 OK\r\nX-A:\t  v w \t \r\nX-B:v\r\nContent-Length: 0\r\n\r\n'}]");
  CHECK_TEXT(header(&answer, "X-A"), "v w");
  CHECK_TEXT(header(&answer, "X-B"), "v");
  static const char whole[] =
      "X-A\0v w\0X-B\0v\0Content-Length\0"
      "0";
  CHECK(answer.info.headers.size_bytes == sizeof whole && memcmp(answer.info.headers.data, whole, sizeof whole) == 0);
  answer_free(&answer);
}

static void test_trailers(void) {
  netcore_bytes name = {NULL, 0}, value = {NULL, 0};
  check_case = "trailers";
  struct answer answer = fetch(client, at(ORIGIN, "/chunked/100000"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(is_pattern(answer.info.body, 100000));
  CHECK_EQUAL(answer.info.trailer_count, 1);
  CHECK(answer.info.trailers.size_bytes == 15 && memcmp(answer.info.trailers.data, "X-Trailer\0done", 15) == 0);
  CHECK_OK(netcore_response_get_trailer_at(answer.response, 0, &name, &value));
  CHECK_TEXT(name, "X-Trailer");
  CHECK_TEXT(value, "done");
  CHECK_STATUS(netcore_response_get_trailer_at(answer.response, 1, &name, &value), NETCORE_ERR_NOT_FOUND);
  CHECK_STATUS(netcore_response_get_header(answer.response, "X-Trailer", 0, &value), NETCORE_ERR_NOT_FOUND);
  answer_free(&answer);
}

static void test_empty_bodies(void) {
  static const struct {
    const char *method, *path;
    int http_status;
  } cases[] = {{"HEAD", "/bytes/1000", 200}, {"HEAD", "/chunked/1000", 200}, {"HEAD", "/gzip/1000", 200},
               {"GET", "/status/204", 204},  {"GET", "/status/304", 304},    {"GET", "/bytes/0", 200},
               {"GET", "/gzip/0", 200},      {"POST", "/status/204", 204},   {"HEAD", "/status/404", 404}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].path;
    struct answer answer = perform_once(client, request_new(cases[i].method, at(ORIGIN, cases[i].path)));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, cases[i].http_status);
    CHECK_EQUAL(answer.info.body.size_bytes, 0);
    answer_free(&answer);
  }
  check_case = "the length that HEAD tells";
  struct answer answer = perform_once(client, request_new("HEAD", at(ORIGIN, "/bytes/1000")));
  CHECK_TEXT(header(&answer, "Content-Length"), "1000");
  answer_free(&answer);
}

static void test_statuses(void) {
  static const int codes[] = {200, 201, 206, 299, 400, 401, 404, 407, 416, 500, 503, 599, 999};
  for (size_t i = 0; i < LENGTH(codes); i++) {
    char path[40], body[40];
    snprintf(path, sizeof path, "/status/%d", codes[i]);
    snprintf(body, sizeof body, "status %d\n", codes[i]);
    check_case = "every status code is a response";
    struct answer answer = fetch(client, at(ORIGIN, path));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, codes[i]);
    CHECK_TEXT(answer.info.body, body);
    answer_free(&answer);
  }
  check_case = "an interim answer before the final one";
  struct answer answer = fetch(client, at(ORIGIN, "/status/103?X-Hint=1"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK(header(&answer, "X-Hint").data == NULL);
  answer_free(&answer);
}

static void test_bodies(void) {
  static const struct {
    const char *path;
    size_t size;
  } cases[] = {{"/bytes/1", 1},          {"/bytes/1000000", 1000000}, {"/chunked/1000000", 1000000},
               {"/gzip/300000", 300000}, {"/deflate/300000", 300000}, {"/rawdeflate/300000", 300000}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].path;
    struct answer answer = fetch(client, at(ORIGIN, cases[i].path));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK(is_pattern(answer.info.body, cases[i].size));
    answer_free(&answer);
  }
  check_case = "a body left as it was transferred";
  netcore_request request = request_new("GET", at(ORIGIN, "/gzip/300000"));
  CHECK_OK(netcore_request_set_decode_content(request, 0));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(answer.info.body.size_bytes > 18 && answer.info.body.size_bytes < 300000);
  CHECK(memcmp(answer.info.body.data, "\x1F\x8B\x08", 3) == 0);
  CHECK_TEXT(header(&answer, "Content-Encoding"), "gzip");
  CHECK_EQUAL(strtoul((const char *)header(&answer, "Content-Length").data, NULL, 10), answer.info.body.size_bytes);
  answer_free(&answer);
}

static void test_timings(void) {
  netcore_client fresh = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  check_case = "timings on a new connection";
  struct answer answer = fetch(fresh, at(ORIGIN, "/delay/200"));
  netcore_response_info *info = &answer.info;
  CHECK_EQUAL(info->connection_reused, 0);
  CHECK_EQUAL(info->cache_result, NETCORE_CACHE_RESULT_NONE);
  CHECK(info->queue_us >= 0 && info->dns_us >= -1 && info->connect_us >= 0);
  CHECK_EQUAL(info->tls_us, -1);
  CHECK(info->first_byte_us >= 200000);
  CHECK(info->total_us >= info->first_byte_us + info->connect_us && info->total_us < 1000 * (int64_t)patience_ms());
  CHECK_EQUAL(info->http_version, NETCORE_HTTP_VERSION_1_1);
  CHECK_EQUAL(info->attempts, 1);
  CHECK_EQUAL(info->redirects, 0);
  answer_free(&answer);

  check_case = "timings on a reused connection";
  answer = fetch(fresh, at(ORIGIN, "/bytes/1000"));
  CHECK_EQUAL(info->connection_reused, 1);
  CHECK(info->dns_us == -1 && info->connect_us == -1 && info->tls_us == -1);
  CHECK(info->first_byte_us >= 0 && info->queue_us >= 0);
  if (!CHECK(info->total_us >= info->first_byte_us))
    fprintf(stderr, "    %d us in all, %d to the first byte\n", (int)info->total_us, (int)info->first_byte_us);
  CHECK(info->bytes_received > 1000 && info->bytes_received < 1500);
  CHECK(info->bytes_sent > 30 && info->bytes_sent < 500);
  answer_free(&answer);

  check_case = "timings of a connection that was refused";
  answer = fetch(fresh, at(REFUSED, "/"));
  CHECK_STATUS(answer.status, NETCORE_ERR_CONNECT);
  CHECK(info->queue_us >= 0 && info->tls_us == -1 && info->first_byte_us == -1 && info->total_us >= 0);
  CHECK_EQUAL(info->connection_reused, 0);
  CHECK_EQUAL(info->http_status, 0);
  CHECK_EQUAL(info->http_version, NETCORE_HTTP_VERSION_NONE);
  CHECK(info->header_count == 0 && info->bytes_sent == 0 && info->bytes_received == 0);
  CHECK_TEXT(info->url, at(REFUSED, "/"));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(fresh));
}

static void test_old_version(void) {
  check_case = "HTTP/1.0";
  struct answer answer = fetch_script(client, ORIGIN, "[{'send':'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'}]");
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_version, NETCORE_HTTP_VERSION_1_0);
  CHECK_TEXT(answer.info.body, "ok");
  answer_free(&answer);
}

/* The response outlives task, request and client while it is retained, and not a moment longer. */
static void test_ownership(void) {
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  check_case = "retain and release";
  door_get(&door, at(ORIGIN, "/bytes/1000"), &outcome);
  door_wait(&door, &ended, 1);
  CHECK_OK(netcore_client_destroy(door.client));
  netcore_response response = outcome.completion.response;
  const uint8_t *body = response_info(response).body.data;
  CHECK_OK(netcore_response_retain(response));
  CHECK_OK(netcore_response_release(response));
  CHECK(is_pattern(response_info(response).body, 1000));
  CHECK(response_info(response).body.data == body); /* no copy */
  CHECK_OK(netcore_response_release(response));
  netcore_response_info info = {.size = sizeof info};
  CHECK_STATUS(netcore_response_get_info(response, &info), NETCORE_ERR_INVALID_HANDLE);
  CHECK_STATUS(netcore_response_retain(response), NETCORE_ERR_INVALID_HANDLE);
  CHECK_STATUS(netcore_response_release(response), NETCORE_ERR_INVALID_HANDLE);

  check_case = "a response from perform outlives its client";
  netcore_client other = client_new(NETCORE_COMPLETION_MODE_QUEUE);
  struct answer answer = fetch(other, at(ORIGIN, "/bytes/1000"));
  CHECK_OK(netcore_client_destroy(other));
  CHECK(is_pattern(response_info(answer.response).body, 1000));
  answer_free(&answer);
}

static struct {
  netcore_response response;
  struct tally ended;
} borrowed = {0, TALLY_INITIAL};

static void only_look(const netcore_completion *completion) {
  borrowed.response = completion->response;
  CHECK_EQUAL(response_info(completion->response).http_status, 200);
  tally_raise(&borrowed.ended);
}

static void test_borrowed(void) {
  netcore_client other = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_response_info info = {.size = sizeof info};
  netcore_request request = request_new("GET", at(ORIGIN, "/bytes/10"));
  check_case = "a response is borrowed until the callback returns";
  CHECK_OK(netcore_dispatch(other, request, only_look, NULL, NULL));
  CHECK(tally_reaches(&borrowed.ended, 1, patience_ms()));
  CHECK_OK(netcore_client_destroy(other));
  CHECK_STATUS(netcore_response_get_info(borrowed.response, &info), NETCORE_ERR_INVALID_HANDLE);
  CHECK_OK(netcore_request_destroy(request));
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_header_fields();
  test_trailers();
  test_empty_bodies();
  test_statuses();
  test_bodies();
  test_timings();
  test_old_version();
  test_ownership();
  test_borrowed();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
