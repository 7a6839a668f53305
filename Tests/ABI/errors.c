/*
 * The list of statuses: each has the name of its constant and a sentence; what is no status is named so. The message of
 * the last failed call is the thread's own. The version is the header's.
 */
#include "support.h"

#include <ctype.h>

#include "support/lists.h"

#define STATUS_ENTRY(constant, number) {constant, number, #constant},
static const struct {
  netcore_status status;
  int number;
  const char *name;
} statuses[] = {NETCORE_STATUSES(STATUS_ENTRY)};

static void test_statuses(void) {
  for (size_t i = 0; i < LENGTH(statuses); i++) {
    netcore_status status = statuses[i].status;
    const char *message = netcore_status_message(status);
    check_case = statuses[i].name;
    CHECK_EQUAL(status, statuses[i].number);
    CHECK(strcmp(netcore_status_name(status), statuses[i].name) == 0);
    CHECK(strlen(message) > 5 && strlen(message) < 200 && message[strlen(message) - 1] != '.');
    CHECK(strcmp(message, netcore_status_message(12345)) != 0);
    for (size_t j = 0; j < i; j++) CHECK(strcmp(message, netcore_status_message(statuses[j].status)) != 0);
    /* Static: the same pointer each time. */
    CHECK(netcore_status_name(status) == netcore_status_name(status) && message == netcore_status_message(status));
  }
}

static bool is_status(netcore_status value) {
  for (size_t i = 0; i < LENGTH(statuses); i++)
    if (statuses[i].number == value) return true;
  return false;
}

static void check_unknown(netcore_status value) {
  const char *message = netcore_status_message(value);
  if (strcmp(netcore_status_name(value), "NETCORE_ERR_UNKNOWN") == 0 && strlen(message) > 5) return;
  fprintf(stderr, "    %d is named %s: %s\n", value, netcore_status_name(value), message);
  CHECK(!"an unknown status is named so");
}

static void test_unknown_statuses(void) {
  check_case = "unknown statuses";
  for (netcore_status value = -2000; value < 4000; value++)
    if (!is_status(value) && (value < NETCORE_STATUS_APPLICATION_FIRST || value > NETCORE_STATUS_APPLICATION_LAST))
      check_unknown(value);
  check_unknown(INT32_MAX);
  check_unknown(INT32_MIN);
}

static void test_statuses_of_the_application(void) {
  check_case = "statuses of the application";
  CHECK_EQUAL(NETCORE_STATUS_APPLICATION_FIRST, 2000);
  CHECK_EQUAL(NETCORE_STATUS_APPLICATION_LAST, 2999);
  for (netcore_status value = NETCORE_STATUS_APPLICATION_FIRST; value <= NETCORE_STATUS_APPLICATION_LAST; value++) {
    CHECK(strcmp(netcore_status_name(value), "NETCORE_STATUS_APPLICATION") == 0);
    CHECK(strstr(netcore_status_message(value), "application") != NULL);
  }
}

static void *check_own_message(void *unused) {
  netcore_request request = 0;
  (void)unused;
  CHECK(netcore_last_error_message() != NULL && netcore_last_error_message()[0] == '\0');
  CHECK_STATUS(netcore_request_create("GET", "ftp://localhost/", &request), NETCORE_ERR_INVALID_SCHEME);
  CHECK(strncmp(netcore_last_error_message(), "url: ", 5) == 0);
  return NULL;
}

