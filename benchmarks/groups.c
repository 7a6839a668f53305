/*
 * What large groups take: groups N KIND. Adds N members to a group, runs it, and prints microseconds and bytes of resident
 * memory for each member. KIND: plain (requests, all at once), limit (the same, eight at once), chain or graph (application
 * tasks, one after the other; each waits for the one before). The answers come from a stub.
 */
#include <netcore.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_done;
static unsigned ended;

static void on_member(const netcore_completion *completion) {
  bench_require(completion->status == NETCORE_OK, "a member failed");
  ended++;
}

static void on_group(const netcore_completion *completion) {
  bench_require(completion->status == NETCORE_OK, "the group failed");
  pthread_mutex_lock(&lock);
  is_done = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static void resume(netcore_task task, void *user_data) {
  (void)user_data;
  bench_require(netcore_task_complete(task, NETCORE_OK) == NETCORE_OK, "complete");
}

int main(int argc, char **argv) {
  bench_require(argc == 3, "usage: groups N KIND");
  unsigned count = (unsigned)strtoul(argv[1], NULL, 10);
  const char *kind = argv[2];
  int is_chain = strcmp(kind, "chain") == 0, is_graph = strcmp(kind, "graph") == 0;
  netcore_group_options options = NETCORE_GROUP_OPTIONS_INIT;
  netcore_stub stub = NETCORE_STUB_INIT;
  netcore_stub_answer answer = NETCORE_STUB_ANSWER_INIT;
  netcore_client client;
  netcore_request request;
  netcore_stubs stubs;
  netcore_group group;
  netcore_task task = 0, before = 0;
  uint32_t index;

  stub.method = "GET", stub.url = "/";
  bench_require(netcore_client_create(NULL, &client) == NETCORE_OK, "client");
  bench_require(netcore_stubs_create(&stubs) == NETCORE_OK, "stubs");
  bench_require(netcore_stubs_add(stubs, &stub, NULL, NULL, NULL, &index) == NETCORE_OK, "stub");
  bench_require(netcore_stubs_add_answer(stubs, index, &answer) == NETCORE_OK, "answer");
  bench_require(netcore_client_set_stubs(client, stubs) == NETCORE_OK, "stubs of the client");
  bench_require(netcore_request_create("GET", "https://api.test/", &request) == NETCORE_OK, "request");
  bench_require(netcore_group_create(client, &group) == NETCORE_OK, "group");
  if (is_chain) options.rule = NETCORE_GROUP_RULE_CHAIN;
  if (strcmp(kind, "limit") == 0) options.limit = 8;
  options.drops_responses = 1;
  bench_require(netcore_group_set_options(group, &options) == NETCORE_OK, "options");

  double memory = bench_rss_kb();
  uint64_t began_ns = bench_now_ns();
  for (unsigned i = 0; i < count; i++, before = task) {
    netcore_status status = is_chain || is_graph
                                ? netcore_group_add_application_task(group, resume, NULL, on_member, NULL, &task)
                                : netcore_group_add(group, request, on_member, NULL, &task);
    bench_require(status == NETCORE_OK, "add");
    if (is_graph && i > 0) bench_require(netcore_group_add_dependency(group, task, before) == NETCORE_OK, "dependency");
  }
  uint64_t added_ns = bench_now_ns();
  memory = (bench_rss_kb() - memory) * 1024;
  bench_require(netcore_group_dispatch(group, on_group, NULL) == NETCORE_OK, "dispatch");
  pthread_mutex_lock(&lock);
  while (!is_done) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  uint64_t done_ns = bench_now_ns();
  bench_require(ended == count, "each member ends once");
  printf("%s %u: %.2f us to add, %.2f us to run, %.0f bytes each\n", kind, count,
         (double)(added_ns - began_ns) / 1e3 / count, (double)(done_ns - added_ns) / 1e3 / count, memory / count);
  netcore_request_destroy(request);
  netcore_client_destroy(client);
  netcore_stubs_destroy(stubs);
  return 0;
}
