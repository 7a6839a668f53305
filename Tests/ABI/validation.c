/*
 * What an answer must be like to be a success: the table of cases that all doors share, the function of the application's, what is
 * stored in a cache, streams, nulls, and the defaults of a client.
 */
#include "support.h"

#include <stdatomic.h>

#include "support/answer.h"
#include "support/reply.h"
#include "support/table.h"

#define URL "http://app.test/a"

static netcore_client client_of(struct reply *reply, netcore_cache cache) {
  netcore_client_options options = NETCORE_CLIENT_OPTIONS_INIT;
  options.cache = cache;
  netcore_client client;
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_client_set_transport(client, answer_hop, reply, NULL));
  return client;
}

/* Table */

enum { NAME, STATUSES, TYPES, SHAPE, CODE, TYPE, BODY, OUTCOME, POINTER, COLUMNS };

static const char *given(char **columns, int index) { return strcmp(columns[index], "-") == 0 ? NULL : columns[index]; }

static void run_case(netcore_client client, struct reply *reply, char **columns) {
  char fields[200] = "";
  const char *body = given(columns, BODY), *pointer = given(columns, POINTER), *type = given(columns, TYPE);
  reply->status = atoi(columns[CODE]), reply->body = body == NULL ? "" : body, reply->fields = fields;
  if (type != NULL) snprintf(fields, sizeof fields, "Content-Type: %s\r\n", type);
  netcore_request request = request_new("GET", URL);
  check_case = columns[NAME];
  CHECK_OK(netcore_request_set_accepted_statuses(request, given(columns, STATUSES)));
  CHECK_OK(netcore_request_set_accepted_content_types(request, given(columns, TYPES)));
  CHECK_OK(netcore_request_set_json_shape(request, given(columns, SHAPE)));
  struct answer answer = perform_once(client, request);
  CHECK(strcmp(netcore_status_name(answer.status), columns[OUTCOME]) == 0);
  CHECK_EQUAL(answer.info.http_status, reply->status);
  CHECK_EQUAL(answer.info.body.size_bytes, strlen(reply->body));
  const char *place = pointer == NULL || strcmp(pointer, "/") == 0 ? "" : pointer;
  CHECK(answer.error.argument.size_bytes == strlen(place));
  CHECK(place[0] == 0 || memcmp(answer.error.argument.data, place, strlen(place)) == 0);
  if (answer.status == NETCORE_ERR_REJECTED_STATUS) CHECK_EQUAL(answer.error.native_code, reply->status);
  answer_free(&answer);
}

static void test_table(void) {
  char line[1000], *columns[COLUMNS];
  FILE *table = table_open(__FILE__, "validation.tsv");
  struct reply reply = {0};
  netcore_client client = client_of(&reply, 0);
  int count = 0;
  for (int found; (found = table_next(table, line, sizeof line, columns, COLUMNS)) > 0; count++) {
    REQUIRE(found == COLUMNS);
    run_case(client, &reply, columns);
  }
  fclose(table);
  CHECK_OK(netcore_client_destroy(client));
  CHECK(count > 30);
}

/* Digests */

enum { D_NAME, D_CHECK, D_CODE, D_FIELDS, D_BODY, D_OUTCOME, D_DIGEST, D_COLUMNS };

/* Reads a streamed answer to its end. */
static struct answer stream_once(netcore_client client, netcore_request request) {
  struct answer answer = {.info = NETCORE_RESPONSE_INFO_INIT, .error = NETCORE_ERROR_INIT};
  netcore_response head = 0;
  char bytes[100];
  size_t size = 1;
  answer.status = netcore_perform_streamed(client, request, 0, &head);
  while (answer.status == NETCORE_OK && size > 0)
    answer.status = netcore_response_read(head, bytes, sizeof bytes, UINT64_MAX, &size);
  netcore_response ending = 0;
  if (netcore_response_get_ending(head, &ending) == NETCORE_OK) {
    answer.response = ending;
    CHECK_OK(netcore_response_get_info(ending, &answer.info));
    CHECK_OK(netcore_response_release(head));
  } else {
    answer.response = head;
    CHECK_OK(netcore_response_get_info(head, &answer.info));
  }
  CHECK_OK(netcore_request_destroy(request));
  return answer;
}

