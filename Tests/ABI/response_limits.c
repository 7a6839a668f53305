/*
 * The limits on what one response may bring: header, body and decoded bytes, and their ratio. Each at its edge, set for
 * the client or for the request, which wins. Their defaults are in the way of the endless and the bombs.
 */
#include "support.h"

#define NUL8 "\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000"

/* A gzip member of 132 bytes that becomes 100,000 NULs. */
#define BOMB \
  "\x1F\x8B\x08\\u0000\\u0000\\u0000\\u0000\\u0000\x02\x03\xED\xC1" \
  "1\x01\\u0000\\u0000\\u0000\xC2\xA0\xF5Om\r\x0F\xA0" NUL8 NUL8 NUL8 NUL8 NUL8 NUL8 NUL8 NUL8 NUL8 NUL8 NUL8 NUL8 \
  "\x80W\x03}\x95\x11\xD4\xA0\x86\x01\\u0000"
#define BOMBS(count) \
  "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n'},{'repeat':'" BOMB "','times':" #count \
  "},{'close':true}]"

#define HEADERS NETCORE_LIMIT_HEADER_BYTES
#define BODY NETCORE_LIMIT_BODY_BYTES
#define DECODED NETCORE_LIMIT_DECODED_BYTES
#define RATIO NETCORE_LIMIT_DECODE_RATIO
#define NO_LIMIT UINT64_MAX

static netcore_client client;

static const struct {
  const char *path;
  netcore_limit limit;
  uint64_t value;
  netcore_status status;
} cases[] = {
    {"/bytes/1000", BODY, 1000, NETCORE_OK},
    {"/bytes/1001", BODY, 1000, NETCORE_ERR_LIMIT_BODY_BYTES},
    {"/chunked/1000", BODY, 1000, NETCORE_OK},
    {"/chunked/1001", BODY, 1000, NETCORE_ERR_LIMIT_BODY_BYTES},
    {"/bytes/0", BODY, 0, NETCORE_OK},
    {"/bytes/1", BODY, 0, NETCORE_ERR_LIMIT_BODY_BYTES},
    {"/bytes/1000", BODY, NO_LIMIT, NETCORE_OK},
    {"/gzip/100000", BODY, 10000, NETCORE_OK}, /* as transferred, which is far less */
    {"/gzip/100000", BODY, 100, NETCORE_ERR_LIMIT_BODY_BYTES},
    {"/gzip/1000", DECODED, 1000, NETCORE_OK},
    {"/gzip/1001", DECODED, 1000, NETCORE_ERR_LIMIT_DECODED_BYTES},
    {"/deflate/1001", DECODED, 1000, NETCORE_ERR_LIMIT_DECODED_BYTES},
    {"/rawdeflate/1001", DECODED, 1000, NETCORE_ERR_LIMIT_DECODED_BYTES},
    {"/gzip/1000000", DECODED, 999999, NETCORE_ERR_LIMIT_DECODED_BYTES},
    {"/gzip/1", DECODED, 0, NETCORE_ERR_LIMIT_DECODED_BYTES},
    {"/gzip/0", DECODED, 0, NETCORE_OK},
    {"/status/200", HEADERS, 1000, NETCORE_OK},
    {"/status/200", HEADERS, 20, NETCORE_ERR_LIMIT_HEADER_BYTES},
    {"/status/200", HEADERS, 0, NETCORE_ERR_LIMIT_HEADER_BYTES},
};

/* The limit on a request, with the client's in the opposite sense: the request's wins. */
static void test_table(void) {
  for (size_t i = 0; i < LENGTH(cases); i++) {
    bool is_ok = cases[i].status == NETCORE_OK;
    check_case = cases[i].path;
    CHECK_OK(netcore_client_set_limit(client, cases[i].limit, is_ok ? 0 : NO_LIMIT));
    netcore_request request = request_new("GET", at(ORIGIN, cases[i].path));
    CHECK_OK(netcore_request_set_limit(request, cases[i].limit, cases[i].value));
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, cases[i].status);
    CHECK_EQUAL(answer.error.is_retryable, 0);
    answer_free(&answer);

    CHECK_OK(netcore_client_set_limit(client, cases[i].limit, cases[i].value));
    answer = fetch(client, at(ORIGIN, cases[i].path));
    CHECK_STATUS(answer.status, cases[i].status);
    answer_free(&answer);
    CHECK_OK(netcore_client_set_limit(client, cases[i].limit, NO_LIMIT));
  }
}

