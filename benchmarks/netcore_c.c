/*
 * What plain.c does, by netcore's C API, in each way of receiving completions: --way callback, pump, queue, loop (pump,
 * with no thread but this one), loop_queue, or perform (the blocking call, one request at a time). Each answer is read: status, a header field, body.
 */
#include <netcore.h>
#include <poll.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define BATCH 64

/* The state of a run. Callbacks of one client never run at the same time, and main only waits meanwhile. */
static struct {
  struct bench_options options;
  struct bench_window window;
  netcore_client client;
  netcore_request request;
  netcore_task *tasks;  /* of the first wave */
  uint64_t *started_ns; /* for each slot; a task's user_data points to its slot */
  size_t to_start;
  bool canceling;
  size_t canceled;
  sem_t all_ended;
} run;

static void check(netcore_status status, const char *call) {
  if (status == NETCORE_OK) return;
  fprintf(stderr, "benchmark: %s: %s: %s\n", call, netcore_status_name(status), netcore_last_error_message());
  exit(1);
}

/* Reads an answer as an application does; true when it is whole and as expected. */
static bool read_response(netcore_response response, size_t *body_bytes) {
  netcore_response_info info = {.size = sizeof info};
  netcore_bytes type;
  *body_bytes = 0;
  if (netcore_response_get_info(response, &info) != NETCORE_OK || info.status != NETCORE_OK) return false;
  *body_bytes = info.body.size_bytes;
  return info.http_status == 200 && netcore_response_get_header(response, "content-type", 0, &type) == NETCORE_OK &&
         info.body.size_bytes > 0 && info.body.data[0] != 0;
}

/* Counts a completion; true once nothing more is to come. */
static bool count_completion(const netcore_completion *completion) {
  size_t body_bytes;
  if (run.canceling) return ++run.canceled == run.options.concurrency;
  bool good = completion->status == NETCORE_OK && read_response(completion->response, &body_bytes);
  return bench_window_count(&run.window, *(uint64_t *)completion->user_data, good, good ? body_bytes : 0);
}

static void on_done(const netcore_completion *completion) {
  if (count_completion(completion)) {
    sem_post(&run.all_ended);
  } else if (run.to_start > 0 && !run.canceling) {
    run.to_start--;
    *(uint64_t *)completion->user_data = bench_now_ns();
    check(netcore_dispatch(run.client, run.request, on_done, completion->user_data, NULL), "netcore_dispatch");
  }
}

static void await_callbacks(void) { sem_wait(&run.all_ended); }

/* A host's own loop: poll, then process. */
static void pump(void) {
  struct pollfd watched = {.events = POLLIN};
  check(netcore_client_get_descriptor(run.client, &watched.fd), "netcore_client_get_descriptor");
  while (sem_trywait(&run.all_ended) != 0) {
    poll(&watched, 1, -1);
    check(netcore_client_process(run.client, 0, NULL), "netcore_client_process");
  }
}

static void take_from_queue(void) {
  static netcore_completion completions[BATCH];
  netcore_request requests[BATCH];
  void *slots[BATCH];
  for (bool ended = false; !ended;) {
    uint32_t count;
    size_t again = 0;
    check(netcore_client_wait(run.client, completions, BATCH, sizeof(netcore_completion), UINT64_MAX, &count),
          "netcore_client_wait");
    for (uint32_t i = 0; i < count; i++) {
      ended |= count_completion(&completions[i]);
      netcore_response_release(completions[i].response);
      if (run.to_start == 0 || ended || run.canceling) continue;
      run.to_start--;
      *(uint64_t *)completions[i].user_data = bench_now_ns();
      requests[again] = run.request;
      slots[again++] = completions[i].user_data;
    }
    if (again > 0) {
      check(netcore_dispatch_many(run.client, requests, again, NULL, slots, NULL), "netcore_dispatch_many");
    }
  }
}

static void perform_one_by_one(void) {
  for (bool ended = false; !ended;) {
    size_t body_bytes;
    netcore_response response;
    uint64_t started_ns = bench_now_ns();
    bool good =
        netcore_perform(run.client, run.request, &response) == NETCORE_OK && read_response(response, &body_bytes);
    ended = bench_window_count(&run.window, started_ns, good, good ? body_bytes : 0);
    netcore_response_release(response);
  }
}

