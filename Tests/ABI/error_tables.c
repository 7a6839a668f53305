/*
 * Errors for people: the tables of cases that all doors share, the catalogue, streams, what a cache stores, statuses of the
 * application's own, and what is refused.
 */
#include "support.h"

#include "support/cache.h"
#include "support/table.h"

#define URL "http://app.test/a"

struct reply {
  int32_t status;
  const char *body;
  int hops;
};

static void answer_hop(netcore_hop hop, netcore_request request, void *user_data) {
  struct reply *reply = user_data;
  (void)request;
  reply->hops++;
  CHECK_OK(netcore_hop_answer(hop, reply->status, "Cache-Control: max-age=60\n", reply->body, strlen(reply->body)));
}

static netcore_client client_of(struct reply *reply, netcore_cache cache) {
  netcore_client_options options = NETCORE_CLIENT_OPTIONS_INIT;
  netcore_client client = 0;
  options.cache = cache;
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_client_set_transport(client, answer_hop, reply, NULL));
  return client;
}

static netcore_status add(netcore_request request, int32_t code, const char *value, int32_t http_status,
                          const char *message) {
  netcore_error_row row = {.size = sizeof row, .code = code, .value = value, .message = message};
  row.http_status = http_status;
  return netcore_request_add_error(request, &row);
}

/* Tables */

static char *given(char *text) { return text == NULL || strcmp(text, "-") == 0 ? NULL : text; }

/* "code value status message ;; …", parted in place. */
static void add_rows(netcore_request request, char *text) {
  while (text != NULL) {
    char *next = strstr(text, " ;; ");
    if (next != NULL) *next = 0;
    int32_t code = atoi(strsep(&text, " "));
    char *value = given(strsep(&text, " "));
    int32_t http_status = atoi(strsep(&text, " "));
    CHECK_OK(add(request, code, value, http_status, given(text)));
    text = next == NULL ? NULL : next + 4;
  }
}

enum { NAME, ACCEPTED, CODE, MESSAGE, SUCCESS, ROWS, STATUS, BODY, OUTCOME, APPLICATION, TEXT, COLUMNS };

static void run_case(netcore_client client, struct reply *reply, char **columns) {
  char *body = given(columns[BODY]), *text = given(columns[TEXT]);
  reply->status = atoi(columns[STATUS]), reply->body = body == NULL ? "" : body;
  netcore_request request = request_new("GET", URL);
  check_case = columns[NAME];
  CHECK_OK(netcore_request_set_accepted_statuses(request, given(columns[ACCEPTED])));
  CHECK_OK(netcore_request_set_error_fields(request, given(columns[CODE]), given(columns[MESSAGE]),
                                            given(columns[SUCCESS])));
  add_rows(request, given(columns[ROWS]));
  struct answer answer = perform_once(client, request);
  const char *name = netcore_status_name(answer.status);
  CHECK(strcmp(name + strlen(answer.status == NETCORE_OK ? "NETCORE_" : "NETCORE_ERR_"), columns[OUTCOME]) == 0);
  CHECK_EQUAL(answer.error.application_code, atoi(columns[APPLICATION]));
  CHECK_TEXT(answer.error.user_message, text == NULL ? "" : text);
  CHECK_EQUAL(answer.info.body.size_bytes, strlen(reply->body));
  if (answer.status == NETCORE_ERR_REJECTED_CODE) CHECK_EQUAL(answer.error.native_code, reply->status);
  answer_free(&answer);
}

static void test_table(void) {
  char line[1000], *columns[COLUMNS];
  FILE *table = table_open(__FILE__, "errors.tsv");
  struct reply reply = {0};
  netcore_client client = client_of(&reply, 0);
  CHECK_OK(netcore_set_user_message(1999, "From the catalogue."));
  for (int found; (found = table_next(table, line, sizeof line, columns, COLUMNS)) > 0;) {
    REQUIRE(found == COLUMNS);
    run_case(client, &reply, columns);
  }
  fclose(table);
  CHECK_OK(netcore_set_user_message(1999, NULL));
  CHECK_OK(netcore_client_destroy(client));
}

static netcore_status status_named(const char *name) {
  char whole[128];
  snprintf(whole, sizeof whole, "NETCORE_ERR_%s", name);
  for (netcore_status status = 0; status < NETCORE_STATUS_APPLICATION_FIRST; status++)
    if (strcmp(netcore_status_name(status), whole) == 0) return status;
  CHECK(!"no such status");
  return -1;
}

