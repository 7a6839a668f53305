/*
 * Hedges over sockets: whole and streamed answers, of which one of two connections is slow at a time, and what becomes of the other.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/answer.h"
#include "support/server.h"

#define SIZE (1 << 17)

/* Sends the pattern on each connection. The head and the second half of the body wait until the test lets them go. */
struct sender {
  int listener, port;
  pthread_t thread, connections[8];
  /* Connections so far, and those that netcore has closed before the end. */
  atomic_uint begun, cut;
  /* By connection: 1 for the head, 2 for the rest. */
  atomic_uint allowed[8];
};

struct connection {
  struct sender *sender;
  unsigned number;
  int fd;
};

static bool send_all(int fd, const void *bytes, size_t size) {
  for (size_t sent = 0; sent < size;) {
    ssize_t more = send(fd, (const char *)bytes + sent, size - sent, MSG_NOSIGNAL);
    if (more <= 0) return false;
    sent += (size_t)more;
  }
  return true;
}

/* False when the client closes the connection meanwhile. */
static bool wait_allowed(struct connection *connection, unsigned level) {
  while (atomic_load(&connection->sender->allowed[connection->number]) < level) {
    struct pollfd ended = {connection->fd, POLLIN | POLLRDHUP, 0};
    if (poll(&ended, 1, 2) > 0) return false;
  }
  return true;
}

