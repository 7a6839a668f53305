/*
 * SOCKS 5 proxies, open and with a password: which side looks the origin's name up, what the origin hears of the proxy,
 * and how a proxy that refuses, is not there or does not answer is reported.
 */
#include "support.h"

#include "support/proxy.h"
#include "support/server.h"

/* Whether the proxy's log has a connection to this host at the server's port, which is no other program's. */
static bool log_has(const char *variable, const char *host, int port) {
  char wanted[100], line[300];
  bool is_there = false;
  FILE *log = fopen(peer(variable), "r");
  REQUIRE(log != NULL);
  snprintf(wanted, sizeof wanted, "connected to %s:%d\n", host, port);
  while (fgets(line, sizeof line, log) != NULL) is_there = is_there || strstr(line, wanted) != NULL;
  fclose(log);
  return is_there;
}

/* With socks5 the client looks the name up, with socks5h the proxy does. */
static void test_names(const char *name, const char *variable, const char *log, const char *credentials) {
  struct server *server = server_start(2);
  char url[100];
  snprintf(url, sizeof url, "http://localhost:%d/", server->port);
  check_case = name;
  for (int by_proxy = 0; by_proxy < 2; by_proxy++) {
    netcore_client client = proxied_client(proxy_as(peer(variable), by_proxy ? "socks5h" : "socks5", credentials), "");
    struct answer answer = fetch(client, url);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(log_has(log, "localhost", server->port), by_proxy);
    CHECK(log_has(log, "127.0.0.1", server->port));
    CHECK(strstr(server->last_head, "GET / HTTP/1.1\r\n") == server->last_head);
    CHECK(strcasestr(server->last_head, "\nProxy-") == NULL &&
          strcasestr(server->last_head, "\nAuthorization") == NULL);
    answer_free(&answer);
    CHECK_OK(netcore_client_destroy(client));
  }
  server_stop(server);
  free(server);
}

static void test_passes(void) {
  const char *with_password = peer(SOCKS_AUTH), *open = peer(SOCKS);
  test_names("names, an open proxy", SOCKS, SOCKS_LOG, "");
  test_names("names, a proxy with a password", SOCKS_AUTH, SOCKS_AUTH_LOG, "user:secret@");
  check_passes("open, plain", open, at(ORIGIN, "/echo"), false);
  check_passes("open, TLS", open, at(ORIGIN_TLS, "/echo"), false);
  check_passes("a password, plain", with_password, at(ORIGIN, "/echo"), false);
  check_passes("a password, TLS", with_password, at(ORIGIN_TLS, "/echo"), false);
  check_passes("socks5h, TLS", proxy_as(with_password, "socks5h", "user:secret@"), at(ORIGIN_TLS, "/echo"), false);
  check_passes("a password in percent-encoding", proxy_as(with_password, "socks5", "us%65r:%73ecret@"),
               at(ORIGIN, "/echo"), false);
  check_passes("a password that is not asked for", proxy_as(open, "socks5", "user:secret@"), at(ORIGIN, "/echo"),
               false);
  check_case = "HTTP/2";
  netcore_client client = proxied_client(with_password, "");
  struct answer answer = fetch(client, at(NGINX_H2, "/small.txt"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_version, NETCORE_HTTP_VERSION_2);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_failures(void) {
  const char *proxy = peer(SOCKS_AUTH), *refused = peer(REFUSED), *url = at(ORIGIN, "/echo");
  const char *by_proxy = proxy_as(proxy, "socks5h", "user:secret@");
  check_fails("a wrong password", proxy_as(proxy, "socks5", "user:wrong-secret@"), url, NETCORE_ERR_CONNECT_PROXY);
  check_fails("a wrong password, TLS", proxy_as(proxy, "socks5h", "secret:wrong@"), at(ORIGIN_TLS, "/echo"),
              NETCORE_ERR_CONNECT_PROXY);
  check_fails("no password", proxy_as(proxy, "socks5", ""), url, NETCORE_ERR_CONNECT_PROXY);
  check_fails("no proxy at the address", proxy_as(refused, "socks5", "user:secret@"), url, NETCORE_ERR_CONNECT_PROXY);
  check_fails("no proxy at the address, socks5h", proxy_as(refused, "socks5h", "user:secret@"), at(ORIGIN_TLS, "/echo"),
              NETCORE_ERR_CONNECT_PROXY);
  check_fails("a proxy without address", "socks5://user:secret@no-such-host.invalid:1", url, NETCORE_ERR_RESOLVE_PROXY);
  check_fails("an origin that refuses the proxy", proxy, at(REFUSED, "/"), NETCORE_ERR_CONNECT_PROXY);
  check_fails("an origin without address", proxy, "http://no-such-host.invalid/", NETCORE_ERR_RESOLVE);
  check_fails("an origin without address, socks5h", by_proxy, "http://no-such-host.invalid/",
              NETCORE_ERR_CONNECT_PROXY);
}

/* The handshake with the proxy is a part of connecting. */
static void test_silence(void) {
  int port, listener = listen_on_loopback(5, &port);
  char proxy[60];
  check_case = "a proxy that does not answer";
  snprintf(proxy, sizeof proxy, "socks5://user:secret@127.0.0.1:%d", port);
  netcore_client client = proxied_client(proxy, "");
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_connect_timeout_ms(request, 100));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_TIMEOUT_CONNECT);
  CHECK_EQUAL(answer.error.phase, NETCORE_PHASE_CONNECT);
  CHECK(!has_password(answer.error.message));
  answer_free(&answer);
  close(listener);
  check_case = "a proxy that is gone";
  answer = fetch(client, at(ORIGIN, "/echo"));
  CHECK_STATUS(answer.status, NETCORE_ERR_CONNECT_PROXY);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_passes();
  test_failures();
  test_silence();
  return check_end();
}
