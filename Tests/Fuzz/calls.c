/**
 * Calls: eight threads call every function of the ABI with good, extreme and wrong arguments, with live traffic and inside
 * every kind of callback. calls.py writes the calls from the headers.
 *
 * Each accepted task ends once, none of a call that failed, none after its client was destroyed; no call hangs.
 */
#include "support/arguments.h"

static void call_netcore_dispatch_many(struct caller *caller) {
  netcore_request requests[16];
  netcore_task tasks[16] = {0};
  void *user_data[16];
  struct record *records[16];
  size_t count = below(&caller->rng, per_mille(&caller->rng, 900) ? 4 : 17);
  netcore_task *told = count == 1 ? pick_told(caller, tasks) : tasks;
  bool is_too_many = few(caller) && few(caller);
  for (size_t i = 0; i < 16; i++) {
    records[i] = i < count ? caller_record(caller, "netcore_dispatch_many") : NULL;
    if (i < count && records[i] == NULL) return;
    user_data[i] = records[i];
    requests[i] = shared.slots[KIND_REQUEST][below(&caller->rng, kind_slots[KIND_REQUEST])].handle;
  }
  caller->record = NULL;
  netcore_client client = pick_handle(caller, KIND_CLIENT);
  for (size_t i = 0; i < count; i++) records[i]->owner = caller->life;
  netcore_done_fn done = pick_netcore_done_fn(caller);
  netcore_status status = netcore_dispatch_many(client, requests, is_too_many ? 16777217 : count, done, user_data,
                                                few(caller) ? NULL : told);
  for (size_t i = 0; i < count; i++) caller_settle(caller, records[i], status);
  for (size_t i = 0; status == NETCORE_OK && i < count; i++) keep(caller, KIND_TASK, told[i]);
  note_status(caller, "netcore_dispatch_many", status);
}

static void call_netcore_client_wait(struct caller *caller) {
  netcore_completion taken[8];
  uint32_t count = 0, capacity = (uint32_t)below(&caller->rng, 9);
  netcore_client client = pick_handle(caller, KIND_CLIENT);
  netcore_status status = netcore_client_wait(client, few(caller) ? NULL : taken, capacity, sizeof(netcore_completion),
                                              below(&caller->rng, 10), &count);
  if (status != NETCORE_OK && count != 0) violation("netcore_client_wait: %d, and a count of %u", status, count);
  for (uint32_t i = 0; i < count; i++) {
    struct record *record = taken[i].user_data;
    keep(caller, KIND_RESPONSE, taken[i].response);
    if (taken[i].kind != NETCORE_COMPLETION_KIND_TASK && taken[i].kind != NETCORE_COMPLETION_KIND_GROUP) continue;
    if (record != NULL && atomic_fetch_add(&record->ended, 1) > 0) violation("%s: taken twice", record->kind);
    COUNT("taken");
  }
  note_status(caller, "netcore_client_wait", status);
}

static void call_netcore_observer_read(struct caller *caller) {
  netcore_client_event taken[8];
  uint32_t count = 0, capacity = (uint32_t)below(&caller->rng, 9);
  uint64_t dropped = 0;
  netcore_observer observer = pick_handle(caller, KIND_OBSERVER);
  netcore_status status = netcore_observer_read(observer, few(caller) ? NULL : taken, capacity, sizeof taken[0], &count,
                                                few(caller) ? NULL : &dropped);
  if (count > capacity || (status != NETCORE_OK && count != 0))
    violation("netcore_observer_read: %d, and a count of %u", status, count);
  for (uint32_t i = 0; i < count; i++)
    if (taken[i].kind == 0 || taken[i].time_ns == 0) violation("an event without a kind or a time");
  note_status(caller, "netcore_observer_read", status);
}

static void call_netcore_client_destroy(struct caller *caller) {
  struct life *life = caller->life = NULL;
  netcore_client client = pick_handle(caller, KIND_CLIENT);
  life = caller->life;
  netcore_status status = netcore_client_destroy(client);
  bool is_its_own = status == NETCORE_OK && life != NULL && caller->depth == 0;
  pthread_mutex_lock(&shared.lock);
  for (unsigned i = 0; i < SLOTS; i++) {
    if (shared.slots[KIND_CLIENT][i].handle != client || status != NETCORE_OK) continue;
    if (is_its_own && shared.slots[KIND_CLIENT][i].life == life) atomic_store(&life->is_destroyed, 1);
    shared.slots[KIND_CLIENT][i].handle = 0;
    shared.stale[shared.stale_count++ % STALE] = client;
  }
  pthread_mutex_unlock(&shared.lock);
  note_status(caller, "netcore_client_destroy", status);
}

#include "calls.inc"  // written by calls.py