static netcore_status fetch_limited(const char *steps, netcore_limit limit, uint64_t value, size_t *size) {
  netcore_request request = script_request("GET", ORIGIN, steps);
  if (limit != 0) CHECK_OK(netcore_request_set_limit(request, limit, value));
  struct answer answer = perform_once(client, request);
  netcore_status status = answer.status;
  *size = answer.info.body.size_bytes;
  answer_free(&answer);
  return status;
}

static void test_ratio(void) {
  size_t size = 0;
  check_case = "a bomb that stays below 1 MiB";
  CHECK_STATUS(fetch_limited(BOMBS(10), 0, 0, &size), NETCORE_OK);
  CHECK_EQUAL(size, 1000000);
  check_case = "a bomb of 3 MB, and then without end";
  CHECK_STATUS(fetch_limited(BOMBS(30), 0, 0, &size), NETCORE_ERR_LIMIT_DECODE_RATIO);
  CHECK_STATUS(fetch_limited(BOMBS(400000), 0, 0, &size), NETCORE_ERR_LIMIT_DECODE_RATIO);
  check_case = "a bomb that is allowed";
  CHECK_STATUS(fetch_limited(BOMBS(30), RATIO, 1000, &size), NETCORE_OK);
  CHECK_EQUAL(size, 3000000);
  CHECK_STATUS(fetch_limited(BOMBS(30), RATIO, NO_LIMIT, &size), NETCORE_OK);
  CHECK_EQUAL(size, 3000000);
  check_case = "a bomb within the ratio, but not within the decoded bytes";
  netcore_request request = script_request("GET", ORIGIN, BOMBS(400000));
  CHECK_OK(netcore_request_set_limit(request, RATIO, NO_LIMIT));
  CHECK_OK(netcore_request_set_limit(request, DECODED, 5000000));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_LIMIT_DECODED_BYTES);
  answer_free(&answer);
  check_case = "a bomb that is not decoded";
  request = script_request("GET", ORIGIN, BOMBS(30));
  CHECK_OK(netcore_request_set_decode_content(request, 0));
  answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.body.size_bytes, 30 * 132);
  answer_free(&answer);
}

#define HEAD "HTTP/1.1 200 OK\r\nX-Filler: 123456789\r\nContent-Length: 0\r\n\r\n"
#define INTERIM "HTTP/1.1 100 Continue\r\n\r\n"
#define CHUNKED_HEAD "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

/* Status lines, interim answers, blank lines and trailers: all of it counts. */
static void test_header_bytes(void) {
  static const char plain[] = "[{'send':'" HEAD "'}]", interim[] = "[{'send':'" INTERIM INTERIM HEAD "'}]";
  static const char chunked[] = "[{'send':'" CHUNKED_HEAD "2\r\nok\r\n0\r\nX-T: 1\r\n\r\n'}]";
  const netcore_status too_many = NETCORE_ERR_LIMIT_HEADER_BYTES;
  size_t size = 0, head = strlen(HEAD), with_interim = head + 2 * strlen(INTERIM), chunked_head = strlen(CHUNKED_HEAD);
  check_case = "header bytes: the head";
  CHECK_STATUS(fetch_limited(plain, HEADERS, head, &size), NETCORE_OK);
  CHECK_STATUS(fetch_limited(plain, HEADERS, head - 3, &size), too_many);
  check_case = "header bytes: interim answers";
  CHECK_STATUS(fetch_limited(interim, HEADERS, with_interim, &size), NETCORE_OK);
  CHECK_STATUS(fetch_limited(interim, HEADERS, with_interim - 3, &size), too_many);
  check_case = "header bytes: trailers";
  CHECK_STATUS(fetch_limited(chunked, HEADERS, chunked_head + 10, &size), NETCORE_OK);
  CHECK_EQUAL(size, 2);
  CHECK_STATUS(fetch_limited(chunked, HEADERS, chunked_head + 3, &size), too_many);
}

#define FIELDS(count) \
  "[{'send':'HTTP/1.1 200 OK\r\n'},{'repeat':'X-A: 4567890123456789012345678\r\n','times':" #count \
  "}," \
  "{'send':'Content-Length: 0\r\n\r\n'}]"

static void test_default_header_bytes(void) {
  size_t size = 0;
  check_case = "the default of the header bytes";
  CHECK_STATUS(fetch_limited(FIELDS(8100), 0, 0, &size), NETCORE_OK);
  CHECK_STATUS(fetch_limited(FIELDS(8200), 0, 0, &size), NETCORE_ERR_LIMIT_HEADER_BYTES);
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_ratio();
  test_header_bytes();
  test_default_header_bytes();
  test_table();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
