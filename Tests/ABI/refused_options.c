/*
 * Options of libcurl on which safety depends, and which libcurl refuses: the request ends before anything is sent, and later ones
 * that libcurl takes succeed.
 */
#include "support.h"

#include <dlfcn.h>
#include <stdarg.h>

/* As curl/curl.h has them. */
enum { SSLVERSION = 32, PROXY = 10004, SSLCERT = 10025, CAINFO = 10065, CAPATH = 10097, PINNED = 10230 };
enum { UNKNOWN_OPTION = 48, OUT_OF_MEMORY = 27 };

/* The option that is refused, and by which CURLcode. */
static int refused, refusal;
/* How often it was. */
static int refusals;

/* Stands in for the one of libcurl. Each argument goes in one register, whatever its type. */
int curl_easy_setopt(void *easy, int option, ...);

int curl_easy_setopt(void *easy, int option, ...) {
  int (*real)(void *, int, ...);
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  if (option == __atomic_load_n(&refused, __ATOMIC_SEQ_CST)) {
    __atomic_add_fetch(&refusals, 1, __ATOMIC_SEQ_CST);
    return refusal;
  }
  *(void **)&real = dlsym(RTLD_NEXT, "curl_easy_setopt");
  return real(easy, option, value);
}

static void refuse(int option, int code) {
  refusal = code;
  __atomic_store_n(&refusals, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&refused, option, __ATOMIC_SEQ_CST);
}

static void check_refused(netcore_client_options options, const char *url, int option, int code,
                          netcore_status status) {
  netcore_client client = 0;
  options.size = sizeof options;
  REQUIRE_OK(netcore_client_create(&options, &client));
  refuse(option, code);
  struct answer answer = fetch(client, url);
  CHECK(__atomic_load_n(&refusals, __ATOMIC_SEQ_CST) > 0);
  CHECK_STATUS(answer.status, status);
  CHECK_EQUAL(answer.error.phase, NETCORE_PHASE_CONNECT);
  CHECK_EQUAL(answer.error.native_code, code);
  CHECK_EQUAL(answer.info.bytes_sent, 0);
  answer_free(&answer);
  refuse(0, 0);
  answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  netcore_pinned_keys pinned = {.host = "localhost", .keys = peer(SERVER_PIN)};
  netcore_client_options pins = {
      .ca_file = peer(CA_FILE), .pinned_keys = &pinned, .pinned_key_count = 1, .pinned_key_size = sizeof pinned};
  const struct {
    const char *name;
    netcore_client_options options;
    const char *url;
    int option;
  } cases[] = {
      {"pins", pins, at(NGINX_TLS, "/small.txt"), PINNED},
      {"the version of TLS",
       {.ca_file = peer(CA_FILE), .tls_min_version = 13},
       at(NGINX_TLS, "/small.txt"),
       SSLVERSION},
      {"the default version of TLS", {.ca_file = peer(CA_FILE)}, at(NGINX_TLS, "/small.txt"), SSLVERSION},
      {"a file of authorities", {.ca_file = peer(CA_FILE)}, at(NGINX_TLS, "/small.txt"), CAINFO},
      {"a folder of authorities", {.ca_folder = peer(CA_FOLDER)}, at(NGINX_TLS, "/small.txt"), CAPATH},
      {"a client's certificate",
       {.ca_file = peer(CA_FILE),
        .client_certificate_file = peer(CLIENT_CERTIFICATE),
        .client_key_file = peer(CLIENT_KEY)},
       at(NGINX_TLS, "/small.txt"),
       SSLCERT},
      {"a proxy", {.proxy = peer("NETCORE_TEST_PROXY")}, at(ORIGIN, "/bytes/3"), PROXY},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].name;
    check_refused(cases[i].options, cases[i].url, cases[i].option, UNKNOWN_OPTION, NETCORE_ERR_TLS_CONFIG);
    check_refused(cases[i].options, cases[i].url, cases[i].option, OUT_OF_MEMORY, NETCORE_ERR_OUT_OF_MEMORY);
  }
  return check_end();
}
