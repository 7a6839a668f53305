/** A client in one of the completion modes, and outcomes that count their terminal callbacks in each. */
#ifndef NETCORE_TESTS_DOOR_H
#define NETCORE_TESTS_DOOR_H

#include <poll.h>

#include "answer.h"
#include "check.h"
#include "wait.h"

struct door {
  netcore_completion_mode mode;
  netcore_client client;
  /** -1 in callback mode. */
  int32_t descriptor;
};

/** How one task or group ended. Lives until its terminal callback has returned. */
struct outcome {
  /** Raised by each terminal callback; may be null. */
  struct tally *ended;
  /** Give its address as `out_task`: the callback checks that it is there. Stays 0 where it is not used. */
  netcore_task task;
  unsigned calls;
  netcore_completion completion;
  /** Run in the callback, before the tally is raised; may be null. */
  void (*hook)(struct outcome *outcome);
  void *hook_data;
};

/** Set while this thread is inside a call that registers a callback. */
static __thread bool is_registering;

/** Evaluates a call that registers a callback; the callback must not run inside it. */
#define REGISTERING(result, call) \
  do { \
    bool was_ = is_registering; \
    is_registering = true; \
    (result) = (call); \
    is_registering = was_; \
  } while (0)

static inline const char *mode_name(netcore_completion_mode mode) {
  static const char *const names[] = {"callback", "pump", "queue", "loop", "loop-queue"};
  return names[mode];
}

/** Whether completions are taken by netcore_client_wait(). */
static inline bool mode_is_queue(netcore_completion_mode mode) {
  return mode == NETCORE_COMPLETION_MODE_QUEUE || mode == NETCORE_COMPLETION_MODE_LOOP_QUEUE;
}

/** Whether callbacks run in netcore_client_process(). */
static inline bool mode_is_pump(netcore_completion_mode mode) {
  return mode == NETCORE_COMPLETION_MODE_PUMP || mode == NETCORE_COMPLETION_MODE_LOOP;
}

/** Whether the application's loop drives: nothing happens outside of its calls. */
static inline bool mode_is_loop(netcore_completion_mode mode) {
  return mode == NETCORE_COMPLETION_MODE_LOOP || mode == NETCORE_COMPLETION_MODE_LOOP_QUEUE;
}

static inline netcore_client client_new(netcore_completion_mode mode) {
  netcore_client_options options = {0};
  netcore_client client = 0;
  options.size = sizeof options;
  options.completions = mode;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

static inline struct door door_open(netcore_completion_mode mode) {
  struct door door = {mode, client_new(mode), -1};
  if (mode != NETCORE_COMPLETION_MODE_CALLBACK)
    REQUIRE_OK(netcore_client_get_descriptor(door.client, &door.descriptor));
  return door;
}

/** The terminal callback for an outcome, which is the user data. Keeps the response. */
static inline void outcome_done(const netcore_completion *completion) {
  struct outcome *outcome = completion->user_data;
  CHECK(!is_registering);
  CHECK_EQUAL(completion->size, sizeof *completion);
  CHECK(outcome->task == 0 || outcome->task == completion->task);
  outcome->calls++;
  CHECK_EQUAL(outcome->calls, 1);
  outcome->completion = *completion;
  if (completion->response != 0) CHECK_OK(netcore_response_retain(completion->response));
  if (outcome->hook != NULL) outcome->hook(outcome);
  if (outcome->ended != NULL) tally_raise(outcome->ended);
}

static inline void outcome_free(struct outcome *outcome) {
  if (outcome->completion.response != 0) CHECK_OK(netcore_response_release(outcome->completion.response));
  outcome->completion.response = 0;
}

/** The callback to register at a door: none in queue mode. */
static inline netcore_done_fn door_done(const struct door *door) {
  return mode_is_queue(door->mode) ? NULL : outcome_done;
}

/** Dispatches a request for an outcome. */
static inline netcore_status door_dispatch(const struct door *door, netcore_request request, struct outcome *outcome) {
  netcore_status status;
  REGISTERING(status, netcore_dispatch(door->client, request, door_done(door), outcome, &outcome->task));
  return status;
}

/** The same for a URL, by GET. */
static inline void door_get(const struct door *door, const char *url, struct outcome *outcome) {
  netcore_request request = request_new("GET", url);
  CHECK_OK(door_dispatch(door, request, outcome));
  CHECK_OK(netcore_request_destroy(request));
}

/** Whether the client's descriptor is readable within a time. */
static inline bool door_is_readable(const struct door *door, int timeout_ms) {
  struct pollfd wanted = {door->descriptor, POLLIN, 0};
  return poll(&wanted, 1, timeout_ms) == 1 && (wanted.revents & POLLIN) != 0;
}

/** Takes up to `capacity` completions (at most 64) and hands each to its outcome. Returns how many. */
static inline unsigned door_take(const struct door *door, uint32_t capacity, uint64_t timeout_ms) {
  netcore_completion taken[64];
  uint32_t count = 0;
  if (netcore_client_wait(door->client, taken, capacity, sizeof(netcore_completion), timeout_ms, &count) != NETCORE_OK)
    return 0;
  for (uint32_t i = 0; i < count; i++) {
    outcome_done(&taken[i]);
    if (taken[i].response != 0) CHECK_OK(netcore_response_release(taken[i].response));
  }
  return count;
}

/** Does what the application's loop does: nothing where the client drives itself. Completions go to their outcomes. */
static inline void door_turn(const struct door *door) {
  if (door->mode == NETCORE_COMPLETION_MODE_LOOP) CHECK_OK(netcore_client_process(door->client, 0, NULL));
  if (door->mode == NETCORE_COMPLETION_MODE_LOOP_QUEUE) door_take(door, 64, 0);
}

/** As WAIT_UNTIL, with the turns of the application's loop meanwhile. */
#define DOOR_UNTIL(door, condition) WAIT_UNTIL((door_turn(door), (condition)))

/** Receives completions, in the way of the mode, until the tally has reached a count. */
static inline bool door_wait(const struct door *door, struct tally *ended, unsigned count) {
  uint64_t deadline = now_ms() + patience_ms();
  if (door->mode == NETCORE_COMPLETION_MODE_CALLBACK) return CHECK(tally_reaches(ended, count, patience_ms()));
  while (tally_count(ended) < count && now_ms() < deadline) {
    if (mode_is_queue(door->mode))
      door_take(door, 64, 100);
    else if (door_is_readable(door, 100))
      CHECK_OK(netcore_client_process(door->client, 0, NULL));
  }
  return CHECK(tally_count(ended) >= count);
}

/** The state of a task; NETCORE_TASK_STATE_NONE once it has ended. */
static inline netcore_task_state task_state(netcore_task task) {
  netcore_task_info info = {0};
  info.size = sizeof info;
  netcore_task_get_info(task, &info);
  return info.state;
}

#endif
