/*
 * Credentials of a request: Basic and Bearer as httpbin and nginx take them, which ones win, and where they go.
 */
#include "support.h"

#include "support/auth.h"
#include "support/refusal.h"

static netcore_client client;

static void test_basic(void) {
  check_case = "Basic";
  CHECK_ANSWER(client,
               auth_request(at(HTTPBIN, "/basic-auth/me/open%20sesame"), NETCORE_AUTH_BASIC, "me", "open sesame"), 200,
               "\"authenticated\": true");
  CHECK_ANSWER(client, auth_request(at(NGINX, "/auth/hello.json"), NETCORE_AUTH_BASIC, "user", "secret"), 200, "world");
  CHECK_ANSWER(client, auth_request(at(NGINX_TLS, "/auth/hello.json"), NETCORE_AUTH_BASIC, "user", "secret"), 200,
               "world");
  CHECK_ANSWER(client, auth_request(at(NGINX_H2, "/auth/hello.json"), NETCORE_AUTH_BASIC, "user", "secret"), 200,
               "world");
  check_case = "Basic, with other letters and a colon in the password";
  CHECK_ANSWER(client,
               auth_request(at(HTTPBIN, "/basic-auth/J%C3%BCrgen/a:b:"), NETCORE_AUTH_BASIC, "J\xC3\xBCrgen", "a:b:"),
               200, "\"authenticated\": true");
  check_case = "Basic, with an empty password";
  CHECK_ANSWER(client, auth_request(at(ORIGIN, "/echo"), NETCORE_AUTH_BASIC, "user", ""), 200, basic_field("user:"));
  check_case = "Basic, wrong";
  CHECK_ANSWER(client, auth_request(at(HTTPBIN, "/basic-auth/me/sesame"), NETCORE_AUTH_BASIC, "me", "wrong"), 401,
               NULL);
  CHECK_ANSWER(client, auth_request(at(NGINX, "/auth/hello.json"), NETCORE_AUTH_BASIC, "user", "wrong"), 401, "401");
  CHECK_ANSWER(client, auth_request(at(NGINX, "/auth/hello.json"), NETCORE_AUTH_BASIC, "nobody", "secret"), 401, "401");
  check_case = "Basic that the server does not ask for";
  CHECK_ANSWER(client, auth_request(at(HTTPBIN, "/hidden-basic-auth/me/sesame"), NETCORE_AUTH_BASIC, "me", "sesame"),
               200, "\"authenticated\": true");
  CHECK_ANSWER(client, auth_request(at(HTTPBIN, "/hidden-basic-auth/me/sesame"), NETCORE_AUTH_BASIC, "me", "wrong"),
               404, NULL);
  check_case = "no credentials";
  CHECK_ANSWER(client, request_new("GET", at(HTTPBIN, "/basic-auth/me/sesame")), 401, NULL);
  CHECK_ANSWER(client, request_new("GET", at(NGINX, "/auth/hello.json")), 401, "401");
}

static void test_bearer(void) {
  check_case = "Bearer";
  CHECK_ANSWER(client, auth_request(at(HTTPBIN, "/bearer"), NETCORE_AUTH_BEARER, NULL, "abc.DEF_-~+/=="), 200,
               "\"token\": \"abc.DEF_-~+/==\"");
  CHECK_ANSWER(client, request_new("GET", at(HTTPBIN, "/bearer")), 401, NULL);
}

/* Without a ticket there is nothing to say to the server, and what it said is the answer. */
static void test_negotiate(void) {
  check_case = "Negotiate without a ticket";
  setenv("KRB5CCNAME", "FILE:/nonexistent/tickets", 1);
  const char *url = at(ORIGIN, "/status/401?WWW-Authenticate=Negotiate");
  CHECK_ANSWER(client, auth_request(url, NETCORE_AUTH_NEGOTIATE, NULL, NULL), 401, "status 401");
  check_case = "Negotiate that the server does not ask for";
  CHECK_ANONYMOUS(client, auth_request(at(ORIGIN, "/echo"), NETCORE_AUTH_NEGOTIATE, NULL, NULL));
}

static void test_precedence(void) {
  check_case = "those of the URL";
  const char *url = with_user("u:url", at(ORIGIN, "/echo"));
  CHECK_ANSWER(client, request_new("GET", url), 200, basic_field("u:url"));
  CHECK_ANSWER(client, request_new("GET", with_user("u%40:%3Aurl", at(ORIGIN, "/echo"))), 200, basic_field("u@::url"));
  check_case = "those of the request win over the URL's";
  CHECK_ANSWER(client, auth_request(url, NETCORE_AUTH_BASIC, "u", "set"), 200, basic_field("u:set"));
  CHECK_ANSWER(client, auth_request(url, NETCORE_AUTH_BEARER, NULL, "set"), 200, "[\"Authorization\", \"Bearer set\"]");
  check_case = "a field of its own wins over all";
  netcore_request request = auth_request(url, NETCORE_AUTH_BASIC, "u", "set");
  CHECK_OK(netcore_request_set_header(request, "authorization", "Own field"));
  struct answer answer = perform(client, request);
  CHECK_BODY_HAS(&answer, "[\"authorization\", \"Own field\"]");
  CHECK(!body_has(&answer, "Basic"));
  answer_free(&answer);
  CHECK_OK(netcore_request_set_auth(request, NETCORE_AUTH_BEARER, NULL, "set"));
  answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "[\"authorization\", \"Own field\"]");
  CHECK(!body_has(&answer, "Bearer"));
  answer_free(&answer);
  check_case = "those that were set last count";
  request = auth_request(at(ORIGIN, "/echo"), NETCORE_AUTH_BASIC, "u", "first");
  CHECK_OK(netcore_request_set_auth(request, NETCORE_AUTH_BASIC, "u", "second"));
  CHECK_ANSWER(client, request, 200, basic_field("u:second"));
  request = auth_request(at(ORIGIN, "/echo"), NETCORE_AUTH_BEARER, NULL, "first");
  CHECK_OK(netcore_request_set_auth(request, NETCORE_AUTH_NONE, NULL, NULL));
  CHECK_ANONYMOUS(client, request);
  check_case = "a request that was sent takes others";
  request = auth_request(at(ORIGIN, "/echo"), NETCORE_AUTH_BASIC, "u", "first");
  answer = perform(client, request);
  CHECK_BODY_HAS(&answer, basic_field("u:first"));
  answer_free(&answer);
  CHECK_OK(netcore_request_set_auth(request, NETCORE_AUTH_BEARER, NULL, "second"));
  CHECK_ANSWER(client, request, 200, "[\"Authorization\", \"Bearer second\"]");
}

