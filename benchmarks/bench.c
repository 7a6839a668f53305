#include "bench.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

uint64_t bench_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void bench_require(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "benchmark: %s\n", what);
  exit(1);
}

static void raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

struct bench_options bench_parse_options(int argc, char **argv, const char *client) {
  static const struct option names[] = {
      {"requests", required_argument, NULL, 'n'},
      {"warmup", required_argument, NULL, 'w'},
      {"concurrency", required_argument, NULL, 'c'},
      {"buffer", required_argument, NULL, 'b'},
      {"way", required_argument, NULL, 'y'},
      {"header", required_argument, NULL, 'h'},
      {"ca-file", required_argument, NULL, 'a'},
      {"shards", required_argument, NULL, 's'},
      {"flight", no_argument, NULL, 'f'},
      {"cancel", no_argument, NULL, 'x'},
      {NULL, 0, NULL, 0},
  };
  struct bench_options options = {
      .client = client, .way = "callback", .requests = 1000, .warmup = 0, .concurrency = 1, .shards = 1};
  size_t header_count = 0;
  for (int name; (name = getopt_long(argc, argv, "", names, NULL)) != -1;) {
    switch (name) {
      case 'n':
        options.requests = strtoul(optarg, NULL, 10);
        break;
      case 'w':
        options.warmup = strtoul(optarg, NULL, 10);
        break;
      case 'c':
        options.concurrency = strtoul(optarg, NULL, 10);
        break;
      case 'b':
        options.buffer_bytes = strtol(optarg, NULL, 10);
        break;
      case 'y':
        options.way = optarg;
        break;
      case 'h':
        bench_require(header_count < 3, "too many --header");
        options.headers[header_count++] = optarg;
        break;
      case 'a':
        options.ca_file = optarg;
        break;
      case 's':
        options.shards = strtoul(optarg, NULL, 10);
        break;
      case 'f':
        options.mode = BENCH_FLIGHT;
        break;
      case 'x':
        options.mode = BENCH_CANCEL;
        break;
      default:
        exit(2);
    }
  }
  bench_require(optind + 1 == argc && options.requests > 0 && options.concurrency > 0 && options.shards > 0,
                "usage: PROGRAM [--requests N] [--warmup N] [--concurrency N] [--buffer BYTES] "
                "[--header LINE] [--ca-file FILE] [--shards N] [--way callback|pump|queue|loop|loop_queue|perform] "
                "[--flight | --cancel] URL");
  options.url = argv[optind];
  if (options.mode != BENCH_LOAD) options.warmup = 0;
  raise_descriptor_limit();
  return options;
}

static void read_cpu(double *user_s, double *sys_s) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  *user_s = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
  *sys_s = (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6;
}

void bench_window_init(struct bench_window *window, const struct bench_options *options) {
  memset(window, 0, sizeof *window);
  window->options = options;
  window->latencies_ns = malloc(options->requests * sizeof *window->latencies_ns);
  bench_require(window->latencies_ns != NULL, "out of memory");
  memset(window->latencies_ns, 1, options->requests * sizeof *window->latencies_ns); /* resident from here on */
  if (options->mode == BENCH_LOAD && options->warmup == 0) bench_window_begin(window);
}

void bench_window_begin(struct bench_window *window) {
  read_cpu(&window->user_s, &window->sys_s);
  window->began_ns = bench_now_ns();
}

static void end_window(struct bench_window *window) {
  double user_s, sys_s;
  window->ended_ns = bench_now_ns();
  read_cpu(&user_s, &sys_s);
  window->user_s = user_s - window->user_s;
  window->sys_s = sys_s - window->sys_s;
}

bool bench_window_count(struct bench_window *window, uint64_t started_ns, bool good, size_t body_bytes) {
  size_t warmup = window->options->warmup, last = warmup + window->options->requests;
  if (window->done >= last) return true;
  if (window->done >= warmup) window->latencies_ns[window->done - warmup] = bench_now_ns() - started_ns;
  window->done++;
  window->failed += !good;
  window->body_bytes += body_bytes;
  if (window->done == warmup && warmup > 0) bench_window_begin(window);
  if (window->done == last) end_window(window);
  return window->done == last;
}

static int compare(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

void bench_window_print(const struct bench_window *window) {
  const struct bench_options *options = window->options;
  size_t count = options->requests;
  double seconds = (double)(window->ended_ns - window->began_ns) / 1e9;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  qsort(window->latencies_ns, count, sizeof *window->latencies_ns, compare);
  printf(
      "{\"client\": \"%s\", \"concurrency\": %zu, \"requests\": %zu, \"failed\": %zu, \"body_bytes\": %llu, "
      "\"seconds\": %.6f, \"throughput\": %.1f, \"p50_us\": %.1f, \"p99_us\": %.1f, "
      "\"user_s\": %.6f, \"sys_s\": %.6f, \"max_rss_kb\": %ld",
      options->client, options->concurrency, count, window->failed, (unsigned long long)window->body_bytes, seconds,
      (double)count / seconds, (double)window->latencies_ns[count / 2] / 1e3,
      (double)window->latencies_ns[count * 99 / 100] / 1e3, window->user_s, window->sys_s, usage.ru_maxrss);
  if (options->mode == BENCH_FLIGHT) {
    printf(", \"cpu_us_each\": %.2f, \"memory_kb_each\": %.2f", (window->user_s + window->sys_s) * 1e6 / (double)count,
           (window->rss_flight_kb - window->rss_idle_kb) / (double)options->concurrency);
  }
  printf("}\n");
  fflush(stdout);
}

double bench_rss_kb(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long all = 0, resident = 0;
  bench_require(file != NULL && fscanf(file, "%ld %ld", &all, &resident) == 2, "cannot read /proc/self/statm");
  fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1024;
}

long bench_ask_server(const char *url, const char *path) {
  char host[64], text[512];
  unsigned port;
  bench_require(sscanf(url, "http://%63[0-9.]:%u", host, &port) == 2, "the URL needs an IPv4 address and a port");
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  inet_pton(AF_INET, host, &address.sin_addr);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bench_require(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0, "no holding server");
  int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: bench\r\n\r\n", path);
  bench_require(send(fd, text, (size_t)length, MSG_NOSIGNAL) == length, "the holding server does not listen");
  ssize_t received = recv(fd, text, sizeof text - 1, 0);
  bench_require(received > 0, "the holding server does not answer");
  close(fd);
  text[received] = 0;
  const char *body = strstr(text, "\r\n\r\n");
  bench_require(body != NULL, "the holding server answered in pieces");
  return strtol(body + 4, NULL, 10);
}
