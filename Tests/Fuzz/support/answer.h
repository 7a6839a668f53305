/** Answers by HTTP/1.1: whole and right ones, and all others. */
#ifndef NETCORE_FUZZ_ANSWER_H
#define NETCORE_FUZZ_ANSWER_H

#include "fields.h"

/** What was asked for. */
struct asked {
  uint64_t number;
  unsigned hop;
  bool is_head, is_conditional;
  /** Bytes went over this connection that may have been taken for an answer: what arrives where is nobody's fault. */
  bool is_loose;
};

/** An answer and how it is sent. */
struct answer {
  struct bytes text;
  /** Leaves the connection loose: what follows the answer's end may come when the connection is used again. */
  bool loosens;
  /** Sent in pieces with pauses; answered before the request's body was read. */
  bool in_pieces, is_early;
  /** What is done with the connection then. */
  bool closes, resets;
  /** Bytes that nobody asked for come after so many microseconds of rest, if not 0. */
  unsigned unasked_after_us;
};

/** A body of 13 KB: gzip three times, around a file name of 8 GB. */
static struct bytes answer_bomb;

static inline void answer_prepare_bomb(void) {
  struct bytes name = {0}, once = {0}, many = {0};
  static const unsigned char member[] = {31, 139, 8, 8, 0, 0, 0, 0, 0, 3};
  z_stream stream = {0};
  bytes_add(&name, member, sizeof member);
  bytes_fill(&name, 'a', 1 << 20);
  zlib_add(&many, &(struct bytes){name.data, sizeof member, 0}, 31);
  many.size = 10;
  if (deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) fuzz_fail("deflateInit2");
  for (int turn = 0; turn < 2; turn++) {
    once.size = 0;
    bytes_reserve(&once, 1 << 16);
    stream.next_in = turn == 0 ? name.data : name.data + sizeof member;
    stream.avail_in = turn == 0 ? sizeof member : 1 << 20;
    stream.next_out = once.data;
    stream.avail_out = 1 << 16;
    deflate(&stream, Z_FULL_FLUSH);
    once.size = (size_t)(stream.next_out - once.data);
    for (int i = 0; i < (turn == 0 ? 1 : 8192); i++) bytes_add(&many, once.data, once.size);
  }
  deflateEnd(&stream);
  zlib_add(&answer_bomb, &many, 31);
  bytes_free(&name), bytes_free(&once), bytes_free(&many);
}

static inline void chunks_add(struct bytes *out, const struct bytes *body, struct rng *rng, bool is_right) {
  static const char *const odd[] = {"",
                                    "-1",
                                    "FFFFFFFFFFFFFFFF",
                                    "10000000000000000",
                                    "0x5",
                                    " 5",
                                    "5 ",
                                    "5;a=\"b",
                                    "g",
                                    "7fffffffffffffff",
                                    "00000000000000000000000000000005",
                                    "5\r",
                                    "0"};
  for (size_t at = 0; at < body->size;) {
    size_t size = 1 + below(rng, body->size);
    if (size > body->size - at) size = body->size - at;
    if (is_right || per_mille(rng, 800))
      bytes_format(out, "%zx", size);
    else
      bytes_text(out, PICK(rng, odd));
    if (per_mille(rng, 200)) bytes_text(out, ";name=value");
    bytes_text(out, "\r\n");
    bytes_add(out, body->data + at, size);
    bytes_text(out, is_right || per_mille(rng, 900) ? "\r\n" : "\n\n");
    at += size;
  }
  bytes_text(out, is_right || per_mille(rng, 900) ? "0\r\n" : "");
  if (per_mille(rng, 300)) bytes_text(out, "X-T: 1\r\n");
  bytes_text(out, "\r\n");
}

/** A whole and right answer. */
static inline void answer_plainly(struct answer *answer, const struct asked *asked, struct rng *rng) {
  static const char *const policies[] = {"max-age=60", "max-age=0",
                                         "no-store",   "private, max-age=1",
                                         "no-cache",   "public, max-age=60, stale-while-revalidate=60",
                                         "x"};
  struct traits traits = case_traits(asked->number);
  struct bytes body = {0}, coded = {0};
  unsigned framing = (unsigned)below(rng, 8);
  case_body(&body, asked->number, asked->is_loose ? TOKEN_LOOSE : TOKEN_STRICT);
  code_add(&coded, &body, traits.coding);
  bytes_text(&answer->text, asked->is_conditional ? "HTTP/1.1 304 Not Modified\r\n" : "HTTP/1.1 200 OK\r\n");
  bytes_format(&answer->text, "Cache-Control: %s\r\nETag: \"%llu\"\r\n", PICK(rng, policies),
               (unsigned long long)asked->number);
  if (per_mille(rng, 200)) bytes_format(&answer->text, "Set-Cookie: n%u=v; Path=/\r\n", (unsigned)below(rng, 50));
  if (traits.coding != CODING_NONE && !asked->is_conditional)
    bytes_format(&answer->text, "Content-Encoding: %s\r\n", coding_names[traits.coding]);
  answer->closes = framing == 0;
  if (answer->closes)
    bytes_text(&answer->text, "Connection: close\r\n");
  else if (framing < 3)
    bytes_text(&answer->text, "Transfer-Encoding: chunked\r\n");
  else if (!asked->is_conditional)
    bytes_format(&answer->text, "Content-Length: %zu\r\n", coded.size);
  bytes_text(&answer->text, "\r\n");
  bool has_body = !asked->is_head && !asked->is_conditional;
  if (has_body && framing > 0 && framing < 3)
    chunks_add(&answer->text, &coded, rng, true);
  else if (has_body)
    bytes_add(&answer->text, coded.data, coded.size);
  answer->in_pieces = per_mille(rng, 100);
  answer->unasked_after_us =
      !answer->closes && per_mille(rng, all_cases_are_plain ? 0 : 20) ? 1 + (unsigned)below(rng, 3000) : 0;
  bytes_free(&body), bytes_free(&coded);
}

