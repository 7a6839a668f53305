/*
 * Strings that must not pass: methods, URLs, header names and values, tags and options that are null, empty, no UTF-8,
 * or have CR, LF, controls and spaces where none belong. Each is refused with the documented status, and not a byte of
 * it reaches the origin.
 */
#include "support.h"

#include "support/refusal.h"

struct bad {
  const char *text;
  netcore_status status;
};

#define NOT_UTF8(argument, after) \
  {argument "\xFF" after, NETCORE_ERR_INVALID_ARGUMENT}, {argument "\xC0\x80" after, NETCORE_ERR_INVALID_ARGUMENT}, \
      {argument "\xE2\x82" after, NETCORE_ERR_INVALID_ARGUMENT}, \
      {argument "\xED\xA0\x80" after, NETCORE_ERR_INVALID_ARGUMENT}, { \
    argument "\xF5\x80\x80\x80" after, NETCORE_ERR_INVALID_ARGUMENT \
  }

static const struct bad bad_methods[] = {
    {NULL, NETCORE_ERR_INVALID_ARGUMENT},    {"", NETCORE_ERR_INVALID_METHOD},
    {" ", NETCORE_ERR_INVALID_METHOD},       {" GET", NETCORE_ERR_INVALID_METHOD},
    {"GET ", NETCORE_ERR_INVALID_METHOD},    {"GET /other HTTP/1.1\r\nX-Evil: 1\r\n\r\n", NETCORE_ERR_INVALID_METHOD},
    {"GET\r", NETCORE_ERR_INVALID_METHOD},   {"GET\n", NETCORE_ERR_INVALID_METHOD},
    {"G\tT", NETCORE_ERR_INVALID_METHOD},    {"G\x01T", NETCORE_ERR_INVALID_METHOD},
    {"G\x7FT", NETCORE_ERR_INVALID_METHOD},  {"G/T", NETCORE_ERR_INVALID_METHOD},
    {"G:T", NETCORE_ERR_INVALID_METHOD},     {"G(T", NETCORE_ERR_INVALID_METHOD},
    {"\"GET\"", NETCORE_ERR_INVALID_METHOD}, {"G\xC3\x89T", NETCORE_ERR_INVALID_METHOD},
    {"CONNECT", NETCORE_ERR_INVALID_METHOD}, NOT_UTF8("G", "T"),
};

static const struct bad bad_urls[] = {
    {NULL, NETCORE_ERR_INVALID_ARGUMENT},
    {"", NETCORE_ERR_INVALID_URL},
    {"/path", NETCORE_ERR_INVALID_URL},
    {"http://a\xEF\xBC\x8F"
     "b/",
     NETCORE_ERR_INVALID_URL}, /* "a/b" by IDNA */
    {"http://\xC3\xA9\xEF\xBF\xBF/", NETCORE_ERR_INVALID_URL},
    {"http://\xE2\x98\x83/", NETCORE_ERR_INVALID_URL}, /* libcurl knows of no encoding without setlocale() */
    {"//localhost/", NETCORE_ERR_INVALID_URL},
    {"http://", NETCORE_ERR_INVALID_URL},
    {"http:///path", NETCORE_ERR_INVALID_URL},
    {"http://:80/", NETCORE_ERR_INVALID_URL},
    {"http://localhost:65536/", NETCORE_ERR_INVALID_URL},
    {"http://localhost:99999999999999999999/", NETCORE_ERR_INVALID_URL},
    {"http://localhost:-1/", NETCORE_ERR_INVALID_URL},
    {"http://localhost:8x/", NETCORE_ERR_INVALID_URL},
    {"http://[::1/", NETCORE_ERR_INVALID_URL},
    {"http://[::g]/", NETCORE_ERR_INVALID_URL},
    {"http://local host/", NETCORE_ERR_INVALID_URL},
    {"http://localhost\r\n/", NETCORE_ERR_INVALID_URL},
    {"http://localhost%0D%0A/", NETCORE_ERR_INVALID_URL},
    {"http://localhost/\r\nX-Evil: 1", NETCORE_ERR_INVALID_URL},
    {"http://localhost/ HTTP/1.1\r\nX-Evil: 1\r\n\r\n", NETCORE_ERR_INVALID_URL},
    {"http://localhost/\n", NETCORE_ERR_INVALID_URL},
    {"http://localhost/\r", NETCORE_ERR_INVALID_URL},
    {"http://localhost/\x01", NETCORE_ERR_INVALID_URL},
    {"http://localhost/\x7F", NETCORE_ERR_INVALID_URL},
    {"http://localhost/?a=\r\nb", NETCORE_ERR_INVALID_URL},
    {"ftp://localhost/", NETCORE_ERR_INVALID_SCHEME},
    {"file:///etc/passwd", NETCORE_ERR_INVALID_SCHEME},
    {"gopher://localhost:1/_x", NETCORE_ERR_INVALID_SCHEME},
    {"ws://localhost/", NETCORE_ERR_INVALID_SCHEME},
    {"dict://localhost/", NETCORE_ERR_INVALID_SCHEME},
    NOT_UTF8("http://localhost/", ""),
};

