/* The time of a fresh process from before it loads a library to its first answer, in microseconds: by libcurl's easy
 * interface, or by netcore_perform(). first_request libcurl|libnetcore LIBRARY URL */
#include <curl/curl.h>
#include <dlfcn.h>
#include <netcore.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

static void *library;

/* A function of the library that was loaded. */
static void *symbol(const char *name) {
  void *found = dlsym(library, name);
  bench_require(found != NULL, name);
  return found;
}

#define CALL(function) (*(__typeof__(&function))symbol(#function))

static size_t on_body(char *data, size_t unit, size_t size, void *count) {
  (void)data;
  *(size_t *)count += unit * size;
  return unit * size;
}

static size_t ask_libcurl(const char *url) {
  size_t count = 0;
  CALL(curl_global_init)(CURL_GLOBAL_DEFAULT);
  CURL *easy = CALL(curl_easy_init)();
  bench_require(easy != NULL, "no easy handle");
  __typeof__(&(curl_easy_setopt)) set = symbol("curl_easy_setopt");
  (set)(easy, CURLOPT_URL, url);
  (set)(easy, CURLOPT_WRITEFUNCTION, on_body);
  (set)(easy, CURLOPT_WRITEDATA, &count);
  bench_require(CALL(curl_easy_perform)(easy) == CURLE_OK, "curl_easy_perform");
  return count;
}

static size_t ask_netcore(const char *url) {
  netcore_client client;
  netcore_request request;
  netcore_response response;
  netcore_response_info info = {.size = sizeof info};
  bench_require(CALL(netcore_client_create)(NULL, &client) == NETCORE_OK, "netcore_client_create");
  bench_require(CALL(netcore_request_create)("GET", url, &request) == NETCORE_OK, "netcore_request_create");
  bench_require(CALL(netcore_perform)(client, request, &response) == NETCORE_OK, "netcore_perform");
  bench_require(CALL(netcore_response_get_info)(response, &info) == NETCORE_OK, "netcore_response_get_info");
  return info.body.size_bytes;
}

int main(int argc, char **argv) {
  bench_require(argc == 4, "usage: first_request libcurl|libnetcore LIBRARY URL");
  uint64_t began_ns = bench_now_ns();
  library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fprintf(stderr, "benchmark: %s\n", dlerror());
  bench_require(library != NULL, "dlopen");
  size_t count = strcmp(argv[1], "libcurl") == 0 ? ask_libcurl(argv[3]) : ask_netcore(argv[3]);
  uint64_t ended_ns = bench_now_ns();
  bench_require(count > 0, "no body");
  printf("%.1f\n", (double)(ended_ns - began_ns) / 1e3);
  return 0;
}
