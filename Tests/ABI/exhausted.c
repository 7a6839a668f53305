/*
 * Descriptors that run out, a kernel that watches no more of them, and a libcurl without memory: the requests concerned end with a
 * status that says so, and later ones succeed.
 */
#include "support.h"

#include <dlfcn.h>
#include <sys/epoll.h>
#include <sys/resource.h>

static bool epoll_is_full, libcurl_is_full;

/* Stands in for the one of glibc. */
int epoll_ctl(int set, int operation, int descriptor, struct epoll_event *event) {
  int (*real)(int, int, int, struct epoll_event *);
  *(void **)&real = dlsym(RTLD_NEXT, "epoll_ctl");
  if (__atomic_load_n(&epoll_is_full, __ATOMIC_SEQ_CST) && operation != EPOLL_CTL_DEL) {
    errno = ENOSPC;
    return -1;
  }
  return real(set, operation, descriptor, event);
}

/* Stands in for the one of libcurl. */
int curl_multi_add_handle(void *multi, void *easy);

int curl_multi_add_handle(void *multi, void *easy) {
  int (*real)(void *, void *);
  *(void **)&real = dlsym(RTLD_NEXT, "curl_multi_add_handle");
  return __atomic_load_n(&libcurl_is_full, __ATOMIC_SEQ_CST) ? 3 /* CURLM_OUT_OF_MEMORY */ : real(multi, easy);
}

static void check_fetch(netcore_client client, const char *path, netcore_status status) {
  struct answer answer = fetch(client, at(ORIGIN, path));
  CHECK_STATUS(answer.status, status);
  answer_free(&answer);
}

static void test_no_descriptors(void) {
  struct rlimit before, limit;
  check_case = "descriptors have run out";
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  limit = before;
  int highest = dup(0);
  close(highest);
  limit.rlim_cur = (rlim_t)highest;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  check_fetch(client, "/bytes/3", NETCORE_ERR_OUT_OF_MEMORY);
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  check_fetch(client, "/bytes/3", NETCORE_OK);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_no_watches(void) {
  check_case = "the kernel watches no more descriptors";
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  __atomic_store_n(&epoll_is_full, true, __ATOMIC_SEQ_CST);
  check_fetch(client, "/bytes/3", NETCORE_ERR_OUT_OF_MEMORY);
  __atomic_store_n(&epoll_is_full, false, __ATOMIC_SEQ_CST);
  check_fetch(client, "/bytes/3", NETCORE_OK);
  CHECK_OK(netcore_client_destroy(client));
}

static void test_no_transfers(void) {
  check_case = "libcurl takes no more transfers";
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  __atomic_store_n(&libcurl_is_full, true, __ATOMIC_SEQ_CST);
  check_fetch(client, "/bytes/3", NETCORE_ERR_OUT_OF_MEMORY);
  __atomic_store_n(&libcurl_is_full, false, __ATOMIC_SEQ_CST);
  check_fetch(client, "/bytes/3", NETCORE_OK);
  CHECK_OK(netcore_client_destroy(client));
}

int main(void) {
  check_begin();
  test_no_descriptors();
  test_no_watches();
  test_no_transfers();
  return check_end();
}
