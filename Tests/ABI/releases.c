/*
 * Functions that netcore keeps come with a `release`: it is called once, when the function will be called no more, whatever ended
 * it, and not at all where the call that registers the function fails.
 */
#include "support.h"

#include "support/cache.h"

struct kept {
  struct tally released;
  /** Raised when the function runs; it goes on once `leave` is. */
  struct tally running, leave;
  bool blocks, is_inside;
};

#define KEPT {.released = TALLY_INITIAL, .running = TALLY_INITIAL, .leave = TALLY_INITIAL}

/** Counts; and netcore may be used in it. */
static void release(void *user_data) {
  struct kept *kept = user_data;
  netcore_request request = 0;
  CHECK(!__atomic_load_n(&kept->is_inside, __ATOMIC_SEQ_CST));
  CHECK_OK(netcore_request_create("GET", "http://127.0.0.1/", &request));
  CHECK_OK(netcore_request_destroy(request));
  tally_raise(&kept->released);
}

static void check_released(struct kept *kept) {
  CHECK(tally_reaches(&kept->released, 1, patience_ms()));
  CHECK_EQUAL(tally_count(&kept->released), 1);
}

/* The functions. Most are never called here. */

static netcore_status filter(netcore_request request, void *user_data) {
  struct kept *kept = user_data;
  (void)request;
  if (!kept->blocks) return NETCORE_OK;
  __atomic_store_n(&kept->is_inside, true, __ATOMIC_SEQ_CST);
  tally_raise(&kept->running);
  CHECK(tally_reaches(&kept->leave, 1, patience_ms()));
  __atomic_store_n(&kept->is_inside, false, __ATOMIC_SEQ_CST);
  return NETCORE_OK;
}

static int32_t value(char *text, size_t capacity, void *user_data) {
  (void)text, (void)capacity, (void)user_data;
  return NETCORE_TEXT_NONE;
}

static int32_t token(const char *refused_token, char *text, size_t capacity, void *user_data) {
  (void)refused_token, (void)text, (void)capacity, (void)user_data;
  return NETCORE_TEXT_NONE;
}

static netcore_status challenge(const netcore_challenge *asked, netcore_request answer, void *user_data) {
  (void)asked, (void)answer, (void)user_data;
  return NETCORE_OK;
}

static void selection(const char *service, const char *environment, void *user_data) {
  (void)service, (void)environment, (void)user_data;
}

static void event(const netcore_completion *completion, void *user_data) { (void)completion, (void)user_data; }
static void log_nothing(netcore_log_level level, const char *message, void *user_data) {
  (void)level, (void)message, (void)user_data;
}

static size_t read_nothing(void *buffer, size_t capacity_bytes, void *user_data) {
  (void)buffer, (void)capacity_bytes, (void)user_data;
  return 0;
}

static int32_t cache_text(const netcore_cache_request *request, char *text, size_t capacity, void *user_data) {
  (void)request, (void)text, (void)capacity, (void)user_data;
  return NETCORE_TEXT_NONE;
}

/* What a client keeps. Each call registers a function, or with false removes it. */

#define FUNCTION(name, is_there) ((is_there) ? (name) : NULL)

static netcore_status keep_filter(uint64_t client, bool is_there, struct kept *kept) {
  return is_there ? netcore_client_add_filter(client, filter, kept, release) : netcore_client_remove_filters(client);
}

static netcore_status keep_header(uint64_t client, bool is_there, struct kept *kept) {
  return netcore_client_set_header_function(client, "X-A", FUNCTION(value, is_there), kept, release);
}

static netcore_status keep_param(uint64_t client, bool is_there, struct kept *kept) {
  return netcore_client_set_param_function(client, "a", FUNCTION(value, is_there), kept, release);
}

static netcore_status keep_token(uint64_t client, bool is_there, struct kept *kept) {
  return netcore_client_set_token_source(client, "http://127.0.0.1/", FUNCTION(token, is_there), kept, release);
}

static netcore_status keep_challenge(uint64_t client, bool is_there, struct kept *kept) {
  return netcore_client_set_challenge_function(client, FUNCTION(challenge, is_there), kept, release);
}

static netcore_status keep_selection(uint64_t client, bool is_there, struct kept *kept) {
  return netcore_client_set_selection_listener(client, FUNCTION(selection, is_there), kept, release);
}

static netcore_status keep_event(uint64_t request, bool is_there, struct kept *kept) {
  return netcore_request_set_event_function(request, FUNCTION(event, is_there), kept, release);
}

static netcore_status keep_reader(uint64_t request, bool is_there, struct kept *kept) {
  netcore_reader reader = {.size = sizeof reader, .read = read_nothing, .user_data = kept, .release = release};
  return is_there ? netcore_request_set_body_reader(request, &reader, 0) : netcore_request_set_body(request, NULL, 0);
}

static netcore_status keep_log(uint64_t nothing, bool is_there, struct kept *kept) {
  (void)nothing;
  return netcore_set_log(FUNCTION(log_nothing, is_there), kept, release);
}

