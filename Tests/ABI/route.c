/*
 * How connections are made: addresses that are given, Unix-domain sockets, where they come from, which addresses they go to.
 */
#include "support.h"

static netcore_client client_with(netcore_client_options options) {
  netcore_client client = 0;
  options.size = sizeof options;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

static void check_fetch(netcore_client_options options, const char *url, const char *body) {
  netcore_client client = client_with(options);
  for (int i = 0; i < 2; i++) {
    struct answer answer = fetch(client, url);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.connection_reused, i);
    CHECK_TEXT(answer.info.body, body);
    answer_free(&answer);
  }
  CHECK_OK(netcore_client_destroy(client));
}

static void check_fails(netcore_client_options options, const char *url, netcore_status status) {
  netcore_client client = client_with(options);
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, status);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_resolve(void) {
  char url[200], entry[200];
  const char *entries[] = {entry}, *port = strrchr(peer(NGINX), ':') + 1;
  check_case = "an address that is given";
  snprintf(url, sizeof url, "http://no.such.host.invalid:%s/", port);
  snprintf(entry, sizeof entry, "no.such.host.invalid:%s:127.0.0.1", port);
  check_fetch((netcore_client_options){.resolve = entries, .resolve_count = 1}, url, "hello");
  check_case = "an address that is given for another port";
  snprintf(entry, sizeof entry, "no.such.host.invalid:1:127.0.0.1");
  check_fails((netcore_client_options){.resolve = entries, .resolve_count = 1}, url, NETCORE_ERR_RESOLVE);
}

static void test_unix_socket(void) {
  check_case = "a Unix-domain socket";
  check_fetch((netcore_client_options){.unix_socket = peer(NGINX_UNIX)}, "http://no.such.host.invalid/", "hello");
  check_case = "a Unix-domain socket, and a proxy that is not used";
  check_fetch((netcore_client_options){.unix_socket = peer(NGINX_UNIX), .proxy = peer(REFUSED)}, "http://a.invalid/",
              "hello");
  check_case = "a Unix-domain socket that is not there";
  check_fails((netcore_client_options){.unix_socket = "/nowhere"}, "http://a.invalid/", NETCORE_ERR_CONNECT);
}

static void test_interface(void) {
  check_case = "where connections come from";
  check_fetch((netcore_client_options){.interface = "127.0.0.2"}, at(NGINX, "/peer"), "127.0.0.2");
  check_fetch((netcore_client_options){.interface = "lo"}, at(NGINX, "/peer"), "127.0.0.1");
  check_case = "an interface that is not there";
  check_fails((netcore_client_options){.interface = "nowhere0"}, at(NGINX, "/peer"), NETCORE_ERR_CONNECT);
}

static void test_address_family(void) {
  char url[200];
  snprintf(url, sizeof url, "http://localhost%s/", strrchr(peer(NGINX), ':'));
  check_case = "IPv4 alone";
  check_fetch((netcore_client_options){.address_family = NETCORE_ADDRESS_FAMILY_IPV4}, url, "hello");
  check_case = "IPv6 alone, to an IPv4 address";
  check_fails((netcore_client_options){.address_family = NETCORE_ADDRESS_FAMILY_IPV6}, at(NGINX, "/"),
              NETCORE_ERR_CONNECT);
}

static void check_refused(const char *name, netcore_client_options options, const char *argument) {
  netcore_client client = 1;
  check_case = name;
  options.size = sizeof options;
  CHECK_STATUS(netcore_client_create(&options, &client), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK(strstr(netcore_last_error_message(), argument) != NULL);
  CHECK_EQUAL(client, 0);
}

static void test_bad_options(void) {
  char longer[120];
  const char *const bad_entries[] = {"",
                                     "host",
                                     "host:80",
                                     "host:80:",
                                     ":80:127.0.0.1",
                                     "host:0:127.0.0.1",
                                     "host:65536:127.0.0.1",
                                     "host:http:127.0.0.1",
                                     "host:80:127.0.0.1\r\n",
                                     "\xFF:80:::1"};
  for (size_t i = 0; i < sizeof bad_entries / sizeof *bad_entries; i++) {
    check_refused("a resolve entry", (netcore_client_options){.resolve = &bad_entries[i], .resolve_count = 1},
                  "resolve");
  }
  check_refused("null entries", (netcore_client_options){.resolve_count = 1}, "resolve");
  check_refused("absurdly many", (netcore_client_options){.resolve = bad_entries, .resolve_count = SIZE_MAX},
                "resolve");
  memset(longer, 'a', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  check_refused("a long socket path", (netcore_client_options){.unix_socket = longer}, "unix_socket");
  check_refused("no socket path", (netcore_client_options){.unix_socket = ""}, "unix_socket");
  check_refused("no interface", (netcore_client_options){.interface = ""}, "interface");
  check_refused("a family", (netcore_client_options){.address_family = 5}, "address_family");
}

int main(void) {
  check_begin();
  test_resolve();
  test_unix_socket();
  test_interface();
  test_address_family();
  test_bad_options();
  return check_end();
}
