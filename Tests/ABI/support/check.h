/** Checks that say where they failed and go on, a watchdog, and the exit code of a test program. */
#ifndef NETCORE_TESTS_CHECK_H
#define NETCORE_TESTS_CHECK_H

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netcore.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static int check_failures;
/** What is being tried, for the messages; a string that stays. */
static const char *volatile check_case = "start";

#define CHECK(condition) check_true((condition) ? true : false, #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(actual, expected) \
  check_equal((long long)(actual), (long long)(expected), #actual, __FILE__, __LINE__)
#define CHECK_STATUS(actual, expected) check_status((actual), (expected), #actual, __FILE__, __LINE__)
#define CHECK_OK(call) CHECK_STATUS(call, NETCORE_OK)
#define CHECK_TEXT(actual, expected) check_text((actual), (expected), #actual, __FILE__, __LINE__)
/** The same, where going on makes no sense. */
#define REQUIRE(condition) check_or_stop(CHECK(condition))
#define REQUIRE_OK(call) check_or_stop(CHECK_OK(call))

/** Whether the program runs under something slow, such as valgrind. */
static inline bool is_slow(void) { return getenv("NETCORE_TEST_SLOW") != NULL; }

/** A bound or a waiting time, stretched when all is slow. */
static inline uint32_t stretched(uint32_t value) { return is_slow() ? value * 10 : value; }

static inline bool check_true(bool is_true, const char *what, const char *file, int line) {
  if (!is_true) {
    __atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED);
    fprintf(stderr, "%s:%d: [%s] failed: %s\n", file, line, check_case, what);
  }
  return is_true;
}

static inline bool check_equal(long long actual, long long expected, const char *what, const char *file, int line) {
  char text[400];
  if (actual == expected) return true;
  snprintf(text, sizeof text, "%s is %lld, not %lld", what, actual, expected);
  return check_true(false, text, file, line);
}

static inline bool check_status(netcore_status actual, netcore_status expected, const char *what, const char *file,
                                int line) {
  char text[1000];
  if (actual == expected) return true;
  snprintf(text, sizeof text, "%s is %s, not %s; last error here: \"%s\"", what, netcore_status_name(actual),
           netcore_status_name(expected), netcore_last_error_message());
  return check_true(false, text, file, line);
}

static inline bool check_text(netcore_bytes actual, const char *expected, const char *what, const char *file,
                              int line) {
  char text[1000];
  size_t size = strlen(expected);
  if (actual.size_bytes == size && (size == 0 || memcmp(actual.data, expected, size) == 0)) return true;
  int shown = (int)(actual.size_bytes < 300 ? actual.size_bytes : 300);
  const char *data = actual.data == NULL ? "" : (const char *)actual.data;
  snprintf(text, sizeof text, "%s is \"%.*s\", not \"%.300s\"", what, shown, data, expected);
  return check_true(false, text, file, line);
}

static inline void check_or_stop(bool is_true) {
  if (is_true) return;
  fprintf(stderr, "cannot go on\n");
  _exit(1);
}

static inline void check_watchdog(int signal_number) {
  static const char text[] = "watchdog: hangs in: ";
  const char *name = check_case;
  ssize_t written = write(2, text, sizeof text - 1);
  written += write(2, name, strlen(name));
  written += write(2, "\n", 1);
  _exit(written > 0 ? 100 + signal_number : 99);
}

/** Starts the watchdog, and clears what the surroundings may have set. SIGPIPE keeps its default on purpose: the
 *  library must not raise it. */
static inline void check_begin(void) {
  static const char *const read[] = {"http_proxy", "https_proxy", "HTTPS_PROXY",   "all_proxy",   "ALL_PROXY",
                                     "no_proxy",   "NO_PROXY",    "SSL_CERT_FILE", "SSL_CERT_DIR"};
  for (size_t i = 0; i < LENGTH(read); i++) unsetenv(read[i]);
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGALRM, check_watchdog);
  alarm(is_slow() ? 600 : 110); /* before ctest ends a program that is not slow, after 120 s */
}

static inline unsigned check_count_entries(const char *folder) {
  unsigned count = 0;
  DIR *entries = opendir(folder);
  if (entries == NULL) return 0;
  while (readdir(entries) != NULL) count++;
  closedir(entries);
  return count - 2;
}

/** Threads that are there without the library: a sanitizer may have one of its own. */
#ifndef NETCORE_TEST_THREADS
#define NETCORE_TEST_THREADS 1
#endif
static unsigned check_threads = NETCORE_TEST_THREADS;

static inline unsigned count_threads(void) { return check_count_entries("/proc/self/task"); }

/** The descriptors that are open. */
static inline unsigned count_descriptors(void) { return check_count_entries("/proc/self/fd") - 1; }

/** The exit code. By now every client is destroyed, so that no thread of the library is left; an ended one may take a
 *  moment to vanish. */
static inline int check_end(void) {
  check_case = "no thread is left";
  for (unsigned tries = stretched(2000); count_threads() > check_threads && tries > 0; tries--) usleep(10000);
  CHECK(count_threads() <= check_threads);
  int failures = __atomic_load_n(&check_failures, __ATOMIC_RELAXED);
  if (failures > 0) fprintf(stderr, "%d checks failed\n", failures);
  return failures > 0 ? 1 : 0;
}

#endif
