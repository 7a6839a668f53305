/** Arguments: good ones most often, and all kinds of bad ones that C allows. Whatever they name is on this machine. */
#ifndef NETCORE_FUZZ_ARGUMENTS_H
#define NETCORE_FUZZ_ARGUMENTS_H

#include "callbacks.h"

enum { LARGEST_STRIDE = 5000, DATA_BYTES = 1 << 20, LARGE_ROOMS = 16, LARGE_ROOM_BYTES = 64 << 20 };
static char data_zeros[DATA_BYTES], text_long[70001];
static char *large_rooms[LARGE_ROOMS];
static _Atomic int large_room_is_taken[LARGE_ROOMS];
static char text_paths[6][100];

static inline bool has(const char *name, const char *part) { return strstr(name, part) != NULL; }

static inline uint64_t pick_number(struct caller *caller, const char *function, const char *name) {
  struct rng *rng = &caller->rng;
  bool is_wait = has(function, "perform_for") || has(function, "streamed_for") || has(function, "task_wait") ||
                 strcmp(function, "netcore_download") == 0;
  if (has(name, "timeout_ms") && is_wait)  // an endless one where nothing stands in line behind this thread
    return caller->depth == 0 && per_mille(rng, 20) && !is_left_out("endless") ? UINT64_MAX : below(rng, 20);
  if (has(name, "timeout_ms") && (has(function, "response_read") || has(function, "response_wait") ||
                                  has(function, "event_source_read") || has(function, "clock_wait_idle")))
    return below(rng, 20);
  if (has(name, "bytes_per_second")) return 500000 + edge_number(rng) / 2;
  if (strcmp(name, "auth") == 0) return per_mille(rng, 100) ? 5 + edge_number(rng) % 1000 : below(rng, 4);
  if (has(name, "_bytes") || has(name, "_count")) return per_mille(rng, 500) ? below(rng, 100000) : edge_number(rng);
  return per_mille(rng, 700) ? below(rng, 4) : per_mille(rng, 300) ? below(rng, 40) : edge_number(rng);
}

static inline const char *pick_url(struct rng *rng) {
  static __thread char text[200];
  static const char *const odd[] = {"",
                                    "http://",
                                    "//",
                                    "ftp://127.0.0.1/",
                                    "http://127.0.0.1:99999/",
                                    "http:///",
                                    "http://\xe2\x98\x83/",
                                    "http://127.0.0.1:1/",
                                    "HTTP://127.0.0.1",
                                    "http://[::1/",
                                    "http://127.0.0.1:1/{id}",
                                    "http://\xff/",
                                    "javascript:0",
                                    "http://127.0.0.1:-1/",
                                    "http://user:pass@127.0.0.1:1/?a=b#c",
                                    "http://0x7f.1:1/",
                                    "1/0",
                                    "/2/0",
                                    "?",
                                    "{id}"};
  if (per_mille(rng, 150)) return PICK(rng, odd);
  bool is_https = per_mille(rng, 250);
  int port = wire_ports[is_left_out("ports") ? is_https : below(rng, 2)];
  snprintf(text, sizeof text, "%s://127.0.0.1:%d/%llu/0", is_https ? "https" : "http", port,
           (unsigned long long)below(rng, 50));
  return text;
}

