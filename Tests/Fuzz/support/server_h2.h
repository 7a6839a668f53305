/** The scripted server by HTTP/2: answers in frames that are interleaved, damaged, or none that anybody asked for. */
#ifndef NETCORE_FUZZ_SERVER_H2_H
#define NETCORE_FUZZ_SERVER_H2_H

#include <dlfcn.h>

#include "answer.h"
#include "wire.h"

enum { H2_DATA, H2_HEADERS, H2_PRIORITY, H2_RST, H2_SETTINGS, H2_PUSH, H2_PING, H2_GOAWAY, H2_WINDOW, H2_CONTINUATION };
enum { H2_END_STREAM = 1, H2_ACK = 1, H2_END_HEADERS = 4, H2_PADDED = 8, H2_HAS_PRIORITY = 32, H2_WAITING = 16 };

/** Reads header fields: libnghttp2's decoder, which libcurl brings along without its headers. */
struct hpack_field {
  uint8_t *name, *value;
  size_t name_size, value_size;
  uint8_t flags;
};
static int (*hpack_new)(void **);
static void (*hpack_delete)(void *);
static ssize_t (*hpack_next)(void *, struct hpack_field *, int *, const uint8_t *, size_t, int);
static int (*hpack_end)(void *);

static inline bool hpack_load(void) {
  void *library = dlopen("libnghttp2.so.14", RTLD_NOW);
  if (library == NULL) return false;
  *(void **)&hpack_new = dlsym(library, "nghttp2_hd_inflate_new");
  *(void **)&hpack_delete = dlsym(library, "nghttp2_hd_inflate_del");
  *(void **)&hpack_next = dlsym(library, "nghttp2_hd_inflate_hd2");
  *(void **)&hpack_end = dlsym(library, "nghttp2_hd_inflate_end_headers");
  return hpack_new != NULL && hpack_delete != NULL && hpack_next != NULL && hpack_end != NULL;
}

/** A stream: what it asked for, and frames of the answer that are still to go, one after the other. */
struct h2_stream {
  uint32_t id;
  struct asked asked;
  bool is_ready;
  struct bytes frames;
  size_t sent;
};

struct h2 {
  struct wire *wire;
  struct rng *rng;
  void *hpack;
  struct bytes block;
  uint32_t block_stream;
  bool block_ends_stream;
  struct h2_stream streams[H2_WAITING];
  unsigned count;
  /** Frames were damaged: what arrives where is nobody's fault from here on. */
  bool is_damaged;
};

static inline void frame_add(struct bytes *out, int type, int flags, uint32_t stream, const void *data, size_t size) {
  unsigned char head[9] = {(unsigned char)(size >> 16),   (unsigned char)(size >> 8),   (unsigned char)size,
                           (unsigned char)type,           (unsigned char)flags,         (unsigned char)(stream >> 24),
                           (unsigned char)(stream >> 16), (unsigned char)(stream >> 8), (unsigned char)stream};
  bytes_add(out, head, sizeof head);
  bytes_add(out, data, size);
}

static inline void number_add(struct bytes *out, uint64_t number, unsigned bytes) {
  while (bytes-- > 0) bytes_fill(out, (int)(number >> (8 * bytes) & 255), 1);
}

/** Adds a length of HPACK, with a prefix of seven bits. */
static inline void hpack_length(struct bytes *out, size_t length) {
  if (length < 127) {
    bytes_fill(out, (int)length, 1);
    return;
  }
  bytes_fill(out, 127, 1);
  for (length -= 127; length >= 128; length >>= 7) bytes_fill(out, (int)(length & 127) | 128, 1);
  bytes_fill(out, (int)length, 1);
}

static inline void hpack_add(struct bytes *out, const char *name, const void *value, size_t size) {
  char lower[64];
  size_t length = strlen(name);
  for (size_t i = 0; i <= length && i < sizeof lower - 1; i++)
    lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
  bytes_fill(out, 0, 1);
  hpack_length(out, length);
  bytes_add(out, lower, length);
  hpack_length(out, size);
  bytes_add(out, value, size);
}

