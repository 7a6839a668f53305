/*
 * Content codings, whole and damaged: gzip, deflate (zlib and raw), br, zstd and several at once. A body that is cut,
 * even in its last bytes, or whose checksum is wrong, is an error; one that is not to be decoded is left alone.
 */
#include "support.h"

#define TEXT "the quick brown fox, the quick brown fox, the quick brown fox\n"

/* TEXT compressed by zlib, brotli and zstd -19, as base64. */
#define GZIP_DATA "H4sIAAAAAAACAyvJSFUoLM1MzlZIKsovz1NIy6/QUSghUpALAA=="
#define GZIP_CRC "zM+ojg=="
#define GZIP_SIZE "PgAAAA=="
#define GZIP_WITH_ALL_FIELDS "H4sIHgAAAAAA/wMAYWJjbmFtZQBjb21tZW50AHgYK8lIVSgszUzOVkgqyi/PU0jLr9BRKCFSkAsAzM+ojj4AAAA="
#define ZLIB_DATA "eNoryUhVKCzNTM5WSCrKL89TSMuv0FEoIVKQCwA="
#define ZLIB_ADLER "xQkWPA=="
#define RAW "K8lIVSgszUzOVkgqyi/PU0jLr9BRKCFSkAsA"
#define RAW_CUT "K8lIVSgszUzOVkgqyi/PU0jLr9BRKCFS"
#define BR "Gz0AAATkhr/nWr/3UuSipEhFRjGqqqxN51zBpq+IfgUI"
#define BR_CUT "Gz0AAATkhr/nWr/3UuSipEhFRjGqqqxN51zBpq8="
#define ZSTD "KLUv/QRo5QAAsHRoZSBxdWljayBicm93biBmb3gsIAoBAGM5mYpZiwg="
#define ZSTD_CUT "KLUv/QRo5QAAsHRoZSBxdWljayBicm93biBmb3gsIAoBAGM5mQ=="
#define ZSTD_BAD_CHECKSUM "KLUv/QRo5QAAsHRoZSBxdWljayBicm93biBmb3gsIAoBAGM5mYpZiwk="
#define GZIP_OF_GZIP "H4sIAAAAAAACA5Pv5mAAASZm7ZMeoRo6Z33OhXlondI/H+xxev2FQA3FoAncDGfOr+izAyoCAN++VhYtAAAA"
#define GZIP_OF_BR "H4sIAAAAAAACAwEhAN7/Gz0AAATkhr/nWr/3UuSipEhFRjGqqqxN51zBpq+IfgUI6oOWKCEAAAA="
/* A gigabyte of zeros. */
#define GZIP_OF_ZSTD_OF_MUCH \
  "H4sIAAAAAAACA+3DQQkAIBQFsIcWMIY3rxb/8QTt4QabtU52y4iqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq/ry/F97v" \
  "OuIGgAAA"

#define BYTES(base64) ",{'send_base64':'" base64 "'}"
#define GZIP BYTES(GZIP_DATA) BYTES(GZIP_CRC) BYTES(GZIP_SIZE)
#define DRIPPED_END ",{'drip':'\xCC\xCF\xA8\x8E>\\u0000\\u0000\\u0000','interval_ms':5}"
#define ANSWER(coding, parts) \
  "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: " coding "\r\n\r\n'}" parts ",{'close':true}]"

#define CODING NETCORE_ERR_CONTENT_CODING
#define TRUNCATED NETCORE_ERR_TRUNCATED