static void *serve(void *argument) {
  struct connection connection = *(struct connection *)argument;
  unsigned char *body = malloc(SIZE);
  char head[SERVER_HEAD], answer[100];
  free(argument);
  REQUIRE(body != NULL);
  for (size_t i = 0; i < SIZE; i++) body[i] = (unsigned char)(i * 31 + 7);
  int size = snprintf(answer, sizeof answer, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", SIZE);
  bool is_whole = server_read_request(connection.fd, head) && wait_allowed(&connection, 1) &&
                  send_all(connection.fd, answer, (size_t)size) && send_all(connection.fd, body, SIZE / 2) &&
                  wait_allowed(&connection, 2) && send_all(connection.fd, body + SIZE / 2, SIZE / 2);
  if (!is_whole) atomic_fetch_add(&connection.sender->cut, 1);
  free(body);
  close(connection.fd);
  return NULL;
}

static void *accept_all(void *argument) {
  struct sender *sender = argument;
  int fd;
  while ((fd = accept4(sender->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    struct connection *connection = malloc(sizeof *connection);
    REQUIRE(connection != NULL);
    *connection = (struct connection){sender, atomic_load(&sender->begun), fd};
    REQUIRE(connection->number < 8);
    REQUIRE(pthread_create(&sender->connections[connection->number], NULL, serve, connection) == 0);
    atomic_fetch_add(&sender->begun, 1);
  }
  return NULL;
}

static void begin(struct sender *sender) {
  memset(sender, 0, sizeof *sender);
  sender->listener = listen_on_loopback(8, &sender->port);
  REQUIRE(pthread_create(&sender->thread, NULL, accept_all, sender) == 0);
}

/* Returns how many connections the client has cut. */
static unsigned end(struct sender *sender) {
  shutdown(sender->listener, SHUT_RDWR);
  pthread_join(sender->thread, NULL);
  close(sender->listener);
  for (unsigned i = 0; i < atomic_load(&sender->begun); i++) pthread_join(sender->connections[i], NULL);
  return atomic_load(&sender->cut);
}

static netcore_client client_of(uint64_t delay_ms) {
  netcore_client client;
  netcore_hedge_options options = NETCORE_HEDGE_OPTIONS_INIT;
  options.min_delay_ms = options.initial_delay_ms = delay_ms;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  CHECK_OK(netcore_client_set_hedging(client, &options));
  return client;
}

static netcore_request request_to(const struct sender *sender) {
  char url[100];
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", sender->port);
  return request_new("GET", url);
}

static void check_counts(netcore_client client, uint64_t hedges, uint64_t wins) {
  netcore_client_statistics found = NETCORE_CLIENT_STATISTICS_INIT;
  CHECK_OK(netcore_client_get_statistics(client, &found));
  CHECK(found.hedge_count == hedges && found.hedge_win_count == wins && found.attempt_count == 1);
}

static void on_done(const netcore_completion *completion) {
  CHECK_OK(completion->status);
  CHECK_EQUAL(response_info(completion->response).try_count, 2);
  CHECK_EQUAL(response_info(completion->response).body.size_bytes, SIZE);
  tally_raise(completion->user_data);
}

/* One of the two answers goes first; the other connection is closed. */
static void test_whole(void) {
  for (unsigned winner = 0; winner < 2; winner++) {
    struct sender sender;
    struct tally done = TALLY_INITIAL;
    netcore_client client = client_of(1);
    netcore_task task;
    check_case = winner == 0 ? "a whole answer of the first" : "a whole answer of the hedge";
    begin(&sender);
    netcore_request request = request_to(&sender);
    CHECK_OK(netcore_dispatch(client, request, on_done, &done, &task));
    WAIT_UNTIL(atomic_load(&sender.begun) == 2);
    atomic_store(&sender.allowed[winner], 2);
    REQUIRE(tally_reaches(&done, 1, patience_ms()));
    check_counts(client, 1, winner);
    CHECK_OK(netcore_request_destroy(request));
    CHECK_OK(netcore_client_destroy(client));
    CHECK_EQUAL(end(&sender), 1);
  }
}

struct streamed {
  netcore_client client;
  netcore_request request;
  netcore_response response;
};

static void *open_stream(void *argument) {
  struct streamed *streamed = argument;
  CHECK_OK(netcore_perform_streamed(streamed->client, streamed->request, 0, &streamed->response));
  return NULL;
}

static size_t read_body(netcore_response response, netcore_status status, size_t most) {
  static unsigned char buffer[100000];
  size_t count = 0, size = 0;
  netcore_status found = NETCORE_OK;
  while (count < most) {
    size_t room = most - count < sizeof buffer ? most - count : sizeof buffer;
    found = netcore_response_read(response, buffer, room, patience_ms(), &size);
    if (found != NETCORE_OK || size == 0) break;
    for (size_t i = 0; i < size; i++) CHECK(buffer[i] == (unsigned char)((count + i) * 31 + 7));
    count += size;
  }
  CHECK_STATUS(found, status);
  return count;
}

/* Whose head comes first wins; its body is read while the other connection is gone. */
static void test_streams(void) {
  for (unsigned i = 0; i < 4; i++) {
    unsigned winner = i % 2;
    bool is_canceled = i >= 2;
    struct sender sender;
    struct streamed streamed = {client_of(1), 0, 0};
    netcore_response ending;
    pthread_t thread;
    check_case = winner == 0 ? "a stream of the first" : "a stream of the hedge";
    begin(&sender);
    streamed.request = request_to(&sender);
    REQUIRE(pthread_create(&thread, NULL, open_stream, &streamed) == 0);
    WAIT_UNTIL(atomic_load(&sender.begun) == 2);
    atomic_store(&sender.allowed[winner], 1);
    pthread_join(thread, NULL);
    WAIT_UNTIL(atomic_load(&sender.cut) == 1);
    CHECK_EQUAL(read_body(streamed.response, NETCORE_OK, SIZE / 2), SIZE / 2);
    if (is_canceled) {
      CHECK_OK(netcore_response_cancel(streamed.response));
      CHECK_EQUAL(read_body(streamed.response, NETCORE_ERR_CANCELED, SIZE), 0);
    } else {
      atomic_store(&sender.allowed[winner], 2);
      CHECK_EQUAL(read_body(streamed.response, NETCORE_OK, SIZE), SIZE / 2);
      check_counts(streamed.client, 1, winner);
    }
    CHECK_OK(netcore_response_get_ending(streamed.response, &ending));
    CHECK_EQUAL(response_info(ending).try_count, 2);
    CHECK_OK(netcore_response_release(ending));
    CHECK_OK(netcore_response_release(streamed.response));
    CHECK_OK(netcore_request_destroy(streamed.request));
    CHECK_OK(netcore_client_destroy(streamed.client));
    CHECK_EQUAL(end(&sender), is_canceled ? 2 : 1);
  }
}

/* After the head there is no hedge, however long the rest takes. */
static void test_after_the_head(void) {
  struct sender sender;
  struct streamed streamed = {client_of(50), 0, 0};
  check_case = "no hedge after the head";
  begin(&sender);
  for (int i = 0; i < 8; i++) atomic_store(&sender.allowed[i], 1);
  streamed.request = request_to(&sender);
  open_stream(&streamed);
  CHECK_EQUAL(read_body(streamed.response, NETCORE_OK, SIZE / 2), SIZE / 2);
  pause_ms(100);
  atomic_store(&sender.allowed[0], 2);
  CHECK_EQUAL(atomic_load(&sender.begun), 1);
  check_counts(streamed.client, 0, 0);
  CHECK_OK(netcore_response_release(streamed.response));
  CHECK_OK(netcore_request_destroy(streamed.request));
  CHECK_OK(netcore_client_destroy(streamed.client));
  end(&sender);
}

int main(void) {
  test_whole();
  test_streams();
  test_after_the_head();
  return check_end();
}
