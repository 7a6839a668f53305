/*
 * Filters of answers: the table of cases that all doors share, what the functions for them refuse, tags that are read from an answer, whose
 * filters run in which order, and answers that do not pass them.
 */
#include "support.h"

#include <stdatomic.h>
#include <unistd.h>

#include "support/answer.h"
#include "support/reply.h"
#include "support/table.h"

#define URL "http://app.test/a"

static netcore_client client_of(struct reply *reply) {
  netcore_client_options options = NETCORE_CLIENT_OPTIONS_INIT;
  netcore_client client;
  REQUIRE_OK(netcore_cache_create(NULL, &options.cache));
  REQUIRE_OK(netcore_client_create(&options, &client));
  CHECK_OK(netcore_cache_destroy(options.cache));
  CHECK_OK(netcore_client_set_transport(client, answer_hop, reply, NULL));
  return client;
}

/* Table */

enum { NAME, KIND, METHOD, TYPES, CODE, FIELDS, BODY, STEPS, OUTCOME, DELIVERED, RESULT, HOPS, CALLS, COLUMNS };

static const char *given(char **columns, int index) { return strcmp(columns[index], "-") == 0 ? NULL : columns[index]; }

struct filter {
  const char *steps;
  atomic_uint calls;
};

static netcore_status put_body(netcore_response response, const char *text) {
  netcore_response_info info = response_info(response);
  const char *mark = strchr(text, '%');
  char body[100];
  int size = mark == NULL ? snprintf(body, sizeof body, "%s", text)
                          : snprintf(body, sizeof body, "%.*s%.*s%s", (int)(mark - text), text,
                                     (int)info.body.size_bytes, (const char *)info.body.data, mark + 1);
  return netcore_response_set_body(response, body, (size_t)size);
}

static netcore_status take_step(netcore_response response, char *step) {
  char *word = strchr(step, ' ');
  *word++ = 0;
  if (strcmp(step, "refuse") == 0) return atoi(word);
  if (strcmp(step, "body") == 0) return put_body(response, word);
  if (strcmp(step, "remove") == 0) return netcore_response_remove_header(response, word);
  if (strcmp(step, "tag") == 0) return netcore_response_add_tag(response, word);
  char *value = strchr(word, ' ');
  *value++ = 0;
  return strcmp(step, "set") == 0 ? netcore_response_set_header(response, word, value)
                                  : netcore_response_add_header(response, word, value);
}

static netcore_status filter(netcore_response response, void *user_data) {
  struct filter *filter = user_data;
  char step[200];
  netcore_status status = NETCORE_OK;
  atomic_fetch_add(&filter->calls, 1);
  for (const char *from = filter->steps; status == NETCORE_OK && *from != 0;) {
    size_t size = strcspn(from, "|");
    snprintf(step, sizeof step, "%.*s", (int)size, from);
    status = take_step(response, step);
    from += size + (from[size] != 0);
  }
  return status;
}

static void check_field(netcore_response response, char *field) {
  netcore_bytes value;
  if (field[0] == '!') {
    CHECK_STATUS(netcore_response_get_header(response, field + 1, 0, &value), NETCORE_ERR_NOT_FOUND);
    return;
  }
  char *colon = strstr(field, ": ");
  *colon = 0;
  REQUIRE_OK(netcore_response_get_header(response, field, 0, &value));
  CHECK_TEXT(value, colon + 2);
  CHECK_STATUS(netcore_response_get_header(response, field, 1, &value), NETCORE_ERR_NOT_FOUND);
}

static void check_answer(netcore_client client, netcore_request request, char **columns) {
  netcore_request copy = 0;
  REQUIRE_OK(netcore_request_copy(request, &copy));
  struct answer answer = perform_once(client, copy);
  const char *body = given(columns, RESULT), *fields = given(columns, DELIVERED);
  int number = atoi(columns[OUTCOME]);
  CHECK(number > 0 ? answer.status == number : strcmp(netcore_status_name(answer.status), columns[OUTCOME]) == 0);
  CHECK_TEXT(answer.info.body, body == NULL ? "" : body);
  for (char field[200]; fields != NULL && *fields != 0;) {
    size_t size = strcspn(fields, "|");
    snprintf(field, sizeof field, "%.*s", (int)size, fields);
    check_field(answer.response, field);
    fields += size + (fields[size] != 0);
  }
  answer_free(&answer);
}

