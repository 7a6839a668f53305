/*
 * Status lines that name another version of HTTP than the connection speaks. libcurl takes "HTTP/2 200" from a connection of
 * HTTP/1.1 for leave to send several requests on it at once: answers would be mixed up, and an upload would crash. Here such an
 * answer is an error of its own request, and touches no other.
 */
#include "support.h"

enum { REQUESTS = 60, BODY = 100000 };

/* Some of the requests are answered by the line in question, the others as they should be, all at the same time. */
static void test_line(const char *variable, const char *line, const char *method) {
  static struct outcome outcomes[REQUESTS];
  static char body[BODY];
  struct tally ended = TALLY_INITIAL;
  char name[200], steps[300];
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  struct door door = {.mode = NETCORE_COMPLETION_MODE_CALLBACK, .descriptor = -1};
  snprintf(name, sizeof name, "%s: %s for %s", variable, line, method);
  check_case = name;
  REQUIRE_OK(netcore_client_create(&options, &door.client));
  memset(outcomes, 0, sizeof outcomes);
  for (unsigned i = 0; i < REQUESTS; i++) {
    outcomes[i].ended = &ended;
    char own[20];
    snprintf(own, sizeof own, "own %u", i);
    snprintf(steps, sizeof steps, "[{'send':'%s 200 OK\r\nContent-Length: %zu\r\n\r\n%s'},{'keep':true}]",
             i % 3 == 0 ? line : "HTTP/1.1", strlen(own), own);
    netcore_request request = script_request(method, variable, steps);
    if (method[0] == 'P') CHECK_OK(netcore_request_set_body(request, body, i % 2 == 0 ? BODY : 10));
    CHECK_OK(door_dispatch(&door, request, &outcomes[i]));
    CHECK_OK(netcore_request_destroy(request));
  }
  door_wait(&door, &ended, REQUESTS);
  for (unsigned i = 0; i < REQUESTS; i++) {
    char own[20];
    snprintf(own, sizeof own, "own %u", i);
    if (i % 3 == 0)
      CHECK_STATUS(outcomes[i].completion.status, NETCORE_ERR_PROTOCOL);
    else if (CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK))
      CHECK_TEXT(response_info(outcomes[i].completion.response).body, own);
    outcome_free(&outcomes[i]);
  }
  CHECK_OK(netcore_client_destroy(door.client));
}

int main(void) {
  static const char *const lines[] = {"HTTP/2", "HTTP/2.0", "HTTP/20", "HTTP/3"};
  static const char *const methods[] = {"GET", "PUT", "POST"};
  check_begin();
  for (size_t l = 0; l < LENGTH(lines); l++)
    for (size_t m = 0; m < LENGTH(methods); m++) {
      test_line(ORIGIN, lines[l], methods[m]);
      test_line(ORIGIN_TLS, lines[l], methods[m]);
    }
  return check_end();
}