static const char *const bad_names[] = {"",
                                        " ",
                                        " X",
                                        "X ",
                                        "X Y",
                                        "X:",
                                        ":",
                                        "X\r",
                                        "X\nY",
                                        "X\r\nX-Evil: 1",
                                        "X\x01",
                                        "X\x7F",
                                        "X\tY",
                                        "(X)",
                                        "X/Y",
                                        "X\xC3\xA9",
                                        "Content-Length",
                                        "content-length",
                                        "Transfer-Encoding",
                                        "TRANSFER-ENCODING"};
static const char *const bad_values[] = {"a\rb",
                                         "a\nb",
                                         "a\r\nX-Evil: 1",
                                         "\r\n",
                                         "a\r\n b",
                                         "a\x01"
                                         "b",
                                         "a\x1F",
                                         "a\x7F"
                                         "b",
                                         "a\x0B"};
static const char *const not_utf8[] = {"\xFF", "a\xC0\x80", "a\xE2\x82", "\xED\xA0\x80", "\xF5\x80\x80\x80"};

static const char *shown(const char *text) { return text == NULL ? "(null)" : text; }

static void test_methods(netcore_request request) {
  for (size_t i = 0; i < LENGTH(bad_methods); i++) {
    const char *method = bad_methods[i].text;
    REFUSES_INPUT(netcore_request_create, bad_methods[i].status, "method", shown(method), method, "http://localhost/",
                  fresh());
    REFUSES_INPUT(netcore_request_set_method, bad_methods[i].status, "method", shown(method), request, method);
  }
}

static void test_urls(netcore_request request) {
  for (size_t i = 0; i < LENGTH(bad_urls); i++) {
    const char *url = bad_urls[i].text;
    REFUSES_INPUT(netcore_request_create, bad_urls[i].status, "url", shown(url), "GET", url, fresh());
    REFUSES_INPUT(netcore_request_set_url, bad_urls[i].status, "url", shown(url), request, url);
  }
  REFUSES(netcore_request_create, NETCORE_ERR_INVALID_SCHEME, "url", "GET", "ftp://user:hidden@localhost/?token=hidden",
          fresh());
  CHECK(strstr(netcore_last_error_message(), "hidden") == NULL);
  REFUSES(netcore_request_create, NETCORE_ERR_INVALID_URL, "url", "GET", "http://user:hidden@localhost:x/?token=hidden",
          fresh());
  CHECK(strstr(netcore_last_error_message(), "hidden") == NULL);
  REFUSES(netcore_request_create, NETCORE_ERR_INVALID_ARGUMENT, "out_request", "GET", "http://localhost/", NULL);
}

