/*
 * Streamed responses: read at the application's pace, in bounded memory, whatever the version and the coding; every
 * way in which they end, and every misuse.
 */
#include <sys/resource.h>

#include "support.h"
#include "support/server.h"

#define MIB (1 << 20)
#define BIG (64 * MIB)

static netcore_response stream_open(netcore_client client, const char *url, uint64_t window) {
  netcore_response response = 0;
  netcore_request request = request_new("GET", url);
  CHECK_OK(netcore_perform_streamed(client, request, window, &response));
  CHECK_OK(netcore_request_destroy(request));
  return response;
}

static netcore_client streaming_client(void) {
  netcore_client client = 0;
  netcore_client_options options = NETCORE_CLIENT_OPTIONS_INIT;
  options.ca_file = peer(CA_FILE);
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

/* Reads the rest of a body, byte i of which is (i * 31 + 7) mod 256. Returns how many bytes came. */
static size_t read_pattern(netcore_response response, size_t capacity, netcore_status end) {
  static unsigned char buffer[100000];
  size_t count = 0, size = 0, wrong = 0;
  netcore_status status;
  while ((status = netcore_response_read(response, buffer, capacity, patience_ms(), &size)) == NETCORE_OK && size > 0) {
    for (size_t i = 0; i < size; i++) wrong += buffer[i] != (unsigned char)((count + i) * 31 + 7);
    count += size;
  }
  CHECK_STATUS(status, end);
  CHECK_EQUAL(size, 0);
  CHECK_EQUAL(wrong, 0);
  return count;
}

static netcore_response_info ending_info(netcore_response response, netcore_status status) {
  netcore_response ending = 0;
  netcore_response_info info = {0};
  if (!CHECK_OK(netcore_response_get_ending(response, &ending))) return info;
  info = response_info(ending);
  CHECK_STATUS(info.status, status);
  CHECK_EQUAL(info.body.size_bytes, 0);
  info.body.data = NULL;
  CHECK_OK(netcore_response_release(ending));
  return info;
}

static void test_whole(netcore_client client) {
  static const struct {
    const char *variable, *path;
    size_t size;
  } cases[] = {
      {ORIGIN, "/bytes/5000000", 5000000},
      {ORIGIN_TLS, "/bytes/5000000", 5000000},
      {NGINX_H2, "/10m", 10 * MIB},
      {ORIGIN, "/gzip/1000000", 1000000},
      {ORIGIN, "/chunked/100000", 100000},
      {ORIGIN, "/bytes/0", 0},
      {ORIGIN, "/bytes/1", 1},
      {ORIGIN, "/redirect/302?to=/bytes/70000", 70000},
  };
  static const uint64_t windows[] = {0, 1, 100000, 1 << 30};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case = cases[i].path;
    for (size_t j = 0; j < LENGTH(windows); j++) {
      netcore_response response = stream_open(client, at(cases[i].variable, cases[i].path), windows[j]);
      netcore_response ending = 0;
      netcore_task_info progress = NETCORE_TASK_INFO_INIT;
      CHECK_EQUAL(response_info(response).http_status, 200);
      CHECK_EQUAL(response_info(response).body.size_bytes, 0);
      CHECK_STATUS(netcore_response_get_history_at(response, 0, &ending),
                   strstr(cases[i].path, "redirect") != NULL ? NETCORE_OK : NETCORE_ERR_NOT_FOUND);
      if (ending != 0) CHECK_OK(netcore_response_release(ending));
      if (cases[i].size > 0) CHECK_STATUS(netcore_response_get_ending(response, &ending), NETCORE_ERR_IN_PROGRESS);
      CHECK_EQUAL(read_pattern(response, 100000, NETCORE_OK), cases[i].size);
      CHECK_OK(netcore_response_get_progress(response, &progress));
      CHECK_EQUAL(progress.state, NETCORE_TASK_STATE_FINISHED);
      CHECK(strstr(cases[i].path, "gzip") != NULL ? progress.received_bytes < cases[i].size
                                                  : progress.received_bytes == cases[i].size);
      CHECK_EQUAL(read_pattern(response, 1, NETCORE_OK), 0);
      CHECK_EQUAL(ending_info(response, NETCORE_OK).http_status, 200);
      CHECK_OK(netcore_response_cancel(response));
      CHECK_OK(netcore_response_release(response));
    }
  }
}

/* A server that sends BIG bytes as fast as it can, and counts them. */
struct sender {
  pthread_t thread;
  int listener, port;
  pthread_mutex_t lock;
  size_t sent;
  bool has_ended;
};

