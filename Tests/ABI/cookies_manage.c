/*
 * Cookies in the program's hands: setting, listing, clearing, export and import, and what it may not do.
 */
#include "support.h"

#include "support/cookies.h"
#include "support/refusal.h"

static netcore_client client;

static void begin(void) { client = cookie_client(NULL, 0); }

static void end(void) { CHECK_OK(netcore_client_destroy(client)); }

/* What is listed, as "name=value domain path secure http-only host-only expires\n" for each. */
static char listed[4000];

static int32_t note_cookie(const netcore_cookie *cookie, void *user_data) {
  size_t size = strlen(listed);
  CHECK(user_data == listed);
  CHECK_EQUAL(cookie->size, sizeof *cookie);
  snprintf(listed + size, sizeof listed - size, "%s=%s %s %s %d %d %d %lld\n", cookie->name, cookie->value,
           cookie->domain, cookie->path, cookie->is_secure, cookie->is_http_only, cookie->is_host_only,
           (long long)cookie->expires);
  return 1;
}

static void check_listed(const char *expected) {
  *listed = '\0';
  CHECK_OK(netcore_client_list_cookies(client, note_cookie, listed));
  if (!CHECK(strcmp(listed, expected) == 0)) fprintf(stderr, "    listed:\n%s    wanted:\n%s", listed, expected);
}

static void test_setting(void) {
  begin();
  check_case = "what is set is listed, in its order";
  check_listed("");
  netcore_cookie cookie = cookie_named("a", "1");
  CHECK_OK(netcore_client_set_cookie(client, &cookie));
  cookie = (netcore_cookie){.size = sizeof cookie, .name = "b", .value = "", .domain = ".EXAMPLE.org", .path = "/echo"};
  cookie.is_secure = cookie.is_http_only = 1;
  cookie.expires = 32503680000;
  CHECK_OK(netcore_client_set_cookie(client, &cookie));
  set_by(client, "http://a.example.com/headers", "c=3; HttpOnly; domain=example.com");
  check_listed("a=1 example.com / 0 0 1 -1\nb= example.org /echo 1 1 0 32503680000\nc=3 example.com / 0 1 0 -1\n");
  CHECK_SENT(client, "http://example.com/echo", "a=1; c=3");
  CHECK_SENT(client, "http://a.example.com/echo", "c=3");
  CHECK_SENT(client, "https://example.org/echo", "b=");
  check_case = "one is replaced by name, domain and path";
  cookie = cookie_named("a", "new");
  CHECK_OK(netcore_client_set_cookie(client, &cookie));
  cookie.path = "/echo";
  CHECK_OK(netcore_client_set_cookie(client, &cookie));
  CHECK_SENT(client, "http://example.com/echo", "a=new; a=new; c=3");
  CHECK_EQUAL(cookie_count(client), 4);
  check_case = "one that has ended removes";
  cookie.expires = 1;
  CHECK_OK(netcore_client_set_cookie(client, &cookie));
  CHECK_SENT(client, "http://example.com/echo", "a=new; c=3");
  end();
}

static int32_t clear_inside(const netcore_cookie *cookie, void *user_data) {
  uint32_t count = 0;
  CHECK_OK(netcore_client_clear_cookies(client, cookie->domain, cookie->path, cookie->name, &count));
  *(unsigned *)user_data += count;
  return 1;
}

static void test_clearing(void) {
  static const struct {
    const char *domain, *path, *name;
    uint32_t count;
  } cases[] = {
      {NULL, NULL, NULL, 4},
      {"example.com", NULL, NULL, 3},
      {".Example.COM", NULL, NULL, 3},
      {"com", NULL, NULL, 0},
      {NULL, "/echo", NULL, 1},
      {NULL, NULL, "a", 2},
      {NULL, NULL, "A", 0},
      {"example.org", "/", "a", 1},
      {"example.org", "/x", "a", 0},
      {"a.example.com", NULL, NULL, 0},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    uint32_t count = 77;
    begin();
    check_case = "clearing";
    set_by(client, "http://example.com/headers", "a=1");
    set_by(client, "http://example.com/headers", "b=2; path=/echo; max-age=1000");
    set_by(client, "http://a.example.com/headers", "c=3; domain=example.com");
    set_by(client, "http://example.org/headers", "a=4");
    CHECK_OK(netcore_client_clear_cookies(client, cases[i].domain, cases[i].path, cases[i].name, &count));
    CHECK_EQUAL(count, cases[i].count);
    CHECK_EQUAL(cookie_count(client), 4 - cases[i].count);
    if (i == 0) CHECK_SENT(client, "http://example.com/echo", "");
    end();
  }
  begin();
  check_case = "the end of a session";
  uint32_t count = 77;
  set_by(client, "http://example.com/headers", "a=1");
  set_by(client, "http://example.com/headers", "b=2; max-age=1000");
  CHECK_OK(netcore_client_clear_session_cookies(client, &count));
  CHECK_EQUAL(count, 1);
  CHECK_SENT(client, "http://example.com/echo", "b=2");
  CHECK_OK(netcore_client_clear_session_cookies(client, NULL));
  check_case = "clearing inside of the list";
  unsigned cleared = 0;
  set_by(client, "http://example.com/headers", "c=3");
  CHECK_OK(netcore_client_list_cookies(client, clear_inside, &cleared));
  CHECK_EQUAL(cleared, 2);
  CHECK_EQUAL(cookie_count(client), 0);
  end();
}

