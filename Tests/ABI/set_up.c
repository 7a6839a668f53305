/*
 * The first client of a process sets libcurl and OpenSSL up. Where that fails, for want of memory or descriptors, only that call
 * fails: the next one tries again, one thread at a time.
 */
#include "support.h"

#include <dlfcn.h>

enum { THREADS = 8 };

/* How many calls to refuse, what is inside now, and what was at once at the most. */
static int refused_handlers, refused_set_ups, inside, most_inside;

static bool takes_one(int *count) {
  int before = __atomic_load_n(count, __ATOMIC_SEQ_CST);
  while (before > 0)
    if (__atomic_compare_exchange_n(count, &before, before - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return true;
  return false;
}

/* These stand in for functions that netcore calls. */
int OPENSSL_atexit(void (*handler)(void));
int curl_global_init(long flags);

int OPENSSL_atexit(void (*handler)(void)) {
  int (*real)(void (*)(void));
  *(void **)&real = dlsym(RTLD_NEXT, "OPENSSL_atexit");
  return takes_one(&refused_handlers) ? 0 : real(handler);
}

int curl_global_init(long flags) {
  int (*real)(long);
  *(void **)&real = dlsym(RTLD_NEXT, "curl_global_init");
  int count = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
  if (count > most_inside) most_inside = count;
  pause_ms(1); /* time for others to come in */
  int result = takes_one(&refused_set_ups) ? 2 /* CURLE_FAILED_INIT */ : real(flags);
  __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
  return result;
}

static netcore_status make_client(netcore_client *out) {
  const netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  return netcore_client_create(&options, out);
}

static void test_refusals(void) {
  netcore_client client = 77;
  check_case = "OpenSSL takes no handler";
  refused_handlers = 1;
  CHECK_STATUS(make_client(&client), NETCORE_ERR_OUT_OF_MEMORY);
  CHECK_EQUAL(client, 0);
  check_case = "libcurl cannot be set up";
  refused_set_ups = 1;
  CHECK_STATUS(make_client(&client), NETCORE_ERR_OUT_OF_MEMORY);
  CHECK_EQUAL(client, 0);
  CHECK_EQUAL(refused_handlers + refused_set_ups, 0);
}

static void *make_clients(void *out) {
  netcore_status status = make_client(out);
  while (status == NETCORE_ERR_OUT_OF_MEMORY) status = make_client(out);
  CHECK_STATUS(status, NETCORE_OK);
  return NULL;
}

/* Each thread gets its client, whoever was refused before. */
static void test_threads(void) {
  pthread_t threads[THREADS];
  netcore_client clients[THREADS] = {0};
  check_case = "eight threads, and the first five set-ups fail";
  refused_set_ups = 5;
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, make_clients, &clients[i]) == 0);
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
  CHECK_EQUAL(refused_set_ups, 0);
  CHECK_EQUAL(most_inside, 1);
  for (int i = 0; i < THREADS; i++) {
    struct answer answer = fetch(clients[i], at(NGINX_TLS, "/session"));
    CHECK_STATUS(answer.status, NETCORE_OK);
    answer_free(&answer);
    CHECK_OK(netcore_client_destroy(clients[i]));
  }
}

/* The process ends well with a live TLS connection, however often its set-up was tried. */
static void leave_client(void) {
  netcore_client client;
  REQUIRE_OK(make_client(&client));
  struct answer answer = fetch(client, at(NGINX_TLS, "/session"));
  REQUIRE(answer.status == NETCORE_OK);
  answer_free(&answer);
}

int main(void) {
  check_begin();
  test_refusals();
  test_threads();
  int status = check_end();
  leave_client();
  return status;
}
