/*
 * Which requests go out a second time when a kept connection dies, and which do not. What a server may have carried out is sent
 * again only where that does no harm (RFC 9110 section 9.2.2).
 */
#include "support.h"

#include "support/server.h"

#define TIMEOUT_ANSWER "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

/* What the server does with the second request of each connection. */
enum second { ANSWERS, CLOSES, RESETS, SAYS_TIMEOUT };

static struct origin {
  pthread_t thread;
  int listener, port;
  enum second second;
  /* Requests that were read as a whole, other than the first of a connection. */
  unsigned carried_out, connections;
} origin;

static void *serve_connection(void *argument) {
  int fd = (int)(intptr_t)argument;
  struct linger at_once = {1, 0};
  char head[SERVER_HEAD];
  for (unsigned i = 0; server_read_request(fd, head); i++) {
    if (i > 0) __atomic_add_fetch(&origin.carried_out, 1, __ATOMIC_SEQ_CST);
    enum second then = i == 0 ? ANSWERS : origin.second;
    if (then == ANSWERS) send(fd, SERVER_ANSWER, sizeof SERVER_ANSWER - 1, MSG_NOSIGNAL);
    if (then == SAYS_TIMEOUT) send(fd, TIMEOUT_ANSWER, sizeof TIMEOUT_ANSWER - 1, MSG_NOSIGNAL);
    if (then == RESETS) setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    if (then != ANSWERS) break;
  }
  close(fd);
  return NULL;
}

static void *serve(void *argument) {
  int fd;
  (void)argument;
  while ((fd = accept4(origin.listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    pthread_t thread;
    __atomic_add_fetch(&origin.connections, 1, __ATOMIC_SEQ_CST);
    REQUIRE(pthread_create(&thread, NULL, serve_connection, (void *)(intptr_t)fd) == 0);
    pthread_detach(thread);
  }
  return NULL;
}

static const char *origin_start(enum second second) {
  static char url[60];
  origin = (struct origin){.second = second};
  origin.listener = listen_on_loopback(64, &origin.port);
  REQUIRE(pthread_create(&origin.thread, NULL, serve, NULL) == 0);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", origin.port);
  return url;
}

static void origin_stop(void) {
  CHECK(shutdown(origin.listener, SHUT_RDWR) == 0);
  REQUIRE(pthread_join(origin.thread, NULL) == 0);
  close(origin.listener);
}

static const struct loss {
  const char *method;
  enum second second;
  netcore_status status;
  /* How often the server carried the request out on the connection that died; and attempts as the response counts them. */
  unsigned carried_out, attempts;
} losses[] = {
    {"GET", CLOSES, NETCORE_OK, 1, 2},
    {"GET", RESETS, NETCORE_OK, 1, 2},
    {"PUT", CLOSES, NETCORE_OK, 1, 2},
    {"DELETE", RESETS, NETCORE_OK, 1, 2},
    {"POST", CLOSES, NETCORE_ERR_CONNECTION_LOST, 1, 1},
    {"POST", RESETS, NETCORE_ERR_CONNECTION_LOST, 1, 1},
    {"PATCH", CLOSES, NETCORE_ERR_CONNECTION_LOST, 1, 1},
    {"GET", SAYS_TIMEOUT, NETCORE_OK, 1, 2},
    {"POST", SAYS_TIMEOUT, NETCORE_OK, 1, 2},
};

static void test_loss(const struct loss *loss, size_t body_size, bool is_sent_once) {
  static char body[200000], name[100];
  const char *url = origin_start(loss->second);
  snprintf(name, sizeof name, "%s with %zu bytes on a connection whose server does %d", loss->method, body_size,
           (int)loss->second);
  check_case = name;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  netcore_request request = request_new(loss->method, url);
  if (is_sent_once) CHECK_OK(netcore_request_set_sent_once(request, 1));
  if (body_size > 0) CHECK_OK(netcore_request_set_body(request, body, body_size));
  answer = perform_once(client, request);
  if (CHECK_STATUS(answer.status, loss->status) && loss->status == NETCORE_OK) CHECK_TEXT(answer.info.body, "ok");
  CHECK_EQUAL(answer.info.attempts, loss->attempts);
  CHECK_EQUAL(__atomic_load_n(&origin.carried_out, __ATOMIC_SEQ_CST), loss->carried_out);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  origin_stop();
}

/* Whatever dies while it is idle costs no request. */
static void test_many_that_die_idle(void) {
  enum { CONNECTIONS = 16 };
  static struct outcome outcomes[CONNECTIONS];
  struct server *server = server_start(0);
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  check_case = "sixteen kept connections that are reset at once";
  for (unsigned round = 0; round < 4; round++) {
    struct tally ended = TALLY_INITIAL;
    memset(outcomes, 0, sizeof outcomes);
    for (unsigned i = 0; i < CONNECTIONS; i++) {
      outcomes[i].ended = &ended;
      netcore_request request = request_new(round % 2 == 0 ? "GET" : "POST", server_url(server, "/"));
      CHECK_OK(door_dispatch(&door, request, &outcomes[i]));
      CHECK_OK(netcore_request_destroy(request));
    }
    WAIT_UNTIL(server_held(server) == CONNECTIONS);
    server_allow(server, CONNECTIONS);
    door_wait(&door, &ended, CONNECTIONS);
    for (unsigned i = 0; i < CONNECTIONS; i++) {
      CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK);
      outcome_free(&outcomes[i]);
    }
    server_reset(server);
  }
  CHECK_OK(netcore_client_destroy(door.client));
  server_stop(server);
  free(server);
}

int main(void) {
  check_begin();
  for (size_t i = 0; i < LENGTH(losses); i++) {
    test_loss(&losses[i], 0, false);
    if (losses[i].method[0] == 'P') test_loss(&losses[i], 1000, false);
  }
  static const struct loss get = {"GET", CLOSES, NETCORE_ERR_CONNECTION_LOST, 1, 1};
  test_loss(&get, 0, true);
  test_many_that_die_idle();
  return check_end();
}
