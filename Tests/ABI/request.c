/*
 * What a request sends, as the origin's /echo saw it: methods, URLs, header fields in order, bodies; and that a
 * dispatch takes a snapshot.
 */
#include "support.h"

#include "support/server.h"

static netcore_client client;

static void test_methods(void) {
  static const char *const methods[] = {
      "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", "PROPFIND", "M-SEARCH", "x!#$%&'*+-.^_`|~9",
      "Post"};
  for (size_t i = 0; i < LENGTH(methods); i++) {
    char wanted[60];
    check_case = methods[i];
    struct answer answer = perform_once(client, request_new(methods[i], at(ORIGIN, "/echo")));
    CHECK_STATUS(answer.status, NETCORE_OK);
    snprintf(wanted, sizeof wanted, "\"method\": \"%s\"", methods[i]);
    CHECK_BODY_HAS(&answer, wanted);
    answer_free(&answer);
  }
  check_case = "a method set later";
  netcore_request request = request_new("GET", at(ORIGIN, "/nothing"));
  CHECK_OK(netcore_request_set_method(request, "PUT"));
  CHECK_OK(netcore_request_set_url(request, at(ORIGIN, "/echo?set")));
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "\"method\": \"PUT\", \"target\": \"/echo?set\"");
  answer_free(&answer);
}

static void test_urls(void) {
  static const struct {
    const char *url, *target, *final;
  } cases[] = {
      {"/echo?q=a b", "/echo?q=a%20b", "/echo?q=a%20b"},        {"/echo?q=a+b", "/echo?q=a+b", "/echo?q=a+b"},
      {"/echo?q=\xC3\xBC", "/echo?q=%C3%BC", "/echo?q=%C3%BC"}, {"/echo?q=%41%2f", "/echo?q=%41%2f", "/echo?q=%41%2f"},
      {"/echo?q=1#part", "/echo?q=1", "/echo?q=1#part"},        {"/echo?q='\"<>", NULL, NULL},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    char wanted[100];
    check_case = cases[i].url;
    struct answer answer = fetch(client, at(ORIGIN, cases[i].url));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, 200);
    if (cases[i].target != NULL) {
      snprintf(wanted, sizeof wanted, "\"target\": \"%s\"", cases[i].target);
      CHECK(body_has_anycase(&answer, wanted));
      CHECK(strcasecmp((const char *)answer.info.url.data, at(ORIGIN, cases[i].final)) == 0);
    }
    answer_free(&answer);
  }
}

static void test_user_name_and_password(void) {
  char url[200];
  const char *place = strstr(peer(ORIGIN), "://") + 3;
  check_case = "user name and password";
  snprintf(url, sizeof url, "http://user:se%%40cret@%s/echo", place);
  netcore_request request = request_new("GET", url);
  struct answer answer = perform(client, request);
  CHECK_BODY_HAS(&answer, "[\"Authorization\", \"Basic dXNlcjpzZUBjcmV0\"]");
  CHECK_TEXT(answer.info.url, at(ORIGIN, "/echo"));
  answer_free(&answer);
  CHECK_OK(netcore_request_set_header(request, "Authorization", "Bearer mine"));
  answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "[\"Authorization\", \"Bearer mine\"]");
  CHECK(!body_has(&answer, "Basic"));
  answer_free(&answer);
}

/* Sends the request and expects this text in what the origin received. */
static void check_echo(netcore_request request, const char *text) {
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, text);
  answer_free(&answer);
}

static void check_no_echo(netcore_request request, const char *text) {
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(!body_has(&answer, text));
  answer_free(&answer);
}

static void test_header_order(void) {
  check_case = "header fields set, added and removed";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_header(request, "X-B", "1"));
  CHECK_OK(netcore_request_add_header(request, "X-A", "1"));
  CHECK_OK(netcore_request_add_header(request, "X-B", "2"));
  CHECK_OK(netcore_request_set_header(request, "X-Gone", "3"));
  CHECK_OK(netcore_request_add_header(request, "x-b", "3"));
  CHECK_OK(netcore_request_remove_header(request, "x-GONE"));
  CHECK_OK(netcore_request_remove_header(request, "X-Never"));
  check_echo(request, "[\"X-B\", \"1\"], [\"X-A\", \"1\"], [\"X-B\", \"2\"], [\"x-b\", \"3\"]");
  check_no_echo(request, "X-Gone");
  CHECK_OK(netcore_request_set_header(request, "X-A", "again"));
  check_echo(request, "[\"X-B\", \"1\"], [\"X-A\", \"again\"], [\"X-B\", \"2\"], [\"x-b\", \"3\"]");
  CHECK_OK(netcore_request_set_header(request, "X-B", "only"));
  check_echo(request, "[\"X-B\", \"only\"], [\"X-A\", \"again\"]");
  check_no_echo(request, "x-b");
  CHECK_OK(netcore_request_destroy(request));
}