static void sender_count(struct sender *sender, size_t size, bool has_ended) {
  pthread_mutex_lock(&sender->lock);
  sender->sent += size;
  sender->has_ended = has_ended;
  pthread_mutex_unlock(&sender->lock);
}

static size_t sender_sent(struct sender *sender) {
  pthread_mutex_lock(&sender->lock);
  size_t sent = sender->sent;
  pthread_mutex_unlock(&sender->lock);
  return sent;
}

static bool sender_has_ended(struct sender *sender) {
  pthread_mutex_lock(&sender->lock);
  bool has_ended = sender->has_ended;
  pthread_mutex_unlock(&sender->lock);
  return has_ended;
}

static void *sender_run(void *argument) {
  struct sender *sender = argument;
  static unsigned char pattern[256 * 256];
  char text[4096];
  int buffer = 65536, connection = accept4(sender->listener, NULL, NULL, SOCK_CLOEXEC);
  size_t left = BIG;
  for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = (unsigned char)(i * 31 + 7);
  setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
  if (recv(connection, text, sizeof text, 0) > 0) {
    int size = snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", BIG);
    bool is_open = send(connection, text, (size_t)size, MSG_NOSIGNAL) == size;
    while (is_open && left > 0) {
      ssize_t sent = send(connection, pattern, sizeof pattern, MSG_NOSIGNAL);
      is_open = sent == (ssize_t)sizeof pattern;
      if (is_open) left -= sizeof pattern;
      if (is_open) sender_count(sender, sizeof pattern, false);
    }
  }
  close(connection);
  sender_count(sender, 0, true);
  return NULL;
}

static void sender_start(struct sender *sender) {
  pthread_mutex_init(&sender->lock, NULL);
  sender->listener = listen_on_loopback(1, &sender->port);
  REQUIRE(pthread_create(&sender->thread, NULL, sender_run, sender) == 0);
}

static void sender_stop(struct sender *sender) {
  WAIT_UNTIL(sender_has_ended(sender));
  pthread_join(sender->thread, NULL);
  close(sender->listener);
}

/* Returns when the server has sent nothing for a while. */
static void sender_settle(struct sender *sender) {
  size_t before;
  do {
    before = sender_sent(sender);
    pause_ms(200);
  } while (sender_sent(sender) != before);
}

