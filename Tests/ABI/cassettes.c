/*
 * Cassettes: what is recorded once is replayed without the network, without what is secret; and what is said of requests without a
 * recording, and of damaged files.
 */
#include "support.h"

#include "support/cache.h"

static char folder[] = "/tmp/netcore-cassettes-XXXXXX";
static char path[sizeof folder + 10];

static netcore_cassette cassette;
static netcore_client client;

static void begin(netcore_cassette_mode mode) {
  static const char *const headers[] = {"X-Key"}, *const parameters[] = {"key", "token"};
  netcore_cassette_options options = {.size = sizeof options, .mode = mode};
  options.secret_headers = headers, options.secret_header_count = LENGTH(headers);
  options.secret_parameters = parameters, options.secret_parameter_count = LENGTH(parameters);
  REQUIRE_OK(netcore_cassette_create(path, mode == NETCORE_CASSETTE_MODE_NONE ? NULL : &options, &cassette));
  if (mode == NETCORE_CASSETTE_MODE_NONE) {
    netcore_cassette_options none = {.size = sizeof none, .mode = mode};
    CHECK_OK(netcore_cassette_destroy(cassette));
    REQUIRE_OK(netcore_cassette_create(path, &none, &cassette));
  }
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_cassette(client, cassette));
}

static void end(uint64_t replayed, uint64_t recorded) {
  netcore_cassette_info info = NETCORE_CASSETTE_INFO_INIT;
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cassette_get_info(cassette, &info));
  CHECK_EQUAL(info.replayed, replayed);
  CHECK_EQUAL(info.recorded, recorded);
  CHECK_OK(netcore_cassette_destroy(cassette));
}

static netcore_request echo(void) {
  static const char body[] = "{\"token\": \"s3cr3t\", \"a\": 1}";
  char url[300];
  snprintf(url, sizeof url, "%s?key=s3cr3t", at(ORIGIN, "/echo"));
  netcore_request request = request_new("POST", url);
  CHECK_OK(netcore_request_set_header(request, "X-Key", "s3cr3t"));
  CHECK_OK(netcore_request_set_header(request, "Authorization", "Bearer s3cr3t"));
  CHECK_OK(netcore_request_set_body(request, body, sizeof body - 1));
  return request;
}

static void check_answer(netcore_request request, const char *text) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, text);
  answer_free(&answer);
}

static void write_file(const char *text) {
  FILE *file = fopen(path, "w");
  REQUIRE(file != NULL);
  fputs(text, file);
  fclose(file);
}

/* The part of the file that says what was sent; the server's echo comes after it. */
static void check_nothing_secret(void) {
  static char text[1 << 16];
  FILE *file = fopen(path, "r");
  REQUIRE(file != NULL);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  char *answer = strstr(text, "\"response\"");
  REQUIRE(answer != NULL);
  *answer = 0;
  CHECK(strstr(text, "s3cr3t") == NULL);
  CHECK(strstr(text, "key=(hidden)") != NULL);
}

static void test_recording(void) {
  check_case = "what is recorded is replayed";
  begin(NETCORE_CASSETTE_MODE_ONCE);
  check_answer(echo(), "POST");
  check_answer(request_new("GET", at(ORIGIN, "/redirect-chain/1")), "GET");
  CHECK_OK(netcore_cassette_save(cassette));
  end(0, 3);
  check_nothing_secret();
  begin(NETCORE_CASSETTE_MODE_NONE);
  CHECK_STATUS(netcore_cassette_check(cassette), NETCORE_ERR_NO_STUB);
  CHECK(strstr(netcore_last_error_message(), "not requested: POST http") != NULL);
  check_answer(request_new("GET", at(ORIGIN, "/redirect-chain/1")), "GET");
  check_answer(echo(), "POST");
  CHECK_OK(netcore_cassette_check(cassette));
  struct answer answer = perform_once(client, request_new("PUT", at(ORIGIN, "/echo")));
  CHECK_STATUS(answer.status, NETCORE_ERR_NO_STUB);
  netcore_bytes message = response_error(answer.response).message;
  CHECK(memmem(message.data, message.size_bytes, "the nearest of 3 is", 19) != NULL);
  answer_free(&answer);
  end(3, 0);
}

static void test_stream(void) {
  netcore_response response = 0;
  check_case = "a stream that is closed early is recorded so far";
  CHECK(unlink(path) == 0);
  begin(NETCORE_CASSETTE_MODE_ALL);
  netcore_request request = script_request(
      "GET", ORIGIN, "[{'send':'HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: 1\\n\\n'}]");
  for (int i = 0; i < 2; i++) {
    netcore_server_event event = {.size = sizeof event};
    REQUIRE_OK(netcore_perform_streamed(client, request, 0, &response));
    CHECK_OK(netcore_response_read_event(response, 0, UINT64_MAX, &event));
    CHECK_EQUAL(event.data.size_bytes, 1);
    CHECK_OK(netcore_response_release(response));
    if (i == 1) break;
    CHECK_OK(netcore_client_destroy(client));
    CHECK_OK(netcore_cassette_save(cassette));
    CHECK_OK(netcore_cassette_destroy(cassette));
    begin(NETCORE_CASSETTE_MODE_NONE);
  }
  end(1, 0);
  CHECK_OK(netcore_request_destroy(request));
}

static void test_refused(void) {
  netcore_cassette made = 77;
  const char *name = "";
  netcore_cassette_options rows[] = {
      {.mode = 4},
      {.repeat = 2},
      {.skip_pauses = -1},
      {.secret_header_count = 1},
      {.secret_parameter_count = 1},
      {.secret_headers = &name, .secret_header_count = 1},
  };
  static const struct {
    const char *text, *place;
  } damaged[] = {
      {"{\"log\": [", "not JSON, line 1"},
      {"{\"log\": {}}", "log/entries is missing"},
      {"{\"log\": {\"entries\": [{\"request\": {\"url\": \"http://a/\", \"headers\": 1}}]}}",
       "log/entries/0/request/headers must be an array"},
  };
  check_case = "what is no cassette";
  for (size_t i = 0; i < LENGTH(rows); i++) {
    rows[i].size = sizeof rows[i];
    CHECK_STATUS(netcore_cassette_create(path, &rows[i], &made), NETCORE_ERR_INVALID_ARGUMENT);
    CHECK_EQUAL(made, 0);
  }
  CHECK_STATUS(netcore_cassette_create("/nowhere/a.har", NULL, &made), NETCORE_ERR_STORAGE);
  for (size_t i = 0; i < LENGTH(damaged); i++) {
    write_file(damaged[i].text);
    CHECK_STATUS(netcore_cassette_create(path, NULL, &made), NETCORE_ERR_STORAGE);
    CHECK(strstr(netcore_last_error_message(), path) != NULL);
    CHECK(strstr(netcore_last_error_message(), damaged[i].place) != NULL);
  }
}

int main(void) {
  check_begin();
  REQUIRE(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/a.har", folder);
  test_recording();
  test_stream();
  test_refused();
  CHECK(unlink(path) == 0 && rmdir(folder) == 0);
  return check_end();
}
