/*
 * Bodies from files and readers: what arrives, by HTTP/1.1 and HTTP/2, by length and in chunks, at aiohttp and through nginx;
 * sent again for redirects and over connections that died; and who may use a reader, and when it is released.
 */
#include "support.h"

#include "support/body.h"
#include "support/server.h"

static netcore_client client;

enum kind { BY_FILE, BY_READER, BY_READER_IN_CHUNKS };

static void check_arrives(netcore_request request, size_t size, const char *digest) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK_EQUAL(json_number(answer.info.body, "size"), size);
  CHECK_BODY_HAS(&answer, digest);
  answer_free(&answer);
}

static void check_upload(const char *url, enum kind kind, size_t size, size_t at_once, const char *path,
                         const char *digest) {
  char length[60];
  struct source source = SOURCE(size);
  source.at_once = at_once;
  netcore_request request = request_new("PUT", url);
  if (kind == BY_FILE)
    CHECK_OK(netcore_request_set_body_file(request, path));
  else
    set_source(request, &source, kind == BY_READER ? size : NETCORE_LENGTH_UNKNOWN);
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(json_number(answer.info.body, "size"), size);
  CHECK_BODY_HAS(&answer, digest);
  snprintf(length, sizeof length, "[\"Content-Length\", \"%zu\"]", size);
  if (strstr(url, peer(UPLOADS)) != NULL) { /* Others pass on as they like. */
    CHECK_EQUAL(body_has(&answer, length), kind != BY_READER_IN_CHUNKS);
    CHECK_EQUAL(body_has(&answer, "[\"Transfer-Encoding\", \"chunked\"]"), kind == BY_READER_IN_CHUNKS);
  }
  CHECK(answer.info.bytes_sent >= size);
  answer_free(&answer);
  if (kind != BY_FILE) source_check_released(&source);
}

static void test_sizes(void) {
  static const struct {
    size_t size, at_once;
  } cases[] = {{0, 0},       {1, 0},          {64 << 10, 0}, {(64 << 10) + 1, 0}, {(64 << 10) + 1, 1000},
               {5000000, 0}, {5000000, 40001}};
  static const struct {
    const char *base, *name;
  } servers[] = {{UPLOADS, "aiohttp"}, {NGINX, "nginx"}, {NGINX_H2, "nginx, HTTP/2"}};
  static const char *const kinds[] = {"a file", "a reader", "a reader, in chunks"};
  static char name[100];
  char digest[100];
  for (size_t i = 0; i < LENGTH(cases) - (is_slow() ? 1 : 0); i++) {
    char *path = file_new(cases[i].size);
    file_digest(path, digest, sizeof digest);
    for (size_t j = 0; j < LENGTH(servers); j++)
      for (enum kind kind = BY_FILE; kind <= BY_READER_IN_CHUNKS; kind++) {
        snprintf(name, sizeof name, "%s of %zu bytes to %s", kinds[kind], cases[i].size, servers[j].name);
        check_case = name;
        check_upload(at(servers[j].base, "/upload"), kind, cases[i].size, cases[i].at_once, path, digest);
      }
    file_remove(path);
  }
}