static void test_headers(netcore_request request) {
  for (size_t i = 0; i < LENGTH(bad_names); i++) {
    const char *name = bad_names[i];
    REFUSES_INPUT(netcore_request_set_header, NETCORE_ERR_INVALID_HEADER, "name", name, request, name, "evil");
    REFUSES_INPUT(netcore_request_add_header, NETCORE_ERR_INVALID_HEADER, "name", name, request, name, "evil");
  }
  for (size_t i = 0; i < LENGTH(bad_values); i++) {
    const char *value = bad_values[i];
    REFUSES_INPUT(netcore_request_set_header, NETCORE_ERR_INVALID_HEADER, "value", value, request, "X-Evil", value);
    REFUSES_INPUT(netcore_request_add_header, NETCORE_ERR_INVALID_HEADER, "value", value, request, "X-Evil", value);
  }
  /* No UTF-8 and no token: either is said. */
  netcore_status status = netcore_request_set_header(request, "X\xFF", "evil");
  CHECK(status == NETCORE_ERR_INVALID_HEADER || status == NETCORE_ERR_INVALID_ARGUMENT);
  REFUSES(netcore_request_set_header, NETCORE_ERR_INVALID_ARGUMENT, "name", request, NULL, "1");
  REFUSES(netcore_request_set_header, NETCORE_ERR_INVALID_ARGUMENT, "value", request, "X-Evil", NULL);
  REFUSES(netcore_request_add_header, NETCORE_ERR_INVALID_ARGUMENT, "name", request, NULL, "1");
  REFUSES(netcore_request_add_header, NETCORE_ERR_INVALID_ARGUMENT, "value", request, "X-Evil", NULL);
  REFUSES(netcore_request_remove_header, NETCORE_ERR_INVALID_ARGUMENT, "name", request, NULL);
}

static void test_tags(netcore_client client, netcore_request request) {
  uint32_t count = 77;
  for (size_t i = 0; i < LENGTH(not_utf8); i++) {
    REFUSES_INPUT(netcore_request_set_tag, NETCORE_ERR_INVALID_ARGUMENT, "tag", not_utf8[i], request, not_utf8[i]);
    count = 77;
    REFUSES_INPUT(netcore_client_cancel_tag, NETCORE_ERR_INVALID_ARGUMENT, "tag", not_utf8[i], client, not_utf8[i],
                  &count);
    CHECK_EQUAL(count, 0);
  }
  REFUSES(netcore_client_cancel_tag, NETCORE_ERR_INVALID_ARGUMENT, "tag", client, NULL, NULL);
}

/* Strings that are valid but far too long are refused or taken; none harms. */
static void test_absurd_lengths(netcore_client client, netcore_request request) {
  enum { SIZE = 16 << 20 };
  netcore_request made = 0;
  char *text = malloc(SIZE + 1);
  REQUIRE(text != NULL);
  memset(text, 'a', SIZE);
  text[SIZE] = '\0';
  check_case = "absurd lengths";
  netcore_status status = netcore_request_create(text, "http://localhost/", &made);
  CHECK(status == NETCORE_OK ? made != 0 : status == NETCORE_ERR_INVALID_METHOD && made == 0);
  if (made != 0) CHECK_OK(netcore_request_destroy(made));
  memcpy(text, "http://localhost/", 17);
  REFUSES(netcore_request_set_url, NETCORE_ERR_INVALID_URL, "url", request, text);
  memcpy(text, "http://aaaaaaaaaa", 17);
  REFUSES(netcore_request_set_url, NETCORE_ERR_INVALID_URL, "url", request, text);
  memset(text, ':', 17);
  REFUSES(netcore_request_set_header, NETCORE_ERR_INVALID_HEADER, "name", request, text, "1");
  CHECK_OK(netcore_request_set_tag(request, text));
  CHECK_OK(netcore_client_cancel_tag(client, text, NULL));
  CHECK_OK(netcore_request_set_tag(request, NULL));
  free(text);
}

int main(void) {
  check_begin();
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  const char *target = marked("/echo", "bad-strings");
  netcore_request request = request_new("GET", at(ORIGIN, target));
  test_methods(request);
  test_urls(request);
  test_headers(request);
  test_tags(client, request);
  test_absurd_lengths(client, request);

  check_case = "the request is as it was";
  CHECK_OK(netcore_request_set_url(request, at(ORIGIN, target))); /* In case one was taken. */
  CHECK_EQUAL(requests_seen(client, target), 0);
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, target);
  CHECK_BODY_HAS(&answer, "\"method\": \"GET\"");
  CHECK(!body_has(&answer, "vil"));
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
