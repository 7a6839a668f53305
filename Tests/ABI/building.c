/* What changes between requests, or while they run, of all that they are built from. The rest is in building_cases.c. */
#include "support.h"

static netcore_client client;

static netcore_request relative(const char *reference) {
  netcore_request request = 0;
  REQUIRE_OK(netcore_request_create_relative("GET", NULL, reference, &request));
  return request;
}

static void check_sends(netcore_request request, const char *text) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, text);
  answer_free(&answer);
}

static void begin(void) {
  netcore_client_options options = {.size = sizeof options};
  REQUIRE_OK(netcore_client_create(&options, &client));
}

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

static char switches[400];

static void note_switch(const char *service, const char *environment, void *user_data) {
  CHECK(user_data == switches);
  size_t size = strlen(switches);
  snprintf(switches + size, sizeof switches - size, "%s/%s ", service, environment);
}

static void test_switches(void) {
  begin();
  check_case = "no service to switch to";
  CHECK_STATUS(netcore_client_select_next_service(client), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_client_select_next_environment(client), NETCORE_ERR_INVALID_STATE);
  check_case = "switches, and who is notified of them";
  CHECK_OK(netcore_client_set_selection_listener(client, note_switch, switches, NULL));
  CHECK_OK(netcore_client_add_service(client, "a", "test", at(ORIGIN, "/echo/a-test/"), NULL));
  CHECK_OK(netcore_client_add_service(client, "a", "release", at(ORIGIN, "/echo/a-release/"), NULL));
  CHECK_OK(netcore_client_add_service(client, "b", "test", at(ORIGIN, "/echo/b-test/"), NULL));
  CHECK(*switches == '\0');
  CHECK_OK(netcore_client_select_environment(client, "release"));
  check_sends(relative("x"), "\"/echo/a-release/x\"");
  CHECK_OK(netcore_client_select_next_environment(client));
  CHECK_OK(netcore_client_select_next_service(client));
  check_sends(relative("x"), "\"/echo/b-test/x\"");
  CHECK_OK(netcore_client_select_next_service(client));
  CHECK_OK(netcore_client_select_service(client, "a"));
  check_sends(relative("x"), "\"/echo/a-test/x\"");
  CHECK_STATUS(netcore_client_select_service(client, "c"), NETCORE_ERR_NOT_FOUND);
  CHECK(strcmp(switches, "a/release a/test b/test a/test ") == 0);
  end();
}

/* A request that was dispatched keeps its server, and one that is dispatched again goes to the new one. */
static void test_switch_and_snapshot(void) {
  begin();
  check_case = "a switch between two dispatches of one request";
  CHECK_OK(netcore_client_add_service(client, "a", "test", at(ORIGIN, "/echo/one/"), NULL));
  CHECK_OK(netcore_client_add_service(client, "b", "test", at(ORIGIN, "/echo/two/"), NULL));
  netcore_request request = relative("x");
  for (int i = 0; i < 4; i++) {
    struct answer answer = perform(client, request);
    CHECK_BODY_HAS(&answer, i % 2 ? "\"/echo/two/x\"" : "\"/echo/one/x\"");
    answer_free(&answer);
    CHECK_OK(netcore_client_select_next_service(client));
  }
  CHECK_OK(netcore_request_destroy(request));
  end();
}

static void test_removed_again(void) {
  begin();
  check_case = "common parts that are removed";
  CHECK_OK(netcore_client_set_header(client, "X-Common", "1"));
  CHECK_OK(netcore_client_set_param(client, "lang", "de"));
  check_sends(request_new("GET", at(ORIGIN, "/echo")), "\"target\": \"/echo?lang=de\"");
  CHECK_OK(netcore_client_set_header(client, "x-common", NULL));
  CHECK_OK(netcore_client_set_param(client, "lang", NULL));
  struct answer answer = fetch(client, at(ORIGIN, "/echo"));
  CHECK_BODY_HAS(&answer, "\"target\": \"/echo\"");
  CHECK(!body_has_anycase(&answer, "x-common"));
  answer_free(&answer);
  check_case = "parameters that are removed";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  CHECK_OK(netcore_request_add_param(request, "b", "2"));
  CHECK_OK(netcore_request_add_param(request, "a", "3"));
  CHECK_OK(netcore_request_remove_param(request, "a"));
  CHECK_OK(netcore_request_remove_param(request, "none"));
  check_sends(request, "\"target\": \"/echo?b=2\"");
  check_case = "flags of a request that is gone";
  request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_STATUS(netcore_request_set_use_https(request, 1), NETCORE_ERR_INVALID_HANDLE);
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
  test_switches();
  test_switch_and_snapshot();
  test_removed_again();
  test_redirect();
  return check_end();
}
