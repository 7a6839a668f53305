/*
 * Connections that a server ends while they are kept: whoever asks on one next gets an answer all the same, over a new
 * connection, each time and for as long as the client lives.
 */
#include "support.h"

#include "support/server.h"

static bool resets;
static unsigned accepted;

/* Reads one request; false when the peer has ended. */
static bool read_request(int fd) {
  char head[4096];
  size_t size = 0;
  while (size < sizeof head - 1) {
    ssize_t more = recv(fd, head + size, sizeof head - 1 - size, 0);
    if (more <= 0) return false;
    size += (size_t)more;
    head[size] = '\0';
    if (strstr(head, "\r\n\r\n") != NULL) return true;
  }
  return false;
}

/* Answers the first request of each connection, and ends the connection when it has read the second. */
static void *serve(void *listener) {
  int fd;
  while ((fd = accept4(*(int *)listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    struct linger at_once = {1, 0};
    __atomic_add_fetch(&accepted, 1, __ATOMIC_SEQ_CST);
    if (read_request(fd)) send(fd, SERVER_ANSWER, sizeof SERVER_ANSWER - 1, MSG_NOSIGNAL);
    if (read_request(fd) && resets) setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd);
  }
  return NULL;
}

static void test_connections_that_end(const char *name) {
  enum { REQUESTS = 30 };
  int port, listener = listen_on_loopback(10, &port);
  char url[60];
  pthread_t thread;
  check_case = name;
  accepted = 0;
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  REQUIRE(pthread_create(&thread, NULL, serve, &listener) == 0);
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  for (int i = 0; i < REQUESTS; i++) {
    struct answer answer = fetch(client, url);
    if (!CHECK_STATUS(answer.status, NETCORE_OK))
      fprintf(stderr, "    request %d: %s\n", i + 1, (const char *)answer.error.message.data);
    else
      CHECK_TEXT(answer.info.body, "ok");
    answer_free(&answer);
  }
  CHECK_OK(netcore_client_destroy(client));
  CHECK(__atomic_load_n(&accepted, __ATOMIC_SEQ_CST) >= REQUESTS);
  CHECK(shutdown(listener, SHUT_RDWR) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  close(listener);
}

int main(void) {
  check_begin();
  test_connections_that_end("kept connections that the server closes");
  resets = true;
  test_connections_that_end("kept connections that the server resets");
  return check_end();
}
