/* What the C programs of the benchmark share: options, clock, figures and their output. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a run measures. */
enum bench_mode {
  BENCH_LOAD,   /* `requests` answers, `concurrency` at a time */
  BENCH_FLIGHT, /* `concurrency` held by the server: memory of each; then `requests` more answers: CPU of each */
  BENCH_CANCEL  /* `concurrency` held by the server, canceled all at once: time until the last has ended */
};

struct bench_options {
  const char *client; /* the name in the output */
  const char *url;
  const char *way; /* of receiving completions; netcore only */
  enum bench_mode mode;
  size_t requests;
  size_t warmup; /* answers before the measured ones */
  size_t concurrency;
  long buffer_bytes;      /* receive buffer; 0: the default. Plain only */
  const char *headers[4]; /* lines to send beside libcurl's own, then null. Plain only */
  const char *ca_file;    /* who signed the certificate of an https server; null: those of the system */
  size_t shards;          /* multi handles that share the connections. Plain only */
};

struct bench_options bench_parse_options(int argc, char **argv, const char *client);

uint64_t bench_now_ns(void);

/* Prints a message and exits with 1 unless `good`. */
void bench_require(bool good, const char *what);

/* The measured part of a run. */
struct bench_window {
  const struct bench_options *options;
  uint64_t *latencies_ns;
  size_t done;   /* answers so far, warm-up included */
  size_t failed; /* of these: not status 200, or no body */
  uint64_t body_bytes;
  uint64_t began_ns, ended_ns;
  double user_s, sys_s; /* at its begin, then of the whole */
  double rss_idle_kb, rss_flight_kb;
};

void bench_window_init(struct bench_window *window, const struct bench_options *options);

/* Begins measuring from here. A load begins by itself after its warm-up. */
void bench_window_begin(struct bench_window *window);

/* Counts one answer; true once it was the last. */
bool bench_window_count(struct bench_window *window, uint64_t started_ns, bool good, size_t body_bytes);

/* Prints the figures as one line of JSON. */
void bench_window_print(const struct bench_window *window);

/* Resident memory of this process, now. */
double bench_rss_kb(void);

/* Asks the holding server on the host and port of `url` for `path` ("/held", "/release"); answers its number. */
long bench_ask_server(const char *url, const char *path);

#endif
