/*
 * What a request is built from: services and environments, common parts, relative URLs, path values, parameters in queries and
 * bodies; as the origin's /echo saw it.
 */
#include "support.h"

static netcore_client client;

static netcore_request relative(const char *method, const char *service, const char *reference) {
  netcore_request request = 0;
  REQUIRE_OK(netcore_request_create_relative(method, service, reference, &request));
  return request;
}

static void check_sends(netcore_request request, const char *text) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, text);
  answer_free(&answer);
}

static void check_refused(netcore_request request, netcore_status status, const char *text) {
  netcore_response response = 1;
  CHECK_STATUS(netcore_perform(client, request, &response), status);
  CHECK(strstr(netcore_last_error_message(), text) != NULL);
  CHECK_EQUAL(response, 0);
  netcore_task task = 1;
  CHECK_STATUS(netcore_dispatch(client, request, NULL, NULL, &task), status);
  CHECK_EQUAL(task, 0);
  CHECK_OK(netcore_request_destroy(request));
}

static void begin(void) {
  netcore_client_options options = {.size = sizeof options};
  REQUIRE_OK(netcore_client_create(&options, &client));
}

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

/* RFC 3986 section 5.4: the final URL of references joined to "http://a/b/c/d;p?q". */
static void test_joins(void) {
  static const struct { const char *reference, *joined; } cases[] = {
      {"g", "/b/c/g"}, {"./g", "/b/c/g"}, {"g/", "/b/c/g/"}, {"/g", "/g"}, {"?y", "/b/c/d;p?y"}, {"g?y", "/b/c/g?y"},
      {"#s", "/b/c/d;p?q#s"}, {"g#s", "/b/c/g#s"}, {"g?y#s", "/b/c/g?y#s"}, {";x", "/b/c/;x"}, {"g;x", "/b/c/g;x"},
      {"g;x?y#s", "/b/c/g;x?y#s"}, {"", "/b/c/d;p?q"}, {".", "/b/c/"}, {"./", "/b/c/"}, {"..", "/b/"}, {"../", "/b/"},
      {"../g", "/b/g"}, {"../..", "/"}, {"../../", "/"}, {"../../g", "/g"}, {"../../../g", "/g"}, {"../../../../g", "/g"},
      {"/./g", "/g"}, {"/../g", "/g"}, {"g.", "/b/c/g."}, {".g", "/b/c/.g"}, {"g..", "/b/c/g.."}, {"..g", "/b/c/..g"},
      {"./../g", "/b/g"}, {"./g/.", "/b/c/g/"}, {"g/./h", "/b/c/g/h"}, {"g/../h", "/b/c/h"}, {"g;x=1/./y", "/b/c/g;x=1/y"},
      {"g;x=1/../y", "/b/c/y"}, {"g?y/./x", "/b/c/g?y/./x"}, {"g?y/../x", "/b/c/g?y/../x"}, {"g#s/./x", "/b/c/g#s/./x"},
      {"g#s/../x", "/b/c/g#s/../x"},
  };
  begin();
  CHECK_OK(netcore_client_add_service(client, "origin", "release", at(ORIGIN, "/b/c/d;p?q"), NULL));
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].reference;
    struct answer answer = perform_once(client, relative("GET", NULL, cases[i].reference));
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_TEXT(answer.info.url, at(ORIGIN, cases[i].joined));
    answer_free(&answer);
  }
  end();
}

static char switches[400];

static void note_switch(const char *service, const char *environment, void *user_data) {
  CHECK(user_data == switches);
  size_t size = strlen(switches);
  snprintf(switches + size, sizeof switches - size, "%s/%s ", service, environment);
}

