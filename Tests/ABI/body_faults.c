/*
 * Bodies that cannot be sent: readers that fail, lie or block, files that vanish, shrink or grow. Each ends its task with the
 * documented status, no server takes what it got for a whole request, and readers are released once, when they are left.
 */
#include "support.h"

#include <sys/stat.h>

#include "support/body.h"
#include "support/server.h"

static netcore_client client;

static netcore_request marked_upload(const char *base, const char *mark) {
  return request_new("POST", at(base, marked("/upload", mark)));
}

enum fault { FAILS, OVERFILLS, ENDS_EARLY, GIVES_MORE, FAULTS };

static struct source faulty(enum fault fault, size_t size) {
  struct source source = SOURCE(size);
  source.at_once = 10007;
  if (fault == FAILS) source.fails_at = size / 2;
  if (fault == OVERFILLS) source.overfills_at = size / 2;
  if (fault == ENDS_EARLY) source.size = size - 1;
  if (fault == GIVES_MORE) source.size = size + 1;
  return source;
}

/* By HTTP/1.1 and HTTP/2, small and large: the server sees the beginning at most. */
static void test_faults(void) {
  static const char *const names[] = {"a reader that fails", "a reader that fills in more than there is room",
                                      "a reader that ends early", "a reader that gives more"};
  static const char *const words[] = {"read function failed", "room for", "ended after", "more than"};
  static const char *const bases[] = {UPLOADS, NGINX_H2};
  static const size_t sizes[] = {10, 100000, 3000000};
  for (enum fault fault = FAILS; fault < FAULTS; fault++)
    for (size_t i = 0; i < LENGTH(bases); i++)
      for (size_t j = 0; j < LENGTH(sizes); j++) {
        struct source source = faulty(fault, sizes[j]);
        char mark[60];
        check_case = names[fault];
        snprintf(mark, sizeof mark, "fault-%d-%zu-%zu", (int)fault, i, j);
        netcore_request request = marked_upload(bases[i], mark);
        set_source(request, &source, sizes[j]);
        check_body_fails(client, request, NETCORE_ERR_BODY, words[fault]);
        source_check_released(&source);
        CHECK_EQUAL(uploads_seen(client, mark, "whole"), 0);
      }
  check_case = "a reader that was to give nothing";
  struct source none = SOURCE(10);
  netcore_request request = marked_upload(UPLOADS, "none");
  set_source(request, &none, 0);
  struct answer answer = perform_once(client, request);
  CHECK_EQUAL(json_number(answer.info.body, "size"), 0);
  answer_free(&answer);
  source_check_released(&none);
  CHECK_EQUAL(none.reads, 0);
  check_case = "a reader that fails, in chunks";
  for (size_t i = 0; i < LENGTH(bases); i++) {
    struct source source = faulty(FAILS, 100000);
    char mark[60];
    snprintf(mark, sizeof mark, "fault-chunks-%zu", i);
    request = marked_upload(bases[i], mark);
    set_source(request, &source, NETCORE_LENGTH_UNKNOWN);
    check_body_fails(client, request, NETCORE_ERR_BODY, "body");
    source_check_released(&source);
    if (i == 0) WAIT_UNTIL(uploads_seen(client, mark, "cut") == 1); /* nginx need not have passed on any of it */
    CHECK_EQUAL(uploads_seen(client, mark, "whole"), 0);
  }
}

/* The lengths together are more than a number can hold: there is no such body, and the first reader is found to be short. */
static void test_lengths_beyond_numbers(void) {
  struct source sources[3] = {SOURCE(10), SOURCE(10), SOURCE(10)};
  check_case = "lengths that no number can hold";
  netcore_request request = marked_upload(UPLOADS, "beyond");
  for (int i = 0; i < 3; i++) {
    netcore_reader reader = source_reader(&sources[i]);
    CHECK_OK(netcore_request_add_reader_part(request, "part", &reader, (uint64_t)1 << 62, NULL));
  }
  check_body_fails(client, request, NETCORE_ERR_BODY, "part");
  for (int i = 0; i < 3; i++) source_check_released(&sources[i]);
  CHECK_EQUAL(uploads_seen(client, "beyond", "whole"), 0);
}

enum end { BY_IDLE_TIMEOUT, BY_TOTAL_TIMEOUT, BY_CANCEL, BY_DESTROY, ENDS };

