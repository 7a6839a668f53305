/* The table of cases of the cache that all doors share, through C: each case by perform and, in each mode, by dispatch. */
#include "support.h"

#include "support/cache.h"
#include "support/table.h"

enum { NAME, BASE, TARGET, FIRST_STEP, MOST_COLUMNS = 20 };

/* The value of a word "name=value", or null for a word of another name. */
static char *value_of(char *word, const char *name) {
  size_t size = strlen(name);
  return strncmp(word, name, size) == 0 && word[size] == '=' ? word + size + 1 : NULL;
}

static void apply(netcore_request request, char *word) {
  char *value;
  if ((value = value_of(word, "mode")) != NULL) {
    CHECK_OK(netcore_request_set_cache_mode(request, atoi(value)));
  } else if ((value = value_of(word, "ttl_ms")) != NULL) {
    CHECK_OK(netcore_request_set_cache_ttl_ms(request, strtoull(value, NULL, 10)));
  } else if ((value = value_of(word, "errors")) != NULL) {
    CHECK_OK(netcore_request_set_cache_errors(request, atoi(value)));
  } else if ((value = value_of(word, "scope")) != NULL) {
    CHECK_OK(netcore_request_set_cache_scope(request, value));
  } else if ((value = value_of(word, "version")) != NULL) {
    CHECK_OK(netcore_request_set_cache_version(request, (uint32_t)atoi(value)));
  } else if ((value = value_of(word, "key")) != NULL) {
    CHECK_OK(netcore_request_set_cache_key(request, value));
  } else if ((value = value_of(word, "body")) != NULL) {
    CHECK_OK(netcore_request_set_body(request, value, strlen(value)));
  } else if ((value = value_of(word, "key_field")) != NULL) {
    CHECK_OK(netcore_request_add_cache_key_field(request, value));
  } else {
    REQUIRE((value = value_of(word, "field")) != NULL);
    char *name = strsep(&value, ":");
    CHECK_OK(netcore_request_set_header(request, name, value));
  }
}

/* A step "METHOD options => result/status": its request, and what is expected of it. */
static netcore_request read_step(const char *step, const char *url, int *out_result, int *out_status) {
  char text[400], *rest = text, *word;
  REQUIRE(strlen(step) < sizeof text);
  strcpy(text, step);
  netcore_request request = request_new(strsep(&rest, " "), url);
  while ((word = strsep(&rest, " ")) != NULL && strcmp(word, "=>") != 0) apply(request, word);
  REQUIRE(rest != NULL && sscanf(rest, "%d/%d", out_result, out_status) == 2);
  return request;
}

static void check_step(netcore_status status, const netcore_response_info *info, const char *step, int result,
                       int http_status) {
  CHECK_STATUS(status, NETCORE_OK);
  if (!CHECK_EQUAL(info->cache_result, result) || !CHECK_EQUAL(info->http_status, http_status))
    fprintf(stderr, "    step: %s\n", step);
}

static netcore_client client_with(netcore_completion_mode mode, netcore_cache cache) {
  netcore_client_options options = {
      .size = sizeof options, .completions = mode, .ca_file = peer(CA_FILE), .cache = cache};
  netcore_client client = 0;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

/* The provisional answers of mode 6 are not seen here: blocking calls get only the terminal one. */
static void by_perform(char **columns, int count) {
  netcore_cache cache = 0;
  REQUIRE_OK(netcore_cache_create(NULL, &cache));
  netcore_client client = client_with(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  for (int i = FIRST_STEP; i < count; i++) {
    int result, status;
    struct answer answer =
        perform_once(client, read_step(columns[i], at(columns[BASE], columns[TARGET]), &result, &status));
    check_step(answer.status, &answer.info, columns[i], result, status);
    answer_free(&answer);
  }
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

/* Takes completions until the task's own end. */
static void by_queue(char **columns, int count) {
  netcore_cache cache = 0;
  REQUIRE_OK(netcore_cache_create(NULL, &cache));
  netcore_client client = client_with(NETCORE_COMPLETION_MODE_QUEUE, cache);
  for (int i = FIRST_STEP; i < count; i++) {
    int result, status;
    netcore_request request = read_step(columns[i], at(columns[BASE], columns[TARGET]), &result, &status);
    netcore_completion completion = {.kind = 0};
    CHECK_OK(netcore_dispatch(client, request, NULL, NULL, NULL));
    CHECK_OK(netcore_request_destroy(request));
    while (completion.kind != NETCORE_COMPLETION_KIND_TASK) {
      uint32_t taken = 0;
      REQUIRE_OK(netcore_client_wait(client, &completion, 1, sizeof(netcore_completion), stretched(20000), &taken));
      REQUIRE(taken == 1);
      if (completion.kind == NETCORE_COMPLETION_KIND_TASK) {
        netcore_response_info info = response_info(completion.response);
        check_step(completion.status, &info, columns[i], result, status);
      }
      CHECK_OK(netcore_response_release(completion.response));
    }
  }
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

int main(void) {
  check_begin();
  FILE *table = table_open(__FILE__, "cache.tsv");
  char line[2000], *columns[MOST_COLUMNS];
  int cases = 0;
  for (int count; (count = table_next(table, line, sizeof line, columns, MOST_COLUMNS)) > 0; cases++) {
    REQUIRE(count > FIRST_STEP && count < MOST_COLUMNS);
    check_case = columns[NAME];
    by_perform(columns, count);
    by_queue(columns, count);
  }
  fclose(table);
  CHECK(cases > 10);
  return check_end();
}
