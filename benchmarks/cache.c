/*
 * What netcore's cache costs, by its C API. Prints one line of JSON.
 *
 *   cache hits N URL              N blocking requests, answered from memory
 *   cache disk N URL FOLDER       N blocking requests, answered from disk: memory holds nothing
 *   cache misses N URL            N blocking requests for N URLs, answered by the origin and stored in memory
 *   cache uncached N URL          the same without a cache
 *   cache fill N URL FOLDER       stores the answers of N URLs on disk
 *   cache open N URL FOLDER       opens that folder and takes 2,000 of them at random from disk
 */
#include <netcore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define BATCH 256

static netcore_cache cache;
static netcore_client client;
static const char *base;

static void check(netcore_status status, const char *call) {
  if (status == NETCORE_OK) return;
  fprintf(stderr, "benchmark: %s: %s: %s\n", call, netcore_status_name(status), netcore_last_error_message());
  exit(1);
}

static void start(bool has_cache, const char *folder, netcore_completion_mode mode) {
  netcore_cache_options options = {.size = sizeof options, .folder = folder};
  /* On disk there is room for all, and memory has none. */
  if (folder != NULL) options.memory_bytes = 1, options.disk_bytes = UINT64_C(1) << 40;
  if (has_cache) check(netcore_cache_create(&options, &cache), "netcore_cache_create");
  netcore_client_options of_client = {.size = sizeof of_client, .completions = mode, .proxy = "", .cache = cache};
  check(netcore_client_create(&of_client, &client), "netcore_client_create");
}

static netcore_request request_at(long number) {
  char url[512];
  netcore_request request;
  int length =
      number < 0 ? snprintf(url, sizeof url, "%s", base) : snprintf(url, sizeof url, "%s?number=%ld", base, number);
  bench_require(length > 0 && (size_t)length < sizeof url, "the URL is too long");
  check(netcore_request_create("GET", url, &request), "netcore_request_create");
  return request;
}

/* One blocking request; true when it was answered as expected. */
static bool perform(netcore_request request, netcore_cache_result expected) {
  netcore_response response;
  netcore_response_info info = {.size = sizeof info};
  check(netcore_perform(client, request, &response), "netcore_perform");
  check(netcore_response_get_info(response, &info), "netcore_response_get_info");
  bool good = info.http_status == 200 && info.cache_result == expected && info.body.size_bytes > 0;
  netcore_response_release(response);
  return good;
}

/* Nanoseconds of one hit: the median of batches, since other programs run too. */
static double hit_ns(long count, netcore_request (*next)(long), long batch) {
  long batches = count / batch;
  uint64_t *spans = calloc((size_t)batches, sizeof *spans);
  bench_require(spans != NULL, "out of memory");
  for (long i = 0; i < batches; i++) {
    netcore_request request = next(i);
    uint64_t began = bench_now_ns();
    for (long j = 0; j < batch; j++) { bench_require(perform(request, NETCORE_CACHE_RESULT_HIT), "it was no hit"); }
    spans[i] = bench_now_ns() - began;
    netcore_request_destroy(request);
  }
  for (long i = 1; i < batches; i++) { /* few enough for a sort by insertion */
    uint64_t span = spans[i];
    long j = i;
    for (; j > 0 && spans[j - 1] > span; j--) spans[j] = spans[j - 1];
    spans[j] = span;
  }
  double median = (double)spans[batches / 2] / (double)batch;
  free(spans);
  return median;
}

static netcore_request same(long number) {
  (void)number;
  return request_at(-1);
}

static long stored_count;
static netcore_request any_stored(long number) {
  uint64_t mixed = (uint64_t)number * UINT64_C(0x9E3779B97F4A7C15) + 1;
  return request_at((long)((mixed ^ mixed >> 29) % (uint64_t)stored_count));
}