/* A file as curl writes it: tabs between fields, domains with a dot for those below, 0 for sessions. */
static const char from_curl[] =
    "# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n\n"
    ".example.com\tTRUE\t/\tFALSE\t32503680000\twide\t1\n"
    "#HttpOnly_example.com\tFALSE\t/echo\tTRUE\t0\thidden\ta b\n"
    "example.com\tFALSE\t/\tFALSE\t0\tempty\t\n"
    "example.com\tFALSE\t/\tFALSE\t1\tended\tlong ago\n";

static void test_texts(void) {
  char text[4000];
  size_t size = 77;
  uint32_t count = 77;
  begin();
  check_case = "import";
  CHECK_OK(netcore_client_import_cookies(client, from_curl, sizeof from_curl - 1, &count));
  CHECK_EQUAL(count, 4);
  const char *wanted =
      "wide=1 example.com / 0 0 0 32503680000\n"
      "hidden=a b example.com /echo 1 1 1 -1\n"
      "empty= example.com / 0 0 1 -1\n";
  check_listed(wanted);
  check_case = "lines that hold none are skipped";
  CHECK_OK(netcore_client_import_cookies(client, "# nothing\nabc\n\t\t\t\t\t\t\n\xFF\n", 18, &count));
  CHECK_EQUAL(count, 0);
  CHECK_OK(netcore_client_import_cookies(client, "", 0, &count));
  check_listed(wanted);
  check_case = "export";
  CHECK_OK(netcore_client_export_cookies(client, NULL, 0, &size));
  CHECK_OK(netcore_client_export_cookies(client, text, sizeof text, &(size_t){0}));
  CHECK_EQUAL(strlen(text), size);
  CHECK(strncmp(text, "# Netscape HTTP Cookie File\n", 28) == 0);
  CHECK(strstr(text, ".example.com\tTRUE\t/\tFALSE\t32503680000\twide\t1\n") != NULL);
  CHECK(strstr(text, "\n#HttpOnly_example.com\tFALSE\t/echo\tTRUE\t0\thidden\ta b\n") != NULL);
  CHECK(strstr(text, "ended") == NULL);
  check_case = "export into more room than there can be";
  static const size_t large[] = {SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX};
  for (size_t i = 0; i < LENGTH(large); i++) {
    size_t exported = 0;
    text[0] = '\0';
    CHECK_OK(netcore_client_export_cookies(client, text, large[i], &exported));
    CHECK(exported == size && strlen(text) == size);
  }
  check_case = "export into too little room";
  char little[20];
  size_t whole = 0;
  memset(little, 'x', sizeof little);
  CHECK_OK(netcore_client_export_cookies(client, little, 11, &whole));
  CHECK_EQUAL(whole, size);
  CHECK(memcmp(little, text, 10) == 0 && little[10] == '\0' && little[11] == 'x');
  end();
  begin();
  check_case = "what was exported, in another client";
  CHECK_OK(netcore_client_import_cookies(client, text, size, &count));
  CHECK_EQUAL(count, 3);
  check_listed(wanted);
  end();
}

