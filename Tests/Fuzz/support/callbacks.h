/** Functions of the application's, of each kind, that make calls themselves. */
#ifndef NETCORE_FUZZ_CALLBACKS_H
#define NETCORE_FUZZ_CALLBACKS_H

#include "caller.h"

static void on_done(const netcore_completion *completion) {
  struct record *record = completion->user_data;
  if (record->owner != NULL && atomic_load(&((struct life *)record->owner)->is_destroyed))
    violation("%s: a callback after its client was destroyed", record->kind);
  callback_calls("done", true, true);
  if (completion->kind == NETCORE_COMPLETION_KIND_TASK || completion->kind == NETCORE_COMPLETION_KIND_GROUP)
    record_end(&shared.records, record);
}

static void on_dropped(void *user_data) {
  callback_calls("dropped", true, true);
  if (user_data != the_user_data) record_end(&shared.records, user_data);
}

static void on_host(netcore_task task, void *user_data) {
  (void)user_data;
  if (task % 3 == 0)
    netcore_task_complete(task, NETCORE_STATUS_APPLICATION_FIRST);
  else if (this_caller != NULL)
    keep(this_caller, KIND_TASK, task);
  callback_calls("host", true, true);
}

static netcore_status on_filter(netcore_request request, void *user_data) {
  (void)user_data;
  netcore_request_set_header(request, "X-Filter", "1");
  callback_calls("filter", false, false);
  return request % 20 == 0 ? NETCORE_STATUS_APPLICATION_FIRST : NETCORE_OK;
}

static netcore_status on_response_filter(netcore_response response, void *user_data) {
  (void)user_data;
  netcore_response_set_header(response, "X-Filter", "1");
  if (response % 5 == 0) netcore_response_set_body(response, "filtered", 8);
  netcore_response_add_tag(response, "filtered");
  callback_calls("response filter", false, false);
  return response % 20 == 0 ? NETCORE_STATUS_APPLICATION_FIRST : NETCORE_OK;
}

/** Answers. Now and then other threads may answer before; none is left to its timeout, which is longer than a call may take. */
static void on_transport(netcore_hop hop, netcore_request request, void *user_data) {
  (void)request, (void)user_data;
  callback_calls("transport", false, false);
  uint64_t number = mix(hop);
  if (number % 16 == 0) {
    pthread_mutex_lock(&shared.lock);
    netcore_hop before = shared.slots[KIND_HOP][number / 16 % 8].handle;
    shared.slots[KIND_HOP][number / 16 % 8].handle = hop;
    pthread_mutex_unlock(&shared.lock);
    callback_calls("transport", false, false);
    netcore_hop_fail(before, NETCORE_ERR_CONNECT, NULL);
  }
  if (number % 3 == 0)
    netcore_hop_fail(hop, NETCORE_ERR_CONNECT, NULL);
  else
    netcore_hop_answer(hop, 200, "Cache-Control: max-age=1\nX-A: 1\n", "body", 4);
}

static int32_t on_stub_call(netcore_request request, uint32_t index, void *user_data) {
  (void)request, (void)user_data;
  callback_calls("stub_call", false, false);
  return index % 7 != 3;
}

static int32_t on_text(char *text, size_t capacity) {
  unsigned long long number = mix((uint64_t)(uintptr_t)text + capacity);
  if (number % 40 == 0) return INT32_MAX;
  if (number % 40 == 1) return INT32_MIN;
  return snprintf(text, capacity, "%*d", (int)(number % 300), 1);
}

static int32_t on_hop_value(const netcore_hop_info *info, char *text, size_t capacity, void *user_data) {
  (void)user_data;
  if (info->method == NULL || info->url == NULL || info->attempt == 0)
    violation("a hop without a method, URL or attempt");
  callback_calls("hop value", false, false);
  return on_text(text, capacity);
}

static int32_t on_value(char *text, size_t capacity, void *user_data) {
  (void)user_data;
  callback_calls("value", false, false);
  return on_text(text, capacity);
}

static int32_t on_next_page(netcore_response response, char *text, size_t capacity, void *user_data) {
  (void)response, (void)user_data;
  callback_calls("next_page", false, false);
  return on_text(text, capacity);
}

static int32_t on_token(const char *refused, char *token, size_t capacity, void *user_data) {
  (void)refused, (void)user_data;
  callback_calls("token", false, false);
  int32_t size = snprintf(token, capacity, "token");
  return capacity % 2 == 0 ? size : -1;
}

static netcore_status on_challenge(const netcore_challenge *challenge, netcore_request answer, void *user_data) {
  (void)user_data;
  callback_calls("challenge", false, false);
  return netcore_request_set_auth(answer, challenge->auth, "user", "password");
}

