/*
 * .netrc: user names and passwords by host, for requests that have no other credentials.
 */
#include "support.h"

#include "support/auth.h"
#include "support/cache.h"
#include "support/refusal.h"

static char *folder;

/* The path of a file in the folder, good until the next call. */
static const char *file_in(const char *name) {
  static char path[4200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static const char *write_netrc(const char *text) {
  const char *path = file_in(".netrc");
  FILE *file = fopen(path, "w");
  REQUIRE(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
  return path;
}

static netcore_client netrc_client(const char *file) {
  netcore_client_options options = {.size = sizeof options, .netrc_file = file};
  netcore_client client = 0;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

static void test_hosts(void) {
  netcore_client client =
      netrc_client(write_netrc("machine 127.0.0.1 login one password first\n"
                               "machine elsewhere.invalid\n  login other\n  password \"hidden one\"\n"));
  check_case = "a host of the file";
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, "/echo")), 200, basic_field("one:first"));
  check_case = "a host that is missing, behind one that is there";
  CHECK_ANONYMOUS(client, request_new("GET", at_localhost("/echo")));
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, "/echo")), 200, basic_field("one:first"));
  check_case = "requests with other credentials";
  CHECK_ANSWER(client, request_new("GET", with_user("u:url", at(ORIGIN, "/echo"))), 200, basic_field("u:url"));
  CHECK_ANSWER(client, auth_request(at(ORIGIN, "/echo"), NETCORE_AUTH_BASIC, "u", "set"), 200, basic_field("u:set"));
  CHECK_ANSWER(client, auth_request(at(ORIGIN, "/echo"), NETCORE_AUTH_BEARER, NULL, "t"), 200,
               "[\"Authorization\", \"Bearer t\"]");
  CHECK_ANONYMOUS(client, auth_request(at(ORIGIN, "/echo"), NETCORE_AUTH_DIGEST, "u", "set"));
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_header(request, "Authorization", "Own field"));
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "[\"Authorization\", \"Own field\"]");
  CHECK(!body_has(&answer, "Basic"));
  answer_free(&answer);
  check_case = "custom requests";
  request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_bare(request, 1));
  CHECK_ANONYMOUS(client, request);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_default(void) {
  netcore_client client =
      netrc_client(write_netrc("machine localhost\nlogin local\npassword p\ndefault login any password q\n"));
  check_case = "the default entry";
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, "/echo")), 200, basic_field("any:q"));
  CHECK_ANSWER(client, request_new("GET", at_localhost("/echo")), 200, basic_field("local:p"));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_redirects(void) {
  const char *text = "machine 127.0.0.1 login one password first\nmachine localhost login two password second\n";
  netcore_client client = netrc_client(write_netrc(text));
  check_case = "each host of a redirect has its own";
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, redirect_to(at_localhost("/echo")))), 200,
               basic_field("two:second"));
  CHECK_ANSWER(client, request_new("GET", at_localhost(redirect_to(at(ORIGIN, "/echo")))), 200,
               basic_field("one:first"));
  check_case = "a request's own do not go along";
  netcore_request request =
      auth_request(at(ORIGIN, redirect_to(at_localhost("/echo"))), NETCORE_AUTH_BASIC, "u", "set");
  CHECK_ANSWER(client, request, 200, basic_field("two:second"));
  CHECK_OK(netcore_client_destroy(client));
  check_case = "a redirect to a host that is missing";
  client = netrc_client(write_netrc("machine 127.0.0.1 login one password first\n"));
  CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN, redirect_to(at_localhost("/echo")))));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_home(void) {
  char *home = getenv("HOME") == NULL ? NULL : strdup(getenv("HOME"));
  check_case = "the file in the home folder";
  write_netrc("machine 127.0.0.1 login at password home\n");
  REQUIRE(setenv("HOME", folder, 1) == 0);
  netcore_client client = netrc_client("");
  CHECK_ANSWER(client, request_new("GET", at(ORIGIN, "/echo")), 200, basic_field("at:home"));
  CHECK_OK(netcore_client_destroy(client));
  check_case = "a home folder without one";
  REQUIRE(unlink(file_in(".netrc")) == 0);
  client = netrc_client("");
  CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN, "/echo")));
  CHECK_OK(netcore_client_destroy(client));
  if (home != NULL) setenv("HOME", home, 1);
  free(home);
}

/* Stored answers belong to whom the file names. */
static void test_cache(void) {
  netcore_cache cache = cache_new(NULL);
  netcore_client_options options = {.size = sizeof options, .cache = cache};
  options.netrc_file = write_netrc("machine 127.0.0.1 login one password first\n");
  netcore_client client = 0;
  const char *url = at(ORIGIN, "/guarded?Cache-Control=max-age%3D1000");
  check_case = "stored answers of another user";
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_RESULT(result_of(client, url), NOT_CACHED);
  CHECK_RESULT(result_of(client, url), HIT);
  CHECK_OK(netcore_client_destroy(client));
  options.netrc_file = write_netrc("machine 127.0.0.1 login two password second-one\n");
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_ANSWER(client, request_new("GET", url), 200, basic_field("two:second-one"));
  CHECK_RESULT(result_of(client, url), HIT);
  CHECK_OK(netcore_client_destroy(client));
  options.netrc_file = NULL;
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_ANONYMOUS(client, request_new("GET", url));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

static void test_bad_files(void) {
  netcore_client_options options = {.size = sizeof options};
  check_case = "files that cannot be read";
  options.netrc_file = "/nonexistent/netrc";
  REFUSES(netcore_client_create, NETCORE_ERR_STORAGE, "netrc_file", &options, fresh());
  options.netrc_file = "\xFF";
  REFUSES(netcore_client_create, NETCORE_ERR_INVALID_ARGUMENT, "netrc_file", &options, fresh());
  if (geteuid() != 0) {
    options.netrc_file = write_netrc("machine 127.0.0.1 login one password first\n");
    REQUIRE(chmod(options.netrc_file, 0) == 0);
    REFUSES(netcore_client_create, NETCORE_ERR_STORAGE, "netrc_file", &options, fresh());
    REQUIRE(chmod(options.netrc_file, 0600) == 0);
  }
  check_case = "a file that is none";
  netcore_client client = netrc_client(write_netrc("machine machine\nlogin\xFF\x01 password"));
  CHECK_ANONYMOUS(client, request_new("GET", at(ORIGIN, "/echo")));
  CHECK_OK(netcore_client_destroy(client));
  check_case = "a file whose text has no end";
  client = netrc_client(write_netrc("machine 127.0.0.1 login one password \"first"));
  struct answer answer = fetch(client, at(ORIGIN, "/echo"));
  CHECK_STATUS(answer.status, NETCORE_ERR_STORAGE);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  check_case = "the file in the home folder, where it is a pipe";
  REQUIRE(unlink(file_in(".netrc")) == 0 && mkfifo(file_in(".netrc"), 0600) == 0 && setenv("HOME", folder, 1) == 0);
  options.netrc_file = "";
  REFUSES(netcore_client_create, NETCORE_ERR_STORAGE, "netrc_file", &options, fresh());
}

int main(void) {
  check_begin();
  folder = folder_new();
  test_hosts();
  test_default();
  test_redirects();
  test_home();
  test_cache();
  test_bad_files();
  folder_remove(folder);
  return check_end();
}