static void test_redirects(void) {
  static const struct {
    netcore_auth auth;
    const char *user, *password, *sent;
  } cases[] = {
      {NETCORE_AUTH_BASIC, "user", "secret", "[\"Authorization\", \"Basic dXNlcjpzZWNyZXQ=\"]"},
      {NETCORE_AUTH_BEARER, NULL, "secret", "[\"Authorization\", \"Bearer secret\"]"},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    netcore_auth auth = cases[i].auth;
    const char *user = cases[i].user, *password = cases[i].password;
    check_case = "a redirect within the origin";
    CHECK_ANSWER(client, auth_request(at(ORIGIN, redirect_to("/echo")), auth, user, password), 200, cases[i].sent);
    check_case = "a redirect to another origin";
    CHECK_ANONYMOUS(client, auth_request(at(ORIGIN, redirect_to(at_localhost("/echo"))), auth, user, password));
    CHECK_ANONYMOUS(client, auth_request(at(ORIGIN, redirect_to(at(ORIGIN_TLS, "/echo"))), auth, user, password));
    check_case = "a redirect to another origin and back";
    const char *back = at_localhost(redirect_to(at(ORIGIN, "/echo")));
    CHECK_ANONYMOUS(client, auth_request(at(ORIGIN, redirect_to(back)), auth, user, password));
  }
  check_case = "the Location's user and password";
  const char *location = with_user("from:location", at_localhost("/echo"));
  struct answer answer = fetch(client, at(ORIGIN, redirect_to(location)));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(!bytes_have(answer.info.url, "location"));
  answer_free(&answer);
}

#define REFUSES_AUTH(argument, ...) \
  REFUSES(netcore_request_set_auth, NETCORE_ERR_INVALID_ARGUMENT, argument, request, __VA_ARGS__)

static void test_bad_input(void) {
  static const netcore_auth unknown[] = {-1, 5, INT32_MAX, INT32_MIN};
  static const char *const bad_texts[] = {"\xFF", "a\r\nX-Evil: 1", "a\nb", "a\x7F", "\x01"};
  static const char *const bad_tokens[] = {"", " ", "a b", "a\r\nX-Evil: 1", "a\tb", "\x7F", "a\n", "\xC3\xBC", "\xFF"};
  netcore_request request = auth_request(at(ORIGIN, "/echo"), NETCORE_AUTH_BASIC, "user", "kept");
  check_case = "bad input";
  for (size_t i = 0; i < LENGTH(unknown); i++) REFUSES_AUTH("auth", unknown[i], "user", "secret");
  REFUSES_AUTH("user", NETCORE_AUTH_BASIC, NULL, "secret");
  REFUSES_AUTH("password", NETCORE_AUTH_BASIC, "user", NULL);
  REFUSES_AUTH("user", NETCORE_AUTH_DIGEST, NULL, "secret");
  REFUSES_AUTH("password", NETCORE_AUTH_DIGEST, "user", NULL);
  REFUSES_AUTH("password", NETCORE_AUTH_BEARER, NULL, NULL);
  REFUSES_AUTH("user", NETCORE_AUTH_BASIC, "us:er", "secret");
  for (size_t i = 0; i < LENGTH(bad_texts); i++) {
    REFUSES_AUTH("user", NETCORE_AUTH_BASIC, bad_texts[i], "secret");
    REFUSES_AUTH("password", NETCORE_AUTH_BASIC, "user", bad_texts[i]);
    REFUSES_AUTH("user", NETCORE_AUTH_DIGEST, bad_texts[i], "secret");
    REFUSES_AUTH("password", NETCORE_AUTH_DIGEST, "user", bad_texts[i]);
  }
  for (size_t i = 0; i < LENGTH(bad_tokens); i++) REFUSES_AUTH("password", NETCORE_AUTH_BEARER, NULL, bad_tokens[i]);
  check_case = "what a refused call left alone";
  CHECK_ANSWER(client, request, 200, basic_field("user:kept"));
}

int main(void) {
  check_begin();
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  REQUIRE_OK(netcore_client_create(&options, &client));
  test_basic();
  test_bearer();
  test_negotiate();
  test_precedence();
  test_redirects();
  test_bad_input();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
