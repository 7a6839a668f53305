/*
 * API descriptions: the table of cases that all doors share, values as text, modules, the filter of a request, the template that
 * telemetry sees, and what is refused.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/hops.h"
#include "support/table.h"

#define BASE "http://app.test"

/* What the transport saw last, and what it answers. */
struct server {
  char url[200], field[100], body[400];
  int32_t status;
  atomic_uint hops;
};

static void serve(netcore_hop hop, netcore_request request, void *user_data) {
  struct server *server = user_data;
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  netcore_bytes value = {0};
  CHECK_OK(netcore_request_get_info(request, &info));
  snprintf(server->url, sizeof server->url, "%s", (const char *)info.url.data + strlen(BASE));
  snprintf(server->body, sizeof server->body, "%.*s", (int)info.body.size_bytes,
           info.body.data == NULL ? "" : (const char *)info.body.data);
  netcore_status found = netcore_request_get_header(request, "X-Test", 0, &value);
  snprintf(server->field, sizeof server->field, "%s", found == NETCORE_OK ? (const char *)value.data : "");
  atomic_fetch_add(&server->hops, 1);
  CHECK_OK(netcore_hop_answer(hop, server->status == 0 ? 200 : server->status, NULL, NULL, 0));
}

static netcore_client client_of(struct server *server) {
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_set_transport(client, serve, server, NULL));
  return client;
}

static netcore_request relative(const char *method, const char *url) {
  netcore_request request = 0;
  REQUIRE_OK(netcore_request_create_relative(method, NULL, url, &request));
  return request;
}

/* A module below http://app.test/v1. */
static netcore_module module_new(netcore_request defaults) {
  netcore_module module = 0;
  CHECK_OK(netcore_request_set_base_url(defaults, BASE "/v1"));
  REQUIRE_OK(netcore_module_create(defaults, &module));
  CHECK_OK(netcore_request_destroy(defaults));
  return module;
}

static netcore_api api_new(netcore_module module, netcore_request request) {
  netcore_api api = 0;
  REQUIRE_OK(netcore_api_create(module, request, &api));
  CHECK_OK(netcore_request_destroy(request));
  return api;
}

/* Sends a request, and destroys it. */
static void send_once(netcore_client client, netcore_request request) {
  struct answer answer = perform_once(client, request);
  CHECK_OK(answer.status);
  answer_free(&answer);
}

/* Table */

static char *given(char *text) { return text == NULL || strcmp(text, "-") == 0 ? NULL : text; }

/* "name type place field default, …", parted in place. */
static void add_params(netcore_api api, char *text) {
  static const char *const places[] = {"default", "query", "header", "body"};
  while (text != NULL) {
    netcore_api_param param = NETCORE_API_PARAM_INIT;
    char *next = strstr(text, ", ");
    if (next != NULL) *next = 0;
    param.name = strsep(&text, " ");
    param.type = strsep(&text, " ");
    for (char *place = given(strsep(&text, " ")); place != NULL && strcmp(places[param.place], place) != 0;)
      param.place++;
    param.field = given(strsep(&text, " "));
    param.default_value = text;
    CHECK_OK(netcore_api_add_param(api, &param));
    text = next == NULL ? NULL : next + 2;
  }
}

enum { NAME, METHOD, URL, SERIALIZER, PARAMS, VALUES, SENT, FIELD, BODY, OUTCOME, COLUMNS };

static void run_case(netcore_client client, netcore_module module, struct server *server, char **columns) {
  check_case = columns[NAME];
  netcore_request request = relative(columns[METHOD], columns[URL]);
  if (strcmp(columns[SERIALIZER], "json") == 0)
    CHECK_OK(netcore_request_set_serializer(request, NETCORE_SERIALIZER_JSON));
  netcore_api api = api_new(module, request);
  add_params(api, given(columns[PARAMS]));
  netcore_response response = 0;
  memset(server, 0, sizeof *server);
  netcore_status status = netcore_api_perform(client, api, columns[VALUES], &response);
  if (strcmp(columns[OUTCOME], "OK") == 0) {
    const char *field = given(columns[FIELD]), *body = given(columns[BODY]);
    CHECK_OK(status);
    CHECK(strcmp(server->url, columns[SENT]) == 0);
    CHECK(strcmp(server->field, field == NULL ? "" : field) == 0);
    CHECK(strcmp(server->body, body == NULL ? "" : body) == 0);
    CHECK_OK(netcore_response_release(response));
  } else {
    netcore_error error = NETCORE_ERROR_INIT;
    char *name = columns[OUTCOME];
    const char *code = strsep(&name, " ");
    CHECK(strcmp(netcore_status_name(status) + strlen("NETCORE_ERR_"), code) == 0);
    CHECK_OK(netcore_last_error(&error));
    CHECK_TEXT(error.argument, name);
    CHECK_EQUAL(error.application_code, NETCORE_APPLICATION_CODE_INVALID_REQUEST);
    CHECK_EQUAL(server->hops, 0);
  }
  CHECK_OK(netcore_api_destroy(api));
}

