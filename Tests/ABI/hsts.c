/*
 * HSTS (RFC 6797): hosts that ask for https get it, in place of http; who may ask, and where it is kept.
 */
#include "support.h"

#include "support/cache.h"

static char file[4200];

/* A client that trusts the tests' authority, with the names of example.test led to this machine. */
static netcore_client client_with(const char *hsts_file, int32_t skip_verification) {
  static const char *names[] = {"example.test", "a.example.test", "b.example.test"};
  static char entries[3][100];
  static const char *resolve[3];
  for (size_t i = 0; i < 3; i++) {
    snprintf(entries[i], sizeof entries[i], "%s:%s:127.0.0.1", names[i], strrchr(peer(NGINX_TLS), ':') + 1);
    resolve[i] = entries[i];
  }
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE), .hsts_file = hsts_file};
  options.skip_verification = skip_verification;
  options.resolve = resolve;
  options.resolve_count = 3;
  netcore_client client = 0;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

/* A URL at the port of a peer. */
static const char *url_at(const char *scheme, const char *host, const char *variable, const char *path) {
  static char texts[4][300];
  static unsigned next;
  char *text = texts[next++ % 4];
  snprintf(text, sizeof texts[0], "%s://%s%s%s", scheme, host, strrchr(peer(variable), ':'), path);
  return text;
}

static void ask(netcore_client client, const char *scheme, const char *host, const char *field) {
  char path[200];
  snprintf(path, sizeof path, "/sts?sts=%s", field);
  struct answer answer = fetch(client, url_at(scheme, host, NGINX_TLS, path));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
}

/* nginx answers 400 to http where it expects TLS. */
static void check_http(netcore_client client, const char *host, int is_upgraded) {
  struct answer answer = fetch(client, url_at("http", host, NGINX_TLS, "/sts"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, is_upgraded ? 200 : 400);
  const char *url = url_at(is_upgraded ? "https" : "http", host, NGINX_TLS, "/sts");
  if (!CHECK(strcmp((const char *)answer.info.url.data, url) == 0))
    fprintf(stderr, "    %s, not %s\n", (const char *)answer.info.url.data, url);
  answer_free(&answer);
}

static void test_memory(void) {
  netcore_client client = client_with("", 0);
  check_case = "a host asks";
  check_http(client, "localhost", 0);
  ask(client, "https", "localhost", "max-age=60");
  check_http(client, "localhost", 1);
  check_http(client, "LOCALHOST", 1);
  check_case = "a redirect to http";
  struct answer answer = fetch(client, url_at("https", "localhost", NGINX_TLS, "/to-http"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.redirects, 1);
  CHECK(strcmp((const char *)answer.info.url.data, url_at("https", "localhost", NGINX_TLS, "/sts")) == 0);
  answer_free(&answer);
  check_case = "it takes that back";
  ask(client, "https", "localhost", "max-age=0");
  check_http(client, "localhost", 0);
  check_case = "a redirect to http of a host that does not ask";
  answer = fetch(client, url_at("https", "localhost", NGINX_TLS, "/to-http"));
  CHECK_STATUS(answer.status, NETCORE_ERR_REDIRECT_INSECURE);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_subdomains(void) {
  netcore_client client = client_with("", 0);
  check_case = "a host below";
  ask(client, "https", "example.test", "max-age=60");
  check_http(client, "example.test", 1);
  check_http(client, "a.example.test", 0);
  ask(client, "https", "example.test", "max-age=60;includeSubDomains");
  check_http(client, "a.example.test", 1);
  check_http(client, "b.example.test", 1);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_who_may_ask(void) {
  netcore_client client = client_with("", 0);
  check_case = "http has no say";
  struct answer answer = fetch(client, url_at("http", "localhost", NGINX, "/sts?sts=max-age=60"));
  CHECK_EQUAL(answer.info.http_status, 200);
  answer_free(&answer);
  check_http(client, "localhost", 0);
  check_case = "addresses have none";
  ask(client, "https", "127.0.0.1", "max-age=60");
  check_http(client, "127.0.0.1", 0);
  CHECK_OK(netcore_client_destroy(client));
  check_case = "without a check of certificates no host has";
  client = client_with("", 1);
  ask(client, "https", "localhost", "max-age=60");
  check_http(client, "localhost", 0);
  CHECK_OK(netcore_client_destroy(client));
  check_case = "off";
  client = client_with(NULL, 0);
  ask(client, "https", "localhost", "max-age=60");
  check_http(client, "localhost", 0);
  CHECK_OK(netcore_client_destroy(client));
}

/* What is in memory, and in the cache, is found by https too, without a task. */
static void test_cached(void) {
  netcore_cache_options cache_options = {.size = sizeof cache_options};
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE), .hsts_file = ""};
  netcore_client client = 0;
  REQUIRE_OK(netcore_cache_create(&cache_options, &options.cache));
  REQUIRE_OK(netcore_client_create(&options, &client));
  check_case = "an answer that is stored";
  ask(client, "https", "localhost", "max-age=60");
  netcore_request request = request_new("GET", url_at("http", "localhost", NGINX_TLS, "/small.txt"));
  REQUIRE_OK(netcore_request_set_cache_ttl_ms(request, 60000));
  for (int i = 0; i < 2; i++) {
    netcore_response response = 0;
    CHECK_OK(netcore_perform(client, request, &response));
    netcore_response_info info = response_info(response);
    CHECK_EQUAL(info.http_status, 200);
    CHECK_EQUAL(info.attempts, i == 0 ? 1 : 0);
    CHECK(strncmp((const char *)info.url.data, "https:", 6) == 0);
    CHECK_OK(netcore_response_release(response));
  }
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(options.cache));
}

static void test_file(void) {
  check_case = "a file";
  netcore_client client = client_with(file, 0);
  ask(client, "https", "example.test", "max-age=60;includeSubDomains");
  CHECK_OK(netcore_client_destroy(client));
  client = client_with(file, 0);
  check_http(client, "a.example.test", 1);
  CHECK_OK(netcore_client_destroy(client));
  if (system("command -v curl >/dev/null") != 0) return;
  char command[9000];
  check_case = "curl reads it";
  const char *port = strrchr(peer(NGINX_TLS), ':') + 1;
  snprintf(command, sizeof command,
           "test \"$(curl -s --cacert '%s' --hsts '%s' --resolve 'a.example.test:%s:127.0.0.1' "
           "'http://a.example.test:%s/sts?sts=max-age=60')\" = https",
           peer(CA_FILE), file, port, port);
  CHECK_EQUAL(system(command), 0);
  check_case = "and writes it";
  client = client_with(file, 0);
  check_http(client, "a.example.test", 1);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  char *folder = folder_new();
  snprintf(file, sizeof file, "%s/hsts.txt", folder);
  test_memory();
  test_subdomains();
  test_who_may_ask();
  test_cached();
  test_file();
  folder_remove(folder);
  return check_end();
}
