/** What faults.c, preloaded, offers to the fuzzer of resources. */
#ifndef NETCORE_FUZZ_FAULTS_H
#define NETCORE_FUZZ_FAULTS_H

#include <stdint.h>

/** How often calls fail from now on. All shares are of 1000 calls; 0 for never. */
struct faults {
  uint64_t seed;
  /** Descriptors, threads, sends and receives; and memory. */
  unsigned share, memory_share;
  /** Seconds that the clock of the day is off. */
  int64_t clock_offset;
};

/** Sets how often calls fail. */
typedef void (*faults_set_fn)(const struct faults *faults);
/** Tells how many calls have failed. */
typedef uint64_t (*faults_count_fn)(void);

#endif
