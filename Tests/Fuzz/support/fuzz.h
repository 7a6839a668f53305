/**
 * What every fuzzer does alike: options, a seed that is printed first, counts, violations, and a parent that watches.
 *
 * The fuzzer runs in a child process, so that a signal or a hang is a violation that somebody is left to report.
 */
#ifndef NETCORE_FUZZ_H
#define NETCORE_FUZZ_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "random.h"

enum { FUZZ_COUNTS = 48, FUZZ_REPORTS = 8, FUZZ_NOTES = 1024, FUZZ_NOTE_BYTES = 512, FUZZ_MARKS = 1 << 20 };

/** Shared by the parent, the fuzzer and its server. */
struct fuzz_shared {
  pthread_mutex_t lock;
  struct {
    char name[32];
    _Atomic uint64_t value;
  } counts[FUZZ_COUNTS];
  _Atomic unsigned violations, notes;
  /** Seconds since the machine started in which something waited for a processor; written by the parent. */
  _Atomic double starved;
  /** For who serves: cases, modulo their number, whose answer may arrive otherwise than it was made. */
  _Atomic unsigned char marks[FUZZ_MARKS];
  char reports[FUZZ_REPORTS][600];
  char note[FUZZ_NOTES][FUZZ_NOTE_BYTES];
};

static struct {
  const char *name;
  uint64_t seed;
  double seconds;
  /** Kinds of input that are left out: `--without a,b`. A fuzzer may set those of known faults before fuzz_main(). */
  const char *without;
  /** The first and last case to try, to repeat a violation: `--cases first-last`. */
  uint64_t first_case, last_case;
  double started;
  struct fuzz_shared *shared;
  char folder[64];
} fuzz;

static inline double monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/**
 * The clock of deadlines: it goes at a tenth of the speed while something on this machine waits for a processor, so that what is
 * late for want of one is no violation, and what hangs is one.
 */
static inline double fair_seconds(void) { return monotonic_seconds() - 0.9 * atomic_load(&fuzz.shared->starved); }

static inline void fuzz_note_starved(void) {
  unsigned long long total_us = 0;
  FILE *file = fopen("/proc/pressure/cpu", "r");  // not there: the machine does not say
  if (file == NULL) return;
  if (fscanf(file, "some avg10=%*f avg60=%*f avg300=%*f total=%llu", &total_us) == 1)
    atomic_store(&fuzz.shared->starved, (double)total_us / 1e6);
  fclose(file);
}

/** What is under a sanitizer or valgrind gets more time. */
static inline double patience(double seconds) { return getenv("NETCORE_TEST_SLOW") != NULL ? seconds * 6 : seconds; }

static inline bool fuzz_goes_on(void) { return monotonic_seconds() - fuzz.started < fuzz.seconds; }

static inline void pause_us(unsigned us) {
  struct timespec duration = {us / 1000000, (long)(us % 1000000) * 1000};
  nanosleep(&duration, NULL);
}

/** The count of a name, which stays one string. */
static inline _Atomic uint64_t *fuzz_count(const char *name) {
  pthread_mutex_lock(&fuzz.shared->lock);
  int i = 0;
  while (i < FUZZ_COUNTS - 1 && fuzz.shared->counts[i].name[0] != '\0' &&
         strcmp(fuzz.shared->counts[i].name, name) != 0)
    i++;
  snprintf(fuzz.shared->counts[i].name, sizeof fuzz.shared->counts[i].name, "%s", name);
  pthread_mutex_unlock(&fuzz.shared->lock);
  return &fuzz.shared->counts[i].value;
}

/** Counts one under a name. */
#define COUNT(name) COUNT_BY(name, 1)
#define COUNT_BY(name, number) \
  do { \
    static _Atomic uint64_t *_Atomic place_; \
    _Atomic uint64_t *known_ = atomic_load(&place_); \
    if (known_ == NULL) atomic_store(&place_, known_ = fuzz_count(name)); \
    atomic_fetch_add_explicit(known_, (number), memory_order_relaxed); \
  } while (0)

/** Says what netcore did wrong; the fuzzer goes on. */
__attribute__((format(printf, 1, 2))) static inline void violation(const char *format, ...) {
  unsigned index = atomic_fetch_add(&fuzz.shared->violations, 1);
  if (index >= FUZZ_REPORTS) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fuzz.shared->reports[index], sizeof fuzz.shared->reports[0], format, arguments);
  va_end(arguments);
}

/** Remembers what was done last before the first violation, to be printed with it. */
__attribute__((format(printf, 1, 2))) static inline void fuzz_note(const char *format, ...) {
  if (fuzz.shared->violations > 0) return;
  char *text = fuzz.shared->note[atomic_fetch_add(&fuzz.shared->notes, 1) % FUZZ_NOTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, FUZZ_NOTE_BYTES, format, arguments);
  va_end(arguments);
}

static inline bool is_left_out(const char *kind) {
  size_t size = strlen(kind);
  for (const char *next = fuzz.without; next != NULL; next = strchr(next, ',')) {
    next += *next == ',';
    if (strncmp(next, kind, size) == 0 && (next[size] == '\0' || next[size] == ',')) return true;
  }
  return false;
}

/** Prints a mistake of the fuzzer's own, or of its surroundings, and ends. */
static inline void fuzz_fail(const char *what) {
  fprintf(stderr, "fuzz: %s: %s\n", what, strerror(errno));
  _exit(3);
}