static uint64_t resident_bytes(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  REQUIRE(file != NULL && fscanf(file, "%*u %lu", &pages) == 1);
  fclose(file);
  return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t processor_ms(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
         (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
}

/* How many bytes a socket may come to hold (tcp(7)). */
static size_t socket_bytes(const char *path) {
  size_t most = 0;
  FILE *file = fopen(path, "r");
  REQUIRE(file != NULL && fscanf(file, "%*u %*u %zu", &most) == 1);
  fclose(file);
  return most;
}

static void test_slow_consumer(netcore_client client) {
  struct sender sender = {0};
  char url[100];
  static unsigned char buffer[4 * MIB];
  check_case = "a slow consumer before a fast server";
  /* What the server sends before it has to wait: the window, what goes through buffers, and what both sockets hold. */
  size_t in_between =
      2 * MIB + socket_bytes("/proc/sys/net/ipv4/tcp_rmem") + socket_bytes("/proc/sys/net/ipv4/tcp_wmem");
  sender_start(&sender);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", sender.port);
  uint64_t memory = resident_bytes();
  netcore_response response = stream_open(client, url, MIB);
  size_t count = 0, size = 0;
  for (int i = 0; i < 4; i++) {
    sender_settle(&sender);
    uint64_t used = processor_ms();
    pause_ms(300);
    CHECK(processor_ms() - used <= stretched(100));
    CHECK(sender_sent(&sender) < count + in_between);
    CHECK(resident_bytes() < memory + 24 * MIB);
    for (size_t goal = count + 4 * MIB; count < goal; count += size)
      if (!CHECK_OK(netcore_response_read(response, buffer, goal - count, patience_ms(), &size)) || size == 0) break;
  }
  while (netcore_response_read(response, buffer, sizeof buffer, patience_ms(), &size) == NETCORE_OK && size > 0)
    count += size;
  CHECK_EQUAL(count, BIG);
  CHECK_OK(netcore_response_release(response));
  sender_stop(&sender);
}

static void test_release(netcore_client client) {
  struct sender sender = {0};
  char url[100];
  check_case = "the last release cancels";
  sender_start(&sender);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", sender.port);
  netcore_response response = stream_open(client, url, MIB);
  CHECK_OK(netcore_response_retain(response));
  CHECK_OK(netcore_response_release(response));
  char byte;
  size_t size;
  CHECK_OK(netcore_response_read(response, &byte, 1, patience_ms(), &size));
  CHECK_OK(netcore_response_release(response));
  CHECK_STATUS(netcore_response_read(response, &byte, 1, 0, &size), NETCORE_ERR_INVALID_HANDLE);
  sender_stop(&sender);
  CHECK(sender_sent(&sender) < BIG);
}

struct reading {
  netcore_response response;
  netcore_status status;
};

static void *read_on(void *argument) {
  struct reading *reading = argument;
  char buffer[100];
  size_t size = 1;
  do reading->status = netcore_response_read(reading->response, buffer, sizeof buffer, UINT64_MAX, &size);
  while (reading->status == NETCORE_OK && size > 0);
  return NULL;
}

static void test_two_readers(netcore_client client) {
  struct reading reading = {stream_open(client, at(NGINX, "/slow"), 1), NETCORE_OK};
  pthread_t thread;
  char byte;
  size_t size;
  netcore_status status;
  check_case = "two readers, and a cancel while one waits";
  REQUIRE(pthread_create(&thread, NULL, read_on, &reading) == 0);
  WAIT_UNTIL((status = netcore_response_read(reading.response, &byte, 1, 0, &size)) == NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_response_cancel(reading.response));
  pthread_join(thread, NULL);
  CHECK_STATUS(reading.status, NETCORE_ERR_CANCELED);
  CHECK_STATUS(netcore_response_read(reading.response, &byte, 1, 0, &size), NETCORE_ERR_CANCELED);
  ending_info(reading.response, NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(reading.response));
}

static void test_misuse(netcore_client client) {
  struct answer whole = fetch(client, at(ORIGIN, "/bytes/10"));
  netcore_response response = 0, ending = 0;
  netcore_request request = request_new("GET", at(ORIGIN, "/bytes/10"));
  netcore_task_info progress = NETCORE_TASK_INFO_INIT;
  char byte;
  size_t size = 7;
  check_case = "misuse";
  CHECK_STATUS(netcore_response_read(whole.response, &byte, 1, 0, &size), NETCORE_ERR_INVALID_STATE);
  CHECK_EQUAL(size, 0);
  CHECK_STATUS(netcore_response_cancel(whole.response), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_response_get_progress(whole.response, &progress), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_response_get_ending(whole.response, &ending), NETCORE_ERR_INVALID_STATE);
  CHECK_STATUS(netcore_perform_streamed(client, request, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_perform_streamed(client, request, ((uint64_t)1 << 30) + 1, &response),
               NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_perform_streamed(client, request, UINT64_MAX, &response), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(response, 0);
  CHECK_OK(netcore_perform_streamed(client, request, 0, &response));
  CHECK_STATUS(netcore_response_read(response, NULL, 1, 0, &size), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_read(response, &byte, 0, 0, &size), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_read(response, &byte, 1, 0, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_response_get_ending(response, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(read_pattern(response, 3, NETCORE_OK), 10);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_request_destroy(request));
  answer_free(&whole);
}

static void test_ends(netcore_client client) {
  char *cut = script_url(ORIGIN, "[{'send':'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n\\u0007&E'},{'cut':true}]");
  netcore_response response = stream_open(client, cut, 0), refused = 0;
  char byte;
  size_t size;
  check_case = "a body that is cut";
  CHECK_EQUAL(read_pattern(response, 100, NETCORE_ERR_TRUNCATED), 3);
  CHECK_EQUAL(read_pattern(response, 100, NETCORE_ERR_TRUNCATED), 0);
  CHECK_EQUAL(ending_info(response, NETCORE_ERR_TRUNCATED).attempts, 1);
  CHECK_OK(netcore_response_release(response));
  free(cut);

  check_case = "no head";
  netcore_request request = request_new("GET", at(REFUSED, "/"));
  CHECK_STATUS(netcore_perform_streamed(client, request, 0, &refused), NETCORE_ERR_CONNECT);
  CHECK_STATUS(response_info(refused).status, NETCORE_ERR_CONNECT);
  CHECK_STATUS(netcore_response_read(refused, &byte, 1, 0, &size), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_response_release(refused));
  CHECK_OK(netcore_request_destroy(request));

  check_case = "nothing in time";
  response = stream_open(client, at(NGINX, "/slow"), 0);
  netcore_status status = NETCORE_OK;
  for (int i = 0; i < 20000 && status == NETCORE_OK; i++) status = netcore_response_read(response, &byte, 1, 0, &size);
  CHECK_STATUS(status, NETCORE_ERR_IN_PROGRESS);
  CHECK_OK(netcore_response_release(response));
}

/* Answers one request after the other, each on a connection of its own, and counts them. */
static const char *const answers[] = {
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy",
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n\a&E",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\a",
};
static unsigned answered;

static void *serve_answers(void *listener) {
  char head[4096];
  int fd;
  while ((fd = accept4(*(int *)listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
    const char *answer = answers[answered < LENGTH(answers) ? answered : LENGTH(answers) - 1];
    if (recv(fd, head, sizeof head, 0) > 0) {
      answered++;
      CHECK(send(fd, answer, strlen(answer), MSG_NOSIGNAL) == (ssize_t)strlen(answer));
    }
    close(fd);
  }
  return NULL;
}

/* An answer that is tried again is not shown, and what was shown is not tried again. */
static void test_retries(void) {
  int port, listener = listen_on_loopback(1, &port);
  pthread_t thread;
  char url[100];
  netcore_client client = streaming_client();
  netcore_retry_options retries = NETCORE_RETRY_OPTIONS_INIT;
  check_case = "retries end with the head";
  retries.base_delay_ms = retries.throttled_delay_ms = 1;
  CHECK_OK(netcore_client_set_retries(client, &retries));
  REQUIRE(pthread_create(&thread, NULL, serve_answers, &listener) == 0);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  netcore_response response = stream_open(client, url, 0);
  CHECK_EQUAL(response_info(response).http_status, 200);
  CHECK_EQUAL(read_pattern(response, 100, NETCORE_ERR_TRUNCATED), 3);
  CHECK_EQUAL(ending_info(response, NETCORE_ERR_TRUNCATED).try_count, 2);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_client_destroy(client));
  shutdown(listener, SHUT_RDWR);
  pthread_join(thread, NULL);
  close(listener);
  CHECK_EQUAL(answered, 2);
}

static void test_destroyed(void) {
  netcore_client client = streaming_client();
  netcore_response response = stream_open(client, at(NGINX, "/slow"), 0);
  char byte;
  size_t size;
  check_case = "the client is destroyed";
  CHECK_OK(netcore_client_destroy(client));
  CHECK_STATUS(netcore_response_read(response, &byte, 1, patience_ms(), &size), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(response));
}

static struct tally inside = TALLY_INITIAL;
static netcore_client inside_client;

static void stream_inside(const netcore_completion *completion) {
  CHECK_STATUS(completion->status, NETCORE_OK);
  netcore_response response = stream_open(inside_client, at(ORIGIN, "/bytes/300000"), 1000);
  CHECK_EQUAL(read_pattern(response, 5000, NETCORE_OK), 300000);
  CHECK_OK(netcore_response_release(response));
  tally_raise(&inside);
}

static void test_inside_callback(netcore_client client) {
  netcore_request request = request_new("GET", at(ORIGIN, "/bytes/1"));
  check_case = "inside a callback";
  inside_client = client;
  CHECK_OK(netcore_dispatch(client, request, stream_inside, NULL, NULL));
  CHECK(tally_reaches(&inside, 1, patience_ms()));
  CHECK_OK(netcore_request_destroy(request));
}

/* What libcurl kept while the transfer stood still is judged like all else: an error there ends the task at once. */
static void test_limits_after_pauses(netcore_client client) {
  static const uint64_t limits[] = {1, 20000, 40000, 80000, 300000, 600000};
  for (size_t i = 0; i < LENGTH(limits); i++) {
    for (int is_paced = 0; is_paced < 2; is_paced++) {
      char buffer[5000];
      netcore_response response = 0;
      netcore_request request = request_new("GET", at(ORIGIN, "/chunked/1000000"));
      size_t size = 1, count = 0;
      netcore_status status = NETCORE_OK;
      CHECK_OK(netcore_request_set_limit(request, NETCORE_LIMIT_BODY_BYTES, limits[i]));
      if (is_paced) CHECK_OK(netcore_request_set_max_receive_rate(request, 2000000));
      if (!CHECK_OK(netcore_perform_streamed(client, request, 1000, &response))) return;
      while (status == NETCORE_OK && size > 0) {
        status = netcore_response_read(response, buffer, sizeof buffer, patience_ms() / 3, &size);
        if (status == NETCORE_OK) count += size;
      }
      CHECK_STATUS(status, NETCORE_ERR_LIMIT_BODY_BYTES);
      CHECK(count <= limits[i]);
      CHECK_OK(netcore_response_release(response));
      CHECK_OK(netcore_request_destroy(request));
    }
  }
}

int main(void) {
  check_begin();
  netcore_client client = streaming_client();
  test_whole(client);
  test_slow_consumer(client);
  test_release(client);
  test_two_readers(client);
  test_misuse(client);
  test_ends(client);
  test_limits_after_pauses(client);
  test_inside_callback(client);
  test_retries();
  test_destroyed();
  CHECK_OK(netcore_client_destroy(client));
  return check_end();
}
