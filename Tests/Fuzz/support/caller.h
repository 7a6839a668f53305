/** Threads that call anything, the handles that they share, and what tasks they made. */
#ifndef NETCORE_FUZZ_CALLER_H
#define NETCORE_FUZZ_CALLER_H

#include "server.h"
#include "tasks.h"

enum kind {
  KIND_CLIENT,
  KIND_REQUEST,
  KIND_TASK,
  KIND_GROUP,
  KIND_RESPONSE,
  KIND_CACHE,
  KIND_HOP,
  KIND_EVENT_SOURCE,
  KIND_OBSERVER,
  KIND_STUBS,
  KIND_TASK_SCOPE,
  KIND_CASSETTE,
  KIND_PAGES,
  KIND_CLOCK,
  KIND_MODULE,
  KIND_API,
  KIND_COUNT
};
enum { CALLERS = 8, SLOTS = 64, ASIDE = 4096, STALE = 256, RECORDS = 1 << 20, ROOM = 2048 };
static const unsigned kind_slots[KIND_COUNT] = {5, 40, 64, 16, 48, 4, 8, 8, 4, 4, 8, 4, 4, 4, 4, 8};

/** What is known of a client, longer than it lives. */
struct life {
  _Atomic int is_destroyed;
  struct life *older;
};

/** A thread that calls. */
struct caller {
  struct rng rng;
  /** Callbacks that this thread is in; in one nothing is called that may not be. */
  int depth;
  bool may_destroy, may_block, may_call;
  /** Of the call that is being made. */
  netcore_done_fn done;
  struct life *life;
  struct record *record;
  uint64_t last;
  bool is_attached;
  /** For who watches. */
  const char *_Atomic doing;
  _Atomic double since;
};

