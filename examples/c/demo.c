/*
 * netcore from C.
 *
 *   demo --tour BASE          one request, 100 at once, a cancel by id, a group; of BASE/small.txt and BASE/slow
 *   demo [--ca FILE] URL...   fetches the URLs at once with live progress, and prints a table
 *
 * The tour shows each of the three ways to receive completions: a blocking call, a queue, and callbacks that run in a
 * loop of this program's own.
 */
#define _POSIX_C_SOURCE 200809L

#include <netcore.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Longer URLs are cut. */
#define URL_WIDTH "60"

/* Ends the program when a call fails that has no reason to. */
static void check(netcore_status status) {
  if (status == NETCORE_OK) return;
  fprintf(stderr, "demo: %s: %s\n", netcore_status_name(status), netcore_last_error_message());
  exit(1);
}

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static netcore_client make_client(netcore_completion_mode completions, const char *ca_file) {
  netcore_client_options options = {0};
  netcore_client client;
  options.size = sizeof options;
  options.completions = completions;
  options.ca_file = ca_file;
  check(netcore_client_create(&options, &client));
  return client;
}

static netcore_request make_get(const char *base, const char *path) {
  netcore_request request;
  char url[2048];
  snprintf(url, sizeof url, "%s%s", base, path);
  check(netcore_request_create("GET", url, &request));
  return request;
}

static netcore_response_info info_of(netcore_response response) {
  netcore_response_info info = {0};
  info.size = sizeof info;
  check(netcore_response_get_info(response, &info));
  return info;
}

static const char *protocol_name(netcore_http_version version) {
  switch (version) {
    case NETCORE_HTTP_VERSION_1_0:
      return "HTTP/1.0";
    case NETCORE_HTTP_VERSION_1_1:
      return "HTTP/1.1";
    case NETCORE_HTTP_VERSION_2:
      return "HTTP/2";
    default:
      return "-";
  }
}

/* The tour */

/* One request, by a call that blocks. */
static void show_one(const char *base) {
  netcore_client client = make_client(NETCORE_COMPLETION_MODE_CALLBACK, NULL);
  netcore_request request = make_get(base, "/small.txt");
  netcore_response response;
  netcore_bytes type = {0};

  check(netcore_perform(client, request, &response));
  netcore_response_info info = info_of(response);
  netcore_response_get_header(response, "content-type", 0, &type);
  printf("one request     %d, %s, %zu bytes of %.*s in %.1f ms\n", (int)info.http_status,
         protocol_name(info.http_version), info.body.size_bytes, (int)type.size_bytes, (const char *)type.data,
         info.total_us / 1e3);

  check(netcore_response_release(response));
  check(netcore_request_destroy(request));
  check(netcore_client_destroy(client));
}

/* A hundred requests in one submission; their completions are taken from a queue. */
static void show_hundred(const char *base) {
  enum { COUNT = 100 };
  netcore_client client = make_client(NETCORE_COMPLETION_MODE_QUEUE, NULL);
  netcore_request request = make_get(base, "/small.txt");
  netcore_request requests[COUNT];
  netcore_completion completions[COUNT];
  uint32_t ended = 0, succeeded = 0, count;
  double start = now_ms();

  for (int i = 0; i < COUNT; i++) requests[i] = request;
  check(netcore_dispatch_many(client, requests, COUNT, NULL, NULL, NULL));
  while (ended < COUNT) {
    check(netcore_client_wait(client, completions, COUNT, sizeof(netcore_completion), UINT64_MAX, &count));
    for (uint32_t i = 0; i < count; i++) {
      if (completions[i].status == NETCORE_OK && completions[i].http_status == 200) succeeded++;
      check(netcore_response_release(completions[i].response));
    }
    ended += count;
  }
  printf("%d at once     %u answered 200, in %.1f ms together\n", COUNT, (unsigned)succeeded, now_ms() - start);

  check(netcore_request_destroy(request));
  check(netcore_client_destroy(client));
}

