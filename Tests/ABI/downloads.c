/*
 * Downloads to a file in each completion mode: what the file, the part and the notes are at each end, progress, cancel, and
 * every misuse. Faults of servers are in bindings/python/tests/test_downloads.py.
 */
#include "support.h"

#include <sys/resource.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define MIB (1 << 20)
#define SHA_OF_EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static char folder[] = "/tmp/netcore-downloads-XXXXXX";

static const char *in_folder(const char *name) {
  static char paths[4][400];
  static unsigned next;
  char *path = paths[next++ % LENGTH(paths)];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static bool text_is(netcore_bytes bytes, const char *text) {
  return bytes.size_bytes == strlen(text) && memcmp(bytes.data, text, bytes.size_bytes) == 0;
}

static bool leaves_nothing(const char *name) {
  char part[100], notes[100];
  snprintf(part, sizeof part, "%s.netcore-part", name);
  snprintf(notes, sizeof notes, "%s.netcore-notes", name);
  return !exists(in_folder(part)) && !exists(in_folder(notes));
}

static long size_of(const char *path) {
  struct stat information;
  return stat(path, &information) == 0 ? (long)information.st_size : -1;
}

static netcore_client client_in(netcore_completion_mode mode) {
  netcore_client client = 0;
  netcore_client_options options = NETCORE_CLIENT_OPTIONS_INIT;
  options.completions = mode;
  options.ca_file = peer(CA_FILE);
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

/* Downloads, and tells what became of it. */
static netcore_status download(netcore_client client, const char *url, const char *path,
                               const netcore_download_options *options, netcore_download_info *out_info) {
  netcore_request request = request_new("GET", url);
  netcore_response response = 0;
  netcore_download_info info = NETCORE_DOWNLOAD_INFO_INIT;
  netcore_status status = netcore_download(client, request, path, options, UINT64_MAX, NULL, &response);
  CHECK_OK(netcore_request_destroy(request));
  if (response != 0) {
    CHECK_EQUAL(response_info(response).status, status);
    CHECK_EQUAL(response_info(response).body.size_bytes, 0);
    CHECK_OK(netcore_response_get_download(response, &info));
    CHECK_EQUAL(info.complete, status == NETCORE_OK);
    CHECK(text_is(info.path, path));
    info.path.data = info.sha256.data = NULL;
    CHECK_OK(netcore_response_release(response));
  }
  if (out_info != NULL) *out_info = info;
  return status;
}

static void test_whole(netcore_client client) {
  static const struct {
    const char *variable, *path;
    long size;
  } cases[] = {
      {NGINX, "/10m", 10 * MIB},
      {NGINX_H2, "/10m", 10 * MIB},
      {ORIGIN, "/bytes/0", 0},
      {ORIGIN, "/gzip/100000", 100000},
      {ORIGIN, "/chunked/100000", 100000},
      {ORIGIN, "/redirect/302?to=/bytes/70000", 70000},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    netcore_download_info info;
    check_case = cases[i].path;
    CHECK_OK(download(client, at(cases[i].variable, cases[i].path), in_folder("whole"), NULL, &info));
    CHECK_EQUAL(size_of(in_folder("whole")), cases[i].size);
    CHECK_EQUAL(info.size_bytes, (uint64_t)cases[i].size);
    CHECK_EQUAL(info.fetched_bytes, (uint64_t)cases[i].size);
    CHECK_EQUAL(info.sha256.size_bytes, 0);
    CHECK(leaves_nothing("whole"));
    CHECK_STATUS(download(client, at(cases[i].variable, cases[i].path), in_folder("whole"), NULL, &info),
                 NETCORE_ERR_FILE_EXISTS);
    CHECK_EQUAL(info.requests, 0);
    CHECK_EQUAL(unlink(in_folder("whole")), 0);
  }
}

/* nginx sends ranges, the scripted origin's /bytes does not: the file is the same, and the number of requests tells. */
static void test_segments(netcore_client client) {
  netcore_download_options options = NETCORE_DOWNLOAD_OPTIONS_INIT;
  netcore_download_info info, single;
  options.segments = 4;
  options.segment_bytes = MIB;
  options.compute_sha256 = 1;
  for (int h2 = 0; h2 <= 1; h2++) {
    CHECK_OK(download(client, at(h2 ? NGINX_H2 : NGINX, "/10m"), in_folder("segments"), &options, &info));
    CHECK_EQUAL(size_of(in_folder("segments")), 10 * MIB);
    CHECK(info.requests >= 4 && info.size_bytes == 10 * MIB);
    CHECK(leaves_nothing("segments"));
    CHECK_EQUAL(unlink(in_folder("segments")), 0);
  }
  CHECK_OK(download(client, at(ORIGIN, "/bytes/9000000"), in_folder("segments"), &options, &single));
  CHECK_EQUAL(single.requests, 1);
  CHECK_EQUAL(single.fetched_bytes, 9000000);
  CHECK_EQUAL(unlink(in_folder("segments")), 0);
}

static void test_expectations(netcore_client client) {
  netcore_download_options options = NETCORE_DOWNLOAD_OPTIONS_INIT;
  netcore_download_info info;
  options.sha256 = SHA_OF_EMPTY;
  options.overwrite = 1;
  CHECK_OK(download(client, at(ORIGIN, "/bytes/0"), in_folder("expected"), &options, &info));
  CHECK_EQUAL(info.sha256.size_bytes, 64);
  CHECK_STATUS(download(client, at(ORIGIN, "/bytes/9000"), in_folder("expected"), &options, &info),
               NETCORE_ERR_INTEGRITY);
  CHECK_EQUAL(info.size_bytes, 0);
  CHECK_EQUAL(size_of(in_folder("expected")), 0);
  CHECK(leaves_nothing("expected"));
  options.sha256 = NULL;
  for (options.expected_bytes = 8999; options.expected_bytes <= 9001; options.expected_bytes++) {
    netcore_status status = options.expected_bytes == 9000 ? NETCORE_OK : NETCORE_ERR_INTEGRITY;
    CHECK_STATUS(download(client, at(ORIGIN, "/bytes/9000"), in_folder("expected"), &options, &info), status);
    CHECK_STATUS(download(client, at(ORIGIN, "/chunked/9000"), in_folder("expected"), &options, &info), status);
    CHECK(leaves_nothing("expected"));
  }
  CHECK_EQUAL(size_of(in_folder("expected")), 9000);
  CHECK_EQUAL(unlink(in_folder("expected")), 0);
}

static void test_answers_without_file(netcore_client client) {
  netcore_download_info info;
  CHECK_STATUS(download(client, at(ORIGIN, "/status/404"), in_folder("none"), NULL, &info), NETCORE_ERR_HTTP_STATUS);
  CHECK_EQUAL(info.requests, 1);
  CHECK_STATUS(download(client, "http://absent.invalid/", in_folder("none"), NULL, &info), NETCORE_ERR_RESOLVE);
  CHECK(!exists(in_folder("none")) && leaves_nothing("none"));
}

/* A limit on the size of files stands for a full disk: the system refuses to write in the middle of the file. */
static void test_full_disk(netcore_client client) {
  struct rlimit before, small;
  netcore_download_info info;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 3 * MIB;
  setrlimit(RLIMIT_FSIZE, &small);
  CHECK_STATUS(download(client, at(ORIGIN, "/chunked/5000000"), in_folder("full"), NULL, &info), NETCORE_ERR_STORAGE);
  CHECK_EQUAL(info.size_bytes, 3 * MIB);
  CHECK_STATUS(download(client, at(NGINX, "/10m"), in_folder("full"), NULL, &info), NETCORE_ERR_STORAGE);
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(!exists(in_folder("full")));
  CHECK_OK(download(client, at(NGINX, "/10m"), in_folder("full"), NULL, &info));
  CHECK_EQUAL(size_of(in_folder("full")), 10 * MIB);
  CHECK_EQUAL(unlink(in_folder("full")), 0);
}

static void test_paths(netcore_client client) {
  netcore_download_options options = NETCORE_DOWNLOAD_OPTIONS_INIT;
  const char *url = at(ORIGIN, "/bytes/10");
  static char longest[300];
  options.overwrite = 1;
  memset(longest, 'a', 250);
  CHECK_STATUS(download(client, url, folder, &options, NULL), NETCORE_ERR_STORAGE);
  CHECK_STATUS(download(client, url, in_folder("absent/file"), &options, NULL), NETCORE_ERR_STORAGE);
  CHECK_STATUS(download(client, url, in_folder(longest), &options, NULL), NETCORE_ERR_STORAGE);
  CHECK_STATUS(download(client, url, "/proc/netcore", &options, NULL), NETCORE_ERR_STORAGE);
  CHECK_STATUS(download(client, url, "/tmp/", &options, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(download(client, url, "", &options, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(download(client, url, "..", &options, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(download(client, url, "/dev/null", &options, NULL), NETCORE_ERR_STORAGE);
  /* A link is replaced, and what it leads to stays. */
  CHECK_OK(download(client, url, in_folder("file"), &options, NULL));
  CHECK_EQUAL(symlink(in_folder("file"), in_folder("link")), 0);
  CHECK_OK(download(client, at(ORIGIN, "/bytes/20"), in_folder("link"), &options, NULL));
  CHECK_EQUAL(size_of(in_folder("file")), 10);
  CHECK_EQUAL(size_of(in_folder("link")), 20);
  /* A part is no link, either: what it leads to would be written. */
  CHECK_EQUAL(symlink(in_folder("file"), in_folder("other.netcore-part")), 0);
  CHECK_STATUS(download(client, url, in_folder("other"), &options, NULL), NETCORE_ERR_STORAGE);
  CHECK_EQUAL(unlink(in_folder("other.netcore-part")), 0);
  CHECK_EQUAL(unlink(in_folder("file")), 0);
  CHECK_EQUAL(unlink(in_folder("link")), 0);
}

struct parts {
  unsigned count, busy;
  uint64_t size, total;
};

static int32_t count_part(const netcore_download_part *part, void *user_data) {
  struct parts *parts = user_data;
  parts->count++;
  parts->busy += (unsigned)part->busy;
  parts->size = part->size_bytes;
  parts->total = part->total_bytes;
  CHECK(strncmp(part->path, folder, strlen(folder)) == 0 && part->modified > 0);
  return 1;
}

static struct parts parts_in_folder(void) {
  struct parts parts = {0};
  CHECK_OK(netcore_download_list_parts(folder, count_part, &parts));
  return parts;
}

/* Begins a download that stands still after its first bytes. */
static netcore_task begin_slow(netcore_client client, const char *name) {
  netcore_request request = script_request(
      "GET", ORIGIN, "[{'send':'HTTP/1.1 200 OK\\r\\nContent-Length: 200\\r\\n\\r\\nabc'},{'stall':true}]");
  netcore_response response = 77;
  netcore_task task = 0;
  CHECK_STATUS(netcore_download(client, request, in_folder(name), NULL, 0, &task, &response), NETCORE_ERR_IN_PROGRESS);
  CHECK_EQUAL(response, 0);
  CHECK(task != 0);
  CHECK_OK(netcore_request_destroy(request));
  return task;
}

static bool has_bytes(netcore_task task) {
  netcore_download_progress progress = NETCORE_DOWNLOAD_PROGRESS_INIT;
  netcore_download_get_progress(task, &progress);
  return progress.done_bytes > 0;
}

static void test_cancel_and_parts(netcore_client client) {
  netcore_task task = begin_slow(client, "canceled");
  netcore_response response = 0;
  netcore_download_info info = NETCORE_DOWNLOAD_INFO_INIT;
  netcore_task_info task_info = NETCORE_TASK_INFO_INIT;
  WAIT_UNTIL(has_bytes(task));
  CHECK_OK(netcore_task_get_info(task, &task_info));
  CHECK_EQUAL(task_info.state, NETCORE_TASK_STATE_RUNNING);
  CHECK_EQUAL(parts_in_folder().busy, 1);
  CHECK_STATUS(netcore_download_remove_part(in_folder("canceled")), NETCORE_ERR_FILE_BUSY);
  CHECK_STATUS(download(client, at(ORIGIN, "/bytes/10"), in_folder("canceled"), NULL, NULL), NETCORE_ERR_FILE_BUSY);
  CHECK_OK(netcore_task_cancel(task));
  CHECK_STATUS(netcore_task_wait(task, UINT64_MAX, &response, NULL), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_get_download(response, &info));
  CHECK(info.complete == 0 && info.size_bytes > 0 && info.size_bytes < 200);
  CHECK_OK(netcore_response_release(response));
  CHECK(!exists(in_folder("canceled")));
  struct parts parts = parts_in_folder();
  CHECK(parts.count == 1 && parts.busy == 0 && parts.size == info.size_bytes);
  CHECK_OK(netcore_download_remove_part(in_folder("canceled")));
  CHECK_STATUS(netcore_download_remove_part(in_folder("canceled")), NETCORE_ERR_NOT_FOUND);
  CHECK_EQUAL(parts_in_folder().count, 0);
  CHECK(leaves_nothing("canceled"));
}

/* A download is one task, however many requests it makes. */
static void test_cancel_all(netcore_client client) {
  netcore_task task = begin_slow(client, "all");
  netcore_response response = 0;
  uint32_t count = 0;
  WAIT_UNTIL(has_bytes(task));
  CHECK_OK(netcore_client_cancel_all(client, &count));
  CHECK_EQUAL(count, 1);
  CHECK_STATUS(netcore_task_wait(task, UINT64_MAX, &response, NULL), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(netcore_download_remove_part(in_folder("all")));
}

/* The child of a fork has the part open, but not the lock on it once the download has ended. */
static void test_fork(netcore_client client) {
  netcore_task task = begin_slow(client, "forked");
  netcore_response response = 0;
  WAIT_UNTIL(has_bytes(task));
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0)
    for (;;) pause();
  CHECK_OK(netcore_task_cancel(task));
  CHECK_STATUS(netcore_task_wait(task, UINT64_MAX, &response, NULL), NETCORE_ERR_CANCELED);
  CHECK_OK(netcore_response_release(response));
  CHECK_OK(download(client, at(ORIGIN, "/bytes/10"), in_folder("forked"), NULL, NULL));
  CHECK_EQUAL(unlink(in_folder("forked")), 0);
  CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

/* A client that is destroyed leaves no thread behind that writes. */
static void test_destroyed(void) {
  netcore_client client = client_in(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_task task = begin_slow(client, "destroyed");
  WAIT_UNTIL(has_bytes(task));
  CHECK_OK(netcore_client_destroy(client));
  CHECK_EQUAL(parts_in_folder().busy, 0);
  CHECK_OK(netcore_download_remove_part(in_folder("destroyed")));
}

struct seen {
  int reports, ends;
  netcore_status status;
  uint64_t size;
};

static void see_event(const netcore_completion *event, void *user_data) {
  struct seen *seen = user_data;
  netcore_download_progress progress = NETCORE_DOWNLOAD_PROGRESS_INIT;
  CHECK_EQUAL(event->kind, NETCORE_COMPLETION_KIND_PROGRESS);
  CHECK_OK(netcore_download_get_progress(event->task, &progress));
  CHECK(progress.done_bytes >= seen->size);
  seen->size = progress.done_bytes;
  seen->reports++;
}

static void see_end(const netcore_completion *completion) {
  struct seen *seen = completion->user_data;
  netcore_download_info info = NETCORE_DOWNLOAD_INFO_INIT;
  CHECK_EQUAL(completion->kind, NETCORE_COMPLETION_KIND_TASK);
  CHECK_OK(netcore_response_get_download(completion->response, &info));
  seen->status = completion->status;
  __atomic_add_fetch(&seen->ends, 1, __ATOMIC_RELEASE);
}

static void test_dispatch(void) {
  netcore_client client = client_in(NETCORE_COMPLETION_MODE_CALLBACK);
  netcore_request request = request_new("GET", at(NGINX, "/10m"));
  struct seen seen = {0};
  CHECK_OK(netcore_request_set_progress_interval_ms(request, 0));
  CHECK_OK(netcore_request_set_event_function(request, see_event, &seen, NULL));
  CHECK_OK(netcore_download_dispatch(client, request, in_folder("dispatched"), NULL, see_end, &seen, NULL));
  WAIT_UNTIL(__atomic_load_n(&seen.ends, __ATOMIC_ACQUIRE) == 1);
  CHECK_STATUS(seen.status, NETCORE_OK);
  CHECK(seen.reports > 0 && seen.size == 10 * MIB);
  CHECK_EQUAL(unlink(in_folder("dispatched")), 0);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));

  client = client_in(NETCORE_COMPLETION_MODE_QUEUE);
  request = request_new("GET", at(NGINX, "/10m"));
  netcore_completion completion;
  netcore_task task = 0;
  uint32_t count = 0;
  CHECK_STATUS(netcore_download_dispatch(client, request, in_folder("queue"), NULL, see_end, &seen, NULL),
               NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_download_dispatch(client, request, in_folder("queue"), NULL, NULL, &seen, &task));
  CHECK_OK(netcore_client_wait(client, &completion, 1, sizeof completion, UINT64_MAX, &count));
  CHECK(count == 1 && completion.task == task && completion.user_data == &seen);
  CHECK_STATUS(completion.status, NETCORE_OK);
  CHECK_OK(netcore_response_release(completion.response));
  CHECK_EQUAL(size_of(in_folder("queue")), 10 * MIB);
  CHECK_EQUAL(unlink(in_folder("queue")), 0);
  CHECK_OK(netcore_request_destroy(request));
  CHECK_OK(netcore_client_destroy(client));
}

static void check_refused(netcore_client client, const char *argument, netcore_download_options options) {
  netcore_error error = NETCORE_ERROR_INIT;
  options.size = sizeof options;
  check_case = argument;
  CHECK_STATUS(download(client, at(ORIGIN, "/bytes/1"), in_folder("refused"), &options, NULL),
               NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_OK(netcore_last_error(&error));
  CHECK(text_is(error.argument, argument));
}

static void test_misuse(netcore_client client) {
  netcore_request post = request_new("POST", at(ORIGIN, "/echo")), ranged = request_new("GET", at(ORIGIN, "/bytes/1"));
  netcore_response response = 0;
  netcore_download_info info = NETCORE_DOWNLOAD_INFO_INIT;
  netcore_download_progress progress = NETCORE_DOWNLOAD_PROGRESS_INIT;
  netcore_task task = 0;
  const char *path = in_folder("refused");
  check_refused(client, "overwrite", (netcore_download_options){.overwrite = 2});
  check_refused(client, "compute_sha256", (netcore_download_options){.compute_sha256 = -1});
  check_refused(client, "skip_sync", (netcore_download_options){.skip_sync = 7});
  check_refused(client, "sha256", (netcore_download_options){.sha256 = "e3b0"});
  check_refused(client, "sha256", (netcore_download_options){.sha256 = SHA_OF_EMPTY "00"});
  check_refused(client, "segments", (netcore_download_options){.segments = 17});
  check_refused(client, "key", (netcore_download_options){.key = "\xff"});
  CHECK_OK(netcore_request_set_header(ranged, "Range", "bytes=0-0"));
  CHECK_STATUS(netcore_download(client, post, path, NULL, UINT64_MAX, NULL, &response), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_download(client, ranged, path, NULL, UINT64_MAX, NULL, &response), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_download(client, post, NULL, NULL, UINT64_MAX, NULL, &response), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_download(client, post, path, NULL, UINT64_MAX, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_download(client, post, path, NULL, 0, NULL, &response), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_download_list_parts(NULL, count_part, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_download_list_parts("", count_part, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_download_list_parts(folder, NULL, NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_download_list_parts("/absent", count_part, NULL), NETCORE_ERR_STORAGE);
  CHECK_STATUS(netcore_download_remove_part(NULL), NETCORE_ERR_INVALID_ARGUMENT);
  CHECK_STATUS(netcore_perform_for(client, ranged, 0, &task, &response, NULL), NETCORE_ERR_IN_PROGRESS);
  CHECK_STATUS(netcore_download_get_progress(task, &progress), NETCORE_ERR_INVALID_STATE);
  CHECK_OK(netcore_task_wait(task, UINT64_MAX, &response, NULL));
  CHECK_STATUS(netcore_response_get_download(response, &info), NETCORE_ERR_NOT_FOUND);
  CHECK_OK(netcore_response_release(response));
  CHECK(!exists(path) && leaves_nothing("refused"));
  CHECK_OK(netcore_request_destroy(post));
  CHECK_OK(netcore_request_destroy(ranged));
}

int main(void) {
  check_begin();
  REQUIRE(mkdtemp(folder) != NULL);
  netcore_client client = client_in(NETCORE_COMPLETION_MODE_CALLBACK);
  test_whole(client);
  test_segments(client);
  test_expectations(client);
  test_answers_without_file(client);
  test_full_disk(client);
  test_paths(client);
  test_cancel_and_parts(client);
  test_cancel_all(client);
  test_misuse(client);
  test_fork(client);
  CHECK_OK(netcore_client_destroy(client));
  test_destroyed();
  test_dispatch();
  CHECK_EQUAL(rmdir(folder), 0);
  return check_end();
}
