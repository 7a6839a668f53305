/*
 * A proxy that is spoken to by TLS: its certificate is checked as an origin's is, for origins with TLS and without.
 */
#include "support.h"

#include "support/proxy.h"

static void test_passes(void) {
  const char *proxy = peer(PROXY_TLS);
  check_passes("plain", proxy, at(ORIGIN, "/echo"), true);
  check_passes("a tunnel", proxy, at(ORIGIN_TLS, "/echo"), false);

  check_case = "HTTP/2 in a tunnel";
  netcore_client client = proxied_client(proxy, "");
  struct answer answer = fetch(client, at(NGINX_H2, "/100k"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_version, NETCORE_HTTP_VERSION_2);
  CHECK(is_pattern(answer.info.body, 102400));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));

  check_case = "TLS 1.3 as the lowest version";
  netcore_client_options options = {.size = sizeof options, .proxy = proxy, .ca_file = peer(CA_FILE)};
  options.tls_min_version = NETCORE_TLS_VERSION_1_3;
  options.no_proxy = "";
  REQUIRE_OK(netcore_client_create(&options, &client));
  answer = fetch(client, at(ORIGIN, "/echo"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, "[\"Via\", ");
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void check_untrusted(const char *name, const char *ca_file, const char *proxy, const char *url) {
  netcore_client_options options = {.size = sizeof options, .proxy = proxy, .no_proxy = "", .ca_file = ca_file};
  netcore_client client = 0;
  check_case = name;
  REQUIRE_OK(netcore_client_create(&options, &client));
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_ERR_TLS_CERTIFICATE);
  CHECK_EQUAL(answer.error.phase, NETCORE_PHASE_CONNECT);
  CHECK_EQUAL(answer.error.is_retryable, 0);
  CHECK_EQUAL(answer.info.bytes_sent, 0); /* The password neither. */
  CHECK(!has_password(answer.error.message));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_trust(void) {
  const char *proxy = peer(PROXY_TLS), *ca = peer(CA_FILE);
  char other[200];
  check_untrusted("an authority that is not trusted, plain", NULL, proxy, at(ORIGIN, "/echo"));
  check_untrusted("an authority that is not trusted, a tunnel", NULL, proxy, at(ORIGIN_TLS, "/echo"));
  snprintf(other, sizeof other, "https://user:secret@other.localhost%s", strrchr(proxy, ':'));
  check_untrusted("a certificate for another name, plain", ca, other, at(ORIGIN, "/echo"));
  check_untrusted("a certificate for another name, a tunnel", ca, other, at(ORIGIN_TLS, "/echo"));
  snprintf(other, sizeof other, "https://other.localhost%s/echo", strrchr(peer(ORIGIN_TLS), ':'));
  check_untrusted("an origin's certificate in a trusted proxy's tunnel", ca, peer(SOCKS), other);
}

static void test_failures(void) {
  const char *proxy = peer(PROXY_TLS), *plain = peer(PROXY_AUTH), *url = at(ORIGIN, "/echo");
  check_fails("a port without TLS", proxy_as(plain, "https", "user:secret@"), url, NETCORE_ERR_TLS);
  check_fails("a port without TLS, a tunnel", proxy_as(plain, "https", "user:secret@"), at(ORIGIN_TLS, "/echo"),
              NETCORE_ERR_TLS);
  check_fails("no proxy at the address", proxy_as(peer(REFUSED), "https", "user:secret@"), url,
              NETCORE_ERR_CONNECT_PROXY);
  check_fails("a proxy without address", "https://user:secret@no-such-host.invalid:1", url, NETCORE_ERR_RESOLVE_PROXY);
  check_fails("a wrong password, a tunnel", proxy_as(proxy, "https", "user:wrong@"), at(ORIGIN_TLS, "/echo"),
              NETCORE_ERR_CONNECT_PROXY);
  check_fails("no password, a tunnel", proxy_as(proxy, "https", ""), at(ORIGIN_TLS, "/echo"),
              NETCORE_ERR_CONNECT_PROXY);
  check_case = "a wrong password, plain";
  netcore_client client = proxied_client(proxy_as(proxy, "https", "user:wrong@"), "");
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK); /* It is a response, if not the origin's. */
  CHECK_EQUAL(answer.info.http_status, 407);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

/* A body that ends with the origin's TLS, inside the proxy's: its end is told from a cut as without a proxy. */
static void test_ends_of_bodies(void) {
  static const struct {
    const char *steps;
    netcore_status status;
  } cases[] = {{"[{'send':'HTTP/1.1 200 OK\r\n\r\nhello'},{'close':true}]", NETCORE_OK},
               {"[{'send':'HTTP/1.1 200 OK\r\n\r\nhello'},{'cut':true}]", NETCORE_ERR_TRUNCATED}};
  const char *proxies[] = {peer(PROXY_TLS), peer(PROXY_AUTH), peer(SOCKS_AUTH)};
  for (size_t i = 0; i < LENGTH(proxies) * LENGTH(cases); i++) {
    check_case = i % LENGTH(cases) == 0 ? "a body that ends with its connection" : "a body that is cut";
    netcore_client client = proxied_client(proxies[i / LENGTH(cases)], "");
    struct answer answer = fetch_script(client, ORIGIN_TLS, cases[i % LENGTH(cases)].steps);
    CHECK_STATUS(answer.status, cases[i % LENGTH(cases)].status);
    if (answer.status == NETCORE_OK) CHECK_TEXT(answer.info.body, "hello");
    answer_free(&answer);
    CHECK_OK(netcore_client_destroy(client));
  }
}

int main(void) {
  check_begin();
  test_passes();
  test_trust();
  test_failures();
  test_ends_of_bodies();
  return check_end();
}
