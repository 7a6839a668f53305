/**
 * A small HTTP server inside the test: it holds each request until the test lets it answer, and knows how many it
 * holds. One thread; plain HTTP/1.1 with connections kept open; every answer is 200 with the body "ok".
 */
#ifndef NETCORE_TESTS_SERVER_H
#define NETCORE_TESTS_SERVER_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "check.h"
#include "wait.h"

#define SERVER_ANSWER "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define SERVER_CONNECTIONS 128
#define SERVER_HEAD 4096

struct server {
  pthread_t thread;
  pthread_mutex_t lock;
  int listener, port, wake[2];
  bool is_ending, is_resetting;
  /** Requests not yet answered, the most there ever were of them at one time, and all that have come. */
  unsigned held, most_held, received;
  /** How many more may be answered. */
  unsigned allowed;
  /** The head of the last request. */
  char last_head[SERVER_HEAD];
  struct server_connection {
    int fd;
    bool is_held;
    size_t size;
    char head[SERVER_HEAD];
  } connections[SERVER_CONNECTIONS];
  unsigned count;
};

static inline int listen_on_loopback(int backlog, int *out_port) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(listener >= 0 && bind(listener, (struct sockaddr *)&address, size) == 0);
  REQUIRE(listen(listener, backlog) == 0);
  REQUIRE(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
  *out_port = ntohs(address.sin_port);
  return listener;
}

/** For servers of a test's own: reads one request with its body, and keeps its head. False when the peer has ended. */
static inline bool server_read_request(int fd, char head[SERVER_HEAD]) {
  char rest[SERVER_HEAD];
  size_t size = 0, body = 0;
  const char *end, *length;
  do {
    ssize_t more = recv(fd, head + size, SERVER_HEAD - 1 - size, 0);
    if (more <= 0) return false;
    size += (size_t)more;
    head[size] = '\0';
  } while ((end = strstr(head, "\r\n\r\n")) == NULL);
  if ((length = strcasestr(head, "\r\ncontent-length:")) != NULL) body = strtoul(length + 17, NULL, 10);
  for (size -= (size_t)(end + 4 - head); size < body;) {
    ssize_t more = recv(fd, rest, sizeof rest < body - size ? sizeof rest : body - size, 0);
    if (more <= 0) return false;
    size += (size_t)more;
  }
  return true;
}

/* What follows runs in the server's thread, with the lock held. */

static inline void server_answer_held(struct server *server) {
  for (unsigned i = 0; i < server->count && server->allowed > 0; i++) {
    struct server_connection *connection = &server->connections[i];
    if (!connection->is_held) continue;
    connection->is_held = false;
    connection->size = 0;
    server->held--;
    server->allowed--;
    send(connection->fd, SERVER_ANSWER, sizeof SERVER_ANSWER - 1, MSG_NOSIGNAL);
  }
}

/** Reads what there is; false when the peer has ended. */
static inline bool server_read(struct server *server, struct server_connection *connection) {
  size_t room = sizeof connection->head - 1 - connection->size;
  ssize_t size = recv(connection->fd, connection->head + connection->size, room, 0);
  if (size <= 0) return false;
  connection->size += (size_t)size;
  connection->head[connection->size] = '\0';
  if (!connection->is_held && strstr(connection->head, "\r\n\r\n") != NULL) {
    connection->is_held = true;
    strcpy(server->last_head, connection->head);
    server->received++;
    if (++server->held > server->most_held) server->most_held = server->held;
  }
  return true;
}

static inline void server_accept(struct server *server) {
  int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0) return;
  if (!CHECK(server->count < SERVER_CONNECTIONS)) {
    close(fd);
    return;
  }
  struct server_connection *connection = &server->connections[server->count++];
  connection->fd = fd;
  connection->is_held = false;
  connection->size = 0;
}

static inline void server_drop(struct server *server, unsigned index) {
  if (server->connections[index].is_held) server->held--;
  close(server->connections[index].fd);
  server->connections[index] = server->connections[--server->count];
}