static int32_t on_cache_text(const netcore_cache_request *request, char *text, size_t capacity, void *user_data) {
  (void)user_data;  // may call nothing
  return request->size % 8 != 0 ? -1 : snprintf(text, capacity, "%s", request->url);
}

static int32_t on_cache_folder(const netcore_cache_request *request, char *text, size_t capacity, void *user_data) {
  (void)user_data;
  size_t length = strlen(request->url);
  return length % 2 == 0 ? -1 : snprintf(text, capacity, "%s/calls%zu", fuzz.folder, length % 3);
}

static void on_event(const netcore_cache_event *event, void *user_data) {
  (void)event, (void)user_data;
  callback_calls("event", false, false);
}

static void on_task_event(const netcore_completion *event, void *user_data) {
  (void)user_data;
  if (event->kind == NETCORE_COMPLETION_KIND_TASK || event->kind == NETCORE_COMPLETION_KIND_GROUP)
    violation("an end as an event");
  callback_calls("task event", true, true);
}

static int32_t on_field(const char *name, const char *value, void *user_data) {
  (void)user_data;
  if (name == NULL) violation("a list: a name is null");
  callback_calls("field", true, true);
  return value == NULL || strlen(value) % 5 != 0;
}

static int32_t on_entry(const netcore_cache_entry *entry, void *user_data) {
  (void)user_data;
  callback_calls("entry", true, true);
  return entry->size_bytes % 5 != 0;
}

static int32_t on_part(const netcore_download_part *part, void *user_data) {
  (void)user_data;
  if (part->path == NULL || part->size_bytes > 1 << 30) violation("a part without a path, or too large");
  callback_calls("part", true, true);
  return part->size_bytes % 5 != 0;
}

static netcore_retry_verdict on_retry(const netcore_retry_outcome *outcome, uint64_t *delay_ms, void *user_data) {
  (void)user_data;
  if (outcome->attempt == 0 || *delay_ms != UINT64_MAX)
    violation("a retry: an attempt without a number, or with a wait");
  callback_calls("retry", false, false);
  *delay_ms = outcome->attempt % 3;
  return outcome->attempt % 4;
}

static netcore_status on_validate(netcore_response response, void *user_data) {
  (void)user_data;
  if (response == 0) violation("a validator: a response without a handle");
  callback_calls("validator", false, false);
  return (netcore_status)(response % 4 == 0 ? 2001 : response % 3);
}

static int32_t on_cookie(const netcore_cookie *cookie, void *user_data) {
  (void)cookie, (void)user_data;
  callback_calls("cookie", true, true);
  return 1;
}

static void on_selection(const char *service, const char *environment, void *user_data) {
  (void)service, (void)environment, (void)user_data;
  callback_calls("selection", true, true);
}

static void on_reachability(netcore_reachability reachability, void *user_data) {
  (void)user_data;
  if (reachability < 0 || reachability > 2) violation("a reachability that there is not");
  callback_calls("reachability", true, true);
}

static void on_observer(const netcore_client_event *event, void *user_data) {
  (void)user_data;
  if (event->kind == 0 || event->time_ns == 0) violation("an event without a kind or a time");
  callback_calls("observer", false, false);
}

static void on_cached_value(netcore_bytes data, void *user_data) {
  (void)user_data;
  if (data.size_bytes > 0 && data.data == NULL) violation("a value without bytes");
  callback_calls("value", true, true);
}

static int32_t on_breaker(const netcore_breaker_info *info, void *user_data) {
  (void)user_data;
  if (info->origin.data == NULL || info->failure_count > info->try_count)
    violation("a breaker: no origin, or no such count");
  callback_calls("breaker", true, true);
  return 1;
}

static int32_t on_budget(const netcore_budget_info *info, void *user_data) {
  (void)user_data;
  if (info->origin.data == NULL || info->tokens > info->capacity) violation("a budget: no origin, or too many tokens");
  callback_calls("budget", true, true);
  return 1;
}

static void on_release(void *value) {
  (void)value;
  COUNT("released");
  callback_calls("release", false, false);
}

static void on_log(netcore_log_level level, const char *message, void *user_data) {
  (void)level, (void)message, (void)user_data;
}

/** Gives up to 64 KB in all; no state but a count in `user_data`. */
static size_t on_read(void *buffer, size_t capacity, void *user_data) {
  _Atomic unsigned *turns = user_data;
  unsigned turn = atomic_fetch_add(turns, 1);
  if (turn % 5 == 4) return 0;
  if (turn % 97 == 96) return NETCORE_READ_FAILED;
  size_t size = capacity < 4096 ? capacity : 4096;
  memset(buffer, 'x', size);
  return size;
}

