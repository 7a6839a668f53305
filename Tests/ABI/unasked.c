/*
 * Bytes that a server sends and no request asked for: behind an answer, at once or later, by plain HTTP and by TLS. They never
 * become the answer of the next request, on one connection or on eight; nor do they make it fail (RFC 9112 section 9.2).
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
enum { FIRST_MS = 80, LATER_MS = 20, WAIT_MS = 150 };

static void write_steps(char *steps, const struct answer_case *answer, const struct payload *payload, enum pace pace,
                        unsigned connections) {
  char pause[60] = "";
  if (pace == LATER) snprintf(pause, sizeof pause, "'},{'sleep_ms':%d},{'send':'", LATER_MS);
  /* The first answers take their time, so that each comes on a connection of its own. */
  snprintf(steps, STEPS_SIZE, "[{'sleep_ms':%d},{'send':'%s%s%s'},{'%s':true}]", connections > 1 ? FIRST_MS : 0,
           answer->text, pause, payload->text, payload->end);
}

static pthread_barrier_t all;

struct visitor {
  pthread_t thread;
  netcore_client client;
  const char *variable, *method, *steps;
  unsigned number;
  enum pace pace;
};

/** What is unasked comes behind the first answer; the next ones must be one's own. */
static void *visit(void *argument) {
  struct visitor *visitor = argument;
  char own[20], steps[200];
  netcore_request first = script_request(visitor->method, visitor->variable, visitor->steps);
  if (visitor->method[0] == 'P') CHECK_OK(netcore_request_set_body(first, "body", 4));
  pthread_barrier_wait(&all);
  struct answer answer = perform_once(visitor->client, first);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  /* Until all connections have what nobody asked for: they are for any of these threads. */
  pthread_barrier_wait(&all);
  if (visitor->pace == LATER) usleep(WAIT_MS * 1000);
  for (unsigned i = 0; i < 3; i++) {
    snprintf(own, sizeof own, "own %u.%u", visitor->number, i);
    snprintf(steps, sizeof steps, "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s'},{'keep':true}]",
             strlen(own), own);
    answer = fetch_script(visitor->client, visitor->variable, steps);
    if (CHECK_STATUS(answer.status, NETCORE_OK)) CHECK_TEXT(answer.info.body, own);
    answer_free(&answer);
  }
  return NULL;
}

static void test_unasked(const char *variable, const struct answer_case *answer, const struct payload *payload,
                         enum pace pace, unsigned connections) {
  static char steps[STEPS_SIZE], name[200];
  struct visitor visitors[8];
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  netcore_client client = 0;
  snprintf(name, sizeof name, "%s: %s behind %s, %s, %u connections", variable, payload->name, answer->name,
           pace_names[pace], connections);
  check_case = name;
  write_steps(steps, answer, payload, pace, connections);
  REQUIRE_OK(netcore_client_create(&options, &client));
  pthread_barrier_init(&all, NULL, connections);
  for (unsigned i = 0; i < connections; i++) {
    visitors[i] = (struct visitor){
        .client = client, .variable = variable, .method = answer->method, .steps = steps, .number = i, .pace = pace};
    REQUIRE(pthread_create(&visitors[i].thread, NULL, visit, &visitors[i]) == 0);
  }
  for (unsigned i = 0; i < connections; i++) REQUIRE(pthread_join(visitors[i].thread, NULL) == 0);
  pthread_barrier_destroy(&all);
  CHECK_OK(netcore_client_destroy(client));
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
  netcore_client client = client_new(NETCORE_COMPLETIONS_CALLBACK);
  netcore_request request = request_new("POST", url);
  CHECK_OK(netcore_request_set_body(request, body, BODY));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  answer = perform_once(client, request_new(method, url));
  if (CHECK_STATUS(answer.status, status) && status == NETCORE_OK) CHECK_TEXT(answer.info.body, "ok");
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  CHECK(shutdown(listener, SHUT_RDWR) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  close(listener);
}

/* Much of the time is waiting: some processes share the cases. */
enum { PROCESSES = 6 };

static void test_share(unsigned share) {
  static const char *const variables[] = {ORIGIN, ORIGIN_TLS};
  unsigned number = 0, step = getenv("NETCORE_TEST_SLOW") != NULL ? 5 : 1;
  for (size_t v = 0; v < LENGTH(variables); v++)
    for (size_t a = 0; a < LENGTH(answers); a++)
      for (size_t p = 0; p < LENGTH(payloads); p++)
        for (int pace = 0; pace < PACES; pace++)
          for (unsigned connections = 1; connections <= 8; connections += 7)
            if (number++ % step == 0 && number / step % PROCESSES == share)
              test_unasked(variables[v], &answers[a], &payloads[p], (enum pace)pace, connections);
}

int main(void) {
  pid_t children[PROCESSES];
  int status;
  check_begin();
  int head = snprintf(long_answer, sizeof long_answer, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", LONG);
  memset(long_answer + head, 'b', LONG);
  for (unsigned i = 0; i < PROCESSES; i++) {
    if ((children[i] = fork()) == 0) {
      check_begin();
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