/** The answer's header section, and its body in `coded`. */
static inline void h2_fields(struct bytes *block, struct bytes *coded, const struct asked *asked, int kind,
                             struct rng *rng) {
  static const char *const codes[] = {"200", "200", "200", "200", "204", "206", "301", "302", "307", "304",  "401",
                                      "404", "500", "100", "103", "101", "0",   "",    "999", "20",  "2000", "-1"};
  struct traits traits = case_traits(asked->number);
  struct bytes body = {0};
  char text[64];
  case_body(&body, asked->number, kind);
  code_add(coded, &body, traits.coding);
  bytes_free(&body);
  const char *code = traits.is_plain ? (asked->is_conditional ? "304" : "200") : PICK(rng, codes);
  hpack_add(block, ":status", code, strlen(code));
  if (traits.coding != CODING_NONE)
    hpack_add(block, "content-encoding", coding_names[traits.coding], strlen(coding_names[traits.coding]));
  snprintf(text, sizeof text, "\"%llu\"", (unsigned long long)asked->number);
  hpack_add(block, "etag", text, strlen(text));
  if (traits.is_plain) return;
  for (uint64_t count = below(rng, 10); count > 0; count--) {
    struct bytes value = {0};
    const char *name = "";
    field_add_known(&value, &name, rng, asked->number, asked->hop);
    hpack_add(block, name, value.data, value.size);
    bytes_free(&value);
  }
  if (per_mille(rng, 50)) hpack_add(block, "Upper", "x", 1), hpack_add(block, ":odd", "x", 1);
  if (per_mille(rng, 50) && !is_left_out("oddh2")) bytes_damage(block, 0, rng);
}

/** Frames that fit nowhere. */
static inline void h2_odd_frame(struct bytes *out, uint32_t stream, struct rng *rng) {
  if (is_left_out("oddh2")) return;
  static const uint32_t streams[] = {0, 2, 4, 0x7fffffff, 0x80000000, 0xffffffff};
  struct bytes text = {0};
  for (uint64_t size = below(rng, 20); size > 0; size--) number_add(&text, rng_next(rng), 1);
  uint32_t other = per_mille(rng, 500) ? stream : PICK(rng, streams);
  switch (below(rng, 8)) {
    case 0:
      frame_add(out, (int)below(rng, 12), (int)below(rng, 256), other, text.data, text.size);
      break;
    case 1:
      text.size = 0;
      for (uint64_t count = below(rng, 6); count > 0; count--)
        number_add(&text, below(rng, 9), 2), number_add(&text, edge_number(rng), 4);
      frame_add(out, H2_SETTINGS, 0, 0, text.data, text.size);
      break;
    case 2:
      text.size = 0;
      number_add(&text, edge_number(rng), 4);
      frame_add(out, per_mille(rng, 500) ? H2_WINDOW : H2_RST, 0, other, text.data, 4);
      break;
    case 3:
      text.size = 0;
      number_add(&text, edge_number(rng), 4), number_add(&text, below(rng, 14), 4);
      frame_add(out, H2_GOAWAY, 0, 0, text.data, 8);
      break;
    case 4:
      frame_add(out, H2_PING, (int)below(rng, 2), 0, "12345678", 8);
      break;
    case 5:
      frame_add(out, H2_PUSH, H2_END_HEADERS, stream, "\0\0\0\2\x82\x86\x84", 7);
      break;
    case 6:
      for (uint64_t count = below(rng, 200); count > 0; count--) frame_add(out, H2_CONTINUATION, 0, stream, "", 0);
      break;
    default:
      for (uint64_t count = below(rng, 200); count > 0; count--) frame_add(out, H2_DATA, 0, stream, "", 0);
  }
  bytes_free(&text);
}

