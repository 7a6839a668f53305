/*
 * dlclose(): the library stays, so that its threads, and threads that once called it, end in code that is there. This program
 * is not linked to the library (cmake/tests.cmake), and loads it as a plug-in would be.
 */
#include "support/check.h"
#include "support/wait.h"

#include <dlfcn.h>

#define LIBRARY "libnetcore.so.0"
#define DECLARE(function) static __typeof__(&function) p_##function
DECLARE(netcore_client_create);
DECLARE(netcore_client_destroy);
DECLARE(netcore_request_create);
DECLARE(netcore_request_destroy);
DECLARE(netcore_perform);
DECLARE(netcore_dispatch);
DECLARE(netcore_task_cancel);

#define FIND(function) (*(void **)&p_##function = find(library, #function))

static void *find(void *library, const char *name) {
  void *address = dlsym(library, name);
  if (!CHECK(address != NULL)) fprintf(stderr, "    %s: %s\n", name, dlerror());
  return address;
}

static void *load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fprintf(stderr, "%s\n", dlerror());
  REQUIRE(library != NULL);
  FIND(netcore_client_create), FIND(netcore_client_destroy), FIND(netcore_request_create);
  FIND(netcore_request_destroy), FIND(netcore_perform), FIND(netcore_dispatch), FIND(netcore_task_cancel);
  REQUIRE(check_failures == 0);
  return library;
}

static pthread_barrier_t barrier;

/* Has a last error, which goes with the thread. */
static void *fail_a_call(void *unused) {
  CHECK_EQUAL(p_netcore_task_cancel(77), NETCORE_ERR_INVALID_HANDLE);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}

static void test_thread_ends_after_unloading(void) {
  pthread_t thread;
  check_case = "a thread that called the library ends after dlclose()";
  void *library = load();
  pthread_barrier_init(&barrier, NULL, 2);
  REQUIRE(pthread_create(&thread, NULL, fail_a_call, NULL) == 0);
  pthread_barrier_wait(&barrier);
  CHECK_EQUAL(dlclose(library), 0);
  pthread_barrier_wait(&barrier);
  CHECK_EQUAL(pthread_join(thread, NULL), 0);
  pthread_barrier_destroy(&barrier);
}

static void test_client_lives_on(void) {
  netcore_client client = 0;
  netcore_request request = 0;
  netcore_response response = 0;
  check_case = "a client that is alive at dlclose()";
  void *library = load();
  REQUIRE(p_netcore_client_create(NULL, &client) == NETCORE_OK);
  REQUIRE(p_netcore_request_create("GET", getenv("NETCORE_TEST_NGINX"), &request) == NETCORE_OK);
  REQUIRE(p_netcore_dispatch(client, request, NULL, NULL, NULL) == NETCORE_OK);
  CHECK_EQUAL(dlclose(library), 0);
  CHECK_EQUAL(p_netcore_perform(client, request, &response), NETCORE_OK);
  CHECK(dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD) != NULL);
  CHECK_EQUAL(p_netcore_request_destroy(request), NETCORE_OK);
  CHECK_EQUAL(p_netcore_client_destroy(client), NETCORE_OK);
}

static void test_loaded_again(void) {
  check_case = "loaded, used and closed, again and again";
  for (int i = 0; i < 5; i++) {
    netcore_client client = 0;
    void *library = load();
    CHECK_EQUAL(p_netcore_client_create(NULL, &client), NETCORE_OK);
    CHECK_EQUAL(p_netcore_client_destroy(client), NETCORE_OK);
    CHECK_EQUAL(dlclose(library), 0);
  }
}

int main(void) {
  check_begin();
  check_case = "the program is not linked to the library";
  REQUIRE(dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD) == NULL);
  test_thread_ends_after_unloading();
  test_client_lives_on();
  test_loaded_again();
  return check_end();
}
