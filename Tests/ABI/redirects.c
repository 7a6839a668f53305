/*
 * Redirects: how methods and bodies change, which credentials are dropped and for good, what is refused, where it ends,
 * and that they can be received instead of followed.
 */
#include "support.h"

#include "support/server.h"

static netcore_client client;

static void redirect_path(char *text, size_t size, int code, const char *to) {
  int used = snprintf(text, size, "/redirect/%d?to=", code);
  for (const char *c = to; *c != '\0'; c++)
    used += snprintf(text + used, size - (size_t)used, strchr("?&=%#+", *c) != NULL ? "%%%02X" : "%c", *c);
}

static netcore_request redirect_request(const char *method, const char *base, int code, const char *to) {
  char path[900];
  redirect_path(path, sizeof path, code, to);
  return request_new(method, at(base, path));
}

static const struct {
  const char *method;
  int code;
  const char *becomes;
  bool keeps_body;
} changes[] = {
    {"GET", 301, "GET", true},     {"GET", 302, "GET", true},       {"GET", 307, "GET", true},
    {"GET", 308, "GET", true},     {"POST", 301, "GET", false},     {"POST", 302, "GET", false},
    {"POST", 303, "GET", false},   {"POST", 307, "POST", true},     {"POST", 308, "POST", true},
    {"PUT", 301, "PUT", true},     {"PUT", 302, "PUT", true},       {"PUT", 303, "GET", false},
    {"PUT", 307, "PUT", true},     {"PUT", 308, "PUT", true},       {"DELETE", 302, "DELETE", true},
    {"DELETE", 303, "GET", false}, {"DELETE", 307, "DELETE", true}, {"PATCH", 301, "PATCH", true},
    {"PATCH", 303, "GET", false},  {"PROPFIND", 303, "GET", false}, {"PROPFIND", 302, "PROPFIND", true},
};

static void test_methods(void) {
  for (size_t i = 0; i < LENGTH(changes); i++) {
    static char name[60];
    char method[60];
    snprintf(name, sizeof name, "%s by %d", changes[i].method, changes[i].code);
    check_case = name;
    netcore_request request = redirect_request(changes[i].method, ORIGIN, changes[i].code, "/echo");
    CHECK_OK(netcore_request_set_body(request, "the body", 8));
    CHECK_OK(netcore_request_set_header(request, "Content-Type", "text/x-test"));
    CHECK_OK(netcore_request_set_header(request, "Content-Language", "tlh"));
    CHECK_OK(netcore_request_set_header(request, "X-Keep", "1"));
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.redirects, 1);
    CHECK_EQUAL(answer.info.attempts, 1);
    CHECK_TEXT(answer.info.url, at(ORIGIN, "/echo"));
    snprintf(method, sizeof method, "\"method\": \"%s\"", changes[i].becomes);
    CHECK_BODY_HAS(&answer, method);
    CHECK_BODY_HAS(&answer, "[\"X-Keep\", \"1\"]");
    CHECK_EQUAL(body_has(&answer, "\"body\": \"the body\""), changes[i].keeps_body);
    CHECK_EQUAL(body_has(&answer, "[\"Content-Type\", \"text/x-test\"]"), changes[i].keeps_body);
    CHECK_EQUAL(body_has(&answer, "[\"Content-Language\", \"tlh\"]"), changes[i].keeps_body);
    CHECK_EQUAL(body_has(&answer, "[\"Content-Length\", \"8\"]"), changes[i].keeps_body);
    CHECK(changes[i].keeps_body || !body_has(&answer, "Content-Length"));
    answer_free(&answer);
  }
  check_case = "HEAD by 303";
  struct answer answer = perform_once(client, redirect_request("HEAD", ORIGIN, 303, "/echo"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK_EQUAL(answer.info.redirects, 1);
  CHECK_EQUAL(answer.info.body.size_bytes, 0);
  answer_free(&answer);
}

static void test_not_followed(void) {
  static const int codes[] = {300, 304, 305, 306, 309, 399};
  for (size_t i = 0; i < LENGTH(codes); i++) {
    check_case = "a 3xx that is no redirect";
    struct answer answer = perform_once(client, redirect_request("GET", ORIGIN, codes[i], "/echo"));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.http_status, codes[i]);
    CHECK_EQUAL(answer.info.redirects, 0);
    answer_free(&answer);
  }
  check_case = "302 without Location";
  struct answer answer = fetch(client, at(ORIGIN, "/status/302"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 302);
  answer_free(&answer);

  check_case = "redirects received, not followed";
  netcore_request request = redirect_request("POST", ORIGIN, 302, "/echo?q");
  CHECK_OK(netcore_request_set_follow_redirects(request, 0));
  answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 302);
  CHECK_EQUAL(answer.info.redirects, 0);
  CHECK_TEXT(header(&answer, "location"), "/echo?q");
  CHECK_TEXT(answer.info.body, "elsewhere\n");
  CHECK(bytes_have(answer.info.url, "/redirect/302"));
  answer_free(&answer);
  CHECK_OK(netcore_request_set_follow_redirects(request, 1));
  answer = perform_once(client, request);
  CHECK_EQUAL(answer.info.redirects, 1);
  answer_free(&answer);
}

