/*
 * Streams one URL through netcore's C API, and drops the bytes or writes them to a file:
 *
 *   streams read URL          netcore_response_read() into one buffer
 *   streams download URL FILE netcore_download(), without syncs
 *
 * Prints the figures as one line of JSON, after a first request to the same server that is not counted.
 */
#define _GNU_SOURCE
#include <netcore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void check(netcore_status status, const char *call) {
  if (status == NETCORE_OK) return;
  fprintf(stderr, "benchmark: %s: %s: %s\n", call, netcore_status_name(status), netcore_last_error_message());
  exit(1);
}

static netcore_request get(const char *url) {
  netcore_request request = 0;
  check(netcore_request_create("GET", url, &request), "request_create");
  check(netcore_request_set_limit(request, NETCORE_LIMIT_BODY_BYTES, UINT64_MAX), "set_limit");
  return request;
}

static uint64_t read_all(netcore_client client, const char *url) {
  static char buffer[256 << 10];
  netcore_request request = get(url);
  netcore_response response = 0;
  uint64_t total = 0;
  size_t size = 1;
  check(netcore_perform_streamed(client, request, 0, &response), "perform_streamed");
  while (size > 0) {
    check(netcore_response_read(response, buffer, sizeof buffer, UINT64_MAX, &size), "read");
    total += size;
  }
  netcore_response_release(response);
  netcore_request_destroy(request);
  return total;
}

static uint64_t download(netcore_client client, const char *url, const char *path) {
  netcore_request request = get(url);
  netcore_response response = 0;
  netcore_download_options options = NETCORE_DOWNLOAD_OPTIONS_INIT;
  netcore_download_info info = NETCORE_DOWNLOAD_INFO_INIT;
  options.overwrite = 1;
  options.skip_sync = 1;
  check(netcore_download(client, request, path, &options, UINT64_MAX, NULL, &response), "download");
  check(netcore_response_get_download(response, &info), "get_download");
  netcore_response_release(response);
  netcore_request_destroy(request);
  return info.size_bytes;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double cpu(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv) {
  netcore_client client = 0;
  if (argc < 3) {
    fprintf(stderr, "usage: streams read URL | streams download URL FILE\n");
    return 2;
  }
  check(netcore_client_create(NULL, &client), "client_create");
  read_all(client, argv[2]);
  double start = seconds(), used = cpu();
  uint64_t size = argc > 3 ? download(client, argv[2], argv[3]) : read_all(client, argv[2]);
  double took = seconds() - start;
  printf("{\"seconds\": %f, \"mib_s\": %f, \"cpu_s\": %f, \"body_bytes\": %llu}\n", took,
         (double)size / (1 << 20) / took, cpu() - used, (unsigned long long)size);
  netcore_client_destroy(client);
  return 0;
}