static inline const char *pick_text(struct caller *caller, const char *name) {
  struct rng *rng = &caller->rng;
  static const char *const methods[] = {"GET", "GET", "GET",     "POST", "PUT", "HEAD",
                                        "",    "G T", "CONNECT", "get",  "\xff"};
  static const char *const names[] = {
      "a",   "X-Fuzz",        "id",           "",  "a b",    "Content-Length",    "Host", "\xff", "Cookie",
      "sid", "Authorization", "Content-Type", "X", "a\r\nb", "Transfer-Encoding", "Range"};
  static const char *const texts[] = {"",          "a",    "1",        "{}",  "[",   "\"a\"",     "\r\n",
                                      "\xff\xfe",  "\x01", "\xc3\xa9", "*",   "b;c", "127.0.0.1", "text/plain",
                                      "bytes=0-1", "lo",   "gzip",     "a,b", "..",  "%00",       "%zz"};
  static const char *const proxies[] = {"",  "http://",        "socks5://127.0.0.1:1", "http://127.0.0.1:1",
                                        "x", "ftp://127.0.0.1"};
  if (per_mille(rng, 30)) return NULL;
  if (per_mille(rng, 5)) return text_long;
  if (has(name, "url") || strcmp(name, "origin") == 0) return pick_url(rng);
  if (strcmp(name, "reference") == 0) return per_mille(rng, 500) ? "1/0" : PICK(rng, texts);
  if (strcmp(name, "method") == 0) return PICK(rng, methods);
  if (strcmp(name, "proxy") == 0) return PICK(rng, proxies);
  if (has(name, "file") || has(name, "folder") || has(name, "unix_socket") || strcmp(name, "path") == 0)
    return PICK(rng, text_paths);
  if (strcmp(name, "name") == 0) return PICK(rng, names);
  return PICK(rng, texts);
}

/** The file of a download, which may replace it: one of a few in the fuzzer's folder. */
static inline const char *pick_target(struct caller *caller) {
  static __thread char path[200];
  if (per_mille(&caller->rng, 30)) return NULL;
  snprintf(path, sizeof path, "%s/target-%u", fuzz.folder, (unsigned)below(&caller->rng, 8));
  return path;
}

static inline const void *pick_data(struct caller *caller, const char *function, size_t *size) {
  uint64_t way = below(&caller->rng, 20);
  *size = way < 15 ? below(&caller->rng, 2000) : way < 18 ? below(&caller->rng, DATA_BYTES) : 0;
  if (way == 19 && has(function, "set_body")) *size = ((size_t)1 << 40) + 1 + edge_number(&caller->rng) / 2;
  return *size == 0 && way % 2 == 0 ? NULL : data_zeros;
}

static inline const char *pick_cookie_text(struct caller *caller, size_t *size) {
  static const char text[] =
      "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tname\tvalue\n"
      "#HttpOnly_.127.0.0.1\tTRUE\t/\tTRUE\t99999999999999999999\ta\tb\n\xff\t\t\t\t\t\n\n127\n";
  *size = below(&caller->rng, sizeof text);
  return few(caller) ? NULL : text;
}

/** A place for text: small or of 64 MB, which is more than any text needs, and less than is said. Until leave_room() it is this call's. */
static inline char *pick_room(struct caller *caller, size_t *capacity) {
  static __thread char room[4096];
  *capacity = below(&caller->rng, sizeof room + 1);
  if (few(caller)) return NULL;
  if (!per_mille(&caller->rng, 100) || is_left_out("capacity")) return room;
  uint64_t said = SIZE_MAX - below(&caller->rng, 2) * (SIZE_MAX / 2) - below(&caller->rng, 3);
  for (unsigned i = 0; i < LARGE_ROOMS; i++) {
    if (atomic_exchange(&large_room_is_taken[i], 1) != 0) continue;
    *capacity = said;
    return large_rooms[i];
  }
  return room;
}

/** Lets other calls have a large room of pick_room(). */
static inline void leave_room(const char *room) {
  for (unsigned i = 0; i < LARGE_ROOMS; i++)
    if (room == large_rooms[i]) atomic_store(&large_room_is_taken[i], 0);
}

/** A size member that is right, or too small, or too large with zeros or something else behind the known members. */
static inline void begin_struct(struct caller *caller, void *value, size_t size) {
  uint32_t said = (uint32_t)size;
  memset(value, 0, ROOM);
  uint64_t way = below(&caller->rng, 100);
  if (way < 4)
    said = (uint32_t)below(&caller->rng, size + 1);
  else if (way < 8)
    said = (uint32_t)below(&caller->rng, ROOM + 1);
  if (way == 7) memset((char *)value + size, 1, ROOM - size);
  memcpy(value, &said, sizeof said);
}

