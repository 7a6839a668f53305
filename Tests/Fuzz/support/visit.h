/** The client's side of cases: requests for them, and a look at what they got. */
#ifndef NETCORE_FUZZ_VISIT_H
#define NETCORE_FUZZ_VISIT_H

#include "server.h"
#include "tasks.h"

/** A body that is read while it is sent. */
struct reader {
  size_t left, size;
  uint64_t seed;
};

static inline size_t reader_read(void *buffer, size_t capacity, void *user_data) {
  struct reader *reader = user_data;
  struct rng rng = {reader->seed + reader->left};
  size_t size = 1 + below(&rng, capacity);
  if (per_mille(&rng, 5)) return NETCORE_READ_FAILED;
  if (per_mille(&rng, 50)) pause_us((unsigned)below(&rng, 2000));
  if (size > reader->left) size = reader->left;
  memset(buffer, 'r', size);
  reader->left -= size;
  return size;
}

static inline int32_t reader_rewind(void *user_data) {
  struct reader *reader = user_data;
  reader->left = reader->size;
  return reader->seed % 7 == 0;
}

static inline void reader_release(void *user_data) {
  COUNT("readers_released");
  free(user_data);
}

static inline void visit_body(netcore_request request, struct rng *rng) {
  static char memory[200000];
  size_t size = per_mille(rng, 500) ? below(rng, 2000) : below(rng, sizeof memory);
  struct reader *reader;
  if (per_mille(rng, 500) || (reader = malloc(sizeof *reader)) == NULL) {
    netcore_request_set_body(request, memory, size);
    return;
  }
  *reader = (struct reader){size, size, rng_next(rng)};
  netcore_reader functions = {sizeof functions, reader_read, per_mille(rng, 700) ? reader_rewind : NULL, reader,
                              reader_release};
  uint64_t length = per_mille(rng, 300) ? NETCORE_LENGTH_UNKNOWN : per_mille(rng, 950) ? size : size + 1;
  if (netcore_request_set_body_reader(request, &functions, length) == NETCORE_OK)
    COUNT("readers");
  else
    free(reader);
}

static inline void visit_url(char *url, size_t size, uint64_t number, struct rng *rng) {
  static const char *const hosts[] = {"127.0.0.1", "a.fuzz.test", "b.fuzz.test", "old.fuzz.test"};
  bool is_https = per_mille(rng, 400);
  int port = wire_ports[is_left_out("ports") ? is_https : below(rng, 2)];
  snprintf(url, size, "%s://%s:%d/%llu/0", is_https ? "https" : "http", PICK(rng, hosts), port,
           (unsigned long long)number);
}

/** Makes the request of a case; the way there is random, what is asked for is not. */
static inline netcore_request visit_request(uint64_t number, uint64_t total_ms, bool *out_decodes, struct rng *rng) {
  netcore_request request = 0;
  char url[200];
  const char *method = case_traits(number).method;
  visit_url(url, sizeof url, number, rng);
  if (netcore_request_create(method, url, &request) != NETCORE_OK) return 0;
  if (method[0] == 'P' || per_mille(rng, 10)) visit_body(request, rng);
  netcore_request_set_total_timeout_ms(request, total_ms);
  *out_decodes = !per_mille(rng, 50);
  netcore_request_set_decode_content(request, *out_decodes);
  if (per_mille(rng, 100)) netcore_request_set_cache_mode(request, (netcore_cache_mode)below(rng, 8));
  if (per_mille(rng, 50)) netcore_request_set_cache_ttl_ms(request, per_mille(rng, 500) ? edge_number(rng) : 50);
  if (per_mille(rng, 50)) netcore_request_set_allow_insecure_redirects(request, 1);
  if (per_mille(rng, 50)) netcore_request_set_follow_redirects(request, 0);
  if (per_mille(rng, 100)) netcore_request_set_interim_responses(request, 1);
  if (per_mille(rng, 100)) netcore_request_set_progress_interval_ms(request, below(rng, 20));
  if (per_mille(rng, 20)) netcore_request_set_max_receive_rate(request, 1 + edge_number(rng) / 2);
  if (per_mille(rng, 30)) netcore_request_set_auth(request, (netcore_auth)(1 + below(rng, 3)), "user", "password");
  return request;
}