static void test_header_values(void) {
  check_case = "header values";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_header(request, "X-Space", " \t a\tb c \t"));
  CHECK_OK(netcore_request_set_header(request, "X-Raw", "\xE9\xFF"));
  CHECK_OK(netcore_request_set_header(request, "X-Empty", ""));
  CHECK_OK(netcore_request_set_header(request, "X-Blank", "  "));
  check_echo(request,
             "[\"X-Space\", \"a\\tb c\"], [\"X-Raw\", \"\\u00e9\\u00ff\"], "
             "[\"X-Empty\", \"\"], [\"X-Blank\", \"\"]");
  CHECK_OK(netcore_request_destroy(request));
}

static void test_accepted_codings(void) {
  static const char *const lists[] = {"br;q=0.5, gzip", "identity", ""};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    char expected[100];
    netcore_client_options options = {.size = sizeof options, .accept_encoding = lists[i]};
    netcore_client other = 0;
    check_case = "the codings of a client";
    REQUIRE_OK(netcore_client_create(&options, &other));
    struct answer answer = fetch(other, at(ORIGIN, "/echo"));
    snprintf(expected, sizeof expected, "[\"Accept-Encoding\", \"%s\"]", lists[i]);
    CHECK(body_has(&answer, *lists[i] == '\0' ? "[\"User-Agent\"" : expected));
    CHECK(body_has(&answer, "Accept-Encoding") == (*lists[i] != '\0'));
    answer_free(&answer);
    CHECK_OK(netcore_client_destroy(other));
  }
}

static void test_own_headers(void) {
  check_case = "the fields that netcore sends by itself";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  check_echo(request, "[\"User-Agent\", \"netcore/" NETCORE_VERSION_STRING "\"]");
  check_echo(request, "[\"Accept-Encoding\", \"gzip,br,zstd\"]");
  check_no_echo(request, "Content-");
  CHECK_OK(netcore_request_set_decode_content(request, 0));
  check_no_echo(request, "Accept-Encoding");
  CHECK_OK(netcore_request_set_decode_content(request, 1));
  CHECK_OK(netcore_request_set_header(request, "Accept-Encoding", "identity"));
  CHECK_OK(netcore_request_set_header(request, "User-Agent", "mine/1"));
  CHECK_OK(netcore_request_set_header(request, "Host", "other.test"));
  CHECK_OK(netcore_request_set_header(request, "Accept", "text/x-test"));
  struct answer answer = perform(client, request);
  CHECK_BODY_HAS(&answer, "[\"Accept-Encoding\", \"identity\"]");
  CHECK_BODY_HAS(&answer, "[\"User-Agent\", \"mine/1\"]");
  CHECK_BODY_HAS(&answer, "[\"Host\", \"other.test\"]");
  CHECK_BODY_HAS(&answer, "[\"Accept\", \"text/x-test\"]");
  CHECK(!body_has(&answer, "netcore/") && !body_has(&answer, "127.0.0.1") && !body_has(&answer, "gzip"));
  CHECK(!body_has(&answer, "*/*"));
  answer_free(&answer);
  CHECK_OK(netcore_request_set_header(request, "User-Agent", ""));
  CHECK_OK(netcore_request_set_header(request, "Accept", ""));
  answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "[\"User-Agent\", \"\"]");
  CHECK_BODY_HAS(&answer, "[\"Accept\", \"\"]");
  answer_free(&answer);
}

static void test_user_agent_option(void) {
  static const struct {
    const char *option, *text;
    bool is_there;
  } cases[] = {{"app/7 (test)", "[\"User-Agent\", \"app/7 (test)\"]", true}, {"", "User-Agent", false}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = "the user_agent option";
    netcore_client_options options = {.size = sizeof options, .user_agent = cases[i].option};
    netcore_client other = 0;
    CHECK_OK(netcore_client_create(&options, &other));
    struct answer answer = fetch(other, at(ORIGIN, "/echo"));
    CHECK_EQUAL(body_has(&answer, cases[i].text), cases[i].is_there);
    answer_free(&answer);
    CHECK_OK(netcore_client_destroy(other));
  }
}

static void test_bodies(void) {
  static const struct {
    const char *method, *body;
    bool says_zero;
  } cases[] = {{"POST", "hello", false}, {"PUT", "hello", false},  {"DELETE", "hello", false}, {"GET", "hello", false},
               {"POST", "", true},       {"PUT", "", true},        {"PATCH", "", true},        {"DELETE", "", false},
               {"GET", "", false},       {"PROPFIND", "x", false}, {"OPTIONS", "", false}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    char text[60];
    size_t size = strlen(cases[i].body);
    check_case = cases[i].method;
    netcore_request request = request_new(cases[i].method, at(ORIGIN, "/echo"));
    CHECK_OK(netcore_request_set_body(request, "to be replaced", 14));
    CHECK_OK(netcore_request_set_body(request, size == 0 ? NULL : cases[i].body, size));
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    snprintf(text, sizeof text, "\"body\": \"%s\"", cases[i].body);
    CHECK_BODY_HAS(&answer, text);
    snprintf(text, sizeof text, "[\"Content-Length\", \"%zu\"]", size);
    CHECK_EQUAL(body_has(&answer, text), size > 0 || cases[i].says_zero);
    CHECK(size > 0 || cases[i].says_zero || !body_has(&answer, "Content-Length"));
    CHECK(!body_has(&answer, "Content-Type") && !body_has(&answer, "Transfer-Encoding"));
    answer_free(&answer);
  }
}

