/*
 * Bytes that a server sends and no request asked for: after an answer, at once or later, by plain HTTP and by TLS, from a proxy and
 * through one. They never become the answer of the next request, on one connection or on eight; nor do they make it fail (RFC 9112
 * section 9.2).
 *
 * NETCORE_TEST_PAUSE_MS is how long connections are idle, in place of 150 ms; NETCORE_TEST_STEP n takes one cell of n.
 */
#include "support.h"

#include <sys/wait.h>

#include "support/server.h"

enum { STEPS_SIZE = 30000, LONG = 20000 };

static char long_answer[LONG + 100];

static const struct answer_case {
  const char *name, *method, *text;
} answers[] = {
    {"a small body", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"},
    {"no content", "GET", "HTTP/1.1 204 No Content\r\n\r\n"},
    {"not modified", "GET", "HTTP/1.1 304 Not Modified\r\n\r\n"},
    {"a HEAD", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"},
    {"chunks", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n"},
    {"a body of two TLS records", "GET", long_answer},
    {"the answer to a POST", "POST", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"},
};

static const struct payload {
  const char *name, *text, *end;
} payloads[] = {
    {"a second answer", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign", "keep"},
    {"a redirect", "HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n", "keep"},
    {"a time-out", "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", "close"},
    {"one byte", "x", "keep"},
    {"the beginning of an answer", "HTTP/1.1 200 OK\r\nContent-Le", "keep"},
    {"empty lines", "\r\n\r\n", "keep"},
};

enum pace { TOGETHER, LATER, PACES };
static const char *const pace_names[PACES] = {"in one piece", "later"};
enum { LATER_MS = 20 };
static unsigned wait_ms = 150, cell_step = 1;

/* The way to the server. Its bytes come from the proxy itself where it forwards: the origin plays one. */
static const struct route {
  const char *name, *server, *proxy;
} routes[] = {
    {"plain", ORIGIN, NULL},
    {"TLS", ORIGIN_TLS, NULL},
    {"plain, from a proxy", ORIGIN, ORIGIN},
    {"TLS, through a proxy", ORIGIN_TLS, PROXY_AUTH},
};

/* A request that plays the steps. A proxy that forwards gets it for one of two hosts, which are different origins. */
static netcore_request route_request(const struct route *route, const char *method, const char *host,
                                     const char *steps) {
  char *url = script_url(route->server, steps);
  if (route->server == route->proxy) {
    char *path = strstr(url, "/script/"), *forwarded = malloc(strlen(path) + 40);
    REQUIRE(forwarded != NULL);
    sprintf(forwarded, "http://%s.test%s", host, path);
    free(url);
    url = forwarded;
  }
  netcore_request request = request_new(method, url);
  free(url);
  return request;
}

/* The first answers wait for each other, so that each comes on a connection of its own; and, once all that no request asked for has been
 * sent, for wait_for_payloads(). */
static unsigned meeting;

static void write_steps(char *steps, const struct answer_case *answer, const struct payload *payload, enum pace pace,
                        unsigned connections) {
  char pause[60] = "";
  meeting++;
  if (pace == LATER) snprintf(pause, sizeof pause, "'},{'sleep_ms':%d},{'send':'", LATER_MS);
  snprintf(steps, STEPS_SIZE,
           "[{'meet':'begin %d.%u','count':%u},{'send':'%s%s%s'},{'meet':'end %d.%u','count':%u},{'%s':true}]",
           (int)getpid(), meeting, connections, answer->text, pause, payload->text, (int)getpid(), meeting,
           connections + 1, payload->end);
}

/* What came after the next request could not be told from its answer. */
static void wait_for_payloads(netcore_client watcher, unsigned connections) {
  char steps[200];
  snprintf(steps, sizeof steps,
           "[{'meet':'end %d.%u','count':%u},{'send':'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'}]", (int)getpid(),
           meeting, connections + 1);
  struct answer answer = perform_once(watcher, script_request("GET", ORIGIN, steps));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
}

static pthread_barrier_t all;

struct visitor {
  pthread_t thread;
  netcore_client client;
  const struct route *route;
  const char *method, *steps;
  unsigned number;
  enum pace pace;
};

/** What is unasked comes behind the first answer; the next ones must be one's own. */
static void *visit(void *argument) {
  struct visitor *visitor = argument;
  char own[20], steps[200];
  netcore_request first = route_request(visitor->route, visitor->method, "first", visitor->steps);
  if (visitor->method[0] == 'P') CHECK_OK(netcore_request_set_body(first, "body", 4));
  pthread_barrier_wait(&all);
  struct answer answer = perform_once(visitor->client, first);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  /* Until all connections have what no request asked for: they are for any of these threads. */
  pthread_barrier_wait(&all);
  pthread_barrier_wait(&all);
  if (visitor->pace == LATER || visitor->route->proxy != NULL) usleep(wait_ms * 1000);
  for (unsigned i = 0; i < 3; i++) {
    snprintf(own, sizeof own, "own %u.%u", visitor->number, i);
    snprintf(steps, sizeof steps, "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s'},{'keep':true}]",
             strlen(own), own);
    answer = perform_once(visitor->client, route_request(visitor->route, "GET", "second", steps));
    if (CHECK_STATUS(answer.status, NETCORE_OK)) CHECK_TEXT(answer.info.body, own);
    answer_free(&answer);
  }
  return NULL;
}

static void test_unasked(const struct route *route, const struct answer_case *answer, const struct payload *payload,
                         enum pace pace, unsigned connections) {
  static char steps[STEPS_SIZE], name[200];
  struct visitor visitors[8];
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE), .no_proxy = ""};
  netcore_client client = 0, watcher = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  if (route->proxy != NULL) options.proxy = peer(route->proxy);
  snprintf(name, sizeof name, "%s: %s after %s, %s, %u connections", route->name, payload->name, answer->name,
           pace_names[pace], connections);
  check_case = name;
  write_steps(steps, answer, payload, pace, connections);
  REQUIRE_OK(netcore_client_create(&options, &client));
  pthread_barrier_init(&all, NULL, connections + 1);
  for (unsigned i = 0; i < connections; i++) {
    visitors[i] = (struct visitor){
        .client = client, .route = route, .method = answer->method, .steps = steps, .number = i, .pace = pace};
    REQUIRE(pthread_create(&visitors[i].thread, NULL, visit, &visitors[i]) == 0);
  }
  pthread_barrier_wait(&all);
  pthread_barrier_wait(&all);
  wait_for_payloads(watcher, connections);
  pthread_barrier_wait(&all);
  for (unsigned i = 0; i < connections; i++) REQUIRE(pthread_join(visitors[i].thread, NULL) == 0);
  pthread_barrier_destroy(&all);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_client_destroy(watcher));
}

/* A server that reads no more after the head of a POST, so that the kernel acknowledges nothing of the next request: what it sends
   then was sent before it had that request. Connections after the first are answered well. */
static void *answer_too_early(void *argument) {
  const int *listener = argument;
  char head[2000];
  int small = 2048, first, next;
  setsockopt(*listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  if ((first = accept4(*listener, NULL, NULL, SOCK_CLOEXEC)) < 0) return NULL;
  CHECK(recv(first, head, sizeof head, 0) > 0);
  CHECK(send(first, SERVER_ANSWER, sizeof SERVER_ANSWER - 1, MSG_NOSIGNAL) > 0);
  usleep(100000);
  static const char foreign[] = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign";
  CHECK(send(first, foreign, sizeof foreign - 1, MSG_NOSIGNAL) > 0);
  if ((next = accept4(*listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    CHECK(recv(next, head, sizeof head, 0) > 0);
    CHECK(send(next, SERVER_ANSWER, sizeof SERVER_ANSWER - 1, MSG_NOSIGNAL) > 0);
    close(next);
  }
  close(first);
  return NULL;
}

static void test_answer_that_crosses(const char *method, netcore_status status) {
  enum { BODY = 200000 };
  static char body[BODY];
  int port, listener = listen_on_loopback(5, &port);
  char url[60];
  pthread_t thread;
  check_case = method;
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  REQUIRE(pthread_create(&thread, NULL, answer_too_early, &listener) == 0);
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("POST", url);
  CHECK_OK(netcore_request_set_body(request, body, BODY));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  answer = perform_once(client, request_new(method, url));
  /* A slow client may send it only after the foreign answer has come, and then on another connection. */
  if (is_slow() && answer.status == NETCORE_OK) status = NETCORE_OK;
  if (CHECK_STATUS(answer.status, status) && status == NETCORE_OK) CHECK_TEXT(answer.info.body, "ok");
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  CHECK(shutdown(listener, SHUT_RDWR) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  close(listener);
}

/* Much of the time is waiting: some processes share the cases. */
enum { PROCESSES = 16 };

static void test_share(unsigned share) {
  unsigned number = 0, step = getenv("NETCORE_TEST_SLOW") != NULL ? cell_step * 10 : cell_step;
  for (size_t r = 0; r < LENGTH(routes); r++)
    for (size_t a = 0; a < LENGTH(answers); a++)
      for (size_t p = 0; p < LENGTH(payloads); p++)
        for (int pace = 0; pace < PACES; pace++)
          for (unsigned connections = 1; connections <= 8; connections += 7)
            if (number++ % step == 0 && number / step % PROCESSES == share)
              test_unasked(&routes[r], &answers[a], &payloads[p], (enum pace)pace, connections);
}

static unsigned number_of(const char *variable, unsigned otherwise) {
  const char *text = getenv(variable);
  return text == NULL ? otherwise : (unsigned)atoi(text);
}

int main(void) {
  pid_t children[PROCESSES];
  int status;
  check_begin();
  wait_ms = number_of("NETCORE_TEST_PAUSE_MS", wait_ms);
  cell_step = number_of("NETCORE_TEST_STEP", cell_step);
  if (wait_ms > 1000) alarm(900);
  int head = snprintf(long_answer, sizeof long_answer, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", LONG);
  memset(long_answer + head, 'b', LONG);
  for (unsigned i = 0; i < PROCESSES; i++) {
    if ((children[i] = fork()) == 0) {
      check_begin();
      check_threads += NETCORE_TEST_THREADS - 1; /* a forked process has a sanitizer's threads once more */
      if (wait_ms > 1000) alarm(900);
      test_share(i);
      exit(check_end());
    }
    REQUIRE(children[i] > 0);
  }
  test_answer_that_crosses("GET", NETCORE_OK);
  test_answer_that_crosses("POST", NETCORE_ERR_CONNECTION_LOST);
  check_case = "the cases of the processes";
  for (unsigned i = 0; i < PROCESSES; i++) {
    REQUIRE(waitpid(children[i], &status, 0) == children[i]);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  return check_end();
}