static inline void status_line_add(struct bytes *out, const struct asked *asked, struct rng *rng) {
  static const int codes[] = {200, 200, 200, 200, 204, 206, 301, 302, 303, 307, 308, 304, 401, 401,  407, 404, 410, 416,
                              500, 503, 100, 101, 103, 199, 205, 300, 999, 99,  0,   -1,  600, 2000, 421, 425, 429};
  static const char *const versions[] = {"HTTP/1.0",  "HTTP/1.2", "HTTP/1.10", "HTTP/1.",  "HTTP/0.9",
                                         "HTTP/3",    "http/1.1", "HTTP /1.1", "ICY",      "",
                                         " HTTP/1.1", "HTTP/11",  "HTTP/-1.1", "HTTP/1.1 "};
  static const char *const second[] = {"HTTP/2", "HTTP/2.0", "HTTP/20", "HTTP/2.1"};
  const char *version = "HTTP/1.1";
  int code = asked->is_conditional && per_mille(rng, 700) ? 304 : PICK(rng, codes);
  if (per_mille(rng, 60)) version = PICK(rng, versions);
  if (per_mille(rng, 30) && !is_left_out("h2line")) version = PICK(rng, second);
  bytes_format(out, "%s %d%s\r\n", version, code, per_mille(rng, 100) ? "" : " Reason");
}