/* Each way to be sent elsewhere, with a body that a server reads first, or does not read. */
static void test_redirects(void) {
  enum { SIZE = 1000000 };
  static const char *const paths[] = {"/redirect/307/before", "/redirect/307/after", "/redirect/308/before",
                                      "/redirect/308/after"};
  char digest[100], *path = file_new(SIZE);
  file_digest(path, digest, sizeof digest);
  for (size_t i = 0; i < LENGTH(paths); i++) {
    check_case = paths[i];
    netcore_request request = request_new("POST", at(UPLOADS, paths[i]));
    CHECK_OK(netcore_request_set_body_file(request, path));
    check_arrives(request, SIZE, digest);
    for (int is_known = 0; is_known < 2; is_known++) {
      uint64_t length = is_known ? SIZE : NETCORE_LENGTH_UNKNOWN;
      struct source source = SOURCE(SIZE), one_way = SOURCE(SIZE);
      request = request_new("POST", at(UPLOADS, paths[i]));
      bool is_read = strstr(paths[i], "after") != NULL;
      set_source(request, &source, length);
      check_arrives(request, SIZE, digest);
      source_check_released(&source);
      CHECK(source.rewinds == 1 || (source.rewinds == 0 && !is_read));
      if (!is_read) continue; /* It may be that nothing was read before. */
      one_way.cannot_rewind = true;
      request = request_new("POST", at(UPLOADS, paths[i]));
      set_source(request, &one_way, length);
      check_body_fails(client, request, NETCORE_ERR_BODY_REWIND, "body");
      source_check_released(&one_way);
    }
  }
  check_case = "a reader without rewind";
  struct source source = SOURCE(SIZE);
  netcore_reader reader = source_reader(&source);
  reader.rewind = NULL;
  netcore_request request = request_new("POST", at(UPLOADS, "/redirect/307/after"));
  CHECK_OK(netcore_request_set_body_reader(request, &reader, SIZE));
  check_body_fails(client, request, NETCORE_ERR_BODY_REWIND, "body");
  source_check_released(&source);
  check_case = "a redirect that needs no body";
  struct source dropped = SOURCE(SIZE);
  request = request_new("POST", at(ORIGIN, "/redirect/303?to=/echo"));
  set_source(request, &dropped, SIZE);
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "\"method\": \"GET\"");
  CHECK_BODY_HAS(&answer, "\"body_size\": 0");
  answer_free(&answer);
  source_check_released(&dropped);
  CHECK_EQUAL(dropped.rewinds, 0);
  file_remove(path);
}

