/*
 * A thread that reads a stream drives the client's loop while it waits. What else the client does goes on, whether that thread waits,
 * is away, or is one of several.
 */
#include "support.h"

#include <sys/syscall.h>

#include "support/server.h"

static netcore_client client;

/* A body that the test sends piece by piece, and the thread that reads it. */
struct stream {
  netcore_request request;
  int listener, connection, port;
  pthread_t thread;
  pid_t number;
  unsigned received;
  netcore_status status;
};

static unsigned received(struct stream *stream) { return __atomic_load_n(&stream->received, __ATOMIC_SEQ_CST); }

static void *read_all(void *argument) {
  struct stream *stream = argument;
  netcore_response response = 0;
  size_t size = 1;
  char byte;
  __atomic_store_n(&stream->number, (pid_t)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
  stream->status = netcore_perform_streamed(client, stream->request, 0, &response);
  while (stream->status == NETCORE_OK && size > 0) {
    stream->status = netcore_response_read(response, &byte, 1, UINT64_MAX, &size);
    __atomic_add_fetch(&stream->received, (unsigned)size, __ATOMIC_SEQ_CST);
  }
  netcore_response_release(response);
  return NULL;
}

static void stream_send(struct stream *stream, const char *text) {
  CHECK(send(stream->connection, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
}

/* Accepts a connection, and sends the head of an answer of three bytes. */
static void stream_accept(struct stream *stream) {
  char head[SERVER_HEAD];
  stream->connection = accept4(stream->listener, NULL, NULL, SOCK_CLOEXEC);
  REQUIRE(stream->connection >= 0 && server_read_request(stream->connection, head));
  stream_send(stream, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n");
}

static void stream_prepare(struct stream *stream) {
  char url[100];
  *stream = (struct stream){.listener = -1};
  stream->listener = listen_on_loopback(1, &stream->port);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", stream->port);
  stream->request = request_new("GET", url);
}

static void stream_begin(struct stream *stream) {
  stream_prepare(stream);
  REQUIRE(pthread_create(&stream->thread, NULL, read_all, stream) == 0);
  stream_accept(stream);
}

static void stream_close(struct stream *stream) {
  close(stream->connection);
  close(stream->listener);
  CHECK_OK(netcore_request_destroy(stream->request));
}

static void stream_end(struct stream *stream, netcore_status status) {
  REQUIRE(pthread_join(stream->thread, NULL) == 0);
  CHECK_STATUS(stream->status, status);
  stream_close(stream);
}

/* Whether the thread waits for events of descriptors, and so drives. Where the system does not say, nothing is asked. */
static bool waits_for_events(struct stream *stream) {
  char path[100];
  long call = -1;
  pid_t number = __atomic_load_n(&stream->number, __ATOMIC_SEQ_CST);
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)number);
  FILE *file = fopen(path, "r");
  if (file == NULL) return true;
  int count = fscanf(file, "%ld", &call);
  fclose(file);
  if (count != 1) return false; /* it is running */
#ifdef SYS_epoll_wait
  if (call == SYS_epoll_wait) return true;
#endif
  return call == SYS_epoll_pwait;
}

static void on_done(const netcore_completion *completion) {
  CHECK_STATUS(completion->status, NETCORE_OK);
  tally_raise(completion->user_data);
}

static void test_one(void) {
  struct stream stream;
  struct tally ended = TALLY_INITIAL;
  netcore_request request = request_new("GET", at(NGINX, "/1k"));
  check_case = "one stream";
  stream_begin(&stream);
  for (unsigned i = 0; i < 3; i++) {
    WAIT_UNTIL(received(&stream) == i && waits_for_events(&stream));
    if (i == 1) {
      check_case = "another request while the thread waits, and the stream after it";
      CHECK_OK(netcore_dispatch(client, request, on_done, &ended, NULL));
      CHECK(tally_reaches(&ended, 1, patience_ms()));
    }
    stream_send(&stream, "x");
  }
  stream_end(&stream, NETCORE_OK);
  CHECK_OK(netcore_request_destroy(request));
}

static void test_many(void) {
  struct stream streams[4];
  check_case = "several streams at the same time";
  for (size_t i = 0; i < LENGTH(streams); i++) stream_begin(&streams[i]);
  for (unsigned count = 1; count <= 3; count++) {
    for (size_t i = LENGTH(streams); i-- > 0;) {
      stream_send(&streams[i], "x");
      WAIT_UNTIL(received(&streams[i]) == count);
    }
  }
  for (size_t i = 0; i < LENGTH(streams); i++) stream_end(&streams[i], NETCORE_OK);
}

static void *open_stream(void *argument) {
  struct stream *stream = argument;
  netcore_response response = 0;
  CHECK_OK(netcore_perform_streamed(client, stream->request, 0, &response));
  return (void *)(uintptr_t)response; /* a handle has 53 bits */
}

static void test_away(void) {
  struct stream stream;
  void *opened = NULL;
  netcore_task_info progress = NETCORE_TASK_INFO_INIT;
  size_t size = 0;
  char byte;
  check_case = "the thread that reads is away: bytes come, and the time limit holds";
  stream_prepare(&stream);
  CHECK_OK(netcore_request_set_total_timeout_ms(stream.request, (uint32_t)stretched(500)));
  REQUIRE(pthread_create(&stream.thread, NULL, open_stream, &stream) == 0);
  stream_accept(&stream);
  REQUIRE(pthread_join(stream.thread, &opened) == 0);
  netcore_response response = (netcore_response)(uintptr_t)opened;
  stream_send(&stream, "xx");
  WAIT_UNTIL(netcore_response_get_progress(response, &progress) == NETCORE_OK &&
             (progress.received_bytes == 2 || progress.state == NETCORE_TASK_STATE_FINISHED));
  WAIT_UNTIL(netcore_response_get_progress(response, &progress) == NETCORE_OK &&
             progress.state == NETCORE_TASK_STATE_FINISHED);
  CHECK_OK(netcore_response_read(response, &byte, 1, UINT64_MAX, &size));
  CHECK_OK(netcore_response_read(response, &byte, 1, UINT64_MAX, &size));
  CHECK_STATUS(netcore_response_read(response, &byte, 1, UINT64_MAX, &size), NETCORE_ERR_TIMEOUT_TOTAL);
  CHECK_OK(netcore_response_release(response));
  stream_close(&stream);
}

static void test_destroyed(void) {
  struct stream stream;
  check_case = "destroyed while the thread that reads drives";
  stream_begin(&stream);
  stream_send(&stream, "x");
  WAIT_UNTIL(received(&stream) == 1 && waits_for_events(&stream));
  CHECK_OK(netcore_client_destroy(client));
  stream_end(&stream, NETCORE_ERR_CANCELED);
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_one();
  test_many();
  test_away();
  test_destroyed();
  return check_end();
}
