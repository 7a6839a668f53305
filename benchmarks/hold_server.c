/*
 * An HTTP server that holds requests: 10,000 at once and more, on one thread.
 *
 *   GET /hold     is answered after /release, oldest first; until then never
 *   GET /held     answers, at once, how many are held
 *   GET /release  starts answering
 *
 * Prints its port, and ends when its standard input does, or after two minutes.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "bench.h"

#define MAX_FD 65536
#define LIFETIME_NS 120000000000u

/* Held requests, in the order in which they came: a ring of descriptors. Those closed meanwhile are -1. */
static int held[MAX_FD];
static size_t held_first, held_count;
static int place_of[MAX_FD]; /* index into `held` + 1, or 0 */
static bool released;

static void answer(int fd, const char *body, size_t size) {
  char text[512];
  int length = snprintf(text, sizeof text,
                        "HTTP/1.1 200 OK\r\nServer: hold\r\nContent-Type: application/octet-stream\r\n"
                        "Content-Length: %zu\r\n\r\n%.*s",
                        size, (int)size, body);
  if (send(fd, text, (size_t)length, MSG_NOSIGNAL) != length) shutdown(fd, SHUT_RDWR);
}

static void hold(int fd) {
  size_t place = (held_first + held_count) % MAX_FD;
  bench_require(held_count < MAX_FD - 1, "the holding server is full");
  held[place] = fd;
  place_of[fd] = (int)place + 1;
  held_count++;
}

static void drop_first(void) {
  if (held[held_first] >= 0) place_of[held[held_first]] = 0;
  held_first = (held_first + 1) % MAX_FD;
  held_count--;
}

static void forget(int fd) {
  if (place_of[fd]) held[place_of[fd] - 1] = -1;
  place_of[fd] = 0;
  while (held_count > 0 && held[held_first] < 0) drop_first();
  close(fd);
}

static long count_held(void) {
  long count = 0;
  for (size_t i = 0; i < held_count; i++) count += held[(held_first + i) % MAX_FD] >= 0;
  return count;
}

static void serve(int fd) {
  char text[2048], body[128];
  ssize_t size = recv(fd, text, sizeof text - 1, MSG_DONTWAIT);
  if (size < 0 && errno == EAGAIN) return;
  if (size <= 0) {
    forget(fd);
    return;
  }
  if (place_of[fd]) return; /* the rest of a head that came in pieces */
  if (size > 9 && memcmp(text, "GET /held", 9) == 0) {
    int length = snprintf(body, sizeof body, "%ld", count_held());
    answer(fd, body, (size_t)length);
  } else if (size > 12 && memcmp(text, "GET /release", 12) == 0) {
    released = true;
    answer(fd, "1", 1);
  } else {
    hold(fd);
  }
}

/* Answers all that are held, once released. */
static void answer_held(void) {
  static char body[128];
  if (!released) return;
  memset(body, 'x', sizeof body);
  while (held_count > 0) {
    int fd = held[held_first];
    drop_first();
    if (fd >= 0) answer(fd, body, sizeof body);
  }
}

static void watch(int epoll_fd, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  bench_require(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0, "epoll_ctl");
}

int main(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  bench_require(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 4096) == 0, "listen");
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%u\n", ntohs(address.sin_port));
  fflush(stdout);

  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  struct itimerspec every_ms = {.it_value.tv_nsec = 1000000, .it_interval.tv_nsec = 1000000};
  timerfd_settime(timer, 0, &every_ms, NULL);
  int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll_fd, listener);
  watch(epoll_fd, timer);
  watch(epoll_fd, STDIN_FILENO);
  for (uint64_t began_ns = bench_now_ns(); bench_now_ns() - began_ns < LIFETIME_NS;) {
    struct epoll_event events[512];
    int count = epoll_wait(epoll_fd, events, 512, 1000);
    for (int i = 0; i < count; i++) {
      int fd = events[i].data.fd;
      if (fd == STDIN_FILENO) return 0;
      if (fd == timer) {
        uint64_t ticks;
        if (read(timer, &ticks, sizeof ticks) > 0) answer_held();
      } else if (fd == listener) {
        for (int peer; (peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
          bench_require(peer < MAX_FD, "too many connections");
          watch(epoll_fd, peer);
        }
      } else {
        serve(fd);
      }
    }
  }
  return 1;
}
