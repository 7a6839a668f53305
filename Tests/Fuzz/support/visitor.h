/** A client with everything on, that visits one case after the other. */
#ifndef NETCORE_FUZZ_VISITOR_H
#define NETCORE_FUZZ_VISITOR_H

#include "visit.h"

enum { VISITOR_TASKS = 1000, VISITOR_AT_ONCE = 64 };

struct visitor {
  struct rng rng;
  netcore_client client;
  netcore_cache cache;
  netcore_completion_mode mode;
  struct records records;
  /** What the thread is doing, for who watches it, and since when. */
  const char *_Atomic doing;
  _Atomic double since;
};

static inline void visitor_does(struct visitor *visitor, const char *what) {
  atomic_store(&visitor->since, fair_seconds());
  atomic_store(&visitor->doing, what);
}

static inline void visitor_done(const netcore_completion *completion) {
  struct record *record = completion->user_data;
  if (completion->kind != NETCORE_COMPLETION_KIND_TASK) {
    COUNT("early_completions");
    if (atomic_load(&record->ended))
      violation("case %llu: an early completion after its end", (unsigned long long)record->number);
    return;
  }
  visit_check(record, completion->response, completion->status);
}

/** One client at a time. */
static struct visitor the_visitor;

static inline void visitor_on_done(const netcore_completion *completion) {
  visitor_done(completion);
  if (completion->kind == NETCORE_COMPLETION_KIND_TASK) record_end(&the_visitor.records, completion->user_data);
}

static inline netcore_status visitor_on_challenge(const netcore_challenge *challenge, netcore_request answer,
                                                  void *unused) {
  (void)unused;
  COUNT("challenges");
  if (challenge->url[0] % 2 == 0 || challenge->failures > 1) return NETCORE_OK;
  if (challenge->auth == NETCORE_AUTH_BASIC || challenge->auth == NETCORE_AUTH_DIGEST)
    netcore_request_set_auth(answer, challenge->auth, "user", "password");
  return NETCORE_OK;
}

static inline void visitor_make_cache(struct visitor *visitor) {
  netcore_cache_options options = {.size = sizeof options};
  char folder[100];
  snprintf(folder, sizeof folder, "%s/cache%llu", fuzz.folder, (unsigned long long)below(&visitor->rng, 2));
  options.memory_bytes = 4 << 20;
  options.disk_bytes = 16 << 20;
  if (per_mille(&visitor->rng, 600)) options.folder = folder;
  options.is_shared = per_mille(&visitor->rng, 300);
  options.writes_synchronously = per_mille(&visitor->rng, 200);
  options.serves_stale_when_disconnected = per_mille(&visitor->rng, 300);
  netcore_status status = netcore_cache_create(&options, &visitor->cache);
  if (status != NETCORE_OK && !all_cases_are_plain) violation("netcore_cache_create: %d", status);
}

/** Makes a client; false where that failed. */
static inline bool visitor_open(struct visitor *visitor) {
  struct rng *rng = &visitor->rng;
  char resolve[4][60], cookies[100], hsts[100], alt_svc[100];
  const char *resolves[4] = {resolve[0], resolve[1], resolve[2], resolve[3]};
  for (int i = 0; i < 4; i++)
    snprintf(resolve[i], sizeof resolve[0], "%c.fuzz.test:%d:127.0.0.1", i < 2 ? 'a' : 'b', wire_ports[i % 2]);
  netcore_client_options options = {.size = sizeof options, .ca_file = server_certificate(), .proxy = "", .cookies = 1};
  options.resolve = resolves;
  options.resolve_count = 4;
  snprintf(cookies, sizeof cookies, "%s/cookies", fuzz.folder);
  snprintf(hsts, sizeof hsts, "%s/hsts", fuzz.folder);
  snprintf(alt_svc, sizeof alt_svc, "%s/alt-svc", fuzz.folder);
  options.cookie_file = per_mille(rng, 300) ? cookies : NULL;
  options.hsts_file = per_mille(rng, 300) ? hsts : per_mille(rng, 300) ? "" : NULL;
  options.alt_svc_file = is_left_out("altsvc") ? NULL : per_mille(rng, 300) ? alt_svc : per_mille(rng, 600) ? "" : NULL;
  options.completions = visitor->mode = (netcore_completion_mode)below(rng, 3);
  options.http_version_max =
      per_mille(rng, 400) || is_left_out("h2") ? NETCORE_HTTP_VERSION_1_1 : NETCORE_HTTP_VERSION_2;
  visitor->cache = 0;
  if (per_mille(rng, 700)) visitor_make_cache(visitor);
  options.cache = visitor->cache;
  netcore_status status = netcore_client_create(&options, &visitor->client);
  if (status != NETCORE_OK) {
    if (!all_cases_are_plain) violation("netcore_client_create: %d, %s", status, netcore_last_error_message());
    netcore_cache_destroy(visitor->cache);
    return false;
  }
  records_begin(&visitor->records, VISITOR_TASKS);
  if (per_mille(rng, 800)) netcore_client_set_challenge_function(visitor->client, visitor_on_challenge, NULL, NULL);
  netcore_client_set_limit(visitor->client, NETCORE_LIMIT_TRANSFERS_PER_HOST, 1 + below(rng, 40));
  COUNT("clients");
  return true;
}