/* The filter is the client's, or the request's. */
static void run_case(char **columns, bool is_of_client) {
  char fields[400] = "";
  const char *body = given(columns, BODY);
  struct reply reply = {atoi(columns[CODE]), fields, body == NULL ? "" : body, 0};
  struct filter own = {columns[STEPS], 0};
  for (const char *from = columns[FIELDS]; *from != 0;) {
    size_t size = strcspn(from, "|"), end = strlen(fields);
    snprintf(fields + end, sizeof fields - end, "%.*s\r\n", (int)size, from);
    from += size + (from[size] != 0);
  }
  netcore_client client = client_of(&reply);
  netcore_request request = request_new(columns[METHOD], URL);
  netcore_response_filter_kind kind = strcmp(columns[KIND], "network") == 0 ? NETCORE_RESPONSE_FILTER_KIND_NETWORK
                                                                            : NETCORE_RESPONSE_FILTER_KIND_DELIVERY;
  check_case = columns[NAME];
  CHECK_OK(netcore_request_set_accepted_content_types(request, given(columns, TYPES)));
  if (is_of_client)
    CHECK_OK(netcore_client_add_response_filter(client, kind, filter, &own, NULL));
  else
    CHECK_OK(netcore_request_add_response_filter(request, kind, filter, &own, NULL));
  check_answer(client, request, columns);
  check_answer(client, request, columns);
  CHECK_EQUAL(atomic_load(&reply.hops), (unsigned)atoi(columns[HOPS]));
  CHECK_EQUAL(atomic_load(&own.calls), (unsigned)atoi(columns[CALLS]));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_table(void) {
  char line[1000], *columns[COLUMNS];
  FILE *table = table_open(__FILE__, "response_filters.tsv");
  int count = 0;
  for (int found; (found = table_next(table, line, sizeof line, columns, COLUMNS)) > 0; count++) {
    REQUIRE(found == COLUMNS);
    run_case(columns, count % 2 == 0);
    run_case(columns, count % 2 != 0);
  }
  fclose(table);
  CHECK(count > 20);
}

/* What is refused */

struct seen {
  netcore_response kept;
  atomic_uint calls;
  bool is_of_network, has_body;
};

static netcore_status misuse(netcore_response response, void *user_data) {
  struct seen *seen = user_data;
  netcore_bytes value, before = response_info(response).body;
  atomic_fetch_add(&seen->calls, 1);
  CHECK_STATUS(netcore_response_set_header(response, "a b", "1"), NETCORE_ERR_INVALID_HEADER);
  CHECK_STATUS(netcore_response_set_header(response, "X-A", "1\r\nX-B: 2"), NETCORE_ERR_INVALID_HEADER);
  CHECK_STATUS(netcore_response_add_header(response, NULL, "1"), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_add_header(response, "X-A", NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_remove_header(response, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_remove_header(response, "\xff"), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_set_body(response, NULL, 1), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_set_body(response, "a", SIZE_MAX), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_add_tag(response, ""),
               seen->is_of_network ? NETCORE_ERR_INVALID_ARGUMENT : NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_response_set_body(response, "xyz", 3), seen->has_body ? NETCORE_OK : NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_response_set_header(response, "X-A", "1"));
  CHECK_OK(netcore_response_get_header(response, "x-a", 0, &value));
  CHECK_TEXT(value, "1");
  CHECK_TEXT(response_info(response).body, seen->has_body ? "xyz" : "");
  CHECK_TEXT(before, seen->has_body ? "ab" : "");
  CHECK_OK(netcore_response_retain(response));
  seen->kept = response;
  return NETCORE_OK;
}

static void refuse_once(const char *method, netcore_response_filter_kind kind) {
  struct reply reply = {200, NULL, strcmp(method, "HEAD") == 0 ? "" : "ab", 0};
  struct seen seen = {0, 0, kind == NETCORE_RESPONSE_FILTER_KIND_NETWORK, strcmp(method, "HEAD") != 0};
  netcore_client client = client_of(&reply);
  netcore_request request = request_new(method, URL);
  netcore_bytes value;
  check_case = method;
  CHECK_OK(netcore_request_add_response_filter(request, kind, misuse, &seen, NULL));
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_OK(netcore_response_get_header(answer.response, "X-A", 0, &value));
  CHECK_STATUS(netcore_response_set_header(answer.response, "X-A", "2"), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_response_set_header(seen.kept, "X-A", "2"), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_response_set_body(seen.kept, "a", 1), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_response_get_header(seen.kept, "X-A", 0, &value));
  CHECK_TEXT(value, "1");
  CHECK_OK(netcore_response_release(seen.kept));
  CHECK_EQUAL(atomic_load(&seen.calls), 1);
  answer_free(&answer);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_refused(void) {
  refuse_once("GET", NETCORE_RESPONSE_FILTER_KIND_NETWORK);
  refuse_once("GET", NETCORE_RESPONSE_FILTER_KIND_DELIVERY);
  refuse_once("HEAD", NETCORE_RESPONSE_FILTER_KIND_NETWORK);
  struct reply reply = {200, NULL, "ab", 0};
  netcore_client client = client_of(&reply);
  netcore_request request = request_new("GET", URL);
  check_case = "filters";
  CHECK_STATUS(netcore_client_add_response_filter(client, 2, misuse, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_client_add_response_filter(client, 0, NULL, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_response_filter(request, -1, misuse, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_request_add_response_filter(request, 1, NULL, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

/* Tags */

static void send(netcore_client client, netcore_request request, struct reply *reply, unsigned hops) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_EQUAL(atomic_load(&reply->hops), hops);
  answer_free(&answer);
}

static netcore_request tagged(struct filter *own) {
  netcore_request request = request_new("GET", URL);
  CHECK_OK(netcore_request_add_tag(request, "posts"));
  CHECK_OK(netcore_request_add_response_filter(request, NETCORE_RESPONSE_FILTER_KIND_NETWORK, filter, own, NULL));
  return request;
}

static netcore_request invalidating(const char *tag) {
  netcore_request request = request_new("POST", "http://app.test/b");
  CHECK_OK(netcore_request_add_invalidated_tag(request, tag));
  return request;
}

static void test_tags(void) {
  static const char *const tags[] = {"post:7", "posts", "post:8"};
  struct filter own = {"tag post:7|tag post:8|tag posts", 0};
  for (size_t i = 0; i < LENGTH(tags); i++) {
    struct reply reply = {200, "Cache-Control: max-age=60\r\n", "7", 0};
    netcore_client client = client_of(&reply);
    check_case = tags[i];
    send(client, tagged(&own), &reply, 1);
    send(client, invalidating("post:9"), &reply, 2);
    send(client, tagged(&own), &reply, 2);
    send(client, invalidating(tags[i]), &reply, 3);
    send(client, tagged(&own), &reply, 4);
    CHECK_OK(netcore_client_destroy(client));
  }
}

/* Who has filters, and what does not pass them */

static netcore_status append(netcore_response response, void *user_data) {
  char body[100];
  netcore_bytes before = response_info(response).body;
  int size =
      snprintf(body, sizeof body, "%.*s%s", (int)before.size_bytes, (const char *)before.data, (const char *)user_data);
  return netcore_response_set_body(response, body, (size_t)size);
}

static void expect_body(netcore_client client, netcore_request request, const char *body) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, NETCORE_OK);
  CHECK_TEXT(answer.info.body, body);
  answer_free(&answer);
}

static void add_both(netcore_request request, char *network, char *delivery) {
  CHECK_OK(netcore_request_add_response_filter(request, NETCORE_RESPONSE_FILTER_KIND_DELIVERY, append, delivery, NULL));
  CHECK_OK(netcore_request_add_response_filter(request, NETCORE_RESPONSE_FILTER_KIND_NETWORK, append, network, NULL));
}

static void test_order(void) {
  struct reply reply = {200, "Cache-Control: max-age=60\r\n", "-", 0};
  netcore_client client = client_of(&reply);
  netcore_request defaults = request_new("GET", URL), request = request_new("GET", URL), made = 0;
  netcore_module module = 0;
  netcore_api api = 0;
  check_case = "the filters of a client, a module and a request";
  add_both(defaults, "m", "M");
  add_both(request, "r", "R");
  add_both(request, "s", "S");
  CHECK_OK(netcore_client_add_response_filter(client, NETCORE_RESPONSE_FILTER_KIND_DELIVERY, append, "C", NULL));
  CHECK_OK(netcore_client_add_response_filter(client, NETCORE_RESPONSE_FILTER_KIND_NETWORK, append, "c", NULL));
  CHECK_OK(netcore_module_create(defaults, &module));
  CHECK_OK(netcore_api_create(module, request, &api));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(netcore_api_create_request(api, NULL, &made));
    expect_body(client, made, "-cmrsCMRS");
  }
  CHECK_EQUAL(atomic_load(&reply.hops), 1);
  check_case = "what is stored";
  netcore_response stored = 0;
  CHECK_OK(netcore_client_get_cached(client, defaults, &stored, NULL));
  CHECK_TEXT(response_info(stored).body, "-cmrs");
  CHECK_OK(netcore_response_release(stored));
  check_case = "a bare request";
  CHECK_OK(netcore_request_set_bare(request, 1));
  CHECK_OK(netcore_request_set_cache_mode(request, NETCORE_CACHE_MODE_IGNORE));
  expect_body(client, request, "-rsRS");
  check_case = "removed";
  CHECK_OK(netcore_client_remove_response_filters(client));
  CHECK_OK(netcore_request_set_cache_mode(defaults, NETCORE_CACHE_MODE_IGNORE));
  expect_body(client, defaults, "-mM");
  CHECK_OK(netcore_api_destroy(api));
  CHECK_OK(netcore_module_destroy(module));
  CHECK_OK(netcore_client_destroy(client));
}

static void test_streams(void) {
  struct reply reply = {200, "Cache-Control: max-age=60\r\n", "-", 0};
  netcore_client client = client_of(&reply);
  check_case = "a streamed response";
  for (unsigned hops = 1; hops < 3; hops++) {
    netcore_request request = request_new("GET", URL);
    netcore_response head = 0;
    char bytes[10];
    size_t size = 0;
    add_both(request, "n", "d");
    CHECK_OK(netcore_perform_streamed(client, request, 0, &head));
    CHECK_OK(netcore_response_read(head, bytes, sizeof bytes, UINT64_MAX, &size));
    CHECK(size == 1 && bytes[0] == '-');
    CHECK_OK(netcore_response_read(head, bytes, sizeof bytes, UINT64_MAX, &size));
    CHECK_EQUAL(size, 0);
    CHECK_OK(netcore_response_release(head));
    CHECK_OK(netcore_request_destroy(request));
    CHECK_EQUAL(atomic_load(&reply.hops), hops);
  }
  CHECK_OK(netcore_client_destroy(client));
}

/* A filter that does not return ends its task at its total timeout, and holds up no other. */

static netcore_status wait_for_release(netcore_response response, void *user_data) {
  (void)response;
  while (atomic_load((atomic_uint *)user_data) == 0) usleep(1000);
  return NETCORE_OK;
}

static void test_timeout(void) {
  struct reply reply = {200, NULL, "-", 0};
  atomic_uint is_released[] = {0, 0}; /* until the client ends, which waits for the filters */
  netcore_client client = client_of(&reply);
  for (netcore_response_filter_kind kind = 0; kind < 2; kind++) {
    netcore_request request = request_new("GET", URL), other = request_new("GET", URL);
    check_case = "a filter that does not return";
    CHECK_OK(netcore_request_add_response_filter(request, kind, wait_for_release, &is_released[kind], NULL));
    CHECK_OK(netcore_request_set_total_timeout_ms(request, 50));
    struct answer answer = perform_once(client, request);
    CHECK_STATUS(answer.status, NETCORE_ERR_TIMEOUT_TOTAL);
    answer_free(&answer);
    add_both(other, "n", "d");
    expect_body(client, other, "-nd");
    atomic_store(&is_released[kind], 1);
  }
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_table();
  test_refused();
  test_tags();
  test_order();
  test_streams();
  test_timeout();
  return check_end();
}
