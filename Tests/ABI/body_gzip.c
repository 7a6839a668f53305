/*
 * Bodies that are packed on the way: aiohttp unpacks them, and has what was put in, by HTTP/1.1 and HTTP/2, from memory, files
 * and readers; what is small, or would become no smaller, goes out as it is.
 */
#include "support.h"

#include "support/body.h"

static netcore_client client;

#define GZIP "[\"Content-Encoding\", \"gzip\"]"

/* Text that packs well; body_byte() gives what does not. */
static char *text_new(size_t size) {
  char *text = malloc(size + 1);
  REQUIRE(text != NULL);
  for (size_t i = 0; i < size; i++) text[i] = "the quick brown fox\n"[i % 20];
  return text;
}

static void check_packed(netcore_request request, size_t size, const char *digest, bool is_packed) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(json_number(answer.info.body, "size"), size);
  if (digest != NULL) CHECK_BODY_HAS(&answer, digest);
  CHECK_EQUAL(body_has(&answer, GZIP), is_packed);
  answer_free(&answer);
}

static netcore_request packing(const char *base, uint64_t minimum) {
  netcore_request request = request_new("POST", at(base, "/upload"));
  CHECK_OK(netcore_request_set_body_gzip(request, minimum));
  return request;
}

static void test_memory(void) {
  enum { SIZE = 100000 };
  char *text = text_new(SIZE);
  unsigned char noise[1000];
  static const struct {
    uint64_t minimum;
    bool is_packed;
  } cases[] = {{0, true}, {1, true}, {SIZE, true}, {SIZE + 1, false}, {UINT64_MAX, false}, {UINT64_MAX - 1, false}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = "bytes, by the minimum";
    netcore_request request = packing(UPLOADS, cases[i].minimum);
    CHECK_OK(netcore_request_set_body(request, text, SIZE));
    check_packed(request, SIZE, NULL, cases[i].is_packed);
  }
  check_case = "bytes that become no smaller";
  body_fill(noise, 0, sizeof noise);
  netcore_request request = packing(UPLOADS, 0);
  CHECK_OK(netcore_request_set_body(request, noise, sizeof noise));
  check_packed(request, sizeof noise, NULL, false);
  request = packing(UPLOADS, 0);
  CHECK_OK(netcore_request_set_body(request, "x", 1));
  check_packed(request, 1, NULL, false);
  check_case = "no body";
  request = packing(UPLOADS, 0);
  check_packed(request, 0, NULL, false);
  check_case = "a Content-Encoding of the caller's";
  request = packing(UPLOADS, 0);
  CHECK_OK(netcore_request_set_body(request, text, SIZE));
  CHECK_OK(netcore_request_set_header(request, "content-encoding", "identity"));
  check_packed(request, SIZE, NULL, false);
  check_case = "what goes over the wire is smaller";
  request = packing(UPLOADS, 0);
  CHECK_OK(netcore_request_set_body(request, text, SIZE));
  for (int i = 0; i < 2; i++) {
    struct answer answer = perform(client, request);
    CHECK_EQUAL(json_number(answer.info.body, "size"), SIZE);
    CHECK(answer.info.bytes_sent < SIZE / 10);
    answer_free(&answer);
  }
  CHECK_OK(netcore_request_destroy(request));
  free(text);
}

static void test_streams(void) {
  static const size_t sizes[] = {1, 64 << 10, (64 << 10) + 1, 5000000};
  static const char *const bases[] = {UPLOADS, NGINX, NGINX_H2};
  char digest[100];
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    char *path = file_new(sizes[i]);
    file_digest(path, digest, sizeof digest);
    for (size_t j = 0; j < LENGTH(bases); j++) {
      check_case = "a file, packed";
      netcore_request request = packing(bases[j], 0);
      CHECK_OK(netcore_request_set_body_file(request, path));
      check_packed(request, sizes[i], digest, true);
      check_case = "a file below the minimum";
      request = packing(bases[j], sizes[i] + 1);
      CHECK_OK(netcore_request_set_body_file(request, path));
      check_packed(request, sizes[i], digest, false);
      check_case = "a reader, packed";
      struct source known = SOURCE(sizes[i]), unknown = SOURCE(sizes[i]);
      known.at_once = unknown.at_once = 30011;
      request = packing(bases[j], 0);
      set_source(request, &known, sizes[i]);
      check_packed(request, sizes[i], digest, true);
      source_check_released(&known);
      check_case = "a reader without a length, packed whatever the minimum";
      request = packing(bases[j], 1 << 30);
      set_source(request, &unknown, NETCORE_LENGTH_UNKNOWN);
      check_packed(request, sizes[i], digest, true);
      source_check_released(&unknown);
    }
    file_remove(path);
  }
}

