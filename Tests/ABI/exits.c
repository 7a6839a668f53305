/*
 * The ends of a process with TLS connections under way: each is a clean one, with the status that the application chose. The
 * program runs itself, often and for a short time; half of the runs set OpenSSL up before netcore does, which leaves OpenSSL
 * with an exit handler of its own.
 */
#include "support.h"

#include <dlfcn.h>
#include <sys/wait.h>

enum { STATUS = 7, IN_FLIGHT = 12, UPLOAD = 300000 };

/* In the process that ends. */

static netcore_client client;
static netcore_request requests[3];
static struct tally answered = TALLY_INITIAL;
static const char *way;
static bool is_exiting_in_callback;

static bool is(const char *name) { return strcmp(way, name) == 0; }

/* Keeps as many requests in flight as there were. */
static void on_done(const netcore_completion *completion) {
  static unsigned turn;
  tally_raise(&answered);
  if (__atomic_load_n(&is_exiting_in_callback, __ATOMIC_SEQ_CST)) exit(STATUS);
  if (completion->status == NETCORE_OK) netcore_dispatch(client, requests[turn++ % 3], on_done, NULL, NULL);
}

static netcore_status on_filter(netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  if (__atomic_load_n(&is_exiting_in_callback, __ATOMIC_SEQ_CST)) exit(STATUS);
  return NETCORE_OK;
}

/* Runs on the I/O thread. */
static void on_log(netcore_log_level level, const char *message, void *user_data) {
  (void)level, (void)message, (void)user_data;
  exit(STATUS);
}

/* Runs after OpenSSL's exit handler, where there is one. Nothing may hang; what succeeds is not asked. */
static void use_at_exit(void) {
  netcore_response response = 0;
  netcore_completion completion;
  netcore_client other = 0;
  netcore_task task = 0;
  uint32_t count;
  if (way == NULL || strncmp(way, "destructor", 10) != 0) return;
  netcore_perform(client, requests[0], &response);
  netcore_response_release(response);
  netcore_dispatch(client, requests[0], NULL, NULL, &task);
  netcore_task_cancel(task);
  if (netcore_perform_for(client, requests[0], 0, &task, &response, NULL) == NETCORE_ERR_IN_PROGRESS)
    netcore_task_wait(task, UINT64_MAX, &response, NULL);
  if (netcore_client_create(NULL, &other) == NETCORE_OK) netcore_client_destroy(other);
  netcore_client_shutdown(client);
  while (is("destructor_queue") &&
         netcore_client_wait(client, &completion, 1, sizeof(netcore_completion), UINT64_MAX, &count) == NETCORE_OK)
    netcore_response_release(completion.response);
  netcore_client_destroy(client);
}

__attribute__((destructor)) static void at_the_very_end(void) { use_at_exit(); }

/* Runs after OpenSSL's exit handler, too: what that one broke has time to show. */
static void linger(void) { pause_ms(20); }

static void *exit_here(void *unused) {
  exit(STATUS);
  return unused;
}

static void *perform_for_ever(void *unused) {
  netcore_response response = 0;
  while (netcore_perform(client, requests[0], &response) == NETCORE_OK) netcore_response_release(response);
  return unused;
}

static void call(const char *function) {
  void (*address)(void) = NULL;
  *(void **)&address = dlsym(RTLD_DEFAULT, function);
  REQUIRE(address != NULL);
  address();
}

static void set_up_openssl(void) {
  int (*initialize)(uint64_t, const void *) = NULL;
  *(void **)&initialize = dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
  REQUIRE(initialize != NULL && initialize(0, NULL) == 1);
}

