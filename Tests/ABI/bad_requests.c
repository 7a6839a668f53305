/*
 * Arguments that may not be, to the functions that build requests: each is refused with a status, by a message that names the
 * argument, and nothing is changed.
 */
#include "support.h"

#include "support/exports.h"
#include "support/never.h"
#include "support/refusal.h"

static const netcore_status invalid = NETCORE_ERR_INVALID_ARGUMENT;
static const char not_utf8[] = {'a', (char)0xFF, 0};
static netcore_client client;
static netcore_request request;

static void test_bodies(void) {
  netcore_reader reader = {.size = sizeof reader, .read = never_reader_read, .release = never_release};
  REFUSES(netcore_request_set_body_file, invalid, "path", request, NULL);
  REFUSES(netcore_request_set_body_file, invalid, "path", request, "");
  REFUSES(netcore_request_set_body_file, invalid, "path", request, not_utf8);
  REFUSES(netcore_request_set_body_reader, invalid, "reader", request, NULL, 1);
  REFUSES(netcore_request_set_body_reader, invalid, "length_bytes", request, &reader, UINT64_MAX - 1);
  REFUSES(netcore_request_set_body_reader, invalid, "length_bytes", request, &reader, (UINT64_C(1) << 62) + 1);
  reader.read = NULL;
  REFUSES(netcore_request_set_body_reader, invalid, "reader", request, &reader, 1);
  reader.read = never_reader_read;
  for (uint32_t size = 0; size < sizeof reader; size++) {
    reader.size = size;
    REFUSES(netcore_request_set_body_reader, NETCORE_ERR_INVALID_STRUCT, "reader", request, &reader, 1);
  }
}

static void test_validation(void) {
  static const char *const statuses[] = {"x", "2x", "99", "600", "300-200", "200,", ",", "2xx 404", "200-", not_utf8};
  static const char *const types[] = {"", "text", "text/", "/html", "text/html;q=1", "t*/x", "text/html,", not_utf8};
  static const char *const shapes[] = {"",      "x",          "1",          "null",
                                       "true",  "\"\"",       "\"text\"",   "[\"any\", \"any\"]",
                                       "\"?\"", "{\"a\": 1}", "[[\"x|\"]]", not_utf8};
  for (size_t i = 0; i < LENGTH(statuses); i++)
    REFUSES(netcore_request_set_accepted_statuses, invalid, "statuses", request, statuses[i]);
  for (size_t i = 0; i < LENGTH(types); i++)
    REFUSES(netcore_request_set_accepted_content_types, invalid, "types", request, types[i]);
  for (size_t i = 0; i < LENGTH(shapes); i++)
    REFUSES(netcore_request_set_json_shape, invalid, "shape", request, shapes[i]);
  static const char *const digests[] = {"0", "x", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85g",
                                        not_utf8};
  for (size_t i = 0; i < LENGTH(digests); i++)
    REFUSES(netcore_request_set_body_sha256, invalid, "sha256", request, digests[i]);
  REFUSES(netcore_request_set_drop_nulls, invalid, "drop_nulls", request, 2);
}

static void test_parts(void) {
  static const char *const controls[] = {"a\r\nX: b", "a\nb", "a\rb", "\x01", "\x7F"};
  netcore_reader reader = {.size = sizeof reader, .read = never_reader_read, .release = never_release};
  netcore_part_header header = {"X-A", "b"};
  netcore_part_options options = {.size = sizeof options};
  REFUSES(netcore_request_add_part, invalid, "name", request, NULL, "", 0, NULL);
  REFUSES(netcore_request_add_part, invalid, "name", request, "", "", 0, NULL);
  REFUSES(netcore_request_add_part, invalid, "name", request, not_utf8, "", 0, NULL);
  REFUSES(netcore_request_add_part, invalid, "data", request, "a", NULL, 1, NULL);
  REFUSES(netcore_request_add_part, invalid, "size_bytes", request, "a", "", SIZE_MAX, NULL);
  REFUSES(netcore_request_add_part, invalid, "size_bytes", request, "a", "", (size_t)1 << 41, NULL);
  REFUSES(netcore_request_add_file_part, invalid, "path", request, "a", NULL, NULL);
  REFUSES(netcore_request_add_reader_part, invalid, "reader", request, "a", NULL, 1, NULL);
  for (size_t i = 0; i < LENGTH(controls); i++) {
    options = (netcore_part_options){.size = sizeof options, .content_type = controls[i]};
    REFUSES(netcore_request_add_part, NETCORE_ERR_INVALID_HEADER, "content_type", request, "a", "", 0, &options);
    REFUSES(netcore_request_add_reader_part, NETCORE_ERR_INVALID_HEADER, "content_type", request, "a", &reader, 1,
            &options);
    header.value = controls[i];
    options = (netcore_part_options){
        .size = sizeof options, .headers = &header, .header_count = 1, .header_size = sizeof header};
    REFUSES(netcore_request_add_part, NETCORE_ERR_INVALID_HEADER, "headers", request, "a", "", 0, &options);
  }
  header = (netcore_part_header){"Content-Disposition", "form-data"};
  REFUSES(netcore_request_add_part, NETCORE_ERR_INVALID_HEADER, "headers", request, "a", "", 0, &options);
  header = (netcore_part_header){"X A", "b"};
  REFUSES(netcore_request_add_part, NETCORE_ERR_INVALID_HEADER, "headers", request, "a", "", 0, &options);
  options.header_count = UINT32_MAX;
  REFUSES(netcore_request_add_part, invalid, "header_count", request, "a", "", 0, &options);
  options =
      (netcore_part_options){.size = sizeof options, .header_count = 1, .header_size = sizeof(netcore_part_header)};
  REFUSES(netcore_request_add_part, invalid, "headers", request, "a", "", 0, &options);
  options = (netcore_part_options){.size = sizeof options, .file_name = ""};
  REFUSES(netcore_request_add_part, invalid, "file_name", request, "a", "", 0, &options);
  options.size = 4;
  REFUSES(netcore_request_add_part, NETCORE_ERR_INVALID_STRUCT, "options", request, "a", "", 0, &options);
}

