/*
 * The limit for streams: libcurl by hand, which hands over what comes to a function that drops it or writes it to a file:
 *
 *   plain_stream read URL
 *   plain_stream download URL FILE
 *
 * Prints the figures as one line of JSON, after a first request to the same server that is not counted.
 */
#define _GNU_SOURCE
#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench.h"

static size_t total;

static size_t on_body(char *data, size_t unit, size_t size, void *file) {
  int descriptor = *(int *)file;
  size_t written = 0;
  size *= unit;
  total += size;
  while (descriptor >= 0 && written < size) {
    ssize_t more = write(descriptor, data + written, size - written);
    if (more < 0) return 0;
    written += (size_t)more;
  }
  return size;
}

static double seconds(void) { return (double)bench_now_ns() / 1e9; }

static double cpu(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv) {
  int file = -1;
  if (argc < 3) {
    fprintf(stderr, "usage: plain_stream read URL | plain_stream download URL FILE\n");
    return 2;
  }
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, argv[2]);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &file);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 256L << 10);
  if (curl_easy_perform(easy) != CURLE_OK) return 1;
  if (argc > 3) unlink(argv[3]);
  total = 0;
  double start = seconds(), used = cpu();
  if (argc > 3) file = open(argv[3], O_WRONLY | O_CREAT | O_EXCL, 0644);
  CURLcode result = curl_easy_perform(easy);
  if (file >= 0) close(file);
  double took = seconds() - start;
  printf("{\"seconds\": %f, \"mib_s\": %f, \"cpu_s\": %f, \"body_bytes\": %zu, \"failed\": %d}\n", took,
         (double)total / (1 << 20) / took, cpu() - used, total, result != CURLE_OK);
  curl_easy_cleanup(easy);
  return 0;
}
