/*
 * Alternative services (RFC 7838): connections go where the origin says that it can be reached too, by its own certificate and
 * keys; and back to the origin where that fails.
 */
#include "support.h"

#include "support/cache.h"

#define OTHER_PIN "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

static const char *port_of(const char *variable) { return strrchr(peer(variable), ':') + 1; }

/* A client that trusts the tests' authority, with an.example.test led to this machine. */
static netcore_client client_with(netcore_client_options options) {
  char entries[2][100];
  const char *resolve[2] = {entries[0], entries[1]};
  snprintf(entries[0], sizeof entries[0], "an.example.test:%s:127.0.0.1", port_of(NGINX_H2));
  snprintf(entries[1], sizeof entries[1], "an.example.test:%s:127.0.0.1", port_of(REFUSED));
  options.size = sizeof options;
  if (options.ca_file == NULL) options.ca_file = peer(CA_FILE);
  options.resolve = resolve;
  options.resolve_count = 2;
  netcore_client client = 0;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

static netcore_client plain_client(void) { return client_with((netcore_client_options){.alt_svc_file = ""}); }

/* Fetches a path and checks the body. */
static struct answer check_answer(netcore_client client, const char *origin, const char *path, const char *body) {
  struct answer answer = fetch(client, at(origin, path));
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(answer.info.http_status, 200);
  if (!CHECK(answer.info.body.size_bytes == strlen(body) && memcmp(answer.info.body.data, body, strlen(body)) == 0))
    fprintf(stderr, "    \"%.*s\", not \"%s\"\n", (int)answer.info.body.size_bytes, (const char *)answer.info.body.data,
            body);
  return answer;
}

/* Lets an origin name a service by a protocol at a place. */
static void name(netcore_client client, const char *origin, const char *protocol, const char *host,
                 const char *variable) {
  char path[200];
  snprintf(path, sizeof path, "/alt-svc?by=%s&at=%s:%s&ma=60", protocol, host, port_of(variable));
  struct answer answer = fetch(client, at(origin, path));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
}

/* Checks where the next request to an origin goes; a null host: to the origin itself. */
static void check_goes(netcore_client client, const char *origin, const char *host, const char *variable) {
  char body[200];
  if (host == NULL) {
    snprintf(body, sizeof body, "%s ", port_of(origin));
  } else {
    snprintf(body, sizeof body, "%s %s:%s", port_of(variable), host, port_of(variable));
  }
  struct answer answer = check_answer(client, origin, "/alt-svc/asked", body);
  CHECK(strcmp((const char *)answer.info.url.data, at(origin, "/alt-svc/asked")) == 0);
  answer_free(&answer);
}

static void test_use(void) {
  netcore_client client = plain_client();
  check_case = "another port, by HTTP/2";
  check_goes(client, NGINX_TLS, NULL, NULL);
  name(client, NGINX_TLS, "h2", "", NGINX_H2);
  check_goes(client, NGINX_TLS, "localhost", NGINX_H2);
  struct answer answer = fetch(client, at(NGINX_TLS, "/small.txt"));
  CHECK_EQUAL(answer.info.http_version, NETCORE_HTTP_VERSION_2);
  CHECK_EQUAL(answer.info.connection_reused, 1);
  answer_free(&answer);
  check_case = "the other host itself is asked for itself";
  check_goes(client, NGINX_H2, NULL, NULL);
  check_case = "another host, by the origin's certificate";
  name(client, NGINX_TLS, "h2", "an.example.test", NGINX_H2);
  check_goes(client, NGINX_TLS, "an.example.test", NGINX_H2);
  check_case = "taken back";
  answer = fetch(client, at(NGINX_TLS, "/alt-svc/clear"));
  answer_free(&answer);
  check_goes(client, NGINX_TLS, NULL, NULL);
  check_case = "HTTP/1.1 where HTTP/2 could be";
  name(client, NGINX_H2, "http%2F1.1", "", NGINX_TLS);
  check_goes(client, NGINX_H2, "localhost", NGINX_TLS);
  CHECK_OK(netcore_client_destroy(client));
}

/* Where one service fails the next one is asked, and the origin last. */
static void test_several(void) {
  netcore_client client = plain_client();
  char path[300];
  check_case = "several services";
  snprintf(path, sizeof path, "/alt-svc?by=h2&at=localhost:%s\",h2=\"an.example.test:%s\",h2=\":%s&ma=60",
           port_of(REFUSED), port_of(REFUSED), port_of(NGINX_H2));
  struct answer answer = fetch(client, at(NGINX_TLS, path));
  answer_free(&answer);
  check_goes(client, NGINX_TLS, "localhost", NGINX_H2);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_failures(void) {
  netcore_client client = plain_client();
  check_case = "a service that cannot be reached";
  name(client, NGINX_TLS, "h2", "localhost", REFUSED);
  check_goes(client, NGINX_TLS, NULL, NULL);
  check_case = "and is named again";
  name(client, NGINX_TLS, "h2", "localhost", REFUSED);
  struct answer answer = fetch(client, at(NGINX_TLS, "/small.txt"));
  CHECK_EQUAL(answer.info.attempts, 1);
  answer_free(&answer);
  check_case = "a body";
  name(client, NGINX_TLS, "http%2F1.1", "an.example.test", REFUSED);
  netcore_request request = request_new("POST", at(NGINX_TLS, "/upload"));
  netcore_response response = 0;
  REQUIRE_OK(netcore_request_set_body(request, "12345", 5));
  CHECK_OK(netcore_perform(client, request, &response));
  CHECK_EQUAL(response_info(response).http_status, 200);
  CHECK_EQUAL(response_info(response).attempts, 2);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  check_case = "a body that is read while it is sent goes to the origin";
  name(client, NGINX_TLS, "h2", "localhost", NGINX_H2);
  request = request_new("POST", at(NGINX_TLS, "/upload"));
  REQUIRE_OK(netcore_request_set_body_file(request, peer(CA_FILE)));
  CHECK_OK(netcore_perform(client, request, &response));
  CHECK_EQUAL(response_info(response).attempts, 1);
  CHECK_EQUAL(response_info(response).http_version, NETCORE_HTTP_VERSION_1_1);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  check_case = "a service that does not answer for the origin";
  name(client, NGINX_TLS, "h2", "", NGINX_H2);
  answer = check_answer(client, NGINX_TLS, "/alt-svc/origin", port_of(NGINX_TLS));
  CHECK_EQUAL(answer.info.attempts, 2);
  answer_free(&answer);
  check_goes(client, NGINX_TLS, NULL, NULL);
  CHECK_OK(netcore_client_destroy(client));
  client = plain_client();
  check_case = "a service that speaks another protocol";
  name(client, NGINX_H2, "h2", "", NGINX_TLS);
  check_goes(client, NGINX_H2, "localhost", NGINX_TLS);
  check_goes(client, NGINX_H2, NULL, NULL);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_trust(void) {
  netcore_pinned_keys pinned = {.host = "localhost", .keys = peer(SERVER_PIN)};
  netcore_client_options options = {
      .alt_svc_file = "", .pinned_keys = &pinned, .pinned_key_count = 1, .pinned_key_size = sizeof pinned};
  netcore_client client = client_with(options);
  check_case = "the origin's keys hold at another host";
  name(client, NGINX_TLS, "h2", "an.example.test", NGINX_H2);
  check_goes(client, NGINX_TLS, "an.example.test", NGINX_H2);
  CHECK_OK(netcore_client_destroy(client));
  check_case = "and that host's do not";
  pinned = (netcore_pinned_keys){.host = "an.example.test", .keys = OTHER_PIN};
  client = client_with(options);
  name(client, NGINX_TLS, "h2", "an.example.test", NGINX_H2);
  check_goes(client, NGINX_TLS, "an.example.test", NGINX_H2);
  CHECK_OK(netcore_client_destroy(client));
  check_case = "no service without a check of certificates";
  client = client_with((netcore_client_options){.alt_svc_file = "", .skip_verification = 1});
  name(client, NGINX_TLS, "h2", "", NGINX_H2);
  check_goes(client, NGINX_TLS, NULL, NULL);
  CHECK_OK(netcore_client_destroy(client));
  check_case = "off";
  client = client_with((netcore_client_options){.alt_svc_file = NULL});
  name(client, NGINX_TLS, "h2", "", NGINX_H2);
  check_goes(client, NGINX_TLS, NULL, NULL);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_network(void) {
  netcore_network network = {.size = sizeof network, .interface = "lo"};
  netcore_client client = plain_client();
  check_case = "another network";
  name(client, NGINX_TLS, "h2", "", NGINX_H2);
  check_goes(client, NGINX_TLS, "localhost", NGINX_H2);
  CHECK_OK(netcore_client_set_network(client, &network));
  check_goes(client, NGINX_TLS, NULL, NULL);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_file(const char *folder) {
  char file[4200], command[9000];
  snprintf(file, sizeof file, "%s/alt-svc.txt", folder);
  check_case = "a file";
  netcore_client client = client_with((netcore_client_options){.alt_svc_file = file});
  name(client, NGINX_TLS, "h2", "an.example.test", NGINX_H2);
  CHECK_OK(netcore_client_destroy(client));
  client = client_with((netcore_client_options){.alt_svc_file = file});
  check_goes(client, NGINX_TLS, "an.example.test", NGINX_H2);
  CHECK_OK(netcore_client_destroy(client));
  if (system("command -v curl >/dev/null") != 0) return;
  check_case = "curl reads it";
  snprintf(
      command, sizeof command,
      "test \"$(curl -s --cacert '%s' --alt-svc '%s' --resolve 'an.example.test:%s:127.0.0.1' '%s/alt-svc/asked')\" = "
      "'%s an.example.test:%s'",
      peer(CA_FILE), file, port_of(NGINX_H2), peer(NGINX_TLS), port_of(NGINX_H2), port_of(NGINX_H2));
  CHECK_EQUAL(system(command), 0);
  check_case = "and writes it";
  client = client_with((netcore_client_options){.alt_svc_file = file});
  check_goes(client, NGINX_TLS, "an.example.test", NGINX_H2);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  char *folder = folder_new();
  test_use();
  test_several();
  test_failures();
  test_trust();
  test_network();
  test_file(folder);
  folder_remove(folder);
  return check_end();
}