static void test_codes(void) {
  char line[200], *columns[4];
  FILE *table = table_open(__FILE__, "codes.tsv");
  netcore_application_code code = 0;
  for (int found; (found = table_next(table, line, sizeof line, columns, 4)) > 0;) {
    REQUIRE(found == 4);
    check_case = columns[0];
    CHECK_OK(netcore_get_application_code(status_named(columns[0]), atoi(columns[1]), &code));
    CHECK_EQUAL(code, atoi(columns[3]));
  }
  fclose(table);
  check_case = "other codes";
  CHECK_OK(netcore_get_application_code(NETCORE_OK, 0, &code));
  CHECK_EQUAL(code, NETCORE_APPLICATION_CODE_NONE);
  CHECK_OK(netcore_get_application_code(2001, 0, &code));
  CHECK_EQUAL(code, 2001);
  CHECK_STATUS(netcore_get_application_code(99, 0, &code), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(code, 0);
}

/* Catalogue */

static void test_catalogue(void) {
  char text[20];
  size_t size = 0;
  check_case = "the catalogue";
  for (int32_t code = NETCORE_APPLICATION_CODE_DEFAULT; code <= NETCORE_APPLICATION_CODE_STORAGE; code++) {
    CHECK_OK(netcore_get_user_message(code, NULL, 0, &size));
    CHECK(size > 5);
  }
  CHECK_STATUS(netcore_get_user_message(0, NULL, 0, &size), NETCORE_ERR_NOT_FOUND);
  CHECK_STATUS(netcore_get_user_message(1997, NULL, 0, &size), NETCORE_ERR_NOT_FOUND);
  CHECK_STATUS(netcore_set_user_message(0, "a"), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_set_user_message(1997, "\xFF"), NETCORE_ERR_INVALID_ARGUMENT);

  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("GET", "http://absent.invalid/");
  struct answer answer = perform(client, request);
  CHECK_EQUAL(answer.error.application_code, NETCORE_APPLICATION_CODE_CANNOT_CONNECT);
  CHECK_TEXT(answer.error.user_message, "The server cannot be reached.");
  CHECK_OK(netcore_set_user_message(NETCORE_APPLICATION_CODE_CANNOT_CONNECT, "Kein Server ({code})."));
  CHECK_TEXT(response_error(answer.response).user_message, "The server cannot be reached.");
  answer_free(&answer);
  answer = perform(client, request);
  CHECK_TEXT(answer.error.user_message, "Kein Server (3).");
  answer_free(&answer);
  CHECK_OK(netcore_get_user_message(NETCORE_APPLICATION_CODE_CANNOT_CONNECT, text, 5, &size));
  CHECK(strcmp(text, "Kein") == 0 && size == strlen("Kein Server ({code})."));
  CHECK_OK(netcore_set_user_message(NETCORE_APPLICATION_CODE_CANNOT_CONNECT, NULL));

  netcore_error error = NETCORE_ERROR_INIT;
  CHECK_STATUS(netcore_request_set_url(request, "x"), NETCORE_ERR_INVALID_URL);
  CHECK_OK(netcore_last_error(&error));
  CHECK_EQUAL(error.application_code, NETCORE_APPLICATION_CODE_INVALID_REQUEST);
  CHECK_TEXT(error.user_message, "This cannot be requested.");
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

/* Streams, caches, statuses of the application's own */

static void test_streams(void) {
  struct reply reply = {.status = 404, .body = "{\"code\":7,\"text\":\"Tea\"}"};
  netcore_client client = client_of(&reply, 0);
  netcore_request request = request_new("GET", URL);
  netcore_response response = 0;
  check_case = "a streamed response is judged by its status code";
  CHECK_OK(netcore_request_set_error_fields(request, "/code", "/text", NULL));
  CHECK_OK(add(request, 1007, "7", 0, "{detail}"));
  CHECK_OK(netcore_perform_streamed(client, request, 0, &response));
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(add(request, 1404, NULL, 404, NULL));
  CHECK_STATUS(netcore_perform_streamed(client, request, 0, &response), NETCORE_ERR_REJECTED_CODE);
  CHECK_EQUAL(response_error(response).application_code, 1007);
  CHECK_TEXT(response_error(response).user_message, "Tea");
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_cached(void) {
  struct reply reply = {.status = 200, .body = "{\"code\":7}"};
  netcore_cache cache = cache_new(NULL);
  netcore_client client = client_of(&reply, cache);
  netcore_request request = request_new("GET", URL), plain = request_new("GET", URL);
  netcore_response response = 0;
  check_case = "what is an error is not stored";
  CHECK_OK(netcore_request_set_error_fields(request, "/code", NULL, NULL));
  CHECK_OK(add(request, 1007, "7", 0, NULL));
  for (int i = 1; i <= 2; i++) {
    CHECK_STATUS(netcore_perform(client, request, &response), NETCORE_ERR_REJECTED_CODE);
    CHECK_OK(netcore_response_release(response));
    CHECK_EQUAL(reply.hops, i);
  }
  check_case = "what is stored is judged as well";
  CHECK_OK(netcore_perform(client, plain, &response));
  CHECK_OK(netcore_response_release(response));
  CHECK_STATUS(netcore_perform(client, request, &response), NETCORE_ERR_REJECTED_CODE);
  CHECK_OK(netcore_response_release(response));
  CHECK_EQUAL(reply.hops, 3);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_request_destroy(plain));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

static netcore_status refuse(netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  return 2345;
}

static void test_own_status(void) {
  struct reply reply = {.status = 200, .body = ""};
  netcore_client client = client_of(&reply, 0);
  netcore_request request = request_new("GET", URL);
  check_case = "a status of the application's own is its own code";
  CHECK_OK(netcore_request_set_filter(request, refuse, NULL, NULL));
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, 2345);
  CHECK_EQUAL(answer.error.application_code, 2345);
  CHECK_TEXT(answer.error.user_message, (const char *)answer.error.message.data);
  answer_free(&answer);
  CHECK_OK(netcore_set_user_message(2345, "Log in first."));
  answer = perform_once(client, request);
  CHECK_TEXT(answer.error.user_message, "Log in first.");
  answer_free(&answer);
  CHECK_OK(netcore_set_user_message(2345, NULL));
  CHECK_OK(netcore_client_destroy(client));
}

/* The table of a client, and what is refused */

static void test_defaults(void) {
  struct reply reply = {.status = 404, .body = ""};
  netcore_client client = client_of(&reply, 0);
  netcore_request defaults = request_new("GET", URL), request = request_new("GET", URL);
  check_case = "a client has a table for all its requests";
  CHECK_OK(add(defaults, 1404, NULL, 404, "Gone."));
  CHECK_OK(netcore_client_set_request_defaults(client, defaults));
  struct answer answer = perform(client, request);
  CHECK_EQUAL(answer.error.application_code, 1404);
  answer_free(&answer);
  CHECK_OK(add(request, 1405, NULL, 405, NULL));
  answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);

  check_case = "a table can be read";
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  netcore_error_row row = NETCORE_ERROR_ROW_INIT;
  CHECK_OK(netcore_request_set_error_fields(request, "/c", "/m", "0,1"));
  CHECK_OK(add(request, 1001, "x", 0, "X"));
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_TEXT(info.error_code_field, "/c");
  CHECK_TEXT(info.error_message_field, "/m");
  CHECK_TEXT(info.error_success, "0,1");
  CHECK_EQUAL(info.error_count, 2);
  CHECK_OK(netcore_request_get_error_at(request, 1, &row));
  CHECK(row.code == 1001 && row.http_status == 0 && strcmp(row.value, "x") == 0 && strcmp(row.message, "X") == 0);
  CHECK_OK(netcore_request_get_error_at(request, 0, &row));
  CHECK(row.code == 1405 && row.http_status == 405 && row.value == NULL && row.message == NULL);
  CHECK_STATUS(netcore_request_get_error_at(request, 2, &row), NETCORE_ERR_NOT_FOUND);
  CHECK_OK(netcore_request_destroy(defaults));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_refused(void) {
  netcore_request request = request_new("GET", URL);
  netcore_error_row row = {.size = sizeof row, .code = 1001, .http_status = 404, .reserved = 1};
  check_case = "what is refused";
  CHECK_STATUS(add(request, 999, NULL, 404, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(request, 1001, NULL, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(request, 1001, NULL, 99, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(request, 1001, "7", 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_error(request, &row), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_error(request, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_set_error_fields(request, "code", NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_set_error_fields(request, "/code", "~", NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_set_error_fields(request, NULL, NULL, "0"), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_set_error_fields(request, "/code", NULL, NULL));

  check_case = "clashes";
  CHECK_OK(add(request, 1001, "7", 0, "Sold out."));
  CHECK_OK(add(request, 1001, "7", 0, "Sold out."));
  CHECK_STATUS(add(request, 1002, "7", 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK(strcmp(netcore_last_error_message(), "code: the answer has the code 1001 already") == 0);
  CHECK_STATUS(add(request, 1001, "8", 0, "Another."), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(add(request, 1001, "8", 0, NULL));
  CHECK_STATUS(netcore_request_set_error_fields(request, NULL, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_EQUAL(info.error_count, 2);
  CHECK_OK(netcore_request_destroy(request));
}

int main(void) {
  check_begin();
  test_table();
  test_codes();
  test_catalogue();
  test_streams();
  test_cached();
  test_own_status();
  test_defaults();
  test_refused();
  return check_end();
}