/* Runs callbacks until one of them clears the flag: what an event loop does. */
static void run_while(netcore_client client, const int *flag) {
  struct pollfd descriptor = {0};
  descriptor.events = POLLIN;
  check(netcore_client_get_descriptor(client, &descriptor.fd));
  while (*flag) {
    poll(&descriptor, 1, -1);
    check(netcore_client_process(client, 0, NULL));
  }
}

struct cancel {
  double start;
  int is_waiting;
};

static void on_canceled(const netcore_completion *completion) {
  struct cancel *cancel = completion->user_data;
  printf("a cancel        task %llu ended with %s, %.1f ms after the call\n", (unsigned long long)completion->task,
         netcore_status_name(completion->status), now_ms() - cancel->start);
  cancel->is_waiting = 0;
}

/* A download that would take minutes, canceled by its id. */
static void show_cancel(netcore_client client, const char *base) {
  struct cancel cancel = {0, 1};
  struct timespec moment = {0, 100 * 1000 * 1000};
  netcore_request request = make_get(base, "/slow");
  netcore_task task;

  check(netcore_dispatch(client, request, on_canceled, &cancel, &task));
  check(netcore_request_destroy(request));
  nanosleep(&moment, NULL);
  cancel.start = now_ms();
  check(netcore_task_cancel(task));
  run_while(client, &cancel.is_waiting);
}

struct group {
  uint32_t succeeded;
  int is_waiting;
};

static void on_member(const netcore_completion *completion) {
  struct group *group = completion->user_data;
  if (completion->status == NETCORE_OK) group->succeeded++;
}

static void on_group(const netcore_completion *completion) {
  struct group *group = completion->user_data;
  printf("a group         notified with %s once all 5 members had ended, %u of them well\n",
         netcore_status_name(completion->status), (unsigned)group->succeeded);
  group->is_waiting = 0;
}

/* Five requests, with one notification when all have ended. */
static void show_group(netcore_client client, const char *base) {
  struct group state = {0, 1};
  netcore_request request = make_get(base, "/small.txt");
  netcore_group group;

  check(netcore_group_create(client, &group));
  for (int i = 0; i < 5; i++) check(netcore_group_add(group, request, on_member, &state, NULL));
  check(netcore_group_dispatch(group, on_group, &state));
  check(netcore_request_destroy(request));
  run_while(client, &state.is_waiting);
}

static void tour(const char *base) {
  printf("%s\n", netcore_version_details());
  show_one(base);
  show_hundred(base);
  netcore_client client = make_client(NETCORE_COMPLETION_MODE_PUMP, NULL);
  show_cancel(client, base);
  show_group(client, base);
  check(netcore_client_destroy(client));
}

/* Fetching, with progress and a table */

struct fetch {
  const char *url;
  netcore_task task;
  /* 0 until the task has ended. */
  netcore_response response;
};

static void start(netcore_client client, struct fetch *fetch) {
  netcore_request request = make_get(fetch->url, "");
  check(netcore_dispatch(client, request, NULL, NULL, &fetch->task));
  check(netcore_request_destroy(request));
}

static void print_progress(const struct fetch *fetch) {
  netcore_task_info info = {0};
  info.size = sizeof info;
  if (fetch->response != 0) {
    netcore_response_info ended = info_of(fetch->response);
    printf("%-10s %12zu bytes", ended.status == NETCORE_OK ? "done" : "failed", ended.body.size_bytes);
  } else if (netcore_task_get_info(fetch->task, &info) == NETCORE_OK) {
    printf("%-10s %12llu bytes", info.state == NETCORE_TASK_STATE_QUEUED ? "queued" : "running",
           (unsigned long long)info.received_bytes);
    if (info.expected_bytes != UINT64_MAX && info.expected_bytes != 0) {
      printf(" %3.0f %%", 100.0 * (double)info.received_bytes / (double)info.expected_bytes);
    }
  }
  printf("  %." URL_WIDTH "s\033[K\n", fetch->url); /* and clears what is left of the line */
}