static netcore_request with_credentials(netcore_request request) {
  CHECK_OK(netcore_request_set_header(request, "Authorization", "Bearer hidden"));
  CHECK_OK(netcore_request_set_header(request, "Cookie", "a=hidden"));
  CHECK_OK(netcore_request_set_header(request, "Proxy-Authorization", "Basic hidden"));
  CHECK_OK(netcore_request_set_header(request, "X-Keep", "1"));
  return request;
}

static void check_dropped(const char *name, const char *to) {
  check_case = name;
  struct answer answer = perform_once(client, with_credentials(redirect_request("GET", ORIGIN, 307, to)));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, "\"method\": \"GET\"");
  CHECK_BODY_HAS(&answer, "[\"X-Keep\", \"1\"]");
  CHECK(!body_has(&answer, "hidden"));
  answer_free(&answer);
}

static void test_credentials(void) {
  char other_host[100], back[300], with_user[800];
  const char *port = strrchr(peer(ORIGIN), ':');
  check_case = "credentials within one origin";
  struct answer answer = perform_once(client, with_credentials(redirect_request("GET", ORIGIN, 307, "/echo")));
  CHECK_BODY_HAS(&answer, "[\"Authorization\", \"Bearer hidden\"]");
  CHECK_BODY_HAS(&answer, "[\"Cookie\", \"a=hidden\"]");
  answer_free(&answer);

  snprintf(other_host, sizeof other_host, "http://localhost%s/echo", port);
  check_dropped("credentials to another host", other_host);
  check_dropped("credentials to another scheme", at(ORIGIN_TLS, "/echo"));
  snprintf(back, sizeof back, "http://localhost%s/redirect/307?to=%s", port, at(ORIGIN, "/echo"));
  check_dropped("credentials to another host and back", back);

  check_case = "credentials to another port";
  struct server *server = server_start(10);
  netcore_request request = redirect_request("GET", ORIGIN, 302, server_url(server, "/"));
  answer = perform_once(client, with_credentials(request));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_TEXT(answer.info.body, "ok");
  answer_free(&answer);
  CHECK(strcasestr(server->last_head, "x-keep: 1") != NULL && strstr(server->last_head, "hidden") == NULL);

  check_case = "user name and password to another port";
  char path[600];
  redirect_path(path, sizeof path, 302, server_url(server, "/"));
  snprintf(with_user, sizeof with_user, "http://user:secret@127.0.0.1%s%s", port, path);
  answer = fetch(client, with_user);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  server_stop(server);
  CHECK(strcasestr(server->last_head, "authorization") == NULL);
  free(server);

  check_case = "user name and password within one origin";
  redirect_path(path, sizeof path, 302, "/echo");
  snprintf(with_user, sizeof with_user, "http://user:secret@127.0.0.1%s%s", port, path);
  answer = fetch(client, with_user);
  CHECK_BODY_HAS(&answer, "[\"Authorization\", \"Basic dXNlcjpzZWNyZXQ=\"]");
  CHECK_TEXT(answer.info.url, at(ORIGIN, "/echo"));
  answer_free(&answer);
}