static void test_parts(void) {
  enum { SIZE = 300000 };
  char digest[100], *path = file_new(SIZE), *text = text_new(SIZE);
  file_digest(path, digest, sizeof digest);
  check_case = "parts, packed";
  netcore_request request = packing(UPLOADS, 1000);
  CHECK_OK(netcore_request_add_part(request, "text", text, SIZE, NULL));
  CHECK_OK(netcore_request_add_file_part(request, "file", path, NULL));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, GZIP);
  CHECK_BODY_HAS(&answer, "\"size\": 300000");
  CHECK_BODY_HAS(&answer, digest);
  answer_free(&answer);
  file_remove(path);
  free(text);
}

static void test_sent_again(void) {
  enum { SIZE = 1000000 };
  char digest[100], *path = file_new(SIZE);
  struct source source = SOURCE(SIZE);
  file_digest(path, digest, sizeof digest);
  check_case = "packed, and redirected";
  netcore_request request = packing(UPLOADS, 0);
  CHECK_OK(netcore_request_set_url(request, at(UPLOADS, "/redirect/307/after")));
  set_source(request, &source, SIZE);
  check_packed(request, SIZE, digest, true);
  source_check_released(&source);
  CHECK_EQUAL(source.rewinds, 1);
  file_remove(path);
}

/* A beginning in gzip must not pass for all of it. */
static void test_faults(void) {
  struct source failing = SOURCE(500000), short_one = SOURCE(500000);
  failing.fails_at = 300000;
  check_case = "packed, and failing";
  netcore_request request = request_new("POST", at(UPLOADS, marked("/upload", "gzip-fails")));
  CHECK_OK(netcore_request_set_body_gzip(request, 0));
  set_source(request, &failing, 500000);
  check_body_fails(client, request, NETCORE_ERR_BODY, "body");
  source_check_released(&failing);
  CHECK_EQUAL(uploads_seen(client, "gzip-fails", "whole"), 0);
  check_case = "packed, and too short";
  request = request_new("POST", at(UPLOADS, marked("/upload", "gzip-short")));
  CHECK_OK(netcore_request_set_body_gzip(request, 0));
  set_source(request, &short_one, 500001);
  check_body_fails(client, request, NETCORE_ERR_BODY, "ended after");
  source_check_released(&short_one);
  CHECK_EQUAL(uploads_seen(client, "gzip-short", "whole"), 0);
}

/* What is no longer wanted is not read on, though it packs so well that nothing comes out yet. */
static void test_cancel(void) {
  struct source source = SOURCE(SIZE_MAX / 2);
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  check_case = "a cancel while a reader is packed";
  source.at_once = 1;
  source.blocks_at = 100;
  netcore_request request = packing(UPLOADS, 0);
  set_source(request, &source, NETCORE_LENGTH_UNKNOWN);
  CHECK_OK(door_dispatch(&door, request, &outcome));
  CHECK_OK(netcore_request_destroy(request));
  CHECK(tally_reaches(&source.blocked, 1, patience_ms()));
  CHECK_OK(netcore_task_cancel(outcome.task));
  CHECK(door_wait(&door, &ended, 1));
  CHECK_STATUS(outcome.completion.status, NETCORE_ERR_CANCELED);
  outcome_free(&outcome);
  unsigned reads = __atomic_load_n(&source.reads, __ATOMIC_SEQ_CST);
  tally_raise(&source.leave);
  source_check_released(&source);
  CHECK(__atomic_load_n(&source.reads, __ATOMIC_SEQ_CST) <= reads + 1);
}

int main(void) {
  check_begin();
  client = body_client();
  test_memory();
  test_streams();
  test_parts();
  test_sent_again();
  test_faults();
  test_cancel();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
