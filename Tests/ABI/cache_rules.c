/*
 * The functions of a cache for keys and folders, and rules by URL pattern: what they see, when they are called again, and
 * what holds where they have no answer.
 */
#include "support.h"

#include "support/cache.h"

static netcore_client client_with(const netcore_cache_options *options, netcore_cache *out_cache) {
  REQUIRE_OK(netcore_cache_create(options, out_cache));
  return cached_client(NETCORE_COMPLETION_MODE_CALLBACK, *out_cache);
}

static void end(netcore_client client, netcore_cache cache) {
  CHECK_OK(netcore_client_destroy(client));
  CHECK_OK(netcore_cache_destroy(cache));
}

/* What the function answers, and what it saw. */
static struct function {
  /** Negative: none. */
  int32_t length;
  char text[2000];
  bool wants_more;
  unsigned calls;
  size_t capacities[2];
  bool has_method, has_url, has_body, has_field;
} function;

static int32_t write_text(const netcore_cache_request *request, char *text, size_t capacity, void *user_data) {
  CHECK(user_data == &function);
  CHECK_EQUAL(request->size, sizeof *request);
  CHECK_EQUAL(request->runs_on_loop, 0);
  if (function.calls < 2) function.capacities[function.calls] = capacity;
  function.calls++;
  function.has_method = strcmp(request->method, "POST") == 0;
  function.has_url = strstr(request->url, "/echo") != NULL && strstr(request->url, "hidden") == NULL &&
                     strchr(request->url, '#') == NULL;
  function.has_body = request->body.size_bytes == 4 && memcmp(request->body.data, "body", 4) == 0;
  function.has_field = memmem(request->headers.data, request->headers.size_bytes, "X-A\0seen", 9) != NULL;
  if (function.wants_more) return (int32_t)capacity;
  if (function.length < 0) return function.length;
  if (capacity > 0) snprintf(text, capacity, "%s", function.text);
  return function.length;
}

static void answer_with(const char *text) {
  memset(&function, 0, sizeof function);
  function.length = text == NULL ? -1 : snprintf(function.text, sizeof function.text, "%s", text);
}

static netcore_request echo_request(const char *mark) {
  char url[300];
  snprintf(url, sizeof url, "http://user:hidden@%s#fragment", strstr(at(ORIGIN, marked("/echo", mark)), "://") + 3);
  netcore_request request = request_new("POST", url);
  CHECK_OK(netcore_request_set_body(request, "body", 4));
  CHECK_OK(netcore_request_set_header(request, "X-A", "seen"));
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 1000000));
  return request;
}

/* Performs a request in a new form, so that the functions run. */
static netcore_cache_result result_anew(netcore_client client, netcore_request request) {
  CHECK_OK(netcore_request_set_header(request, "X-A", "seen"));
  unsigned calls = function.calls;
  netcore_cache_result result = result_for(client, request);
  CHECK(function.calls > calls);
  return result;
}

