/** Threads that wait for the answer of a server that holds it. */
#ifndef NETCORE_TESTS_HELD_WAIT_H
#define NETCORE_TESTS_HELD_WAIT_H

#include "../support.h"
#include "server.h"

/** A thread in netcore_perform_for(). */
struct waiter {
  netcore_client client;
  const struct server *server;
  pthread_t thread;
  netcore_status status;
  uint64_t timeout_ms;
  netcore_task task;
};

static inline void *wait_for_answer(void *argument) {
  struct waiter *waiter = argument;
  netcore_response response = 0;
  netcore_request request = request_new("GET", server_url(waiter->server, "/"));
  waiter->status = netcore_perform_for(waiter->client, request, waiter->timeout_ms, &waiter->task, &response, NULL);
  netcore_response_release(response);
  netcore_request_destroy(request);
  return NULL;
}

/** Starts the thread, and returns when the server holds its request. */
static inline void begin_wait(struct waiter *waiter, netcore_client client, struct server *server,
                              uint64_t timeout_ms) {
  unsigned received = server_received(server);
  *waiter = (struct waiter){.client = client, .server = server, .timeout_ms = timeout_ms};
  REQUIRE(pthread_create(&waiter->thread, NULL, wait_for_answer, waiter) == 0);
  WAIT_UNTIL(server_received(server) == received + 1);
}

static inline void end_wait(struct waiter *waiter, netcore_status status) {
  REQUIRE(pthread_join(waiter->thread, NULL) == 0);
  CHECK_STATUS(waiter->status, status);
}

#endif
