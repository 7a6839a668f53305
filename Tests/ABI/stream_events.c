/*
 * Streamed responses without waiting: head, bytes and end come as callbacks or completions, and reads do not wait. And
 * with waits that are bounded.
 */
#include "support.h"
#include "support/cache.h"

#define MIB (1 << 20)

/* A consumer of one streamed task, whose body is the pattern: byte i is (i * 31 + 7) mod 256. */
struct consumer {
  struct tally *ended;
  const char *name;
  netcore_response response;
  netcore_status status, failure;
  size_t count, wrong;
  unsigned heads, ends;
  bool has_waited, keeps_nothing;
};

static void consume(struct consumer *consumer) {
  static unsigned char buffer[70000];
  size_t size = 1;
  while (!consumer->has_waited && size > 0) {
    netcore_status status = netcore_response_read(consumer->response, buffer, sizeof buffer, 0, &size);
    if (status == NETCORE_ERR_IN_PROGRESS) {
      CHECK(consumer->ends == 0);
      consumer->has_waited = true;
    } else if (status != NETCORE_OK) {
      consumer->failure = status;
      return;
    }
    for (size_t i = 0; i < size; i++) consumer->wrong += buffer[i] != (unsigned char)((consumer->count + i) * 31 + 7);
    consumer->count += size;
  }
}

/* Takes an event or the end. A response is borrowed. */
static void consumer_take(const netcore_completion *event) {
  struct consumer *consumer = event->user_data;
  check_case = consumer->name;
  CHECK(event->task != 0 && consumer->ends == 0);
  if (event->kind == NETCORE_COMPLETION_KIND_HEAD) {
    CHECK_EQUAL(event->http_status, 200);
    CHECK(event->response != 0);
    consumer->heads++;
    if (consumer->keeps_nothing) return;
    consumer->response = event->response;
    CHECK_OK(netcore_response_retain(event->response));
    consume(consumer);
  } else if (event->kind == NETCORE_COMPLETION_KIND_READABLE) {
    CHECK_EQUAL(event->response, 0);
    CHECK(consumer->has_waited);
    consumer->has_waited = false;
    consume(consumer);
  } else if (CHECK_EQUAL(event->kind, NETCORE_COMPLETION_KIND_TASK)) {
    consumer->ends++;
    consumer->status = event->status;
    consumer->has_waited = false;
    if (consumer->response != 0) consume(consumer);
    tally_raise(consumer->ended);
  }
}

static char event_data;

static void consumer_event(const netcore_completion *event, void *user_data) {
  CHECK(user_data == &event_data);
  consumer_take(event);
}

static netcore_request streamed_request(const struct door *door, const char *url) {
  netcore_request request = request_new("GET", url);
  if (!mode_is_queue(door->mode))
    CHECK_OK(netcore_request_set_event_function(request, consumer_event, &event_data, NULL));
  return request;
}

static netcore_task consumer_start(const struct door *door, struct consumer *consumer, struct tally *ended,
                                   const char *name, const char *url, uint64_t window) {
  netcore_request request = streamed_request(door, url);
  netcore_task task = 0;
  consumer->ended = ended;
  consumer->name = name;
  CHECK_OK(netcore_dispatch_streamed(door->client, request, window, mode_is_queue(door->mode) ? NULL : consumer_take,
                                     consumer, &task));
  CHECK(task != 0);
  CHECK_OK(netcore_request_destroy(request));
  return task;
}

static void consumers_wait(const struct door *door, struct tally *ended, unsigned count) {
  uint64_t deadline = now_ms() + patience_ms();
  netcore_completion taken[64];
  if (!mode_is_queue(door->mode)) {
    door_wait(door, ended, count);
    return;
  }
  while (tally_count(ended) < count && now_ms() < deadline) {
    uint32_t size = 0;
    CHECK_OK(netcore_client_wait(door->client, taken, LENGTH(taken), sizeof taken[0], 100, &size));
    for (uint32_t i = 0; i < size; i++) {
      consumer_take(&taken[i]);
      if (taken[i].response != 0) CHECK_OK(netcore_response_release(taken[i].response));
    }
  }
  CHECK_EQUAL(tally_count(ended), count);
}