/** The case whose answer this is: a redirect that was damaged may lead to another one's URL. */
static inline uint64_t visit_case(const struct record *record, const netcore_response_info *info) {
  char url[600];
  snprintf(url, sizeof url, "%.*s", (int)(info->url.size_bytes < 500 ? info->url.size_bytes : 500),
           (const char *)info->url.data);
  const char *host = strstr(url, "://"), *path = host == NULL ? NULL : strchr(host + 3, '/');
  return info->redirects == 0 || path == NULL ? record->number : strtoull(path + 1, NULL, 10);
}

/** Looks for another case's token, and compares the body of a plain case with what it should be. */
static inline void visit_check_body(const struct record *record, const netcore_response_info *info) {
  uint64_t number, expected = visit_case(record, info);
  int kind;
  bool is_foreign = false, is_strict = false;
  for (size_t at = 0; token_find(info->body.data, info->body.size_bytes, &at, &number, &kind);) {
    if (number == record->number || number == expected || number == CASE_UNNUMBERED) continue;
    is_foreign = true;
    // At its end, a body without a length may go on to the close.
    if (kind != TOKEN_STRICT || (number == CASE_UNASKED && at > 1)) continue;
    is_strict = true;
    violation("%s of case %llu got the answer of case %llu (%zu bytes, HTTP %d, cache %d, hop %u)", record->kind,
              (unsigned long long)record->number, (unsigned long long)number, info->body.size_bytes, info->http_status,
              info->cache_result, info->redirects);
  }
  if (is_strict)
    COUNT("foreign");
  else if (is_foreign)
    COUNT("foreign_by_server");
  struct traits traits = case_traits(record->number);
  bool is_loose = atomic_load(&fuzz.shared->marks[record->number % FUZZ_MARKS]) != 0;
  bool is_exact = traits.is_plain && !is_loose && record->decodes && info->http_status == 200 && !is_foreign;
  if (!is_exact || strcmp(traits.method, "HEAD") == 0) return;
  struct bytes body = {0};
  case_body(&body, record->number, TOKEN_STRICT);
  size_t same = 0, least = body.size < info->body.size_bytes ? body.size : info->body.size_bytes;
  while (same < least && body.data[same] == info->body.data[same]) same++;
  if (same < body.size || body.size != info->body.size_bytes)
    violation(
        "case %llu, answered plainly with %zu bytes, arrived as %zu bytes, of which the first %zu are right (HTTP %d, "
        "%u trailers)",
        (unsigned long long)record->number, body.size, info->body.size_bytes, same, info->http_version,
        info->trailer_count);
  COUNT("compared");
  bytes_free(&body);
}

/** Looks at a response in all ways that there are. */
static inline void visit_check(const struct record *record, netcore_response response, netcore_status status) {
  netcore_response_info info = {.size = sizeof info};
  netcore_error error = {.size = sizeof error};
  netcore_bytes name, value;
  if (netcore_response_get_info(response, &info) != NETCORE_OK || info.status != status) {
    violation("case %llu: a response that cannot be read", (unsigned long long)record->number);
    return;
  }
  netcore_response_get_error(response, &error);
  for (uint32_t i = 0; i < info.header_count && i < 50; i++) netcore_response_get_header_at(response, i, &name, &value);
  for (uint32_t i = 0; i < info.trailer_count && i < 50; i++)
    netcore_response_get_trailer_at(response, i, &name, &value);
  if (status == NETCORE_OK) COUNT("ok");
  if (status == NETCORE_OK) visit_check_body(record, &info);
  if (status == NETCORE_ERR_INTERNAL)
    violation("case %llu: a fault of netcore: %.*s", (unsigned long long)record->number, (int)error.message.size_bytes,
              (const char *)error.message.data);
  if (info.cache_result >= 1 && info.cache_result <= 3) COUNT("from_cache");
}

#endif