static inline void *pick_struct(struct caller *caller, void *value) {
  return few(caller) && few(caller) ? NULL : value;
}

static inline void *pick_out(struct caller *caller, void *room, size_t size) {
  if (size > 0)
    begin_struct(caller, room, size);
  else
    memset(room, 0, ROOM);
  return per_mille(&caller->rng, 20) ? NULL : room;
}

/** The size of an element of an array: the right one most often, else one that may be of no version. */
static inline size_t pick_stride(struct caller *caller, size_t size) {
  uint64_t way = few(caller) && few(caller) ? below(&caller->rng, 4) : 4;
  if (way == 0) return below(&caller->rng, 2 * size);
  if (way == 1) return size + 8 * below(&caller->rng, 8);
  if (way == 2) return below(&caller->rng, LARGEST_STRIDE + 1);
  return way == 3 ? edge_number(&caller->rng) : size;
}

/** Two elements as far apart as is said, with zeros or something else behind each; room beyond LARGEST_STRIDE is not there. */
static inline const void *spread(struct caller *caller, const void *elements, size_t size, size_t stride) {
  static __thread _Alignas(16) unsigned char room[2 * LARGEST_STRIDE];
  if (stride > LARGEST_STRIDE) return elements;
  memset(room, few(caller), sizeof room);
  for (unsigned i = 0; i < 2; i++)
    memcpy(room + i * stride, (const char *)elements + i * size, size < stride ? size : stride);
  return room;
}

#define PICK_ARRAY(name, type, fill) \
  static inline const type *name(struct caller *caller, uint32_t *count, size_t *stride) { \
    type elements[2] = {0}; \
    for (unsigned i = 0; i < 2; i++) fill; \
    *count = (uint32_t)below(&caller->rng, 3); \
    *stride = pick_stride(caller, sizeof(type)); \
    return spread(caller, elements, sizeof(type), *stride); \
  }
PICK_ARRAY(pick_pinned_keys, netcore_pinned_keys,
           (elements[i].host = "127.0.0.1", elements[i].keys = pick_text(caller, "keys")))
PICK_ARRAY(pick_rules, netcore_cache_rule,
           (elements[i].url_pattern = i == 0 ? "*" : pick_text(caller, "pattern"),
            elements[i].ttl_ms = edge_number(&caller->rng)))
PICK_ARRAY(pick_headers, netcore_part_header,
           (elements[i].name = pick_text(caller, "name"), elements[i].value = pick_text(caller, "value")))

static inline const char *const *pick_resolve(struct caller *caller, uint32_t *count) {
  static const char *const some_texts[] = {"a:1:127.0.0.1",       "x", "a:b:c",
                                           "a:1:[::1],127.0.0.1", "",  "a:99999:127.0.0.1"};
  *count = (uint32_t)below(&caller->rng, 2);
  return some_texts + below(&caller->rng, 6);
}

/** Names and values of the parameters of an API, with a null pointer at the end. */
static inline const char *const *pick_names_and_values(struct caller *caller) {
  static const char *const some_values[] = {"id", "7", "a", "x", "id", "..", NULL};
  return some_values + 2 * below(&caller->rng, 4);
}

static inline const int32_t *pick_statuses(struct caller *caller, uint32_t *count) {
  static const int32_t some_statuses[] = {503, 404, 599, 200, -1};
  *count = (uint32_t)below(&caller->rng, 3);
  return some_statuses + below(&caller->rng, 3);
}

static inline const char *const *pick_methods(struct caller *caller, uint32_t *count) {
  static const char *const some_methods[] = {"GET", "POST", "PUT", "get", ""};
  *count = (uint32_t)below(&caller->rng, 3);
  return some_methods + below(&caller->rng, 3);
}