/** Heads that take netcore long, if anything does: in few cases, since each has a quarter of a megabyte. */
static inline void large_field_add(struct bytes *out, struct rng *rng) {
  static const struct {
    const char *kind, *name, *piece;
    unsigned count;
  } forms[] = {{"quotes", "Cache-Control: \"", "\\\"", 49000},
               {"quotes", "Cache-Control: a=\"b", "\r\n \\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"", 10000},
               {"many", "WWW-Authenticate: Basic", "\r\nWWW-Authenticate: Digest", 10000},
               {"many", "Set-Cookie: a=b", "\r\nSet-Cookie: a=b", 10000},
               {"many", "Vary: a", ",b", 100000},
               {"many", "Alt-Svc: h2=\":1\"", ",h2=\":1\"", 20000},
               {"many", "Link: a", "\r\n b", 60000},
               {"many", "Content-Encoding: gzip", ",gzip", 30000},
               {"many", "Cache-Control: a", ",a", 100000},
               {"many", "Strict-Transport-Security: a", ";a", 100000},
               {"many", "Connection: a", ",a", 100000},
               {"many", "WWW-Authenticate: Digest a", ", a=\"\\\"\\\"", 15000},
               {"many", "Age: 1", "1", 200000}};
  uint64_t form = below(rng, LENGTH(forms));
  if (is_left_out(forms[form].kind)) return;
  COUNT("large_heads");
  bytes_text(out, forms[form].name);
  for (unsigned i = 0; i < forms[form].count; i++) bytes_text(out, forms[form].piece);
  bytes_text(out, "\r\n");
}

static inline void fields_add(struct bytes *out, const struct asked *asked, struct rng *rng) {
  for (uint64_t count = below(rng, 12); count > 0; count--) {
    struct bytes value = {0};
    const char *name = "";
    field_add_known(&value, &name, rng, asked->number, asked->hop);
    bytes_format(out, "%s: %.*s\r\n", name, (int)value.size, (const char *)value.data);
    bytes_free(&value);
  }
  if (per_mille(rng, 40)) large_field_add(out, rng);
}

/** The body as coded, well or not; adds the Content-Encoding fields. */
static inline void coded_body(struct bytes *head, struct bytes *coded, const struct bytes *body, struct rng *rng) {
  unsigned layers = per_mille(rng, 700) ? (unsigned)below(rng, 2) : (unsigned)below(rng, 8);
  if (per_mille(rng, 8) && !is_left_out("nested")) {
    COUNT("bombs");
    bytes_text(head, "Content-Encoding: gzip, gzip, gzip\r\n");
    bytes_add(coded, answer_bomb.data, answer_bomb.size);
    return;
  }
  bytes_add(coded, body->data, body->size);
  for (unsigned layer = 0; layer < layers; layer++) {
    struct bytes inner = *coded;
    enum coding coding = (enum coding)(1 + below(rng, CODING_COUNT - 1));
    *coded = (struct bytes){0};
    code_add(coded, &inner, coding);
    bytes_free(&inner);
    bytes_format(head, "Content-Encoding: %s\r\n",
                 coding_names[per_mille(rng, 900) ? (uint64_t)coding : below(rng, CODING_COUNT)]);
  }
  if (per_mille(rng, 200)) bytes_damage(coded, 0, rng);
}

/** An answer as a broken, odd or hostile server sends it. */
static inline void answer_badly(struct answer *answer, const struct asked *asked, struct rng *rng) {
  struct bytes body = {0}, coded = {0};
  answer->in_pieces = per_mille(rng, 200);
  answer->is_early = per_mille(rng, 200);
  answer->closes = per_mille(rng, 250);
  answer->resets = per_mille(rng, 60);
  answer->unasked_after_us = per_mille(rng, 60) ? 1 + (unsigned)below(rng, 3000) : 0;
  bool is_small = case_traits(asked->number).filler < 4000 && !answer->in_pieces;
  case_body(&body, asked->number, is_small && !asked->is_loose ? TOKEN_STRICT : TOKEN_LOOSE);
  for (uint64_t interim = per_mille(rng, 100) ? below(rng, 20) : 0; interim > 0; interim--) {
    bytes_format(&answer->text, "HTTP/1.1 %d\r\n", per_mille(rng, 900) ? (int)(100 + below(rng, 5)) : 199);
    if (per_mille(rng, 300)) fields_add(&answer->text, asked, rng);
    bytes_text(&answer->text, "\r\n");
  }
  status_line_add(&answer->text, asked, rng);
  fields_add(&answer->text, asked, rng);
  coded_body(&answer->text, &coded, &body, rng);
  unsigned framing = (unsigned)below(rng, 10);
  if (framing < 3)
    bytes_text(&answer->text, "Transfer-Encoding: chunked\r\n");
  else if (framing < 8)
    bytes_format(&answer->text, "Content-Length: %zu\r\n", coded.size);
  else
    answer->closes = true;
  bytes_text(&answer->text, "\r\n");
  bool is_damaged = per_mille(rng, 300);
  if (is_damaged) bytes_damage(&answer->text, 0, rng);
  if (!asked->is_head || per_mille(rng, 50)) {
    if (framing < 3)
      chunks_add(&answer->text, &coded, rng, per_mille(rng, 700));
    else
      bytes_add(&answer->text, coded.data, coded.size);
  }
  if (per_mille(rng, 60)) {  // an answer that nobody asked for, together with one that was
    bytes_text(&answer->text, "HTTP/1.1 200 OK\r\nContent-Length: 36\r\n\r\n");
    // A head that lost its end goes on into this one, and has its body.
    bool is_strict = is_small && !asked->is_loose && !is_damaged && answer->text.size < 16000;
    token_add(&answer->text, CASE_UNASKED, is_strict ? TOKEN_STRICT : TOKEN_LOOSE);
  }
  if (per_mille(rng, 60)) bytes_damage(&answer->text, 0, rng);
  answer->loosens = answer->in_pieces || answer->text.size > 16000 || answer->is_early;
  bytes_free(&body), bytes_free(&coded);
}

/** An answer that is to be validated each time, and then grows by fields of another name. */
static inline void answer_growing(struct answer *answer, const struct asked *asked) {
  static _Atomic unsigned turns;
  int letter = 'a' + (int)(atomic_fetch_add(&turns, 1) % 26);
  bytes_format(&answer->text, "HTTP/1.1 %s\r\nETag: \"g\"\r\nCache-Control: max-age=0\r\n",
               asked->is_conditional ? "304 Not Modified" : "200 OK");
  for (unsigned i = 0; i < 40000; i++) bytes_format(&answer->text, "%c:\r\n", letter);
  bytes_text(&answer->text, asked->is_conditional ? "\r\n" : "Content-Length: 0\r\n\r\n");
  COUNT("growing");
}

/** Makes the answer of a case, the same each time. */
static inline void answer_make(struct answer *answer, const struct asked *asked) {
  struct rng rng = case_rng(asked->number, 2 + asked->hop * 4 + asked->is_conditional * 2 + asked->is_head);
  *answer = (struct answer){0};
  struct traits traits = case_traits(asked->number);
  if (traits.is_growing)
    answer_growing(answer, asked);
  else if (traits.is_plain)
    answer_plainly(answer, asked, &rng);
  else
    answer_badly(answer, asked, &rng);
}

#endif