static void consumer_check(struct consumer *consumer, netcore_status status, size_t size) {
  netcore_response ending = 0;
  check_case = consumer->name;
  CHECK_STATUS(consumer->status, status);
  CHECK_STATUS(consumer->failure, status);
  CHECK_EQUAL(consumer->count, size);
  CHECK_EQUAL(consumer->wrong, 0);
  CHECK_EQUAL(consumer->heads, 1);
  CHECK_EQUAL(consumer->ends, 1);
  CHECK_OK(netcore_response_get_ending(consumer->response, &ending));
  CHECK_STATUS(response_info(ending).status, status);
  CHECK_OK(netcore_response_release(ending));
  CHECK_OK(netcore_response_release(consumer->response));
}

static void test_many_at_once(const struct door *door) {
  static const struct {
    const char *variable, *path;
    size_t size;
  } cases[] = {
      {ORIGIN, "/bytes/5000000", 5000000},
      {NGINX, "/10m", 10 * MIB},
      {ORIGIN, "/gzip/1000000", 1000000},
      {ORIGIN, "/chunked/100000", 100000},
      {ORIGIN, "/bytes/0", 0},
      {ORIGIN, "/bytes/1", 1},
      {ORIGIN, "/redirect/302?to=/bytes/70000", 70000},
  };
  static const uint64_t windows[] = {0, 1000, 100000};
  struct consumer consumers[LENGTH(cases) * LENGTH(windows)] = {{0}};
  struct tally ended = TALLY_INITIAL;
  for (size_t i = 0; i < LENGTH(consumers); i++)
    consumer_start(door, &consumers[i], &ended, cases[i % LENGTH(cases)].path,
                   at(cases[i % LENGTH(cases)].variable, cases[i % LENGTH(cases)].path), windows[i / LENGTH(cases)]);
  consumers_wait(door, &ended, LENGTH(consumers));
  for (size_t i = 0; i < LENGTH(consumers); i++)
    consumer_check(&consumers[i], NETCORE_OK, cases[i % LENGTH(cases)].size);
}

static void test_ends(const struct door *door) {
  char *cut = script_url(ORIGIN, "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n\\u0007&E'},{'cut':true}]");
  struct consumer truncated = {0}, refused = {0}, canceled = {0}, dropped = {.keeps_nothing = true};
  struct tally ended = TALLY_INITIAL;
  consumer_start(door, &truncated, &ended, "cut", cut, 0);
  consumer_start(door, &refused, &ended, "refused", at(REFUSED, "/"), 0);
  consumer_start(door, &dropped, &ended, "a head that nothing keeps", at(NGINX, "/slow"), 0);
  consumers_wait(door, &ended, 3);
  consumer_check(&truncated, NETCORE_ERR_TRUNCATED, 3);
  check_case = refused.name;
  CHECK_STATUS(refused.status, NETCORE_ERR_CONNECT);
  CHECK_EQUAL(refused.heads, 0);
  check_case = "a head that nothing keeps";
  CHECK_STATUS(dropped.status, NETCORE_ERR_CANCELED);
  CHECK_EQUAL(dropped.heads, 1);
  netcore_task task = consumer_start(door, &canceled, &ended, "canceled", at(NGINX, "/slow"), 0);
  CHECK_OK(netcore_task_cancel(task));
  consumers_wait(door, &ended, 4);
  check_case = "canceled";
  CHECK_STATUS(canceled.status, NETCORE_ERR_CANCELED);
  if (canceled.response != 0) CHECK_OK(netcore_response_release(canceled.response));
  free(cut);
}

/* No function is told of the head: the task ends, and so does a client with a head that was not taken. */
static void test_unheard(netcore_completion_mode mode) {
  struct door door = door_open(mode);
  netcore_request request = request_new("GET", at(NGINX, "/slow"));
  check_case = "a head that goes nowhere";
  CHECK_OK(netcore_dispatch_streamed(door.client, request, 0, NULL, NULL, NULL));
  if (mode_is_queue(mode)) CHECK(door_is_readable(&door, (int)patience_ms()));
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(door.client));
}

