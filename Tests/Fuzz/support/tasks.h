/** Records of tasks: what was accepted, and how often each ended. */
#ifndef NETCORE_FUZZ_TASKS_H
#define NETCORE_FUZZ_TASKS_H

#include "fuzz.h"
#include "netcore.h"

/** One call that makes a task, or a notification due for a group. */
struct record {
  uint64_t number;
  netcore_task task;
  /** When it must have ended. */
  double deadline;
  /** What it is about, for the report; a string that stays. */
  const char *kind;
  bool decodes;
  /** Whose it is, for fuzzers with several clients at once. */
  void *owner;
  _Atomic int accepted, refused, ended, is_reported;
};

/** The records of one client. They are kept for a while after it, so that a late callback finds them. */
struct records {
  struct record *all;
  unsigned capacity;
  _Atomic unsigned used, accepted, ended;
  _Atomic int is_destroyed;
};

static inline void records_begin(struct records *records, unsigned capacity) {
  free(records->all);
  *records = (struct records){.all = calloc(capacity, sizeof *records->all), .capacity = capacity};
  if (records->all == NULL) fuzz_fail("calloc");
}

static inline struct record *record_new(struct records *records, const char *kind, uint64_t number, double seconds) {
  unsigned index = atomic_fetch_add(&records->used, 1);
  if (index >= records->capacity) {
    atomic_fetch_sub(&records->used, 1);
    return NULL;
  }
  struct record *record = &records->all[index];
  record->number = number;
  record->kind = kind;
  record->deadline = fair_seconds() + seconds;
  return record;
}

/** Notes what the call answered that was given the record. */
static inline bool record_settle(struct records *records, struct record *record, netcore_status status) {
  if (status == NETCORE_OK) {
    atomic_store(&record->accepted, 1);
    atomic_fetch_add(&records->accepted, 1);
    return true;
  }
  atomic_store(&record->refused, 1);
  if (atomic_load(&record->ended) > 0) violation("%s: a callback of a call that answered %d", record->kind, status);
  return false;
}

/** Notes a terminal callback or completion. */
static inline void record_end(struct records *records, struct record *record) {
  int times = atomic_fetch_add(&record->ended, 1) + 1;
  atomic_fetch_add(&records->ended, 1);
  if (times > 1) violation("%s of case %llu: ended %d times", record->kind, (unsigned long long)record->number, times);
  if (atomic_load(&record->refused)) violation("%s: a callback of a call that failed", record->kind);
  if (atomic_load(&records->is_destroyed)) violation("%s: a callback after its client was destroyed", record->kind);
}

/** Looks for tasks that should have ended long ago. */
static inline void records_check_late(struct records *records) {
  double now = fair_seconds();
  for (unsigned i = 0; i < records->used; i++) {
    struct record *record = &records->all[i];
    if (!record->accepted || record->ended || record->is_reported || now < record->deadline) continue;
    record->is_reported = 1;
    violation("%s of case %llu has not ended %.1f s after its time", record->kind, (unsigned long long)record->number,
              now - record->deadline);
  }
}

/** After destroy: all that was accepted has ended. */
static inline void records_check_ended(struct records *records) {
  atomic_store(&records->is_destroyed, 1);
  for (unsigned i = 0; i < records->used; i++) {
    struct record *record = &records->all[i];
    if (record->accepted && record->ended != 1)
      violation("%s of case %llu: ended %d times by the end of its client", record->kind,
                (unsigned long long)record->number, record->ended);
    if (record->refused && record->ended != 0)
      violation("%s: refused, and ended %d times", record->kind, record->ended);
  }
  COUNT_BY("accepted", records->accepted);
  COUNT_BY("ended", records->ended);
}

#endif