static inline const char *const *pick_secret_headers(struct caller *caller, uint32_t *count) {
  static const char *const some_names[] = {"X-Key", "a", ""};
  *count = (uint32_t)below(&caller->rng, 3);
  return some_names + below(&caller->rng, 2);
}

static inline const char *const *pick_tags(struct caller *caller, uint32_t *count) {
  return pick_secret_headers(caller, count);
}
static inline const char *const *pick_secret_parameters(struct caller *caller, uint32_t *count) {
  return pick_secret_headers(caller, count);
}

#define PICK_MEMBER(name, type, function) \
  static inline type name(struct caller *caller) { return per_mille(&caller->rng, 950) ? function : NULL; }
typedef size_t (*read_fn)(void *, size_t, void *);
typedef int32_t (*rewind_fn)(void *);
PICK_MEMBER(pick_netcore_reader_read, read_fn, on_read)
PICK_MEMBER(pick_netcore_reader_rewind, rewind_fn, on_rewind)

static inline void *pick_user_data_of_netcore_reader(struct caller *caller) {
  static _Atomic unsigned turns[1024];
  return &turns[below(&caller->rng, LENGTH(turns))];
}
static inline void *pick_user_data_of_netcore_retry_options(struct caller *caller) {
  return (void)caller, the_user_data;
}
static inline void *pick_user_data_of_netcore_callbacks(struct caller *caller) { return (void)caller, the_user_data; }
static inline void *pick_user_data_of_netcore_cache_options(struct caller *caller) {
  return (void)caller, the_user_data;
}

/* What makes a struct of use most often. */
static inline void adapt_netcore_client_options(netcore_client_options *value) {
  if (value->proxy == NULL) value->proxy = "";
  if (value->ca_file == NULL) value->ca_file = server_certificate();
  value->clock = 0;  // a wait for one that is not advanced would not end
}
static inline void adapt_netcore_cache_options(netcore_cache_options *value) { value->clock = 0; }
static inline void adapt_netcore_network(netcore_network *value) { (void)value; }
static inline void adapt_netcore_part_options(netcore_part_options *value) { (void)value; }
static inline void adapt_netcore_reader(netcore_reader *value) { (void)value; }
/** Waits that are allowed become short ones. */
static inline void adapt_netcore_retry_options(netcore_retry_options *value) {
  if (value->base_delay_ms <= 3600000) value->base_delay_ms = 1 + value->base_delay_ms % 20;
  if (value->throttled_delay_ms <= 3600000) value->throttled_delay_ms = 1 + value->throttled_delay_ms % 20;
  if (value->max_retry_after_ms <= 86400000) value->max_retry_after_ms = 1 + value->max_retry_after_ms % 20;
}
static inline void adapt_netcore_group_options(netcore_group_options *value) {
  value->rule &= 3;
  value->limit &= 7;
  value->drops_responses &= 1;
  value->timeout_ms &= 1023;
}

