/*
 * The limit: an HTTP client by hand on libcurl's multi socket interface, as a good programmer writes it.
 *
 * One multi handle (or, where asked, several over one epoll descriptor), one epoll loop, easy handles (and with them buffers) used over and over, the URL set once for each;
 * epoll_ctl just as the socket callback says. A client that people can use needs status, header lines and body: the
 * callbacks store them, and each answer is read. No timeouts, no limits, no queue, no checks.
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "bench.h"

struct buffer {
  char *data;
  size_t size, capacity;
};

/* A multi handle, with the timer that it asked for. */
struct shard {
  CURLM *multi;
  struct loop *loop;
  uint64_t timer_ns; /* when libcurl wants to be called; UINT64_MAX: not */
};

struct transfer {
  CURL *easy;
  struct shard *shard;
  struct buffer headers, body;
  uint64_t started_ns;
};

struct loop {
  struct shard *shards;
  size_t shard_count;
  int epoll_fd;
  size_t to_start;
  struct bench_window window;
};

static size_t append(struct buffer *buffer, const char *data, size_t size) {
  if (buffer->size + size > buffer->capacity) {
    size_t capacity = buffer->capacity ? buffer->capacity : 1024;
    while (capacity < buffer->size + size) capacity *= 2;
    char *grown = realloc(buffer->data, capacity);
    if (!grown) return 0;
    buffer->data = grown;
    buffer->capacity = capacity;
  }
  memcpy(buffer->data + buffer->size, data, size);
  buffer->size += size;
  return size;
}

static size_t on_header(char *data, size_t unit, size_t size, void *transfer) {
  return append(&((struct transfer *)transfer)->headers, data, unit * size);
}

static size_t on_body(char *data, size_t unit, size_t size, void *transfer) {
  return append(&((struct transfer *)transfer)->body, data, unit * size);
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *context, void *known) {
  struct shard *shard = context;
  int epoll_fd = shard->loop->epoll_fd;
  (void)easy;
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, NULL);
    return 0;
  }
  struct epoll_event event = {.data.u64 = (uint64_t)(shard - shard->loop->shards) << 32 | (uint32_t)fd};
  event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
  epoll_ctl(epoll_fd, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
  if (!known) curl_multi_assign(shard->multi, fd, shard);
  return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *context) {
  struct shard *shard = context;
  (void)multi;
  shard->timer_ns = timeout_ms < 0 ? UINT64_MAX : bench_now_ns() + (uint64_t)timeout_ms * 1000000u;
  return 0;
}

/* The value of a header field among stored lines, or null. */
static const char *find_header(const struct buffer *headers, const char *name) {
  size_t length = strlen(name);
  const char *line = headers->data, *end = headers->data + headers->size;
  while (line < end) {
    if ((size_t)(end - line) > length && line[length] == ':' && strncasecmp(line, name, length) == 0)
      return line + length + 1;
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    line = newline ? newline + 1 : end;
  }
  return NULL;
}

static void start(struct loop *loop, struct transfer *transfer) {
  loop->to_start--;
  transfer->headers.size = transfer->body.size = 0;
  transfer->started_ns = bench_now_ns();
  curl_multi_add_handle(transfer->shard->multi, transfer->easy);
}

static void finish(struct loop *loop, CURLMsg *message) {
  struct transfer *transfer;
  long status = 0;
  CURLcode result = message->data.result;
  curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
  curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
  bool good = result == CURLE_OK && status == 200 && find_header(&transfer->headers, "content-type") != NULL &&
              transfer->body.size > 0 && transfer->body.data[0] != 0;
  curl_multi_remove_handle(transfer->shard->multi, transfer->easy);
  bench_window_count(&loop->window, transfer->started_ns, good, transfer->body.size);
  if (loop->to_start > 0) start(loop, transfer);
}

static uint64_t next_timer(const struct loop *loop) {
  uint64_t next_ns = UINT64_MAX;
  for (size_t i = 0; i < loop->shard_count; i++) {
    if (loop->shards[i].timer_ns < next_ns) next_ns = loop->shards[i].timer_ns;
  }
  return next_ns;
}

static void read_messages(struct loop *loop, CURLM *multi) {
  int left;
  for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) finish(loop, message);
}

