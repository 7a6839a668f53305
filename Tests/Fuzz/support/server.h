/** The scripted server: a process with a thread for each connection, on two ports, plain and TLS on both. */
#ifndef NETCORE_FUZZ_SERVER_H
#define NETCORE_FUZZ_SERVER_H

#include "answer.h"
#include "server_h2.h"
#include "wire.h"

enum { SERVER_CONNECTIONS = 300 };
static int server_listeners[2];
static _Atomic int server_open;

static inline const char *server_certificate(void) {
  static char path[80];
  snprintf(path, sizeof path, "%s/ca.pem", fuzz.folder);
  return path;
}

/** Before the processes part: ports and a certificate. */
static inline void server_prepare(void) {
  for (int i = 0; i < 2; i++) server_listeners[i] = listen_anywhere(&wire_ports[i]);
  wire_prepare_tls(server_certificate());
  answer_prepare_bomb();
  if (!hpack_load()) fuzz_fail("libnghttp2.so.14");
}

/** How a request's body comes. */
struct request_body {
  bool is_chunked, expects_continue;
  uint64_t length;
};

static inline bool head_read(struct wire *wire, struct asked *asked, struct request_body *body) {
  char *end = NULL;
  while (wire->seen.size == 0 || (end = memmem(wire->seen.data, wire->seen.size, "\r\n\r\n", 4)) == NULL)
    if (!wire_read(wire, 4000)) return false;
  *end = '\0';
  const char *head = (const char *)wire->seen.data, *target = strchr(head, ' '), *field;
  unsigned long long number = CASE_UNNUMBERED;
  *asked = (struct asked){.is_head = strncmp(head, "HEAD", 4) == 0, .is_loose = wire->is_loose};
  *body = (struct request_body){.is_chunked = strcasestr(head, "\r\ntransfer-encoding: chunked") != NULL,
                                .expects_continue = strcasestr(head, "\r\nexpect: 100") != NULL};
  if (target != NULL) sscanf(target, " /%llu/%u", &number, &asked->hop);
  asked->number = number;
  asked->is_conditional = strcasestr(head, "\r\nif-none-match:") != NULL;
  if ((field = strcasestr(head, "\r\ncontent-length:")) != NULL) body->length = strtoull(field + 17, NULL, 10);
  wire_use(wire, (size_t)(end - head) + 4);
  return true;
}

static inline bool line_read(struct wire *wire, char *line, size_t size) {
  unsigned char *end;
  while (wire->seen.size == 0 || (end = memchr(wire->seen.data, '\n', wire->seen.size)) == NULL)
    if (!wire_read(wire, 4000)) return false;
  size_t length = (size_t)(end - wire->seen.data);
  snprintf(line, size, "%.*s", (int)length, (const char *)wire->seen.data);
  wire_use(wire, length + 1);
  return true;
}

static inline bool bytes_skip(struct wire *wire, uint64_t length) {
  while (length > 0) {
    size_t size = wire->seen.size < length ? wire->seen.size : (size_t)length;
    wire_use(wire, size);
    length -= size;
    if (length > 0 && !wire_read(wire, 4000)) return false;
  }
  return true;
}

static inline bool body_read(struct wire *wire, const struct request_body *body) {
  char line[200];
  if (!body->is_chunked) return bytes_skip(wire, body->length);
  for (;;) {
    if (!line_read(wire, line, sizeof line)) return false;
    uint64_t size = strtoull(line, NULL, 16);
    if (size == 0) break;
    if (!bytes_skip(wire, size + 2)) return false;
  }
  do {
    if (!line_read(wire, line, sizeof line)) return false;
  } while (line[0] != '\0' && line[0] != '\r');
  return true;
}

static inline bool answer_send(struct wire *wire, const struct answer *answer, struct rng *rng) {
  const unsigned char *next = answer->text.data;
  size_t left = answer->text.size;
  for (unsigned pieces = 0; answer->in_pieces && left > 0 && pieces < 20; pieces++) {
    size_t size = 1 + below(rng, left < 200 ? left : 200);
    if (!wire_write(wire, next, size)) return false;
    next += size;
    left -= size;
    if (per_mille(rng, 300)) pause_us((unsigned)below(rng, 3000));
  }
  return wire_write(wire, next, left);
}

