/*
 * What it costs that netcore puts requests together: 10 common header fields, 5 parameters, and a filter that signs. Prints one
 * line of JSON.
 *
 *   building parts N URL   N blocking requests, put together by netcore
 *   building hand N URL    the same bytes, put together by the caller
 */
#include <netcore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define FIELDS 10

static const char *const params[5][2] = {
    {"language", "de"}, {"query", "two words"}, {"page", "17"}, {"sort", "name,date"}, {"unit", "km/h"}};
static char names[FIELDS][16], values[FIELDS][32];
static netcore_client client;

static void check(netcore_status status, const char *call) {
  if (status == NETCORE_OK) return;
  fprintf(stderr, "benchmark: %s: %s: %s\n", call, netcore_status_name(status), netcore_last_error_message());
  exit(1);
}

/* Some work over the URL, as a signature is. */
static void sign(const char *url, size_t size, char signature[20]) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)url[i]) * UINT64_C(1099511628211);
  snprintf(signature, 20, "%016llx", (unsigned long long)hash);
}

static netcore_status sign_request(netcore_request request, void *user_data) {
  netcore_request_info info = {.size = sizeof info};
  char signature[20];
  (void)user_data;
  netcore_request_get_info(request, &info);
  sign((const char *)info.url.data, info.url.size_bytes, signature);
  return netcore_request_set_header(request, "X-Signature", signature);
}

static netcore_request by_parts(const char *file) {
  netcore_request request;
  check(netcore_request_create_relative("GET", NULL, file, &request), "netcore_request_create_relative");
  for (int i = 0; i < 5; i++)
    check(netcore_request_add_param(request, params[i][0], params[i][1]), "netcore_request_add_param");
  return request;
}

/* Percent-encodes a value, as the caller has to. */
static char *encode(char *to, const char *value) {
  for (; *value != '\0'; value++) {
    char c = *value;
    bool is_kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    to += is_kept ? (*to = c, 1) : sprintf(to, "%%%02X", (unsigned char)c);
  }
  return to;
}

static netcore_request by_hand(const char *base) {
  netcore_request request;
  char url[512], signature[20], *end = stpcpy(url, base);
  for (int i = 0; i < 5; i++) {
    *end++ = i == 0 ? '?' : '&';
    end = stpcpy(end, params[i][0]);
    *end++ = '=';
    end = encode(end, params[i][1]);
  }
  *end = '\0';
  sign(url, (size_t)(end - url), signature);
  check(netcore_request_create("GET", url, &request), "netcore_request_create");
  for (int i = 0; i < FIELDS; i++)
    check(netcore_request_set_header(request, names[i], values[i]), "netcore_request_set_header");
  check(netcore_request_set_header(request, "X-Signature", signature), "netcore_request_set_header");
  return request;
}

int main(int argc, char **argv) {
  bench_require(argc == 4, "usage: building parts|hand N URL");
  bool is_by_parts = strcmp(argv[1], "parts") == 0;
  bench_require(is_by_parts || strcmp(argv[1], "hand") == 0, "parts or hand");
  long count = atol(argv[2]);
  netcore_client_options options = {.size = sizeof options, .proxy = ""};
  check(netcore_client_create(&options, &client), "netcore_client_create");
  for (int i = 0; i < FIELDS; i++) {
    snprintf(names[i], sizeof names[i], "X-Common-%d", i);
    snprintf(values[i], sizeof values[i], "value number %d", i);
    if (is_by_parts) check(netcore_client_set_header(client, names[i], values[i]), "netcore_client_set_header");
  }
  if (is_by_parts) {
    check(netcore_client_add_service(client, "bench", "release", argv[3], NULL), "netcore_client_add_service");
    check(netcore_client_add_filter(client, sign_request, NULL, NULL), "netcore_client_add_filter");
  }
  for (long i = 0; i < count; i++) {
    netcore_request request = is_by_parts ? by_parts(strrchr(argv[3], '/') + 1) : by_hand(argv[3]);
    netcore_response response;
    netcore_response_info info = {.size = sizeof info};
    check(netcore_perform(client, request, &response), "netcore_perform");
    check(netcore_response_get_info(response, &info), "netcore_response_get_info");
    bench_require(info.http_status == 200 && info.body.size_bytes > 0, "an answer was not as expected");
    netcore_response_release(response);
    netcore_request_destroy(request);
  }
  check(netcore_client_destroy(client), "netcore_client_destroy");
  printf("{\"requests\": %ld}\n", count);
  return 0;
}
