/** Bodies to send: the same bytes as a file, by a reader that counts its calls, and as the digest of what must arrive. */
#ifndef NETCORE_TESTS_BODY_H
#define NETCORE_TESTS_BODY_H

#include <fcntl.h>

#include "answer.h"
#include "check.h"
#include "door.h"
#include "wait.h"

/** Byte i of every body: nothing that repeats, or packs. */
static inline unsigned char body_byte(size_t i) {
  uint32_t mixed = (uint32_t)i;
  mixed = (mixed ^ mixed >> 16) * 0x7FEB352Du;
  mixed = (mixed ^ mixed >> 15) * 0x846CA68Bu;
  return (unsigned char)(mixed ^ mixed >> 16);
}

static inline void body_fill(void *bytes, size_t start, size_t size) {
  for (size_t i = 0; i < size; i++) ((unsigned char *)bytes)[i] = body_byte(start + i);
}

/** A file with the first `size` bytes, in a folder of temporary files. Remove and free its path by file_remove(). */
static inline char *file_new(size_t size) {
  static unsigned char piece[64 << 10];
  const char *folder = getenv("TMPDIR");
  char *path = malloc(4096);
  REQUIRE(path != NULL);
  snprintf(path, 4096, "%s/netcore-body-XXXXXX", folder == NULL ? "/tmp" : folder);
  int file = mkstemp(path);
  REQUIRE(file >= 0);
  for (size_t done = 0; done < size;) {
    size_t part = size - done < sizeof piece ? size - done : sizeof piece;
    body_fill(piece, done, part);
    REQUIRE(write(file, piece, part) == (ssize_t)part);
    done += part;
  }
  close(file);
  return path;
}

static inline void file_remove(char *path) {
  unlink(path);
  free(path);
}

/** Appends the SHA-256 of a file, as the server says it in JSON. */
static inline void file_digest(const char *path, char *text, size_t size) {
  char command[4200], digest[65] = "";
  snprintf(command, sizeof command, "sha256sum <'%s'", path);
  FILE *output = popen(command, "r");
  REQUIRE(output != NULL && fscanf(output, "%64s", digest) == 1);
  pclose(output);
  snprintf(text, size, "\"sha256\": \"%s\"", digest);
}

/** A reader of the first `size` bytes, and what was done with it. Lives until it is released. */
struct source {
  size_t size, offset;
  /** How many bytes it gives at a time; 0 for as many as there is room for. */
  size_t at_once;
  /** Once it has given as much as this: 0 for nothing special. */
  size_t fails_at, overfills_at, blocks_at;
  bool cannot_rewind;
  unsigned reads, rewinds, releases;
  int inside;
  /** Raised when it blocks; it does so until `leave` is. */
  struct tally blocked, leave;
};

#define SOURCE(bytes) {.size = (bytes), .blocked = TALLY_INITIAL, .leave = TALLY_INITIAL}

static inline size_t source_give(struct source *source, unsigned char *buffer, size_t room) {
  if (source->fails_at > 0 && source->offset >= source->fails_at) return NETCORE_READ_FAILED;
  if (source->overfills_at > 0 && source->offset >= source->overfills_at) return room + 1;
  if (source->blocks_at > 0 && source->offset >= source->blocks_at) {
    tally_raise(&source->blocked);
    CHECK(tally_reaches(&source->leave, 1, patience_ms()));
    source->blocks_at = 0;
  }
  size_t left = source->size - source->offset, size = left < room ? left : room;
  if (source->at_once > 0 && size > source->at_once) size = source->at_once;
  body_fill(buffer, source->offset, size);
  source->offset += size;
  return size;
}

static inline size_t source_read(void *buffer, size_t capacity_bytes, void *user_data) {
  struct source *source = user_data;
  CHECK_EQUAL(__atomic_fetch_add(&source->inside, 1, __ATOMIC_SEQ_CST), 0);
  CHECK(capacity_bytes > 0);
  __atomic_add_fetch(&source->reads, 1, __ATOMIC_SEQ_CST);
  size_t size = source_give(source, buffer, capacity_bytes);
  __atomic_sub_fetch(&source->inside, 1, __ATOMIC_SEQ_CST);
  return size;
}

static inline int32_t source_rewind(void *user_data) {
  struct source *source = user_data;
  CHECK_EQUAL(__atomic_fetch_add(&source->inside, 1, __ATOMIC_SEQ_CST), 0);
  CHECK(__atomic_load_n(&source->reads, __ATOMIC_SEQ_CST) > 0);
  __atomic_add_fetch(&source->rewinds, 1, __ATOMIC_SEQ_CST);
  source->offset = 0;
  __atomic_sub_fetch(&source->inside, 1, __ATOMIC_SEQ_CST);
  return source->cannot_rewind ? -1 : 0;
}

static inline void source_release(void *user_data) {
  struct source *source = user_data;
  CHECK_EQUAL(__atomic_load_n(&source->inside, __ATOMIC_SEQ_CST), 0);
  __atomic_add_fetch(&source->releases, 1, __ATOMIC_SEQ_CST);
}

static inline netcore_reader source_reader(struct source *source) {
  netcore_reader reader = {sizeof reader, source_read, source_rewind, source, source_release};
  return reader;
}

static inline unsigned source_releases(struct source *source) {
  return __atomic_load_n(&source->releases, __ATOMIC_SEQ_CST);
}

/** By now no request and no task has it: it is released, once, whichever thread had it last. */
static inline void source_check_released(struct source *source) {
  WAIT_UNTIL(source_releases(source) > 0);
  CHECK_EQUAL(source_releases(source), 1);
}

static inline void set_source(netcore_request request, struct source *source, uint64_t length) {
  netcore_reader reader = source_reader(source);
  CHECK_OK(netcore_request_set_body_reader(request, &reader, length));
}

/** Sends a request that will fail, and destroys it: the status, and a word of the message. */
static inline void check_body_fails(netcore_client client, netcore_request request, netcore_status status,
                                    const char *word) {
  struct answer answer = perform_once(client, request);
  CHECK_STATUS(answer.status, status);
  if (!CHECK(bytes_have(answer.error.message, word)))
    fprintf(stderr, "    \"%s\" is not in: %s\n", word, (const char *)answer.error.message.data);
  answer_free(&answer);
}

/** How many bodies with a mark the server for uploads has seen whole, or cut. */
static inline long uploads_seen(netcore_client client, const char *mark, const char *which) {
  char path[200];
  snprintf(path, sizeof path, "/seen?mark=%s-%ld", mark, (long)getpid());
  struct answer answer = fetch(client, at(UPLOADS, path));
  long count = json_number(answer.info.body, which);
  answer_free(&answer);
  return count;
}

/** A client that trusts the peers' authority. */
static inline netcore_client body_client(void) {
  netcore_client_options options = {.size = sizeof options, .ca_file = peer(CA_FILE)};
  netcore_client client = 0;
  REQUIRE_OK(netcore_client_create(&options, &client));
  return client;
}

#endif
