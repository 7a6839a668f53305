/** Loads a set of files with a client, sends requests, and looks at what becomes of the files. */
#ifndef NETCORE_FUZZ_VISITED_FILES_H
#define NETCORE_FUZZ_VISITED_FILES_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "fuzz.h"
#include "netcore.h"

/** The port of the server beside the fuzzer. */
static char visited_port[8];
static int listener;

#include "file_texts.h"

static void listen_on_loopback(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 100) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &size) != 0)
    fuzz_fail("the listening socket");
  snprintf(visited_port, sizeof visited_port, "%u", ntohs(address.sin_port));
}

static inline void file_path(char *path, size_t size, enum file_kind kind) {
  snprintf(path, size, "%s/%s", fuzz.folder, file_names[kind]);
}

static inline void file_write(enum file_kind kind, const struct bytes *text) {
  char path[256];
  file_path(path, sizeof path, kind);
  unlink(path);
  FILE *file = fopen(path, "w");
  if (file == NULL || fwrite(text->data, 1, text->size, file) != text->size || fclose(file) != 0) fuzz_fail(path);
}

/** Whether a file is what was written. */
static inline bool file_is(enum file_kind kind, const struct bytes *text) {
  char path[256], piece[4096];
  size_t at = 0, got;
  file_path(path, sizeof path, kind);
  FILE *file = fopen(path, "r");
  if (file == NULL) return false;
  bool is_same = true;
  while ((got = fread(piece, 1, sizeof piece, file)) > 0) {
    is_same = is_same && got <= text->size - at && memcmp(piece, text->data + at, got) == 0;
    at += got;
  }
  fclose(file);
  return is_same && at == text->size;
}

/** Makes a client with some of the files. */
static inline netcore_status client_with(unsigned kinds, netcore_client *client) {
  static char paths[FILE_KINDS][256], texts[3][64];
  const char *const resolve[] = {texts[0], texts[1], texts[2]};
  static const char *const hosts[] = {"a.test", "b.a.test", "c.test"};
  netcore_client_options options = {.size = sizeof options, .completions = NETCORE_COMPLETION_MODE_QUEUE};
  const char **members[FILE_KINDS] = {&options.cookie_file, &options.hsts_file, &options.alt_svc_file,
                                      &options.netrc_file};
  for (int kind = 0; kind < FILE_KINDS; kind++) {
    file_path(paths[kind], sizeof paths[kind], (enum file_kind)kind);
    if ((kinds & 1u << kind) != 0) *members[kind] = paths[kind];
  }
  for (size_t i = 0; i < LENGTH(hosts); i++)
    snprintf(texts[i], sizeof texts[i], "%s:%s:127.0.0.1", hosts[i], visited_port);
  options.resolve = resolve;
  options.resolve_count = LENGTH(resolve);
  double start = fair_seconds();
  netcore_status status = netcore_client_create(&options, client);
  double taken = fair_seconds() - start;
  if (taken > patience(5)) violation("a client took %.1f s to be made", taken);
  return status;
}

/** Sends one request, and takes any end that a request may have. */
static inline void send_one(netcore_client client, const char *scheme, const char *host) {
  char url[128];
  netcore_request request = 0;
  netcore_response response = 0;
  snprintf(url, sizeof url, "%s://%s:%s/x", scheme, host, visited_port);
  if (netcore_request_create("GET", url, &request) != NETCORE_OK) violation("%s is no URL", url);
  netcore_request_set_total_timeout_ms(request, 2000);
  double start = fair_seconds();
  netcore_status status = netcore_perform(client, request, &response);
  if (fair_seconds() - start > patience(10)) violation("%s took %.1f s", url, fair_seconds() - start);
  if (status == NETCORE_ERR_INTERNAL || status == NETCORE_ERR_INVALID_HANDLE || status == NETCORE_ERR_OUT_OF_MEMORY)
    violation("%s ended with %s: %s", url, netcore_status_name(status), netcore_last_error_message());
  if (status == NETCORE_OK) COUNT("answered");
  COUNT("requests");
  netcore_response_release(response);
  netcore_request_destroy(request);
}

/** What a client says of a file that it refuses. */
static inline void check_refusal(netcore_status status, unsigned kinds, const struct bytes *texts) {
  bool is_named = false;
  for (int kind = 0; kind < FILE_KINDS; kind++) {
    if ((kinds & 1u << kind) == 0) continue;
    is_named = is_named || strstr(netcore_last_error_message(), file_options[kind]) != NULL;
    if (!file_is((enum file_kind)kind, &texts[kind])) violation("%s was changed, though refused", file_names[kind]);
  }
  if (status != NETCORE_ERR_STORAGE || !is_named)
    violation("files were refused by %s: %s", netcore_status_name(status), netcore_last_error_message());
  COUNT("refused");
}

/** One set of files, of which each client has some. */
static inline void visit_set(uint64_t number) {
  struct rng rng = {mix(fuzz.seed) ^ mix(number)};
  struct bytes texts[FILE_KINDS] = {{0}};
  bool is_one = per_mille(&rng, 700);
  unsigned kinds = is_one ? 1u << below(&rng, FILE_KINDS) : 1 + (unsigned)below(&rng, (1u << FILE_KINDS) - 1);
  netcore_client client = 0;
  for (int kind = 0; kind < FILE_KINDS; kind++) {
    file_text(&texts[kind], (enum file_kind)kind, &rng);
    file_write((enum file_kind)kind, &texts[kind]);
  }
  netcore_status status = client_with(kinds, &client);
  if (status != NETCORE_OK) check_refusal(status, kinds, texts);
  for (int turn = 0; status == NETCORE_OK && turn < 2; turn++) {
    send_one(client, per_mille(&rng, 700) ? "http" : "https", below(&rng, 2) == 0 ? "127.0.0.1" : "a.test");
    if (per_mille(&rng, 300)) send_one(client, "http", "b.a.test");
    if (netcore_client_destroy(client) != NETCORE_OK) violation("the client cannot be destroyed");
    if (turn == 1) break;
    status = client_with(kinds, &client);
    if (status != NETCORE_OK) violation("what a client wrote is refused: %s", netcore_last_error_message());
    COUNT("loaded");
  }
  for (int kind = 0; kind < FILE_KINDS; kind++) bytes_free(&texts[kind]);
}

#endif