/* A small body is read ahead, to its end or nearly: the next hop must not find the last one still at it. */
static void test_quick_turns(void) {
  enum { SIZE = 200000, TURNS = 200 };
  char digest[100], *path = file_new(SIZE);
  struct source source = SOURCE(SIZE);
  source.at_once = 50000;
  file_digest(path, digest, sizeof digest);
  file_remove(path);
  check_case = "redirected often";
  netcore_request request = request_new("POST", at(UPLOADS, "/redirect/307/before"));
  set_source(request, &source, SIZE);
  for (int i = 0; i < TURNS / (is_slow() ? 10 : 1); i++) {
    struct answer answer = perform(client, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_BODY_HAS(&answer, digest);
    answer_free(&answer);
  }
  check_case = "refused, and tried elsewhere";
  for (int i = 0; i < TURNS / (is_slow() ? 10 : 1); i++) {
    CHECK_OK(netcore_request_set_url(request, at(UPLOADS, "/refuse/linger")));
    struct answer answer = perform(client, request);
    CHECK_EQUAL(answer.info.http_status, 413);
    answer_free(&answer);
    CHECK_OK(netcore_request_set_url(request, at(UPLOADS, "/upload")));
    answer = perform(client, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_BODY_HAS(&answer, digest);
    answer_free(&answer);
  }
  CHECK_EQUAL(source_releases(&source), 0);
  CHECK_OK(netcore_request_destroy(request));
  source_check_released(&source);
}

static void test_two_tasks(void) {
  struct tally ended = TALLY_INITIAL;
  struct outcome first = {.ended = &ended}, second = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  struct source source = SOURCE(300000);
  check_case = "one reader, two tasks at once";
  source.blocks_at = 100000;
  source.at_once = 50000;
  netcore_request request = request_new("POST", at(UPLOADS, "/upload"));
  set_source(request, &source, 300000);
  CHECK_OK(door_dispatch(&door, request, &first));
  CHECK(tally_reaches(&source.blocked, 1, patience_ms()));
  CHECK_OK(door_dispatch(&door, request, &second));
  door_wait(&door, &ended, 1);
  CHECK_STATUS(second.completion.status, NETCORE_ERR_BODY_REWIND);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_EQUAL(source_releases(&source), 0);
  tally_raise(&source.leave);
  door_wait(&door, &ended, 2);
  CHECK_STATUS(first.completion.status, NETCORE_OK);
  CHECK_EQUAL(json_number(response_info(first.completion.response).body, "size"), 300000);
  outcome_free(&first), outcome_free(&second);
  source_check_released(&source);
  CHECK_EQUAL(source.rewinds, 0);
}

static void test_release(void) {
  struct source unused = SOURCE(10), replaced = SOURCE(10), refused = SOURCE(10), part = SOURCE(10);
  check_case = "a request that is never sent";
  netcore_request request = request_new("POST", at(UPLOADS, "/upload"));
  set_source(request, &unused, 10);
  CHECK_EQUAL(source_releases(&unused), 0);
  CHECK_OK(netcore_request_destroy(request));
  source_check_released(&unused);
  CHECK_EQUAL(unused.reads, 0);
  check_case = "another body in its place";
  request = request_new("POST", at(UPLOADS, "/upload"));
  set_source(request, &replaced, 10);
  CHECK_OK(netcore_request_set_body(request, "x", 1));
  source_check_released(&replaced);
  netcore_reader reader = source_reader(&part);
  CHECK_OK(netcore_request_add_reader_part(request, "part", &reader, 10, NULL));
  CHECK_OK(netcore_request_set_body(request, NULL, 0));
  source_check_released(&part);
  check_case = "a call that fails";
  reader = source_reader(&refused);
  CHECK_STATUS(netcore_request_set_body_reader(request, &reader, ((uint64_t)1 << 62) + 1),
               NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_set_body_reader(0, &reader, 10), NETCORE_ERR_INVALID_HANDLE);
  CHECK_STATUS(netcore_request_add_reader_part(request, "", &reader, 10, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  reader.size = 3;
  CHECK_STATUS(netcore_request_set_body_reader(request, &reader, 10), NETCORE_ERR_INVALID_STRUCT);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_EQUAL(source_releases(&refused), 0);
}

/* Reads a head and a body of `size` bytes; false when the peer ends first. */
static bool read_post(int fd, size_t size) {
  char buffer[64 << 10];
  size_t held = 0;
  char *end = NULL;
  while (end == NULL) {
    ssize_t more = recv(fd, buffer + held, sizeof buffer - 1 - held, 0);
    if (more <= 0) return false;
    held += (size_t)more;
    buffer[held] = '\0';
    end = strstr(buffer, "\r\n\r\n");
  }
  size_t done = held - (size_t)(end + 4 - buffer);
  while (done < size) {
    ssize_t more = recv(fd, buffer, sizeof buffer, 0);
    if (more <= 0) return false;
    done += (size_t)more;
  }
  return true;
}

/* Answers one request of each connection, and resets the connection at the next one's first byte. */
static void *serve(void *listener) {
  int fd;
  char byte;
  while ((fd = accept4(*(int *)listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    struct linger at_once = {1, 0};
    if (read_post(fd, 100000)) send(fd, SERVER_ANSWER, sizeof SERVER_ANSWER - 1, MSG_NOSIGNAL);
    if (recv(fd, &byte, 1, 0) > 0) setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd);
  }
  return NULL;
}

/* Where a kept connection turns out to be dead, a request that may go twice goes on another one, and its body is read again. */
static void test_dead_connections(void) {
  int port, listener = listen_on_loopback(10, &port);
  char url[60];
  pthread_t thread;
  struct source source = SOURCE(100000);
  check_case = "kept connections that died";
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  REQUIRE(pthread_create(&thread, NULL, serve, &listener) == 0);
  netcore_request request = request_new("PUT", url);
  set_source(request, &source, 100000);
  for (int i = 0; i < 30; i++) {
    struct answer answer = perform(client, request);
    if (!CHECK_STATUS(answer.status, NETCORE_OK))
      fprintf(stderr, "    %d: %s\n", i, (const char *)answer.error.message.data);
    else
      CHECK_TEXT(answer.info.body, "ok");
    answer_free(&answer);
  }
  CHECK_OK(netcore_request_destroy(request));
  source_check_released(&source);
  CHECK(shutdown(listener, SHUT_RDWR) == 0);
  CHECK_OK(netcore_client_destroy(client));
  REQUIRE(pthread_join(thread, NULL) == 0);
  close(listener);
}

int main(void) {
  check_begin();
  client = body_client();
  test_sizes();
  test_redirects();
  test_quick_turns();
  test_two_tasks();
  test_release();
  test_dead_connections();
  return check_end();
}
