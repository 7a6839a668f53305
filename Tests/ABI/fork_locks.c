/*
 * fork() while threads of the process hold locks that are not those of one client: of libcurl, OpenSSL and Swift's runtime, which
 * the first client sets up, TLS handshakes and the end of a thread take, and of the log. The child makes clients of its own and does not hang. The
 * program runs itself, so that each try has a first client.
 */
#include "support.h"

#include <dlfcn.h>
#include <sys/wait.h>

/* Asked by the address sanitizer. It would keep freed memory under a lock that it does not take for a fork: the child hung in it. */
const char *__asan_default_options(void);

const char *__asan_default_options(void) { return "quarantine_size_mb=0:thread_local_quarantine_size_kb=0"; }

/* A thread that has used OpenSSL may take a lock of the process as it ends. It is kept there until the process has forked. */
static pthread_key_t ending;
static bool keeps_ending, is_kept;

static void note_end(void *value) { (void)value, pthread_setspecific(ending, &keeps_ending); }

/* Stands in for the one of glibc, for OpenSSL. */
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  static __thread bool is_known;
  int (*real)(pthread_rwlock_t *);
  *(void **)&real = dlsym(RTLD_NEXT, "pthread_rwlock_wrlock");
  int result = real(lock);
  if (!is_known) pthread_setspecific(ending, &is_known);
  is_known = true;
  if (pthread_getspecific(ending) != &keeps_ending || !__atomic_load_n(&keeps_ending, __ATOMIC_SEQ_CST)) return result;
  __atomic_store_n(&is_kept, true, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&keeps_ending, __ATOMIC_SEQ_CST)) pause_ms(1);
  return result;
}

static netcore_client client_with_authority(void) {
  const netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  netcore_client client = 0;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

static netcore_client first_client;

static void *make_first_client(void *unused) {
  first_client = client_with_authority();
  return unused;
}

/* In the child: does what takes all those locks. It is killed in the end: valgrind would take what the parent's threads have for
 * leaks of the child's. */
static void use_library(void) {
  alarm(stretched(15));
  check_failures = 0;
  keeps_ending = false;
  netcore_client client = client_with_authority();
  struct answer answer = fetch(client, at(NGINX_TLS, "/session"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  CHECK_OK(netcore_set_log(NULL, NULL, NULL));
  CHECK_OK(netcore_client_destroy(client));
  if (check_failures > 0) _exit(1);
  kill(getpid(), SIGKILL);
}

static void fork_and_use(int number) {
  int status = 0;
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) use_library();
  REQUIRE(waitpid(child, &status, 0) == child);
  if (!CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
    fprintf(stderr, "    child %d: %#x\n", number, status);
}

/* The process of one try: forks so many microseconds after its first client began to be made. */
static int fork_during_first_client(int after_us) {
  pthread_t thread;
  check_case = "the first client is being made";
  /* Installs the handlers of fork(): before that, in the first microseconds of a process with netcore, nothing can be done. */
  CHECK_OK(netcore_set_log(NULL, NULL, NULL));
  REQUIRE(pthread_create(&thread, NULL, make_first_client, NULL) == 0);
  usleep((useconds_t)after_us);
  fork_and_use(after_us);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK_OK(netcore_client_destroy(first_client));
  return check_end();
}

static void test_first_client(const char *program) {
  static const char *const delays_us[] = {"50",   "300",  "1000", "2000",  "2000",
                                          "4000", "6000", "9000", "15000", "30000"};
  check_case = "a fork during the first netcore_client_create";
  for (size_t i = 0; i < LENGTH(delays_us); i++) {
    int status = 0;
    pid_t process = fork();
    REQUIRE(process >= 0);
    if (process == 0) {
      execl(program, program, delays_us[i], (char *)NULL);
      _exit(127);
    }
    REQUIRE(waitpid(process, &status, 0) == process);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

/* New connections all the time, and so TLS handshakes. */
static netcore_client busy;
static netcore_request handshake;
static struct tally ended = TALLY_INITIAL;

static void on_done(const netcore_completion *completion) {
  if (completion->status == NETCORE_OK) netcore_dispatch(busy, handshake, on_done, NULL, NULL);
  tally_raise(&ended);
}

static void test_handshakes(void) {
  check_case = "a fork during TLS handshakes";
  busy = client_with_authority();
  handshake = request_new("GET", at(NGINX_TLS, "/session"));
  for (int i = 0; i < 32; i++) CHECK_OK(netcore_dispatch(busy, handshake, on_done, NULL, NULL));
  for (int i = 0; i < (is_slow() ? 3 : 40); i++) {
    CHECK(tally_reaches(&ended, tally_count(&ended) + 5, patience_ms())); /* the parent goes on */
    fork_and_use(i);
  }
  CHECK_OK(netcore_client_destroy(busy));
  CHECK_OK(netcore_request_destroy(handshake));
}

static bool is_destroyed;

static void *destroy(void *client) {
  CHECK_OK(netcore_client_destroy(*(netcore_client *)client));
  __atomic_store_n(&is_destroyed, true, __ATOMIC_SEQ_CST);
  return NULL;
}

static void test_end_of_client(void) {
  pthread_t thread;
  check_case = "a fork while an I/O thread ends";
  netcore_client client = client_with_authority();
  struct answer answer = fetch(client, at(NGINX_TLS, "/session"));
  CHECK_STATUS(answer.status, NETCORE_OK);
  answer_free(&answer);
  keeps_ending = true;
  REQUIRE(pthread_create(&thread, NULL, destroy, &client) == 0);
  WAIT_UNTIL(__atomic_load_n(&is_kept, __ATOMIC_SEQ_CST) || __atomic_load_n(&is_destroyed, __ATOMIC_SEQ_CST));
  fork_and_use(0);
  __atomic_store_n(&keeps_ending, false, __ATOMIC_SEQ_CST);
  REQUIRE(pthread_join(thread, NULL) == 0);
}

static bool is_over;

static void ignore(netcore_log_level level, const char *message, void *user_data) {
  (void)level, (void)message, (void)user_data;
}

static void *set_log(void *unused) {
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) CHECK_OK(netcore_set_log(ignore, NULL, NULL));
  return unused;
}

static void test_log(void) {
  pthread_t thread;
  check_case = "a fork while the log is being set";
  REQUIRE(pthread_create(&thread, NULL, set_log, NULL) == 0);
  for (int i = 0; i < (is_slow() ? 3 : 20); i++) fork_and_use(i);
  __atomic_store_n(&is_over, true, __ATOMIC_SEQ_CST);
  REQUIRE(pthread_join(thread, NULL) == 0);
  CHECK_OK(netcore_set_log(NULL, NULL, NULL));
}

int main(int count, char **arguments) {
  check_begin();
  REQUIRE(pthread_key_create(&ending, note_end) ==
          0); /* before OpenSSL's own, so that it comes first at a thread's end */
  if (count == 2) return fork_during_first_client(atoi(arguments[1]));
  test_first_client(arguments[0]);
  test_handshakes();
  test_end_of_client();
  test_log();
  return check_end();
}