static void test_cached(netcore_completion_mode mode) {
  netcore_cache cache = cache_new(NULL);
  struct consumer consumer = {0};
  struct tally ended = TALLY_INITIAL;
  struct door door = cached_door(mode, cache);
  netcore_request request = streamed_request(&door, at(ORIGIN, "/bytes/1000"));
  CHECK_OK(netcore_request_set_cache_ttl_ms(request, 3600000));
  netcore_response stored = 0;
  CHECK_OK(netcore_perform(door.client, request, &stored));
  CHECK_OK(netcore_response_release(stored));
  consumer.ended = &ended;
  consumer.name = "from a cache";
  CHECK_OK(
      netcore_dispatch_streamed(door.client, request, 0, mode_is_queue(mode) ? NULL : consumer_take, &consumer, NULL));
  consumers_wait(&door, &ended, 1);
  CHECK_EQUAL(response_info(consumer.response).cache_result, NETCORE_CACHE_RESULT_HIT);
  consumer_check(&consumer, NETCORE_OK, 1000);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(door.client));
  CHECK_OK(netcore_cache_destroy(cache));
}

static void test_bounded_waits(const struct door *door) {
  netcore_request request = request_new("GET", at(ORIGIN, "/delay/200")), bad = request_new("GET", at(REFUSED, "/"));
  netcore_response_info info = NETCORE_RESPONSE_INFO_INIT;
  netcore_response response = 7;
  netcore_task task = 0;
  char buffer[10];
  size_t size = 0;
  check_case = "a wait for the head that is bounded";
  CHECK_STATUS(netcore_perform_streamed_for(door->client, request, 0, 0, &task, &response, &info),
               NETCORE_ERR_IN_PROGRESS);
  CHECK(task != 0 && response == 0);
  CHECK_OK(netcore_task_wait(task, patience_ms(), &response, &info));
  CHECK_EQUAL(info.http_status, 200);
  CHECK_STATUS(netcore_task_wait(task, 0, &response, NULL), NETCORE_ERR_INVALID_HANDLE);
  CHECK_OK(netcore_perform_streamed_for(door->client, request, 0, patience_ms(), &task, &response, NULL));
  CHECK_EQUAL(task, 0);
  CHECK_OK(netcore_response_read(response, buffer, sizeof buffer, patience_ms(), &size));
  CHECK_EQUAL(size, 3);
  CHECK_OK(netcore_response_release(response));

  check_case = "no head";
  CHECK_STATUS(netcore_perform_streamed_for(door->client, bad, 0, patience_ms(), &task, &response, &info),
               NETCORE_ERR_CONNECT);
  CHECK_STATUS(info.status, NETCORE_ERR_CONNECT);
  CHECK_STATUS(netcore_response_read(response, buffer, 1, 0, &size), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_response_release(response));

  check_case = "a canceled wait for the head";
  CHECK_STATUS(netcore_perform_streamed_for(door->client, request, 0, 0, &task, &response, NULL),
               NETCORE_ERR_IN_PROGRESS);
  CHECK_OK(netcore_task_cancel(task));
  CHECK_STATUS(netcore_task_wait(task, patience_ms(), &response, NULL), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(response));

  check_case = "misuse";
  CHECK_STATUS(netcore_perform_streamed_for(door->client, request, 0, 0, NULL, &response, NULL),
               NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_perform_streamed_for(door->client, request, UINT64_MAX, 0, &task, &response, NULL),
               NETCORE_ERR_INVALID_ARGUMENT);
  task = 7;
  CHECK_STATUS(netcore_dispatch_streamed(door->client, request, UINT64_MAX, NULL, NULL, &task),
               NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(task, 0);
  if (mode_is_queue(door->mode))
    CHECK_STATUS(netcore_dispatch_streamed(door->client, request, 0, consumer_take, NULL, NULL),
                 NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_request_destroy(bad));
}

int main(void) {
  static const netcore_completion_mode modes[] = {NETCORE_COMPLETION_MODE_CALLBACK, NETCORE_COMPLETION_MODE_PUMP,
                                                  NETCORE_COMPLETION_MODE_QUEUE, NETCORE_COMPLETION_MODE_LOOP,
                                                  NETCORE_COMPLETION_MODE_LOOP_QUEUE};
  check_begin();
  for (size_t i = 0; i < LENGTH(modes); i++) {
    struct door door = door_open(modes[i]);
    test_many_at_once(&door);
    test_ends(&door);
    test_bounded_waits(&door);
    CHECK_OK(netcore_client_destroy(door.client));
    test_unheard(modes[i]);
    test_cached(modes[i]);
  }
  return check_end();
}
