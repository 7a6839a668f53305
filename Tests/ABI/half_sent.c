/*
 * A connection that would not take a request, or took a part of it. Whatever the kernel says then, no later request goes by that
 * connection: OpenSSL would send the rest of the old request first, and the new one would get its answer.
 */
#include "support.h"

#include <dlfcn.h>
#include <sys/socket.h>

enum { TLS_DATA = 0x17, HEAD = 400 };

/* What becomes of the next request that is sent by TLS. */
static enum manner { SEND_ALL, REFUSE_ALL, SEND_HALF, REFUSE_REST } manner;

static ssize_t refuse(void) {
  manner = SEND_ALL;
  errno = ENOBUFS;
  return -1;
}

/* Stands in for the one of glibc, for libcurl. Handshakes send no data of so many bytes. */
ssize_t send(int fd, const void *data, size_t size, int flags) {
  ssize_t (*real)(int, const void *, size_t, int);
  *(void **)&real = dlsym(RTLD_NEXT, "send");
  if (manner == REFUSE_REST) return refuse();
  if (manner == SEND_ALL || size < HEAD || *(const unsigned char *)data != TLS_DATA) return real(fd, data, size, flags);
  if (manner == REFUSE_ALL) return refuse();
  manner = REFUSE_REST;
  return real(fd, data, size / 2, flags);
}

static netcore_request answered_with(const char *text) {
  char steps[200], filler[HEAD + 1];
  snprintf(steps, sizeof steps, "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s'},{'keep':true}]",
           strlen(text), text);
  netcore_request request = script_request("GET", ORIGIN_TLS, steps);
  memset(filler, 'f', HEAD);
  filler[HEAD] = '\0';
  CHECK_OK(netcore_request_set_header(request, "X-Filler", filler));
  return request;
}

static void check_own(netcore_client client, const char *text) {
  struct answer answer = perform_once(client, answered_with(text));
  if (CHECK_STATUS(answer.status, NETCORE_OK)) CHECK_TEXT(answer.info.body, text);
  answer_free(&answer);
}

static void test_refusal(const char *name, enum manner how, bool is_reused) {
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  netcore_client client = 0;
  check_case = name;
  REQUIRE_OK(netcore_client_create(&options, &client));
  if (is_reused) check_own(client, "before");
  netcore_request request = answered_with("foreign");
  CHECK_OK(netcore_request_set_sent_once(request, 1));
  manner = how;
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_CONNECTION_LOST);
  CHECK_EQUAL(manner, SEND_ALL);
  answer_free(&answer);
  for (int i = 0; i < 3; i++) check_own(client, "an answer of its own, and a longer one");
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_refusal("the first request of a connection, nothing sent", REFUSE_ALL, false);
  test_refusal("the first request of a connection, a half sent", SEND_HALF, false);
  test_refusal("a later request, nothing sent", REFUSE_ALL, true);
  test_refusal("a later request, a half sent", SEND_HALF, true);
  return check_end();
}