static inline void visitor_take(struct visitor *visitor, uint64_t timeout_ms) {
  netcore_completion taken[8];
  uint32_t count = 0;
  if (visitor->mode == NETCORE_COMPLETION_MODE_PUMP) {
    netcore_client_process(visitor->client, 0, &count);
    if (count == 0 && timeout_ms > 0) pause_us(200);
  } else if (visitor->mode == NETCORE_COMPLETION_MODE_QUEUE) {
    if (netcore_client_wait(visitor->client, taken, LENGTH(taken), sizeof(netcore_completion), timeout_ms, &count) !=
        NETCORE_OK)
      count = 0;
    for (uint32_t i = 0; i < count; i++) {
      visitor_done(&taken[i]);
      if (taken[i].kind == NETCORE_COMPLETION_KIND_TASK) record_end(&visitor->records, taken[i].user_data);
      if (taken[i].response != 0) netcore_response_release(taken[i].response);
    }
  } else if (timeout_ms > 0) {
    pause_us(200);
  }
}

static inline void visitor_visit(struct visitor *visitor, uint64_t number) {
  struct rng *rng = &visitor->rng;
  uint64_t total_ms = 100 + below(rng, 600);
  struct record *record = record_new(&visitor->records, "a task", number, (double)total_ms / 1000 + patience(8));
  if (record == NULL) return;
  netcore_request request = visit_request(number, total_ms, &record->decodes, rng);
  if (request == 0) return;
  if (per_mille(rng, 5)) {
    netcore_response response = 0;
    visitor_does(visitor, "netcore_perform");
    netcore_status status = netcore_perform(visitor->client, request, &response);
    visitor_does(visitor, "waiting");
    COUNT("performed");
    if (response != 0) visit_check(record, response, status);
    if (response != 0) netcore_response_release(response);
  } else {
    netcore_task task = 0;
    netcore_done_fn done = visitor->mode == NETCORE_COMPLETION_MODE_QUEUE ? NULL : visitor_on_done;
    record_settle(&visitor->records, record, netcore_dispatch(visitor->client, request, done, record, &task));
    record->task = task;
    if (per_mille(rng, 30)) netcore_task_cancel(visitor->records.all[below(rng, visitor->records.used)].task);
  }
  netcore_request_destroy(request);
}

/** Takes completions until all tasks have ended, or the last of them is late. */
static inline void visitor_take_all(struct visitor *visitor) {
  double last = fair_seconds() + patience(9);
  while (visitor->records.ended < visitor->records.accepted && fair_seconds() < last) visitor_take(visitor, 10);
  records_check_late(&visitor->records);
}

static inline void visitor_close(struct visitor *visitor) {
  visitor_does(visitor, "waiting");
  if (per_mille(&visitor->rng, 500)) visitor_take_all(visitor);
  if (visitor->mode == NETCORE_COMPLETION_MODE_QUEUE) {  // destroy would drop what was not taken
    netcore_client_shutdown(visitor->client);
    visitor_take_all(visitor);
  }
  visitor_does(visitor, "netcore_client_destroy");
  netcore_client_destroy(visitor->client);
  visitor_does(visitor, "netcore_cache_destroy");
  if (visitor->cache != 0) netcore_cache_destroy(visitor->cache);
  visitor_does(visitor, "");
  records_check_ended(&visitor->records);
}

/** Watches the calls that the visitor's thread blocks in. */
static inline void *visitor_watch(void *unused) {
  (void)unused;
  for (;; pause_us(100000)) {
    const char *doing = atomic_load(&the_visitor.doing);
    double since = fair_seconds() - atomic_load(&the_visitor.since);
    if (doing == NULL || doing[0] == '\0' || strcmp(doing, "waiting") == 0 || since < patience(15)) continue;
    violation("%s takes more than %.0f s", doing, since);
    abort();
  }
  return NULL;
}

static inline void visitor_quiet(netcore_log_level level, const char *message, void *unused) {
  (void)level, (void)message, (void)unused;
}

/** The case to visit now: a new one, a favourite, or one of the last. */
static inline uint64_t visitor_next(struct visitor *visitor, uint64_t *number) {
  uint64_t favourite = favourite_case(*number), behind = 1 + below(&visitor->rng, 40);
  if (per_mille(&visitor->rng, 150) && favourite >= fuzz.first_case) return favourite;
  if (per_mille(&visitor->rng, 250) && *number >= fuzz.first_case + behind) return *number - behind;
  return (*number)++;
}

/** Visits cases by one client after the other until the time is over. */
static inline void visitor_run(void) {
  struct visitor *visitor = &the_visitor;
  uint64_t number = fuzz.first_case;
  pthread_t watch;
  visitor->rng = (struct rng){mix(fuzz.seed)};
  netcore_set_log(visitor_quiet, NULL, NULL);
  pthread_create(&watch, NULL, visitor_watch, NULL);
  while (fuzz_goes_on() && number <= fuzz.last_case && fuzz.shared->violations < FUZZ_REPORTS) {
    visitor_does(visitor, "netcore_client_create");
    if (!visitor_open(visitor)) continue;
    visitor_does(visitor, "waiting");
    uint64_t tasks = 1 + below(&visitor->rng, VISITOR_TASKS);
    while (tasks-- > 0 && fuzz_goes_on() && number <= fuzz.last_case) {
      uint64_t visited = visitor_next(visitor, &number);
      visitor_visit(visitor, visited);
      visitor_take(visitor, 0);
      records_check_late(&visitor->records);
      while (visitor->records.accepted - visitor->records.ended >= VISITOR_AT_ONCE &&
             fuzz.shared->violations < FUZZ_REPORTS) {
        visitor_take(visitor, 5);
        records_check_late(&visitor->records);
      }
    }
    visitor_close(visitor);
  }
  COUNT_BY("cases", number - fuzz.first_case);
  if (*fuzz_count("clients") == 0) violation("no client could be made: nothing was tried");
}

#endif
