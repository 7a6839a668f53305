/*
 * A client with a cache in a folder, for proofs. It asks an origin of bodies that say what they are (origin.c), and compares
 * each body with what it must be, byte for byte.
 *
 *     visitor write URL FOLDER DISK-BYTES PAGES SECONDS   4 threads ask for pages, until it is killed or time is up
 *     visitor check URL FOLDER DISK-BYTES PAGES           asks for each page: what is stored first, then the origin
 *     visitor watch URL FOLDER DISK-BYTES PAGES           fetches pages over and over; told by lines on standard input
 *
 * It prints one line for each thing it was told: counts, and with "watch" the events so far. Status 1: something was wrong,
 * and standard error says what.
 */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "bodies.h"
#include "netcore.h"

static const char *origin;
static unsigned pages;
static netcore_client client;
static unsigned wrong, cut, requests, served, served_stale, stored_found, events[5];
static volatile sig_atomic_t is_over;

static void fail(const char *path, const char *what, netcore_response response) {
  netcore_error error = {.size = sizeof error};
  if (response != 0) netcore_response_get_error(response, &error);
  fprintf(stderr, "%s: %s: %.*s\n", path, what, (int)error.message.size_bytes,
          error.message.data == NULL ? "" : (const char *)error.message.data);
  __atomic_add_fetch(&wrong, 1, __ATOMIC_SEQ_CST);
}

static void count(unsigned *counter) { __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST); }

/* Head and body must belong together, and be what the origin sends for this version. */
static void check(const char *path, netcore_response response, char *scratch, unsigned *counter) {
  netcore_response_info info = {.size = sizeof info};
  netcore_bytes tag = {NULL, 0}, own = {NULL, 0};
  unsigned version = 0;
  netcore_response_get_info(response, &info);
  if (info.http_status == 504 && info.cache_result == NETCORE_CACHE_RESULT_UNSATISFIABLE) return;
  netcore_response_get_header(response, "ETag", 0, &tag);
  netcore_response_get_header(response, "X-Path", 0, &own);
  if (info.http_status != 200 || tag.data == NULL || sscanf((const char *)tag.data, "\"v%u\"", &version) != 1)
    fail(path, "a head that the origin never sent", response);
  else if (own.data == NULL || strcmp((const char *)own.data, path) != 0)
    fail(path, "the head of another page", response);
  else if (!body_is(path, version, info.body.data, info.body.size_bytes, scratch))
    fail(path, "a body that the origin never sent", response);
  else
    count(counter);
}

static netcore_response perform(const char *path, netcore_cache_mode mode) {
  char url[300];
  netcore_request request = 0;
  netcore_response response = 0;
  snprintf(url, sizeof url, "%s%s", origin, path);
  netcore_request_create("GET", url, &request);
  netcore_request_set_cache_mode(request, mode);
  if (netcore_perform(client, request, &response) != NETCORE_OK) {
    fail(path, "a request failed", response);
    if (response != 0) netcore_response_release(response);
    response = 0;
  }
  netcore_request_destroy(request);
  count(&requests);
  return response;
}

/* The same, streamed. Of a stored body that is damaged only the beginning comes, and then an error. */
static void stream(const char *path, netcore_cache_mode mode, char *scratch, unsigned *counter) {
  char url[300], *body = malloc(BODY_MOST);
  netcore_request request = 0;
  netcore_response response = 0;
  netcore_response_info info = {.size = sizeof info};
  netcore_bytes tag = {NULL, 0};
  unsigned version = 0;
  size_t size = 0, count_read = 0;
  snprintf(url, sizeof url, "%s%s", origin, path);
  netcore_request_create("GET", url, &request);
  netcore_request_set_cache_mode(request, mode);
  count(&requests);
  netcore_status status = netcore_perform_streamed(client, request, 0, &response);
  netcore_response_get_info(response, &info);
  while (status == NETCORE_OK && size < BODY_MOST) {
    status = netcore_response_read(response, body + size, BODY_MOST - size, 60000, &count_read);
    if (count_read == 0) break;
    size += count_read;
  }
  netcore_response_get_header(response, "ETag", 0, &tag);
  if (info.http_status == 504 && info.cache_result == NETCORE_CACHE_RESULT_UNSATISFIABLE)
    ;
  else if (tag.data == NULL || sscanf((const char *)tag.data, "\"v%u\"", &version) != 1)
    fail(path, "a head that the origin never sent", response);
  else if (status == NETCORE_ERR_TRUNCATED && info.cache_result != 0 && body_begins(path, version, body, size, scratch))
    count(&cut);
  else if (status != NETCORE_OK)
    fail(path, "a streamed request failed", response);
  else if (!body_is(path, version, body, size, scratch))
    fail(path, "a streamed body that the origin never sent", response);
  else
    count(counter);
  if (response != 0) netcore_response_release(response);
  netcore_request_destroy(request);
  free(body);
}

static void visit(const char *path, netcore_cache_mode mode, char *scratch, unsigned *counter) {
  netcore_response response = perform(path, mode);
  if (response == 0) return;
  check(path, response, scratch, counter);
  netcore_response_release(response);
}

