/*
 * multipart/form-data: names and file names as browsers write them, fields of parts, order, lengths; as aiohttp's reader took
 * it, and as the bytes that the origin saw. No name or field of a part can make a field, a part or an end of its own.
 */
#include "support.h"

#include "support/body.h"

static netcore_client client;

static netcore_request form(void) { return request_new("POST", at(UPLOADS, "/upload")); }

static void add_text(netcore_request request, const char *name, const char *text, const netcore_part_options *options) {
  CHECK_OK(netcore_request_add_part(request, name, text, strlen(text), options));
}

/* Sends the request; each text must be in what the server says, in this order and only once. */
static void check_parts(netcore_request request, const char *const *texts, size_t count) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  const char *body = (const char *)answer.info.body.data, *rest = body == NULL ? "" : body;
  for (size_t i = 0; i < count; i++) {
    const char *found = strstr(rest, texts[i]);
    if (!CHECK(found != NULL)) fprintf(stderr, "    \"%s\" does not come next in: %.1500s\n", texts[i], rest);
    if (found != NULL) rest = found + strlen(texts[i]);
  }
  answer_free(&answer);
}

#define CHECK_PARTS(request, ...) \
  do { \
    static const char *const texts_[] = {__VA_ARGS__}; \
    check_parts(request, texts_, LENGTH(texts_)); \
  } while (0)

/* WHATWG HTML, "multipart/form-data encoding algorithm": in a name line breaks become CR LF first, in a file name they stay. The
 * expected texts are those of the platform's tests (form-data encoding of names and file names). */
static void test_names(void) {
  static const struct {
    const char *given, *as_name, *as_file_name;
  } cases[] = {{"plain", "plain", "plain"},
               {"with space; and=", "with space; and=", "with space; and="},
               {"\"quoted\"", "%22quoted%22", "%22quoted%22"},
               {"back\\slash", "back\\\\slash", "back\\\\slash"}, /* As JSON says one backslash. */
               {"a\rb", "a%0D%0Ab", "a%0Db"},
               {"a\nb", "a%0D%0Ab", "a%0Ab"},
               {"a\r\nb", "a%0D%0Ab", "a%0D%0Ab"},
               {"a\n\rb", "a%0D%0A%0D%0Ab", "a%0A%0Db"},
               {"a\r\r\nb\n", "a%0D%0A%0D%0Ab%0D%0A", "a%0D%0D%0Ab%0A"},
               {"a\r", "a%0D%0A", "a%0D"},
               {"100%22", "100%22", "100%22"},
               {"\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80", "\\u00fc\\u20ac\\ud83d\\ude00", "\\u00fc\\u20ac\\ud83d\\ude00"},
               {"x\"\r\nX-Injected: 1\r\n\r\n--", "x%22%0D%0AX-Injected: 1%0D%0A%0D%0A--",
                "x%22%0D%0AX-Injected: 1%0D%0A%0D%0A--"}};
  char wanted[300];
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].given;
    netcore_part_options options = {.size = sizeof options, .file_name = cases[i].given};
    netcore_request request = form();
    add_text(request, cases[i].given, "1", NULL);
    add_text(request, "f", "2", &options);
    const char *texts[3] = {wanted, "\"size\": 1", wanted + 150};
    snprintf(wanted, 150, "[\"Content-Disposition\", \"form-data; name=\\\"%s\\\"\"]]", cases[i].as_name);
    snprintf(wanted + 150, 150, "\"form-data; name=\\\"f\\\"; filename=\\\"%s\\\"\"]", cases[i].as_file_name);
    check_parts(request, texts, LENGTH(texts));
  }
}

/* Longer than any buffer. Part headers of more than 8 KiB are beyond aiohttp; the origin keeps the bytes. */
static void test_long_names(void) {
  enum { SIZE = 1000000 };
  char *name = malloc(SIZE + 1);
  REQUIRE(name != NULL);
  check_case = "very long names";
  for (int i = 0; i < SIZE; i++) name[i] = i % 2 ? '"' : 'n';
  name[SIZE] = '\0';
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  netcore_part_options options = {.size = sizeof options, .file_name = name};
  add_text(request, name, "1", &options);
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(json_number(answer.info.body, "body_size") > 2 * SIZE * 2); /* Half of each is written by three bytes. */
  CHECK_BODY_HAS(&answer, "n%22n%22\\\"; filename=\\\"n%22n%22");
  answer_free(&answer);
  free(name);
}