static void test_table(void) {
  static struct server server;
  char line[1000], *columns[COLUMNS];
  FILE *table = table_open(__FILE__, "apis.tsv");
  netcore_client client = client_of(&server);
  netcore_module module = module_new(relative("GET", ""));
  int count = 0;
  for (int found; (found = table_next(table, line, sizeof line, columns, COLUMNS)) > 0; count++) {
    REQUIRE(found == COLUMNS);
    run_case(client, module, &server, columns);
  }
  fclose(table);
  CHECK(count > 30);
  CHECK_OK(netcore_module_destroy(module));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_texts(void) {
  struct server server = {0};
  netcore_client client = client_of(&server);
  netcore_module module = module_new(relative("GET", ""));
  netcore_api api = api_new(module, relative("GET", "/posts/{id}"));
  char params[] = "id integer, q string, ok boolean?";
  const char *const values[] = {"q", "7", "id", "7", "ok", "true", NULL};
  const char *const wrong[] = {"q", "7", "id", "x", NULL}, *const twice[] = {"id", "7", "id", "7", NULL};
  const char *const half[] = {"id", NULL};
  netcore_request request = 0;
  check_case = "values as text";
  add_params(api, params);
  CHECK_OK(netcore_api_create_request_from_texts(api, values, &request));
  send_once(client, request);
  CHECK(strcmp(server.url, "/v1/posts/7?q=7&ok=true") == 0);
  CHECK_STATUS(netcore_api_create_request_from_texts(api, wrong, &request), NETCORE_ERR_INVALID_PARAM);
  CHECK_STATUS(netcore_api_create_request_from_texts(api, twice, &request), NETCORE_ERR_INVALID_PARAM);
  CHECK_STATUS(netcore_api_create_request_from_texts(api, NULL, &request), NETCORE_ERR_INVALID_PARAM);
  CHECK_STATUS(netcore_api_create_request_from_texts(api, half, &request), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_api_create_request(api, "[1]", &request), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_api_create_request(api, "{\"id\":1,\"id\":2}", &request), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(request, 0);
  CHECK_OK(netcore_api_destroy(api));
  CHECK_OK(netcore_module_destroy(module));
  CHECK_OK(netcore_client_destroy(client));
}

/* Modules */

static void test_defaults(void) {
  struct server server = {0};
  netcore_client client = client_of(&server);
  netcore_request defaults = relative("GET", "");
  CHECK_OK(netcore_request_set_header(defaults, "X-Test", "module"));
  CHECK_OK(netcore_request_add_param(defaults, "key", "k"));
  CHECK_OK(netcore_request_add_tag(defaults, "shop"));
  CHECK_OK(netcore_request_set_total_timeout_ms(defaults, 1234));
  CHECK_OK(netcore_request_set_accepted_statuses(defaults, "2xx,404"));
  netcore_module module = module_new(defaults);
  netcore_request request = relative("GET", "/a"), made = 0;
  CHECK_OK(netcore_request_add_tag(request, "posts"));
  netcore_api api = api_new(module, request);
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  check_case = "what a module has for its APIs";
  CHECK_OK(netcore_api_create_request(api, NULL, &made));
  CHECK_OK(netcore_request_get_info(made, &info));
  CHECK(info.tag_count == 2 && memcmp(info.tags.data, "posts\0shop", 11) == 0);
  CHECK_EQUAL(info.total_timeout_ms, 1234);
  server.status = 404;
  netcore_response response = 0;
  CHECK_OK(netcore_perform(client, made, &response));
  CHECK_OK(netcore_response_release(response));
  CHECK(strcmp(server.url, "/v1/a?key=k") == 0 && strcmp(server.field, "module") == 0);
  CHECK_OK(netcore_request_destroy(made));
  CHECK_OK(netcore_api_destroy(api));

  check_case = "an API that says otherwise";
  request = relative("GET", "/b");
  CHECK_OK(netcore_request_set_header(request, "X-Test", "own"));
  CHECK_OK(netcore_request_add_param(request, "key", "own"));
  CHECK_OK(netcore_request_set_accepted_statuses(request, ""));
  api = api_new(module, request);
  CHECK_STATUS(netcore_api_perform(client, api, NULL, &response), NETCORE_ERR_REJECTED_STATUS);
  CHECK(strcmp(server.url, "/v1/b?key=own") == 0 && strcmp(server.field, "own") == 0);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_api_destroy(api));
  CHECK_OK(netcore_module_destroy(module));

  check_case = "without a module only 2xx is a success";
  api = api_new(0, request_new("GET", BASE "/c"));
  CHECK_STATUS(netcore_api_perform(client, api, NULL, &response), NETCORE_ERR_REJECTED_STATUS);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_api_destroy(api));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_cancel(void) {
  static struct hops hops = HOPS_INITIAL;
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_set_transport(client, hops_keep, &hops, NULL));
  netcore_module module = module_new(relative("GET", ""));
  netcore_api api = api_new(module, relative("GET", "/slow"));
  struct outcome first = {0}, second = {0};
  static struct tally ended = TALLY_INITIAL;
  first.ended = second.ended = &ended;
  check_case = "the tasks of a module are canceled together";
  CHECK_OK(netcore_api_dispatch(client, api, NULL, outcome_done, &first, &first.task));
  hops_wait(&hops, 1);
  CHECK_OK(netcore_module_cancel(module));
  REQUIRE(tally_reaches(&ended, 1, patience_ms()));
  CHECK_STATUS(first.completion.status, NETCORE_ERR_CANCELED);
  CHECK_EQUAL(response_error(first.completion.response).cancel_cause, NETCORE_CANCEL_CAUSE_SCOPE);
  CHECK_OK(netcore_module_destroy(module));
  CHECK_OK(netcore_api_dispatch(client, api, NULL, outcome_done, &second, &second.task));
  REQUIRE(tally_reaches(&ended, 2, patience_ms()));
  CHECK_STATUS(second.completion.status, NETCORE_ERR_CANCELED);
  outcome_free(&first), outcome_free(&second);
  CHECK_OK(netcore_api_destroy(api));
  CHECK_OK(netcore_client_destroy(client));
}