static void test_services(void) {
  begin();
  check_case = "no service";
  check_refused(relative("GET", NULL, "/echo"), NETCORE_ERR_INVALID_URL, "url");
  CHECK_STATUS(netcore_client_select_next_service(client), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_client_select_next_environment(client), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_client_set_selection_listener(client, note_switch, switches));
  CHECK_OK(netcore_client_add_service(client, "a", "test", at(ORIGIN, "/echo/a-test/"), at(ORIGIN, "/echo/a-cdn/")));
  CHECK_OK(netcore_client_add_service(client, "a", "release", at(ORIGIN, "/echo/a-release/"), NULL));
  CHECK_OK(netcore_client_add_service(client, "b", "test", at(ORIGIN, "/echo/b-test/"), NULL));
  CHECK(*switches == '\0');
  check_case = "the selected service and environment";
  check_sends(relative("GET", NULL, "x"), "\"/echo/a-test/x\"");
  check_sends(relative("GET", "b", "x"), "\"/echo/b-test/x\"");
  CHECK_OK(netcore_client_select_environment(client, "release"));
  check_sends(relative("GET", NULL, "x"), "\"/echo/a-release/x\"");
  check_case = "a service without a URL for the environment";
  check_refused(relative("GET", "b", "x"), NETCORE_ERR_NOT_FOUND, "service");
  CHECK_OK(netcore_client_select_next_environment(client));
  CHECK_OK(netcore_client_select_next_service(client));
  check_case = "the next ones";
  check_sends(relative("GET", NULL, "x"), "\"/echo/b-test/x\"");
  CHECK_OK(netcore_client_select_next_service(client));
  CHECK_OK(netcore_client_select_service(client, "a"));
  check_sends(relative("GET", NULL, "x"), "\"/echo/a-test/x\"");
  CHECK(strcmp(switches, "a/release a/test b/test a/test ") == 0);
  check_case = "unknown names";
  CHECK_STATUS(netcore_client_select_service(client, "c"), NETCORE_ERR_NOT_FOUND);
  CHECK_STATUS(netcore_client_select_environment(client, "c"), NETCORE_ERR_NOT_FOUND);
  check_refused(relative("GET", "c", "x"), NETCORE_ERR_NOT_FOUND, "service");
  check_case = "the CDN, where there is one";
  netcore_request request = relative("GET", NULL, "x");
  CHECK_OK(netcore_request_set_use_cdn(request, 1));
  check_sends(request, "\"/echo/a-cdn/x\"");
  request = relative("GET", "b", "x");
  CHECK_OK(netcore_request_set_use_cdn(request, 1));
  check_sends(request, "\"/echo/b-test/x\"");
  check_case = "a base URL of the request's own";
  request = relative("GET", NULL, "x");
  CHECK_OK(netcore_request_set_base_url(request, at(ORIGIN, "/echo/own/")));
  check_sends(request, "\"/echo/own/x\"");
  check_case = "an absolute URL wins";
  check_sends(request_new("GET", at(ORIGIN, "/echo/absolute")), "\"/echo/absolute\"");
  check_case = "a base URL is replaced";
  CHECK_OK(netcore_client_add_service(client, "a", "test", at(ORIGIN, "/echo/new/"), NULL));
  check_sends(relative("GET", NULL, "x"), "\"/echo/new/x\"");
  end();
}

/* A request that was dispatched keeps its server, and one that is dispatched again goes to the new one. */
static void test_switch_and_snapshot(void) {
  begin();
  check_case = "a switch between two dispatches of one request";
  CHECK_OK(netcore_client_add_service(client, "a", "test", at(ORIGIN, "/echo/one/"), NULL));
  CHECK_OK(netcore_client_add_service(client, "b", "test", at(ORIGIN, "/echo/two/"), NULL));
  netcore_request request = relative("GET", NULL, "x");
  for (int i = 0; i < 4; i++) {
    struct answer answer = perform(client, request);
    CHECK_BODY_HAS(&answer, i % 2 ? "\"/echo/two/x\"" : "\"/echo/one/x\"");
    answer_free(&answer);
    CHECK_OK(netcore_client_select_next_service(client));
  }
  CHECK_OK(netcore_request_destroy(request));
  end();
}