typedef netcore_status (*keep_fn)(uint64_t, bool, struct kept *);
static const struct {
  const char *name;
  keep_fn keep;
} of_client[] =
    {
        {"a filter", keep_filter},
        {"a header's function", keep_header},
        {"a parameter's function", keep_param},
        {"a token source", keep_token},
        {"a challenge function", keep_challenge},
        {"a selection listener", keep_selection},
    },
  of_request[] = {{"an event function", keep_event}, {"a reader", keep_reader}}, of_none[] = {{"a log", keep_log}};

/* Removed, replaced, and with the end of what it was registered with. */
static void check_kept(const char *name, keep_fn keep, uint64_t handle, netcore_status (*end)(uint64_t)) {
  struct kept first = KEPT, second = KEPT, third = KEPT;
  check_case = name;
  CHECK_OK(keep(handle, true, &first));
  CHECK_EQUAL(tally_count(&first.released), 0);
  CHECK_OK(keep(handle, false, &second));
  check_released(&first);
  CHECK_OK(keep(handle, true, &second));
  CHECK_OK(keep(handle, true, &third));
  /* A second filter replaces none. */
  if (keep != keep_filter) check_released(&second);
  CHECK_EQUAL(tally_count(&third.released), 0);
  if (end == NULL)
    CHECK_OK(keep(handle, false, NULL));
  else
    CHECK_OK(end(handle));
  check_released(&second);
  check_released(&third);
  if (end == NULL) return;
  struct kept refused = KEPT;
  CHECK_STATUS(keep(handle, true, &refused), NETCORE_ERR_INVALID_HANDLE);
  pause_ms(5);
  CHECK_EQUAL(tally_count(&refused.released), 0);
}

static void test_each(void) {
  for (size_t i = 0; i < LENGTH(of_client); i++)
    check_kept(of_client[i].name, of_client[i].keep, client_new(NETCORE_COMPLETION_MODE_CALLBACK),
               netcore_client_destroy);
  for (size_t i = 0; i < LENGTH(of_request); i++)
    check_kept(of_request[i].name, of_request[i].keep, request_new("POST", at(ORIGIN, "/echo")),
               netcore_request_destroy);
  check_kept(of_none[0].name, of_none[0].keep, 0, NULL);
}

/* netcore_client_destroy() and netcore_cache_destroy() return after the release. */
static void test_destroy_waits(void) {
  struct kept kept = KEPT, in_cache = KEPT, refused = KEPT;
  check_case = "destroy waits for releases";
  netcore_client client = client_new(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_add_filter(client, filter, &kept, release));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(tally_count(&kept.released), 1);

  netcore_cache_options options = {
      .size = sizeof options, .key = cache_text, .user_data = &in_cache, .release = release};
  netcore_cache cache = 0;
  REQUIRE_OK(netcore_cache_create(&options, &cache));
  CHECK_OK(netcore_cache_destroy(cache));
  CHECK_EQUAL(tally_count(&in_cache.released), 1);

  options.user_data = &refused;
  options.is_shared = 2;
  CHECK_STATUS(netcore_cache_create(&options, &cache), NETCORE_ERR_INVALID_ARGUMENT);
  pause_ms(5);
  CHECK_EQUAL(tally_count(&refused.released), 0);
}

/* A function that runs is not released under its feet: not when it is removed, and not when the client ends. */
static void test_while_running(void) {
  struct kept kept = KEPT;
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  kept.blocks = true;
  check_case = "a filter that runs";
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  CHECK_OK(netcore_client_add_filter(door.client, filter, &kept, release));
  door_get(&door, at(ORIGIN, "/bytes/10"), &outcome);
  CHECK(tally_reaches(&kept.running, 1, patience_ms()));
  CHECK_OK(netcore_client_remove_filters(door.client));
  pause_ms(20);
  CHECK_EQUAL(tally_count(&kept.released), 0);
  tally_raise(&kept.leave);
  door_wait(&door, &ended, 1);
  check_released(&kept);
  CHECK_OK(netcore_client_destroy(door.client));
}

/* A request's functions live as long as its tasks, and may have no release. */
static void test_tasks(void) {
  struct kept kept = KEPT, without = KEPT;
  struct tally ended = TALLY_INITIAL;
  struct outcome outcome = {.ended = &ended};
  check_case = "an event function of a task";
  struct door door = door_open(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("GET", at(ORIGIN, "/delay/100"));
  CHECK_OK(netcore_request_set_event_function(request, event, &kept, release));
  CHECK_OK(door_dispatch(&door, request, &outcome));
  CHECK_OK(netcore_request_set_event_function(request, event, &without, NULL));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_EQUAL(tally_count(&kept.released), 0);
  door_wait(&door, &ended, 1);
  check_released(&kept);
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_EQUAL(tally_count(&without.released), 0);
}

int main(void) {
  check_begin();
  test_each();
  test_destroy_waits();
  test_while_running();
  test_tasks();
  return check_end();
}
