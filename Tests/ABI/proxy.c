/*
 * Proxies, by option and by the environment: who gets the request, who gets the credentials (the proxy, and never the
 * origin), and which hosts are reached directly. The scripted origin understands the form of request that goes to a
 * proxy, and so can stand in for one that tells what it was sent; squid is one that asks for a password.
 */
#include "support.h"

#include "support/proxy.h"

static char origin_as_proxy[200];

/* Whether /echo was asked through a proxy: then its target is a whole URL. */
static bool goes_through(const char *proxy, const char *no_proxy, const char *url) {
  netcore_client client = proxied_client(proxy, no_proxy);
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, "\"method\": \"GET\"");
  bool is_through = body_has(&answer, "\"target\": \"http://");
  /* The credentials are for the proxy alone, and it gets them each time. */
  CHECK_EQUAL(body_has(&answer, "[\"Proxy-Authorization\", \"" BASIC "\"]"), is_through);
  CHECK(!body_has(&answer, "[\"Authorization\""));
  CHECK(!bytes_have(answer.info.url, "secret"));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  return is_through;
}

static void test_option(void) {
  static const struct {
    const char *no_proxy;
    bool is_through;
  } cases[] = {{"", true},
               {"127.0.0.1", false},
               {"*", false},
               {"example.com,127.0.0.1", false},
               {"127.0.0.2", true},
               {"127.0.0.0/8", false},
               {"10.0.0.0/8", true},
               {" 127.0.0.1 ", false},
               {"example.com", true},
               {"127.0.0.1:1", true},
               {"example.com, *", false}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].no_proxy;
    CHECK_EQUAL(goes_through(origin_as_proxy, cases[i].no_proxy, at(ORIGIN, "/echo")), cases[i].is_through);
  }
  check_case = "domain suffixes";
  CHECK(goes_through(origin_as_proxy, "test", "http://host.example/echo"));
  CHECK(goes_through(origin_as_proxy, "ost.example", "http://host.example/echo"));
  char url[100], place[100];
  check_case = "a port";
  snprintf(place, sizeof place, "127.0.0.1%s", strrchr(peer(ORIGIN), ':'));
  CHECK(!goes_through(origin_as_proxy, place, at(ORIGIN, "/echo")));
  snprintf(url, sizeof url, "http://localhost%s/echo", strrchr(peer(ORIGIN), ':'));
  CHECK(!goes_through(origin_as_proxy, "localhost", url));
  CHECK(goes_through(origin_as_proxy, NULL, url));
}

static void test_environment(void) {
  check_case = "the environment";
  setenv("http_proxy", origin_as_proxy, 1);
  CHECK(goes_through(NULL, NULL, at(ORIGIN, "/echo")));
  CHECK(!goes_through("", NULL, at(ORIGIN, "/echo")));
  CHECK(!goes_through(NULL, "127.0.0.1", at(ORIGIN, "/echo")));
  setenv("no_proxy", "127.0.0.1", 1);
  CHECK(!goes_through(NULL, NULL, at(ORIGIN, "/echo")));
  CHECK(!goes_through(origin_as_proxy, NULL, at(ORIGIN, "/echo")));
  CHECK(goes_through(origin_as_proxy, "", at(ORIGIN, "/echo")));
  unsetenv("no_proxy");
  setenv("NO_PROXY", "127.0.0.1", 1);
  CHECK(!goes_through(NULL, NULL, at(ORIGIN, "/echo")));
  unsetenv("NO_PROXY");
  unsetenv("http_proxy");

  setenv("all_proxy", origin_as_proxy, 1);
  CHECK(goes_through(NULL, NULL, at(ORIGIN, "/echo")));
  unsetenv("all_proxy");
  setenv("ALL_PROXY", origin_as_proxy, 1);
  CHECK(goes_through(NULL, NULL, at(ORIGIN, "/echo")));
  unsetenv("ALL_PROXY");
  setenv("HTTP_PROXY", origin_as_proxy, 1); /* A CGI sets it from a header field; it does not count. */
  setenv("https_proxy", origin_as_proxy, 1);
  CHECK(!goes_through(NULL, NULL, at(ORIGIN, "/echo")));
  unsetenv("https_proxy");
  unsetenv("HTTP_PROXY");

  check_case = "the environment is read once, at create";
  netcore_client before = proxied_client(NULL, NULL);
  setenv("http_proxy", origin_as_proxy, 1);
  netcore_client after = proxied_client(NULL, NULL);
  unsetenv("http_proxy");
  struct answer direct = fetch(before, at(ORIGIN, "/echo")), proxied = fetch(after, at(ORIGIN, "/echo"));
  CHECK(!body_has(&direct, "Proxy-Authorization"));
  CHECK(body_has(&proxied, "Proxy-Authorization"));
  answer_free(&direct);
  answer_free(&proxied);
  CHECK_OK(netcore_client_destroy(before));
  CHECK_OK(netcore_client_destroy(after));
}