static void run_digest(netcore_client client, struct reply *reply, char **columns, bool is_streamed) {
  char fields[400] = "";
  const char *body = given(columns, D_BODY), *digest = given(columns, D_DIGEST), *check = given(columns, D_CHECK);
  reply->status = atoi(columns[D_CODE]), reply->body = body == NULL ? "" : body, reply->fields = fields;
  for (const char *from = given(columns, D_FIELDS); from != NULL && *from != 0;) {
    size_t size = strcspn(from, "|"), end = strlen(fields);
    snprintf(fields + end, sizeof fields - end, "%.*s\r\n", (int)size, from);
    from += size + (from[size] != 0);
  }
  netcore_request request = request_new("GET", URL);
  check_case = columns[D_NAME];
  CHECK_OK(netcore_request_set_body_sha256(request, check != NULL && strcmp(check, "server") == 0 ? "" : check));
  struct answer answer = is_streamed ? stream_once(client, request) : perform_once(client, request);
  CHECK(strcmp(netcore_status_name(answer.status), columns[D_OUTCOME]) == 0);
  CHECK_EQUAL(answer.info.body_sha256.size_bytes, digest == NULL ? 0 : 64);
  CHECK(digest == NULL || strcmp((const char *)answer.info.body_sha256.data, digest) == 0);
  if (!is_streamed) CHECK_EQUAL(answer.info.body.size_bytes, strlen(reply->body));
  answer_free(&answer);
}

static void test_digests(void) {
  char line[1000], *columns[D_COLUMNS];
  FILE *table = table_open(__FILE__, "digests.tsv");
  struct reply reply = {0};
  netcore_client client = client_of(&reply, 0);
  int count = 0;
  for (int found; (found = table_next(table, line, sizeof line, columns, D_COLUMNS)) > 0; count++) {
    REQUIRE(found == D_COLUMNS);
    run_digest(client, &reply, columns, false);
    run_digest(client, &reply, columns, true);
  }
  fclose(table);
  CHECK_OK(netcore_client_destroy(client));
  CHECK(count > 15);
}

/* The digest is that of the decoded body, of one that comes in many pieces, and in trailers. */
static void test_digests_of_streams(void) {
  netcore_client client;
  REQUIRE_OK(netcore_client_create(NULL, &client));
  static const char *const paths[] = {"/gzip/100000", "/chunked/3000000", "/bytes/3000000"};
  for (size_t i = 0; i < LENGTH(paths); i++) {
    check_case = paths[i];
    netcore_request request = request_new("GET", at(ORIGIN, paths[i])), again = 0;
    CHECK_OK(netcore_request_set_body_sha256(request, ""));
    CHECK_OK(netcore_request_copy(request, &again));
    struct answer whole = perform_once(client, request), streamed = stream_once(client, again);
    CHECK(whole.status == NETCORE_OK && streamed.status == NETCORE_OK);
    CHECK_EQUAL(whole.info.body_sha256.size_bytes, 64);
    CHECK(memcmp(whole.info.body_sha256.data, streamed.info.body_sha256.data, 64) == 0);
    answer_free(&whole);
    answer_free(&streamed);
  }
  check_case = "a digest in the trailer section";
  netcore_request request = script_request(
      "GET", ORIGIN,
      "[{'send':'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n0\\r\\nContent-Digest: "
      "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:\\r\\n\\r\\n'}]");
  CHECK_OK(netcore_request_set_body_sha256(request, ""));
  struct answer answer = stream_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_INTEGRITY);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

/* A function of the application's */

struct judge {
  netcore_status verdict;
  atomic_uint calls, releases;
};

static netcore_status judge_answer(netcore_response response, void *user_data) {
  struct judge *judge = user_data;
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  CHECK_OK(netcore_response_get_info(response, &info));
  CHECK(info.http_status == 200 && info.body.size_bytes == 2);
  atomic_fetch_add(&judge->calls, 1);
  return judge->verdict;
}

static void release_judge(void *user_data) { atomic_fetch_add(&((struct judge *)user_data)->releases, 1); }

static void check_verdict(netcore_status verdict, netcore_status status) {
  struct reply reply = {.status = 200, .body = "ab"};
  struct judge judge = {.verdict = verdict};
  netcore_client client = client_of(&reply, 0);
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_validator(request, judge_answer, &judge, release_judge));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, status);
  CHECK(answer.error.native_code == verdict && answer.info.body.size_bytes == 2);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
  CHECK(judge.calls == 1 && judge.releases == 1);
}

static void test_function(void) {
  check_case = "a function accepts";
  check_verdict(NETCORE_OK, NETCORE_OK);
  check_case = "a function rejects";
  check_verdict(-7, NETCORE_ERR_REJECTED);
  check_verdict(NETCORE_ERR_CANCELED, NETCORE_ERR_REJECTED);
  check_case = "with a status of its own";
  check_verdict(2001, 2001);

  check_case = "not asked about what another rule rejects, and released when it is replaced";
  struct reply reply = {.status = 500, .body = "ab"};
  struct judge judge = {0};
  netcore_client client = client_of(&reply, 0);
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_validator(request, judge_answer, &judge, release_judge));
  CHECK_OK(netcore_request_set_accepted_statuses(request, ""));
  struct answer answer = perform(client, request);
  CHECK_STATUS(answer.status, NETCORE_ERR_REJECTED_STATUS);
  answer_free(&answer);
  CHECK_OK(netcore_request_set_validator(request, NULL, NULL, NULL));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
  CHECK(judge.calls == 0 && judge.releases == 1);
}

