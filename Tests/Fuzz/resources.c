/**
 * Resources: descriptors, threads and memory are refused, sends and receives are short, interrupted or reset, signals come
 * without SA_RESTART and the clock jumps, while a client with everything on visits a server that answers well.
 *
 * Each task ends once and in time; what ends with NETCORE_OK has the right body. faults.c says what fails, and for whom.
 */
#include <sys/time.h>

#include "faults.h"
#include "support/visitor.h"

static faults_set_fn set_faults;
static _Atomic int is_over;

static void set(struct faults faults) { set_faults(&faults); }

/** Changes what fails, every few milliseconds. */
static void *weather(void *unused) {
  static const unsigned shares[] = {0, 0, 2, 20, 100, 400}, memory_shares[] = {0, 0, 0, 1, 10, 100};
  static const int64_t offsets[] = {0, 0, 0, 3600, -3600, 86400 * 400, -86400 * 4000, 250000000000, -1000000000};
  struct rng rng = {mix(fuzz.seed ^ 77)};
  struct rlimit whole, limit;
  getrlimit(RLIMIT_NOFILE, &whole);
  while (!atomic_load(&is_over)) {
    set((struct faults){rng_next(&rng), PICK(&rng, shares), is_left_out("memory") ? 0 : PICK(&rng, memory_shares),
                        is_left_out("clock") ? 0 : PICK(&rng, offsets)});
    limit = whole;
    if (per_mille(&rng, 200)) limit.rlim_cur = 8 + below(&rng, 60);
    setrlimit(RLIMIT_NOFILE, &limit);
    pause_us(1000 + (unsigned)below(&rng, 100000));
  }
  setrlimit(RLIMIT_NOFILE, &whole);
  set((struct faults){0, 0, 0, 0});
  return unused;
}

static void on_alarm(int number) { (void)number; }

static void run(void) {
  struct sigaction action = {.sa_handler = on_alarm};
  struct itimerval often = {{0, 3000}, {0, 3000}}, never = {{0, 0}, {0, 0}};
  pthread_t thread;
  *(void **)&set_faults = dlsym(RTLD_DEFAULT, "faults_set");
  faults_count_fn count_faults;
  *(void **)&count_faults = dlsym(RTLD_DEFAULT, "faults_count");
  if (set_faults == NULL || count_faults == NULL) fuzz_fail("faults.so is not preloaded");
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  if (pthread_create(&thread, NULL, weather, NULL) != 0) fuzz_fail("pthread_create");
  visitor_run();
  atomic_store(&is_over, 1);
  setitimer(ITIMER_REAL, &never, NULL);
  pthread_join(thread, NULL);
  COUNT_BY("faults", count_faults());
  if (*fuzz_count("readers") != *fuzz_count("readers_released")) violation("readers: not all were released");
}

static void prepare(void) {
  all_cases_are_plain = true;
  server_prepare();
}

/** Starts again with faults.so, which lies beside the program. */
static void preload(char **arguments) {
  char path[400];
  ssize_t size = readlink("/proc/self/exe", path, sizeof path - 20);
  if (size <= 0) fuzz_fail("/proc/self/exe");
  path[size] = '\0';
  strcpy(strrchr(path, '/'), "/faults.so");
  setenv("LD_PRELOAD", path, 1);
  execv("/proc/self/exe", arguments);
  fuzz_fail("execv");
}

int main(int count, char **arguments) {
  if (getenv("LD_PRELOAD") == NULL) preload(arguments);
  fuzz.without = "oddh2,h2"; /* docs/reliability.md: known faults */
  return fuzz_main("resources", count, arguments, prepare, server_run, run);
}
