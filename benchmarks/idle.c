/* What a client costs that has nothing to do: its threads before and after requests in the way --way, and how often a
 * thread of the process wakes up in --requests seconds after the last answer. */
#include <dirent.h>
#include <netcore.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

static void check(netcore_status status, const char *call) {
  if (status == NETCORE_OK) return;
  fprintf(stderr, "benchmark: %s: %s: %s\n", call, netcore_status_name(status), netcore_last_error_message());
  exit(1);
}

/* The threads of this process, and how often they have waited for something so far. */
static void count(unsigned *threads, unsigned long *waits) {
  DIR *tasks = opendir("/proc/self/task");
  bench_require(tasks != NULL, "cannot read /proc/self/task");
  *threads = 0;
  *waits = 0;
  for (struct dirent *entry; (entry = readdir(tasks));) {
    char path[300], line[200];
    unsigned long number;
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
    FILE *file = fopen(path, "r");
    if (!file) continue;
    while (fgets(line, sizeof line, file)) {
      if (sscanf(line, "voluntary_ctxt_switches: %lu", &number) == 1) *waits += number;
    }
    fclose(file);
    ++*threads;
  }
  closedir(tasks);
}

static int answered;

static void on_done(const netcore_completion *completion) {
  bench_require(completion->status == NETCORE_OK, "a request failed");
  __atomic_store_n(&answered, 1, __ATOMIC_RELEASE);
}

/* Waits; where a client is given, does its work. Answers how often it had some. */
static unsigned long wait_for(netcore_client client, size_t seconds) {
  uint64_t end_ns = bench_now_ns() + seconds * 1000000000u;
  struct pollfd watched = {.fd = -1, .events = POLLIN};
  unsigned long wakes = 0;
  if (client != 0) check(netcore_client_get_descriptor(client, &watched.fd), "netcore_client_get_descriptor");
  for (uint64_t now_ns; (now_ns = bench_now_ns()) < end_ns;) {
    if (poll(&watched, 1, (int)((end_ns - now_ns + 999999) / 1000000)) <= 0) continue;
    wakes++;
    check(netcore_client_process(client, 0, NULL), "netcore_client_process");
  }
  return wakes;
}

int main(int argc, char **argv) {
  struct bench_options options = bench_parse_options(argc, argv, "netcore");
  bool is_loop = strcmp(options.way, "loop") == 0, is_perform = strcmp(options.way, "perform") == 0;
  netcore_client_options set = {
      .size = sizeof set, .completions = is_loop ? NETCORE_COMPLETION_MODE_LOOP : NETCORE_COMPLETION_MODE_CALLBACK};
  netcore_client client;
  netcore_request request;
  netcore_response response;
  unsigned before, after;
  unsigned long waits_before, waits_after;
  check(netcore_client_create(&set, &client), "netcore_client_create");
  check(netcore_request_create("GET", options.url, &request), "netcore_request_create");
  count(&before, &waits_before);
  if (is_perform) {
    check(netcore_perform(client, request, &response), "netcore_perform");
    netcore_response_release(response);
  } else {
    check(netcore_dispatch(client, request, on_done, NULL, NULL), "netcore_dispatch");
  }
  struct pollfd watched = {.events = POLLIN};
  if (is_loop) check(netcore_client_get_descriptor(client, &watched.fd), "netcore_client_get_descriptor");
  while (!is_perform && !__atomic_load_n(&answered, __ATOMIC_ACQUIRE)) {
    if (is_loop) {
      poll(&watched, 1, -1);
      check(netcore_client_process(client, 0, NULL), "netcore_client_process");
    } else {
      usleep(1000);
    }
  }
  /* What follows an answer at once is not idleness. */
  wait_for(is_loop ? client : 0, 1);
  count(&after, &waits_before);
  unsigned long wakes = wait_for(is_loop ? client : 0, options.requests);
  if (!is_loop) {
    count(&after, &waits_after);
    wakes = waits_after - waits_before - 1; /* this thread's own wait */
  }
  printf("{\"client\": \"netcore\", \"threads_before\": %u, \"threads_after\": %u, \"wakes_per_minute\": %.1f}\n",
         before - 1, after - 1, (double)wakes * 60 / (double)options.requests);
  check(netcore_client_destroy(client), "netcore_client_destroy");
  return 0;
}