static void test_last_error_message(void) {
  pthread_t thread;
  netcore_request request = 0;
  check_case = "the last error message";
  CHECK(netcore_last_error_message() != NULL && netcore_last_error_message()[0] == '\0');
  CHECK_STATUS(netcore_request_create("G T", "http://localhost/", &request), NETCORE_ERR_INVALID_METHOD);
  CHECK(strncmp(netcore_last_error_message(), "method: ", 8) == 0);
  REQUIRE(pthread_create(&thread, NULL, check_own_message, NULL) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK(strncmp(netcore_last_error_message(), "method: ", 8) == 0);
  /* A call that succeeds leaves it as it is. */
  CHECK_OK(netcore_request_create("GET", "http://localhost/", &request));
  CHECK(strncmp(netcore_last_error_message(), "method: ", 8) == 0);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_STATUS(netcore_request_destroy(request), NETCORE_ERR_INVALID_HANDLE);
  CHECK(strncmp(netcore_last_error_message(), "request: ", 9) == 0);
}

static void check_last(netcore_status status, const char *argument, const char *message) {
  netcore_error error = {.size = sizeof error};
  CHECK_OK(netcore_last_error(&error));
  CHECK_STATUS(error.status, status);
  CHECK_TEXT(error.argument, argument);
  CHECK(error.argument.data != NULL && error.argument.data[error.argument.size_bytes] == '\0');
  CHECK(error.message.data != NULL && error.message.data[error.message.size_bytes] == '\0');
  CHECK(strncmp((const char *)error.message.data, message, strlen(message)) == 0);
  CHECK(strcmp((const char *)error.message.data, netcore_last_error_message()) == 0);
}

static netcore_status refuse(netcore_request request, void *user_data) {
  (void)request;
  return *(netcore_status *)user_data;
}

static void *check_nothing_failed(void *unused) {
  (void)unused;
  check_last(NETCORE_OK, "", "");
  return NULL;
}

/* The same as a struct: what a binding needs without reading sentences. */
static void test_last_error(void) {
  pthread_t thread;
  netcore_request request = 0;
  netcore_response response = 0;
  netcore_status refusal = -7;
  netcore_error error = {.size = sizeof error};
  check_case = "the last error";
  REQUIRE(pthread_create(&thread, NULL, check_nothing_failed, NULL) == 0);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK_STATUS(netcore_request_create("GET", "ftp://localhost/", &request), NETCORE_ERR_INVALID_SCHEME);
  check_last(NETCORE_ERR_INVALID_SCHEME, "url", "url: ");
  CHECK_STATUS(netcore_request_destroy(77), NETCORE_ERR_INVALID_HANDLE);
  check_last(NETCORE_ERR_INVALID_HANDLE, "request", "request: ");
  CHECK_STATUS(netcore_last_error(NULL), NETCORE_ERR_INVALID_ARGUMENT);
  check_last(NETCORE_ERR_INVALID_ARGUMENT, "out_error", "out_error: ");

  check_case = "the last error: a refusal by number";
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_add_filter(client, refuse, &refusal, NULL));
  request = request_new("GET", at(ORIGIN, "/status/200"));
  CHECK_STATUS(netcore_perform(client, request, &response), NETCORE_ERR_REFUSED);
  CHECK_OK(netcore_last_error(&error));
  CHECK_STATUS(error.status, NETCORE_ERR_REFUSED);
  CHECK_EQUAL(error.native_code, -7);
  CHECK_EQUAL(error.phase, NETCORE_PHASE_QUEUE);
  CHECK_EQUAL(error.is_retryable, 0);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_version(void) {
  char numbers[40];
  check_case = "the version";
  snprintf(numbers, sizeof numbers, "%d.%d.%d", NETCORE_VERSION_MAJOR, NETCORE_VERSION_MINOR, NETCORE_VERSION_PATCH);
  CHECK(strcmp(numbers, NETCORE_VERSION_STRING) == 0);
  CHECK(strcmp(netcore_version(), NETCORE_VERSION_STRING) == 0);
  CHECK(netcore_version() == netcore_version());
  CHECK(strstr(netcore_version_details(), "netcore/" NETCORE_VERSION_STRING " ") == netcore_version_details());
  CHECK(strstr(netcore_version_details(), "libcurl/") != NULL && strstr(netcore_version_details(), "zlib/") != NULL);
}

/* A failed task says what went wrong without credentials or query. */
static void test_error_of_a_task(void) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  char url[200];
  check_case = "the error of a refused connection";
  snprintf(url, sizeof url, "http://user:hidden@%s/path?token=hidden", strstr(peer(REFUSED), "://") + 3);
  struct answer answer = fetch(client, url);
  CHECK_STATUS(answer.status, NETCORE_ERR_CONNECT);
  CHECK_EQUAL(answer.info.http_status, 0);
  CHECK_EQUAL(answer.error.phase, NETCORE_PHASE_CONNECT);
  CHECK_EQUAL(answer.error.native_code, 7 /* CURLE_COULDNT_CONNECT */);
  CHECK_EQUAL(answer.error.is_retryable, 1);
  CHECK(bytes_have(answer.error.message, "127.0.0.1"));
  CHECK(bytes_have(answer.error.message, strrchr(peer(REFUSED), ':') + 1));
  CHECK(!bytes_have(answer.error.message, "hidden") && !bytes_have(answer.error.message, "token"));
  CHECK(!bytes_have(answer.info.url, "hidden@"));
  answer_free(&answer);

  check_case = "the error of a name without address";
  answer = fetch(client, "http://no-such-host.invalid/?token=hidden");
  CHECK_STATUS(answer.status, NETCORE_ERR_RESOLVE);
  CHECK_EQUAL(answer.error.phase, NETCORE_PHASE_CONNECT);
  CHECK_EQUAL(answer.error.is_retryable, 1);
  CHECK(bytes_have(answer.error.message, "no-such-host.invalid") && !bytes_have(answer.error.message, "hidden"));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

/* A message quotes what was wrong, and stays short. */
static void test_long_argument(void) {
  enum { SIZE = 1000000 };
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("POST", at(REFUSED, "/"));
  netcore_response response = 0;
  char *name = malloc(SIZE + 1);
  check_case = "a message that quotes a long argument";
  REQUIRE(name != NULL);
  memset(name, 'n', SIZE);
  name[SIZE] = '\0';
  for (int i = 0; i < 2; i++) CHECK_OK(netcore_request_add_param(request, name, "1"));
  CHECK_OK(netcore_request_set_serializer(request, NETCORE_SERIALIZER_JSON));
  CHECK_STATUS(netcore_perform(client, request, &response), NETCORE_ERR_INVALID_ARGUMENT);
  const char *message = netcore_last_error_message();
  CHECK(strlen(message) <= 1000 && strncmp(message, "parameters: nnnn", 16) == 0);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  free(name);
}

int main(void) {
  check_begin();
  test_last_error_message();
  test_last_error();
  test_long_argument();
  test_statuses();
  test_unknown_statuses();
  test_statuses_of_the_application();
  test_version();
  test_error_of_a_task();
  return check_end();
}