/** Hedges are sent soon. */
static inline void adapt_netcore_hedge_options(netcore_hedge_options *value) {
  if (value->min_delay_ms <= 3600000) value->min_delay_ms = 1 + value->min_delay_ms % 3;
  if (value->initial_delay_ms <= 3600000) value->initial_delay_ms = 1 + value->initial_delay_ms % 5;
}
static inline void adapt_netcore_breaker_options(netcore_breaker_options *value) {
  if (value->open_ms <= 3600000) value->open_ms = value->max_open_ms = 1 + value->open_ms % 20;
}
static inline void adapt_netcore_failover_options(netcore_failover_options *value) {
  if (value->min_tries <= 1000000) value->min_tries = 1 + value->min_tries % 20;
}
static inline void adapt_netcore_min_interval(netcore_min_interval *value) {
  if (value->interval_ms <= 86400000) value->interval_ms = 1 + value->interval_ms % 20;
}
static inline void adapt_netcore_stub(netcore_stub *value) {
  if (value->body_kind != NETCORE_STUB_BODY_ANY) value->body = data_zeros, value->body_size_bytes %= DATA_BYTES;
}
/** Delays that no call waits for too long. */
static inline void adapt_netcore_stub_answer(netcore_stub_answer *value) {
  value->body = data_zeros, value->body_size_bytes %= DATA_BYTES;
  value->delay_ms %= 20, value->delay_max_ms %= 40, value->piece_delay_ms %= 3;
  if (value->piece_size_bytes < DATA_BYTES / 8) value->piece_size_bytes = 0;
  if (value->fault == NETCORE_STUB_FAULT_SILENCE || value->fault == NETCORE_STUB_FAULT_STALL) value->fault = 0;
}
static inline void adapt_netcore_cache_value_options(netcore_cache_value_options *value) { (void)value; }
static inline void adapt_netcore_callbacks(netcore_callbacks *value) { (void)value; }
static inline void adapt_netcore_clock_options(netcore_clock_options *value) { (void)value; }
static inline void adapt_netcore_cassette_options(netcore_cassette_options *value) { (void)value; }
static inline void adapt_netcore_page_options(netcore_page_options *value) {
  static const char *const pointers[] = {"/items", "", "/a~1b/0", "items"};
  if (value->items != NULL) value->items = pointers[value->page_size % LENGTH(pointers)];
  if (value->next != NULL) value->next = pointers[value->max_items % LENGTH(pointers)];
  value->reserved = 0;
}
static inline void adapt_netcore_error_row(netcore_error_row *value) {
  if (value->code == 0) value->code = NETCORE_APPLICATION_CODE_FIRST;
  if (value->http_status == 0) value->http_status = 404;
  value->reserved = 0;
}
static inline void adapt_netcore_api_param(netcore_api_param *value) {
  static const char *const types[] = {"string?", "integer", "any", "[\"string\"]", "x"};
  static const char *const values[] = {"1", "\"a\"", "null", "{"};
  if (value->name == NULL) value->name = "id";
  if (value->type != NULL) value->type = types[strlen(value->type) % LENGTH(types)];
  if (value->default_value != NULL) value->default_value = values[strlen(value->default_value) % LENGTH(values)];
}
static inline void adapt_netcore_rate(netcore_rate *value) {
  if (value->interval_ms <= 86400000) value->interval_ms = 1 + value->interval_ms % 20;
}
static inline void adapt_netcore_download_options(netcore_download_options *value) {
  if (value->resumes != 0 && value->resumes != UINT32_MAX) value->resumes = 1;
  value->skip_sync = 1;
  value->segments %= 17;
}
static inline void adapt_netcore_event_source_options(netcore_event_source_options *value) {
  if (value->retry_ms <= 3600000) value->retry_ms = 1 + value->retry_ms % 20;
  value->reserved = 0;
}
static inline void adapt_netcore_cookie(netcore_cookie *value) {
  if (value->name == NULL) value->name = "name";
  if (value->value == NULL) value->value = "value";
  if (value->domain == NULL) value->domain = "127.0.0.1";
  if (value->expires == 0) value->expires = -1;
}

/** Before the threads start: the pieces that arguments point to. */
static inline void arguments_prepare(void) {
  static const char *const names[6] = {"file", "calls0", "none/none", "cookies", "ca.pem", ""};
  memset(text_long, 'a', sizeof text_long - 1);
  for (int i = 0; i < 6; i++) snprintf(text_paths[i], sizeof text_paths[0], "%s/%s", fuzz.folder, names[i]);
  FILE *file = fopen(text_paths[0], "w");
  if (file == NULL || fputs("user password file\n", file) < 0 || fclose(file) != 0) fuzz_fail(text_paths[0]);
  for (unsigned i = 0; i < LARGE_ROOMS; i++) {
    large_rooms[i] =
        mmap(NULL, LARGE_ROOM_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (large_rooms[i] == MAP_FAILED) fuzz_fail("mmap");
  }
}

#endif