static struct {
  pthread_mutex_t lock;
  struct {
    uint64_t handle;
    struct life *life;
  } slots[KIND_COUNT][SLOTS];
  /** Those that nobody could release where they were made; they are released at the end of the round. */
  uint64_t aside[KIND_COUNT][ASIDE];
  unsigned aside_count[KIND_COUNT];
  /** Where calls write tasks while other threads read them. */
  netcore_task told[SLOTS];
  uint64_t stale[STALE];
  struct life *lives;
  unsigned stale_count;
  struct records records;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread struct caller *this_caller;
static char the_user_data[64];

static inline bool few(struct caller *caller) { return per_mille(&caller->rng, 80); }
static inline bool some(struct caller *caller) { return per_mille(&caller->rng, 700); }

static inline netcore_status release_handle(enum kind kind, uint64_t handle) {
  switch (kind) {
    case KIND_CLIENT:
      return netcore_client_destroy(handle);
    case KIND_REQUEST:
      return netcore_request_destroy(handle);
    case KIND_GROUP:
      return netcore_group_cancel(handle);
    case KIND_RESPONSE:
      return netcore_response_release(handle);
    case KIND_CACHE:
      return netcore_cache_destroy(handle);
    case KIND_EVENT_SOURCE:
      return netcore_event_source_destroy(handle);
    case KIND_OBSERVER:
      return netcore_observer_destroy(handle);
    case KIND_STUBS:
      return netcore_stubs_destroy(handle);
    case KIND_TASK_SCOPE:
      return netcore_task_scope_close(handle);
    case KIND_PAGES:
      return netcore_pages_destroy(handle);
    case KIND_MODULE:
      return netcore_module_destroy(handle);
    case KIND_API:
      return netcore_api_destroy(handle);
    case KIND_CASSETTE:
      return netcore_cassette_destroy(handle);
    case KIND_CLOCK:
      return netcore_clock_destroy(handle);
    default:
      return NETCORE_OK;
  }
}

/** A handle that most often is one of the kind, and else stale, of another kind, or made up. */
static inline uint64_t pick_handle(struct caller *caller, enum kind kind) {
  static struct life unknown;
  uint64_t way = below(&caller->rng, 100), handle;
  bool has_life = kind == KIND_CLIENT || kind == KIND_GROUP;
  if (kind == KIND_TASK && way < 20) return __atomic_load_n(&shared.told[below(&caller->rng, SLOTS)], __ATOMIC_RELAXED);
  pthread_mutex_lock(&shared.lock);
  if (has_life) caller->life = &unknown;
  if (way < 90) {
    unsigned slot = (unsigned)below(&caller->rng, kind_slots[kind]);
    handle = shared.slots[kind][slot].handle;
    if (has_life && shared.slots[kind][slot].life != NULL) caller->life = shared.slots[kind][slot].life;
  } else if (way < 94) {
    enum kind other = (enum kind)below(&caller->rng, KIND_COUNT);
    unsigned slot = (unsigned)below(&caller->rng, kind_slots[other]);
    handle = shared.slots[other][slot].handle;
    if (has_life && shared.slots[other][slot].life != NULL) caller->life = shared.slots[other][slot].life;
  } else if (way < 98) {
    handle = shared.stale[below(&caller->rng, STALE)];
  } else {
    handle = edge_number(&caller->rng);
  }
  pthread_mutex_unlock(&shared.lock);
  if (caller->record != NULL) caller->record->owner = caller->life;
  return caller->last = handle;
}

/** A place for the task that a call makes: now and then one where other threads read it before the call returns. */
static inline netcore_task *pick_told(struct caller *caller, netcore_task *own) {
  return per_mille(&caller->rng, 300) ? &shared.told[below(&caller->rng, SLOTS)] : own;
}

/** Keeps a handle that a call gave, in place of another one, which is released. */
static inline void keep_for(struct caller *caller, enum kind kind, uint64_t handle, struct life *life) {
  pthread_mutex_lock(&shared.lock);
  unsigned slot = (unsigned)below(&caller->rng, kind_slots[kind]);
  uint64_t old = shared.slots[kind][slot].handle;
  struct life *old_life = shared.slots[kind][slot].life;
  bool may_end = caller->may_destroy || (kind != KIND_CLIENT && kind != KIND_CACHE);
  if (may_end || old == 0) {
    shared.slots[kind][slot].handle = handle;
    shared.slots[kind][slot].life = life;
  } else {
    old = 0;
    if (shared.aside_count[kind] == ASIDE) fuzz_fail("too many handles that nobody could release");
    shared.aside[kind][shared.aside_count[kind]++] = handle;
  }
  if (old != 0) shared.stale[shared.stale_count++ % STALE] = old;
  pthread_mutex_unlock(&shared.lock);
  if (old == 0) return;
  netcore_status status = release_handle(kind, old);
  if (kind == KIND_CLIENT && caller->depth == 0 && status == NETCORE_OK) atomic_store(&old_life->is_destroyed, 1);
}

/** The life of a new client. Callbacks may ask for it as long as the process lives. */
static inline struct life *life_new(void) {
  struct life *life = calloc(1, sizeof *life);
  if (life == NULL) fuzz_fail("calloc");
  pthread_mutex_lock(&shared.lock);
  life->older = shared.lives;
  shared.lives = life;
  pthread_mutex_unlock(&shared.lock);
  return life;
}

static inline void keep(struct caller *caller, enum kind kind, uint64_t handle) {
  if (handle != 0) keep_for(caller, kind, handle, kind == KIND_CLIENT ? life_new() : caller->life);
}

static inline void keep_out(struct caller *caller, enum kind kind, const void *out) {
  uint64_t handle = 0;
  if (out != NULL) memcpy(&handle, out, sizeof handle);
  keep(caller, kind, handle);
}

/** Finds the record of a call that may make a task. */
static inline struct record *caller_record(struct caller *caller, const char *kind) {
  static struct life no_life;
  caller->life = &no_life;
  caller->done = NULL;
  return caller->record = record_new(&shared.records, kind, 0, patience(30));
}

/** Notes what a call answered that was given a record. Where it gave no function, only the misuse of the record counts. */
static inline void caller_settle(struct caller *caller, struct record *record, netcore_status status) {
  caller->record = NULL;
  if (status != NETCORE_OK || caller->done != NULL) record_settle(&shared.records, record, status);
}

static inline void note_status(struct caller *caller, const char *name, netcore_status status) {
  (void)caller, (void)name;
  COUNT("calls");
  if (status == NETCORE_OK) COUNT("calls_ok");
  if (status == NETCORE_ERR_INTERNAL) COUNT("internal");
  if (status != NETCORE_OK && per_mille(&caller->rng, 20) && strlen(netcore_last_error_message()) == 0)
    violation("%s answered %d without a message", name, status);
}

static void call_anything(struct caller *caller);

/** In a callback: makes calls, where this thread is not in another one. `what` says which are allowed. */
static inline void callback_calls(const char *name, bool may_destroy, bool may_block) {
  static __thread struct caller own;
  struct caller *caller = this_caller != NULL ? this_caller : &own;
  (void)name;
  COUNT("callbacks");
  if (caller->depth > 0) return;
  if (caller == &own && own.rng.state == 0) own.rng.state = mix((uint64_t)(uintptr_t)&own ^ fuzz.seed);
  struct caller saved = *caller;
  if (caller == &own) this_caller = &own;
  caller->depth = 1;
  caller->record = NULL;
  caller->may_destroy = may_destroy;
  caller->may_block = may_block;
  for (uint64_t calls = per_mille(&caller->rng, 300) ? 1 + below(&caller->rng, 3) : 0; calls > 0; calls--)
    call_anything(caller);
  caller->depth = 0;
  caller->may_destroy = saved.may_destroy, caller->may_block = saved.may_block;
  caller->done = saved.done, caller->record = saved.record, caller->life = saved.life, caller->last = saved.last,
  caller->is_attached = saved.is_attached;
  if (caller == &own) this_caller = NULL;
}

#endif