/** Makes the frames of an answer. */
static inline void h2_answer(struct h2 *h2, struct h2_stream *stream) {
  struct asked *asked = &stream->asked;
  struct rng rng = case_rng(asked->number, 1000 + asked->hop * 4 + asked->is_conditional * 2 + asked->is_head);
  bool is_plain = case_traits(asked->number).is_plain,
       damages = !is_plain && !is_left_out("oddh2") && h2->count == 1 && per_mille(&rng, 250);
  struct bytes block = {0}, coded = {0};
  if (damages) h2->is_damaged = true;
  if (h2->is_damaged) atomic_store(&fuzz.shared->marks[asked->number % FUZZ_MARKS], 1);
  h2_fields(&block, &coded, asked, h2->is_damaged ? TOKEN_LOOSE : TOKEN_STRICT, &rng);
  bool has_body = !asked->is_head && !asked->is_conditional;
  // libcurl 7.88 loses the end of a longer body that trailers follow, and says OK: left to `--without none`.
  bool has_trailer = has_body && per_mille(&rng, 100);
  size_t cut = per_mille(&rng, 200) ? below(&rng, block.size) : block.size;
  frame_add(&stream->frames, H2_HEADERS, (has_body ? 0 : H2_END_STREAM) | (cut == block.size ? H2_END_HEADERS : 0),
            stream->id, block.data, cut);
  if (cut < block.size)
    frame_add(&stream->frames, H2_CONTINUATION, H2_END_HEADERS, stream->id, block.data + cut, block.size - cut);
  for (size_t at = 0; has_body && at <= coded.size;) {
    size_t size = 1 + below(&rng, 16384);
    if (size > coded.size - at) size = coded.size - at;
    bool is_last = at + size == coded.size;
    frame_add(&stream->frames, H2_DATA, is_last && !has_trailer ? H2_END_STREAM : 0, stream->id, coded.data + at, size);
    if (is_last) break;
    at += size;
    if (!is_plain && per_mille(&rng, 50)) h2_odd_frame(&stream->frames, stream->id, &rng);
  }
  if (has_trailer) frame_add(&stream->frames, H2_HEADERS, 5, stream->id, "\0\3x-t\0011", 7);
  for (uint64_t odd = !is_plain && per_mille(&rng, 200) ? 1 + below(&rng, 3) : 0; odd > 0; odd--)
    h2_odd_frame(&stream->frames, stream->id, &rng);
  if (damages) bytes_damage(&stream->frames, 0, &rng);
  bytes_free(&block), bytes_free(&coded);
  stream->is_ready = true;
  COUNT("answers_h2");
  fuzz_note("h2 case %llu hop %u stream %u: %zu bytes%s", (unsigned long long)asked->number, asked->hop, stream->id,
            stream->frames.size, damages ? ", damaged" : "");
}

/** The bytes of the next frame, and of the continuations of a header section, between which nothing may come. */
static inline size_t frames_together(const unsigned char *frames, size_t left) {
  size_t size = 0;
  bool goes_on = true;
  while (goes_on && left - size >= 9) {
    const unsigned char *head = frames + size;
    bool is_section = head[3] == H2_HEADERS || head[3] == H2_CONTINUATION || head[3] == H2_PUSH;
    goes_on = is_section && (head[4] & H2_END_HEADERS) == 0;
    size += 9 + ((size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2]);
    if (size > left) return left;
  }
  return goes_on ? left : size;
}

/** Sends one frame of one answer that is ready; after damage, all that is left of it. */
static inline bool h2_send_some(struct h2 *h2) {
  unsigned start = (unsigned)below(h2->rng, h2->count == 0 ? 1 : h2->count);
  for (unsigned i = 0; i < h2->count; i++) {
    unsigned index = (start + i) % h2->count;
    struct h2_stream *stream = &h2->streams[index];
    if (!stream->is_ready) continue;
    const unsigned char *next = stream->frames.data + stream->sent;
    size_t left = stream->frames.size - stream->sent, size = h2->is_damaged ? left : frames_together(next, left);
    if (!wire_write(h2->wire, next, size)) return false;
    stream->sent += size;
    if (stream->sent == stream->frames.size) {
      bytes_free(&stream->frames);
      h2->streams[index] = h2->streams[--h2->count];
    }
    return true;
  }
  return true;
}

static inline struct h2_stream *h2_stream_of(struct h2 *h2, uint32_t id) {
  for (unsigned i = 0; i < h2->count; i++)
    if (h2->streams[i].id == id) return &h2->streams[i];
  return NULL;
}

/** Decodes a whole header section. False where nobody could go on. */
static inline bool h2_asked(struct h2 *h2) {
  struct asked asked = {.number = CASE_UNNUMBERED};
  const uint8_t *next = h2->block.data;
  size_t left = h2->block.size;
  int flags = 0;
  do {
    struct hpack_field field;
    ssize_t used = hpack_next(h2->hpack, &field, &flags, next, left, 1);
    if (used < 0) return false;
    next += used;
    left -= (size_t)used;
    if ((flags & 2) == 0) continue;  // no field was finished
    unsigned long long number;
    if (field.name_size == 5 && memcmp(field.name, ":path", 5) == 0 &&
        sscanf((const char *)field.value, "/%llu/%u", &number, &asked.hop) >= 1)
      asked.number = number;
    if (field.name_size == 7 && memcmp(field.name, ":method", 7) == 0) asked.is_head = field.value[0] == 'H';
    if (field.name_size == 13 && memcmp(field.name, "if-none-match", 13) == 0) asked.is_conditional = true;
  } while ((flags & 1) == 0 && (left > 0 || (flags & 2) != 0));
  hpack_end(h2->hpack);
  h2->block.size = 0;
  if (h2_stream_of(h2, h2->block_stream) != NULL) return true;  // trailers
  if (h2->count == H2_WAITING) return false;
  struct h2_stream *stream = &h2->streams[h2->count++];
  *stream = (struct h2_stream){.id = h2->block_stream, .asked = asked};
  bool is_early = !case_traits(asked.number).is_plain && asked.number % 5 == 0;
  if (h2->block_ends_stream || is_early) h2_answer(h2, stream);
  return true;
}