/* Clients' requests: over a connection that is kept, over one of its own, with a body. */
static void begin_traffic(void) {
  static char body[UPLOAD];
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  if (is("destructor_queue")) options.completions = NETCORE_COMPLETION_MODE_QUEUE;
  if (is("log") || is("destructor_log")) {
    REQUIRE_OK(netcore_set_log(on_log, NULL, NULL));
    options.skip_verification = 1; /* of which the log hears at the first transfer */
  }
  REQUIRE_OK(netcore_client_create(&options, &client));
  if (is("filter")) REQUIRE_OK(netcore_client_add_filter(client, on_filter, NULL, NULL));
  requests[0] = request_new("GET", at(NGINX_TLS, "/small.txt"));
  requests[1] = request_new("GET", at(NGINX_TLS, "/session"));
  requests[2] = request_new("PUT", at(NGINX_TLS, is("upload") ? "/upload" : "/small.txt"));
  REQUIRE_OK(netcore_request_set_body(requests[2], body, UPLOAD));
  for (int i = 0; i < IN_FLIGHT; i++) {
    netcore_request request = is("upload") ? requests[2] : requests[i % 2];
    REQUIRE_OK(netcore_dispatch(client, request, is("destructor_queue") ? NULL : on_done, NULL, NULL));
  }
  if (is("destructor_queue"))
    pause_ms(10);
  else
    tally_reaches(&answered, is("upload") ? 1 : IN_FLIGHT, patience_ms());
}

/* Asked by the address sanitizer at the exit: to a forked child, what the parent's threads point to is lost. */
static int is_forked;
int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void) { return is_forked; }

static int end_process(void) {
  pthread_t thread;
  if (is("thread") || is("blocked")) {
    if (is("blocked")) REQUIRE(pthread_create(&thread, NULL, perform_for_ever, NULL) == 0);
    REQUIRE(pthread_create(&thread, NULL, exit_here, NULL) == 0);
    for (;;) pause();
  }
  if (is("callback") || is("filter") || is("destructor_callback")) {
    __atomic_store_n(&is_exiting_in_callback, true, __ATOMIC_SEQ_CST);
    for (;;) pause();
  }
  if (is("exit")) exit(STATUS);
  if (is("_exit")) _exit(STATUS);
  if (is("quick_exit")) quick_exit(STATUS);
  if (is("sigterm")) raise(SIGTERM);
  if (is("cleanup")) {
    netcore_response response = 0;
    call("OPENSSL_cleanup");
    CHECK_STATUS(netcore_perform(client, requests[0], &response), NETCORE_ERR_SHUT_DOWN);
    CHECK_OK(netcore_client_destroy(client));
    CHECK_STATUS(netcore_client_create(NULL, &client), NETCORE_ERR_SHUT_DOWN);
    if (check_failures != 0) return 1;
  }
  if (is("fork")) {
    int status = 0;
    pid_t child = fork();
    is_forked = child == 0;
    if (is_forked) exit(STATUS);
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
  }
  return STATUS;
}

/* In the process that watches. */

static void check_runs(const char *program, const char *name, bool sets_openssl_up, int runs) {
  static const char *const openssl[] = {"netcore", "openssl"};
  char seed[20], what[100];
  snprintf(what, sizeof what, "%s, %s first", name, openssl[sets_openssl_up]);
  check_case = what;
  for (int i = 0; i < runs; i++) {
    int status = 0;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      snprintf(seed, sizeof seed, "%d", i);
      execl(program, program, name, openssl[sets_openssl_up], seed, (char *)NULL);
      _exit(127);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    bool is_expected = strcmp(name, "sigterm") == 0 ? WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM
                                                    : WIFEXITED(status) && WEXITSTATUS(status) == STATUS;
    if (!CHECK(is_expected)) fprintf(stderr, "    run %d: wait status %#x\n", i, (unsigned)status);
  }
  check_case = "start";
}

int main(int count, char **arguments) {
  static const char *const ways[] = {"return",
                                     "exit",
                                     "thread",
                                     "blocked",
                                     "callback",
                                     "filter",
                                     "upload",
                                     "destructor",
                                     "destructor_queue",
                                     "destructor_callback",
                                     "log",
                                     "destructor_log",
                                     "cleanup",
                                     "fork",
                                     "_exit",
                                     "quick_exit",
                                     "sigterm"};
  check_begin();
  if (count == 4) {
    way = arguments[1];
    check_case = way;
    alarm(10);
    REQUIRE(atexit(linger) == 0);
    if (strcmp(arguments[2], "openssl") == 0) set_up_openssl();
    begin_traffic();
    usleep((useconds_t)atoi(arguments[3]) * 37);
    return end_process();
  }
  for (size_t i = 0; i < LENGTH(ways); i++)
    for (int first = 0; first < 2; first++) check_runs(arguments[0], ways[i], first, is_slow() ? 1 : i < 13 ? 3 : 2);
  return check_end();
}