/* A read that blocks holds up neither the end of its task nor that of the client; its reader is released when it returns. */
static void test_blocking(enum end end) {
  static const char *const names[] = {"blocked: idle timeout", "blocked: total timeout", "blocked: cancel",
                                      "blocked: destroy"};
  static const netcore_status statuses[] = {NETCORE_ERR_TIMEOUT_IDLE, NETCORE_ERR_TIMEOUT_TOTAL, NETCORE_ERR_CANCELED,
                                            NETCORE_ERR_CANCELED};
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, body_client(), -1};
  struct source source = SOURCE(1000000);
  check_case = names[end];
  source.blocks_at = 200000;
  netcore_request request = request_new("POST", at(UPLOADS, "/upload"));
  set_source(request, &source, 1000000);
  if (end == BY_IDLE_TIMEOUT) CHECK_OK(netcore_request_set_idle_timeout_ms(request, 300));
  if (end == BY_TOTAL_TIMEOUT) CHECK_OK(netcore_request_set_total_timeout_ms(request, 300));
  CHECK_OK(door_dispatch(&door, request, &outcome));
  CHECK_OK(netcore_request_destroy(request));
  CHECK(tally_reaches(&source.blocked, 1, patience_ms()));
  if (end == BY_CANCEL) CHECK_OK(netcore_task_cancel(outcome.task));
  if (end == BY_DESTROY) CHECK_OK(netcore_client_destroy(door.client));
  CHECK(tally_reaches(&ended, 1, patience_ms()));
  CHECK_STATUS(outcome.completion.status, statuses[end]);
  CHECK_EQUAL(source_releases(&source), 0);
  if (end != BY_DESTROY) CHECK_OK(netcore_client_destroy(door.client));
  CHECK_EQUAL(source_releases(&source), 0);
  tally_raise(&source.leave);
  source_check_released(&source);
  outcome_free(&outcome);
}

/* One that ended by a cancel has left the reader to the next, which waits until the application's function has returned. */
static void test_after_cancel(void) {
  struct tally ended = TALLY_INITIAL;
  struct outcome first = {.ended = &ended}, second = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  struct source source = SOURCE(300000);
  check_case = "sent again while a canceled task's read blocks";
  source.blocks_at = 100000;
  source.at_once = 50000;
  netcore_request request = request_new("POST", at(UPLOADS, "/upload"));
  set_source(request, &source, 300000);
  CHECK_OK(door_dispatch(&door, request, &first));
  CHECK(tally_reaches(&source.blocked, 1, patience_ms()));
  CHECK_OK(netcore_task_cancel(first.task));
  CHECK(tally_reaches(&ended, 1, patience_ms()));
  CHECK_OK(door_dispatch(&door, request, &second));
  CHECK_OK(netcore_request_destroy(request));
  tally_raise(&source.leave);
  CHECK(tally_reaches(&ended, 2, patience_ms()));
  CHECK_STATUS(first.completion.status, NETCORE_ERR_CANCELED);
  CHECK_STATUS(second.completion.status, NETCORE_OK);
  CHECK_EQUAL(json_number(response_info(second.completion.response).body, "size"), 300000);
  outcome_free(&first), outcome_free(&second);
  source_check_released(&source);
  CHECK_EQUAL(source.rewinds, 1);
}

enum change { VANISHES, SHRINKS, SHRINKS_TO_NOTHING, GROWS, CHANGES };
static const char *const change_words[] = {"cannot be opened", "ended after", "ended after 0", "more than"};

static void change_file(const char *path, enum change change, size_t size) {
  CHECK_EQUAL(change == VANISHES ? unlink(path)
                                 : truncate(path, (off_t)(change == SHRINKS ? size - 1
                                                          : change == GROWS ? size + 1
                                                                            : 0)),
              0);
}

/* Dispatched while another request has the only place, changed, and then sent. */
static void test_changed_before_sending(enum change change, bool is_part) {
  static char name[100];
  enum { SIZE = 100000 };
  struct tally ended = TALLY_INITIAL;
  struct outcome ahead = {.ended = &ended}, outcome = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, body_client(), -1};
  struct server *server = server_start(0);
  char *path = file_new(SIZE), mark[60];
  snprintf(name, sizeof name, "a file that changed after the dispatch: %s", change_words[change]);
  check_case = name;
  snprintf(mark, sizeof mark, "changed-%d-%d", (int)change, (int)is_part);
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, 1));
  door_get(&door, server_url(server, "/"), &ahead);
  WAIT_UNTIL(server_held(server) == 1);
  netcore_request request = marked_upload(UPLOADS, mark);
  if (is_part)
    CHECK_OK(netcore_request_add_file_part(request, "attachment", path, NULL));
  else
    CHECK_OK(netcore_request_set_body_file(request, path));
  CHECK_OK(door_dispatch(&door, request, &outcome));
  CHECK_OK(netcore_request_destroy(request));
  change_file(path, change, SIZE);
  server_allow(server, 1);
  CHECK(tally_reaches(&ended, 2, patience_ms()));
  CHECK_STATUS(outcome.completion.status, NETCORE_ERR_BODY);
  netcore_error error = response_error(outcome.completion.response);
  CHECK_EQUAL(error.phase, NETCORE_PHASE_SEND);
  CHECK_EQUAL(error.is_retryable, 0);
  CHECK(bytes_have(error.message, is_part ? "part \"attachment\"" : "body"));
  if (!CHECK(bytes_have(error.message, change_words[change])))
    fprintf(stderr, "    %s\n", (const char *)error.message.data);
  CHECK_EQUAL(uploads_seen(door.client, mark, "whole"), 0);
  outcome_free(&ahead), outcome_free(&outcome);
  CHECK_OK(netcore_client_destroy(door.client));
  server_stop(server);
  free(server);
  file_remove(path);
}

