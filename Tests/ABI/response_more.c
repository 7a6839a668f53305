/* What a response says besides its fields and body: its text by charset, links, the redirects before it, and what was sent for it. */
#include "support.h"

#include "support/table.h"

static netcore_client client;

/* Answers with a script's fields and body; the text has no NUL byte within. */
static void check_decodes(const char *name, const char *script, const char *expected) {
  check_case = name;
  netcore_bytes text = {NULL, 77}, again = {NULL, 0};
  struct answer answer = fetch_script(client, ORIGIN, script);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_OK(netcore_response_get_text(answer.response, &text));
  CHECK_TEXT(text, expected);
  CHECK(text.data != NULL && text.data[text.size_bytes] == '\0');
  CHECK_OK(netcore_response_get_text(answer.response, &again));
  CHECK(again.data == text.data);
  CHECK_STATUS(netcore_response_get_text(answer.response, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  answer_free(&answer);
}

#define ANSWER(type, length, body) \
  "[{'send':'HTTP/1.1 200 OK\r\nContent-Type: " type "\r\nContent-Length: " length "\r\n\r\n'},{'send_base64':'" body \
  "'}]"

static void test_text(void) {
  check_decodes("a text in UTF-8", ANSWER("text/plain", "3", "YcOk"), "a\xC3\xA4");
  check_decodes("a text in ISO 8859-1", ANSWER("text/plain; charset=iso-8859-1", "2", "YeQ="), "a\xC3\xA4");
  check_decodes("a text in Shift_JIS", ANSWER("text/plain; charset=Shift_JIS", "2", "g2U="), "\xE3\x83\x86");
  check_decodes("a byte order mark wins", ANSWER("text/plain; charset=iso-8859-1", "5", "77u/w6Q="), "\xC3\xA4");
  check_decodes("an unknown charset", ANSWER("text/plain; charset=none", "3", "YcOk"), "a\xC3\xA4");
  check_decodes("damaged bytes", ANSWER("text/plain", "3", "Yf9i"),
                "a\xEF\xBF\xBD"
                "b");
  check_decodes("no body", "[{'send':'HTTP/1.1 204 No Content\r\n\r\n'}]", "");
}

/* The table of cases that all doors share. */

struct reply {
  char fields[200];
  uint8_t body[100];
  size_t size;
};

static void answer_hop(netcore_hop hop, netcore_request request, void *user_data) {
  struct reply *reply = user_data;
  (void)request;
  CHECK_OK(netcore_hop_answer(hop, 200, reply->fields, reply->body, reply->size));
}

static void test_table(void) {
  enum { NAME, TYPE, BODY, TEXT, COLUMNS };
  char line[500], *columns[COLUMNS];
  struct reply reply;
  netcore_client local = 0;
  netcore_bytes text;
  FILE *table = table_open(__FILE__, "text.tsv");
  REQUIRE_OK(netcore_client_create(NULL, &local));
  CHECK_OK(netcore_client_set_transport(local, answer_hop, &reply, NULL));
  for (int found; (found = table_next(table, line, sizeof line, columns, COLUMNS)) > 0;) {
    REQUIRE(found == COLUMNS);
    check_case = columns[NAME];
    snprintf(reply.fields, sizeof reply.fields, "Content-Type: %s\r\n", columns[TYPE]);
    reply.size = strlen(columns[BODY]) / 2;
    for (size_t i = 0; i < reply.size; i++) sscanf(columns[BODY] + 2 * i, "%2hhx", &reply.body[i]);
    struct answer answer = fetch(local, "http://app.test/");
    CHECK_OK(netcore_response_get_text(answer.response, &text));
    CHECK_TEXT(text, columns[TEXT]);
    answer_free(&answer);
  }
  fclose(table);
  CHECK_OK(netcore_client_destroy(local));
}

static void test_links(void) {
  char url[100] = "unset";
  size_t size = 77;
  check_case = "links";
  struct answer answer =
      fetch(client, at(ORIGIN,
                       "/headers?Link=%3C%2Fnext%3Fa%3E%3B%20rel%3D%22next%20x%22&Link=%3Chttp%3A%2F%2Fo%2F%3E%3B"
                       "rel%3Dlast"));
  CHECK_OK(netcore_response_get_link(answer.response, "NEXT", url, sizeof url, &size));
  CHECK(strcmp(url, at(ORIGIN, "/next?a")) == 0 && size == strlen(url));
  CHECK_OK(netcore_response_get_link(answer.response, "last", url, 5, &size));
  CHECK(strcmp(url, "http") == 0 && size == strlen("http://o/"));
  CHECK_STATUS(netcore_response_get_link(answer.response, "prev", url, sizeof url, &size), NETCORE_ERR_NOT_FOUND);
  CHECK_EQUAL(size, 0);
  CHECK_STATUS(netcore_response_get_link(answer.response, "", url, sizeof url, &size), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_get_link(answer.response, "last", NULL, 1, &size), NETCORE_ERR_INVALID_ARGUMENT);
  answer_free(&answer);
}

static void test_history(void) {
  netcore_response first = 77;
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  check_case = "redirects";
  struct answer answer = fetch(client, at(ORIGIN, "/redirect/307?to=/redirect/302%3Fto%3D/echo"));
  CHECK_EQUAL(answer.info.redirects, 2);
  CHECK_OK(netcore_response_get_history_at(answer.response, 1, &first));
  CHECK_OK(netcore_response_get_info(first, &info));
  CHECK_EQUAL(info.http_status, 302);
  CHECK_OK(netcore_response_release(first));
  CHECK_OK(netcore_response_get_history_at(answer.response, 0, &first));
  CHECK_STATUS(netcore_response_get_history_at(answer.response, 2, &first), NETCORE_ERR_NOT_FOUND);
  CHECK_EQUAL(first, 0);
  CHECK_OK(netcore_response_get_history_at(answer.response, 0, &first));
  answer_free(&answer); /* what came before stays */
  netcore_bytes location = {NULL, 0};
  CHECK_OK(netcore_response_get_info(first, &info));
  CHECK(info.http_status == 307 && info.body.size_bytes == 0);
  CHECK(strcmp((const char *)info.url.data, at(ORIGIN, "/redirect/307?to=/redirect/302%3Fto%3D/echo")) == 0);
  CHECK_OK(netcore_response_get_header(first, "location", 0, &location));
  CHECK_OK(netcore_response_release(first));
}

static int32_t find_field(const char *name, const char *value, void *user_data) {
  const char **found = user_data;
  if (strcmp(name, "X-Own") == 0 && strcmp(value, "1") == 0) found[0] = "own";
  if (strcmp(name, "Accept-Encoding") == 0) found[1] = "added";
  return 1;
}

static void test_sent_fields(void) {
  const char *found[2] = {NULL, NULL};
  check_case = "what was sent";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_header(request, "X-Own", "1"));
  struct answer answer = perform_once(client, request);
  CHECK_OK(netcore_response_list_request_headers(answer.response, find_field, found));
  CHECK(found[0] != NULL && found[1] != NULL);
  CHECK_STATUS(netcore_response_list_request_headers(answer.response, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  answer_free(&answer);
}

static bool is_same(netcore_bytes moved, netcore_bytes kept) {
  return moved.size_bytes == kept.size_bytes && memcmp(moved.data, kept.data, kept.size_bytes) == 0;
}

/* A response in one piece says what its handle said. */
static void test_moved(void) {
  static uint64_t room[1024], elsewhere[1024];
  check_case = "a response is moved";
  struct answer answer = fetch(client, at(ORIGIN, "/echo"));
  const netcore_response_info *info = &answer.info;
  netcore_try found = NETCORE_TRY_INIT;
  size_t size = 77;
  CHECK_OK(netcore_response_get_try(answer.response, 0, &found));

  CHECK_STATUS(netcore_response_move(answer.response, NULL, sizeof room, &size), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_move(answer.response, room, sizeof room, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_response_move(answer.response, room, 10, &size));
  CHECK_EQUAL(size, 0);
  CHECK_OK(netcore_response_retain(answer.response)); /* to compare with */
  CHECK_OK(netcore_response_move(answer.response, room, SIZE_MAX, &size));
  REQUIRE(size > info->body.size_bytes && size <= sizeof room);

  const netcore_response_info *moved = (const netcore_response_info *)room;
  CHECK(moved->size == sizeof *moved && moved->status == NETCORE_OK && moved->http_status == info->http_status);
  CHECK(moved->http_version == info->http_version && moved->attempts == 1 && moved->header_count == info->header_count);
  CHECK(moved->total_us == info->total_us && moved->bytes_received == info->bytes_received);
  CHECK(is_same(moved->url, info->url) && moved->url.data[moved->url.size_bytes] == '\0');
  CHECK(is_same(moved->headers, info->headers) && is_same(moved->body, info->body));
  CHECK(moved->trailers.size_bytes == 0 && moved->body_sha256.size_bytes == 0);
  CHECK((const char *)moved->body.data + moved->body.size_bytes == (const char *)room + size);

  REQUIRE(moved->try_count == 1);
  const netcore_try *tries = (const netcore_try *)((const char *)room + moved->size);
  CHECK(tries->size == sizeof *tries && tries->reason == found.reason && tries->http_status == 200);
  CHECK(tries->attempt == 1 && tries->start_us == found.start_us && tries->duration_us == found.duration_us);
  CHECK(is_same(tries->server, found.server) && is_same(tries->address, found.address));
  CHECK(tries->server.data[tries->server.size_bytes] == '\0' && tries->address.data[tries->address.size_bytes] == '\0');

  check_case = "a piece of just that size, somewhere else";
  CHECK_OK(netcore_response_retain(answer.response));
  CHECK_OK(netcore_response_move(answer.response, elsewhere, size - 1, &size));
  CHECK_EQUAL(size, 0);
  size_t url = (size_t)(moved->url.data - (const uint8_t *)room);
  size_t whole = (size_t)(moved->body.data - (const uint8_t *)room) + moved->body.size_bytes;
  CHECK_OK(netcore_response_move(answer.response, elsewhere, whole, &size));
  CHECK_EQUAL(size, whole);
  CHECK((size_t)(((netcore_response_info *)elsewhere)->url.data - (const uint8_t *)elsewhere) == url);

  check_case = "each move released the response once";
  CHECK_OK(netcore_response_release(answer.response));
  CHECK_STATUS(netcore_response_move(answer.response, room, sizeof room, &size), NETCORE_ERR_INVALID_HANDLE);
  CHECK_EQUAL(size, 0);
}

static void check_stays(const char *name, struct answer answer) {
  static uint64_t room[1024];
  size_t size = 77;
  check_case = name;
  CHECK_OK(netcore_response_move(answer.response, room, sizeof room, &size));
  CHECK_EQUAL(size, 0);
  answer_free(&answer);
}

static void test_not_moved(void) {
  netcore_cache cache = 0;
  netcore_client caching = 0;
  check_stays("a response with a redirect stays", fetch(client, at(ORIGIN, "/redirect/307?to=/echo")));
  check_stays("an error stays", fetch(client, "http://127.0.0.1:1/"));
  CHECK_OK(netcore_cache_create(NULL, &cache));
  netcore_client_options options = {.size = sizeof options, .cache = cache};
  CHECK_OK(netcore_client_create(&options, &caching));
  check_stays("an answer that a cache took part in stays", fetch(caching, at(ORIGIN, "/echo")));
  CHECK_OK(netcore_client_destroy(caching));
  CHECK_OK(netcore_cache_destroy(cache));
}

int main(void) {
  check_begin();
  client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  test_text();
  test_table();
  test_links();
  test_history();
  test_sent_fields();
  test_moved();
  test_not_moved();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