static void test_large_body(void) {
  enum { SIZE = 3000000 };
  check_case = "a large body with every byte value";
  uint8_t *body = malloc(SIZE);
  REQUIRE(body != NULL);
  for (size_t i = 0; i < SIZE; i++) body[i] = (uint8_t)(i * 31 + 7);
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_body(request, body, SIZE));
  free(body); /* It was copied. */
  struct answer large = perform_once(client, request);
  CHECK_STATUS(large.status, NETCORE_OK);
  CHECK_EQUAL(json_number(large.info.body, "body_size"), SIZE);
  CHECK(large.info.bytes_sent > SIZE && large.info.bytes_sent < SIZE + 2000);
  /* What python3 -c 'hashlib.sha256(bytes((i * 31 + 7) % 256 for i in range(3000000)))' says. */
  CHECK_BODY_HAS(&large, "\"body_sha256\": \"d781aa722f790c57bfd4fc25860267cfeb4ed410f07230aa41809a4c6c6246f1\"");
  answer_free(&large);
}

/* With one transfer at a time and one ahead, the request waits while it is changed and destroyed. */
static void test_snapshot(void) {
  struct tally ended = TALLY_INITIAL;
  struct outcome ahead = {.ended = &ended}, dispatched = {.ended = &ended}, created = {.ended = &ended};
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  struct server *server = server_start(0);
  check_case = "a dispatch takes a snapshot";
  CHECK_OK(netcore_client_set_limit(door.client, NETCORE_LIMIT_TRANSFERS, 1));
  door_get(&door, server_url(server, "/"), &ahead);
  netcore_request request = request_new("POST", at(ORIGIN, "/echo?before"));
  CHECK_OK(netcore_request_set_header(request, "X-State", "before"));
  CHECK_OK(netcore_request_set_body(request, "before", 6));
  CHECK_OK(door_dispatch(&door, request, &dispatched));
  CHECK_OK(netcore_task_create(door.client, request, outcome_done, &created, &created.task));
  CHECK_OK(netcore_request_set_method(request, "PUT"));
  CHECK_OK(netcore_request_set_url(request, at(ORIGIN, "/echo?after")));
  CHECK_OK(netcore_request_set_header(request, "X-State", "after"));
  CHECK_OK(netcore_request_set_body(request, "after", 5));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_task_dispatch(created.task));
  CHECK_EQUAL(tally_count(&ended), 0);
  server_allow(server, 1);
  door_wait(&door, &ended, 3);
  netcore_response_info first = response_info(dispatched.completion.response);
  netcore_response_info second = response_info(created.completion.response);
  CHECK(bytes_have(first.body, "\"method\": \"POST\", \"target\": \"/echo?before\""));
  CHECK(bytes_have(first.body, "\"body\": \"before\"") && bytes_have(first.body, "[\"X-State\", \"before\"]"));
  CHECK(bytes_have(second.body, "\"method\": \"POST\", \"target\": \"/echo?before\""));
  CHECK(!bytes_have(first.body, "after") && !bytes_have(second.body, "after"));
  outcome_free(&ahead), outcome_free(&dispatched), outcome_free(&created);
  CHECK_OK(netcore_client_destroy(door.client));
  server_stop(server);
  free(server);
}

/* A request that outlives its clients is made ready anew for each. */
static void test_many_clients(void) {
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  check_case = "one request for many clients, one after the other";
  for (int i = 0; i < 20; i++) {
    char name[20], expected[60];
    netcore_client_options options = {.size = sizeof options, .user_agent = name};
    netcore_client other = 0;
    snprintf(name, sizeof name, "client/%d", i);
    snprintf(expected, sizeof expected, "\"%s\"", name);
    CHECK_OK(netcore_client_create(&options, &other));
    struct answer answer = perform(other, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_BODY_HAS(&answer, expected);
    answer_free(&answer);
    CHECK_OK(netcore_client_destroy(other));
  }
  CHECK_OK(netcore_request_destroy(request));
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_methods();
  test_urls();
  test_user_name_and_password();
  test_header_order();
  test_header_values();
  test_own_headers();
  test_accepted_codings();
  test_user_agent_option();
  test_bodies();
  test_large_body();
  test_snapshot();
  test_many_clients();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