static void test_insecure(void) {
  check_case = "https to http";
  netcore_request request = redirect_request("GET", ORIGIN_TLS, 302, at(ORIGIN, "/echo"));
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_REDIRECT_INSECURE);
  CHECK_EQUAL(answer.info.http_status, 302);
  CHECK_EQUAL(answer.error.is_retryable, 0);
  answer_free(&answer);
  CHECK_OK(netcore_request_set_allow_insecure_redirects(request, 1));
  answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_TEXT(answer.info.url, at(ORIGIN, "/echo"));
  answer_free(&answer);
}

static void check_chain(int hops, uint64_t limit, netcore_status status) {
  char path[60];
  snprintf(path, sizeof path, "/redirect-chain/%d", hops);
  netcore_request request = request_new("GET", at(ORIGIN, path));
  if (limit != 20) CHECK_OK(netcore_request_set_limit(request, NETCORE_LIMIT_REDIRECTS, limit));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, status);
  CHECK_EQUAL(answer.info.redirects, (uint64_t)hops < limit ? (uint64_t)hops : limit);
  CHECK_EQUAL(answer.info.http_status, status == NETCORE_OK ? 200 : 302);
  answer_free(&answer);
}

static void test_limit(void) {
  check_case = "the limit of redirects";
  check_chain(20, 20, NETCORE_OK);
  check_chain(21, 20, NETCORE_ERR_LIMIT_REDIRECTS);
  check_chain(3, 3, NETCORE_OK);
  check_chain(4, 3, NETCORE_ERR_LIMIT_REDIRECTS);
  check_chain(1, 0, NETCORE_ERR_LIMIT_REDIRECTS);
  check_chain(30, UINT64_MAX, NETCORE_OK);
  check_case = "a loop";
  struct answer answer = perform_once(client, redirect_request("GET", ORIGIN, 302, "#again"));
  CHECK_STATUS(answer.status, NETCORE_ERR_LIMIT_REDIRECTS);
  CHECK_EQUAL(answer.info.redirects, 20);
  answer_free(&answer);
}

static void test_locations(void) {
  static const char *const invalid[] = {"http://",
                                        "http://[::1/",
                                        "http://localhost:x/",
                                        "http://%0d%0a/",
                                        "http:///x",
                                        "ftp://localhost/",
                                        "file:///etc/passwd",
                                        "gopher://localhost:1/",
                                        ("http://a\xEF\xBC\x8F"
                                         "b/")};
  static const struct {
    const char *location, *url;
  } relative[] = {{"/echo?a b", "/echo?a%20b"},  {"../echo", "/echo"},
                  {"./../echo", "/echo"},        {"/echo#part", "/echo#part"},
                  {"?x=1", "/redirect/302?x=1"}, {"/a/../echo?q=1", "/echo?q=1"},
                  {"echo", "/redirect/echo"},    {"/echo?\xC3\xBC", "/echo?%C3%BC"}};
  for (size_t i = 0; i < LENGTH(invalid); i++) {
    check_case = invalid[i];
    struct answer answer = perform_once(client, redirect_request("GET", ORIGIN, 302, invalid[i]));
    CHECK_STATUS(answer.status, NETCORE_ERR_REDIRECT);
    CHECK_EQUAL(answer.info.redirects, 0);
    answer_free(&answer);
  }
  for (size_t i = 0; i < LENGTH(relative); i++) {
    check_case = relative[i].location;
    struct answer answer = perform_once(client, redirect_request("GET", ORIGIN, 302, relative[i].location));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.redirects, 1);
    if (!CHECK(strcasecmp((const char *)answer.info.url.data, at(ORIGIN, relative[i].url)) == 0))
      fprintf(stderr, "    %s\n", (const char *)answer.info.url.data);
    answer_free(&answer);
  }
}

int main(void) {
  check_begin();
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  REQUIRE_OK(netcore_client_create(&options, &client));
  test_methods();
  test_not_followed();
  test_credentials();
  test_insecure();
  test_limit();
  test_locations();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