static void test_keys(void) {
  const netcore_cache_options options = {.size = sizeof options, .key = write_text, .user_data = &function};
  netcore_cache cache;
  netcore_client client = client_with(&options, &cache);
  netcore_request one = echo_request("one"), two = echo_request("two");
  char longest[1500];
  memset(longest, 'k', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';

  check_case = "a function for keys sees the request";
  answer_with("same");
  CHECK_RESULT(result_anew(client, one), NOT_CACHED);
  CHECK_EQUAL(function.calls, 1);
  CHECK(function.has_method && function.has_url && function.has_body && function.has_field);
  CHECK(function.capacities[0] > 0);
  CHECK_RESULT(result_anew(client, two), HIT);
  CHECK_EQUAL(function.calls, 2);
  for (int i = 0; i < 3; i++) CHECK_RESULT(result_for(client, two), HIT);
  CHECK_EQUAL(function.calls, 2); /* the same form */

  check_case = "a function for keys is called again with more room";
  for (size_t length = 250; length < 260; length++) {
    char text[300];
    memset(text, 'e', length);
    text[length] = '\0';
    answer_with(text);
    CHECK_RESULT(result_anew(client, one), NOT_CACHED);
    CHECK_EQUAL(function.calls, length < function.capacities[0] ? 1 : 2);
    if (function.calls == 2) CHECK(function.capacities[1] > length);
    CHECK_RESULT(result_anew(client, two), HIT);
  }
  answer_with(longest);
  CHECK_RESULT(result_anew(client, one), NOT_CACHED);
  CHECK_EQUAL(function.calls, 2);
  CHECK_RESULT(result_anew(client, two), HIT);
  longest[sizeof longest - 2] = 'x'; /* the whole of it counts */
  answer_with(longest);
  CHECK_RESULT(result_anew(client, two), NOT_CACHED);

  check_case = "a function without a key for a request";
  answer_with(NULL);
  CHECK_RESULT(result_anew(client, one), NOT_CACHED);
  CHECK_RESULT(result_anew(client, one), HIT);
  CHECK_RESULT(result_anew(client, two), NOT_CACHED);
  function.length = INT32_MIN;
  CHECK_RESULT(result_anew(client, two), HIT);

  check_case = "a function that never has room enough, or writes no UTF-8";
  answer_with("");
  function.wants_more = true;
  CHECK_RESULT(result_anew(client, one), HIT); /* the usual key */
  CHECK_EQUAL(function.calls, 2);
  answer_with("");
  function.length = INT32_MAX;
  CHECK_RESULT(result_anew(client, one), HIT);
  CHECK_EQUAL(function.calls, 1);
  answer_with("\xFF\xFE");
  CHECK_RESULT(result_anew(client, one), HIT);

  check_case = "a request's own key wins";
  answer_with("same");
  CHECK_OK(netcore_request_set_cache_key(one, "own"));
  CHECK_RESULT(result_for(client, one), NOT_CACHED);
  CHECK_RESULT(result_anew(client, two), HIT);
  CHECK_OK(netcore_request_destroy(one));
  CHECK_OK(netcore_request_destroy(two));
  end(client, cache);
}

/* The folder after the mark in the URL, "folder=". */
static int32_t folder_of_url(const netcore_cache_request *request, char *text, size_t capacity, void *user_data) {
  const char *found = strstr(request->url, "&Folder=");
  if (found == NULL) return -1;
  return snprintf(text, capacity, "%s/%s", (const char *)user_data, found + 8);
}

static const char *in_folder(const char *mark, const char *folder) {
  char more[40];
  snprintf(more, sizeof more, "&Folder=%s", folder);
  return at(ORIGIN, keepable(mark, folder == NULL ? "" : more));
}

static bool exists(const char *parent, const char *name) {
  char path[5000];
  snprintf(path, sizeof path, "%s/%s", parent, name);
  return access(path, F_OK) == 0;
}

static void test_folders(bool has_own) {
  char *parent = folder_new(), own[4200];
  netcore_cache cache;
  const char *nowhere = at(ORIGIN, keepable(has_own ? "nowhere" : "memory", ""));
  snprintf(own, sizeof own, "%s/own", parent);
  const netcore_cache_options options = {
      .size = sizeof options, .folder = has_own ? own : NULL, .folder_for_request = folder_of_url, .user_data = parent};
  check_case = has_own ? "folders by request, and one of the cache's own" : "folders by request alone";
  for (int round = 0; round < 2; round++) {
    netcore_client client = client_with(&options, &cache);
    netcore_cache_result expected = round == 0 ? NETCORE_CACHE_RESULT_NOT_CACHED : NETCORE_CACHE_RESULT_HIT;
    CHECK_EQUAL(result_of(client, in_folder("a", "anna")), expected);
    CHECK_EQUAL(result_of(client, in_folder("a", "berta")), expected);
    CHECK_EQUAL(result_of(client, in_folder("b", "berta")), expected);
    /* Without a folder it is only in memory, and only in its own. */
    CHECK_EQUAL(result_of(client, nowhere), has_own ? expected : NETCORE_CACHE_RESULT_NOT_CACHED);
    CHECK_RESULT(result_of(client, nowhere), HIT);
    CHECK_OK(netcore_cache_flush(cache));
    CHECK_EQUAL(cache_statistics(cache).disk_count, has_own ? 4 : 3);
    end(client, cache);
    CHECK(exists(parent, "anna/cache.db") && exists(parent, "berta/cache.db"));
    CHECK_EQUAL(exists(parent, "own/cache.db"), has_own);
  }
  folder_remove(parent);
}

/* Of more than 64 folders the others' answers stay in memory. */
static void test_many_folders(void) {
  enum { FOLDERS = 66 };
  char *parent = folder_new();
  netcore_cache cache;
  const netcore_cache_options options = {
      .size = sizeof options, .folder_for_request = folder_of_url, .user_data = parent};
  netcore_client client = client_with(&options, &cache);
  check_case = "more folders than are used";
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < FOLDERS; i++) {
      char name[20];
      snprintf(name, sizeof name, "f%d", i);
      CHECK_EQUAL(result_of(client, in_folder("many", name)),
                  round == 0 ? NETCORE_CACHE_RESULT_NOT_CACHED : NETCORE_CACHE_RESULT_HIT);
    }
  CHECK_OK(netcore_cache_flush(cache));
  CHECK_EQUAL(cache_statistics(cache).disk_count, 64);
  CHECK_EQUAL(check_count_entries(parent), 64);
  end(client, cache);
  folder_remove(parent);
}