/* An answer, and the status it must end with. Where the header leaves two, `other` is the second. */
static const struct {
  const char *name, *steps;
  netcore_status status, other;
  const char *text;
} cases[] = {
    {"gzip", ANSWER("gzip", GZIP), NETCORE_OK, 0, TEXT},
    {"gzip by its other name", ANSWER("x-gzip", GZIP), NETCORE_OK, 0, TEXT},
    {"gzip in capitals", ANSWER("GZIP", GZIP), NETCORE_OK, 0, TEXT},
    {"gzip with every field", ANSWER("gzip", BYTES(GZIP_WITH_ALL_FIELDS)), NETCORE_OK, 0, TEXT},
    {"gzip of two members", ANSWER("gzip", GZIP GZIP), NETCORE_OK, 0, TEXT TEXT},
    {"gzip of three members", ANSWER("gzip", GZIP BYTES(GZIP_WITH_ALL_FIELDS) GZIP), NETCORE_OK, 0, TEXT TEXT TEXT},
    {"gzip, its end byte by byte", ANSWER("gzip", BYTES(GZIP_DATA) DRIPPED_END), NETCORE_OK, 0, TEXT},
    {"gzip, cut 8 bytes from its end", ANSWER("gzip", BYTES(GZIP_DATA)), TRUNCATED, CODING, NULL},
    {"gzip, cut 4 bytes from its end", ANSWER("gzip", BYTES(GZIP_DATA) BYTES(GZIP_CRC)), TRUNCATED, CODING, NULL},
    {"gzip, cut 1 byte from its end", ANSWER("gzip", BYTES(GZIP_DATA) BYTES(GZIP_CRC) BYTES("PgAA")), TRUNCATED, CODING,
     NULL},
    {"gzip, cut in its data", ANSWER("gzip", BYTES("H4sIAAAAAAACAyvJSFUoLM1M")), TRUNCATED, CODING, NULL},
    {"gzip, cut in its head", ANSWER("gzip", BYTES("H4sI")), TRUNCATED, CODING, NULL},
    {"gzip, the second member cut", ANSWER("gzip", GZIP BYTES(GZIP_DATA) BYTES(GZIP_CRC)), TRUNCATED, CODING, NULL},
    {"gzip, the second member's head cut", ANSWER("gzip", GZIP BYTES("H4sI")), TRUNCATED, CODING, NULL},
    {"gzip, a wrong checksum", ANSWER("gzip", BYTES(GZIP_DATA) BYTES("zc+ojg==") BYTES(GZIP_SIZE)), CODING, 0, NULL},
    {"gzip, a wrong size", ANSWER("gzip", BYTES(GZIP_DATA) BYTES(GZIP_CRC) BYTES("PwAAAA==")), CODING, 0, NULL},
    {"gzip, other bytes after it", ANSWER("gzip", GZIP ",{'send':'garbage'}"), NETCORE_OK, 0, TEXT},
    {"gzip that is none", ANSWER("gzip", ",{'send':'hello, I am no gzip at all'}"), CODING, 0, NULL},
    {"gzip cut in chunks that are whole",
     "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n25\r\n'}" BYTES(
         GZIP_DATA) ",{'send':'\r\n0\r\n\r\n'},{'close':true}]",
     TRUNCATED, CODING, NULL},
    {"gzip cut with a length that fits",
     "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 37\r\n\r\n'}" BYTES(
         GZIP_DATA) ",{'keep':true}]",
     TRUNCATED, CODING, NULL},

    {"deflate", ANSWER("deflate", BYTES(ZLIB_DATA) BYTES(ZLIB_ADLER)), NETCORE_OK, 0, TEXT},
    {"deflate, raw", ANSWER("deflate", BYTES(RAW)), NETCORE_OK, 0, TEXT},
    {"deflate, cut before its checksum", ANSWER("deflate", BYTES(ZLIB_DATA)), TRUNCATED, CODING, NULL},
    {"deflate, a wrong checksum", ANSWER("deflate", BYTES(ZLIB_DATA) BYTES("xQkWPQ==")), CODING, 0, NULL},
    {"deflate, raw, cut", ANSWER("deflate", BYTES(RAW_CUT)), TRUNCATED, CODING, NULL},

    {"br", ANSWER("br", BYTES(BR)), NETCORE_OK, 0, TEXT},
    {"br, cut", ANSWER("br", BYTES(BR_CUT)), TRUNCATED, CODING, NULL},
    {"br that is none", ANSWER("br", BYTES("/////////w==")), CODING, TRUNCATED, NULL},
    {"zstd", ANSWER("zstd", BYTES(ZSTD)), NETCORE_OK, 0, TEXT},
    {"zstd of two frames", ANSWER("zstd", BYTES(ZSTD) BYTES(ZSTD)), NETCORE_OK, 0, TEXT TEXT},
    {"zstd, cut", ANSWER("zstd", BYTES(ZSTD_CUT)), TRUNCATED, CODING, NULL},
    {"zstd, a wrong checksum", ANSWER("zstd", BYTES(ZSTD_BAD_CHECKSUM)), CODING, 0, NULL},
    {"zstd that is none", ANSWER("zstd", ",{'send':'hello, I am no zstd at all'}"), CODING, 0, NULL},

    {"two codings", ANSWER("gzip, gzip", BYTES(GZIP_OF_GZIP)), NETCORE_OK, 0, TEXT},
    {"two codings in two fields", ANSWER("gzip\r\nContent-Encoding: gzip", BYTES(GZIP_OF_GZIP)), NETCORE_OK, 0, TEXT},
    {"two kinds of coding", ANSWER("br, gzip", BYTES(GZIP_OF_BR)), NETCORE_OK, 0, TEXT},
    {"two codings in the wrong order", ANSWER("gzip, br", BYTES(GZIP_OF_BR)), CODING, TRUNCATED, NULL},
    {"three codings", ANSWER("gzip, gzip, gzip", BYTES(GZIP_OF_GZIP)), CODING, 0, NULL},
    {"identity", ANSWER("identity", ",{'send':'plain'}"), NETCORE_OK, 0, "plain"},
    {"an empty coding", ANSWER("", ",{'send':'plain'}"), NETCORE_OK, 0, "plain"},
    {"an unknown coding", ANSWER("x-foo", ",{'send':'plain'}"), NETCORE_OK, 0, "plain"},
};