static void measure_hits(long count, const char *folder) {
  start(true, folder, NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_at(-1);
  netcore_response response;
  check(netcore_perform(client, request, &response), "netcore_perform");
  netcore_response_release(response);
  netcore_request_destroy(request);
  check(netcore_cache_flush(cache), "netcore_cache_flush");
  printf("{\"hit_ns\": %.0f}\n", hit_ns(count, same, folder == NULL ? 1000 : 20));
}

static void send_misses(long count, bool has_cache) {
  start(has_cache, NULL, NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_cache_result expected = has_cache ? NETCORE_CACHE_RESULT_NOT_CACHED : NETCORE_CACHE_RESULT_NONE;
  for (long i = 0; i < count; i++) {
    netcore_request request = request_at(i);
    bench_require(perform(request, expected), "an answer was not as expected");
    netcore_request_destroy(request);
  }
  printf("{\"requests\": %ld}\n", count);
}

static void take(long wanted, long *ended) {
  static netcore_completion completions[BATCH];
  for (uint32_t count; *ended < wanted; *ended += count) {
    check(netcore_client_wait(client, completions, BATCH, sizeof(netcore_completion), UINT64_MAX, &count),
          "netcore_client_wait");
    for (uint32_t i = 0; i < count; i++) {
      bench_require(completions[i].status == NETCORE_OK, "an answer failed");
      netcore_response_release(completions[i].response);
    }
  }
}

static void fill(long count, const char *folder) {
  start(true, folder, NETCORE_COMPLETION_MODE_QUEUE);
  uint64_t began = bench_now_ns();
  long ended = 0;
  for (long sent = 0; sent < count;) {
    netcore_request requests[BATCH];
    size_t size = 0;
    while (size < BATCH && sent < count) requests[size++] = request_at(sent++);
    check(netcore_dispatch_many(client, requests, size, NULL, NULL, NULL), "netcore_dispatch_many");
    for (size_t i = 0; i < size; i++) netcore_request_destroy(requests[i]);
    take(sent, &ended);
    /* What waits to be written is bounded. */
    if (sent % (BATCH * 8) == 0) check(netcore_cache_flush(cache), "netcore_cache_flush");
  }
  check(netcore_cache_flush(cache), "netcore_cache_flush");
  netcore_cache_statistics statistics = {.size = sizeof statistics};
  check(netcore_cache_get_statistics(cache, &statistics), "netcore_cache_get_statistics");
  bench_require(statistics.disk_count >= (uint64_t)count, "not all was stored");
  printf("{\"count\": %ld, \"seconds\": %.1f}\n", count, (double)(bench_now_ns() - began) / 1e9);
}

static void reopen(long count, const char *folder) {
  stored_count = count;
  double before_kb = bench_rss_kb();
  uint64_t began = bench_now_ns();
  start(true, folder, NETCORE_COMPLETION_MODE_CALLBACK);
  double opened_ms = (double)(bench_now_ns() - began) / 1e6;
  double hit = hit_ns(2000, any_stored, 1);
  printf("{\"open_ms\": %.3f, \"hit_ns\": %.0f, \"memory_kb\": %.0f}\n", opened_ms, hit, bench_rss_kb() - before_kb);
}

int main(int argc, char **argv) {
  bench_require(argc >= 4, "usage: cache hits|disk|misses|uncached|fill|open N URL [FOLDER]");
  const char *mode = argv[1], *folder = argc > 4 ? argv[4] : NULL;
  long count = atol(argv[2]);
  base = argv[3];
  bench_require(count > 0, "N must be at least 1");
  bool needs_folder = strcmp(mode, "disk") == 0 || strcmp(mode, "fill") == 0 || strcmp(mode, "open") == 0;
  bench_require(needs_folder == (folder != NULL), "a folder is for disk, fill and open");
  if (strcmp(mode, "hits") == 0 || strcmp(mode, "disk") == 0) {
    measure_hits(count, folder);
  } else if (strcmp(mode, "misses") == 0 || strcmp(mode, "uncached") == 0) {
    send_misses(count, strcmp(mode, "misses") == 0);
  } else if (strcmp(mode, "fill") == 0) {
    fill(count, folder);
  } else if (strcmp(mode, "open") == 0) {
    reopen(count, folder);
  } else {
    bench_require(false, "an unknown mode");
  }
  netcore_client_destroy(client);
  if (cache != 0) netcore_cache_destroy(cache);
  return 0;
}
