/*
 * Whom a client trusts beyond certificate authorities in a file: a folder of them, those of the system and of the environment, pinned
 * public keys, and anybody, where nothing is checked.
 */
#include "support.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>

/*
 * The system's authorities are the test's own in this process: what OpenSSL opens in /etc/ssl/certs is the folder, and the file, of the
 * peers' authority.
 */
static bool has_system_trust;

static const char *redirected(const char *path, char *place, size_t size) {
  static const char folder[] = "/etc/ssl/certs/";
  if (!has_system_trust || strncmp(path, folder, sizeof folder - 1) != 0) return path;
  if (strcmp(path + sizeof folder - 1, "ca-certificates.crt") == 0)
    snprintf(place, size, "%s", getenv(CA_FILE));
  else
    snprintf(place, size, "%s/%s", getenv(CA_FOLDER), path + sizeof folder - 1);
  return place;
}

FILE *fopen(const char *path, const char *mode) {
  char place[4096];
  static FILE *(*real)(const char *, const char *);
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "fopen");
  return real(redirected(path, place, sizeof place), mode);
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

int stat(const char *path, struct stat *status) {
  char place[4096];
  return fstatat(AT_FDCWD, redirected(path, place, sizeof place), status, 0);
}

#define OTHER_PIN "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

static struct answer fetch_with(netcore_client_options options, const char *url) {
  netcore_client client = 0;
  options.size = sizeof options;
  REQUIRE_OK(netcore_client_create(&options, &client));
  struct answer answer = fetch(client, url);
  CHECK_OK(netcore_client_destroy(client));
  return answer;
}

static void check_ends(netcore_client_options options, const char *url, netcore_status status) {
  struct answer answer = fetch_with(options, url);
  CHECK_STATUS(answer.status, status);
  CHECK_EQUAL(answer.info.http_status, status == NETCORE_OK ? 200 : 0);
  if (status != NETCORE_OK) CHECK_EQUAL(answer.info.bytes_sent, 0);
  answer_free(&answer);
}

static void test_folder(void) {
  check_case = "a folder of authorities";
  check_ends((netcore_client_options){.ca_folder = peer(CA_FOLDER)}, at(NGINX_TLS, "/small.txt"), NETCORE_OK);
}

static void check_file(const char *name, const char *file, const char *folder, netcore_status status) {
  check_case = name;
  check_ends((netcore_client_options){.ca_file = file, .ca_folder = folder}, at(NGINX_TLS, "/small.txt"), status);
}

/* A file and a folder stand in place of the system's authorities, of its file and of its folder. */
static void test_system(void) {
  has_system_trust = true;
  check_file("the system's authorities", NULL, NULL, NETCORE_OK);
  check_file("a file without the authority", peer(CLIENT_CERTIFICATE), NULL, NETCORE_ERR_TLS_CERTIFICATE);
  check_file("a folder without the authority", NULL, peer("NETCORE_TEST_WWW"), NETCORE_ERR_TLS_CERTIFICATE);
  has_system_trust = false;
}

static void test_environment(void) {
  REQUIRE(setenv("SSL_CERT_FILE", peer(CA_FILE), 1) == 0);
  check_file("SSL_CERT_FILE", NULL, NULL, NETCORE_OK);
  check_file("an option before SSL_CERT_FILE", peer(CLIENT_CERTIFICATE), NULL, NETCORE_ERR_TLS_CERTIFICATE);
  check_case = "no authority of the environment where it is ignored";
  check_ends((netcore_client_options){.ignore_environment = 1}, at(NGINX_TLS, "/small.txt"),
             NETCORE_ERR_TLS_CERTIFICATE);
  has_system_trust = true;
  REQUIRE(setenv("SSL_CERT_FILE", peer(CLIENT_CERTIFICATE), 1) == 0);
  check_file("SSL_CERT_FILE in place of the system's", NULL, NULL, NETCORE_ERR_TLS_CERTIFICATE);
  has_system_trust = false;
  REQUIRE(unsetenv("SSL_CERT_FILE") == 0);
  char folders[1000];
  snprintf(folders, sizeof folders, "%s:%s", peer("NETCORE_TEST_WWW"), peer(CA_FOLDER));
  REQUIRE(setenv("SSL_CERT_DIR", folders, 1) == 0);
  check_file("SSL_CERT_DIR", NULL, NULL, NETCORE_OK);
  check_case = "SSL_CERT_DIR that is not there";
  REQUIRE(setenv("SSL_CERT_DIR", "/nowhere", 1) == 0);
  netcore_client_options options = {.size = sizeof options};
  netcore_client client = 0;
  CHECK_STATUS(netcore_client_create(&options, &client), NETCORE_ERR_TLS_CONFIG);
  CHECK(strstr(netcore_last_error_message(), "SSL_CERT_DIR") != NULL);
  REQUIRE(unsetenv("SSL_CERT_DIR") == 0);
}

