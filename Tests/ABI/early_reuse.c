/*
 * Answers that are there as soon as their requests are sent, as from a server on the same machine: libcurl gives the connection to the
 * next request before it tells that the last one has ended. Such a connection is used again: no request opens one for itself.
 */
#include "support.h"

#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>

enum { REQUESTS = 300, AT_ONCE = 16 };

static unsigned connections;
/* With what requests end. */
static const char *request_end;

/* These stand in for the ones of glibc, for libcurl. A request's answer is there when it has been sent. */
ssize_t send(int fd, const void *data, size_t size, int flags) {
  ssize_t (*real)(int, const void *, size_t, int);
  *(void **)&real = dlsym(RTLD_NEXT, "send");
  ssize_t sent = real(fd, data, size, flags);
  struct pollfd answer = {fd, POLLIN, 0};
  size_t end = strlen(request_end);
  bool is_whole = sent >= (ssize_t)end && memcmp((const char *)data + (size_t)sent - end, request_end, end) == 0;
  if (is_whole) poll(&answer, 1, 10000);
  return sent;
}

int socket(int family, int type, int protocol) {
  int (*real)(int, int, int);
  *(void **)&real = dlsym(RTLD_NEXT, "socket");
  if (family == AF_INET) __atomic_add_fetch(&connections, 1, __ATOMIC_SEQ_CST);
  return real(family, type, protocol);
}

static struct tally ends = TALLY_INITIAL;

static void end(const netcore_completion *completion) {
  CHECK_STATUS(completion->status, NETCORE_OK);
  tally_raise(&ends);
}

static void test_reuse(const char *name, const char *method, const char *body) {
  check_case = name;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new(method, at(ORIGIN, "/bytes/3"));
  unsigned before = tally_count(&ends);
  request_end = body != NULL ? body : "\r\n\r\n";
  if (body != NULL) CHECK_OK(netcore_request_set_body(request, body, strlen(body)));
  CHECK_OK(netcore_client_set_limit(client, NETCORE_LIMIT_TRANSFERS_PER_HOST, AT_ONCE));
  connections = 0;
  for (int i = 0; i < REQUESTS; i++) REQUIRE_OK(netcore_dispatch(client, request, end, NULL, NULL));
  CHECK(tally_reaches(&ends, before + REQUESTS, patience_ms()));
  unsigned made = __atomic_load_n(&connections, __ATOMIC_SEQ_CST);
  if (!CHECK(made <= AT_ONCE)) fprintf(stderr, "    %u connections for %d requests\n", made, REQUESTS);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_reuse("without a body", "GET", NULL);
  test_reuse("with a body", "POST", "content");
  return check_end();
}