static void test_https(void) {
  char url[200];
  check_case = "http becomes https, on its port";
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  REQUIRE_OK(netcore_client_create(&options, &client));
  snprintf(url, sizeof url, "http://localhost%s/small.txt", strrchr(peer(NGINX_TLS), ':'));
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_request_set_use_https(request, 1));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_TEXT(answer.info.url, at(NGINX_TLS, "/small.txt"));
  answer_free(&answer);
  CHECK_STATUS(netcore_request_set_use_https(request, 1), NETCORE_ERR_INVALID_HANDLE);
  end();
}

static void test_common_parts(void) {
  begin();
  CHECK_OK(netcore_client_set_header(client, "X-Common", "1"));
  CHECK_OK(netcore_client_set_header(client, "x-common", "2"));
  CHECK_OK(netcore_client_set_header(client, "User-Agent", "app/1"));
  CHECK_OK(netcore_client_set_param(client, "lang", "de"));
  check_case = "what all requests have";
  check_sends(request_new("GET", at(ORIGIN, "/echo?a=1")), "\"target\": \"/echo?a=1&lang=de\"");
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "[\"x-common\", \"2\"]");
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "[\"User-Agent\", \"app/1\"]");
  check_case = "a request's own";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_header(request, "X-COMMON", "own"));
  CHECK_OK(netcore_request_add_param(request, "lang", "en"));
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "\"target\": \"/echo?lang=en\"");
  CHECK_BODY_HAS(&answer, "[\"X-COMMON\", \"own\"]");
  CHECK(!body_has(&answer, "\"2\""));
  answer_free(&answer);
  check_case = "a custom request";
  request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_custom(request, 1));
  answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "\"target\": \"/echo\"");
  CHECK(!body_has_anycase(&answer, "x-common"));
  answer_free(&answer);
  check_case = "removed again";
  CHECK_OK(netcore_client_set_header(client, "X-Common", NULL));
  CHECK_OK(netcore_client_set_param(client, "lang", NULL));
  answer = fetch(client, at(ORIGIN, "/echo"));
  CHECK_BODY_HAS(&answer, "\"target\": \"/echo\"");
  CHECK(!body_has_anycase(&answer, "x-common"));
  answer_free(&answer);
  end();
}

static void test_path_values(void) {
  begin();
  check_case = "values in a path";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo/{user}/posts/{post}?q={q}"));
  CHECK_OK(netcore_request_set_path_value(request, "user", "a/b c"));
  CHECK_OK(netcore_request_set_path_value(request, "post", "?\xC3\xBC"));
  CHECK_OK(netcore_request_set_path_value(request, "q", "1&2"));
  check_sends(request, "\"/echo/a%2Fb%20c/posts/%3F%C3%BC?q=1%262\"");
  CHECK_OK(netcore_client_add_service(client, "origin", "release", at(ORIGIN, "/echo/"), NULL));
  request = relative("GET", NULL, "users/{id}");
  CHECK_OK(netcore_request_set_path_value(request, "id", "..%2f"));
  check_sends(request, "\"/echo/users/..%252f\"");
  check_case = "a value that leads out of its place";
  request = relative("GET", NULL, "users/{id}");
  CHECK_OK(netcore_request_set_path_value(request, "id", ".."));
  check_refused(request, NETCORE_ERR_INVALID_URL, "{id}");
  check_case = "a name without a value";
  request = relative("GET", NULL, "users/{id}/{other}");
  CHECK_OK(netcore_request_set_path_value(request, "id", "1"));
  check_refused(request, NETCORE_ERR_INVALID_URL, "{other}");
  end();
}