/* Without the checksum, where the request allows that: it is not a cut in the data, nor a wrong checksum, nor a length not reached. */
static void test_unclean_end(netcore_client client) {
  static const struct {
    const char *name, *steps;
    netcore_status status;
  } ends[] = {
      {"gzip without its trailer", ANSWER("gzip", BYTES(GZIP_DATA)), NETCORE_OK},
      {"gzip with half a trailer", ANSWER("gzip", BYTES(GZIP_DATA) BYTES(GZIP_CRC)), NETCORE_OK},
      {"gzip with its trailer", ANSWER("gzip", GZIP), NETCORE_OK},
      {"deflate without its checksum", ANSWER("deflate", BYTES(ZLIB_DATA)), NETCORE_OK},
      {"gzip without its trailer, and a length that fits",
       "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 37\r\n\r\n'}" BYTES(
           GZIP_DATA) ",{'keep':true}]",
       NETCORE_OK},
      {"gzip without its trailer, in chunks",
       "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n25\r\n'}" BYTES(
           GZIP_DATA) ",{'send':'\r\n0\r\n\r\n'},{'close':true}]",
       NETCORE_OK},
      {"gzip without its trailer, below its length",
       "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 45\r\n\r\n'}" BYTES(
           GZIP_DATA) ",{'close':true}]",
       TRUNCATED},
      {"gzip without its trailer, and no last chunk",
       "[{'send':'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n25\r\n'}" BYTES(
           GZIP_DATA) ",{'send':'\r\n'},{'close':true}]",
       TRUNCATED},
      {"gzip, cut in its data", ANSWER("gzip", BYTES("H4sIAAAAAAACAyvJSFUoLM1M")), TRUNCATED},
      {"gzip, a wrong checksum", ANSWER("gzip", BYTES(GZIP_DATA) BYTES("zc+ojg==") BYTES(GZIP_SIZE)), CODING},
      {"deflate, raw, cut", ANSWER("deflate", BYTES(RAW_CUT)), TRUNCATED},
      {"br, cut", ANSWER("br", BYTES(BR_CUT)), TRUNCATED},
      {"zstd, cut", ANSWER("zstd", BYTES(ZSTD_CUT)), TRUNCATED},
  };
  for (size_t i = 0; i < LENGTH(ends); i++) {
    check_case = ends[i].name;
    netcore_request request = script_request("GET", ORIGIN, ends[i].steps);
    CHECK_OK(netcore_request_set_allow_unclean_end(request, 1));
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, ends[i].status);
    if (ends[i].status == NETCORE_OK) CHECK_TEXT(answer.info.body, TEXT);
    answer_free(&answer);
  }
}

static void test_left_alone(netcore_client client) {
  static const char damaged[] = ANSWER("gzip", ",{'send':'hello, I am no gzip at all'}");
  static const char unknown[] = ANSWER("x-foo", ",{'send':'plain'}");
  for (int i = 0; i < 2; i++) {
    netcore_request request = script_request("GET", ORIGIN, i == 0 ? damaged : unknown);
    CHECK_OK(netcore_request_set_decode_content(request, 0));
    struct answer answer = perform_once(client, request);
    check_case = "a body that is not to be decoded";
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_TEXT(answer.info.body, i == 0 ? "hello, I am no gzip at all" : "plain");
    answer_free(&answer);
  }
}

/* What came in one piece may take long to decode: a timeout and a cancel end that too. */
static void test_ended(netcore_client client) {
  static const char much[] = ANSWER("zstd, gzip", BYTES(GZIP_OF_ZSTD_OF_MUCH));
  netcore_request request = script_request("GET", ORIGIN, much);
  struct answer answer = perform_once(client, request);
  check_case = "much in a few bytes";
  CHECK_STATUS(answer.status, NETCORE_ERR_LIMIT_DECODE_RATIO);
  answer_free(&answer);
  request = script_request("GET", ORIGIN, much);
  CHECK_OK(netcore_request_set_limit(request, NETCORE_LIMIT_DECODE_RATIO, UINT64_MAX));
  CHECK_OK(netcore_request_set_total_timeout_ms(request, 60));
  answer = perform_once(client, request);
  check_case = "a total timeout in the middle of decoding";
  CHECK_STATUS(answer.status, NETCORE_ERR_TIMEOUT_TOTAL);
  answer_free(&answer);
}

int main(void) {
  check_begin();
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].name;
    struct answer answer = fetch_script(client, ORIGIN, cases[i].steps);
    if (cases[i].other == 0 || answer.status != cases[i].other) CHECK_STATUS(answer.status, cases[i].status);
    if (cases[i].status == NETCORE_OK) CHECK_TEXT(answer.info.body, cases[i].text);
    CHECK_EQUAL(answer.info.http_status, 200);
    answer_free(&answer);
  }
  test_unclean_end(client);
  test_left_alone(client);
  test_ended(client);
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