/** How often each function was called. */
static _Atomic uint64_t call_counts[LENGTH(calls)];

/** Functions that the callback a thread is in may not call: those that wait for it, or for what it holds up. */
static bool may_call(const struct caller *caller, const char *name) {
  bool is_end = strcmp(name, "netcore_client_destroy") == 0 || strcmp(name, "netcore_cache_destroy") == 0 ||
                strcmp(name, "netcore_cache_flush") == 0;
  bool is_timed = strcmp(name, "netcore_perform_for") == 0 || strcmp(name, "netcore_perform_streamed_for") == 0 ||
                  strcmp(name, "netcore_download") == 0;
  if (is_timed && is_left_out("waits")) return false;
  bool is_wait = strcmp(name, "netcore_perform") == 0 || strcmp(name, "netcore_perform_streamed") == 0 ||
                 strcmp(name, "netcore_pages_load") == 0 || strcmp(name, "netcore_pages_read_item") == 0 ||
                 strcmp(name, "netcore_cache_list") == 0 || strcmp(name, "netcore_api_perform") == 0;
  return (caller->may_destroy || !is_end) && (caller->may_block || !is_wait);
}

/** How often a function is called, as compared with others: often enough what makes traffic, seldom what stops it. */
static unsigned weight_of(const char *name) {
  static const struct {
    const char *part;
    unsigned weight;
  } weights[] = {{"request_create", 150},  {"client_create", 2}, {"client_destroy", 1}, {"cache_create", 2},
                 {"cache_destroy", 1},     {"dispatch", 60},     {"task_create", 30},   {"group_", 30},
                 {"perform", 30},          {"task_wait", 30},    {"client_wait", 40},   {"client_process", 40},
                 {"shutdown", 1},          {"cancel_all", 1},    {"set_limit", 2},      {"set_network", 1},
                 {"allowed_interface", 1}, {"set_url", 2},       {"base_url", 2},       {"use_https", 2},
                 {"set_custom", 2},        {"download", 4},      {"path_value", 2},     {"body_file", 2},
                 {"file_part", 2},         {"add_filter", 2},    {"set_auth", 4},       {"set_transport", 2}};
  for (size_t i = 0; i < LENGTH(weights); i++)
    if (strstr(name, weights[i].part) != NULL) return weights[i].weight;
  return 10;
}

static unsigned weight_sums[LENGTH(calls)];

static void weigh(void) {
  unsigned sum = 0;
  for (size_t i = 0; i < LENGTH(calls); i++) weight_sums[i] = sum += weight_of(calls[i].name);
}

static size_t next_call(struct caller *caller) {
  uint64_t point = below(&caller->rng, weight_sums[LENGTH(calls) - 1]);
  size_t index = 0;
  while (weight_sums[index] <= point) index++;
  return index;
}

static void call_anything(struct caller *caller) {
  size_t index = next_call(caller);
  if (!may_call(caller, calls[index].name)) return;
  atomic_store(&caller->since, fair_seconds());
  atomic_store(&caller->doing, calls[index].name);
  calls[index].call(caller);
  caller->record = NULL;
  atomic_store(&caller->doing, NULL);
  atomic_fetch_add_explicit(&call_counts[index], 1, memory_order_relaxed);
}

/** A round ends when it is short of records. */
static bool round_goes_on(void) {
  return fuzz_goes_on() && fuzz.shared->violations == 0 && shared.records.used < RECORDS - 1000;
}

static void *call_for_long(void *argument) {
  this_caller = argument;
  while (round_goes_on()) call_anything(this_caller);
  return NULL;
}

/** Cancels tasks as soon as calls that make them say their number, which may be before those calls return. */
static void *cancel_for_long(void *unused) {
  while (round_goes_on()) {
    for (unsigned i = 0; i < SLOTS; i++) {
      netcore_task task = __atomic_exchange_n(&shared.told[i], 0, __ATOMIC_RELAXED);
      if (task != 0 && netcore_task_cancel(task) == NETCORE_OK) COUNT("canceled");
    }
    sched_yield();
  }
  return unused;
}

/** Watches threads for a call that does not return. */
static void watch(struct caller *callers) {
  for (; round_goes_on(); pause_us(20000))
    for (int i = 0; i < CALLERS; i++) {
      const char *doing = atomic_load(&callers[i].doing);
      if (doing != NULL && fair_seconds() - atomic_load(&callers[i].since) > patience(25)) {
        violation("%s does not return", doing);
        abort();
      }
    }
}