static void dispatch_first(netcore_done_fn done) {
  size_t count = run.options.concurrency < run.to_start ? run.options.concurrency : run.to_start;
  netcore_request *requests = calloc(count, sizeof *requests);
  void **slots = calloc(count, sizeof *slots);
  bench_require(requests != NULL && slots != NULL, "out of memory");
  uint64_t now_ns = bench_now_ns();
  for (size_t i = 0; i < count; i++) {
    requests[i] = run.request;
    run.started_ns[i] = now_ns;
    slots[i] = &run.started_ns[i];
  }
  run.to_start -= count;
  check(netcore_dispatch_many(run.client, requests, count, done, slots, run.tasks), "netcore_dispatch_many");
  free(requests);
  free(slots);
}

static void wait_until_held(void) {
  while (bench_ask_server(run.options.url, "/held") != (long)run.options.concurrency) usleep(50000);
}

static void create_client(netcore_completion_mode mode) {
  netcore_client_options options = {.size = sizeof options, .completions = mode, .ca_file = run.options.ca_file};
  check(netcore_client_create(&options, &run.client), "netcore_client_create");
  check(netcore_client_set_limit(run.client, NETCORE_LIMIT_TRANSFERS, 1000000), "netcore_client_set_limit");
  check(netcore_client_set_limit(run.client, NETCORE_LIMIT_TRANSFERS_PER_HOST, 1000000), "netcore_client_set_limit");
  check(netcore_request_create("GET", run.options.url, &run.request), "netcore_request_create");
}

int main(int argc, char **argv) {
  run.options = bench_parse_options(argc, argv, "netcore");
  const char *way = run.options.way;
  bool drives = strncmp(way, "loop", 4) == 0;
  bool is_queue = strcmp(way, "queue") == 0 || strcmp(way, "loop_queue") == 0;
  bool is_pump = strcmp(way, "pump") == 0 || strcmp(way, "loop") == 0;
  bool is_perform = strcmp(way, "perform") == 0;
  bench_require(is_queue || is_pump || is_perform || strcmp(way, "callback") == 0, "--way: unknown");
  bench_require(!is_perform || (run.options.concurrency == 1 && run.options.mode == BENCH_LOAD),
                "--way perform is for one at a time");

  size_t concurrency = run.options.concurrency;
  create_client(is_queue  ? (drives ? NETCORE_COMPLETION_MODE_LOOP_QUEUE : NETCORE_COMPLETION_MODE_QUEUE)
                : is_pump ? (drives ? NETCORE_COMPLETION_MODE_LOOP : NETCORE_COMPLETION_MODE_PUMP)
                          : NETCORE_COMPLETION_MODE_CALLBACK);
  sem_init(&run.all_ended, 0, 0);
  run.started_ns = calloc(concurrency, sizeof *run.started_ns);
  run.tasks = calloc(concurrency, sizeof *run.tasks);
  bench_require(run.started_ns != NULL && run.tasks != NULL, "out of memory");
  run.to_start = run.options.mode == BENCH_LOAD ? run.options.warmup + run.options.requests : SIZE_MAX;
  bench_window_init(&run.window, &run.options);
  run.window.rss_idle_kb = bench_rss_kb();

  void (*receive)(void) = is_perform ? perform_one_by_one
                          : is_queue ? take_from_queue
                          : is_pump  ? pump
                                     : await_callbacks;
  if (!is_perform) dispatch_first(is_queue ? NULL : on_done);
  if (run.options.mode != BENCH_LOAD) {
    wait_until_held();
    run.window.rss_flight_kb = bench_rss_kb();
  }
  if (run.options.mode == BENCH_CANCEL) {
    run.canceling = true;
    uint64_t began_ns = bench_now_ns();
    for (size_t i = 0; i < concurrency; i++) check(netcore_task_cancel(run.tasks[i]), "netcore_task_cancel");
    receive();
    printf("{\"client\": \"%s\", \"canceled\": %zu, \"cancel_ms\": %.3f}\n", run.options.client, run.canceled,
           (double)(bench_now_ns() - began_ns) / 1e6);
  } else {
    if (run.options.mode == BENCH_FLIGHT) {
      bench_ask_server(run.options.url, "/release");
      bench_window_begin(&run.window);
    }
    receive();
    bench_window_print(&run.window);
    if (run.options.mode == BENCH_FLIGHT) _exit(0); /* the rest is still held */
  }
  check(netcore_client_destroy(run.client), "netcore_client_destroy");
  check(netcore_request_destroy(run.request), "netcore_request_destroy");
  return 0;
}
