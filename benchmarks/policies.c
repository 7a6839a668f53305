/*
 * What policies of delivery cost a request that needs none of them: GETs one after the other. Prints one line of JSON.
 *
 *   policies new|kept POLICIES N URL
 *
 * Each GET is a new request of another URL, or the same one that was made once. POLICIES is "none", "all", or names with commas between:
 * retries, breaker, failover, hedging, rate, join, interval (for new ones); each at its default, the rate at one that is never reached.
 */
#include <netcore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static netcore_client client;

static void check(netcore_status status, const char *call) {
  if (status == NETCORE_OK) return;
  fprintf(stderr, "benchmark: %s: %s: %s\n", call, netcore_status_name(status), netcore_last_error_message());
  exit(1);
}

static void set_retries(void) {
  netcore_retry_options options = NETCORE_RETRY_OPTIONS_INIT;
  check(netcore_client_set_retries(client, &options), "netcore_client_set_retries");
}

static void set_breaker(void) {
  netcore_breaker_options options = NETCORE_BREAKER_OPTIONS_INIT;
  check(netcore_client_set_breaker(client, &options), "netcore_client_set_breaker");
}

static void set_failover(void) {
  netcore_failover_options options = NETCORE_FAILOVER_OPTIONS_INIT;
  check(netcore_client_set_failover(client, &options), "netcore_client_set_failover");
}

#ifdef NETCORE_HEDGE_H
static void set_hedging(void) {
  netcore_hedge_options options = NETCORE_HEDGE_OPTIONS_INIT;
  check(netcore_client_set_hedging(client, &options), "netcore_client_set_hedging");
}
#endif

static void set_rate(void) {
  netcore_rate rate = NETCORE_RATE_INIT;
  rate.requests = 1000000;
  rate.burst = 1000000;
  check(netcore_client_set_rate(client, NETCORE_RATE_SCOPE_CLIENT, NULL, &rate), "netcore_client_set_rate");
}

static void set_nothing(void) {}

static const struct {
  const char *name;
  void (*set)(void);
} policies[] = {{"retries", set_retries}, {"breaker", set_breaker}, {"failover", set_failover},
#ifdef NETCORE_HEDGE_H
                {"hedging", set_hedging},
#endif
                {"rate", set_rate},       {"join", set_nothing},    {"interval", set_nothing}};

static bool names(const char *list, const char *name) {
  if (strcmp(list, "all") == 0) return true;
  const char *found = strstr(list, name);
  return found != NULL && (found == list || found[-1] == ',') && (found[strlen(name)] | ',') == ',';
}

static netcore_request make(const char *list, const char *file, long number) {
  netcore_request request;
  char reference[100];
  snprintf(reference, sizeof reference, "%s?%ld", file, number);
  check(netcore_request_create_relative("GET", NULL, reference, &request), "netcore_request_create_relative");
  if (names(list, "join"))
    check(netcore_request_set_duplicates(request, NETCORE_DUPLICATES_JOIN), "netcore_request_set_duplicates");
  if (names(list, "interval"))
    check(netcore_request_set_min_interval(request, &(netcore_min_interval)NETCORE_MIN_INTERVAL_INIT),
          "netcore_request_set_min_interval");
  return request;
}

int main(int argc, char **argv) {
  bench_require(argc == 5, "usage: policies new|kept POLICIES N URL");
  bool is_kept = strcmp(argv[1], "kept") == 0;
  const char *list = argv[2];
  long count = atol(argv[3]);
  char *file = strrchr(argv[4], '/');
  bench_require(file != NULL, "a URL with a path");
  *file++ = '\0';
  netcore_client_options options = {.size = sizeof options, .proxy = ""};
  check(netcore_client_create(&options, &client), "netcore_client_create");
  check(netcore_client_add_service(client, "bench", "release", argv[4], NULL), "netcore_client_add_service");
  for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
    if (names(list, policies[i].name)) policies[i].set();
  netcore_request request = 0;
  for (long i = 0; i < count; i++) {
    if (!is_kept || i == 0) request = make(list, file, i);
    netcore_response response;
    netcore_response_info info = {.size = sizeof info};
    check(netcore_perform(client, request, &response), "netcore_perform");
    check(netcore_response_get_info(response, &info), "netcore_response_get_info");
    bench_require(info.http_status == 200 && info.body.size_bytes > 0, "an answer was not as expected");
    netcore_response_release(response);
    if (!is_kept || i == count - 1) netcore_request_destroy(request);
  }
  check(netcore_client_destroy(client), "netcore_client_destroy");
  printf("{\"requests\": %ld}\n", count);
  return 0;
}