/* A request goes on from client to client, each with a cache whose function says otherwise. */
static void test_many_clients(void) {
  const netcore_cache_options options = {.size = sizeof options, .key = write_text, .user_data = &function};
  netcore_request request = echo_request("many");
  check_case = "one request for many clients, one after the other";
  for (int i = 0; i < 20; i++) {
    netcore_cache cache;
    netcore_client client = client_with(&options, &cache);
    char text[20];
    snprintf(text, sizeof text, "key %d", i);
    answer_with(text);
    CHECK_RESULT(result_for(client, request), NOT_CACHED);
    CHECK_EQUAL(function.calls, 1);
    CHECK_RESULT(result_for(client, request), HIT);
    end(client, cache);
  }
  CHECK_OK(netcore_request_destroy(request));
}

static void test_rules(void) {
  static const struct {
    const char *path;
    bool has_rule;
    uint64_t ttl_ms;
  } cases[] = {{"/echo?rule=long", true, 1000000}, {"/echo?rule=long&more=1", true, 1000000},
               {"/echo?rule=shor?", true, 1},      {"/echo?rule=short", true, 1},
               {"/echo?rule=a%2Ab", false, 0},     {"/echo?rule=none", false, 0}};
  const netcore_cache_rule rules[] = {{"*\\?rule=long*", 1000000}, {"*[?]rule=shor\\?", 1},
                                      {"*rule=shor?", 1},          {"*rule=long*", 0},
                                      {"*rule=a\\*b", 1000000},    {"http://127.0.0.1:*/bytes/7", 1000000}};
  netcore_cache_options options = {
      .size = sizeof options, .rules = rules, .rule_count = LENGTH(rules), .rule_size = sizeof rules[0]};
  netcore_cache cache;
  netcore_client client = client_with(&options, &cache);
  check_case = "rules by URL pattern";
  for (size_t i = 0; i < LENGTH(cases); i++) {
    char path[200];
    snprintf(path, sizeof path, "%s", cases[i].path);
    CHECK_RESULT(result_of(client, at(ORIGIN, path)), NOT_CACHED);
    pause_ms(3);
    netcore_cache_result second = result_of(client, at(ORIGIN, path));
    CHECK_EQUAL(second, !cases[i].has_rule     ? NETCORE_CACHE_RESULT_NOT_CACHED
                        : cases[i].ttl_ms == 1 ? NETCORE_CACHE_RESULT_EXPIRED
                                               : NETCORE_CACHE_RESULT_HIT);
  }
  CHECK_RESULT(result_of(client, at(ORIGIN, "/bytes/7")), NOT_CACHED);
  CHECK_RESULT(result_of(client, at(ORIGIN, "/bytes/7#fragment")), HIT);
  CHECK_RESULT(result_of(client, at(ORIGIN, "/bytes/77")), NOT_CACHED);
  CHECK_RESULT(result_of(client, at(ORIGIN, "/bytes/77")), NOT_CACHED);

  check_case = "a request's own time to live wins over a rule";
  netcore_request request = request_new("GET", at(ORIGIN, "/echo?rule=short&x"));
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 1000000));
  CHECK_RESULT(result_for(client, request), NOT_CACHED);
  pause_ms(3);
  CHECK_RESULT(result_for(client, request), HIT);
  CHECK_OK(netcore_request_destroy(request));
  end(client, cache);

  check_case = "only with a time to live";
  options.ttl_only = 1;
  client = client_with(&options, &cache);
  const char *url = at(ORIGIN, keepable("ttl-only", ""));
  for (int i = 0; i < 2; i++) CHECK(result_of(client, url) >= 10);
  CHECK_EQUAL(cache_statistics(cache).stored, 0);
  CHECK_RESULT(result_of(client, at(ORIGIN, "/echo?rule=long&only")), NOT_CACHED);
  CHECK_RESULT(result_of(client, at(ORIGIN, "/echo?rule=long&only")), HIT);
  end(client, cache);
}

int main(void) {
  check_begin();
  test_keys();
  test_folders(true);
  test_folders(false);
  test_many_folders();
  test_many_clients();
  test_rules();
  return check_end();
}