static netcore_request with_all_types(const char *method, netcore_serializer serializer) {
  netcore_request request = request_new(method, at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_serializer(request, serializer));
  CHECK_OK(netcore_request_add_param(request, "s", "a b&\xC3\xBC"));
  CHECK_OK(netcore_request_add_param_int(request, "i", INT64_MIN));
  CHECK_OK(netcore_request_add_param_double(request, "d", 0.1));
  CHECK_OK(netcore_request_add_param_bool(request, "b", 1));
  CHECK_OK(netcore_request_add_param_null(request, "n"));
  CHECK_OK(netcore_request_add_param_json(request, "j", "[1,{}]"));
  return request;
}

#define QUERY "/echo?s=a%20b%26%C3%BC&i=-9223372036854775808&d=0.1&b=true&n=&j=%5B1%2C%7B%7D%5D"

static void test_parameters(void) {
  begin();
  check_case = "in a query";
  check_sends(with_all_types("GET", NETCORE_SERIALIZE_JSON), "\"target\": \"" QUERY "\"");
  check_sends(with_all_types("DELETE", NETCORE_SERIALIZE_FORM), "\"target\": \"" QUERY "\"");
  check_case = "in a query, beside a body";
  netcore_request request = with_all_types("POST", NETCORE_SERIALIZE_FORM);
  CHECK_OK(netcore_request_set_body(request, "raw", 3));
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "\"target\": \"" QUERY "\"");
  CHECK(!body_has_anycase(&answer, "content-type"));
  answer_free(&answer);
  check_case = "as a form";
  answer = perform_once(client, with_all_types("POST", NETCORE_SERIALIZE_FORM));
  CHECK_BODY_HAS(&answer, "\"target\": \"/echo\"");
  CHECK_BODY_HAS(&answer, "[\"Content-Type\", \"application/x-www-form-urlencoded\"]");
  CHECK_BODY_HAS(&answer, "s=a+b%26%C3%BC&i=-9223372036854775808&d=0.1&b=true&n=&j=%5B1%2C%7B%7D%5D");
  answer_free(&answer);
  check_case = "as JSON";
  answer = perform_once(client, with_all_types("PUT", NETCORE_SERIALIZE_JSON));
  CHECK_BODY_HAS(&answer, "[\"Content-Type\", \"application/json\"]");
  CHECK_BODY_HAS(&answer, "\\\"i\\\":-9223372036854775808,\\\"d\\\":0.1,\\\"b\\\":true,\\\"n\\\":null,\\\"j\\\":[1,{}]}");
  answer_free(&answer);
  check_case = "a content type of the caller's";
  request = with_all_types("POST", NETCORE_SERIALIZE_JSON);
  CHECK_OK(netcore_request_set_header(request, "content-type", "application/vnd.api+json"));
  answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "[\"content-type\", \"application/vnd.api+json\"]");
  CHECK(!body_has(&answer, "application/json"));
  answer_free(&answer);
  check_case = "repeated names keep their order";
  request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  CHECK_OK(netcore_request_add_param(request, "b", "2"));
  CHECK_OK(netcore_request_add_param(request, "a", "3"));
  CHECK_OK(netcore_request_remove_param(request, "b"));
  check_sends(request, "\"target\": \"/echo?a=1&a=3\"");
  check_case = "repeated names in JSON";
  request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_serializer(request, NETCORE_SERIALIZE_JSON));
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  check_refused(request, NETCORE_ERR_INVALID_ARGUMENT, "parameters");
  end();
}

/* A redirect that turns POST into GET takes the built body and its type with it. */
static void test_redirect(void) {
  begin();
  check_case = "a redirect of a form";
  netcore_request request = request_new("POST", at(ORIGIN, "/redirect/303?to=/echo"));
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "\"method\": \"GET\", \"target\": \"/echo\"");
  CHECK(!body_has_anycase(&answer, "content-type"));
  answer_free(&answer);
  end();
}

int main(void) {
  check_begin();
  test_joins();
  test_services();
  test_switch_and_snapshot();
  test_https();
  test_common_parts();
  test_path_values();
  test_parameters();
  test_redirect();
  return check_end();
}