static void test_fields(void) {
  static const netcore_part_header fields[] = {{"X-One", "1"}, {"x-two", ""}, {"X-One", "\xC3\xBC \"q\""}};
  netcore_part_options options = {
      .size = sizeof options, .header_count = 3, .headers = fields, .header_size = sizeof fields[0]};
  check_case = "fields of a part";
  netcore_request request = form();
  options.content_type = "application/json; charset=utf-8";
  add_text(request, "a", "{}", &options);
  CHECK_PARTS(request, "\"name\": \"a\", \"file_name\": null, \"content_type\": \"application/json; charset=utf-8\"",
              "[\"X-One\", \"1\"], [\"x-two\", \"\"], [\"X-One\", \"\\u00fc \\\"q\\\"\"]", "\"text\": \"{}\"");
  check_case = "types by default";
  netcore_part_options named = {.size = sizeof named, .file_name = "n"};
  request = form();
  add_text(request, "text", "1", NULL);
  add_text(request, "named", "2", &named);
  CHECK_PARTS(request, "\"content_type\": null",
              "\"file_name\": \"n\", \"content_type\": \"application/octet-stream\"");
}

static void test_refused(void) {
  static const netcore_part_header bad[] = {{"X-A", "1\r\nX-B: 2"},
                                            {"X-A", "1\n"},
                                            {"X-A", "\r"},
                                            {"X-A", "\x01"},
                                            {"X A", "1"},
                                            {"X-A:", "1"},
                                            {"", "1"},
                                            {"X-A\r\nX-B", "1"},
                                            {"Content-Disposition", "form-data"},
                                            {"content-type", "text/plain"},
                                            {"Content-Length", "1"},
                                            {"CONTENT-TRANSFER-ENCODING", "base64"}};
  netcore_request request = form();
  for (size_t i = 0; i < LENGTH(bad); i++) {
    netcore_part_options options = {
        .size = sizeof options, .header_count = 1, .headers = &bad[i], .header_size = sizeof bad[i]};
    check_case = bad[i].name;
    CHECK_STATUS(netcore_request_add_part(request, "a", "1", 1, &options), NETCORE_ERR_INVALID_HEADER);
  }
  static const char *const types[] = {"", "text/plain\r\nX: 1", "a\nb", "\x7F"};
  for (size_t i = 0; i < LENGTH(types); i++) {
    netcore_part_options options = {.size = sizeof options, .content_type = types[i]};
    check_case = "a content type";
    CHECK_STATUS(netcore_request_add_part(request, "a", "1", 1, &options), NETCORE_ERR_INVALID_HEADER);
  }
  check_case = "names";
  netcore_part_options unnamed = {.size = sizeof unnamed, .file_name = ""},
                       broken = {.size = sizeof broken, .file_name = "\xFF"};
  CHECK_STATUS(netcore_request_add_part(request, "", "1", 1, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_part(request, "\xC3", "1", 1, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_part(request, "a", "1", 1, &unnamed), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_part(request, "a", "1", 1, &broken), NETCORE_ERR_INVALID_ARGUMENT);
  check_case = "nothing of it was added";
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "\"size\": 0");
  answer_free(&answer);
  check_case = "a Content-Type of the caller's";
  request = form();
  add_text(request, "a", "1", NULL);
  CHECK_OK(netcore_request_set_header(request, "Content-Type", "multipart/form-data; boundary=x"));
  netcore_response response = 1;
  CHECK_STATUS(netcore_perform(client, request, &response), NETCORE_ERR_INVALID_HEADER);
  CHECK_EQUAL(response, 0);
  CHECK_OK(netcore_request_destroy(request));
}

static void test_kinds(void) {
  enum { SIZE = 1000000 };
  char digest[100], named[200], *path = file_new(SIZE), *empty = file_new(0);
  file_digest(path, digest, sizeof digest);
  snprintf(named, sizeof named, "\"name\": \"file\", \"file_name\": \"%s\"", strrchr(path, '/') + 1);
  for (int is_known = 0; is_known < 2; is_known++) {
    const char *bases[] = {UPLOADS, NGINX_H2};
    for (size_t i = 0; i < LENGTH(bases); i++) {
      struct source source = SOURCE(SIZE);
      netcore_reader reader = source_reader(&source);
      netcore_part_options other = {
          .size = sizeof other, .file_name = "../other \xC3\xBC.bin", .content_type = "image/png"};
      check_case = is_known ? "all kinds, lengths known" : "all kinds, one length not known";
      netcore_request request = request_new("PUT", at(bases[i], "/upload"));
      CHECK_OK(netcore_request_add_param(request, "first", "parameter"));
      add_text(request, "text", "--\r\n\r\nbody", NULL);
      CHECK_OK(netcore_request_add_file_part(request, "file", path, NULL));
      CHECK_OK(
          netcore_request_add_reader_part(request, "reader", &reader, is_known ? SIZE : NETCORE_LENGTH_UNKNOWN, NULL));
      CHECK_OK(netcore_request_add_part(request, "nothing", NULL, 0, NULL));
      CHECK_OK(netcore_request_add_param_int(request, "second", 7));
      CHECK_OK(netcore_request_add_file_part(request, "file", empty, &other));
      const char *texts[] = {
          is_known ? "[\"Content-Length\", \"20" : "[\"Transfer-Encoding\", \"chunked\"]",
          "\"name\": \"first\"",
          "\"text\": \"parameter\"",
          "\"name\": \"second\"",
          "\"text\": \"7\"",
          "\"name\": \"text\"",
          "\"text\": \"--\\r\\n\\r\\nbody\"",
          named,
          digest,
          "\"name\": \"reader\", \"file_name\": null",
          digest,
          "\"name\": \"nothing\"",
          "\"size\": 0",
          "\"name\": \"file\", \"file_name\": \"../other \\u00fc.bin\", \"content_type\": \"image/png\"",
          "\"size\": 0"};
      check_parts(request, texts, LENGTH(texts));
      source_check_released(&source);
    }
  }
  file_remove(path);
  file_remove(empty);
}

/* GET and DELETE have their parameters in the query, also beside parts. */
static void test_parameters_in_query(void) {
  check_case = "parts by DELETE";
  netcore_request request = request_new("DELETE", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_add_param(request, "a", "1"));
  add_text(request, "part", "2", NULL);
  struct answer answer = perform_once(client, request);
  CHECK_BODY_HAS(&answer, "\"target\": \"/echo?a=1\"");
  CHECK_BODY_HAS(&answer, "name=\\\"part\\\"\\r\\n\\r\\n2\\r\\n--");
  CHECK(!body_has(&answer, "name=\\\"a\\\""));
  answer_free(&answer);
}

/* Each dispatch has a boundary of its own, which no content foresees. */
static void test_boundaries(void) {
  char first[200] = "", second[200] = "";
  check_case = "boundaries";
  netcore_request request = request_new("POST", at(ORIGIN, "/echo"));
  add_text(request, "a", "1", NULL);
  for (int i = 0; i < 2; i++) {
    struct answer answer = perform(client, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    const char *found = memmem(answer.info.body.data, answer.info.body.size_bytes, "boundary=", 9);
    if (CHECK(found != NULL)) snprintf(i == 0 ? first : second, 200, "%.*s", (int)strcspn(found, "\""), found);
    CHECK(strlen(first) - sizeof "boundary=" + 1 <= 70); /* RFC 2046 section 5.1.1 */
    answer_free(&answer);
  }
  CHECK(strcmp(first, second) != 0);
  CHECK_OK(netcore_request_destroy(request));
}

/* The type goes where the body goes, and no further. */
static void test_redirects(void) {
  static const struct {
    const char *path;
    bool keeps;
  } cases[] = {{"/redirect/307?to=/echo", true}, {"/redirect/303?to=/echo", false}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].path;
    netcore_request request = request_new("POST", at(ORIGIN, cases[i].path));
    add_text(request, "a", "content", NULL);
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, NETCORE_OK);
    CHECK_EQUAL(body_has(&answer, "multipart/form-data; boundary="), cases[i].keeps);
    CHECK_EQUAL(body_has(&answer, "content\\r\\n--"), cases[i].keeps);
    answer_free(&answer);
  }
}

int main(void) {
  check_begin();
  client = body_client();
  test_names();
  test_long_names();
  test_fields();
  test_refused();
  test_kinds();
  test_parameters_in_query();
  test_boundaries();
  test_redirects();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