static void check_pins(const char *name, const char *host, const char *keys, netcore_status status) {
  netcore_pinned_keys pinned = {.host = host, .keys = keys};
  netcore_client_options options = {
      .ca_file = peer(CA_FILE), .pinned_keys = &pinned, .pinned_key_count = 1, .pinned_key_size = sizeof pinned};
  check_case = name;
  check_ends(options, at(NGINX_TLS, "/small.txt"), status);
  check_ends(options, at(NGINX_H2, "/small.txt"), status);
}

static void test_pins(void) {
  char both[200];
  snprintf(both, sizeof both, OTHER_PIN ";%s", peer(SERVER_PIN));
  check_pins("the server's key", "localhost", peer(SERVER_PIN), NETCORE_OK);
  check_pins("a backup is the server's key", "LocalHost", both, NETCORE_OK);
  check_pins("another key", "localhost", OTHER_PIN, NETCORE_ERR_TLS_CERTIFICATE);
  check_pins("another key of another host", "example.com", OTHER_PIN, NETCORE_OK);
  check_pins("another key of hosts under a domain", "*.localhost", OTHER_PIN, NETCORE_OK);
}

/* A pin does not stand for a certificate that is trusted. */
static void test_pin_without_trust(void) {
  netcore_pinned_keys pinned = {.host = "localhost", .keys = peer(SERVER_PIN)};
  check_case = "the server's key, and an authority that is not trusted";
  check_ends((netcore_client_options){.pinned_keys = &pinned, .pinned_key_count = 1, .pinned_key_size = sizeof pinned},
             at(NGINX_TLS, "/small.txt"), NETCORE_ERR_TLS_CERTIFICATE);
}

static void check_refused(const char *name, const char *host, const char *keys) {
  netcore_pinned_keys pinned = {.host = host, .keys = keys};
  netcore_client_options options = {
      .size = sizeof options, .pinned_keys = &pinned, .pinned_key_count = 1, .pinned_key_size = sizeof pinned};
  netcore_client client = 1;
  check_case = name;
  CHECK_STATUS(netcore_client_create(&options, &client), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK(strstr(netcore_last_error_message(), "pinned_keys") != NULL);
  CHECK_EQUAL(client, 0);
}

static void test_bad_pins(void) {
  check_refused("no host", "", peer(SERVER_PIN));
  check_refused("a null host", NULL, peer(SERVER_PIN));
  check_refused("a URL for a host", "https://localhost", peer(SERVER_PIN));
  check_refused("null keys", "localhost", NULL);
  check_refused("no key", "localhost", "");
  check_refused("another digest", "localhost", "sha1//AAAAAAAAAAAAAAAAAAAAAAAAAAA=");
  check_refused("no base64", "localhost", "sha256//!AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
  check_refused("too short", "localhost", "sha256//AAAA");
  check_refused("bits behind the end", "localhost", "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=");
  check_refused("an empty key behind another", "localhost", OTHER_PIN ";");
}

static unsigned warnings;

static void count_warning(netcore_log_level level, const char *message, void *user_data) {
  CHECK_EQUAL(level, NETCORE_LOG_LEVEL_WARNING);
  CHECK(strstr(message, "localhost") != NULL && strstr(message, "certificate") != NULL);
  CHECK(strstr(message, "secret") == NULL);
  CHECK(user_data == &warnings);
  warnings++;
}

static void test_no_verification(void) {
  netcore_client_options options = {.size = sizeof options, .skip_verification = 1};
  netcore_client client = 0;
  check_case = "no verification: each connection is warned of";
  CHECK_OK(netcore_set_log(count_warning, (void *)&warnings, NULL));
  REQUIRE_OK(netcore_client_create(&options, &client));
  for (int i = 0; i < 3; i++) {
    struct answer answer = fetch(client, at(NGINX_TLS, "/small.txt?secret"));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(answer.info.connection_reused, i > 0);
    answer_free(&answer);
  }
  CHECK_EQUAL(warnings, 1);
  struct answer answer = fetch(client, at(NGINX_H2, "/small.txt"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  CHECK_EQUAL(warnings, 2);
  answer = fetch(client, at(NGINX, "/small.txt"));
  answer_free(&answer);
  CHECK_EQUAL(warnings, 2);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_set_log(NULL, NULL, NULL));
  options.skip_verification = 2;
  CHECK_STATUS(netcore_client_create(&options, &client), NETCORE_ERR_INVALID_ARGUMENT);
}

int main(void) {
  check_begin();
  test_folder();
  test_system();
  test_environment();
  test_pins();
  test_pin_without_trust();
  test_bad_pins();
  test_no_verification();
  return check_end();
}
