/** Waiting with a bound: a clock, a tally that threads raise, and polling for what only polling can show. */
#ifndef NETCORE_TESTS_WAIT_H
#define NETCORE_TESTS_WAIT_H

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

#include "check.h"

/** How long anything that must happen may take. */
static inline uint64_t patience_ms(void) { return stretched(20000); }

static inline uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static inline void pause_ms(long ms) {
  struct timespec duration = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&duration, NULL);
}

/** Polls until a condition holds; a failed check when it never does. */
#define WAIT_UNTIL(condition) \
  do { \
    uint64_t deadline_ = now_ms() + patience_ms(); \
    bool holds_ = (condition); \
    while (!holds_ && now_ms() < deadline_) { \
      pause_ms(1); \
      holds_ = (condition); \
    } \
    check_true(holds_, "in time: " #condition, __FILE__, __LINE__); \
  } while (0)

static inline pid_t this_thread(void) { return (pid_t)syscall(SYS_gettid); }

/** Whether a thread of this process is blocked in a call. */
static inline bool thread_sleeps(pid_t thread) {
  char path[60], line[400];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
  FILE *file = fopen(path, "r");
  bool is_asleep = file != NULL && fgets(line, sizeof line, file) != NULL && strstr(line, ") S ") != NULL;
  if (file != NULL) fclose(file);
  return is_asleep;
}

/** A count that any thread raises and any thread can wait for. */
struct tally {
  pthread_mutex_t lock;
  pthread_cond_t raised;
  unsigned count;
};

#define TALLY_INITIAL {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}

static inline void tally_raise(struct tally *tally) {
  pthread_mutex_lock(&tally->lock);
  tally->count++;
  pthread_cond_broadcast(&tally->raised);
  pthread_mutex_unlock(&tally->lock);
}

static inline unsigned tally_count(struct tally *tally) {
  pthread_mutex_lock(&tally->lock);
  unsigned count = tally->count;
  pthread_mutex_unlock(&tally->lock);
  return count;
}

/** Waits until the count is reached; false when that takes too long. */
static inline bool tally_reaches(struct tally *tally, unsigned count, uint64_t timeout_ms) {
  struct timespec until;
  int error = 0;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += (time_t)(timeout_ms / 1000);
  until.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec++;
  }
  pthread_mutex_lock(&tally->lock);
  while (tally->count < count && error == 0) error = pthread_cond_timedwait(&tally->raised, &tally->lock, &until);
  bool is_reached = tally->count >= count;
  pthread_mutex_unlock(&tally->lock);
  return is_reached;
}

#endif