/* A server that reads the head and waits, and then all that comes. */
struct slow {
  int listener;
  struct tally head, go_on;
  /** Of the body. */
  size_t received;
};

static void *slow_run(void *context) {
  struct slow *slow = context;
  static char buffer[64 << 10];
  int fd = accept4(slow->listener, NULL, NULL, SOCK_CLOEXEC);
  ssize_t size = recv(fd, buffer, sizeof buffer - 1, 0);
  const char *end = strstr(buffer, "\r\n\r\n");
  REQUIRE(size > 0 && end != NULL);
  size -= end + 4 - buffer;
  tally_raise(&slow->head);
  CHECK(tally_reaches(&slow->go_on, 1, patience_ms()));
  do slow->received += (size_t)size;
  while ((size = recv(fd, buffer, sizeof buffer, 0)) > 0);
  close(fd);
  return NULL;
}

/* 64 MiB are more than any socket holds: the end has not been read when the file changes. */
static void test_changed_while_sent(enum change change) {
  size_t size = (size_t)64 << 20;
  struct slow slow = {.head = TALLY_INITIAL, .go_on = TALLY_INITIAL};
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  char url[60], *path = file_new(0);
  int port;
  pthread_t thread;
  check_case = change == SHRINKS ? "a file that shrinks while it is sent" : "a file that grows while it is sent";
  slow.listener = listen_on_loopback(1, &port);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  REQUIRE(truncate(path, (off_t)size) == 0);
  REQUIRE(pthread_create(&thread, NULL, slow_run, &slow) == 0);
  netcore_request request = request_new("POST", url);
  CHECK_OK(netcore_request_set_body_file(request, path));
  CHECK_OK(door_dispatch(&door, request, &outcome));
  CHECK_OK(netcore_request_destroy(request));
  CHECK(tally_reaches(&slow.head, 1, patience_ms()));
  change_file(path, change, size);
  tally_raise(&slow.go_on);
  CHECK(tally_reaches(&ended, 1, patience_ms()));
  CHECK_STATUS(outcome.completion.status, NETCORE_ERR_BODY);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK(slow.received < size);
  outcome_free(&outcome);
  close(slow.listener);
  file_remove(path);
}

static void check_refused_at_dispatch(const char *name, const char *path) {
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client, -1};
  check_case = name;
  for (int is_part = 0; is_part < 2; is_part++) {
    netcore_request request = request_new("POST", at(UPLOADS, "/upload"));
    if (is_part)
      CHECK_OK(netcore_request_add_file_part(request, "attachment", path, NULL));
    else
      CHECK_OK(netcore_request_set_body_file(request, path));
    CHECK_STATUS(door_dispatch(&door, request, &outcome), NETCORE_ERR_BODY);
    CHECK(strstr(netcore_last_error_message(), is_part ? "part \"attachment\"" : "body") != NULL);
    CHECK_EQUAL(outcome.task, 0);
    CHECK_OK(netcore_request_destroy(request));
  }
  CHECK_EQUAL(tally_count(&ended), 0);
}

static void test_no_files(void) {
  char *path = file_new(0);
  unlink(path);
  check_refused_at_dispatch("a file that is not there", path);
  REQUIRE(mkfifo(path, 0600) == 0);
  check_refused_at_dispatch("a pipe", path);
  check_refused_at_dispatch("a folder", "/");
  check_refused_at_dispatch("a device", "/dev/zero");
  file_remove(path);
}

int main(void) {
  check_begin();
  client = body_client();
  test_faults();
  test_lengths_beyond_numbers();
  for (enum end end = 0; end < ENDS; end++) test_blocking(end);
  test_after_cancel();
  for (enum change change = 0; change < CHANGES; change++)
    for (int is_part = 0; is_part < 2; is_part++) test_changed_before_sending(change, is_part);
  test_changed_while_sent(SHRINKS);
  test_changed_while_sent(GROWS);
  test_no_files();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
