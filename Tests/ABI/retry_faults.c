/*
 * Retries against servers that fail: one that is stopped (SIGSTOP), one that answers 503 with Retry-After, one that resets. Each task
 * ends once, the counts add up, and a POST without a key comes to the server once at most, as the server counts it.
 */
#include "support.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "support/answer.h"
#include "support/server.h"

#define MOST_TASKS 10000

enum fault { STOPS, IS_BUSY, RESETS };
static const char *const fault_names[] = {"a server that is stopped", "a server that is busy", "a server that resets"};

/* What all servers saw, in memory that they share with the test. */
static struct seen {
  /** Requests that were read as a whole, by the number in their path. */
  unsigned char requests[3][MOST_TASKS];
  unsigned total[3];
} *seen;

static unsigned task_count(void) { return is_slow() ? 300 : MOST_TASKS; }

/* The servers: each a process, since one of them is stopped. */

static bool read_request(int fd, unsigned *out_number) {
  char head[SERVER_HEAD];
  if (!server_read_request(fd, head)) return false;
  *out_number = (unsigned)strtoul(strchr(head, '/') + 1, NULL, 10) % MOST_TASKS;
  return true;
}

struct connection {
  int fd;
  enum fault fault;
};

static void *serve_connection(void *argument) {
  struct connection connection = *(struct connection *)argument;
  static const char busy[] = "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 4\r\n\r\nbusy";
  struct linger at_once = {1, 0};
  unsigned number;
  free(argument);
  while (read_request(connection.fd, &number)) {
    __atomic_add_fetch(&seen->requests[connection.fault][number], 1, __ATOMIC_SEQ_CST);
    unsigned total = __atomic_add_fetch(&seen->total[connection.fault], 1, __ATOMIC_SEQ_CST);
    bool fails = total % 3 == 0;
    if (connection.fault == RESETS && fails) {
      setsockopt(connection.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      break;
    }
    const char *answer = connection.fault == IS_BUSY && fails ? busy : SERVER_ANSWER;
    send(connection.fd, answer, strlen(answer), MSG_NOSIGNAL);
  }
  close(connection.fd);
  return NULL;
}

static pid_t start_server(enum fault fault, int *out_port) {
  int listener = listen_on_loopback(1024, out_port);
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child > 0) {
    close(listener);
    return child;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // stopped or not, it is not to outlive the test
  for (;;) {
    pthread_t thread;
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    struct connection *connection = malloc(sizeof *connection);
    if (fd < 0 || connection == NULL) _exit(1);
    *connection = (struct connection){fd, fault};
    if (pthread_create(&thread, NULL, serve_connection, connection) != 0) _exit(1);
    pthread_detach(thread);
  }
}

/* The tasks. */

static struct {
  struct tally ends;
  unsigned char by_task[MOST_TASKS];
  unsigned answered, refused, failed, retried;
} outcome;

static void note_end(const netcore_completion *completion) {
  unsigned number = (unsigned)(uintptr_t)completion->user_data;
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  CHECK_OK(netcore_response_get_info(completion->response, &info));
  outcome.by_task[number]++;
  if (completion->status != NETCORE_OK) __atomic_add_fetch(&outcome.failed, 1, __ATOMIC_SEQ_CST);
  if (completion->status == NETCORE_OK && info.http_status == 200) outcome.answered++;
  if (completion->status == NETCORE_OK && info.http_status == 503) outcome.refused++;
  if (info.try_count > 1) outcome.retried++;
  // What the transport sends again by itself is an attempt, and no try.
  CHECK(info.try_count > 0 && info.try_count <= info.attempts);
  tally_raise(&outcome.ends);
}

static void dispatch(netcore_client client, int port, unsigned number) {
  char url[80];
  netcore_request request;
  netcore_task task;
  snprintf(url, sizeof url, "http://127.0.0.1:%d/%u", port, number);
  REQUIRE_OK(netcore_request_create(number % 2 == 0 ? "GET" : "POST", url, &request));
  if (number % 2 == 1) CHECK_OK(netcore_request_set_body(request, "content", 7));
  REQUIRE_OK(netcore_dispatch(client, request, note_end, (void *)(uintptr_t)number, &task));
  CHECK_OK(netcore_request_destroy(request));
}

static void run(enum fault fault, pid_t server, int port) {
  netcore_client client;
  netcore_retry_options options = NETCORE_RETRY_OPTIONS_INIT;
  unsigned count = task_count(), posts = 0;
  check_case = fault_names[fault];
  memset(&outcome, 0, sizeof outcome);
  outcome.ends = (struct tally)TALLY_INITIAL;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  options.base_delay_ms = options.throttled_delay_ms = 5;
  options.budget_tokens = UINT32_MAX;
  options.attempt_timeout_ms = fault == STOPS ? stretched(100) : 0;
  CHECK_OK(netcore_client_set_retries(client, &options));
  for (unsigned i = 0; i < count; i++) {
    // A stop in the midst of it, for as long as some tasks take to end without an answer.
    if (fault == STOPS && i == count / 2) {
      WAIT_UNTIL(__atomic_load_n(&seen->total[fault], __ATOMIC_SEQ_CST) >= count / 4);
      CHECK(kill(server, SIGSTOP) == 0);
    }
    dispatch(client, port, i);
  }
  if (fault == STOPS) {
    WAIT_UNTIL(__atomic_load_n(&outcome.failed, __ATOMIC_SEQ_CST) >= 100);
    CHECK(kill(server, SIGCONT) == 0);
  }
  CHECK(tally_reaches(&outcome.ends, count, stretched(50000)));
  CHECK_OK(netcore_client_destroy(client));
  CHECK(!tally_reaches(&outcome.ends, count + 1, 0));
  CHECK_EQUAL(outcome.answered + outcome.refused + outcome.failed, count);
  for (unsigned i = 0; i < count; i++) {
    CHECK_EQUAL(outcome.by_task[i], 1);
    if (i % 2 == 1 && seen->requests[fault][i] > 1) posts++;
  }
  CHECK_EQUAL(posts, 0);
  // How many fail by a server that stands still is up to it.
  CHECK(outcome.retried > 0 && outcome.answered > (fault == STOPS ? 0 : count / 2));
  printf("%s: %u answered, %u refused, %u failed, %u tried again; %u requests\n", check_case, outcome.answered,
         outcome.refused, outcome.failed, outcome.retried, seen->total[fault]);
}

int main(void) {
  pid_t servers[3];
  int ports[3];
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(seen != MAP_FAILED);
  for (int i = 0; i < 3; i++) servers[i] = start_server((enum fault)i, &ports[i]);
  for (int i = 0; i < 3; i++) run((enum fault)i, servers[i], ports[i]);
  for (int i = 0; i < 3; i++) CHECK(kill(servers[i], SIGKILL) == 0 && waitpid(servers[i], NULL, 0) == servers[i]);
  return check_end();
}