static inline void fuzz_options(int count, char **arguments) {
  if (getrandom(&fuzz.seed, sizeof fuzz.seed, 0) < 0) fuzz_fail("getrandom");
  fuzz.seed %= 1000000000;
  fuzz.seconds = 5;
  if (fuzz.without == NULL) fuzz.without = "";
  fuzz.last_case = UINT64_MAX;
  for (int i = 1; i + 1 < count; i += 2) {
    const char *value = arguments[i + 1];
    if (strcmp(arguments[i], "--seconds") == 0)
      fuzz.seconds = atof(value);
    else if (strcmp(arguments[i], "--seed") == 0)
      fuzz.seed = strtoull(value, NULL, 0);
    else if (strcmp(arguments[i], "--without") == 0)
      fuzz.without = value;
    else if (strcmp(arguments[i], "--cases") != 0 || sscanf(value, "%llu-%llu", (unsigned long long *)&fuzz.first_case,
                                                            (unsigned long long *)&fuzz.last_case) != 2) {
      fprintf(stderr, "usage: %s [--seconds N] [--seed S] [--without KIND,KIND] [--cases FIRST-LAST]\n", arguments[0]);
      exit(2);
    }
  }
}

/** Starts a process that dies with this one. */
static inline pid_t fuzz_start(void (*run)(void)) {
  pid_t parent = getpid(), child = fork();
  if (child < 0) fuzz_fail("fork");
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(3);
  run();
  exit(0);
}

static inline void fuzz_print_counts(void) {
  printf("%s:", fuzz.name);
  for (int i = 0; i < FUZZ_COUNTS && fuzz.shared->counts[i].name[0] != '\0'; i++)
    printf(" %s %llu", fuzz.shared->counts[i].name, (unsigned long long)fuzz.shared->counts[i].value);
  printf(" violations %u seconds %.1f\n", fuzz.shared->violations, monotonic_seconds() - fuzz.started);
}

/**
 * Waits for a process; ends one that goes on long after its time, by SIGABRT, which leaves its stacks in a core file.
 * Prints the counts each minute, so that a run that does nothing is seen before its end.
 */
static inline int fuzz_await(pid_t child) {
  int status = 0;
  double deadline = 0, next_print = monotonic_seconds() + 60;
  while (waitpid(child, &status, WNOHANG) == 0) {
    fuzz_note_starved();
    if (fuzz_goes_on())
      deadline = fair_seconds() + patience(60);
    else if (fair_seconds() > deadline) {
      violation("did not end: stopped %.0f s after its time", monotonic_seconds() - fuzz.started - fuzz.seconds);
      kill(child, SIGABRT);
      waitpid(child, &status, 0);
      return 0;
    }
    if (monotonic_seconds() >= next_print) {
      fuzz_print_counts();
      next_print += 60;
    }
    pause_us(5000);
  }
  return status;
}

/** Makes what the processes share. */
static inline void fuzz_share(void) {
  pthread_mutexattr_t attributes;
  fuzz.shared = mmap(NULL, sizeof *fuzz.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fuzz.shared == MAP_FAILED) fuzz_fail("mmap");
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&fuzz.shared->lock, &attributes);
  snprintf(fuzz.folder, sizeof fuzz.folder, "/tmp/netcore-fuzz-XXXXXX");
  if (mkdtemp(fuzz.folder) == NULL) fuzz_fail("mkdtemp");
}

static inline void fuzz_print_violations(const char *program) {
  unsigned notes = fuzz.shared->notes;
  for (unsigned i = notes > FUZZ_NOTES ? notes - FUZZ_NOTES : 0; i < notes; i++)
    printf("  note: %s\n", fuzz.shared->note[i % FUZZ_NOTES]);
  for (unsigned i = 0; i < fuzz.shared->violations && i < FUZZ_REPORTS; i++)
    printf("  violation: %s\n", fuzz.shared->reports[i]);
  printf("  again: %s --seconds %.0f --seed %llu\n", program, fuzz.seconds, (unsigned long long)fuzz.seed);
}

/** Runs a fuzzer: `serve`, if not null, in a process of its own beside it. Returns the exit status. */
static inline int fuzz_main(const char *name, int count, char **arguments, void (*prepare)(void), void (*serve)(void),
                            void (*run)(void)) {
  struct rlimit no_core = {0, 0};
  setvbuf(stdout, NULL, _IOLBF, 0);
  fuzz_options(count, arguments);
  fuzz.name = name;
  printf("%s: seed %llu\n", name, (unsigned long long)fuzz.seed);
  if (getenv("NETCORE_FUZZ_CORE") == NULL) setrlimit(RLIMIT_CORE, &no_core);
  fuzz_share();
  if (prepare != NULL) prepare();
  fuzz.started = monotonic_seconds();
  pid_t server = serve == NULL ? 0 : fuzz_start(serve);
  fuzz_note_starved();
  int status = fuzz_await(fuzz_start(run));
  if (WIFSIGNALED(status))
    violation("ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status) != 0)
    violation("ended with exit status %d", WEXITSTATUS(status));
  if (server > 0) {
    int ended = 0;
    if (waitpid(server, &ended, WNOHANG) != 0) violation("the server of the fuzzer ended early, status %d", ended);
    kill(server, SIGKILL);
    waitpid(server, &ended, 0);
  }
  if (fuzz.shared->violations > 0) fuzz_print_violations(arguments[0]);
  fuzz_print_counts();
  pid_t cleaner = fork();
  if (cleaner == 0) execlp("rm", "rm", "-rf", fuzz.folder, (char *)NULL);
  if (cleaner > 0) waitpid(cleaner, &status, 0);
  return fuzz.shared->violations > 0 ? 1 : 0;
}

#endif