static void test_bad_input(void) {
  static const struct {
    const char *member;
    netcore_cookie cookie;
  } cases[] = {
      {"name", {.name = NULL, .value = "", .domain = "example.com"}},
      {"name", {.name = "", .value = "", .domain = "example.com"}},
      {"name", {.name = "a=b", .value = "", .domain = "example.com"}},
      {"name", {.name = "a\nb", .value = "", .domain = "example.com"}},
      {"name", {.name = "__Host-a", .value = "", .domain = "example.com", .is_secure = 1}},
      {"name", {.name = "__Secure-a", .value = "", .domain = "example.com"}},
      {"value", {.name = "a", .value = NULL, .domain = "example.com"}},
      {"value", {.name = "a", .value = "b;c", .domain = "example.com"}},
      {"value", {.name = "a", .value = "b\r\nX-Evil: 1", .domain = "example.com"}},
      {"domain", {.name = "a", .value = "", .domain = NULL}},
      {"domain", {.name = "a", .value = "", .domain = ""}},
      {"domain", {.name = "a", .value = "", .domain = "com"}},
      {"domain", {.name = "a", .value = "", .domain = "example.com."}},
      {"domain", {.name = "a", .value = "", .domain = "exa mple.com"}},
      {"domain", {.name = "a", .value = "", .domain = "\xFF"}},
      {"path", {.name = "a", .value = "", .domain = "example.com", .path = "echo"}},
      {"path", {.name = "a", .value = "", .domain = "example.com", .path = ""}},
      {"path", {.name = "a", .value = "", .domain = "example.com", .path = "/\t"}},
      {"path", {.name = "a", .value = "", .domain = "example.com", .path = "/\xFF"}},
      {"is_secure", {.name = "a", .value = "", .domain = "example.com", .is_secure = 2}},
      {"is_http_only", {.name = "a", .value = "", .domain = "example.com", .is_http_only = -1}},
      {"is_host_only", {.name = "a", .value = "", .domain = "example.com", .is_host_only = 77}},
  };
  static const uint32_t sizes[] = {0, 1, 8, sizeof(netcore_cookie) - 1, UINT32_MAX};
  const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT;
  size_t size = 77;
  begin();
  check_case = "bad input";
  for (size_t i = 0; i < LENGTH(cases); i++) {
    netcore_cookie cookie = cases[i].cookie;
    cookie.size = sizeof cookie;
    REFUSES_INPUT(netcore_client_set_cookie, invalid, cases[i].member, cookie.name == NULL ? "" : cookie.name, client,
                  &cookie);
  }
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    netcore_cookie cookie = cookie_named("a", "");
    cookie.size = sizes[i];
    REFUSES(netcore_client_set_cookie, NETCORE_ERR_INVALID_STRUCT, "cookie", client, &cookie);
  }
  REFUSES(netcore_client_set_cookie, invalid, "cookie", client, NULL);
  REFUSES(netcore_client_list_cookies, invalid, "fn", client, NULL, NULL);
  REFUSES(netcore_client_clear_cookies, invalid, "domain", client, "\xFF", NULL, NULL, NULL);
  REFUSES(netcore_client_clear_cookies, invalid, "path", client, NULL, "\xFF", NULL, NULL);
  REFUSES(netcore_client_clear_cookies, invalid, "name", client, NULL, NULL, "\xFF", NULL);
  REFUSES(netcore_client_export_cookies, invalid, "text", client, NULL, 1, &size);
  CHECK_EQUAL(size, 0);
  REFUSES(netcore_client_export_cookies, invalid, "out_size", client, NULL, 0, NULL);
  REFUSES(netcore_client_import_cookies, invalid, "text", client, NULL, 1, NULL);
  REFUSES(netcore_client_import_cookies, invalid, "size_bytes", client, "", SIZE_MAX, NULL);
  CHECK_EQUAL(cookie_count(client), 0);
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  REFUSES(netcore_request_set_use_cookies, invalid, "use_cookies", request, 2);
  REFUSES(netcore_request_set_use_cookies, invalid, "use_cookies", request, -1);
  CHECK_OK(netcore_request_destroy(request));
  netcore_client_options options = {.size = sizeof options, .cookies = 2};
  REFUSES(netcore_client_create, invalid, "cookies", &options, fresh());
  end();
}

static void test_clients_without(void) {
  netcore_cookie cookie = cookie_named("a", "");
  size_t size = 77;
  uint32_t count = 77;
  const netcore_status state = NETCORE_ERR_INVALID_STATE;
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  check_case = "a client that keeps none";
  CHECK_STATUS(netcore_client_set_cookie(client, &cookie), state);
  CHECK_STATUS(netcore_client_list_cookies(client, note_cookie, NULL), state);
  CHECK_STATUS(netcore_client_clear_cookies(client, NULL, NULL, NULL, &count), state);
  CHECK_EQUAL(count, 0);
  CHECK_STATUS(netcore_client_clear_session_cookies(client, NULL), state);
  CHECK_STATUS(netcore_client_export_cookies(client, NULL, 0, &size), state);
  CHECK_EQUAL(size, 0);
  CHECK_STATUS(netcore_client_import_cookies(client, "", 0, NULL), state);
  end();
}

int main(void) {
  check_begin();
  test_setting();
  test_clearing();
  test_texts();
  test_bad_input();
  test_clients_without();
  return check_end();
}