/** Makes what calls need to be of use: a client of each mode, caches and requests. */
static void make_some(struct caller *caller) {
  for (int i = 0; i < 6; i++) {
    netcore_client_options options = {
        .size = sizeof options, .completions = i % 3, .proxy = "", .cookies = 1, .ca_file = server_certificate()};
    netcore_client client = 0;
    netcore_client_create(&options, &client);
    keep(caller, KIND_CLIENT, client);
  }
  for (int i = 0; i < 60; i++) {
    netcore_request request = 0;
    netcore_request_create("GET", pick_url(&caller->rng), &request);
    if (request != 0) netcore_request_set_total_timeout_ms(request, 2000);
    keep(caller, KIND_REQUEST, request);
  }
}

static unsigned open_files(void) {
  unsigned count = 0;
  for (int fd = 0; fd < 1024; fd++) count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

/** Prints what is open. */
static void print_files(void) {
  for (int fd = 0; fd < 1024; fd++) {
    char link[40], target[200] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, target, sizeof target - 1) > 0) fprintf(stderr, "  descriptor %d: %s\n", fd, target);
  }
}

/** Takes a handle of the kind that is kept; 0 where none is left. */
static uint64_t take_kept(enum kind kind) {
  uint64_t handle = 0;
  pthread_mutex_lock(&shared.lock);
  for (unsigned slot = 0; handle == 0 && slot < SLOTS; slot++) {
    handle = shared.slots[kind][slot].handle;
    shared.slots[kind][slot].handle = 0;
  }
  if (handle == 0 && shared.aside_count[kind] > 0) handle = shared.aside[kind][--shared.aside_count[kind]];
  pthread_mutex_unlock(&shared.lock);
  return handle;
}

/** Ends what is kept. Callbacks that still run may make more meanwhile. */
static void end_kept(void) {
  static const enum kind order[] = {KIND_PAGES, KIND_CLOCK,    KIND_TASK_SCOPE, KIND_EVENT_SOURCE, KIND_OBSERVER,
                                    KIND_GROUP, KIND_CLIENT,   KIND_RESPONSE,   KIND_REQUEST,      KIND_CACHE,
                                    KIND_STUBS, KIND_CASSETTE, KIND_MODULE,     KIND_API};
  for (unsigned i = 0; i < LENGTH(order); i++)
    for (uint64_t handle; (handle = take_kept(order[i])) != 0;) release_handle(order[i], handle);
}

/** Ends all that is left, and waits until nothing of it is there: tasks, values, descriptors. */
static void end_all(unsigned files) {
  end_kept();
  netcore_set_log(on_log, NULL, NULL);
  double last = fair_seconds() + patience(10);  // for clients that were destroyed in callbacks
  _Atomic uint64_t *attached = fuzz_count("attached"), *released = fuzz_count("released");
  while ((shared.records.ended < shared.records.accepted || *released < *attached || open_files() > files) &&
         fair_seconds() < last) {
    pause_us(10000);
    end_kept();
  }
  if (fuzz.shared->violations > 0) return;
  if (*released != *attached)
    violation("%llu values attached, %llu released", (unsigned long long)*attached, (unsigned long long)*released);
  if (open_files() > files) {
    print_files();
    violation("%u descriptors before, %u after", files, open_files());
  }
}

/** Makes calls until the records are used up, then ends all that is left, and looks whether each task ended once. */
static void play_round(struct caller *callers, unsigned files) {
  pthread_t threads[CALLERS], canceler;
  COUNT("rounds");
  records_begin(&shared.records, RECORDS);
  netcore_set_log(on_log, NULL, NULL);
  make_some(&callers[0]);
  for (int i = 0; i < CALLERS; i++)
    if (pthread_create(&threads[i], NULL, call_for_long, &callers[i]) != 0) fuzz_fail("pthread_create");
  if (pthread_create(&canceler, NULL, cancel_for_long, NULL) != 0) fuzz_fail("pthread_create");
  watch(callers);
  pthread_join(canceler, NULL);
  for (int i = 0; i < CALLERS; i++) pthread_join(threads[i], NULL);
  end_all(files);
  records_check_ended(&shared.records);
}

static void run(void) {
  static struct caller callers[CALLERS];
  arguments_prepare();
  weigh();
  for (int i = 0; i < CALLERS; i++) {
    callers[i].rng.state = mix(fuzz.seed + (uint64_t)i);
    callers[i].may_destroy = callers[i].may_block = true;
  }
  unsigned files = open_files();
  while (fuzz_goes_on() && fuzz.shared->violations == 0) play_round(callers, files);
  COUNT_BY("functions", LENGTH(calls));
  for (size_t i = 0; i < LENGTH(calls); i++)
    if (call_counts[i] == 0 && fuzz.shared->violations == 0 && fuzz.without[0] == '\0')
      violation("%s was not called", calls[i].name);
}

static void prepare(void) {
  all_cases_are_plain = true;
  server_prepare();
}

int main(int count, char **arguments) { return fuzz_main("calls", count, arguments, prepare, server_run, run); }