/* What is stored, without sending. */
static void look(const char *path, char *scratch) {
  char url[300];
  netcore_request request = 0;
  netcore_response response = 0;
  snprintf(url, sizeof url, "%s%s", origin, path);
  netcore_request_create("GET", url, &request);
  netcore_status status = netcore_client_get_cached(client, request, &response, NULL);
  if (status == NETCORE_OK)
    check(path, response, scratch, &stored_found);
  else if (status != NETCORE_ERR_NOT_FOUND)
    fail(path, netcore_status_name(status), 0);
  if (response != 0) netcore_response_release(response);
  netcore_request_destroy(request);
}

static const char *page(unsigned number, char *path) {
  sprintf(path, "/page/%u", number);
  return path;
}

static void *write_pages(void *argument) {
  static const netcore_cache_mode modes[] = {NETCORE_CACHE_MODE_STANDARD, NETCORE_CACHE_MODE_STANDARD,
                                             NETCORE_CACHE_MODE_RELOAD, NETCORE_CACHE_MODE_STANDARD,
                                             NETCORE_CACHE_MODE_ELSE_NETWORK};
  uint64_t state = (uint64_t)(uintptr_t)argument * 2654435761u + (uint64_t)getpid() * 40503u + 1;
  char path[40], *scratch = malloc(BODY_MOST);
  for (unsigned turn = 0; !is_over && scratch != NULL; turn++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    if (turn % 16 == 15) netcore_response_release(perform("/advance", NETCORE_CACHE_MODE_IGNORE));
    (turn % 3 == 0 ? stream : visit)(page((unsigned)(state >> 20) % pages, path), modes[(state >> 40) % 5], scratch,
                                     &served);
  }
  free(scratch);
  return NULL;
}

static void on_alarm(int number) {
  (void)number;
  is_over = 1;
}

static void write_until_over(unsigned seconds) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  signal(SIGALRM, on_alarm);
  alarm(seconds);
  for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, write_pages, (void *)(i + 1));
  printf("writing\n");
  fflush(stdout);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static void check_pages(void) {
  char path[40], *scratch = malloc(BODY_MOST);
  for (unsigned number = 0; number < pages; number++)
    stream(page(number, path), NETCORE_CACHE_MODE_ONLY, scratch, &served_stale);
  for (unsigned number = 0; number < pages; number++) look(page(number, path), scratch);
  for (unsigned number = 0; number < pages; number++)
    visit(page(number, path), NETCORE_CACHE_MODE_ONLY, scratch, &served_stale);
  for (unsigned number = 0; number < pages; number++)
    visit(page(number, path), NETCORE_CACHE_MODE_STANDARD, scratch, &served);
  free(scratch);
}

static void on_event(const netcore_cache_event *event, void *user_data) {
  (void)user_data;
  count(&events[event->kind]);
}

static void report(netcore_cache cache) {
  netcore_cache_statistics statistics = {.size = sizeof statistics};
  netcore_cache_get_statistics(cache, &statistics);
  printf(
      "requests=%u served=%u only=%u stored=%u wrong=%u set_aside=%u stopped=%u resumed=%u damaged=%u disk=%llu "
      "taken=%llu evicted=%llu confirmed=%llu cut=%u\n",
      requests, served, served_stale, stored_found, wrong, events[1], events[2], events[3], events[4],
      (unsigned long long)statistics.disk_count, (unsigned long long)statistics.stored,
      (unsigned long long)statistics.disk_evictions, (unsigned long long)statistics.revalidations, cut);
  fflush(stdout);
}

/* For each line on standard input: all pages anew, and a report. */
static void watch(netcore_cache cache) {
  char line[100], path[40], *scratch = malloc(BODY_MOST);
  while (fgets(line, sizeof line, stdin) != NULL) {
    for (unsigned number = 0; number < pages; number++)
      visit(page(number, path), NETCORE_CACHE_MODE_RELOAD, scratch, &served);
    netcore_cache_flush(cache);
    report(cache);
  }
  free(scratch);
}

int main(int count_of_arguments, char **arguments) {
  if (count_of_arguments < 6) return 2;
  netcore_cache_options options = {.size = sizeof options, .on_event = on_event};
  netcore_cache cache = 0;
  const char *what = arguments[1];
  origin = arguments[2];
  options.folder = arguments[3];
  options.disk_bytes = strtoull(arguments[4], NULL, 10);
  pages = (unsigned)strtoul(arguments[5], NULL, 10);
  /* So little that most of it is read from disk. */
  options.memory_bytes = 200000;
  netcore_client_options client_options = {.size = sizeof client_options, .proxy = ""};
  alarm(600); /* whatever happens */
  if (netcore_cache_create(&options, &cache) != NETCORE_OK) return 2;
  client_options.cache = cache;
  if (netcore_client_create(&client_options, &client) != NETCORE_OK) return 2;
  if (strcmp(what, "write") == 0)
    write_until_over(count_of_arguments < 7 ? 1 : (unsigned)atoi(arguments[6]));
  else if (strcmp(what, "check") == 0)
    check_pages();
  else
    watch(cache);
  netcore_cache_flush(cache);
  report(cache);
  netcore_client_destroy(client);
  netcore_cache_destroy(cache);
  return wrong == 0 ? 0 : 1;
}