/* Prints a line for each URL, over the lines of the last time. Only on a terminal. */
static void print_all_progress(const struct fetch *fetches, int count, int is_first) {
  if (!isatty(STDOUT_FILENO)) return;
  if (!is_first) printf("\033[%dA", count);
  printf("\033[?7l"); /* a narrow terminal cuts lines, and does not wrap them */
  for (int i = 0; i < count; i++) print_progress(&fetches[i]);
  printf("\033[?7h");
  fflush(stdout);
}

static void print_phase(int64_t duration_us) {
  if (duration_us < 0)
    printf(" %10s", "-");
  else
    printf(" %10.1f", duration_us / 1e3);
}

static void print_table(const struct fetch *fetches, int count) {
  printf("%6s %-8s %10s %10s %10s %10s %10s %10s %10s  %s\n", "status", "protocol", "bytes", "total ms", "queue", "dns",
         "connect", "tls", "first byte", "url");
  for (int i = 0; i < count; i++) {
    netcore_response_info info = info_of(fetches[i].response);
    if (info.status != NETCORE_OK)
      printf("%6s", "failed");
    else
      printf("%6d", (int)info.http_status);
    printf(" %-8s %10zu", protocol_name(info.http_version), info.body.size_bytes);
    print_phase(info.total_us);
    print_phase(info.queue_us);
    print_phase(info.dns_us);
    print_phase(info.connect_us);
    print_phase(info.tls_us);
    print_phase(info.first_byte_us);
    printf("  %." URL_WIDTH "s\n", fetches[i].url);
  }
}

static int print_errors(const struct fetch *fetches, int count) {
  int failed = 0;
  for (int i = 0; i < count; i++) {
    netcore_error error = {0};
    error.size = sizeof error;
    check(netcore_response_get_error(fetches[i].response, &error));
    if (error.status == NETCORE_OK) continue;
    printf("%s: %.*s\n", netcore_status_name(error.status), (int)error.message.size_bytes,
           (const char *)error.message.data);
    failed++;
  }
  return failed;
}

/* Fetches all URLs at once. Answers how many failed. */
static int fetch_all(char **urls, int count, const char *ca_file) {
  netcore_client client = make_client(NETCORE_COMPLETION_MODE_QUEUE, ca_file);
  struct fetch *fetches = calloc((size_t)count, sizeof *fetches);
  if (fetches == NULL) return count;
  for (int i = 0; i < count; i++) {
    fetches[i].url = urls[i];
    start(client, &fetches[i]);
  }
  int is_first = 1;
  for (int ended = 0; ended < count;) {
    netcore_completion completion;
    uint32_t taken;
    print_all_progress(fetches, count, is_first);
    is_first = 0;
    check(netcore_client_wait(client, &completion, 1, sizeof(netcore_completion), 100, &taken));
    for (int i = 0; taken == 1 && i < count; i++) {
      if (fetches[i].task == completion.task) fetches[i].response = completion.response;
    }
    ended += (int)taken;
  }
  print_all_progress(fetches, count, 0);
  print_table(fetches, count);
  int failed = print_errors(fetches, count);
  for (int i = 0; i < count; i++) check(netcore_response_release(fetches[i].response));
  free(fetches);
  check(netcore_client_destroy(client));
  return failed;
}

int main(int argc, char **argv) {
  const char *ca_file = NULL;
  int next = 1;
  if (argc == 3 && strcmp(argv[1], "--tour") == 0) {
    tour(argv[2]);
    return 0;
  }
  if (argc > 2 && strcmp(argv[1], "--ca") == 0) {
    ca_file = argv[2];
    next = 3;
  }
  if (next >= argc || argv[next][0] == '-') {
    fprintf(stderr, "usage: demo --tour BASE\n       demo [--ca FILE] URL...\n");
    return 2;
  }
  return fetch_all(argv + next, argc - next, ca_file) == 0 ? 0 : 1;
}
