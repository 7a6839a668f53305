/*
 * TLS and HTTP/2: which certificates are trusted, client certificates, the versions that are offered, sessions that are
 * taken up again, and many requests over one HTTP/2 connection.
 */
#include "support.h"

#include "support/server.h"

static netcore_client client_with(netcore_client_options options) {
  netcore_client client = 0;
  options.size = sizeof options;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

static void check_fetch(netcore_client_options options, const char *url, netcore_http_version version) {
  netcore_client client = client_with(options);
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK_EQUAL(answer.info.http_version, version);
  CHECK_EQUAL(answer.info.body.size_bytes, 128);
  CHECK(answer.info.connect_us >= 0 && answer.info.tls_us > 0 && answer.info.connection_reused == 0);
  int64_t phases = answer.info.connect_us + answer.info.tls_us + answer.info.first_byte_us;
  if (!CHECK(answer.info.total_us >= phases))
    fprintf(stderr, "    %d us in all, %d in its phases\n", (int)answer.info.total_us, (int)phases);
  answer_free(&answer);
  answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.connection_reused, 1);
  CHECK(answer.info.connect_us == -1 && answer.info.tls_us == -1);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void check_untrusted(netcore_client_options options, const char *url) {
  netcore_client client = client_with(options);
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_ERR_TLS_CERTIFICATE);
  CHECK_EQUAL(answer.error.phase, NETCORE_PHASE_CONNECT);
  CHECK_EQUAL(answer.error.native_code, 60 /* CURLE_PEER_FAILED_VERIFICATION */);
  CHECK_EQUAL(answer.error.is_retryable, 0);
  CHECK(answer.info.http_status == 0 && answer.info.bytes_received == 0 && answer.info.bytes_sent == 0);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_trust(void) {
  char url[200];
  netcore_client_options trusting = {.ca_file = peer(CA_FILE)}, defaults = {.ca_file = NULL};
  check_case = "an authority that is not trusted";
  check_untrusted(defaults, at(NGINX_TLS, "/small.txt"));
  check_untrusted(defaults, at(NGINX_H2, "/small.txt"));
  check_case = "a certificate for another name";
  snprintf(url, sizeof url, "https://other.localhost%s/small.txt", strrchr(peer(NGINX_TLS), ':'));
  check_untrusted(trusting, url);
  check_case = "a trusted authority, HTTP/1.1";
  check_fetch(trusting, at(NGINX_TLS, "/small.txt"), NETCORE_HTTP_VERSION_1_1);
  check_case = "a trusted authority, HTTP/2";
  check_fetch(trusting, at(NGINX_H2, "/small.txt"), NETCORE_HTTP_VERSION_2);
  check_case = "HTTP/1.1 as the highest version";
  trusting.http_version_max = NETCORE_HTTP_VERSION_1_1;
  check_fetch(trusting, at(NGINX_H2, "/small.txt"), NETCORE_HTTP_VERSION_1_1);
  check_case = "TLS 1.3 as the lowest version";
  trusting.tls_min_version = NETCORE_TLS_VERSION_1_3;
  check_fetch(trusting, at(NGINX_TLS, "/small.txt"), NETCORE_HTTP_VERSION_1_1);
  check_case = "https to a port without TLS";
  netcore_client client = client_with(trusting);
  snprintf(url, sizeof url, "https://127.0.0.1%s/", strrchr(peer(NGINX), ':'));
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_ERR_TLS);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_client_certificate(void) {
  netcore_client_options options = {.ca_file = peer(CA_FILE)};
  check_case = "no client certificate where one is asked for";
  netcore_client client = client_with(options);
  struct answer answer = fetch(client, at(NGINX_MTLS, "/small.txt"));
  CHECK(answer.status != NETCORE_OK || answer.info.http_status == 400);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));

  check_case = "a client certificate";
  options.client_certificate_file = peer(CLIENT_CERTIFICATE);
  options.client_key_file = peer(CLIENT_KEY);
  client = client_with(options);
  answer = fetch(client, at(NGINX_MTLS, "/small.txt"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 200);
  CHECK(bytes_have(header(&answer, "X-Client-Subject"), "netcore test client"));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

/* Files that are there but useless: said by create, or else by the task. */
static void check_config(const char *name, netcore_client_options options) {
  netcore_client client = 0;
  check_case = name;
  options.size = sizeof options;
  netcore_status status = netcore_client_create(&options, &client);
  if (status != NETCORE_OK) {
    CHECK_STATUS(status, NETCORE_ERR_TLS_CONFIG);
    CHECK_EQUAL(client, 0);
    return;
  }
  struct answer answer = fetch(client, at(NGINX_MTLS, "/small.txt"));
  CHECK_STATUS(answer.status, NETCORE_ERR_TLS_CONFIG);
  CHECK_EQUAL(answer.info.bytes_sent, 0);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_useless_files(void) {
  const char *ca = peer(CA_FILE), *certificate = peer(CLIENT_CERTIFICATE), *key = peer(CLIENT_KEY);
  netcore_client_options no_ca = {.ca_file = key};
  netcore_client_options no_certificate = {.ca_file = ca, .client_certificate_file = key, .client_key_file = key};
  netcore_client_options no_key = {.ca_file = ca, .client_certificate_file = certificate};
  netcore_client_options other_key = {.ca_file = ca, .client_certificate_file = ca, .client_key_file = key};
  check_config("a CA file without a certificate", no_ca);
  check_config("a certificate file without a certificate", no_certificate);
  check_config("a certificate file without a key, and no key file", no_key);
  check_config("a key for another certificate", other_key);
}

/* The client's first message, as a listener sees it that does not answer. */
struct hello {
  uint8_t bytes[4096];
  size_t size;
};

static struct hello hello_of(netcore_client_options options) {
  struct hello hello = {.size = 0};
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  int port, listener = listen_on_loopback(5, &port);
  char url[60];
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client_with(options), -1};
  snprintf(url, sizeof url, "https://127.0.0.1:%d/", port);
  door_get(&door, url, &outcome);
  int fd = accept(listener, NULL, NULL);
  REQUIRE(fd >= 0);
  size_t wanted = 5;
  while (hello.size < wanted) {
    ssize_t size = recv(fd, hello.bytes + hello.size, sizeof hello.bytes - hello.size, 0);
    if (!CHECK(size > 0)) break;
    hello.size += (size_t)size;
    if (hello.size >= 5) wanted = 5 + (size_t)(hello.bytes[3] << 8 | hello.bytes[4]);
  }
  close(fd);
  close(listener);
  door_wait(&door, &ended, 1);
  CHECK_STATUS(outcome.completion.status, NETCORE_ERR_TLS);
  outcome_free(&outcome);
  CHECK_OK(netcore_client_destroy(door.client));
  return hello;
}

/* Whether the list of an extension has an entry; the lists in question do not have one inside another. */
static bool extension_has(const struct hello *hello, uint8_t type, const char *entry, size_t entry_size) {
  /* record 5, handshake 4, version 2, random 32; then session id, cipher suites and compression methods */
  size_t at = 43;
  at += 1 + (size_t)hello->bytes[at];
  at += 2 + (size_t)(hello->bytes[at] << 8 | hello->bytes[at + 1]);
  at += 1 + (size_t)hello->bytes[at];
  for (at += 2; at + 4 <= hello->size;) {
    size_t size = (size_t)(hello->bytes[at + 2] << 8 | hello->bytes[at + 3]);
    if (hello->bytes[at] == 0 && hello->bytes[at + 1] == type && at + 4 + size <= hello->size)
      return memmem(hello->bytes + at + 4, size, entry, entry_size) != NULL;
    at += 4 + size;
  }
  return false;
}

enum { ALPN = 16, SUPPORTED_VERSIONS = 43 };

static bool offers_tls(const struct hello *hello, int minor) {
  const char version[2] = {3, (char)minor};
  return extension_has(hello, SUPPORTED_VERSIONS, version, 2);
}

static void test_what_is_offered(void) {
  netcore_client_options options = {.size = 0};
  check_case = "what TLS offers by default";
  struct hello hello = hello_of(options);
  CHECK(offers_tls(&hello, 4) && offers_tls(&hello, 3) && !offers_tls(&hello, 2) && !offers_tls(&hello, 1));
  CHECK(extension_has(&hello, ALPN, "\x02h2", 3) && extension_has(&hello, ALPN, "\x08http/1.1", 9));
  check_case = "what TLS offers with 1.3 as the lowest version, and HTTP/1.1 as the highest";
  options.tls_min_version = NETCORE_TLS_VERSION_1_3;
  options.http_version_max = NETCORE_HTTP_VERSION_1_1;
  hello = hello_of(options);
  CHECK(offers_tls(&hello, 4) && !offers_tls(&hello, 3));
  CHECK(!extension_has(&hello, ALPN, "\x02h2", 3));
}

enum { STREAMS = 300 };

static void test_multiplexing(void) {
  static const struct {
    const char *path;
    size_t size;
  } files[] = {{"/1k", 1024}, {"/100k", 102400}, {"/small.txt", 128}};
  static struct outcome outcomes[STREAMS + 1];
  struct tally ended = TALLY_INITIAL;
  netcore_client_options options = {.ca_file = peer(CA_FILE)};
  struct door door = {NETCORE_COMPLETION_MODE_CALLBACK, client_with(options), -1};
  unsigned connections = 0;
  check_case = "many requests over HTTP/2";
  outcomes[STREAMS] = (struct outcome){.ended = &ended};
  door_get(&door, at(NGINX_H2, "/10m"), &outcomes[STREAMS]);
  for (int i = 0; i < STREAMS; i++) {
    outcomes[i] = (struct outcome){.ended = &ended};
    door_get(&door, at(NGINX_H2, files[i % 3].path), &outcomes[i]);
  }
  /* Every tenth is canceled, which must not disturb the others. */
  unsigned canceled = 0;
  for (int i = 0; i < STREAMS; i += 10) canceled += netcore_task_cancel(outcomes[i].task) == NETCORE_OK;
  door_wait(&door, &ended, STREAMS + 1);
  for (int i = 0; i < STREAMS; i++) {
    if (outcomes[i].completion.status == NETCORE_ERR_CANCELED) {
      CHECK(i % 10 == 0 && canceled-- > 0);
    } else if (CHECK_STATUS(outcomes[i].completion.status, NETCORE_OK)) {
      netcore_response_info info = response_info(outcomes[i].completion.response);
      CHECK_EQUAL(info.http_version, NETCORE_HTTP_VERSION_2);
      CHECK_EQUAL(info.body.size_bytes, files[i % 3].size);
      CHECK(i % 3 == 2 || is_pattern(info.body, files[i % 3].size));
      connections += info.connection_reused == 0;
    }
    outcome_free(&outcomes[i]);
  }
  CHECK_EQUAL(canceled, 0);
  CHECK_STATUS(outcomes[STREAMS].completion.status, NETCORE_OK);
  CHECK(is_pattern(response_info(outcomes[STREAMS].completion.response).body, (size_t)10 << 20));
  outcome_free(&outcomes[STREAMS]);
  CHECK(connections <= 4); /* They share connections. */
  CHECK_OK(netcore_client_destroy(door.client));
}

/* Sessions are the client's: its next connection takes up that of the one before, another client's does not. */
static void test_sessions(void) {
  static const netcore_tls_version versions[] = {NETCORE_TLS_VERSION_1_2, NETCORE_TLS_VERSION_1_3};
  for (size_t i = 0; i < LENGTH(versions); i++) {
    netcore_client_options options = {.ca_file = peer(CA_FILE), .tls_min_version = versions[i]};
    netcore_client clients[] = {client_with(options), client_with(options)};
    const char *const expected[] = {".", "r", "r", "."};
    for (size_t j = 0; j < LENGTH(expected); j++) {
      check_case = versions[i] == NETCORE_TLS_VERSION_1_2 ? "sessions, TLS 1.2 or 1.3" : "sessions, TLS 1.3";
      struct answer answer = fetch(clients[j / 3], at(NGINX_TLS, "/session"));
      CHECK_STATUS(answer.status, NETCORE_OK);
      CHECK_EQUAL(answer.info.connection_reused, 0);
      CHECK(body_has(&answer, expected[j]));
      answer_free(&answer);
    }
    CHECK_OK(netcore_client_destroy(clients[0]));
    CHECK_OK(netcore_client_destroy(clients[1]));
  }
}

int main(void) {
  check_begin();
  test_trust();
  test_client_certificate();
  test_useless_files();
  test_what_is_offered();
  test_sessions();
  test_multiplexing();
  return check_end();
}