/* Cache */

static struct answer perform_with_shape(netcore_client client, const char *shape) {
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_json_shape(request, shape));
  return perform_once(client, request);
}

static void test_cache(void) {
  struct reply reply = {.status = 200, .fields = "Cache-Control: max-age=60\r\n", .body = "{}"};
  netcore_cache cache;
  REQUIRE_OK(netcore_cache_create(NULL, &cache));
  netcore_client client = client_of(&reply, cache);
  check_case = "what is rejected is not stored";
  for (int i = 0; i < 2; i++) {
    struct answer answer = perform_with_shape(client, "[]");
    CHECK_STATUS(answer.status, NETCORE_ERR_REJECTED_JSON);
    answer_free(&answer);
  }
  CHECK_EQUAL(reply.hops, 2);
  check_case = "what is accepted is";
  for (int i = 0; i < 2; i++) {
    struct answer answer = perform_with_shape(client, "{}");
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
  }
  CHECK_EQUAL(reply.hops, 3);
  check_case = "what the cache serves is judged by the request that asks for it";
  struct answer answer = perform_with_shape(client, "[]");
  CHECK_STATUS(answer.status, NETCORE_ERR_REJECTED_JSON);
  CHECK(answer.info.cache_result == NETCORE_CACHE_RESULT_HIT && answer.info.body.size_bytes == 2);
  answer_free(&answer);
  CHECK_EQUAL(reply.hops, 3);
  check_case = "what is rejected for its head is not stored where it would be streamed";
  netcore_request request = request_new("GET", "http://app.test/streamed");
  CHECK_OK(netcore_request_set_accepted_statuses(request, "404"));
  netcore_response response = 0;
  CHECK_STATUS(netcore_perform_streamed(client, request, 0, &response), NETCORE_ERR_REJECTED_STATUS);
  if (response != 0) CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_set_accepted_statuses(request, NULL));
  answer = perform_once(client, request);
  CHECK(answer.status == NETCORE_OK && answer.info.cache_result != NETCORE_CACHE_RESULT_HIT);
  answer_free(&answer);
  CHECK_EQUAL(reply.hops, 5);
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

/* Nulls, streams, defaults */

static void check_body_is(netcore_client client, netcore_request request, const char *body) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK(answer.info.body.size_bytes == strlen(body) && memcmp(answer.info.body.data, body, strlen(body)) == 0);
  answer_free(&answer);
}

static void test_nulls(void) {
  struct reply reply = {.status = 200, .body = "{ \"a\": null, \"b\": [null, {\"c\": null}], \"d\": 1.50 }"};
  netcore_client client = client_of(&reply, 0);
  netcore_request request = request_new("GET", URL);
  check_case = "nulls";
  CHECK_OK(netcore_request_set_drop_nulls(request, 1));
  check_body_is(client, request, "{\"b\":[null,{}],\"d\":1.50}");
  check_body_is(client, request_new("GET", URL), reply.body);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_defaults(void) {
  struct reply reply = {.status = 404, .body = "gone"};
  netcore_client client = client_of(&reply, 0);
  netcore_request request = request_new("GET", URL);
  check_case = "a default of the client, and a request that asks for nothing";
  CHECK_OK(netcore_request_set_accepted_statuses(request, "2xx"));
  CHECK_OK(netcore_client_set_request_defaults(client, request));
  CHECK_OK(netcore_request_destroy(request));
  struct answer answer = perform_once(client, request_new("GET", URL));
  CHECK_STATUS(answer.status, NETCORE_ERR_REJECTED_STATUS);
  CHECK_BODY_HAS(&answer, "gone");
  answer_free(&answer);
  request = request_new("GET", URL);
  CHECK_OK(netcore_request_set_accepted_statuses(request, NULL));
  check_body_is(client, request, "gone");

  check_case = "a streamed answer that is rejected for its head";
  netcore_response response = 0;
  request = request_new("GET", URL);
  CHECK_STATUS(netcore_perform_streamed(client, request, 0, &response), NETCORE_ERR_REJECTED_STATUS);
  if (response != 0) CHECK_OK(netcore_response_release(response));
  reply.status = 200;
  response = 0;
  CHECK_OK(netcore_request_set_json_shape(request, "[]"));
  CHECK_OK(netcore_perform_streamed(client, request, 0, &response));
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  test_table();
  test_digests();
  test_digests_of_streams();
  test_function();
  test_cache();
  test_nulls();
  test_defaults();
  return check_end();
}