/* Signing and telemetry */

static netcore_status sign(netcore_request request, void *user_data) {
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  atomic_fetch_add((atomic_uint *)user_data, 1);
  CHECK_OK(netcore_request_get_info(request, &info));
  char text[20];
  snprintf(text, sizeof text, "signed %zu", info.url.size_bytes);
  return netcore_request_set_header(request, "X-Test", text);
}

static void note_release(void *user_data) { atomic_fetch_add((atomic_uint *)user_data, 100); }

static int32_t note_template(const netcore_hop_info *info, char *text, size_t capacity, void *user_data) {
  (void)text, (void)capacity;
  snprintf(user_data, 100, "%s", info->url_template == NULL ? "none" : info->url_template);
  return NETCORE_TEXT_NONE;
}

static void test_filter(void) {
  struct server server = {0};
  static char template[100];
  atomic_uint calls = 0;
  netcore_client client = client_of(&server);
  CHECK_OK(netcore_client_set_hop_function(client, "X-Span", note_template, template, NULL));
  netcore_request request = request_new("GET", BASE "/posts/{id}?x=1");
  netcore_request_info info = NETCORE_REQUEST_INFO_INIT;
  CHECK_OK(netcore_request_set_filter(request, sign, &calls, note_release));
  CHECK_OK(netcore_request_get_info(request, &info));
  CHECK_EQUAL(info.has_filter, 1);
  netcore_api api = api_new(0, request);
  netcore_response response = 0;
  check_case = "a filter of the request signs it, and the template is kept";
  CHECK_OK(netcore_api_perform(client, api, "{\"id\":7}", &response));
  CHECK(strcmp(server.field, "signed 27") == 0 && atomic_load(&calls) == 1);
  CHECK(strcmp(template, "/posts/{id}") == 0);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_api_destroy(api));
  request = request_new("GET", BASE "/users/{id}");
  CHECK_OK(netcore_request_get_info(request, &info)); /* ends what was lent of the other request */

  check_case = "a request with a value in its path has a template, and one without has none";
  CHECK_OK(netcore_request_set_path_value(request, "id", "1"));
  send_once(client, request);
  CHECK(strcmp(template, "/users/{id}") == 0);
  send_once(client, request_new("GET", BASE "/users"));
  CHECK(strcmp(template, "none") == 0);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(atomic_load(&calls), 101);
}