static inline bool h2_data(struct h2 *h2, uint32_t id, int flags, size_t size) {
  struct bytes windows = {0}, number = {0};
  if (size > 0) {
    number_add(&number, size, 4);
    frame_add(&windows, H2_WINDOW, 0, 0, number.data, 4);
    if ((flags & H2_END_STREAM) == 0) frame_add(&windows, H2_WINDOW, 0, id, number.data, 4);
  }
  bool is_fine = wire_write(h2->wire, windows.data, windows.size);
  bytes_free(&windows), bytes_free(&number);
  struct h2_stream *stream = h2_stream_of(h2, id);
  if (stream != NULL && (flags & H2_END_STREAM) != 0 && !stream->is_ready) h2_answer(h2, stream);
  return is_fine;
}

static inline bool h2_take(struct h2 *h2, int type, int flags, uint32_t id, const unsigned char *data, size_t size) {
  struct bytes answer = {0};
  size_t skipped = 0, padding = 0;
  switch (type) {
    case H2_HEADERS:
      if ((flags & H2_PADDED) != 0) padding = data[0], skipped = 1;
      if ((flags & H2_HAS_PRIORITY) != 0) skipped += 5;
      if (skipped + padding > size) return false;
      h2->block_stream = id;
      h2->block_ends_stream = (flags & H2_END_STREAM) != 0;
      bytes_add(&h2->block, data + skipped, size - skipped - padding);
      return (flags & H2_END_HEADERS) == 0 || h2_asked(h2);
    case H2_CONTINUATION:
      bytes_add(&h2->block, data, size);
      return (flags & H2_END_HEADERS) == 0 || h2_asked(h2);
    case H2_DATA:
      return h2_data(h2, id, flags, size);
    case H2_SETTINGS:
    case H2_PING:
      if ((flags & H2_ACK) != 0) return true;
      frame_add(&answer, type, H2_ACK, 0, data, type == H2_PING ? size : 0);
      break;
    case H2_RST: {
      struct h2_stream *stream = h2_stream_of(h2, id);
      if (stream == NULL) return true;
      bytes_free(&stream->frames);
      *stream = h2->streams[--h2->count];
      return true;
    }
    default:
      return true;
  }
  bool is_fine = wire_write(h2->wire, answer.data, answer.size);
  bytes_free(&answer);
  return is_fine;
}

static inline bool h2_take_all(struct h2 *h2) {
  while (h2->wire->seen.size >= 9) {
    const unsigned char *head = h2->wire->seen.data;
    size_t size = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
    uint32_t id = ((uint32_t)head[5] << 24 | (uint32_t)head[6] << 16 | (uint32_t)head[7] << 8 | head[8]) & 0x7fffffff;
    if (h2->wire->seen.size < size + 9) return true;
    bool is_fine = h2_take(h2, head[3], head[4], id, head + 9, size);
    wire_use(h2->wire, size + 9);
    if (!is_fine) return false;
  }
  return true;
}

/** Answers requests by HTTP/2 until the connection ends. */
static inline void serve_h2(struct wire *wire, struct rng *rng) {
  struct h2 h2 = {.wire = wire, .rng = rng};
  static const unsigned char settings[] = {0, 0, 6, H2_SETTINGS, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, H2_WAITING};
  if (hpack_new(&h2.hpack) != 0) return;
  bool is_fine = wire_write(wire, settings, sizeof settings);
  while (is_fine && wire->seen.size < 24) is_fine = wire_read(wire, 4000);
  if (is_fine) wire_use(wire, 24);
  while (is_fine && h2_take_all(&h2)) {
    bool has_ready = false;
    for (unsigned i = 0; i < h2.count; i++) has_ready |= h2.streams[i].is_ready;
    if (has_ready && !wire_waits(wire, per_mille(rng, 100) ? 1 : 0))
      is_fine = h2_send_some(&h2);
    else
      is_fine = wire_read(wire, 4000);
  }
  for (unsigned i = 0; i < h2.count; i++) bytes_free(&h2.streams[i].frames);
  bytes_free(&h2.block);
  hpack_delete(h2.hpack);
}

#endif