/* Waits for sockets or a timer, lets libcurl work, and takes what has finished. */
static void turn(struct loop *loop, int most_ms) {
  struct epoll_event events[256];
  int running;
  uint64_t timer_ns = next_timer(loop);
  uint64_t now = timer_ns == UINT64_MAX ? 0 : bench_now_ns();
  int timeout_ms = most_ms;
  if (timer_ns <= now) {
    timeout_ms = 0;
  } else if (timer_ns != UINT64_MAX) {
    uint64_t wait_ms = (timer_ns - now + 999999) / 1000000;
    if (most_ms < 0 || wait_ms < (uint64_t)most_ms) timeout_ms = wait_ms > 60000 ? 60000 : (int)wait_ms;
  }
  int count = epoll_wait(loop->epoll_fd, events, 256, timeout_ms);
  for (int i = 0; i < count; i++) {
    uint32_t ready = events[i].events;
    int mask = (ready & EPOLLIN ? CURL_CSELECT_IN : 0) | (ready & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
               (ready & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    CURLM *multi = loop->shards[events[i].data.u64 >> 32].multi;
    curl_multi_socket_action(multi, (int)(uint32_t)events[i].data.u64, mask, &running);
    if (loop->shard_count > 1) read_messages(loop, multi);
  }
  for (struct shard *shard = loop->shards; shard < loop->shards + loop->shard_count; shard++) {
    if (shard->timer_ns != UINT64_MAX && bench_now_ns() >= shard->timer_ns) {
      shard->timer_ns = UINT64_MAX;
      curl_multi_socket_action(shard->multi, CURL_SOCKET_TIMEOUT, 0, &running);
      if (loop->shard_count > 1) read_messages(loop, shard->multi);
    }
  }
  if (loop->shard_count == 1) read_messages(loop, loop->shards->multi);
}

static void make_shards(struct loop *loop, size_t count) {
  loop->shards = calloc(count, sizeof *loop->shards);
  bench_require(loop->shards != NULL, "out of memory");
  loop->shard_count = count;
  for (size_t i = 0; i < count; i++) {
    struct shard *shard = &loop->shards[i];
    *shard = (struct shard){.multi = curl_multi_init(), .loop = loop, .timer_ns = UINT64_MAX};
    bench_require(shard->multi != NULL, "no multi handle");
    curl_multi_setopt(shard->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(shard->multi, CURLMOPT_SOCKETDATA, shard);
    curl_multi_setopt(shard->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(shard->multi, CURLMOPT_TIMERDATA, shard);
  }
}

static struct transfer *make_transfers(const struct bench_options *options, const struct loop *loop) {
  struct transfer *transfers = calloc(options->concurrency, sizeof *transfers);
  bench_require(transfers != NULL, "out of memory");
  struct curl_slist *headers = NULL; /* lives as long as the process */
  for (const char *const *line = options->headers; *line; line++) headers = curl_slist_append(headers, *line);
  for (size_t i = 0; i < options->concurrency; i++) {
    struct transfer *transfer = &transfers[i];
    transfer->shard = &loop->shards[i % loop->shard_count];
    CURL *easy = transfer->easy = curl_easy_init();
    bench_require(easy != NULL, "no easy handle");
    curl_easy_setopt(easy, CURLOPT_URL, options->url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    if (options->ca_file) {
      curl_easy_setopt(easy, CURLOPT_CAINFO, options->ca_file);
      curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L); /* by HTTP/2, over one connection */
    }
    if (headers) curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    if (options->buffer_bytes > 0) curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, options->buffer_bytes);
  }
  return transfers;
}

static void wait_until_held(struct loop *loop, const struct bench_options *options) {
  for (uint64_t asked_ns = 0;;) {
    turn(loop, 10);
    if (bench_now_ns() - asked_ns < 50000000u) continue;
    if (bench_ask_server(options->url, "/held") == (long)options->concurrency) return;
    asked_ns = bench_now_ns();
  }
}

static void cancel_all(const struct bench_options *options, struct transfer *transfers) {
  uint64_t began_ns = bench_now_ns();
  for (size_t i = 0; i < options->concurrency; i++)
    curl_multi_remove_handle(transfers[i].shard->multi, transfers[i].easy);
  printf("{\"client\": \"%s\", \"canceled\": %zu, \"cancel_ms\": %.3f}\n", options->client, options->concurrency,
         (double)(bench_now_ns() - began_ns) / 1e6);
}

int main(int argc, char **argv) {
  struct bench_options options = bench_parse_options(argc, argv, "plain");
  struct loop loop = {.epoll_fd = epoll_create1(EPOLL_CLOEXEC)};
  curl_global_init(CURL_GLOBAL_DEFAULT);
  make_shards(&loop, options.shards);
  bench_window_init(&loop.window, &options);
  loop.window.rss_idle_kb = bench_rss_kb();

  struct transfer *transfers = make_transfers(&options, &loop);
  loop.to_start = options.mode == BENCH_LOAD ? options.warmup + options.requests : SIZE_MAX;
  for (size_t i = 0; i < options.concurrency && loop.to_start > 0; i++) start(&loop, &transfers[i]);
  if (options.mode != BENCH_LOAD) {
    wait_until_held(&loop, &options);
    loop.window.rss_flight_kb = bench_rss_kb();
    if (options.mode == BENCH_CANCEL) {
      cancel_all(&options, transfers);
      return 0;
    }
    bench_ask_server(options.url, "/release");
    bench_window_begin(&loop.window);
  }
  while (loop.window.ended_ns == 0) turn(&loop, -1);
  bench_window_print(&loop.window);
  if (options.mode == BENCH_FLIGHT) return 0; /* the rest is still held */

  for (size_t i = 0; i < options.concurrency; i++) {
    curl_easy_cleanup(transfers[i].easy);
    free(transfers[i].headers.data);
    free(transfers[i].body.data);
  }
  for (size_t i = 0; i < loop.shard_count; i++) curl_multi_cleanup(loop.shards[i].multi);
  free(loop.shards);
  curl_global_cleanup();
  free(transfers);
  free(loop.window.latencies_ns);
  close(loop.epoll_fd);
  return 0;
}