static bool goes_by(netcore_client_options options, const char *url) {
  netcore_client client = 0;
  options.size = sizeof options;
  options.ca_file = peer(CA_FILE);
  REQUIRE_OK(netcore_client_create(&options, &client));
  struct answer answer = fetch(client, url);
  bool is_through = body_has(&answer, "Proxy-Authorization");
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  return is_through;
}

static void test_schemes(void) {
  const char *dead = "http://127.0.0.1:1";
  check_case = "proxies by scheme";
  CHECK(goes_by((netcore_client_options){.http_proxy = origin_as_proxy}, at(ORIGIN, "/echo")));
  CHECK(goes_by((netcore_client_options){.http_proxy = origin_as_proxy, .proxy = dead}, at(ORIGIN, "/echo")));
  CHECK(goes_by((netcore_client_options){.https_proxy = dead, .proxy = origin_as_proxy}, at(ORIGIN, "/echo")));
  CHECK(!goes_by((netcore_client_options){.http_proxy = "", .proxy = dead}, at(ORIGIN, "/echo")));
  CHECK(!goes_by((netcore_client_options){.http_proxy = dead}, at(ORIGIN_TLS, "/echo")));
  CHECK(!goes_by((netcore_client_options){.https_proxy = "", .proxy = dead}, at(ORIGIN_TLS, "/echo")));
  setenv("http_proxy", dead, 1);
  CHECK(goes_by((netcore_client_options){.http_proxy = origin_as_proxy}, at(ORIGIN, "/echo")));
  CHECK(!goes_by((netcore_client_options){.http_proxy = ""}, at(ORIGIN, "/echo")));
  unsetenv("http_proxy");
  netcore_client client = 77;
  netcore_client_options options = {.size = sizeof options, .https_proxy = "ftp://secret@h"};
  CHECK_STATUS(netcore_client_create(&options, &client), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK(strncmp(netcore_last_error_message(), "https_proxy: ", 13) == 0);
}

/* From a host behind the proxy to one that is reached directly: the proxy's credentials stay behind. */
static void test_redirect(void) {
  char url[300];
  check_case = "a redirect away from the proxy";
  netcore_client client = proxied_client(origin_as_proxy, "127.0.0.1");
  snprintf(url, sizeof url, "http://host.example/redirect/302?to=%s", at(ORIGIN, "/echo"));
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.redirects, 1);
  CHECK_BODY_HAS(&answer, "\"target\": \"/echo\"");
  CHECK(!body_has(&answer, "Proxy-"));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_failures(void) {
  const char *refused = proxy_as(peer(REFUSED), "http", "user:secret@");
  check_fails("a proxy that refuses", refused, at(ORIGIN, "/echo"), NETCORE_ERR_CONNECT_PROXY);
  check_fails("a proxy that refuses, TLS", refused, at(ORIGIN_TLS, "/echo"), NETCORE_ERR_CONNECT_PROXY);
  check_fails("a proxy without address", "http://user:secret@no-such-host.invalid:1", at(ORIGIN, "/echo"),
              NETCORE_ERR_RESOLVE_PROXY);
  check_case = "a proxy of the environment whose name has no form in ASCII";
  setenv("http_proxy", "http://\u00E9:1", 1);
  netcore_client unnamed = proxied_client(NULL, NULL);
  unsetenv("http_proxy");
  struct answer unresolved = fetch(unnamed, at(ORIGIN, "/echo"));
  CHECK_STATUS(unresolved.status, NETCORE_ERR_RESOLVE_PROXY);
  answer_free(&unresolved);
  CHECK_OK(netcore_client_destroy(unnamed));
  check_case = "a host reached directly that refuses";
  netcore_client client = proxied_client(origin_as_proxy, "127.0.0.1");
  struct answer answer = fetch(client, at(REFUSED, "/"));
  CHECK_STATUS(answer.status, NETCORE_ERR_CONNECT);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  /* The origin knows no CONNECT: it answers 400 to it. */
  check_fails("a proxy that opens no tunnel", origin_as_proxy, at(ORIGIN_TLS, "/echo"), NETCORE_ERR_CONNECT_PROXY);
}

static void test_squid(void) {
  const char *proxy = peer(PROXY_AUTH), *wrong = proxy_as(proxy, "http", "user:wrong@");
  check_passes("squid, plain", proxy, at(ORIGIN, "/echo"), true);
  check_passes("squid, a tunnel", proxy, at(ORIGIN_TLS, "/echo"), false);
  check_case = "squid, a wrong password, plain";
  netcore_client client = proxied_client(wrong, "");
  struct answer answer = fetch(client, at(ORIGIN, "/echo"));
  CHECK_STATUS(answer.status, NETCORE_OK); /* It is a response, if not the origin's. */
  CHECK_EQUAL(answer.info.http_status, 407);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  check_fails("squid, a wrong password, a tunnel", wrong, at(ORIGIN_TLS, "/echo"), NETCORE_ERR_CONNECT_PROXY);
}

int main(void) {
  check_begin();
  snprintf(origin_as_proxy, sizeof origin_as_proxy, "http://user:secret@%s", strstr(peer(ORIGIN), "://") + 3);
  test_option();
  test_environment();
  test_schemes();
  test_redirect();
  test_failures();
  test_squid();
  return check_end();
}