static inline void server_reset_one(struct server *server, unsigned index) {
  struct linger at_once = {1, 0};
  setsockopt(server->connections[index].fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  server_drop(server, index);
}

static inline void *server_run(void *argument) {
  struct server *server = argument;
  struct pollfd wanted[SERVER_CONNECTIONS + 2];
  char drained[64];
  pthread_mutex_lock(&server->lock);
  while (!server->is_ending) {
    unsigned count = server->count;
    wanted[0] = (struct pollfd){server->wake[0], POLLIN, 0};
    wanted[1] = (struct pollfd){server->listener, POLLIN, 0};
    for (unsigned i = 0; i < count; i++) wanted[i + 2] = (struct pollfd){server->connections[i].fd, POLLIN, 0};
    pthread_mutex_unlock(&server->lock);
    poll(wanted, count + 2, -1);
    pthread_mutex_lock(&server->lock);
    if (wanted[0].revents != 0 && read(server->wake[0], drained, sizeof drained) < 0) break;
    if (server->is_resetting) {
      while (server->count > 0) server_reset_one(server, server->count - 1);
      server->is_resetting = false;
      continue;
    }
    for (unsigned i = count; i-- > 0;)
      if (wanted[i + 2].revents != 0 && !server_read(server, &server->connections[i])) server_drop(server, i);
    if (wanted[1].revents != 0) server_accept(server);
    server_answer_held(server);
  }
  pthread_mutex_unlock(&server->lock);
  return NULL;
}

/* What follows is for the test. */

/** Starts a server that may answer `allowed` requests; it holds the others. */
static inline struct server *server_start(unsigned allowed) {
  struct server *server = calloc(1, sizeof *server);
  REQUIRE(server != NULL && pipe2(server->wake, O_CLOEXEC) == 0);
  pthread_mutex_init(&server->lock, NULL);
  server->allowed = allowed;
  server->listener = listen_on_loopback(SERVER_CONNECTIONS, &server->port);
  REQUIRE(pthread_create(&server->thread, NULL, server_run, server) == 0);
  return server;
}

static inline const char *server_url(const struct server *server, const char *path) {
  static __thread char texts[8][256];
  static __thread unsigned next;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "http://127.0.0.1:%d%s", server->port, path);
  return text;
}

/** Lets `count` more requests be answered, those held first. */
static inline void server_allow(struct server *server, unsigned count) {
  pthread_mutex_lock(&server->lock);
  server->allowed += count;
  pthread_mutex_unlock(&server->lock);
  CHECK(write(server->wake[1], "x", 1) == 1);
}

static inline unsigned server_held(struct server *server) {
  pthread_mutex_lock(&server->lock);
  unsigned held = server->held;
  pthread_mutex_unlock(&server->lock);
  return held;
}

static inline unsigned server_received(struct server *server) {
  pthread_mutex_lock(&server->lock);
  unsigned received = server->received;
  pthread_mutex_unlock(&server->lock);
  return received;
}

static inline bool server_is_resetting(struct server *server) {
  pthread_mutex_lock(&server->lock);
  bool is_resetting = server->is_resetting;
  pthread_mutex_unlock(&server->lock);
  return is_resetting;
}

/** Resets all connections, and returns when that is done. */
static inline void server_reset(struct server *server) {
  pthread_mutex_lock(&server->lock);
  server->is_resetting = true;
  pthread_mutex_unlock(&server->lock);
  CHECK(write(server->wake[1], "x", 1) == 1);
  WAIT_UNTIL(!server_is_resetting(server));
}

/** Ends the server and its connections. The struct stays, to be read; free it by free(). */
static inline void server_stop(struct server *server) {
  pthread_mutex_lock(&server->lock);
  server->is_ending = true;
  pthread_mutex_unlock(&server->lock);
  CHECK(write(server->wake[1], "x", 1) == 1);
  REQUIRE(pthread_join(server->thread, NULL) == 0);
  while (server->count > 0) server_drop(server, server->count - 1);
  close(server->listener);
  close(server->wake[0]);
  close(server->wake[1]);
  pthread_mutex_destroy(&server->lock);
}

#endif
