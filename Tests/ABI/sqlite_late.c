/*
 * SQLite is loaded by the first cache with a folder, and not before. Without it caches work in memory. A fork waits for the loading.
 */
#include "support.h"

#include <dlfcn.h>
#include <sys/wait.h>

#include "support/cache.h"

static enum manner { LOAD, MISS, LOAD_SLOWLY } manner;
static bool is_loading;

/* Stands in for the one of glibc, for netcore. */
void *dlopen(const char *name, int flags) {
  void *(*real)(const char *, int);
  *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
  bool is_sqlite = name != NULL && strncmp(name, "libsqlite3.so", 13) == 0;
  if (is_sqlite && manner == MISS) return real("libsqlite3.so.0-not-there", flags);
  if (is_sqlite && manner == LOAD_SLOWLY) {
    __atomic_store_n(&is_loading, true, __ATOMIC_SEQ_CST);
    pause_ms(100);
  }
  return real(name, flags);
}

static bool is_loaded(void) {
  manner = LOAD;
  return dlopen("libsqlite3.so.0", RTLD_LAZY | RTLD_NOLOAD) != NULL;
}

static bool is_empty(const char *folder) { return rmdir(folder) == 0 && mkdir(folder, 0700) == 0; }

/* Asks a cache twice for a URL of its own. */
static void check_use(netcore_cache cache, const char *name) {
  netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
  const char *url = at(ORIGIN, keepable(name, ""));
  CHECK_RESULT(result_of(client, url), NOT_CACHED);
  CHECK_RESULT(result_of(client, url), HIT);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_memory(void) {
  check_case = "a cache in memory";
  netcore_cache cache = cache_new(NULL);
  check_use(cache, "memory");
  CHECK_OK(netcore_cache_destroy(cache));
  CHECK(!is_loaded());
}

static unsigned stops;
static char reason[500];

static void on_event(const netcore_cache_event *event, void *user_data) {
  (void)user_data;
  CHECK_EQUAL(event->kind, NETCORE_CACHE_EVENT_KIND_STORING_STOPPED);
  snprintf(reason, sizeof reason, "%s", event->reason);
  __atomic_fetch_add(&stops, 1, __ATOMIC_SEQ_CST);
}

static void test_missing(void) {
  char *folder = folder_new();
  const netcore_cache_options options = {.size = sizeof options, .folder = folder, .on_event = on_event};
  netcore_cache cache = 0;
  check_case = "a cache with a folder, and no SQLite";
  manner = MISS;
  CHECK_OK(netcore_cache_create(&options, &cache));
  CHECK_EQUAL(__atomic_load_n(&stops, __ATOMIC_SEQ_CST), 1);
  CHECK(strstr(reason, "libsqlite3.so.0") != NULL && strstr(reason, "No such file") != NULL);
  check_use(cache, "missing");
  CHECK_OK(netcore_cache_flush(cache));
  CHECK_OK(netcore_cache_destroy(cache));
  CHECK_EQUAL(__atomic_load_n(&stops, __ATOMIC_SEQ_CST), 1);
  CHECK(is_empty(folder));
  CHECK(!is_loaded());
  folder_remove(folder);
}

/* What is stored is there for the next cache. */
static void check_folder(void) {
  char *folder = folder_new();
  const char *url = at(ORIGIN, keepable("folder", ""));
  for (int turn = 0; turn < 2; turn++) {
    netcore_cache cache = cache_new(folder);
    netcore_client client = cached_client(NETCORE_COMPLETION_MODE_CALLBACK, cache);
    CHECK_EQUAL(result_of(client, url), turn == 0 ? NETCORE_CACHE_RESULT_NOT_CACHED : NETCORE_CACHE_RESULT_HIT);
    CHECK_OK(netcore_client_destroy(client));
    CHECK_OK(netcore_cache_destroy(cache));
  }
  folder_remove(folder);
}

static bool is_over;

static void *use_folder(void *unused) {
  check_folder();
  __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
  return unused;
}

/* In the child. It is killed in the end: valgrind would take what the parent's threads have for leaks of the child's. */
static void use_and_end(void) {
  alarm(stretched(15));
  check_failures = 0;
  manner = LOAD;
  check_folder();
  if (check_failures > 0) _exit(1);
  kill(getpid(), SIGKILL);
}

static void test_fork(void) {
  pthread_t thread;
  check_case = "forks while SQLite is being loaded";
  manner = LOAD_SLOWLY;
  REQUIRE(pthread_create(&thread, NULL, use_folder, NULL) == 0);
  WAIT_UNTIL(__atomic_load_n(&is_loading, __ATOMIC_SEQ_CST));
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
    int status = 0;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) use_and_end();
    REQUIRE(waitpid(child, &status, 0) == child);
    if (!CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) break;
  }
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK(is_loaded());
}

int main(void) {
  check_begin();
  test_memory();
  test_missing();
  test_fork();
  return check_end();
}