/** Sends bytes on a connection that rests, unless a request has come. */
static inline void speak_unasked(struct wire *wire, unsigned after_us, struct rng *rng) {
  static const char *const pieces[] = {
      "\r\n",     "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n", "x", "\0", "HTTP/1.1 200 OK\r\n",
      "0\r\n\r\n"};
  struct bytes text = {0};
  pause_us(after_us);
  if (per_mille(rng, 500)) {
    bytes_text(&text, "HTTP/1.1 200 OK\r\nContent-Length: 36\r\n\r\n");
    token_add(&text, CASE_UNASKED, TOKEN_LOOSE);
  } else {
    bytes_text(&text, PICK(rng, pieces));
  }
  wire_write(wire, text.data, text.size);
  bytes_free(&text);
}

/** Answers requests by HTTP/1.1 until the connection ends; returns whether to reset it. */
static inline bool serve_requests(struct wire *wire, struct rng *rng) {
  struct asked asked;
  struct request_body body;
  while (head_read(wire, &asked, &body)) {
    struct answer answer;
    if (asked.is_loose) atomic_store(&fuzz.shared->marks[asked.number % FUZZ_MARKS], 1);
    answer_make(&answer, &asked);
    wire->is_loose |= answer.loosens || answer.unasked_after_us > 0;
    COUNT("answers");
    bytes_fill(&answer.text, 0, 1), answer.text.size--;  // ends the text for the note
    fuzz_note("connection %d case %llu hop %u%s%s: %.400s", wire->fd, (unsigned long long)asked.number, asked.hop,
              asked.is_head ? " head" : "", asked.is_conditional ? " conditional" : "", (const char *)answer.text.data);
    if (body.expects_continue && !answer.is_early) wire_write(wire, "HTTP/1.1 100 Continue\r\n\r\n", 25);
    bool is_fine = (answer.is_early || body_read(wire, &body)) && answer_send(wire, &answer, rng) &&
                   (!answer.is_early || answer.resets || body_read(wire, &body));
    if (is_fine && answer.unasked_after_us > 0) speak_unasked(wire, answer.unasked_after_us, rng);
    bytes_free(&answer.text);
    if (!is_fine || answer.closes || answer.resets) return answer.resets;
  }
  return false;
}

static inline void *serve_connection(void *argument) {
  struct wire wire;
  int fd = (int)(intptr_t)argument;
  struct rng rng = {mix(fuzz.seed ^ fuzz.shared->notes ^ ((uint64_t)fd << 32))};
  bool by_reset = !all_cases_are_plain && per_mille(&rng, 5);
  if (wire_begin(&wire, fd) && !by_reset) {
    if (wire_speaks_h2(&wire))
      serve_h2(&wire, &rng);
    else
      by_reset = serve_requests(&wire, &rng);
  }
  wire_close(&wire, by_reset);
  ERR_clear_error();
  atomic_fetch_sub(&server_open, 1);
  return NULL;
}

static inline void server_run(void) {
  pthread_attr_t attributes;
  signal(SIGPIPE, SIG_IGN);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  for (;;) {
    struct pollfd wanted[2] = {{server_listeners[0], POLLIN, 0}, {server_listeners[1], POLLIN, 0}};
    poll(wanted, 2, -1);
    for (int i = 0; i < 2; i++) {
      pthread_t thread;
      int fd = wanted[i].revents == 0 ? -1 : accept4(server_listeners[i], NULL, NULL, SOCK_CLOEXEC);
      if (fd < 0) continue;
      COUNT("connections");
      if (atomic_fetch_add(&server_open, 1) < SERVER_CONNECTIONS &&
          pthread_create(&thread, &attributes, serve_connection, (void *)(intptr_t)fd) == 0)
        continue;
      atomic_fetch_sub(&server_open, 1);
      close(fd);
    }
  }
}

#endif