/* What is refused */

static netcore_status add(netcore_api api, const char *name, const char *type, netcore_param_place place,
                          const char *field, const char *value) {
  netcore_api_param param = {.size = sizeof param, .place = place, .name = name, .type = type, .field = field};
  param.default_value = value;
  return netcore_api_add_param(api, &param);
}

static void test_refused(void) {
  static const char *const templates[] = {"/a/{", "/a/}", "/a/{}", "/a/{b c}", "/a/{b}/{"};
  netcore_api api = 0;
  check_case = "a malformed template";
  for (size_t i = 0; i < LENGTH(templates); i++) {
    netcore_request request = relative("GET", templates[i]);
    CHECK_STATUS(netcore_api_create(0, request, &api), NETCORE_ERR_INVALID_URL);
    CHECK_OK(netcore_request_destroy(request));
  }
  check_case = "parameters";
  api = api_new(0, relative("POST", "/a"));
  CHECK_OK(add(api, "id", "integer", 0, NULL, NULL));
  CHECK_STATUS(add(api, "id", "string", 0, NULL, NULL), NETCORE_ERR_INVALID_PARAM);
  CHECK_OK(add(api, "body", NULL, NETCORE_PARAM_PLACE_BODY, NULL, NULL));
  CHECK_STATUS(add(api, "more", NULL, NETCORE_PARAM_PLACE_BODY, NULL, NULL), NETCORE_ERR_INVALID_PARAM);
  CHECK_STATUS(add(api, "n", "integer", 0, NULL, "\"1\""), NETCORE_ERR_INVALID_PARAM);
  CHECK_STATUS(add(api, "n", "integer", 0, NULL, "1,"), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(api, "n", "whole", 0, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(api, "n", "[\"x\"]", 0, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(api, "", NULL, 0, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(api, "n", NULL, 0, "", NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(api, NULL, NULL, 0, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(api, "n", NULL, 4, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(add(api, "n", NULL, NETCORE_PARAM_PLACE_HEADER, "a b", NULL), NETCORE_ERR_INVALID_HEADER);
  CHECK_STATUS(netcore_api_add_param(api, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_api_destroy(api));
}

/* An API of a module whose error table says something of a code. */
static netcore_status create_with(netcore_module module, int32_t code, int32_t http_status, const char *message) {
  netcore_request request = relative("GET", "/a");
  netcore_error_row row = {.size = sizeof row, .code = code, .http_status = http_status, .message = message};
  netcore_api api = 0;
  CHECK_OK(netcore_request_add_error(request, &row));
  netcore_status status = netcore_api_create(module, request, &api);
  CHECK_OK(netcore_request_destroy(request));
  if (status == NETCORE_OK) CHECK_OK(netcore_api_destroy(api));
  return status;
}

static void test_clashes(void) {
  netcore_request defaults = relative("GET", "");
  netcore_error_row row = {.size = sizeof row, .code = 1404, .http_status = 404, .message = "Gone."};
  CHECK_OK(netcore_request_add_error(defaults, &row));
  netcore_module module = module_new(defaults);
  check_case = "clashes of error tables in a module";
  CHECK_OK(create_with(module, 1404, 410, "Gone."));
  CHECK_STATUS(create_with(module, 1404, 410, "Lost."), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(create_with(module, 1500, 404, "This one is gone."));
  CHECK_STATUS(create_with(module, 1500, 405, "Another API says otherwise."), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(create_with(0, 1500, 405, "Not in the module."));
  CHECK_OK(netcore_module_destroy(module));
}

int main(void) {
  check_begin();
  test_table();
  test_texts();
  test_defaults();
  test_cancel();
  test_filter();
  test_refused();
  test_clashes();
  return check_end();
}
