/*
 * Negotiate and NTLM authenticate a connection, not a request: a request with such credentials gets a connection of its
 * own, which no other request uses before it, beside it, or after it. Other credentials share connections.
 */
#include "support.h"

static netcore_request request_with(const char *url, const char *authorization) {
  netcore_request request = request_new("GET", url);
  if (authorization != NULL) CHECK_OK(netcore_request_set_header(request, "Authorization", authorization));
  return request;
}

/* The number that the origin gave to the connection of a request. */
static long connection_of(netcore_client client, const char *path, const char *authorization) {
  struct answer answer = perform_once(client, request_with(at(ORIGIN, path), authorization));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(body_has(&answer, "[\"Authorization\", "), authorization != NULL);
  long number = json_number(answer.info.body, "connection");
  CHECK(number > 0);
  answer_free(&answer);
  return number;
}

static void test_one_after_the_other(void) {
  static const struct {
    const char *authorization;
    bool is_shared;
  } cases[] = {{"Negotiate YII=", false},    {"Negotiate YII=", false},    {"negotiate", false},
               {"NTLM TlRMTVNTUAAB", false}, {"nTLM TlRMTVNTUAAB", false}, {"Basic dXNlcjpzZWNyZXQ=", true},
               {"Bearer Negotiate", true},   {"NegotiateNot YII=", true}};
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  long shared = connection_of(client, "/echo", NULL), owned[LENGTH(cases)];
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].authorization;
    owned[i] = connection_of(client, "/echo", cases[i].authorization);
    CHECK_EQUAL(owned[i] == shared, cases[i].is_shared);
    for (size_t before = 0; before < i && !cases[i].is_shared; before++) CHECK(owned[before] != owned[i]);
    CHECK_EQUAL(connection_of(client, "/echo", NULL), shared);
  }
  CHECK_OK(netcore_client_destroy(client));
}

static void test_redirect(void) {
  check_case = "a redirect";
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  long shared = connection_of(client, "/echo", NULL);
  long last_hop = connection_of(client, "/redirect-chain/2", "Negotiate YII=");
  CHECK(last_hop > shared + 2); /* Each of three hops had one. */
  CHECK_EQUAL(connection_of(client, "/echo", NULL), shared);
  CHECK_OK(netcore_client_destroy(client));
}

enum { REQUESTS = 30 };

/* The connection of a request, by the server's log; 0 while it is not there. */
static long logged_connection(const char *mark) {
  char line[400], wanted[100];
  long connection = 0;
  FILE *log = fopen(peer(ACCESS_LOG), "r");
  REQUIRE(log != NULL);
  snprintf(wanted, sizeof wanted, "?%s ", mark);
  while (connection == 0 && fgets(line, sizeof line, log) != NULL)
    if (strstr(line, wanted) != NULL && strchr(line, '\n') != NULL)
      sscanf(strstr(line, wanted) + strlen(wanted), "%*s %*d %ld", &connection);
  fclose(log);
  return connection;
}

/* HTTP/2 carries requests side by side: these set out at once, each third with credentials, some first and some last. */
static void test_side_by_side(const char *server, const char *name, bool is_warm) {
  struct tally ended = TALLY_INITIAL;
  struct outcome outcomes[REQUESTS];
  char marks[REQUESTS][60];
  long connections[REQUESTS];
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, 0, -1};
  check_case = name;
  REQUIRE_OK(netcore_client_create(&options, &door.client));
  if (is_warm) {
    struct answer answer = fetch(door.client, at(server, "/small.txt"));
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
  }
  for (int i = 0; i < REQUESTS; i++) {
    char path[100];
    outcomes[i] = (struct outcome){.ended = &ended};
    snprintf(marks[i], sizeof marks[i], "own-%ld-%.4s-%d-%d", (long)getpid(), strrchr(server, '_'), is_warm, i);
    snprintf(path, sizeof path, "/logged/100k?%s", marks[i]);
    netcore_request request = request_with(at(server, path), i % 3 == 0 ? "Negotiate YII=" : NULL);
    CHECK_OK(door_dispatch(&door, request, &outcomes[i]));
    CHECK_OK(netcore_request_destroy(request));
  }
  door_wait(&door, &ended, REQUESTS);
  for (int i = 0; i < REQUESTS; i++) {
    CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK);
    if (i % 3 == 0) CHECK_EQUAL(response_info(outcomes[i].completion.response).connection_reused, 0);
    outcome_free(&outcomes[i]);
    WAIT_UNTIL((connections[i] = logged_connection(marks[i])) != 0);
  }
  for (int i = 0; i < REQUESTS; i += 3)
    for (int other = 0; other < REQUESTS; other++) CHECK(other == i || connections[other] != connections[i]);
  CHECK_OK(netcore_client_destroy(door.client));
}

int main(void) {
  check_begin();
  test_one_after_the_other();
  test_redirect();
  test_side_by_side(NGINX, "HTTP/1.1", false);
  test_side_by_side(NGINX_H2, "HTTP/2", false);
  test_side_by_side(NGINX_H2, "HTTP/2, with a connection there already", true);
  return check_end();
}