static int32_t on_rewind(void *user_data) { return (uintptr_t)user_data % 5 == 0; }
static void on_reader_release(void *user_data) { (void)user_data; }

#define PICK_FUNCTION(type, name, function) \
  static inline type name(struct caller *caller) { return per_mille(&caller->rng, 850) ? function : NULL; }
PICK_FUNCTION(netcore_filter_fn, pick_netcore_filter_fn, on_filter)
PICK_FUNCTION(netcore_transport_fn, pick_netcore_transport_fn, on_transport)
PICK_FUNCTION(netcore_stub_call_fn, pick_netcore_stub_call_fn, on_stub_call)
PICK_FUNCTION(netcore_value_fn, pick_netcore_value_fn, on_value)
PICK_FUNCTION(netcore_next_page_fn, pick_netcore_next_page_fn, on_next_page)
PICK_FUNCTION(netcore_hop_value_fn, pick_netcore_hop_value_fn, on_hop_value)
PICK_FUNCTION(netcore_response_filter_fn, pick_netcore_response_filter_fn, on_response_filter)
PICK_FUNCTION(netcore_observer_fn, pick_netcore_observer_fn, on_observer)
PICK_FUNCTION(netcore_token_fn, pick_netcore_token_fn, on_token)
PICK_FUNCTION(netcore_challenge_fn, pick_netcore_challenge_fn, on_challenge)
PICK_FUNCTION(netcore_event_fn, pick_netcore_event_fn, on_task_event)
PICK_FUNCTION(netcore_release_fn, pick_netcore_release_fn_for_release, on_reader_release)
PICK_FUNCTION(netcore_field_fn, pick_netcore_field_fn, on_field)
PICK_FUNCTION(netcore_retry_fn, pick_netcore_retry_fn_for_decide, on_retry)
PICK_FUNCTION(netcore_validate_fn, pick_netcore_validate_fn, on_validate)
PICK_FUNCTION(netcore_download_part_fn, pick_netcore_download_part_fn, on_part)
PICK_FUNCTION(netcore_cookie_fn, pick_netcore_cookie_fn, on_cookie)
PICK_FUNCTION(netcore_task_fn, pick_netcore_task_fn, on_host)
PICK_FUNCTION(netcore_breaker_fn, pick_netcore_breaker_fn, on_breaker)
PICK_FUNCTION(netcore_budget_fn, pick_netcore_budget_fn, on_budget)
PICK_FUNCTION(netcore_reachability_fn, pick_netcore_reachability_fn, on_reachability)
PICK_FUNCTION(netcore_selection_fn, pick_netcore_selection_fn, on_selection)
PICK_FUNCTION(netcore_cache_entry_fn, pick_netcore_cache_entry_fn, on_entry)
PICK_FUNCTION(netcore_cache_value_fn, pick_netcore_cache_value_fn, on_cached_value)
PICK_FUNCTION(netcore_cache_event_fn, pick_netcore_cache_event_fn_for_on_event, on_event)
PICK_FUNCTION(netcore_cache_text_fn, pick_netcore_cache_text_fn_for_key, on_cache_text)
PICK_FUNCTION(netcore_cache_text_fn, pick_netcore_cache_text_fn_for_folder_for_request, on_cache_folder)

/* The end of a task that no record is kept of. */
static void on_ended(const netcore_completion *completion) {
  if (completion->user_data != the_user_data) violation("a callback with other user data");
  callback_calls("ended", true, true);
}
PICK_FUNCTION(netcore_done_fn, pick_netcore_done_fn_for_success, on_ended)
PICK_FUNCTION(netcore_done_fn, pick_netcore_done_fn_for_failure, on_ended)
PICK_FUNCTION(netcore_done_fn, pick_netcore_done_fn_for_finished, on_ended)

static inline netcore_done_fn pick_netcore_done_fn(struct caller *caller) {
  return caller->done = per_mille(&caller->rng, 700) ? on_done : NULL;
}
/* Never null: a task would seem to have no end. */
static inline netcore_dropped_fn pick_netcore_dropped_fn(struct caller *caller) { return (void)caller, on_dropped; }
/* Never null: standard error would be flooded. */
static inline netcore_log_fn pick_netcore_log_fn(struct caller *caller) { return (void)caller, on_log; }
static inline netcore_release_fn pick_netcore_release_fn(struct caller *caller) {
  caller->is_attached = per_mille(&caller->rng, 900);
  return caller->is_attached ? on_release : NULL;
}

#endif