static void test_manner(void) {
  for (int value = -1; value <= 2; value += 3) {
    REFUSES(netcore_request_set_sent_once, invalid, "sent_once", request, value);
    REFUSES(netcore_request_set_allow_unclean_end, invalid, "allow_unclean_end", request, value);
    REFUSES(netcore_request_set_cache_errors, invalid, "keep", request, value);
    REFUSES(netcore_request_set_allow_metered, invalid, "allow_metered", request, value);
    REFUSES(netcore_request_set_use_cookies, invalid, "use_cookies", request, value);
    netcore_network network = {.size = sizeof network, .is_metered = value};
    REFUSES(netcore_client_set_network, invalid, "is_metered", client, &network);
  }
  REFUSES(netcore_request_set_priority, invalid, "priority", request, -2);
  REFUSES(netcore_request_set_priority, invalid, "priority", request, 2);
  REFUSES(netcore_request_set_allowed_interface, invalid, "interface", request, "");
  REFUSES(netcore_request_set_allowed_interface, invalid, "interface", request, not_utf8);
  netcore_network network = {.size = sizeof network, .interface = ""};
  REFUSES(netcore_client_set_network, invalid, "interface", client, &network);
  network.size = 1;
  REFUSES(netcore_client_set_network, NETCORE_ERR_INVALID_STRUCT, "network", client, &network);
}

static void test_functions(void) {
  REFUSES(netcore_client_set_header_function, NETCORE_ERR_INVALID_HEADER, "name", client, "X A", never_value, NULL,
          NULL);
  REFUSES(netcore_client_set_header_function, NETCORE_ERR_INVALID_HEADER, "name", client, "Content-Length", never_value,
          NULL, NULL);
  REFUSES(netcore_client_set_header_function, invalid, "name", client, NULL, never_value, NULL, NULL);
  REFUSES(netcore_client_set_param_function, invalid, "name", client, "", never_value, NULL, NULL);
  REFUSES(netcore_client_add_filter, invalid, "fn", client, NULL, NULL, NULL);
  REFUSES(netcore_client_set_token_source, invalid, "origin", client, NULL, never_token, NULL, NULL);
  REFUSES(netcore_client_set_token_source, NETCORE_ERR_INVALID_URL, "origin", client, "example.com", never_token, NULL,
          NULL);
  REFUSES(netcore_client_set_token_source, NETCORE_ERR_INVALID_SCHEME, "origin", client, "ftp://h/", never_token, NULL,
          NULL);
  REFUSES(netcore_client_list_cookies, invalid, "fn", client, NULL, NULL);
}

static void test_credentials(void) {
  REFUSES(netcore_request_set_auth, invalid, "auth", request, -1, "u", "p");
  REFUSES(netcore_request_set_auth, invalid, "auth", request, 5, "u", "p");
  REFUSES(netcore_request_set_auth, invalid, "user", request, NETCORE_AUTH_BASIC, NULL, "p");
  REFUSES(netcore_request_set_auth, invalid, "password", request, NETCORE_AUTH_DIGEST, "u", NULL);
  REFUSES(netcore_request_set_auth, invalid, "password", request, NETCORE_AUTH_BEARER, NULL, NULL);
  REFUSES(netcore_request_set_auth, invalid, "user", request, NETCORE_AUTH_BASIC, "u:v", "p");
  REFUSES(netcore_request_set_auth, invalid, "user", request, NETCORE_AUTH_DIGEST, "u\r\nX: y", "p");
  REFUSES(netcore_request_set_cookie, invalid, "name", request, "", "1");
  REFUSES(netcore_request_set_cookie, invalid, "name", request, "a=b", "1");
  REFUSES(netcore_request_set_cookie, invalid, "name", request, "a\r\nX: y", "1");
  REFUSES(netcore_request_set_cookie, invalid, "value", request, "a", "1; b=2");
  REFUSES(netcore_request_set_cookie, invalid, "value", request, "a", "1\r\nX: y");
}

static void test_at_dispatch(void) {
  uint64_t *result = fresh();
  netcore_request head = request_new("HEAD", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_body(head, "body", 4));
  REFUSES(netcore_perform, invalid, "body", client, head, result);
  CHECK_OK(netcore_request_destroy(head));
  REFUSES(netcore_request_create_relative, NETCORE_ERR_INVALID_URL, "url", "GET", NULL, "//\xCC\xB8@127.0.0.1/",
          fresh());
}

static void test_nothing_was_changed(void) {
  check_case = "nothing was changed";
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_BODY_HAS(&answer, "\"body\": \"body\"");
  CHECK(!bytes_have(answer.info.body, "Cookie") && !bytes_have(answer.info.body, "Authorization"));
  answer_free(&answer);
}

int main(void) {
  check_begin();
  netcore_client_options options = {.size = sizeof options, .cookies = 1};
  REQUIRE_OK(netcore_client_create(&options, &client));
  request = request_new("POST", at(ORIGIN, "/echo"));
  CHECK_OK(netcore_request_set_body(request, "body", 4));
  test_bodies();
  test_validation();
  test_parts();
  test_manner();
  test_functions();
  test_credentials();
  test_at_dispatch();
  test_nothing_was_changed();
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
