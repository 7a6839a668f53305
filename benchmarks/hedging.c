/*
 * What hedging does for a server of which some answers are slow, and what it costs that server. Prints one line of JSON.
 *
 *   hedging PERCENTILE SECONDS [SLOW_PERCENT]   PERCENTILE is 0 for no hedges, else netcore_hedge_options.percentile;
 *                                               SLOW_PERCENT of the answers take 1 s, 5 by default
 *
 * The server is a process of its own on loopback. 20 threads send GETs for so many seconds, one after the other.
 */
#include <netcore.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define THREADS 20
#define MOST 200000

static netcore_client client;
static char url[100];
static uint64_t deadline_ns, latencies_ns[MOST];
static atomic_size_t done;
static atomic_uint *received; /* requests, as the server counts them */
static int slow_percent = 5;

/* The server: a thread for each connection. */

static void *serve(void *argument) {
  static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  int fd = (int)(intptr_t)argument;
  char head[4096];
  ssize_t size;
  while ((size = recv(fd, head, sizeof head, 0)) > 0) {
    /* Spread evenly, not drawn: 7919 is prime to 100. */
    unsigned number = atomic_fetch_add(received, 1);
    if ((int)(number * 7919 % 100) < slow_percent) usleep(1000000);
    if (send(fd, answer, sizeof answer - 1, MSG_NOSIGNAL) < 0) break;
  }
  close(fd);
  return NULL;
}

static void serve_all(int listener) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int fd; (fd = accept(listener, NULL, NULL)) >= 0;) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) == 0) pthread_detach(thread);
  }
}

static pid_t start_server(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  received = mmap(NULL, sizeof *received, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bench_require(received != MAP_FAILED && bind(listener, (struct sockaddr *)&address, size) == 0, "no port");
  bench_require(listen(listener, 512) == 0 && getsockname(listener, (struct sockaddr *)&address, &size) == 0, "listen");
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", ntohs(address.sin_port));
  pid_t child = fork();
  if (child == 0) {
    serve_all(listener);
    _exit(0);
  }
  close(listener);
  return child;
}

/* The clients. */

static void *ask(void *argument) {
  (void)argument;
  netcore_request request;
  bench_require(netcore_request_create("GET", url, &request) == NETCORE_OK, "a request");
  for (uint64_t start; (start = bench_now_ns()) < deadline_ns;) {
    netcore_response response;
    bench_require(netcore_perform(client, request, &response) == NETCORE_OK, "an answer was not as expected");
    netcore_response_release(response);
    size_t index = atomic_fetch_add(&done, 1);
    if (index < MOST) latencies_ns[index] = bench_now_ns() - start;
  }
  netcore_request_destroy(request);
  return NULL;
}

static int compare(const void *one, const void *other) {
  uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
  return (a > b) - (a < b);
}

static double percentile_ms(size_t count, double percent) {
  return (double)latencies_ns[(size_t)((double)(count - 1) * percent / 100)] / 1e6;
}

int main(int argc, char **argv) {
  bench_require(argc == 3 || argc == 4, "usage: hedging PERCENTILE SECONDS [SLOW_PERCENT]");
  netcore_client_options options = {.size = sizeof options, .proxy = ""};
  netcore_client_statistics statistics = NETCORE_CLIENT_STATISTICS_INIT;
  netcore_hedge_options hedging = NETCORE_HEDGE_OPTIONS_INIT;
  pthread_t threads[THREADS];
  hedging.percentile = (uint32_t)atoi(argv[1]);
  if (argc == 4) slow_percent = atoi(argv[3]);
  pid_t server = start_server();
  bench_require(netcore_client_create(&options, &client) == NETCORE_OK, "a client");
  if (hedging.percentile != 0)
    bench_require(netcore_client_set_hedging(client, &hedging) == NETCORE_OK, "netcore_client_set_hedging");
  deadline_ns = bench_now_ns() + (uint64_t)atol(argv[2]) * UINT64_C(1000000000);
  for (int i = 0; i < THREADS; i++) bench_require(pthread_create(&threads[i], NULL, ask, NULL) == 0, "a thread");
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  netcore_client_get_statistics(client, &statistics);
  netcore_client_destroy(client);
  kill(server, SIGKILL);
  waitpid(server, NULL, 0);
  size_t count = atomic_load(&done);
  count = count < MOST ? count : MOST;
  qsort(latencies_ns, count, sizeof latencies_ns[0], compare);
  printf(
      "{\"requests\": %zu, \"p50_ms\": %.1f, \"p95_ms\": %.1f, \"p99_ms\": %.1f, \"max_ms\": %.1f, "
      "\"hedges\": %llu, \"wins\": %llu, \"extra_load_percent\": %.1f}\n",
      count, percentile_ms(count, 50), percentile_ms(count, 95), percentile_ms(count, 99), percentile_ms(count, 100),
      (unsigned long long)statistics.hedge_count, (unsigned long long)statistics.hedge_win_count,
      100.0 * ((double)atomic_load(received) / (double)atomic_load(&done) - 1));
  return 0;
}
